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
	tcase_add_test(tc, f46_foreign_text_is_escaped);
	tcase_add_test(tc, a_renderer_takes_it);
	tcase_add_test(tc, an_axis_rises_and_clamps);
	tcase_add_test(tc, the_range_holds_all_samples_in_whole_decades);
	suite_add_tcase(s, tc);
	return s;
}
