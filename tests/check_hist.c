/*
 * check_hist.c - the histogram, checked against the formulas of its layout and
 * against a plain list of the values.
 *
 * Geometry: m = ceil(log2(2 * 10^digits)) bits index a bucket.  Bucket 0 has
 * 2^m slots of 1 ns; each further bucket doubles range and slot width and uses
 * only its upper half, so that buckets + 1 halves are stored.
 */
#include <check.h>
#include <math.h>
#include <stdlib.h>

#include "src/hist.h"

#define HOUR_NS HIST_HIGHEST_NS

static uint64_t sum_of_slots(const struct hist *h)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < h->slots; i++)
		sum += h->counts[i];
	return sum;
}

static void check_invariants(const struct hist *h)
{
	ck_assert_uint_eq(sum_of_slots(h), h->count);
	for (unsigned i = 0; i < h->slots; i++) {
		if (h->counts[i]) {
			ck_assert_uint_ge(i, h->low);
			ck_assert_uint_le(i, h->high);
		}
	}
	if (h->count == 0)
		ck_assert_uint_gt(h->low, h->high);
	else
		ck_assert(h->counts[h->low] && h->counts[h->high]);
	ck_assert_uint_le(h->early + h->over, h->count);
	ck_assert_int_le(h->min_ns, h->max_ns);
}

/* A value between 0 and about 2^top, all magnitudes alike. */
static int64_t random_value(unsigned top)
{
	uint64_t bits = ((uint64_t)(unsigned)rand() << 31 | (unsigned)rand()) << 1;

	return (int64_t)(bits >> (64 - 1 - (unsigned)rand() % top));
}

/* ---- geometry ------------------------------------------------------------ */

static const struct { unsigned digits, sub_bits, slots; } sizes[] = {
	{ 1, 5, (38 + 1) * 16 }, { 2, 8, (35 + 1) * 128 }, { 3, 11, 33792 },
};

START_TEST(sizes_are_those_of_the_published_layout)
{
	struct hist *h = hist_new(sizes[_i].digits);

	ck_assert_uint_eq(h->sub_bits, sizes[_i].sub_bits);
	ck_assert_uint_eq(h->slots, sizes[_i].slots);
	hist_free(h);
}
END_TEST

START_TEST(other_digits_are_refused)
{
	ck_assert_ptr_null(hist_new(0));
	ck_assert_ptr_null(hist_new(4));
	hist_free(NULL);
}
END_TEST

static const struct { int64_t value; unsigned slot; int64_t lowest, highest; } known[] = {
	{ 0, 0, 0, 0 }, { 1, 1, 1, 1 }, { 1000, 1000, 1000, 1000 }, { 2047, 2047, 2047, 2047 },
	{ 2048, 2048, 2048, 2049 }, { 2049, 2048, 2048, 2049 }, { 4096, 3072, 4096, 4099 },
	{ 40960, 6400, 40960, 40991 }, { 40991, 6400, 40960, 40991 },
	{ -5, 0, 0, 0 }, { INT64_MIN, 0, 0, 0 },
};

START_TEST(known_values_have_known_slots)
{
	struct hist *h = hist_new(3);

	ck_assert_uint_eq(hist_slot(h, known[_i].value), known[_i].slot);
	ck_assert_int_eq(hist_slot_lowest(h, known[_i].slot), known[_i].lowest);
	ck_assert_int_eq(hist_slot_highest(h, known[_i].slot), known[_i].highest);
	hist_free(h);
}
END_TEST

START_TEST(slots_tile_the_range_without_gap_or_overlap)
{
	struct hist *h = hist_new((unsigned)_i);
	double error = pow(10, -_i);

	for (unsigned i = 0; i < h->slots; i++) {
		int64_t low = hist_slot_lowest(h, i), high = hist_slot_highest(h, i);

		ck_assert_int_le(low, high);
		ck_assert_int_eq(low, i ? hist_slot_highest(h, i - 1) + 1 : 0);
		ck_assert((double)(high - low) <= error * (double)(low ? low : 1));
		if (high <= HOUR_NS) {
			ck_assert_uint_eq(hist_slot(h, low), i);
			ck_assert_uint_eq(hist_slot(h, high), i);
		}
	}
	ck_assert_uint_lt(hist_slot(h, HOUR_NS), h->slots);
	ck_assert_uint_eq(hist_slot(h, INT64_MAX), hist_slot(h, HOUR_NS));
	hist_free(h);
}
END_TEST

/* ---- recording ----------------------------------------------------------- */

