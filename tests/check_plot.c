/* check_plot.c - several files on one sheet. */
#include <check.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/commands.h"
#include "src/picture.h"
#include "src/plot_curves.h"
#include "src/plot_sheet.h"
#include "src/slots.h"
#include "src/snapshot_build.h"
#include "src/spawn_filter.h"
#include "tests/fake_snapshot.h"

static char *sheet(struct snapshot **s, unsigned n, bool svg, size_t *bytes)
{
	struct plot_sheet p = { .files = 0 };
	char *text = NULL;
	FILE *out = open_memstream(&text, bytes);

	for (unsigned i = 0; i < n; i++)
		ck_assert_int_eq(plot_sheet_add(&p, s[i], "dir/file.json"), 0);
	ck_assert_int_eq(plot_sheet_ready(&p), 0);
	if (svg)
		ck_assert_int_eq(plot_sheet_svg(out, &p), 0);
	else
		plot_sheet_gnuplot(out, &p, true);
	fclose(out);
	plot_sheet_free(&p);
	return text;
}

START_TEST(files_and_probes_are_all_on_the_sheet)
{
	struct snapshot *s[2] = { fake_snapshot(1), fake_snapshot(2) };
	size_t n;

	snprintf(s[1]->label, sizeof(s[1]->label), "patched");
	char *svg = sheet(s, 2, true, &n);
	static const char *const want[] = { "stock &quot;kernel&quot;", "patched", "wakeup-fifo", "wakeup-other", "p99.9" };

	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++)
		ck_assert_msg(strstr(svg, want[i]) != NULL, "%s", want[i]);
	ck_assert_ptr_null(strstr(svg, "nan"));
	free(svg);
	snapshot_free(s[0]);
	snapshot_free(s[1]);
}
END_TEST

START_TEST(a_file_without_a_name_goes_by_its_path)
{
	struct snapshot *s = fake_snapshot(1);
	size_t n;

	s->label[0] = '\0';
	char *gp = sheet(&s, 1, false, &n);

	ck_assert_ptr_nonnull(strstr(gp, "title 'file.json'"));
	free(gp);
	snapshot_free(s);
}
END_TEST

/* As in a report and beside the axis. */
START_TEST(shares_are_in_percent)
{
	struct why why = { 0 };
	struct snapshot *s = snapshot_read("tests/data/histogram-stock.txt", &why);
	size_t n;

	ck_assert_ptr_nonnull(s);
	char *svg = sheet(&s, 1, true, &n), *gp = sheet(&s, 1, false, &n);

	ck_assert_ptr_nonnull(strstr(svg, ">1717 (0.0203%)<"));
	ck_assert_ptr_nonnull(strstr(gp, "set ylabel 'share of the samples, %'"));
	ck_assert_ptr_nonnull(strstr(gp, ":100]"));
	ck_assert_ptr_nonnull(strstr(gp, "($1/1e3):($2*100)"));
	free(svg);
	free(gp);
	snapshot_free(s);
}
END_TEST

/* A quote in a label must not end the string of the script. */
START_TEST(labels_cannot_break_out_of_the_script)
{
	struct snapshot *s = fake_snapshot(1);
	size_t n;

	snprintf(s->label, sizeof(s->label), "it's'; system('x')");
	char *gp = sheet(&s, 1, false, &n);

	ck_assert_ptr_nonnull(strstr(gp, "title 'it''s''; system(''x'')'"));
	free(gp);
	snapshot_free(s);
}
END_TEST

START_TEST(gnuplot_runs_the_script)
{
	struct snapshot *s[2] = { fake_snapshot(1), fake_snapshot(2) };
	size_t n;
	char *gp = sheet(s, 2, false, &n);

	if (system("command -v gnuplot >/dev/null 2>&1"))
		printf("SKIP gnuplot_runs_the_script: no gnuplot\n");
	else
		ck_assert_int_eq(fake_pipe("gnuplot | head -c 8 | grep -q PNG", gp, n), 0);
	free(gp);
	snapshot_free(s[0]);
	snapshot_free(s[1]);
}
END_TEST

