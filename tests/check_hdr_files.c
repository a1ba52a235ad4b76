/* check_hdr_files.c - .hlog and .hgrm: what HdrHistogram's own readers take. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/format.h"
#include "src/snapshot_build.h"
#include "tests/fake_snapshot.h"

extern const struct format format_hlog, format_hgrm;

#define BLOB "HISTFAAAACt42pNpmSzMwMDAxQABzFCaEch0M9ixgMH+A0TgPD/bU3YmlsM+TACNDAc8"
#define HEAD "#[Logged by somebody]\n#[Histogram log format version 1.3]\n" \
	"#[StartTime: 1700000000.000 (seconds since epoch), Tue Nov 14 22:13:20 UTC 2023]\n" \
	"\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_Histogram\"\n"

/* The example of the published forms: 7 samples. */
static struct snapshot *example(void)
{
	static const int64_t ns[] = { 1000, 1000, 1000, 1500, 1501, 1501, 40960 };
	struct snapshot *s = snapshot_new();

	fake_series(s, "wakeup-fifo", 0, ns, 7);
	snprintf(s->program, sizeof(s->program), "0.1.0");
	snprintf(s->created, sizeof(s->created), "2023-11-14T22:13:21Z");
	s->duration_s = 1;
	return s;
}

START_TEST(hlog_is_written_as_published)
{
	struct snapshot *s = example();
	size_t n;
	char *text = fake_write(&format_hlog, s, &n);

	ck_assert_str_eq(text, "#[Logged by jitterscope 0.1.0]\n#[Histogram log format version 1.3]\n"
		"#[StartTime: 1700000000.000 (seconds since epoch), Tue Nov 14 22:13:20 UTC 2023]\n"
		"\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_Histogram\"\n"
		"1700000000.000,1.000,0.041," BLOB "\n" "Tag=wakeup-fifo.cpu0,1700000000.000,1.000,0.041," BLOB "\n");
	free(text);
	snapshot_free(s);
}
END_TEST

START_TEST(hlog_holds_every_series_once)
{
	struct snapshot *a = fake_snapshot(1), *b;
	struct why why = { 0 };
	size_t n;
	char *text = fake_write(&format_hlog, a, &n);

	b = fake_read(&format_hlog, text, n, &why);
	ck_assert_msg(b != NULL, "%s", why.text);
	ck_assert_int_eq(snapshot_check(b, &why), 0);
	ck_assert_uint_eq(b->nr_series, a->nr_series);
	for (unsigned i = 0; i < a->nr_series; i++) {
		ck_assert_str_eq(a->series[i].probe, b->series[i].probe);
		ck_assert_int_eq(a->series[i].cpu, b->series[i].cpu);
		ck_assert_uint_eq(a->series[i].counts.count, b->series[i].counts.count);
		ck_assert_uint_eq(a->series[i].pairs, b->series[i].pairs);
		for (size_t k = 0; k < a->series[i].pairs; k++)
			ck_assert_uint_eq(a->series[i].histogram[k].count, b->series[i].histogram[k].count);
	}
	ck_assert_double_eq_tol(b->duration_s, 60, 1e-3);
	for (char *line = strtok(text, "\n"); line && line[0] == '#'; line = strtok(NULL, "\n"))
		ck_assert_uint_le(strlen(line), 126);
	free(text);
	snapshot_free(a);
	snapshot_free(b);
}
END_TEST

START_TEST(foreign_hlogs_are_added_up)
{
	static const char text[] = HEAD "\n1700000000.000,1.000,0.041," BLOB "\n# a remark\n1700000001,1,0.041," BLOB
		"\nTag=x,1700000001.000,1.000,0.041," BLOB "\n";
	struct why why = { 0 };
	struct snapshot *s = fake_read(&format_hlog, text, strlen(text), &why);

	ck_assert_msg(s != NULL, "%s", why.text);
	ck_assert_int_eq(snapshot_check(s, &why), 0);
	ck_assert_uint_eq(s->nr_series, 2);
	ck_assert_uint_eq(s->series[0].counts.count, 14);
	ck_assert_str_eq(s->series[1].probe, "x");
	ck_assert_double_eq_tol(s->duration_s, 2, 1e-6);
	ck_assert_str_eq(s->created, "2023-11-14T22:13:22Z");
	snapshot_free(s);
}
END_TEST

START_TEST(a_cut_last_line_is_dropped_with_a_note)
{
	static const char text[] = HEAD "1700000000.000,1.000,0.041," BLOB "\n1700000001.000,1.000,0.041,HISTFAAAACt4";
	struct snapshot *s = fake_read(&format_hlog, text, strlen(text), NULL);

	ck_assert_ptr_nonnull(s);
	ck_assert_uint_eq(s->series[0].counts.count, 7);
	ck_assert_ptr_nonnull(strstr(s->note, "cut off"));
	snapshot_free(s);
}
END_TEST

