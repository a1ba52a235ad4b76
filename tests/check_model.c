/*
 * check_model.c - events in order of time, the worst spikes, badges by name,
 * sums that hold, and a reset that can be taken back without losing a sample.
 */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "src/model.h"

#define S NS_PER_S

static struct model *m;

static void set_up(void)
{
	const struct model_spec spec = {
		.groups = 2, .series = 4, .loads = 2, .digits = 3, .start_ns = S};

	m = model_new(&spec);
	for (unsigned i = 0; i < 4; i++)
		m->series[i].group = i / 2;
	for (unsigned g = 0; g < 2; g++) {
		m->groups[g].first = 2 * g;
		m->groups[g].nr = 2;
		m->groups[g].on = true;
		snprintf(m->groups[g].name, sizeof(m->groups[g].name), "group%u", g);
	}
}

static void tear_down(void)
{
	model_free(m);
}

START_TEST(what_is_off_costs_no_memory_until_it_is_wanted)
{
	const struct model_spec spec = { .groups = 2, .series = 4, .digits = 2, .start_ns = S, .lazy = true };
	struct model *lazy = model_new(&spec);

	for (unsigned i = 0; i < 4; i++)
		lazy->series[i].group = i / 2;
	lazy->groups[0].nr = lazy->groups[1].nr = lazy->groups[1].first = 2;
	for (unsigned g = 0; g < 2; g++)
		ck_assert(!model_prepared(lazy, &lazy->groups[g]));
	/* Everything that is done to all groups may be done to these. */
	model_zero(lazy, 2 * S);
	model_baseline_set(lazy);
	model_reset(lazy, 3 * S);
	ck_assert(model_reset_undo(lazy, 4 * S));
	ck_assert_int_eq(model_prepare_series(lazy, 3), 0);
	ck_assert(model_prepared(lazy, &lazy->groups[1]) && !model_prepared(lazy, &lazy->groups[0]));
	ck_assert(model_series_prepared(lazy, &lazy->series[3]));
	ck_assert(!model_series_prepared(lazy, &lazy->series[2]));
	hist_record(lazy->groups[1].run, 5);
	hist_record(lazy->series[3].total, 5);
	history_add(lazy->groups[1].history, 5 * S, 5);
	ck_assert_int_eq(history_oldest_ns(lazy->groups[1].history), 2 * S);
	ck_assert_int_eq(model_prepare_series(lazy, 3), 0);
	ck_assert_uint_eq(lazy->series[3].total->count, 1);
	ck_assert_uint_eq(lazy->groups[0].run->count + lazy->groups[1].now->count, 0);
	ck_assert_uint_eq(lazy->series[2].total->count, 0);
	struct hist *sum = model_total(lazy, &lazy->groups[1]);

	ck_assert_uint_eq(sum->count, 1);
	hist_free(sum);
	model_free(lazy);
}
END_TEST

START_TEST(events_stay_in_order_and_the_oldest_fall_out)
{
	for (int i = 0; i < MODEL_EVENTS + 10; i++)
		model_event(m, i * S, "mark", "%d", i);
	ck_assert_uint_eq(m->nr_events, MODEL_EVENTS);
	ck_assert_uint_eq(m->lost_events, 10);
	ck_assert_int_eq(m->events[0].t_ns, 10 * S);
	model_event(m, 100 * S + 1, "mark", "late news");
	for (unsigned i = 1; i < m->nr_events; i++)
		ck_assert_int_ge(m->events[i].t_ns, m->events[i - 1].t_ns);
	ck_assert_str_eq(m->events[m->nr_events - 1].text, "4105");
}
END_TEST

START_TEST(foreign_text_is_cleaned)
{
	model_event(m, 0, "mark", "a\033[31mb\nc");
	ck_assert_str_eq(m->events[0].text, "a?[31mb?c");
	model_status(m, true, "no \a bell");
	ck_assert_str_eq(m->status, "no ? bell");
	ck_assert(m->status_bad);
	model_badge(m, "vm", "info", "x\r%s", "y");
	ck_assert_str_eq(m->badges[0].text, "x?y");
}
END_TEST

