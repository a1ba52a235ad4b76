/*
 * check_collector.c - every due time is a sample, missed or interrupted, and
 * lands in the row of its own time, whatever happens to the main thread.
 *
 * Samplers are played by the test: it pushes into real rings at scripted times
 * and ticks the collector with scripted times.  No clock is read.
 */
#include <check.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/collector.h"
#include "src/format.h"
#include "tests/fake_snapshot.h"

extern const struct format format_json;

#define MS NS_PER_MS
#define S NS_PER_S
#define P MS			/* the period, unless said */
#define ZERO (1000 * S)
#define SERIES 4

struct fake {			/* a sampler, as sampler_loop.c is one */
	struct ring *ring;
	struct sampler_published pub;
	int64_t due, period;
	uint64_t count, missed, interrupted;
};

static struct model *m;
static struct collector *c;
static struct fake fake[SERIES];
static int64_t suspended_ns, wall_ns;

static int64_t get_suspended(void *ctx) { (void)ctx; return suspended_ns; }
static int64_t get_wall(void *ctx) { (void)ctx; return wall_ns; }

static void attach(unsigned i, unsigned room)
{
	struct fake *f = &fake[i];
	struct collector_source source = { .series = i, .published = &f->pub };

	if (f->ring)
		ring_free(f->ring);
	f->ring = source.ring = ring_new(room);
	f->period = m->series[i].interval_ns;
	memset(&f->pub, 0, sizeof(f->pub));
	f->pub.state = SAMPLER_RUNNING;
	ck_assert_int_eq(collector_add(c, &source, NULL), 0);
}

static void begin(int64_t period, unsigned room)
{
	const struct model_spec spec = { .groups = 2, .series = SERIES, .loads = 1, .digits = 3,
					 .start_ns = ZERO };
	const struct clock_source clocks = { get_suspended, get_wall, NULL };

	suspended_ns = wall_ns = 0;
	m = model_new(&spec);
	for (unsigned g = 0; g < 2; g++)
		m->groups[g].first = 2 * g, m->groups[g].nr = 2, m->groups[g].on = true;
	for (unsigned i = 0; i < SERIES; i++) {
		m->series[i].group = i / 2;
		m->series[i].cpu = (int)i % 2;
		m->series[i].interval_ns = period;
		snprintf(m->series[i].policy, sizeof(m->series[i].policy), "SCHED_FIFO");
	}
	m->groups[0].want_rt = m->groups[0].have_rt = true;
	m->loads[0].state = LOAD_OFF;
	model_zero(m, ZERO);
	c = collector_new(m, NULL);
	collector_set_clocks(c, &clocks);
	memset(fake, 0, sizeof(fake));
	for (unsigned i = 0; i < SERIES; i++) {
		attach(i, room);
		fake[i].due = ZERO + (int64_t)i * (period / 8);
	}
}

static void set_up(void)
{
	begin(P, 1 << 15);
}

static void tear_down(void)
{
	collector_free(c);
	model_free(m);
	for (unsigned i = 0; i < SERIES; i++) {
		ring_free(fake[i].ring);
		fake[i].ring = NULL;
	}
}

static void publish(struct fake *f, int64_t woke, int64_t missed)
{
	f->due += (missed + 1) * f->period;
	atomic_store(&f->pub.beat_ns, woke);
	atomic_store(&f->pub.next_due_ns, f->due);
}

/* One wake-up, so late. */
static void wake(struct fake *f, int64_t late)
{
	int64_t woke = f->due + late, missed = probe_missed(f->due, woke, f->period);

	if (!f->pub.first_due_ns)
		atomic_store(&f->pub.first_due_ns, f->due);
	if (!ring_push(f->ring, f->due, woke))
		ring_spill(f->ring, late, 1 + (uint64_t)missed, false);
	f->count++;
	f->missed += (uint64_t)missed;
	publish(f, woke, missed);
}

static void wake_elsewhere(struct fake *f, int64_t late)
{
	int64_t woke = f->due + late, missed = probe_missed(f->due, woke, f->period);

	if (!f->pub.first_due_ns)
		atomic_store(&f->pub.first_due_ns, f->due);
	if (!ring_push_marked(f->ring, RING_WRONG_CPU, woke, f->due, woke))
		ring_spill(f->ring, late, 1 + (uint64_t)missed, true);
	f->interrupted += 1 + (uint64_t)missed;
	publish(f, woke, missed);
}

static void wake_until(struct fake *f, int64_t until, int64_t late)
{
	while (f->due + late < until)
		wake(f, late);
}

static void all_wake_until(int64_t until, int64_t late)
{
	for (unsigned i = 0; i < SERIES; i++)
		wake_until(&fake[i], until, late);
}

static void holds(void)
{
	for (unsigned i = 0; i < SERIES; i++) {
		const struct series *s = &m->series[i];

		ck_assert_msg(counts_hold(&s->counts),
			      "series %u: due %lu count %lu missed %lu int %lu", i, s->counts.due,
			      s->counts.count, s->counts.missed, s->counts.interrupted);
		ck_assert_uint_eq(s->total->count, s->counts.count);
		ck_assert_uint_eq(s->total->early, s->counts.early);
		ck_assert_uint_eq(s->total->over, s->counts.over);
	}
}

/* All that was pushed is judged and the sum rule holds. */
static void complete(void)
{
	holds();
	for (unsigned i = 0; i < SERIES; i++) {
		ck_assert_uint_eq(m->series[i].counts.count, fake[i].count);
		ck_assert_uint_eq(m->series[i].counts.missed, fake[i].missed);
		ck_assert_uint_eq(m->series[i].counts.interrupted, fake[i].interrupted);
	}
}

static const struct event *find_event(const char *kind)
{
	for (unsigned i = m->nr_events; i-- > 0;)
		if (!strcmp(m->events[i].kind, kind))
			return &m->events[i];
	return NULL;
}

/* ---- one sample ---------------------------------------------------------- */

START_TEST(a_sample_is_counted_where_it_belongs)
{
	wake(&fake[0], 37);
	collector_tick(c, ZERO + 10 * P);
	ck_assert_uint_eq(m->series[0].counts.count, 1);
	ck_assert_uint_eq(m->series[0].total->counts[37], 1);
	ck_assert_int_eq(m->series[0].total->max_ns, 37);
	ck_assert_uint_eq(m->groups[0].run->count, 1);
	ck_assert_uint_eq(m->groups[0].now->count, 1);
	ck_assert_int_eq(m->series[0].column_max_ns, 37);
	complete();
}
END_TEST

