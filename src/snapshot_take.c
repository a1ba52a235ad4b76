/*
 * snapshot_take.c - copies the model in one piece.
 *
 * Runs on the main thread between two ticks, so nothing it reads can change;
 * everything slow (text, files) happens later in another thread.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/clock.h"
#include "src/snapshot.h"
#include "src/snapshot_build.h"
#include "src/snapshot_parts.h"

/* How fine the rows are by age: as history.h keeps them, a little sooner coarse. */
static const struct { int64_t age_ns, row_ns; } tiers[] = {
	{ 880 * NS_PER_S, HISTORY_ROW_NS },
	{ 7100 * NS_PER_S, NS_PER_S },
	{ 86000 * NS_PER_S, 10 * NS_PER_S },
	{ 7 * 86400 * NS_PER_S, 60 * NS_PER_S },
};
#define TIERS (sizeof(tiers) / sizeof(tiers[0]))
#define ROWS_MAX 200000	/* of all groups: with very many of them the rows get coarser */

static int no_memory(struct why *why)
{
	return why_set(why, -ENOMEM, "snapshot: no memory for a copy; stop a load and try again");
}

static double seconds(int64_t ns)
{
	return (double)ns / 1e9;
}

static int64_t base_of(const struct model *m)
{
	return m->zero_ns ? m->zero_ns : m->now_ns;	/* warming up: nothing counts yet */
}

static void take_counters(struct snapshot_series *one, const struct group *g,
			  const struct series *from)
{
	for (unsigned i = 0; g->probe && !g->variant && g->probe->counters[i].name; i++) {
		snapshot_counter_name(one->counter[i].name, sizeof(one->counter[i].name),
				      &g->probe->counters[i]);
		one->counter[i].value = from->counter[i];
		one->counters = i + 1;
	}
}

static int take_one(struct snapshot *s, const struct group *g, const struct series *from,
		    struct why *why)
{
	struct snapshot_series *one = snapshot_add_series(s, g->name, from->cpu);

	if (!one || (from->total && snapshot_series_from_hist(one, from->total)))
		return no_memory(why);
	uint64_t in_slots = one->counts.count;

	one->counts = from->counts;
	snprintf(one->policy, sizeof(one->policy), "%s", from->policy);
	one->priority = from->priority;
	one->interval_ns = from->interval_ns;
	one->phase_ns = from->phase_ns;
	one->in_flight_ns = from->in_flight_ns;
	take_counters(one, g, from);
	if (!counts_hold(&from->counts) || in_slots != from->counts.count)
		return why_set(why, -EIO, "snapshot: %s cpu %d does not add up (due %" PRIu64
			       ", count %" PRIu64 ", missed %" PRIu64 ", interrupted %" PRIu64
			       ", in slots %" PRIu64 "); this is a bug, please report it",
			       g->name, from->cpu, from->counts.due, from->counts.count,
			       from->counts.missed, from->counts.interrupted, in_slots);
	return 0;
}

int snapshot_take_series(struct snapshot *s, const struct model *m, struct why *why)
{
	for (unsigned i = 0; i < m->nr_groups; i++) {
		const struct group *g = &m->groups[i];

		if (!g->on && !model_counts(m, g).due)
			continue;
		for (unsigned k = 0; k < g->nr; k++) {
			const struct series *one = &m->series[g->first + k];
			int err = model_series_prepared(m, one) ? take_one(s, g, one, why) : 0;

			if (err)
				return err;
		}
	}
	return 0;
}

static void take_knobs(struct snapshot_load *one, const struct load *load, const long *value)
{
	for (unsigned i = 0; load && i < LOAD_KNOBS_MAX && load->knobs[i].name; i++) {
		const struct load_knob *k = &load->knobs[i];

		snprintf(one->knob[i].name, sizeof(one->knob[i].name), "%s", k->name);
		if (k->choices && value[i] >= 0 && value[i] <= k->most)
			snprintf(one->knob[i].value, sizeof(one->knob[i].value), "%s",
				 k->choices[value[i]]);
		else
			snprintf(one->knob[i].value, sizeof(one->knob[i].value), "%ld", value[i]);
		one->knobs++;
	}
}

/* A run that goes on has its figures in the view. */
static void take_running(struct snapshot_load *one, const struct load_view *v)
{
	one->stop_s = -1;
	one->done = v->done;
	one->rate = v->rate_mean;
	one->cpu_pct = v->cpu_pct;
	one->max_op_ns = v->max_op_ns;
	one->passes = v->passes;
}

