/* check_tables.c - csv, prometheus, contest, lmbench-like and bonnie tables. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/format.h"
#include "src/snapshot_build.h"
#include "tests/fake_snapshot.h"

extern const struct format format_csv, format_csv_timeline, format_prometheus, format_contest, format_lmbench,
	format_bonnie;

#define ROWS(a) (int)(sizeof(a) / sizeof((a)[0]))

static bool have(const char *tool)
{
	char command[80];

	snprintf(command, sizeof(command), "command -v %s >/dev/null 2>&1", tool);
	return system(command) == 0;
}

static void refused(const struct format *f, const char *text)
{
	struct why why = { 0 };

	ck_assert_msg(fake_read(f, text, strlen(text), &why) == NULL, "accepted: %s", text);
	ck_assert_msg(!strncmp(why.text, "FILE:", 5), "%s", why.text);
}

/* ---- csv ------------------------------------------------------------------------ */

START_TEST(csv_lists_slots_with_their_sums)
{
	static const int64_t ns[] = { 1000, 1000, 5000 };
	struct snapshot *s = snapshot_new();
	size_t n;

	fake_series(s, "a,\"b\"", 3, ns, 3);
	char *text = fake_write(&format_csv, s, &n);

	ck_assert_str_eq(text, "probe,cpu,lo_ns,hi_ns,count,cum\n\"a,\"\"b\"\"\",3,1000,1000,2,2\n"
			 "\"a,\"\"b\"\"\",3,5000,5003,1,3\n");
	free(text);
	snapshot_free(s);
}
END_TEST

static unsigned commas(const char *line)
{
	unsigned n = 0;

	for (; *line; line++)
		n += *line == ',';
	return n;
}

START_TEST(csv_timeline_rows_have_all_columns_and_no_nan)
{
	struct snapshot *s = fake_snapshot(1);
	size_t n;
	unsigned lines = 0;
	char *text = fake_write(&format_csv_timeline, s, &n);

	ck_assert_ptr_null(strstr(text, "nan"));
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"), lines++)
		ck_assert_msg(commas(line) == 15, "%s", line);
	ck_assert_uint_eq(lines, 1 + s->nr_rows + s->nr_load_rows);
	free(text);
	snapshot_free(s);
}
END_TEST

START_TEST(sqlite_imports_the_same_counts)
{
	struct snapshot *s = fake_snapshot(1);
	size_t n;
	char *text = fake_write(&format_csv, s, &n);

	if (!have("sqlite3"))
		printf("SKIP sqlite_imports_the_same_counts: no sqlite3\n");
	else
		ck_assert_int_eq(fake_pipe("test $(sqlite3 :memory: '.import --csv /dev/stdin t' "
				 "'select sum(count) from t') = 24000", text, n), 0);
	free(text);
	snapshot_free(s);
}
END_TEST

/* ---- prometheus ------------------------------------------------------------------- */

START_TEST(prometheus_buckets_rise_to_the_count)
{
	struct snapshot *s = fake_snapshot(1);
	size_t n;
	unsigned buckets = 0;
	unsigned long long before = 0, v;
	char *text = fake_write(&format_prometheus, s, &n);

	ck_assert_ptr_nonnull(strstr(text, "le=\"1.023e-06\"} "));
	ck_assert_ptr_nonnull(strstr(text, "le=\"0.000131071\"} "));
	ck_assert_ptr_nonnull(strstr(text, "le=\"34.359738367\"} "));
	ck_assert_ptr_nonnull(strstr(text, "jitterscope_load_bytes_total{load=\"churn\"} 15360000000\n"));
	ck_assert_int_eq(text[n - 1], '\n');
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
		if (strncmp(line, "jitterscope_latency_seconds_bucket", 34))
			continue;
		ck_assert_int_eq(sscanf(strrchr(line, ' '), "%llu", &v), 1);
		ck_assert_msg(v >= before, "%s", line);
		before = strstr(line, "+Inf") ? 0 : v;
		if (strstr(line, "+Inf"))
			ck_assert_uint_eq(v, 6000);
		buckets++;
	}
	ck_assert_uint_eq(buckets, 4 * 27);
	free(text);
	snapshot_free(s);
}
END_TEST

START_TEST(prometheus_labels_are_escaped)
{
	struct snapshot *s = snapshot_new();
	size_t n;

	memcpy(snapshot_add_series(s, "", -1)->probe, "a\"b\\c\nd", 8);
	char *text = fake_write(&format_prometheus, s, &n);

	ck_assert_ptr_nonnull(strstr(text, "{probe=\"a\\\"b\\\\c\\nd\",cpu=\"any\",le=\"+Inf\"} 0\n"));
	free(text);
	snapshot_free(s);
}
END_TEST