START_TEST(a_late_one_tells_what_it_missed)
{
	wake(&fake[0], 34 * P / 10);
	wake(&fake[0], 10);
	collector_tick(c, ZERO + 100 * P);
	ck_assert_uint_eq(m->series[0].counts.count, 2);
	ck_assert_uint_eq(m->series[0].counts.missed, 3);
	ck_assert_uint_eq(m->series[0].counts.due, 5);
	complete();
}
END_TEST

/* The third is late by 4.5 periods: what it missed beyond time zero belongs to
 * it, and so is not due either. */
START_TEST(what_was_due_before_time_zero_is_not_of_the_run)
{
	fake[0].due = ZERO - 3 * P;
	wake(&fake[0], 5);
	wake(&fake[0], 5);
	wake(&fake[0], 45 * P / 10);
	wake_until(&fake[0], ZERO + 20 * P, 5);
	collector_tick(c, ZERO + 100 * P);
	holds();
	ck_assert_uint_eq(m->series[0].counts.missed, 0);
	ck_assert_uint_eq(m->series[0].counts.count, 16);
	ck_assert_uint_eq(m->series[0].counts.due, 16);
	ck_assert_int_eq(m->series[0].total->max_ns, 5);
}
END_TEST

static const struct probe counting = {
	.name = "counting",
	.counters = { { .name = "falls", .is_event = true },
		      { .name = "deepest", .is_time = true, .is_most = true } },
};

START_TEST(what_a_probe_counts_reaches_the_model_and_its_events)
{
	const struct event *e;

	m->groups[0].probe = &counting;
	/* Its warm-up: none of the run. */
	fake[0].pub.counters[0] = 5;
	fake[0].pub.counters[1] = 900;
	collector_tick(c, ZERO + NS_PER_S / 2);
	fake[0].pub.first_due_ns = ZERO;
	fake[0].pub.counters[0] = 2;
	fake[0].pub.counters[1] = 700;
	collector_tick(c, ZERO + NS_PER_S);
	fake[0].pub.counters[0] = 3;
	fake[0].pub.counters[1] = 700;
	collector_tick(c, ZERO + NS_PER_S + NS_PER_S / 2);
	ck_assert_int_eq(m->series[0].counter[0], 3);
	ck_assert_int_eq(m->series[0].counter[1], 700);
	ck_assert_int_eq(m->series[1].counter[0], 0);
	e = find_event("falls");
	ck_assert_ptr_nonnull(e);
	ck_assert_ptr_nonnull(strstr(e->text, "2 falls"));
	/* One a second, which tells the rest. */
	collector_tick(c, ZERO + 3 * NS_PER_S);
	e = find_event("falls");
	ck_assert_ptr_nonnull(strstr(e->text, "1 falls"));
}
END_TEST

/* Its samples of that time count, too. */
START_TEST(what_a_probe_counted_last_is_not_lost_when_it_goes)
{
	m->groups[0].probe = &counting;
	fake[0].pub.first_due_ns = ZERO;
	fake[0].pub.counters[0] = 2;
	collector_tick(c, ZERO + NS_PER_S);
	fake[0].pub.counters[0] = 7;
	fake[0].pub.counters[1] = 800;
	fake[0].pub.state = SAMPLER_ENDED;
	collector_remove(c, 0);
	ck_assert_int_eq(m->series[0].counter[0], 7);
	ck_assert_int_eq(m->series[0].counter[1], 800);
}
END_TEST

/* F35, F36: below zero is early, above the top is over. */
START_TEST(early_huge_and_over_an_hour)
{
	wake(&fake[0], -5);
	wake(&fake[0], 900);
	wake(&fake[1], 3000 * S);
	wake(&fake[2], 7200 * S);
	collector_tick(c, ZERO + 7300 * S);
	ck_assert_uint_eq(m->series[0].counts.early, 1);
	ck_assert_uint_eq(m->series[0].total->counts[0], 1);
	ck_assert_int_eq(m->series[0].total->max_ns, 900);
	ck_assert_int_eq(m->series[1].total->max_ns, 3000 * S);
	ck_assert_uint_eq(m->series[1].counts.over, 0);
	ck_assert_uint_eq(m->series[2].counts.over, 1);
	ck_assert_int_eq(m->series[2].total->max_ns, 7200 * S);
	complete();
}
END_TEST

START_TEST(a_period_too_short_for_the_machine_still_adds_up)
{
	for (int i = 0; i < 100; i++)
		wake(&fake[0], 14 * P / 10);
	collector_tick(c, ZERO + S);
	ck_assert_uint_eq(m->series[0].counts.due, 200);
	ck_assert_uint_eq(m->series[0].counts.missed, 100);
	complete();
}
END_TEST

START_TEST(the_newest_period_waits_for_news)
{
	int64_t woke = fake[0].due + 10;

	wake(&fake[0], 10);
	collector_tick(c, woke + P / 2);
	ck_assert_uint_eq(m->series[0].counts.due, 0);
	holds();
	collector_tick(c, woke + P + 1);
	ck_assert_uint_eq(m->series[0].counts.count, 1);
	wake(&fake[0], 10);
	collector_finish(c, fake[0].due - P + 20);
	complete();
}
END_TEST

/* ---- time ---------------------------------------------------------------- */

static void row_is(const struct history *h, int64_t from, uint64_t count, int64_t max)
{
	struct column col;

	history_column(h, from, from + S, &col);
	ck_assert_uint_eq(col.count, count);
	ck_assert_int_eq(col.max_ns, max);
}

/* Main sleeps 30 s: each second still shows its own samples. */
START_TEST(rows_come_out_right_after_a_long_hold_up)
{
	for (int i = 0; i < 30; i++)
		all_wake_until(ZERO + (i + 1) * S, 1000 + 100 * i);
	collector_tick(c, ZERO + 30 * S + 10 * P);
	for (int i = 1; i < 29; i++) {
		row_is(m->groups[0].history, ZERO + i * S, 2000, 1000 + 100 * i);
		row_is(m->series[1].history, ZERO + i * S, 1000, 1000 + 100 * i);
	}
	ck_assert_uint_eq(history_late(m->groups[0].history), 0);
	ck_assert_uint_eq(history_late(m->series[0].history), 0);
	/* The running second and the nine before. */
	ck_assert_uint_ge(m->groups[0].now->count, 17000);
	ck_assert_uint_le(m->groups[0].now->count, 20000);
	ck_assert_int_eq(m->groups[0].now->min_ns, 1000 + 100 * 21);
	complete();
}
END_TEST

/* All stand still for 50 min: the rows in between are leapt over, none on
 * either side is filed elsewhere. */
