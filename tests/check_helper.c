/*
 * check_helper.c - processes of operation probes: what they push adds up, the
 * budget holds them, and they die with everybody else.
 */
#include <check.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/helper.h"
#include "src/kin.h"
#include "src/sampler.h"
#include "src/supervisor.h"
#include "src/supervisor_helpers.h"

/* ---- probes of all sorts ---- */

struct scripted {
	const struct probe_env *env;
	unsigned n;
};

static int scripted_open(void *state, const struct probe_env *env, struct why *why)
{
	struct scripted *s = state;

	*s = (struct scripted){ .env = env };
	return why_set(why, 0, "a note");
}

static int quick_sample(void *state, struct probe_sample *out)
{
	struct scripted *s = state;
	int64_t now_ns = s->env->now_ns(s->env->ctx);
	int err = s->env->wait_until(s->env->ctx, now_ns + s->env->period_ns);

	out->due_ns = now_ns;
	out->woke_ns = now_ns + 1000;
	out->variant = s->n % 2;
	out->error = s->n++ % 4 == 3 ? EIO : 0;
	return -err;
}

static int closed_open(void *state, const struct probe_env *env, struct why *why)
{
	(void)state, (void)env;
	return why_set(why, -ENODEV, "closed: no such device; \033 plug one in");
}

static int full_open(void *state, const struct probe_env *env, struct why *why)
{
	(void)state, (void)env;
	return why_set(why, -ENOSPC, "full: scratch: No space left on device");
}

static int ends_sample(void *state, struct probe_sample *out)
{
	(void)state, (void)out;
	return -ENOTCONN;
}

static int crash_sample(void *state, struct probe_sample *out)
{
	(void)state, (void)out;
	/* Pid 1 of a namespace survives every signal of its own but a fault. */
	__builtin_trap();
}

/* Hangs in a call, having left a child behind that is deaf to TERM. */
static int hang_sample(void *state, struct probe_sample *out)
{
	struct scripted *s = state;

	(void)out;
	if (fork() == 0) {
		setsid();
		if (fork())
			_exit(0);
		signal(SIGTERM, SIG_IGN);
	}
	*s->env->in_flight_ns = clock_now_ns();
	signal(SIGTERM, SIG_IGN);
	for (;;)
		pause();
}

static int files_open(void *state, const struct probe_env *env, struct why *why)
{
	if (env->scratch_fd < 0)
		return why_set(why, -EBADF, "no folder");
	return scripted_open(state, env, why);
}

#define TEST_PROBE(n, begin, once, ...) \
	static const struct probe probe_##n = { \
		.name = #n, .summary = "for tests", .period_ns = NS_PER_MS, \
		.state_size = sizeof(struct scripted), .open = begin, .sample = once, __VA_ARGS__ \
	}
static const char *const two[] = { "even", "odd", NULL };
TEST_PROBE(sampler, scripted_open, quick_sample, .flags = PROBE_RT);
TEST_PROBE(quick, scripted_open, quick_sample, .flags = PROBE_HELPER, .variants = two,
	   .knobs = { { .name = "knob", .least = 0, .value = 1, .most = 3 } });
TEST_PROBE(closed, closed_open, quick_sample, .flags = PROBE_HELPER);
TEST_PROBE(ends, scripted_open, ends_sample, .flags = PROBE_HELPER);
TEST_PROBE(crash, scripted_open, crash_sample, .flags = PROBE_HELPER);
TEST_PROBE(hang, scripted_open, hang_sample, .flags = PROBE_HELPER);
TEST_PROBE(files, files_open, quick_sample, .flags = PROBE_HELPER | PROBE_SCRATCH,
	   .variants = two);
TEST_PROBE(full, full_open, quick_sample, .flags = PROBE_HELPER);

enum { SAMPLER, QUICK, CLOSED, ENDS, CRASH, HANG, FILES, FULL };
const struct probe *const probes[] = {
	&probe_sampler, &probe_quick, &probe_closed, &probe_ends, &probe_crash, &probe_hang,
	&probe_files, &probe_full, NULL,
};

/* ---- the loop, scripted ---- */

