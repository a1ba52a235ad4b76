/*
 * check_history.c - every column must be the merge of its samples, at every
 * zoom and age, in bounded memory.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "src/clock.h"
#include "src/history.h"

#define ROW HISTORY_ROW_NS
#define S NS_PER_S
#define ZERO (INT64_C(77) * S + 123456)

struct sample { int64_t t, value; };

/* A generator of its own, so that a failure comes back. */
static uint64_t state = 1;

static uint64_t next(void)
{
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return state >> 33;
}

/* Latencies over all octaves, with many small and a few huge. */
static int64_t latency(void)
{
	return (int64_t)(next() % (UINT64_C(1) << (4 + next() % 28)));
}

static struct sample *fill(struct history *h, unsigned n, int64_t span)
{
	struct sample *s = calloc(n, sizeof(*s));

	for (unsigned i = 0; i < n; i++) {
		s[i].t = ZERO + span / n * i + (int64_t)(next() % (uint64_t)(span / n));
		s[i].value = latency();
		history_add(h, s[i].t, s[i].value);
	}
	return s;
}

static void expect(const struct sample *s, unsigned n, int64_t from, int64_t to, struct column *out)
{
	*out = (struct column){ .low = SLOTS };
	for (unsigned i = 0; i < n; i++) {
		unsigned slot = slot_of(s[i].value);

		if (s[i].t < from || s[i].t >= to)
			continue;
		out->counts[slot]++;
		out->count++;
		out->low = slot < out->low ? slot : out->low;
		out->high = slot > out->high ? slot : out->high;
		out->max_ns = s[i].value > out->max_ns ? s[i].value : out->max_ns;
	}
}

static void same(const struct column *a, const struct column *b)
{
	ck_assert_uint_eq(a->count, b->count);
	ck_assert_int_eq(a->max_ns, b->max_ns);
	ck_assert_uint_eq(a->low, b->low);
	ck_assert_uint_eq(a->high, b->high);
	ck_assert_mem_eq(a->counts, b->counts, sizeof(a->counts));
}

static const int64_t zooms[] = { ROW, 2 * ROW, S, 2 * S, 5 * S, 10 * S, 20 * S, 60 * S };
#define ZOOMS (sizeof(zooms) / sizeof(zooms[0]))

START_TEST(a_column_is_the_merge_of_its_samples)
{
	struct history *h = history_new(HISTORY_FULL, ZERO);
	int64_t span = 130 * S;
	unsigned n = 20000;
	struct sample *s = fill(h, n, span);
	struct column got, want;

	for (int64_t from = ZERO; from < ZERO + span; from += zooms[_i]) {
		history_column(h, from, from + zooms[_i], &got);
		expect(s, n, from, from + zooms[_i], &want);
		ck_assert(got.known);
		same(&got, &want);
	}
	ck_assert_uint_eq(history_late(h), 0);
	free(s);
	history_free(h);
}
END_TEST

START_TEST(any_span_of_whole_rows_is_exact)
{
	struct history *h = history_new(HISTORY_FULL, ZERO);
	unsigned n = 20000;
	struct sample *s = fill(h, n, 200 * S);
	struct column got, want;

	for (int i = 0; i < 300; i++) {
		int64_t from = ZERO + (int64_t)(next() % 800) * ROW;
		int64_t to = from + (int64_t)(1 + next() % 400) * ROW;

		history_column(h, from, to, &got);
		expect(s, n, from, to, &want);
		same(&got, &want);
	}
	free(s);
	history_free(h);
}
END_TEST

/* Eight days: what left the fine tiers is in the coarse ones, and all of it
 * adds up to the same totals as long as the span lasts. */
