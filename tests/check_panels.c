/*
 * check_panels.c - what holds for every panel, model and size, and what the
 * pictures promise: one sample is seen, columns stay where they are.
 */
#include <check.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/clock.h"
#include "src/text.h"
#include "tests/fake_model.h"
#include "tests/loop_assert.h"
#include "ui/layout.h"
#include "ui/plotted.h"
#include "ui/timeline.h"

#define SENTINEL 0x263a		/* nothing draws it */

static struct model *models[FAKE_KINDS];

static void make_models(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	for (int i = 0; i < FAKE_KINDS; i++)
		models[i] = fake_model((enum fake_kind)i);
}

static void free_models(void)
{
	for (int i = 0; i < FAKE_KINDS; i++)
		model_free(models[i]);
}

static struct canvas *sentinels(int w, int h)
{
	struct canvas *c = canvas_new(w, h);

	ck_assert_ptr_nonnull(c);
	canvas_fill(c, (struct rect){ 0, 0, w, h }, SENTINEL, 201, 22, CELL_UNDERLINE);
	return c;
}

static bool untouched(const struct canvas *c, int x, int y)
{
	return c->cells[y * c->stride + x].ch == SENTINEL;
}

/* Draws p into r of a bigger canvas: all of r is drawn, nothing else. */
static void check_draw(const struct panel *p, const struct model *m, const struct view *v,
		       struct rect r)
{
	struct canvas *c = sentinels(r.x + r.w + 3, r.y + r.h + 2);
	struct canvas in = canvas_view(c, r);

	p->draw(m, v, &in);
	for (int y = 0; y < c->r.h; y++) {
		for (int x = 0; x < c->r.w; x++) {
			bool within = x >= r.x && x < r.x + r.w && y >= r.y && y < r.y + r.h;

			/* An assertion a cell would take longer than the drawing. */
			if (untouched(c, x, y) == within)
				ck_abort_msg("%s %dx%d: cell %d,%d %s", p->name, r.w, r.h, x - r.x,
					     y - r.y, within ? "not drawn" : "is outside");
		}
	}
	canvas_free(c);
}

static const struct { int w, h; } sizes[] = {
	{ 1, 1 }, { 2, 3 }, { 7, 2 }, { 8, 9 }, { 24, 3 }, { 30, 5 }, { 31, 8 }, { 40, 10 },
	{ 42, 13 }, { 60, 6 },
	{ 80, 20 }, { 113, 25 }, { 200, 40 }, { 500, 3 }, { 25, 200 },
};
#define SIZES (sizeof(sizes) / sizeof(sizes[0]))

static void check_sizes(const struct model *m, const struct view *v)
{
	for (unsigned i = 0; panels[i]; i++)
		for (unsigned s = 0; s < SIZES; s++) {
			check_draw(panels[i], m, v, (struct rect){ 0, 0, sizes[s].w, sizes[s].h });
			check_draw(panels[i], m, v, (struct rect){ 2, 1, sizes[s].w, sizes[s].h });
		}
}

START_TEST(a_panel_draws_every_cell_of_its_view_and_no_other)
{
	struct view v;

	fake_view(&v, models[_i], NULL);
	check_sizes(models[_i], &v);
	v.theme = theme_adapt(theme_find("mono"), 0, false);
	v.corrected = true;
	v.cpu = 1;
	v.group = 1;
	v.paused = true;
	v.end_ns = v.now_ns - 17 * NS_PER_S;
	v.auto_range = true;
	snprintf(v.filter, sizeof(v.filter), "cpu:0-5 >3ms");
	check_sizes(models[_i], &v);
}
END_TEST

static const struct { const char *what; struct view v; } odd[] = {
	{ "selections beyond the end",
	  { .group = 99, .cpu = 4095, .load = 99, .spike = { true, INT64_MAX, 99, 4095 }, .probe_row = 99, .help_page = 99,
	  	.zoom = 99,
	    .focus = 2, .load_scroll = 99 } },
	{ "an unknown filter", { .filter = "what is this >>", .cpu = -1, .help_page = -1 } },
	{ "a question", { .cpu = -1, .ask = ASK_LOAD, .ask_text = "start 4 workers? [y/N]" } },
	{ "a long input", { .cpu = -1, .ask = ASK_MARK, .ask_text = "mark:",
	    .input = "0123456789012345678901234567890123456789012345678901234567890123456789012345678" } },
	{ "a range turned round", { .cpu = -1, .low_ns = 1000000, .high_ns = 10 } },
	{ "scrolled before the beginning", { .cpu = -1, .end_ns = 1, .zoom = 7 } },
	{ "half blocks", { .cpu = -1, .cells = CELLS_HALF, .kind = VIEW_WATERFALL } },
};

START_TEST(a_view_that_points_nowhere_is_drawn)
{
	struct view v = odd[_i].v;

	for (int k = 0; k < FAKE_KINDS; k++) {
		v.theme = theme_adapt(theme_find(NULL), 256, true);
		v.now_ns = models[k]->now_ns;
		check_sizes(models[k], &v);
	}
}
END_TEST

static struct canvas *screen(const struct model *m, const struct view *v, int w, int h)
{
	struct canvas *c = sentinels(w, h);
	struct layout l;

	layout_make(&l, w, h, m, v);
	for (unsigned i = 0; i < l.n; i++) {
		struct canvas in = canvas_view(c, l.at[i].r);

		l.at[i].panel->draw(m, v, &in);
	}
	return c;
}

/* Of the whole panel: which item a click at each place selects. */
static unsigned items_of(const char *name, const struct model *m, const struct view *v, int w,
			 int h, uint64_t *seen)
{
	unsigned places = 0;

	*seen = 0;
	for (int at = 0; at < w * h; at++) {
		struct canvas_aim aim = { .x = 3 + at % w, .y = 2 + at / w };
		struct canvas *c = canvas_new(w + 5, h + 4);
		struct canvas in = canvas_view(c, (struct rect){ 3, 2, w, h });

		in.aim = &aim;
		panel_by_name(name)->draw(m, v, &in);
		if (aim.hit)
			*seen |= UINT64_C(1) << aim.item % 64;
		places += aim.hit;
		canvas_free(c);
	}
	return places;
}

/* Every load has a place to click on, in the table of keys as in the list. */
START_TEST(every_item_in_sight_can_be_clicked)
{
	struct model *m = models[FAKE_STORM];
	uint64_t all = (UINT64_C(1) << m->nr_loads) - 1, seen;
	struct view v;

	fake_view(&v, m, NULL);
	items_of("loads", m, &v, 60, 20, &seen);
	ck_assert_uint_eq(seen, all);
	ck_assert_uint_eq(items_of("loadlist", m, &v, 60, (int)m->nr_loads + 4, &seen),
			  59 * m->nr_loads);	/* without the bar */
	ck_assert_uint_eq(seen, all);
	items_of("spikes", m, &v, 60, 20, &seen);
	ck_assert_uint_eq(seen, (1 << 14) - 1);
	v.spikes = SPIKES_CULPRITS;
	items_of("spikes", m, &v, 60, 20, &seen);
	ck_assert_uint_eq(seen, (UINT64_C(1) << m->nr_blamed) - 1);
	v.ask = ASK_PROBES;
	ck_assert_uint_gt(items_of("dialog", m, &v, 60, 40, &seen), 20 * 60);
	ck_assert_uint_eq(items_of("percentiles", m, &v, 60, 20, &seen), 0);
}
END_TEST

static bool is_heading(const struct canvas *c, int x, int y)
{
	static const char *const sections[] = { "General", "Time", "View", "Loads", "Run", "Signs",
						"Badges" };

	for (unsigned i = 0; i < sizeof(sections) / sizeof(sections[0]); i++) {
		const char *name = sections[i];

		while (*name && c->cells[y * c->stride + x].ch == (unsigned char)*name)
			name++, x++;
		if (!*name)
			return true;
		x -= (int)(name - sections[i]);
	}
	return false;
}

START_TEST(no_page_of_the_help_ends_with_a_heading)
{
	static const int widths[] = { 40, 80, 120, 220 };
	unsigned headings = 0;
	struct view v;

	fake_view(&v, models[FAKE_STORM], "mono");
	for (int at = 0; at < 4 * 40 * 8; at++) {
		int w = widths[at % 4], h = 4 + at / 4 % 40, columns = w / 52 ? w / 52 : 1;
		struct canvas *c = canvas_new(w, h);

		v.help_page = at / 160;
		panel_by_name("help")->draw(models[FAKE_STORM], &v, c);
		for (int k = 0; k < columns; k++) {
			int x = 1 + k * ((w - 1) / columns);

			loop_assert_msg(!is_heading(c, x, h - 1), "%s", canvas_as_text(c));
			headings += is_heading(c, x, 1);
		}
		canvas_free(c);
	}
	ck_assert_uint_gt(headings, 0);		/* it sees them */
}
END_TEST

START_TEST(the_same_model_gives_the_same_screen)
{
	struct view v;

	fake_view(&v, models[_i], NULL);
	for (unsigned s = 0; s < SIZES; s++) {
		struct canvas *a = screen(models[_i], &v, sizes[s].w, sizes[s].h);
		struct canvas *b = screen(models[_i], &v, sizes[s].w, sizes[s].h);

		ck_assert(canvas_equal(a, b));
		canvas_free(a);
		canvas_free(b);
	}
}
END_TEST

START_TEST(without_utf8_every_cell_is_ascii)
{
	struct view v;

	fake_view(&v, models[_i], NULL);
	for (unsigned colours = 0; colours <= 256; colours += 128) {
		v.theme = theme_adapt(theme_find(NULL), (int)colours, false);
		for (unsigned s = 0; s < SIZES; s++) {
			struct canvas *c = screen(models[_i], &v, sizes[s].w, sizes[s].h);

			for (int i = 0; i < c->r.w * c->r.h; i++)
				if (c->cells[i].ch >= 0x7f)
					ck_abort_msg("U+%04X at %d,%d of %dx%d", c->cells[i].ch,
						     i % c->r.w, i / c->r.w, c->r.w, c->r.h);
			canvas_free(c);
		}
	}
}
END_TEST

