/* collector.c - see collector.h; intake.c judges the entries of one series. */
#include "src/collector.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/intake.h"
#include "src/selfmeter.h"
#include "src/text.h"

#define SPIKE_LEAST_NS (100 * NS_PER_US)
#define SPIKE_TIMES 10
#define SPIKE_SAMPLES 100	/* of the last 10 s, before p99 says anything */
#define WAIT_LEAST_NS (10 * NS_PER_MS)
#define SECOND_EARLY_NS (100 * NS_PER_MS)
#define CLOCKSOURCE_NS (10 * NS_PER_S)	/* it changes once in a life, if ever */

struct told { int64_t due_ns; unsigned series; struct spike spike; };

struct collector {
	struct model *model;
	struct loadlog *loads;
	struct selfmeter *self;
	int64_t clocksource_ns;	/* when it was last looked at */
	struct sysrates_last *rates;
	struct intake_shared shared;
	struct intake **in;		/* [nr], by series */
	unsigned nr, room;
	struct clock_watch clocks;
	collector_spike_fn *spike_fn;
	void *spike_ctx;
	collector_look_fn *look_fn;
	void *look_ctx;
	struct told *told;		/* [INTAKE_SPIKES], of this tick, in time order */
	int64_t fixed_spike_ns;
	int64_t tick_ns, second_ns;	/* of the last tick, of the last reading of rates */
	int64_t row_ns;			/* start of the row that is being drained */
	uint64_t per_second;		/* room promised to windows so far */
	struct cpuset stolen;		/* CPUs whose steal grew in the last second */
};

/* ---- life ---------------------------------------------------------------- */

static int shared_init(struct intake_shared *sh, struct model *m)
{
	sh->model = m;
	sh->window = calloc(m->nr_groups ? m->nr_groups : 1, sizeof(*sh->window));
	sh->spike_ns = calloc(m->nr_groups ? m->nr_groups : 1, sizeof(*sh->spike_ns));
	if (!sh->window || !sh->spike_ns)
		return -ENOMEM;
	for (unsigned g = 0; g < m->nr_groups; g++)
		sh->spike_ns[g] = INT64_MAX;
	return 0;
}

struct collector *collector_new(struct model *m, struct counters *counters)
{
	struct collector *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->model = m;
	c->loads = loadlog_new(m, counters);
	c->self = selfmeter_new();
	c->rates = sysrates_new();
	c->told = calloc(INTAKE_SPIKES, sizeof(*c->told));
	clock_watch_init(&c->clocks, NULL);
	if (shared_init(&c->shared, m) || !c->loads || !c->self || !c->rates ||
	    !c->told) {
		collector_free(c);
		return NULL;
	}
	return c;
}

void collector_free(struct collector *c)
{
	if (!c)
		return;
	for (unsigned i = 0; i < c->nr; i++)
		intake_free(c->in[i]);
	for (unsigned g = 0; c->shared.window && g < c->model->nr_groups; g++)
		window_free(c->shared.window[g]);
	free(c->in);
	free(c->told);
	free(c->shared.window);
	free(c->shared.spike_ns);
	loadlog_free(c->loads);
	selfmeter_free(c->self);
	sysrates_free(c->rates);
	free(c);
}

void collector_set_clocks(struct collector *c, const struct clock_source *source)
{
	clock_watch_init(&c->clocks, source);
}

void collector_on_spike(struct collector *c, collector_spike_fn *fn, void *ctx,
			int64_t fixed_threshold_ns)
{
	c->spike_fn = fn;
	c->spike_ctx = ctx;
	c->fixed_spike_ns = fixed_threshold_ns;
	for (unsigned g = 0; fixed_threshold_ns && g < c->model->nr_groups; g++)
		c->shared.spike_ns[g] = fixed_threshold_ns;
}

void collector_on_look(struct collector *c, collector_look_fn *fn, void *ctx)
{
	c->look_fn = fn;
	c->look_ctx = ctx;
}

/* ---- sources ------------------------------------------------------------- */

