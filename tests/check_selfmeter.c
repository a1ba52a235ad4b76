/* check_selfmeter.c - what the instrument costs: its own CPU without samplers
 * and helpers, whose figures are their own. */
#include <check.h>
#include <stdatomic.h>
#include <string.h>

#include "src/clock.h"
#include "src/selfmeter.h"

#define S NS_PER_S

static struct selfmeter *meter;
static struct helper_line line[2];
static struct self_usage u;

static void set_up(void)
{
	meter = selfmeter_new();
	memset(line, 0, sizeof(line));
	memset(&u, 0, sizeof(u));
}

static void tear_down(void)
{
	selfmeter_free(meter);
}

START_TEST(helpers_are_metered_by_their_own_word)
{
	selfmeter_add_helper(meter, &line[0]);
	selfmeter_add_helper(meter, &line[0]);
	selfmeter_add_helper(meter, &line[1]);
	selfmeter_read(meter, 10 * S, &u);
	ck_assert_double_eq(u.helper_cpu_pct, 0);
	atomic_store(&line[0].cpu_ns, (uint64_t)S / 100);
	atomic_store(&line[1].cpu_ns, (uint64_t)S / 50);
	selfmeter_read(meter, 11 * S, &u);
	ck_assert_double_eq_tol(u.helper_cpu_pct, 3, 1e-9);
	ck_assert_double_eq(u.sampler_cpu_pct, 0);
}
END_TEST

START_TEST(a_helper_that_runs_backwards_costs_nothing)
{
	selfmeter_add_helper(meter, &line[0]);
	atomic_store(&line[0].cpu_ns, (uint64_t)S);
	selfmeter_read(meter, 10 * S, &u);
	atomic_store(&line[0].cpu_ns, 0);
	selfmeter_read(meter, 11 * S, &u);
	ck_assert_double_eq(u.helper_cpu_pct, 0);
	atomic_store(&line[0].cpu_ns, UINT64_MAX);
	selfmeter_read(meter, 12 * S, &u);
	ck_assert_double_eq(u.helper_cpu_pct, 0);
}
END_TEST

START_TEST(our_own_time_is_seen)
{
	selfmeter_read(meter, 10 * S, &u);
	int64_t begun = clock_process_cpu_ns();

	while (clock_process_cpu_ns() - begun < 20 * NS_PER_MS)
		;
	selfmeter_read(meter, 11 * S, &u);
	ck_assert_double_ge(u.cpu_pct, 2);
	ck_assert_int_gt(u.rss_kb, 0);
	ck_assert_uint_gt(u.minor_faults, 0);
}
END_TEST

/* A second's figures need a second; the others are there at once. */
START_TEST(one_look_has_measured_nothing)
{
	selfmeter_read(meter, 10 * S, &u);
	ck_assert(!u.measured);
	ck_assert_int_gt(u.rss_kb, 0);
	selfmeter_read(meter, 11 * S, &u);
	ck_assert(u.measured);
}
END_TEST

START_TEST(what_was_taken_away_is_not_counted)
{
	selfmeter_add_helper(meter, &line[0]);
	selfmeter_read(meter, 10 * S, &u);
	selfmeter_remove(meter, &line[0]);
	selfmeter_remove(meter, &line[1]);
	atomic_store(&line[0].cpu_ns, (uint64_t)S);
	selfmeter_read(meter, 11 * S, &u);
	ck_assert_double_eq(u.helper_cpu_pct, 0);
}
END_TEST

Suite *selfmeter_suite(void);
Suite *selfmeter_suite(void)
{
	Suite *s = suite_create("selfmeter");
	TCase *tc = tcase_create("selfmeter");

	tcase_add_checked_fixture(tc, set_up, tear_down);
	tcase_add_test(tc, helpers_are_metered_by_their_own_word);
	tcase_add_test(tc, a_helper_that_runs_backwards_costs_nothing);
	tcase_add_test(tc, our_own_time_is_seen);
	tcase_add_test(tc, one_look_has_measured_nothing);
	tcase_add_test(tc, what_was_taken_away_is_not_counted);
	suite_add_tcase(s, tc);
	return s;
}
