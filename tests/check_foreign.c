/* check_foreign.c - histograms and lines of other programs: realfeel, dbench,
 * cyclictest, jitterdebugger. */
#include <check.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/dist.h"
#include "src/format.h"
#include "src/snapshot_build.h"
#include "tests/fake_snapshot.h"

extern const struct format format_realfeel, format_dbench, format_cyclictest, format_cyclictest_json,
	format_jitterdebugger, format_jitterdebugger_raw;

#define ROWS(a) (int)(sizeof(a) / sizeof((a)[0]))

static struct snapshot *accepted(const struct format *f, const char *text)
{
	struct why why = { 0 };
	struct snapshot *s = fake_read(f, text, strlen(text), &why);

	ck_assert_msg(s != NULL, "%s", why.text);
	ck_assert_msg(snapshot_check(s, &why) == 0, "%s", why.text);
	return s;
}

static void refused(const struct format *f, const char *text)
{
	struct why why = { 0 };

	ck_assert_msg(fake_read(f, text, strlen(text), &why) == NULL, "accepted: %s", text);
	ck_assert_int_lt(why.err, 0);
	ck_assert_msg(!strncmp(why.text, "FILE:", 5), "no place named: %s", why.text);
	ck_assert_ptr_null(strchr(why.text, '\n'));
}

static void same_text(const struct format *f, const struct snapshot *s, const char *want)
{
	size_t n;
	char *text = fake_write(f, s, &n);

	ck_assert_str_eq(text, want);
	free(text);
}

/* ---- realfeel ---------------------------------------------------------------- */

START_TEST(realfeel_bins_are_integers)
{
	static const int64_t ns[] = { 0, 42, 99000, 100500, 250000, 33650000 };
	struct snapshot *s = snapshot_new();

	fake_series(s, "stall", -1, ns, 6);
	same_text(&format_realfeel, s, "0.0 3\n0.1 1\n0.2 1\n33.6 1\n");
	snapshot_free(s);
}
END_TEST

START_TEST(realfeel_keeps_what_is_above_the_limit)
{
	static const int64_t ns[] = { 7200000000000 };
	struct snapshot *s = snapshot_new();

	same_text(&format_realfeel, s, "");
	fake_series(s, "stall", -1, ns, 1);
	same_text(&format_realfeel, s, "3600000.0 1\n");
	snapshot_free(s);
}
END_TEST

static const struct { const char *file; uint64_t count, at_1ms, at_100us; int64_t max_ns; size_t bins; } seeds[] = {
	{ "histogram-lowlat.txt", 8594048, 2, 13973, 33699999, 11 },
	{ "histogram-stock.txt", 8472599, 1717, 247857, 45999999, 113 },
};

START_TEST(realfeel_seeds_come_back_byte_for_byte)
{
	size_t n, m;
	char *seed = fake_data(seeds[_i].file, &n);
	struct why why = { 0 };
	struct snapshot *s = fake_read(&format_realfeel, seed, n, &why);
	struct dist d;

	ck_assert_msg(s != NULL, "%s", why.text);
	ck_assert_int_eq(snapshot_check(s, &why), 0);
	ck_assert_int_eq(dist_make(&d, s, "realfeel", DIST_ALL_CPUS), 0);
	ck_assert_uint_eq(d.counts.count, seeds[_i].count);
	ck_assert_uint_eq(dist_at_or_above(&d, 1000000), seeds[_i].at_1ms);
	ck_assert_uint_eq(dist_at_or_above(&d, 100000), seeds[_i].at_100us);
	ck_assert_int_eq(d.max_ns, seeds[_i].max_ns);
	ck_assert_uint_eq(d.pairs, seeds[_i].bins);
	char *back = fake_write(&format_realfeel, s, &m);

	ck_assert_uint_eq(n, m);
	ck_assert_int_eq(memcmp(seed, back, n), 0);
	free(back);
	/* And by way of the snapshot file. */
	char *json = fake_write(format_by_name("json"), s, &m);
	struct snapshot *again = fake_read(format_by_name("json"), json, m, &why);

	ck_assert_msg(again != NULL, "%s", why.text);
	back = fake_write(&format_realfeel, again, &m);
	ck_assert_uint_eq(n, m);
	ck_assert_int_eq(memcmp(seed, back, n), 0);
	free(seed);
	free(json);
	free(back);
	dist_free(&d);
	snapshot_free(s);
	snapshot_free(again);
}
END_TEST

