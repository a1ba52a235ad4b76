/* check_snapshot_since.c - what came after an earlier snapshot, exactly. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/load.h"
#include "src/snapshot.h"
#include "src/snapshot_build.h"

static struct load_rng rng;

/* Some samples into a series of s and into `also`, if that is given. */
static void fill(struct hist *all, struct hist *also, unsigned n, int64_t least_ns)
{
	for (unsigned i = 0; i < n; i++) {
		int64_t v = least_ns + (int64_t)load_rng_below(&rng, 1 << load_rng_below(&rng, 24));

		hist_record(all, v);
		if (also)
			hist_record(also, v);
	}
}

static struct snapshot *taken(const struct hist *h, double duration_s, uint64_t missed)
{
	struct snapshot *s = snapshot_new();
	struct snapshot_series *one = snapshot_add_series(s, "wakeup", 3);

	ck_assert_int_eq(snapshot_series_from_hist(one, h), 0);
	one->counts.missed = missed;
	one->counts.due = one->counts.count + missed;
	s->duration_s = duration_s;
	return s;
}

START_TEST(counts_and_slots_are_those_of_the_span)
{
	struct hist *all = hist_new(3), *span = hist_new(3);
	struct why why = { 0, "" };

	load_rng_seed(&rng, (uint64_t)_i + 1);
	fill(all, NULL, 1 + (unsigned)load_rng_below(&rng, 2000), 1000);
	struct snapshot *before = taken(all, 10, 5);

	fill(all, span, (unsigned)load_rng_below(&rng, 2000), 500);
	struct snapshot *s = taken(all, 25, 12), *want = taken(span, 15, 7);

	snapshot_since(s, before);
	ck_assert_msg(snapshot_check(s, &why) == 0, "%s", why.text);
	ck_assert_double_eq_tol(s->duration_s, 15, 1e-9);
	ck_assert_uint_eq(s->series[0].counts.count, span->count);
	ck_assert_uint_eq(s->series[0].counts.missed, 7);
	ck_assert_uint_eq(s->series[0].pairs, want->series[0].pairs);
	ck_assert_int_eq(memcmp(s->series[0].histogram, want->series[0].histogram,
				want->series[0].pairs * sizeof(struct pair)), 0);
	ck_assert_double_eq_tol(s->series[0].mean_ns, want->series[0].mean_ns,
				1e-6 * (1 + want->series[0].mean_ns));
	/* Extremes: exact when they are new, else to the width of a slot. */
	ck_assert_int_ge(s->series[0].max_ns, span->max_ns);
	ck_assert_int_le(s->series[0].max_ns, span->max_ns + span->max_ns / 1000 + 1);
	ck_assert_int_le(s->series[0].min_ns, s->series[0].max_ns);
	snapshot_free(before);
	snapshot_free(s);
	snapshot_free(want);
	hist_free(all);
	hist_free(span);
}
END_TEST

START_TEST(a_new_maximum_is_exact)
{
	struct hist *all = hist_new(3);

	hist_record(all, 5000);
	struct snapshot *before = taken(all, 1, 0);

	hist_record(all, 7777777);
	struct snapshot *s = taken(all, 2, 0);

	snapshot_since(s, before);
	ck_assert_int_eq(s->series[0].max_ns, 7777777);
	snapshot_free(before);
	snapshot_free(s);
	hist_free(all);
}
END_TEST

START_TEST(times_begin_at_the_earlier_snapshot)
{
	struct snapshot *before = snapshot_new(), *s = snapshot_new();

	before->duration_s = 10;
	s->duration_s = 30;
	snapshot_add_load(s, "gone")->stop_s = 9;
	snapshot_add_load(s, "running")->stop_s = -1;
	snapshot_add_load(s, "ended")->stop_s = 15;
	s->loads[2].start_s = 12;
	snapshot_add_event(s, 5, "mark", "old");
	snapshot_add_event(s, 11, "mark", "new");
	snapshot_add_row(s, "wakeup")->t_s = 9.75;
	snapshot_add_cell(&s->rows[0], 3, 1);
	snapshot_add_row(s, "wakeup")->t_s = 10.25;
	snapshot_add_load_row(s)->t_s = 20;
	snapshot_since(s, before);
	ck_assert_double_eq(s->duration_s, 20);
	ck_assert_uint_eq(s->nr_loads, 2);
	ck_assert_double_eq(s->loads[0].start_s, -10);
	ck_assert_double_eq(s->loads[0].stop_s, -1);
	ck_assert_double_eq(s->loads[1].start_s, 2);
	ck_assert_double_eq(s->loads[1].stop_s, 5);
	ck_assert_uint_eq(s->nr_events, 1);
	ck_assert_str_eq(s->events[0].text, "new");
	ck_assert_uint_eq(s->nr_rows, 1);
	ck_assert_double_eq(s->rows[0].t_s, 0.25);
	ck_assert_double_eq(s->load_rows[0].t_s, 10);
	snapshot_free(before);
	snapshot_free(s);
}
END_TEST

START_TEST(a_series_that_is_new_stays_whole)
{
	struct hist *all = hist_new(3);

	hist_record(all, 5000);
	struct snapshot *before = snapshot_new(), *s = taken(all, 2, 1);

	snapshot_since(s, before);
	ck_assert_uint_eq(s->series[0].counts.count, 1);
	ck_assert_uint_eq(s->series[0].counts.missed, 1);
	snapshot_free(before);
	snapshot_free(s);
	hist_free(all);
}
END_TEST

Suite *snapshot_since_suite(void);
Suite *snapshot_since_suite(void)
{
	Suite *s = suite_create("snapshot_since");
	TCase *tc = tcase_create("since");

	tcase_add_loop_test(tc, counts_and_slots_are_those_of_the_span, 0, 20);
	tcase_add_test(tc, a_new_maximum_is_exact);
	tcase_add_test(tc, times_begin_at_the_earlier_snapshot);
	tcase_add_test(tc, a_series_that_is_new_stays_whole);
	suite_add_tcase(s, tc);
	return s;
}
