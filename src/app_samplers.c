/*
 * app_samplers.c - the samplers of a probe and the watchdog over all of them.
 */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "src/app_internal.h"

#define RING_LEAST 1024u
#define RING_MOST (1u << 20)
#define RING_SECONDS 30
#define RINGS_BYTES_MOST (INT64_C(256) << 20)
#define ENTRY_BYTES ((int64_t)sizeof(struct ring_entry))
#define WARMUP_NS NS_PER_S

unsigned app_ring_room(int64_t period_ns, unsigned rings, int64_t mem_total_kb)
{
	int64_t budget = mem_total_kb > 0 ? mem_total_kb * 1024 / 16 : RINGS_BYTES_MOST;
	int64_t wanted = RING_SECONDS * NS_PER_S / (period_ns > 0 ? period_ns : NS_PER_MS) + 1;
	unsigned room = RING_LEAST;

	if (budget > RINGS_BYTES_MOST)
		budget = RINGS_BYTES_MOST;
	while (room < wanted && room < RING_MOST &&
	       2 * (int64_t)room * ENTRY_BYTES * (rings ? rings : 1) <= budget)
		room *= 2;
	return room;
}

unsigned app_warmup(int64_t period_ns)
{
	int64_t fit = WARMUP_NS / (period_ns > 0 ? period_ns : NS_PER_MS);

	return fit < 1 ? 1 : fit < SAMPLER_WARMUP ? (unsigned)fit : SAMPLER_WARMUP;
}

/* Rings of the probes that are on: they share the memory there is. */
static unsigned rings_of(const struct app *app)
{
	unsigned n = 0;

	for (unsigned i = 0; i < app->nr_probes; i++) {
		const struct app_probe *p = &app->probes[i];

		n += p->on ? p->groups * p->nr_samplers : 0;
	}
	return n;
}

static bool may_have_fifo(const struct app *app, const struct app_probe *p, unsigned nth)
{
	return app->rights.fifo && (p->probe->flags & PROBE_RT) &&
	       (app->rights.cpus_limit < 0 || (int)nth < app->rights.cpus_limit);
}

static struct sampler_config config_for(const struct app *app, const struct app_probe *p,
					unsigned place)
{
	const struct series *s = &app->m->series[p->series + place];
	int64_t period_ns = s->interval_ns;
	long defaults[PROBE_KNOBS_MAX];
	struct sampler_config c = {
		.probe = p->probe, .cpu = s->cpu, .period_ns = period_ns,
		.priority = app->rights.priority, .want_fifo = may_have_fifo(app, p, place),
		.ring_room = app_ring_room(period_ns, rings_of(app), app->m->system.mem_total_kb),
		.warmup = app_warmup(period_ns),
	};

	c.phase_ns = (int64_t)(load_mix(app->o->seed, p->index,
					app->o->align ? 0 : (uint64_t)(s->cpu + 1)) %
			       (uint64_t)period_ns);
	memcpy(c.knob, app_probe_knobs(p, defaults), sizeof(c.knob));
	return c;
}

/* What a probe says of itself ("emulated") belongs beside its numbers. */
static void tell_note(struct app *app, const struct app_probe *p, const struct sampler *s)
{
	if (*sampler_note(s))
		model_badge(app->m, p->probe->name, "info", "%s", sampler_note(s));
}

static int start_sampler(struct app *app, const struct app_probe *p, unsigned place,
			 struct why *why)
{
	const struct sampler_config config = config_for(app, p, place);

	if (app_probe_prepare(app, p, place, why))
		return why->err;
	struct sampler *s = sampler_start(&config, why);

	if (!s)
		return why->err ? why->err : -EIO;
	app->samplers[p->first_sampler + place] = s;
	app->demoted[p->first_sampler + place] = 0;
	app->released[p->first_sampler + place] = false;
	tell_note(app, p, s);
	for (unsigned v = 0; v < p->groups; v++) {
		const struct collector_source source = {
			.series = p->series + v * app_probe_places(p) + place,
			.ring = sampler_ring(s, v), .published = sampler_published(s),
			.sampler = s,
		};

		app->m->series[source.series].phase_ns = config.phase_ns;
		if (collector_add(app->collector, &source, why))
			return why->err;
		blame_watch(app->blame, source.series, config.cpu, sampler_tid(s));
	}
	return 0;
}

/* The others go on; who has no screen hears of it, too. */
static void not_started(struct app *app, const struct app_probe *p, unsigned place,
			const char *text)
{
	app_probe_error(app, p, place, text);
	app_probe_failed(app, p);
	app_probe_status(app, text);
}

int app_samplers_start(struct app *app, const struct app_probe *p, struct why *why)
{
	unsigned running = 0;

	for (unsigned i = 0; i < p->nr_samplers; i++) {
		if (!app_cpu_online(app, app_series(app, p, 0, i)->cpu))
			continue;
		if (start_sampler(app, p, i, why))
			not_started(app, p, i, why->text);
		else
			running++;
	}
	if (running)
		return 0;
	app_samplers_free(app, p);
	return why->err;
}

void app_samplers_ask(struct app *app, const struct app_probe *p)
{
	for (unsigned i = 0; i < p->nr_samplers; i++) {
		if (app->samplers[p->first_sampler + i])
			sampler_ask_stop(app->samplers[p->first_sampler + i]);
	}
}

void app_samplers_join(struct app *app, const struct app_probe *p, int64_t until_ns)
{
	for (unsigned i = 0; i < p->nr_samplers; i++) {
		struct sampler *s = app->samplers[p->first_sampler + i];

		if (s)
			sampler_join_by(s, until_ns);
	}
}