/* The quantile bins that the data's description names. */
START_TEST(realfeel_quantiles_are_those_of_the_seed)
{
	static const double percent[] = { 50, 99, 99.9, 99.99, 99.999, 99.9999 };
	static const int tenth_ms[2][6] = { { 0, 0, 1, 1, 3, 6 }, { 0, 2, 4, 13, 38, 369 } };
	size_t n;
	char *seed = fake_data(seeds[_i].file, &n);
	struct snapshot *s = fake_read(&format_realfeel, seed, n, NULL);
	struct dist d;

	ck_assert_int_eq(dist_make(&d, s, "realfeel", DIST_ALL_CPUS), 0);
	for (int i = 0; i < 6; i++)
		ck_assert_int_eq(dist_percentile(&d, percent[i]) / 100000, tenth_ms[_i][i]);
	/* The histogram in our own slots tells the same shares. */
	struct hist *h = snapshot_hist(s, "realfeel");

	ck_assert_uint_eq(h->count, seeds[_i].count);
	ck_assert_uint_eq(hist_count_above(h, 999999), seeds[_i].at_1ms);
	hist_free(h);
	dist_free(&d);
	snapshot_free(s);
	free(seed);
}
END_TEST

START_TEST(realfeel_accepts_what_people_do_to_files)
{
	struct snapshot *s = accepted(&format_realfeel, "# a remark\r\n  0.0\t 3\r\n\n0.1 1");

	ck_assert_uint_eq(s->series[0].counts.count, 4);
	same_text(&format_realfeel, s, "0.0 3\n0.1 1\n");
	snapshot_free(s);
}
END_TEST

static const char *const bad_realfeel[] = {
	"0.0 3\nx\n", "0.00 3\n", "0,0 3\n", "-0.1 3\n", "+0.1 3\n", "0.1 0\n", "0.1 -1\n", "0.1 1\n0.1 1\n",
	"0.2 1\n0.1 1\n", "0.1\n", "0.1 1 1\n", ".1 1\n", "0. 1\n", "3600000.1 1\n", "0.1 9007199254740992\n",
	"0.1 9007199254740991\n0.2 1\n", "0.1 18446744073709551617\n", "0.1 1.0\n",
};

START_TEST(realfeel_malformed_is_refused)
{
	refused(&format_realfeel, bad_realfeel[_i]);
}
END_TEST

/* ---- dbench ------------------------------------------------------------------ */

static const struct { const char *file; unsigned lines; double mean_first; } runs[] = {
	{ "dbench-lowlat.txt", 24, 107.795 }, { "dbench-stock.txt", 24, 108.362 }, { "dbench-preempt.txt", 10, 0 },
};

START_TEST(dbench_seed_lines_are_read)
{
	size_t n;
	char *seed = fake_data(runs[_i].file, &n);
	struct why why = { 0 };
	struct snapshot *s = fake_read(&format_dbench, seed, n, &why);

	ck_assert_msg(s != NULL, "%s", why.text);
	ck_assert_uint_eq(s->nr_figures, runs[_i].lines);
	if (runs[_i].mean_first > 0) {
		ck_assert_double_eq_tol((s->figures[0].value + s->figures[1].value + s->figures[2].value) / 3,
					runs[_i].mean_first, 0.0006);
		ck_assert_str_eq(s->figures[23].name, "128 procs");
	}
	/* MBit is exactly ten times the printed figure in every line we write. */
	char *text = fake_write(&format_dbench, s, &n);

	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
		double t, nb, mbit;
		char want[32];

		ck_assert_int_eq(sscanf(line, "Throughput %lf MB/sec (NB=%lf MB/sec  %lf MBit/sec)", &t, &nb, &mbit), 3);
		snprintf(want, sizeof(want), "  %g MBit/sec)", 10 * t);
		ck_assert_msg(strstr(line, want) != NULL, "%s", line);
	}
	free(text);
	free(seed);
	snapshot_free(s);
}
END_TEST

