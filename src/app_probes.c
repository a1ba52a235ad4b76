/*
 * app_probes.c - which probes run where, and the samplers that run them.
 *
 * Everything is decided from the probes' own flags; no probe is named here.
 */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/app_internal.h"
#include "src/text.h"

#define RING_LEAST 1024u
#define RING_MOST (1u << 20)
#define RING_SECONDS 30
#define RINGS_BYTES_MOST (INT64_C(256) << 20)
#define ENTRY_BYTES ((int64_t)sizeof(struct ring_entry))
#define WARMUP_NS NS_PER_S
#define RELEASE_DELAY_NS (20 * NS_PER_MS)	/* all samplers are told before it ends */

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

static unsigned variants_of(const struct probe *p)
{
	unsigned n = 0;

	while (p->variants && p->variants[n])
		n++;
	return n ? n : 1;
}

static int64_t period_of(const struct app *app, const struct probe *p)
{
	return p->period_ns ? p->period_ns : app->o->interval_ns;
}

static bool pinned(const struct app_probe *p)
{
	return (p->probe->flags & PROBE_PER_CPU) && !(p->probe->flags & PROBE_HELPER);
}

/* Samplers of a probe: one a CPU, or one that is not pinned. */
static unsigned places_of(const struct app_probe *p)
{
	return pinned(p) ? (unsigned)cpuset_count(&p->cpus) : 1;
}

/* ---- which ---- */

static int check_online(int cpu, const struct cpuset *online, struct why *why)
{
	char list[120];

	if (!cpuset_count(online) || cpuset_has(online, cpu))
		return 0;
	cpuset_text(online, list, sizeof(list));
	return why_set(why, -EINVAL, "cpu %d: not online; choose from %s", cpu, list);
}

/* CPUs outside the mask are tried, since a mask can be widened; the caller's
 * own mask is put back afterwards. */
static int try_pin(int cpu, const struct cpuset *allowed, struct why *why)
{
	struct cpuset one;
	struct why inner;
	char list[120];

	if (cpuset_has(allowed, cpu))
		return 0;
	cpuset_clear(&one);
	cpuset_add(&one, cpu);
	int err = cpuset_pin(0, &one, &inner);

	cpuset_pin(0, allowed, NULL);
	if (!err)
		return 0;
	cpuset_text(allowed, list, sizeof(list));
	return why_set(why, -EINVAL, "cpu %d: not allowed here (%s); choose from %s", cpu,
		       strerror(err < 0 ? -err : err), list);
}

static int check_set(const struct cpuset *set, const struct cpuset *online,
		     const struct cpuset *allowed, struct why *why)
{
	cpuset_each(cpu, set) {
		if (check_online(cpu, online, why) || try_pin(cpu, allowed, why))
			return -EINVAL;
	}
	return 0;
}

int app_probes_check_cpus(const struct options *o, struct why *why)
{
	struct cpuset online, allowed;
	int err = 0;

	if (cpuset_allowed(&allowed, why))
		return -EIO;
	if (cpuset_read_file(&online, "/sys/devices/system/cpu/online", NULL))
		cpuset_clear(&online);
	if (o->has_cpus)
		err = check_set(&o->cpus, &online, &allowed, why);
	for (unsigned i = 0; i < o->probes && !err; i++) {
		if (o->probe[i].has_cpus)
			err = check_set(&o->probe[i].cpus, &online, &allowed, why);
	}
	return err;
}

static const struct option_probe *option_for(const struct options *o, const struct probe *p)
{
	for (unsigned i = 0; i < o->probes; i++) {
		if (o->probe[i].probe == p)
			return &o->probe[i];
	}
	return NULL;
}

static unsigned index_of(const struct probe *p)
{
	unsigned i = 0;

	while (probes[i] && probes[i] != p)
		i++;
	return i;
}

static void choose(struct app *app, const struct probe *p, const struct option_probe *option,
		   const struct cpuset *cpus)
{
	struct app_probe *chosen = &app->probes[app->nr_probes++];

	*chosen = (struct app_probe){ .probe = p, .index = index_of(p), .option = option,
				      .groups = variants_of(p), .on = true };
	chosen->cpus = option && option->has_cpus ? option->cpus : *cpus;
}