/* The window has room for every series of its group, half as much again. */
static int make_window(struct collector *c, unsigned group)
{
	struct group *g = &c->model->groups[group];
	uint64_t per_second = 0;

	if (c->shared.window[group])
		return 0;
	for (unsigned i = 0; i < g->nr; i++) {
		int64_t period = c->model->series[g->first + i].interval_ns;

		per_second += (uint64_t)(period > 0 ? NS_PER_S / period + 1 : 1000);
	}
	c->shared.window[group] = window_new(g->now, per_second + per_second / 2 + 64);
	if (!c->shared.window[group])
		return -ENOMEM;
	window_start(c->shared.window[group], c->model->zero_ns);
	return 0;
}

static int make_room(struct collector *c)
{
	unsigned room = c->room ? 2 * c->room : 16;
	struct intake **in;

	if (c->nr < c->room)
		return 0;
	in = realloc(c->in, room * sizeof(*in));
	if (!in)
		return -ENOMEM;
	c->in = in;
	c->room = room;
	return 0;
}

static int meter(struct collector *c, const struct collector_source *s)
{
	if (s->sampler)
		return selfmeter_add_sampler(c->self, s->sampler);
	if (s->helper)
		return selfmeter_add_helper(c->self, s->helper);
	return 0;
}

int collector_add(struct collector *c, const struct collector_source *source, struct why *why)
{
	struct series *s;

	if (source->series >= c->model->nr_series)
		return why_set(why, -EINVAL, "collector: no series %u", source->series);
	s = &c->model->series[source->series];
	if (s->interval_ns <= 0)
		return why_set(why, -EINVAL, "collector: series %u has no interval",
			       source->series);
	if (make_room(c) || make_window(c, s->group) || meter(c, source))
		return why_set(why, -ENOMEM, "collector: out of memory");
	struct intake *in = intake_new(&c->shared, source, c->model->now_ns);

	if (!in)
		return why_set(why, -ENOMEM, "collector: out of memory");
	s->silent = false;
	s->error[0] = '\0';
	c->in[c->nr++] = in;
	return 0;
}

static bool still_used(const struct collector *c, const void *part)
{
	for (unsigned i = 0; i < c->nr; i++) {
		const struct collector_source *s = intake_source(c->in[i]);

		if (s->sampler == part || (const void *)s->helper == part)
			return true;
	}
	return false;
}

void collector_remove(struct collector *c, unsigned series)
{
	for (unsigned i = 0; i < c->nr; i++) {
		struct intake *in = c->in[i];
		const struct collector_source *s = intake_source(in);
		const void *part = s->sampler ? (const void *)s->sampler : (const void *)s->helper;

		if (s->series != series)
			continue;
		intake_drain(in, INT64_MAX);
		intake_settle(in);
		intake_watch(in);	/* what its probe counted last */
		c->model->series[series].in_flight_ns = 0;
		c->model->series[series].silent = c->model->series[series].offline = false;
		c->in[i] = c->in[--c->nr];
		if (part && !still_used(c, part))
			selfmeter_remove(c->self, part);
		intake_free(in);
		return;
	}
}

/* ---- stops, suspends, clock steps ---------------------------------------- */

static void flag_all(struct collector *c, int64_t from_ns, int64_t to_ns, unsigned flags)
{
	struct model *m = c->model;
	int64_t oldest = to_ns - (HISTORY_OPEN - 1) * HISTORY_ROW_NS;

	for (int64_t t = from_ns > oldest ? from_ns : oldest; t <= to_ns; t += HISTORY_ROW_NS)
		for (unsigned g = 0; g < m->nr_groups; g++)
			if (m->groups[g].on)
				history_flag(m->groups[g].history, t, flags);
}

void collector_gap(struct collector *c, enum gap_kind kind, int64_t from_ns, int64_t to_ns)
{
	static const struct { const char *event, *text; } say[] = {
		[GAP_STOP] = { "interrupted", "stopped" },
		[GAP_SUSPEND] = { "gap", "machine suspended" },
		[GAP_CLOCK] = { "clock", "wall clock was set" },
		[GAP_HOTPLUG] = { NULL, NULL },	/* who noticed it says which CPU */
	};

	gaps_add(&c->shared.gaps, from_ns, to_ns);
	if (kind == GAP_STOP || kind == GAP_SUSPEND)
		loadlog_gap(c->loads);
	if (kind != GAP_SCREEN) {
		flag_all(c, from_ns, to_ns, HISTORY_STOPPED);
		if (say[kind].event)
			model_event(c->model, to_ns, say[kind].event, "%s", say[kind].text);
	}
}