void app_samplers_stop(struct app *app, const struct app_probe *p)
{
	app_samplers_ask(app, p);
	app_samplers_join(app, p, clock_now_ns() + APP_QUIT_MS * NS_PER_MS);
}

void app_samplers_free(struct app *app, const struct app_probe *p)
{
	for (unsigned i = 0; i < p->nr_samplers; i++) {
		struct sampler **s = &app->samplers[p->first_sampler + i];

		if (!*s)
			continue;
		for (unsigned v = 0; v < p->groups; v++) {
			unsigned series = p->series + v * app_probe_places(p) + i;

			collector_remove(app->collector, series);
			app->m->series[series].offline =
				!app_cpu_online(app, app->m->series[series].cpu);
			blame_watch(app->blame, series, app->m->series[series].cpu, 0);
		}
		sampler_free(*s);
		*s = NULL;
	}
}

/* Who comes late wakes when it would have, had it come with the others. */
static int64_t start_on_grid(const struct app *app, const struct series *s, int64_t start_ns)
{
	int64_t late_ns = start_ns - app->grid_ns - s->phase_ns;

	if (late_ns <= 0)
		return app->grid_ns;
	return app->grid_ns + (late_ns + s->interval_ns - 1) / s->interval_ns * s->interval_ns;
}

void app_samplers_release(struct app *app, const struct app_probe *p, int64_t start_ns)
{
	for (unsigned i = 0; i < p->nr_samplers; i++) {
		unsigned at = p->first_sampler + i;

		if (!app->samplers[at] || app->released[at])
			continue;
		app->released[at] = true;
		sampler_count_from(app->samplers[at], app->zero_ns);
		sampler_release(app->samplers[at],
				start_on_grid(app, app_series(app, p, 0, i), start_ns));
	}
}

/* A CPU that is on and has no sampler had no real time either. */
static void missing(struct app *app, const struct app_probe *p, unsigned place)
{
	if (!p->on || !app_cpu_online(app, app_series(app, p, 0, place)->cpu))
		return;
	for (unsigned v = 0; v < p->groups; v++)
		app->m->groups[p->group + v].have_rt = false;
}

static void read_back(struct app *app, const struct app_probe *p, unsigned place)
{
	struct sampler *s = app->samplers[p->first_sampler + place];
	struct rt_granted granted;

	if (!s) {
		missing(app, p, place);
		return;
	}
	sampler_granted(s, &granted);
	for (unsigned v = 0; v < p->groups; v++) {
		struct series *series = app_series(app, p, v, place);

		snprintf(series->policy, sizeof(series->policy), "%s",
			 rt_policy_name(granted.policy));
		series->priority = granted.priority;
		series->nice = granted.nice;
		series->slack_ns = granted.slack_ns;
		if (granted.policy != SCHED_FIFO)
			app->m->groups[series->group].have_rt = false;
	}
}

void app_samplers_read_back(struct app *app, const struct app_probe *p)
{
	for (unsigned v = 0; v < p->groups; v++)
		app->m->groups[p->group + v].have_rt = p->nr_samplers > 0;
	for (unsigned place = 0; place < p->nr_samplers; place++)
		read_back(app, p, place);
}

/* What others were granted was read back when they began; some may have lost it. */
bool app_samplers_fill(struct app *app, const struct app_probe *p)
{
	bool any = false;

	for (unsigned i = 0; i < p->nr_samplers; i++) {
		int cpu = app_series(app, p, 0, i)->cpu;
		struct why why = { 0, "" };

		if (app->samplers[p->first_sampler + i] || !app_cpu_online(app, cpu))
			continue;
		if (start_sampler(app, p, i, &why)) {
			not_started(app, p, i, why.text);
			missing(app, p, i);
			continue;
		}
		read_back(app, p, i);
		any = true;
	}
	return any;
}

static bool has_failed(const struct sampler *s)
{
	const struct sampler_published *said = sampler_published(s);

	return atomic_load_explicit(&said->state, memory_order_relaxed) == SAMPLER_FAILED;
}

/* Its own series says why; here it counts as one that never began. */
void app_samplers_look(struct app *app, const struct app_probe *p)
{
	for (unsigned i = 0; p->on && i < p->nr_samplers; i++) {
		const struct sampler *s = app->samplers[p->first_sampler + i];

		if (!s || !has_failed(s))
			continue;
		missing(app, p, i);
		app_probe_failed(app, p);
	}
}

/* ---- the watchdog ---- */

/* On the watchdog's thread. */
static void kill_loads(void *supervisor)
{
	supervisor_kill_all(supervisor);
}

void app_watchdog_start(struct app *app)
{
	struct why why = { 0, "" };
	struct watchdog_config config = { .samplers = app->watched,
		.priority = app->rights.fifo ? app->rights.priority + 1 : 0,
		.main_is_rt = app->rights.fifo && !app->main_demoted, .ctx = app->sup };

	for (unsigned i = 0; i < app->nr_samplers; i++) {
		if (app->samplers[i])
			app->watched[config.nr_samplers++] = app->samplers[i];
	}
	config.kill_loads = app->sup ? kill_loads : NULL;
	app->watchdog = watchdog_start(&config, &why);
	if (app->watchdog)
		model_badge_drop(app->m, "no-watchdog");
	else
		model_badge(app->m, "no-watchdog", "warn", "%s", why.text);
}

void app_watchdog_stop(struct app *app)
{
	if (!app->watchdog)
		return;
	app_watch(app);		/* what it did so far would be forgotten */
	watchdog_stop(app->watchdog);
	app->watchdog = NULL;
	app->demotions_seen = app->kills_seen = 0;
}
