/* check_blamed.c - a copy of a table is the table, and what is taken away
 * leaves exactly what came since. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/format.h"
#include "src/load.h"
#include "src/snapshot_build.h"
#include "tests/fake_snapshot.h"
#include "tests/loop_assert.h"

extern const struct format format_json;

#define KEPT 3		/* places for what is no name */

/* One spike held by one task and by what is not known. */
static void spike(struct blamed *table, unsigned *nr, unsigned task, int64_t ns)
{
	struct blamed one = { .loads = BLAMED_ALL, .spikes = 1 };
	char name[20];

	snprintf(name, sizeof(name), "task%u", task);
	blamed_part(&one, name, ns);
	blamed_part(&one, BLAMED_UNKNOWN, 1);
	one.part[0].spikes = 1;
	blamed_add(table, nr, &one);
}

/* One that nobody looked at. */
static void unread(struct blamed *table, unsigned *nr, int64_t ns)
{
	struct blamed one = { .loads = BLAMED_ALL, .spikes = 1 };

	blamed_part(&one, BLAMED_UNREAD, ns);
	one.part[0].spikes = 1;
	blamed_add(table, nr, &one);
}

static void ck_same(const struct blamed *a, const struct blamed *b)
{
	ck_assert_str_eq(a->loads, b->loads);
	ck_assert_int_eq(a->ns, b->ns);
	ck_assert_uint_eq(a->spikes, b->spikes);
	ck_assert_uint_eq(a->parts, b->parts);
	for (unsigned i = 0; i < a->parts; i++) {
		ck_assert_str_eq(a->part[i].comm, b->part[i].comm);
		ck_assert_int_eq(a->part[i].ns, b->part[i].ns);
		ck_assert_uint_eq(a->part[i].spikes, b->part[i].spikes);
	}
}

static unsigned names_in(const struct blamed *b)
{
	unsigned n = 0;

	for (unsigned i = 0; i < b->parts; i++)
		n += !strncmp(b->part[i].comm, "task", 4);
	return n;
}

/* With fewer names than fit, just as many, and more. */
START_TEST(a_copy_is_the_table)
{
	struct blamed table[BLAMED_TABLES], copy[BLAMED_TABLES], again[BLAMED_TABLES];
	unsigned nr = 0, copies = 0, agains = 0, most = BLAMED_NAMES - KEPT;

	for (unsigned i = 0; i < (unsigned)_i; i++)
		spike(table, &nr, i, 1000 + i);
	blamed_add(copy, &copies, &table[0]);
	ck_same(&copy[0], &table[0]);
	blamed_add(again, &agains, &copy[0]);
	ck_same(&again[0], &table[0]);
	ck_assert_uint_eq(names_in(&copy[0]), (unsigned)_i < most ? (unsigned)_i : most);
}
END_TEST

#define TASKS 3000	/* more than any table holds */
#define LARGE 3		/* of these */

struct unbounded { int64_t ns[TASKS], all_ns; };

/* Of the time, these tasks hold 40 %, 15 % and 5 % in the second half, the rest is
 * of names that come and go, each time for longer than one of these at once. */
static unsigned any_task(struct load_rng *rng, bool late, int64_t *ns)
{
	unsigned at = (unsigned)load_rng_below(rng, 100);

	*ns = 100 + (int64_t)load_rng_below(rng, 100);
	if (late && at < 80)
		return at < 53 ? 0 : at < 73 ? 1 : 2;
	*ns *= 3;
	return LARGE + (unsigned)load_rng_below(rng, TASKS - LARGE);
}

static void ck_sums(const struct blamed *b)
{
	int64_t ns = 0;
	uint64_t spikes = 0;

	for (unsigned i = 0; i < b->parts; i++) {
		ns += b->part[i].ns;
		spikes += b->part[i].spikes;
	}
	ck_assert_int_eq(ns, b->ns);
	ck_assert_uint_eq(spikes, b->spikes);
	ck_assert_uint_le(b->parts, BLAMED_NAMES);
}

static const struct taken *part_of(const struct blamed *b, unsigned task)
{
	char name[20];

	snprintf(name, sizeof(name), "task%u", task);
	for (unsigned i = 0; i < b->parts; i++)
		if (!strcmp(b->part[i].comm, name))
			return &b->part[i];
	return NULL;
}

/* No name is told more than it held, none misses more than the share of one place,
 * and who held more than that is there. */
static void ck_against(const struct blamed *b, const struct unbounded *all)
{
	int64_t least = all->all_ns / BLAMED_LARGE + 1;

	ck_sums(b);
	for (unsigned i = 0; i < TASKS; i++) {
		const struct taken *t = part_of(b, i);

		loop_assert(t || all->ns[i] <= least);
		loop_assert(!t || t->ns <= all->ns[i]);
		loop_assert(!t || t->ns >= all->ns[i] - least);
	}
}

