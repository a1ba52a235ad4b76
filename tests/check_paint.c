/* check_paint.c - words by importance, wrapping, widths, counts. */
#include "ui/paint.h"

#include <check.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

static struct canvas *c;
static struct view v;

static void setup(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	c = canvas_new(24, 4);
	view_init(&v);
	v.theme = theme_adapt(theme_find(NULL), 256, true);
}

static void teardown(void)
{
	canvas_free(c);
}

static void expect(const char *want)
{
	char *text = canvas_as_text(c);

	ck_assert_str_eq(text, want);
	free(text);
}

static const struct { int columns; const char *want; } fits[] = {
	{ 24, "host  kernel  FIFO\n\n\n\n" }, { 18, "host  kernel  FIFO\n\n\n\n" },
	{ 17, "host  FIFO\n\n\n\n" }, { 9, "FIFO\n\n\n\n" }, { 3, "FI…\n\n\n\n" },
	{ 0, "\n\n\n\n" },
};

START_TEST(the_least_important_words_go_first)
{
	static const struct paint_word words[] = {
		{ "host", ROLE_TEXT, 1 }, { "kernel", ROLE_TEXT, 2 }, { "FIFO", ROLE_TEXT, 0 },
	};
	int used = paint_words(c, &v, 0, 0, fits[_i].columns, "  ", words, 3);

	ck_assert_int_le(used, fits[_i].columns);
	expect(fits[_i].want);
}
END_TEST

START_TEST(long_text_breaks_at_blanks)
{
	const char *text = "the host took time away";

	ck_assert_int_eq(paint_wrapped(c, &v, 0, 0, 9, 4, ROLE_TEXT, text), 3);
	expect("the host\ntook time\naway\n\n");
}
END_TEST

START_TEST(text_without_blanks_breaks_anywhere)
{
	ck_assert_int_eq(paint_wrapped(c, &v, 0, 0, 5, 4, ROLE_TEXT, "abcdefghijkl"), 3);
	expect("abcde\nfghij\nkl\n\n");
}
END_TEST

START_TEST(the_last_row_is_cut)
{
	ck_assert_int_eq(paint_wrapped(c, &v, 0, 0, 6, 2, ROLE_TEXT, "one two three four"), 2);
	expect("one\ntwo t…\n\n\n");
}
END_TEST

START_TEST(wide_letters_count_twice_and_bad_bytes_once)
{
	ck_assert_int_eq(paint_width("ab"), 2);
	ck_assert_int_eq(paint_width("日本"), 4);
	ck_assert_int_eq(paint_width("a\xff\xfe"), 3);
	ck_assert_int_eq(paint_width(""), 0);
}
END_TEST

START_TEST(right_aligned_text_never_runs_over_the_left)
{
	paint_right(c, &v, 3, 10, 0, ROLE_TEXT, "1234567");
	paint_right(c, &v, 4, 10, 1, ROLE_TEXT, "1234567");
	expect("   1234567\n\n\n\n");
}
END_TEST

START_TEST(a_trend_is_scaled_to_its_own_largest)
{
	static const double values[] = { -1, 0, 1, 2, 4 };

	paint_spark(c, &v, 0, 0, 6, ROLE_LOAD, values, 5);
	expect("  ▁▃▅█\n\n\n\n");
}
END_TEST

static const struct { double count; const char *want; } counts[] = {
	{ 0, "0" }, { 7, "7" }, { 999, "999" }, { 1000, "1k" }, { 9800, "9.8k" },
	{ 120000, "120k" },
	{ 1e6, "1M" }, { 1.2e6, "1.2M" },
};

START_TEST(things_are_counted_whole)
{
	char buf[16];

	ck_assert_str_eq(paint_count(buf, sizeof(buf), counts[_i].count), counts[_i].want);
}
END_TEST

START_TEST(a_frame_tells_its_title_and_where_it_is)
{
	struct canvas view = canvas_view(c, (struct rect){ 4, 0, 20, 3 }), in;

	in = paint_frame(&view, &v, panel_by_name("loads"), "LOADS", NULL, "note");
	ck_assert_int_eq(in.r.x, 5);
	ck_assert_int_eq(in.r.y, 1);
	ck_assert_int_eq(in.r.w, 19);
	ck_assert_int_eq(in.r.h, 2);
	expect("    ┬ LOADS ───── note ─\n    │\n    │\n\n");
}
END_TEST

Suite *paint_suite(void);

Suite *paint_suite(void)
{
	Suite *s = suite_create("paint");
	TCase *tc = tcase_create("paint");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, the_least_important_words_go_first, 0,
			    sizeof(fits) / sizeof(fits[0]));
	tcase_add_test(tc, long_text_breaks_at_blanks);
	tcase_add_test(tc, text_without_blanks_breaks_anywhere);
	tcase_add_test(tc, the_last_row_is_cut);
	tcase_add_test(tc, wide_letters_count_twice_and_bad_bytes_once);
	tcase_add_test(tc, right_aligned_text_never_runs_over_the_left);
	tcase_add_test(tc, a_trend_is_scaled_to_its_own_largest);
	tcase_add_loop_test(tc, things_are_counted_whole, 0, sizeof(counts) / sizeof(counts[0]));
	tcase_add_test(tc, a_frame_tells_its_title_and_where_it_is);
	suite_add_tcase(s, tc);
	return s;
}