START_TEST(dbench_figures_come_from_what_was_not_rounded)
{
	struct snapshot *s = snapshot_new();
	struct snapshot_load *l = snapshot_add_load(s, "churn");

	l->rate = 106.3304;
	l->workers = 1;
	snprintf(l->rate_unit, sizeof(l->rate_unit), "MB/s");
	same_text(&format_dbench, s, "Throughput 106.33 MB/sec (NB=132.913 MB/sec  1063.3 MBit/sec)  1 procs\n");
	l->rate = 0;	/* no time: no line, and that is said */
	struct why why = { 0 };
	FILE *out = tmpfile();

	ck_assert_int_eq(format_dbench.write(out, s, &why), -ENODATA);
	ck_assert_ptr_nonnull(strstr(why.text, "no load here has a figure in MB/s"));
	ck_assert_int_eq(ftell(out), 0);
	fclose(out);
	snapshot_free(s);
}
END_TEST

static const char *const good_dbench[] = {
	"Throughput 727.123 MB/sec  2 clients  2 procs  max_latency=11.721 ms\n",
	"Throughput 35.8872 MB/sec (NB=44.859 MB/sec 358.872 MBit/sec)\n",
	"Throughput 1 MB/sec (NB=1.25 MB/sec  10 MBit/sec) (sync open) (sync dirs)  4 procs\n",
	"2.4.18pre2aa2 Throughput 22.2399 MB/sec 64 procs\n",
	"Throughput 1.5e+06 MB/sec (NB=1.875e+06 MB/sec  1.5e+07 MBit/sec)  1 procs\n",
	"   1   some progress\n\nThroughput 0 MB/sec 1 procs",
};

START_TEST(dbench_forms_of_all_versions_are_read)
{
	struct snapshot *s = accepted(&format_dbench, good_dbench[_i]);

	ck_assert_uint_ge(s->nr_figures, 1);
	snapshot_free(s);
}
END_TEST

static const char *const bad_dbench[] = {
	"Throughput nan MB/sec 1 procs\n", "Throughput inf MB/sec\n", "Throughput -1 MB/sec\n", "Throughput 1 MB/sec 0 procs\n",
	"Throughput 100 MB/sec (NB=126 MB/sec 1000 MBit/sec) 1 procs\n", "Throughput 1,5 MB/sec\n",
	"Throughput 100 MB/sec (NB=125 MB/sec 1001 MBit/sec) 1 procs\n", "Throughput 1 MB/sec 1 frogs\n", "Throughput\n",
	"nothing at all\n", "Throughput 1 MB/sec 99999999999 procs\n",
};

START_TEST(dbench_malformed_is_refused)
{
	refused(&format_dbench, bad_dbench[_i]);
}
END_TEST

START_TEST(dbench_kernel_lines_survive_as_text)
{
	struct snapshot *s = accepted(&format_dbench, good_dbench[3]);

	ck_assert_str_eq(s->figures[0].row, "2.4.18pre2aa2");
	ck_assert_str_eq(s->figures[0].text, "22.2399");
	ck_assert_str_eq(s->figures[0].name, "64 procs");
	snapshot_free(s);
}
END_TEST

/* ---- cyclictest --------------------------------------------------------------- */

#define NEWER "# Histogram\n000003 000412\t000000\n000004 009501\t009874\n" \
	"# Min Latencies: 00003 00004\n# Avg Latencies: 00003 00004\n# Max Latencies: 00091 00004\n" \
	"# Histogram Overflows: 00001 00000\n# Histogram Overflow at cycle number:\n# Thread 0: 07211\n# Thread 1: \n\n"
#define OLDER "# /dev/cpu_dma_latency set to 0us\nT: 0 ( 1) P:80\n# Histogram\n000000 000000\t000000\t000000\n" \
	"000001 000002\t000003\t000005\n# Total: 000000002 000000003 000000005\n# Min Latencies: 00001 00001\n" \
	"# Avg Latencies: 00001 00001\n# Max Latencies: 00001 00001\n# Histogram Overflows: 00000 00000 00000\n" \
	"# Histogram Overflow at cycle number:\n# Thread 0:\n# Thread 1:\n\n"

