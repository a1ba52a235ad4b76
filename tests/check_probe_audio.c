/* check_probe_audio.c - skips of a buffered sound in a scripted world. */
#include <check.h>
#include <errno.h>
#include <string.h>

#include "tests/scripted.h"

#define P (50 * NS_PER_MS)

extern const struct probe probe_audio, probe_audio_fifo;

enum { KNOB_PERIOD, KNOB_BUFFER, KNOB_WORK };
enum { SKIPS, LONGEST, DEADLINES, MET, WORK_DUE, WORK_DONE };

static struct scripted world;
static struct probe_env env;
static _Alignas(64) unsigned char state[256];
static _Atomic int64_t counters[PROBE_COUNTERS_MAX];

static int open_with(int64_t period_ns, long buffer_ms, long work, struct why *why)
{
	scripted_env(&world, &env, period_ns);
	env.counters = counters;
	env.knob[KNOB_BUFFER] = buffer_ms;
	env.knob[KNOB_WORK] = work;
	return probe_audio.open(state, &env, why);
}

static struct probe_sample wake(void)
{
	struct probe_sample s = { 0 };

	ck_assert_int_eq(probe_audio.sample(state, &s), 0);
	return s;
}

/* B = 200 ms, so that a wake-up may be 150 ms late. */
static const struct { int64_t late_ms, skips, longest_ms; } lates[] = {
	{ 0, 0, 0 }, { 149, 0, 0 }, { 150, 0, 0 }, { 151, 1, 1 }, { 400, 1, 250 },
};

START_TEST(a_skip_is_as_long_as_the_buffer_was_empty)
{
	world = (struct scripted){ .late_ns = { 0, lates[_i].late_ms * NS_PER_MS }, .nr_late = 2 };
	ck_assert_int_eq(open_with(P, 200, 0, NULL), 0);
	wake();
	struct probe_sample s = wake();

	ck_assert_int_eq(s.woke_ns - s.due_ns, lates[_i].late_ms * NS_PER_MS);
	for (int i = 0; i < 10; i++)
		wake();
	ck_assert_int_eq(counters[SKIPS], lates[_i].skips);
	ck_assert_int_eq(counters[LONGEST], lates[_i].longest_ms * NS_PER_MS);
}
END_TEST

START_TEST(lateness_adds_up_only_between_two_fills)
{
	world = (struct scripted){ .nr_late = 40 };
	for (int i = 0; i < 40; i++)
		world.late_ns[i] = i % 2 ? 49 * NS_PER_MS : 0;
	ck_assert_int_eq(open_with(P, 100, 0, NULL), 0);
	for (int i = 0; i < 40; i++)
		wake();
	ck_assert_int_eq(counters[SKIPS], 0);
	ck_assert_int_eq(counters[MET], 40);
}
END_TEST

START_TEST(four_periods_are_buffered_unless_told_otherwise)
{
	world = (struct scripted){
		.late_ns = { 0, 29 * NS_PER_MS, 0, 32 * NS_PER_MS }, .nr_late = 4,
	};
	ck_assert_int_eq(open_with(10 * NS_PER_MS, 0, 0, NULL), 0);
	wake();
	wake();
	ck_assert_int_eq(counters[SKIPS], 0);
	wake();
	wake();
	ck_assert_int_eq(counters[SKIPS], 1);
	ck_assert_int_eq(counters[LONGEST], 2 * NS_PER_MS);
}
END_TEST

/* A deadline is met when the work is done before the next period begins. */
START_TEST(missed_periods_are_deadlines_not_met)
{
	world = (struct scripted){ .late_ns = { 0, 120 * NS_PER_MS }, .nr_late = 2 };
	ck_assert_int_eq(open_with(P, 1000, 0, NULL), 0);
	wake();
	wake();
	wake();
	ck_assert_int_eq(counters[DEADLINES], 5);
	ck_assert_int_eq(counters[MET], 2);
}
END_TEST

START_TEST(work_takes_its_time_and_is_booked)
{
	world = (struct scripted){ .step_ns = 100 };
	ck_assert_int_eq(open_with(P, 200, 5, NULL), 0);
	struct probe_sample s = wake();

	ck_assert_int_ge(world.now_ns - s.woke_ns, P / 20);
	ck_assert_int_lt(world.now_ns - s.woke_ns, P / 20 + 1000);
	ck_assert_int_eq(counters[WORK_DUE], P / 20);
	ck_assert_int_eq(counters[WORK_DONE], P / 20);
	ck_assert_int_eq(counters[MET], 1);
}
END_TEST

/* Every look at the clock takes 100 us: somebody else has the CPU, and 2 us of
 * each step are ours. */
