/*
 * operation.h - what every operation probe must do, by script and for real.
 *
 * Included by check_probe_NAME.c, which hands its probe to operation_suite()
 * and adds what is special about it.  By script the operation only moves the
 * clock: its time must come out of the helper's loop and the collector exactly,
 * once, in its own series.  For real it must work; how fast is not asked.
 */
#ifndef JS_TESTS_OPERATION_H
#define JS_TESTS_OPERATION_H

#include <check.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/clock.h"
#include "src/collector.h"
#include "src/helper.h"
#include "src/model.h"
#include "src/sampler.h"

#define OP_ZERO_NS (1000 * NS_PER_S)
#define OP_VALUE_NS INT64_C(2123456789)	/* of the one that counts */
#define OP_OTHER_NS (1 * NS_PER_US)	/* of all others */
#define OP_WARM_NS (9 * NS_PER_S)	/* of the first of each variant: must not be seen */
#define OP_ROUNDS 4u			/* per variant, the first included */
#define OP_REAL 24u			/* operations for real */

static const struct probe *op_probe;

static struct {
	int64_t now_ns;
	unsigned operations, special, variant;	/* which one is the special, and its variant */
	int error;			/* of the special one */
	int64_t in_flight_ns;		/* as seen within it */
	unsigned in_flight_variant;
	_Atomic bool stop;
	struct helper_line line;
	struct ring *ring[PROBE_VARIANTS_MAX];
	pid_t partner[PROBE_PARTNERS_MAX];
	struct probe_env env;
	char folder[64];
	_Alignas(64) unsigned char state[512 << 10];
} op_world;

/* ---- a world with a clock of its own ---- */

static int64_t op_scripted_now(void *ctx)
{
	(void)ctx;
	return op_world.now_ns;
}

static unsigned op_wanted(void)
{
	return op_probe->flags & PROBE_ONESHOT ? 1 : OP_ROUNDS * probe_variants(op_probe);
}

static int op_scripted_wait(void *ctx, int64_t due_ns)
{
	(void)ctx;
	if (op_world.operations >= op_wanted()) {
		op_world.stop = true;
		return EINTR;
	}
	if (due_ns > op_world.now_ns)
		op_world.now_ns = due_ns;
	return 0;
}

static int op_scripted(void *ctx, unsigned variant)
{
	unsigned nth = op_world.operations++;
	bool warm = nth < probe_variants(op_probe) && !(op_probe->flags & PROBE_ONESHOT);

	(void)ctx;
	if (nth != op_world.special) {
		op_world.now_ns += warm ? OP_WARM_NS : OP_OTHER_NS;
		return 0;
	}
	op_world.in_flight_ns = op_world.line.in_flight_ns;
	op_world.in_flight_variant = op_world.line.in_flight_variant;
	op_world.variant = variant;
	op_world.now_ns += OP_VALUE_NS;
	return op_world.error;
}

static void op_set_env(bool scripted)
{
	op_world.env = (struct probe_env){
		.now_ns = op_scripted_now, .wait_until = op_scripted_wait,
		.operation = scripted ? op_scripted : NULL,
		.period_ns = op_probe->period_ns, .cpu = -1, .seed = 7, .scratch_fd = -1,
		.in_flight_ns = &op_world.line.in_flight_ns,
		.in_flight_variant = &op_world.line.in_flight_variant,
		.partners = op_world.partner,
	};
	for (unsigned i = 0; i < PROBE_KNOBS_MAX && op_probe->knobs[i].name; i++)
		op_world.env.knob[i] = op_probe->knobs[i].value;
	ck_assert_uint_le(op_probe->state_size, sizeof(op_world.state));
}

static void op_open_probe(void)
{
	struct why why = { 0 };
	int err = op_probe->open(op_world.state, &op_world.env, &why);

	ck_assert_msg(err == 0, "%s: %s", op_probe->name, why.text);
}

static void op_close_probe(void)
{
	if (op_probe->close)
		op_probe->close(op_world.state);
}

/* ---- through the loop and the collector ---- */

