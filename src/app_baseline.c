/*
 * app_baseline.c - the baseline from a file: its figures, and which file it is,
 * as a ratio to another machine says little.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "src/app_internal.h"
#include "src/text.h"

/* Of a probe in a file of ours; others do not tell it: -1. */
static int64_t missed_of(const struct snapshot *s, const char *probe)
{
	int64_t sum = 0;

	if (!snapshot_is_ours(s))
		return -1;
	for (unsigned i = 0; i < s->nr_series; i++)
		if (!strcmp(s->series[i].probe, probe))
			sum += (int64_t)s->series[i].counts.missed;
	return sum;
}

/* Appends to a list; what does not fit is left out whole. */
static void add_word(char *buf, size_t size, const char *between, const char *word)
{
	size_t used = strlen(buf), more = strlen(word) + (used ? strlen(between) : 0);

	if (word[0] && used + more < size)
		snprintf(buf + used, size - used, "%s%s", used ? between : "", word);
}

static void add_difference(struct model *m, const char *name, const char *there, const char *here)
{
	if (there[0] && here[0] && strcmp(there, here))
		add_word(m->baseline.differs, sizeof(m->baseline.differs), ", ", name);
}

static unsigned cpus_here(const struct app *app)
{
	struct cpuset cpus;

	if (app->m->replay)
		return (unsigned)cpuset_count(&app->m->measured);
	app_probes_cpus(app, &cpus);
	return (unsigned)cpuset_count(&cpus);
}

/* Only what changes latency, and both know. */
static void differences(const struct app *app, const struct snapshot *s)
{
	const struct sysinfo *there = &s->system, *here = &app->m->system;
	unsigned cpus = cpus_here(app);

	add_difference(app->m, "host", there->host, here->host);
	add_difference(app->m, "kernel", there->kernel, here->kernel);
	add_difference(app->m, "preemption", there->preempt, here->preempt);
	add_difference(app->m, "CPU", there->cpu_model, here->cpu_model);
	if (cpus && s->cpus_measured && cpus != s->cpus_measured)
		add_difference(app->m, "CPUs measured", "there", "here");
}

static void name_it(struct app *app, const struct snapshot *s)
{
	struct model *m = app->m;
	const char *path = app->o->baseline, *slash = strrchr(path, '/');
	char cpus[40] = "";

	memset(&m->baseline, 0, sizeof(m->baseline));
	text_clean(m->baseline.name, sizeof(m->baseline.name), slash ? slash + 1 : path,
		   strlen(slash ? slash + 1 : path), sizeof(m->baseline.name));
	if (s->cpus_measured)
		snprintf(cpus, sizeof(cpus), "%u CPU%s", s->cpus_measured,
			 s->cpus_measured == 1 ? "" : "s");
	const char *const facts[] = { s->label, s->system.host, s->system.kernel, cpus,
				      s->created };

	for (unsigned i = 0; i < sizeof(facts) / sizeof(facts[0]); i++)
		add_word(m->baseline.facts, sizeof(m->baseline.facts), ", ", facts[i]);
	differences(app, s);
	if (m->baseline.differs[0])
		model_status(m, true, "baseline %s differs: %s", m->baseline.name,
			     m->baseline.differs);
}

int app_baseline(struct app *app, struct why *why)
{
	struct snapshot *s;
	unsigned found = 0;

	if (!app->o->baseline)
		return 0;
	s = snapshot_read(app->o->baseline, why);
	if (!s)
		return why->err ? why->err : -EIO;
	for (unsigned i = 0; i < app->m->nr_groups; i++) {
		struct group *g = &app->m->groups[i];
		struct hist *h = snapshot_hist(s, g->name);

		if (h && !model_prepare_group(app->m, i)) {
			hist_clear(g->baseline);
			hist_add(g->baseline, h);
			g->baseline_missed = missed_of(s, g->name);
			found++;
		}
		hist_free(h);
	}
	if (found)
		name_it(app, s);
	snapshot_free(s);
	if (!found)
		model_status(app->m, true, "%s: holds no series measured here",
			     app->o->baseline);
	return 0;
}