static const char *const bad[] = {
	HEAD "1,1,1\n", HEAD "x,1,1," BLOB "\n", HEAD "-1,1,1," BLOB "\n", HEAD "nan,1,1," BLOB "\n", HEAD "1,inf,1," BLOB "\n",
	HEAD "1,1,1,HISTFAAAACt4\n", HEAD "Tag=,1,1,1," BLOB "\n", HEAD "Tag=a b,1,1,1," BLOB "\n", HEAD "1,1,1,\n",
	HEAD "Tag=1234567890123456789012345678901234567890123456789012345678901234,1,1,1," BLOB "\n",
};

START_TEST(hlog_malformed_is_refused)
{
	struct why why = { 0 };

	ck_assert_msg(fake_read(&format_hlog, bad[_i], strlen(bad[_i]), &why) == NULL, "accepted: %s", bad[_i]);
	ck_assert(!strncmp(why.text, "FILE:5: ", 8));
}
END_TEST

/* ---- .hgrm ---------------------------------------------------------------------- */

START_TEST(hgrm_has_the_published_form)
{
	struct snapshot *s = example();
	size_t n;
	char *text = fake_write(&format_hgrm, s, &n);

	ck_assert(!strncmp(text, "       Value     Percentile TotalCount 1/(1-Percentile)\n\n"
			   "       1.000 0.000000000000          3           1.00\n", 110));
	ck_assert_ptr_nonnull(strstr(text, "       1.500 0.500000000000          4           2.00\n"));
	ck_assert_ptr_nonnull(strstr(text, "      40.991 0.875000000000          7           8.00\n"
			      "      40.991 1.000000000000          7\n"
			      "#[Mean    =        6.925, StdDeviation   =       13.903]\n"
			      "#[Max     =       40.991, Total count    =            7]\n"
			      "#[Buckets =           32, SubBuckets     =         2048]\n"));
	free(text);
	snapshot_free(s);
}
END_TEST

START_TEST(hgrm_of_nothing_has_head_and_foot)
{
	struct snapshot *s = snapshot_new();
	size_t n;
	char *text = fake_write(&format_hgrm, s, &n);

	ck_assert_ptr_nonnull(strstr(text, "TotalCount 1/(1-Percentile)\n\n#[Mean    =        0.000"));
	free(text);
	snapshot_free(s);
}
END_TEST

START_TEST(hgrm_keeps_total_and_maximum)
{
	struct snapshot *a = fake_snapshot(1), *b;
	struct why why = { 0 };
	size_t n;
	char *text = fake_write(&format_hgrm, a, &n);
	struct hist *h = snapshot_hist(a, "wakeup-fifo");

	b = fake_read(&format_hgrm, text, n, &why);
	ck_assert_msg(b != NULL, "%s", why.text);
	ck_assert_int_eq(snapshot_check(b, &why), 0);
	ck_assert_uint_eq(b->series[0].counts.count, h->count);
	ck_assert_int_eq(b->series[0].max_ns, hist_slot_highest(h, h->high));
	hist_free(h);
	free(text);
	snapshot_free(a);
	snapshot_free(b);
}
END_TEST

static const char *const bad_hgrm[] = {
	"Value Percentile TotalCount 1/(1-Percentile)\n\n2.0 0.5 4\n1.0 0.6 5\n",
	"Value Percentile TotalCount 1/(1-Percentile)\n\n1.0 0.5 4\n2.0 0.6 3\n",
	"Value Percentile TotalCount 1/(1-Percentile)\n\n1.0 0.5 4\n#[Max = 1.0, Total count = 5]\n",
	"Value Percentile TotalCount 1/(1-Percentile)\n\nx\n", "Value Percentile TotalCount 1/(1-Percentile)\n\n1.0 1.5 4\n",
	"Value Percentile TotalCount 1/(1-Percentile)\n\n1e300 0.5 4\n",
	"Value Percentile TotalCount 1/(1-Percentile)\n\n1.0 0.5 4\n2.0 0.75 6\n",	/* cut short */
	"Value Percentile TotalCount 1/(1-Percentile)\n\n",
};

START_TEST(hgrm_malformed_is_refused)
{
	struct why why = { 0 };

	ck_assert_msg(fake_read(&format_hgrm, bad_hgrm[_i], strlen(bad_hgrm[_i]), &why) == NULL, "%s", bad_hgrm[_i]);
	ck_assert(!strncmp(why.text, "FILE:", 5));
}
END_TEST