static struct model *op_model(void)
{
	unsigned n = probe_variants(op_probe);
	const struct model_spec spec = { .groups = n, .series = n, .digits = 3,
					 .start_ns = OP_ZERO_NS };
	struct model *m = model_new(&spec);

	for (unsigned v = 0; v < n; v++) {
		m->groups[v].first = v;
		m->groups[v].nr = 1;
		m->groups[v].variant = v;
		m->groups[v].on = true;
		m->groups[v].probe = op_probe;
		m->series[v].group = v;
		m->series[v].cpu = -1;
		m->series[v].interval_ns = op_probe->period_ns;
	}
	model_zero(m, OP_ZERO_NS);
	return m;
}

/* Plays the script with its special operation in that variant. */
static struct model *op_play(unsigned variant, int error)
{
	unsigned n = probe_variants(op_probe);
	struct model *m = op_model();
	struct collector *c = collector_new(m, NULL);
	struct helper_run run = {
		.probe = op_probe, .state = op_world.state, .env = &op_world.env,
		.variants = n, .line = &op_world.line, .stop = &op_world.stop,
		.period_ns = op_probe->period_ns,
	};

	memset(&op_world, 0, sizeof(op_world));
	op_world.now_ns = OP_ZERO_NS;
	op_world.special = op_probe->flags & PROBE_ONESHOT ? 0 : 2 * n + variant;
	op_world.error = error;
	op_set_env(true);
	for (unsigned v = 0; v < n; v++) {
		struct collector_source source = { .series = v, .helper = &op_world.line };

		run.ring[v] = op_world.ring[v] = source.ring = ring_new(64);
		ck_assert_int_eq(collector_add(c, &source, NULL), 0);
	}
	op_open_probe();
	ck_assert_int_eq(helper_loop(&run), 0);
	op_close_probe();
	collector_finish(c, op_world.now_ns);
	collector_free(c);
	for (unsigned v = 0; v < n; v++)
		ring_free(op_world.ring[v]);
	return m;
}

static void op_check_series(const struct model *m, unsigned variant, int error)
{
	uint64_t rounds = op_probe->flags & PROBE_ONESHOT ? 1 : OP_ROUNDS - 1;

	for (unsigned v = 0; v < m->nr_series; v++) {
		const struct series *s = &m->series[v];
		bool hit = v == variant;

		ck_assert_msg(counts_hold(&s->counts), "series %u: the sum is wrong", v);
		ck_assert_uint_eq(s->counts.errors, hit && error ? 1 : 0);
		ck_assert_uint_eq(s->counts.interrupted, hit && error ? 1 : 0);
		ck_assert_uint_eq(s->counts.count, rounds - (hit && error ? 1 : 0));
		ck_assert_uint_eq(s->counts.early, 0);
		if (s->counts.count)
			ck_assert_int_eq(s->total->max_ns,
					 hit && !error ? OP_VALUE_NS : OP_OTHER_NS);
	}
}

/* `_i` is the variant. */
START_TEST(its_time_appears_once_in_its_own_series)
{
	struct model *m = op_play((unsigned)_i, 0);

	op_check_series(m, (unsigned)_i, 0);
	ck_assert_uint_eq(op_world.variant, (unsigned)_i);
	ck_assert_int_gt(op_world.in_flight_ns, OP_ZERO_NS);
	ck_assert_uint_eq(op_world.in_flight_variant, (unsigned)_i);
	ck_assert_int_eq(op_world.line.in_flight_ns, 0);
	model_free(m);
}
END_TEST

START_TEST(an_error_is_interrupted_and_no_value)
{
	struct model *m = op_play((unsigned)_i, ENOSPC);

	op_check_series(m, (unsigned)_i, ENOSPC);
	ck_assert_int_eq(m->series[_i].last_errno, ENOSPC);
	ck_assert_uint_eq(op_world.line.errors, 1);
	model_free(m);
}
END_TEST

/* ---- for real ---- */

static int64_t op_real_now(void *ctx)
{
	(void)ctx;
	return clock_now_ns();
}

