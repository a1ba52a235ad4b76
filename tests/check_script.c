/*
 * check_script.c - steps one after another, over an instrument that is
 * scripted here: orders are noted, states of loads are set by hand.
 */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/app.h"
#include "src/script.h"

/* ---- the instrument ---- */

static struct model *model;
static struct counters *counters;
static struct order orders[64];
static unsigned nr_orders;
static bool ending, deaf;	/* deaf: no load starts at all */

struct model *app_model(struct app *app)
{
	(void)app;
	return model;
}

const struct counters *app_counters(const struct app *app)
{
	(void)app;
	return counters;
}

bool app_ending(const struct app *app)
{
	(void)app;
	return ending;
}

void app_refresh(struct app *app)
{
	(void)app;
}

void app_do(struct app *app, const struct order *order)
{
	struct load_view *v = &model->loads[order->arg];

	(void)app;
	orders[nr_orders++] = *order;
	if (order->what == CMD_LOAD_STOP)
		v->state = LOAD_STOPPING;
	if (order->what != CMD_LOAD_START || deaf)
		return;
	v->state = LOAD_STARTING;
	v->workers = order->workers;
	counters_clear(&counters->slot[order->arg]);
}

#define S NS_PER_S
#define T (100 * S)		/* when a test begins */

enum { CHURN, JOB, LOADS };

static void runs(unsigned load, int64_t now_ns)
{
	model->loads[load].state = LOAD_RUN;
	model->loads[load].start_ns = now_ns;
}

static void gone(unsigned load)
{
	model->loads[load].state = LOAD_OFF;
}

static void fails(unsigned load, const char *why)
{
	model->loads[load].state = LOAD_FAILED;
	snprintf(model->loads[load].why, sizeof(model->loads[load].why), "%s", why);
}

static void work(unsigned load, unsigned line, uint64_t bytes, uint64_t passes, uint64_t cpu_ns)
{
	struct load_line *l = &counters->slot[load].lines[line];

	atomic_fetch_add(&l->bytes, bytes);
	atomic_fetch_add(&l->passes, passes);
	atomic_fetch_add(&l->cpu_ns, cpu_ns);
}

static const struct order churn = { .what = CMD_LOAD_START, .arg = CHURN, .workers = 2 };
static const struct order churn4 = { .what = CMD_LOAD_START, .arg = CHURN, .workers = 4 };
static const struct order job = { .what = CMD_LOAD_START, .arg = JOB, .workers = 1 };

static struct step steps[8];
static struct script *script;
static const struct step_result *result;

static void make(unsigned n)
{
	script = script_new(NULL, steps, n, NULL, NULL);
	ck_assert_ptr_nonnull(script);
	result = script_results(script);
}

static void setup(void)
{
	struct model_spec spec = { .groups = 1, .series = 1, .loads = LOADS, .digits = 3,
				   .start_ns = S };

	model = model_new(&spec);
	counters = counters_new(LOADS);
	ck_assert_ptr_nonnull(model);
	ck_assert_ptr_nonnull(counters);
	model->groups[0].nr = 1;
	model->groups[0].on = true;
	snprintf(model->groups[0].name, sizeof(model->groups[0].name), "wakeup");
	memset(steps, 0, sizeof(steps));
	nr_orders = 0;
	ending = deaf = false;
	for (unsigned i = 0; i < 8; i++) {
		snprintf(steps[i].name, sizeof(steps[i].name), "s%u", i);
		snprintf(steps[i].pick[0], sizeof(steps[i].pick[0]), "%s", i % 2 ? "odd" : "even");
		snprintf(steps[i].pick[1], sizeof(steps[i].pick[1]), "%s", i < 4 ? "low ones" : "high");
		steps[i].hold_ns = 10 * S;
		steps[i].guess_ns = 10 * S;
	}
}

static void teardown(void)
{
	script_free(script);
	model_free(model);
	counters_free(counters);
}

/* ---- a load beside, for a time ---- */