static void look_at_clocks(struct collector *c, int64_t now_ns)
{
	struct clock_news news = clock_watch_look(&c->clocks);

	if (news.suspended_ns)
		collector_gap(c, GAP_SUSPEND, c->tick_ns, now_ns);
	if (news.step_ns)
		collector_gap(c, GAP_CLOCK, c->tick_ns, now_ns);
}

/* ---- samples ------------------------------------------------------------- */

static int by_woke(const void *a, const void *b)
{
	const struct intake_spike *x = a, *y = b;

	return (x->woke_ns > y->woke_ns) - (x->woke_ns < y->woke_ns);
}

/* Of two equal ones the earlier. */
static int by_lateness(const void *a, const void *b)
{
	const struct told *x = *(struct told *const *)a, *y = *(struct told *const *)b;

	if (x->spike.late_ns != y->spike.late_ns)
		return (x->spike.late_ns < y->spike.late_ns) - (x->spike.late_ns > y->spike.late_ns);
	return (x > y) - (x < y);
}

/* A spike's steal is that of the time since the last reading. */
static void describe(const struct collector *c, const struct intake_spike *found, struct told *t)
{
	const struct series *s = &c->model->series[found->series];

	*t = (struct told){ .due_ns = found->due_ns, .series = found->series };
	t->spike.t_ns = found->woke_ns;
	t->spike.late_ns = found->woke_ns - found->due_ns;
	t->spike.group = s->group;
	t->spike.cpu = s->cpu;
	t->spike.steal = s->cpu >= 0 && cpuset_has(&c->stolen, s->cpu);
	loadlog_names(c->loads, found->due_ns, found->woke_ns, t->spike.loads,
		      sizeof(t->spike.loads));
}

/* Those that are kept, in time order; how many. */
static unsigned keep_spikes(struct collector *c)
{
	struct intake_shared *sh = &c->shared;
	unsigned nr = 0;

	qsort(sh->spike, sh->nr_spikes, sizeof(sh->spike[0]), by_woke);
	for (unsigned i = 0; i < sh->nr_spikes; i++) {
		struct told *t = &c->told[nr];

		describe(c, &sh->spike[i], t);
		nr += !c->spike_fn || c->spike_fn(c->spike_ctx, t->series, t->due_ns, &t->spike);
	}
	sh->nr_spikes = 0;
	return nr;
}

static void look_at_worst_first(struct collector *c, unsigned nr)
{
	struct told *order[INTAKE_SPIKES];

	for (unsigned i = 0; i < nr; i++)
		order[i] = &c->told[i];
	qsort(order, nr, sizeof(order[0]), by_lateness);
	for (unsigned i = 0; i < nr; i++)
		c->look_fn(c->look_ctx, order[i]->series, order[i]->due_ns, &order[i]->spike);
}

/* They are gathered over the tick: who looks has not the time for all. */
static void tell_spikes(struct collector *c)
{
	unsigned nr = keep_spikes(c);

	if (c->look_fn)
		look_at_worst_first(c, nr);
	for (unsigned i = 0; i < nr; i++)
		model_spike(c->model, &c->told[i].spike);
}

static void flag_not_rt(struct collector *c, int64_t t_ns)
{
	for (unsigned g = 0; g < c->model->nr_groups; g++) {
		struct group *group = &c->model->groups[g];

		if (group->on && group->want_rt && !group->have_rt)
			history_flag(group->history, t_ns, HISTORY_NOT_RT);
	}
}

/*
 * Rows in which nothing woke, as after a stop of hours, are not walked series
 * by series: on to the row of the oldest entry that waits, or to now.
 */
static void skip_empty_rows(struct collector *c, int64_t now_ns)
{
	int64_t oldest_ns = now_ns;

	for (unsigned i = 0; i < c->nr && oldest_ns - c->row_ns >= HISTORY_ROW_NS; i++) {
		int64_t t_ns = intake_oldest_ns(c->in[i]);

		oldest_ns = t_ns < oldest_ns ? t_ns : oldest_ns;
	}
	int64_t rows = (oldest_ns - c->row_ns) / HISTORY_ROW_NS;

	if (rows <= INTAKE_ROWS)
		return;		/* walking shifts the rows of the intakes as well */
	rows -= INTAKE_ROWS;
	for (int64_t end_ns = c->row_ns + rows * HISTORY_ROW_NS; c->row_ns < end_ns;
	     c->row_ns += HISTORY_ROW_NS)
		flag_not_rt(c, c->row_ns);
}

