/* check_compare.c - worse, better, or chance? */
#include <check.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/commands.h"
#include "src/compare_limit.h"
#include "src/compare_pair.h"
#include "src/compare_stat.h"
#include "src/compare_steps.h"
#include "src/format.h"
#include "src/snapshot_build.h"
#include "tests/fake_snapshot.h"

static uint64_t next(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return *state >> 33;
}

/* Noise that is as strong over minutes as over seconds: a step up or down for
 * each 1, 2, 4 ... 64 s. */
static double drift(uint64_t seed, int sec, double step)
{
	double level = 1;

	for (int octave = 0; octave < 7; octave++) {
		uint64_t state = seed * 1000 + (uint64_t)(octave * 100 + (sec >> octave));

		next(&state);
		next(&state);
		level += next(&state) >> 12 & 1 ? step : -step;
	}
	return level;
}

/* 60 s of 500 samples: bursts of one in a second are longer by `factor`; all
 * of a second may be slower, by steps of `step`. */
static struct snapshot *run_of(uint64_t seed, double factor, double step, bool timeline)
{
	uint64_t of = seed;

	struct snapshot *s = snapshot_new();
	int64_t *ns = calloc(30000, sizeof(*ns));

	s->duration_s = 60;
	s->row_s = 1;
	for (int sec = 0; sec < 60; sec++) {
		uint32_t slot[SLOTS] = { 0 };
		bool burst = next(&seed) % 3 == 0;
		struct snapshot_row *row = timeline ? snapshot_add_row(s, "wakeup-fifo") : NULL;

		for (int i = 0; i < 500; i++) {
			double v = 4000 + (double)(next(&seed) % 3000);

			if (burst && next(&seed) % 20 == 0)
				v *= (2 + (double)(next(&seed) % 100) / 10) * factor;
			v *= drift(of, sec, step);
			ns[sec * 500 + i] = (int64_t)v;
			slot[slot_of((int64_t)v)]++;
		}
		for (unsigned k = 0; row && k < SLOTS; k++)
			if (slot[k])
				snapshot_add_cell(row, k, slot[k]);
		if (row) {
			row->t_s = sec;
			row->len_s = 1;
		}
	}
	fake_series(s, "wakeup-fifo", 0, ns, 30000);
	free(ns);
	return s;
}

static struct snapshot *run(uint64_t seed, double factor, bool timeline)
{
	return run_of(seed, factor, 0, timeline);
}

static enum verdict judged(const struct snapshot *a, const struct snapshot *b, struct compare *c)
{
	struct dist x, y;

	ck_assert_int_eq(dist_make(&x, a, a->series[0].probe, DIST_ALL_CPUS), 0);
	ck_assert_int_eq(dist_make(&y, b, b->series[0].probe, DIST_ALL_CPUS), 0);
	ck_assert_int_eq(compare_make(c, a, &x, b, &y), 0);
	dist_free(&x);
	dist_free(&y);
	return c->verdict;
}

static struct options options;

/* Standard output of compare, "" behind the last line. */
static int told(const char *base, const char *file, char *text, size_t size)
{
	FILE *out = tmpfile();
	struct why why = { 0 };
	int kept = dup(1);

	options.file[0] = base;
	options.file[1] = file;
	options.files = 2;
	fflush(stdout);
	dup2(fileno(out), 1);
	int code = cmd_compare(&options, &why);

	fflush(stdout);
	dup2(kept, 1);
	close(kept);
	rewind(out);
	text[fread(text, 1, size - 1, out)] = '\0';
	fclose(out);
	return code;
}

static void save(const char *path, const struct snapshot *s)
{
	size_t n;
	char *text = fake_write(format_by_name("json"), s, &n);
	FILE *out = fopen(path, "w");

	ck_assert(out && fwrite(text, 1, n, out) == n && !fclose(out));
	free(text);
}

/* The same of two snapshots, which are freed. */
static void told_of(struct snapshot *a, struct snapshot *b, char *text, size_t size)
{
	char base[] = "/tmp/js-compare-base.XXXXXX", file[] = "/tmp/js-compare-file.XXXXXX";

	close(mkstemp(base));
	close(mkstemp(file));
	save(base, a);
	save(file, b);
	int code = told(base, file, text, size);

	unlink(base);
	unlink(file);
	snapshot_free(a);
	snapshot_free(b);
	ck_assert_int_eq(code, EXIT_OK);
}

/* Two runs of one thing differ by chance: it must rarely be called more. */
START_TEST(chance_is_rarely_called_a_difference)
{
	unsigned called = 0;

	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct snapshot *a = run(seed, 1, true), *b = run(seed + 1000, 1, true);
		struct compare c;

		called += judged(a, b, &c) != VERDICT_SAME;
		snapshot_free(a);
		snapshot_free(b);
	}
	ck_assert_uint_le(called, 1);
}
END_TEST

/* Nor may a machine that is quieter in one minute than in the next. */
START_TEST(drift_is_rarely_called_a_difference)
{
	unsigned called = 0;

	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct snapshot *a = run_of(seed, 1, 0.08, true), *b = run_of(seed + 1000, 1, 0.08, true);
		struct compare c;

		called += judged(a, b, &c) != VERDICT_SAME;
		snapshot_free(a);
		snapshot_free(b);
	}
	printf("drift called a difference: %u of 20\n", called);
	ck_assert_uint_le(called, 3);
}
END_TEST