START_TEST(a_long_stop_leaves_each_sample_in_its_row)
{
	const int64_t stop = 3000 * S;

	all_wake_until(ZERO + 4 * S, 1000);
	for (unsigned i = 0; i < SERIES; i++)
		wake(&fake[i], stop);
	all_wake_until(ZERO + 4 * S + stop + 3 * S, 2000);
	collector_tick(c, ZERO + 4 * S + stop + 3 * S + 10 * P);
	for (int i = 1; i < 4; i++)
		row_is(m->groups[0].history, ZERO + i * S, 2000, 1000);
	row_is(m->groups[0].history, ZERO + 1500 * S, 0, 0);
	for (int i = 1; i < 3; i++)
		row_is(m->groups[0].history, ZERO + 4 * S + stop + i * S, 2000, 2000);
	ck_assert_int_eq(m->series[0].column_max_ns, 2000);
	ck_assert_uint_eq(history_late(m->groups[0].history), 0);
	complete();
}
END_TEST

START_TEST(often_or_seldom_ticked_it_is_the_same)
{
	struct column seldom, often;

	for (int i = 0; i < 4000; i++)
		wake(&fake[0], 500 + i % 700);
	collector_tick(c, ZERO + 5 * S);
	history_column(m->groups[0].history, ZERO + S, ZERO + 2 * S, &seldom);
	tear_down();
	set_up();
	for (int i = 0; i < 4000; i++) {
		wake(&fake[0], 500 + i % 700);
		collector_tick(c, ZERO + i * P + P / 2);
	}
	collector_tick(c, ZERO + 5 * S);
	history_column(m->groups[0].history, ZERO + S, ZERO + 2 * S, &often);
	ck_assert_mem_eq(&seldom, &often, sizeof(often));
	complete();
}
END_TEST

START_TEST(time_zero_is_the_end_of_the_warm_up)
{
	m->zero_ns = 0;
	collector_tick(c, ZERO + 5 * S);
	ck_assert_int_eq(m->zero_ns, 0);
	for (unsigned i = 0; i < SERIES; i++)
		fake[i].due = ZERO + 6 * S + (int64_t)i;
	all_wake_until(ZERO + 7 * S, 100);
	collector_tick(c, ZERO + 8 * S);
	ck_assert_int_eq(m->zero_ns, ZERO + 6 * S);
	ck_assert_int_eq(history_oldest_ns(m->groups[1].history), ZERO + 6 * S);
	complete();
}
END_TEST

/* ---- full rings ---------------------------------------------------------- */

START_TEST(a_full_ring_loses_nothing)
{
	tear_down();
	begin(P, 64);
	for (int i = 1; i <= 40; i++) {
		all_wake_until(ZERO + i * S / 2, 777 * i);
		collector_tick(c, ZERO + i * S / 2 + 2 * P);
		complete();
	}
	ck_assert_uint_gt(m->series[0].counts.unplaced, 0);
	ck_assert_uint_lt(m->series[0].counts.unplaced, m->series[0].counts.count);
	ck_assert_int_ge(m->series[0].total->max_ns, 777 * 40);
	ck_assert_uint_eq(m->groups[0].run->count, fake[0].count + fake[1].count);
}
END_TEST

START_TEST(spilled_values_are_never_shown_low_and_the_maximum_is_true)
{
	tear_down();
	begin(P, 2);
	wake(&fake[0], 10);
	wake(&fake[0], 10);
	wake(&fake[0], 12345);
	wake(&fake[0], -7);
	wake(&fake[0], 12 * P + 55);
	wake(&fake[0], 7200 * S);
	collector_tick(c, ZERO + 7300 * S);
	complete();
	ck_assert_uint_eq(m->series[0].counts.unplaced, 4);
	ck_assert_uint_eq(m->series[0].counts.early, 1);
	ck_assert_uint_eq(m->series[0].counts.over, 1);
	ck_assert_int_eq(m->series[0].total->max_ns, 7200 * S);
	ck_assert_uint_eq(hist_count_above(m->series[0].total, 12 * P + 54), 2);
	ck_assert_uint_eq(hist_count_above(m->series[0].total, 12344), 3);
}
END_TEST

START_TEST(an_entry_that_got_lost_is_seen)
{
	wake_until(&fake[0], ZERO + 100 * P, 10);
	fake[0].due += 3 * P;
	wake_until(&fake[0], ZERO + 200 * P, 10);
	collector_tick(c, ZERO + S);
	ck_assert(!counts_hold(&m->series[0].counts));
	ck_assert_uint_eq(m->series[0].counts.due, m->series[0].counts.count + 3);
}
END_TEST

START_TEST(a_spill_without_time_for_it_is_seen)
{
	wake_until(&fake[0], ZERO + 100 * P, 10);
	ring_spill(fake[0].ring, 10, 5, false);
	collector_tick(c, ZERO + S);
	wake_until(&fake[0], ZERO + 5 * S, 10);
	collector_tick(c, ZERO + 6 * S);
	ck_assert(!counts_hold(&m->series[0].counts));
}
END_TEST

/* ---- what is no latency -------------------------------------------------- */

START_TEST(a_stop_is_interrupted_not_latency)
{
	all_wake_until(ZERO + S, 20);
	collector_tick(c, ZERO + S);
	/* Stopped from 1 s to 2 s: all samplers wake after CONT. */
	for (unsigned i = 0; i < SERIES; i++)
		wake(&fake[i], 2 * S + ZERO - fake[i].due + 30);
	all_wake_until(ZERO + 3 * S, 20);
	collector_gap(c, GAP_STOP, ZERO + S, ZERO + 2 * S + 5000);
	collector_tick(c, ZERO + 3 * S + 2 * P);
	holds();
	for (unsigned i = 0; i < SERIES; i++) {
		ck_assert_int_eq(m->series[i].total->max_ns, 20);
		ck_assert_uint_ge(m->series[i].counts.interrupted, 1000);
		ck_assert_uint_le(m->series[i].counts.interrupted, 1001);
	}
	ck_assert_ptr_nonnull(find_event("interrupted"));
	struct column col;

	history_column(m->groups[0].history, ZERO + 2 * S, ZERO + 3 * S, &col);
	ck_assert_uint_ne(col.flags & HISTORY_STOPPED, 0);
}
END_TEST

START_TEST(samples_in_time_during_a_gap_stay)
{
	all_wake_until(ZERO + 2 * S, 50000);
	collector_gap(c, GAP_CLOCK, ZERO, ZERO + 2 * S);
	collector_tick(c, ZERO + 2 * S + 2 * P);
	complete();
	ck_assert_uint_eq(m->series[0].counts.interrupted, 0);
}
END_TEST

