/* check_window.c - the last ten seconds, exact: against a list of samples. */
#include <check.h>
#include <stdlib.h>

#include "src/clock.h"
#include "src/window.h"
#include "src/slots.h"

#define S NS_PER_S
#define ZERO (5 * S + 77)

static uint64_t state = 3;

static uint64_t next(void)
{
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return state >> 33;
}

static void same(const struct hist *a, const struct hist *b)
{
	ck_assert_uint_eq(a->count, b->count);
	ck_assert_uint_eq(a->early, b->early);
	ck_assert_uint_eq(a->over, b->over);
	ck_assert_int_eq(a->min_ns, b->min_ns);
	ck_assert_int_eq(a->max_ns, b->max_ns);
	ck_assert_double_eq(a->sum_ns, b->sum_ns);
	ck_assert_uint_eq(a->low, b->low);
	ck_assert_uint_eq(a->high, b->high);
	ck_assert_mem_eq(a->counts, b->counts, a->slots * sizeof(*a->counts));
}

START_TEST(it_is_the_histogram_of_the_last_ten_seconds)
{
	struct hist *now = hist_new(3), *want = hist_new(3);
	struct window *w = window_new(now, 1000);
	enum { N = 30000 };
	int64_t *t = calloc(N, sizeof(*t)), *v = calloc(N, sizeof(*v));

	window_start(w, ZERO);
	for (int i = 0; i < N; i++) {
		t[i] = ZERO + i * NS_PER_MS + (int64_t)(next() % 1000);
		v[i] = (int64_t)(next() % (UINT64_C(1) << (4 + next() % 40))) - 3;
		window_add(w, t[i], v[i]);
		if (i % 997)
			continue;
		int64_t first = (t[i] - ZERO) / S - 9;

		hist_clear(want);
		for (int k = 0; k <= i; k++)
			if ((t[k] - ZERO) / S >= first)
				hist_record(want, v[k]);
		same(now, want);
	}
	window_advance(w, t[N - 1] + 20 * S);
	ck_assert_uint_eq(now->count, 0);
	ck_assert_int_eq(now->max_ns, 0);
	free(t);
	free(v);
	window_free(w);
	hist_free(now);
	hist_free(want);
}
END_TEST

START_TEST(samples_without_a_time_expire_too)
{
	struct hist *now = hist_new(3);
	struct window *w = window_new(now, 1000);

	window_start(w, ZERO);
	window_add(w, ZERO, 1000);
	window_add_slot(w, slot_of(5000), 1000000, 4999);
	ck_assert_uint_eq(now->count, 1000001);
	ck_assert_int_eq(now->max_ns, 4999);
	window_advance(w, ZERO + 9 * S);
	ck_assert_uint_eq(now->count, 1000001);
	window_advance(w, ZERO + 10 * S);
	ck_assert_uint_eq(now->count, 0);
	window_free(w);
	hist_free(now);
}
END_TEST

START_TEST(more_than_promised_costs_the_oldest_second)
{
	struct hist *now = hist_new(3);
	struct window *w = window_new(now, 10);

	window_start(w, ZERO);
	for (int64_t i = 0; i < 10000; i++)
		window_add(w, ZERO + i * NS_PER_MS, 50);
	ck_assert_uint_gt(now->count, 0);
	ck_assert_uint_le(now->count, 1024);
	window_advance(w, ZERO + 30 * S);
	ck_assert_uint_eq(now->count, 0);
	window_free(w);
	hist_free(now);
}
END_TEST

Suite *window_suite(void);
Suite *window_suite(void)
{
	Suite *s = suite_create("window");
	TCase *tc = tcase_create("window");

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, it_is_the_histogram_of_the_last_ten_seconds);
	tcase_add_test(tc, samples_without_a_time_expire_too);
	tcase_add_test(tc, more_than_promised_costs_the_oldest_second);
	suite_add_tcase(s, tc);
	return s;
}
