/* check_svg.c - the picture is well-formed XML and shows what there is. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/format.h"
#include "src/picture.h"
#include "src/snapshot_build.h"
#include "tests/fake_snapshot.h"

extern const struct format format_svg;

#define DEPTH 16

/* Tags nest, attributes are quoted, no bare & or <: enough of XML for us. */
static void well_formed(const char *p)
{
	char open[DEPTH][16];
	int depth = 0;

	if (!strncmp(p, "<?xml", 5))
		p = strstr(p, "?>") + 2;
	for (; *p; p++) {
		ck_assert_msg((unsigned char)*p >= 0x20 || *p == '\n', "control byte %d", *p);
		if (*p == '&')
			ck_assert(!strncmp(p, "&lt;", 4) || !strncmp(p, "&gt;", 4) ||
				  !strncmp(p, "&amp;", 5) || !strncmp(p, "&quot;", 6));
		if (*p != '<')
			continue;
		const char *end = strchr(p, '>');
		bool closing = p[1] == '/', empty;

		ck_assert_ptr_nonnull(end);
		empty = end[-1] == '/';
		size_t n = strspn(p + 1 + closing, "abcdefghijklmnopqrstuvwxyz");

		ck_assert_uint_gt(n, 0);
		if (closing) {
			ck_assert_int_gt(depth, 0);
			depth--;
			ck_assert_msg(strlen(open[depth]) == n && !strncmp(open[depth], p + 2, n),
				      "%s is closed by %.20s", open[depth], p);
		} else if (!empty) {
			ck_assert_int_lt(depth, DEPTH);
			snprintf(open[depth++], sizeof(open[0]), "%.*s", (int)n, p + 1);
		}
		int quotes = 0;

		for (const char *q = p; q < end; q++)
			quotes += *q == '"';
		ck_assert_int_eq(quotes % 2, 0);
		p = end;
	}
	ck_assert_int_eq(depth, 0);
}

static char *drawn(const struct snapshot *s)
{
	size_t n;
	char *svg = fake_write(&format_svg, s, &n);

	ck_assert_uint_eq(strlen(svg), n);
	well_formed(svg);
	ck_assert_ptr_null(strstr(svg, "nan"));
	ck_assert_ptr_null(strstr(svg, "inf\""));
	return svg;
}

START_TEST(the_picture_shows_machine_maps_loads_and_figures)
{
	static const char *const want[] = { "kobold", "wakeup-fifo", "wakeup-other", "churn", "MB/s",
		"p99.9", "the hypervisor took", "stock &quot;kernel&quot; &lt;1&gt;", "10 ms" };
	struct snapshot *s = fake_snapshot(1);
	char *svg = drawn(s);

	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++)
		ck_assert_msg(strstr(svg, want[i]) != NULL, "%s", want[i]);
	ck_assert_uint_lt(strlen(svg), 1000000);
	free(svg);
	snapshot_free(s);
}
END_TEST

START_TEST(f47_nothing_is_a_picture_too)
{
	struct snapshot *s = snapshot_new();

	free(drawn(s));
	fake_series(s, "empty", 0, NULL, 0);
	s->duration_s = 1;
	free(drawn(s));
	snapshot_add_row(s, "empty")->len_s = 1;
	free(drawn(s));
	snapshot_free(s);
}
END_TEST

START_TEST(extremes_do_not_leave_the_frame)
{
	static const int64_t ns[] = { -5, 0, 1, 3600000000000, 7200000000000 };
	struct snapshot *s = snapshot_new();

	s->duration_s = 604800;
	fake_series(s, "stall", 0, ns, 5);
	struct snapshot_row *row = snapshot_add_row(s, "stall");

	row->t_s = 604790;
	row->len_s = 60;	/* longer than the run */
	snapshot_add_cell(row, 0, 1);
	snapshot_add_cell(row, SLOTS - 1, 4294967295u);
	row = snapshot_add_row(s, "stall");
	row->t_s = -100;
	row->len_s = 1;
	snapshot_add_cell(row, 5, 1);
	struct snapshot_load *l = snapshot_add_load(s, "x");

	l->start_s = -5;
	l->stop_s = 1e9;
	free(drawn(s));
	snapshot_free(s);
}
END_TEST

/* ---- along the time -------------------------------------------------------- */

struct words { double x, y; size_t letters; };
#define WORDS_MAX 400
#define ALONG_BOTTOM 460	/* of the page: tables and legends come below */