START_TEST(promtool_has_nothing_to_say)
{
	struct snapshot *s = fake_snapshot(1);
	size_t n;
	char *text = fake_write(&format_prometheus, s, &n);

	if (!have("promtool"))
		printf("SKIP promtool_has_nothing_to_say: no promtool\n");
	else
		ck_assert_int_eq(fake_pipe("promtool check metrics", text, n), 0);
	free(text);
	snapshot_free(s);
}
END_TEST

/* ---- contest ----------------------------------------------------------------------- */

/* The seed as figures, without its ratios. */
static struct snapshot *contest_seed(char ratio[22][8])
{
	static const char *const column[] = { "runs", "Time", "CPU%", "Loads", "LCPU%" };
	size_t n;
	char *seed = fake_data("contest.tsv", &n), *save;
	struct snapshot *s = snapshot_new();
	int row = 0;

	seed[n] = '\0';
	strtok_r(seed, "\n", &save);
	for (char *line; (line = strtok_r(NULL, "\n", &save)); row++) {
		char load[40], kernel[40], cell[5][16];

		ck_assert_int_eq(sscanf(line, "%39s %39s %15s %15s %15s %15s %15s %7s", load, kernel, cell[0], cell[1],
					cell[2], cell[3], cell[4], ratio[row]), 8);
		for (int c = 0; c < 5; c++)
			snapshot_add_figure(s, load, kernel, column[c], "")->value = strtod(cell[c], NULL);
	}
	ck_assert_int_eq(row, 22);
	free(seed);
	return s;
}

START_TEST(contest_ratios_are_those_of_the_seed)
{
	char ratio[22][8];
	struct snapshot *s = contest_seed(ratio), *back;
	struct why why = { 0 };
	size_t n;
	int row = 0;
	char *text = fake_write(&format_contest, s, &n);

	back = fake_read(&format_contest, text, n, &why);
	ck_assert_msg(back != NULL, "%s", why.text);
	for (unsigned i = 0; i < back->nr_figures; i++)
		if (!strcmp(back->figures[i].name, "Ratio"))
			ck_assert_str_eq(back->figures[i].text, ratio[row++]);
	ck_assert_int_eq(row, 22);
	ck_assert_ptr_nonnull(strstr(text, "ctar_load:\nKernel      [runs]\tTime\tCPU%\tLoads\tLCPU%\tRatio\n"
			      "2.5.70-mm3       3\t114\t70.2\t1.0\t5.3\t1.44\n"));
	char *again = fake_write(&format_contest, back, &n);

	ck_assert_str_eq(text, again);
	free(text);
	free(again);
	snapshot_free(s);
	snapshot_free(back);
}
END_TEST

START_TEST(contest_without_no_load_has_no_ratio)
{
	struct snapshot *s = snapshot_new();
	size_t n;

	snapshot_add_figure(s, "mem_load", "k", "runs", "")->value = 1;
	snapshot_add_figure(s, "mem_load", "k", "Time", "s")->value = 12.34;
	char *text = fake_write(&format_contest, s, &n);

	ck_assert_str_eq(text, "mem_load:\nKernel [runs]\tTime\tCPU%\tLoads\tLCPU%\tRatio\nk           1\t12.3\tna\tna\tna\tna\n");
	free(text);
	snapshot_free(s);
}
END_TEST

#define CONTEST "no_load:\nKernel [runs]\tTime\tCPU%\tLoads\tLCPU%\tRatio\n"
static const char *const bad_contest[] = {
	"k 1 79 94.9 0.0 0.0 1.00\n", CONTEST "k 1 79 94.9 0.0 0.0\n", CONTEST "k 1 79 94.9 0.0 0.0 1.00 9\n",
	CONTEST "k 1 0 94.9 0.0 0.0 1.00\n", CONTEST "k 1 -5 94.9 0.0 0.0 1.00\n", CONTEST "k 1 x 94.9 0.0 0.0 1.00\n",
	CONTEST "k 1 79 94.9 0.0 0.0 1.00\nmem_load:\nk 1 79 1 1 1 1.02\n", CONTEST "k 1 na 1 1 1 1\n",
};

START_TEST(contest_malformed_is_refused)
{
	refused(&format_contest, bad_contest[_i]);
}
END_TEST

/* ---- lmbench-like ------------------------------------------------------------------- */