static const struct { int64_t suspended, wall; const char *event; } jumps[] = {
	{ 5 * S, 5 * S, "gap" },
	{ 0, -3600 * S, "clock" },
	{ 0, 3600 * S, "clock" },
};

/* P19: neither suspend nor step is a sample. */
START_TEST(suspends_and_clock_steps_take_the_held_sample_with_them)
{
	collector_tick(c, ZERO + P);
	all_wake_until(ZERO + S, 20);
	collector_tick(c, ZERO + S);
	wake(&fake[0], 500 * P);
	suspended_ns += jumps[_i].suspended;
	wall_ns += jumps[_i].wall;
	collector_tick(c, ZERO + 2 * S);
	holds();
	ck_assert_int_eq(m->series[0].total->max_ns, 20);
	ck_assert_uint_eq(m->series[0].counts.interrupted, 501);
	ck_assert_ptr_nonnull(find_event(jumps[_i].event));
	ck_assert_uint_eq(m->nr_events, 1);
}
END_TEST

START_TEST(clocks_that_only_tremble_are_no_news)
{
	for (int i = 0; i < 50; i++) {
		all_wake_until(ZERO + i * S / 4, 20 * P);
		wall_ns += i % 3 ? 900000 : -1800000;
		collector_tick(c, ZERO + i * S / 4);
	}
	ck_assert_uint_eq(m->nr_events, 0);
	ck_assert_uint_eq(m->series[0].counts.interrupted, 0);
	holds();
}
END_TEST

START_TEST(another_cpu_is_interrupted_until_it_is_back)
{
	wake_until(&fake[0], ZERO + 100 * P, 10);
	for (int i = 0; i < 50; i++)
		wake_elsewhere(&fake[0], 99 * P / 10);
	collector_tick(c, ZERO + S);
	ck_assert(m->series[0].offline);
	ck_assert_str_eq(find_event("hotplug")->text, "cpu 0: samples from elsewhere");
	ck_assert_uint_eq(m->series[0].counts.interrupted, 500);
	complete();
	wake_until(&fake[0], ZERO + 2 * S, 10);
	collector_tick(c, ZERO + 3 * S);
	ck_assert(!m->series[0].offline);
	ck_assert_str_eq(find_event("hotplug")->text, "cpu 0 is measured again");
	ck_assert_uint_eq(m->nr_events, 2);
	complete();
}
END_TEST

/* The main thread hears of it before it has read what was measured until then. */
START_TEST(samples_from_before_it_went_do_not_bring_a_cpu_back)
{
	wake_until(&fake[0], ZERO + 100 * P, 10);
	m->series[0].offline = true;
	m->series[0].offline_ns = ZERO + 150 * P;
	collector_tick(c, ZERO + S);
	ck_assert(m->series[0].offline);
	ck_assert_uint_eq(m->nr_events, 0);
	complete();
	wake_until(&fake[0], ZERO + 2 * S, 10);
	collector_tick(c, ZERO + 3 * S);
	ck_assert(!m->series[0].offline);
	ck_assert_str_eq(find_event("hotplug")->text, "cpu 0 is measured again");
	complete();
}
END_TEST

START_TEST(probes_on_one_cpu_tell_its_leaving_and_return_once)
{
	for (int i = 0; i < 4; i += 2) {
		wake_until(&fake[i], ZERO + 100 * P, 10);
		wake_elsewhere(&fake[i], 99 * P / 10);
	}
	collector_tick(c, ZERO + S);
	ck_assert(m->series[0].offline && m->series[2].offline);
	ck_assert_uint_eq(m->nr_events, 1);
	for (int i = 0; i < 4; i += 2)
		wake_until(&fake[i], ZERO + 2 * S, 10);
	collector_tick(c, ZERO + 3 * S);
	ck_assert(!m->series[0].offline && !m->series[2].offline);
	ck_assert_uint_eq(m->nr_events, 2);
	complete();
}
END_TEST

/* The kernel may leave a sampler there for a moment before it is pinned again. */
START_TEST(a_cpu_that_comes_goes_and_comes_within_a_second_tells_all_three)
{
	static const char *const want[] = {
		"cpu 0 is measured again", "cpu 0: samples from elsewhere", "cpu 0 is measured again",
	};

	for (int i = 0; i < 4; i += 2) {
		m->series[i].offline = true;
		wake_until(&fake[i], ZERO + 100 * P, 10);
		for (int k = 0; k < 50; k++)
			wake_elsewhere(&fake[i], 99 * P / 10);
		wake_until(&fake[i], ZERO + 900 * P, 10);
	}
	collector_tick(c, ZERO + S);
	ck_assert(!m->series[0].offline && !m->series[2].offline);
	ck_assert_uint_eq(m->nr_events, 3);
	for (unsigned i = 0; i < 3; i++)
		ck_assert_str_eq(m->events[i].text, want[i]);
	complete();
}
END_TEST

START_TEST(a_demoted_sampler_is_not_real_time_any_more)
{
	ring_push(fake[0].ring, -RING_DEMOTED, ZERO + 5);
	collector_tick(c, ZERO + S);
	ck_assert_str_eq(m->series[0].policy, "SCHED_OTHER");
	ck_assert(!m->groups[0].have_rt);
	struct column col;

	history_column(m->groups[0].history, ZERO + S / 2, ZERO + S, &col);
	ck_assert_uint_ne(col.flags & HISTORY_NOT_RT, 0);
}
END_TEST

START_TEST(stalls_a_second_apart_look_like_throttling)
{
	for (int i = 0; i < 5; i++) {
		wake_until(&fake[0], ZERO + (i + 1) * S, 10);
		wake(&fake[0], 50 * P);
	}
	wake(&fake[1], 50 * P);
	collector_tick(c, ZERO + 7 * S);
	ck_assert_uint_eq(m->series[0].throttled, 4);
	ck_assert_uint_eq(m->series[1].throttled, 0);
	complete();
}
END_TEST

/* ---- what is not there yet ----------------------------------------------- */

START_TEST(a_wait_in_flight_is_seen_before_it_ends)
{
	all_wake_until(ZERO + S, 10);
	collector_tick(c, ZERO + S);
	ck_assert_int_eq(m->series[0].in_flight_ns, 0);
	collector_tick(c, ZERO + S + 700 * MS);
	ck_assert_int_gt(m->series[0].in_flight_ns, 690 * MS);
	ck_assert_int_eq(model_in_flight(m, &m->groups[0]), m->series[0].in_flight_ns);
	ck_assert(!m->series[0].silent);
	collector_tick(c, ZERO + 4 * S);
	ck_assert(m->series[0].silent);
	ck_assert_str_eq(m->series[0].error, "cpu 0: no report");
	holds();
	all_wake_until(ZERO + 4 * S, 10);
	collector_tick(c, ZERO + 4 * S + 2 * P);
	ck_assert(!m->series[0].silent);
	ck_assert_str_eq(m->series[0].error, "");
	complete();
}
END_TEST