START_TEST(cyclictest_newer_text_is_read)
{
	struct snapshot *s = accepted(&format_cyclictest, NEWER);

	ck_assert_uint_eq(s->nr_series, 2);
	ck_assert_uint_eq(s->series[0].counts.count, 9914);
	ck_assert_uint_eq(s->series[1].counts.count, 9874);
	ck_assert_int_eq(s->series[0].min_ns, 3000);
	ck_assert_int_eq(s->series[0].max_ns, 91999);
	ck_assert_int_eq(s->series[0].histogram[2].value_ns, 91999);
	ck_assert_double_eq_tol(s->series[1].mean_ns, 4000, 1e-9);
	snapshot_free(s);
}
END_TEST

START_TEST(cyclictest_older_text_with_sums_is_read)
{
	struct snapshot *s = accepted(&format_cyclictest, OLDER);

	ck_assert_uint_eq(s->nr_series, 2);	/* the third column is their sum */
	ck_assert_uint_eq(s->series[0].counts.count, 2);
	ck_assert_uint_eq(s->series[1].counts.count, 3);
	snapshot_free(s);
}
END_TEST

START_TEST(cyclictest_text_is_written_in_the_newer_form)
{
	static const int64_t a[] = { 3200, 4100, 4900, 2000000000 }, b[] = { 4500 };
	struct snapshot *s = snapshot_new();

	fake_series(s, "stall", 1, b, 1);
	fake_series(s, "stall", 0, a, 4);
	same_text(&format_cyclictest, s,
		  "# Histogram\n000003 000001\t000000\n000004 000002\t000001\n"
		  "# Min Latencies: 00003 00004\n# Avg Latencies: 500003 00004\n# Max Latencies: 2000000 00004\n"
		  "# Histogram Overflows: 00001 00000\n# Histogram Overflow at cycle number:\n"
		  "# Thread 0:  # 00001 others\n# Thread 1: \n\n");
	snapshot_free(s);
}
END_TEST

/* Whatever we write, we read with the same counts. */
START_TEST(cyclictest_both_forms_come_back)
{
	const struct format *f = _i ? &format_cyclictest_json : &format_cyclictest;
	struct snapshot *a = fake_snapshot(1), *b;
	struct why why = { 0 };
	size_t n;
	char *text = fake_write(f, a, &n);

	b = fake_read(f, text, n, &why);
	ck_assert_msg(b != NULL, "%s", why.text);
	ck_assert_msg(snapshot_check(b, &why) == 0, "%s", why.text);
	ck_assert_uint_eq(b->nr_series, 2);
	for (int i = 0; i < 2; i++) {
		ck_assert_uint_eq(b->series[i].counts.count, a->series[i].counts.count);
		ck_assert_int_eq(b->series[i].max_ns / 1000, a->series[i].max_ns / 1000);
		ck_assert_int_eq(b->series[i].min_ns / 1000, a->series[i].min_ns / 1000);
	}
	free(text);
	snapshot_free(a);
	snapshot_free(b);
}
END_TEST

static void has(const char *text, const char *what)
{
	ck_assert_msg(strstr(text, what) != NULL, "no '%s' in:\n%s", what, text);
}

/* It began before it ended: the snapshot is from the end of the run. */
START_TEST(cyclictest_json_says_when_it_began)
{
	struct snapshot *a = fake_snapshot(1), *b;
	struct why why = { 0 };
	size_t n;

	snprintf(a->created, sizeof(a->created), "2026-12-01T00:00:05Z");
	a->duration_s = 111.9;
	char *text = fake_write(&format_cyclictest_json, a, &n);

	has(text, "\"start_time\": \"Mon, 30 Nov 2026 23:58:13 +0000\"");
	has(text, "\"end_time\": \"Tue, 01 Dec 2026 00:00:05 +0000\"");
	b = fake_read(&format_cyclictest_json, text, n, &why);
	ck_assert_str_eq(b->created, a->created);
	ck_assert_double_eq_tol(b->duration_s, 112, 1e-9);
	free(text);
	a->duration_s = 6.001;		/* to the nearest second */
	text = fake_write(&format_cyclictest_json, a, &n);
	has(text, "\"start_time\": \"Mon, 30 Nov 2026 23:59:59 +0000\"");
	free(text);
	snapshot_free(b);
	a->created[0] = '\0';		/* of a file that does not know */
	text = fake_write(&format_cyclictest_json, a, &n);
	has(text, "\"start_time\": \"\"");
	has(text, "\"end_time\": \"\"");
	free(text);
	snapshot_free(a);
}
END_TEST

