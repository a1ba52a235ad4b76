/*
 * check_culprit.c - a culprit made on purpose, above a real sampler: its spikes
 * name it, no other does, and the time it is charged with is that of its own
 * log, clipped to the spike's window.
 *
 * A few turns of each kind at both levels; JS_LONG=1: 110 of each, for 100
 * spikes a row.
 */
#include <check.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/culprit.h"
#include "tests/onlooker.h"
#include "tests/skip.h"

#define TURNS 6
#define TURNS_LONG 110
#define PERIOD_NS (103 * NS_PER_MS)	/* no multiple of the sampler's */
#define SPIKE_NS (3 * NS_PER_MS)	/* its own are above 4 */
#define PATIENCE_NS (30 * NS_PER_S)
#define SPIKES 4096
#define NAMED_LEAST_PCT 99.0
#define HELD_OFF_PCT 5.0
#define EDGE_NS (20 * NS_PER_US)	/* from a switch to the first look at the clock */

struct seen { int64_t due_ns, woke_ns, held_ns; bool named; struct spike spike; };

struct row {
	unsigned its, named, others, wrong, within;
	double off[SPIKES];	/* held against the log, percent */
	int64_t held_ns, log_ns;
};

static struct culprit culprit;
static struct onlooker onlooker;
static struct seen seen[SPIKES];
static unsigned nr_seen;

/* ---- the instrument ------------------------------------------------------ */

/* With tracepoints they are told apart; its log of when it ran holds them. */
static bool is_interrupt(const char *name)
{
	return !strncmp(name, "irq ", 4) || !strncmp(name, "softirq ", 8);
}

static bool on_spike(void *ctx, unsigned series, int64_t due_ns, struct spike *s)
{
	(void)ctx;
	blame_spike(onlooker.b, onlooker.m, series, due_ns, s);
	if (nr_seen == SPIKES)
		return true;
	struct seen *one = &seen[nr_seen++];

	*one = (struct seen){ .due_ns = due_ns, .woke_ns = s->t_ns, .spike = *s };
	for (unsigned i = 0; i < s->nr; i++) {
		bool it = !strcmp(s->culprit[i].comm, culprit.name);

		one->named |= it;
		if (it || is_interrupt(s->culprit[i].comm))
			one->held_ns += s->culprit[i].ns;
	}
	return true;
}

/* As the program's main thread: nobody ordinary keeps it from the rings. */
static void be_main(void)
{
	const struct sched_param p = { .sched_priority = 1 };

	sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &p);
}

/* ---- the comparison ------------------------------------------------------ */

/* How long the log says that it ran in a window widened by `edge` on each side. */
static int64_t by_the_log(const struct culprit_turn *turn, unsigned turns, int64_t from_ns,
			  int64_t to_ns, int64_t edge_ns)
{
	int64_t sum = 0;

	for (unsigned i = 0; i < turns; i++) {
		int64_t from = turn[i].began_ns - edge_ns, to = turn[i].ended_ns + edge_ns;

		from = from > from_ns ? from : from_ns;
		to = to < to_ns ? to : to_ns;
		sum += to > from ? to - from : 0;
	}
	return sum;
}

static void tell_odd(const struct seen *s, int64_t log_ns)
{
	printf("  late %lld us, by the log %lld:", (long long)s->spike.late_ns / 1000,
	       (long long)log_ns / 1000);
	for (unsigned i = 0; i < s->spike.nr; i++)
		printf(" %s[%d] %lld", s->spike.culprit[i].comm, s->spike.culprit[i].pid,
		       (long long)s->spike.culprit[i].ns / 1000);
	printf(" [%s]\n", s->spike.note);
}

static void add_its(struct row *r, const struct seen *s, int64_t log_ns)
{
	double off = 100.0 * (double)(s->held_ns - log_ns) / (double)log_ns;

	r->off[r->its++] = off < 0 ? -off : off;
	r->named += s->named;
	r->within += off <= HELD_OFF_PCT && off >= -HELD_OFF_PCT;
	r->held_ns += s->held_ns;
	r->log_ns += log_ns;
	if (!s->named || off > HELD_OFF_PCT || off < -HELD_OFF_PCT)
		tell_odd(s, log_ns);
}

/*
 * Its spikes are those in which it ran, for longer than a switch takes.  Others
 * are those near which it did not run: a host that takes the CPU between the
 * switch and its first look at the clock hides that time from its log, so one
 * that is charged with 2 ms may have run 2 ms before its log begins.
 */
static void compare(struct row *r, const struct culprit_turn *turn, unsigned turns)
{
	for (unsigned i = 0; i < nr_seen; i++) {
		const struct seen *s = &seen[i];
		int64_t log_ns = by_the_log(turn, turns, s->due_ns, s->woke_ns, 0);

		if (log_ns > EDGE_NS) {
			add_its(r, s, log_ns);
		} else if (!by_the_log(turn, turns, s->due_ns, s->woke_ns, EDGE_NS + s->held_ns)) {
			r->others++;
			r->wrong += s->named;
			if (s->named)
				tell_odd(s, log_ns);
		}
	}
}

static int by_value(const void *a, const void *b_)
{
	double x = *(const double *)a, y = *(const double *)b_;

	return (x > y) - (x < y);
}