START_TEST(ticks_come_before_the_rings_are_full)
{
	tear_down();
	begin(P, 128);
	ck_assert_int_eq(collector_wait_ns(c, 250 * MS), 64 * P);
	all_wake_until(ZERO + 60 * P, 0);
	ck_assert_int_eq(collector_wait_ns(c, 250 * MS), 10 * MS);
}
END_TEST

/* ---- sources that come and go -------------------------------------------- */

START_TEST(a_series_goes_on_with_a_new_sampler)
{
	all_wake_until(ZERO + S, 10);
	collector_remove(c, 0);
	ck_assert_uint_eq(m->series[0].counts.count, fake[0].count);
	ck_assert(counts_hold(&m->series[0].counts));
	collector_tick(c, ZERO + 3 * S);
	attach(0, 1024);
	fake[0].due = ZERO + 5 * S + 12345;
	all_wake_until(ZERO + 6 * S, 10);
	collector_tick(c, ZERO + 7 * S);
	complete();
}
END_TEST

START_TEST(no_source_without_an_interval)
{
	struct why why;
	struct collector_source bad = { .series = SERIES, .ring = fake[0].ring };

	ck_assert_int_lt(collector_add(c, &bad, &why), 0);
	m->series[0].interval_ns = 0;
	bad.series = 0;
	ck_assert_int_lt(collector_add(c, &bad, &why), 0);
}
END_TEST

/* ---- operation probes ---------------------------------------------------- */

static struct helper_line line;
static struct ring *helper;

static void add_helper(void)
{
	struct collector_source source = { .series = 3, .helper = &line };

	collector_remove(c, 3);
	ring_free(fake[3].ring);
	memset(&line, 0, sizeof(line));
	fake[3].ring = helper = source.ring = ring_new(64);
	m->series[3].interval_ns = 50 * MS;
	collector_tick(c, ZERO + P);
	collector_add(c, &source, NULL);
}

/* Its ring stays; what it spilled before is counted already. */
START_TEST(a_helper_comes_back_on_the_ring_it_left)
{
	const struct series *s = &m->series[3];
	struct collector_source source = { .series = 3, .helper = &line };

	add_helper();
	ring_push(helper, ZERO + 60 * MS, ZERO + 61 * MS);
	ring_spill(helper, MS, 3, false);
	ring_spill_error(helper, 2);
	collector_tick(c, ZERO + S);
	collector_remove(c, 3);
	ck_assert_uint_eq(s->counts.due, 6);
	ck_assert_uint_eq(s->counts.count, 2);
	source.ring = helper;
	ck_assert_int_eq(collector_add(c, &source, NULL), 0);
	collector_tick(c, ZERO + 2 * S);
	ck_assert_uint_eq(s->counts.due, 6);
	ring_spill(helper, MS, 1, false);
	ring_push(helper, ZERO + 2 * S, ZERO + 2 * S + MS);
	collector_tick(c, ZERO + 3 * S);
	ck_assert_uint_eq(s->counts.due, 8);
	ck_assert_uint_eq(s->counts.count, 4);
	ck_assert_uint_eq(s->total->count, 4);
	ck_assert(counts_hold(&s->counts));
}
END_TEST

START_TEST(operations_count_by_entries)
{
	add_helper();
	ring_push(helper, ZERO + 60 * MS, ZERO + 61 * MS);
	ring_push_marked(helper, RING_MISSED, 3, ZERO + 300 * MS, ZERO + 301 * MS);
	ring_push_marked(helper, RING_ERROR, 28, ZERO + 360 * MS, ZERO + 361 * MS);
	collector_tick(c, ZERO + S);
	const struct series *s = &m->series[3];

	ck_assert_uint_eq(s->counts.count, 2);
	ck_assert_uint_eq(s->counts.missed, 3);
	ck_assert_uint_eq(s->counts.interrupted, 1);
	ck_assert_uint_eq(s->counts.errors, 1);
	ck_assert_int_eq(s->last_errno, 28);
	ck_assert_uint_eq(s->counts.due, 6);
	ck_assert_int_eq(s->total->max_ns, MS);
	ck_assert(counts_hold(&s->counts));
}
END_TEST

static void fail_once(int err, int64_t at_ns)
{
	ring_push_marked(helper, RING_ERROR, err, at_ns, at_ns + MS);
	collector_tick(c, at_ns + S);
}

/* A full disk is told at once, with what to do, until something works again. */
START_TEST(a_full_disk_is_said_in_words)
{
	static const int full[] = { ENOSPC, EDQUOT };
	const struct series *s = &m->series[3];
	const struct group *g = &m->groups[s->group];

	add_helper();
	fail_once(full[_i], ZERO + S);
	ck_assert_str_eq(s->error, "disk full; free some or give another --scratch");
	ck_assert_str_eq(g->error, s->error);
	ck_assert_ptr_nonnull(strstr(m->status, ": disk full; free some"));
	ck_assert(m->status_bad);
	ring_push(helper, ZERO + 3 * S, ZERO + 3 * S + MS);
	collector_tick(c, ZERO + 5 * S);
	ck_assert_str_eq(s->error, "");
	ck_assert_str_eq(g->error, "");
	ck_assert(counts_hold(&s->counts));
}
END_TEST

START_TEST(an_operation_that_always_fails_says_why)
{
	const struct series *s = &m->series[3];

	add_helper();
	fail_once(EAGAIN, ZERO + S);
	fail_once(EAGAIN, ZERO + 2 * S);
	ck_assert_str_eq(s->error, "");
	ring_push(helper, ZERO + 3 * S, ZERO + 3 * S + MS);
	fail_once(EAGAIN, ZERO + 4 * S);
	fail_once(EAGAIN, ZERO + 5 * S);
	ck_assert_str_eq(s->error, "");
	fail_once(EAGAIN, ZERO + 6 * S);
	ck_assert_str_eq(s->error, strerror(EAGAIN));
}
END_TEST

START_TEST(a_call_in_flight_of_a_helper_is_seen)
{
	add_helper();
	atomic_store(&line.in_flight_ns, ZERO + 100 * MS);
	collector_tick(c, ZERO + S);
	ck_assert_int_eq(m->series[3].in_flight_ns, 900 * MS);
	atomic_store(&line.in_flight_ns, ZERO + 500 * S);
	collector_tick(c, ZERO + 2 * S);
	ck_assert_int_eq(m->series[3].in_flight_ns, 0);
}
END_TEST

