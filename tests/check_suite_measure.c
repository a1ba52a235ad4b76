/*
 * check_suite_measure.c - steps, cells and layouts of the suites made of
 * kernels: latencies, throughput, tcp.
 */
#include <check.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/suites/kernel_tcp.h"
#include "tests/suite_catch.h"

extern const struct suite suite_latencies, suite_throughput, suite_tcp;

static struct options o;

static void run_with(const struct suite *suite, void (*fn)(const struct suite_plan *plan))
{
	struct why why = { 0, "" };

	caught = fn;
	ck_assert_msg(suite->run(&o, &why) == EXIT_OK, "%s", why.text);
}

static void setup(void)
{
	memset(&o, 0, sizeof(o));
}

static void ask_for(const char *load)
{
	ck_assert_int_eq(schedule_load(&o.schedule, load, NULL), 0);
}

/* ---- steps ---- */

static unsigned steps_seen;

static void look_at_steps(const struct suite_plan *plan)
{
	steps_seen = plan->nr;
	ck_assert(plan->no_samplers);
	for (unsigned i = 0; i < plan->nr; i++) {
		const struct step *step = &plan->steps[i];

		ck_assert(step->own);
		ck_assert(step->keeps);
		ck_assert_ptr_nonnull(kernel_nth(step->kernel));
		ck_assert_int_gt(step->guess_ns, 0);
		ck_assert_int_gt(step->most_ns, step->hold_ns);
		for (unsigned k = 0; k < i; k++)
			ck_assert_msg(strcmp(step->name, plan->steps[k].name), "%s twice", step->name);
	}
}

static void look_at_loads(const struct suite_plan *plan)
{
	unsigned idle = 0, churn = 0, fork = 0;

	look_at_steps(plan);
	for (unsigned i = 0; i < plan->nr; i++) {
		const struct order *back = &plan->steps[i].back;

		idle += back->what == CMD_NONE;
		churn += back->what == CMD_LOAD_START && !strcmp(loads[back->arg]->name, "churn");
		fork += back->what == CMD_LOAD_START && !strcmp(loads[back->arg]->name, "fork");
		if (back->what == CMD_LOAD_START && !strcmp(loads[back->arg]->name, "churn"))
			ck_assert_uint_eq(back->workers, 8);
	}
	ck_assert_uint_gt(churn, 0);
	ck_assert_uint_eq(churn, fork);
	ck_assert_uint_ge(idle, churn);
	/* A load starts once: its steps stand together, the idle ones first. */
	for (unsigned i = 1; i < plan->nr; i++)
		ck_assert(plan->steps[i].back.what || !plan->steps[i - 1].back.what);
}

static const struct suite *const suites_of_kernels[] = {
	&suite_latencies, &suite_throughput, &suite_tcp
};

START_TEST(each_load_repeats_what_was_done_idle)
{
	unsigned idle;

	run_with(suites_of_kernels[_i], look_at_steps);
	idle = steps_seen;
	setup();
	ask_for("churn:8");
	ask_for("fork");
	run_with(suites_of_kernels[_i], look_at_loads);
	ck_assert_uint_gt(steps_seen, idle);
	ck_assert_uint_eq(o.schedule.entries, 0);	/* nobody else starts them */
}
END_TEST

START_TEST(a_load_with_a_time_is_refused)
{
	struct why why = { 0, "" };

	ask_for("churn@2s+3s");
	ck_assert_int_eq(suites_of_kernels[_i]->run(&o, &why), EXIT_USAGE);
	ck_assert_ptr_nonnull(strstr(why.text, "time"));
}
END_TEST

static int64_t hold_seen;

static void look_at_length(const struct suite_plan *plan)
{
	hold_seen = plan->steps[0].hold_ns;
	for (unsigned i = 0; i < plan->nr; i++)
		ck_assert_int_eq(plan->steps[i].hold_ns, hold_seen);
}

