/*
 * check_blame_reopen.c - the rings of a CPU that goes and comes.
 *
 * The rings are replaced here (the linker takes these instead of the
 * library's): each notes how often it was opened, and may refuse.
 */
#include <check.h>
#include <errno.h>
#include <string.h>

#include "src/blame.h"
#include "src/blame_rings.h"
#include "src/clock.h"

static unsigned opened, names_opened, closed, watched;
static int refuse;		/* -errno */
static uint8_t nothing[64];

int blame_layout_read(struct trace_layout *out, struct why *why)
{
	memset(out, 0, sizeof(*out));
	return why_set(why, -EACCES, "not here; use another level");
}

int blame_ring_open(struct blame_ring *r, int cpu, const struct trace_layout *layout,
		    size_t data_bytes, struct why *why)
{
	(void)layout;
	(void)data_bytes;
	(void)why;
	*r = (struct blame_ring){ .cpu = cpu, .fd = -1, .map = nothing };
	if (refuse)
		return refuse;
	opened++;
	r->fd = 1000;
	return 0;
}

int blame_ring_open_names(struct blame_ring *r, int cpu, size_t data_bytes)
{
	(void)data_bytes;
	*r = (struct blame_ring){ .cpu = cpu, .fd = 2000, .map = nothing };
	names_opened++;
	return 0;
}

void blame_ring_close(struct blame_ring *r)
{
	closed += r->fd >= 0;
	r->fd = -1;
}

void blame_ring_watch(struct blame_ring *r, int tid)
{
	r->watched[0] = tid;
	watched++;
}

void blame_ring_pause(struct blame_ring *r) { (void)r; }
void blame_ring_resume(struct blame_ring *r) { (void)r; }

struct perf_ring_bytes blame_ring_bytes(const struct blame_ring *r, bool running)
{
	(void)r;
	(void)running;
	return (struct perf_ring_bytes){ .data = nothing, .size = sizeof(nothing) };
}

bool blame_ring_intact(const struct blame_ring *r, const struct perf_ring_bytes *bytes)
{
	(void)r;
	(void)bytes;
	return true;
}

uint64_t blame_ring_head(const struct blame_ring *r) { (void)r; return 0; }
bool blame_rights_raise(void) { return false; }
void blame_rights_drop(bool raised) { (void)raised; }

static struct model *make_model(void)
{
	const struct model_spec spec = { .groups = 1, .series = 1, .digits = 3, .start_ns = 1 };
	struct model *m = model_new(&spec);

	m->groups[0].on = true;
	m->groups[0].nr = 1;
	m->series[0].cpu = 0;
	return m;
}

START_TEST(the_ring_of_names_is_kept_while_the_other_one_cannot_be_opened)
{
	struct cpuset cpus = { { 1 } };
	struct blame *b = blame_new(&cpus, BLAME_LEVEL_SWITCH);
	struct model *m = make_model();
	unsigned names;

	ck_assert_int_eq(blame_level(b), BLAME_LEVEL_SWITCH);
	ck_assert_uint_eq(opened, 1);
	blame_watch(b, 0, 0, 77);
	names = names_opened;
	m->series[0].offline = true;
	blame_second(b, m, NS_PER_S);
	ck_assert_uint_eq(closed, 1);
	m->series[0].offline = false;
	refuse = -EMFILE;
	for (int i = 2; i < 5; i++)
		blame_second(b, m, i * NS_PER_S);
	ck_assert_uint_eq(closed, 1);
	ck_assert_uint_eq(names_opened, names);
	refuse = 0;
	blame_second(b, m, 5 * NS_PER_S);
	ck_assert_uint_eq(opened, 2);
	ck_assert_uint_eq(names_opened, names ? names + 1 : 0);
	ck_assert_uint_ge(watched, 2);	/* and its sampler, again */
	blame_second(b, m, 6 * NS_PER_S);
	ck_assert_uint_eq(opened, 2);
	blame_free(b);
	model_free(m);
}
END_TEST

Suite *blame_reopen_suite(void);
Suite *blame_reopen_suite(void)
{
	Suite *s = suite_create("blame_reopen");
	TCase *tc = tcase_create("rings");

	tcase_add_test(tc, the_ring_of_names_is_kept_while_the_other_one_cannot_be_opened);
	suite_add_tcase(s, tc);
	return s;
}