START_TEST(work_that_is_held_up_misses_periods)
{
	world = (struct scripted){ 0 };
	ck_assert_int_eq(open_with(P, 3000, 5, NULL), 0);
	world.step_ns = 100 * NS_PER_US;
	struct probe_sample s = wake();
	int64_t took_ns = world.now_ns - s.due_ns;

	ck_assert_int_gt(took_ns, 2 * P);
	ck_assert_int_eq(s.missed, (took_ns - world.step_ns) / P);
	ck_assert_int_eq(counters[DEADLINES], 1 + s.missed);
	ck_assert_int_eq(counters[MET], 0);
	struct probe_sample next = wake();

	ck_assert_int_eq(next.due_ns, s.due_ns + (1 + (int64_t)s.missed) * P);
	ck_assert_int_gt(next.due_ns, s.woke_ns);
}
END_TEST

/* A clock that takes 5 us to read: all of that is our own time. */
START_TEST(a_slow_clock_makes_no_more_work)
{
	world = (struct scripted){ .step_ns = 5 * NS_PER_US };
	ck_assert_int_eq(open_with(P, 200, 50, NULL), 0);
	struct probe_sample s = wake();

	ck_assert_int_le(world.now_ns - s.woke_ns, P / 2 + 2 * world.step_ns);
	ck_assert_int_eq(counters[MET], 1);
	ck_assert_int_eq(s.missed, 0);
}
END_TEST

/* Work that takes longer than a period is no wake-up that is late. */
START_TEST(work_is_not_seen_as_a_wait)
{
	static _Atomic int64_t awaited_ns = 7;

	world = (struct scripted){ .step_ns = 100 };
	ck_assert_int_eq(open_with(P, 200, 50, NULL), 0);
	env.awaited_ns = &awaited_ns;
	wake();
	ck_assert_int_eq(awaited_ns, 0);
}
END_TEST

static const struct { int64_t period_ms; long work; int err; } stretches[] = {
	{ 50, 50, 0 }, { 160, 50, 0 }, { 170, 50, -EINVAL }, { 500, 50, -EINVAL }, { 500, 10, 0 },
};

START_TEST(a_real_time_thread_sleeps_in_time)
{
	struct why why = { 0 };

	ck_assert_int_eq(open_with(stretches[_i].period_ms * NS_PER_MS, 3000, stretches[_i].work,
				   &why), 0);
	ck_assert_int_eq(probe_audio_fifo.open(state, &env, &why), stretches[_i].err);
	if (stretches[_i].err)
		ck_assert_ptr_nonnull(strstr(why.text, "lower work or period"));
}
END_TEST

static const struct { int64_t period_ms; long buffer_ms; int err; } buffers[] = {
	{ 50, 0, 0 }, { 50, 200, 0 }, { 10, 20, 0 }, { 10, 19, -EINVAL }, { 50, 50, -EINVAL },
	{ 50, 20, -EINVAL }, { 0, 200, -EINVAL }, { 4, 0, -EINVAL },
};

START_TEST(buffers_that_make_no_sense_are_refused)
{
	struct why why = { 0 };

	world = (struct scripted){ 0 };
	ck_assert_int_eq(open_with(buffers[_i].period_ms * NS_PER_MS, buffers[_i].buffer_ms, 1,
				   &why), buffers[_i].err);
	ck_assert_int_eq(why.err, buffers[_i].err);
}
END_TEST

START_TEST(both_policies_do_the_same)
{
	ck_assert_uint_eq(probe_audio_fifo.flags ^ probe_audio.flags, PROBE_RT);
	ck_assert(probe_audio_fifo.sample == probe_audio.sample);
}
END_TEST

START_TEST(the_period_knob_takes_the_place_of_the_period)
{
	const long knob[PROBE_KNOBS_MAX] = { 10, 0, 1 };

	ck_assert_int_eq(probe_period_ns(&probe_audio, knob, NS_PER_MS), 10 * NS_PER_MS);
}
END_TEST

#define ROWS(table) (int)(sizeof(table) / sizeof((table)[0]))

Suite *probe_audio_suite(void);
Suite *probe_audio_suite(void)
{
	Suite *s = suite_create("probe_audio");
	TCase *tc = tcase_create("audio");

	tcase_add_loop_test(tc, a_skip_is_as_long_as_the_buffer_was_empty, 0, ROWS(lates));
	tcase_add_test(tc, lateness_adds_up_only_between_two_fills);
	tcase_add_test(tc, four_periods_are_buffered_unless_told_otherwise);
	tcase_add_test(tc, missed_periods_are_deadlines_not_met);
	tcase_add_test(tc, work_takes_its_time_and_is_booked);
	tcase_add_test(tc, work_that_is_held_up_misses_periods);
	tcase_add_test(tc, a_slow_clock_makes_no_more_work);
	tcase_add_test(tc, work_is_not_seen_as_a_wait);
	tcase_add_loop_test(tc, a_real_time_thread_sleeps_in_time, 0, ROWS(stretches));
	tcase_add_loop_test(tc, buffers_that_make_no_sense_are_refused, 0, ROWS(buffers));
	tcase_add_test(tc, both_policies_do_the_same);
	tcase_add_test(tc, the_period_knob_takes_the_place_of_the_period);
	suite_add_tcase(s, tc);
	return s;
}