static struct script {
	struct probe_sample sample[16];
	int err[16];
	unsigned n, at;
	int64_t period_seen_ns;
} script;
static struct helper_run run;
static struct helper_line line;
static struct probe_env env;
static _Atomic bool stop;
static _Atomic unsigned stretch;

static int play(void *state, struct probe_sample *out)
{
	(void)state;
	script.period_seen_ns = env.period_ns;
	*out = script.sample[script.at];
	int err = script.err[script.at++];

	if (script.at >= script.n)
		stop = script.err[script.at - 1] == 0;
	return err;
}

static const struct probe scripted = { .name = "scripted", .sample = play };

static void prepare(unsigned ring_room)
{
	memset(&line, 0, sizeof(line));
	script = (struct script){ 0 };
	stop = false;
	stretch = 0;
	env = (struct probe_env){ .period_ns = 1 };
	run = (struct helper_run){
		.probe = &scripted, .env = &env, .ring = { ring_new(ring_room), ring_new(ring_room) },
		.variants = 1, .line = &line, .stop = &stop, .stretch = &stretch,
		.period_ns = 100,
	};
}

static void add(int64_t due_ns, int error, unsigned missed, unsigned variant)
{
	script.sample[script.n++] = (struct probe_sample){
		.due_ns = due_ns, .woke_ns = due_ns + 5, .error = error, .missed = missed,
		.variant = variant,
	};
}

static void release(void)
{
	ring_free(run.ring[0]);
	ring_free(run.ring[1]);
}

START_TEST(the_first_of_each_variant_is_not_recorded)
{
	struct ring_entry e[8];

	prepare(8);
	run.variants = 2;
	add(100, 0, 0, 0);
	add(200, 0, 0, 1);
	add(300, 0, 0, 0);
	add(400, 0, 0, 1);
	add(500, 0, 0, 0);	/* the stop comes with it: not recorded */
	ck_assert_int_eq(helper_loop(&run), 0);
	ck_assert_uint_eq(ring_drain(run.ring[0], INT64_MAX, e, 8), 1);
	ck_assert_int_eq(e[0].due_ns, 300);
	ck_assert_uint_eq(ring_drain(run.ring[1], INT64_MAX, e, 8), 1);
	ck_assert_int_eq(e[0].due_ns, 400);
	ck_assert_int_eq(line.first_due_ns, 300);
	ck_assert_uint_eq(line.calls, 5);
	ck_assert_int_eq(line.state, SAMPLER_ENDED);
	release();
}
END_TEST

START_TEST(errors_and_missed_periods_are_marked)
{
	struct ring_entry e[16];

	prepare(16);
	add(100, 0, 0, 0);
	add(200, ENOSPC, 0, 0);
	add(600, 0, 3, 0);
	add(900, EIO, 2, 0);
	add(1000, 0, 0, 0);
	ck_assert_int_eq(helper_loop(&run), 0);
	ck_assert_uint_eq(ring_drain(run.ring[0], INT64_MAX, e, 16), 7);
	ck_assert_int_eq(e[0].due_ns, -RING_ERROR);
	ck_assert_int_eq(e[0].woke_ns, ENOSPC);
	ck_assert_int_eq(e[1].due_ns, 200);
	ck_assert_int_eq(e[2].due_ns, -RING_MISSED);
	ck_assert_int_eq(e[2].woke_ns, 3);
	ck_assert_int_eq(e[3].due_ns, 600);
	ck_assert_int_eq(e[4].due_ns, -RING_MISSED);
	ck_assert_int_eq(e[5].due_ns, -RING_ERROR);
	ck_assert_int_eq(e[6].due_ns, 900);
	ck_assert_uint_eq(line.errors, 2);
	ck_assert_int_eq(line.last_errno, EIO);
	release();
}
END_TEST