/* The map over time is in every kind of output, numbers and all. */
START_TEST(a_timeline_becomes_a_map)
{
	struct snapshot *s = fake_snapshot(1);
	size_t n;
	char *gp = sheet(&s, 1, false, &n);
	unsigned rows = s->nr_rows;

	ck_assert_ptr_nonnull(strstr(gp, "$t0 << EOD\n"));
	ck_assert_ptr_nonnull(strstr(gp, "boxxyerror"));
	free(gp);
	s->nr_rows = 0;
	gp = sheet(&s, 1, false, &n);
	s->nr_rows = rows;
	ck_assert_ptr_null(strstr(gp, "boxxyerror"));
	free(gp);
	snapshot_free(s);
}
END_TEST

static char *sheet_of(struct snapshot *a, struct snapshot *b, struct snapshot *c, bool svg)
{
	struct snapshot *s[] = { a, b, c };
	size_t n;
	char *text = sheet(s, 3, svg, &n);

	for (int i = 0; i < 3; i++)
		snapshot_free(s[i]);
	return text;
}

/* A run of these probes (NULL: one only), each with samples and a timeline. */
static struct snapshot *run_of(const char *label, const char *one, const char *two)
{
	static const int64_t ns[] = { 20000, 30000, 9000000 };
	struct snapshot *s = snapshot_new();

	snprintf(s->label, sizeof(s->label), "%s", label);
	s->duration_s = s->row_s = 1;
	for (const char *probe = one; probe; probe = probe == one ? two : NULL) {
		fake_series(s, probe, 0, ns, 3);
		struct snapshot_row *row = snapshot_add_row(s, probe);

		row->len_s = 1;
		for (int i = 0; i < 3; i++)
			snapshot_add_cell(row, slot_of(ns[i]), 1);
	}
	return s;
}

static unsigned times(const char *text, const char *what)
{
	unsigned n = 0;

	for (; (text = strstr(text, what)); text++)
		n++;
	return n;
}

/* Maps are of a probe that files share, and none is empty; a panel names only
 * files that have the probe. */
START_TEST(maps_are_of_what_the_files_share)
{
	char *svg = sheet_of(run_of("desk", "audio", "wakeup"), run_of("oth", "fifo", "wakeup"),
			     run_of("both", "audio", NULL), true);

	/* audio and wakeup are in two files each; audio comes first. */
	ck_assert_ptr_nonnull(strstr(svg, ">desk: audio<"));
	ck_assert_ptr_nonnull(strstr(svg, ">both: audio<"));
	ck_assert_ptr_null(strstr(svg, ">oth: "));
	ck_assert_uint_eq(times(svg, ">oth<"), 2 * 3);	/* wakeup, fifo: table, two legends */
	ck_assert_uint_eq(times(svg, ">both<"), 1 * 3);
	ck_assert_ptr_null(strstr(svg, "drawn for itself"));
	ck_assert_ptr_null(strstr(svg, "nan"));
	free(svg);
}
END_TEST

START_TEST(a_script_has_what_the_files_share)
{
	char *gp = sheet_of(run_of("desk", "audio", "wakeup"), run_of("oth", "fifo", "wakeup"),
			    run_of("both", "wakeup", NULL), false);

	/* wakeup is in all three, and first. */
	ck_assert_ptr_nonnull(strstr(gp, "'desk: wakeup'"));
	ck_assert_ptr_nonnull(strstr(gp, "'oth: wakeup'"));
	ck_assert_ptr_nonnull(strstr(gp, "'both: wakeup'"));
	ck_assert_ptr_null(strstr(gp, "audio'\nset xlabel 'time"));
	ck_assert(strstr(gp, "set title 'wakeup'") < strstr(gp, "set title 'audio'"));
	ck_assert_uint_eq(times(gp, "title 'both'"), 2);
	ck_assert_uint_eq(times(gp, "title 'oth'"), 4);
	free(gp);
}
END_TEST

/* Nothing to lay side by side is said, and each file shows its own. */
START_TEST(files_that_share_nothing_say_so)
{
	struct snapshot *s[] = { run_of("a", "one", "two"), run_of("b", "three", "four") };
	size_t n;
	char *svg = sheet(s, 2, true, &n), *gp = sheet(s, 2, false, &n);

	ck_assert_ptr_nonnull(strstr(svg, "no probe is in two of these files"));
	ck_assert_ptr_nonnull(strstr(gp, " title 'no probe is in two of these files"));
	ck_assert_ptr_nonnull(strstr(svg, ">a: one<"));
	ck_assert_ptr_nonnull(strstr(svg, ">b: three<"));
	free(svg);
	free(gp);
	snapshot_free(s[0]);
	snapshot_free(s[1]);
}
END_TEST