/* All texts of that size above the maps' tables, that begin at x. */
static unsigned words_of(const char *svg, struct words w[WORDS_MAX])
{
	unsigned n = 0;

	for (const char *p = svg; (p = strstr(p, "<text ")) && n < WORDS_MAX; p++) {
		const char *text = strchr(p, '>') + 1;
		double size;

		if (sscanf(p, "<text x=\"%lf\" y=\"%lf\" font-size=\"%lf\" text-anchor=\"start", &w[n].x,
			   &w[n].y, &size) != 3 || size != 11 || !strstr(p, "anchor=\"start") ||
		    strstr(p, "anchor=\"start") > text || w[n].y > ALONG_BOTTOM)
			continue;
		w[n++].letters = strcspn(text, "<");
	}
	return n;
}

/* 5.5 of a letter of 11 are less than any real word has. */
static void nothing_lies_on_another(const char *svg, unsigned least)
{
	struct words w[WORDS_MAX];
	unsigned n = words_of(svg, w);

	ck_assert_uint_ge(n, least);
	for (unsigned i = 0; i < n; i++)
		for (unsigned k = 0; k < n; k++)
			ck_assert_msg(i == k || w[i].y != w[k].y || w[k].x < w[i].x ||
				      w[k].x >= w[i].x + 5.5 * (double)w[i].letters,
				      "at %g: %g and %g", w[i].y, w[i].x, w[k].x);
}

static void add_short_load(struct snapshot *s, double start_s, double stop_s)
{
	struct snapshot_load *l = snapshot_add_load(s, "write");

	l->workers = 4;
	l->start_s = start_s;
	l->stop_s = stop_s;
	l->rate = 605.4;
	snprintf(l->rate_unit, sizeof(l->rate_unit), "MB/s");
}

START_TEST(words_of_short_and_adjacent_loads_do_not_overlap)
{
	struct snapshot *s = fake_snapshot(1);

	s->nr_badges = 0;
	for (unsigned i = 0; i < 8; i++)
		add_short_load(s, 2 * i, 2 * i + 0.5);
	add_short_load(s, s->duration_s - 1, s->duration_s);	/* at the edge */
	add_short_load(s, s->duration_s - 0.5, -1);
	char *svg = drawn(s);

	nothing_lies_on_another(svg, 10);
	free(svg);
	snapshot_free(s);
}
END_TEST

START_TEST(more_loads_than_rows_are_counted)
{
	struct snapshot *s = fake_snapshot(1);

	for (unsigned i = 0; i < 30; i++)
		add_short_load(s, 5, 6);
	char *svg = drawn(s);

	nothing_lies_on_another(svg, 3);
	ck_assert_ptr_nonnull(strstr(svg, "more loads without room"));
	free(svg);
	snapshot_free(s);
}
END_TEST

/* The line that leads through the maps, as its dashes say. */
static unsigned lines_with(const char *svg, const char *dashes)
{
	char want[40];
	unsigned n = 0;

	snprintf(want, sizeof(want), "stroke-dasharray=\"%s\"", dashes);
	for (const char *p = svg; (p = strstr(p, want)); p++)
		n++;
	return n;
}

START_TEST(marks_have_their_words_and_every_kind_its_look)
{
	static const char *const said[] = {
		">hello &amp; &lt;good bye&gt;<", ">baseline: set<", ">reset: new run<", ">hotplug: cpu 1<",
		">mark<", ">baseline<", ">reset<", ">other event<",
	};
	struct snapshot *s = fake_snapshot(1);

	s->nr_events = 0;
	snapshot_add_event(s, 5, "mark", "hello & <good bye>");
	snapshot_add_event(s, 5.1, "baseline", "set");
	snapshot_add_event(s, 5.2, "reset", "new run");
	snapshot_add_event(s, s->duration_s, "hotplug", "cpu 1");
	snapshot_add_event(s, s->duration_s + 1, "mark", "beyond");
	char *svg = drawn(s);

	for (size_t i = 0; i < sizeof(said) / sizeof(said[0]); i++)
		ck_assert_msg(strstr(svg, said[i]) != NULL, "%s", said[i]);
	ck_assert_ptr_null(strstr(svg, ">beyond<"));
	ck_assert_ptr_null(strstr(svg, ">load comes or goes<"));
	/* One line and its sample in the legend, each unlike the others. */
	ck_assert_uint_eq(lines_with(svg, "2 3"), 2);
	ck_assert_uint_eq(lines_with(svg, "10 3"), 2);
	ck_assert_uint_eq(lines_with(svg, "7 2 1 2"), 2);
	nothing_lies_on_another(svg, 4);
	free(svg);
	snapshot_free(s);
}
END_TEST

