/*
 * check_loadlog.c - what a load did: rates over real time, runs, marks, and no
 * success without work.
 */
#include <check.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "src/loadlog.h"

#define S NS_PER_S
#define TICK (S / 4)
#define ZERO (100 * S)

static struct model *m;
static struct counters *counters;
static struct loadlog *l;
static struct load_view *v;
static struct load_line *line;

static void set_up(void)
{
	const struct model_spec spec = { .loads = 2, .digits = 3, .start_ns = ZERO };

	m = model_new(&spec);
	model_zero(m, ZERO);
	m->seed = 99;
	counters = counters_new(2);
	l = loadlog_new(m, counters);
	v = &m->loads[1];
	snprintf(v->name, sizeof(v->name), "churn");
	v->figure = LOAD_BYTES;
	v->state = LOAD_STARTING;
	v->workers = 8;
	v->knob[0] = 3;
	line = &counters->slot[1].lines[0];
}

static void tear_down(void)
{
	loadlog_free(l);
	counters_free(counters);
	model_free(m);
}

static void tell(enum supervisor_event_kind kind, int64_t now, int err, int sig, const char *text)
{
	struct supervisor_event e = { .kind = kind, .load = 1, .err = err, .signal = sig };

	snprintf(e.text, sizeof(e.text), "%s", text);
	loadlog_event(l, &e, now);
}

static void work(uint64_t bytes, uint64_t cpu_ns)
{
	atomic_fetch_add(&line->bytes, bytes);
	atomic_fetch_add(&line->ops, 1);
	atomic_fetch_add(&line->cpu_ns, cpu_ns);
}

/* n ticks, each of so many bytes. */
static int64_t run(int64_t now, int n, uint64_t bytes)
{
	for (int i = 0; i < n; i++) {
		now += TICK;
		work(bytes, TICK / 2);
		loadlog_tick(l, now);
	}
	return now;
}

START_TEST(preparation_is_progress_and_never_counted)
{
	atomic_store(&counters->slot[1].progress, 40);
	work(50000000, S);
	loadlog_tick(l, ZERO + TICK);
	ck_assert_int_eq(v->progress_pct, 40);
	atomic_store(&counters->slot[1].progress, -7000);
	loadlog_tick(l, ZERO + 2 * TICK);
	ck_assert_int_eq(v->progress_pct, 0);
	tell(SUP_RUNNING, ZERO + S, 0, 0, "");
	run(ZERO + S, 4, 1000000);
	ck_assert_double_eq(v->done, 4);
	ck_assert_double_eq(v->rate_mean, 4);
}
END_TEST

START_TEST(rates_are_over_real_time_and_the_first_interval_is_dropped)
{
	tell(SUP_RUNNING, ZERO, 0, 0, "");
	ck_assert_int_eq(v->state, LOAD_RUN);
	ck_assert_double_lt(v->rate, 0);
	run(ZERO, 1, 77000000);
	ck_assert_double_lt(v->rate, 0);
	/* A tick that is late: the same work over twice the time. */
	work(1000000, S / 2);
	loadlog_tick(l, ZERO + TICK + S / 2);
	ck_assert_double_eq_tol(v->rate, 2, 1e-9);
	ck_assert_double_eq_tol(v->cpu_pct, 100, 1e-9);
	work(1000000, 0);
	loadlog_tick(l, ZERO + TICK + S / 2 + TICK);
	ck_assert_double_eq_tol(v->rate, 4, 1e-9);
	loadlog_gap(l);
	work(999000000, 0);
	loadlog_tick(l, ZERO + 2 * S);
	ck_assert_double_eq_tol(v->rate, 4, 1e-9);
}
END_TEST

