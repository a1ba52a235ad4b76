/* check_gaps.c - which spans are no latency, and when a clock has jumped. */
#include <check.h>

#include "src/clock.h"
#include "src/gaps.h"

#define S NS_PER_S

static int64_t suspended, wall;
static int64_t noise[8];	/* added to the next readings */
static unsigned reading;

static int64_t get_suspended(void *ctx)
{
	(void)ctx;
	return suspended;
}

static int64_t get_wall(void *ctx)
{
	(void)ctx;
	return wall + (reading < 8 ? noise[reading++] : 0);
}

static struct clock_watch begin(void)
{
	const struct clock_source source = { get_suspended, get_wall, NULL };
	struct clock_watch w;

	suspended = 0;
	wall = 1000 * S;
	reading = 8;
	clock_watch_init(&w, &source);
	clock_watch_look(&w);
	return w;
}

static const struct { int64_t from, to; bool meets; } spans[] = {
	{ 0, 9, false }, { 0, 10, true }, { 12, 13, true }, { 20, 25, true }, { 21, 29, false },
	{ 5, 35, true }, { 30, 30, true }, { 31, 99, false },
};

START_TEST(spans_that_touch_a_gap_meet_it)
{
	struct gaps g = { .nr = 0 };

	ck_assert(!gaps_meet(&g, 0, 100));
	gaps_add(&g, 30, 30);
	gaps_add(&g, 10, 20);
	ck_assert_int_eq(gaps_meet(&g, spans[_i].from, spans[_i].to), spans[_i].meets);
}
END_TEST

START_TEST(the_newest_gaps_are_kept)
{
	struct gaps g = { .nr = 0 };

	for (int i = 0; i < 3 * GAPS_ROOM; i++)
		gaps_add(&g, 10 * i, 10 * i + 1);
	ck_assert(!gaps_meet(&g, 0, 1));
	for (int i = 2 * GAPS_ROOM; i < 3 * GAPS_ROOM; i++) {
		ck_assert(gaps_meet(&g, 10 * i, 10 * i));
		ck_assert(!gaps_meet(&g, 10 * i + 2, 10 * i + 9));
	}
}
END_TEST

START_TEST(a_suspend_is_no_step_of_the_wall_clock)
{
	struct clock_watch w = begin();

	suspended += 5 * S;
	wall += 5 * S;
	struct clock_news n = clock_watch_look(&w);

	ck_assert_int_eq(n.suspended_ns, 5 * S);
	ck_assert_int_eq(n.step_ns, 0);
	n = clock_watch_look(&w);
	ck_assert_int_eq(n.suspended_ns, 0);
}
END_TEST

START_TEST(a_step_is_told_once_with_its_sign)
{
	struct clock_watch w = begin();

	wall -= 3600 * S;
	ck_assert_int_eq(clock_watch_look(&w).step_ns, -3600 * S);
	ck_assert_int_eq(clock_watch_look(&w).step_ns, 0);
	wall += 3600 * S;
	ck_assert_int_eq(clock_watch_look(&w).step_ns, 3600 * S);
}
END_TEST

START_TEST(one_bad_reading_is_no_step)
{
	struct clock_watch w = begin();

	noise[0] = 80 * NS_PER_MS;	/* preempted between the two clocks */
	noise[1] = 40 * NS_PER_MS;
	noise[2] = 0;
	reading = 0;
	ck_assert_int_eq(clock_watch_look(&w).step_ns, 0);
	ck_assert_int_eq(clock_watch_look(&w).step_ns, 0);
}
END_TEST

START_TEST(slow_drift_never_adds_up_to_a_step_unseen)
{
	struct clock_watch w = begin();
	int64_t told = 0;

	for (int i = 0; i < 100; i++) {
		wall += 2 * NS_PER_MS;
		told += clock_watch_look(&w).step_ns;
	}
	ck_assert_int_ge(told, 190 * NS_PER_MS);
}
END_TEST

START_TEST(the_real_clocks_stand_still)
{
	struct clock_watch w;

	clock_watch_init(&w, NULL);
	for (int i = 0; i < 3; i++)
		ck_assert_int_eq(clock_watch_look(&w).suspended_ns, 0);
}
END_TEST

Suite *gaps_suite(void);
Suite *gaps_suite(void)
{
	Suite *s = suite_create("gaps");
	TCase *tc = tcase_create("gaps");

	tcase_add_loop_test(tc, spans_that_touch_a_gap_meet_it, 0, sizeof(spans) / sizeof(spans[0]));
	tcase_add_test(tc, the_newest_gaps_are_kept);
	tcase_add_test(tc, a_suspend_is_no_step_of_the_wall_clock);
	tcase_add_test(tc, a_step_is_told_once_with_its_sign);
	tcase_add_test(tc, one_bad_reading_is_no_step);
	tcase_add_test(tc, slow_drift_never_adds_up_to_a_step_unseen);
	tcase_add_test(tc, the_real_clocks_stand_still);
	suite_add_tcase(s, tc);
	return s;
}