START_TEST(more_marks_than_room_are_counted)
{
	struct snapshot *s = fake_snapshot(1);

	s->nr_badges = s->nr_loads = 0;
	for (unsigned i = 0; i < 150; i++)
		snapshot_add_event(s, 5, "mark", "a mark with more words than there is room for, and more");
	char *svg = drawn(s);

	nothing_lies_on_another(svg, 3);
	ck_assert_ptr_nonnull(strstr(svg, "more marks without room"));
	free(svg);
	snapshot_free(s);
}
END_TEST

START_TEST(f46_foreign_text_is_escaped)
{
	struct snapshot *s = fake_snapshot(1);

	snprintf(s->label, sizeof(s->label), "</title><script>\x1b[2J&\x01");
	memcpy(s->loads[0].name, "<a&\"'>\xff", 8);
	char *svg = drawn(s);

	ck_assert_ptr_null(strstr(svg, "<script"));
	free(svg);
	snapshot_free(s);
}
END_TEST

START_TEST(a_renderer_takes_it)
{
	struct snapshot *s = fake_snapshot(1);
	char *svg = drawn(s);

	if (system("command -v rsvg-convert >/dev/null 2>&1"))
		printf("SKIP a_renderer_takes_it: no rsvg-convert\n");
	else
		ck_assert_int_eq(fake_pipe("rsvg-convert >/dev/null", svg, strlen(svg)), 0);
	free(svg);
	snapshot_free(s);
}
END_TEST

/* ---- axes ------------------------------------------------------------------ */

START_TEST(an_axis_rises_and_clamps)
{
	struct axis log_ns = { 1e3, 1e8, 300, 100, 1 }, linear = { 0, 60, 0, 600, 0 };

	ck_assert_double_eq_tol(axis_at(&log_ns, 1e3), 300, 1e-9);
	ck_assert_double_eq_tol(axis_at(&log_ns, 1e8), 100, 1e-9);
	ck_assert_double_eq_tol(axis_at(&log_ns, 1e4), 260, 1e-9);
	ck_assert_double_eq_tol(axis_at(&log_ns, 0), 300, 1e-9);
	ck_assert_double_eq_tol(axis_at(&log_ns, 1e18), 100, 1e-9);
	ck_assert_double_eq_tol(axis_at(&linear, 30), 300, 1e-9);
	ck_assert_double_eq_tol(axis_at(&linear, -1), 0, 1e-9);
}
END_TEST

START_TEST(the_range_holds_all_samples_in_whole_decades)
{
	struct snapshot *s = fake_snapshot(1);
	struct dist d;
	double lo, hi;

	ck_assert_int_eq(dist_make(&d, s, "wakeup-fifo", DIST_ALL_CPUS), 0);
	picture_range(&d, 1, &lo, &hi);
	ck_assert(lo <= (double)d.min_ns && hi >= (double)d.max_ns);
	ck_assert_double_ge(hi / lo, 999);
	dist_free(&d);
	snapshot_free(s);
}
END_TEST

Suite *svg_suite(void);

Suite *svg_suite(void)
{
	Suite *s = suite_create("svg");
	TCase *tc = tcase_create("svg");

	tcase_set_timeout(tc, 30);
	tcase_add_test(tc, the_picture_shows_machine_maps_loads_and_figures);
	tcase_add_test(tc, f47_nothing_is_a_picture_too);
	tcase_add_test(tc, extremes_do_not_leave_the_frame);
	tcase_add_test(tc, words_of_short_and_adjacent_loads_do_not_overlap);
	tcase_add_test(tc, more_loads_than_rows_are_counted);
	tcase_add_test(tc, marks_have_their_words_and_every_kind_its_look);
	tcase_add_test(tc, more_marks_than_room_are_counted);
	tcase_add_test(tc, f46_foreign_text_is_escaped);
	tcase_add_test(tc, a_renderer_takes_it);
	tcase_add_test(tc, an_axis_rises_and_clamps);
	tcase_add_test(tc, the_range_holds_all_samples_in_whole_decades);
	suite_add_tcase(s, tc);
	return s;
}
