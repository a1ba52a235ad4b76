/*
 * check_blame.c - who had the CPU: shares over scripted rings add up exactly,
 * names are those of that time, and refusals step down with their reason.
 */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "src/blame.h"
#include "src/blame_hints.h"
#include "src/blame_names.h"
#include "src/blame_walk.h"
#include "src/fds.h"
#include "tests/fake_perf.h"
#include "tests/faked_root.h"
#include "tests/skip.h"

#define SIZE (512 << 10)
#define ROOM 8192
#define US 1000

static struct fake_perf f;
static struct trace_event room[ROOM];
static struct blame_window w;
static struct blame_result r;

static void set_up(void)
{
	fake_perf_make(&f, SIZE);
	w = (struct blame_window){ .due_ns = 1000 * US, .woke_ns = 3000 * US, .sampler_tid = 50,
				   .layout = &fake_perf_layout, .room = room, .rooms = ROOM };
}

static void tear_down(void)
{
	fake_perf_free(&f);
}

static void walk(void)
{
	int64_t sum = 0;

	blame_walk(&w, &(struct perf_ring_bytes){ f.data, f.size, f.head, 0 }, &r);
	for (unsigned i = 0; i < r.nr; i++) {
		sum += r.share[i].ns;
		if (i)
			ck_assert_int_ge(r.share[i - 1].ns, r.share[i].ns);
	}
	ck_assert_int_eq(sum, w.woke_ns - w.due_ns);
}

static int64_t share(enum blame_who who, int id)
{
	for (unsigned i = 0; i < r.nr; i++)
		if (r.share[i].who == who && r.share[i].id == id)
			return r.share[i].ns;
	return 0;
}

/* ---- shares -------------------------------------------------------------- */

START_TEST(a_hog_that_began_before_due_is_charged_from_due)
{
	fake_perf_in(&f, 100 * US, 7);
	fake_perf_in(&f, 200 * US, 60);		/* the hog */
	fake_perf_in(&f, 2980 * US, 50);
	fake_perf_in(&f, 3010 * US, 7);
	walk();
	ck_assert_int_eq(r.share[0].id, 60);
	ck_assert_int_eq(r.share[0].ns, 1980 * US);
	ck_assert_int_eq(share(BLAME_TASK, 50), 20 * US);
	ck_assert_uint_eq(r.nr, 2);
	ck_assert(!r.incomplete);
	ck_assert_uint_eq(r.switches, 1);
}
END_TEST

/* The same where each record is a task that stops. */
START_TEST(who_stops_ran_from_the_stop_before)
{
	w.layout = NULL;
	fake_perf_out(&f, 100 * US, 3);
	fake_perf_out(&f, 200 * US, 7);
	fake_perf_out(&f, 1500 * US, 60);	/* the hog, from 200 us on */
	fake_perf_out(&f, 1600 * US, 0);
	fake_perf_out(&f, 2980 * US, 61);
	fake_perf_out(&f, 3010 * US, 50);
	fake_perf_out(&f, 3500 * US, 7);
	walk();
	ck_assert_int_eq(share(BLAME_TASK, 60), 500 * US);
	ck_assert_int_eq(share(BLAME_TASK, 0), 100 * US);
	ck_assert_int_eq(share(BLAME_TASK, 61), 1380 * US);
	ck_assert_int_eq(share(BLAME_TASK, 50), 20 * US);
	ck_assert_uint_eq(r.nr, 4);
	ck_assert_uint_eq(r.switches, 3);
	ck_assert(!r.incomplete);
}
END_TEST

/* It is still on when the ring is read: nothing tells who runs but the window. */
START_TEST(the_end_of_the_window_is_the_samplers)
{
	w.layout = NULL;
	fake_perf_out(&f, 900 * US, 0);
	fake_perf_out(&f, 2900 * US, 60);
	walk();
	ck_assert_int_eq(share(BLAME_TASK, 60), 1900 * US);
	ck_assert_int_eq(share(BLAME_TASK, 50), 100 * US);
	ck_assert(!r.incomplete);
	w.sampler_tid = 0;
	walk();
	ck_assert_int_eq(r.unknown_ns, 100 * US);
}
END_TEST

/* It has lost its number when it stops for the last time. */
START_TEST(a_task_that_exits_is_known_by_its_exit)
{
	w.layout = NULL;
	fake_perf_exit(&f, 700 * US, 59);
	fake_perf_out(&f, 800 * US, -1);
	fake_perf_out(&f, 900 * US, 0);
	fake_perf_exit(&f, 2000 * US, 60);
	fake_perf_out(&f, 2100 * US, -1);
	fake_perf_exit(&f, 2150 * US, 61);	/* it is alive when it stops */
	fake_perf_out(&f, 2300 * US, 61);
	fake_perf_out(&f, 2900 * US, -1);	/* its exit was recorded elsewhere */
	fake_perf_out(&f, 3010 * US, 50);
	walk();
	ck_assert_int_eq(share(BLAME_TASK, 60), 1100 * US);
	ck_assert_int_eq(share(BLAME_TASK, 61), 200 * US);
	ck_assert_int_eq(r.unknown_ns, 600 * US);
	ck_assert_int_eq(share(BLAME_TASK, 50), 100 * US);
}
END_TEST