START_TEST(a_screen_is_never_blank)
{
	struct view v;

	fake_view(&v, models[_i], NULL);
	for (unsigned s = 0; s < SIZES; s++) {
		struct canvas *c = screen(models[_i], &v, sizes[s].w, sizes[s].h);
		char *text = canvas_as_text(c);

		ck_assert_uint_lt(strspn(text, " \n"), strlen(text));
		free(text);
		canvas_free(c);
	}
}
END_TEST

/* All cells of all sizes a person may have; in the full suite without a gap. */
START_TEST(every_size_is_drawn_whole)
{
	bool busiest = _i == FAKE_STORM || _i == FAKE_TROUBLE;
	int step = !getenv("JS_LONG") ? 11 : busiest ? 1 : 5;
	struct view v;

	fake_view(&v, models[_i], NULL);
	for (int h = 1; h <= 80; h += step) {
		for (int w = 1; w <= 250; w += step) {
			struct canvas *c = screen(models[_i], &v, w, h);

			for (int i = 0; i < w * h; i++)
				if (untouched(c, i % w, i / w))
					ck_abort_msg("%d,%d of %dx%d is not drawn", i % w, i / w, w, h);
			canvas_free(c);
		}
	}
}
END_TEST

/* ---- the map ---- */

#define MAP_W 87
#define MAP_COLS 80
#define MAP_H 20
#define ZERO_NS (1000 * NS_PER_S)

/* A model of one quiet group; samples are put in by the tests. */
static struct model *blank_model(double seconds)
{
	struct model_spec spec = { .groups = 1, .series = 1, .loads = 2, .digits = 3,
		.start_ns = ZERO_NS };
	struct model *m = model_new(&spec);

	ck_assert_ptr_nonnull(m);
	m->zero_ns = m->reset_ns = ZERO_NS;
	m->now_ns = ZERO_NS + (int64_t)(seconds * 1e9);
	snprintf(m->groups[0].name, sizeof(m->groups[0].name), "wakeup-fifo");
	m->groups[0].on = true;
	m->groups[0].nr = 1;
	m->series[0].interval_ns = NS_PER_MS;
	return m;
}

static void put_sample(struct model *m, double seconds, int64_t late_ns)
{
	int64_t t = ZERO_NS + (int64_t)(seconds * 1e9);

	history_add(m->groups[0].history, t, late_ns);
	hist_record(m->groups[0].run, late_ns);
	history_advance(m->groups[0].history, t);
}

static struct canvas *map_of(const struct model *m, const struct view *v, const char *name)
{
	struct canvas *c = sentinels(MAP_W, MAP_H);

	panel_by_name(name)->draw(m, v, c);
	return c;
}

/* Cells that differ, and where the last of them is. */
static int differing(const struct canvas *a, const struct canvas *b, int *x, int *y)
{
	int n = 0;

	for (int i = 0; i < a->r.w * a->r.h; i++) {
		if (!memcmp(&a->cells[i].ch, &b->cells[i].ch, sizeof(a->cells[i].ch)) &&
		    a->cells[i].bg == b->cells[i].bg && a->cells[i].fg == b->cells[i].fg)
			continue;
		*x = i % a->r.w;
		*y = i / a->r.w;
		n++;
	}
	return n;
}

static const struct { const char *panel; int cells; bool mono; int64_t ns; } single[] = {
	{ "map", CELLS_BLANK, false, 1000 }, { "map", CELLS_BLANK, false, 47000 },
	{ "map", CELLS_HALF, false, 47000 },
	{ "map", CELLS_ASCII, true, 47000 }, { "map", CELLS_BLANK, false, 99 * NS_PER_MS },
	{ "map", CELLS_BLANK, false, 3 * NS_PER_S }, { "map", CELLS_HALF, false, 3 * NS_PER_S },
	{ "map", CELLS_ASCII, true, 3600 * NS_PER_S }, { "map", CELLS_BLANK, false, 1 },
	{ "waterfall", CELLS_BLANK, false, 47000 },
	{ "waterfall", CELLS_ASCII, true, 3 * NS_PER_S },
};

START_TEST(one_single_sample_is_seen_at_every_zoom)
{
	struct model *without = blank_model(20), *with = blank_model(20);
	struct view v;

	put_sample(with, 19.9, single[_i].ns);
	hist_record(without->groups[0].run, single[_i].ns);
	fake_view(&v, with, single[_i].mono ? "mono" : NULL);
	v.cells = single[_i].cells;
	for (v.zoom = 0; view_zooms[v.zoom]; v.zoom++) {
		struct canvas *a = map_of(without, &v, single[_i].panel),
			      *b = map_of(with, &v, single[_i].panel);
		int x, y;

		ck_assert_int_ge(differing(a, b, &x, &y), 1);
		canvas_free(a);
		canvas_free(b);
	}
	model_free(without);
	model_free(with);
}
END_TEST

START_TEST(what_lies_above_the_range_is_told_by_a_sign)
{
	struct model *m = blank_model(20);
	struct canvas *c;
	struct view v;

	put_sample(m, 19.5, 2 * NS_PER_S);
	fake_view(&v, m, _i ? "mono" : NULL);
	c = map_of(m, &v, "map");
	ck_assert_uint_eq(c->cells[1 * MAP_W + MAP_W - 1].ch, '^');
	canvas_free(c);
	model_free(m);
}
END_TEST

/* The part of the map that is latency and time. */
static struct canvas heat_of(const struct canvas *c, int from, int cols)
{
	return canvas_view(c, (struct rect){ MAP_W - MAP_COLS + from, 1, cols, MAP_H - 5 });
}

START_TEST(columns_stay_until_one_is_full_and_then_move_by_one)
{
	struct model *m = blank_model(60);
	struct view v;

	for (int i = 0; i < 240; i++)
		put_sample(m, i * 0.25, 3000 + i * i * 91);
	fake_view(&v, m, NULL);
	v.now_ns = ZERO_NS + 60 * NS_PER_S - 700 * NS_PER_MS;
	struct canvas *early = map_of(m, &v, "map");

	v.now_ns += 600 * NS_PER_MS;
	struct canvas *late = map_of(m, &v, "map");

	v.now_ns += NS_PER_S;
	struct canvas *next = map_of(m, &v, "map");
	struct canvas a = heat_of(early, 0, MAP_COLS), b = heat_of(late, 0, MAP_COLS);

	ck_assert(canvas_equal(&a, &b));
	a = heat_of(late, 1, MAP_COLS - 1);
	b = heat_of(next, 0, MAP_COLS - 1);
	ck_assert(canvas_equal(&a, &b));
	canvas_free(early);
	canvas_free(late);
	canvas_free(next);
	model_free(m);
}
END_TEST

START_TEST(a_huge_sample_leaves_the_rest_of_the_picture_as_it_was)
{
	struct model *m = blank_model(60);
	struct view v;
	int x, y;

	for (int i = 0; i < 200; i++)
		put_sample(m, i * 0.25, 3000 + i * i * 91);
	fake_view(&v, m, NULL);
	struct canvas *before = map_of(m, &v, "map");

	put_sample(m, 55.1, 3599 * NS_PER_S);
	struct canvas *after = map_of(m, &v, "map");

	ck_assert_int_eq(differing(before, after, &x, &y), 1);
	ck_assert_int_eq(y, 1);
	canvas_free(before);
	canvas_free(after);
	model_free(m);
}
END_TEST

START_TEST(a_load_starts_and_stops_in_its_own_columns)
{
	struct model *m = blank_model(60);
	int row = MAP_H - 5, from = MAP_W - 40, to = MAP_W - 13;	/* 20 s .. 47.5 s */
	struct view v;

	snprintf(m->loads[1].name, sizeof(m->loads[1].name), "churn");
	m->loads[1].key = 'D';
	m->runs[0] = (struct load_run){ .load = 1, .workers = 8,
		.start_ns = ZERO_NS + 20 * NS_PER_S,
					.stop_ns = ZERO_NS + 47500 * NS_PER_MS, .end = "stopped" };
	m->nr_runs = 1;
	fake_view(&v, m, "mono");
	v.theme.unicode = false;
	struct canvas *c = map_of(m, &v, "map");

	ck_assert_uint_eq(c->cells[row * MAP_W + from].ch, '[');
	ck_assert_uint_eq(c->cells[row * MAP_W + from + 1].ch, 'D');
	ck_assert_uint_eq(c->cells[row * MAP_W + to].ch, ']');
	ck_assert_uint_eq(c->cells[row * MAP_W + from - 1].ch, ' ');
	ck_assert_uint_eq(c->cells[row * MAP_W + to + 1].ch, ' ');
	canvas_free(c);
	model_free(m);
}
END_TEST

/* Whatever part of the newest column has passed, a steady load is steady. */
START_TEST(the_newest_column_tells_the_rate_of_what_has_passed)
{
	static const int ms[] = { 1, 200, 260, 600, 999, 1250, 2900, 4999, 5000 };
	struct model *m = blank_model(60);
	struct load_view *l = &m->loads[1];
	int64_t from = ZERO_NS + 60 * NS_PER_S, to = from + 5 * NS_PER_S;

	m->now_ns = from + ms[_i] * NS_PER_MS;
	l->state = LOAD_RUN;
	l->rate = 800;
	for (int64_t t = ZERO_NS; t + HISTORY_ROW_NS <= m->now_ns; t += HISTORY_ROW_NS)
		load_history_add(m->load_history[1], t, 200, true);
	ck_assert_double_eq_tol(timeline_rate(m, 1, from, to), 800, 0.001);
	ck_assert_double_eq_tol(timeline_rate(m, 1, from - 5 * NS_PER_S, from), 800, 0.001);
	ck_assert_double_lt(timeline_rate(m, 1, to + NS_PER_S, to + 6 * NS_PER_S), 0);
	l->figure = LOAD_OPS_PER_MIN;
	ck_assert_double_eq_tol(timeline_rate(m, 1, from - 5 * NS_PER_S, from), 48000, 0.001);
	model_free(m);
}
END_TEST

static const struct { int64_t ns; const char *says; } beyond[] = {
	{ 10 * NS_PER_S, "deadline 10.0s is above the scale" },
	{ 500, "deadline 500ns is below the scale" },
	{ 100 * NS_PER_MS, NULL }, { 5 * NS_PER_MS, NULL },
};

