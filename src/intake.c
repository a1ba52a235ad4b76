/* intake.c - see intake.h. */
#include "src/intake.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/budget.h"
#include "src/rt.h"

#define BATCH 256
#define HOLD_MOST_NS (250 * NS_PER_MS)
#define LATE_NS NS_PER_MS	/* with a gap in its window: not latency any more */
#define SILENT_NS (2 * NS_PER_S)
#define SETTLED_NS NS_PER_S
#define TOLD_NS (200 * NS_PER_MS)
#define STALL_LEAST_NS (30 * NS_PER_MS)	/* looks like throttling: 50 ms of a second */
#define STALL_MOST_NS (60 * NS_PER_MS)
#define FUTURE_NS NS_PER_S
#define PERIOD_LEAST_NS (NS_PER_MS / 10)	/* of a helper */
#define FAILING 3		/* operations in a row: the probe says why */

struct intake {
	struct intake_shared *shared;
	struct collector_source source;
	struct series *series;
	struct group *group;
	struct window *window;
	const int64_t *spike_ns;
	int64_t period_ns, hold_ns, late_ns, added_ns;
	bool by_time;			/* due is told by time */

	/* The sum rule. */
	bool begun;
	int64_t expected_due_ns;	/* of the next entry */
	uint64_t due_base;		/* of earlier sources of this series */
	uint64_t due_time;		/* periods that entries and gaps between them stand for */
	uint64_t bridged;		/* periods of those gaps: they are in the spill */
	struct ring_spill spill;	/* as counted so far */
	uint64_t spill_from;		/* its periods when this source was added */
	uint64_t *spill_counts;		/* [SLOTS] */
	int64_t spill_ns;		/* when it grew last */

	/* What markers said about the next entry. */
	bool wrong_cpu;
	int failed;			/* errno */
	uint64_t missed;

	unsigned failing;		/* operations in a row that failed */
	bool told_failing;

	int64_t row_max_ns[INTAKE_ROWS];	/* [0]: the running row */
	int64_t stall_ns;		/* the last one that looks like throttling */
	int64_t beat_ns;		/* latest sign of life */

	/* The probe's own counters: as read last, and what no event told yet. */
	int64_t counted[PROBE_COUNTERS_MAX], untold[PROBE_COUNTERS_MAX];
	int64_t told_ns[PROBE_COUNTERS_MAX];
};

/* ---- set-up -------------------------------------------------------------- */

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static bool has_variants(const struct group *g)
{
	return g->probe && g->probe->variants && g->probe->variants[0] && g->probe->variants[1];
}

struct intake *intake_new(struct intake_shared *shared, const struct collector_source *source,
			  int64_t now_ns)
{
	struct intake *in = calloc(1, sizeof(*in));

	if (!in)
		return NULL;
	in->spill_counts = calloc(SLOTS, sizeof(*in->spill_counts));
	if (!in->spill_counts) {
		free(in);
		return NULL;
	}
	in->shared = shared;
	in->source = *source;
	in->series = &shared->model->series[source->series];
	in->group = &shared->model->groups[in->series->group];
	in->window = shared->window[in->series->group];
	in->spike_ns = &shared->spike_ns[in->series->group];
	in->period_ns = in->series->interval_ns;
	in->hold_ns = least(in->period_ns, HOLD_MOST_NS);
	in->late_ns = least(in->period_ns, LATE_NS);
	in->by_time = source->published && !has_variants(in->group);
	in->added_ns = in->beat_ns = now_ns;
	in->due_base = in->series->counts.due;
	/* A helper's ring outlives the helper: what was counted before stays so. */
	ring_spill_read(source->ring, &in->spill, in->spill_counts);
	in->spill_from = in->spill.periods;
	return in;
}

void intake_free(struct intake *in)
{
	if (!in)
		return;
	free(in->spill_counts);
	free(in);
}

const struct collector_source *intake_source(const struct intake *in)
{
	return &in->source;
}

int64_t intake_hold_ns(const struct intake *in)
{
	return in->hold_ns;
}

int64_t intake_first_due_ns(const struct intake *in)
{
	const struct sampler_published *p = in->source.published;

	/* acquire: entries are pushed after it is set */
	return p ? atomic_load_explicit(&p->first_due_ns, memory_order_acquire) : 0;
}