/* A probe that started and never had a sample is neither panel nor map. */
START_TEST(a_probe_without_samples_is_not_drawn)
{
	struct snapshot *s[] = { run_of("a", "one", NULL), run_of("b", "one", NULL) };
	size_t n;

	fake_series(s[0], "mute", 0, NULL, 0);
	fake_series(s[1], "mute", 0, NULL, 0);
	char *svg = sheet(s, 2, true, &n);

	ck_assert_ptr_null(strstr(svg, "mute"));
	ck_assert_ptr_nonnull(strstr(svg, ">b: one<"));
	free(svg);
	snapshot_free(s[0]);
	snapshot_free(s[1]);
}
END_TEST

/* However short the run: a second is as wide as the sheet, and a lone sample in
 * it the very thing that is looked for.  A strip ends with the map. */
START_TEST(a_lone_sample_is_on_the_map)
{
	static const int64_t late_ns[] = { 20000, 1000000, 9000000, 700000000 };
	struct box b = { 74, 100, 1100, 130 };
	struct snapshot *s = snapshot_new();
	struct snapshot_row *row = snapshot_add_row(s, "fifo");
	char *text = NULL, *at;
	size_t n;
	double x, w;

	s->duration_s = 0.9;
	row->len_s = 1;
	row->flags = HISTORY_MISSED;
	snapshot_add_cell(row, slot_of(late_ns[_i]), 1);
	FILE *out = open_memstream(&text, &n);

	ck_assert_int_eq(picture_map(out, b, s, "fifo", 1e4, _i == 3 ? 1e12 : 1e8), 0);
	fclose(out);
	ck_assert_msg(strstr(text, "<path fill=") != NULL, "%s", text);
	at = strstr(text, "<g ");
	ck_assert_ptr_nonnull(at = strstr(at, "<rect x=\""));
	ck_assert_int_eq(sscanf(at, "<rect x=\"%lf\"", &x), 1);
	ck_assert_int_eq(sscanf(strstr(at, "width="), "width=\"%lf\"", &w), 1);
	ck_assert_double_le(x + w, b.x + b.w + 0.1);
	free(text);
	snapshot_free(s);
}
END_TEST

/* One sample of 10 million is seen. */
START_TEST(a_lone_sample_stands_above_the_ground)
{
	static const uint64_t counts[] = { 1, 999, 1000, 8472599, 100000000 };

	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		struct dist d = { .counts.count = counts[i] };
		double lone = 1 / fmax(1000, (double)counts[i]);

		ck_assert_double_le(picture_share_floor(&d, 1), 0.5 * lone);
		ck_assert_double_ge(picture_share_floor(&d, 1), 0.01 * lone);
	}
}
END_TEST

START_TEST(nothing_to_draw_is_said)
{
	struct snapshot *s = snapshot_new();
	struct plot_sheet p = { .files = 0 };

	ck_assert_int_eq(plot_sheet_add(&p, s, "x"), 0);
	ck_assert_int_eq(plot_sheet_ready(&p), -ENODATA);
	plot_sheet_free(&p);
	for (unsigned i = 1; i < PLOT_FILES_MAX; i++)
		ck_assert_int_eq(plot_sheet_add(&p, s, "x"), 0);
	ck_assert_int_eq(plot_sheet_add(&p, s, "x"), -E2BIG);
	snapshot_free(s);
}
END_TEST

/* The bars add up to the whole, whatever their width. */
START_TEST(bars_hold_every_sample_once)
{
	static const double width[] = { 0, 1e5, 12345 };
	struct snapshot *s = fake_snapshot(1);
	struct dist d;
	struct picture_step step;
	double sum = 0, before = -1;

	ck_assert_int_eq(dist_make(&d, s, "wakeup-other", DIST_ALL_CPUS), 0);
	struct picture_steps it = { .d = &d, .width_ns = width[_i] };

	while (picture_next_step(&it, &step)) {
		ck_assert_double_ge(step.from_ns, before);
		ck_assert_double_lt(step.from_ns, step.to_ns);
		before = step.to_ns;
		sum += step.share;
	}
	ck_assert_double_eq_tol(sum, 1, 1e-9);
	dist_free(&d);
	snapshot_free(s);
}
END_TEST

/* ---- the command ------------------------------------------------------------------ */

static struct options options;