START_TEST(a_step_counts_from_run_to_the_end_of_its_time)
{
	steps[0].back = churn;
	make(1);
	ck_assert_int_gt(script_turn(script, T), 0);
	ck_assert_uint_eq(nr_orders, 1);
	ck_assert_uint_eq(orders[0].workers, 2);
	work(CHURN, 0, 1000, 0, 0);	/* before it runs: not counted */
	runs(CHURN, T + 3 * S);
	script_turn(script, T + 3 * S);
	work(CHURN, 0, 500, 2, 70);
	work(CHURN, 1, 300, 1, 30);
	ck_assert_int_gt(script_turn(script, T + 13 * S - 1), 0);
	ck_assert_int_eq(result[0].outcome, STEP_RUNNING);
	script_turn(script, T + 13 * S);
	ck_assert_int_eq(result[0].outcome, STEP_DONE);
	ck_assert_int_eq(result[0].to_ns - result[0].from_ns, 10 * S);
	ck_assert_uint_eq(result[0].back.bytes, 800);
	ck_assert_uint_eq(result[0].back.passes, 3);
	ck_assert_uint_eq(result[0].back.cpu_ns, 100);
	ck_assert_uint_eq(result[0].workers, 2);
	/* Nothing is left to do only when the load is gone. */
	ck_assert_int_eq(orders[1].what, CMD_LOAD_STOP);
	ck_assert_int_gt(script_turn(script, T + 14 * S), 0);
	gone(CHURN);
	ck_assert_int_eq(script_turn(script, T + 15 * S), 0);
}
END_TEST

START_TEST(whole_passes_are_waited_for_but_not_for_ever)
{
	steps[0].back = churn;
	steps[0].whole_passes = true;
	steps[0].most_ns = 60 * S;
	steps[1] = steps[0];
	make(2);
	script_turn(script, T);
	runs(CHURN, T);
	script_turn(script, T);
	work(CHURN, 0, 1, 5, 0);
	script_turn(script, T + 30 * S);
	ck_assert_int_eq(result[0].outcome, STEP_RUNNING);
	work(CHURN, 1, 1, 1, 0);
	script_turn(script, T + 31 * S);
	ck_assert_int_eq(result[0].outcome, STEP_DONE);
	gone(CHURN);
	script_turn(script, T + 40 * S);
	runs(CHURN, T + 40 * S);
	script_turn(script, T + 40 * S);
	work(CHURN, 0, 7, 0, 0);
	script_turn(script, T + 100 * S);
	ck_assert_int_eq(result[1].outcome, STEP_CUT);
	ck_assert_uint_eq(result[1].back.bytes, 7);
	ck_assert_str_ne(result[1].why, "");
}
END_TEST

START_TEST(latency_is_that_of_the_step_alone)
{
	make(2);
	hist_record(model->series[0].total, 500000);
	script_turn(script, T);
	for (int i = 0; i < 100; i++)
		hist_record(model->series[0].total, 1000);
	script_turn(script, T + 10 * S);
	ck_assert_uint_eq(result[0].latency[0].count, 100);
	ck_assert_int_eq(result[0].latency[0].max_ns, 1000);
	ck_assert_int_eq(result[0].latency[0].p50_ns, 1000);
	ck_assert_str_eq(result[0].latency[0].name, "wakeup");
	hist_record(model->series[0].total, 2000);
	script_turn(script, T + 20 * S);
	ck_assert_uint_eq(result[1].latency[0].count, 1);
	ck_assert_int_eq(result[1].latency[0].max_ns, hist_slot_highest(model->series[0].total,
		hist_slot(model->series[0].total, 2000)));
}
END_TEST

START_TEST(a_call_in_flight_is_part_of_the_maximum)
{
	make(1);
	script_turn(script, T);
	hist_record(model->series[0].total, 1000);
	model->series[0].in_flight_ns = 3 * S;
	script_turn(script, T + 10 * S);
	ck_assert_int_eq(result[0].latency[0].max_ns, 3 * S);
}
END_TEST

/* ---- from step to step ---- */