/* It ends with its last row or its foot; only the latter knows the mean. */
START_TEST(hgrm_without_a_mean_has_none)
{
	static const char text[] =
		"Value Percentile TotalCount 1/(1-Percentile)\n\n1.0 0.5 4 2.0\n2.0 1.0 8\n";
	struct why why = { 0 };
	struct snapshot *s = fake_read(&format_hgrm, text, strlen(text), &why);
	size_t n;

	ck_assert_msg(s != NULL, "%s", why.text);
	ck_assert_int_eq(snapshot_check(s, &why), 0);
	ck_assert_uint_eq(s->series[0].counts.count, 8);
	ck_assert(isnan(s->series[0].mean_ns));
	ck_assert_double_eq_tol(snapshot_series_mean(&s->series[0]), 1500, 1e-9);
	char *report = fake_write(format_by_name("text"), s, &n);

	ck_assert_msg(strstr(report, "\nhgrm                      8      - ") != NULL, "%s", report);
	free(report);
	char *json = fake_write(format_by_name("json"), s, &n);

	snapshot_free(s);
	s = fake_read(format_by_name("json"), json, n, &why);
	ck_assert_msg(s && isnan(s->series[0].mean_ns), "%s", why.text);
	free(json);
	snapshot_free(s);
}
END_TEST

/* Every level of a long tail ends: the loop over levels must not stand still. */
START_TEST(hgrm_of_a_very_long_tail_ends)
{
	struct snapshot *s = snapshot_new();
	struct snapshot_series *one = fake_series(s, "stall", 0, NULL, 0);
	size_t n;

	snapshot_add_pair(one, 999, SNAPSHOT_COUNT_MAX - 1);
	snapshot_add_pair(one, 1999, 1);
	one->counts.count = one->counts.due = SNAPSHOT_COUNT_MAX;
	one->max_ns = 1999;
	free(fake_write(&format_hgrm, s, &n));
	ck_assert_uint_lt(n, 100000);
	snapshot_free(s);
}
END_TEST

/* ---- the library itself, where it is installed ---------------------------------- */

/* Java's log processor reads our log and prints our percentiles.  It rounds
 * decimal ties up where C rounds them to even: column 2 may differ by 1e-12. */
START_TEST(the_java_library_agrees)
{
	char dir[] = "/tmp/jitterscope-hdr.XXXXXX", command[600];
	struct snapshot *s = fake_snapshot(1);
	size_t n, m;
	char *log = fake_write(&format_hlog, s, &n), *ours = fake_write(&format_hgrm, s, &m);

	if (system("command -v java >/dev/null 2>&1 && dpkg -L libhdrhistogram-java >/dev/null 2>&1")) {
		printf("SKIP the_java_library_agrees: no java or no libhdrhistogram-java\n");
	} else {
		ck_assert_ptr_nonnull(mkdtemp(dir));
		snprintf(command, sizeof(command), "cat >%s/x.hlog && cd %s && java -cp $(dpkg -L libhdrhistogram-java | "
			 "grep '/hdrhistogram.jar$') org.HdrHistogram.HistogramLogProcessor -i x.hlog "
			 "-outputValueUnitRatio 1000 -o out && grep -vE '^#.(Overall|StartTime)' out.hgrm >java.hgrm", dir, dir);
		ck_assert_int_eq(fake_pipe(command, log, n), 0);
		snprintf(command, sizeof(command), "cut -c1-12,28- >%s/a && cut -c1-12,28- %s/java.hgrm >%s/b && cmp %s/a %s/b",
			 dir, dir, dir, dir, dir);
		ck_assert_int_eq(fake_pipe(command, ours, m), 0);
		snprintf(command, sizeof(command), "rm -r %s", dir);
		ck_assert_int_eq(system(command), 0);
	}
	free(log);
	free(ours);
	snapshot_free(s);
}
END_TEST

#define ROWS(a) (int)(sizeof(a) / sizeof((a)[0]))

Suite *hdr_files_suite(void);

Suite *hdr_files_suite(void)
{
	Suite *s = suite_create("hdr_files");
	TCase *tc = tcase_create("hdr_files");

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, hlog_is_written_as_published);
	tcase_add_test(tc, hlog_holds_every_series_once);
	tcase_add_test(tc, foreign_hlogs_are_added_up);
	tcase_add_test(tc, a_cut_last_line_is_dropped_with_a_note);
	tcase_add_loop_test(tc, hlog_malformed_is_refused, 0, ROWS(bad));
	tcase_add_test(tc, hgrm_has_the_published_form);
	tcase_add_test(tc, hgrm_of_nothing_has_head_and_foot);
	tcase_add_test(tc, hgrm_keeps_total_and_maximum);
	tcase_add_loop_test(tc, hgrm_malformed_is_refused, 0, ROWS(bad_hgrm));
	tcase_add_test(tc, hgrm_without_a_mean_has_none);
	tcase_add_test(tc, hgrm_of_a_very_long_tail_ends);
	tcase_add_test(tc, the_java_library_agrees);
	suite_add_tcase(s, tc);
	return s;
}