static const struct { const char *out; int want; } outs[] = {
	{ "x.svg", EXIT_OK }, { "x.gp", EXIT_OK }, { "x.png", EXIT_OK }, { "x.jpg", EXIT_USAGE }, { NULL, EXIT_USAGE },
	{ "no/such/x.svg", EXIT_FAILED }, { ".svg", EXIT_USAGE },
};

START_TEST(the_suffix_decides_the_type)
{
	char dir[] = "/tmp/jitterscope-plot.XXXXXX", file[2][200], top[120];
	struct why why = { 0 };

	ck_assert_ptr_nonnull(getcwd(top, sizeof(top)));
	snprintf(file[0], sizeof(file[0]), "%s/tests/data/histogram-stock.txt", top);
	snprintf(file[1], sizeof(file[1]), "%s/tests/data/histogram-lowlat.txt", top);
	options.file[0] = file[0];
	options.file[1] = file[1];
	options.files = 2;
	options.output = outs[_i].out;
	ck_assert_ptr_nonnull(mkdtemp(dir));
	ck_assert_int_eq(chdir(dir), 0);
	int code = cmd_plot(&options, &why);

	if (outs[_i].out && strstr(outs[_i].out, ".png") && why.err == -ENOENT) {
		printf("SKIP the_suffix_decides_the_type: %s\n", why.text);
	} else {
		ck_assert_msg(code == outs[_i].want, "%d: %s", code, why.text);
		if (code == EXIT_OK)
			ck_assert_int_eq(unlink(outs[_i].out), 0);
	}
	ck_assert_int_eq(chdir(top), 0);
	ck_assert_int_eq(rmdir(dir), 0);	/* nothing else was left */
}
END_TEST

START_TEST(without_a_renderer_the_package_is_named)
{
	struct why why = { 0 };

	setenv("PATH", "/nonexistent", 1);
	options.file[0] = "tests/data/histogram-stock.txt";
	options.files = 1;
	options.output = "/tmp/jitterscope-none.png";
	ck_assert_int_eq(cmd_plot(&options, &why), EXIT_FAILED);
	ck_assert_ptr_nonnull(strstr(why.text, "librsvg2-bin"));
	ck_assert_int_ne(access(options.output, F_OK), 0);
}
END_TEST

START_TEST(a_filter_that_fails_is_said)
{
	static const char *const bad[] = { "false", NULL }, *const none[] = { "no-such-program-here", NULL };
	struct why why = { 0 };

	ck_assert_int_eq(spawn_filter(bad, 0, 1, &why), -EIO);
	ck_assert_int_eq(spawn_filter(none, 0, 1, &why), -ENOENT);
}
END_TEST

/* ---- figures by a number --------------------------------------------------- */

static void add(struct snapshot *s, const char *row, const char *name, const char *unit, double value)
{
	struct snapshot_figure *f = snapshot_add_figure(s, "sizes", row, name, unit);

	ck_assert_ptr_nonnull(f);
	f->value = value;
}

static struct snapshot *sizes(void)
{
	struct snapshot *s = snapshot_new();

	ck_assert_ptr_nonnull(s);
	add(s, "4", "median", "us", 8);
	add(s, "4", "p99 'tail'", "us", 80);
	add(s, "4", "n", "", 10000);
	add(s, "65536", "median", "us", 20);
	add(s, "65536", "p99 'tail'", "us", NAN);
	add(s, "idle", "words", "us", 3);
	add(s, "8", "none", "us", 0);
	return s;
}

static char *curves(struct snapshot *s, bool svg, size_t *bytes)
{
	struct plot_sheet p = { .files = 0 };
	char *text = NULL;
	FILE *out = open_memstream(&text, bytes);

	ck_assert_int_eq(plot_sheet_add(&p, s, "dir/file.json"), 0);
	ck_assert_int_eq(plot_sheet_ready(&p), -ENODATA);
	ck_assert(plot_curves_any(&p));
	if (svg)
		plot_curves_svg(out, &p);
	else
		plot_curves_gnuplot(out, &p, true);
	fclose(out);
	plot_sheet_free(&p);
	return text;
}