static const struct { const char *start, *end, *created; double duration_s; } dates[] = {
	{ "Tue, 07 Jul 2026 10:00:00 +0000", "Tue, 07 Jul 2026 10:01:00 +0000", "2026-07-07T10:01:00Z", 60 },
	{ "Tue, 07 Jul 2026 12:00:00 +0200", "Tue, 07 Jul 2026 10:01:00 +0000", "2026-07-07T10:01:00Z", 60 },
	{ "Tue, 07 Jul 2026 10:01:00 +0000", "Tue, 07 Jul 2026 10:00:00 +0000", "", 0 },
	{ "", "Tue, 07 Jul 2026 10:00:00 +0000", "", 0 }, { "today", "tomorrow", "", 0 },
};

START_TEST(cyclictest_json_dates_are_read)
{
	char text[500];

	snprintf(text, sizeof(text), "{\"file_version\": 1, \"num_threads\": 1, \"start_time\": \"%s\", "
		 "\"end_time\": \"%s\", \"thread\": {\"0\": {\"histogram\": {\"3\": 1}, \"cycles\": 1, "
		 "\"min\": 3, \"max\": 3, \"avg\": 3.0, \"cpu\": 0, \"node\": 0}}}", dates[_i].start,
		 dates[_i].end);
	struct snapshot *s = accepted(&format_cyclictest_json, text);

	ck_assert_str_eq(s->created, dates[_i].created);
	ck_assert_double_eq_tol(s->duration_s, dates[_i].duration_s, 1e-9);
	snapshot_free(s);
}
END_TEST

static const char *const bad_cyclictest[] = {
	"# Histogram\n000003 000412\n", "# Histogram\n000003 1\t2\n000004 1\n# Max Latencies: 1 1\n",
	"# Histogram\n000003 1\n000003 1\n# Min Latencies: 1\n# Max Latencies: 1\n",
	"# Histogram\n000003 x\n# Max Latencies: 1\n", "# Histogram\n000003 -1\n# Max Latencies: 1\n",
	"# Histogram\n000001 2\n# Total: 000000003\n# Min Latencies: 1\n# Max Latencies: 1\n",
	"# Histogram\n000001 2\n# Min Latencies: 1 1 1\n# Max Latencies: 1 1 1\n",
	"# Histogram\n000001 2\n# Min Latencies: 9\n# Max Latencies: 1\n",
	"# Histogram\n000001 2\t3\n# Min Latencies: 1\n# Max Latencies: 1\n",
	"# Histogram\n000001 9007199254740991\n000002 1\n# Min Latencies: 1\n# Max Latencies: 2\n",
	"# Histogram\n# Min Latencies: a\n# Max Latencies: 2\n", "nothing\n",
};

START_TEST(cyclictest_malformed_is_refused)
{
	refused(&format_cyclictest, bad_cyclictest[_i]);
}
END_TEST

/* One thing to know does not hide another. */
START_TEST(cyclictest_overflows_leave_the_note_of_the_unit)
{
	struct snapshot *s = accepted(&format_cyclictest,
		"# Histogram\n000001 000002\t000001\n# Min Latencies: 00001 00001\n"
		"# Avg Latencies: 18446744073709551615 00001\n"
		"# Max Latencies: 18446744073709551615 00099\n# Histogram Overflows: 00001 00001\n");
	const char *over = strstr(s->note, "stand at its maximum");

	ck_assert_ptr_nonnull(strstr(s->note, "unit taken as us"));
	ck_assert_ptr_nonnull(strstr(s->note, "columns are threads"));
	ck_assert_ptr_nonnull(strstr(s->note, "is unknown"));
	ck_assert(over && !strstr(over + 1, "stand at its maximum"));
	ck_assert(isnan(s->series[0].mean_ns));
	snapshot_free(s);
	s = accepted(&format_jitterdebugger, "{\"cpu\": {\"0\": {\"histogram\": {\"5\": 1, \"6\": 4}, "
		     "\"count\": 6, \"min\": 5, \"max\": 1111, \"avg\": 14.98}}}");
	ck_assert_ptr_nonnull(strstr(s->note, "stand at its maximum"));
	ck_assert_ptr_nonnull(strstr(s->note, "CPU numbers are thread numbers"));
	snapshot_free(s);
}
END_TEST

