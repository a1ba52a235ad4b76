/*
 * check_blame_gather.c - what a spike keeps: tasks of one name are one culprit
 * before the cut, and the parts are the whole.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/blame_gather.h"
#include "src/clock.h"

#define SAMPLER 50
#define US 1000

static struct model *m;
static struct blame_result r;
static struct blame_gathered g;
static char name[BLAME_SHARES][BLAME_NAME];
static struct spike s;

static void set_up(void)
{
	const struct model_spec spec = { .loads = 1, .digits = 3, .start_ns = 1 };

	m = model_new(&spec);
	snprintf(m->loads[0].name, sizeof(m->loads[0].name), "fork");
	m->loads[0].state = LOAD_RUN;
	r = (struct blame_result){ .nr = 0 };
	s = (struct spike){ .cpu = 0 };
}

static void tear_down(void)
{
	model_free(m);
}

static void share(enum blame_who who, int id, const char *called, int64_t ns)
{
	r.share[r.nr] = (struct blame_share){ .who = who, .id = id, .ns = ns };
	snprintf(name[r.nr++], BLAME_NAME, "%s", called);
	s.late_ns += ns;
}

static int by_size(const void *a, const void *b)
{
	const struct blame_entry *x = a, *y = b;

	return (x->ns < y->ns) - (x->ns > y->ns);
}

static void gather(void)
{
	const struct blame_window w = { .due_ns = NS_PER_S, .woke_ns = NS_PER_S + s.late_ns,
					.sampler_tid = SAMPLER };
	int64_t entries_ns = 0, culprits_ns = 0;

	blame_gather(m, &w, &r, name, &g);
	blame_gather_spike(&g, &s);
	for (unsigned i = 0; i < g.nr; i++) {
		entries_ns += g.entry[i].ns;
		if (i)
			ck_assert_int_le(by_size(&g.entry[i - 1], &g.entry[i]), 0);
	}
	for (unsigned i = 0; i < s.nr; i++)
		culprits_ns += s.culprit[i].ns;
	ck_assert_uint_le(s.nr, SPIKE_CULPRITS);
	ck_assert_int_eq(entries_ns, s.late_ns);
	ck_assert_int_eq(culprits_ns, s.late_ns);
}

static void is(unsigned at, int pid, const char *comm, int64_t ns)
{
	ck_assert_uint_lt(at, s.nr);
	ck_assert_str_eq(s.culprit[at].comm, comm);
	ck_assert_int_eq(s.culprit[at].pid, pid);
	ck_assert_int_eq(s.culprit[at].ns, ns);
}

/* Each is smaller than the two that are alone. */
START_TEST(workers_of_a_load_are_one_culprit_before_the_cut)
{
	share(BLAME_TASK, 7, "bash", 30 * US);
	share(BLAME_TASK, 8, "make", 25 * US);
	for (int i = 0; i < 32; i++)
		share(BLAME_TASK, 100 + i, i % 2 ? "js-fork" : "js-fork~", 20 * US);
	gather();
	ck_assert_uint_eq(s.nr, 3);
	is(0, -1, "fork workers", 640 * US);
	is(1, 7, "bash", 30 * US);
	is(2, 8, "make", 25 * US);
}
END_TEST

START_TEST(tasks_of_one_name_are_one_culprit)
{
	share(BLAME_TASK, 7, "cc1", 30 * US);
	share(BLAME_TASK, 8, "kworker/0:1-ev", 25 * US);
	share(BLAME_TASK, 9, "kworker/u4:2", 20 * US);
	share(BLAME_TASK, 10, "cc1", 10 * US);
	share(BLAME_TASK, 11, "tid 11 (gone)", 3 * US);
	share(BLAME_TASK, 12, "tid 12 (gone)", 2 * US);
	gather();
	ck_assert_uint_eq(s.nr, 3);
	is(0, -1, "kworker", 45 * US);
	is(1, -1, "cc1", 40 * US);
	is(2, -1, "(gone)", 5 * US);
}
END_TEST