int snapshot_take_load(struct snapshot *s, const struct model *m, const struct load_run *run)
{
	if (run->load >= m->nr_loads)
		return 0;
	const struct load_view *v = &m->loads[run->load];
	struct snapshot_load *one = snapshot_add_load(s, v->name);

	if (!one)
		return -ENOMEM;
	snprintf(one->unit, sizeof(one->unit), "%s", v->unit);
	snprintf(one->rate_unit, sizeof(one->rate_unit), "%s", v->rate_unit);
	snprintf(one->end, sizeof(one->end), "%s", run->end);
	snprintf(one->why, sizeof(one->why), "%s", run->why);
	one->workers = run->workers;
	one->start_s = seconds(run->start_ns - base_of(m));
	one->stop_s = run->stop_ns ? seconds(run->stop_ns - base_of(m)) : -1;
	one->done = run->done;
	one->rate = run->rate;
	one->cpu_pct = run->cpu_pct;
	one->max_op_ns = run->max_op_ns;
	one->passes = run->passes;
	one->seed = run->seed;
	one->mix_version = v->load ? v->load->version : 0;
	if (!run->stop_ns)
		take_running(one, v);
	take_knobs(one, v->load, run->knob);
	memcpy(one->cpus, run->cpus, sizeof(one->cpus));
	return 0;
}

static void copy_spike(struct snapshot_spike *one, const struct model *m, const struct spike *from)
{
	one->t_s = seconds(from->t_ns - base_of(m));
	one->late_ns = from->late_ns;
	one->cpu = from->cpu;
	if (from->group < m->nr_groups)
		snprintf(one->probe, sizeof(one->probe), "%s", m->groups[from->group].name);
	one->culprits = from->nr < SPIKE_CULPRITS ? from->nr : SPIKE_CULPRITS;
	for (unsigned i = 0; i < one->culprits; i++) {
		one->culprit[i].pid = from->culprit[i].pid;
		one->culprit[i].ns = from->culprit[i].ns;
		memcpy(one->culprit[i].comm, from->culprit[i].comm, sizeof(one->culprit[i].comm));
	}
	memcpy(one->loads, from->loads, sizeof(one->loads));
	memcpy(one->note, from->note, sizeof(one->note));
	one->steal = from->steal;
	one->incomplete = from->incomplete;
}

int snapshot_take_spike(struct snapshot *s, const struct model *m, const struct spike *from)
{
	struct snapshot_spike *one = snapshot_add_spike(s);

	if (!one)
		return -ENOMEM;
	copy_spike(one, m, from);
	return 0;
}

int snapshot_take_blame(struct snapshot *s, const struct model *m)
{
	unsigned n = model_latest_count(m);

	for (uint64_t number = m->latest_seen - n; number < m->latest_seen; number++) {
		struct snapshot_spike *one = snapshot_add_latest(s);

		if (!one)
			return -ENOMEM;
		copy_spike(one, m, model_latest(m, number));
	}
	for (unsigned i = 0; i < m->nr_blamed; i++)
		if (snapshot_add_blamed(s, &m->blamed[i]))
			return -ENOMEM;
	s->spikes_seen = m->spikes_seen;
	s->spikes_incomplete = m->spikes_incomplete;
	s->spikes_unread = m->spikes_unread;
	return 0;
}

int snapshot_take_badges(struct snapshot *s, const struct model *m)
{
	for (unsigned i = 0; i < m->nr_badges; i++)
		if (!snapshot_add_badge(s, m->badges[i].name, m->badges[i].level,
					m->badges[i].text))
			return -ENOMEM;
	return 0;
}

/* Loads, events, badges, spikes: short lists, copied as they are. */
int snapshot_take_lists(struct snapshot *s, const struct model *m)
{
	for (unsigned i = 0; i < m->nr_runs; i++)
		if (snapshot_take_load(s, m, &m->runs[i]))
			return -ENOMEM;
	for (unsigned i = 0; i < m->nr_events; i++)
		if (!snapshot_add_event(s, seconds(m->events[i].t_ns - base_of(m)),
					m->events[i].kind, m->events[i].text))
			return -ENOMEM;
	for (unsigned i = 0; i < m->nr_spikes; i++)
		if (snapshot_take_spike(s, m, &m->spikes[i]))
			return -ENOMEM;
	return snapshot_take_blame(s, m) ? -ENOMEM : snapshot_take_badges(s, m);
}

/* ---- the timeline -------------------------------------------------------- */

struct walk {
	const struct model *m;
	struct snapshot *s;
	int64_t base_ns, end_ns;
	size_t finest;		/* tier of the newest rows */
};

/* The tier whose rows are to show time t, by its age at the end. */
static size_t tier_at(const struct walk *w, int64_t t_ns)
{
	size_t i = w->finest;

	while (i + 1 < TIERS && w->end_ns - t_ns > tiers[i].age_ns)
		i++;
	return i;
}

