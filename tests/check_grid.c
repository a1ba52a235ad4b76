/* check_grid.c - figures as tables for a report. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/formats/grid.h"
#include "src/snapshot_build.h"

static struct snapshot *s;
static char *text;

static void setup(void)
{
	s = snapshot_new();
	text = NULL;
}

static void teardown(void)
{
	snapshot_free(s);
	free(text);
}

static void put(const char *table, const char *row, const char *name, const char *unit,
		double value)
{
	snapshot_add_figure(s, table, row, name, unit)->value = value;
}

static void line(FILE *out, const char *one)
{
	size_t n = strlen(one);

	while (n && one[n - 1] == ' ')
		n--;
	fprintf(out, "%.*s\n", (int)n, one);
}

static const char *written(void)
{
	size_t size;
	FILE *out = open_memstream(&text, &size);

	ck_assert_int_eq(grid_write(out, s, line), 0);
	fclose(out);
	return text;
}

START_TEST(rows_and_columns_come_as_they_are_found)
{
	put("tcp", "4", "n", "", 100);
	put("tcp", "4", "mean", "us", 12.5);
	put("tcp", "64", "n", "", 99);
	put("tcp", "64", "mean", "us", NAN);
	ck_assert_str_eq(written(), "\ntcp\n     n mean\n         us\n4  100 12.5\n64  99   na\n");
}
END_TEST

START_TEST(what_is_too_wide_is_turned_over)
{
	for (int i = 0; i < 12; i++) {
		char name[24];

		snprintf(name, sizeof(name), "column %d", i);
		put("t", "idle", name, i ? "us" : "ns", i);
		put("t", "idle p99", name, i ? "us" : "ns", 10 * i);
	}
	written();
	ck_assert_ptr_nonnull(strstr(text, "\n          idle idle p99\n"));
	ck_assert_ptr_nonnull(strstr(text, "\ncolumn 0     0        0 ns\n"));
	ck_assert_ptr_nonnull(strstr(text, "\ncolumn 11   11      110 us\n"));
}
END_TEST

START_TEST(what_is_too_wide_either_way_comes_in_blocks)
{
	for (int i = 0; i < 30; i++) {
		for (int k = 0; k < 30; k++) {
			char row[24], name[24];

			snprintf(row, sizeof(row), "row %d", i);
			snprintf(name, sizeof(name), "a column %d", k);
			put("t", row, name, "us", 100 * i + k);
		}
	}
	written();
	for (const char *p = text; *p; p = strchr(p, '\n') + 1)
		ck_assert_int_le((int)strcspn(p, "\n"), 78);
	for (int k = 0; k < 30; k++) {
		char name[24];

		snprintf(name, sizeof(name), "a column %d", k);
		ck_assert_ptr_nonnull(strstr(text, name));
	}
	ck_assert_ptr_nonnull(strstr(text, "2929"));
}
END_TEST

START_TEST(a_cell_with_its_own_text_keeps_it)
{
	put("t", "r", "a", "", 1);
	snprintf(s->figures[0].text, sizeof(s->figures[0].text), "+++++");
	put("t", "q", "b", "", 2);
	ck_assert_str_eq(written(), "\nt\n      a   b\nr +++++\nq         2\n");
}
END_TEST

START_TEST(cells_of_one_name_are_all_listed)
{
	put("dbench", "", "1 procs", "MB/s", 107);
	put("dbench", "", "1 procs", "MB/s", 108);
	put("dbench", "label", "1 procs", "MB/s", 109);
	written();
	ck_assert_ptr_nonnull(strstr(text, "107 MB/s"));
	ck_assert_ptr_nonnull(strstr(text, "108 MB/s"));
	ck_assert_ptr_nonnull(strstr(text, "label\n"));
}
END_TEST

START_TEST(tables_follow_one_another_and_none_is_nothing)
{
	ck_assert_str_eq(written(), "");
	free(text);
	put("", "r", "a", "", 1);
	put("x", "r", "a", "", 2);
	put("", "r", "b", "", 3);
	ck_assert_str_eq(written(), "\n    a   b\nr   1   3\n\nx\n    a\nr   2\n");
}
END_TEST

START_TEST(more_than_a_report_can_hold_is_told)
{
	for (int i = 0; i < 300; i++) {
		char row[24];

		snprintf(row, sizeof(row), "row %d", i);
		put("t", row, "a", "", i);
	}
	written();
	ck_assert_ptr_nonnull(strstr(text, "row 255"));
	ck_assert_ptr_null(strstr(text, "row 256"));
	ck_assert_ptr_nonnull(strstr(text, "and more"));
}
END_TEST

Suite *grid_suite(void);
Suite *grid_suite(void)
{
	Suite *suite = suite_create("grid");
	TCase *tc = tcase_create("grid");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, rows_and_columns_come_as_they_are_found);
	tcase_add_test(tc, what_is_too_wide_is_turned_over);
	tcase_add_test(tc, what_is_too_wide_either_way_comes_in_blocks);
	tcase_add_test(tc, a_cell_with_its_own_text_keeps_it);
	tcase_add_test(tc, cells_of_one_name_are_all_listed);
	tcase_add_test(tc, tables_follow_one_another_and_none_is_nothing);
	tcase_add_test(tc, more_than_a_report_can_hold_is_told);
	suite_add_tcase(suite, tc);
	return suite;
}
