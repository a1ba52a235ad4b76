/* check_snapshot.c - a copy of the model that adds up, and back to a model. */
#include "src/snapshot.h"

#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "src/clock.h"
#include "src/snapshot_build.h"
#include "tests/fake_run.h"
#include "tests/fake_snapshot.h"

#define ZERO FAKE_ZERO_NS

static uint64_t cells_of(const struct snapshot *s, const char *group)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < s->nr_rows; i++)
		for (unsigned k = 0; !strcmp(s->group_name[s->rows[i].group], group) &&
		     k < s->rows[i].cells; k++)
			n += s->rows[i].cell[k].count;
	return n;
}

/* Every sample lies in exactly one row, however old the run is. */
START_TEST(rows_hold_every_sample_once)
{
	static const int seconds[] = { 3, 70, 1000, 9000 };
	struct model *m = fake_run_new();
	struct why why = { 0 };

	fake_run_until(m, seconds[_i] * NS_PER_S);
	struct snapshot *s = snapshot_take(m, NULL, &why);

	ck_assert_msg(s != NULL, "%s", why.text);
	ck_assert_int_eq(snapshot_check(s, &why), 0);
	for (unsigned g = 0; g < 2; g++)
		ck_assert_uint_eq(cells_of(s, m->groups[g].name), (uint64_t)seconds[_i] * 200);
	for (unsigned i = 1; i < s->nr_rows; i++)
		ck_assert(s->rows[i - 1].t_s <= s->rows[i].t_s);
	snapshot_free(s);
	model_free(m);
}
END_TEST

/* The warm-up is over, but no tick has come since. */
START_TEST(time_zero_may_be_later_than_the_last_tick)
{
	struct model *m = fake_run_new();
	struct why why = { 0 };

	fake_run_until(m, 10 * NS_PER_MS);
	m->zero_ns = m->now_ns + 4 * NS_PER_MS;
	struct snapshot *s = snapshot_take(m, NULL, &why);

	ck_assert_msg(s != NULL, "%s", why.text);
	ck_assert_msg(snapshot_check(s, &why) == 0, "%s", why.text);
	ck_assert_double_eq(s->duration_s, 0);
	snapshot_free(s);
	model_free(m);
}
END_TEST

START_TEST(the_copy_adds_up_and_needs_the_model_no_more)
{
	struct model *m = fake_run_new();
	char *argv[] = { "jitterscope", "record", "\x1b[2J", NULL };
	struct why why = { 0 };

	fake_run_until(m, 2 * NS_PER_S);
	m->series[0].counts.missed = 3;
	m->series[0].counts.due += 3;
	model_event(m, ZERO + NS_PER_S, "mark", "here");
	model_badge(m, "vm", "info", "kvm");
	struct snapshot *s = snapshot_take(m, argv, &why);

	model_free(m);
	ck_assert_msg(s != NULL, "%s", why.text);
	ck_assert_int_eq(snapshot_check(s, &why), 0);
	ck_assert_uint_eq(s->nr_series, 4);
	ck_assert_uint_eq(s->series[0].counts.due, 203);
	ck_assert_uint_eq(s->series[0].counts.missed, 3);
	ck_assert_double_eq_tol(s->duration_s, 2, 1e-9);
	ck_assert_double_eq_tol(s->events[0].t_s, 1, 1e-9);
	ck_assert_str_eq(s->command[2], "?[2J");
	ck_assert_str_eq(s->badges[0].name, "vm");
	snapshot_free(s);
}
END_TEST

/* P7: a copy that does not add up is a bug, and is said, not written. */
START_TEST(p07_counts_that_do_not_hold_are_refused)
{
	struct model *m = fake_run_new();
	struct why why = { 0 };

	fake_run_until(m, NS_PER_S);
	m->series[_i].counts.due++;
	ck_assert_ptr_null(snapshot_take(m, NULL, &why));
	ck_assert_int_eq(why.err, -EIO);
	m->series[_i].counts.due--;
	m->series[_i].counts.count++;
	m->series[_i].counts.due++;
	ck_assert_ptr_null(snapshot_take(m, NULL, &why));
	model_free(m);
}
END_TEST