bool intake_warming(const struct intake *in)
{
	return in->source.published && !intake_first_due_ns(in);
}

/* ---- filing -------------------------------------------------------------- */

static void note_spike(struct intake *in, int64_t due_ns, int64_t woke_ns)
{
	struct intake_shared *sh = in->shared;
	unsigned at = sh->nr_spikes;

	if (at == INTAKE_SPIKES) {	/* full: the mildest goes */
		at = 0;
		for (unsigned i = 1; i < INTAKE_SPIKES; i++)
			if (sh->spike[i].woke_ns - sh->spike[i].due_ns <
			    sh->spike[at].woke_ns - sh->spike[at].due_ns)
				at = i;
		if (woke_ns - due_ns <= sh->spike[at].woke_ns - sh->spike[at].due_ns)
			return;
	} else {
		sh->nr_spikes++;
	}
	sh->spike[at] = (struct intake_spike){ in->source.series, due_ns, woke_ns };
}

/* Real-time threads lose 50 ms of each second when the kernel throttles them
 * or lets the fair server run. */
static void look_for_throttling(struct intake *in, int64_t t_ns, int64_t late_ns)
{
	int64_t since_ns = t_ns - in->stall_ns;

	if (!in->group->want_rt || late_ns > STALL_MOST_NS)
		return;
	in->stall_ns = t_ns;
	if (since_ns < 900 * NS_PER_MS || since_ns > 1100 * NS_PER_MS)
		return;
	in->series->throttled++;
	history_flag(in->group->history, t_ns, HISTORY_THROTTLED);
}

/* Each probe on that CPU notices, each with its next sample; it is told once. */
static void tell_cpu(struct intake *in, int64_t t_ns, const char *what)
{
	const struct model *m = in->shared->model;
	int64_t around_ns = TOLD_NS + in->series->interval_ns;
	char text[sizeof(m->events->text)];

	snprintf(text, sizeof(text), "cpu %d%s", in->series->cpu, what);
	for (unsigned i = m->nr_events; i-- > 0 && m->events[i].t_ns > t_ns - around_ns;)
		if (m->events[i].t_ns < t_ns + around_ns && !strcmp(m->events[i].text, text))
			return;
	model_event(in->shared->model, t_ns, "hotplug", "%s", text);
}

static void cpu_is_back(struct intake *in, int64_t t_ns)
{
	in->series->offline = false;
	tell_cpu(in, t_ns, " is measured again");
}

static void cpu_is_away(struct intake *in, int64_t t_ns)
{
	if (in->series->history)
		history_flag(in->series->history, t_ns, HISTORY_OFFLINE);
	if (in->series->offline)
		return;
	in->series->offline = true;
	in->series->offline_ns = t_ns;
	tell_cpu(in, t_ns, ": samples from elsewhere");
}

static void lose(struct intake *in, int64_t t_ns, uint64_t missed, uint64_t interrupted)
{
	in->series->counts.missed += missed;
	in->series->counts.interrupted += interrupted;
	history_lost(in->group->history, t_ns, missed, interrupted);
	if (in->series->history)
		history_lost(in->series->history, t_ns, missed, interrupted);
}

/* An operation that fails now and then is an error in the counts; one that
 * always does, or for a full disk, is why there are no numbers. */
static void say_failing(struct intake *in, int err)
{
	bool full = budget_is_full(err);
	const char *text = full ? BUDGET_DISK_FULL : strerror(err);

	if (!in->source.helper || (++in->failing < FAILING && !full) || in->told_failing)
		return;
	in->told_failing = true;
	snprintf(in->series->error, sizeof(in->series->error), "%s", text);
	snprintf(in->group->error, sizeof(in->group->error), "%s", text);
	model_status(in->shared->model, true, "%s: %s", in->group->name, text);
}

static void works_again(struct intake *in)
{
	in->failing = 0;
	if (!in->told_failing)
		return;
	in->told_failing = false;
	in->series->error[0] = in->group->error[0] = '\0';
}