START_TEST(a_deadline_beyond_the_scale_is_no_line_at_its_edge)
{
	struct model *m = blank_model(60);
	struct view v;

	fake_view(&v, m, "mono");
	v.theme.unicode = false;
	m->deadline_ns = beyond[_i].ns;
	struct canvas *c = map_of(m, &v, "map");
	char *text = canvas_as_text(c);

	ck_assert_msg(!!strstr(text, "- - -") == !beyond[_i].says, "%s", text);
	ck_assert_msg(!!strstr(text, "the scale") == !!beyond[_i].says, "%s", text);
	if (beyond[_i].says)
		ck_assert_msg(strstr(text, beyond[_i].says) != NULL, "%s", text);
	free(text);
	canvas_free(c);
	model_free(m);
}
END_TEST

static char *text_of(const struct model *m, const struct view *v, const char *name, int w, int h)
{
	struct canvas *c = canvas_new(w, h);
	char *text;

	panel_by_name(name)->draw(m, v, c);
	text = canvas_as_text(c);
	canvas_free(c);
	ck_assert_ptr_nonnull(text);
	return text;
}

static void expect(const struct model *m, const struct view *v, const char *name, int w, int h,
		   const char *want, bool there)
{
	char *text = text_of(m, v, name, w, h);

	ck_assert_msg((strstr(text, want) != NULL) == there, "%s \"%s\" in:\n%s",
		      there ? "no" : "a", want, text);
	free(text);
}

static const struct { unsigned flag; const char *word; } flags[] = {
	{ HISTORY_NOT_RT, "not real-time" }, { HISTORY_STEAL, "stolen" },
	{ HISTORY_STOPPED, "stopped" },
	{ HISTORY_THROTTLED, "throttled" }, { HISTORY_OFFLINE, "offline" },
};

START_TEST(samples_not_to_be_trusted_are_marked_where_they_are)
{
	for (int h = 8; h <= 30; h += 11) {
		struct model *m = blank_model(60);
		struct canvas *c = canvas_new(MAP_W, h);
		struct view v;
		char *text;

		for (int i = 0; i < 240; i++) {
			put_sample(m, i * 0.25, 5000);
			history_flag(m->groups[0].history, ZERO_NS + i * NS_PER_S / 4,
				     flags[_i].flag);
		}
		fake_view(&v, m, "mono");
		panel_by_name("map")->draw(m, &v, c);
		text = canvas_as_text(c);
		ck_assert_msg(strstr(text, flags[_i].word), "%s", text);
		free(text);
		canvas_free(c);
		model_free(m);
	}
}
END_TEST

/* Blank, or the edge of the row. */
static bool blank_at(const struct canvas *c, int x, int y)
{
	return x < 0 || x >= c->r.w || c->cells[y * c->stride + x].ch == ' ';
}

static void check_label(const struct canvas *c, const char *label, int y)
{
	int n = (int)strlen(label), i;

	for (int x = 0; x + n <= c->r.w; x++) {
		for (i = 0; i < n && c->cells[y * c->stride + x + i].ch == (uint32_t)label[i]; i++)
			;
		if (i == n)
			loop_assert_msg(blank_at(c, x - 1, y) && blank_at(c, x + n, y),
					"\"%s\" in:\n%s", label, canvas_as_text(c));
	}
}

/* In a low map marks, their words and the times share a row. */
START_TEST(a_time_on_the_axis_touches_no_mark)
{
	static const char *const words[] = { "interrupted", "baseline set", "x" };
	static const int widths[] = { 40, 80 };

	for (int at = 0; at < 60 * 2 * 3; at++) {
		struct model *m = blank_model(60);
		struct canvas *c = canvas_new(widths[at % 2], 8);
		struct view v;

		model_event(m, ZERO_NS + at / 6 * NS_PER_S, "mark", "%s", words[at / 2 % 3]);
		model_event(m, ZERO_NS + (at / 6 + 9) * NS_PER_S, "reset", "new run");
		fake_view(&v, m, "mono");
		panel_by_name("map")->draw(m, &v, c);
		check_label(c, "now", 7);
		check_label(c, "-15s", 7);
		check_label(c, "-30s", 7);
		canvas_free(c);
		model_free(m);
	}
}
END_TEST

/* In a low map the words of the samples have the row of the mark. */
START_TEST(the_mark_of_the_chosen_spike_is_seen_whatever_is_wrong_there)
{
	struct model *m = blank_model(60);
	struct view v;
	char *text;

	for (int i = 0; i < 240; i++) {
		put_sample(m, i * 0.25, 5000);
		history_flag(m->groups[0].history, ZERO_NS + i * NS_PER_S / 4, flags[_i].flag);
	}
	fake_view(&v, m, "mono");
	for (int at = 30; at < 59; at++) {
		v.end_ns = ZERO_NS + 60 * NS_PER_S;
		v.spike = (struct view_spike){ true, ZERO_NS + at * NS_PER_S + 1, 0, -1 };
		for (int h = 8; h <= 30; h += 11) {
			text = text_of(m, &v, "map", MAP_W, h);
			loop_assert_msg(strstr(text, "\u25bc"), "%d rows, second %d:\n%s", h, at, text);
			loop_assert_msg(strstr(text, flags[_i].word), "%s", text);
			free(text);
		}
		expect(m, &v, "waterfall", MAP_W, 60, "\u25b8", true);
		v.end_ns = 0;
		expect(m, &v, "map", MAP_W, 8, "\u25bc", false);
		expect(m, &v, "waterfall", MAP_W, 60, "\u25b8", false);
	}
	model_free(m);
}
END_TEST

/* ---- words and numbers ---- */

START_TEST(a_percentile_the_count_cannot_carry_is_a_tilde)
{
	static const struct { unsigned samples, tildes; } rows[] = { { 99999, 1 }, { 100000, 0 } };
	struct model *m = blank_model(200);
	struct view v;
	char *text, *line;

	hist_record_n(m->groups[0].run, 5000, rows[_i].samples);
	fake_view(&v, m, "mono");
	text = text_of(m, &v, "percentiles", 40, 10);
	line = strstr(text, "p99.99");
	ck_assert_ptr_nonnull(line);
	*strchr(line, '\n') = '\0';
	/* Column "now" is empty and always a tilde. */
	ck_assert_int_eq(strchr(strchr(line, '~') + 1, '~') != NULL, rows[_i].tildes);
	free(text);
	model_free(m);
}
END_TEST

START_TEST(the_ratio_is_now_over_baseline)
{
	struct model *m = blank_model(60);
	struct view v;

	hist_record_n(m->groups[0].now, 40000, 1000);
	hist_record_n(m->groups[0].run, 40000, 1000);
	hist_record_n(m->groups[0].baseline, 10000, 1000);
	fake_view(&v, m, "mono");
	v.theme.unicode = false;
	expect(m, &v, "percentiles", 42, 10, "x4.00", true);
	hist_clear(m->groups[0].baseline);
	expect(m, &v, "percentiles", 42, 10, "x4.00", false);
	model_free(m);
}
END_TEST

/* Of one CPU there is no run: what is since the start of the program says so. */
START_TEST(the_total_of_one_cpu_is_no_run)
{
	struct model *m = fake_model(FAKE_STORM);
	struct view v;

	fake_view(&v, m, "mono");
	expect(m, &v, "histogram", 100, 12, " run", true);
	expect(m, &v, "waterfall", 120, 40, ": run", true);
	v.cpu = 1;
	model_reset(m, m->now_ns);
	expect(m, &v, "histogram", 100, 12, " run", false);
	expect(m, &v, "histogram", 100, 12, "total p50", true);
	expect(m, &v, "histogram", 100, 12, ": total", true);
	expect(m, &v, "histogram", 100, 12, "HISTOGRAM cpu1 since start ", true);
	expect(m, &v, "waterfall", 120, 40, ": run", false);
	expect(m, &v, "waterfall", 120, 40, ": total", true);
	model_free(m);
}
END_TEST

/* What is corrected in one panel is so in all that tell percentiles. */
START_TEST(percentiles_are_corrected_everywhere)
{
	static const struct { const char *panel; int w, h; const char *raw; } places[] = {
		{ "probes", 100, 1, "p99.9 40.0us" },
		{ "probes", 120, 20, " 40.0us  40.0us 40.0us  40.0us" },	/* p50 to p99.9 */
		{ "percentiles", 42, 12, "p99.9     40.0" },
		{ "oneline", 40, 3, "p99.9 40.0us" },
	};
	struct model *m = blank_model(60);
	struct view v;

	hist_record_n(m->groups[0].run, 40000, 999990);
	hist_record_n(m->groups[0].run, 972 * NS_PER_MS, 3);
	hist_add(m->groups[0].now, m->groups[0].run);
	fake_view(&v, m, "mono");
	for (int corrected = 0; corrected < 2; corrected++) {
		v.corrected = corrected;
		for (unsigned i = 0; i < sizeof(places) / sizeof(places[0]); i++)
			expect(m, &v, places[i].panel, places[i].w, places[i].h, places[i].raw,
			       !corrected);
		expect(m, &v, "histogram", 100, 12, "markers corrected", corrected);
	}
	expect(m, &v, "oneline", 40, 3, "p99.9 638ms", true);
	model_free(m);
}
END_TEST

START_TEST(a_baseline_tells_what_it_missed)
{
	struct model *m = blank_model(60);
	struct view v;

	hist_record_n(m->groups[0].run, 10000, 1000);
	m->series[0].counts.missed = 1007;
	m->groups[0].run_start.missed = 900;
	model_baseline_set(m);
	ck_assert_int_eq(m->groups[0].baseline_missed, 107);
	m->series[0].counts.missed = 1308;
	fake_view(&v, m, "mono");
	expect(m, &v, "percentiles", 42, 12, "     408     107", true);
	m->groups[0].baseline_missed = -1;
	expect(m, &v, "percentiles", 42, 12, "     408       -", true);
	model_free(m);
}
END_TEST