START_TEST(each_step_starts_its_load_anew_unless_it_keeps_it)
{
	for (unsigned i = 0; i < 3; i++)
		steps[i].back = churn;
	steps[2].keeps = true;
	make(3);
	script_turn(script, T);
	runs(CHURN, T);
	script_turn(script, T);
	script_turn(script, T + 10 * S);
	ck_assert_uint_eq(nr_orders, 2);
	ck_assert_int_eq(orders[1].what, CMD_LOAD_STOP);
	gone(CHURN);
	script_turn(script, T + 11 * S);
	ck_assert_uint_eq(nr_orders, 3);
	runs(CHURN, T + 11 * S);
	script_turn(script, T + 11 * S);
	work(CHURN, 0, 100, 0, 0);
	script_turn(script, T + 21 * S);
	work(CHURN, 0, 40, 0, 0);
	script_turn(script, T + 31 * S);
	ck_assert_int_eq(result[2].outcome, STEP_DONE);
	ck_assert_uint_eq(nr_orders, 4);	/* only the last stop came on top */
	ck_assert_uint_eq(result[1].back.bytes, 100);
	ck_assert_uint_eq(result[2].back.bytes, 40);
}
END_TEST

START_TEST(another_load_is_waited_out_before_the_next_one_starts)
{
	steps[0].back = churn;
	steps[1].back = churn4;
	steps[1].keeps = true;	/* other workers: not the same load */
	make(2);
	script_turn(script, T);
	runs(CHURN, T);
	script_turn(script, T);
	script_turn(script, T + 10 * S);
	ck_assert_uint_eq(nr_orders, 2);
	script_turn(script, T + 11 * S);
	ck_assert_uint_eq(nr_orders, 2);
	gone(CHURN);
	script_turn(script, T + 12 * S);
	ck_assert_uint_eq(orders[2].workers, 4);
}
END_TEST

START_TEST(a_load_that_is_refused_skips_its_step_with_the_reason)
{
	steps[0].back = churn;
	steps[1].back = churn4;
	make(2);
	script_turn(script, T);
	fails(CHURN, "needs 3 GB of disk, budget 2 GB");
	script_turn(script, T + S);
	ck_assert_int_eq(result[0].outcome, STEP_SKIPPED);
	ck_assert_str_eq(result[0].why, "needs 3 GB of disk, budget 2 GB");
	ck_assert_int_eq(result[1].outcome, STEP_RUNNING);
}
END_TEST

START_TEST(without_a_supervisor_every_step_says_why)
{
	steps[0].back = churn;
	steps[1].job = job;
	deaf = true;
	model_status(model, true, "loads are off");
	make(2);
	ck_assert_int_eq(script_turn(script, T), 0);
	for (unsigned i = 0; i < 2; i++) {
		ck_assert_int_eq(result[i].outcome, STEP_SKIPPED);
		ck_assert_str_eq(result[i].why, "loads are off");
	}
}
END_TEST

START_TEST(a_load_that_dies_cuts_its_step_and_the_next_goes_on)
{
	steps[0].back = churn;
	make(2);
	script_turn(script, T);
	runs(CHURN, T);
	script_turn(script, T);
	work(CHURN, 0, 55, 0, 0);
	fails(CHURN, "disk full, stopped");
	script_turn(script, T + 4 * S);
	ck_assert_int_eq(result[0].outcome, STEP_CUT);
	ck_assert_str_eq(result[0].why, "disk full, stopped");
	ck_assert_uint_eq(result[0].back.bytes, 55);
	ck_assert_int_eq(result[0].to_ns - result[0].from_ns, 4 * S);
	ck_assert_int_eq(result[1].outcome, STEP_RUNNING);
}
END_TEST

START_TEST(a_step_that_cannot_be_done_here_is_passed_over)
{
	snprintf(steps[0].skip, sizeof(steps[0].skip), "no second scratch");
	steps[0].back = churn;
	make(2);
	script_turn(script, T);
	ck_assert_uint_eq(nr_orders, 0);
	ck_assert_int_eq(result[0].outcome, STEP_SKIPPED);
	ck_assert_int_eq(result[1].outcome, STEP_RUNNING);
}
END_TEST

/* ---- jobs ---- */

static void job_published(double a, double b)
{
	struct load_worker w = { .result = &counters->slot[JOB].result };
	const double figure[] = { a, b };

	load_publish(&w, figure, 2, "it says");
}

