/* check_canvas.c - cells, clipping, wide characters, text and ANSI. */
#include "ui/canvas.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static struct canvas *c;

static void setup(void)
{
	c = canvas_new(10, 3);
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

START_TEST(sizes_out_of_range_are_refused)
{
	ck_assert_ptr_null(canvas_new(0, 1));
	ck_assert_ptr_null(canvas_new(1, -1));
	ck_assert_ptr_null(canvas_new(1001, 1));
	struct canvas *big = canvas_new(1000, 1000);

	ck_assert_ptr_nonnull(big);
	canvas_free(big);
	canvas_free(NULL);
}
END_TEST

START_TEST(drawing_is_clipped_to_the_view)
{
	struct canvas v = canvas_view(c, (struct rect){ 4, 1, 3, 1 });

	for (int y = -2; y < 5; y++)
		for (int x = -20; x < 20; x++)
			canvas_put(&v, x, y, '#', 1, 2, 0);
	expect("\n    ###\n\n");
	ck_assert_int_eq(canvas_text(&v, -1, 0, 100, "abcdefgh", -1, -1, 0), 8);
	expect("\n    bcd\n\n");
	canvas_fill(&v, (struct rect){ -5, -5, 100, 100 }, '=', -1, -1, 0);
	expect("\n    ===\n\n");
}
END_TEST

START_TEST(a_view_of_a_view_stays_inside_both)
{
	struct canvas v = canvas_view(c, (struct rect){ 8, 1, 30, 30 });
	struct canvas w = canvas_view(&v, (struct rect){ 1, 1, 5, 5 });
	struct canvas none = canvas_view(&v, (struct rect){ 7, 0, 5, 5 });

	ck_assert(v.r.w == 2 && v.r.h == 2 && w.r.w == 1 && w.r.h == 1);
	ck_assert_int_eq(none.r.w, 0);
	canvas_fill(&w, (struct rect){ 0, 0, 9, 9 }, 'w', -1, -1, 0);
	canvas_fill(&none, (struct rect){ 0, 0, 9, 9 }, 'n', -1, -1, 0);
	expect("\n\n         w\n");
}
END_TEST

START_TEST(a_wide_character_is_whole_or_absent)
{
	canvas_text(c, 0, 0, 10, "世界ab", -1, -1, 0);
	expect("世界ab\n\n\n");
	canvas_put(c, 1, 0, 'x', -1, -1, 0);	/* right half of the first */
	canvas_put(c, 2, 0, 'y', -1, -1, 0);	/* left half of the second */
	expect(" xy ab\n\n\n");
	canvas_put(c, 9, 1, 0x4e16, -1, -1, 0);	/* no room for its right half */
	expect(" xy ab\n\n\n");
	ck_assert_int_eq(canvas_text(c, 0, 2, 3, "世界", -1, -1, 0), 2);
	expect(" xy ab\n\n世\n");
}
END_TEST

START_TEST(a_view_that_cuts_a_wide_character_leaves_no_half)
{
	canvas_text(c, 1, 1, 10, "世", -1, -1, 0);
	struct canvas v = canvas_view(c, (struct rect){ 2, 0, 4, 3 });

	canvas_clear(&v, -1, -1);
	for (int x = 0; x < 10; x++)
		ck_assert_int_eq(c->cells[10 + x].ch, ' ');
}
END_TEST

START_TEST(text_that_is_not_clean_draws_question_marks)
{
	canvas_text(c, 0, 0, 10, "a\033b\xff\x9b\xc2\x9b", -1, -1, 0);
	expect("a?b???\n\n\n");
	canvas_text(c, 0, 1, 10, "e\xcc\x81t", -1, -1, 0);	/* combining: its cell holds one */
	expect("a?b???\net\n\n");
}
END_TEST

START_TEST(right_aligned_text_ends_before_its_column)
{
	canvas_right(c, 10, 0, "12.5", -1, -1, 0);
	canvas_right(c, 3, 1, "toolong", -1, -1, 0);
	ck_assert_int_eq(canvas_printf(c, 0, 2, -1, -1, 0, "%d ms", 12), 5);
	expect("      12.5\nong\n12 ms\n");
}
END_TEST

START_TEST(equal_means_every_cell_and_the_size)
{
	struct canvas *d = canvas_new(10, 3), *e = canvas_new(9, 3);

	ck_assert(canvas_equal(c, d) && !canvas_equal(c, e));
	canvas_put(d, 9, 2, ' ', -1, 4, 0);
	ck_assert(!canvas_equal(c, d));
	canvas_put(c, 9, 2, ' ', -1, 4, 0);
	ck_assert(canvas_equal(c, d));
	canvas_put(c, 0, 0, ' ', -1, -1, CELL_BOLD);
	ck_assert(!canvas_equal(c, d));
	canvas_free(d);
	canvas_free(e);
}
END_TEST

START_TEST(ansi_says_colours_once_and_resets_at_the_end_of_a_line)
{
	canvas_text(c, 0, 0, 10, "ab", 203, -1, CELL_BOLD);
	canvas_put(c, 2, 0, ' ', -1, 17, 0);
	canvas_text(c, 0, 1, 10, "plain", -1, -1, 0);
	char *ansi = canvas_as_ansi(c);

	ck_assert_str_eq(ansi, "\033[0;1;38;5;203mab\033[0;48;5;17m \033[0m\nplain\n\n");
	free(ansi);
}
END_TEST

Suite *canvas_suite(void);

Suite *canvas_suite(void)
{
	Suite *s = suite_create("canvas");
	TCase *tc = tcase_create("cells");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, sizes_out_of_range_are_refused);
	tcase_add_test(tc, drawing_is_clipped_to_the_view);
	tcase_add_test(tc, a_view_of_a_view_stays_inside_both);
	tcase_add_test(tc, a_wide_character_is_whole_or_absent);
	tcase_add_test(tc, a_view_that_cuts_a_wide_character_leaves_no_half);
	tcase_add_test(tc, text_that_is_not_clean_draws_question_marks);
	tcase_add_test(tc, right_aligned_text_ends_before_its_column);
	tcase_add_test(tc, equal_means_every_cell_and_the_size);
	tcase_add_test(tc, ansi_says_colours_once_and_resets_at_the_end_of_a_line);
	suite_add_tcase(s, tc);
	return s;
}