START_TEST(a_helper_gone_mad_hurts_only_itself)
{
	add_helper();
	ring_push(helper, ZERO + 60 * MS, ZERO + 999999 * S);
	ring_push(helper, 5, ZERO + 61 * MS);	/* before time zero: not of the run */
	ring_push(helper, ZERO + 70 * MS, ZERO - 2 * S);
	ring_push(helper, INT64_MAX, INT64_MAX);
	ring_push(helper, INT64_MIN, 7);
	ring_push(helper, -99, INT64_MIN);
	ring_push_marked(helper, RING_MISSED, INT64_MAX, ZERO + 80 * MS, ZERO + 81 * MS);
	ring_push_marked(helper, RING_MISSED, INT64_MIN, ZERO + 90 * MS, ZERO + 91 * MS);
	ring_push_marked(helper, RING_ERROR, -1, ZERO + 92 * MS, ZERO + 93 * MS);
	atomic_store(&line.period_ns, INT64_MIN);
	for (int i = 1; i < 5; i++)
		collector_tick(c, ZERO + i * S);
	const struct series *s = &m->series[3];

	ck_assert(counts_hold(&s->counts));
	ck_assert_uint_eq(s->counts.count, 2);
	ck_assert_uint_eq(s->counts.errors, 4);
	ck_assert_uint_le(s->counts.missed, 100);
	ck_assert_int_eq(s->total->max_ns, MS);
	ck_assert_int_eq(s->interval_ns, 50 * MS);
	ck_assert_uint_eq(m->series[0].counts.due, 0);
}
END_TEST

/* The memory of a ring as who maps it sees it: ring.c's struct ring_block. */
struct block {
	_Alignas(64) uint64_t head;
	_Alignas(64) uint64_t tail;
	_Alignas(64) uint64_t sequence;
	uint64_t total[7];	/* count missed interrupted errors, periods early over */
	int64_t max_ns;
	uint64_t counts[SLOTS];
	_Alignas(64) struct ring_entry entries[];
};
enum { COUNT, MISSED, INTERRUPTED, ERRORS, PERIODS, EARLY, OVER, TOTALS };

#define MAD_ROOM 64

static uint64_t any(unsigned *seed, uint64_t from)
{
	static const uint64_t far[] = { 0, 1, UINT64_C(1) << 48, UINT64_C(1) << 53, UINT64_C(1) << 62,
					INT64_MAX, UINT64_C(1) << 63, UINT64_MAX };
	unsigned n = (unsigned)rand_r(seed);

	return n % 8 ? from + n / 8 % 5 : far[n / 8 % 8] + n / 64 % 3 - 1;
}

/* What follows from what was believed, and adds up, may be believed again. */
static void write_totals(struct block *b, unsigned *seed)
{
	struct ring_spill s;

	ring_spill_read(helper, &s, b->counts);
	memcpy(b->total, (uint64_t[]){ s.count, s.missed, s.interrupted, s.errors, s.periods, s.early,
				       s.over }, sizeof(b->total));
	b->max_ns = s.max_ns;
	for (int i = 0; i < 4; i++) {
		unsigned slot = (unsigned)rand_r(seed) % SLOTS;

		b->counts[slot] = any(seed, b->counts[slot]);
	}
	for (int i = 0; i < TOTALS; i++)
		if (rand_r(seed) % 2)
			b->total[i] = any(seed, b->total[i]);
	b->max_ns = (int64_t)any(seed, (uint64_t)b->max_ns);
	if (rand_r(seed) % 4) {
		b->total[COUNT] = 0;
		for (unsigned i = 0; i < SLOTS; i++)
			b->total[COUNT] += b->counts[i];
		b->total[PERIODS] = b->total[COUNT] + b->total[MISSED] + b->total[INTERRUPTED];
	}
	b->sequence += 2;
}

static void write_entries(struct block *b, unsigned *seed, int64_t now)
{
	for (int i = 0; i < 8; i++, b->head++)
		b->entries[b->head % MAD_ROOM] = (struct ring_entry){
			rand_r(seed) % 3 ? (int64_t)any(seed, (uint64_t)now) : -(rand_r(seed) % 7),
			(int64_t)any(seed, (uint64_t)now),
		};
	if (rand_r(seed) % 8 == 0)
		b->head = any(seed, b->head);
}

static void write_line(unsigned *seed, int64_t now)
{
	atomic_store(&line.in_flight_ns, (int64_t)any(seed, (uint64_t)now));
	atomic_store(&line.in_flight_variant, (unsigned)any(seed, 0));
	atomic_store(&line.cpu_ns, any(seed, 0));
	atomic_store(&line.last_errno, (int)any(seed, 0));
	atomic_store(&line.state, (int)any(seed, 0));
	atomic_store(&line.policy, (int)any(seed, 0));
	atomic_store(&line.period_ns, (int64_t)any(seed, MS / 10));
}

/* Others lose nothing, and all of it can be saved and read again. */
static void check_saving(bool written)
{
	struct why why = { 0 };
	struct snapshot *s = snapshot_take(m, NULL, &why), *again;
	size_t n;

	ck_assert_msg(s != NULL, "%s", why.text);
	ck_assert_msg(!snapshot_check(s, &why), "%s", why.text);
	if (written) {
		char *text = fake_write(&format_json, s, &n);

		again = fake_read(&format_json, text, n, &why);
		ck_assert_msg(again && !snapshot_check(again, &why), "%s", why.text);
		snapshot_free(again);
		free(text);
	}
	snapshot_free(s);
	for (unsigned i = 0; i < 3; i++) {
		ck_assert(counts_hold(&m->series[i].counts));
		ck_assert_uint_eq(m->series[i].counts.count, fake[i].count);
		ck_assert_uint_eq(m->series[i].total->count, fake[i].count);
	}
}

static struct block *add_mad_helper(void)
{
	struct collector_source source = { .series = 3, .helper = &line };
	struct block *b;

	for (unsigned g = 0; g < m->nr_groups; g++)
		snprintf(m->groups[g].name, sizeof(m->groups[g].name), "probe%u", g);
	add_helper();
	collector_remove(c, 3);
	ring_free(fake[3].ring);
	b = aligned_alloc(64, (ring_bytes(MAD_ROOM) + 63) / 64 * 64);
	ck_assert_ptr_nonnull(b);
	memset(b, 0, ring_bytes(MAD_ROOM));
	fake[3].ring = helper = source.ring = ring_init(b, MAD_ROOM);
	ck_assert_int_eq(collector_add(c, &source, NULL), 0);
	return b;
}