START_TEST(large_shares_have_names_whatever_came_before)
{
	static struct unbounded all;
	struct blamed table[BLAMED_TABLES];
	unsigned nr = 0, spikes = 6000;
	struct load_rng rng;

	all = (struct unbounded){ .all_ns = 0 };
	load_rng_seed(&rng, (uint64_t)_i + 1);
	for (unsigned i = 0; i < spikes; i++) {
		int64_t ns;
		unsigned task = any_task(&rng, i >= spikes / 2, &ns);

		spike(table, &nr, task, ns);
		all.ns[task] += ns;
		all.all_ns += ns;
	}
	ck_assert_uint_eq(table[0].spikes, spikes);
	ck_assert_int_eq(table[0].ns, all.all_ns + spikes);
	ck_against(&table[0], &all);
	for (unsigned i = 0; i < LARGE - 1; i++)
		ck_assert_ptr_nonnull(part_of(&table[0], i));
}
END_TEST

/* What is since is a part of the whole, though names went to the others between. */
START_TEST(what_came_since_is_never_more_than_came)
{
	static struct unbounded all;
	struct blamed table[BLAMED_TABLES], before;
	unsigned nr = 0;
	struct load_rng rng;
	int64_t ns;

	all = (struct unbounded){ .all_ns = 0 };
	load_rng_seed(&rng, (uint64_t)_i + 1);
	for (unsigned i = 0; i < 1000; i++) {
		unsigned task = any_task(&rng, false, &ns);

		spike(table, &nr, task, ns);
	}
	before = table[0];
	for (unsigned i = 0; i < 3000; i++) {
		unsigned task = any_task(&rng, i % 2, &ns);

		spike(table, &nr, task, ns);
		all.ns[task] += ns;
		all.all_ns += ns;
	}
	blamed_subtract(&table[0], &before);
	ck_sums(&table[0]);
	ck_assert_int_eq(table[0].ns, all.all_ns + 3000);
	ck_assert_uint_eq(table[0].spikes, 3000);
	for (unsigned i = 0; i < TASKS; i++) {
		const struct taken *t = part_of(&table[0], i);

		loop_assert(!t || t->ns <= all.ns[i]);
	}
	ck_assert_str_eq(table[0].part[1].comm, "task0");	/* after all others together */
}
END_TEST

/* What two tables have becomes one, as when a reset is undone. */
START_TEST(two_tables_of_many_names_add_up)
{
	static struct unbounded all;
	struct blamed table[2][BLAMED_TABLES];
	unsigned nr[2] = { 0 };
	struct load_rng rng;

	all = (struct unbounded){ .all_ns = 0 };
	load_rng_seed(&rng, (uint64_t)_i + 1);
	for (unsigned i = 0; i < 2000; i++) {
		int64_t ns;
		unsigned task = any_task(&rng, i % 2, &ns);

		spike(table[i / 1000], &nr[i / 1000], task, ns);
		all.ns[task] += ns;
		all.all_ns += ns;
	}
	blamed_add(table[0], &nr[0], &table[1][0]);
	ck_sums(&table[0][0]);
	ck_assert_int_eq(table[0][0].ns, all.all_ns + 2000);
	ck_assert_uint_eq(table[0][0].spikes, 2000);
	for (unsigned i = 0; i < LARGE - 1; i++)
		ck_assert_ptr_nonnull(part_of(&table[0][0], i));
}
END_TEST

/* A file may have more names than we make; nothing is written past the end. */
START_TEST(a_table_of_names_alone_fits)
{
	struct blamed table[BLAMED_TABLES], more = { .loads = BLAMED_ALL };
	unsigned nr = 0;

	for (unsigned i = 0; i < BLAMED_NAMES; i++) {
		snprintf(more.part[i].comm, sizeof(more.part[i].comm), "task%u", i);
		more.part[i].ns = 1;
	}
	more.parts = BLAMED_NAMES;
	more.ns = BLAMED_NAMES;
	blamed_add(table, &nr, &more);
	spike(table, &nr, 99, 5);
	ck_assert_uint_eq(table[0].parts, BLAMED_NAMES - 1);
	ck_assert_uint_eq(names_in(&table[0]), BLAMED_NAMES - KEPT);
	ck_assert_int_eq(table[0].ns, BLAMED_NAMES + 6);
	unread(table, &nr, 7);
	ck_assert_uint_eq(table[0].parts, BLAMED_NAMES);
	ck_assert_int_eq(table[0].ns, BLAMED_NAMES + 13);
	ck_assert_str_eq(table[0].part[0].comm, BLAMED_UNREAD);
	ck_assert_int_eq(table[0].part[0].ns, 7);
	ck_assert_uint_eq(table[0].part[0].spikes, 1);
}
END_TEST