START_TEST(a_value_lies_within_the_bounds_of_its_slot)
{
	struct hist *h = hist_new(3);

	hist_record(h, 37);
	ck_assert_uint_eq(h->counts[hist_slot(h, 37)], 1);
	ck_assert_int_eq(h->max_ns, 37);
	ck_assert_int_eq(h->min_ns, 37);
	check_invariants(h);
	hist_free(h);
}
END_TEST

START_TEST(early_and_over_are_inside_the_count)
{
	struct hist *h = hist_new(3);

	hist_record(h, -5);
	ck_assert_uint_eq(h->early, 1);
	ck_assert_uint_eq(h->counts[0], 1);
	hist_record(h, 900);
	ck_assert_int_eq(h->max_ns, 900);
	ck_assert_int_eq(h->min_ns, 0);
	hist_record(h, 3599 * INT64_C(1000000000));
	ck_assert_uint_eq(h->over, 0);
	hist_record(h, HOUR_NS);
	ck_assert_uint_eq(h->over, 0);
	hist_record(h, 2 * HOUR_NS);
	ck_assert_uint_eq(h->over, 1);
	ck_assert_int_eq(h->max_ns, 2 * HOUR_NS);
	ck_assert_uint_eq(h->counts[hist_slot(h, HOUR_NS)], 2);
	ck_assert_uint_eq(h->count, 5);
	hist_record(h, INT64_MAX);
	hist_record(h, INT64_MIN);
	ck_assert_int_eq(h->max_ns, INT64_MAX);
	ck_assert_int_eq(h->min_ns, 0);
	check_invariants(h);
	hist_free(h);
}
END_TEST

START_TEST(beyond_32_bits_is_the_right_slot)
{
	struct hist *h = hist_new(3);
	const int64_t value = 3000 * INT64_C(1000000000);

	hist_record(h, value);
	ck_assert_int_ge(hist_percentile(h, 50), value);
	ck_assert_int_le(hist_percentile(h, 50), value + value / 1000);
	hist_free(h);
}
END_TEST

START_TEST(recording_n_is_recording_n_times)
{
	struct hist *a = hist_new(3), *b = hist_new(3);

	for (int i = 0; i < 7; i++)
		hist_record(a, 12345);
	hist_record_n(b, 12345, 7);
	hist_record_n(b, 99, 0);
	ck_assert_uint_eq(a->count, b->count);
	ck_assert_int_eq(a->min_ns, b->min_ns);
	ck_assert_double_eq(hist_mean(a), hist_mean(b));
	ck_assert_double_eq(hist_mean(a), 12345);
	check_invariants(b);
	hist_free(a);
	hist_free(b);
}
END_TEST

START_TEST(a_cleared_histogram_is_a_new_one)
{
	struct hist *h = hist_new(3);

	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < 1000; i++)
			hist_record(h, random_value(42) - 10);
		hist_clear(h);
		check_invariants(h);
		ck_assert_uint_eq(h->count + h->early + h->over, 0);
		ck_assert_int_eq(h->max_ns, 0);
		ck_assert_double_eq(hist_mean(h), 0);
	}
	hist_free(h);
}
END_TEST

/* ---- sums ---------------------------------------------------------------- */

static void fill(struct hist *h, struct hist *both, int n)
{
	while (n--) {
		int64_t v = random_value(44) - 3;

		hist_record(h, v);
		hist_record(both, v);
	}
}

static void assert_same(const struct hist *a, const struct hist *b)
{
	ck_assert_uint_eq(a->count, b->count);
	ck_assert_uint_eq(a->early, b->early);
	ck_assert_uint_eq(a->over, b->over);
	ck_assert_int_eq(a->min_ns, b->min_ns);
	ck_assert_int_eq(a->max_ns, b->max_ns);
	ck_assert_mem_eq(a->counts, b->counts, a->slots * sizeof(*a->counts));
	ck_assert_double_eq_tol(hist_mean(a) / hist_mean(b), 1, 1e-9);
}

START_TEST(adding_is_recording_everything_in_one)
{
	struct hist *a = hist_new(3), *b = hist_new(3), *both = hist_new(3), *sum = hist_new(3);

	fill(a, both, 500);
	fill(b, both, 700);
	hist_add(sum, a);
	hist_add(sum, b);
	check_invariants(sum);
	assert_same(sum, both);
	hist_clear(b);
	hist_add(sum, b);
	assert_same(sum, both);
	hist_free(a);
	hist_free(b);
	hist_free(both);
	hist_free(sum);
}
END_TEST