START_TEST(ticks_may_come_as_often_as_they_like)
{
	tell(SUP_RUNNING, ZERO, 0, 0, "");
	uint64_t before = atomic_load(&counters->tick);

	for (int i = 1; i <= 1000; i++)
		loadlog_tick(l, ZERO + i * NS_PER_MS);
	ck_assert_uint_ge(atomic_load(&counters->tick) - before, 3);
	ck_assert_uint_le(atomic_load(&counters->tick) - before, 5);
}
END_TEST

START_TEST(the_load_row_shows_work_where_it_was_done)
{
	double done, sum = 0;

	tell(SUP_RUNNING, ZERO + S, 0, 0, "");
	int64_t now = run(ZERO + S, 8, 1000000);

	ck_assert(load_history_span(m->load_history[1], ZERO + S, ZERO + 2 * S, &done));
	ck_assert_double_eq_tol(done, 4, 1e-9);
	ck_assert(!load_history_span(m->load_history[1], ZERO, ZERO + S, &done));
	/* Main is held up for 10 s: the work lies evenly over them. */
	work(40000000, 0);
	loadlog_tick(l, now + 10 * S);
	for (int i = 0; i < 10; i++) {
		ck_assert(load_history_span(m->load_history[1], now + i * S, now + (i + 1) * S,
					    &done));
		ck_assert_double_eq_tol(done, 4, 1e-6);
		sum += done;
	}
	ck_assert_double_eq_tol(sum, 40, 1e-6);
}
END_TEST

START_TEST(two_seconds_without_work_are_no_progress)
{
	tell(SUP_RUNNING, ZERO, 0, 0, "");
	int64_t now = run(ZERO, 4, 1000);

	now = run(now, 7, 0);
	ck_assert(!v->no_progress);
	now = run(now, 1, 0);
	ck_assert(v->no_progress);
	run(now, 1, 1000);
	ck_assert(!v->no_progress);
}
END_TEST

START_TEST(tidying_up_is_not_time_of_the_run)
{
	tell(SUP_RUNNING, ZERO, 0, 0, "");
	int64_t now = run(ZERO, 8, 1000000);

	v->state = LOAD_STOPPING;
	work(2000000, 0);
	atomic_store(&counters->slot[1].ended_ns, now + S / 2);
	loadlog_tick(l, now + S);
	loadlog_tick(l, now + 2 * S);
	tell(SUP_EXITED, now + 9 * S, 0, 0, "");
	ck_assert_int_eq(v->stop_ns, now + S / 2);
	ck_assert_int_eq(m->runs[0].stop_ns, now + S / 2);
	ck_assert_double_eq_tol(m->runs[0].rate, 10 / 2.5, 1e-9);
}
END_TEST

START_TEST(a_stop_that_was_asked_for_ends_stopped)
{
	tell(SUP_RUNNING, ZERO, 0, 0, "");
	int64_t now = run(ZERO, 8, 1000000);

	v->state = LOAD_STOPPING;
	work(2000000, 0);
	tell(SUP_EXITED, now + S / 10, 0, 15, "killed");
	ck_assert_int_eq(v->state, LOAD_OFF);
	ck_assert_uint_eq(m->nr_runs, 1);
	const struct load_run *r = &m->runs[0];

	ck_assert_str_eq(r->end, "stopped");
	ck_assert_uint_eq(r->load, 1);
	ck_assert_uint_eq(r->workers, 8);
	ck_assert_uint_eq(r->seed, 99);
	ck_assert_int_eq(r->knob[0], 3);
	ck_assert_int_eq(r->start_ns, ZERO);
	ck_assert_int_eq(r->stop_ns, now + S / 10);
	ck_assert_double_eq(r->done, 10);
	ck_assert_double_gt(r->cpu_pct, 40);
	ck_assert_uint_eq(m->nr_events, 2);
	ck_assert_str_eq(m->events[0].kind, "load-start");
	ck_assert_str_eq(m->events[0].text, "churn 8");
	ck_assert_str_eq(m->events[1].kind, "load-stop");
	ck_assert_int_eq(m->events[1].t_ns, now + S / 10);
}
END_TEST

