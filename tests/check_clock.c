/* check_clock.c - the clocks of src/clock.c. */
#include <check.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "src/clock.h"

START_TEST(monotonic_time_never_goes_back)
{
	int64_t last = clock_now_ns();

	for (int i = 0; i < 10000; i++) {
		int64_t now = clock_now_ns();

		ck_assert_int_ge(now, last);
		last = now;
	}
}
END_TEST

START_TEST(a_wait_ends_at_its_time_or_later)
{
	int64_t due = clock_now_ns() + 2 * NS_PER_MS;

	ck_assert_int_eq(clock_wait_until(due), 0);
	ck_assert_int_ge(clock_now_ns(), due);
}
END_TEST

START_TEST(a_time_in_the_past_returns_at_once)
{
	ck_assert_int_eq(clock_wait_until(0), 0);
}
END_TEST

START_TEST(a_time_before_the_epoch_is_refused)
{
	ck_assert_int_eq(clock_wait_until(-1), EINVAL);
}
END_TEST

static _Atomic int signals_seen;

static void count_signal(int signo)
{
	(void)signo;
	atomic_fetch_add(&signals_seen, 1);
}

static void *interrupt_often(void *arg)
{
	pthread_t target = *(pthread_t *)arg;

	for (int i = 0; i < 20; i++) {
		pthread_kill(target, SIGUSR1);
		usleep(500);
	}
	return NULL;
}

START_TEST(signals_do_not_shorten_a_wait)
{
	struct sigaction act = { .sa_handler = count_signal };
	pthread_t self = pthread_self(), other;

	sigaction(SIGUSR1, &act, NULL);
	int64_t due = clock_now_ns() + 20 * NS_PER_MS;

	ck_assert_int_eq(pthread_create(&other, NULL, interrupt_often, &self), 0);
	ck_assert_int_eq(clock_wait_until(due), 0);
	ck_assert_int_ge(clock_now_ns(), due);
	pthread_join(other, NULL);
	ck_assert_int_gt(atomic_load(&signals_seen), 0);
}
END_TEST

START_TEST(wall_time_is_monotonic_time_plus_its_offset)
{
	/* However long this is kept from running in between. */
	int64_t before = clock_now_ns(), offset = clock_wall_offset_ns();
	int64_t wall = clock_wall_ns(), after = clock_now_ns();

	ck_assert_int_gt(wall, before + offset - NS_PER_S);
	ck_assert_int_lt(wall, after + offset + NS_PER_S);
	ck_assert_int_gt(wall, INT64_C(1500000000) * NS_PER_S);
}
END_TEST

/* A preempted reader must not see time asleep: the offset is a property of
 * the machine, so two looks agree far better than a time slice. */
START_TEST(suspended_time_is_never_negative_and_steady)
{
	int64_t first = clock_suspended_ns();

	ck_assert_int_ge(first, -NS_PER_MS);
	for (int i = 0; i < 100; i++)
		ck_assert_int_lt(llabs(clock_suspended_ns() - first), NS_PER_MS);
}
END_TEST

START_TEST(work_costs_cpu_time)
{
	int64_t thread = clock_thread_cpu_ns(), process = clock_process_cpu_ns();
	volatile unsigned sum = 0;

	while (sum < 1000000)
		sum++;
	ck_assert_int_gt(clock_thread_cpu_ns(), thread);
	ck_assert_int_gt(clock_process_cpu_ns(), process);
}
END_TEST

Suite *clock_suite(void);
Suite *clock_suite(void)
{
	Suite *s = suite_create("clock");
	TCase *tc = tcase_create("clock");

	tcase_add_test(tc, monotonic_time_never_goes_back);
	tcase_add_test(tc, a_wait_ends_at_its_time_or_later);
	tcase_add_test(tc, a_time_in_the_past_returns_at_once);
	tcase_add_test(tc, a_time_before_the_epoch_is_refused);
	tcase_add_test(tc, signals_do_not_shorten_a_wait);
	tcase_add_test(tc, wall_time_is_monotonic_time_plus_its_offset);
	tcase_add_test(tc, suspended_time_is_never_negative_and_steady);
	tcase_add_test(tc, work_costs_cpu_time);
	suite_add_tcase(s, tc);
	return s;
}