/* Each step of a suite is the run less what it was before. */
START_TEST(what_came_since_is_exact_by_name)
{
	struct blamed table[BLAMED_TABLES], before[BLAMED_TABLES], now[BLAMED_TABLES];
	unsigned nr = 0, befores = 0, nows = 0;
	struct load_rng rng;

	load_rng_seed(&rng, (uint64_t)_i + 1);
	for (unsigned i = 0; i < BLAMED_NAMES - KEPT; i++)
		spike(table, &nr, i, 1 + (int64_t)load_rng_below(&rng, 5000));
	blamed_add(before, &befores, &table[0]);
	for (unsigned i = 0; i < 3; i++)
		spike(table, &nr, i, 199);
	blamed_add(now, &nows, &table[0]);
	blamed_subtract(&now[0], &before[0]);
	ck_assert_int_eq(now[0].ns, 600);
	ck_assert_uint_eq(now[0].spikes, 3);
	ck_assert_uint_eq(now[0].parts, 4);
	for (unsigned i = 0; i < 3; i++)
		ck_assert_int_eq(now[0].part[i].ns, 199);
	ck_assert_str_eq(now[0].part[3].comm, BLAMED_UNKNOWN);
}
END_TEST

START_TEST(a_full_table_comes_back_from_a_file)
{
	struct blamed table[BLAMED_TABLES];
	struct snapshot *a = fake_snapshot(1);
	struct why why = { 0, "" };
	unsigned nr = 0;
	size_t bytes;

	a->nr_blamed = 0;
	for (unsigned i = 0; i < 2 * BLAMED_NAMES; i++)
		spike(table, &nr, i, 1000 + i);
	ck_assert_int_eq(snapshot_add_blamed(a, &table[0]), 0);
	char *text = fake_write(&format_json, a, &bytes);
	struct snapshot *b = fake_read(&format_json, text, bytes, &why);

	ck_assert_msg(b && !snapshot_check(b, &why), "%s", why.text);
	ck_assert_uint_eq(b->nr_blamed, 1);
	ck_same(&b->blamed[0], &table[0]);
	free(text);
	snapshot_free(a);
	snapshot_free(b);
}
END_TEST

/* "others 100 %" beside no name says nothing. */
START_TEST(a_text_without_room_for_a_name_is_empty)
{
	struct blamed table[BLAMED_TABLES];
	unsigned nr = 0;
	char text[64];

	spike(table, &nr, 1, 99);
	ck_assert_uint_eq(blamed_text(&table[0], text, 30), 0);
	ck_assert_str_eq(text, "");
	ck_assert_uint_gt(blamed_text(&table[0], text, sizeof(text)), 0);
	ck_assert_str_eq(text, "task1 99 % (1), unknown 1 % (0)");
}
END_TEST

/* One word for all others: those of the table, those that are next to nothing. */
START_TEST(a_text_has_others_once_and_no_crumbs)
{
	struct blamed b = { .loads = "all", .ns = 100000, .spikes = 9, .parts = 5, .part = {
		{ "fork workers", 70000, 6, 0 }, { BLAMED_OTHERS, 27950, 1, 0 },
		{ "cc1", 2000, 0, 0 }, { "make", 20, 0, 0 }, { "sh", 30, 2, 0 } } };
	char text[200];

	ck_assert_uint_eq(blamed_text(&b, text, sizeof(text)), strlen(text));
	ck_assert_str_eq(text, "fork workers 70 % (6), cc1 2 % (0), sh 0.0 % (2), others 28 % (1)");
	b = (struct blamed){ .ns = 500, .spikes = 2, .parts = 1, .part = { { BLAMED_OTHERS, 500, 2, 0 } } };
	blamed_text(&b, text, sizeof(text));
	ck_assert_str_eq(text, "others 100 % (2)");
	b = (struct blamed){ .ns = 0 };
	ck_assert_uint_eq(blamed_text(&b, text, sizeof(text)), 0);
}
END_TEST

Suite *blamed_suite(void);
Suite *blamed_suite(void)
{
	Suite *s = suite_create("blamed");
	TCase *tc = tcase_create("tables");

	tcase_add_loop_test(tc, a_copy_is_the_table, 1, 2 * BLAMED_NAMES);
	tcase_add_test(tc, a_table_of_names_alone_fits);
	tcase_add_loop_test(tc, what_came_since_is_exact_by_name, 0, 20);
	tcase_add_loop_test(tc, large_shares_have_names_whatever_came_before, 0, 8);
	tcase_add_loop_test(tc, what_came_since_is_never_more_than_came, 0, 8);
	tcase_add_loop_test(tc, two_tables_of_many_names_add_up, 0, 8);
	tcase_add_test(tc, a_full_table_comes_back_from_a_file);
	tcase_add_test(tc, a_text_has_others_once_and_no_crumbs);
	tcase_add_test(tc, a_text_without_room_for_a_name_is_empty);
	suite_add_tcase(s, tc);
	return s;
}