static int op_real_wait(void *ctx, int64_t due_ns)
{
	(void)ctx;
	return clock_wait_until(due_ns);
}

static unsigned op_entries(const char *path)
{
	DIR *d = opendir(path);
	unsigned n = 0;

	ck_assert_ptr_nonnull(d);
	while (readdir(d))
		n++;
	closedir(d);
	return n;
}

static void op_begin_real(void)
{
	memset(&op_world, 0, sizeof(op_world));
	op_set_env(false);
	op_world.env.now_ns = op_real_now;
	op_world.env.wait_until = op_real_wait;
	op_world.env.period_ns = NS_PER_MS;
	strcpy(op_world.folder, "/tmp/js-operation-XXXXXX");	/* lint: fits */
	ck_assert_ptr_nonnull(mkdtemp(op_world.folder));
	if (op_probe->flags & PROBE_SCRATCH)
		op_world.env.scratch_fd = open(op_world.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static void op_end_real(void)
{
	static const char *const ours[] = { "saved", "victim", "synced", "mapped", "faulted" };
	int fd = op_world.env.scratch_fd;

	for (unsigned i = 0; i < sizeof(ours) / sizeof(ours[0]) && fd >= 0; i++)
		unlinkat(fd, ours[i], 0);
	if (fd >= 0)
		close(fd);
	ck_assert_int_eq(rmdir(op_world.folder), 0);
}

static void op_real_sample(struct probe_sample *out)
{
	*out = (struct probe_sample){ 0 };
	ck_assert_int_eq(op_probe->sample(op_world.state, out), 0);
}

START_TEST(the_real_operation_works_and_leaves_nothing)
{
	unsigned files, seen[PROBE_VARIANTS_MAX] = { 0 };
	unsigned rounds = op_probe->flags & PROBE_ONESHOT ? 2 : OP_REAL;

	op_begin_real();
	files = op_entries("/proc/self/fd");
	op_open_probe();
	for (unsigned i = 0; i < rounds; i++) {
		struct probe_sample out;

		op_real_sample(&out);
		ck_assert_msg(out.error == 0, "%s: %s", op_probe->name, strerror(out.error));
		ck_assert_uint_lt(out.variant, probe_variants(op_probe));
		seen[out.variant]++;
		ck_assert_uint_le(op_entries(op_world.folder), 2 + 2);
	}
	for (unsigned v = 0; v < probe_variants(op_probe); v++)
		ck_assert_uint_ge(seen[v], rounds / probe_variants(op_probe));
	op_close_probe();
	ck_assert_uint_eq(op_entries("/proc/self/fd"), files);
	ck_assert_msg(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD, "a child is left");
	op_end_real();
}
END_TEST

/* The rules of a helper's probe, by its table. */
START_TEST(its_table_is_in_order)
{
	ck_assert(op_probe->flags & PROBE_HELPER);
	ck_assert(!(op_probe->flags & (PROBE_RT | PROBE_PER_CPU | PROBE_DEFAULT)));
	ck_assert_int_ge(op_probe->period_ns, NS_PER_MS);
	ck_assert_uint_lt(strlen(op_probe->name), PROBE_NAME_MAX);
	for (unsigned v = 0; op_probe->variants && op_probe->variants[v]; v++)
		ck_assert_uint_lt(strlen(op_probe->variants[v]), PROBE_NAME_MAX);
}
END_TEST

static Suite *operation_suite(const char *name, const struct probe *p)
{
	Suite *s = suite_create(name);
	TCase *tc = tcase_create("operation");
	int n = (int)probe_variants(p);

	op_probe = p;
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, its_table_is_in_order);
	tcase_add_loop_test(tc, its_time_appears_once_in_its_own_series, 0, n);
	tcase_add_loop_test(tc, an_error_is_interrupted_and_no_value, 0, n);
	tcase_add_test(tc, the_real_operation_works_and_leaves_nothing);
	suite_add_tcase(s, tc);
	return s;
}

#endif
