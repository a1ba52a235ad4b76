/*
 * check_suite_contest.c - rows, ratios and layout of contest, against the
 * published table of 2003.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/suite_catch.h"

extern const struct suite suite_contest;

static struct options o;

static void run_with(void (*fn)(const struct suite_plan *plan))
{
	struct why why = { 0, "" };

	caught = fn;
	ck_assert_msg(suite_contest.run(&o, &why) == EXIT_OK, "%s", why.text);
}

static void setup(void)
{
	memset(&o, 0, sizeof(o));
}

/* ---- steps ---- */

static long knob_of(const struct order *order, const char *name)
{
	const struct load *l = loads[order->arg];

	for (unsigned i = 0; l->knobs[i].name; i++) {
		if (!strcmp(l->knobs[i].name, name))
			return order->knob[i];
	}
	ck_abort_msg("%s has no knob %s", l->name, name);
	return 0;
}

static void look_at_steps(const struct suite_plan *plan)
{
	static const char *const names[] = { "no_load", "cacherun", "process_load", "ctar_load",
					     "xtar_load", "io_load", "io_other", "read_load",
					     "list_load", "mem_load", "dbench_load" };

	ck_assert_uint_ge(plan->nr, 11);
	for (unsigned i = 0; i < 11; i++)
		ck_assert_str_eq(plan->steps[i].name, names[i]);
	for (unsigned i = 0; i < plan->nr; i++) {
		const struct step *step = &plan->steps[i];

		ck_assert_int_eq(step->job.what, CMD_LOAD_START);
		ck_assert(loads[step->job.arg]->flags & LOAD_FOREGROUND);
		ck_assert_int_eq(knob_of(&step->job, "cacherun"), i == 1);
		ck_assert_int_gt(step->guess_ns, 0);
		if (i < 2) {
			ck_assert_int_eq(step->back.what, CMD_NONE);
			continue;
		}
		ck_assert(loads[step->back.arg]->flags & LOAD_CONTEST);
	}
	ck_assert_int_eq(knob_of(&plan->steps[5].back, "other"), 0);
	ck_assert_int_eq(knob_of(&plan->steps[6].back, "other"), 1);
	ck_assert_str_ne(plan->steps[6].skip, "");	/* one --scratch only */
	ck_assert_uint_ge(plan->steps[10].back.workers, 16);
	ck_assert_uint_le(plan->steps[10].back.workers, 128);
}

START_TEST(the_rows_are_those_of_the_old_table)
{
	run_with(look_at_steps);
}
END_TEST

static void look_at_other(const struct suite_plan *plan)
{
	ck_assert_str_eq(plan->steps[step_named(plan, "io_other")].skip, "");
}

START_TEST(a_second_scratch_lets_io_other_run)
{
	o.scratches = 2;
	run_with(look_at_other);
}
END_TEST

static void look_at_settings(const struct suite_plan *plan)
{
	ck_assert_int_eq(knob_of(&plan->steps[0].job, "units"), 60);
	ck_assert_int_eq(knob_of(&plan->steps[1].job, "units"), 60);
	ck_assert_int_eq(knob_of(&plan->steps[1].job, "cacherun"), 1);
	ck_assert_int_eq(knob_of(&plan->steps[step_named(plan, "mem_load")].back, "percent"), 20);
}

START_TEST(l_sets_the_knobs_of_the_suites_own_loads)
{
	ck_assert_int_eq(schedule_load(&o.schedule, "compile,units=60", NULL), 0);
	ck_assert_int_eq(schedule_load(&o.schedule, "mem,percent=20", NULL), 0);
	run_with(look_at_settings);
}
END_TEST

START_TEST(l_of_another_load_is_refused)
{
	struct why why = { 0, "" };

	ck_assert_int_eq(schedule_load(&o.schedule, "fork", NULL), 0);
	ck_assert_int_eq(suite_contest.run(&o, &why), EXIT_USAGE);
	ck_assert_ptr_nonnull(strstr(why.text, "fork"));
}
END_TEST

static long units_seen;

static void look_at_units(const struct suite_plan *plan)
{
	units_seen = knob_of(&plan->steps[0].job, "units");
}

START_TEST(length_sets_the_work_within_its_bounds)
{
	o.length_ns = 20 * NS_PER_S;
	run_with(look_at_units);
	ck_assert_int_eq(units_seen, 200 * (long)suite_ncpu());
	o.length_ns = NS_PER_MS;
	run_with(look_at_units);
	ck_assert_int_eq(units_seen, 2);
}
END_TEST

/* ---- the old table again ---- */

struct seed { char load[24], kernel[24], ratio[8]; double time, cpu, loads, lcpu; };
static struct seed seeds[32];
static unsigned nr_seeds;

static void read_seeds(void)
{
	FILE *f = fopen("tests/data/contest.tsv", "r");
	char line[200];
	int runs;

	ck_assert_ptr_nonnull(f);
	nr_seeds = 0;
	ck_assert_ptr_nonnull(fgets(line, sizeof(line), f));
	while (fgets(line, sizeof(line), f)) {
		struct seed *s = &seeds[nr_seeds++];

		ck_assert_int_eq(sscanf(line, "%23s %23s %d %lf %lf %lf %lf %7s", s->load, s->kernel,
					&runs, &s->time, &s->cpu, &s->loads, &s->lcpu, s->ratio), 8);
	}
	fclose(f);
	ck_assert_uint_eq(nr_seeds, 22);
}