START_TEST(length_is_that_of_each_step)
{
	o.length_ns = 123 * NS_PER_MS;
	run_with(suites_of_kernels[_i], look_at_length);
	ck_assert_int_eq(hold_seen, 123 * NS_PER_MS);
}
END_TEST

/* ---- the old tables again ---- */

struct seed { char table[24], kernel[24], column[24], value[16]; };
static struct seed seeds[256];
static unsigned nr_seeds;

static void read_seeds(const char *kernel)
{
	FILE *f = fopen("tests/data/lmbench.txt", "r");
	char line[200];

	nr_seeds = 0;
	ck_assert_ptr_nonnull(f);
	while (fgets(line, sizeof(line), f)) {
		struct seed *s = &seeds[nr_seeds];

		if (sscanf(line, "%23[^\t]\t%23[^\t]\t%23[^\t]\t%15[^\t]", s->table, s->kernel, s->column,
			   s->value) == 4 && !strcmp(s->kernel, kernel))
			nr_seeds++;
	}
	fclose(f);
	ck_assert_uint_gt(nr_seeds, 30);
}

static int step_for(const struct suite_plan *plan, const struct seed *seed)
{
	for (unsigned i = 0; i < plan->nr; i++) {
		const struct kernel *k = kernel_nth(plan->steps[i].kernel);

		if (!strcmp(k->table, seed->table) && !strcmp(k->name, seed->column))
			return (int)i;
	}
	return -1;
}

static void put(struct step_result *r, double median)
{
	r->outcome = STEP_DONE;
	r->figures = KERNEL_MORE;
	r->figure[KERNEL_MEDIAN] = r->figure[KERNEL_LEAST] = median;
	r->figure[KERNEL_P99] = 2 * median;
	r->figure[KERNEL_MAX] = 10 * median;
	r->figure[KERNEL_N] = 1000;
	r->figure[KERNEL_MEAN] = median;
}

static void print_seeds(const struct suite_plan *plan)
{
	struct step_result *all = calloc(plan->nr, sizeof(*all));
	struct snapshot *s = snapshot_new();
	unsigned found = 0;

	for (unsigned i = 0; i < nr_seeds; i++) {
		int step = step_for(plan, &seeds[i]);

		if (step >= 0 && strcmp(seeds[i].value, "na"))
			put(&all[step], atof(seeds[i].value));
	}
	char *text = printed_tables(plan, all, s);

	for (unsigned i = 0; i < nr_seeds; i++) {
		const struct snapshot_figure *f = suite_find(s, seeds[i].table, "idle", seeds[i].column);

		if (step_for(plan, &seeds[i]) < 0 || !strcmp(seeds[i].value, "na"))
			continue;
		found++;
		ck_assert_ptr_nonnull(f);
		ck_assert_double_eq(f->value, atof(seeds[i].value));
	}
	ck_assert_uint_gt(found, 8);
	ck_assert_ptr_nonnull(strstr(text, "-like figures"));
	ck_assert_ptr_null(strstr(text, "results of"));
	ck_assert_ptr_nonnull(strstr(text, "\nidle   "));
	free(text);
	free(all);
	snapshot_free(s);
}

START_TEST(the_figures_of_2002_find_their_cells)
{
	read_seeds("2.4.18pre2aa2");
	run_with(_i ? &suite_throughput : &suite_latencies, print_seeds);
}
END_TEST