/* One of the samples is early, one is in an error, by a writer of one word. */
START_TEST(parts_of_nothing_are_not_believed)
{
	static const struct { int part, of; } rows[] = {
		{ EARLY, COUNT }, { OVER, COUNT }, { ERRORS, INTERRUPTED },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct block *b = add_mad_helper();

		b->total[INTERRUPTED] = b->total[PERIODS] = 1;
		b->total[rows[i].part] = 1 + b->total[rows[i].of];
		b->sequence = 2;
		collector_tick(c, m->now_ns + S);
		check_saving(true);
		ck_assert_uint_eq(m->series[3].counts.due, 0);
		collector_remove(c, 3);
		ring_free(fake[3].ring);
		fake[3].ring = NULL;
		free(b);
	}
}
END_TEST

START_TEST(whatever_a_helper_writes_all_can_be_saved)
{
	struct block *b = add_mad_helper();
	unsigned seed = (unsigned)_i;
	uint64_t spilled = 0;

	for (int round = 1; round <= 120; round++) {
		int64_t now = ZERO + round * 250 * MS;

		for (unsigned i = 0; i < 3; i++)
			wake_until(&fake[i], now - 2 * P, 20000);
		write_entries(b, &seed, now);
		write_line(&seed, now);
		write_totals(b, &seed);
		collector_tick(c, now);
		check_saving(round % 16 == 0);
		spilled = m->series[3].counts.unplaced;
	}
	ck_assert_uint_gt(spilled, 0);
	collector_remove(c, 3);
	check_saving(true);
	ring_free(fake[3].ring);
	fake[3].ring = NULL;
	free(b);
}
END_TEST

START_TEST(the_difference_of_two_times_may_be_negative)
{
	add_helper();
	ring_push(helper, ZERO + 70 * MS, ZERO + 70 * MS - 400);
	collector_tick(c, ZERO + 2 * S);
	ck_assert_uint_eq(m->series[3].counts.count, 1);
	ck_assert_uint_eq(m->series[3].counts.early, 1);
	ck_assert_uint_eq(m->series[3].counts.errors, 0);
}
END_TEST

/* ---- spikes -------------------------------------------------------------- */

#define FLOOD 600

static struct spike seen[FLOOD];
static unsigned nr_seen;
static bool keep;

static bool on_spike(void *ctx, unsigned series, int64_t due_ns, struct spike *s)
{
	ck_assert_ptr_eq(ctx, m);
	ck_assert_uint_eq(m->series[series].group, s->group);
	ck_assert_int_eq(s->t_ns - due_ns, s->late_ns);
	seen[nr_seen++] = *s;
	return keep;
}

START_TEST(spikes_are_far_above_the_usual_and_come_in_order)
{
	nr_seen = 0;
	keep = true;
	collector_on_spike(c, on_spike, m, 0);
	for (int i = 1; i <= 8; i++) {
		all_wake_until(ZERO + i * S / 4, 20000);
		collector_tick(c, ZERO + i * S / 4);
	}
	ck_assert_uint_eq(nr_seen, 0);
	wake(&fake[1], 190000);		/* below 10 x p99 */
	wake(&fake[2], 900000);
	wake(&fake[0], 800000);
	wake(&fake[3], 950000);
	collector_tick(c, ZERO + 3 * S);
	ck_assert_uint_eq(nr_seen, 3);
	ck_assert_uint_eq(m->nr_spikes, 3);
	for (unsigned i = 1; i < nr_seen; i++)
		ck_assert_int_le(seen[i - 1].t_ns, seen[i].t_ns);
	ck_assert_int_eq(m->spikes[0].late_ns, 950000);
	ck_assert_int_eq(m->spikes[0].cpu, 1);
}
END_TEST

START_TEST(a_fixed_threshold_and_a_listener_that_refuses)
{
	nr_seen = 0;
	keep = false;
	collector_on_spike(c, on_spike, m, 30000);
	wake(&fake[0], 29999);
	wake(&fake[0], 30000);
	collector_tick(c, ZERO + S);
	ck_assert_uint_eq(nr_seen, 1);
	ck_assert_uint_eq(m->nr_spikes, 0);
}
END_TEST

START_TEST(a_flood_of_spikes_keeps_the_worst)
{
	nr_seen = 0;
	keep = true;
	collector_on_spike(c, on_spike, m, 1000);
	for (int i = 0; i < FLOOD; i++)
		wake(&fake[0], 2000 + (i * 7919) % FLOOD);
	collector_tick(c, ZERO + S);
	ck_assert_uint_eq(nr_seen, 256);
	ck_assert_int_eq(m->spikes[0].late_ns, 2000 + FLOOD - 1);
	ck_assert_int_eq(m->spikes[63].late_ns, 2000 + FLOOD - 64);
}
END_TEST

static struct spike looked[100];
static unsigned nr_looked, seen_at_first_look;

static void on_look(void *ctx, unsigned series, int64_t due_ns, struct spike *s)
{
	ck_assert_ptr_eq(ctx, m);
	ck_assert_uint_eq(m->series[series].group, s->group);
	ck_assert_int_eq(s->t_ns - due_ns, s->late_ns);
	if (!nr_looked)
		seen_at_first_look = nr_seen;
	snprintf(s->note, sizeof(s->note), "%u", nr_looked);
	looked[nr_looked++] = *s;
}

/* Over all rows and series of a tick; the model has them in order of time. */
START_TEST(the_worst_of_a_tick_are_looked_at_first)
{
	nr_seen = nr_looked = 0;
	keep = true;
	collector_on_spike(c, on_spike, m, 100000);
	collector_on_look(c, on_look, m);
	wake(&fake[0], 300000);
	wake(&fake[2], 500000);
	all_wake_until(ZERO + S / 2, 20000);
	wake(&fake[1], 900000);
	wake(&fake[0], 200000);
	all_wake_until(ZERO + S - S / 20, 20000);
	wake(&fake[2], 400000);
	collector_tick(c, ZERO + S);
	ck_assert_uint_eq(nr_seen, 5);
	ck_assert_uint_eq(nr_looked, 5);
	ck_assert_uint_eq(seen_at_first_look, 5);
	for (unsigned i = 1; i < nr_looked; i++)
		ck_assert_int_gt(looked[i - 1].late_ns, looked[i].late_ns);
	ck_assert_int_eq(looked[0].late_ns, 900000);
	for (unsigned i = 0; i < 5; i++) {
		const struct spike *late = model_latest(m, i);

		ck_assert_int_eq(late->t_ns, seen[i].t_ns);
		ck_assert_str_eq(late->note, looked[atoi(late->note)].note);
		ck_assert_int_eq(late->late_ns, looked[atoi(late->note)].late_ns);
		ck_assert(i == 0 || model_latest(m, i - 1)->t_ns <= late->t_ns);
	}
}
END_TEST

