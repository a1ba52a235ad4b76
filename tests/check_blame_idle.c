/*
 * check_blame_idle.c - what a spike says of idle time and of its own sampler:
 * rings in which the idle task's switches are missing, as Linux 6.18 writes
 * them for a CPU that was offline, and rings in which nobody else ran.
 */
#include <check.h>
#include <string.h>

#include "src/blame.h"
#include "src/blame_idle.h"
#include "src/clock.h"
#include "tests/fake_rings.h"

#define SIZE (256 << 10)
#define SAMPLER 50
#define HOG 60
#define LEAKY 70
#define MS NS_PER_MS

static struct fake_perf f;
static struct model *m;
static struct blame *b;
static int64_t t;		/* of the newest record */

static void set_up(void)
{
	const struct model_spec spec = { .groups = 1, .series = 1, .digits = 3, .start_ns = 1 };

	fake_perf_make(&f, SIZE);
	fake_rings = (struct fake_rings){ .perf = &f };
	t = 0;
	m = model_new(&spec);
	m->groups[0].on = true;
	m->groups[0].nr = 1;
	m->series[0].cpu = 0;
}

static void tear_down(void)
{
	blame_free(b);
	b = NULL;
	model_free(m);
	fake_perf_free(&f);
}

static void start(bool tracepoints)
{
	struct cpuset cpus = { { 1 } };

	fake_rings.tracepoints = tracepoints;
	b = blame_new(&cpus, BLAME_LEVEL_TRACEPOINTS);
	ck_assert_int_eq(blame_level(b),
			 tracepoints ? BLAME_LEVEL_TRACEPOINTS : BLAME_LEVEL_SWITCH);
	blame_watch(b, 0, 0, SAMPLER);
}

/* A switch as the ring tells it; that away from idle may be missing. */
static void change(bool tracepoints, int prev, int next, const char *comm, bool recorded)
{
	t += MS / 10;
	if (!prev && !recorded)
		return;
	if (tracepoints)
		fake_perf_switch(&f, t, prev, next, comm);
	else
		fake_perf_out(&f, t, prev);
}

static void wake_from_idle(bool tracepoints, unsigned times, bool recorded)
{
	for (unsigned i = 0; i < times; i++) {
		change(tracepoints, 0, SAMPLER, "sampler", recorded);
		change(tracepoints, SAMPLER, 0, "swapper/0", true);
	}
}

static enum blame_idle look(bool tracepoints)
{
	struct perf_ring_bytes bytes = { .data = f.data, .size = f.size, .head = f.head };

	return blame_idle_look(&bytes, tracepoints ? &fake_perf_layout : NULL);
}

START_TEST(idle_is_missing_when_it_never_ends)
{
	bool points = _i;

	ck_assert_int_eq(look(points), BLAME_IDLE_UNTOLD);
	wake_from_idle(points, BLAME_IDLE_LEAST, false);	/* the last has not ended */
	ck_assert_int_eq(look(points), BLAME_IDLE_UNTOLD);
	wake_from_idle(points, 1, false);
	ck_assert_int_eq(look(points), BLAME_IDLE_MISSING);
	wake_from_idle(points, 1, true);
	ck_assert_int_eq(look(points), BLAME_IDLE_RECORDED);
	/* It was recorded until the CPU was taken away: the newest tell. */
	wake_from_idle(points, BLAME_IDLE_LEAST + 1, false);
	ck_assert_int_eq(look(points), BLAME_IDLE_MISSING);
}
END_TEST

START_TEST(a_busy_cpu_tells_nothing_of_idle)
{
	bool points = _i;

	for (unsigned i = 0; i < 500; i++) {
		change(points, HOG, SAMPLER, "sampler", true);
		change(points, SAMPLER, HOG, "hog", true);
	}
	ck_assert_int_eq(look(points), BLAME_IDLE_UNTOLD);
}
END_TEST

/* Outside of its own pid namespace a task has number 0 at level switch. */
START_TEST(a_task_of_another_namespace_is_no_evidence)
{
	for (unsigned i = 0; i < 500; i++) {
		fake_perf_out(&f, i * MS, SAMPLER);
		fake_perf_out(&f, i * MS + MS / 2, i == 499 ? 0 : -1);
	}
	ck_assert_int_eq(look(false), BLAME_IDLE_RECORDED);
}
END_TEST