START_TEST(a_tail_of_twice_the_length_is_worse_and_the_way_back_better)
{
	struct snapshot *a = run(1, 1, _i), *b = run(2, 2, _i);
	struct compare c;

	ck_assert_int_eq(judged(a, b, &c), VERDICT_WORSE);
	ck_assert_uint_eq(c.base_blocks, _i ? 60 : 0);
	ck_assert(c.sure == (_i != 0));
	ck_assert(c.value[3].known && c.value[3].ratio > 1.5 && c.value[3].low > 1);
	ck_assert_int_eq(c.value[0].verdict, VERDICT_SAME);	/* the median has not moved */
	ck_assert(!c.value[5].has_range);
	ck_assert_int_eq(judged(b, a, &c), VERDICT_BETTER);
	snapshot_free(a);
	snapshot_free(b);
}
END_TEST

/* One burst decides it: the tool says itself that it cannot tell. */
START_TEST(a_run_of_a_few_seconds_gets_no_verdict)
{
	static char text[1 << 14];
	struct snapshot *a = run(1, 1, true), *b = run(2, 9, true);
	struct compare c;

	b->duration_s = 5;
	ck_assert_int_eq(judged(a, b, &c), VERDICT_SHORT);
	ck_assert_int_eq(judged(b, a, &c), VERDICT_SHORT);
	for (unsigned i = 0; i < DIST_PERCENTS; i++)
		ck_assert(!c.value[i].has_range && c.value[i].verdict < VERDICT_SAME);
	b->duration_s = 8;
	ck_assert_int_ne(judged(a, b, &c), VERDICT_SHORT);
	snapshot_free(b);
	b = run(2, 9, false);
	b->duration_s = 5;
	told_of(a, b, text, sizeof(text));
	ck_assert_msg(strstr(text, "\n  verdict: run too short\n") != NULL, "%s", text);
	ck_assert_ptr_null(strstr(text, "WORSE"));
}
END_TEST

START_TEST(a_difference_without_a_timeline_is_perhaps_one)
{
	static char text[1 << 14];

	told_of(run(1, 1, false), run(2, 9, false), text, sizeof(text));
	ck_assert_msg(strstr(text, "\n  verdict: perhaps WORSE at p99") != NULL, "%s", text);
	options.json = true;
	told_of(run(1, 1, false), run(2, 9, false), text, sizeof(text));
	ck_assert_msg(strstr(text, "\"verdict\": \"WORSE\", \"sure\": false}") != NULL, "%s", text);
	told_of(run(1, 1, true), run(2, 9, true), text, sizeof(text));
	ck_assert_msg(strstr(text, "\"verdict\": \"WORSE\", \"sure\": true}") != NULL, "%s", text);
}
END_TEST

START_TEST(a_file_against_itself_has_ratio_one)
{
	struct snapshot *a = run(1, 1, true);
	struct compare c;

	ck_assert_int_eq(judged(a, a, &c), VERDICT_SAME);
	for (int i = 0; i < DIST_PERCENTS; i++)
		ck_assert(!c.value[i].known || c.value[i].ratio == 1);
	snapshot_free(a);
}
END_TEST

START_TEST(the_same_input_gives_the_same_answer)
{
	struct snapshot *a = run(1, 1, true), *b = run(2, 1.1, true);
	struct compare c, d;

	judged(a, b, &c);
	judged(a, b, &d);
	ck_assert_int_eq(memcmp(&c, &d, sizeof(c)), 0);
	snapshot_free(a);
	snapshot_free(b);
}
END_TEST

START_TEST(too_few_samples_are_not_judged)
{
	static const int64_t ns[] = { 1000, 2000, 3000 };
	struct snapshot *a = snapshot_new(), *b = snapshot_new();
	struct compare c;

	fake_series(a, "x", 0, ns, 3);
	fake_series(b, "x", 0, NULL, 0);
	ck_assert_int_eq(judged(a, b, &c), VERDICT_UNKNOWN);
	snapshot_free(a);
	snapshot_free(b);
}
END_TEST

START_TEST(percentiles_of_slots_lie_inside_their_slot)
{
	double counts[SLOTS] = { [100] = 10, [200] = 10 };

	ck_assert_double_ge(compare_slots_percentile(counts, 50), (double)slot_lowest_ns(100));
	ck_assert_double_le(compare_slots_percentile(counts, 50), (double)slot_highest_ns(100) + 1);
	ck_assert_double_ge(compare_slots_percentile(counts, 51), (double)slot_lowest_ns(200));
	memset(counts, 0, sizeof(counts));
	ck_assert_double_eq(compare_slots_percentile(counts, 50), 0);
}
END_TEST

static struct snapshot *seed_file(const char *name)
{
	struct why why = { 0 };
	char path[80];

	snprintf(path, sizeof(path), "tests/data/%s", name);
	struct snapshot *s = snapshot_read(path, &why);

	ck_assert_msg(s != NULL, "%s", why.text);
	return s;
}

