/* check_chase.c - the walk through memory: whole, and not to be foreseen. */
#include <check.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "src/suites/chase.h"
#include "src/sysinfo.h"

static int by_value(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* How often the most frequent value occurs. */
static unsigned commonest(int64_t *value, unsigned n)
{
	unsigned most = 0, run = 0;

	qsort(value, n, sizeof(*value), by_value);
	for (unsigned i = 0; i < n; i++) {
		run = i && value[i] == value[i - 1] ? run + 1 : 1;
		most = run > most ? run : most;
	}
	return most;
}

static const unsigned items[] = { 4, 128, 4096, 65536 };
static _Atomic bool go_on;	/* never to stop */

START_TEST(the_walk_comes_by_every_item_once)
{
	unsigned n = items[_i], steps = 0;
	char *base = malloc((size_t)n * CHASE_STRIDE);
	bool *seen = calloc(n, sizeof(*seen));
	void **p = (void **)base;

	ck_assert(chase_link(base, (uint64_t)n * CHASE_STRIDE, &go_on));
	do {
		size_t item = (size_t)((char *)p - base) / CHASE_STRIDE;

		ck_assert_uint_lt(item, n);
		ck_assert(!seen[item]);
		seen[item] = true;
		p = *p;
		steps++;
	} while (p != (void **)base);
	ck_assert_uint_eq(steps, n);
	free(base);
	free(seen);
}
END_TEST

START_TEST(there_is_no_walk_where_it_was_told_to_stop)
{
	char base[8 * CHASE_STRIDE];
	_Atomic bool stop = true;

	ck_assert(!chase_link(base, sizeof(base), &stop));
}
END_TEST

/* A constant step makes one distance of nearly all; so would a few in turns. */
START_TEST(no_distance_is_common)
{
	unsigned n = 65536;
	char *base = malloc((size_t)n * CHASE_STRIDE);
	int64_t *distance = malloc(n * sizeof(*distance));
	void **p = (void **)base;

	ck_assert(chase_link(base, (uint64_t)n * CHASE_STRIDE, &go_on));
	for (unsigned i = 0; i < n; i++) {
		distance[i] = (char *)*p - (char *)p;
		p = *p;
	}
	ck_assert_uint_lt(commonest(distance, n), n / 100);
	free(base);
	free(distance);
}
END_TEST

/* ---- sizes ---- */

static char root[] = "/tmp/jstest-chase-XXXXXX";

static void put(unsigned cache, const char *level, const char *type, const char *size)
{
	char command[400];

	snprintf(command, sizeof(command), "d=%s/sys/devices/system/cpu/cpu0/cache/index%u;"
		 "mkdir -p $d; echo %s >$d/level; echo %s >$d/type; echo %s >$d/size", root, cache,
		 level, type, size);
	ck_assert_int_eq(system(command), 0);
}

static void setup(void)
{
	ck_assert_ptr_nonnull(mkdtemp(root));
	sysinfo_set_root(root);
}

static void teardown(void)
{
	char command[80];

	snprintf(command, sizeof(command), "rm -rf %s", root);
	ck_assert_int_eq(system(command), 0);
	sysinfo_set_root("");
}

START_TEST(a_walk_fits_its_cache_and_leaves_the_ones_before)
{
	uint64_t kb = 1024, any = UINT64_MAX;

	put(0, "1", "Instruction", "64K");
	put(1, "1", "Data", "48K");
	put(2, "2", "Unified", "2048K");
	put(3, "3", "Unified", "266240K");
	ck_assert_uint_eq(chase_cache_bytes(1), 48 * kb);
	ck_assert_uint_eq(chase_bytes(CHASE_L1, any), 16 * kb);
	ck_assert_uint_eq(chase_bytes(CHASE_L2, any), 1024 * kb);
	ck_assert_uint_ge(chase_bytes(CHASE_MEMORY, any), 2 * 266240 * kb);
	ck_assert_uint_eq(chase_bytes(CHASE_MEMORY, 100 * 1024 * kb), 64 * 1024 * kb);
}
END_TEST

START_TEST(without_a_word_about_caches_there_are_sizes_too)
{
	uint64_t l1 = chase_bytes(CHASE_L1, UINT64_MAX), l2 = chase_bytes(CHASE_L2, UINT64_MAX);

	ck_assert_uint_eq(chase_cache_bytes(1), 0);
	ck_assert_uint_le(l1, 16 * 1024);
	ck_assert_uint_ge(l2, 4 * l1);
	ck_assert_uint_ge(chase_bytes(CHASE_MEMORY, UINT64_MAX), 64 * 1024 * 1024);
}
END_TEST

Suite *chase_suite(void);
Suite *chase_suite(void)
{
	Suite *s = suite_create("chase");
	TCase *walk = tcase_create("walk"), *sizes = tcase_create("sizes");

	tcase_add_loop_test(walk, the_walk_comes_by_every_item_once, 0, 4);
	tcase_add_test(walk, there_is_no_walk_where_it_was_told_to_stop);
	tcase_add_test(walk, no_distance_is_common);
	tcase_add_checked_fixture(sizes, setup, teardown);
	tcase_add_test(sizes, a_walk_fits_its_cache_and_leaves_the_ones_before);
	tcase_add_test(sizes, without_a_word_about_caches_there_are_sizes_too);
	suite_add_tcase(s, walk);
	suite_add_tcase(s, sizes);
	return s;
}
