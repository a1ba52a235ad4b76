/* check_scale.c - the latency axis: cells and nanoseconds agree. */
#include "ui/scale.h"

#include <check.h>
#include <stdlib.h>

static const struct scale axes[] = {
	{ 1000, 100000000, 16 }, { 1000, 100000000, 6 },   { 1000, 100000000, 2 },
	{ 1000, 100000000, 57 }, { 1, 3600000000000, 40 }, { 100, 10000000, 500 },
	{ 1000, 100000000, 1 },
};

START_TEST(a_value_lies_in_its_cell)
{
	const struct scale *s = &axes[_i];

	for (double v = 1; v < 4e12; v *= 1.013) {
		int64_t ns = (int64_t)v;
		int cell = scale_cell(s, ns);

		ck_assert_int_ge(cell, 0);
		ck_assert_int_lt(cell, s->cells);
		if (ns >= s->low_ns)
			ck_assert_int_le(scale_low(s, cell), ns);
		if (cell < s->cells - 1)
			ck_assert_int_gt(scale_low(s, cell + 1), ns);
	}
}
END_TEST

START_TEST(the_lowest_value_of_a_cell_is_in_it_and_one_less_is_not)
{
	const struct scale *s = &axes[0];

	for (int cell = 1; cell < s->cells; cell++) {
		ck_assert_int_eq(scale_cell(s, scale_low(s, cell)), cell);
		ck_assert_int_eq(scale_cell(s, scale_low(s, cell) - 1), cell - 1);
	}
}
END_TEST

START_TEST(the_last_cell_begins_at_the_top_of_the_range)
{
	const struct scale *s = &axes[0];

	ck_assert_int_eq(scale_low(s, 0), s->low_ns);
	ck_assert_int_eq(scale_low(s, s->cells - 1), s->high_ns);
	ck_assert_int_eq(scale_cell(s, INT64_MAX), s->cells - 1);
	ck_assert_int_eq(scale_cell(s, -5), 0);
}
END_TEST

START_TEST(each_decade_labels_exactly_one_cell)
{
	static const struct { int cell; const char *label; } rows[] = {
		{ 0, "1us" }, { 3, "10us" },  { 6, "100us" },
		{ 9, "1ms" }, { 12, "10ms" }, { 15, "100ms" },
	};
	const struct scale *s = &axes[0];
	int labels = 0;

	for (int cell = 0; cell < s->cells; cell++)
		labels += scale_label(s, cell) != NULL;
	ck_assert_int_eq(labels, 6);
	for (unsigned i = 0; i < 6; i++)
		ck_assert_str_eq(scale_label(s, rows[i].cell), rows[i].label);
}
END_TEST

START_TEST(levels_rise_with_the_count_and_one_sample_counts)
{
	double last = 0;

	ck_assert(scale_level(0, 1000) <= 0);
	for (uint64_t n = 1; n < 2000; n += 7) {
		double level = scale_level(n, 1000);

		ck_assert(level > 0 && level <= 1 && level >= last);
		last = level;
	}
	ck_assert(scale_level(1, 1) >= 1);
	ck_assert(scale_level(1, UINT64_MAX) > 0);
	ck_assert(scale_level(1, 0) >= 1);
}
END_TEST

Suite *scale_suite(void);

Suite *scale_suite(void)
{
	Suite *s = suite_create("scale");
	TCase *tc = tcase_create("axis");

	tcase_add_loop_test(tc, a_value_lies_in_its_cell, 0, sizeof(axes) / sizeof(axes[0]));
	tcase_add_test(tc, the_lowest_value_of_a_cell_is_in_it_and_one_less_is_not);
	tcase_add_test(tc, the_last_cell_begins_at_the_top_of_the_range);
	tcase_add_test(tc, each_decade_labels_exactly_one_cell);
	tcase_add_test(tc, levels_rise_with_the_count_and_one_sample_counts);
	suite_add_tcase(s, tc);
	return s;
}