/* A step as it would have to be measured for that line. */
static void measured(const struct suite_plan *plan, const struct seed *seed,
		     struct step_result *all)
{
	int i = step_named(plan, seed->load);
	const struct load *job = loads[plan->steps[0].job.arg];
	struct step_result *r;

	ck_assert_msg(i >= 0, "no row %s", seed->load);
	r = &all[i];
	r->outcome = STEP_DONE;
	r->to_ns = (int64_t)(seed->time * 1e9);
	r->workers = 10;
	r->back.passes = (uint64_t)lround(seed->loads * (!strcmp(seed->load, "dbench_load") ? 10 : 1));
	r->back.cpu_ns = (uint64_t)(seed->time * 1e7 * seed->lcpu);
	for (unsigned k = 0; job->figure_names[k]; k++) {
		r->figure[k] = !strcmp(job->figure_names[k], "time_s") ? seed->time
			     : !strcmp(job->figure_names[k], "cpu_pct") ? seed->cpu : 0;
		r->figures = k + 1;
	}
}

static const char *kernel;

static void print_seeds(const struct suite_plan *plan)
{
	struct step_result all[32] = { 0 };
	struct snapshot *s = snapshot_new();
	char *text;

	for (unsigned i = 0; i < nr_seeds; i++) {
		if (!strcmp(seeds[i].kernel, kernel))
			measured(plan, &seeds[i], all);
	}
	text = printed_tables(plan, all, s);
	for (unsigned i = 0; i < nr_seeds; i++) {
		char want[120], head[60];

		if (strcmp(seeds[i].kernel, kernel))
			continue;
		snprintf(head, sizeof(head), "%s:\nKernel", seeds[i].load);
		snprintf(want, sizeof(want), "\t%.0f\t%.1f\t", seeds[i].time, seeds[i].cpu);
		const char *table = strstr(text, head);

		ck_assert_msg(table != NULL, "no table %s in:\n%s", seeds[i].load, text);
		const char *row = strstr(table, want);

		ck_assert_msg(row != NULL, "no %s after %s in:\n%s", want, head, text);
		snprintf(want, sizeof(want), "\t%.1f\t%s\n", seeds[i].lcpu, seeds[i].ratio);
		ck_assert_msg(strncmp(strstr(row, want) ? strstr(row, want) : "", want, strlen(want)) == 0
			      && strstr(row, want) < strchr(row, '\n'),
			      "no %s in %.60s", want, row);
		ck_assert_str_eq(suite_find(s, seeds[i].load, kernel, "Ratio")->text, seeds[i].ratio);
	}
	free(text);
	snapshot_free(s);
}

START_TEST(every_ratio_of_2003_comes_out_again)
{
	static const char *const kernels[] = { "2.5.70-mm3", "2.5.70-mm31" };

	read_seeds();
	kernel = o.label = kernels[_i];
	run_with(print_seeds);
}
END_TEST

static void print_cut(const struct suite_plan *plan)
{
	struct step_result all[32] = { 0 };
	struct snapshot *s = snapshot_new();
	struct seed seed = { "list_load", "k", "", 30, 90, 1, 5 };
	char *text;

	measured(plan, &seed, all);
	all[3].outcome = STEP_CUT;
	snprintf(all[3].why, sizeof(all[3].why), "interrupted");
	text = printed_tables(plan, all, s);
	ck_assert_ptr_nonnull(strstr(text, "\t30.0\t90.0\t1.0\t5.0\tna\n"));
	ck_assert_ptr_nonnull(strstr(text, "\ncut: interrupted\n  ctar_load\n"));
	ck_assert_ptr_null(strstr(text, "no_load:"));
	free(text);
	snapshot_free(s);
}

START_TEST(without_no_load_there_is_no_ratio_and_a_cut_row_says_so)
{
	o.label = "my kernel";
	run_with(print_cut);
}
END_TEST

Suite *suite_contest_suite(void);
Suite *suite_contest_suite(void)
{
	Suite *s = suite_create("suite_contest");
	TCase *tc = tcase_create("contest");

	tcase_add_checked_fixture(tc, setup, NULL);
	tcase_add_test(tc, the_rows_are_those_of_the_old_table);
	tcase_add_test(tc, a_second_scratch_lets_io_other_run);
	tcase_add_test(tc, l_sets_the_knobs_of_the_suites_own_loads);
	tcase_add_test(tc, l_of_another_load_is_refused);
	tcase_add_test(tc, length_sets_the_work_within_its_bounds);
	tcase_add_loop_test(tc, every_ratio_of_2003_comes_out_again, 0, 2);
	tcase_add_test(tc, without_no_load_there_is_no_ratio_and_a_cut_row_says_so);
	suite_add_tcase(s, tc);
	return s;
}
