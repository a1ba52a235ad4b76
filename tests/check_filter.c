/* check_filter.c - what the / key understands. */
#include "ui/filter.h"

#include <check.h>
#include <string.h>

static const struct { const char *text; int cpu; long ns; bool passes; } rows[] = {
	{ "", 3, 1, true }, { "", -1, 0, true }, { "   ", 3, 1, true },
	{ "cpu:5", 5, 1, true }, { "cpu:5", 4, 1, false }, { "cpu:5", -1, 1, false },
	{ "cpu5", 5, 1, true }, { "cpu:0-3,7", 7, 1, true }, { "cpu:0-3,7", 5, 1, false },
	{ ">1ms", 0, 1000001, true }, { ">1ms", 0, 1000000, false }, { ">1ms", -1, 2000000, true },
	{ "cpu:5 >1ms", 5, 2000000, true }, { ">1ms  cpu:5", 5, 2000000, true },
	{ "cpu:5 >1ms", 4, 2000000, false }, { "cpu:5 >1ms", 5, 2000, false },
};

START_TEST(spikes_pass_or_do_not)
{
	struct filter f;

	ck_assert_int_eq(filter_check(&f, rows[_i].text, NULL), 0);
	ck_assert_int_eq(filter_passes(&f, rows[_i].cpu, rows[_i].ns), rows[_i].passes);
}
END_TEST

static const char *const bad[] = { "what", "cpu:", "cpu:x", "cpu:3-1", ">", ">fast", "> 1ms", "cpu:5 foo" };

START_TEST(nonsense_is_refused_with_a_reason)
{
	struct why why = { 0 };
	struct filter f;

	ck_assert_int_lt(filter_check(&f, bad[_i], &why), 0);
	ck_assert_uint_gt(strlen(why.text), 10);
}
END_TEST

Suite *filter_suite(void);

Suite *filter_suite(void)
{
	Suite *s = suite_create("filter");
	TCase *tc = tcase_create("words");

	tcase_add_loop_test(tc, spikes_pass_or_do_not, 0, sizeof(rows) / sizeof(rows[0]));
	tcase_add_loop_test(tc, nonsense_is_refused_with_a_reason, 0, sizeof(bad) / sizeof(bad[0]));
	suite_add_tcase(s, tc);
	return s;
}
