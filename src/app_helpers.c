/*
 * app_helpers.c - operation probes: their processes begin, report and end;
 * one-shot probes go off when their one sample is there.
 */
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "src/app_internal.h"
#include "src/text.h"

/* What a one-shot probe had done before it was asked. */
static void note_done(struct app *app, struct app_probe *p)
{
	p->done = p->errors = 0;
	p->sum_ns = 0;
	for (unsigned v = 0; v < p->groups; v++) {
		const struct series *s = app_series(app, p, v, 0);

		p->done += s->counts.count + s->counts.interrupted;
		p->errors += s->counts.errors;
		p->sum_ns += s->total->sum_ns;
	}
}

int app_helper_start(struct app *app, struct app_probe *p, struct why *why)
{
	long defaults[PROBE_KNOBS_MAX];

	note_done(app, p);
	p->dead = false;
	if (!app->sup || app->supervisor_lost)
		return why_set(why, -ESRCH, "%s: %s", p->probe->name, app->m->supervisor_why);
	if (app_probe_prepare(app, p, 0, why) ||
	    supervisor_probe_start(app->sup, p->index, app_probe_period_ns(app, p),
				   app_probe_knobs(p, defaults), why))
		return why->err;
	for (unsigned v = 0; v < p->groups; v++) {
		const struct collector_source source = {
			.series = p->series + v,
			.ring = supervisor_probe_ring(app->sup, p->index, v),
			.helper = supervisor_probe_line(app->sup, p->index),
		};

		if (source.ring && collector_add(app->collector, &source, why)) {
			app_helper_stop(app, p);	/* all or nothing: it may be tried again */
			app_helper_detach(app, p);
			return why->err;
		}
	}
	return 0;
}

void app_helper_stop(struct app *app, struct app_probe *p)
{
	if (app->sup)
		supervisor_probe_stop(app->sup, p->index);
}

void app_helper_detach(struct app *app, const struct app_probe *p)
{
	for (unsigned v = 0; v < p->groups; v++)
		collector_remove(app->collector, p->series + v);
}

/* Its row stays, with the reason. */
static void helper_ended(struct app *app, struct app_probe *p, const char *why)
{
	char told[200];

	if (!p->dead)
		app_helper_detach(app, p);
	p->dead = true;
	app_probe_error(app, p, 0, why);
	snprintf(told, sizeof(told), "%s: %s", p->probe->name, why);
	app_probe_lacks(app, p, told);
}

/* ---- one shot ---- */

/* The shot that was taken since it was asked for; false: none yet. */
static bool shot(struct app *app, const struct app_probe *p, int64_t *took_ns, int *err)
{
	uint64_t done = 0, errors = 0;
	double sum_ns = 0;
	int last = 0;

	for (unsigned v = 0; v < p->groups; v++) {
		const struct series *s = app_series(app, p, v, 0);

		done += s->counts.count + s->counts.interrupted;
		errors += s->counts.errors;
		sum_ns += s->total->sum_ns;
		last = s->last_errno ? s->last_errno : last;
	}
	*took_ns = (int64_t)(sum_ns - p->sum_ns);
	*err = errors > p->errors ? last : 0;
	return done > p->done;
}

static bool look_for_shot(struct app *app, struct app_probe *p)
{
	char took[24];
	int64_t took_ns;
	int err;

	if (!shot(app, p, &took_ns, &err))
		return false;
	if (took_ns > 0)
		text_time(took, sizeof(took), took_ns);
	else
		snprintf(took, sizeof(took), err ? "failed" : "interrupted");
	if (took_ns > 0)
		model_status(app->m, false, "%s: %s", p->probe->name, took);
	else
		model_status(app->m, true, "%s: no sample: %s", p->probe->name,
			     err ? strerror(err) : "interrupted meanwhile; ask again");
	/* The last tick may be a second ago. */
	model_event(app->m, clock_now_ns(), "mark", "%s %s", p->probe->name, took);
	app_probe_off(app, p);
	return true;
}

void app_probes_tick(struct app *app)
{
	for (unsigned i = 0; i < app->nr_probes; i++) {
		struct app_probe *p = &app->probes[i];

		if (p->on && !p->dead && p->probe->flags & PROBE_ONESHOT)
			look_for_shot(app, p);
		app_samplers_look(app, p);
	}
}

/* ---- what the supervisor says of them ---- */

/* What a helper says of its policy is read back by itself. */
static void read_line(struct app *app, const struct app_probe *p)
{
	const struct helper_line *line = supervisor_probe_line(app->sup, p->index);
	int policy = line ? atomic_load_explicit(&line->policy, memory_order_relaxed) : -1;
	int priority = line ? atomic_load_explicit(&line->priority, memory_order_relaxed) : 0;

	for (unsigned v = 0; v < p->groups && policy >= 0; v++) {
		struct series *s = app_series(app, p, v, 0);

		snprintf(s->policy, sizeof(s->policy), "%s", rt_policy_name(policy));
		s->priority = priority >= 0 && priority < 100 ? priority : 0;
	}
}

static struct app_probe *helper_of(struct app *app, unsigned index)
{
	for (unsigned i = 0; i < app->nr_probes; i++) {
		if (app->probes[i].index == index && !app->probes[i].nr_samplers)
			return &app->probes[i];
	}
	return NULL;
}

static void exited(struct app *app, struct app_probe *p, const struct supervisor_event *e)
{
	char why[128];

	if (!p->on || p->dead)
		return;
	app_helper_detach(app, p);	/* what it left in its rings is there now */
	p->dead = true;
	if (p->probe->flags & PROBE_ONESHOT && look_for_shot(app, p))
		return;
	if (e->signal)
		snprintf(why, sizeof(why), "helper died (signal %d)", e->signal);
	else
		snprintf(why, sizeof(why), "%.120s", *e->text ? e->text : "helper ended");
	helper_ended(app, p, why);
}

void app_probe_event(struct app *app, const struct supervisor_event *e)
{
	struct app_probe *p = helper_of(app, e->load);

	if (e->kind == SUP_LOST) {
		for (unsigned i = 0; i < app->nr_probes; i++) {
			struct app_probe *each = &app->probes[i];

			if (each->on && !each->dead && !each->nr_samplers)
				helper_ended(app, each, e->text);
		}
	} else if (p && e->kind == SUP_PROBE_STARTED) {
		read_line(app, p);
	} else if (p && e->kind == SUP_PROBE_EXITED) {
		exited(app, p, e);
	}
}