/* Every value of the seed stands in the printed table as it was found. */
START_TEST(lmbench_values_survive_as_text)
{
	size_t n, m;
	char *seed = fake_data("lmbench.txt", &n);
	struct why why = { 0 };
	struct snapshot *s = fake_read(&format_lmbench, seed, n, &why);

	ck_assert_msg(s != NULL, "%s", why.text);
	ck_assert_uint_eq(s->nr_figures, 180);
	char *text = fake_write(&format_lmbench, s, &m), *save;
	unsigned figure = 0, missing = 0;

	for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		if (strncmp(line, "2.4.18", 6))
			continue;
		char *word_save, *word = strtok_r(line, " ", &word_save);

		ck_assert_str_eq(word, s->figures[figure].row);
		while ((word = strtok_r(NULL, " ", &word_save))) {
			ck_assert_str_eq(word, s->figures[figure].text);
			missing += !isfinite(s->figures[figure++].value);
		}
	}
	ck_assert_uint_eq(figure, 180);
	ck_assert_uint_eq(missing, 16);
	free(text);
	free(seed);
	snapshot_free(s);
}
END_TEST

/* Also with words before and after, as a suite prints them. */
START_TEST(lmbench_tables_can_be_read_again)
{
	static const char *const around[][2] = {
		{ "", "" }, { "lmbench-like figures, Linux 6.1\n\n", "\nfailed: no room\n  stat\n" },
	};
	size_t n, m, all;
	struct why why = { 0 };
	struct snapshot *s = fake_read(&format_lmbench, "", 0, NULL), *back;
	char *seed = fake_data("lmbench.txt", &n), *text, *again, *whole = NULL;

	ck_assert_ptr_null(s);
	s = fake_read(&format_lmbench, seed, n, NULL);
	snapshot_add_figure(s, "mem_lat", "churn x8,mode=fsync,of=4096 p99", "Main mem", "ns")->value = 1234;
	snapshot_add_figure(s, "mem_lat", "two words", "L1 $", "ns")->value = 1.5;
	text = fake_write(&format_lmbench, s, &m);
	FILE *out = open_memstream(&whole, &all);

	fprintf(out, "%s%s%s", around[_i][0], text, around[_i][1]);
	fclose(out);
	ck_assert_int_gt(format_lmbench.sniff(whole, all, "x"), 50);
	back = fake_read(&format_lmbench, whole, all, &why);
	ck_assert_msg(back != NULL, "%s", why.text);
	again = fake_write(&format_lmbench, back, &n);
	ck_assert_str_eq(text, again);
	for (unsigned i = 0; i < s->nr_figures; i++) {
		const struct snapshot_figure *a = &s->figures[i], *b = NULL;

		for (unsigned k = 0; k < back->nr_figures && !b; k++)
			if (!strcmp(back->figures[k].table, a->table) &&
			    !strcmp(back->figures[k].row, a->row) && !strcmp(back->figures[k].name, a->name))
				b = &back->figures[k];
		ck_assert_msg(b != NULL, "%s %s %s", a->table, a->row, a->name);
		ck_assert_str_eq(a->unit, b->unit);
		ck_assert(isnan(a->value) ? isnan(b->value) : a->value == b->value);
	}
	free(seed);
	free(text);
	free(again);
	free(whole);
	snapshot_free(s);
	snapshot_free(back);
}
END_TEST

static const struct { double value; const char *want; } figures[] = {
	{ 0.434, "0.43" }, { 9.994, "9.99" }, { 9.996, "10.0" }, { 99.94, "99.9" }, { 99.96, "100" }, { 11156.4, "11156" },
	{ NAN, "na" },
};

START_TEST(lmbench_figures_have_three_digits)
{
	struct snapshot *s = snapshot_new();
	char want[64];
	size_t n;

	snapshot_add_figure(s, "mem_lat", "host", "Main mem", "ns")->value = figures[_i].value;
	char *text = fake_write(&format_lmbench, s, &n);

	snprintf(want, sizeof(want), " %8s\n", figures[_i].want);
	ck_assert_msg(strstr(text, want) != NULL, "%s", text);
	ck_assert_ptr_null(strstr(text, "lmbench"));	/* its licence: never call these its results */
	free(text);
	snapshot_free(s);
}
END_TEST

static const char *const bad_lmbench[] = {
	"x\n", "table\tkernel\tcolumn\tvalue\tunit\na\tb\tc\td\n", "table\tkernel\tcolumn\tvalue\tunit\na\tb\tc\tx\tus\n",
#define MEM_TITLE "Memory latencies in nanoseconds - smaller is better\n"
#define MEM_HEAD MEM_TITLE "---\n                            Mhz   L1 $   L2 $ Main mem\n"
#define MEM_NAME "idle                    "
	MEM_TITLE, MEM_TITLE "---\n", MEM_TITLE "---\n  Mhz\n", MEM_HEAD "idle\n",
	MEM_HEAD MEM_NAME " na 1 2\n", MEM_HEAD MEM_NAME " na 1 2 3 4\n", MEM_HEAD MEM_NAME " na -1 2 3\n",
	MEM_HEAD MEM_NAME " na 1,5 2 3\n", MEM_HEAD MEM_NAME " na 1 2 3\n" MEM_NAME " x y z w\n",
	"table\tkernel\tcolumn\tvalue\tunit\na\tb\tc\t1\tus\tmore\n", "table\tkernel\tcolumn\tvalue\tunit\na\tb\tc\t-1\tus\n",
};