START_TEST(several_tasks_and_idle_share_the_window)
{
	fake_perf_in(&f, 900 * US, 0);
	fake_perf_in(&f, 1500 * US, 60);
	fake_perf_in(&f, 1800 * US, 61);
	fake_perf_in(&f, 2000 * US, 60);
	fake_perf_in(&f, 2900 * US, 50);
	walk();
	ck_assert_int_eq(share(BLAME_TASK, 60), 1200 * US);
	ck_assert_int_eq(share(BLAME_TASK, 0), 500 * US);
	ck_assert_int_eq(share(BLAME_TASK, 61), 200 * US);
	ck_assert_int_eq(share(BLAME_TASK, 50), 100 * US);
	ck_assert_int_eq(r.unknown_ns, 0);
}
END_TEST

START_TEST(a_name_taken_in_a_slice_is_that_of_its_share)
{
	fake_perf_in(&f, 900 * US, 60);
	fake_perf_comm(&f, 950 * US, 61, "somebody else");
	fake_perf_comm(&f, 1100 * US, 60, "after the exec");
	fake_perf_in(&f, 2900 * US, 50);
	fake_perf_comm(&f, 2950 * US, 60, "not running now");
	walk();
	ck_assert_int_eq(r.share[0].id, 60);
	ck_assert_int_eq(r.share[0].ns, 1900 * US);
	ck_assert_str_eq(r.share[0].comm, "after the exec");
	ck_assert_str_eq(r.share[1].comm, "");
	ck_assert_uint_eq(r.switches, 1);
}
END_TEST

START_TEST(what_the_ring_has_forgotten_is_unknown)
{
	fake_perf_in(&f, 1600 * US, 60);
	fake_perf_in(&f, 2900 * US, 50);
	walk();
	ck_assert_int_eq(r.unknown_ns, 600 * US);
	ck_assert_int_eq(share(BLAME_TASK, 60), 1300 * US);
	ck_assert(r.incomplete);
	tear_down();
	set_up();
	walk();
	ck_assert_int_eq(r.unknown_ns, 2000 * US);
	ck_assert(r.incomplete);
}
END_TEST

/* The ring was paused while the hog came: the next switch tells that it did. */
START_TEST(a_switch_in_a_pause_is_told_by_the_next)
{
	const struct blame_pause pause[] = { { 0, 0 }, { 1200 * US, 1500 * US }, { 10, 20 } };

	fake_perf_in(&f, 900 * US, 7);
	fake_perf_switch(&f, 2900 * US, 60, 50, "");
	w.pause = pause;
	w.pauses = 3;
	walk();
	ck_assert_int_eq(share(BLAME_TASK, 7), 200 * US);
	ck_assert_int_eq(r.unknown_ns, 300 * US);
	ck_assert_int_eq(share(BLAME_TASK, 60), 1400 * US);
	ck_assert_int_eq(share(BLAME_TASK, 50), 100 * US);
	ck_assert(r.incomplete && r.bridged);
}
END_TEST

START_TEST(a_pause_before_due_may_hide_who_ran_at_due)
{
	const struct blame_pause pause = { 910 * US, 950 * US };

	fake_perf_in(&f, 900 * US, 7);
	fake_perf_switch(&f, 2900 * US, 60, 50, "");
	w.pause = &pause;
	w.pauses = 1;
	walk();
	ck_assert_int_eq(share(BLAME_TASK, 7), 0);
	ck_assert_int_eq(share(BLAME_TASK, 60), 1900 * US);
	ck_assert(r.incomplete);
}
END_TEST

START_TEST(a_switch_that_is_lost_for_no_reason_is_unknown)
{
	fake_perf_in(&f, 900 * US, 7);
	fake_perf_switch(&f, 2900 * US, 60, 50, "");
	walk();
	ck_assert_int_eq(r.unknown_ns, 1900 * US);
	ck_assert(r.incomplete);
}
END_TEST

START_TEST(a_wrapped_ring_still_adds_up)
{
	for (int i = 0; i < 20000; i++)
		fake_perf_in(&f, w.woke_ns - (20000 - i) * 4000, i % 5);
	walk();
	ck_assert(!r.incomplete);
	ck_assert_uint_eq(r.nr, 5);
	ck_assert_uint_gt(r.switches, 400);
	/* Now the window is longer than what is left. */
	w.due_ns = w.woke_ns - 60000 * US;
	for (int i = 0; i < 100; i++)
		fake_perf_in(&f, w.woke_ns + i, i % 5);
	walk();
	ck_assert(r.incomplete);
	ck_assert_int_gt(r.unknown_ns, 0);
}
END_TEST

/* It names itself while it runs, without a switch. */
START_TEST(a_task_may_name_itself_while_it_has_the_cpu)
{
	for (int points = 0; points < 2; points++) {
		w.layout = points ? &fake_perf_layout : NULL;
		if (points)
			fake_perf_switch(&f, 300 * US, 7, 60, "before");
		else
			fake_perf_out(&f, 300 * US, 7);
		fake_perf_comm(&f, 400 * US, 60, "itself");
		fake_perf_comm(&f, 1500 * US, 61, "somebody else");
		if (points)
			fake_perf_switch(&f, 2900 * US, 60, 50, "sampler");
		else
			fake_perf_out(&f, 2900 * US, 60);
		walk();
		ck_assert_int_eq(share(BLAME_TASK, 60), 1900 * US);
		ck_assert_str_eq(r.share[0].comm, "itself");
		tear_down();
		fake_perf_make(&f, SIZE);
	}
}
END_TEST