START_TEST(the_worst_spikes_are_kept)
{
	for (int i = 0; i < 3 * MODEL_SPIKES; i++)
		model_spike(m, &(struct spike){ .late_ns = (i * 7919) % 1000, .t_ns = i });
	ck_assert_uint_eq(m->nr_spikes, MODEL_SPIKES);
	for (unsigned i = 1; i < m->nr_spikes; i++)
		ck_assert_int_ge(m->spikes[i - 1].late_ns, m->spikes[i].late_ns);
	for (int i = 0, above = 0; i < 3 * MODEL_SPIKES; i++) {
		above += (i * 7919) % 1000 > m->spikes[MODEL_SPIKES - 1].late_ns;
		ck_assert_int_lt(above, MODEL_SPIKES);
	}
}
END_TEST

START_TEST(badges_are_replaced_and_dropped_by_name)
{
	model_badge(m, "steal", "warn", "one");
	model_badge(m, "vm", "info", "kvm");
	model_badge(m, "steal", "bad", "two");
	ck_assert_uint_eq(m->nr_badges, 2);
	ck_assert_str_eq(m->badges[0].text, "two");
	ck_assert_str_eq(m->badges[0].level, "bad");
	model_badge_drop(m, "steal");
	model_badge_drop(m, "never");
	ck_assert_uint_eq(m->nr_badges, 1);
	ck_assert_str_eq(m->badges[0].name, "vm");
	for (int i = 0; i < 2 * MODEL_BADGES; i++) {
		char name[24];

		snprintf(name, sizeof(name), "b%d", i);
		model_badge(m, name, "info", "x");
	}
	ck_assert_uint_eq(m->nr_badges, MODEL_BADGES);
}
END_TEST

START_TEST(counts_add_up_over_the_cpus)
{
	m->series[0].counts =
		(struct counts){.due = 10, .count = 7, .missed = 2, .interrupted = 1, .early = 1};
	m->series[1].counts = (struct counts){ .due = 5, .count = 5, .over = 1, .unplaced = 2 };
	struct counts c = model_counts(m, &m->groups[0]);

	ck_assert_uint_eq(c.due, 15);
	ck_assert_uint_eq(c.count, 12);
	ck_assert_uint_eq(c.unplaced, 2);
	ck_assert(counts_hold(&c));
	c.missed++;
	ck_assert(!counts_hold(&c));
	ck_assert_uint_eq(model_counts(m, &m->groups[1]).due, 0);
}
END_TEST

START_TEST(totals_and_calls_in_flight_are_the_groups)
{
	hist_record(m->series[0].total, 100);
	hist_record(m->series[1].total, 200);
	hist_record(m->series[2].total, 300);
	struct hist *h = model_total(m, &m->groups[0]);

	ck_assert_uint_eq(h->count, 2);
	ck_assert_int_eq(h->max_ns, 200);
	hist_free(h);
	m->series[1].in_flight_ns = 70;
	m->series[2].in_flight_ns = 90;
	ck_assert_int_eq(model_in_flight(m, &m->groups[0]), 70);
	ck_assert_int_eq(model_group(m, "group1"), 1);
	ck_assert_int_eq(model_group(m, "group"), -1);
}
END_TEST

START_TEST(a_reset_taken_back_loses_nothing)
{
	struct group *g = &m->groups[0];

	model_zero(m, S);
	for (int i = 0; i < 100; i++)
		hist_record(g->run, 1000);
	m->series[0].counts = (struct counts){ .due = 100, .count = 100 };
	model_spike(m, &(struct spike){ .late_ns = 9 });
	model_reset(m, 10 * S);
	ck_assert_uint_eq(g->run->count, 0);
	ck_assert_uint_eq(g->run_start.count, 100);
	ck_assert_uint_eq(m->nr_spikes, 0);
	ck_assert_int_eq(m->reset_ns, 10 * S);
	hist_record(g->run, 5000);
	model_spike(m, &(struct spike){ .late_ns = 10 });

	ck_assert(model_reset_undo(m, 14 * S));
	ck_assert_uint_eq(g->run->count, 101);
	ck_assert_int_eq(g->run->max_ns, 5000);
	ck_assert_uint_eq(g->run_start.count, 0);
	ck_assert_uint_eq(m->nr_spikes, 2);
	ck_assert_int_eq(m->spikes[0].late_ns, 10);
	ck_assert_int_eq(m->reset_ns, S);
	ck_assert(!model_reset_undo(m, 14 * S));
}
END_TEST