static int take_row(struct walk *w, const struct group *g, int64_t t_ns, size_t tier,
		    const struct column *c)
{
	if (!c->known || !(c->count || c->missed || c->interrupted || c->flags))
		return 0;
	struct snapshot_row *row = snapshot_add_row(w->s, g->name);

	if (!row)
		return -ENOMEM;
	row->t_s = seconds(t_ns - w->base_ns);
	row->len_s = seconds(tiers[tier].row_ns);
	row->missed = c->missed;
	row->interrupted = c->interrupted;
	row->max_ns = c->max_ns;
	row->flags = c->flags;
	for (unsigned i = c->low; i <= c->high && i < SLOTS; i++)
		if (c->counts[i] && snapshot_add_cell(row, i, c->counts[i]))
			return -ENOMEM;
	return 0;
}

/*
 * Are the rows of the next finer tier still there?  If not, each of them would
 * show the coarser row again, and the sum would tell.
 */
static bool has_finer(const struct group *g, int64_t t_ns, size_t tier, uint64_t count)
{
	int64_t len = tiers[tier - 1].row_ns, end = t_ns + tiers[tier].row_ns;
	uint64_t sum = 0;
	struct column c;

	for (int64_t t = t_ns; t < end; t += len) {
		history_column(g->history, t, t + len, &c);
		sum += c.count;
	}
	return sum == count;
}

/* One row of `tier` at t, or the finer rows inside it where they are wanted. */
static int take_block(struct walk *w, const struct group *g, int64_t t_ns, size_t tier)
{
	struct column c;
	int64_t end = t_ns + tiers[tier].row_ns;

	if (t_ns >= w->end_ns)
		return 0;
	history_column(g->history, t_ns, end, &c);
	if (tier == tier_at(w, t_ns) || !tier || !has_finer(g, t_ns, tier, c.count))
		return take_row(w, g, t_ns, tier, &c);
	for (int64_t t = t_ns; t < end; t += tiers[tier - 1].row_ns)
		if (take_block(w, g, t, tier - 1))
			return -ENOMEM;
	return 0;
}

static int take_load_rows(struct walk *w, unsigned load, int64_t from_ns)
{
	const struct load_view *v = &w->m->loads[load];
	struct load_history *h = w->m->load_history[load];
	double done;

	for (int64_t t = from_ns, len; t < w->end_ns; t += len) {
		len = tiers[tier_at(w, t)].row_ns;
		if (!load_history_span(h, t, t + len, &done))
			continue;
		struct snapshot_load_row *row = snapshot_add_load_row(w->s);

		if (!row)
			return -ENOMEM;
		row->t_s = seconds(t - w->base_ns);
		row->len_s = seconds(len);
		row->rate = done / row->len_s * (v->figure == LOAD_OPS_PER_MIN ? 60 : 1);
		snprintf(row->name, sizeof(row->name), "%s", v->name);
	}
	return 0;
}

/* A probe that was never on has none; looking for them takes long. */
static bool has_rows(const struct model *m, const struct group *g)
{
	return g->history && model_prepared(m, g);
}

/* Hours of many probes take longer than a real-time thread may run without
 * sleeping (RLIMIT_RTTIME); a sleep, however short, starts that count anew.
 * Nobody else writes to the model, so it is one instant all the same. */
static void breathe(void)
{
	clock_wait_until(clock_now_ns() + NS_PER_US);
}

static int take_all_rows(struct walk *w, int64_t from_ns)
{
	for (unsigned i = 0; i < w->m->nr_groups; i++) {
		const struct group *g = &w->m->groups[i];

		if (has_rows(w->m, g))
			breathe();

		for (int64_t t = from_ns; has_rows(w->m, g) && t < w->end_ns;
		     t += tiers[TIERS - 1].row_ns)
			if (take_block(w, g, t, TIERS - 1))
				return -ENOMEM;
	}
	for (unsigned i = 0; i < w->m->nr_loads; i++)
		if (w->m->loads[i].runs && w->m->load_history && w->m->load_history[i] &&
		    take_load_rows(w, i, from_ns))
			return -ENOMEM;
	snapshot_sort_rows(w->s);
	return 0;
}

static int64_t oldest_of(const struct model *m, int64_t end_ns)
{
	int64_t oldest = end_ns;

	for (unsigned i = 0; i < m->nr_groups; i++)
		if (has_rows(m, &m->groups[i]) && history_oldest_ns(m->groups[i].history) < oldest)
			oldest = history_oldest_ns(m->groups[i].history);
	return oldest;
}