START_TEST(interrupts_are_taken_off_the_task_they_hit)
{
	fake_perf_switch(&f, 500 * US, 7, 60, "hog");
	fake_perf_irq(&f, 900 * US, 24, "virtio0");	/* open at due */
	fake_perf_irq(&f, 1100 * US, 24, NULL);
	fake_perf_softirq(&f, 1100 * US, 3, 1);
	fake_perf_irq(&f, 1200 * US, 9, "acpi");	/* inside the softirq */
	fake_perf_irq(&f, 1250 * US, 9, NULL);
	fake_perf_softirq(&f, 1400 * US, 3, 0);
	fake_perf_waking(&f, 1450 * US, 50);
	fake_perf_waking(&f, 1460 * US, 51);
	fake_perf_switch(&f, 2990 * US, 60, 50, "sampler");
	walk();
	ck_assert_int_eq(share(BLAME_IRQ, 24), 100 * US);
	ck_assert_int_eq(share(BLAME_IRQ, 9), 50 * US);
	ck_assert_int_eq(share(BLAME_SOFTIRQ, 3), 250 * US);
	ck_assert_int_eq(share(BLAME_TASK, 60), 1590 * US);
	ck_assert_int_eq(share(BLAME_TASK, 50), 10 * US);
	ck_assert_int_eq(r.waking_ns, 1450 * US);
	ck_assert_str_eq(r.share[0].comm, "hog");
	ck_assert(!r.incomplete);
}
END_TEST

START_TEST(an_interrupt_without_an_end_ends_at_the_switch)
{
	fake_perf_switch(&f, 500 * US, 7, 60, "hog");
	fake_perf_irq(&f, 1100 * US, 24, "x");
	fake_perf_switch(&f, 1300 * US, 60, 61, "next");
	walk();
	ck_assert_int_eq(share(BLAME_IRQ, 24), 200 * US);
	ck_assert_int_eq(share(BLAME_TASK, 61), 1700 * US);
}
END_TEST

START_TEST(lost_records_make_it_incomplete)
{
	fake_perf_in(&f, 500 * US, 60);
	fake_perf_lost(&f, 1500 * US);
	fake_perf_in(&f, 2900 * US, 50);
	walk();
	ck_assert(r.incomplete);
	ck_assert_int_eq(r.unknown_ns, 0);
}
END_TEST

START_TEST(records_lost_outside_the_window_do_not)
{
	fake_perf_in(&f, 300 * US, 7);
	fake_perf_lost(&f, 400 * US);
	fake_perf_in(&f, 500 * US, 60);
	fake_perf_in(&f, 2900 * US, 50);
	fake_perf_in(&f, 3100 * US, 0);
	fake_perf_lost(&f, 3200 * US);
	walk();
	ck_assert(!r.incomplete);
	/* From inside it to behind it. */
	tear_down();
	set_up();
	fake_perf_in(&f, 500 * US, 60);
	fake_perf_in(&f, 2900 * US, 50);
	fake_perf_lost(&f, 3200 * US);
	walk();
	ck_assert(r.incomplete);
}
END_TEST

START_TEST(too_many_tasks_and_too_many_events_still_add_up)
{
	fake_perf_in(&f, 10, 1);
	for (int i = 0; i < BLAME_SHARES + 300; i++)
		fake_perf_in(&f, 1000 * US + i * 800, 1000 + i);
	walk();
	ck_assert_uint_eq(r.nr, BLAME_SHARES);
	ck_assert_int_eq(share(BLAME_OTHERS, 0), (int64_t)300 * 800 + 2000 * US - (BLAME_SHARES + 299) * 800);
	ck_assert(!r.incomplete);
	w.rooms = 100;
	walk();
	ck_assert(r.incomplete);
	ck_assert_int_gt(r.unknown_ns, 0);
}
END_TEST

START_TEST(random_rings_add_up)
{
	srand((unsigned)_i);
	int64_t t = rand() % 1500000;

	for (int i = 0; i < 3000; i++) {
		t += rand() % 2000;
		switch (rand() % 8) {
		case 0: fake_perf_irq(&f, t, rand() % 9, "n"); break;
		case 1: fake_perf_irq(&f, t, rand() % 9, NULL); break;
		case 2: fake_perf_softirq(&f, t, rand() % 9, rand() % 2); break;
		case 3: fake_perf_in(&f, t - rand() % 5000, rand() % 90); break;
		case 4: fake_perf_waking(&f, t, 50); break;
		default: fake_perf_switch(&f, t, 1, rand() % 90, "t");
		}
	}
	w.due_ns = rand() % 4000000;
	w.woke_ns = w.due_ns + 1 + rand() % 4000000;
	walk();
	w.layout = NULL;
	for (int i = 0; i < 2000; i++) {
		t += rand() % 2000;
		if (rand() % 4)
			fake_perf_out(&f, t, rand() % 90 - 1);
		else
			fake_perf_exit(&f, t, rand() % 90);
	}
	walk();
	w.due_ns = t - rand() % 1000000;
	w.woke_ns = t + rand() % 1000000;
	walk();
}
END_TEST