START_TEST(warming_up_gives_an_empty_one)
{
	struct model *m = fake_run_new();
	struct why why = { 0 };

	m->zero_ns = 0;
	struct snapshot *s = snapshot_take(m, NULL, &why);

	ck_assert_msg(s != NULL, "%s", why.text);
	ck_assert_double_eq(s->duration_s, 0);
	ck_assert_uint_eq(s->nr_rows, 0);
	snapshot_free(s);
	model_free(m);
}
END_TEST

START_TEST(a_load_that_runs_has_no_stop)
{
	struct model *m = fake_run_new();
	struct why why = { 0 };

	fake_run_until(m, 10 * NS_PER_S);
	snprintf(m->loads[0].name, sizeof(m->loads[0].name), "churn");
	m->loads[0].runs = 1;
	m->loads[0].done = 77;
	m->runs[0] = (struct load_run){ .load = 0, .workers = 4, .start_ns = ZERO + 2 * NS_PER_S };
	m->nr_runs = 1;
	for (int64_t t = 2; t < 10; t++)
		load_history_add(m->load_history[0], ZERO + t * NS_PER_S, 10, true);
	struct snapshot *s = snapshot_take(m, NULL, &why);

	ck_assert_msg(s != NULL, "%s", why.text);
	ck_assert_double_lt(s->loads[0].stop_s, 0);
	ck_assert_double_eq_tol(s->loads[0].start_s, 2, 1e-9);
	ck_assert_double_eq(s->loads[0].done, 77);
	double done = 0;

	for (unsigned i = 0; i < s->nr_load_rows; i++)
		done += s->load_rows[i].rate * s->load_rows[i].len_s;
	ck_assert_double_eq_tol(done, 80, 1e-6);
	snapshot_free(s);
	model_free(m);
}
END_TEST

/* ---- histograms of a snapshot --------------------------------------------- */

START_TEST(the_sum_over_cpus_keeps_extremes_and_counts)
{
	struct snapshot *s = fake_snapshot(1);
	struct hist *h = snapshot_hist(s, "wakeup-fifo");

	ck_assert_ptr_nonnull(h);
	ck_assert_uint_eq(h->count, s->series[0].counts.count + s->series[1].counts.count);
	ck_assert_int_eq(h->max_ns, s->series[0].max_ns > s->series[1].max_ns ?
			 s->series[0].max_ns : s->series[1].max_ns);
	ck_assert_double_eq_tol(hist_mean(h), (s->series[0].mean_ns + s->series[1].mean_ns) / 2, 1);
	ck_assert_ptr_null(snapshot_hist(s, "no such"));
	hist_free(h);
	snapshot_free(s);
}
END_TEST

/* F35: above the top nothing is lost. */
START_TEST(f35_an_hour_and_more_is_kept)
{
	static const int64_t ns[] = { 1000000000, 60000000000, 3599000000000, 3601000000000, -5 };
	struct snapshot *s = snapshot_new();
	struct why why = { 0 };

	fake_series(s, "stall", -1, ns, 5);
	ck_assert_int_eq(snapshot_check(s, &why), 0);
	ck_assert_uint_eq(s->series[0].counts.count, 5);
	ck_assert_uint_eq(s->series[0].counts.over, 1);
	ck_assert_uint_eq(s->series[0].counts.early, 1);
	ck_assert_int_eq(s->series[0].max_ns, 3601000000000);
	struct hist *h = snapshot_hist(s, "stall");

	ck_assert_uint_eq(h->count, 5);
	ck_assert_uint_eq(h->over, 1);
	ck_assert_int_eq(h->max_ns, 3601000000000);
	hist_free(h);
	snapshot_free(s);
}
END_TEST

/* ---- back to a model ------------------------------------------------------- */

static const char *knob_of(const struct snapshot_load *l, const char *name)
{
	for (unsigned i = 0; i < l->knobs; i++)
		if (!strcmp(l->knob[i].name, name))
			return l->knob[i].value;
	return "";
}