static void tell(struct row *r, const char *level, const char *kind)
{
	qsort(r->off, r->its, sizeof(r->off[0]), by_value);
	printf("culprit %-11s %-12s %3u of its spikes, %3u name it (%5.1f %%); %u others, %u name it; "
	       "held %+.2f %% of its log in all, a spike: median %.2f, p95 %.2f, worst %.2f %% off, "
	       "%u within 5 %%\n", level, kind, r->its, r->named,
	       r->its ? 100.0 * r->named / r->its : 0, r->others, r->wrong,
	       r->log_ns ? 100.0 * (double)(r->held_ns - r->log_ns) / (double)r->log_ns : 0,
	       r->its ? r->off[r->its / 2] : 0, r->its ? r->off[r->its * 95 / 100] : 0,
	       r->its ? r->off[r->its - 1] : 0, r->within);
	fflush(stdout);
}

static void check_row(const struct row *r, unsigned turns)
{
	double held = (double)r->held_ns / (double)(r->log_ns ? r->log_ns : 1);

	ck_assert_uint_gt(turns, 0);
	ck_assert_uint_ge(r->its, turns * 9 / 10);
	ck_assert(100.0 * r->named >= NAMED_LEAST_PCT * r->its);
	ck_assert_uint_eq(r->wrong, 0);
	ck_assert(held > 1 - HELD_OFF_PCT / 100 && held < 1 + HELD_OFF_PCT / 100);
	/* So few spikes as in the short form do not carry a share of 99 %. */
	if (getenv("JS_LONG"))
		ck_assert(100.0 * r->within >= NAMED_LEAST_PCT * r->its);
	else
		ck_assert(r->off[r->its / 2] <= HELD_OFF_PCT);
}

/* Looks on until it has taken them all; its sender is an ordinary task, which a
 * busy machine may keep waiting. */
static unsigned all_turns(unsigned turns, const struct culprit_turn **turn)
{
	int64_t until_ns = clock_now_ns() + (turns + 2) * PERIOD_NS + PATIENCE_NS;
	unsigned taken = 0;

	while (taken < turns && clock_now_ns() < until_ns) {
		onlooker_tick_for(&onlooker, PERIOD_NS);
		taken = culprit_turns(&culprit, turn);
	}
	onlooker_tick_for(&onlooker, PERIOD_NS);
	return taken;
}

/* One row; false: the level cannot be had here (said). */
static bool take_row(struct row *r, unsigned *taken, enum blame_level level, enum culprit_kind kind)
{
	const struct onlooker_plan plan = {
		.level = level, .priority = 80, .spike_ns = SPIKE_NS, .spike = on_spike,
	};
	unsigned turns = getenv("JS_LONG") ? TURNS_LONG : TURNS;
	const struct culprit_turn *turn;

	if (!onlooker_start(&onlooker, &plan)) {
		char how[400];

		SKIP(blame_how(onlooker.b, how, sizeof(how)));
		onlooker_stop(&onlooker);
		return false;
	}
	be_main();
	nr_seen = 0;
	memset(r, 0, sizeof(*r));
	onlooker_tick_for(&onlooker, 30 * NS_PER_MS);
	culprit_start(&culprit, kind, onlooker.cpu, turns, PERIOD_NS);
	*taken = all_turns(turns, &turn);

	compare(r, turn, *taken);
	ck_assert_msg(culprit_end(&culprit, 60000), "the culprit was refused something");
	onlooker_stop(&onlooker);
	tell(r, blame_level_name(level), culprit_kinds[kind]);
	return true;
}

/* A task that was gone before its name was found has that of its parent, marked,
 * or its number. */
static bool has_no_name(const struct spike *s)
{
	for (unsigned i = 0; i < s->nr; i++)
		if (strchr(s->culprit[i].comm, '~') || strstr(s->culprit[i].comm, "(gone)"))
			return true;
	return false;
}

/* Another program may write so much into the rings that they no longer reach
 * back, or keep main from looking until a name is gone; the spikes say so
 * themselves, and such a row is taken again. */
static unsigned excused(void)
{
	unsigned n = 0;

	for (unsigned i = 0; i < nr_seen; i++)
		n += strstr(seen[i].spike.note, "ring too short") ||
		     (!seen[i].named && has_no_name(&seen[i].spike));
	return n;
}

static void the_spikes_name_it(enum blame_level level, enum culprit_kind kind)
{
	static struct row r;
	unsigned taken = 0;

	for (int tries = 0; tries < 3; tries++) {
		if (tries)
			printf("RETRY culprit %s %s: %u spikes say that a ring was too short or a name gone\n",
			       blame_level_name(level), culprit_kinds[kind], excused());
		if (!take_row(&r, &taken, level, kind))
			return;
		if (!excused() || 100.0 * r.named >= NAMED_LEAST_PCT * r.its)
			break;
	}
	check_row(&r, taken);
}

START_TEST(with_switches_alone)
{
	if (SKIP_UNLESS_ROOT())
		the_spikes_name_it(BLAME_LEVEL_SWITCH, (enum culprit_kind)_i);
}
END_TEST

START_TEST(with_tracepoints)
{
	if (!SKIP_UNLESS_ROOT())
		return;
	onlooker_mount_tracefs();
	the_spikes_name_it(BLAME_LEVEL_TRACEPOINTS, (enum culprit_kind)_i);
}
END_TEST

Suite *culprit_suite(void);
Suite *culprit_suite(void)
{
	Suite *s = suite_create("culprit");
	TCase *tc = tcase_create("on purpose");

	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, with_switches_alone, 0, CULPRIT_KINDS);
	tcase_add_loop_test(tc, with_tracepoints, 0, CULPRIT_KINDS);
	suite_add_tcase(s, tc);
	return s;
}