/* A storm: thousands of short tasks in one window, few names. */
START_TEST(many_tasks_of_one_name_share_a_place)
{
	int64_t ns = 0;

	fake_perf_switch(&f, 900 * US, 1, 7, "first");
	for (int i = 0; i < BLAME_SHARES; i++)
		fake_perf_switch(&f, 1000 * US + 900 * i, f.on, 1000 + i, i % 2 ? "odd" : "even");
	fake_perf_switch(&f, 2900 * US, f.on, 50, "sampler");
	walk();
	for (unsigned i = 0; i < r.nr; i++) {
		ck_assert_int_ne(r.share[i].who, BLAME_OTHERS);
		ns += !strcmp(r.share[i].comm, "odd") ? r.share[i].ns : 0;
	}
	ck_assert_int_eq(r.share[0].id, BLAME_ANY);
	ck_assert_int_eq(ns, BLAME_SHARES / 2 * 900 - 900 + 1900 * US - (BLAME_SHARES - 1) * 900);
	ck_assert_uint_lt(r.nr, BLAME_SHARES);
}
END_TEST

START_TEST(no_window_no_shares)
{
	w.woke_ns = w.due_ns - 5;
	blame_walk(&w, &(struct perf_ring_bytes){ f.data, f.size, f.head, 0 }, &r);
	ck_assert_uint_eq(r.nr, 0);
}
END_TEST

/* ---- names --------------------------------------------------------------- */

static struct blame_names *names;
static char found[BLAME_SHARES][BLAME_NAME];

static void names_up(void)
{
	set_up();
	faked_root_make();
	names = blame_names_new();
}

static void names_down(void)
{
	blame_names_free(names);
	faked_root_gone();
	tear_down();
}

static struct fake_perf other;	/* the ring of another CPU */

static void ask(void *ctx, struct blame_name *n, unsigned nr, bool elsewhere)
{
	struct fake_perf *p = elsewhere ? &other : ctx;

	if (p->data)
		blame_find_names(n, nr, &(struct perf_ring_bytes){ p->data, p->size, p->head, 0 },
				 w.layout);
}

static const char *name_of_share(const struct blame_share *s)
{
	struct blame_result one = { .nr = 1 };

	one.share[0] = *s;
	blame_names_find(names, &one, ask, &f, found);
	return found[0];
}

static const char *name_of(int tid, int64_t since)
{
	struct blame_share s = { .who = BLAME_TASK, .id = tid, .until_ns = since };

	return name_of_share(&s);
}

static void fake_task(int tid, const char *comm, int64_t began_s)
{
	char path[64], text[256];

	snprintf(path, sizeof(path), "/proc/%d/comm", tid);
	snprintf(text, sizeof(text), "%s\n", comm);
	faked_root_file(path, text);
	snprintf(path, sizeof(path), "/proc/%d/stat", tid);
	snprintf(text, sizeof(text),
		 "%d (a) b) c) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 %lld 20 21\n", tid,
		 (long long)(began_s * sysconf(_SC_CLK_TCK)));
	faked_root_file(path, text);
}

START_TEST(a_name_is_that_of_its_time)
{
	fake_perf_comm(&f, 1000, 60, "first");
	fake_perf_comm(&f, 5000, 60, "second");
	ck_assert_str_eq(name_of(60, 4000), "first");
	ck_assert_str_eq(name_of(60, 5000), "second");
	/* Known before any COMM: as seen before. */
	ck_assert_str_eq(name_of(60, 500), "second");
}
END_TEST

START_TEST(a_child_without_a_name_has_its_parents)
{
	fake_task(40, "make", 0);
	fake_perf_comm(&f, 500, 60, "old task, same number");
	fake_perf_fork(&f, 1000, 60, 40);
	ck_assert_str_eq(name_of(60, 4000), "make~");
}
END_TEST

START_TEST(proc_tells_names_of_tasks_that_are_not_newer)
{
	int64_t t = 100 * NS_PER_S;

	fake_task(60, "daemon", 10);
	ck_assert_str_eq(name_of(60, t), "daemon");
	fake_task(61, "newcomer", 200);
	ck_assert_str_eq(name_of(61, t), "tid 61 (gone)");
	/* Renamed after the moment: today's name, with doubt. */
	fake_task(62, "after", 10);
	fake_perf_comm(&f, t + 5, 62, "after");
	ck_assert_str_eq(name_of(62, t), "after~");
}
END_TEST

START_TEST(a_task_that_is_gone_keeps_the_name_it_was_seen_with)
{
	fake_task(60, "shortlived", 0);
	ck_assert_str_eq(name_of(60, NS_PER_S), "shortlived");
	faked_root_remove("/proc/60/stat");
	ck_assert_str_eq(name_of(60, NS_PER_S), "shortlived");
	ck_assert_str_eq(name_of(999999, NS_PER_S), "tid 999999 (gone)");
}
END_TEST

