/*
 * check_suite_ladder.c - steps, lines and tables of the ladder, against the
 * published lines of 2002.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/format.h"
#include "tests/suite_catch.h"

extern const struct suite suite_ladder;

static struct options o;

static void run_with(void (*fn)(const struct suite_plan *plan))
{
	struct why why = { 0, "" };

	caught = fn;
	ck_assert_msg(suite_ladder.run(&o, &why) == EXIT_OK, "%s", why.text);
}

static void setup(void)
{
	memset(&o, 0, sizeof(o));
}

static int64_t want_hold_ns;

static void look_at_steps(const struct suite_plan *plan)
{
	ck_assert_uint_eq(plan->nr, 24);
	for (unsigned i = 0; i < 24; i++) {
		const struct step *step = &plan->steps[i];
		char name[24];

		snprintf(name, sizeof(name), "%u.%u", 1u << i / 3, i % 3 + 1);
		ck_assert_str_eq(step->name, name);
		ck_assert_uint_eq(step->back.workers, 1u << i / 3);
		ck_assert(loads[step->back.arg]->flags & LOAD_LADDER);
		ck_assert_int_eq(step->job.what, CMD_NONE);
		ck_assert_int_eq(step->hold_ns, want_hold_ns);
		ck_assert(step->whole_passes);
		ck_assert(!step->keeps);	/* three runs are three starts */
		ck_assert_int_ge(step->most_ns, step->hold_ns);
	}
	ck_assert_str_eq(plan->steps[0].pick[0], "1");
	ck_assert_str_eq(plan->steps[23].pick[0], "128");
}

START_TEST(eight_rungs_three_times_each)
{
	want_hold_ns = 10 * NS_PER_S;
	run_with(look_at_steps);
	want_hold_ns = o.length_ns = 200 * NS_PER_S;
	run_with(look_at_steps);
}
END_TEST

static void look_at_mode(const struct suite_plan *plan)
{
	for (unsigned i = 0; i < plan->nr; i++) {
		ck_assert_int_eq(plan->steps[i].back.knob[0], 1);
		ck_assert_uint_eq(plan->steps[i].back.workers, 1u << i / 3);
	}
}

START_TEST(l_sets_the_mode_of_all_steps)
{
	ck_assert_int_eq(schedule_load(&o.schedule, "churn:7,mode=fsync", NULL), 0);
	run_with(look_at_mode);
}
END_TEST

/* ---- the old lines again ---- */

static char lines[24][160];
static double sum_mb;

static void read_lines(const char *path)
{
	FILE *f = fopen(path, "r");
	unsigned n = 0;

	ck_assert_ptr_nonnull(f);
	while (n < 24 && fgets(lines[n], sizeof(lines[n]), f))
		n++;
	fclose(f);
	ck_assert_uint_eq(n, 24);
}

/* A step as it would have to be measured for that line. */
static void measured(const char *line, struct step_result *r)
{
	double mb;
	const char *procs = strchr(line, ')');

	ck_assert_int_eq(sscanf(line, "Throughput %lf", &mb), 1);
	ck_assert_int_eq(sscanf(procs, ") %u procs", &r->workers), 1);
	r->outcome = STEP_DONE;
	r->to_ns = 1000 * NS_PER_S;
	r->back.bytes = (uint64_t)llround(mb * 1e9);
	r->latencies = 2;
	for (unsigned k = 0; k < 2; k++)
		r->latency[k] = (struct step_latency){ .count = 1000, .p50_ns = 1000, .p99_ns = 20000,
						       .p999_ns = 300000, .max_ns = 4000000 };
	snprintf(r->latency[0].name, sizeof(r->latency[0].name), "wakeup-fifo");
	snprintf(r->latency[1].name, sizeof(r->latency[1].name), "wakeup-other");
	sum_mb += mb;
}