START_TEST(a_baseline_says_which_it_is)
{
	struct model *m = blank_model(62);
	struct view v;

	hist_record_n(m->groups[0].run, 10000, 1000);
	fake_view(&v, m, "mono");
	expect(m, &v, "header", 80, 30, "none", true);
	model_baseline_set(m);
	expect(m, &v, "percentiles", 60, 12, "base run to 00:01:02 ", true);
	expect(m, &v, "header", 80, 30, "run to 00:01:02", true);
	snprintf(m->baseline.name, sizeof(m->baseline.name), "other.json");
	snprintf(m->baseline.facts, sizeof(m->baseline.facts), "6.1.0-rt, 1 CPU");
	expect(m, &v, "percentiles", 42, 12, "base other.json ", true);
	expect(m, &v, "header", 80, 30, "other.json: 6.1.0-rt, 1 CPU", true);
	expect(m, &v, "header", 80, 30, "differs", false);
	snprintf(m->baseline.differs, sizeof(m->baseline.differs), "kernel, CPUs measured");
	expect(m, &v, "percentiles", 60, 12, "base other.json (differs) ", true);
	expect(m, &v, "percentiles", 40, 12, "base differs ", true);
	expect(m, &v, "header", 80, 30, "differs in kernel, CPUs measured", true);
	model_baseline_drop(m);
	expect(m, &v, "percentiles", 60, 12, "base ", false);
	expect(m, &v, "header", 80, 30, "other.json", false);
	model_free(m);
}
END_TEST

/* The last seconds of a file are only known by the cells of its map. */
START_TEST(the_ratio_of_a_replay_is_run_over_baseline)
{
	struct model *m = blank_model(60);
	struct view v;

	hist_record_n(m->groups[0].now, 11000, 1000);
	hist_record_n(m->groups[0].run, 10000, 1000);
	hist_record_n(m->groups[0].baseline, 10000, 1000);
	fake_view(&v, m, "mono");
	v.theme.unicode = false;
	expect(m, &v, "percentiles", 42, 10, "now/base", true);
	expect(m, &v, "percentiles", 42, 10, "x1.10", true);
	m->replay = true;
	expect(m, &v, "percentiles", 42, 10, "run/base", true);
	expect(m, &v, "percentiles", 42, 10, "x1.00", true);
	expect(m, &v, "percentiles", 42, 10, "x1.10", false);
	model_free(m);
}
END_TEST

static const struct { int64_t base_ns; const char *wide, *narrow; } small[] = {
	{ 100000, " x0.40", " x0.40" }, { 4000, " x10.0", " x10.0" }, { 4008, " x9.98", " x9.98" },
	{ 680 * NS_PER_MS, " x5.9e-05", " x<.01" }, { 10700000, " x0.0037", " x<.01" },
	{ 500000, " x0.08", " x0.08" },
};

/* As compare tells them, never 0. */
START_TEST(a_small_ratio_has_its_digits)
{
	struct model *m = blank_model(60);
	struct view v;

	hist_record_n(m->groups[0].now, 40000, 1000);
	hist_record_n(m->groups[0].run, 40000, 1000);
	hist_record_n(m->groups[0].baseline, small[_i].base_ns, 1000);
	fake_view(&v, m, "mono");
	v.theme.unicode = false;
	expect(m, &v, "percentiles", 42, 10, small[_i].wide, true);
	expect(m, &v, "percentiles", 38, 10, small[_i].narrow, true);
	for (int w = 38; w < 60; w++) {
		expect(m, &v, "percentiles", w, 10, "x0.00 ", false);
		expect(m, &v, "percentiles", w, 10, "basenow", false);
	}
	model_free(m);
}
END_TEST

/* A baseline from a file may be of other probes. */
START_TEST(a_baseline_that_lacks_the_probe_is_no_missing_baseline)
{
	struct model *m = models[FAKE_STORM];
	struct view v;

	fake_view(&v, m, "mono");
	v.group = 2;		/* only the first two are in it */
	for (int w = 40; w < 60; w++) {
		expect(m, &v, "percentiles", w, 8, "b sets base", false);
		expect(m, &v, "percentiles", w, 8, "baseline has no", true);
		expect(m, &v, "percentiles", w, 8, "fsync", true);
	}
	m = blank_model(60);
	expect(m, &v, "percentiles", 42, 8, "b sets base", true);
	model_free(m);
}
END_TEST

/* What the height leaves are the first ones, and the maximum. */
START_TEST(no_percentile_is_left_out_between_others)
{
	static const char *const names[] = { " p50 ", " p90 ", " p99 ", " p99.9 ", " p99.99 " };
	struct model *m = models[FAKE_STORM];
	struct view v;

	fake_view(&v, m, "mono");
	for (int deadline = 0; deadline < 2; deadline++) {
		m->deadline_ns = deadline ? NS_PER_MS : 0;
		for (int h = 5; h < 12; h++) {
			for (int i = 0; i < 5; i++)
				expect(m, &v, "percentiles", 42, h, names[i], i < h - 3 - deadline);
			expect(m, &v, "percentiles", 42, h, " max ", true);
			expect(m, &v, "percentiles", 42, h, " >1.00ms ", deadline);
		}
	}
	m->deadline_ns = 0;
}
END_TEST

/* The n of a single column, as it is written. */
static unsigned told_count(const struct model *m, const struct view *v)
{
	char *text = text_of(m, v, "percentiles", 42, 12), *at = strstr(text, " n ");
	unsigned n = 0;

	ck_assert_msg(at && sscanf(at, " n %u", &n) == 1, "%s", text);
	free(text);
	return n;
}

static const struct { int64_t late_ns; unsigned n, more; } omitted[] = {
	{ 10 * NS_PER_US, 200, 0 }, { 999 * NS_PER_US, 7, 0 },	/* nothing was missed */
	{ 5500 * NS_PER_US, 1, 4 }, { 5500 * NS_PER_US, 20, 80 },
};

START_TEST(corrected_figures_are_called_so_at_every_width)
{
	struct view v;

	fake_view(&v, models[FAKE_STORM], NULL);
	v.corrected = true;
	for (int i = 0; i < 4; i++) {
		v.cpu = i & 1 ? 5 : -1;
		v.end_ns = i & 2 ? v.now_ns - 30 * NS_PER_S : 0;
		for (int w = 42; w < 80; w++)
			expect(models[FAKE_STORM], &v, "percentiles", w, 10, "corrected", true);
	}
}
END_TEST

/* What is added is what was not measured, never what was: in the run, in now
 * and in the total of one CPU. */
START_TEST(corrected_adds_the_missed_periods_alone)
{
	struct model *m = blank_model(30);
	struct view v;

	m->series[0].interval_ns = NS_PER_MS;
	m->series[0].cpu = 0;
	for (unsigned i = 0; i < omitted[_i].n; i++) {
		hist_record(m->groups[0].run, omitted[_i].late_ns);
		hist_record(m->groups[0].now, omitted[_i].late_ns);
		hist_record(m->series[0].total, omitted[_i].late_ns);
	}
	fake_view(&v, m, NULL);
	for (int cpu = -1; cpu <= 0; cpu++) {
		v.cpu = cpu;
		v.corrected = false;
		ck_assert_uint_eq(told_count(m, &v), omitted[_i].n);
		v.corrected = true;
		ck_assert_uint_eq(told_count(m, &v), omitted[_i].n + omitted[_i].more);
	}
	model_free(m);
}
END_TEST

START_TEST(the_share_beyond_the_deadline_is_told)
{
	struct model *m = blank_model(60);
	struct view v;

	hist_record_n(m->groups[0].run, 1000000, 950);
	hist_record_n(m->groups[0].run, 9000000, 50);
	m->deadline_ns = 5000000;
	fake_view(&v, m, "mono");
	expect(m, &v, "percentiles", 42, 10, "5%", true);
	expect(m, &v, "percentiles", 42, 10, ">5.00ms", true);
	model_free(m);
}
END_TEST

/* Name and shares stand apart whatever their digits. */
START_TEST(a_share_beyond_the_deadline_touches_nothing)
{
	static const struct { uint64_t within, beyond; const char *told; } shares[] = {
		{ 980000, 50, ">5.33ms 0.005% " }, { 99999900, 10, ">5.33ms <.001% " },
		{ 0, 50, ">5.33ms 100.0% " }, { 790000, 100, ">5.33ms 0.013% " },
		{ 95000, 9, ">5.33ms 0.009% " },
	};
	struct model *m = blank_model(60);
	struct view v;

	hist_record_n(m->groups[0].run, 1000000, shares[_i].within);
	hist_record_n(m->groups[0].run, 9000000, shares[_i].beyond);
	hist_record_n(m->groups[0].now, 1000000, shares[_i].within);
	hist_record_n(m->groups[0].now, 9000000, shares[_i].beyond);
	m->deadline_ns = 5333333;
	fake_view(&v, m, "mono");
	expect(m, &v, "percentiles", 42, 10, shares[_i].told, true);
	model_free(m);
}
END_TEST

START_TEST(the_header_says_what_the_kernel_granted)
{
	struct view v;

	for (int w = 24; w <= 200; w += 8) {
		fake_view(&v, models[FAKE_PLAIN], "mono");
		expect(models[FAKE_PLAIN], &v, "header", w, 1, "NOT REAL-TIME", true);
		expect(models[FAKE_PLAIN], &v, "header", w, 1, "FIFO", false);
	}
	expect(models[FAKE_PLAIN], &v, "header", 100, 4, "RLIMIT_RTPRIO", true);
	fake_view(&v, models[FAKE_STORM], "mono");
	expect(models[FAKE_STORM], &v, "header", 80, 1, "FIFO 80", true);
	expect(models[FAKE_STORM], &v, "header", 80, 1, "NOT REAL-TIME", false);
	models[FAKE_STORM]->groups[0].have_rt = false;
	expect(models[FAKE_STORM], &v, "header", 80, 1, "PARTLY REAL-TIME", true);
	models[FAKE_STORM]->groups[0].have_rt = true;
}
END_TEST