START_TEST(what_is_not_kept_is_not_looked_at)
{
	nr_seen = nr_looked = 0;
	keep = false;
	collector_on_spike(c, on_spike, m, 30000);
	collector_on_look(c, on_look, m);
	wake(&fake[0], 900000);
	collector_tick(c, ZERO + S);
	ck_assert_uint_eq(nr_seen, 1);
	ck_assert_uint_eq(nr_looked, 0);
}
END_TEST

/* ---- all at once --------------------------------------------------------- */

static uint64_t state;

static uint64_t next(uint64_t below)
{
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (state >> 33) % below;
}

static void random_wake(struct fake *f)
{
	static const int64_t lates[] = { 20, 3000, 40000, 900000, 5 * MS, 80 * MS, -50 };
	int64_t late = lates[next(7)] + (int64_t)next(1000);

	if (next(50) == 0)
		wake_elsewhere(f, late);
	else if (next(20))
		wake(f, (int64_t)next(90000));
	else
		wake(f, late);
}

/* P7: whatever comes. */
START_TEST(the_sum_rule_holds_at_every_tick)
{
	int64_t now = ZERO;

	state = (uint64_t)_i + 1;
	tear_down();
	begin(P, 64u << next(5));
	while (now < ZERO + 40 * S) {
		now += (int64_t)next(UINT64_C(1) << (20 + next(11)));
		for (unsigned i = 0; i < SERIES; i++)
			while (fake[i].due < now)
				random_wake(&fake[i]);
		if (next(10) == 0)
			collector_gap(c, (enum gap_kind)next(5), now - (int64_t)next(300 * MS),
				      now);
		collector_tick(c, now);
		holds();
	}
	collector_finish(c, now + S);
	holds();
	for (unsigned i = 0; i < SERIES; i++) {
		const struct counts *n = &m->series[i].counts;

		ck_assert_uint_eq(n->due, fake[i].count + fake[i].missed + fake[i].interrupted);
		ck_assert_uint_eq(n->due, (uint64_t)(fake[i].due - fake[i].pub.first_due_ns) / P);
	}
}
END_TEST

Suite *collector_suite(void);
Suite *collector_suite(void)
{
	Suite *s = suite_create("collector");
	TCase *tc = tcase_create("collector");

	tcase_set_timeout(tc, 60);
	tcase_add_checked_fixture(tc, set_up, tear_down);
	tcase_add_test(tc, a_sample_is_counted_where_it_belongs);
	tcase_add_test(tc, a_late_one_tells_what_it_missed);
	tcase_add_test(tc, what_was_due_before_time_zero_is_not_of_the_run);
	tcase_add_test(tc, what_a_probe_counts_reaches_the_model_and_its_events);
	tcase_add_test(tc, what_a_probe_counted_last_is_not_lost_when_it_goes);
	tcase_add_test(tc, early_huge_and_over_an_hour);
	tcase_add_test(tc, a_period_too_short_for_the_machine_still_adds_up);
	tcase_add_test(tc, the_newest_period_waits_for_news);
	tcase_add_test(tc, rows_come_out_right_after_a_long_hold_up);
	tcase_add_test(tc, a_long_stop_leaves_each_sample_in_its_row);
	tcase_add_test(tc, often_or_seldom_ticked_it_is_the_same);
	tcase_add_test(tc, time_zero_is_the_end_of_the_warm_up);
	tcase_add_test(tc, a_full_ring_loses_nothing);
	tcase_add_test(tc, spilled_values_are_never_shown_low_and_the_maximum_is_true);
	tcase_add_test(tc, an_entry_that_got_lost_is_seen);
	tcase_add_test(tc, a_spill_without_time_for_it_is_seen);
	tcase_add_test(tc, a_stop_is_interrupted_not_latency);
	tcase_add_test(tc, samples_in_time_during_a_gap_stay);
	tcase_add_loop_test(tc, suspends_and_clock_steps_take_the_held_sample_with_them, 0,
			    sizeof(jumps) / sizeof(jumps[0]));
	tcase_add_test(tc, clocks_that_only_tremble_are_no_news);
	tcase_add_test(tc, another_cpu_is_interrupted_until_it_is_back);
	tcase_add_test(tc, samples_from_before_it_went_do_not_bring_a_cpu_back);
	tcase_add_test(tc, probes_on_one_cpu_tell_its_leaving_and_return_once);
	tcase_add_test(tc, a_cpu_that_comes_goes_and_comes_within_a_second_tells_all_three);
	tcase_add_test(tc, a_demoted_sampler_is_not_real_time_any_more);
	tcase_add_test(tc, stalls_a_second_apart_look_like_throttling);
	tcase_add_test(tc, a_wait_in_flight_is_seen_before_it_ends);
	tcase_add_test(tc, ticks_come_before_the_rings_are_full);
	tcase_add_test(tc, a_series_goes_on_with_a_new_sampler);
	tcase_add_test(tc, no_source_without_an_interval);
	tcase_add_test(tc, a_helper_comes_back_on_the_ring_it_left);
	tcase_add_test(tc, operations_count_by_entries);
	tcase_add_test(tc, a_call_in_flight_of_a_helper_is_seen);
	tcase_add_loop_test(tc, a_full_disk_is_said_in_words, 0, 2);
	tcase_add_test(tc, an_operation_that_always_fails_says_why);
	tcase_add_test(tc, a_helper_gone_mad_hurts_only_itself);
	tcase_add_test(tc, parts_of_nothing_are_not_believed);
	tcase_add_loop_test(tc, whatever_a_helper_writes_all_can_be_saved, 0, 12);
	tcase_add_test(tc, the_difference_of_two_times_may_be_negative);
	tcase_add_test(tc, spikes_are_far_above_the_usual_and_come_in_order);
	tcase_add_test(tc, a_fixed_threshold_and_a_listener_that_refuses);
	tcase_add_test(tc, a_flood_of_spikes_keeps_the_worst);
	tcase_add_test(tc, the_worst_of_a_tick_are_looked_at_first);
	tcase_add_test(tc, what_is_not_kept_is_not_looked_at);
	tcase_add_loop_test(tc, the_sum_rule_holds_at_every_tick, 0, 12);
	suite_add_tcase(s, tc);
	return s;
}