START_TEST(a_task_that_is_gone_may_have_been_named_on_another_cpu)
{
	fake_perf_make(&other, SIZE);
	fake_perf_comm(&other, 1000, 60, "born there");
	fake_task(61, "alive", 0);
	fake_perf_comm(&other, 1000, 61, "not asked");
	ck_assert_str_eq(name_of(60, 4000), "born there");
	ck_assert_str_eq(name_of(61, 4000), "alive");
	fake_perf_free(&other);
	other.data = NULL;
}
END_TEST

START_TEST(the_newest_of_all_cpus_has_the_last_word)
{
	fake_perf_make(&other, SIZE);
	fake_task(40, "parent", 0);
	/* Born here, named there, back here, gone. */
	fake_perf_fork(&f, 1000, 60, 40);
	fake_perf_comm(&other, 2000, 60, "named there");
	ck_assert_str_eq(name_of(60, 4000), "named there");
	ck_assert_str_eq(name_of(60, 1500), "parent~");
	/* Named here and again there. */
	fake_perf_comm(&f, 1000, 61, "first");
	fake_perf_comm(&other, 2000, 61, "second");
	ck_assert_str_eq(name_of(61, 4000), "second");
	ck_assert_str_eq(name_of(61, 1500), "first");
	fake_perf_comm(&f, 3000, 61, "third");
	ck_assert_str_eq(name_of(61, 4000), "third");
	fake_perf_free(&other);
	other.data = NULL;
}
END_TEST

START_TEST(many_names_are_found_in_one_walk)
{
	r = (struct blame_result){ .nr = 40 };
	for (int i = 0; i < 40; i++) {
		char comm[16];

		snprintf(comm, sizeof(comm), "task%d", i);
		fake_perf_comm(&f, 1000 + i, 100 + i, comm);
		r.share[i] =
			(struct blame_share){.who = BLAME_TASK, .id = 100 + i, .until_ns = 5000};
	}
	r.share[7].id = 0;
	blame_names_find(names, &r, ask, &f, found);
	for (int i = 0; i < 40; i++)
		ck_assert_int_eq(strncmp(found[i], i == 7 ? "idle" : "task", 4), 0);
	ck_assert_str_eq(found[39], "task39");
	r.share[39].id = 7777;
	blame_names_find(names, &r, ask, &f, found);
	ck_assert_str_eq(found[39], "(others)");
}
END_TEST

/* More than is asked about: the children of a few parents, each of them gone. */
START_TEST(many_small_ones_have_the_name_of_their_parent)
{
	unsigned n = BLAME_SHARES / 2;

	fake_perf_make(&other, SIZE);
	fake_task(40, "storm", 0);
	fake_task(41, "tempest", 0);
	r = (struct blame_result){ .nr = n };
	for (unsigned i = 0; i < n; i++) {
		fake_perf_fork(i % 3 ? &f : &other, 1000 + (int64_t)i, 1000 + (int)i,
			       40 + (int)(i % 2));
		r.share[i] = (struct blame_share){ .who = BLAME_TASK, .id = 1000 + (int)i,
						   .until_ns = 9000 };
	}
	blame_names_find(names, &r, ask, &f, found);
	for (unsigned i = 0; i < n; i++)
		ck_assert_str_eq(found[i], i % 2 ? "tempest~" : "storm~");
	fake_perf_free(&other);
	other.data = NULL;
}
END_TEST

/* What is large is worth a long way back, what is small is not. */
START_TEST(small_ones_are_looked_for_near_by)
{
	struct perf_ring_bytes bytes;
	struct blame_name two[2] = { { .tid = 60, .t_ns = 2000 }, { .tid = 61, .t_ns = 2000 } };

	fake_perf_comm(&f, 100, 60, "far");
	for (int i = 0; i < 2 * BLAME_SMALL_RECORDS; i++)
		fake_perf_comm(&f, 200 + i, 1000 + i, "between");
	fake_perf_comm(&f, 1900, 61, "near");
	bytes = (struct perf_ring_bytes){ f.data, f.size, f.head, 0 };
	for (int small = 0; small < 2; small++) {
		two[0] = (struct blame_name){ .tid = 60, .t_ns = 2000, .small = small };
		two[1] = (struct blame_name){ .tid = 61, .t_ns = 2000, .small = true };
		blame_find_names(two, 2, &bytes, w.layout);
		ck_assert_str_eq(two[0].comm, small ? "" : "far");
		ck_assert_str_eq(two[1].comm, "near");
	}
}
END_TEST

START_TEST(hostile_names_are_cleaned)
{
	fake_perf_comm(&f, 1000, 60, "\033[2J\xff\n");
	ck_assert_str_eq(name_of(60, 4000), "?[2J??");
	struct blame_share s = { .who = BLAME_IRQ, .id = 24, .comm = "a\033b" };

	ck_assert_str_eq(name_of_share(&s), "irq 24 a?b");
}
END_TEST

START_TEST(others_have_names_too)
{
	static const struct { struct blame_share s; const char *want; } cases[] = {
		{ { .who = BLAME_SOFTIRQ, .id = 3 }, "softirq NET_RX" },
		{ { .who = BLAME_SOFTIRQ, .id = 77 }, "softirq 77" },
		{ { .who = BLAME_OTHERS }, "(others)" },
		{ { .who = BLAME_UNKNOWN }, "unknown" },
	};

	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		ck_assert_str_eq(name_of_share(&cases[i].s), cases[i].want);
	ck_assert_ptr_nonnull(strstr(name_of(0, 5), "idle"));
}
END_TEST