START_TEST(a_view_that_stands_still_says_so)
{
	const struct model *m = models[FAKE_STORM];
	struct view v;

	fake_view(&v, m, "mono");
	expect(m, &v, "header", 80, 1, "LIVE", true);
	v.paused = true;
	v.frozen_ns = v.end_ns = v.now_ns - 12 * NS_PER_S;
	expect(m, &v, "header", 80, 1, "LIVE", false);
	expect(m, &v, "header", 80, 1, "PAUSED -00:00:12", true);
}
END_TEST

/* Led to a spike of its last second, a recording is seen at its end. */
START_TEST(a_view_that_is_not_behind_is_not_back_by_nothing)
{
	struct model *m = models[FAKE_STORM];
	struct view v;

	fake_view(&v, m, "mono");
	for (int i = 0; i < 4; i++) {
		m->replay = i & 1;
		v.paused = i & 2;
		v.frozen_ns = v.end_ns = m->now_ns;
		expect(m, &v, "header", 80, 1, "-00:00:00", false);
		expect(m, &v, "header", 80, 1, "PAUSED", v.paused);
		expect(m, &v, "header", 80, 1, "BACK", i == 0);
		v.frozen_ns = v.end_ns = m->now_ns - 12 * NS_PER_S;
		expect(m, &v, "header", 80, 1, v.paused ? "PAUSED -00:00:12" : "BACK -00:00:12",
		       true);
	}
	m->replay = false;
}
END_TEST

START_TEST(what_no_probe_measures_cpu_by_cpu_is_said)
{
	struct model *m = models[FAKE_PLAIN];
	struct cpuset measured = m->measured;
	struct view v;

	fake_view(&v, m, "mono");
	expect(m, &v, "header", 100, 24, "0-1 of 2 online", true);
	m->measured = (struct cpuset){ 0 };
	expect(m, &v, "header", 100, 24, "no CPU by itself, 2 online", true);
	expect(m, &v, "header", 200, 1, "2 CPUs", true);
	m->measured = measured;
}
END_TEST

START_TEST(a_file_without_a_probe_asks_for_none)
{
	struct model *m = blank_model(60);
	struct view v;

	fake_view(&v, m, "mono");
	m->groups[0].on = false;
	expect(m, &v, "probes", 80, 1, "Enter turns one on", true);
	m->replay = true;
	expect(m, &v, "probes", 80, 1, "Enter", false);
	expect(m, &v, "probes", 80, 1, "no probe in this file", true);
	model_free(m);
}
END_TEST

/* A slow probe has no p99.9 for hours: another percentile stands there. */
START_TEST(a_probe_of_few_samples_shows_what_they_carry)
{
	static const struct { unsigned samples; const char *want; } rows[] = {
		{ 3, "p50 ~" }, { 50, "p50 " }, { 2000, "p99 " }, { 20000, "p99.9 5." },
	};
	struct model *m = blank_model(60);
	struct view v;

	for (unsigned i = 0; i < rows[_i].samples; i++)
		hist_record(m->groups[0].run, 5000);
	fake_view(&v, m, NULL);
	expect(m, &v, "probes", 45, 1, rows[_i].want, true);
	model_free(m);
}
END_TEST

/* As many as fit, whole, and how many more: a figure and its unit touch neither. */
START_TEST(further_probes_are_counted_at_every_width)
{
	static const char *const names[] = { "wakeup-fifo", "wakeup-other", "syscall-null", "fork", "signal" };
	struct model_spec spec = { .groups = 16, .series = 16, .digits = 3, .start_ns = NS_PER_S };
	struct model *m = model_new(&spec);
	struct view v;

	for (unsigned i = 0; i < 16; i++) {
		struct group *g = &m->groups[i];

		snprintf(g->name, sizeof(g->name), "%s", names[i % 5]);
		g->on = true;
		g->first = i;
		g->nr = 1;
		for (int k = 0; k < 20000; k++)
			hist_record(g->run, 7240000);
	}
	fake_view(&v, m, NULL);
	for (int w = 39; w < 200; w++) {
		char *text = text_of(m, &v, "probes", w, 1), *more = strstr(text, " +");
		unsigned cells = 0, most = 0;

		for (const char *at = text; (at = strstr(at, "p99.9 7.24ms max 7.24ms ")); at++)
			cells++;
		for (const char *at = text; (at = strstr(at, "max ")); at++)
			most++;
		loop_assert_msg(cells >= 1 && cells == most && more &&
				strtoul(more + 2, NULL, 10) == 16 - cells, "%d columns: %s", w, text);
		free(text);
	}
	model_free(m);
}
END_TEST

START_TEST(a_call_in_flight_is_the_maximum_until_it_ends)
{
	struct view v;

	fake_view(&v, models[FAKE_TROUBLE], "mono");
	expect(models[FAKE_TROUBLE], &v, "probes", 80, 1, "2.40s..", true);
	expect(models[FAKE_TROUBLE], &v, "oneline", 30, 2, "2.40s..", true);
}
END_TEST

static const struct { int64_t ns; const char *text; } flights[] = {
	{ 30200 * NS_PER_US, "max 30.2ms.. " }, { 688 * NS_PER_MS, "max 688ms.. " },
	{ 2400 * NS_PER_MS, "max 2.40s.. " }, { 70 * NS_PER_S, "max 1.17m.. " },
};

/* The longest of figures leaves a blank before the next probe. */
START_TEST(a_call_in_flight_does_not_touch_the_next_probe)
{
	struct model *m = models[FAKE_TROUBLE];
	struct view v;

	fake_view(&v, m, "mono");
	m->series[1].in_flight_ns = flights[_i].ns;
	for (int w = 79; w < 240; w++)
		expect(m, &v, "probes", w, 1, flights[_i].text, true);
}
END_TEST

/* F42: a row says what it is. */
START_TEST(cpus_that_are_gone_or_isolated_are_named)
{
	struct view v;

	fake_view(&v, models[FAKE_TROUBLE], "mono");
	expect(models[FAKE_TROUBLE], &v, "cpus", 120, 3, "offline", true);
	expect(models[FAKE_TROUBLE], &v, "cpus", 120, 3, "silent", true);
	fake_view(&v, models[FAKE_STORM], "mono");
	expect(models[FAKE_STORM], &v, "cpus", 120, 3, "cpu2i", true);
}
END_TEST

START_TEST(with_more_cpus_than_room_the_worst_come_first)
{
	struct model *m = models[FAKE_CPUS];
	int64_t kept = m->series[90].column_max_ns;
	struct view v;
	char *text;

	m->series[90].column_max_ns = 80 * NS_PER_MS;
	fake_view(&v, m, "mono");
	text = text_of(m, &v, "cpus", 120, 3);
	ck_assert_ptr_eq(strstr(strchr(text, '\n'), "cpu"), strstr(text, "cpu90"));
	free(text);
	m->series[90].column_max_ns = kept;
}
END_TEST

START_TEST(a_failed_load_tells_why)
{
	struct view v;

	fake_view(&v, models[FAKE_TROUBLE], "mono");
	expect(models[FAKE_TROUBLE], &v, "loads", 38, 8, "FAILED cannot", true);
	expect(models[FAKE_TROUBLE], &v, "loadlist", 100, 26, "FAILED cannot listen on 127.0.0.1",
	       true);
	fake_view(&v, models[FAKE_PLAIN], "mono");
	expect(models[FAKE_PLAIN], &v, "loads", 38, 8, "--no-loads was given", true);
}
END_TEST

START_TEST(the_selected_load_tells_what_it_did)
{
	struct model *m = models[FAKE_STORM];
	const struct load_view kept = m->loads[0];
	const struct load churn = { .name = "churn", .summary = "files", .pass_name = "traces" };
	struct view v;

	fake_view(&v, m, "mono");
	m->loads[0].load = &churn;
	m->loads[0].state = LOAD_RUN;
	m->loads[0].rate_mean = 498;
	m->loads[0].passes = 12;
	m->loads[0].max_op_ns = 12 * NS_PER_MS;
	expect(m, &v, "loadlist", 100, 26, "average 498 MB/s  passes 12  slowest call 12.0ms", true);
	expect(m, &v, "loadlist", 100, 26, "errors", false);
	expect(m, &v, "loadlist", 100, 26, "no knobs", true);
	snprintf(m->loads[0].cpus, sizeof(m->loads[0].cpus), "0,2-3");
	expect(m, &v, "loadlist", 100, 26, "cpus=0,2-3", true);
	m->loads[0].errors = 3;
	expect(m, &v, "loadlist", 100, 26, "errors 3", true);
	m->loads[0] = kept;
}
END_TEST

START_TEST(probes_alone_on_the_screen_tell_what_they_count)
{
	struct model *m = models[FAKE_STORM];
	const struct group kept = m->groups[0];
	struct series *one = &m->series[m->groups[0].first], *two = one + 1, was[2] = { *one, *two };
	const struct probe probe = { .name = "sound", .counters = {
		{ .name = "skips", .is_event = true }, { .name = "longest", .is_time = true, .is_most = true },
		{ .name = "deadlines" }, { .name = "met", .share_of = "deadlines" },
	} };
	char want[40];
	struct view v;

	fake_view(&v, m, "mono");
	m->groups[0].probe = &probe;
	m->groups[0].nr = 2;
	memcpy(one->counter, (int64_t[]){ 1, 5 * NS_PER_MS, 100, 90 }, 4 * sizeof(int64_t));
	memcpy(two->counter, (int64_t[]){ 2, 7 * NS_PER_MS, 100, 100 }, 4 * sizeof(int64_t));
	snprintf(want, sizeof(want), "skips 3 (%.1f/min)", 3 * 60e9 / (double)(m->now_ns - m->zero_ns));
	expect(m, &v, "probes", 100, 20, want, true);
	expect(m, &v, "probes", 100, 20, "longest 7.00ms  met 95.0%", true);
	expect(m, &v, "probes", 100, 20, "since start", false);
	int64_t reset_ns = m->reset_ns;

	m->reset_ns = m->zero_ns + NS_PER_S;	/* the rows are younger than the counters */
	expect(m, &v, "probes", 100, 20, "since start:  skips 3", true);
	m->reset_ns = reset_ns;
	expect(m, &v, "probes", 100, 20, "deadlines", false);
	expect(m, &v, "probes", 100, 20, "policy", true);
	expect(m, &v, "probes", 60, 20, "policy", false);
	expect(m, &v, "probes", 79, 20, "…", false);
	expect(m, &v, "probes", 79, 20, " 30.2ms\n", true);
	expect(m, &v, "probes", 120, 20, "interrupted", true);
	expect(m, &v, "probes", 120, 20, " p99.9 ", true);
	expect(m, &v, "probes", 100, 1, "policy", false);
	m->groups[0] = kept;
	*one = was[0];
	*two = was[1];
}
END_TEST