START_TEST(a_job_is_measured_until_its_work_ends_not_until_it_has_tidied_up)
{
	steps[0].back = churn;
	steps[0].job = job;
	steps[0].hold_ns = 0;
	make(1);
	script_turn(script, T);
	ck_assert_uint_eq(nr_orders, 1);	/* the job waits for the load */
	runs(CHURN, T + S);
	script_turn(script, T + S);
	ck_assert_uint_eq(orders[1].arg, JOB);
	work(CHURN, 0, 11, 1, 0);	/* while the job prepares */
	runs(JOB, T + 5 * S);
	script_turn(script, T + 5 * S);
	work(CHURN, 0, 22, 2, 0);
	script_turn(script, T + 6 * S);
	ck_assert_int_eq(result[0].outcome, STEP_RUNNING);
	job_published(12.5, 97);
	atomic_store(&counters->slot[JOB].ended_ns, T + 9 * S);
	script_turn(script, T + 9 * S);
	work(CHURN, 0, 33, 3, 0);	/* while it tidies up */
	ck_assert_int_eq(result[0].outcome, STEP_RUNNING);
	model->loads[JOB].stop_ns = T + 9 * S;
	model->loads[JOB].cpu_ns = 42;
	gone(JOB);
	script_turn(script, T + 12 * S);
	ck_assert_int_eq(result[0].outcome, STEP_DONE);
	ck_assert_uint_eq(result[0].back.bytes, 22);
	ck_assert_uint_eq(result[0].back.passes, 2);
	ck_assert_int_eq(result[0].job_ran_ns, 4 * S);
	ck_assert_uint_eq(result[0].job_cpu_ns, 42);
	ck_assert_uint_eq(result[0].figures, 2);
	ck_assert_double_eq(result[0].figure[1], 97);
	ck_assert_str_eq(result[0].text, "it says");
}
END_TEST

START_TEST(a_job_that_is_cut_keeps_what_it_has_published)
{
	steps[0].job = job;
	make(1);
	script_turn(script, T);
	runs(JOB, T);
	script_turn(script, T);
	job_published(7, 8);
	script_cut(script, T + S);
	ck_assert_int_eq(result[0].outcome, STEP_CUT);
	ck_assert_uint_eq(result[0].figures, 2);
	ck_assert_double_eq(result[0].figure[0], 7);
}
END_TEST

static void work_done(void)
{
	steps[0].job = job;
	make(2);
	script_turn(script, T);
	runs(JOB, T);
	script_turn(script, T);
	job_published(7, 8);
	atomic_store(&counters->slot[JOB].ended_ns, T + S);
	script_turn(script, T + S);
	script_cut(script, T + 2 * S);
	ck_assert_int_eq(result[0].outcome, STEP_RUNNING);
	ck_assert_int_eq(result[1].outcome, STEP_SKIPPED);
}

START_TEST(a_job_cut_while_it_tidies_up_is_whole)
{
	work_done();
	gone(JOB);
	script_cut(script, T + 3 * S);
	ck_assert_int_eq(result[0].outcome, STEP_DONE);
	ck_assert_uint_eq(result[0].figures, 2);
	ck_assert_int_eq(script_turn(script, T + 4 * S), 0);
}
END_TEST

START_TEST(tidying_up_is_awaited_no_longer_than_the_run)
{
	work_done();
	script_close(script, T + 3 * S);
	ck_assert_int_eq(result[0].outcome, STEP_CUT);
	ck_assert_int_eq(script_turn(script, T + 4 * S), 0);
}
END_TEST

START_TEST(a_job_that_fails_fails_its_step)
{
	steps[0].job = job;
	make(2);
	script_turn(script, T);
	runs(JOB, T);
	script_turn(script, T);
	fails(JOB, "a unit was killed");
	script_turn(script, T + S);
	ck_assert_int_eq(result[0].outcome, STEP_FAILED);
	ck_assert_str_eq(result[0].why, "a unit was killed");
	ck_assert_int_eq(result[1].outcome, STEP_RUNNING);
}
END_TEST

START_TEST(a_job_dies_with_the_load_beside_it)
{
	steps[0].back = churn;
	steps[0].job = job;
	make(1);
	script_turn(script, T);
	runs(CHURN, T);
	script_turn(script, T);
	runs(JOB, T);
	script_turn(script, T);
	fails(CHURN, "out of memory");
	script_turn(script, T + S);
	ck_assert_int_eq(orders[nr_orders - 1].what, CMD_LOAD_STOP);
	ck_assert_uint_eq(orders[nr_orders - 1].arg, JOB);
	ck_assert_int_gt(script_turn(script, T + 2 * S), 0);
	gone(JOB);
	ck_assert_int_eq(script_turn(script, T + 3 * S), 0);
	ck_assert_int_eq(result[0].outcome, STEP_CUT);
}
END_TEST