/* The view has the number that is wanted next; what starts, runs and stops has
 * its own. */
START_TEST(other_workers_are_not_of_the_run_that_ends)
{
	v->run_workers = 2;
	v->workers = 4;
	tell(SUP_RUNNING, ZERO, 0, 0, "");
	int64_t now = run(ZERO, 8, 1000000);

	v->state = LOAD_STOPPING;
	tell(SUP_EXITED, now, 0, 15, "killed");
	ck_assert_uint_eq(m->runs[0].workers, 2);
	ck_assert_str_eq(m->events[0].text, "churn 2");
	ck_assert_str_eq(m->events[1].kind, "load-stop");
	ck_assert_str_eq(m->events[1].text, "churn 2");
	ck_assert_uint_eq(v->workers, 4);
}
END_TEST

START_TEST(a_load_that_ends_by_itself_finished)
{
	tell(SUP_RUNNING, ZERO, 0, 0, "");
	int64_t now = run(ZERO, 8, 1000000);

	tell(SUP_EXITED, now, 0, 0, "");
	ck_assert_str_eq(m->runs[0].end, "finished");
	ck_assert_int_eq(v->state, LOAD_OFF);
}
END_TEST

static const struct { int err, sig; const char *text, *slot, *want; } deaths[] = {
	{ 0, 11, "", "", "killed by signal 11" },
	{ 3, 0, "", "", "exit code 3" },
	{ 1, 0, "", "write: disk full, stopped", "write: disk full, stopped" },
	{ 1, 0, "clone: EAGAIN", "other", "clone: EAGAIN" },
	{ 0, 9, "a\033b", "", "a?b" },
};

START_TEST(a_death_says_why)
{
	tell(SUP_RUNNING, ZERO, 0, 0, "");
	int64_t now = run(ZERO, 4, 1000);

	snprintf(counters->slot[1].why, sizeof(counters->slot[1].why), "%s", deaths[_i].slot);
	tell(SUP_EXITED, now, deaths[_i].err, deaths[_i].sig, deaths[_i].text);
	ck_assert_int_eq(v->state, LOAD_FAILED);
	ck_assert_str_eq(v->why, deaths[_i].want);
	ck_assert_str_eq(m->runs[0].end, "failed");
	ck_assert_str_eq(m->runs[0].why, deaths[_i].want);
	ck_assert_str_eq(m->events[m->nr_events - 1].kind, "load-fail");
}
END_TEST

/* F19: a run without work is not green. */
START_TEST(no_work_is_no_success)
{
	tell(SUP_RUNNING, ZERO, 0, 0, "");
	tell(SUP_EXITED, ZERO + S, 0, 0, "");
	ck_assert_int_eq(v->state, LOAD_FAILED);
	ck_assert_str_eq(m->runs[0].end, "failed");
}
END_TEST

START_TEST(a_refusal_never_ran)
{
	tell(SUP_REFUSED, ZERO, 12, 0, "memory: 3 MB left; stop something");
	ck_assert_int_eq(v->state, LOAD_FAILED);
	ck_assert_str_eq(v->why, "memory: 3 MB left; stop something");
	/* It never ran; whoever reads the file is told all the same. */
	ck_assert_uint_eq(m->nr_runs, 1);
	ck_assert_str_eq(m->runs[0].end, "failed");
	ck_assert_str_eq(m->runs[0].why, "memory: 3 MB left; stop something");
	ck_assert_double_eq(m->runs[0].done, 0);
}
END_TEST