/* Beside a maximum of the run. */
START_TEST(what_a_probe_counted_is_of_the_run)
{
	struct model *m = fake_model(FAKE_STORM);
	struct series *one = &m->series[m->groups[0].first], *two = one + 1;
	const struct probe probe = { .name = "sound",
				     .counters = { { .name = "skips", .is_event = true },
						   { .name = "depth", .is_event = true, .is_most = true } } };
	struct view v;

	fake_view(&v, m, "mono");
	m->groups[0].probe = &probe;
	m->groups[0].nr = 2;
	one->counter[0] = 12;
	two->counter[0] = 4;
	two->counter[1] = 7;
	expect(m, &v, "probes", 100, 1, "skips 16 depth 7", true);
	model_reset(m, m->now_ns);
	expect(m, &v, "probes", 100, 1, "skips", false);
	expect(m, &v, "probes", 100, 1, "depth", false);
	two->counter[0] += 3;
	expect(m, &v, "probes", 100, 1, "skips 3", true);
	one->counter[0] = 1;		/* its probe began anew */
	two->counter[1] = 9;
	expect(m, &v, "probes", 100, 1, "skips 4 depth 9", true);
	expect(m, &v, "probes", 100, 20, "since start:", true);
	one->counter[0] = 12;
	ck_assert(model_reset_undo(m, m->now_ns));
	expect(m, &v, "probes", 100, 1, "skips 19 depth 9", true);
	model_free(m);
}
END_TEST

/* Small or alone on the screen: the worst of all CPUs is no sum. */
START_TEST(a_largest_that_is_an_event_is_the_largest_of_all_cpus)
{
	struct model *m = models[FAKE_STORM];
	const struct group kept = m->groups[0];
	struct series *one = &m->series[m->groups[0].first], *two = one + 1, was[2] = { *one, *two };
	const struct probe probe = { .name = "sound",
				     .counters = { { .name = "depth", .is_event = true, .is_most = true } } };
	struct view v;

	fake_view(&v, m, "mono");
	m->groups[0].probe = &probe;
	m->groups[0].nr = 2;
	one->counter[0] = 5;
	two->counter[0] = 7;
	expect(m, &v, "probes", 100, 1, "depth 7", true);
	expect(m, &v, "probes", 100, 20, "depth 7", true);
	m->groups[0] = kept;
	*one = was[0];
	*two = was[1];
}
END_TEST

/* As the percentiles beside them, and the list of the worst. */
START_TEST(a_new_run_begins_with_no_samples_and_no_spikes)
{
	struct model *m = fake_model(FAKE_STORM);
	struct view v;

	fake_view(&v, m, "mono");
	m->series[m->groups[0].first].counts.count += 7777777;
	m->series[m->groups[0].first].counts.errors += 9;
	m->latest_seen = 3000;
	m->spikes_seen = 10;
	m->spikes_unread = 4;
	expect(m, &v, "probes", 100, 20, "9.7M", true);
	expect(m, &v, "spikes", 120, 20, "WORST SPIKES 14 ", true);
	expect(m, &v, "spikes", 120, 20, " of ", false);
	m->spikes_unread = 104;
	expect(m, &v, "spikes", 120, 20, "WORST SPIKES 14 of 114 ", true);
	model_reset(m, m->now_ns);
	expect(m, &v, "probes", 100, 20, "9.7M", false);
	expect(m, &v, "spikes", 120, 20, "WORST SPIKES 0 ", true);
	expect(m, &v, "spikes", 120, 20, " of ", false);
	v.spikes = SPIKES_LATEST;
	expect(m, &v, "spikes", 120, 20, "LATEST SPIKES 0 ", true);
	expect(m, &v, "spikes", 120, 20, " of ", false);
	for (int i = 0; i < 3; i++)
		model_spike(m, &(struct spike){ .t_ns = m->now_ns + 1, .late_ns = NS_PER_MS });
	expect(m, &v, "spikes", 120, 20, "LATEST SPIKES 3 ", true);
	ck_assert(model_reset_undo(m, m->now_ns));
	expect(m, &v, "spikes", 120, 20, " of 3003 ", true);
	model_free(m);
}
END_TEST

START_TEST(the_ladder_tells_how_far_it_is)
{
	struct model *m = models[FAKE_STORM];
	struct view v;

	fake_view(&v, m, "mono");
	v.ladder.on = true;
	expect(m, &v, "status", 100, 1, "ladder:", false);	/* nothing of it has begun */
	v.ladder.step = 2;
	v.ladder.steps = 24;
	v.ladder.left_ns = 200 * NS_PER_S;
	expect(m, &v, "status", 100, 1, "ladder: step 2 of 24, 00:03:20 left; J stops it", true);
	model_status(m, false, "churn x2: running");
	expect(m, &v, "status", 100, 1, "J stops it   churn x2: running", true);
	model_status(m, true, "disk full");
	expect(m, &v, "status", 100, 1, "ladder:", false);
	model_status(m, false, "%s", "");
}
END_TEST

START_TEST(the_filter_picks_spikes)
{
	struct model *m = models[FAKE_STORM];
	struct view v;

	fake_view(&v, m, "mono");
	expect(m, &v, "spikes", 120, 20, "WORST SPIKES 14  held by kworker", true);
	m->blamed[0].spikes += 100;	/* more than the list has */
	expect(m, &v, "spikes", 120, 20, "WORST SPIKES 14  all 114 held by kworker", true);
	m->blamed[0].spikes -= 100;
	snprintf(v.filter, sizeof(v.filter), "cpu:1 >4ms");
	expect(m, &v, "spikes", 120, 20, "2 of 14", true);
	snprintf(v.filter, sizeof(v.filter), ">1s");
	expect(m, &v, "spikes", 120, 20, "none passes", true);
	v.spikes = SPIKES_CULPRITS;	/* sums, of which none can be taken out */
	expect(m, &v, "spikes", 120, 20, "14 spikes (not filtered)", true);
	v.filter[0] = '\0';
	expect(m, &v, "spikes", 120, 20, "not filtered", false);
}
END_TEST

static const struct { int64_t after_ns; const char *when; } whens[] = {
	{ 0, " 00:00:00.0 " }, { 12345 * NS_PER_MS, " 00:00:12.3 " },
	{ 86399999 * NS_PER_MS, " 23:59:59.9 " }, { 86400900 * NS_PER_MS, " 1+00:00:00 " },
};

/* Several are often of one second. */
START_TEST(a_spike_is_told_to_a_tenth_of_a_second)
{
	struct model *m = blank_model(90000);
	struct spike p = { .t_ns = ZERO_NS + whens[_i].after_ns, .late_ns = 5 * NS_PER_MS };
	struct view v;

	model_spike(m, &p);
	fake_view(&v, m, "mono");
	for (int w = 32; w < 160; w += 8) {
		expect(m, &v, "spikes", w, 8, whens[_i].when, true);
		expect(m, &v, "spikes", w, 8, " 5.00ms ", true);
	}
	model_free(m);
}
END_TEST

START_TEST(the_spikes_promise_enter_where_it_is_theirs)
{
	struct model *m = models[FAKE_STORM];
	struct view v;

	fake_view(&v, m, "mono");
	for (int w = 60; w < 200; w += 20) {
		v.focus = 0;
		expect(m, &v, "spikes", w, 20, "Enter", false);
		while (panels[v.focus] != panel_by_name("spikes"))
			v.focus++;
		expect(m, &v, "spikes", w, 20, "Enter", true);
	}
}
END_TEST

START_TEST(culprits_stay_in_sight_when_a_new_run_has_fewer)
{
	struct model *m = models[FAKE_STORM];
	struct view v;

	fake_view(&v, m, "mono");
	v.spikes = SPIKES_CULPRITS;
	ck_assert_uint_gt(m->nr_blamed, 1);
	v.blame_row = m->nr_blamed - 1;
	expect(m, &v, "spikes", 120, 20, "kworker", true);
	v.blame_row = 0;
	expect(m, &v, "spikes", 32, 20, "unknown 2 % (0)", true);	/* in the room there is */
	expect(m, &v, "spikes", 120, 20, "14 spikes ", true);
	expect(m, &v, "spikes", 120, 20, "not looked at", false);
	m->spikes_unread = 3;
	expect(m, &v, "spikes", 120, 20, "14 spikes, 3 not looked at", true);
	m->spikes_unread = 0;
	v.blame_row = m->nr_blamed - 1;
	m->nr_blamed = 1;
	v.blame_row = 7;
	expect(m, &v, "spikes", 120, 20, "kworker", true);
	m->nr_blamed = 0;
	expect(m, &v, "spikes", 120, 20, "nobody yet", true);
}
END_TEST

/* An interrupt, the idle task and many tasks of one name have none. */
START_TEST(a_culprit_without_a_number_shows_none)
{
	struct model *m = models[FAKE_STORM];
	struct spike p = { .t_ns = m->now_ns, .late_ns = 95 * NS_PER_MS, .nr = 3, .culprit = {
		{ -1, "irq 24 nvme0q1", 90 * NS_PER_MS }, { 0, "idle", 3 * NS_PER_MS },
		{ 77, "bash", 2 * NS_PER_MS } } };
	struct spike own = { .t_ns = m->now_ns, .late_ns = 96 * NS_PER_MS, .nr = 1, .culprit = {
		{ 16177, "itself: IRQ or host", 96 * NS_PER_MS } } };
	struct view v;

	model_spike(m, &p);
	model_spike(m, &own);
	fake_view(&v, m, "mono");
	expect(m, &v, "spikes", 120, 20, "itself: IRQ or host 96.0ms", true);
	expect(m, &v, "spikes", 120, 20, "irq 24 nvme0q1 90.0ms  idle 3.00ms  bash[77] 2.00ms", true);
}
END_TEST