START_TEST(cyclictest_negative_latency_is_unknown)
{
	struct snapshot *s = accepted(&format_cyclictest,
		"# Histogram\n000001 000002\n# Min Latencies: 00001\n# Avg Latencies: 00001\n"
		"# Max Latencies: 18446744073709551615\n# Histogram Overflows: 00000\n");

	ck_assert_int_eq(s->series[0].max_ns, 1999);
	ck_assert_ptr_nonnull(strstr(s->note, "unknown"));
	snapshot_free(s);
}
END_TEST

#define THREAD(bins, cycles) "{\"file_version\": 1, \"cmdline:\": \"x\", \"num_threads\": 1, \"resolution_in_ns\": 0, " \
	"\"thread\": {\"0\": {\"histogram\": {" bins "}, \"cycles\": " cycles ", \"min\": 3, \"max\": 91, \"avg\": 3.97, " \
	"\"cpu\": -1, \"node\": -1}}}"

START_TEST(cyclictest_json_counts_what_is_above_its_table)
{
	struct snapshot *s = accepted(&format_cyclictest_json, THREAD("\"3\": 412, \"4\": 9501", "9914"));

	ck_assert_uint_eq(s->series[0].counts.count, 9914);
	ck_assert_int_eq(s->series[0].cpu, -1);
	ck_assert_int_eq(s->series[0].histogram[2].value_ns, 91999);
	ck_assert_uint_eq(s->series[0].histogram[2].count, 1);
	snapshot_free(s);
	/* Written before the threads stopped: one more in the table is fine. */
	s = accepted(&format_cyclictest_json, THREAD("\"3\": 412", "411"));
	ck_assert_uint_eq(s->series[0].counts.count, 412);
	snapshot_free(s);
}
END_TEST

static const char *const bad_json[] = {
	THREAD("\"3\": 412", "410"), THREAD("\"-3\": 1", "1"), THREAD("\"3\": 1.5", "1"), THREAD("\"3\": -1", "1"),
	THREAD("\"3\": 1, \"3\": 1", "2"), THREAD("\"x\": 1", "1"), THREAD("\"99\": 1", "1"),
	"{\"file_version\": 2, \"num_threads\": 1, \"thread\": {}}", "{\"file_version\": 1, \"num_threads\": 1}",
	"{\"file_version\": 1, \"cmdline:\": \"a\"b\", \"thread\": {}}",
	"{\"file_version\": 1, \"thread\": {\"0\": {\"avg\": -nan}}}",
	"{\"file_version\": 1, \"thread\": {\"zero\": {}}}", "{\"file_version\": 1, \"thread\": {\"0\": 3}}",
};

START_TEST(cyclictest_json_malformed_is_refused)
{
	refused(&format_cyclictest_json, bad_json[_i]);
}
END_TEST

/* ---- jitterdebugger ------------------------------------------------------------ */

START_TEST(jitterdebugger_units_are_those_of_the_file)
{
	struct snapshot *s = accepted(&format_jitterdebugger,
		"{\"version\": 3, \"sysinfo\": {\"nodename\": \"h\", \"resolution_in_ns\": 1}, \"cpu\": {\"0\": "
		"{\"histogram\": {\"5\": 1, \"6\": 4}, \"count\": 5, \"min\": 5, \"max\": 6, \"avg\": 5.8}}}");

	ck_assert_int_eq(s->series[0].max_ns, 6);
	snapshot_free(s);
	s = accepted(&format_jitterdebugger, "{\"cpu\": {\"0\": {\"histogram\": {\"5\": 1, \"6\": 4}, \"count\": 6, "
		     "\"min\": 5, \"max\": 1111, \"avg\": 14.98}}}");
	ck_assert_int_eq(s->series[0].max_ns, 1111999);
	ck_assert_uint_eq(s->series[0].counts.count, 6);
	snapshot_free(s);
}
END_TEST