/* Only times, only rows that are numbers, only what was measured. */
START_TEST(figures_by_a_number_become_curves)
{
	static const char *const drawn[] = { "sizes", ">median<", ">65536<" };
	static const char *const left_out[] = { ">words<", ">n<", ">none<", "nan" };
	struct snapshot *s = sizes();
	size_t n;
	char *text = curves(s, true, &n);

	for (size_t i = 0; i < sizeof(drawn) / sizeof(drawn[0]); i++)
		ck_assert_msg(strstr(text, drawn[i]) != NULL, "%s", drawn[i]);
	for (size_t i = 0; i < sizeof(left_out) / sizeof(left_out[0]); i++)
		ck_assert_msg(strstr(text, left_out[i]) == NULL, "%s", left_out[i]);
	free(text);
	text = curves(s, false, &n);
	ck_assert_ptr_nonnull(strstr(text, "\n4 8\n\n65536 20\ne\n4 80\ne\n"));
	ck_assert_ptr_nonnull(strstr(text, "title 'p99 ''tail'''"));
	if (system("command -v gnuplot >/dev/null 2>&1"))
		printf("SKIP figures_by_a_number_become_curves, as a script: no gnuplot\n");
	else
		ck_assert_int_eq(fake_pipe("gnuplot | head -c 8 | grep -q PNG", text, n), 0);
	free(text);
	snapshot_free(s);
}
END_TEST

static unsigned lines_of_colour(const char *svg, const char *colour)
{
	unsigned n = 0;

	for (const char *p = svg; (p = strstr(p, "<line ")); p++)
		n += strstr(p, colour) && strstr(p, colour) < strchr(p, '>');
	return n;
}

/* A row without the figure, with one that is none, or below nothing. */
START_TEST(no_curve_crosses_a_row_that_was_not_measured)
{
	static const double holes[] = { NAN, 0, -70.95, 12 };
	struct snapshot *s = snapshot_new();
	bool whole = _i < 4 && holes[_i] > 0;
	size_t n;

	add(s, "4", "load CPU", "us", 8);
	add(s, "8", "load CPU", "us", 9);
	add(s, "16", "n", "", 100);
	if (_i < 4)
		add(s, "16", "load CPU", "us", holes[_i]);
	add(s, "32", "load CPU", "us", 11);
	char *text = curves(s, true, &n);

	ck_assert_uint_eq(lines_of_colour(text, picture_colour(0)), whole ? 3 : 1);
	free(text);
	text = curves(s, false, &n);
	ck_assert_ptr_nonnull(strstr(text, whole ? "\n8 9\n16 12\n32 11\ne\n" : "\n8 9\n\n32 11\ne\n"));
	free(text);
	snapshot_free(s);
}
END_TEST

/* Values no axis can show must not make a picture that never ends. */
START_TEST(monstrous_figures_are_left_out)
{
	static const struct { const char *row; double value; } monsters[] = {
		{ "1", 1e306 }, { "1", 5e-324 }, { "1e300", 1 }, { "1e-300", 1 }, { "1", INFINITY },
	};

	for (size_t i = 0; i < sizeof(monsters) / sizeof(monsters[0]); i++) {
		struct snapshot *s = snapshot_new();
		struct plot_sheet p = { .files = 0 };
		size_t n;

		add(s, monsters[i].row, "median", "us", monsters[i].value);
		plot_sheet_add(&p, s, "file.json");
		ck_assert(!plot_curves_any(&p));
		add(s, "16", "median", "us", 8);
		char *text = curves(s, true, &n);

		ck_assert_uint_lt(n, 20000);
		free(text);
		snapshot_free(s);
	}
}
END_TEST

START_TEST(an_axis_without_ends_has_no_lines)
{
	static const struct axis axes[] = {
		{ 0, 1e6, 0, 100, 1 }, { 1, INFINITY, 0, 100, 1 }, { NAN, 1e6, 0, 100, 1 }, { 0, INFINITY, 0, 100, 0 },
	};

	for (size_t i = 0; i < sizeof(axes) / sizeof(axes[0]); i++) {
		char *text = NULL;
		size_t n;
		FILE *out = open_memstream(&text, &n);

		picture_time_axis(out, &axes[i], (struct box){ 0, 0, 100, 100 }, 1);
		fclose(out);
		ck_assert_uint_eq(n, 0);
		free(text);
	}
}
END_TEST

