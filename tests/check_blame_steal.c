/*
 * check_blame_steal.c - what the hypervisor took of a CPU is told once, never
 * more than was asked about, and forgotten a second later.
 */
#include <check.h>
#include <stdio.h>
#include <unistd.h>

#include "src/blame_steal.h"
#include "src/clock.h"
#include "tests/faked_root.h"

static int64_t tick_ns;

static void stolen(unsigned cpu0, unsigned cpu1)
{
	char text[256];

	snprintf(text, sizeof(text), "cpu  9 9 9 9 9 9 9 %u 0 0\ncpu0 1 2 3 4 5 6 7 %u 0 0\n"
		 "cpu1 1 2 3 4 5 6 7 %u 0 0\nintr 99 1 2\n", cpu0 + cpu1, cpu0, cpu1);
	faked_root_file("/proc/stat", text);
}

static void set_up(void)
{
	faked_root_make();
	tick_ns = NS_PER_S / sysconf(_SC_CLK_TCK);
}

START_TEST(it_is_told_once_and_to_the_right_cpu)
{
	stolen(10, 20);
	struct blame_steal *s = blame_steal_new();

	ck_assert_int_eq(blame_steal_take(s, 1, NS_PER_S), 0);
	stolen(10, 23);
	ck_assert_int_eq(blame_steal_take(s, 0, NS_PER_S), 0);
	ck_assert_int_eq(blame_steal_take(s, 1, tick_ns / 2), tick_ns / 2);
	ck_assert_int_eq(blame_steal_take(s, 1, NS_PER_S), 3 * tick_ns - tick_ns / 2);
	ck_assert_int_eq(blame_steal_take(s, 1, NS_PER_S), 0);
	blame_steal_free(s);
}
END_TEST

/* Spikes are told of some time after they were; the mark of a second may lie between. */
START_TEST(what_came_before_a_mark_is_told_after_it_and_once)
{
	stolen(0, 0);
	struct blame_steal *s = blame_steal_new();

	stolen(5, 0);
	blame_steal_second(s);
	ck_assert_int_eq(blame_steal_take(s, 0, 2 * tick_ns), 2 * tick_ns);
	stolen(6, 0);
	ck_assert_int_eq(blame_steal_take(s, 0, NS_PER_S), 4 * tick_ns);
	ck_assert_int_eq(blame_steal_take(s, 0, NS_PER_S), 0);
	blame_steal_second(s);
	ck_assert_int_eq(blame_steal_take(s, 0, NS_PER_S), 0);
	blame_steal_free(s);
}
END_TEST

START_TEST(what_is_two_marks_old_is_no_longer_of_late)
{
	stolen(0, 0);
	struct blame_steal *s = blame_steal_new();

	stolen(5, 0);
	blame_steal_second(s);
	blame_steal_second(s);
	ck_assert_int_eq(blame_steal_take(s, 0, NS_PER_S), 0);
	stolen(6, 0);
	ck_assert_int_eq(blame_steal_take(s, 0, NS_PER_S), tick_ns);
	/* No such CPU, nothing asked, a counter that went back. */
	ck_assert_int_eq(blame_steal_take(s, -1, NS_PER_S), 0);
	ck_assert_int_eq(blame_steal_take(s, 0, 0), 0);
	stolen(1, 0);
	ck_assert_int_eq(blame_steal_take(s, 0, NS_PER_S), 0);
	blame_steal_free(s);
}
END_TEST

Suite *blame_steal_suite(void);
Suite *blame_steal_suite(void)
{
	Suite *s = suite_create("blame_steal");
	TCase *tc = tcase_create("steal");

	tcase_add_checked_fixture(tc, set_up, faked_root_gone);
	tcase_add_test(tc, it_is_told_once_and_to_the_right_cpu);
	tcase_add_test(tc, what_came_before_a_mark_is_told_after_it_and_once);
	tcase_add_test(tc, what_is_two_marks_old_is_no_longer_of_late);
	suite_add_tcase(s, tc);
	return s;
}