/* The window of a spike that has just ended, from `due` on. */
static struct spike spike_since(int64_t due_ns)
{
	struct spike s = { .t_ns = t, .late_ns = t - due_ns };

	m->now_ns += NS_PER_S;
	blame_spike(b, m, 0, due_ns, &s);
	return s;
}

static int64_t share_of(const struct spike *s, const char *name)
{
	for (unsigned i = 0; i < s->nr; i++)
		if (!strcmp(s->culprit[i].comm, name))
			return s->culprit[i].ns;
	return 0;
}

/* A hog after idle, above the sampler: from when on is not recorded. */
static struct spike spike_after_idle(bool tracepoints)
{
	int64_t due_ns = t + MS / 20;

	change(tracepoints, 0, HOG, "hog", false);
	t += 5 * MS;
	change(tracepoints, HOG, SAMPLER, "sampler", true);
	return spike_since(due_ns);
}

START_TEST(a_spike_says_that_its_idle_was_not_recorded)
{
	bool points = _i;

	start(points);
	fake_perf_comm(&f, 1, HOG, "hog");
	wake_from_idle(points, BLAME_IDLE_LEAST + 1, false);
	struct spike s = spike_after_idle(points);

	ck_assert(s.incomplete);
	ck_assert_msg(strstr(s.note, "end of idle not recorded here") != NULL, "%s", s.note);
	ck_assert_ptr_null(strstr(s.note, "ring"));
	ck_assert_int_eq(share_of(&s, points ? "unknown" : "hog"), s.late_ns);
	ck_assert_uint_eq(m->spikes_incomplete, 1);
}
END_TEST

START_TEST(each_second_tells_which_cpus_lack_it)
{
	start(_i);
	wake_from_idle(_i, BLAME_IDLE_LEAST / 2, false);
	blame_second(b, m, NS_PER_S);
	ck_assert(!m->series[0].idle_unrecorded);
	wake_from_idle(_i, BLAME_IDLE_LEAST, false);
	blame_second(b, m, 2 * NS_PER_S);
	ck_assert(m->series[0].idle_unrecorded);
	wake_from_idle(_i, 1, true);
	blame_second(b, m, 3 * NS_PER_S);
	ck_assert(!m->series[0].idle_unrecorded);
	/* Once told it is looked at again only for a spike that is not whole. */
	wake_from_idle(_i, BLAME_IDLE_LEAST + 1, false);
	blame_second(b, m, 4 * NS_PER_S);
	ck_assert(!m->series[0].idle_unrecorded);
}
END_TEST

START_TEST(an_unknown_part_looks_again)
{
	start(true);
	wake_from_idle(true, 3, true);
	blame_second(b, m, NS_PER_S);
	wake_from_idle(true, BLAME_IDLE_LEAST + 1, false);
	struct spike s = spike_after_idle(true);

	ck_assert_ptr_nonnull(strstr(s.note, "end of idle not recorded here"));
	blame_second(b, m, 2 * NS_PER_S);
	ck_assert(m->series[0].idle_unrecorded);
	/* Its ring is made anew with the CPU. */
	m->series[0].offline = true;
	blame_second(b, m, 3 * NS_PER_S);
	ck_assert(!m->series[0].idle_unrecorded);
}
END_TEST

/* As with idle, but of one task; and the ring was paused, which is no reason. */
START_TEST(a_task_whose_stops_are_never_recorded_is_not_charged)
{
	start(true);
	fake_perf_comm(&f, 1, HOG, "hog");
	for (unsigned i = 0; i < BLAME_TASK_LEAST; i++) {
		change(true, SAMPLER, LEAKY, "leaky", true);
		change(true, 0, SAMPLER, "sampler", true);	/* from leaky: not recorded */
	}
	change(true, SAMPLER, LEAKY, "leaky", true);
	int64_t due_ns = t;

	/* An interrupt may hit the one or the other. */
	fake_perf_softirq(&f, t + MS, 1, true);
	fake_perf_softirq(&f, t + 2 * MS, 1, false);
	t += 5 * MS;
	fake_rings.pause = (struct blame_pause){ t - 2 * MS, t - MS };
	change(true, HOG, SAMPLER, "sampler", true);
	struct spike s = spike_since(due_ns);

	ck_assert_int_eq(share_of(&s, "leaky"), 0);
	ck_assert_int_eq(share_of(&s, "unknown"), s.late_ns - MS);
	ck_assert_ptr_nonnull(strstr(s.note, "end of a task not recorded here"));
	ck_assert_ptr_null(strstr(s.note, "ring"));
	ck_assert(s.incomplete);
}
END_TEST