/* A span of nothing, of a single number, turned round, or for ever; the last two are short and long. */
START_TEST(an_axis_of_seconds_has_an_end)
{
	static const struct { struct axis axis; bool drawn; } rows[] = {
		{ { 0, 5e-324, 0, 100, 0 }, false }, { { 0, 0, 0, 100, 0 }, false }, { { 5, 5, 0, 100, 0 }, false },
		{ { 5, 1, 0, 100, 0 }, false }, { { 0, NAN, 0, 100, 0 }, false }, { { NAN, 1, 0, 100, 0 }, false },
		{ { 0, INFINITY, 0, 100, 0 }, false }, { { 0, 1e300, 0, 100, 0 }, false },
		{ { 0, 1e-9, 0, 100, 0 }, true }, { { -1e9, 1e9, 0, 100, 0 }, true },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char *text = NULL;
		size_t n;
		FILE *out = open_memstream(&text, &n);

		picture_seconds(out, &rows[i].axis, (struct box){ 0, 0, 100, 100 }, 1);
		fclose(out);
		ck_assert_uint_eq(n > 0, rows[i].drawn);
		ck_assert_uint_lt(n, 10000);
		free(text);
	}
}
END_TEST

/* Largest first: each has its number all the same; and of many tables the first. */
START_TEST(rows_come_in_any_order_and_tables_in_any_number)
{
	struct snapshot *s = snapshot_new();
	size_t n;

	add(s, "65536", "median", "us", 20);
	add(s, "256", "median", "us", 9);
	add(s, "4", "median", "us", 8);
	for (unsigned i = 0; i < 4000; i++) {
		char table[24];

		snprintf(table, sizeof(table), "table %u", i);
		ck_assert_ptr_nonnull(snapshot_add_figure(s, table, "4", "median", "us"));
		s->figures[s->nr_figures - 1].value = 1;
	}
	char *text = curves(s, true, &n);

	ck_assert_ptr_nonnull(strstr(text, ">65536<"));
	ck_assert_ptr_nonnull(strstr(text, ">256<"));
	ck_assert_ptr_nonnull(strstr(text, ">4<"));
	ck_assert_uint_lt(n, 100000);
	free(text);
	snapshot_free(s);
}
END_TEST

START_TEST(figures_that_are_no_curves_are_none)
{
	struct snapshot *s = snapshot_new();
	struct plot_sheet p = { .files = 0 };

	add(s, "idle", "null call", "us", 0.1);
	add(s, "4", "throughput", "MB/s", 100);
	plot_sheet_add(&p, s, "file.json");
	ck_assert(!plot_curves_any(&p));
	snapshot_free(s);
}
END_TEST

Suite *plot_suite(void);

Suite *plot_suite(void)
{
	Suite *s = suite_create("plot");
	TCase *tc = tcase_create("plot");

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, files_and_probes_are_all_on_the_sheet);
	tcase_add_test(tc, a_file_without_a_name_goes_by_its_path);
	tcase_add_test(tc, shares_are_in_percent);
	tcase_add_test(tc, labels_cannot_break_out_of_the_script);
	tcase_add_test(tc, gnuplot_runs_the_script);
	tcase_add_test(tc, a_timeline_becomes_a_map);
	tcase_add_test(tc, maps_are_of_what_the_files_share);
	tcase_add_test(tc, a_script_has_what_the_files_share);
	tcase_add_test(tc, files_that_share_nothing_say_so);
	tcase_add_test(tc, a_probe_without_samples_is_not_drawn);
	tcase_add_loop_test(tc, a_lone_sample_is_on_the_map, 0, 4);
	tcase_add_test(tc, a_lone_sample_stands_above_the_ground);
	tcase_add_test(tc, nothing_to_draw_is_said);
	tcase_add_test(tc, figures_by_a_number_become_curves);
	tcase_add_test(tc, figures_that_are_no_curves_are_none);
	tcase_add_loop_test(tc, no_curve_crosses_a_row_that_was_not_measured, 0, 5);
	tcase_add_test(tc, monstrous_figures_are_left_out);
	tcase_add_test(tc, an_axis_without_ends_has_no_lines);
	tcase_add_test(tc, an_axis_of_seconds_has_an_end);
	tcase_add_test(tc, rows_come_in_any_order_and_tables_in_any_number);
	tcase_add_loop_test(tc, bars_hold_every_sample_once, 0, 3);
	tcase_add_loop_test(tc, the_suffix_decides_the_type, 0, (int)(sizeof(outs) / sizeof(outs[0])));
	tcase_add_test(tc, without_a_renderer_the_package_is_named);
	tcase_add_test(tc, a_filter_that_fails_is_said);
	suite_add_tcase(s, tc);
	return s;
}