/* ---- a job of the suite's own ---- */

static int own_answer;
static bool own_busy;
static unsigned own_started, own_stopped;

static int own_start(void *ctx, const struct step *step, struct why *why)
{
	(void)ctx;
	if (step->kernel == 99)
		return why_set(why, -ENOENT, "no such kernel");
	own_started = step->kernel;
	own_busy = true;
	return 0;
}

static int own_look(void *ctx, struct step_result *r, struct why *why)
{
	(void)ctx;
	if (own_answer < 0)
		return why_set(why, own_answer, "it broke");
	if (own_answer)
		r->figure[r->figures++] = 3.5;
	return own_answer;
}

static void own_stop(void *ctx)
{
	(void)ctx;
	own_stopped++;
}

static bool own_is_busy(void *ctx)
{
	(void)ctx;
	return own_busy;
}

static const struct own_job own = { .start = own_start, .look = own_look, .stop = own_stop,
				    .busy = own_is_busy };

START_TEST(own_jobs_follow_one_another_when_the_last_has_gone)
{
	steps[0].own = steps[1].own = steps[2].own = true;
	steps[0].kernel = 7;
	steps[1].kernel = 8;
	steps[2].kernel = 99;
	own_answer = 0;
	own_busy = false;
	script = script_new(NULL, steps, 3, &own, NULL);
	result = script_results(script);
	script_turn(script, T);
	ck_assert_uint_eq(own_started, 7);
	own_answer = 1;
	script_turn(script, T + S);
	ck_assert_int_eq(result[0].outcome, STEP_DONE);
	ck_assert_double_eq(result[0].figure[0], 3.5);
	ck_assert_uint_eq(own_started, 7);
	own_busy = false;
	own_answer = 0;
	script_turn(script, T + 2 * S);
	ck_assert_uint_eq(own_started, 8);
	own_answer = -EIO;
	own_busy = false;
	ck_assert_int_eq(script_turn(script, T + 3 * S), 0);
	ck_assert_int_eq(result[1].outcome, STEP_FAILED);
	ck_assert_str_eq(result[1].why, "it broke");
	ck_assert_str_eq(result[2].why, "no such kernel");
}
END_TEST

/* ---- ends ---- */

START_TEST(an_interrupt_keeps_what_the_step_has)
{
	steps[0].back = churn;
	make(3);
	script_turn(script, T);
	runs(CHURN, T);
	script_turn(script, T);
	work(CHURN, 0, 9, 0, 0);
	script_cut(script, T + 2 * S);
	ck_assert_int_eq(result[0].outcome, STEP_CUT);
	ck_assert_uint_eq(result[0].back.bytes, 9);
	for (unsigned i = 1; i < 3; i++) {
		ck_assert_int_eq(result[i].outcome, STEP_SKIPPED);
		ck_assert_str_eq(result[i].why, "interrupted");
	}
	ck_assert_int_eq(script_turn(script, T + 3 * S), 0);
	script_cut(script, T + 4 * S);	/* once more: nothing changes */
	ck_assert_int_eq(result[0].to_ns, T + 2 * S);
}
END_TEST

START_TEST(nothing_starts_when_the_run_is_ending)
{
	steps[1].back = churn;
	make(2);
	script_turn(script, T);
	ending = true;
	script_turn(script, T + 10 * S);
	ck_assert_uint_eq(nr_orders, 0);
	ck_assert_int_eq(result[1].outcome, STEP_WAITING);
}
END_TEST

static const struct { const char *list; int err; unsigned asked; } lists[] = {
	{ NULL, 0, 8 }, { "s3", 0, 1 }, { "odd", 0, 4 }, { "s3,odd", 0, 4 }, { "s0,odd", 0, 5 },
	{ "s1, s2", 0, 2 }, { "nosuch", -EINVAL, 0 }, { "s1,nosuch", -EINVAL, 0 }, { "", -EINVAL, 0 },
	{ "s", -EINVAL, 0 }, { ",", -EINVAL, 0 }, { " low ones ,s7", 0, 5 }, { "low", -EINVAL, 0 },
};