/* Its key was pressed twice; the second run has none of the figures of the first. */
START_TEST(a_stop_before_it_was_ready_is_in_the_file)
{
	tell(SUP_RUNNING, ZERO, 0, 0, "");
	int64_t now = run(ZERO, 8, 1000000);

	v->state = LOAD_STOPPING;
	tell(SUP_EXITED, now, 0, 0, "");
	ck_assert_double_gt(m->runs[0].rate, 0);
	v->start_ns = v->stop_ns = 0;	/* as a start does */
	v->state = LOAD_STOPPING;
	tell(SUP_EXITED, now + S, 0, 0, "");
	ck_assert_int_eq(v->state, LOAD_OFF);
	ck_assert_uint_eq(m->nr_runs, 2);
	ck_assert_str_eq(m->runs[1].end, "stopped");
	ck_assert_str_eq(m->runs[1].why, "it was not ready yet");
	ck_assert_double_eq(m->runs[1].rate, 0);
	ck_assert_double_eq(m->runs[1].cpu_pct, 0);
}
END_TEST

START_TEST(a_lost_supervisor_ends_all_loads)
{
	struct supervisor_event e = { .kind = SUP_LOST, .load = 12345 };

	tell(SUP_RUNNING, ZERO, 0, 0, "");
	run(ZERO, 4, 1000);
	loadlog_event(l, &e, ZERO + 2 * S);
	ck_assert_int_eq(v->state, LOAD_FAILED);
	ck_assert_str_eq(v->why, "stopped: supervisor died");
	ck_assert_int_eq(m->loads[0].state, LOAD_OFF);
	e = (struct supervisor_event){ .kind = SUP_RUNNING, .load = 12345 };
	loadlog_event(l, &e, ZERO + 3 * S);
}
END_TEST

START_TEST(the_second_run_counts_from_zero)
{
	char names[16];

	tell(SUP_RUNNING, ZERO, 0, 0, "");
	run(ZERO, 8, 5000000);
	v->state = LOAD_STOPPING;
	tell(SUP_EXITED, ZERO + 3 * S, 0, 0, "");
	counters_clear(&counters->slot[1]);
	v->state = LOAD_STARTING;
	v->start_ns = v->stop_ns = 0;
	tell(SUP_RUNNING, ZERO + 10 * S, 0, 0, "");
	run(ZERO + 10 * S, 4, 1000000);
	ck_assert_double_eq(v->done, 4);
	ck_assert_uint_eq(v->runs, 2);
	ck_assert_uint_eq(m->nr_runs, 2);
	ck_assert_double_eq(m->runs[0].done, 40);
	loadlog_names(l, ZERO + 10 * S, ZERO + 11 * S, names, sizeof(names));
	ck_assert_str_eq(names, "churn");
	loadlog_names(l, ZERO + 5 * S, ZERO + 6 * S, names, sizeof(names));
	ck_assert_str_eq(names, "");
}
END_TEST

START_TEST(a_load_without_processes_has_stopped)
{
	int64_t now;

	tell(SUP_RUNNING, ZERO, 0, 0, "");
	now = run(ZERO, 8, 1000000);
	loadlog_finish(l, now);
	ck_assert_int_eq(v->state, LOAD_RUN);	/* nobody told it to stop */
	ck_assert_str_eq(m->runs[0].end, "");
	v->state = LOAD_STOPPING;
	atomic_store(&counters->slot[1].ended_ns, now + S / 2);
	loadlog_finish(l, now + S);
	ck_assert_int_eq(v->state, LOAD_OFF);
	ck_assert_str_eq(m->runs[0].end, "stopped");
	ck_assert_int_eq(m->runs[0].stop_ns, now + S / 2);
	ck_assert_double_eq(m->runs[0].done, 8);
	tell(SUP_EXITED, now + 2 * S, 0, 0, "");	/* no news any more */
	ck_assert_int_eq(m->runs[0].stop_ns, now + S / 2);
}
END_TEST

START_TEST(many_runs_keep_the_newest)
{
	for (int i = 0; i < MODEL_RUNS + 5; i++) {
		v->state = LOAD_STARTING;
		tell(SUP_RUNNING, ZERO + i * S, 0, 0, "");
		v->state = LOAD_STOPPING;
		tell(SUP_EXITED, ZERO + i * S + 1, 0, 0, "");
	}
	ck_assert_uint_eq(m->nr_runs, MODEL_RUNS);
	ck_assert_int_eq(m->runs[0].start_ns, ZERO + 5 * S);
	ck_assert_int_eq(m->runs[MODEL_RUNS - 1].stop_ns, ZERO + (MODEL_RUNS + 4) * S + 1);
}
END_TEST