START_TEST(coarser_tiers_add_up_to_the_same_totals)
{
	struct history *h = history_new(HISTORY_FULL, ZERO);
	int64_t span = 6 * 86400 * S;
	uint64_t count = 0, sum = 0;
	int64_t max = 0;
	struct column c;

	for (int64_t t = 0; t < span; t += 3 * S + (int64_t)(next() % (2 * (uint64_t)S))) {
		int64_t value = latency();

		history_add(h, ZERO + t, value);
		count++;
		max = value > max ? value : max;
	}
	history_column(h, ZERO, ZERO + span, &c);
	ck_assert_uint_eq(c.count, count);
	ck_assert_int_eq(c.max_ns, max);
	for (int64_t t = 0; t < span; t += 60 * S) {
		history_column(h, ZERO + t, ZERO + t + 60 * S, &c);
		ck_assert(c.known);
		sum += c.count;
	}
	ck_assert_uint_eq(sum, count);
	history_free(h);
}
END_TEST

START_TEST(the_promised_reach_is_kept_at_80_bytes_a_row)
{
	static const struct { int64_t row, reach; } want[] = {
		{ ROW, 900 * S }, { S, 7200 * S }, { 10 * S, 86400 * S }, { 60 * S, 604800 * S },
	};
	struct history *h = history_new(HISTORY_FULL, ZERO);
	int64_t end = 8 * 86400 * S;
	struct column c;

	ck_assert_uint_le(history_bytes(h), 3 << 20);
	/* Twenty slots in each row, as an idle machine at 1 kHz has them. */
	for (int64_t t = end - 8000 * S; t < end; t += ROW)
		for (unsigned i = 0; i < 20; i++)
			history_add(h, ZERO + t + i, 5000 + 700 * i);
	for (unsigned k = 0; k < 2; k++) {
		int64_t from = end - want[k].reach + 10 * S;

		from -= from % want[k].row;
		history_column(h, ZERO + from, ZERO + from + want[k].row, &c);
		ck_assert(c.known);
		ck_assert_uint_eq(c.count, 20 * (uint64_t)(want[k].row / ROW));
	}
	history_free(h);
}
END_TEST

START_TEST(memory_stays_bounded_whatever_comes)
{
	struct history *h = history_new(HISTORY_FULL, ZERO);
	size_t bytes = history_bytes(h);
	struct column c;
	uint64_t sum = 0;

	/* Rows with every slot in use do not fit 900 s: they leave early, to the
	 * coarser tier, and no sample with them. */
	for (int64_t row = 0; row < 2000; row++)
		for (unsigned slot = 0; slot < SLOTS; slot++)
			history_add_n(h, ZERO + row * ROW + slot, slot_lowest_ns(slot), 1000);
	ck_assert_uint_eq(history_bytes(h), bytes);
	for (int64_t t = 0; t < 500; t += 10) {
		history_column(h, ZERO + t * S, ZERO + (t + 10) * S, &c);
		sum += c.count;
	}
	ck_assert_uint_eq(sum, UINT64_C(2000) * SLOTS * 1000);
	history_free(h);
}
END_TEST

START_TEST(a_column_finer_than_its_row_shows_that_row)
{
	struct history *h = history_new(HISTORY_FULL, ZERO);
	struct column fine, coarse;

	for (int64_t t = 0; t < 3000 * S; t += S / 2)
		history_add(h, ZERO + t, 1000 + t / S);
	/* 100 s: older than 15 min, so rows of 1 s are the finest there. */
	history_column(h, ZERO + 100 * S, ZERO + 101 * S, &coarse);
	history_column(h, ZERO + 100 * S + ROW, ZERO + 100 * S + 2 * ROW, &fine);
	ck_assert_uint_eq(coarse.count, 2);
	same(&fine, &coarse);
	history_free(h);
}
END_TEST