/* The figures of 2002: the patched kernel has the shorter tail. */
START_TEST(the_stock_kernel_has_the_longer_tail)
{
	struct snapshot *stock = seed_file("histogram-stock.txt"), *lowlat = seed_file("histogram-lowlat.txt");
	struct compare_pair p;

	ck_assert_int_eq(compare_pair_make(&p, lowlat, stock), 0);
	ck_assert_uint_eq(p.nr_series, 1);
	ck_assert_int_eq(p.series[0].compare.verdict, VERDICT_WORSE);
	double share = (double)dist_at_or_above(&p.series[0].file, 1000000) / (double)p.series[0].file.counts.count;
	double before = (double)dist_at_or_above(&p.series[0].base, 1000000) / (double)p.series[0].base.counts.count;

	ck_assert_double_eq_tol(share, 0.000202653, 5e-10);
	ck_assert_double_eq_tol(share / before, 871, 1);
	compare_pair_free(&p);
	snapshot_free(stock);
	snapshot_free(lowlat);
}
END_TEST

/* A suite files figures by its steps; a reader wants them by table. */
START_TEST(figures_are_paired_table_by_table)
{
	static const char *const cells[][2] = { { "one", "a" }, { "two", "a" }, { "one", "b" }, { "two", "b" } };
	struct snapshot *a = snapshot_new(), *b = snapshot_new();
	struct compare_pair p;

	for (size_t i = 0; i < 4; i++) {
		snapshot_add_figure(a, cells[i][0], "idle", cells[i][1], "us")->value = 1 + (double)i;
		snapshot_add_figure(b, cells[i][0], "idle", cells[i][1], "us")->value = 2 + 2 * (double)i;
	}
	ck_assert_int_eq(compare_pair_make(&p, a, b), 0);
	ck_assert_uint_eq(p.nr_figures, 4);
	ck_assert_str_eq(p.figure[1].base->table, "one");
	ck_assert_str_eq(p.figure[2].base->table, "two");
	for (unsigned i = 0; i < 4; i++) {
		ck_assert_str_eq(p.figure[i].base->name, p.figure[i].file->name);
		ck_assert(p.figure[i].file->value == 2 * p.figure[i].base->value);
	}
	compare_pair_free(&p);
	snapshot_free(a);
	snapshot_free(b);
}
END_TEST

START_TEST(what_differs_of_the_machines_is_named)
{
	struct snapshot *a = fake_snapshot(1), *b = fake_snapshot(2);
	struct compare_fact facts[COMPARE_FACTS_MAX];

	ck_assert_uint_eq(compare_facts(a, b, facts), 0);
	snprintf(b->system.kernel, sizeof(b->system.kernel), "6.2.0");
	b->system.hz = 1000;
	b->locked = false;
	ck_assert_uint_eq(compare_facts(a, b, facts), 3);
	ck_assert_str_eq(facts[0].name, "kernel");
	ck_assert_str_eq(facts[1].base, "250");
	ck_assert_str_eq(facts[1].file, "1000");
	snapshot_free(a);
	snapshot_free(b);
}
END_TEST

static const struct compare_fact *fact_of(const struct compare_fact *facts, unsigned n,
					  const char *name)
{
	for (unsigned i = 0; i < n; i++)
		if (!strcmp(facts[i].name, name))
			return &facts[i];
	return NULL;
}

/* Two that do not know do not differ; what no file says is not made up. */
START_TEST(what_is_unknown_is_no_difference)
{
	struct snapshot *a = fake_snapshot(1), *b = fake_snapshot(2), *foreign = snapshot_new();
	struct compare_fact facts[COMPARE_FACTS_MAX];

	a->system.preempt[0] = '\0';
	snprintf(b->system.preempt, sizeof(b->system.preempt), "unknown");
	snprintf(a->tier_cstates, sizeof(a->tier_cstates), "unknown");
	b->tier_cstates[0] = '\0';
	ck_assert_uint_eq(compare_facts(a, b, facts), 0);
	b->deadline_ns = 300000;
	ck_assert_uint_eq(compare_facts(a, b, facts), 1);
	ck_assert_str_eq(facts[0].base, "none");
	unsigned n = compare_facts(a, foreign, facts);

	ck_assert_str_eq(fact_of(facts, n, "memory")->base, "locked");
	ck_assert_str_eq(fact_of(facts, n, "memory")->file, "");
	ck_assert_str_eq(fact_of(facts, n, "real time")->file, "");
	ck_assert_ptr_null(fact_of(facts, n, "deadline"));
	snapshot_free(a);
	snapshot_free(b);
	snapshot_free(foreign);
}
END_TEST

START_TEST(loads_find_their_partners)
{
	struct snapshot *a = fake_snapshot(1), *b = fake_snapshot(1);
	struct compare_pair p;

	b->loads[0].rate = 256;
	b->loads[1].workers = 3;
	ck_assert_int_eq(compare_pair_make(&p, a, b), 0);
	ck_assert_uint_eq(p.nr_loads, 3);
	ck_assert_str_eq(p.load[0].remark, "");
	ck_assert_double_eq_tol(p.load[0].ratio, 0.5, 1e-9);
	ck_assert_ptr_null(p.load[1].file);
	ck_assert_ptr_null(p.load[2].base);
	compare_pair_free(&p);
	b->loads[0].cpus[0] = '\0';
	ck_assert_int_eq(compare_pair_make(&p, a, b), 0);
	ck_assert_str_eq(p.load[0].remark, "on other CPUs");
	compare_pair_free(&p);
	snprintf(b->loads[0].knob[0].value, sizeof(b->loads[0].knob[0].value), "write");
	ck_assert_int_eq(compare_pair_make(&p, a, b), 0);
	ck_assert_str_eq(p.load[0].remark, "other knobs: mode");
	compare_pair_free(&p);
	b->loads[0].knobs = 0;
	ck_assert_int_eq(compare_pair_make(&p, a, b), 0);
	ck_assert_str_eq(p.load[0].remark, "other knobs: mode");
	compare_pair_free(&p);
	b->loads[0].mix_version = 2;
	ck_assert_int_eq(compare_pair_make(&p, a, b), 0);
	ck_assert_ptr_nonnull(strstr(p.load[0].remark, "not comparable"));
	compare_pair_free(&p);
	snapshot_free(a);
	snapshot_free(b);
}
END_TEST