static void file_sample(struct intake *in, int64_t due_ns, int64_t woke_ns)
{
	struct series *s = in->series;
	int64_t late_ns = woke_ns - due_ns;

	s->counts.count++;
	s->counts.early += late_ns < 0;
	s->counts.over += late_ns > HIST_HIGHEST_NS;
	hist_record(s->total, late_ns);
	hist_record(in->group->run, late_ns);
	window_add(in->window, woke_ns, late_ns);
	history_add(in->group->history, woke_ns, late_ns);
	if (s->history)
		history_add(s->history, woke_ns, late_ns);
	if (late_ns > in->row_max_ns[0])
		in->row_max_ns[0] = late_ns;
	if (late_ns >= *in->spike_ns)
		note_spike(in, due_ns, woke_ns);
	if (late_ns >= STALL_LEAST_NS)
		look_for_throttling(in, woke_ns, late_ns);
	if (s->offline && woke_ns > s->offline_ns)	/* else it waited since before */
		cpu_is_back(in, woke_ns);
	if (in->failing)
		works_again(in);
}

/* ---- judging ------------------------------------------------------------- */

/* Helpers' memory is hostile: an operation cannot have begun before the probe
 * was switched on, nor end in the future.  A value may be a little negative
 * (a difference of two times). */
static bool absurd(const struct intake *in, const struct ring_entry *e)
{
	return in->source.helper &&
		(e->due_ns < in->added_ns - NS_PER_S || e->woke_ns < e->due_ns - NS_PER_S ||
		 e->woke_ns > in->shared->now_ns + FUTURE_NS);
}

/* Some time from the switching on until now. */
static int64_t in_time(const struct intake *in, int64_t t_ns)
{
	return t_ns < in->added_ns ? in->added_ns : least(t_ns, in->shared->now_ns);
}

/* No more than could have passed since the probe was switched on, and of all
 * such claims together no more than at the shortest period. */
static uint64_t believable_missed(const struct intake *in, int64_t missed)
{
	int64_t on_ns = in->shared->now_ns - in->added_ns;
	int64_t most = on_ns / (in->period_ns / 2 + 1) + 1;
	int64_t left = on_ns / least(in->period_ns, PERIOD_LEAST_NS) + 1 -
		       (int64_t)(in->due_time + in->missed);

	most = least(most, left);
	return (uint64_t)least(missed < 0 ? 0 : missed, most < 0 ? 0 : most);
}

static void take_marker(struct intake *in, const struct ring_entry *e)
{
	switch (e->due_ns) {
	case -RING_WRONG_CPU:
		in->wrong_cpu = true;
		break;
	case -RING_ERROR:
		in->failed = e->woke_ns > 0 && e->woke_ns < 4096 ? (int)e->woke_ns : 5;
		break;
	case -RING_DEMOTED:
		snprintf(in->series->policy, sizeof(in->series->policy), "SCHED_OTHER");
		in->series->priority = 0;
		in->group->have_rt = false;
		break;
	case -RING_REPINNED:
		if (in->series->offline)
			cpu_is_back(in, in_time(in, e->woke_ns));
		break;
	case -RING_MISSED:
		in->missed += believable_missed(in, e->woke_ns);
		break;
	}
}

static uint64_t missed_periods(const struct intake *in, const struct ring_entry *e)
{
	if (in->source.helper)
		return in->missed;
	if (e->woke_ns - e->due_ns < in->period_ns)
		return in->missed;
	return (uint64_t)probe_missed(e->due_ns, e->woke_ns, in->period_ns) + in->missed;
}

/* Truncated: a probe without a grid is up to a period off on either side. */
static void tell_time(struct intake *in, const struct ring_entry *e, uint64_t missed)
{
	if (!in->begun) {
		int64_t first = intake_first_due_ns(in);

		in->begun = true;
		in->expected_due_ns = first && first < e->due_ns ? first : e->due_ns;
	}
	if (e->due_ns != in->expected_due_ns) {
		uint64_t gap = (uint64_t)((e->due_ns - in->expected_due_ns) / in->period_ns);

		in->bridged += gap;
		in->due_time += gap;
	}
	in->due_time += 1 + missed;
	in->expected_due_ns = e->due_ns + (int64_t)(1 + missed) * in->period_ns;
}

static void interrupt(struct intake *in, const struct ring_entry *e, uint64_t missed)
{
	lose(in, e->woke_ns, 0, 1 + missed);
	if (in->wrong_cpu)
		cpu_is_away(in, e->woke_ns);
}

