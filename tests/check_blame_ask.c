/*
 * check_blame_ask.c - what rings that run on can tell of names: their newest
 * three quarters at once, the rest when they are paused, and every CPU's.
 */
#include <check.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/blame_ask.h"
#include "src/blame_general.h"
#include "src/clock.h"
#include "tests/fake_perf.h"

#define SIZE 65536u
#define RINGS 40

static struct blame_ring ring[RINGS];

static size_t page_bytes(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

static struct perf_event_mmap_page *page_of(struct blame_ring *r)
{
	return r->map;
}

/* As the kernel maps it; a descriptor that refuses to be paused. */
static void make_ring(int cpu, const struct fake_perf *f)
{
	struct blame_ring *r = &ring[cpu];

	*r = (struct blame_ring){ .cpu = cpu, .data_bytes = SIZE };
	r->fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	r->map = calloc(1, page_bytes() + SIZE);
	memcpy((char *)r->map + page_bytes(), f->data, SIZE);
	page_of(r)->data_head = f->head;
}

static void drop_rings(void)
{
	for (int i = 0; i < RINGS; i++) {
		if (!ring[i].map)
			continue;
		close(ring[i].fd);
		free(ring[i].map);
		ring[i].map = NULL;
	}
}

/* Task 60 is named first, then others until so much of the ring is full. */
static void named_long_ago(struct fake_perf *f, unsigned pct)
{
	fake_perf_make(f, SIZE);
	fake_perf_comm(f, 1000, 60, "oldest");
	for (int i = 0; 0 - f->head < SIZE / 100 * pct; i++)
		fake_perf_comm(f, 2000 + i, 100 + i, "newer");
}

static struct blame_name asked_for(int tid)
{
	return (struct blame_name){ .tid = tid, .t_ns = NS_PER_S };
}

START_TEST(what_runs_on_is_read_to_three_quarters)
{
	struct fake_perf f;
	struct blame_name old = asked_for(60), young = asked_for(101);

	named_long_ago(&f, 90);
	make_ring(0, &f);
	struct perf_ring_bytes running = blame_ring_bytes(&ring[0], true);
	struct perf_ring_bytes whole = blame_ring_bytes(&ring[0], false);

	ck_assert_uint_eq(running.most, SIZE / 4 * 3);
	ck_assert_uint_eq(whole.most, 0);
	ck_assert_uint_eq(running.head, f.head);
	blame_find_names(&old, 1, &running, NULL);
	ck_assert_int_eq(old.told_ns, 0);
	blame_find_names(&old, 1, &whole, NULL);
	ck_assert_int_eq(old.told_ns, 1000);
	young.tid = 100 + (int)(SIZE / 100);	/* in the middle */
	blame_find_names(&young, 1, &running, NULL);
	ck_assert_str_eq(young.comm, "newer");
	fake_perf_free(&f);
}
END_TEST

START_TEST(it_is_intact_until_a_quarter_is_written)
{
	struct fake_perf f;

	named_long_ago(&f, 90);
	make_ring(0, &f);
	struct perf_ring_bytes bytes = blame_ring_bytes(&ring[0], true);

	ck_assert(blame_ring_intact(&ring[0], &bytes));
	page_of(&ring[0])->data_head = f.head - SIZE / 8;
	ck_assert(blame_ring_intact(&ring[0], &bytes));
	/* A record that has begun lies before the head. */
	page_of(&ring[0])->data_head = f.head - SIZE / 4;
	ck_assert(!blame_ring_intact(&ring[0], &bytes));
	page_of(&ring[0])->data_head = f.head - SIZE;
	ck_assert(!blame_ring_intact(&ring[0], &bytes));
	fake_perf_free(&f);
}
END_TEST

/* Nobody told of it in what can be read while it runs. */
START_TEST(the_oldest_quarter_is_read_for_a_name_that_nobody_told)
{
	struct fake_perf f;
	struct blame_name names[2] = { asked_for(60), asked_for(101) };

	named_long_ago(&f, (unsigned)_i);
	make_ring(0, &f);
	blame_ask_ring(&ring[0], NULL, names, 2);
	ck_assert_str_eq(names[0].comm, "oldest");
	ck_assert_str_eq(names[1].comm, "newer");
	ck_assert_uint_eq(ring[0].pauses, 0 - f.head > SIZE / 4 * 3);
	fake_perf_free(&f);
}
END_TEST

START_TEST(the_ring_of_every_cpu_is_asked)
{
	struct fake_perf empty, f;
	unsigned next = 0;

	fake_perf_make(&empty, SIZE);
	fake_perf_make(&f, SIZE);
	fake_perf_comm(&f, 1000, 60, "far away");
	for (int cpu = 0; cpu < RINGS; cpu++)
		make_ring(cpu, cpu == _i ? &f : &empty);
	struct blame_others o = { .ring = ring, .rings = RINGS, .own_cpu = 3, .next = &next,
				  .budget_ns = 10 * NS_PER_S };
	struct blame_name name = asked_for(60);

	blame_ask_others(&o, NULL, &name, 1);
	ck_assert_str_eq(name.comm, _i == 3 ? "" : "far away");
	/* One at a time: never the same ones alone. */
	name = asked_for(60);
	o.budget_ns = 0;
	for (int i = 0; i < RINGS; i++) {
		ck_assert_int_eq(ring[_i].pauses, 0);
		blame_ask_others(&o, NULL, &name, 1);
	}
	ck_assert_str_eq(name.comm, _i == 3 ? "" : "far away");
	fake_perf_free(&empty);
	fake_perf_free(&f);
}
END_TEST

static const struct { const char *name, *general; } generals[] = {
	{ "kworker/0:1H-kblo", "kworker" }, { "kworker/u8:2", "kworker" },
	{ "ksoftirqd/1", "ksoftirqd" }, { "rcuc/12", "rcuc" }, { "cpuhp/3~", "cpuhp" },
	{ "irq/24-nvme0q1", "irq/24-nvme0q1" }, { "irq/9-acpi", "irq/9-acpi" },
	{ "jbd2/sda1-8", "jbd2/sda1-8" }, { "kworker/R-xfs", "kworker/R-xfs" },
	{ "Web Content:x", "Web Content:x" }, { "a/", "a/" }, { "b/u", "b/u" },
	{ "tid 77 (gone)", "(gone)" }, { "js-fork", "fork workers" }, { "js-other", "js-other" },
	{ "/1", "/1" }, { "~", "~" },
};

START_TEST(tasks_that_are_one_for_each_cpu_have_one_name)
{
	const struct model_spec spec = { .loads = 1, .digits = 3, .start_ns = 1 };
	struct model *m = model_new(&spec);
	char out[BLAME_NAME];

	snprintf(m->loads[0].name, sizeof(m->loads[0].name), "fork");
	m->loads[0].state = LOAD_RUN;
	blame_general_name(m, generals[_i].name, 1, out);
	ck_assert_str_eq(out, generals[_i].general);
	model_free(m);
}
END_TEST

static const struct { enum load_state state; int64_t stop_ns; bool ours; } owners[] = {
	{ LOAD_OFF, 0, false },		/* never started here */
	{ LOAD_STARTING, 0, true }, { LOAD_RUN, 0, true }, { LOAD_STOPPING, 0, true },
	{ LOAD_RUN, 3 * NS_PER_S, true },
	{ LOAD_OFF, 19 * NS_PER_S, true },	/* its last workers may still be about it */
	{ LOAD_OFF, 21 * NS_PER_S, true },	/* it ran when the spike came */
	{ LOAD_OFF, 18 * NS_PER_S, false },
	{ LOAD_FAILED, 0, false }, { LOAD_FAILED, 19 * NS_PER_S, true },
};

START_TEST(workers_of_another_run_are_not_ours)
{
	const struct model_spec spec = { .loads = 1, .digits = 3, .start_ns = 1 };
	struct model *m = model_new(&spec);
	char out[BLAME_NAME];

	snprintf(m->loads[0].name, sizeof(m->loads[0].name), "fork");
	m->loads[0].state = owners[_i].state;
	m->loads[0].stop_ns = owners[_i].stop_ns;
	blame_general_name(m, "js-fork", 20 * NS_PER_S, out);
	ck_assert_str_eq(out, owners[_i].ours ? "fork workers" : "js-fork");
	model_free(m);
}
END_TEST

Suite *blame_ask_suite(void);
Suite *blame_ask_suite(void)
{
	Suite *s = suite_create("blame_ask");
	TCase *tc = tcase_create("rings");

	tcase_add_checked_fixture(tc, NULL, drop_rings);
	tcase_add_test(tc, what_runs_on_is_read_to_three_quarters);
	tcase_add_test(tc, it_is_intact_until_a_quarter_is_written);
	tcase_add_loop_test(tc, the_oldest_quarter_is_read_for_a_name_that_nobody_told, 70, 98);
	tcase_add_loop_test(tc, the_ring_of_every_cpu_is_asked, 0, RINGS);
	suite_add_tcase(s, tc);
	tc = tcase_create("names");
	tcase_add_loop_test(tc, workers_of_another_run_are_not_ours, 0,
			    (int)(sizeof(owners) / sizeof(owners[0])));
	tcase_add_loop_test(tc, tasks_that_are_one_for_each_cpu_have_one_name, 0,
			    (int)(sizeof(generals) / sizeof(generals[0])));
	suite_add_tcase(s, tc);
	return s;
}