START_TEST(a_late_comer_is_filed_by_its_time_or_counted)
{
	struct history *h = history_new(HISTORY_FULL, ZERO);
	struct column c;

	history_add(h, ZERO + 10 * S, 1);
	history_add(h, ZERO + 10 * S - 3 * S, 2);	/* within the open rows */
	history_column(h, ZERO + 7 * S, ZERO + 7 * S + ROW, &c);
	ck_assert_uint_eq(c.count, 1);
	ck_assert_uint_eq(history_late(h), 0);
	history_add(h, ZERO, 3);			/* long sealed */
	ck_assert_uint_eq(history_late(h), 1);
	history_column(h, ZERO, ZERO + 11 * S, &c);
	ck_assert_uint_eq(c.count, 3);
	/* It lies in the oldest open row. */
	history_column(h, ZERO + 10 * S - 15 * ROW, ZERO + 10 * S - 14 * ROW, &c);
	ck_assert_uint_eq(c.count, 1);
	history_free(h);
}
END_TEST

START_TEST(before_zero_and_beyond_the_end)
{
	struct history *h = history_new(HISTORY_FULL, ZERO);
	struct column c;

	history_add(h, ZERO - 5 * S, 42);
	history_column(h, ZERO, ZERO + ROW, &c);
	ck_assert_uint_eq(c.count, 1);
	history_column(h, ZERO - 10 * S, ZERO - 5 * S, &c);
	ck_assert(!c.known);
	history_column(h, ZERO + 5 * S, ZERO + 6 * S, &c);
	ck_assert(!c.known);
	history_column(h, ZERO + S, ZERO, &c);
	ck_assert(!c.known);
	ck_assert_int_eq(history_oldest_ns(h), ZERO);
	ck_assert_int_eq(history_newest_ns(h), ZERO + ROW);
	history_free(h);
}
END_TEST

START_TEST(lost_periods_and_flags_follow_the_rows_up)
{
	struct history *h = history_new(HISTORY_FULL, ZERO);
	struct column c;

	history_lost(h, ZERO + 3 * S, 10, 2);
	history_flag(h, ZERO + 5 * S, HISTORY_STEAL | HISTORY_NOT_RT);
	history_advance(h, ZERO + 2000 * S);
	history_column(h, ZERO, ZERO + 60 * S, &c);
	ck_assert_uint_eq(c.missed, 10);
	ck_assert_uint_eq(c.interrupted, 2);
	ck_assert_uint_eq(c.count, 0);
	ck_assert_uint_eq(c.flags, HISTORY_STEAL | HISTORY_NOT_RT | HISTORY_MISSED);
	history_column(h, ZERO + 60 * S, ZERO + 120 * S, &c);
	ck_assert(c.known);
	ck_assert_uint_eq(c.flags, 0);
	history_free(h);
}
END_TEST

START_TEST(huge_counts_survive_the_sparse_form)
{
	struct history *h = history_new(HISTORY_FULL, ZERO);
	struct column c;

	history_add_n(h, ZERO, 1000, UINT32_MAX);
	history_add_n(h, ZERO, 1000, 5);
	history_add(h, ZERO, INT64_C(3700) * S);
	history_advance(h, ZERO + 100 * S);
	history_column(h, ZERO, ZERO + ROW, &c);
	ck_assert_uint_eq(c.counts[slot_of(1000)], UINT32_MAX);
	ck_assert_int_eq(c.max_ns, INT64_C(3700) * S);
	ck_assert_uint_eq(c.counts[SLOTS - 1] + c.counts[slot_of(INT64_C(3700) * S)],
			  1 + (slot_of(INT64_C(3700) * S) == SLOTS - 1));
	history_free(h);
}
END_TEST

START_TEST(a_leap_over_years_keeps_what_was_and_ends)
{
	struct history *h = history_new(HISTORY_FULL, ZERO);
	int64_t far = INT64_C(3) * 365 * 86400 * S;
	struct column c;

	history_add(h, ZERO + 5 * S, 1);
	history_add(h, ZERO + 2 * 86400 * S, 2);	/* leaps two days */
	history_column(h, ZERO, ZERO + 60 * S, &c);
	ck_assert_uint_eq(c.count, 1);
	history_add(h, ZERO + far, 3);
	history_column(h, ZERO + far, ZERO + far + ROW, &c);
	ck_assert_uint_eq(c.count, 1);
	history_column(h, ZERO, ZERO + 60 * S, &c);
	ck_assert(!c.known);
	history_column(h, ZERO, ZERO + far + S, &c);
	ck_assert_uint_eq(c.count, 1);
	history_free(h);
}
END_TEST