static uint64_t rows_from(const struct walk *w, size_t finest, int64_t span_ns)
{
	uint64_t rows = 0, groups = 0;
	int64_t from = 0;

	for (size_t i = finest; i < TIERS && from < span_ns; i++) {
		int64_t to = tiers[i].age_ns < span_ns ? tiers[i].age_ns : span_ns;

		rows += (uint64_t)((to - from) / tiers[i].row_ns);
		from = to;
	}
	for (unsigned i = 0; i < w->m->nr_groups; i++)
		groups += has_rows(w->m, &w->m->groups[i]);
	return rows * groups;
}

static int take_timeline(struct snapshot *s, const struct model *m)
{
	struct walk w = { .m = m, .s = s, .base_ns = base_of(m), .end_ns = m->now_ns };
	int64_t t = oldest_of(m, w.end_ns);
	int64_t coarsest = tiers[TIERS - 1].row_ns;

	if (!m->zero_ns || t >= w.end_ns)
		return 0;
	if (t < w.base_ns)
		t = w.base_ns;
	while (w.finest + 1 < TIERS && rows_from(&w, w.finest, w.end_ns - t) > ROWS_MAX)
		w.finest++;
	s->row_s = seconds(tiers[w.finest].row_ns);
	return take_all_rows(&w, w.base_ns + (t - w.base_ns) / coarsest * coarsest);
}

/* ---- the whole ----------------------------------------------------------- */

static void take_self(struct snapshot *s, const struct self_usage *self)
{
	double unknown = self->measured ? 0 : NAN;

	s->self.cpu_pct = self->cpu_pct + unknown;
	s->self.sampler_cpu_pct = self->sampler_cpu_pct + unknown;
	s->self.helper_cpu_pct = self->helper_cpu_pct + unknown;
	s->self.switches = self->switches;
	s->self.switches_per_s = self->switches_per_s + unknown;
	s->self.bytes_per_s_to_terminal = self->terminal_bytes_per_s + unknown;
	s->self.minor_faults = self->sampler_faults;
	s->self.rss_kb = self->rss_kb;
}

static void take_tiers(struct snapshot *s, const struct model *m)
{
	snprintf(s->tier_rt, sizeof(s->tier_rt), "%s", 
		 m->tiers.fifo && model_has_rt_probe(m) ? "fifo" : "other");
	snprintf(s->tier_cleanup, sizeof(s->tier_cleanup), "%s", tier_name(m->tiers.cleanup));
	snprintf(s->tier_blame, sizeof(s->tier_blame), "%s",
		 m->tiers.blame[0] ? m->tiers.blame : "none");
	memcpy(s->blame_how, m->tiers.blame_how, sizeof(s->blame_how));
	snprintf(s->tier_cstates, sizeof(s->tier_cstates), "%s",
		 m->tiers.cstates[0] ? m->tiers.cstates : "unknown");
	s->locked = m->tiers.lock == RT_LOCK_ALL;
	take_self(s, &m->self);
}

void snapshot_take_head(struct snapshot *s, const struct model *m)
{
	snprintf(s->program, sizeof(s->program), "%s", m->program[0] ? m->program : JS_VERSION);
	if (m->created[0])
		snprintf(s->created, sizeof(s->created), "%s", m->created);
	else
		snapshot_time_text(s->created, sizeof(s->created), clock_wall_ns());
	snprintf(s->label, sizeof(s->label), "%s", m->label);
	/* Time zero may be later than the last tick. */
	s->duration_s = m->zero_ns && m->now_ns > m->zero_ns ? seconds(m->now_ns - m->zero_ns) : 0;
	s->deadline_ns = m->deadline_ns;
	s->system = m->system;
	s->cpus_online = (unsigned)cpuset_count(&m->system.online);
	s->cpus_measured = (unsigned)cpuset_count(&m->measured);
	memcpy(s->loadavg, m->rates.loadavg, sizeof(s->loadavg));
	s->steal_s = m->rates.steal_s;
	take_tiers(s, m);
}

static int take_all(struct snapshot *s, const struct model *m, char *const *argv, struct why *why)
{
	snapshot_take_head(s, m);
	for (; argv && *argv; argv++)
		if (!snapshot_add_word(s, *argv))
			return no_memory(why);
	int err = snapshot_take_series(s, m, why);

	if (err)
		return err;
	if (snapshot_take_lists(s, m) || take_timeline(s, m))
		return no_memory(why);
	return 0;
}

struct snapshot *snapshot_take(const struct model *m, char *const *argv, struct why *why)
{
	struct snapshot *s = snapshot_new();

	if (!s) {
		no_memory(why);
		return NULL;
	}
	if (take_all(s, m, argv, why)) {
		snapshot_free(s);
		return NULL;
	}
	return s;
}