/* Where one row is too short for it. */
START_TEST(a_question_is_told_whole)
{
	struct view v;

	fake_view(&v, models[FAKE_STORM], NULL);
	v.ask = ASK_LOAD;
	snprintf(v.ask_text, sizeof(v.ask_text),
		 "mem takes 12GB of memory and can hurt this machine. Start it? [y/N]");
	for (int w = 30; w < 90; w += 5) {
		struct canvas *c = screen(models[FAKE_STORM], &v, w, 10);
		char *text = canvas_as_text(c);

		ck_assert_msg(strstr(text, "hurt") && strstr(text, "Start") && strstr(text, "[y/N]"),
			      "%d columns:\n%s", w, text);
		free(text);
		canvas_free(c);
	}
}
END_TEST

START_TEST(an_age_has_the_units_it_needs)
{
	static const struct { int s, longest_s; const char *told; } ages[] = {
		{ 45, 60, "-45s" }, { 90, 100, "-90s" }, { 45, 400, "-45s" }, { 90, 400, "-1m30" },
		{ 6300, 7000, "-1h45" }, { 900, 20000, "-15m00" },
	};
	char text[32];

	for (unsigned i = 0; i < sizeof(ages) / sizeof(ages[0]); i++)
		ck_assert_str_eq(timeline_age(text, sizeof(text), ages[i].s * NS_PER_S,
					      ages[i].longest_s * NS_PER_S), ages[i].told);
}
END_TEST

START_TEST(cpu_time_is_told_of_the_cpus_there_are)
{
	struct model *m = blank_model(60);
	struct view v;

	cpuset_parse(&m->system.online, "0-1", false, NULL);
	m->rates.cpu_busy_pct = 118;
	fake_view(&v, m, "mono");
	expect(m, &v, "system", 20, 6, "CPUs busy 1.2 of 2", true);
	model_free(m);
}
END_TEST

/* Spikes of a probe that has no CPU are in the list, and nobody's. */
START_TEST(all_spikes_are_no_fewer_than_the_list_has)
{
	struct model *m = models[FAKE_STORM];
	uint64_t spikes = m->blamed[0].spikes, seen = m->spikes_seen, unread = m->spikes_unread;
	struct view v;

	fake_view(&v, m, "mono");
	m->spikes_seen = 71;
	m->spikes_unread = 0;
	m->blamed[0].spikes = 66;
	expect(m, &v, "spikes", 160, 20, " 66 on a known CPU held by ", true);
	expect(m, &v, "spikes", 160, 20, "all 66", false);
	m->blamed[0].spikes = 71;
	expect(m, &v, "spikes", 160, 20, "all 71 held by ", true);
	m->blamed[0].spikes = spikes;
	m->spikes_seen = seen;
	m->spikes_unread = unread;
}
END_TEST

START_TEST(a_list_without_spikes_blames_no_filter_that_is_not_set)
{
	struct model *m = models[FAKE_STORM];
	struct view v;

	fake_view(&v, m, "mono");
	v.spikes = SPIKES_LATEST;
	m->latest_seen = 0;
	expect(m, &v, "spikes", 120, 20, "none yet", true);
	m->replay = true;		/* of a file from before they were kept */
	expect(m, &v, "spikes", 120, 20, "the latest are not in this file", true);
	expect(m, &v, "spikes", 120, 20, "filter", false);
}
END_TEST

START_TEST(the_last_message_stands_until_it_is_old)
{
	struct model *m = models[FAKE_IDLE];
	struct view v;

	fake_view(&v, m, "mono");
	model_status(m, false, "saved /tmp/x.json");
	m->status_ns = m->now_ns - 2 * NS_PER_S;
	expect(m, &v, "status", 80, 1, "saved /tmp/x.json", true);
	m->status_ns = m->now_ns - 60 * NS_PER_S;
	expect(m, &v, "status", 80, 1, "saved /tmp/x.json", false);
	expect(m, &v, "status", 80, 1, "help", true);
}
END_TEST

/* Only the picture stands still: the figures beside it say so. */
START_TEST(figures_that_go_on_beside_a_frozen_picture_say_so)
{
	static const char *const names[] = { "percentiles", "histogram" };
	struct view v;

	fake_view(&v, models[FAKE_STORM], NULL);
	for (int still = 0; still < 3; still++) {
		v.paused = still == 1;
		v.frozen_ns = v.now_ns - NS_PER_S;
		v.end_ns = still == 2 ? v.now_ns - 30 * NS_PER_S : 0;
		struct canvas *c = canvas_new(43, 10);

		panel_by_name(names[_i])->draw(models[FAKE_STORM], &v, c);
		char *text = canvas_as_text(c);

		ck_assert_msg(!!strstr(text, "live") == (still > 0), "%s", text);
		if (_i)		/* and what is what, too */
			ck_assert_msg(strstr(text, still ? "█ now  █ run  ━ base"
					     : "█ last 10 s  █ run  ━ base"), "%s", text);
		free(text);
		canvas_free(c);
	}
}
END_TEST

/* Where the waterfall is seen back, its rows have the time of the run. */
START_TEST(a_waterfall_seen_back_tells_times)
{
	struct model *m = models[FAKE_STORM];
	struct view v;
	char told[32];

	fake_view(&v, m, "mono");
	v.kind = VIEW_WATERFALL;
	v.paused = true;
	v.frozen_ns = v.end_ns = m->now_ns - 20 * NS_PER_S;
	text_span(told, sizeof(told), plot_edge(m, &v) - 5 * view_column_ns(&v) - m->zero_ns);
	for (int w = 40; w < 200; w += 53)
		expect(m, &v, "waterfall", w, 30, told, true);
}
END_TEST

/* The key of colours lies in the same row. */
START_TEST(a_waterfall_tells_which_end_is_new_in_full_or_not_at_all)
{
	struct view v;

	fake_view(&v, models[FAKE_STORM], NULL);
	for (int w = 30; w < 160; w++) {
		char *text = text_of(models[FAKE_STORM], &v, "waterfall", w, 30);

		ck_assert_msg(!strstr(text, "newest") == !strstr(text, " newest on top "), "%s", text);
		ck_assert_msg(w < 90 || strstr(text, "newest on top"), "%d: %s", w, text);
		free(text);
	}
}
END_TEST

/* Hints come and go with what runs, not with the digits of a figure. */
START_TEST(the_hints_stay_while_the_cost_changes)
{
	struct model *m = models[FAKE_IDLE];
	char first[400] = "";
	struct view v;

	fake_view(&v, m, "mono");
	m->status[0] = '\0';
	for (int i = 0; i < 4; i++) {
		static const double cpu[] = { 0.2, 12.3, 1, 99.9 }, bytes[] = { 0, 859, 9800, 120000 };

		m->self.cpu_pct = cpu[i];
		m->self.terminal_bytes_per_s = bytes[i];
		char *text = text_of(m, &v, "status", 120, 1), *end = strstr(text, "self");

		ck_assert_ptr_nonnull(end);
		while (end > text && end[-1] == ' ')
			end--;
		*end = '\0';
		if (!i)
			snprintf(first, sizeof(first), "%s", text);
		ck_assert_str_eq(text, first);
		free(text);
	}
}
END_TEST

/* Why there are no loads ends with what to do. */
START_TEST(the_reason_for_no_loads_is_told_whole)
{
	struct model *m = blank_model(60);
	struct view v;

	fake_view(&v, m, "mono");
	snprintf(m->supervisor_why, sizeof(m->supervisor_why),
		 "loads are off; start without --no-loads to have them");
	for (int w = 30; w < 60; w += 7)
		expect(m, &v, "loads", w, 8, "them", true);
	model_free(m);
}
END_TEST

/* A unit that has no room is left out, never cut. */
START_TEST(a_rate_is_told_whole)
{
	struct model *m = blank_model(60);
	struct view v;

	snprintf(m->loads[1].name, sizeof(m->loads[1].name), "sh");
	snprintf(m->loads[1].rate_unit, sizeof(m->loads[1].rate_unit), "scripts/min");
	m->loads[1].figure = LOAD_OPS_PER_MIN;
	m->loads[1].state = LOAD_RUN;
	m->loads[1].rate = _i > 1 ? 5312 : 867;
	fake_view(&v, m, NULL);
	v.loads_open = _i % 2;
	for (int w = v.loads_open ? 40 : 70; w < 140; w += 2) {
		struct canvas *c = screen(m, &v, w, _i % 2 ? 40 : 24);
		char *text = canvas_as_text(c);

		ck_assert_msg(strstr(text, _i > 1 ? "5.3k/min" : "7/min") != NULL, "%d columns:\n%s", w, text);
		free(text);
		canvas_free(c);
	}
	model_free(m);
}
END_TEST

static const struct { enum load_state state; int64_t ran_ns; const char *since, *brief; } sinces[] = {
	{ LOAD_RUN, 4 * NS_PER_S, " 4s ", " 4s " }, { LOAD_RUN, 99 * NS_PER_S, " 99s ", " 99s " },
	{ LOAD_RUN, 245 * NS_PER_S, " 4m05 ", " 4m " }, { LOAD_RUN, 5999 * NS_PER_S, " 99m59 ", " 99m " },
	{ LOAD_RUN, 7800 * NS_PER_S, " 2h10 ", " 2h " },
	{ LOAD_RUN, 500000 * NS_PER_S, " 138h53 ", " 5d " },
	{ LOAD_OFF, 0, " last ", " was " },
};

static const struct { double rate; const char *text; } told[] = {
	{ 482, " 482 MB/s" }, { 1100, " 1.1 GB/s" }, { 53000, " 53 GB/s" }, { 1e6, " 1.0 TB/s" },
};
#define RATES (sizeof(told) / sizeof(told[0]))

/* Number and unit are two words, and touch neither the time nor the edge, in
 * each row of the panel that the common sizes have. */