static void add_run(struct snapshot *s, const char *name, double from_s, double to_s, double rate)
{
	struct snapshot_load *l = snapshot_add_load(s, name);

	l->workers = 2;
	l->start_s = from_s;
	l->stop_s = to_s;
	l->rate = rate;
	snprintf(l->rate_unit, sizeof(l->rate_unit), "entries/s");
}

/* Steps idle, one, two of a suite; a load beside outlives its job's mark. */
static struct snapshot *suite_run(double rate)
{
	static const char *const words[] = { "jitterscope", "run", "fair" };
	struct snapshot *s = snapshot_new();

	for (size_t i = 0; i < 3; i++)
		snapshot_add_word(s, words[i]);
	add_run(s, "job", 0, 1, rate);
	add_run(s, "job", 2, 3, 2 * rate);
	add_run(s, "beside", 1.9, 3.2, 3 * rate);
	add_run(s, "job", 4, 5, 4 * rate);
	add_run(s, "always", 0, 6, 5 * rate);
	snapshot_add_event(s, 0.5, "mark", "my mark");
	snapshot_add_event(s, 1.1, "mark", "fair idle");
	snapshot_add_event(s, 3.1, "mark", "fair one");
	snapshot_add_event(s, 5.1, "mark", "fair two");
	return s;
}

START_TEST(runs_of_a_suite_know_their_step)
{
	static const char *const want[] = { "idle", "one", "one", "two", "" };
	struct snapshot *s = suite_run(1);
	struct compare_run *run = compare_runs(s);

	for (size_t i = 0; i < 5; i++)
		ck_assert_str_eq(run[i].step, want[i]);
	free(run);
	s->nr_command = 1;	/* no suite: the marks are somebody's */
	run = compare_runs(s);
	for (size_t i = 0; i < 5; i++)
		ck_assert_str_eq(run[i].step, "");
	free(run);
	s->nr_command = 3;
	snapshot_free(s);
}
END_TEST

START_TEST(loads_of_a_suite_are_told_apart_by_step)
{
	static char text[1 << 14];
	struct snapshot *b = suite_run(124500);

	b->loads[0] = b->loads[3];	/* its first step was another one */
	b->loads[0].mix_version = 1;
	b->loads[3].mix_version = 2;
	told_of(suite_run(249000), b, text, sizeof(text));
	ck_assert_msg(strstr(text, "\nidle\n  job x2             249k entries/s                -        -"
			     "  only one ran it\none\n  job x2             498k entries/s   249k entries/s"
			     "     0.50\n  beside x2 ") != NULL, "%s", text);
	ck_assert_msg(strstr(text, "\nalways x2 ") != NULL, "%s", text);
	ck_assert_msg(strstr(text, "     0.50\n    another mix: not comparable\n") != NULL, "%s", text);
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
		ck_assert_uint_le(strlen(line), 78);
	options.json = true;
	told_of(suite_run(1), suite_run(2), text, sizeof(text));
	ck_assert_msg(strstr(text, "\"name\": \"beside x2\", \"step\": \"one\"") != NULL, "%s", text);
}
END_TEST

START_TEST(different_probes_of_one_series_each_are_paired)
{
	static const int64_t ns[] = { 1000 };
	struct snapshot *a = snapshot_new(), *b = snapshot_new();
	struct compare_pair p;

	fake_series(a, "realfeel", -1, ns, 1);
	fake_series(b, "wakeup-fifo", 0, ns, 1);
	ck_assert_int_eq(compare_pair_make(&p, a, b), 0);
	ck_assert_uint_eq(p.nr_series, 1);
	compare_pair_free(&p);
	snapshot_free(a);
	snapshot_free(b);
}
END_TEST

START_TEST(a_probe_of_one_file_alone_is_named)
{
	static const int64_t ns[] = { 1000 };
	struct snapshot *a = snapshot_new(), *b = snapshot_new();
	struct compare_pair p;

	fake_series(a, "wakeup-fifo", 0, ns, 1);
	fake_series(a, "wakeup-fifo", 1, ns, 1);
	fake_series(a, "wakeup-other", 0, ns, 1);
	fake_series(b, "fork", -1, ns, 1);
	fake_series(b, "wakeup-fifo", 0, ns, 1);
	ck_assert_int_eq(compare_pair_make(&p, a, b), 0);
	ck_assert_uint_eq(p.nr_series, 1);
	ck_assert_uint_eq(p.nr_only_base, 1);
	ck_assert_str_eq(p.only_base[0], "wakeup-other");
	ck_assert_uint_eq(p.nr_only_file, 1);
	ck_assert_str_eq(p.only_file[0], "fork");
	compare_pair_free(&p);
	snapshot_free(a);
	snapshot_free(b);
}
END_TEST