START_TEST(a_model_of_a_snapshot_gives_the_snapshot_again)
{
	struct snapshot *a = fake_snapshot(7);
	struct why why = { 0 };
	struct model *m = snapshot_model(a, &why);

	ck_assert_msg(m != NULL, "%s", why.text);
	ck_assert(m->replay);
	ck_assert_uint_eq(m->nr_groups, 2);
	ck_assert(m->groups[0].have_rt);
	ck_assert(!m->groups[1].have_rt);
	for (unsigned i = 0; i < m->nr_series; i++)
		ck_assert(m->series[i].isolated == (m->series[i].cpu == 1));
	struct snapshot *b = snapshot_take(m, NULL, &why);

	ck_assert_msg(b != NULL, "%s", why.text);
	ck_assert_uint_eq(b->nr_series, a->nr_series);
	for (unsigned i = 0; i < a->nr_series; i++) {
		ck_assert_int_eq(memcmp(&a->series[i].counts, &b->series[i].counts,
					sizeof(a->series[i].counts)), 0);
		ck_assert_uint_eq(a->series[i].pairs, b->series[i].pairs);
	}
	for (unsigned g = 0; g < 2; g++)
		ck_assert_uint_eq(cells_of(a, m->groups[g].name), cells_of(b, m->groups[g].name));
	ck_assert_uint_eq(b->nr_spikes, a->nr_spikes);
	ck_assert_uint_eq(b->nr_loads, a->nr_loads);
	ck_assert_str_eq(b->created, a->created);
	ck_assert_str_eq(knob_of(&b->loads[0], "mode"), knob_of(&a->loads[0], "mode"));
	ck_assert_str_eq(b->loads[0].cpus, a->loads[0].cpus);
	snapshot_free(a);
	snapshot_free(b);
	model_free(m);
}
END_TEST

/* All samples are of the last seconds: they are the same ones. */
START_TEST(now_is_the_run_where_it_is_no_longer)
{
	struct snapshot *a = fake_snapshot(7);
	struct model *m;
	unsigned all = a->nr_rows, kept = 0;

	while (kept < all && a->rows[kept].t_s < 4)	/* they are by time */
		kept++;
	a->nr_rows = kept;
	a->duration_s = 4;
	m = snapshot_model(a, NULL);
	ck_assert_ptr_nonnull(m);
	for (unsigned g = 0; g < m->nr_groups; g++) {
		const struct hist *now = m->groups[g].now, *run = m->groups[g].run;

		ck_assert_uint_gt(run->count, 0);
		ck_assert_uint_eq(now->count, run->count);
		for (int percent = 1; percent <= 100; percent++)
			ck_assert_int_eq(hist_percentile(now, percent),
					 hist_percentile(run, percent));
	}
	a->nr_rows = all;
	snapshot_free(a);
	model_free(m);
}
END_TEST

/* A coarse row is shown over its whole span: no column inside it is empty. */
START_TEST(coarse_rows_leave_no_holes)
{
	struct snapshot *a = fake_snapshot(8);
	struct model *m = snapshot_model(a, NULL);
	struct column c;

	ck_assert_ptr_nonnull(m);
	for (int64_t t = m->zero_ns; t < m->now_ns; t += HISTORY_ROW_NS) {
		history_column(m->groups[0].history, t, t + HISTORY_ROW_NS, &c);
		ck_assert_msg(c.count > 30 && c.count < 70, "%g s: %d of about 50", (double)t / 1e9,
			      (int)c.count);
	}
	snapshot_free(a);
	model_free(m);
}
END_TEST

Suite *snapshot_suite(void);

Suite *snapshot_suite(void)
{
	Suite *s = suite_create("snapshot");
	TCase *tc = tcase_create("snapshot");

	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, rows_hold_every_sample_once, 0, 4);
	tcase_add_test(tc, time_zero_may_be_later_than_the_last_tick);
	tcase_add_test(tc, the_copy_adds_up_and_needs_the_model_no_more);
	tcase_add_loop_test(tc, p07_counts_that_do_not_hold_are_refused, 0, 4);
	tcase_add_test(tc, warming_up_gives_an_empty_one);
	tcase_add_test(tc, a_load_that_runs_has_no_stop);
	tcase_add_test(tc, the_sum_over_cpus_keeps_extremes_and_counts);
	tcase_add_test(tc, f35_an_hour_and_more_is_kept);
	tcase_add_test(tc, a_model_of_a_snapshot_gives_the_snapshot_again);
	tcase_add_test(tc, now_is_the_run_where_it_is_no_longer);
	tcase_add_test(tc, coarse_rows_leave_no_holes);
	suite_add_tcase(s, tc);
	return s;
}