START_TEST(a_short_history_keeps_maxima_after_its_15_minutes)
{
	struct history *h = history_new(HISTORY_SHORT, ZERO);
	struct column c;

	for (int64_t t = 0; t < 2000 * S; t += S / 10)
		history_add(h, ZERO + t, 1000 + t / S);
	history_column(h, ZERO + 1900 * S, ZERO + 1910 * S, &c);
	ck_assert_uint_eq(c.count, 100);
	ck_assert_uint_eq(c.counts[slot_of(2900)], 100);
	history_column(h, ZERO + 100 * S, ZERO + 101 * S, &c);
	ck_assert(c.known);
	ck_assert_int_eq(c.max_ns, 1100);
	ck_assert_uint_eq(c.count, 10);
	ck_assert_uint_gt(c.low, c.high);
	ck_assert_uint_lt(history_bytes(h), 850 << 10);
	history_free(h);
}
END_TEST

START_TEST(maxima_alone_cost_little)
{
	struct history *h = history_new(HISTORY_MAXIMA, ZERO);
	struct column c;

	for (int64_t t = 0; t < 1000 * S; t += S / 10)
		history_add(h, ZERO + t, 1000 + t / S);
	history_column(h, ZERO + 950 * S, ZERO + 952 * S, &c);
	ck_assert_int_eq(c.max_ns, 1951);
	ck_assert_uint_eq(c.count, 20);
	history_column(h, ZERO + 10 * S, ZERO + 11 * S, &c);
	ck_assert(!c.known);
	ck_assert_uint_lt(history_bytes(h), 24 << 10);
	history_free(h);
}
END_TEST

START_TEST(a_restart_forgets_all)
{
	struct history *h = history_new(HISTORY_FULL, ZERO);
	struct column c;

	for (int64_t t = 0; t < 1000 * S; t += S / 4)
		history_add(h, ZERO + t, 5);
	history_restart(h, ZERO + 3 * S);
	history_column(h, ZERO, ZERO + 2000 * S, &c);
	ck_assert_uint_eq(c.count, 0);
	history_add(h, ZERO + 3 * S, 7);
	history_column(h, ZERO + 3 * S, ZERO + 3 * S + ROW, &c);
	ck_assert_uint_eq(c.count, 1);
	ck_assert_uint_eq(c.counts[7], 1);
	history_free(h);
}
END_TEST

Suite *history_suite(void);

Suite *history_suite(void)
{
	Suite *s = suite_create("history");
	TCase *tc = tcase_create("columns");

	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, a_column_is_the_merge_of_its_samples, 0, ZOOMS);
	tcase_add_test(tc, any_span_of_whole_rows_is_exact);
	tcase_add_test(tc, coarser_tiers_add_up_to_the_same_totals);
	tcase_add_test(tc, the_promised_reach_is_kept_at_80_bytes_a_row);
	tcase_add_test(tc, memory_stays_bounded_whatever_comes);
	tcase_add_test(tc, a_column_finer_than_its_row_shows_that_row);
	tcase_add_test(tc, a_late_comer_is_filed_by_its_time_or_counted);
	tcase_add_test(tc, before_zero_and_beyond_the_end);
	tcase_add_test(tc, lost_periods_and_flags_follow_the_rows_up);
	tcase_add_test(tc, huge_counts_survive_the_sparse_form);
	tcase_add_test(tc, a_leap_over_years_keeps_what_was_and_ends);
	tcase_add_test(tc, a_short_history_keeps_maxima_after_its_15_minutes);
	tcase_add_test(tc, maxima_alone_cost_little);
	tcase_add_test(tc, a_restart_forgets_all);
	suite_add_tcase(s, tc);
	return s;
}