static void print_tails(const struct suite_plan *plan)
{
	struct step_result *all = calloc(plan->nr, sizeof(*all));
	struct snapshot *s = snapshot_new();
	int fork = step_named(plan, "fork proc"), ring = step_named(plan, "2p/0K");
	int l1 = step_named(plan, "L1 $"), failed = step_named(plan, "stat");

	put(&all[fork], 150);
	put(&all[ring], 2);
	all[ring].figure[KERNEL_N] = 999;	/* carries no p99 */
	put(&all[l1], 5);
	all[l1].figure[KERNEL_LEAST] = 1.5;
	all[failed].outcome = STEP_FAILED;
	snprintf(all[failed].why, sizeof(all[failed].why), "stat: no room");
	char *text = printed_tables(plan, all, s);

	ck_assert_double_eq(suite_find(s, "processor", "idle", "fork proc")->value, 150);
	ck_assert_double_eq(suite_find(s, "processor", "idle p99", "fork proc")->value, 300);
	ck_assert_double_eq(suite_find(s, "processor", "idle max", "fork proc")->value, 1500);
	ck_assert(isnan(suite_find(s, "comm_lat", "idle p99", "2p/0K")->value));
	ck_assert_double_eq(suite_find(s, "comm_lat", "idle", "2p/0K")->value, 2);
	ck_assert_double_eq(suite_find(s, "comm_lat", "idle max", "2p/0K")->value, 20);
	ck_assert_double_eq(suite_find(s, "mem_lat", "idle", "L1 $")->value, 1.5);
	ck_assert_ptr_null(suite_find(s, "processor", "idle", "stat"));
	ck_assert_ptr_null(suite_find(s, "processor", "idle", "exec proc"));
	ck_assert_ptr_nonnull(strstr(text, "\nfailed: stat: no room\n  stat\n"));
	ck_assert_ptr_nonnull(strstr(text, "idle p99"));
	ck_assert_ptr_nonnull(strstr(text, "\"taskset -c 0\" before it"));
	free(text);
	free(all);
	snapshot_free(s);
}

START_TEST(beside_each_figure_stands_its_tail)
{
	run_with(&suite_latencies, print_tails);
}
END_TEST

/* ---- tcp ---- */

static void look_at_sizes(const struct suite_plan *plan)
{
	static const long sizes[] = { 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384,
				      32768, 65536 };
	unsigned calibrations = 0;

	for (unsigned i = 0; i < 15; i++) {
		ck_assert_int_eq(plan->steps[i].arg[0], sizes[i]);
		ck_assert_int_eq(plan->steps[i].arg[1], 10000);
		ck_assert_str_eq(kernel_nth(plan->steps[i].kernel)->name, KERNEL_TCP_TRIP);
	}
	for (unsigned i = 0; i < plan->nr; i++)
		calibrations += !strcmp(plan->steps[i].name, KERNEL_TCP_UNITS);
	ck_assert_uint_eq(calibrations, 1);
}

START_TEST(the_sizes_are_those_of_the_old_sweep)
{
	run_with(&suite_tcp, look_at_sizes);
}
END_TEST

static void start_soaked(const struct suite_plan *plan)
{
	const struct step *step = &plan->steps[step_named(plan, "4 soaked")];
	struct why why = { 0, "" };

	ck_assert_int_eq(plan->own->start(plan->own->ctx, step, &why), -ENODATA);
	ck_assert_ptr_nonnull(strstr(why.text, "calibrated"));
}

START_TEST(soakers_need_to_have_been_alone_first)
{
	run_with(&suite_tcp, start_soaked);
}
END_TEST

static void look_at_patience(const struct suite_plan *plan)
{
	const struct step *step = &plan->steps[step_named(plan, "4 soaked")];

	ck_assert_int_eq(step->hold_ns, 60 * NS_PER_S);
	ck_assert_int_gt(step->most_ns, (2 * KERNEL_TCP_TRIES - 1) * step->hold_ns);
}

START_TEST(a_load_that_is_taken_again_is_not_cut)
{
	o.length_ns = 60 * NS_PER_S;
	run_with(&suite_tcp, look_at_patience);
}
END_TEST

static void look_at_choice(const struct suite_plan *plan)
{
	(void)plan;
	ck_assert_str_eq(o.steps, "4,64," KERNEL_TCP_UNITS);
}

START_TEST(a_choice_of_steps_takes_the_calibration_along)
{
	o.steps = "4,64";
	run_with(&suite_tcp, look_at_choice);
	ck_assert_str_eq(o.steps, "4,64");
}
END_TEST