START_TEST(taking_away_leaves_the_other_part)
{
	struct hist *a = hist_new(3), *b = hist_new(3), *both = hist_new(3);

	fill(a, both, 300);
	fill(b, both, 300);
	hist_subtract(both, a);
	check_invariants(both);
	ck_assert_uint_eq(both->count, b->count);
	ck_assert_uint_eq(both->early, b->early);
	ck_assert_uint_eq(both->over, b->over);
	ck_assert_mem_eq(both->counts, b->counts, b->slots * sizeof(*b->counts));
	ck_assert_int_le(both->min_ns, b->min_ns);
	ck_assert_int_ge(both->max_ns, b->max_ns);
	ck_assert_uint_eq(both->low, b->low);
	ck_assert_uint_eq(both->high, b->high);
	hist_subtract(both, b);
	check_invariants(both);
	ck_assert_uint_eq(both->count, 0);
	ck_assert_int_eq(both->max_ns, 0);
	hist_free(a);
	hist_free(b);
	hist_free(both);
}
END_TEST

START_TEST(other_digits_keep_the_count_and_never_show_low)
{
	struct hist *fine = hist_new(3), *coarse = hist_new(2), *both = hist_new(3);

	fill(fine, both, 2000);
	hist_add(coarse, fine);
	check_invariants(coarse);
	ck_assert_uint_eq(coarse->count, fine->count);
	ck_assert_uint_eq(coarse->over, fine->over);
	ck_assert_int_eq(coarse->max_ns, fine->max_ns);
	for (double p = 1; p <= 100; p++)
		ck_assert_int_ge(hist_percentile(coarse, p), hist_percentile(fine, p));
	hist_free(fine);
	hist_free(coarse);
	hist_free(both);
}
END_TEST

/* ---- the corrected view -------------------------------------------------- */

START_TEST(a_late_sample_stands_for_those_it_held_up)
{
	struct hist *raw = hist_new(3), *view = hist_new(3);

	hist_record(raw, 340);
	hist_add_corrected(view, raw, 100);
	ck_assert_uint_eq(view->count, 3);
	ck_assert_uint_eq(view->counts[hist_slot(view, 140)], 1);
	ck_assert_uint_eq(view->counts[hist_slot(view, 240)], 1);
	ck_assert_uint_eq(view->counts[hist_slot(view, 340)], 1);
	check_invariants(view);
	hist_free(raw);
	hist_free(view);
}
END_TEST

static const struct { int64_t value, period; uint64_t count; } corrected[] = {
	{ 10500000, 1000000, 10 },	/* a 10.5 ms stall at 1 kHz: the sample and 9 more */
	{ 999999, 1000000, 1 }, { 1999, 1000, 1 }, { 2000, 1000, 2 }, { 5, 0, 1 }, { -3, 1, 1 },
};

START_TEST(corrected_counts)
{
	struct hist *raw = hist_new(3), *view = hist_new(3);

	hist_record(raw, corrected[_i].value);
	hist_add_corrected(view, raw, corrected[_i].period);
	ck_assert_uint_eq(view->count, corrected[_i].count);
	check_invariants(view);
	hist_free(raw);
	hist_free(view);
}
END_TEST

/* Taking many periods at once must give what single steps give. */
START_TEST(strides_give_what_single_steps_give)
{
	struct hist *raw = hist_new(3), *view = hist_new(3), *slow = hist_new(3);
	const int64_t period = 100000;

	srand((unsigned)_i);
	hist_record_n(raw, random_value(36), 3);
	hist_record(raw, random_value(36));
	for (unsigned i = raw->low; i <= raw->high; i++) {
		for (int64_t v = hist_slot_highest(raw, i); raw->counts[i] && v >= period;) {
			v -= period;
			if (v >= period)
				hist_record_n(slow, v, raw->counts[i]);
		}
	}
	hist_add(slow, raw);
	hist_add_corrected(view, raw, period);
	ck_assert_uint_eq(view->count, slow->count);
	ck_assert_int_eq(view->min_ns, slow->min_ns);
	ck_assert_mem_eq(view->counts, slow->counts, view->slots * sizeof(*view->counts));
	ck_assert_double_eq_tol(hist_mean(view) / hist_mean(slow), 1, 1e-6);
	hist_free(raw);
	hist_free(view);
	hist_free(slow);
}
END_TEST

START_TEST(an_hour_late_is_corrected_at_once)
{
	struct hist *raw = hist_new(3), *view = hist_new(3);

	hist_record(raw, HOUR_NS);
	hist_add_corrected(view, raw, 100000);
	ck_assert_uint_eq(view->count, (uint64_t)(HOUR_NS / 100000));
	hist_free(raw);
	hist_free(view);
}
END_TEST

