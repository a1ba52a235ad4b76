/*
 * check_layout.c - whatever the size: every rectangle inside, none over
 * another, all of the screen covered, no panel below its least.
 */
#include <check.h>

#include "tests/fake_model.h"
#include "ui/layout.h"

static struct model *storm;

static void make_model(void)
{
	storm = fake_model(FAKE_STORM);
}

static void free_model(void)
{
	model_free(storm);
}

static bool inside(struct rect r, int w, int h)
{
	return r.x >= 0 && r.y >= 0 && r.w > 0 && r.h > 0 && r.x + r.w <= w && r.y + r.h <= h;
}

static bool apart(struct rect a, struct rect b)
{
	return a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y;
}

static void check_size(int w, int h, const struct view *v)
{
	struct layout l;
	long area = 0;

	layout_make(&l, w, h, storm, v);
	for (unsigned i = 0; i < l.n; i++) {
		const struct placed *p = &l.at[i];

		/* An assertion each would take longer than the layout. */
		if (!inside(p->r, w, h))
			ck_abort_msg("%s leaves %dx%d", p->panel->name, w, h);
		if (p->r.w < p->panel->least_w || p->r.h < p->panel->least_h)
			ck_abort_msg("%s is %dx%d on %dx%d", p->panel->name, p->r.w, p->r.h, w, h);
		for (unsigned k = 0; k < i; k++)
			if (!apart(p->r, l.at[k].r))
				ck_abort_msg("%s over %s on %dx%d", p->panel->name,
					     l.at[k].panel->name, w, h);
		area += (long)p->r.w * p->r.h;
	}
	if (area != (long)w * h)
		ck_abort_msg("%ld of %d cells covered on %dx%d", area, w * h, w, h);
}

START_TEST(every_size_from_1x1_to_500x200_is_covered)
{
	struct view v;

	fake_view(&v, storm, NULL);
	for (int w = 1; w <= 500; w++)
		for (int h = 1; h <= 200; h++)
			check_size(w, h, &v);
}
END_TEST

static const struct { const char *what; struct view v; } states[] = {
	{ "waterfall", { .kind = VIEW_WATERFALL, .help_page = -1 } },
	{ "help", { .help_page = 0 } },
	{ "all loads", { .help_page = -1, .loads_open = true } },
	{ "all loads over the waterfall", { .help_page = -1, .loads_open = true,
	.kind = VIEW_WATERFALL } },
	{ "a load's question", { .help_page = -1, .ask = ASK_LOAD } },
	{ "the list of probes", { .help_page = -1, .ask = ASK_PROBES } },
	{ "a question over help", { .help_page = 2, .ask = ASK_MARK } },
};

static void check_sizes(const struct view *v)
{
	for (int w = 1; w <= 500; w += w < 130 ? 1 : 13)
		for (int h = 1; h <= 200; h += h < 64 ? 1 : 17)
			check_size(w, h, v);
}

START_TEST(every_state_of_the_view_is_covered)
{
	struct view v = states[_i].v;

	v.cpu = -1;
	check_sizes(&v);
}
END_TEST

START_TEST(every_panel_can_be_expanded)
{
	struct view v;

	fake_view(&v, storm, NULL);
	v.expanded = true;
	for (v.focus = 0; panels[v.focus]; v.focus++)
		check_sizes(&v);
}
END_TEST

static bool shows(const struct layout *l, const char *name)
{
	for (unsigned i = 0; i < l->n; i++)
		if (l->at[i].panel == panel_by_name(name))
			return true;
	return false;
}

START_TEST(a_smaller_screen_loses_spikes_then_histogram_then_loads)
{
	static const struct { int w, h; bool spikes, histogram, loads, map; } rows[] = {
		{ 200, 60, true, true, true, true }, { 120, 40, true, true, true, true },
		{ 120, 30, false, true, true, true }, { 80, 24, false, false, true, true },
		{ 45, 24, false, false, false, true }, { 40, 10, false, false, false, true },
		{ 20, 10, false, false, false, false }, { 80, 1, false, false, false, false },
	};
	struct layout l;
	struct view v;

	fake_view(&v, storm, NULL);
	layout_make(&l, rows[_i].w, rows[_i].h, storm, &v);
	ck_assert_int_eq(shows(&l, "spikes"), rows[_i].spikes);
	ck_assert_int_eq(shows(&l, "histogram"), rows[_i].histogram);
	ck_assert_int_eq(shows(&l, "loads"), rows[_i].loads);
	ck_assert_int_eq(shows(&l, "map"), rows[_i].map);
	ck_assert_int_eq(shows(&l, "oneline"), !rows[_i].map);
}
END_TEST

START_TEST(the_map_touches_the_right_edge)
{
	struct layout l;
	struct view v;

	fake_view(&v, storm, NULL);
	for (int w = 30; w <= 400; w += 7) {
		layout_make(&l, w, 40, storm, &v);
		for (unsigned i = 0; i < l.n; i++)
			if (l.at[i].panel == panel_by_name("map"))
				ck_assert_int_eq(l.at[i].r.x + l.at[i].r.w, w);
	}
}
END_TEST

START_TEST(a_model_without_anything_has_a_layout)
{
	struct model *full = storm;
	struct view v;

	storm = fake_model(FAKE_NOTHING);
	fake_view(&v, storm, NULL);
	check_sizes(&v);
	model_free(storm);
	storm = full;
}
END_TEST

Suite *layout_suite(void);

Suite *layout_suite(void)
{
	Suite *s = suite_create("layout");
	TCase *tc = tcase_create("properties");

	tcase_set_timeout(tc, 120);
	tcase_add_unchecked_fixture(tc, make_model, free_model);
	tcase_add_test(tc, every_size_from_1x1_to_500x200_is_covered);
	tcase_add_loop_test(tc, every_state_of_the_view_is_covered, 0,
			    sizeof(states) / sizeof(states[0]));
	tcase_add_test(tc, every_panel_can_be_expanded);
	tcase_add_loop_test(tc, a_smaller_screen_loses_spikes_then_histogram_then_loads, 0, 8);
	tcase_add_test(tc, the_map_touches_the_right_edge);
	tcase_add_test(tc, a_model_without_anything_has_a_layout);
	suite_add_tcase(s, tc);
	return s;
}