static void fail(struct intake *in, const struct ring_entry *e, uint64_t missed, int err)
{
	in->series->counts.errors++;
	in->series->last_errno = err;
	say_failing(in, err);
	lose(in, in_time(in, e->woke_ns), missed, 1);
}

/* Warm-ups differ in length, and the run begins when all are over: what was
 * due before is neither counted nor due, with all that it missed. */
static bool before_zero(struct intake *in, const struct ring_entry *e, uint64_t missed)
{
	if (e->due_ns >= in->shared->model->zero_ns)
		return false;
	in->begun = true;
	if (in->by_time)
		in->expected_due_ns = e->due_ns + (int64_t)(1 + missed) * in->period_ns;
	return true;
}

static void forget_markers(struct intake *in)
{
	in->wrong_cpu = false;
	in->failed = 0;
	in->missed = 0;
}

static void judge(struct intake *in, const struct ring_entry *e)
{
	uint64_t missed = missed_periods(in, e);

	if (before_zero(in, e, missed)) {
		forget_markers(in);
		return;
	}
	if (in->by_time)
		tell_time(in, e, missed);
	else
		in->due_time += 1 + missed;
	if (absurd(in, e))
		fail(in, e, missed, 5);
	else if (in->failed)
		fail(in, e, missed, in->failed);
	else if (in->wrong_cpu || (e->woke_ns - e->due_ns >= in->late_ns &&
				   gaps_meet(&in->shared->gaps, e->due_ns, e->woke_ns)))
		interrupt(in, e, missed);
	else {
		file_sample(in, e->due_ns, e->woke_ns);
		if (missed)
			lose(in, e->woke_ns, missed, 0);
	}
	forget_markers(in);
}

/* A helper may claim that an entry is of tomorrow: it would stop the ring. */
static int64_t let_pass(const struct intake *in, int64_t until_ns)
{
	struct ring_entry e;

	if (in->source.helper && ring_peek(in->source.ring, &e) &&
	    e.woke_ns > in->shared->now_ns + FUTURE_NS)
		return INT64_MAX;
	return until_ns;
}

int64_t intake_oldest_ns(const struct intake *in)
{
	struct ring_entry e;

	if (!ring_peek(in->source.ring, &e))
		return INT64_MAX;
	return e.due_ns > 0 && e.woke_ns > 0 && let_pass(in, e.woke_ns) == e.woke_ns ? e.woke_ns : 0;
}

void intake_drain(struct intake *in, int64_t until_ns)
{
	struct ring_entry batch[BATCH];
	unsigned left = ring_room(in->source.ring), n;

	/* Bounded: a helper may push as fast as we read. */
	while (left) {
		n = ring_drain(in->source.ring, let_pass(in, until_ns), batch,
			       left < BATCH ? left : BATCH);
		for (unsigned i = 0; i < n; i++) {
			if (batch[i].due_ns > 0)
				judge(in, &batch[i]);
			else
				take_marker(in, &batch[i]);
		}
		if (n < BATCH)
			return;
		left -= n;
	}
}

void intake_row(struct intake *in)
{
	memmove(in->row_max_ns + 1, in->row_max_ns, sizeof(in->row_max_ns) - sizeof(int64_t));
	in->row_max_ns[0] = 0;
}

/* ---- the spill ----------------------------------------------------------- */

static void record_unplaced(struct intake *in, int64_t value_ns, uint64_t n)
{
	hist_record_n(in->series->total, value_ns, n);
	hist_record_n(in->group->run, value_ns, n);
}

/*
 * n more samples of a coarse slot, of which the first `early` are below 0 and
 * the last `over` above 1 h.  Shown at the slot's highest value, but never
 * above the true maximum where that is known to be new.
 */