START_TEST(steps_are_chosen_by_name_or_by_what_they_share)
{
	struct why why = { 0, "" };

	make(8);
	ck_assert_int_eq(script_choose(script, lists[_i].list, &why), lists[_i].err);
	if (!lists[_i].err)
		ck_assert_uint_eq(script_nr_asked(script), lists[_i].asked);
	else
		ck_assert_ptr_nonnull(strstr(why.text, "low ones, high"));
}
END_TEST

START_TEST(the_time_left_follows_what_steps_really_take)
{
	make(4);
	ck_assert_int_eq(script_left_ns(script, T), 40 * S);
	script_turn(script, T);
	ck_assert_int_eq(script_left_ns(script, T + 4 * S), 36 * S);
	ck_assert_int_eq(script_percent(script, T + 4 * S), 10);
	steps[0].hold_ns = 20 * S;
	script_turn(script, T + 20 * S);	/* took twice as long: so will the rest */
	ck_assert_uint_eq(script_nr_over(script), 1);
	ck_assert_int_eq(script_left_ns(script, T + 20 * S), 60 * S);
	ck_assert_int_eq(script_percent(script, T + 20 * S), 25);
}
END_TEST

START_TEST(progress_names_step_and_loads)
{
	char text[120];

	steps[0].back = churn;
	make(2);
	script_turn(script, T);
	model->loads[CHURN].progress_pct = 40;
	snprintf(model->loads[CHURN].name, sizeof(model->loads[CHURN].name), "churn");
	script_progress(script, T, text, sizeof(text));
	ck_assert_str_eq(text, "1/2 s0: churn x2 preparing 40 %");
	runs(CHURN, T);
	script_turn(script, T);
	script_progress(script, T + 3 * S, text, sizeof(text));
	ck_assert_str_eq(text, "1/2 s0: churn x2 3 s");
}
END_TEST

Suite *script_suite(void);
Suite *script_suite(void)
{
	Suite *s = suite_create("script");
	TCase *tc = tcase_create("steps");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, a_step_counts_from_run_to_the_end_of_its_time);
	tcase_add_test(tc, whole_passes_are_waited_for_but_not_for_ever);
	tcase_add_test(tc, latency_is_that_of_the_step_alone);
	tcase_add_test(tc, a_call_in_flight_is_part_of_the_maximum);
	tcase_add_test(tc, each_step_starts_its_load_anew_unless_it_keeps_it);
	tcase_add_test(tc, another_load_is_waited_out_before_the_next_one_starts);
	tcase_add_test(tc, a_load_that_is_refused_skips_its_step_with_the_reason);
	tcase_add_test(tc, without_a_supervisor_every_step_says_why);
	tcase_add_test(tc, a_load_that_dies_cuts_its_step_and_the_next_goes_on);
	tcase_add_test(tc, a_step_that_cannot_be_done_here_is_passed_over);
	tcase_add_test(tc, a_job_is_measured_until_its_work_ends_not_until_it_has_tidied_up);
	tcase_add_test(tc, a_job_that_is_cut_keeps_what_it_has_published);
	tcase_add_test(tc, a_job_cut_while_it_tidies_up_is_whole);
	tcase_add_test(tc, tidying_up_is_awaited_no_longer_than_the_run);
	tcase_add_test(tc, a_job_that_fails_fails_its_step);
	tcase_add_test(tc, a_job_dies_with_the_load_beside_it);
	tcase_add_test(tc, own_jobs_follow_one_another_when_the_last_has_gone);
	tcase_add_test(tc, an_interrupt_keeps_what_the_step_has);
	tcase_add_test(tc, nothing_starts_when_the_run_is_ending);
	tcase_add_loop_test(tc, steps_are_chosen_by_name_or_by_what_they_share, 0,
			    sizeof(lists) / sizeof(lists[0]));
	tcase_add_test(tc, the_time_left_follows_what_steps_really_take);
	tcase_add_test(tc, progress_names_step_and_loads);
	suite_add_tcase(s, tc);
	return s;
}