/* -P in its order, else the registry's defaults. */
int app_probes_choose(struct app *app, struct why *why)
{
	const struct options *o = app->o;
	unsigned known = 0;
	struct cpuset cpus = o->cpus;

	if (!o->has_cpus && cpuset_allowed(&cpus, why))
		return -EIO;
	while (probes[known])
		known++;
	app->probes = calloc(known + 1, sizeof(*app->probes));
	if (!app->probes)
		return why_set(why, -ENOMEM, "no memory; close something");
	for (unsigned i = 0; i < o->probes; i++)
		choose(app, o->probe[i].probe, &o->probe[i], &cpus);
	for (unsigned i = 0; i < known && !o->probes; i++) {
		if (probes[i]->flags & PROBE_DEFAULT)
			choose(app, probes[i], option_for(o, probes[i]), &cpus);
	}
	if (!app->nr_probes)
		return why_set(why, -EINVAL, "no probe is on by itself; name one with -P");
	return 0;
}

/* ---- the model's view of them ---- */

unsigned app_probes_groups(const struct app *app, unsigned *series)
{
	unsigned groups = 0;

	*series = 0;
	for (unsigned i = 0; i < app->nr_probes; i++) {
		groups += app->probes[i].groups;
		*series += app->probes[i].groups * places_of(&app->probes[i]);
	}
	return groups;
}

static void describe_series(struct app *app, const struct app_probe *p, unsigned group,
			    unsigned first)
{
	unsigned n = 0;
	bool per_cpu = pinned(p);

	for (int cpu = per_cpu ? cpuset_next(&p->cpus, -1) : -1; n < places_of(p); n++) {
		struct series *s = &app->m->series[first + n];

		s->group = group;
		s->cpu = cpu;
		s->isolated = cpu >= 0 && cpuset_has(&app->m->system.isolated, cpu);
		s->interval_ns = period_of(app, p->probe);
		if (per_cpu)
			cpu = cpuset_next(&p->cpus, cpu);
	}
}

static void describe_group(struct app *app, const struct app_probe *p, unsigned variant,
			   unsigned first)
{
	struct group *g = &app->m->groups[p->group + variant];
	const char *name = p->probe->variants ? p->probe->variants[variant] : p->probe->name;

	snprintf(g->name, sizeof(g->name), "%s", name);
	snprintf(g->summary, sizeof(g->summary), "%s", p->probe->summary);
	g->probe = p->probe;
	g->variant = variant;
	g->on = true;
	g->want_rt = p->probe->flags & PROBE_RT;
	g->first = first;
	g->nr = places_of(p);
	describe_series(app, p, p->group + variant, first);
}

void app_probes_describe(struct app *app)
{
	unsigned group = 0, series = 0, sampler = 0;

	for (unsigned i = 0; i < app->nr_probes; i++) {
		struct app_probe *p = &app->probes[i];

		p->group = group;
		p->series = series;
		p->first_sampler = sampler;
		p->nr_samplers = p->probe->flags & PROBE_HELPER ? 0 : places_of(p);
		for (unsigned v = 0; v < p->groups; v++, series += places_of(p))
			describe_group(app, p, v, series);
		if (pinned(p)) {
			cpuset_each(cpu, &p->cpus)
				cpuset_add(&app->m->measured, cpu);
		}
		group += p->groups;
		sampler += p->nr_samplers;
	}
	app->nr_samplers = sampler;
}

/* ---- running ---- */

static struct series *series_at(struct app *app, const struct app_probe *p, unsigned variant,
				unsigned place)
{
	return &app->m->series[p->series + variant * places_of(p) + place];
}

static void set_error(struct app *app, const struct app_probe *p, unsigned place,
		      const char *text)
{
	for (unsigned v = 0; v < p->groups; v++) {
		struct group *g = &app->m->groups[p->group + v];

		snprintf(series_at(app, p, v, place)->error, sizeof(g->error), "%s", text);
		if (!*g->error || !*text)
			snprintf(g->error, sizeof(g->error), "%s", text);
	}
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
	struct sampler_config c = {
		.probe = p->probe, .cpu = s->cpu, .period_ns = period_ns,
		.priority = app->rights.priority, .want_fifo = may_have_fifo(app, p, place),
		.ring_room = app_ring_room(period_ns, app->m->nr_series,
					   app->m->system.mem_total_kb),
		.warmup = app_warmup(period_ns),
	};

	c.phase_ns = (int64_t)(load_mix(app->o->seed, p->index, (uint64_t)(s->cpu + 1)) %
			       (uint64_t)period_ns);
	for (unsigned i = 0; p->probe->knobs[i].name; i++)
		c.knob[i] = p->option ? p->option->knob[i] : p->probe->knobs[i].value;
	return c;
}