/* ---- what is printed ------------------------------------------------------------- */

static unsigned times(const char *text, const char *what)
{
	unsigned n = 0;

	for (; (text = strstr(text, what)); text++)
		n++;
	return n;
}

static bool ends(const char *line, const char *end)
{
	size_t n = strlen(line), m = strlen(end);

	return n >= m && !strcmp(line + n - m, end);
}

/* Every cell of two kernels' rows has a name of its own below its kernel's. */
START_TEST(cells_of_imported_tables_are_told_apart)
{
	static char text[1 << 14];

	ck_assert_int_eq(told("tests/data/bonnie.txt", "tests/data/bonnie.txt", text, sizeof(text)),
			 EXIT_OK);
	ck_assert_uint_eq(times(text, "\nkernel: 2.4.10-pre14\n"), 1);
	ck_assert_uint_eq(times(text, "\nkernel: 2.4.10-pre14 + netdev-random-pre13 + "
				      "preempt-pre13\n"), 1);
	ck_assert_uint_eq(times(text, "\n  per char out  "), 2);
	ck_assert_uint_eq(times(text, "\n  per char out %CPU  "), 2);
	ck_assert_uint_eq(times(text, "\n  per char in %CPU  "), 2);
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
		ck_assert_uint_le(strlen(line), 78);
}
END_TEST

static struct snapshot *one_row(const char *kernel, const char *cell, double value)
{
	struct snapshot *s = snapshot_new();

	snapshot_add_figure(s, "no_load", kernel, "time", "s")->value = value;
	snapshot_add_figure(s, "no_load", kernel, cell, "%")->value = value;
	snapshot_add_figure(s, "io_load", kernel, "time", "s")->value = value;
	return s;
}

/* Rows that go by order are of two kernels: both are named. */
START_TEST(kernels_that_go_by_order_are_both_named)
{
	static char text[1 << 14];
	const char *longest = "a column whose name is rather long too";

	told_of(one_row("2.5.70", longest, 2), one_row("2.5.71", longest, 3), text, sizeof(text));
	ck_assert_ptr_nonnull(strstr(text, "\n2.5.70 | 2.5.71\n  time  "));
	ck_assert_ptr_nonnull(strstr(text, "\n  a column whose name is rather long too\n   "));
	ck_assert_ptr_nonnull(strstr(text, "\n  2.5.70 | 2.5.71 time  "));	/* its only cell */
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
		ck_assert_uint_le(strlen(line), 78);
}
END_TEST

/* ---- the command ------------------------------------------------------------------ */

static const struct { double ratio, pct; const char *base, *file; int want; } limits[] = {
	{ 0, 100, "histogram-lowlat.txt", "histogram-stock.txt", EXIT_OK },
	{ 2, 99.99, "histogram-lowlat.txt", "histogram-stock.txt", EXIT_LIMIT },
	{ 2, 99.99, "histogram-stock.txt", "histogram-lowlat.txt", EXIT_OK },
	{ 1.2, 100, "histogram-lowlat.txt", "histogram-stock.txt", EXIT_LIMIT },
	{ 1.5, 100, "histogram-lowlat.txt", "histogram-stock.txt", EXIT_OK },
	{ 2, 99.9999999, "histogram-lowlat.txt", "histogram-stock.txt", EXIT_FAILED },
	{ 2, 99, "dbench-stock.txt", "dbench-lowlat.txt", EXIT_FAILED },
	{ 0, 100, "absent.txt", "histogram-stock.txt", EXIT_FAILED },
	{ 0, 100, "histogram-stock.txt", "absent.txt", EXIT_FAILED },
};

START_TEST(the_exit_code_serves_a_bisection)
{
	static char base[80], file[80];
	struct why why = { 0 };

	snprintf(base, sizeof(base), "tests/data/%s", limits[_i].base);
	snprintf(file, sizeof(file), "tests/data/%s", limits[_i].file);
	options.file[0] = base;
	options.file[1] = file;
	options.files = 2;
	options.fail_ratio = limits[_i].ratio;
	options.fail_ratio_pct = limits[_i].pct;
	ck_assert_ptr_nonnull(freopen("/dev/null", "w", stdout));
	ck_assert_int_eq(cmd_compare(&options, &why), limits[_i].want);
	ck_assert_int_eq(why.err < 0, limits[_i].want == EXIT_FAILED);
	options.json = true;
	ck_assert_int_eq(cmd_compare(&options, &why), limits[_i].want);
}
END_TEST

static struct snapshot *two_probes(int64_t fifo_ns, int64_t other_ns, size_t others)
{
	struct snapshot *s = snapshot_new();
	int64_t ns[2000];

	for (size_t i = 0; i < 2000; i++)
		ns[i] = fifo_ns;
	fake_series(s, "wakeup-fifo", 0, ns, 2000);
	for (size_t i = 0; i < others; i++)
		ns[i] = other_ns;
	fake_series(s, "wakeup-other", 0, ns, others);
	return s;
}

