/* check_shift.c - rows that moved to the left are found, others are not. */
#include "ui/shift.h"

#include <check.h>
#include <string.h>

#define W 40

static struct cell old[W], new[W];
static uint64_t state;

static unsigned below(unsigned n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (unsigned)(state % n);
}

static void setup(void)
{
	state = 88172645463325252u;
	for (int x = 0; x < W; x++)
		old[x] =
			(struct cell){ .ch = 'a' + below(26), .fg = (int16_t)below(256), .bg = -1 };
	memcpy(new, old, sizeof(new));
}

static void move(int from, int by)
{
	memmove(new + from, old + from + by, (size_t)(W - from - by) * sizeof(*new));
	for (int x = W - by; x < W; x++)
		new[x] = (struct cell){ .ch = '!', .fg = 1, .bg = 2 };
}

START_TEST(a_move_is_found_with_its_place_and_length)
{
	int from = -1;

	move(7, _i);
	ck_assert_int_eq(shift_find(old, new, W, &from), _i);
	ck_assert_int_eq(from, 7);
}
END_TEST

START_TEST(a_move_longer_than_we_look_for_is_none)
{
	int from;

	move(7, SHIFT_MOST + 1);
	ck_assert_int_eq(shift_find(old, new, W, &from), 0);
}
END_TEST

START_TEST(nothing_and_little_are_no_move)
{
	int from;

	ck_assert_int_eq(shift_find(old, new, W, &from), 0);
	new[20].ch = '#';
	ck_assert_int_eq(shift_find(old, new, W, &from), 0);
	new[21].ch = '#';
	ck_assert_int_eq(shift_find(old, new, W, &from), 0);
}
END_TEST

START_TEST(a_row_of_one_colour_does_not_move)
{
	int from;

	for (int x = 0; x < W; x++)
		old[x] = new[x] = (struct cell){ .ch = ' ', .fg = -1, .bg = 17 };
	new[W - 1].bg = 18;
	ck_assert_int_eq(shift_find(old, new, W, &from), 0);
}
END_TEST

START_TEST(a_wide_character_in_the_way_forbids_it)
{
	int from;

	old[20] = (struct cell){ .ch = 0x4e16, .fg = -1, .bg = -1 };
	old[21] = (struct cell){ .ch = 0, .fg = -1, .bg = -1 };
	memcpy(new, old, sizeof(new));
	move(7, 1);
	ck_assert_int_eq(shift_find(old, new, W, &from), 0);
	setup();
	old[3] = (struct cell){ .ch = 0x4e16, .fg = -1, .bg = -1 };	/* left of it: no matter */
	old[4] = (struct cell){ .ch = 0, .fg = -1, .bg = -1 };
	memcpy(new, old, sizeof(new));
	move(7, 1);
	ck_assert_int_eq(shift_find(old, new, W, &from), 1);
}
END_TEST

START_TEST(rows_of_any_width_are_safe)
{
	int from;

	for (int w = 1; w < W; w++) {
		setup();
		move(0, 1);
		int by = shift_find(old, new, w, &from);

		ck_assert(by >= 0 && by < w);
	}
}
END_TEST

Suite *shift_suite(void);

Suite *shift_suite(void)
{
	Suite *s = suite_create("shift");
	TCase *tc = tcase_create("rows");

	tcase_add_checked_fixture(tc, setup, NULL);
	tcase_add_loop_test(tc, a_move_is_found_with_its_place_and_length, 1, SHIFT_MOST + 1);
	tcase_add_test(tc, a_move_longer_than_we_look_for_is_none);
	tcase_add_test(tc, nothing_and_little_are_no_move);
	tcase_add_test(tc, a_row_of_one_colour_does_not_move);
	tcase_add_test(tc, a_wide_character_in_the_way_forbids_it);
	tcase_add_test(tc, rows_of_any_width_are_safe);
	suite_add_tcase(s, tc);
	return s;
}
