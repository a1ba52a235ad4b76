/* check_pairing.c - the n-th of a kind belongs to the n-th of that kind. */
#include <check.h>
#include <stdbool.h>
#include <stdlib.h>

#include "src/pairing.h"

static unsigned long asked;

static int by_number(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;

	asked++;
	return (x > y) - (x < y);
}

/* Word by word what pairing.h says. */
static unsigned searched(const int *from, unsigned at, const int *to, unsigned n)
{
	unsigned nth = 0;

	for (unsigned i = 0; i < at; i++)
		nth += from[i] == from[at];
	for (unsigned i = 0; i < n; i++)
		if (to[i] == from[at] && !nth--)
			return i;
	return PAIRING_NONE;
}

START_TEST(sorting_finds_what_searching_does)
{
	int from[60], to[60];
	unsigned match[60], first[60];
	unsigned n = (unsigned)_i % 61, m = (unsigned)_i * 7 % 61;

	srand((unsigned)_i);
	for (unsigned i = 0; i < n; i++)
		from[i] = rand() % 12;
	for (unsigned i = 0; i < m; i++)
		to[i] = rand() % 12;
	struct pairing_list a = { from, n, sizeof(int) }, b = { to, m, sizeof(int) };

	ck_assert_int_eq(pairing_make(&a, &b, by_number, match), 0);
	ck_assert_int_eq(pairing_firsts(&a, by_number, first), 0);
	for (unsigned i = 0; i < n; i++) {
		unsigned k = 0;

		ck_assert_uint_eq(match[i], searched(from, i, to, m));
		while (from[k] != from[i])
			k++;
		ck_assert_uint_eq(first[i], k);
	}
}
END_TEST

START_TEST(a_long_list_is_no_longer_work_than_sorting_it)
{
	enum { N = 50000 };
	int *from = calloc(N, sizeof(*from));
	unsigned *match = calloc(N, sizeof(*match));
	struct pairing_list a = { from, N, sizeof(int) };

	for (int i = 0; i < N; i++)
		from[i] = _i ? i % 7 : i * 31 % N;
	asked = 0;
	ck_assert_int_eq(pairing_make(&a, &a, by_number, match), 0);
	for (unsigned i = 0; i < N; i++)
		ck_assert_uint_eq(match[i], i);
	ck_assert_uint_lt(asked, 100ul * N);
	free(from);
	free(match);
}
END_TEST

Suite *pairing_suite(void);

Suite *pairing_suite(void)
{
	Suite *s = suite_create("pairing");
	TCase *c = tcase_create("pairs");

	tcase_add_loop_test(c, sorting_finds_what_searching_does, 0, 200);
	tcase_add_loop_test(c, a_long_list_is_no_longer_work_than_sorting_it, 0, 2);
	suite_add_tcase(s, c);
	return s;
}