static void print_lines(const struct suite_plan *plan)
{
	struct step_result all[24] = { 0 };
	struct snapshot *s = snapshot_new(), *back = snapshot_new();
	struct why why = { 0, "" };
	double sum = 0;
	char *text;

	sum_mb = 0;
	for (unsigned i = 0; i < 24; i++)
		measured(lines[i], &all[i]);
	text = printed_tables(plan, all, s);
	for (unsigned i = 0; i < 24; i++) {
		int n = (int)strcspn(lines[i] + strlen("Throughput "), " ");
		char want[60];

		snprintf(want, sizeof(want), "Throughput %.*s MB/sec", n, lines[i] + strlen("Throughput "));
		ck_assert_msg(strstr(text, want) != NULL, "no \"%s\" in:\n%s", want, text);
		ck_assert_double_eq_tol(suite_find(s, "ladder", plan->steps[i].name, "throughput")->value,
					(double)all[i].back.bytes / 1e9, 1e-6);
	}
	/* 1000 samples carry p99 and no p99.9, in the table as in the file. */
	ck_assert(isnan(suite_find(s, "ladder", plan->steps[0].name, "wakeup-other p99.9")->value));
	ck_assert_double_eq(suite_find(s, "ladder", plan->steps[0].name, "wakeup-fifo p99")->value,
			    20);
	ck_assert_ptr_nonnull(strstr(text, " 1.00us 20.0us      - 4.00ms 1.00us 20.0us      - 4.00ms"));
	/* And a reader of such lines finds the same figures. */
	char *end = strstr(text, "\n\n");

	ck_assert_ptr_nonnull(end);
	ck_assert_msg(format_by_name("dbench")->read(text, (size_t)(end + 1 - text), "x", back, &why) == 0,
		      "%s", why.text);
	ck_assert_uint_eq(back->nr_figures, 24);
	for (unsigned i = 0; i < 24; i++)
		sum += back->figures[i].value;
	ck_assert_double_eq_tol(sum, sum_mb, 1e-3);
	for (const char *line = end; *line; line = strchr(line, '\n') + 1)
		ck_assert_int_le((int)strcspn(line, "\n"), 80);
	free(text);
	snapshot_free(s);
	snapshot_free(back);
}

START_TEST(every_line_of_2002_comes_out_again)
{
	static const char *const files[] = { "tests/data/dbench-lowlat.txt",
					     "tests/data/dbench-stock.txt" };

	read_lines(files[_i]);
	run_with(print_lines);
}
END_TEST

static void print_skipped(const struct suite_plan *plan)
{
	struct step_result all[24] = { 0 };
	struct snapshot *s = snapshot_new();
	char *text;

	read_lines("tests/data/dbench-lowlat.txt");
	measured(lines[0], &all[0]);
	measured(lines[1], &all[1]);
	all[1].outcome = STEP_CUT;
	snprintf(all[1].why, sizeof(all[1].why), "it took too long");
	all[2].outcome = STEP_SKIPPED;
	snprintf(all[2].why, sizeof(all[2].why), "needs 768 MB of disk, budget 500 MB");
	text = printed_tables(plan, all, s);
	ck_assert_ptr_nonnull(strstr(text, "  cut: it took too long\n"));
	ck_assert_ptr_nonnull(strstr(text, "\nskipped: needs 768 MB of disk, budget 500 MB\n  1.3\n"));
	ck_assert_str_eq(suite_find(s, "ladder", "1.2", "outcome")->text, "cut");
	ck_assert(isnan(suite_find(s, "ladder", "1.3", "throughput")->value));
	ck_assert_ptr_null(suite_find(s, "ladder", "2.1", "throughput"));
	free(text);
	snapshot_free(s);
}

START_TEST(cut_and_skipped_steps_say_so)
{
	run_with(print_skipped);
}
END_TEST

Suite *suite_ladder_suite(void);
Suite *suite_ladder_suite(void)
{
	Suite *s = suite_create("suite_ladder");
	TCase *tc = tcase_create("ladder");

	tcase_add_checked_fixture(tc, setup, NULL);
	tcase_add_test(tc, eight_rungs_three_times_each);
	tcase_add_test(tc, l_sets_the_mode_of_all_steps);
	tcase_add_loop_test(tc, every_line_of_2002_comes_out_again, 0, 2);
	tcase_add_test(tc, cut_and_skipped_steps_say_so);
	suite_add_tcase(s, tc);
	return s;
}