/* ---- hints --------------------------------------------------------------- */

static void fake_irqs(unsigned virtio, unsigned timer)
{
	char text[500];

	snprintf(text, sizeof(text),
		 "           CPU0       CPU1\n  24: %10u %10u   PCI-MSI 1-edge      virtio0\n"
		 " LOC: %10u %10u   Local timer interrupts\n ERR:          0\n",
		 virtio, virtio, timer, timer);
	faked_root_file("/proc/interrupts", text);
}

START_TEST(a_line_that_jumps_is_a_hint)
{
	struct blame_hints *h = blame_hints_new();

	fake_irqs(0, 0);
	blame_hints_read(h, NS_PER_S);
	for (unsigned i = 1; i < 5; i++) {
		fake_irqs(10 * i, 1000 * i);
		blame_hints_read(h, (1 + i) * NS_PER_S);
		ck_assert_str_eq(blame_hints_text(h), "");
	}
	fake_irqs(5000, 5000);
	blame_hints_read(h, 6 * NS_PER_S);
	ck_assert_str_eq(blame_hints_text(h), "irq 24 virtio0 9.9k/s jumped");
	blame_hints_free(h);
}
END_TEST

/* ---- levels -------------------------------------------------------------- */

static struct model *make_model(void)
{
	const struct model_spec spec = { .groups = 1, .series = 2, .digits = 3, .start_ns = 1 };
	struct model *m = model_new(&spec);

	m->groups[0].on = true;
	m->groups[0].nr = 2;
	m->series[0].cpu = 0;
	m->series[1].cpu = -1;
	return m;
}

static struct spike spike_of(struct blame *b, struct model *m, unsigned series)
{
	struct spike s = {
		.t_ns = 5 * NS_PER_MS, .late_ns = NS_PER_MS, .cpu = m->series[series].cpu};

	blame_spike(b, m, series, 4 * NS_PER_MS, &s);
	return s;
}

START_TEST(turned_off_is_none_and_says_so)
{
	struct cpuset cpus = { { 1 } };
	struct blame *b = blame_new(&cpus, BLAME_LEVEL_NONE);
	struct model *m = make_model();
	char text[300];

	ck_assert_int_eq(blame_level(b), BLAME_LEVEL_NONE);
	ck_assert_ptr_nonnull(strstr(blame_how(b, text, sizeof(text)), "--no-blame"));
	struct spike s = spike_of(b, m, 0);

	ck_assert_uint_eq(s.nr, 0);
	ck_assert_str_eq(s.note, "no blame");
	ck_assert_uint_eq(m->spikes_unread, 1);
	ck_assert_int_eq(blame_wait_ns(b, 1), INT64_MAX);
	blame_free(b);
	model_free(m);
}
END_TEST

START_TEST(without_rights_there_are_hints_and_the_reason)
{
	struct cpuset cpus = { { 1 } };
	struct model *m = make_model();
	char text[400];

	/* In this test's own process: gone with it. */
	if (geteuid() == 0 && setresuid(65534, 65534, 65534))
		ck_abort_msg("setresuid: %s", strerror(errno));
	struct blame *b = blame_new(&cpus, BLAME_LEVEL_TRACEPOINTS);

	if (blame_level(b) > BLAME_LEVEL_PROC) {
		SKIP("perf_event_paranoid lets anybody");
	} else {
		ck_assert_int_eq(blame_level(b), BLAME_LEVEL_PROC);
		blame_how(b, text, sizeof(text));
		ck_assert_ptr_nonnull(strstr(text, "proc: hints only"));
		ck_assert_ptr_nonnull(strstr(text, "not switch: perf events: refused"));
		ck_assert_ptr_nonnull(strstr(text, "perf_event_paranoid"));
		blame_second(b, m, NS_PER_S);
		struct spike s = spike_of(b, m, 0);

		ck_assert_uint_eq(s.nr, 0);
		ck_assert_ptr_nonnull(strstr(s.note, "hint"));
		ck_assert_uint_eq(m->spikes_unread, 1);
	}
	blame_free(b);
	model_free(m);
}
END_TEST

/* Debian's own level, at which CAP_PERFMON is of no use. */
START_TEST(a_stricter_level_of_refusal_is_told_with_what_helps)
{
	struct cpuset cpus = { { 1 } };
	char text[400];

	/* In this test's own process, as above; the faked root is its own, too. */
	if (geteuid() == 0 && setresuid(65534, 65534, 65534))
		ck_abort_msg("setresuid: %s", strerror(errno));
	faked_root_make();
	faked_root_file("/proc/sys/kernel/perf_event_paranoid", "3\n");
	struct blame *b = blame_new(&cpus, BLAME_LEVEL_SWITCH);

	blame_how(b, text, sizeof(text));
	if (blame_level(b) > BLAME_LEVEL_PROC) {
		SKIP("perf_event_paranoid lets anybody");
	} else {
		ck_assert_ptr_nonnull(strstr(text, "perf events: refused, kernel.perf_event_paranoid "
					     "is 3; sudo sysctl kernel.perf_event_paranoid=0"));
		ck_assert_ptr_null(strstr(text, "cap_perfmon"));
	}
	blame_free(b);
	faked_root_gone();
}
END_TEST