START_TEST(jitterdebugger_without_samples_is_refused_by_name)
{
	static const char text[] = "{\"cpu\": {\"0\": {\"histogram\": {}, \"count\": 0, \"min\": 18446744073709551615, "
		"\"max\": 0, \"avg\": -nan}}}";
	struct why why = { 0 };

	ck_assert_ptr_null(fake_read(&format_jitterdebugger, text, strlen(text), &why));
	ck_assert_ptr_nonnull(strstr(why.text, "no samples"));
}
END_TEST

START_TEST(jitterdebugger_average_lies_below_the_maximum)
{
	refused(&format_jitterdebugger, "{\"cpu\": {\"0\": {\"histogram\": {\"4\": 1, \"6\": 2}, \"count\": 6, \"min\": 5, "
		"\"max\": 2532, \"avg\": 18446744073709551614.98}}}");
}
END_TEST

static void put_record(char *out, uint32_t thread, int64_t s, int64_t ns, uint64_t value)
{
	memcpy(out, &thread, 4);
	memcpy(out + 4, &s, 8);
	memcpy(out + 12, &ns, 8);
	memcpy(out + 20, &value, 8);
}

START_TEST(jitterdebugger_raw_samples_are_counted)
{
	char raw[28 * 4];
	struct why why = { 0 };

	put_record(raw, 1, 1114, 936950838, 9);
	put_record(raw + 28, 1, 1114, 937950838, 12);
	put_record(raw + 56, 0, 1000, 1, 9);	/* threads come in blocks */
	put_record(raw + 84, 0, 1000, 1, 3600000001);
	struct snapshot *s = fake_read(&format_jitterdebugger_raw, raw, sizeof(raw), &why);

	ck_assert_msg(s != NULL, "%s", why.text);
	ck_assert_int_eq(snapshot_check(s, &why), 0);
	ck_assert_uint_eq(s->nr_series, 2);
	ck_assert_uint_eq(s->series[0].counts.count, 2);
	ck_assert_int_eq(s->series[0].max_ns, 12999);
	ck_assert_uint_eq(s->series[1].counts.over, 1);
	snapshot_free(s);
}
END_TEST

START_TEST(jitterdebugger_raw_lies_are_refused)
{
	char raw[28 * 2];
	struct why why = { 0 };

	put_record(raw, 0, 5, 0, 9);
	put_record(raw + 28, _i == 0 ? 4096 : 0, _i == 1 ? 4 : 5, _i == 2 ? 1000000000 : 0, 1);
	ck_assert_ptr_null(fake_read(&format_jitterdebugger_raw, raw, sizeof(raw) - (_i == 3 ? 16 : _i == 4), &why));
	ck_assert_msg(strstr(why.text, _i == 3 ? "32-bit" : "offset") != NULL, "%s", why.text);
}
END_TEST

/* ---- real programs -------------------------------------------------------------- */

#define TOOL_BYTES (1 << 20)

/* The command with the seconds it is to take. */
static const struct { const char *tool, *command; const struct format *format; } tools[] = {
	{ "cyclictest", "cyclictest -q -t2 -D%d -h 400 2>/dev/null", &format_cyclictest },
	{ "cyclictest", "cyclictest -q -t2 -D%d -H 40 2>/dev/null", &format_cyclictest },
	{ "cyclictest", "f=$(mktemp) && cyclictest -q -t1 -D%d -h 60 --json=$f >/dev/null 2>&1 && cat $f; rm -f $f",
	  &format_cyclictest_json },
	{ "jitterdebugger", "d=$(mktemp -d) && jitterdebugger -o $d -l 100 -i 1000 >/dev/null 2>&1; cat $d/results.json; rm -r $d",
	  &format_jitterdebugger },
};

/* What it says when it runs so long; its bytes. */
static size_t run_tool(unsigned i, int seconds, char *text, size_t room)
{
	char command[200];

	snprintf(command, sizeof(command), tools[i].command, seconds);
	FILE *in = popen(command, "r");
	size_t n = fread(text, 1, room - 1, in);

	pclose(in);
	text[n] = '\0';
	return n;
}

/* The program's own output is the oracle: it is read, and adds up.  On a machine
 * that gives it no CPU for a second it has to run for longer. */