/*
 * Row by row: all rings up to the end of a row before any of the next, so
 * that rows come out right however long ago the last tick was.  hold: entries
 * of the last period wait.
 */
static void drain_rows(struct collector *c, int64_t now_ns, bool hold)
{
	while (c->row_ns <= now_ns) {
		skip_empty_rows(c, now_ns);
		int64_t end = c->row_ns + HISTORY_ROW_NS;

		for (unsigned i = 0; i < c->nr; i++) {
			int64_t until = now_ns - (hold ? intake_hold_ns(c->in[i]) : -1);

			intake_drain(c->in[i], until < end ? until : end);
		}
		flag_not_rt(c, c->row_ns);
		if (end > now_ns)
			return;
		for (unsigned i = 0; i < c->nr; i++)
			intake_row(c->in[i]);
		c->row_ns = end;
	}
}

static void advance(struct collector *c, int64_t now_ns)
{
	struct model *m = c->model;

	for (unsigned g = 0; g < m->nr_groups; g++) {
		history_advance(m->groups[g].history, now_ns);
		if (c->shared.window[g])
			window_advance(c->shared.window[g], now_ns);
	}
	for (unsigned i = 0; i < c->nr; i++) {
		struct series *s = &m->series[intake_source(c->in[i])->series];

		intake_settle(c->in[i]);
		intake_watch(c->in[i]);
		if (s->history)
			history_advance(s->history, now_ns);
	}
}

/* ---- time zero ----------------------------------------------------------- */

static int64_t end_of_warm_up(const struct collector *c, int64_t now_ns)
{
	int64_t first = 0;
	bool warming = false;

	for (unsigned i = 0; i < c->nr; i++) {
		int64_t due = intake_first_due_ns(c->in[i]);

		warming |= intake_warming(c->in[i]);
		if (due && (!first || due < first))
			first = due;
	}
	if (first)
		return first;
	return warming ? 0 : now_ns;
}

static void begin(struct collector *c, int64_t zero_ns)
{
	if (c->model->zero_ns != zero_ns)
		model_zero(c->model, zero_ns);
	for (unsigned g = 0; g < c->model->nr_groups; g++)
		if (c->shared.window[g])
			window_start(c->shared.window[g], zero_ns);
	c->row_ns = zero_ns;
}

static bool warming_up(struct collector *c, int64_t now_ns)
{
	const struct model *m = c->model;
	int64_t zero = m->zero_ns ? m->zero_ns : m->zero_at_ns;

	if (c->row_ns)
		return false;
	if (!zero)
		zero = end_of_warm_up(c, now_ns);
	if (!zero || zero > now_ns)
		return true;
	begin(c, zero);
	return false;
}

/* ---- each second --------------------------------------------------------- */

static void set_thresholds(struct collector *c)
{
	for (unsigned g = 0; g < c->model->nr_groups; g++) {
		const struct hist *now = c->model->groups[g].now;
		int64_t spike_ns = INT64_MAX;

		if (c->fixed_spike_ns) {
			spike_ns = c->fixed_spike_ns;
		} else if (now->count >= SPIKE_SAMPLES) {
			spike_ns = SPIKE_TIMES * hist_percentile(now, 99);
			if (spike_ns < SPIKE_LEAST_NS)
				spike_ns = SPIKE_LEAST_NS;
		}
		c->shared.spike_ns[g] = spike_ns;
	}
}

static void flag_steal(struct collector *c, int64_t from_ns, int64_t to_ns)
{
	for (unsigned i = 0; i < c->nr; i++) {
		struct series *s = &c->model->series[intake_source(c->in[i])->series];
		struct group *g = &c->model->groups[s->group];

		if (s->cpu >= 0 ? !cpuset_has(&c->stolen, s->cpu) : !cpuset_count(&c->stolen))
			continue;
		for (int64_t t = from_ns; t < to_ns; t += HISTORY_ROW_NS) {
			history_flag(g->history, t, HISTORY_STEAL);
			if (s->history)
				history_flag(s->history, t, HISTORY_STEAL);
		}
	}
}

