/*
 * check_blame_steal.c - what the hypervisor took of a CPU is told once, never
 * more than was asked about, and forgotten a second later.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
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

/* F39: what the host took stands beside the spike. */
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

/* Offline ones have no line; the counter goes on where it was. */
START_TEST(what_a_cpu_lost_before_it_came_is_not_told)
{
	faked_root_file("/proc/stat", "cpu  9 9 9 9 9 9 9 9 0 0\ncpu0 1 2 3 4 5 6 7 10 0 0\nintr 9\n");
	struct blame_steal *s = blame_steal_new();

	stolen(10, 500);
	ck_assert_int_eq(blame_steal_take(s, 1, NS_PER_S), 0);
	stolen(10, 501);
	ck_assert_int_eq(blame_steal_take(s, 1, NS_PER_S), tick_ns);
	blame_steal_second(s);
	ck_assert_int_eq(blame_steal_take(s, 1, NS_PER_S), 0);
	blame_steal_free(s);
}
END_TEST

#define CPUS 4096

/* As many CPUs as there can be, with counters of a long time. */
static void stolen_of_last(unsigned ticks)
{
	size_t used = 0, size = CPUS * 160 + 256;
	char *text = malloc(size);

	for (int cpu = -1; cpu < CPUS; cpu++) {
		char name[8] = "";

		if (cpu >= 0)
			snprintf(name, sizeof(name), "%d", cpu);
		used += (size_t)snprintf(text + used, size - used, "cpu%s 99999999999 99999999999 "
					 "99999999999 99999999999 99999999999 99999999999 "
					 "99999999999 %u 99999999999 99999999999\n", name,
					 cpu == CPUS - 1 ? ticks : 7);
	}
	snprintf(text + used, size - used, "intr 1 2 3\n");
	faked_root_file("/proc/stat", text);
	free(text);
}

START_TEST(the_last_of_4096_cpus_is_read_too)
{
	stolen_of_last(1000);
	struct blame_steal *s = blame_steal_new();

	stolen_of_last(1002);
	for (int cpu = 0; cpu < CPUS - 1; cpu++)
		ck_assert_int_eq(blame_steal_take(s, cpu, cpu % 512 ? 0 : NS_PER_S), 0);
	ck_assert_int_eq(blame_steal_take(s, CPUS - 1, NS_PER_S), 2 * tick_ns);
	blame_steal_free(s);
}
END_TEST

/* A file that ends within a number tells nothing by it. */
START_TEST(a_line_that_is_cut_is_not_read)
{
	stolen(10, 2000);
	struct blame_steal *s = blame_steal_new();

	faked_root_file("/proc/stat", "cpu  9 9 9 9 9 9 9 9 0 0\ncpu0 1 2 3 4 5 6 7 11 0 0\n"
			"cpu1 1 2 3 4 5 6 7 2222");
	ck_assert_int_eq(blame_steal_take(s, 0, NS_PER_S), tick_ns);
	ck_assert_int_eq(blame_steal_take(s, 1, NS_PER_S), 0);
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
	tcase_add_test(tc, what_a_cpu_lost_before_it_came_is_not_told);
	tcase_add_test(tc, the_last_of_4096_cpus_is_read_too);
	tcase_add_test(tc, a_line_that_is_cut_is_not_read);
	suite_add_tcase(s, tc);
	return s;
}
