/*
 * check_reading.c - what a reader of the screen may rely on: nothing hides
 * something else, what is cut says so, and words stand whole.
 */
#include <check.h>
#include <ctype.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/clock.h"
#include "tests/fake_model.h"
#include "ui/layout.h"
#include "ui/shape.h"
#include "ui/timeline.h"

static struct model *m;
static struct view v;

static void setup(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	m = fake_model(FAKE_IDLE);
	fake_view(&v, m, NULL);
}

static void teardown(void)
{
	model_free(m);
}

static char *text_of(const char *name, int w, int h)
{
	struct canvas *c = canvas_new(w, h);
	char *text;

	panel_by_name(name)->draw(m, &v, c);
	text = canvas_as_text(c);
	canvas_free(c);
	return text;
}

static char *screen_of(int w, int h)
{
	struct canvas *c = canvas_new(w, h);
	struct layout l;
	char *text;

	layout_make(&l, w, h, m, &v);
	for (unsigned i = 0; i < l.n; i++) {
		struct canvas in = canvas_view(c, l.at[i].r);

		l.at[i].panel->draw(m, &v, &in);
	}
	text = canvas_as_text(c);
	canvas_free(c);
	return text;
}

static void has(char *text, const char *want, bool there)
{
	ck_assert_msg((strstr(text, want) != NULL) == there, "%s \"%s\" in:\n%s",
		      there ? "no" : "a", want, text);
	free(text);
}

static int count(const char *text, const char *part)
{
	int n = 0;

	for (; (text = strstr(text, part)); text += strlen(part))
		n++;
	return n;
}

static void run(unsigned load, double from_s, double to_s)
{
	struct load_run *r = &m->runs[m->nr_runs++];

	*r = (struct load_run){ .load = load, .workers = 4,
		.start_ns = m->zero_ns + (int64_t)(from_s * 1e9),
		.stop_ns = to_s > 0 ? m->zero_ns + (int64_t)(to_s * 1e9) : 0 };
	snprintf(r->end, sizeof(r->end), "%s", to_s > 0 ? "stopped" : "");
	m->loads[load].state = to_s > 0 ? LOAD_OFF : LOAD_RUN;
	m->loads[load].runs = 1;
	m->loads[load].start_ns = r->start_ns;
}

/* The rows of the picture from the one that begins with `label` on. */
static char *rows_from(char *text, const char *label)
{
	char *at = strstr(text, label), *copy;

	ck_assert_msg(at != NULL, "no \"%s\" in:\n%s", label, text);
	copy = strdup(at + strlen(label));
	free(text);
	return copy;
}

/* ---- loads ---- */

START_TEST(loads_that_overlap_are_all_seen)
{
	static const int heights[] = { 5, 6, 13, 16, 20, 30 };
	static const double ends[] = { 0, 70, 71.5 };
	int n = 1 + _i % 8;

	for (int i = 0; i < n; i++)
		run((unsigned)i, 30 + i * (_i < 8 ? 2 : 0), ends[(i + _i) % 3]);
	v.theme.unicode = _i % 2;
	for (unsigned h = 0; h < sizeof(heights) / sizeof(heights[0]); h++) {
		char *rows = rows_from(text_of("map", 87, heights[h]), "load ");

		for (int i = 0; i < n; i++)
			ck_assert_msg(strchr(rows, m->loads[i].key), "%c is not in %d:\n%s",
				      m->loads[i].key, heights[h], rows);
		free(rows);
	}
}
END_TEST

START_TEST(a_short_run_is_seen_beside_long_ones)
{
	run(0, 10, 0);
	run(1, 11, 0);
	run(2, 40.1, 40.3);
	char *rows = rows_from(text_of("map", 87, 8), "load ");

	ck_assert_ptr_nonnull(strchr(rows, 'E'));
	free(rows);
}
END_TEST