START_TEST(a_full_ring_loses_no_period)
{
	struct ring_spill spill;
	uint64_t counts[SLOTS], periods = 0;
	struct ring_entry e[2];

	prepare(2);
	add(100, 0, 0, 0);
	for (int i = 0; i < 9; i++)
		add(200 + i, i == 4 ? EIO : 0, i == 3 ? 7 : 0, 0);
	add(1000, 0, 0, 0);
	ck_assert_int_eq(helper_loop(&run), 0);
	unsigned n = ring_drain(run.ring[0], INT64_MAX, e, 2);

	for (unsigned i = 0; i < n; i++)
		periods += e[i].due_ns > 0 ? 1 : e[i].due_ns == -RING_MISSED ? (uint64_t)e[i].woke_ns : 0;
	ring_spill_read(run.ring[0], &spill, counts);
	ck_assert_uint_eq(periods + spill.periods, 9 + 7);
	ck_assert_uint_eq(spill.errors, 1);
	release();
}
END_TEST

START_TEST(the_stretch_of_the_budget_reaches_probe_and_line)
{
	prepare(8);
	stretch = 3;
	add(100, 0, 0, 0);
	ck_assert_int_eq(helper_loop(&run), 0);
	ck_assert_int_eq(script.period_seen_ns, 800);
	ck_assert_int_eq(line.period_ns, 800);
	release();
	prepare(8);
	stretch = 4000000;	/* nonsense from a helper gone mad */
	add(100, 0, 0, 0);
	ck_assert_int_eq(helper_loop(&run), 0);
	ck_assert_int_eq(line.period_ns, 100 << HELPER_STRETCH_MAX);
	release();
}
END_TEST

START_TEST(a_probe_that_cannot_go_on_has_failed)
{
	prepare(8);
	add(100, 0, 0, 0);
	add(200, 0, 0, 0);
	script.err[1] = -EBADF;
	line.in_flight_ns = 5;
	ck_assert_int_eq(helper_loop(&run), -EBADF);
	ck_assert_int_eq(line.state, SAMPLER_FAILED);
	ck_assert_int_eq(line.in_flight_ns, 0);
	release();
}
END_TEST

START_TEST(a_variant_that_does_not_exist_ends_the_probe)
{
	prepare(8);
	add(100, 0, 0, 1);
	add(200, 0, 0, 0);
	ck_assert_int_eq(helper_loop(&run), -ERANGE);
	release();
}
END_TEST

/* ---- the budget, scripted ---- */

static unsigned govern(struct helper_budget *b, int64_t from_s, unsigned seconds,
		       uint64_t *cpu_ns, uint64_t each_ns)
{
	unsigned grown = 0;

	for (unsigned i = 0; i < seconds; i++, *cpu_ns += each_ns)
		grown += helper_budget_read(b, (from_s + i) * NS_PER_S, *cpu_ns);
	return grown;
}

START_TEST(one_percent_is_within_the_budget)
{
	struct helper_budget b = { 0 };
	uint64_t cpu_ns = 0;

	ck_assert_uint_eq(govern(&b, 1, 100, &cpu_ns, 10 * NS_PER_MS), 0);
	ck_assert_uint_eq(b.stretch, 0);
}
END_TEST

START_TEST(more_doubles_the_periods_every_ten_seconds_up_to_the_top)
{
	struct helper_budget b = { 0 };
	uint64_t cpu_ns = 0;

	ck_assert_uint_eq(govern(&b, 1, 10, &cpu_ns, 11 * NS_PER_MS), 0);
	ck_assert_uint_eq(govern(&b, 11, 1, &cpu_ns, 11 * NS_PER_MS), 1);
	ck_assert_uint_eq(govern(&b, 12, 10, &cpu_ns, 11 * NS_PER_MS), 0);
	ck_assert_uint_eq(govern(&b, 22, 1000, &cpu_ns, 11 * NS_PER_MS), HELPER_STRETCH_MAX - 1);
	helper_budget_restart(&b);
	ck_assert_uint_eq(b.stretch, 0);
}
END_TEST

START_TEST(readings_within_a_second_count_as_one)
{
	struct helper_budget b = { 0 };

	for (int i = 0; i < 100; i++)
		ck_assert(!helper_budget_read(&b, NS_PER_S + i * NS_PER_MS, (uint64_t)i * NS_PER_S));
	ck_assert_uint_eq(b.readings, 1);
}
END_TEST