/* Soft and hard, in this test's own process. */
static struct blame *blame_within(unsigned descriptors, const struct cpuset *cpus)
{
	struct rlimit l = { descriptors, descriptors };

	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &l), 0);
	return blame_new(cpus, BLAME_LEVEL_TRACEPOINTS);
}

START_TEST(descriptors_are_left_for_others_or_the_level_is_lower)
{
	struct cpuset cpus;
	char text[400], want[40];

	ck_assert_int_eq(cpuset_allowed(&cpus, NULL), 0);
	unsigned open = fds_room().open, n = (unsigned)cpuset_count(&cpus);
	struct blame *b = blame_within(open + 7 * n + 64 - 1, &cpus);

	ck_assert_int_lt(blame_level(b), BLAME_LEVEL_TRACEPOINTS);
	blame_how(b, text, sizeof(text));
	if (blame_level(b) == BLAME_LEVEL_SWITCH) {
		snprintf(want, sizeof(want), "not tracepoints: takes %u descriptors", 7 * n);
		ck_assert_msg(strstr(text, want) != NULL, "%s", text);
		ck_assert_ptr_nonnull(strstr(text, "; raise nofile to "));
	}
	blame_free(b);
	b = blame_within(open + n + 64 - 1, &cpus);
	ck_assert_int_le(blame_level(b), BLAME_LEVEL_PROC);
	blame_how(b, text, sizeof(text));
	snprintf(want, sizeof(want), "not switch: takes %u descriptors", n);
	ck_assert_msg(strstr(text, want) != NULL, "%s", text);
	ck_assert_ptr_nonnull(strstr(text, "; raise nofile to "));
	ck_assert_uint_eq(fds_room().open, open);
	blame_free(b);
}
END_TEST

/* Which probe would name who, as the one that is asked about runs. */
START_TEST(unpinned_series_say_which_probe_names_who)
{
	static const struct probe each_rt = { .flags = PROBE_RT | PROBE_PER_CPU },
				  each = { .flags = PROBE_PER_CPU },
				  alone = { .flags = PROBE_LIGHT }, alone_rt = { .flags = PROBE_RT };
	const struct model_spec spec = { .groups = 3, .series = 3, .digits = 3, .start_ns = 1 };
	struct cpuset cpus = { { 1 } };
	struct blame *b = blame_new(&cpus, BLAME_LEVEL_SWITCH);
	struct model *m = model_new(&spec);

	m->groups[0].probe = &each_rt;
	m->groups[1].probe = &each;
	strcpy(m->groups[0].name, "the-fifo");
	strcpy(m->groups[1].name, "the-other");
	m->series[0].group = 2;
	m->series[0].cpu = -1;
	for (int i = 0; blame_level(b) >= BLAME_LEVEL_SWITCH && i < 4; i++) {
		m->groups[2].probe = i & 1 ? &alone_rt : &alone;
		m->groups[0].on = m->groups[1].on = i & 2;
		ck_assert_str_eq(spike_of(b, m, 0).note,
				 i == 0	  ? "any CPU: -P the-other names who"
				 : i == 1 ? "any CPU: -P the-fifo names who"
				 : i == 2 ? "any CPU: see the-other of that time"
					  : "any CPU: see the-fifo of that time");
	}
	if (blame_level(b) < BLAME_LEVEL_SWITCH)
		SKIP("no right to perf events");
	blame_free(b);
	model_free(m);
}
END_TEST

START_TEST(unpinned_series_say_why_they_have_no_culprit)
{
	struct cpuset cpus = { { 1 } };
	struct blame *b = blame_new(&cpus, BLAME_LEVEL_SWITCH);
	struct model *m = make_model();

	if (blame_level(b) < BLAME_LEVEL_SWITCH) {
		SKIP("no right to perf events");
	} else {
		struct spike s = spike_of(b, m, 1);

		ck_assert_str_eq(s.note, "not pinned");
		m->series[0].cpu = 7;
		s = spike_of(b, m, 0);
		ck_assert_str_eq(s.note, "no record of this CPU");
	}
	blame_free(b);
	model_free(m);
}
END_TEST

#define LOOKS_MOST 1000000	/* each takes its time */

static void check_unread_part(const struct model *m, uint64_t spikes)
{
	const struct blamed *all = &m->blamed[0];
	int64_t ns = 0;
	bool there = false;

	for (unsigned i = 0; i < all->parts; i++) {
		ns += all->part[i].ns;
		if (strcmp(all->part[i].comm, BLAMED_UNREAD))
			continue;
		there = true;
		ck_assert_uint_eq(all->part[i].spikes, spikes);
		ck_assert_int_eq(all->part[i].ns, (int64_t)spikes * NS_PER_MS);
	}
	ck_assert(there);
	ck_assert_int_eq(ns, all->ns);
}

/* Until the time is used up: those that are not looked at say so, and are a part
 * of their own in the table. */