static void blame_one(int64_t t_ns, const char *while_run, const char *most, int64_t ns, int64_t unknown_ns)
{
	struct spike s = { .t_ns = t_ns, .late_ns = ns + unknown_ns };
	struct blamed parts = { .ns = 0 };

	snprintf(s.loads, sizeof(s.loads), "%s", while_run);
	blamed_part(&parts, most, ns);
	blamed_part(&parts, BLAMED_UNKNOWN, unknown_ns);
	model_blamed(m, &s, &parts);
}

static void check_parts(const struct blamed *b)
{
	int64_t ns = 0;
	uint64_t spikes = 0;

	for (unsigned i = 0; i < b->parts; i++) {
		ns += b->part[i].ns;
		spikes += b->part[i].spikes;
		if (i)
			ck_assert_int_ge(b->part[i - 1].ns, b->part[i].ns);
	}
	ck_assert_int_eq(ns, b->ns);
	ck_assert_uint_eq(spikes, b->spikes);
}

START_TEST(the_parts_of_the_blame_sum_to_the_whole)
{
	char name[20], names[64], text[80];
	int64_t ns = 0;

	snprintf(m->loads[0].name, sizeof(m->loads[0].name), "fork");
	m->loads[0].run_workers = 4;
	m->loads[0].workers = 8;	/* wanted next */
	blame_one(S, "fork", "kworker", 30, 5);
	blame_one(S, "", "kworker", 10, 20);
	ck_assert_uint_eq(m->nr_blamed, 3);
	ck_assert_str_eq(m->blamed[0].loads, BLAMED_ALL);
	ck_assert_str_eq(m->blamed[1].loads, "fork x4");
	ck_assert_str_eq(m->blamed[2].loads, "no load");
	ck_assert_int_eq(m->blamed[0].part[0].ns, 40);
	ck_assert_uint_eq(m->blamed[0].part[0].spikes, 1);
	ck_assert_uint_eq(m->blamed[0].part[1].spikes, 1);	/* unknown held the most once */
	blamed_text(&m->blamed[1], text, sizeof(text));
	ck_assert_str_eq(text, "kworker 86 % (1), unknown 14 % (0)");
	for (int i = 0; i < 100; i++) {
		snprintf(name, sizeof(name), "task%d", i);
		snprintf(names, sizeof(names), "load%d", i % 40);
		blame_one(S, names, name, i, 1);
		ns += i + 1;
	}
	ck_assert_uint_eq(m->nr_blamed, BLAMED_TABLES);
	ck_assert_int_eq(m->blamed[0].ns, 65 + ns);
	for (unsigned i = 0; i < m->nr_blamed; i++)
		check_parts(&m->blamed[i]);
	ck_assert_str_eq(m->blamed[0].part[0].comm, BLAMED_OTHERS);
	blamed_text(&m->blamed[0], text, sizeof(text));
	ck_assert_uint_lt(strlen(text), sizeof(text));
	ck_assert_ptr_nonnull(strstr(text, "others"));
}
END_TEST

START_TEST(a_reset_gives_the_blame_back)
{
	model_zero(m, S);
	blame_one(2 * S, "", "a", 10, 0);
	m->spikes_seen = 200;
	m->spikes_incomplete = 100;
	m->spikes_unread = 3;
	model_reset(m, 3 * S);
	ck_assert_uint_eq(m->nr_blamed, 0);
	ck_assert_uint_eq(m->spikes_seen + m->spikes_incomplete + m->spikes_unread, 0);
	m->spikes_seen = 2;
	m->spikes_incomplete = 1;
	blame_one(4 * S, "", "a", 5, 0);
	blame_one(4 * S, "", "b", 7, 0);
	ck_assert(model_reset_undo(m, 5 * S));
	ck_assert_int_eq(m->blamed[0].ns, 22);
	ck_assert_int_eq(m->blamed[0].part[0].ns, 15);
	ck_assert_uint_eq(m->blamed[0].part[0].spikes, 2);
	ck_assert_uint_eq(m->spikes_seen, 202);
	ck_assert_uint_eq(m->spikes_incomplete, 101);
	ck_assert_uint_eq(m->spikes_unread, 3);
	check_parts(&m->blamed[0]);
}
END_TEST