START_TEST(cpu_time_that_runs_backwards_is_no_excess)
{
	struct helper_budget b = { 0 };
	uint64_t cpu_ns = UINT64_MAX / 2;

	govern(&b, 1, 10, &cpu_ns, 0);
	ck_assert(!helper_budget_read(&b, 11 * NS_PER_S, 0));
}
END_TEST

/* ---- for real ---- */

#define PATIENCE_NS (60 * NS_PER_S)	/* a bound for hangs */

static char folder[] = "/tmp/js-check-XXXXXX";
static struct counters *counters;
static struct supervisor *sup;
static struct supervisor_event event;

static void bench(void)
{
	struct why why = { 0 };

	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	ck_assert_ptr_nonnull(mkdtemp(folder));
	counters = counters_new(64);
	sup = supervisor_start(&(struct supervisor_config){
		.counters = counters, .scratch = { folder }, .tty_fd = -1,
		.silence_ns = 10 * PATIENCE_NS }, &why);
	ck_assert_msg(sup != NULL, "%s", why.text);
}

static unsigned below_us(void)
{
	pid_t pids[64];

	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
	return kin_below(getpid(), pids, 64);
}

static void rest(void)
{
	clock_wait_until(clock_now_ns() + NS_PER_MS);
}

static void nobody_is_left(void)
{
	int64_t until_ns = clock_now_ns() + PATIENCE_NS;

	while (below_us() && clock_now_ns() < until_ns)
		rest();
	ck_assert_uint_eq(below_us(), 0);
}

static void dismantle(void)
{
	supervisor_free(sup);
	nobody_is_left();
	ck_assert_int_eq(rmdir(folder), 0);
	counters_free(counters);
}

static void expect(enum supervisor_event_kind kind, unsigned probe)
{
	int64_t until_ns = clock_now_ns() + PATIENCE_NS;

	while (!supervisor_read(sup, &event) || event.kind == SUP_TIER) {
		ck_assert_msg(clock_now_ns() < until_ns, "no event");
		poll(&(struct pollfd){ .fd = supervisor_fd(sup), .events = POLLIN }, 1, 100);
	}
	ck_assert_msg(event.kind == kind, "wanted %d, got %d (%d, %d): %s",
		      (int)kind, (int)event.kind, event.err, event.signal,
		      event.text);
	ck_assert_uint_eq(event.load, probe);
}

static int start_with(unsigned probe, int64_t period_ns, long knob)
{
	long knobs[PROBE_KNOBS_MAX] = { knob };
	struct why why;

	return supervisor_probe_start(sup, probe, period_ns, knobs, &why);
}

static void start(unsigned probe)
{
	ck_assert_int_eq(start_with(probe, NS_PER_MS, 1), 0);
}

static void stop_it(unsigned probe)
{
	ck_assert_int_eq(supervisor_probe_stop(sup, probe), 0);
	expect(SUP_PROBE_EXITED, probe);
}

static void wait_for_calls(unsigned probe, uint64_t n)
{
	const struct helper_line *l = supervisor_probe_line(sup, probe);
	int64_t until_ns = clock_now_ns() + PATIENCE_NS;

	while (l->calls < n) {
		ck_assert_msg(clock_now_ns() < until_ns, "no calls");
		rest();
	}
}

START_TEST(a_probe_measures_in_a_process_of_its_own)
{
	const struct helper_line *l = supervisor_probe_line(sup, QUICK);
	struct ring_entry e[64];
	unsigned samples = 0, errors = 0;

	start(QUICK);
	expect(SUP_PROBE_STARTED, QUICK);
	ck_assert_str_eq(event.text, "a note");
	ck_assert_int_gt(event.pid, 1);
	wait_for_calls(QUICK, 20);
	stop_it(QUICK);
	ck_assert_int_eq(event.err, 0);
	ck_assert_int_eq(event.signal, 0);
	for (unsigned v = 0; v < 2; v++) {
		unsigned n = ring_drain(supervisor_probe_ring(sup, QUICK, v), INT64_MAX, e, 64);

		for (unsigned i = 0; i < n; i++) {
			samples += e[i].due_ns > 0;
			errors += e[i].due_ns == -RING_ERROR;
		}
	}
	/* All but the first of each variant, and the one the stop came with. */
	ck_assert_uint_ge(samples, 17);
	ck_assert_uint_ge(errors, 4);
	ck_assert_uint_ge(l->errors, errors);
	ck_assert_int_eq(l->last_errno, EIO);
	ck_assert_int_eq(l->policy, 0);
	ck_assert_int_eq(l->period_ns, NS_PER_MS);
	ck_assert_uint_gt(l->cpu_ns, 0);
}
END_TEST