static const struct { int64_t fifo_ns, other_ns; size_t others; int want; const char *why; } both[] = {
	{ 1000, 1000, 2000, EXIT_OK, "" },
	{ 3000, 1000, 2000, EXIT_LIMIT, "" },
	{ 1000, 3000, 2000, EXIT_LIMIT, "" },	/* the second counts as well */
	{ 1000, 3000, 20, EXIT_FAILED, "wakeup-other: too few samples for p99;" },
	{ 3000, 3000, 20, EXIT_FAILED, "wakeup-other: too few samples for p99;" },
};

START_TEST(every_probe_of_both_files_is_judged)
{
	struct snapshot *a = two_probes(1000, 1000, 2000);
	struct snapshot *b = two_probes(both[_i].fifo_ns, both[_i].other_ns, both[_i].others);
	struct why why = { 0 };
	struct compare_pair p;

	options.fail_ratio = 2;
	options.fail_ratio_pct = 99;
	ck_assert_int_eq(compare_pair_make(&p, a, b), 0);
	ck_assert_int_eq(compare_limit(&p, &options, "b.json", &why), both[_i].want);
	ck_assert_msg(strstr(why.text, both[_i].why) != NULL, "%s", why.text);
	compare_pair_free(&p);
	snapshot_free(a);
	snapshot_free(b);
}
END_TEST

/* "2.00 times the base, the limit is 2" would be no reason to fail. */
START_TEST(a_ratio_just_above_its_limit_has_more_digits)
{
	struct snapshot *a = two_probes(1000000, 1000, 2000), *b = two_probes(2004000, 1000, 2000);
	FILE *err = tmpfile();
	struct why why = { 0 };
	struct compare_pair p;
	char text[400];
	int kept = dup(2);

	options.fail_ratio = 2;
	options.fail_ratio_pct = 100;
	ck_assert_int_eq(compare_pair_make(&p, a, b), 0);
	dup2(fileno(err), 2);
	int code = compare_limit(&p, &options, "b.json", &why);

	dup2(kept, 2);
	close(kept);
	rewind(err);
	text[fread(text, 1, sizeof(text) - 1, err)] = '\0';
	fclose(err);
	ck_assert_int_eq(code, EXIT_LIMIT);
	ck_assert_msg(strstr(text, "is 2.004000000 times the base, the limit is 2\n") != NULL, "%s", text);
	compare_pair_free(&p);
	snapshot_free(a);
	snapshot_free(b);
}
END_TEST

START_TEST(nothing_is_a_multiple_of_zero)
{
	struct snapshot *a = two_probes(0, 1000, 2000), *b = two_probes(1000, 1000, 2000);
	struct why why = { 0 };
	struct compare_pair p;

	options.fail_ratio = 2;
	options.fail_ratio_pct = 99;
	ck_assert_int_eq(compare_pair_make(&p, a, b), 0);
	ck_assert_int_eq(compare_limit(&p, &options, "b.json", &why), EXIT_FAILED);
	ck_assert_msg(strstr(why.text, "p99 of the base is 0") != NULL, "%s", why.text);
	compare_pair_free(&p);
	snapshot_free(a);
	snapshot_free(b);
}
END_TEST

/* A machine so restless that nothing can be said of it: the range has no end,
 * and what is said behind it is whole. */
START_TEST(a_range_without_end_leaves_the_words_their_room)
{
	static char text[1 << 14];
	unsigned wide = 0, whole = 0;

	told_of(run_of(1, 300000, 0.142, true), run_of(7, 300000, 0.142, true), text, sizeof(text));
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
		ck_assert_uint_le(strlen(line), 78);
		wide += strstr(line, ">9999") != NULL;
		whole += line[0] == ' ' && !strstr(line, "verdict") &&
			 (ends(line, " no difference shown") || ends(line, " WORSE") ||
			  ends(line, " better"));
	}
	ck_assert_uint_gt(wide, 0);
	ck_assert_uint_eq(whole, 4);		/* p50 to p99.9 */
}
END_TEST

static const json_t *first_of(const json_t *pair, const char *list)
{
	return json_array_get(json_object_get(pair, list), 0);
}

static const char *word_of(const json_t *o, const char *key)
{
	return json_string_value(json_object_get(o, key));
}

static double number_of(const json_t *o, const char *key)
{
	return json_number_value(json_object_get(o, key));
}

/* What a reader is told, a program is told as well. */
START_TEST(an_object_holds_what_the_text_says)
{
	static char text[1 << 14];
	struct snapshot *a = snapshot_new(), *b = snapshot_new();

	snapshot_add_figure(a, "calls", "idle", "null", "us")->value = 2;
	snapshot_add_figure(b, "calls", "idle", "null", "us")->value = 5;
	snapshot_add_figure(a, "calls", "idle", "fork", "us")->value = 2;
	snapshot_add_figure(b, "calls", "idle", "fork", "us")->value = NAN;
	snapshot_add_load(a, "churn")->mix_version = 1;
	snapshot_add_load(b, "churn")->mix_version = 2;
	options.json = true;
	told_of(a, b, text, sizeof(text));
	json_t *root = json_loads(text, 0, NULL);
	const json_t *pair = first_of(root, "pairs"), *figure = first_of(pair, "figures");
	const json_t *fork = json_array_get(json_object_get(pair, "figures"), 1);

	ck_assert_str_eq(word_of(figure, "table"), "calls");
	ck_assert_str_eq(word_of(figure, "base_row"), "idle");
	ck_assert_str_eq(word_of(figure, "file_row"), "idle");
	ck_assert_str_eq(word_of(figure, "name"), "null");
	ck_assert_str_eq(word_of(figure, "unit"), "us");
	ck_assert(number_of(figure, "base") == 2 && number_of(figure, "file") == 5);
	ck_assert(number_of(figure, "ratio") == 2.5);
	ck_assert(json_is_null(json_object_get(fork, "file")));
	ck_assert(json_is_null(json_object_get(fork, "ratio")));
	ck_assert_str_eq(word_of(first_of(pair, "loads"), "remark"), "another mix: not comparable");
	json_decref(root);
}
END_TEST