/* ---- percentiles --------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

START_TEST(percentiles_are_those_of_the_sorted_list)
{
	static const double percents[] = { 0.1, 25, 50, 90, 99, 99.9, 99.99, 100 };
	enum { NR = sizeof(percents) / sizeof(percents[0]), VALUES = 1000 };
	struct hist *h = hist_new(3);
	int64_t values[VALUES], out[NR];

	srand((unsigned)_i);
	for (int i = 0; i < VALUES; i++) {
		values[i] = random_value(41);
		hist_record(h, values[i]);
	}
	qsort(values, VALUES, sizeof(values[0]), by_value);
	hist_percentiles(h, percents, out, NR);
	for (int i = 0; i < NR; i++) {
		int rank = (int)ceil(percents[i] * VALUES / 100 - 1e-6);
		int64_t exact = values[rank - 1];

		ck_assert_int_eq(out[i], hist_slot_highest(h, hist_slot(h, exact)));
		ck_assert_int_eq(out[i], hist_percentile(h, percents[i]));
	}
	hist_free(h);
}
END_TEST

START_TEST(an_empty_histogram_has_no_percentile)
{
	struct hist *h = hist_new(3);

	ck_assert_int_eq(hist_percentile(h, 50), 0);
	ck_assert_int_eq(hist_percentile(h, 100), 0);
	ck_assert_uint_eq(hist_count_above(h, 0), 0);
	hist_free(h);
}
END_TEST

START_TEST(counts_above_a_limit)
{
	struct hist *h = hist_new(3);

	for (int v = 0; v < 2000; v++)
		hist_record(h, v);
	ck_assert_uint_eq(hist_count_above(h, 999), 1000);
	ck_assert_uint_eq(hist_count_above(h, -1), 2000);
	ck_assert_uint_eq(hist_count_above(h, 1999), 0);
	hist_free(h);
}
END_TEST

static const struct { uint64_t count; double percent; bool carries; } tails[] = {
	{ 100000, 99.99, true }, { 99999, 99.99, false }, { 10000, 99.9, true },
	{ 1000, 99, true }, { 999, 99, false }, { 20, 50, true }, { 19, 50, false },
	{ 0, 50, false }, { 1, 100, true }, { 0, 100, false },
};

START_TEST(a_percentile_needs_ten_samples_in_its_tail)
{
	ck_assert_int_eq(hist_carries(tails[_i].count, tails[_i].percent), tails[_i].carries);
}
END_TEST

#define ROWS(table) (int)(sizeof(table) / sizeof((table)[0]))

Suite *hist_suite(void);
Suite *hist_suite(void)
{
	Suite *s = suite_create("hist");
	TCase *geometry = tcase_create("geometry");
	TCase *record = tcase_create("record");
	TCase *read = tcase_create("read");

	tcase_add_loop_test(geometry, sizes_are_those_of_the_published_layout, 0, ROWS(sizes));
	tcase_add_test(geometry, other_digits_are_refused);
	tcase_add_loop_test(geometry, known_values_have_known_slots, 0, ROWS(known));
	tcase_add_loop_test(geometry, slots_tile_the_range_without_gap_or_overlap, 1, 4);
	suite_add_tcase(s, geometry);
	tcase_add_test(record, a_value_lies_within_the_bounds_of_its_slot);
	tcase_add_test(record, early_and_over_are_inside_the_count);
	tcase_add_test(record, beyond_32_bits_is_the_right_slot);
	tcase_add_test(record, recording_n_is_recording_n_times);
	tcase_add_test(record, a_cleared_histogram_is_a_new_one);
	tcase_add_test(record, adding_is_recording_everything_in_one);
	tcase_add_test(record, taking_away_leaves_the_other_part);
	tcase_add_test(record, other_digits_keep_the_count_and_never_show_low);
	suite_add_tcase(s, record);
	tcase_add_test(read, a_late_sample_stands_for_those_it_held_up);
	tcase_add_loop_test(read, corrected_counts, 0, ROWS(corrected));
	tcase_add_loop_test(read, strides_give_what_single_steps_give, 0, 10);
	tcase_add_test(read, an_hour_late_is_corrected_at_once);
	tcase_add_loop_test(read, percentiles_are_those_of_the_sorted_list, 0, 10);
	tcase_add_test(read, an_empty_histogram_has_no_percentile);
	tcase_add_test(read, counts_above_a_limit);
	tcase_add_loop_test(read, a_percentile_needs_ten_samples_in_its_tail, 0, ROWS(tails));
	suite_add_tcase(s, read);
	return s;
}