/* The other load comes and goes more often than there is room for. */
START_TEST(a_run_that_goes_on_outlives_newer_ones)
{
	const int64_t later = ZERO + 2 * S;

	tell(SUP_RUNNING, ZERO, 0, 0, "");
	run(ZERO, 4, 2000000);
	for (int i = 0; i < 2 * MODEL_RUNS; i++) {
		struct supervisor_event e = { .kind = SUP_RUNNING, .load = 0 };

		m->loads[0].state = LOAD_STARTING;
		loadlog_event(l, &e, later + 2 * i);
		m->loads[0].state = LOAD_STOPPING;
		e.kind = SUP_EXITED;
		loadlog_event(l, &e, later + 2 * i + 1);
		ck_assert_uint_eq(m->runs[0].load, 1);
	}
	int64_t now = run(later + S, 4, 2000000);

	ck_assert_double_eq_tol(v->done, 16, 1e-9);
	ck_assert_double_eq_tol(v->rate, 8, 1e-9);
	v->state = LOAD_STOPPING;
	tell(SUP_EXITED, now, 0, 0, "");
	ck_assert_uint_eq(m->nr_runs, MODEL_RUNS);
	ck_assert_uint_eq(m->lost_runs, MODEL_RUNS + 1);
	ck_assert_int_eq(m->runs[0].start_ns, ZERO);
	ck_assert_int_eq(m->runs[0].stop_ns, now);
	ck_assert_double_eq_tol(m->runs[0].done, 16, 1e-9);
	ck_assert_uint_eq(m->runs[0].number, 0);
	for (unsigned i = 1; i < MODEL_RUNS; i++) {
		ck_assert_uint_eq(m->runs[i].number, MODEL_RUNS + 1 + i);
		ck_assert_uint_eq(m->runs[i].load, 0);
	}
}
END_TEST

Suite *loadlog_suite(void);
Suite *loadlog_suite(void)
{
	Suite *s = suite_create("loadlog");
	TCase *tc = tcase_create("loadlog");

	tcase_add_checked_fixture(tc, set_up, tear_down);
	tcase_add_test(tc, preparation_is_progress_and_never_counted);
	tcase_add_test(tc, rates_are_over_real_time_and_the_first_interval_is_dropped);
	tcase_add_test(tc, ticks_may_come_as_often_as_they_like);
	tcase_add_test(tc, the_load_row_shows_work_where_it_was_done);
	tcase_add_test(tc, two_seconds_without_work_are_no_progress);
	tcase_add_test(tc, tidying_up_is_not_time_of_the_run);
	tcase_add_test(tc, a_stop_that_was_asked_for_ends_stopped);
	tcase_add_test(tc, a_load_that_ends_by_itself_finished);
	tcase_add_test(tc, other_workers_are_not_of_the_run_that_ends);
	tcase_add_loop_test(tc, a_death_says_why, 0, sizeof(deaths) / sizeof(deaths[0]));
	tcase_add_test(tc, no_work_is_no_success);
	tcase_add_test(tc, a_refusal_never_ran);
	tcase_add_test(tc, a_stop_before_it_was_ready_is_in_the_file);
	tcase_add_test(tc, a_lost_supervisor_ends_all_loads);
	tcase_add_test(tc, the_second_run_counts_from_zero);
	tcase_add_test(tc, a_load_without_processes_has_stopped);
	tcase_add_test(tc, many_runs_keep_the_newest);
	tcase_add_test(tc, a_run_that_goes_on_outlives_newer_ones);
	suite_add_tcase(s, tc);
	return s;
}