/* It came in time and was held up itself: an interrupt, or the host. */
START_TEST(a_sampler_that_had_its_cpu_is_not_named)
{
	bool points = _i;

	start(points);
	fake_perf_comm(&f, 1, SAMPLER, "sampler");
	wake_from_idle(points, 2, true);
	change(points, 0, SAMPLER, "sampler", true);
	int64_t due_ns = t;

	t += 7 * MS;
	struct spike s = spike_since(due_ns);

	ck_assert_int_eq(share_of(&s, "itself: IRQ or host"), 7 * MS);
	ck_assert_uint_eq(s.nr, 1);
	ck_assert_str_eq(s.note, "or irqs-off");	/* the share's name says the rest */
	ck_assert(!s.incomplete);
	ck_assert_str_eq(m->blamed[0].part[0].comm, "itself: IRQ or host");
	ck_assert_int_eq(m->blamed[0].part[0].ns, 7 * MS);
}
END_TEST

/* It shares the window with a hog: each has its own part. */
START_TEST(a_sampler_beside_a_hog_is_not_named)
{
	bool points = _i;

	start(points);
	fake_perf_comm(&f, 1, SAMPLER, "sampler");
	fake_perf_comm(&f, 2, HOG, "hog");
	wake_from_idle(points, 2, true);
	change(points, 0, HOG, "hog", true);
	int64_t due_ns = t;

	t += 3 * MS;
	change(points, HOG, SAMPLER, "sampler", true);
	int64_t held_ns = t - due_ns;

	t += MS;
	struct spike s = spike_since(due_ns);

	ck_assert_int_eq(share_of(&s, "hog"), held_ns);
	ck_assert_int_eq(share_of(&s, "itself: IRQ or host"), MS);
	ck_assert_ptr_null(strstr(s.note, "itself"));
	ck_assert_uint_eq(s.nr, 2);
}
END_TEST

/* Without the end of idle nobody knows which of both it was. */
START_TEST(it_may_have_been_idle_where_that_is_not_recorded)
{
	start(false);
	wake_from_idle(false, BLAME_IDLE_LEAST + 1, false);
	int64_t due_ns = t;

	t += 7 * MS;
	struct spike s = spike_since(due_ns);

	ck_assert_int_eq(share_of(&s, "idle or itself"), 7 * MS);
	ck_assert_ptr_nonnull(strstr(s.note, "end of idle not recorded here"));
	ck_assert_str_eq(m->blamed[0].part[0].comm, "idle or itself");
}
END_TEST

Suite *blame_idle_suite(void);
Suite *blame_idle_suite(void)
{
	Suite *s = suite_create("blame_idle");
	TCase *tc = tcase_create("idle and itself");

	tcase_add_checked_fixture(tc, set_up, tear_down);
	tcase_add_loop_test(tc, idle_is_missing_when_it_never_ends, 0, 2);
	tcase_add_loop_test(tc, a_busy_cpu_tells_nothing_of_idle, 0, 2);
	tcase_add_test(tc, a_task_of_another_namespace_is_no_evidence);
	tcase_add_loop_test(tc, a_spike_says_that_its_idle_was_not_recorded, 0, 2);
	tcase_add_loop_test(tc, each_second_tells_which_cpus_lack_it, 0, 2);
	tcase_add_test(tc, an_unknown_part_looks_again);
	tcase_add_test(tc, a_task_whose_stops_are_never_recorded_is_not_charged);
	tcase_add_loop_test(tc, a_sampler_that_had_its_cpu_is_not_named, 0, 2);
	tcase_add_loop_test(tc, a_sampler_beside_a_hog_is_not_named, 0, 2);
	tcase_add_test(tc, it_may_have_been_idle_where_that_is_not_recorded);
	suite_add_tcase(s, tc);
	return s;
}