static void place_slot(struct intake *in, unsigned slot, uint64_t n, int64_t new_max_ns,
		       uint64_t *early, uint64_t *over)
{
	int64_t value_ns = slot_highest_ns(slot);
	uint64_t below = slot == 0 ? *early : 0;
	uint64_t above = *over < n ? *over : n;

	if (new_max_ns && value_ns > new_max_ns)
		value_ns = new_max_ns;
	if (value_ns > HIST_HIGHEST_NS)
		value_ns = HIST_HIGHEST_NS;
	if (below > n - above)
		below = n - above;
	record_unplaced(in, new_max_ns ? new_max_ns : HIST_HIGHEST_NS + 1, above);
	record_unplaced(in, -1, below);
	record_unplaced(in, value_ns, n - above - below);
	window_add_slot(in->window, slot, n, new_max_ns && new_max_ns < slot_highest_ns(slot) ?
			new_max_ns : 0);
	*over -= above;
	*early -= below;
}

static void place_spill(struct intake *in, const struct ring_spill *now,
			const uint64_t counts[SLOTS])
{
	uint64_t early = now->early - in->spill.early, over = now->over - in->spill.over;
	int64_t new_max_ns = now->max_ns > in->spill.max_ns ? now->max_ns : 0;

	for (unsigned slot = SLOTS; slot-- > 0;) {
		uint64_t n = counts[slot] - in->spill_counts[slot];

		if (!n)
			continue;
		place_slot(in, slot, n, new_max_ns, &early, &over);
		new_max_ns = 0;
	}
	memcpy(in->spill_counts, counts, SLOTS * sizeof(*counts));
}

static void take_spill(struct intake *in)
{
	struct counts *c = &in->series->counts;
	struct ring_spill now;
	uint64_t counts[SLOTS];

	ring_spill_read(in->source.ring, &now, counts);
	if (now.periods == in->spill.periods)
		return;
	place_spill(in, &now, counts);
	c->count += now.count - in->spill.count;
	c->unplaced += now.count - in->spill.count;
	c->missed += now.missed - in->spill.missed;
	c->interrupted += now.interrupted - in->spill.interrupted;
	c->errors += now.errors - in->spill.errors;
	c->early += now.early - in->spill.early;
	c->over += now.over - in->spill.over;
	in->spill = now;
	in->spill_ns = in->shared->now_ns;
}

/*
 * Spilled periods that no entry has bridged yet.  Once an entry is there that
 * was due well after the spill grew, every one must be: what is left then is
 * no period that passed.
 */
static uint64_t unbridged(const struct intake *in)
{
	uint64_t periods = in->spill.periods - in->spill_from;

	if (!in->by_time)
		return periods;
	if (in->begun && in->expected_due_ns > in->spill_ns + SETTLED_NS)
		return 0;
	return periods > in->bridged ? periods - in->bridged : 0;
}

void intake_settle(struct intake *in)
{
	struct series *s = in->series;
	int64_t max_ns = 0;

	take_spill(in);
	s->counts.due = in->due_base + in->due_time + unbridged(in);
	for (unsigned i = 0; i < INTAKE_ROWS; i++)
		if (in->row_max_ns[i] > max_ns)
			max_ns = in->row_max_ns[i];
	s->column_max_ns = max_ns;
}

/* ---- what the other side publishes --------------------------------------- */

/* Of a call that is not done yet the variants that are not its own know nothing. */
static int64_t helper_in_flight(const struct intake *in)
{
	const struct helper_line *line = in->source.helper;
	int64_t since = atomic_load_explicit(&line->in_flight_ns, memory_order_relaxed);
	unsigned variant = atomic_load_explicit(&line->in_flight_variant, memory_order_relaxed);

	if (variant != in->shared->model->groups[in->series->group].variant)
		return 0;
	if (since < in->added_ns || since > in->shared->now_ns)
		return 0;
	return in->shared->now_ns - since;
}

static int64_t sampler_in_flight(const struct intake *in)
{
	int64_t due =
		atomic_load_explicit(&in->source.published->next_due_ns, memory_order_relaxed);
	int64_t late = in->shared->now_ns - due;

	return due > 0 && late > in->period_ns ? late : 0;
}

static void silence(struct intake *in)
{
	struct series *s = in->series;
	const struct sampler_published *p = in->source.published;
	int64_t beat = atomic_load_explicit(&p->beat_ns, memory_order_relaxed);
	int64_t most = SILENT_NS > 3 * in->period_ns ? SILENT_NS : 3 * in->period_ns;
	bool was = s->silent;

	if (beat > in->beat_ns)
		in->beat_ns = beat;
	s->silent = in->shared->now_ns - in->beat_ns > most;
	if (s->silent && s->history)
		history_flag(s->history, in->shared->now_ns, HISTORY_OFFLINE);
	if (s->silent == was)
		return;
	if (s->silent && s->cpu >= 0)
		snprintf(s->error, sizeof(s->error), "cpu %d: no report", s->cpu);
	else
		snprintf(s->error, sizeof(s->error), "%s", s->silent ? "no report" : "");
}