START_TEST(with_room_each_load_has_a_lane_of_its_own)
{
	run(0, 10, 0);
	run(1, 20, 0);
	run(2, 30, 0);
	char *rows = rows_from(text_of("map", 87, 20), "load ");

	ck_assert_ptr_nonnull(strstr(rows, "D churn ×4"));
	ck_assert_ptr_nonnull(strstr(rows, "F fork ×4"));
	ck_assert_ptr_nonnull(strstr(rows, "E exec ×4"));
	free(rows);
}
END_TEST

static char *first_lane(const char *lanes)
{
	return strndup(lanes, strcspn(lanes, "\n"));
}

/* Every load at once, within seconds: three have lanes of their own, the others
 * are counted, and named where there is room. */
START_TEST(a_crowd_of_loads_is_counted)
{
	for (unsigned i = 0; i < m->nr_loads; i++)
		run(i, 20 + 0.4 * i, 0);
	char *rows = rows_from(text_of("map", 87, 30), "load ");

	ck_assert_msg(strstr(rows, "D churn ×4") && strstr(rows, "F fork ×4") && strstr(rows, "E exec ×4"), "%s", rows);
	ck_assert_msg(strstr(rows, " 17 loads SPCXWRLMBHTUKIGNY"), "%s", rows);
	free(rows);
	rows = rows_from(text_of("map", 50, 12), "load ");
	ck_assert_msg(strstr(rows, " 19 loads FESPCXWRLMBHTUKIGNY"), "%s", rows);
	free(rows);
	v.zoom = 3;
	rows = rows_from(text_of("map", 60, 12), "load ");
	ck_assert_msg(strstr(rows, " 19 loads") && !strstr(rows, "19 loads F"), "%s", rows);
	free(rows);
}
END_TEST