/* What came before a reset is there again when it is taken back. */
START_TEST(the_latest_spikes_are_kept_beside_the_worst)
{
	model_zero(m, S);
	for (int i = 0; i < 3 * MODEL_LATEST; i++)
		model_spike(m, &(struct spike){ .t_ns = 2 * S + i, .late_ns = 5000 - i });
	ck_assert_uint_eq(model_latest_count(m), MODEL_LATEST);
	ck_assert_uint_eq(m->latest_seen, 3 * MODEL_LATEST);
	ck_assert_int_eq(model_latest(m, m->latest_seen - 1)->late_ns, 5001 - 3 * MODEL_LATEST);
	ck_assert_ptr_null(model_latest(m, 2 * MODEL_LATEST - 1));
	ck_assert_ptr_null(model_latest(m, m->latest_seen));
	model_reset(m, 3 * S);
	ck_assert_uint_eq(model_latest_count(m), 0);
	model_spike(m, &(struct spike){ .t_ns = 4 * S, .late_ns = 1 });
	ck_assert_uint_eq(model_latest_count(m), 1);
	ck_assert(model_reset_undo(m, 5 * S));
	ck_assert_uint_eq(model_latest_count(m), MODEL_LATEST);
}
END_TEST

START_TEST(a_reset_is_final_after_5_seconds)
{
	model_zero(m, S);
	hist_record(m->groups[0].run, 1000);
	model_reset(m, 10 * S);
	ck_assert(!model_reset_undo(m, 15 * S + 1));
	ck_assert_uint_eq(m->groups[0].run->count, 0);
	/* Twice in a row: what comes back is the run before the second. */
	hist_record(m->groups[0].run, 77);
	model_reset(m, 20 * S);
	ck_assert(model_reset_undo(m, 20 * S));
	ck_assert_uint_eq(m->groups[0].run->count, 1);
	ck_assert_int_eq(m->groups[0].run->max_ns, 77);
}
END_TEST

START_TEST(a_baseline_is_a_copy)
{
	hist_record(m->groups[1].run, 1000);
	model_baseline_set(m);
	hist_record(m->groups[1].run, 2000);
	ck_assert_uint_eq(m->groups[1].baseline->count, 1);
	model_baseline_set(m);
	ck_assert_uint_eq(m->groups[1].baseline->count, 2);
	model_baseline_drop(m);
	ck_assert_uint_eq(m->groups[1].baseline->count, 0);
}
END_TEST

START_TEST(time_zero_moves_all_histories)
{
	double done;

	model_zero(m, 50 * S);
	ck_assert_int_eq(history_oldest_ns(m->groups[1].history), 50 * S);
	ck_assert_int_eq(history_oldest_ns(m->series[3].history), 50 * S);
	load_history_add(m->load_history[1], 50 * S, 3, true);
	ck_assert(load_history_span(m->load_history[1], 50 * S, 51 * S, &done));
	ck_assert_double_eq(done, 3);
}
END_TEST

START_TEST(many_cpus_get_two_digits_and_maxima)
{
	const struct model_spec spec = { .groups = 1, .series = 200, .digits = 2 };
	struct model *big = model_new(&spec);

	ck_assert_uint_eq(big->series[199].total->digits, 2);
	ck_assert_uint_lt(history_bytes(big->series[0].history), 32 << 10);
	model_free(big);
}
END_TEST

Suite *model_suite(void);
Suite *model_suite(void)
{
	Suite *s = suite_create("model");
	TCase *tc = tcase_create("model");

	tcase_add_checked_fixture(tc, set_up, tear_down);
	tcase_add_test(tc, what_is_off_costs_no_memory_until_it_is_wanted);
	tcase_add_test(tc, events_stay_in_order_and_the_oldest_fall_out);
	tcase_add_test(tc, foreign_text_is_cleaned);
	tcase_add_test(tc, the_worst_spikes_are_kept);
	tcase_add_test(tc, badges_are_replaced_and_dropped_by_name);
	tcase_add_test(tc, counts_add_up_over_the_cpus);
	tcase_add_test(tc, totals_and_calls_in_flight_are_the_groups);
	tcase_add_test(tc, a_reset_taken_back_loses_nothing);
	tcase_add_test(tc, the_parts_of_the_blame_sum_to_the_whole);
	tcase_add_test(tc, a_reset_gives_the_blame_back);
	tcase_add_test(tc, the_latest_spikes_are_kept_beside_the_worst);
	tcase_add_test(tc, a_reset_is_final_after_5_seconds);
	tcase_add_test(tc, a_baseline_is_a_copy);
	tcase_add_test(tc, time_zero_moves_all_histories);
	tcase_add_test(tc, many_cpus_get_two_digits_and_maxima);
	suite_add_tcase(s, tc);
	return s;
}