START_TEST(it_goes_on_after_a_restart)
{
	const struct helper_line *l = supervisor_probe_line(sup, QUICK);

	start(QUICK);
	expect(SUP_PROBE_STARTED, QUICK);
	wait_for_calls(QUICK, 5);
	stop_it(QUICK);
	uint64_t calls = l->calls;

	start(QUICK);
	expect(SUP_PROBE_STARTED, QUICK);
	wait_for_calls(QUICK, calls + 5);
	stop_it(QUICK);
}
END_TEST

START_TEST(off_and_on_at_once_ends_up_on)
{
	start(QUICK);
	expect(SUP_PROBE_STARTED, QUICK);
	pid_t first = event.pid;

	supervisor_probe_stop(sup, QUICK);
	start(QUICK);
	/* The end of the first is no news of the second. */
	expect(SUP_PROBE_STARTED, QUICK);
	ck_assert_int_ne(event.pid, first);
	stop_it(QUICK);
}
END_TEST

/* However it ended: it was killed just before it was told to stop. */
START_TEST(a_death_before_the_restart_is_not_that_of_the_second)
{
	start(QUICK);
	expect(SUP_PROBE_STARTED, QUICK);
	kill(event.pid, SIGKILL);
	supervisor_probe_stop(sup, QUICK);
	start(QUICK);
	expect(SUP_PROBE_STARTED, QUICK);
	supervisor_probe_stop(sup, QUICK);
	expect(SUP_PROBE_EXITED, QUICK);
	ck_assert_int_eq(event.signal, 0);
}
END_TEST

START_TEST(a_probe_that_does_not_open_says_why)
{
	start(CLOSED);
	expect(SUP_PROBE_EXITED, CLOSED);
	ck_assert_int_eq(event.err, 1);
	ck_assert_str_eq(event.text, "closed: no such device; ? plug one in");
}
END_TEST

START_TEST(a_probe_that_finds_the_disk_full_says_what_to_do)
{
	start(FULL);
	expect(SUP_PROBE_EXITED, FULL);
	ck_assert_str_eq(event.text, "disk full; free some or give another --scratch");
}
END_TEST

START_TEST(a_probe_that_ends_says_why)
{
	start(ENDS);
	expect(SUP_PROBE_STARTED, ENDS);
	expect(SUP_PROBE_EXITED, ENDS);
	ck_assert_int_eq(event.err, 1);
	ck_assert_ptr_nonnull(strstr(event.text, "ends: "));
}
END_TEST

START_TEST(a_helper_that_is_killed_is_reported_and_starts_again)
{
	for (int i = 0; i < 2; i++) {
		start(CRASH);
		expect(SUP_PROBE_STARTED, CRASH);
		expect(SUP_PROBE_EXITED, CRASH);
		ck_assert_str_eq(event.text, "helper died (signal 4)");
		ck_assert_int_eq(event.signal, SIGILL);
	}
}
END_TEST

START_TEST(a_helper_that_hangs_is_killed_with_all_below_it)
{
	const struct helper_line *l = supervisor_probe_line(sup, HANG);
	int64_t until_ns = clock_now_ns() + PATIENCE_NS;

	start(HANG);
	expect(SUP_PROBE_STARTED, HANG);
	while (!l->in_flight_ns && clock_now_ns() < until_ns)
		rest();
	ck_assert_int_ne(l->in_flight_ns, 0);
	stop_it(HANG);
	ck_assert_int_eq(event.signal, 0);
	ck_assert_int_eq(l->in_flight_ns, 0);
}
END_TEST

