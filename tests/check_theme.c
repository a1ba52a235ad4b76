/* check_theme.c - colours by role, ramps, and what is left of them. */
#include "ui/theme.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ui/canvas.h"

/* Perceived lightness of a colour of the 256 palette (sRGB luma is enough:
 * the ramps are checked for order, not for distance). */
static double lightness(int colour)
{
	static const int basic[8][3] = {
		{ 0, 0, 0 }, { 205, 0, 0 }, { 0, 205, 0 }, { 205, 205, 0 },
		{ 0, 0, 238 }, { 205, 0, 205 }, { 0, 205, 205 }, { 229, 229, 229 },
	};
	static const int steps[6] = { 0, 95, 135, 175, 215, 255 };
	double part[3];

	for (int i = 0; i < 3; i++) {
		static const int weight[3] = { 36, 6, 1 };
		int v = colour < 16	? basic[colour % 8][i]
			: colour >= 232 ? 8 + (colour - 232) * 10
					: steps[(colour - 16) / weight[i] % 6];
		double s = v / 255.0;

		part[i] = s <= 0.04045 ? s / 12.92 : pow((s + 0.055) / 1.055, 2.4);
	}
	return 0.2126 * part[0] + 0.7152 * part[1] + 0.0722 * part[2];
}

static const int depths[] = { 8, 256 };

START_TEST(ramps_change_lightness_in_one_direction)
{
	for (unsigned i = 0; theme_names[i]; i++) {
		struct theme t = theme_adapt(theme_find(theme_names[i]), depths[_i], true);

		if (!t.colour)
			continue;
		bool rising = lightness(t.ramp[t.ramp_len - 1]) > lightness(t.ramp[0]);

		for (unsigned k = 1; k < t.ramp_len; k++)
			ck_assert((lightness(t.ramp[k]) > lightness(t.ramp[k - 1])) == rising);
		ck_assert_int_eq(rising, strcmp(t.name, "light") != 0);
	}
}
END_TEST

static double contrast(double a, double b)
{
	return a > b ? (a + 0.05) / (b + 0.05) : (b + 0.05) / (a + 0.05);
}

/* Bars stand on the ground of the terminal, names on the bars. */
START_TEST(loads_stand_out_from_the_ground_and_their_names_from_them)
{
	static const enum role roles[] = { ROLE_LOAD, ROLE_LOAD_2 };

	for (unsigned i = 0; theme_names[i]; i++) {
		const struct theme *t = theme_find(theme_names[i]);
		double ground = strcmp(t->name, "light") ? 0 : 1;

		for (unsigned k = 0; k < 2 && t->colour; k++) {
			const struct style *s = &t->role[roles[k]];

			ck_assert_msg(contrast(lightness(s->bg), ground) >= 2, "%s", t->name);
			ck_assert_msg(contrast(lightness(s->bg), lightness(s->fg)) >= 4.5, "%s", t->name);
		}
	}
}
END_TEST

START_TEST(any_level_above_nothing_differs_from_nothing)
{
	for (unsigned i = 0; theme_names[i]; i++) {
		struct theme t = theme_adapt(theme_find(theme_names[i]), depths[_i], true);

		if (!t.colour)
			continue;
		ck_assert_int_ne(theme_ramp(&t, 1e-9), theme_ramp(&t, 0));
		ck_assert_int_eq(theme_ramp(&t, 1), t.ramp[t.ramp_len - 1]);
		ck_assert_int_eq(theme_ramp(&t, 7), t.ramp[t.ramp_len - 1]);
		ck_assert_int_eq(theme_ramp(&t, NAN), t.ramp[0]);
	}
	ck_assert_int_eq(theme_ascii(0), ' ');
	ck_assert_int_eq(theme_ascii(1e-9), '.');
	ck_assert_int_eq(theme_ascii(1), '@');
}
END_TEST

START_TEST(few_colours_use_few_and_none_uses_none)
{
	for (unsigned i = 0; theme_names[i]; i++) {
		struct theme few = theme_adapt(theme_find(theme_names[i]), 8, false);
		struct theme none = theme_adapt(theme_find(theme_names[i]), 0, true);

		ck_assert(!few.unicode && none.unicode && !none.colour);
		ck_assert_int_eq(few.cells, CELLS_ASCII);
		ck_assert_int_eq(none.cells, CELLS_ASCII);
		for (int role = 0; role < ROLES; role++) {
			ck_assert(few.role[role].fg < 8 && few.role[role].bg < 8);
			ck_assert(none.role[role].fg == -1 && none.role[role].bg == -1);
		}
		ck_assert_int_eq(theme_ramp(&none, 0.5), -1);
	}
}
END_TEST

START_TEST(warnings_are_more_than_a_colour)
{
	static const enum role roles[] = { ROLE_WARN, ROLE_BAD, ROLE_SELECTED };
	static const int all[] = { 0, 8, 256 };

	for (unsigned i = 0; theme_names[i]; i++) {
		struct theme t = theme_adapt(theme_find(theme_names[i]), all[_i], true);

		for (unsigned k = 0; k < 3; k++)
			ck_assert(t.role[roles[k]].attr || t.role[roles[k]].bg >= 0);
	}
}
END_TEST

START_TEST(names_are_found_and_others_are_not)
{
	for (unsigned i = 0; theme_names[i]; i++)
		ck_assert_str_eq(theme_find(theme_names[i])->name, theme_names[i]);
	ck_assert_str_eq(theme_find(NULL)->name, "default");
	ck_assert_ptr_null(theme_find("solarized"));
}
END_TEST

Suite *theme_suite(void);

Suite *theme_suite(void)
{
	Suite *s = suite_create("theme");
	TCase *tc = tcase_create("theme");

	tcase_add_loop_test(tc, ramps_change_lightness_in_one_direction, 0, 2);
	tcase_add_test(tc, loads_stand_out_from_the_ground_and_their_names_from_them);
	tcase_add_loop_test(tc, any_level_above_nothing_differs_from_nothing, 0, 2);
	tcase_add_test(tc, few_colours_use_few_and_none_uses_none);
	tcase_add_loop_test(tc, warnings_are_more_than_a_colour, 0, 3);
	tcase_add_test(tc, names_are_found_and_others_are_not);
	suite_add_tcase(s, tc);
	return s;
}