START_TEST(one_task_keeps_its_name_and_number)
{
	share(BLAME_TASK, 8, "kworker/0:1-ev", 25 * US);
	share(BLAME_TASK, 9, "js-fork", 20 * US);
	share(BLAME_TASK, BLAME_ANY, "many", 15 * US);
	share(BLAME_IRQ, 24, "irq 24 virtio", 10 * US);
	gather();
	is(0, 8, "kworker/0:1-ev", 25 * US);
	is(1, 9, "js-fork", 20 * US);
	is(2, -1, "many", 15 * US);
	is(3, -1, "irq 24 virtio", 10 * US);
}
END_TEST

START_TEST(idle_and_the_sampler_stay_apart_from_tasks_of_that_name)
{
	share(BLAME_TASK, 0, "idle", 25 * US);
	share(BLAME_TASK, 9, "idle", 20 * US);
	share(BLAME_TASK, SAMPLER, "itself: IRQ or host", 15 * US);
	gather();
	ck_assert_uint_eq(s.nr, 3);
	is(0, 0, "idle", 25 * US);
	is(1, 9, "idle", 20 * US);
	is(2, SAMPLER, "itself: IRQ or host", 15 * US);
}
END_TEST

/* Six names fit; a seventh, or what has no name, takes the place of the last. */
START_TEST(only_what_is_small_is_others)
{
	static const char *const names[] = { "a", "b", "c", "d", "e", "f", "g", "h" };
	unsigned nr = (unsigned)_i % 9, rest = (unsigned)_i / 9;

	for (unsigned i = 0; i < nr; i++)
		share(BLAME_TASK, 10 + (int)i, names[i], (100 - i) * US);
	if (rest & 1)
		share(BLAME_UNKNOWN, 0, "unknown", 300 * US);
	if (rest & 2) {
		share(BLAME_OTHERS, 0, "(others)", 200 * US);
		share(BLAME_TASK, 99, "(others)", 1 * US);
	}
	gather();
	unsigned most = SPIKE_CULPRITS - (rest & 1), lost = rest & 2 || nr > most;
	unsigned named = nr < most - lost ? nr : most - lost;

	ck_assert_uint_eq(s.nr, named + lost + (rest & 1));
	for (unsigned i = 0; i < named; i++)
		is(i, 10 + (int)i, names[i], (100 - i) * US);
	if (lost)
		ck_assert_str_eq(s.culprit[named].comm, "(others)");
	if (rest & 1)
		is(s.nr - 1, -1, "unknown", 300 * US);
}
END_TEST

START_TEST(any_shares_add_up)
{
	static const char *const names[] = { "js-fork", "sh", "kworker/1:2", "(others)",
					     "tid 9 (gone)", "js-fork~", "~", "" };

	srand((unsigned)_i);
	for (int n = rand() % 500; n > 0; n--)
		share((enum blame_who)(rand() % 5), rand() % 60, names[rand() % 8], rand() % US);
	gather();
}
END_TEST

Suite *blame_gather_suite(void);
Suite *blame_gather_suite(void)
{
	Suite *suite = suite_create("blame_gather");
	TCase *tc = tcase_create("culprits");

	tcase_add_checked_fixture(tc, set_up, tear_down);
	tcase_add_test(tc, workers_of_a_load_are_one_culprit_before_the_cut);
	tcase_add_test(tc, tasks_of_one_name_are_one_culprit);
	tcase_add_test(tc, one_task_keeps_its_name_and_number);
	tcase_add_test(tc, idle_and_the_sampler_stay_apart_from_tasks_of_that_name);
	tcase_add_loop_test(tc, only_what_is_small_is_others, 0, 36);
	tcase_add_loop_test(tc, any_shares_add_up, 0, 50);
	suite_add_tcase(suite, tc);
	return suite;
}