START_TEST(output_of_the_real_program_is_read)
{
	static const int seconds[] = { 1, 5, 20 };
	char check[80], *text = calloc(1, TOOL_BYTES);
	struct why why = { 0 };
	uint64_t count = 0;

	snprintf(check, sizeof(check), "command -v %s >/dev/null 2>&1", tools[_i].tool);
	if (system(check)) {
		printf("SKIP output_of_the_real_program_is_read: no %s\n", tools[_i].tool);
		free(text);
		return;
	}
	for (int i = 0; i < 3 && count <= 10; i++) {
		size_t n = run_tool((unsigned)_i, seconds[i], text, TOOL_BYTES);

		if (n < 100) {
			printf("SKIP output_of_the_real_program_is_read: %s did not run here\n", tools[_i].tool);
			free(text);
			return;
		}
		ck_assert_int_ge(tools[_i].format->sniff(text, n, "x"), 60);
		struct snapshot *s = fake_read(tools[_i].format, text, n, &why);

		ck_assert_msg(s != NULL, "%s\n%s", why.text, text);
		ck_assert_msg(snapshot_check(s, &why) == 0, "%s", why.text);
		count = s->series[0].counts.count;
		snapshot_free(s);
	}
	ck_assert_uint_gt(count, 10);
	free(text);
}
END_TEST

Suite *foreign_suite(void);

Suite *foreign_suite(void)
{
	Suite *s = suite_create("foreign");
	TCase *tc = tcase_create("foreign");

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, realfeel_bins_are_integers);
	tcase_add_test(tc, realfeel_keeps_what_is_above_the_limit);
	tcase_add_loop_test(tc, realfeel_seeds_come_back_byte_for_byte, 0, ROWS(seeds));
	tcase_add_loop_test(tc, realfeel_quantiles_are_those_of_the_seed, 0, ROWS(seeds));
	tcase_add_test(tc, realfeel_accepts_what_people_do_to_files);
	tcase_add_loop_test(tc, realfeel_malformed_is_refused, 0, ROWS(bad_realfeel));
	tcase_add_loop_test(tc, dbench_seed_lines_are_read, 0, ROWS(runs));
	tcase_add_test(tc, dbench_figures_come_from_what_was_not_rounded);
	tcase_add_loop_test(tc, dbench_forms_of_all_versions_are_read, 0, ROWS(good_dbench));
	tcase_add_loop_test(tc, dbench_malformed_is_refused, 0, ROWS(bad_dbench));
	tcase_add_test(tc, dbench_kernel_lines_survive_as_text);
	tcase_add_test(tc, cyclictest_newer_text_is_read);
	tcase_add_test(tc, cyclictest_older_text_with_sums_is_read);
	tcase_add_test(tc, cyclictest_text_is_written_in_the_newer_form);
	tcase_add_loop_test(tc, cyclictest_both_forms_come_back, 0, 2);
	tcase_add_loop_test(tc, cyclictest_malformed_is_refused, 0, ROWS(bad_cyclictest));
	tcase_add_test(tc, cyclictest_negative_latency_is_unknown);
	tcase_add_test(tc, cyclictest_overflows_leave_the_note_of_the_unit);
	tcase_add_test(tc, cyclictest_json_says_when_it_began);
	tcase_add_loop_test(tc, cyclictest_json_dates_are_read, 0, ROWS(dates));
	tcase_add_test(tc, cyclictest_json_counts_what_is_above_its_table);
	tcase_add_loop_test(tc, cyclictest_json_malformed_is_refused, 0, ROWS(bad_json));
	tcase_add_test(tc, jitterdebugger_units_are_those_of_the_file);
	tcase_add_test(tc, jitterdebugger_without_samples_is_refused_by_name);
	tcase_add_test(tc, jitterdebugger_average_lies_below_the_maximum);
	tcase_add_test(tc, jitterdebugger_raw_samples_are_counted);
	tcase_add_loop_test(tc, jitterdebugger_raw_lies_are_refused, 0, 5);
	tcase_add_loop_test(tc, output_of_the_real_program_is_read, 0, ROWS(tools));
	suite_add_tcase(s, tc);
	return s;
}
