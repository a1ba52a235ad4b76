/* check_load_history.c - the load row: sums over time, exact at every zoom. */
#include <check.h>

#include "src/clock.h"
#include "src/model.h"

#define S NS_PER_S
#define ROW HISTORY_ROW_NS
#define ZERO (9 * S + 1)

static const int64_t zooms[] = { ROW, 2 * ROW, S, 2 * S, 10 * S, 60 * S };

START_TEST(columns_add_up_to_the_work_done)
{
	struct load_history *h = load_history_new(ZERO);
	double sum = 0, done;
	int64_t span = 1200 * S;

	for (int64_t t = 0; t < span; t += ROW)
		load_history_add(h, ZERO + t + ROW / 2, (double)(t / ROW), true);
	for (int64_t t = 0; t < span; t += zooms[_i]) {
		/* Older than 15 min the rows are 1 s wide: wider columns only. */
		if (zooms[_i] < S && t < span - 900 * S)
			continue;
		ck_assert(load_history_span(h, ZERO + t, ZERO + t + zooms[_i], &done));
		sum += done;
	}
	int64_t first = zooms[_i] < S ? (span - 900 * S) / ROW : 0, last = span / ROW;

	ck_assert_double_eq(sum, (double)(last * (last - 1) / 2 - first * (first - 1) / 2));
	load_history_free(h);
}
END_TEST

START_TEST(a_load_that_did_nothing_still_ran)
{
	struct load_history *h = load_history_new(ZERO);
	double done;

	load_history_add(h, ZERO + 5 * S, 0, true);
	load_history_add(h, ZERO + 8 * S, 0, false);
	ck_assert(load_history_span(h, ZERO + 5 * S, ZERO + 6 * S, &done));
	ck_assert(!load_history_span(h, ZERO + 6 * S, ZERO + 9 * S, &done));
	ck_assert_double_eq(done, 0);
	load_history_free(h);
}
END_TEST

START_TEST(old_rows_are_coarse_and_very_old_ones_gone)
{
	struct load_history *h = load_history_new(ZERO);
	double done;

	load_history_add(h, ZERO, 7, true);
	load_history_add(h, ZERO + 3 * 86400 * S, 1, true);
	ck_assert(load_history_span(h, ZERO, ZERO + 60 * S, &done));
	ck_assert_double_eq(done, 7);
	/* A finer column shows the row that holds it. */
	ck_assert(load_history_span(h, ZERO + 10 * S, ZERO + 11 * S, &done));
	ck_assert_double_eq(done, 7);
	load_history_add(h, ZERO + 30 * 86400 * S, 1, true);
	ck_assert(!load_history_span(h, ZERO, ZERO + 60 * S, &done));
	ck_assert(load_history_span(h, ZERO, ZERO + 31 * 86400 * S, &done));
	ck_assert_double_eq(done, 1);
	load_history_free(h);
}
END_TEST

START_TEST(before_and_after_there_is_nothing)
{
	struct load_history *h = load_history_new(ZERO);
	double done = 5;

	load_history_add(h, ZERO, 1, true);
	ck_assert(!load_history_span(h, ZERO - 2 * S, ZERO - S, &done));
	ck_assert_double_eq(done, 0);
	ck_assert(!load_history_span(h, ZERO + S, ZERO + 2 * S, &done));
	load_history_restart(h, ZERO + S);
	ck_assert(!load_history_span(h, ZERO, ZERO + 10 * S, &done));
	load_history_free(h);
}
END_TEST

Suite *load_history_suite(void);
Suite *load_history_suite(void)
{
	Suite *s = suite_create("load_history");
	TCase *tc = tcase_create("rows");

	tcase_add_loop_test(tc, columns_add_up_to_the_work_done, 0, sizeof(zooms) / sizeof(zooms[0]));
	tcase_add_test(tc, a_load_that_did_nothing_still_ran);
	tcase_add_test(tc, old_rows_are_coarse_and_very_old_ones_gone);
	tcase_add_test(tc, before_and_after_there_is_nothing);
	suite_add_tcase(s, tc);
	return s;
}