static void print_trips(const struct suite_plan *plan)
{
	struct step_result *all = calloc(plan->nr, sizeof(*all));
	struct snapshot *s = snapshot_new();
	int trip = step_named(plan, "64"), soaked = step_named(plan, "64 soaked");
	int loaded = step_named(plan, "churn x8 64");

	put(&all[trip], 12.5);
	all[trip].figures = KERNEL_TCP_CPU + 1;
	all[trip].figure[KERNEL_TCP_CPU] = 7.25;
	put(&all[soaked], 61);
	put(&all[loaded], 33);
	char *text = printed_tables(plan, all, s);

	ck_assert_double_eq(suite_find(s, "tcp", "64", "CPU")->value, 7.25);
	ck_assert_double_eq(suite_find(s, "tcp", "64", "load")->value, 61);
	ck_assert_double_eq(suite_find(s, "tcp churn x8", "64", "median")->value, 33);
	ck_assert_ptr_nonnull(strstr(text, "\nidle\n"));
	ck_assert_ptr_nonnull(strstr(text, "\nchurn x8\n"));
	ck_assert_ptr_nonnull(strstr(text, "    64      1000    12.50    12.50    25.00"
				      "     125.0     7.25    61.0"));
	for (const char *line = text; *line; line = strchr(line, '\n') + 1)
		ck_assert_int_le((int)strcspn(line, "\n"), 80);
	free(text);
	free(all);
	snapshot_free(s);
}

START_TEST(a_row_a_size_and_a_table_a_load)
{
	ask_for("churn:8");
	run_with(&suite_tcp, print_trips);
}
END_TEST

static void print_negative(const struct suite_plan *plan)
{
	struct step_result *all = calloc(plan->nr, sizeof(*all));
	struct snapshot *s = snapshot_new();
	int trip = step_named(plan, "64"), soaked = step_named(plan, "64 soaked");

	put(&all[trip], 12.5);
	all[trip].figures = KERNEL_TCP_CPU + 1;
	put(&all[soaked], -66);
	char *text = printed_tables(plan, all, s);

	for (unsigned i = 0; i < s->nr_figures; i++)
		ck_assert(!(s->figures[i].value < 0));
	ck_assert(isnan(suite_find(s, "tcp", "64", "load")->value));
	ck_assert(isnan(suite_find(s, "tcp", "64", "load CPU")->value));
	ck_assert_double_eq(suite_find(s, "tcp", "64", "median")->value, 12.5);
	ck_assert_ptr_nonnull(strstr(text, "     na       na\n"));
	ck_assert_ptr_nonnull(strstr(text, "\nna: less than nothing"));
	ck_assert_ptr_nonnull(strstr(text, "\n  64 soaked\n"));
	free(text);
	free(all);
	snapshot_free(s);
}

START_TEST(a_load_below_nothing_is_no_figure)
{
	run_with(&suite_tcp, print_negative);
}
END_TEST

static void print_nothing_left(const struct suite_plan *plan)
{
	struct step_result *all = calloc(plan->nr, sizeof(*all));
	struct snapshot *s = snapshot_new();
	int ring = step_named(plan, "2p/0K"), handler = step_named(plan, "sig hndl");

	put(&all[ring], 0);	/* clamped: the cost was more than the whole */
	put(&all[handler], 1.5);
	char *text = printed_tables(plan, all, s);

	ck_assert(isnan(suite_find(s, "ctxsw", "idle", "2p/0K")->value));
	ck_assert(isnan(suite_find(s, "comm_lat", "idle", "2p/0K")->value));
	ck_assert_double_eq(suite_find(s, "processor", "idle", "sig hndl")->value, 1.5);
	ck_assert_ptr_null(strstr(text, "0.00"));
	ck_assert_ptr_nonnull(strstr(text, "\n  2p/0K\n"));
	free(text);
	free(all);
	snapshot_free(s);
}

START_TEST(a_time_of_nothing_is_no_figure)
{
	run_with(&suite_latencies, print_nothing_left);
}
END_TEST