/* The base's for both; alone the file's. */
START_TEST(a_percentile_too_few_carry_is_null_for_a_program)
{
	static char text[1 << 14];
	struct snapshot *a = snapshot_new(), *b = snapshot_new();
	int64_t ns[100];

	for (int i = 0; i < 100; i++)
		ns[i] = 1000 * (i + 1);
	fake_series(a, "call", -1, ns, 100);
	fake_series(b, "call", -1, ns, 100);
	options.json = true;
	told_of(a, b, text, sizeof(text));
	json_t *root = json_loads(text, 0, NULL);
	const json_t *pair = first_of(root, "pairs");
	const json_t *values = json_object_get(first_of(pair, "series"), "values");

	ck_assert(number_of(json_object_get(values, "p90"), "base_ns") > 0);
	ck_assert(json_is_null(json_object_get(json_object_get(values, "p99"), "base_ns")));
	ck_assert(json_is_null(json_object_get(json_object_get(values, "p99"), "file_ns")));
	ck_assert(json_is_null(json_object_get(json_object_get(values, "p99"), "ratio")));
	ck_assert(number_of(json_object_get(values, "max"), "base_ns") == 100000);
	json_decref(root);
}
END_TEST

START_TEST(what_is_late_is_compared_by_one_deadline)
{
	static const struct { int64_t base_ns, file_ns; const char *row, *fact; } cases[] = {
		{ 300000, 300000, "  > 300us           25%      50%     2.00\n", NULL },
		{ 300000, 0, "  > 300us           25%      50%     2.00\n", "deadline      300us" },
		{ 0, 2000000, "  > 2.00ms          25%       0%        0\n", "2.00ms" },
		{ 0, 0, NULL, NULL },
	};
	static const int64_t base[] = { 1000, 2000, 3000, 5000000 };
	static const int64_t file[] = { 1000, 2000, 400000, 500000 };
	static char text[1 << 14];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		for (int json = 0; json < 2; json++) {
			struct snapshot *a = snapshot_new(), *b = snapshot_new();

			fake_series(a, "call", -1, base, 4);
			fake_series(b, "call", -1, file, 4);
			a->deadline_ns = cases[i].base_ns;
			b->deadline_ns = cases[i].file_ns;
			options.json = json;
			told_of(a, b, text, sizeof(text));
			const char *row = json ? "\"late\": " : cases[i].row;

			if (cases[i].row)
				ck_assert_msg(strstr(text, row) != NULL, "%s", text);
			else
				ck_assert_msg(!strstr(text, json ? "late" : "  > "), "%s", text);
			ck_assert(json || !cases[i].fact || strstr(text, cases[i].fact));
		}
	}
}
END_TEST

/* "p100" would be another percentile than the one asked for. */
START_TEST(the_percentile_is_named_as_asked)
{
	struct why why = { 0 };

	options.file[0] = options.file[1] = "tests/data/histogram-stock.txt";
	options.files = 2;
	options.fail_ratio = 2;
	options.fail_ratio_pct = 99.9999999;
	ck_assert_ptr_nonnull(freopen("/dev/null", "w", stdout));
	ck_assert_int_eq(cmd_compare(&options, &why), EXIT_FAILED);
	ck_assert_msg(strstr(why.text, " for p99.9999999;") != NULL, "%s", why.text);
	options.fail_ratio_pct = 100.0 - 1e-10;		/* as close as a double has digits */
	cmd_compare(&options, &why);
	ck_assert_ptr_null(strstr(why.text, " p100;"));
}
END_TEST

START_TEST(one_file_is_not_enough)
{
	struct why why = { 0 };

	options.files = 1;
	ck_assert_int_eq(cmd_compare(&options, &why), EXIT_USAGE);
}
END_TEST

static struct snapshot *timed(double kps, const char *kps_text)
{
	struct snapshot *s = snapshot_new();
	struct snapshot_figure *f = snapshot_add_figure(s, "bonnie", "vm", "block out", "K/s");

	f->value = kps;
	snprintf(f->text, sizeof(f->text), "%s", kps_text);
	snapshot_add_figure(s, "bonnie", "vm", "rewrite", "K/s")->value = 100;
	return s;
}

static const struct { const char *base, *file, *line; } words[] = {
	{ "+++++", "+++++", "\n  block out                               +++++        +++++        -  K/s\n" },
	{ "", "+++++", "\n  block out                              258595        +++++        -  K/s\n" },
	{ "+++++", "258595", "\n  block out                               +++++       258595        -  K/s\n" },
	{ "258595", "", "\n  block out                              258595       258595     1.00  K/s\n" },
	{ "-.5", "na", "\n  block out                              258595           na        -  K/s\n" },
};