static int start_sampler(struct app *app, const struct app_probe *p, unsigned place,
			 struct why *why)
{
	const struct sampler_config config = config_for(app, p, place);
	struct sampler *s = sampler_start(&config, why);

	if (!s)
		return why->err ? why->err : -EIO;
	app->samplers[p->first_sampler + place] = s;
	for (unsigned v = 0; v < p->groups; v++) {
		const struct collector_source source = {
			.series = p->series + v * places_of(p) + place,
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

static int start_samplers(struct app *app, const struct app_probe *p, struct why *why)
{
	unsigned running = 0;

	for (unsigned i = 0; i < p->nr_samplers; i++) {
		if (start_sampler(app, p, i, why))
			set_error(app, p, i, why->text);
		else
			running++;
	}
	return running ? 0 : why->err;
}

static int start_helper(struct app *app, const struct app_probe *p, struct why *why)
{
	long knob[PROBE_KNOBS_MAX] = { 0 };

	if (!app->sup)
		return why_set(why, -ESRCH, "%s: no helper process; start without --no-loads",
			       p->probe->name);
	for (unsigned i = 0; p->probe->knobs[i].name; i++)
		knob[i] = p->option ? p->option->knob[i] : p->probe->knobs[i].value;
	if (supervisor_probe_start(app->sup, p->index, period_of(app, p->probe), knob, why))
		return why->err;
	for (unsigned v = 0; v < p->groups; v++) {
		const struct collector_source source = {
			.series = p->series + v,
			.ring = supervisor_probe_ring(app->sup, p->index, v),
			.helper = supervisor_probe_line(app->sup, p->index),
		};

		if (source.ring && collector_add(app->collector, &source, why))
			return why->err;
	}
	return 0;
}

static int start_probe(struct app *app, struct app_probe *p, struct why *why)
{
	int err;

	if (!p->nr_samplers)
		err = start_helper(app, p, why);
	else
		err = start_samplers(app, p, why);
	p->on = !err;
	for (unsigned v = 0; v < p->groups; v++)
		app->m->groups[p->group + v].on = p->on;
	if (err && !p->nr_samplers)
		set_error(app, p, 0, why->text);
	return err;
}

/* On the watchdog's thread. */
static void kill_loads(void *supervisor)
{
	supervisor_kill_all(supervisor);
}

static void watch(struct app *app)
{
	struct watchdog_config config = { .samplers = app->watched,
		.priority = app->rights.fifo ? app->rights.priority + 1 : 0,
		.main_is_rt = app->rights.fifo, .ctx = app->sup };

	for (unsigned i = 0; i < app->nr_samplers; i++) {
		if (app->samplers[i])
			app->watched[config.nr_samplers++] = app->samplers[i];
	}
	config.kill_loads = app->sup ? kill_loads : NULL;
	app->watchdog = watchdog_start(&config, NULL);
}

static void unwatch(struct app *app)
{
	if (app->watchdog)
		watchdog_stop(app->watchdog);
	app->watchdog = NULL;
	app->demotions_seen = app->kills_seen = 0;
}

/* A probe that cannot start says why in its row; only all of them fail. */
int app_probes_start(struct app *app, struct why *why)
{
	unsigned running = 0;

	app->samplers = calloc(app->nr_samplers + 1, sizeof(*app->samplers));
	app->watched = calloc(app->nr_samplers + 1, sizeof(*app->watched));
	if (!app->samplers || !app->watched)
		return why_set(why, -ENOMEM, "no memory for samplers; measure fewer CPUs");
	for (unsigned i = 0; i < app->nr_probes; i++)
		running += !start_probe(app, &app->probes[i], why);
	if (!running)
		return why->err;
	watch(app);
	app_probes_read_back(app);
	return 0;
}

static void release(struct app *app, const struct app_probe *p, int64_t start_ns)
{
	for (unsigned i = 0; i < p->nr_samplers; i++) {
		struct sampler *s = app->samplers[p->first_sampler + i];

		if (s)
			sampler_release(s, start_ns);
	}
}

void app_probes_release(struct app *app, int64_t now_ns)
{
	int64_t start_ns = now_ns + RELEASE_DELAY_NS, longest_ns = 0;

	for (unsigned i = 0; i < app->nr_probes; i++) {
		int64_t period_ns = period_of(app, app->probes[i].probe);
		int64_t warm_ns = (int64_t)app_warmup(period_ns) * period_ns;

		if (app->probes[i].nr_samplers && warm_ns > longest_ns)
			longest_ns = warm_ns;
		release(app, &app->probes[i], start_ns);
	}
	app->zero_ns = start_ns + longest_ns;
}

static void read_back(struct app *app, const struct app_probe *p, unsigned place)
{
	struct sampler *s = app->samplers[p->first_sampler + place];
	struct rt_granted granted;

	if (!s)
		return;
	sampler_granted(s, &granted);
	for (unsigned v = 0; v < p->groups; v++) {
		struct series *series = series_at(app, p, v, place);

		snprintf(series->policy, sizeof(series->policy), "%s",
			 rt_policy_name(granted.policy));
		series->priority = granted.priority;
		series->nice = granted.nice;
		series->slack_ns = granted.slack_ns;
		if (granted.policy != SCHED_FIFO)
			app->m->groups[series->group].have_rt = false;
	}
}

void app_probes_read_back(struct app *app)
{
	for (unsigned i = 0; i < app->nr_probes; i++) {
		const struct app_probe *p = &app->probes[i];

		for (unsigned v = 0; v < p->groups; v++)
			app->m->groups[p->group + v].have_rt = p->nr_samplers > 0;
		for (unsigned place = 0; place < p->nr_samplers; place++)
			read_back(app, p, place);
	}
}

static void stop_samplers(struct app *app, const struct app_probe *p)
{
	for (unsigned i = 0; i < p->nr_samplers; i++) {
		if (app->samplers[p->first_sampler + i])
			sampler_ask_stop(app->samplers[p->first_sampler + i]);
	}
	for (unsigned i = 0; i < p->nr_samplers; i++) {
		struct sampler *s = app->samplers[p->first_sampler + i];

		if (s)
			sampler_join(s);
	}
}

static void free_samplers(struct app *app, const struct app_probe *p)
{
	for (unsigned i = 0; i < p->nr_samplers; i++) {
		struct sampler **s = &app->samplers[p->first_sampler + i];

		if (!*s)
			continue;
		for (unsigned v = 0; v < p->groups; v++)
			collector_remove(app->collector, p->series + v * places_of(p) + i);
		sampler_free(*s);
		*s = NULL;
	}
}

static void stop_helper(struct app *app, const struct app_probe *p)
{
	if (app->sup)
		supervisor_probe_stop(app->sup, p->index);
}

/* Stops sampling; what is in the rings stays there for the last tick. */
void app_probes_stop(struct app *app)
{
	unwatch(app);
	for (unsigned i = 0; app->samplers && i < app->nr_probes; i++) {
		if (app->probes[i].nr_samplers)
			stop_samplers(app, &app->probes[i]);
		else if (app->probes[i].on)
			stop_helper(app, &app->probes[i]);
	}
}

static struct app_probe *probe_of_group(struct app *app, unsigned group)
{
	for (unsigned i = 0; i < app->nr_probes; i++) {
		struct app_probe *p = &app->probes[i];

		if (group >= p->group && group < p->group + p->groups)
			return p;
	}
	return NULL;
}

static void switch_off(struct app *app, struct app_probe *p)
{
	unwatch(app);
	if (p->nr_samplers) {
		stop_samplers(app, p);
		free_samplers(app, p);
	} else {
		stop_helper(app, p);
		for (unsigned v = 0; v < p->groups; v++)
			collector_remove(app->collector, p->series + v);
	}
	p->on = false;
	for (unsigned v = 0; v < p->groups; v++)
		app->m->groups[p->group + v].on = false;
	watch(app);
}

static int switch_on(struct app *app, struct app_probe *p, struct why *why)
{
	unwatch(app);
	int err = start_probe(app, p, why);

	watch(app);
	app_probes_read_back(app);
	release(app, p, clock_now_ns() + RELEASE_DELAY_NS);
	return err;
}

int app_probe_switch(struct app *app, unsigned group, bool on, struct why *why)
{
	struct app_probe *p = probe_of_group(app, group);

	if (!p)
		return why_set(why, -EINVAL, "no such probe; start with -P NAME");
	if (p->on == on)
		return 0;
	if (on)
		return switch_on(app, p, why);
	switch_off(app, p);
	return 0;
}