START_TEST(what_takes_more_than_its_time_is_not_looked_at)
{
	struct cpuset cpus = { { 1 } };
	struct blame *b = blame_new(&cpus, BLAME_LEVEL_SWITCH);
	struct model *m = make_model();
	unsigned looked = 0, over = 0, all = 0;

	if (blame_level(b) < BLAME_LEVEL_SWITCH) {
		SKIP("no right to perf events");
	} else {
		m->now_ns = 10 * NS_PER_S;
		for (unsigned left = 0; left < 10 && all < LOOKS_MOST; all++) {
			struct spike s = spike_of(b, m, 0);

			if (s.nr) {
				looked++;
				ck_assert_int_eq(s.culprit[0].ns, NS_PER_MS);
				continue;
			}
			if (!strcmp(s.note, "not looked at: over 4 ms in a turn")) {
				m->now_ns++;	/* the next turn, which no time pays for */
				over++;
				continue;
			}
			left++;
			ck_assert_str_eq(s.note, "not looked at: over 3 % of a CPU");
		}
		ck_assert_uint_lt(all, LOOKS_MOST);
		ck_assert_uint_ge(looked, 1);
		ck_assert_uint_ge(over, 1);
		ck_assert_uint_eq(m->spikes_seen, looked);
		ck_assert_uint_eq(m->spikes_unread, over + 10);
		check_unread_part(m, over + 10);
		m->now_ns += 3 * NS_PER_S;
		ck_assert_uint_gt(spike_of(b, m, 0).nr, 0);
	}
	blame_free(b);
	model_free(m);
}
END_TEST

Suite *blame_suite(void);
Suite *blame_suite(void)
{
	Suite *s = suite_create("blame");
	TCase *tc = tcase_create("shares");

	tcase_add_checked_fixture(tc, set_up, tear_down);
	tcase_add_test(tc, a_hog_that_began_before_due_is_charged_from_due);
	tcase_add_test(tc, who_stops_ran_from_the_stop_before);
	tcase_add_test(tc, the_end_of_the_window_is_the_samplers);
	tcase_add_test(tc, a_task_that_exits_is_known_by_its_exit);
	tcase_add_test(tc, several_tasks_and_idle_share_the_window);
	tcase_add_test(tc, a_name_taken_in_a_slice_is_that_of_its_share);
	tcase_add_test(tc, what_the_ring_has_forgotten_is_unknown);
	tcase_add_test(tc, a_wrapped_ring_still_adds_up);
	tcase_add_test(tc, a_switch_in_a_pause_is_told_by_the_next);
	tcase_add_test(tc, a_pause_before_due_may_hide_who_ran_at_due);
	tcase_add_test(tc, a_switch_that_is_lost_for_no_reason_is_unknown);
	tcase_add_test(tc, a_task_may_name_itself_while_it_has_the_cpu);
	tcase_add_test(tc, interrupts_are_taken_off_the_task_they_hit);
	tcase_add_test(tc, an_interrupt_without_an_end_ends_at_the_switch);
	tcase_add_test(tc, lost_records_make_it_incomplete);
	tcase_add_test(tc, records_lost_outside_the_window_do_not);
	tcase_add_test(tc, too_many_tasks_and_too_many_events_still_add_up);
	tcase_add_loop_test(tc, random_rings_add_up, 0, 40);
	tcase_add_test(tc, many_tasks_of_one_name_share_a_place);
	tcase_add_test(tc, no_window_no_shares);
	suite_add_tcase(s, tc);
	tc = tcase_create("names");
	tcase_add_checked_fixture(tc, names_up, names_down);
	tcase_add_test(tc, a_name_is_that_of_its_time);
	tcase_add_test(tc, a_child_without_a_name_has_its_parents);
	tcase_add_test(tc, proc_tells_names_of_tasks_that_are_not_newer);
	tcase_add_test(tc, a_task_that_is_gone_keeps_the_name_it_was_seen_with);
	tcase_add_test(tc, a_task_that_is_gone_may_have_been_named_on_another_cpu);
	tcase_add_test(tc, the_newest_of_all_cpus_has_the_last_word);
	tcase_add_test(tc, many_names_are_found_in_one_walk);
	tcase_add_test(tc, many_small_ones_have_the_name_of_their_parent);
	tcase_add_test(tc, small_ones_are_looked_for_near_by);
	tcase_add_test(tc, hostile_names_are_cleaned);
	tcase_add_test(tc, others_have_names_too);
	tcase_add_test(tc, a_line_that_jumps_is_a_hint);
	suite_add_tcase(s, tc);
	tc = tcase_create("levels");
	tcase_add_test(tc, turned_off_is_none_and_says_so);
	tcase_add_test(tc, without_rights_there_are_hints_and_the_reason);
	tcase_add_test(tc, a_stricter_level_of_refusal_is_told_with_what_helps);
	tcase_add_test(tc, descriptors_are_left_for_others_or_the_level_is_lower);
	tcase_add_test(tc, unpinned_series_say_which_probe_names_who);
	tcase_add_test(tc, unpinned_series_say_why_they_have_no_culprit);
	tcase_add_test(tc, what_takes_more_than_its_time_is_not_looked_at);
	suite_add_tcase(s, tc);
	return s;
}