/* What its own table refuses to print has no ratio either. */
START_TEST(a_word_in_place_of_a_figure_has_no_ratio)
{
	static char text[1 << 14];

	told_of(timed(258595, words[_i].base), timed(258595, words[_i].file), text, sizeof(text));
	ck_assert_msg(strstr(text, words[_i].line) != NULL, "%s", text);
	ck_assert_ptr_nonnull(strstr(text, "\n  rewrite                                   100          100     1.00  K/s\n"));
}
END_TEST

static const struct { uint64_t late, count; const char *text; } shares[] = {
	{ 0, 0, "-" }, { 0, 7, "0%" }, { 7, 7, "100%" }, { 1, 8, "12.5%" },
	{ 1717, 8472599, "0.0203%" }, { 3, 100000, "0.003%" }, { 1, 100000, "0.001%" },
	{ 52, 10000000, "0.00052%" }, { 2, 8594048, "2.3e-05%" },
	{ 1, UINT64_C(1) << 53, "1.1e-14%" },
};

/* In percent, as in the histogram below; the column holds 8. */
START_TEST(shares_are_in_percent)
{
	struct pair pair[] = { { 999999, shares[_i].count - shares[_i].late },
			       { 1000000, shares[_i].late } };
	struct dist d = { .counts.count = shares[_i].count, .pair = pair, .pairs = 2 };
	char text[16];

	ck_assert_str_eq(dist_share_text(text, sizeof(text), &d, 1000000), shares[_i].text);
	ck_assert_uint_le(strlen(text), 8);
}
END_TEST

START_TEST(the_columns_of_the_figures_of_2002)
{
	static char text[1 << 14];

	told("tests/data/histogram-stock.txt", "tests/data/histogram-lowlat.txt", text, sizeof(text));
	ck_assert_msg(strstr(text, "\n  >= 1ms        0.0203% 2.3e-05%  0.00115\n") != NULL, "%s", text);
	ck_assert_ptr_nonnull(strstr(text, "\n  p50             100us    100us     1.00  1.00 .. 1.00    no difference shown\n"));
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
		ck_assert_uint_le(strlen(line), 78);
}
END_TEST

Suite *compare_suite(void);

Suite *compare_suite(void)
{
	Suite *s = suite_create("compare");
	TCase *tc = tcase_create("compare");

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, chance_is_rarely_called_a_difference);
	tcase_add_test(tc, drift_is_rarely_called_a_difference);
	tcase_add_loop_test(tc, a_tail_of_twice_the_length_is_worse_and_the_way_back_better, 0, 2);
	tcase_add_test(tc, a_run_of_a_few_seconds_gets_no_verdict);
	tcase_add_test(tc, a_difference_without_a_timeline_is_perhaps_one);
	tcase_add_test(tc, a_file_against_itself_has_ratio_one);
	tcase_add_test(tc, the_same_input_gives_the_same_answer);
	tcase_add_test(tc, too_few_samples_are_not_judged);
	tcase_add_test(tc, percentiles_of_slots_lie_inside_their_slot);
	tcase_add_test(tc, the_stock_kernel_has_the_longer_tail);
	tcase_add_test(tc, figures_are_paired_table_by_table);
	tcase_add_test(tc, cells_of_imported_tables_are_told_apart);
	tcase_add_test(tc, kernels_that_go_by_order_are_both_named);
	tcase_add_loop_test(tc, shares_are_in_percent, 0, sizeof(shares) / sizeof(shares[0]));
	tcase_add_test(tc, the_columns_of_the_figures_of_2002);
	tcase_add_loop_test(tc, a_word_in_place_of_a_figure_has_no_ratio, 0,
			    sizeof(words) / sizeof(words[0]));
	tcase_add_test(tc, what_differs_of_the_machines_is_named);
	tcase_add_test(tc, what_is_unknown_is_no_difference);
	tcase_add_test(tc, loads_find_their_partners);
	tcase_add_test(tc, runs_of_a_suite_know_their_step);
	tcase_add_test(tc, loads_of_a_suite_are_told_apart_by_step);
	tcase_add_test(tc, different_probes_of_one_series_each_are_paired);
	tcase_add_test(tc, a_probe_of_one_file_alone_is_named);
	tcase_add_loop_test(tc, the_exit_code_serves_a_bisection, 0, (int)(sizeof(limits) / sizeof(limits[0])));
	tcase_add_loop_test(tc, every_probe_of_both_files_is_judged, 0,
			    sizeof(both) / sizeof(both[0]));
	tcase_add_test(tc, nothing_is_a_multiple_of_zero);
	tcase_add_test(tc, a_ratio_just_above_its_limit_has_more_digits);
	tcase_add_test(tc, a_range_without_end_leaves_the_words_their_room);
	tcase_add_test(tc, a_percentile_too_few_carry_is_null_for_a_program);
	tcase_add_test(tc, what_is_late_is_compared_by_one_deadline);
	tcase_add_test(tc, an_object_holds_what_the_text_says);
	tcase_add_test(tc, the_percentile_is_named_as_asked);
	tcase_add_test(tc, one_file_is_not_enough);
	suite_add_tcase(s, tc);
	return s;
}