/* Those that have no row of their own have their key in the title. */
START_TEST(all_loads_that_run_are_told_beside_the_table)
{
	for (unsigned i = 0; i < m->nr_loads; i++)
		run(i, 20, 0);
	for (int w = 37; w < 90; w++) {
		char *text = text_of("loads", w, 8), *keys = strstr(text, "run: ");
		size_t told = keys ? strspn(keys + 5, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") : 0;

		ck_assert_msg(count(text, "RUN") + (int)told == (int)m->nr_loads, "%d:\n%s", w, text);
		free(text);
	}
}
END_TEST

/* Other workers: one run ends and the next begins in the same column. */
START_TEST(a_load_with_other_workers_is_one_band_in_parts)
{
	v.theme.unicode = false;
	run(3, 20, 40.2);
	run(3, 40.3, 55.5);
	m->runs[1].workers = 8;
	run(3, 55.6, 0);
	m->runs[2].workers = 16;
	char *rows = rows_from(text_of("map", 87, 8), "load "), *lane = first_lane(rows);

	ck_assert_int_eq(count(lane, "["), 3);
	ck_assert_int_eq(count(lane, "]"), 2);
	ck_assert_int_eq(count(lane, "S"), 3);
	ck_assert_msg(strstr(lane, "][S sh x8") && strstr(lane, "][S sh x16") && strchr(lane, '>'),
		      "%s", lane);
	free(lane);
	free(rows);
}
END_TEST

/* Two columns have room for its key and its end. */
START_TEST(a_short_run_is_named_rather_than_opened)
{
	v.theme.unicode = false;
	run(1, 30.2, 31.8);
	char *rows = rows_from(text_of("map", 87, 8), "load ");

	ck_assert_msg(strstr(rows, " F]"), "%s", rows);
	free(rows);
}
END_TEST

/* With more probes than room: how many more, and no figure run into that. */
START_TEST(how_many_more_probes_there_are_touches_no_figure)
{
	model_free(m);
	m = fake_model(FAKE_STORM);
	fake_view(&v, m, NULL);
	for (unsigned g = 0; g < 2; g++)
		hist_record(m->groups[g].run, _i ? 988 * NS_PER_MS : 9880 * NS_PER_US);
	for (int w = 40; w < 130; w++) {
		char *text = text_of("probes", w, 1), *plus = strrchr(text, '+');

		ck_assert_msg(plus && plus > text && plus[-1] == ' ', "%d: %s", w, text);
		free(text);
	}
}
END_TEST

/* A file may hold any rate. */
START_TEST(work_without_bounds_is_drawn_as_none)
{
	v.theme.unicode = _i;
	for (unsigned i = 0; i < 4; i++) {
		run(i, 20, 50);
		for (int s = 20; s < 50; s++)
			for (int times = 0; times < 40; times++)
				load_history_add(m->load_history[i], m->zero_ns + s * NS_PER_S, 1e308,
						 true);
	}
	char *rows = rows_from(text_of("map", 87, 12), "load "), *lane = first_lane(rows);

	ck_assert_msg(strstr(lane, "D churn"), "%s", lane);
	ck_assert_msg(!strpbrk(lane, "=-."), "%s", lane);
	free(lane);
	free(rows);
}
END_TEST

/* As fast as the key repeats: each begin is a letter, the last has its band. */
START_TEST(many_changes_of_workers_leave_a_band_that_is_open)
{
	v.theme.unicode = false;
	run(3, 20, 22.9);
	for (int i = 0; i < 5; i++)
		run(3, 23 + i, 23.9 + i);
	run(3, 28, 0);
	char *rows = rows_from(text_of("map", 87, 8), "load "), *lane = first_lane(rows);

	ck_assert_msg(strstr(lane, "SSSSS[S sh x4"), "%s", lane);
	free(lane);
	free(rows);
}
END_TEST

START_TEST(the_waterfall_names_the_loads_the_map_names)
{
	static const int widths[] = { 62, 80, 100, 140 };
	unsigned n = _i ? m->nr_loads : 6;

	for (unsigned i = 0; i < n; i++)
		run(i, 30, 0);
	for (unsigned w = 0; w < 4; w++) {
		char *text = text_of("waterfall", widths[w], 20);
		char *line = strstr(text, " now");

		ck_assert_ptr_nonnull(line);
		*strchr(line, '\n') = '\0';
		for (unsigned i = 0; i < n; i++)
			ck_assert_msg(strchr(line, m->loads[i].key), "%c: %s", m->loads[i].key,
				      line);
		free(text);
	}
}
END_TEST

START_TEST(a_load_s_label_is_whole_or_its_key)
{
	static const struct { double s; const char *want, *not; } bars[] = {
		{ 30, "B bandwidth ×4", "…" }, { 12, "B bandwidth", "×" },
		{ 6, "B", "B b" }, { 1, "B", "B b" },
	};

	run(11, 20.5, 19.6 + bars[_i].s);
	char *rows = rows_from(text_of("map", 87, 8), "load ");

	ck_assert_msg(strstr(rows, bars[_i].want) && !strstr(rows, bars[_i].not), "%s", rows);
	free(rows);
}
END_TEST

static int place_of(char *text, const char *name)
{
	char *at = strstr(text, name);
	int place = at ? (int)(at - text) : -1;

	free(text);
	return place;
}

START_TEST(a_load_s_key_keeps_its_place_when_others_start)
{
	int before, after;

	v.theme.unicode = false;
	before = place_of(text_of("loads", 38, 8), "E exec");
	run(1, 30, 0);
	run(9, 30, 0);
	after = place_of(text_of("loads", 38, 8), "E exec");
	ck_assert_int_ge(before, 0);
	ck_assert_int_eq(before, after);
	has(text_of("loads", 38, 8), "RUN", true);
}
END_TEST

START_TEST(a_load_that_never_ran_shows_no_workers)
{
	v.load = 0;
	has(text_of("loads", 86, 13), "×", false);
}
END_TEST

START_TEST(a_list_too_long_says_how_much_there_is)
{
	v.loads_open = true;
	has(text_of("loadlist", 80, 22), "1-18 of 20", true);
	has(text_of("loadlist", 80, 30), "of 20", false);
}
END_TEST

START_TEST(no_name_runs_into_the_next_figure)
{
	run(11, 30, 0);
	m->loads[11].workers = 2;
	for (int w = 30; w < 60; w++)
		has(text_of("loads", w, 8), "bandwidth×", false);
}
END_TEST

/* ---- one CPU, deadlines ---- */

START_TEST(one_cpu_is_named_and_has_no_empty_column)
{
	v.cpu = 1;
	has(text_of("percentiles", 42, 8), "cpu1", true);
	has(text_of("percentiles", 42, 8), "total", true);
	has(text_of("percentiles", 42, 8), "now", false);
	has(text_of("map", 87, 20), "cpu1", true);
	has(text_of("histogram", 60, 10), "cpu1", true);
}
END_TEST

START_TEST(shares_beyond_a_deadline_keep_their_columns_apart)
{
	m->deadline_ns = 500 * NS_PER_US;
	hist_record_n(m->groups[0].now, 1000, 1000000);
	hist_record_n(m->groups[0].now, NS_PER_MS, 3);
	hist_record_n(m->groups[0].baseline, 1000, 40000000);
	hist_record_n(m->groups[0].baseline, NS_PER_MS, 1);
	hist_record_n(m->groups[0].run, 1000, 3000000);
	hist_record_n(m->groups[0].run, NS_PER_MS, 1);
	char *row = rows_from(text_of("percentiles", 42, 10), ">500us"), *at = row;

	*strchr(row, '\n') = '\0';
	ck_assert_int_eq(count(row, "%"), 3);
	for (int i = 0; i < 3; i++) {
		ck_assert_msg(*at == ' ', "%s", row);
		at = strchr(at, '%') + 1;
	}
	free(row);
}
END_TEST

/* ---- messages and questions ---- */

START_TEST(a_long_message_keeps_its_reason)
{
	model_status(m, true, "not saved: /home/someone/with/a/very/long/folder/name/and/more/of/it/"
		     "jitterscope-20260101T000000Z-host-churn.json: No space left on device");
	m->status_ns = m->now_ns;
	v.theme.unicode = _i;
	has(text_of("status", 80, 1), "No space left on device", true);
	has(text_of("status", 80, 1), "not saved: /home", true);
	has(text_of("status", 80, 1), _i ? "…" : "...", true);
	has(text_of("status", 200, 1), "…", false);
	model_status(m, true, "a reason without any path that is so long that it has no room on a line "
		     "of that length at all");
	m->status_ns = m->now_ns;
	has(text_of("status", 80, 1), _i ? "…" : "...", true);
}
END_TEST

START_TEST(nothing_covers_the_status_line)
{
	model_status(m, true, "that is not a time");
	m->status_ns = m->now_ns;
	snprintf(v.ask_text, sizeof(v.ask_text), "Question?");
	for (v.ask = ASK_LOAD; v.ask <= ASK_PROBES; v.ask++)
		for (int h = 9; h < 60; h += 3) {
			has(screen_of(80, h), "that is not a time", true);
			has(screen_of(80, h), v.ask == ASK_PROBES ? "PROBES" : "Question?", true);
		}
}
END_TEST

START_TEST(a_recording_offers_what_it_can_do)
{
	m->replay = true;
	m->status[0] = '\0';
	for (int w = 80; w <= 200; w += 40) {
		has(text_of("status", w, 1), "load", false);
		has(text_of("status", w, 1), "stop", false);
		has(text_of("status", w, 1), "save", false);
		has(text_of("loads", w, 8), "stop all", false);
	}
}
END_TEST

static const char *const signs[] = { "stolen by the host", "without real time", "missed periods",
	"a mark", "n and p lead", "above the range", "too few samples" };

START_TEST(the_signs_are_explained_in_the_help)
{
	v.help_page = 0;
	for (unsigned i = 0; i < sizeof(signs) / sizeof(signs[0]); i++)
		has(text_of("help", 200, 40), signs[i], true);
}
END_TEST

/* ---- the axis of time ---- */

START_TEST(nothing_is_labelled_before_the_start)
{
	v.end_ns = m->zero_ns + (1 + _i) * NS_PER_S;
	char *text = text_of("map", 120, 20);

	ck_assert_int_le(count(text, "00:00:00"), 1);
	free(text);
	v.kind = VIEW_WATERFALL;
	text = text_of("waterfall", 120, 30);
	ck_assert_int_le(count(text, "00:00:00"), 1);
	free(text);
}
END_TEST

/* Minutes have their seconds, hours their minutes, and none of them is 0: -45s,
 * not -0m45; -1h45, not -105m00.  Below two minutes in all there are seconds. */
static void label_reads_well(const char *at, bool seconds_only)
{
	long big = strtol(at + 1, NULL, 10);
	const char *unit = at + 1 + strspn(at + 1, "0123456789.");

	ck_assert_msg(big > 0, "%.8s", at);
	ck_assert_msg(*unit == 's' || *unit == 'm' || *unit == 'h', "%.8s", at);
	ck_assert_msg(big < 60 || *unit == 'h' || (*unit == 's' && seconds_only), "%.8s", at);
	ck_assert_msg(!seconds_only || *unit == 's', "%.8s", at);
	if (*unit != 's')
		ck_assert_msg(isdigit(unit[1]) && isdigit(unit[2]), "%.8s", at);
}

START_TEST(the_labels_of_an_axis_read_well)
{
	for (v.zoom = VIEW_ZOOM_DEFAULT; view_zooms[v.zoom]; v.zoom++) {
		char *text = text_of("map", 207, 20), *last = strrchr(text, '-');

		while (last > text && last[-1] != '\n')
			last--;
		ck_assert_int_ge(count(last, "-"), 2);
		bool seconds_only = !count(last, "m") && !count(last, "h");

		for (char *at = strchr(last, '-'); at; at = strchr(at + 1, '-'))
			label_reads_well(at, seconds_only);
		free(text);
	}
}
END_TEST

START_TEST(marks_leave_the_axis_its_words)
{
	for (int back = 1; back < 40; back++) {
		m->nr_events = 0;
		model_event(m, m->now_ns - back * NS_PER_S, "reset", "new run");
		model_event(m, m->now_ns - (back + 3) * NS_PER_S, "hotplug", "x");
		for (int h = 8; h <= 20; h += 12) {
			char *text = text_of("map", 87, h);
			static const char *const halves[] = { "▲w", "▲ow", "res ", "rese ", "re\n",
				"res\n", "hotpl ", "▲15s", "15▲", "1▲", "hot ", "hotp\n", "no▲" };

			for (unsigned i = 0; i < sizeof(halves) / sizeof(halves[0]); i++)
				ck_assert_msg(!strstr(text, halves[i]), "%s in:\n%s", halves[i],
					      text);
			ck_assert_int_eq(count(text, "▲"), 2);
			free(text);
		}
	}
}
END_TEST

START_TEST(a_mark_s_text_is_cut_between_words)
{
	m->nr_events = 0;
	model_event(m, m->now_ns - 30 * NS_PER_S, "mark", "before the update");
	model_event(m, m->now_ns - 20 * NS_PER_S, "mark", "after");
	model_event(m, m->now_ns - 48 * NS_PER_S, "mark", "all of this");
	has(text_of("map", 87, 20), "▲before…", true);
	has(text_of("map", 87, 20), "▲after", true);
}
END_TEST

START_TEST(a_cpu_that_goes_is_named_and_no_letter_touches_the_words)
{
	m->nr_events = 0;
	model_event(m, m->now_ns - 30 * NS_PER_S, "hotplug", "cpu 2 went offline");
	for (int64_t t = m->zero_ns; t < m->now_ns; t += HISTORY_ROW_NS)
		history_flag(m->groups[0].history, t, HISTORY_OFFLINE);
	has(text_of("map", 87, 20), "▲cpu 2 went offline ", true);
}
END_TEST

START_TEST(the_help_is_whole_on_every_page)
{
	static const struct { int w, h; } sizes[] = { { 40, 10 }, { 80, 24 }, { 120, 40 }, { 200, 60 } };

	for (v.help_page = 0; v.help_page < 24; v.help_page++)
		has(text_of("help", sizes[_i].w, sizes[_i].h), "…", false);
}
END_TEST

START_TEST(a_page_of_the_help_names_the_section_it_goes_on_with)
{
	v.help_page = 1;
	has(text_of("help", 120, 40), "KEYS Badges ", true);
	v.help_page = 0;
	has(text_of("help", 120, 40), "KEYS ─", true);
}
END_TEST

START_TEST(what_is_above_the_range_has_its_sign)
{
	v.theme = theme_adapt(theme_find(NULL), _i ? 256 : 0, _i);
	has(text_of("map", 87, 12), "100ms^", true);
}
END_TEST

/* ---- the header ---- */

START_TEST(warnings_take_the_room_there_is)
{
	model_badge(m, "steal", "warn", "some");
	snprintf(m->tiers.cstates, sizeof(m->tiers.cstates), "held");
	has(text_of("header", 80, 1), "!steal", true);
	has(text_of("header", 80, 1), "C-states held", true);
	has(text_of("header", 80, 1), "FIFO 80", true);
	model_badge(m, "a-name-that-is-long-ish", "warn", "some");
	has(text_of("header", 80, 1), "!steal", true);
	has(text_of("header", 100, 1), "locked", true);
}
END_TEST

START_TEST(a_filter_is_seen_everywhere)
{
	snprintf(v.filter, sizeof(v.filter), "cpu:1");
	has(text_of("header", 80, 1), "filter cpu:1", true);
	has(text_of("spikes", 120, 8), "(filtered)", true);
}
END_TEST

START_TEST(eight_colours_are_read_on_the_header_s_ground)
{
	struct canvas *c = canvas_new(80, 1);

	v.theme = theme_adapt(theme_find(_i ? "light" : NULL), 8, true);
	panel_by_name("header")->draw(m, &v, c);
	for (int x = 0; x < 80; x++)
		if (c->cells[x].bg == 4)
			ck_assert(c->cells[x].fg == 7 || c->cells[x].fg == 3);
	canvas_free(c);
}
END_TEST

/* ---- pictures ---- */

START_TEST(the_map_has_the_room_of_an_empty_list)
{
	struct layout without, with;
	int h[2] = { 0 };

	m->nr_spikes = 0;
	layout_make(&without, 200, 60, m, &v);
	m->nr_spikes = 14;
	layout_make(&with, 200, 60, m, &v);
	m->nr_spikes = 0;
	for (unsigned i = 0; i < without.n; i++)
		if (without.at[i].panel == panel_by_name("map"))
			h[0] = without.at[i].r.h;
	for (unsigned i = 0; i < with.n; i++)
		if (with.at[i].panel == panel_by_name("map"))
			h[1] = with.at[i].r.h;
	ck_assert_int_gt(h[0], h[1]);
}
END_TEST

START_TEST(counts_stand_at_equal_distances)
{
	struct canvas *c = canvas_new(60, 16);
	int last = -1, step = 0;
	struct shape p;

	hist_record_n(m->groups[0].run, 5000, 3 * (_i % 2 ? 1000000 : 10));
	shape_make(&p, m, &v, 6, 0, 50, 3 + _i);
	shape_counts(&v, &p, c);
	for (int y = 0; y < 3 + _i; y++) {
		if (c->cells[y * c->stride + 4].ch == ' ' || !c->cells[y * c->stride + 4].ch)
			continue;
		if (last >= 0 && step)
			ck_assert_int_eq(y - last, step);
		if (last >= 0)
			step = y - last;
		last = y;
	}
	ck_assert_int_ge(last, 0);
	canvas_free(c);
}
END_TEST

START_TEST(the_colour_key_begins_with_the_colour_of_one)
{
	struct canvas *c = canvas_new(120, 20);
	struct view one = v;
	int x = 0;

	v.group = 1;
	m->series[m->groups[1].first].interval_ns = NS_PER_S;
	m->groups[1].nr = 1;
	history_restart(m->groups[1].history, m->zero_ns);
	history_add(m->groups[1].history, m->now_ns - 30 * NS_PER_S, 5000);
	history_advance(m->groups[1].history, m->now_ns);
	one = v;
	panel_by_name("map")->draw(m, &one, c);
	for (; x < 120 && c->cells[x].bg < 0; x++)
		;
	ck_assert_int_lt(x, 120);
	for (int y = 1; y < 12; y++)
		for (int k = 7; k < 120; k++)
			if (c->cells[y * c->stride + k].bg >= 0)
				ck_assert_int_eq(c->cells[y * c->stride + k].bg, c->cells[x].bg);
	canvas_free(c);
}
END_TEST

Suite *reading_suite(void);

Suite *reading_suite(void)
{
	Suite *s = suite_create("reading");
	TCase *tc = tcase_create("screen");

	tcase_set_timeout(tc, 60);
	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, loads_that_overlap_are_all_seen, 0, 16);
	tcase_add_test(tc, a_short_run_is_seen_beside_long_ones);
	tcase_add_test(tc, with_room_each_load_has_a_lane_of_its_own);
	tcase_add_test(tc, a_crowd_of_loads_is_counted);
	tcase_add_test(tc, all_loads_that_run_are_told_beside_the_table);
	tcase_add_test(tc, a_load_with_other_workers_is_one_band_in_parts);
	tcase_add_test(tc, many_changes_of_workers_leave_a_band_that_is_open);
	tcase_add_test(tc, a_short_run_is_named_rather_than_opened);
	tcase_add_loop_test(tc, how_many_more_probes_there_are_touches_no_figure, 0, 2);
	tcase_add_loop_test(tc, work_without_bounds_is_drawn_as_none, 0, 2);
	tcase_add_loop_test(tc, the_waterfall_names_the_loads_the_map_names, 0, 2);
	tcase_add_loop_test(tc, a_load_s_label_is_whole_or_its_key, 0, 4);
	tcase_add_test(tc, a_load_s_key_keeps_its_place_when_others_start);
	tcase_add_test(tc, a_load_that_never_ran_shows_no_workers);
	tcase_add_test(tc, a_list_too_long_says_how_much_there_is);
	tcase_add_test(tc, no_name_runs_into_the_next_figure);
	tcase_add_test(tc, one_cpu_is_named_and_has_no_empty_column);
	tcase_add_test(tc, shares_beyond_a_deadline_keep_their_columns_apart);
	tcase_add_loop_test(tc, a_long_message_keeps_its_reason, 0, 2);
	tcase_add_test(tc, nothing_covers_the_status_line);
	tcase_add_test(tc, a_recording_offers_what_it_can_do);
	tcase_add_test(tc, the_signs_are_explained_in_the_help);
	tcase_add_loop_test(tc, nothing_is_labelled_before_the_start, 0, 3);
	tcase_add_test(tc, the_labels_of_an_axis_read_well);
	tcase_add_test(tc, marks_leave_the_axis_its_words);
	tcase_add_test(tc, a_mark_s_text_is_cut_between_words);
	tcase_add_loop_test(tc, the_help_is_whole_on_every_page, 0, 4);
	tcase_add_test(tc, a_page_of_the_help_names_the_section_it_goes_on_with);
	tcase_add_test(tc, a_cpu_that_goes_is_named_and_no_letter_touches_the_words);
	tcase_add_loop_test(tc, what_is_above_the_range_has_its_sign, 0, 2);
	tcase_add_test(tc, warnings_take_the_room_there_is);
	tcase_add_test(tc, a_filter_is_seen_everywhere);
	tcase_add_loop_test(tc, eight_colours_are_read_on_the_header_s_ground, 0, 2);
	tcase_add_test(tc, the_map_has_the_room_of_an_empty_list);
	tcase_add_loop_test(tc, counts_stand_at_equal_distances, 0, 12);
	tcase_add_test(tc, the_colour_key_begins_with_the_colour_of_one);
	suite_add_tcase(s, tc);
	return s;
}