START_TEST(a_scratch_folder_comes_and_goes)
{
	start(FILES);
	expect(SUP_PROBE_STARTED, FILES);
	stop_it(FILES);
	ck_assert_int_eq(event.err, 0);
}
END_TEST

START_TEST(nonsense_is_refused)
{
	ck_assert_int_eq(start_with(SAMPLER, NS_PER_MS, 0), -ENOENT);
	ck_assert_int_eq(start_with(4000, NS_PER_MS, 0), -ENOENT);
	ck_assert_ptr_null(supervisor_probe_ring(sup, SAMPLER, 0));
	ck_assert_ptr_null(supervisor_probe_ring(sup, QUICK, 2));
	ck_assert_ptr_null(supervisor_probe_line(sup, SAMPLER));
	ck_assert_int_eq(start_with(QUICK, 0, 1), 0);
	expect(SUP_PROBE_EXITED, QUICK);
	ck_assert_ptr_nonnull(strstr(event.text, "period"));
	ck_assert_int_eq(start_with(QUICK, NS_PER_MS, 4), 0);
	expect(SUP_PROBE_EXITED, QUICK);
	ck_assert_str_eq(event.text, "quick: knob=4; give 0 to 3");
}
END_TEST

START_TEST(helpers_die_with_the_supervisor)
{
	start(QUICK);
	expect(SUP_PROBE_STARTED, QUICK);
	start(HANG);
	kill(supervisor_pid(sup), SIGKILL);
	nobody_is_left();
}
END_TEST

START_TEST(quitting_ends_them)
{
	struct why why = { 0 };

	start(QUICK);
	start(HANG);
	ck_assert_msg(supervisor_quit(sup, 300, 20000, &why) == 0, "%s", why.text);
	nobody_is_left();
}
END_TEST

static void add_scripted(Suite *s)
{
	TCase *tc = tcase_create("scripted");

	tcase_add_test(tc, the_first_of_each_variant_is_not_recorded);
	tcase_add_test(tc, errors_and_missed_periods_are_marked);
	tcase_add_test(tc, a_full_ring_loses_no_period);
	tcase_add_test(tc, the_stretch_of_the_budget_reaches_probe_and_line);
	tcase_add_test(tc, a_probe_that_cannot_go_on_has_failed);
	tcase_add_test(tc, a_variant_that_does_not_exist_ends_the_probe);
	tcase_add_test(tc, one_percent_is_within_the_budget);
	tcase_add_test(tc, more_doubles_the_periods_every_ten_seconds_up_to_the_top);
	tcase_add_test(tc, readings_within_a_second_count_as_one);
	tcase_add_test(tc, cpu_time_that_runs_backwards_is_no_excess);
	suite_add_tcase(s, tc);
}

Suite *helper_suite(void);

Suite *helper_suite(void)
{
	Suite *s = suite_create("helper");
	TCase *tc = tcase_create("real");

	add_scripted(s);
	tcase_add_checked_fixture(tc, bench, dismantle);
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, a_probe_measures_in_a_process_of_its_own);
	tcase_add_test(tc, it_goes_on_after_a_restart);
	tcase_add_test(tc, off_and_on_at_once_ends_up_on);
	tcase_add_test(tc, a_death_before_the_restart_is_not_that_of_the_second);
	tcase_add_test(tc, a_probe_that_does_not_open_says_why);
	tcase_add_test(tc, a_probe_that_ends_says_why);
	tcase_add_test(tc, a_probe_that_finds_the_disk_full_says_what_to_do);
	tcase_add_test(tc, a_helper_that_is_killed_is_reported_and_starts_again);
	tcase_add_test(tc, a_helper_that_hangs_is_killed_with_all_below_it);
	tcase_add_test(tc, a_scratch_folder_comes_and_goes);
	tcase_add_test(tc, nonsense_is_refused);
	tcase_add_test(tc, helpers_die_with_the_supervisor);
	tcase_add_test(tc, quitting_ends_them);
	suite_add_tcase(s, tc);
	return s;
}