/* At most one event a second, which says how many there were. */
static void tell_event(struct intake *in, unsigned i, int64_t grown)
{
	const char *name = in->group->probe->counters[i].name;
	int64_t now_ns = in->shared->now_ns;

	in->untold[i] += grown;
	if (!in->untold[i] || (in->told_ns[i] && now_ns - in->told_ns[i] < NS_PER_S))
		return;
	model_event(in->shared->model, now_ns, name, "%s: %lld %s", in->group->name,
		    (long long)in->untold[i], name);
	in->untold[i] = 0;
	in->told_ns[i] = now_ns;
}

static void take_counter(struct intake *in, unsigned i)
{
	const struct probe_counter *counter = &in->group->probe->counters[i];
	int64_t now = atomic_load_explicit(&in->source.published->counters[i],
					   memory_order_relaxed);
	int64_t *total = &in->series->counter[i], grown = now - in->counted[i];

	in->counted[i] = now;
	if (!counter->is_most)
		*total += grown;
	else if (now > *total)
		*total = now;
	if (counter->is_event)
		tell_event(in, i, grown);
}

/* Its variants share them: they are shown with the first.  Those of the
 * warm-up are none of the run. */
static void take_counters(struct intake *in)
{
	const struct probe *p = in->group->probe;

	if (intake_warming(in))
		return;
	for (unsigned i = 0; p && !in->group->variant && p->counters[i].name; i++)
		take_counter(in, i);
}

static void sampler_state(struct intake *in)
{
	const struct sampler_published *p = in->source.published;
	int state = atomic_load_explicit(&p->state, memory_order_relaxed);
	int err = atomic_load_explicit(&p->error, memory_order_relaxed);

	take_counters(in);
	if (state != SAMPLER_FAILED && state != SAMPLER_ENDED) {
		in->series->in_flight_ns = sampler_in_flight(in);
		silence(in);
		return;
	}
	in->series->in_flight_ns = 0;
	if (state == SAMPLER_FAILED && !in->series->error[0])
		snprintf(in->series->error, sizeof(in->series->error), "ended: %s",
			 strerror(err < 0 ? -err : err));
}

/* Read back by the helper itself; clamped by the table of names. */
static void helper_policy(struct intake *in)
{
	const struct helper_line *line = in->source.helper;
	int state = atomic_load_explicit(&line->state, memory_order_acquire);

	if (in->series->policy[0] || state == SAMPLER_STARTING || state == SAMPLER_FAILED)
		return;
	snprintf(in->series->policy, sizeof(in->series->policy), "%s",
		 rt_policy_name(atomic_load_explicit(&line->policy, memory_order_relaxed)));
}

static void helper_state(struct intake *in)
{
	const struct helper_line *line = in->source.helper;
	int64_t period = atomic_load_explicit(&line->period_ns, memory_order_relaxed);
	int err = atomic_load_explicit(&line->last_errno, memory_order_relaxed);

	in->series->in_flight_ns = helper_in_flight(in);
	helper_policy(in);
	if (period >= PERIOD_LEAST_NS && period <= 3600 * NS_PER_S) {
		in->period_ns = in->series->interval_ns = period;
		in->hold_ns = least(period, HOLD_MOST_NS);
		in->late_ns = least(period, LATE_NS);
	}
	if (err > 0 && err < 4096 && in->series->counts.errors)
		in->series->last_errno = err;
}

void intake_watch(struct intake *in)
{
	if (in->source.published)
		sampler_state(in);
	else if (in->source.helper)
		helper_state(in);
}

int64_t intake_room_ns(const struct intake *in)
{
	unsigned room = ring_room(in->source.ring), used = ring_used(in->source.ring);
	int64_t left = (int64_t)room / 2 - (int64_t)used;

	return left > 0 ? left * in->period_ns : 0;
}