START_TEST(a_rate_in_a_narrow_panel_has_its_blanks)
{
	struct model *m = blank_model(60);
	struct load_view *l = &m->loads[0];
	struct view v;

	snprintf(l->name, sizeof(l->name), "bandwidth");
	snprintf(l->rate_unit, sizeof(l->rate_unit), "MB/s");
	l->figure = LOAD_BYTES;
	l->state = sinces[_i].state;
	l->runs = 1;
	l->workers = 128;
	l->start_ns = m->now_ns - sinces[_i].ran_ns;
	fake_view(&v, m, NULL);
	for (int at = 0; at < 20 * (int)RATES; at++) {
		int w = 36 + at % 20;
		char *text, *row, *end;

		l->rate = l->rate_mean = told[at / 20].rate;
		text = text_of(m, &v, "loads", w, 10);
		row = strstr(text, "bandwidth");

		row = row ? strstr(row + 1, "bandwidth") : NULL;
		row = row ? row : strstr(text, "bandwidth");
		ck_assert_ptr_nonnull(row);
		end = strchr(row, '\n');
		*end = '\0';
		ck_assert_msg(strstr(row, told[at / 20].text), "%d columns: %s", w, row);
		ck_assert_msg(strstr(row, sinces[_i].since) || strstr(row, sinces[_i].brief),
			      "%d columns: %s", w, row);
		free(text);
	}
	model_free(m);
}
END_TEST

START_TEST(the_hints_of_the_loads_end_before_the_edge)
{
	struct view v;

	fake_view(&v, models[FAKE_STORM], NULL);
	for (int w = 18; w < 90; w++) {
		struct canvas *c = canvas_new(w, 10);

		panel_by_name("loads")->draw(models[FAKE_STORM], &v, c);
		ck_assert_msg(c->cells[9 * c->stride + w - 1].ch == ' ', "%d columns", w);
		canvas_free(c);
	}
	expect(models[FAKE_STORM], &v, "loads", 36, 10, "0 stop all  l list", true);
}
END_TEST

/* However long the question and narrow the screen, how to answer is in sight. */
START_TEST(a_question_shows_how_it_is_answered)
{
	struct view v;

	fake_view(&v, models[FAKE_STORM], NULL);
	v.ask = ASK_LOAD;
	memset(v.ask_text, 'x', sizeof(v.ask_text) - 1);
	for (int w = 24; w < 140; w += 7) {
		struct canvas *c = screen(models[FAKE_STORM], &v, w, 24);
		char *text = canvas_as_text(c);

		ck_assert_msg(strstr(text, "[y/N]") != NULL, "%d columns:\n%s", w, text);
		free(text);
		canvas_free(c);
	}
}
END_TEST

START_TEST(a_tiny_screen_is_one_line)
{
	struct view v;

	fake_view(&v, models[FAKE_STORM], "mono");
	v.theme.unicode = false;
	expect(models[FAKE_STORM], &v, "oneline", 60, 1, "F fork x4 RUN", true);
	expect(models[FAKE_STORM], &v, "oneline", 60, 1, "p99.9 ", true);
	expect(models[FAKE_STORM], &v, "oneline", 60, 1, "max ", true);
	fake_view(&v, models[FAKE_PLAIN], "mono");
	expect(models[FAKE_PLAIN], &v, "oneline", 30, 2, "NOT RT", true);
}
END_TEST

Suite *panels_suite(void);

Suite *panels_suite(void)
{
	Suite *s = suite_create("panels");
	TCase *all = tcase_create("every panel"), *map = tcase_create("map"),
	      *words = tcase_create("words");

	tcase_set_timeout(all, 120);
	tcase_add_unchecked_fixture(all, make_models, free_models);
	tcase_add_loop_test(all, a_panel_draws_every_cell_of_its_view_and_no_other, 0, FAKE_KINDS);
	tcase_add_loop_test(all, a_view_that_points_nowhere_is_drawn, 0,
			    sizeof(odd) / sizeof(odd[0]));
	tcase_add_test(all, no_page_of_the_help_ends_with_a_heading);
	tcase_add_test(all, every_item_in_sight_can_be_clicked);
	tcase_add_loop_test(all, the_same_model_gives_the_same_screen, 0, FAKE_KINDS);
	tcase_add_loop_test(all, without_utf8_every_cell_is_ascii, 0, FAKE_KINDS);
	tcase_add_loop_test(all, a_screen_is_never_blank, 0, FAKE_KINDS);
	tcase_add_loop_test(all, every_size_is_drawn_whole, 0, FAKE_KINDS);
	suite_add_tcase(s, all);

	tcase_add_loop_test(map, one_single_sample_is_seen_at_every_zoom, 0,
			    sizeof(single) / sizeof(single[0]));
	tcase_add_loop_test(map, what_lies_above_the_range_is_told_by_a_sign, 0, 2);
	tcase_add_test(map, columns_stay_until_one_is_full_and_then_move_by_one);
	tcase_add_test(map, a_huge_sample_leaves_the_rest_of_the_picture_as_it_was);
	tcase_add_test(map, a_load_starts_and_stops_in_its_own_columns);
	tcase_add_loop_test(map, a_deadline_beyond_the_scale_is_no_line_at_its_edge, 0, 4);
	tcase_add_loop_test(map, the_newest_column_tells_the_rate_of_what_has_passed, 0, 9);
	tcase_add_loop_test(map, samples_not_to_be_trusted_are_marked_where_they_are, 0,
			    sizeof(flags) / sizeof(flags[0]));
	tcase_add_test(map, a_time_on_the_axis_touches_no_mark);
	tcase_add_loop_test(map, the_mark_of_the_chosen_spike_is_seen_whatever_is_wrong_there, 0,
			    sizeof(flags) / sizeof(flags[0]));
	suite_add_tcase(s, map);

	tcase_add_unchecked_fixture(words, make_models, free_models);
	tcase_add_loop_test(words, a_percentile_the_count_cannot_carry_is_a_tilde, 0, 2);
	tcase_add_test(words, the_ratio_is_now_over_baseline);
	tcase_add_test(words, the_total_of_one_cpu_is_no_run);
	tcase_add_test(words, percentiles_are_corrected_everywhere);
	tcase_add_test(words, a_baseline_tells_what_it_missed);
	tcase_add_test(words, a_baseline_says_which_it_is);
	tcase_add_test(words, the_ratio_of_a_replay_is_run_over_baseline);
	tcase_add_loop_test(words, a_small_ratio_has_its_digits, 0, sizeof(small) / sizeof(small[0]));
	tcase_add_test(words, a_baseline_that_lacks_the_probe_is_no_missing_baseline);
	tcase_add_test(words, no_percentile_is_left_out_between_others);
	tcase_add_test(words, corrected_figures_are_called_so_at_every_width);
	tcase_add_loop_test(words, corrected_adds_the_missed_periods_alone, 0,
			    sizeof(omitted) / sizeof(omitted[0]));
	tcase_add_test(words, the_share_beyond_the_deadline_is_told);
	tcase_add_loop_test(words, a_share_beyond_the_deadline_touches_nothing, 0, 5);
	tcase_add_test(words, a_waterfall_seen_back_tells_times);
	tcase_add_test(words, a_waterfall_tells_which_end_is_new_in_full_or_not_at_all);
	tcase_add_test(words, the_hints_stay_while_the_cost_changes);
	tcase_add_test(words, the_reason_for_no_loads_is_told_whole);
	tcase_add_test(words, the_header_says_what_the_kernel_granted);
	tcase_add_test(words, a_view_that_stands_still_says_so);
	tcase_add_test(words, a_view_that_is_not_behind_is_not_back_by_nothing);
	tcase_add_test(words, what_no_probe_measures_cpu_by_cpu_is_said);
	tcase_add_test(words, a_file_without_a_probe_asks_for_none);
	tcase_add_loop_test(words, a_probe_of_few_samples_shows_what_they_carry, 0, 4);
	tcase_add_test(words, further_probes_are_counted_at_every_width);
	tcase_add_test(words, a_call_in_flight_is_the_maximum_until_it_ends);
	tcase_add_loop_test(words, a_call_in_flight_does_not_touch_the_next_probe, 0,
			    sizeof(flights) / sizeof(flights[0]));
	tcase_add_test(words, cpus_that_are_gone_or_isolated_are_named);
	tcase_add_test(words, with_more_cpus_than_room_the_worst_come_first);
	tcase_add_test(words, a_failed_load_tells_why);
	tcase_add_test(words, the_selected_load_tells_what_it_did);
	tcase_add_test(words, a_new_run_begins_with_no_samples_and_no_spikes);
	tcase_add_test(words, the_ladder_tells_how_far_it_is);
	tcase_add_test(words, probes_alone_on_the_screen_tell_what_they_count);
	tcase_add_test(words, a_largest_that_is_an_event_is_the_largest_of_all_cpus);
	tcase_add_test(words, what_a_probe_counted_is_of_the_run);
	tcase_add_test(words, the_filter_picks_spikes);
	tcase_add_loop_test(words, a_spike_is_told_to_a_tenth_of_a_second, 0,
			    sizeof(whens) / sizeof(whens[0]));
	tcase_add_test(words, the_spikes_promise_enter_where_it_is_theirs);
	tcase_add_test(words, culprits_stay_in_sight_when_a_new_run_has_fewer);
	tcase_add_test(words, a_culprit_without_a_number_shows_none);
	tcase_add_test(words, a_question_is_told_whole);
	tcase_add_test(words, an_age_has_the_units_it_needs);
	tcase_add_test(words, cpu_time_is_told_of_the_cpus_there_are);
	tcase_add_test(words, all_spikes_are_no_fewer_than_the_list_has);
	tcase_add_test(words, a_list_without_spikes_blames_no_filter_that_is_not_set);
	tcase_add_test(words, the_last_message_stands_until_it_is_old);
	tcase_add_loop_test(words, figures_that_go_on_beside_a_frozen_picture_say_so, 0, 2);
	tcase_add_loop_test(words, a_rate_is_told_whole, 0, 4);
	tcase_add_loop_test(words, a_rate_in_a_narrow_panel_has_its_blanks, 0,
			    sizeof(sinces) / sizeof(sinces[0]));
	tcase_add_test(words, the_hints_of_the_loads_end_before_the_edge);
	tcase_add_test(words, a_question_shows_how_it_is_answered);
	tcase_add_test(words, a_tiny_screen_is_one_line);
	suite_add_tcase(s, words);
	return s;
}