static void read_rates(struct collector *c, int64_t now_ns)
{
	int64_t from = c->second_ns > now_ns - 2 * NS_PER_S ? c->second_ns : now_ns - 2 * NS_PER_S;

	cpuset_clear(&c->stolen);
	sysrates_read(c->rates, now_ns, true, &c->model->rates, &c->stolen);
	if (c->second_ns && c->model->zero_ns && c->model->rates.steal_pct > 0)
		flag_steal(c, from, now_ns);
}

static void look_at_clocksource(struct collector *c, int64_t now_ns)
{
	char before[sizeof(c->model->system.clocksource)];

	if (now_ns - c->clocksource_ns < CLOCKSOURCE_NS)
		return;
	c->clocksource_ns = now_ns;
	memcpy(before, c->model->system.clocksource, sizeof(before));
	if (sysinfo_clocksource_changed(&c->model->system) && before[0])
		model_event(c->model, now_ns, "clock", "clocksource %s -> %s", before,
			    c->model->system.clocksource);
}

static void repin(struct collector *c)
{
	for (unsigned i = 0; i < c->nr; i++) {
		const struct collector_source *s = intake_source(c->in[i]);

		if (s->sampler && c->model->series[s->series].offline)
			sampler_repin(s->sampler);
	}
}

static void each_second(struct collector *c, int64_t now_ns)
{
	/* The tick nearest to a second, not the first one after it. */
	if (c->second_ns && now_ns - c->second_ns < NS_PER_S - SECOND_EARLY_NS)
		return;
	read_rates(c, now_ns);
	selfmeter_read(c->self, now_ns, &c->model->self);
	look_at_clocksource(c, now_ns);
	set_thresholds(c);
	repin(c);
	c->second_ns = now_ns;
}

/* ---- turns --------------------------------------------------------------- */

void collector_tick(struct collector *c, int64_t now_ns)
{
	c->model->now_ns = c->shared.now_ns = now_ns;
	if (!c->tick_ns)
		c->tick_ns = now_ns;
	look_at_clocks(c, now_ns);
	if (!warming_up(c, now_ns)) {
		drain_rows(c, now_ns, true);
		tell_spikes(c);
		advance(c, now_ns);
	}
	loadlog_tick(c->loads, now_ns);
	each_second(c, now_ns);
	c->tick_ns = now_ns;
}

void collector_finish(struct collector *c, int64_t now_ns)
{
	c->model->now_ns = c->shared.now_ns = now_ns;
	look_at_clocks(c, now_ns);
	if (!warming_up(c, now_ns)) {
		drain_rows(c, now_ns, false);
		for (unsigned i = 0; i < c->nr; i++)
			intake_drain(c->in[i], INT64_MAX);
		tell_spikes(c);
		advance(c, now_ns);
	}
	loadlog_tick(c->loads, now_ns);
	c->tick_ns = now_ns;
}

int64_t collector_wait_ns(const struct collector *c, int64_t want_ns)
{
	for (unsigned i = 0; i < c->nr; i++) {
		int64_t room_ns = intake_room_ns(c->in[i]);

		if (room_ns < want_ns)
			want_ns = room_ns;
	}
	return want_ns > WAIT_LEAST_NS ? want_ns : WAIT_LEAST_NS;
}

/* ---- the supervisor's events --------------------------------------------- */

static void probe_ended(struct collector *c, const struct supervisor_event *e)
{
	const char *text = e->text[0] ? e->text : "helper ended";

	for (unsigned g = 0; g < c->model->nr_groups; g++) {
		struct group *group = &c->model->groups[g];

		if (!group->on || !group->probe || group->probe != probes[e->load])
			continue;
		if (e->signal)
			snprintf(group->error, sizeof(group->error), "helper died (signal %d)",
				 e->signal);
		else
			text_clean(group->error, sizeof(group->error), text, strlen(text),
				   sizeof(group->error) - 1);
	}
}

void collector_supervisor_event(struct collector *c, const struct supervisor_event *e,
				int64_t now_ns)
{
	unsigned known = 0;

	if (e->kind == SUP_PROBE_EXITED) {
		while (probes[known])
			known++;
		if (e->load < known)
			probe_ended(c, e);
		return;
	}
	if (e->kind == SUP_STARTED || e->kind == SUP_TIER)
		c->model->tiers.cleanup = e->tier;
	loadlog_event(c->loads, e, now_ns);
}

void collector_loads_finish(struct collector *c, int64_t now_ns)
{
	loadlog_finish(c->loads, now_ns);
}