/* ---- throughput ---- */

static void print_loops(const struct suite_plan *plan)
{
	struct step_result *all = calloc(plan->nr, sizeof(*all));
	struct snapshot *s = snapshot_new();
	int execl = step_named(plan, "Execl"), pipe = step_named(plan, "Pipe");

	put(&all[execl], 329.7);
	all[execl].figure[KERNEL_WORST] = 300;
	all[execl].figure[KERNEL_BEST] = 340;
	all[pipe].outcome = STEP_SKIPPED;
	char *text = printed_tables(plan, all, s);

	ck_assert_double_eq(suite_find(s, "throughput", "idle", "Execl")->value, 329.7);
	ck_assert_double_eq(suite_find(s, "throughput", "idle worst", "Execl")->value, 300);
	ck_assert_double_eq(suite_find(s, "throughput", "idle best", "Execl")->value, 340);
	ck_assert_str_eq(suite_find(s, "throughput", "idle", "Execl")->unit, "loops/s");
	ck_assert_ptr_nonnull(strstr(text, "329.7        300.0        340.0 loops/s\n"));
	free(text);
	free(all);
	snapshot_free(s);
}

START_TEST(beside_each_rate_stand_the_worst_and_the_best)
{
	run_with(&suite_throughput, print_loops);
}
END_TEST

/* The rows of 2002 that are ours have a kernel in the same unit. */
static void look_at_rows(const struct suite_plan *plan)
{
	static const struct { const char *name, *unit; } rows[] = {
		{ "Execl", "loops/s" }, { "Process Creation", "loops/s" }, { "Pipe Throughput", "loops/s" },
		{ "Pipe-based Context Switching", "loops/s" }, { "System Call Overhead", "loops/s" },
		{ "Shell Scripts 1", "loops/min" }, { "Shell Scripts 96", "loops/min" },
		{ "File Read 256", "KB/s" }, { "File Write 1024", "KB/s" }, { "File Copy 4096", "KB/s" },
		{ "Bcopy (hand)", "MB/s" }, { "Main mem", "ns" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		int step = step_named(plan, rows[i].name);

		ck_assert_msg(step >= 0, "no %s", rows[i].name);
		ck_assert_str_eq(kernel_nth(plan->steps[step].kernel)->unit, rows[i].unit);
	}
}

START_TEST(the_rows_of_2002_are_there_in_their_units)
{
	run_with(&suite_throughput, look_at_rows);
}
END_TEST

Suite *suite_measure_suite(void);
Suite *suite_measure_suite(void)
{
	Suite *s = suite_create("suite_measure");
	TCase *tc = tcase_create("measure");

	tcase_add_checked_fixture(tc, setup, NULL);
	tcase_add_loop_test(tc, each_load_repeats_what_was_done_idle, 0, 3);
	tcase_add_loop_test(tc, a_load_with_a_time_is_refused, 0, 3);
	tcase_add_loop_test(tc, length_is_that_of_each_step, 0, 3);
	tcase_add_loop_test(tc, the_figures_of_2002_find_their_cells, 0, 2);
	tcase_add_test(tc, beside_each_figure_stands_its_tail);
	tcase_add_test(tc, the_sizes_are_those_of_the_old_sweep);
	tcase_add_test(tc, soakers_need_to_have_been_alone_first);
	tcase_add_test(tc, a_load_that_is_taken_again_is_not_cut);
	tcase_add_test(tc, a_choice_of_steps_takes_the_calibration_along);
	tcase_add_test(tc, a_row_a_size_and_a_table_a_load);
	tcase_add_test(tc, a_load_below_nothing_is_no_figure);
	tcase_add_test(tc, a_time_of_nothing_is_no_figure);
	tcase_add_test(tc, beside_each_rate_stand_the_worst_and_the_best);
	tcase_add_test(tc, the_rows_of_2002_are_there_in_their_units);
	suite_add_tcase(s, tc);
	return s;
}