START_TEST(lmbench_malformed_is_refused)
{
	refused(&format_lmbench, bad_lmbench[_i]);
}
END_TEST

/* ---- bonnie -------------------------------------------------------------------------- */

START_TEST(bonnie_seed_comes_back_byte_for_byte)
{
	size_t n, m;
	char *seed = fake_data("bonnie.txt", &n);
	struct why why = { 0 };
	struct snapshot *s = fake_read(&format_bonnie, seed, n, &why);

	ck_assert_msg(s != NULL, "%s", why.text);
	ck_assert_uint_eq(s->nr_figures, 26);
	char *text = fake_write(&format_bonnie, s, &m), *rest = strchr(seed, '\n') + 1;

	/* All but the remark about the file itself. */
	ck_assert_uint_eq(m, n - (size_t)(rest - seed));
	ck_assert_int_eq(memcmp(text, rest, m), 0);
	free(text);
	free(seed);
	snapshot_free(s);
}
END_TEST

START_TEST(bonnie_short_phases_are_plus_signs)
{
	struct snapshot *s = snapshot_new();
	size_t n;

	snapshot_add_figure(s, "bonnie", "host", "MB", "MB")->value = 100;
	snapshot_add_figure(s, "bonnie", "host", "per char out", "K/s")->value = 9145.9;
	snapshot_add_figure(s, "bonnie", "host", "per char out %CPU", "%")->value = 99.6;
	char *text = fake_write(&format_bonnie, s, &n);

	ck_assert_ptr_nonnull(strstr(text, "\nhost      100  9145 99.6 +++++  +++ +++++  +++ +++++  +++ +++++  +++ +++++  +++\n"));
	struct snapshot *back = fake_read(&format_bonnie, text, n, NULL);

	ck_assert_ptr_nonnull(back);
	ck_assert_str_eq(back->figures[0].row, "host");
	ck_assert(isnan(back->figures[3].value));
	free(text);
	snapshot_free(s);
	snapshot_free(back);
}
END_TEST

static const char *const bad_bonnie[] = {
	"host 1 2 3\n", "1 2 3 4 5 6 7 8 9 10 11 12 1,3\n", "1 2 3 4 5 6 7 8 9 10 11 12 -13\n",
	"a b 1 2 3 4 5 6 7 8 9 10 11 12 13\n",
};

START_TEST(bonnie_malformed_is_refused)
{
	refused(&format_bonnie, bad_bonnie[_i]);
}
END_TEST

Suite *tables_suite(void);

Suite *tables_suite(void)
{
	Suite *s = suite_create("tables");
	TCase *tc = tcase_create("tables");

	tcase_set_timeout(tc, 30);
	tcase_add_test(tc, csv_lists_slots_with_their_sums);
	tcase_add_test(tc, csv_timeline_rows_have_all_columns_and_no_nan);
	tcase_add_test(tc, sqlite_imports_the_same_counts);
	tcase_add_test(tc, prometheus_buckets_rise_to_the_count);
	tcase_add_test(tc, prometheus_labels_are_escaped);
	tcase_add_test(tc, promtool_has_nothing_to_say);
	tcase_add_test(tc, contest_ratios_are_those_of_the_seed);
	tcase_add_test(tc, contest_without_no_load_has_no_ratio);
	tcase_add_loop_test(tc, contest_malformed_is_refused, 0, ROWS(bad_contest));
	tcase_add_test(tc, lmbench_values_survive_as_text);
	tcase_add_loop_test(tc, lmbench_tables_can_be_read_again, 0, 2);
	tcase_add_loop_test(tc, lmbench_figures_have_three_digits, 0, ROWS(figures));
	tcase_add_loop_test(tc, lmbench_malformed_is_refused, 0, ROWS(bad_lmbench));
	tcase_add_test(tc, bonnie_seed_comes_back_byte_for_byte);
	tcase_add_test(tc, bonnie_short_phases_are_plus_signs);
	tcase_add_loop_test(tc, bonnie_malformed_is_refused, 0, ROWS(bad_bonnie));
	suite_add_tcase(s, tc);
	return s;
}
