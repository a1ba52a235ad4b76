/*
 * app_probes.c - which probes there are, which of them are wanted, and where
 * each has its place in the model.
 *
 * The chosen ones come first, in the order of the command line; every other
 * one of the registry follows, off, so that it can be turned on later.
 * Everything is decided from the probes' own flags; no probe is named here.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/app_internal.h"
#include "src/hotplug.h"

static unsigned variants_of(const struct probe *p)
{
	unsigned n = 0;

	while (p->variants && p->variants[n])
		n++;
	return n ? n : 1;
}

const long *app_probe_knobs(const struct app_probe *p, long defaults[PROBE_KNOBS_MAX])
{
	if (p->option)
		return p->option->knob;
	for (unsigned i = 0; i < PROBE_KNOBS_MAX; i++)
		defaults[i] = p->probe->knobs[i].name ? p->probe->knobs[i].value : 0;
	return defaults;
}

int64_t app_probe_period_ns(const struct app *app, const struct app_probe *p)
{
	long knob[PROBE_KNOBS_MAX];

	return probe_period_ns(p->probe, app_probe_knobs(p, knob), app->o->interval_ns);
}

bool app_probe_pinned(const struct app_probe *p)
{
	return (p->probe->flags & PROBE_PER_CPU) && !(p->probe->flags & PROBE_HELPER);
}

unsigned app_probe_places(const struct app_probe *p)
{
	return app_probe_pinned(p) ? (unsigned)cpuset_count(&p->cpus) : 1;
}

/* ---- which ---- */

static unsigned index_of(const struct probe *p)
{
	unsigned i = 0;

	while (probes[i] && probes[i] != p)
		i++;
	return i;
}

static void place(struct app *app, const struct probe *p, const struct option_probe *option,
		  const struct cpuset *cpus, bool wanted)
{
	struct app_probe *chosen = &app->probes[app->nr_probes++];

	*chosen = (struct app_probe){ .probe = p, .index = index_of(p), .option = option,
				      .groups = variants_of(p), .on = wanted };
	chosen->cpus = option && option->has_cpus ? option->cpus : *cpus;
}

static bool has_place(const struct app *app, const struct probe *p)
{
	for (unsigned i = 0; i < app->nr_probes; i++) {
		if (app->probes[i].probe == p)
			return true;
	}
	return false;
}

/* -P in its order, else the registry's defaults; then all others, off. */
static void place_all(struct app *app, const struct cpuset *cpus)
{
	const struct options *o = app->o;

	for (unsigned i = 0; i < o->probes; i++)
		place(app, o->probe[i].probe, &o->probe[i], cpus, true);
	for (unsigned i = 0; probes[i] && !o->probes && !o->no_samplers; i++) {
		if (probes[i]->flags & PROBE_DEFAULT)
			place(app, probes[i], NULL, cpus, true);
	}
	for (unsigned i = 0; probes[i]; i++) {
		if (!has_place(app, probes[i]))
			place(app, probes[i], NULL, cpus, false);
	}
}

/* The allowed ones, and those that would be if they were online: they may come. */
static int default_cpus(struct cpuset *cpus, struct why *why)
{
	struct cpuset absent;
	int err = cpuset_allowed(cpus, why);

	hotplug_absent(&absent);
	cpuset_each(cpu, &absent)
		cpuset_add(cpus, cpu);
	return err;
}

int app_probes_choose(struct app *app, struct why *why)
{
	const struct options *o = app->o;
	unsigned known = 0;
	struct cpuset cpus = o->cpus;

	if (!o->has_cpus && default_cpus(&cpus, why))
		return -EIO;
	while (probes[known])
		known++;
	app->probes = calloc(known + 1, sizeof(*app->probes));
	if (!app->probes)
		return why_set(why, -ENOMEM, "no memory; close something");
	place_all(app, &cpus);
	if ((!app->nr_probes || !app->probes[0].on) && !o->no_samplers)
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
		*series += app->probes[i].groups * app_probe_places(&app->probes[i]);
	}
	return groups;
}

static void describe_series(struct app *app, const struct app_probe *p, unsigned group,
			    unsigned first)
{
	unsigned n = 0;
	bool per_cpu = app_probe_pinned(p);

	for (int cpu = per_cpu ? cpuset_next(&p->cpus, -1) : -1; n < app_probe_places(p); n++) {
		struct series *s = &app->m->series[first + n];

		s->group = group;
		s->cpu = cpu;
		s->offline = !app_cpu_online(app, cpu);
		s->isolated = cpu >= 0 && cpuset_has(&app->m->system.isolated, cpu);
		s->interval_ns = app_probe_period_ns(app, p);
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
	g->want_rt = p->probe->flags & PROBE_RT;
	g->first = first;
	g->nr = app_probe_places(p);
	describe_series(app, p, p->group + variant, first);
}

bool app_cpu_online(const struct app *app, int cpu)
{
	const struct cpuset *online = &app->m->system.online;

	return cpu < 0 || !cpuset_count(online) || cpuset_has(online, cpu);
}

void app_probe_measures(struct app *app, const struct app_probe *p)
{
	if (!app_probe_pinned(p))
		return;
	cpuset_each(cpu, &p->cpus) {
		if (app_cpu_online(app, cpu))
			cpuset_add(&app->m->measured, cpu);
	}
}

void app_probes_cpus(const struct app *app, struct cpuset *out)
{
	cpuset_clear(out);
	for (unsigned i = 0; i < app->nr_probes; i++) {
		if (!app_probe_pinned(&app->probes[i]))
			continue;
		cpuset_each(cpu, &app->probes[i].cpus)
			cpuset_add(out, cpu);
	}
}

void app_probes_describe(struct app *app)
{
	unsigned group = 0, series = 0, sampler = 0;

	for (unsigned i = 0; i < app->nr_probes; i++) {
		struct app_probe *p = &app->probes[i];

		p->group = group;
		p->series = series;
		p->first_sampler = sampler;
		p->nr_samplers = p->probe->flags & PROBE_HELPER ? 0 : app_probe_places(p);
		for (unsigned v = 0; v < p->groups; v++, series += app_probe_places(p))
			describe_group(app, p, v, series);
		if (p->on)
			app_probe_measures(app, p);
		group += p->groups;
		sampler += p->nr_samplers;
	}
	app->nr_samplers = sampler;
}

/* ---- small services ---- */

struct series *app_series(struct app *app, const struct app_probe *p, unsigned variant,
				unsigned place)
{
	return &app->m->series[p->series + variant * app_probe_places(p) + place];
}

void app_probe_error(struct app *app, const struct app_probe *p, unsigned place,
		      const char *text)
{
	for (unsigned v = 0; v < p->groups; v++) {
		struct group *g = &app->m->groups[p->group + v];

		snprintf(app_series(app, p, v, place)->error, sizeof(g->error), "%s", text);
		if (!*g->error || !*text)
			snprintf(g->error, sizeof(g->error), "%s", text);
	}
}

void app_probe_failed(struct app *app, const struct app_probe *p)
{
	if (p->option && !app->front->resize && !app->front->own_verdict)
		app_exit_code(app, EXIT_FAILED);
}

int app_probe_prepare(struct app *app, const struct app_probe *p, unsigned place, struct why *why)
{
	for (unsigned v = 0; v < p->groups; v++) {
		if (model_prepare_series(app->m, p->series + v * app_probe_places(p) + place))
			return why_set(why, -ENOMEM, "%s: no memory for its histograms; "
				       "close something", p->probe->name);
	}
	return 0;
}
