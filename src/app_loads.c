/*
 * app_loads.c - loads as the user asks for them: start, stop, other workers,
 * time limits.  What they do is the supervisor's and the collector's business.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "src/app_internal.h"
#include "src/budget.h"
#include "src/complain.h"
#include "src/text.h"

static unsigned default_workers(const struct app *app, const struct load *l)
{
	int ncpu = cpuset_count(&app->m->system.allowed);

	return load_default_workers(l, ncpu > 0 ? (unsigned)ncpu : 1);
}

static void name_cpus(struct load_view *v, const struct cpuset *cpus)
{
	v->cpus[0] = '\0';
	if (cpus)
		cpuset_brief(cpus, v->cpus, sizeof(v->cpus));
}

void app_loads_describe(struct app *app)
{
	for (unsigned i = 0; loads[i]; i++) {
		const struct load *l = loads[i];
		const struct load_default *d = &app->o->schedule.defaults[i];
		struct load_view *v = &app->m->loads[i];

		snprintf(v->name, sizeof(v->name), "%s", l->name);
		snprintf(v->unit, sizeof(v->unit), "%s", l->unit);
		snprintf(v->rate_unit, sizeof(v->rate_unit), "%s", l->rate_unit);
		v->key = l->key;
		v->figure = l->figure;
		v->load = l;
		v->workers = d->workers ? d->workers : default_workers(app, l);
		v->rate = -1;
		for (unsigned k = 0; l->knobs[k].name; k++)
			v->knob[k] = d->set ? d->knob[k] : l->knobs[k].value;
		for (unsigned t = 0; t < LOAD_TREND; t++)
			v->trend[t] = -1;
		app->loads[i].limit_ns = INT64_MAX;
		app->loads[i].cpus = d->cpus;
		name_cpus(v, d->cpus);
	}
}

static bool active(const struct load_view *v)
{
	return v->state == LOAD_STARTING || v->state == LOAD_RUN || v->state == LOAD_STOPPING;
}

bool app_loads_busy(const struct app *app)
{
	for (unsigned i = 0; i < app->m->nr_loads; i++) {
		if (active(&app->m->loads[i]))
			return true;
	}
	return false;
}

/* On the screen a person sees it; a suite says it in its table. */
static void note_failure(struct app *app)
{
	if (!app->front->resize && !app->front->own_verdict)
		app_exit_code(app, EXIT_FAILED);
}

static void failed(struct app *app, struct load_view *v, const char *why)
{
	v->state = LOAD_FAILED;
	snprintf(v->why, sizeof(v->why), "%s", why);
	model_status(app->m, true, "%s: %s", v->name, why);
	model_event(app->m, app->m->now_ns, "load-fail", "%s %.60s", v->name, why);
	note_failure(app);
}

static bool can_start(struct app *app, const struct load_view *v)
{
	if (app->m->replay)
		model_status(app->m, true, "%s: a recording runs no loads", v->name);
	else if (app->phase >= APP_STOPPING)
		model_status(app->m, true, "%s: the run is ending", v->name);
	else if (!app->sup || app->supervisor_lost)
		model_status(app->m, true, "%s: %s", v->name, app->m->supervisor_why);
	else
		return true;
	return false;
}

/* As ordered, else as every order of it is, else where it was. */
static void set_cpus(struct app *app, const struct order *order)
{
	struct app_load *l = &app->loads[order->arg];
	struct cpuset *set = &app->counters->slot[order->arg].cpus;

	if (order->cpus)
		l->cpus = order->cpus;
	else if (order->has_knobs)
		l->cpus = app->o->schedule.defaults[order->arg].cpus;
	if (l->cpus)
		*set = *l->cpus;
	else
		cpuset_clear(set);
	name_cpus(&app->m->loads[order->arg], l->cpus);
}

static void start(struct app *app, const struct order *order)
{
	struct load_view *v = &app->m->loads[order->arg];
	struct app_load *l = &app->loads[order->arg];
	struct why why = { 0, "" };

	if (order->workers)
		v->workers = order->workers;
	v->run_workers = v->workers;
	if (order->has_knobs)
		memcpy(v->knob, order->knob, sizeof(v->knob));
	l->limit_ns = order->limit_ns ? order->limit_ns : APP_LOAD_LIMIT_NS;
	set_cpus(app, order);
	v->state = LOAD_STARTING;
	v->asked_ns = clock_now_ns();
	v->start_ns = v->stop_ns = v->ends_ns = 0;
	v->progress_pct = 0;
	v->why[0] = '\0';
	if (supervisor_load_start(app->sup, order->arg, v->workers, v->knob, &why))
		failed(app, v, why.text);
	else
		model_status(app->m, false, "%s x%u: starting", v->name, v->workers);
}

void app_load_start(struct app *app, const struct order *order)
{
	struct load_view *v = &app->m->loads[order->arg];
	struct app_load *l = &app->loads[order->arg];

	if (!can_start(app, v)) {
		note_failure(app);
		return;
	}
	if (!active(v)) {
		start(app, order);
		return;
	}
	/* One at a time: it comes up again as ordered once it is off. */
	l->again = *order;
	l->restart = true;
	if (v->state != LOAD_STOPPING)
		app_load_stop(app, order->arg, true);
	l->restart = true;
}

void app_load_stop(struct app *app, unsigned load, bool quiet)
{
	struct load_view *v = &app->m->loads[load];

	app->loads[load].restart = false;
	if (!active(v)) {
		if (!quiet)
			model_status(app->m, false, "%s: is off", v->name);
		return;
	}
	if (app->sup && !supervisor_load_stop(app->sup, load)) {
		v->state = LOAD_STOPPING;
		model_status(app->m, false, "%s: stopping", v->name);
	} else {
		model_status(app->m, true, "%s: the supervisor is busy; try again", v->name);
	}
}

/* Another number of workers: a running load stops and starts anew. */
void app_load_workers(struct app *app, unsigned load, unsigned workers)
{
	struct load_view *v = &app->m->loads[load];
	struct order again = { .what = CMD_LOAD_START, .arg = load, .has_knobs = true };
	unsigned most = v->load ? v->load->max_workers : 1;

	if (workers < 1 || workers > most) {
		model_status(app->m, true, "%s: workers 1..%u", v->name, most);
		return;
	}
	if (workers == v->workers && !app->loads[load].restart) {
		model_status(app->m, false, "%s x%u", v->name, workers);
		return;
	}
	memcpy(again.knob, v->knob, sizeof(again.knob));
	again.cpus = app->loads[load].cpus;
	again.limit_ns = app->loads[load].limit_ns == INT64_MAX ? 0 : app->loads[load].limit_ns;
	again.workers = workers;
	if (active(v))
		app_load_start(app, &again);
	v->workers = workers;
	model_status(app->m, false, "%s x%u", v->name, workers);
}

bool app_loads_stop(struct app *app)
{
	bool any = false;

	for (unsigned i = 0; i < app->m->nr_loads; i++) {
		any |= active(&app->m->loads[i]);
		app_load_stop(app, i, true);
	}
	if (any)
		model_status(app->m, false, "stopping all loads");
	return any;
}

/* The time limit counts from RUN; preparing has its own. */
static void note_run(struct app *app, unsigned load)
{
	int64_t limit_ns = app->loads[load].limit_ns;

	app->m->loads[load].ends_ns = limit_ns == INT64_MAX ? 0 : clock_now_ns() + limit_ns;
}

static void lost(struct app *app)
{
	app->supervisor_lost = true;
	snprintf(app->m->supervisor_why, sizeof(app->m->supervisor_why),
		 "loads stopped: supervisor died; start jitterscope again for loads");
	model_status(app->m, true, "%s", app->m->supervisor_why);
	app_exit_code(app, EXIT_FAILED);
}

static void tell(struct app *app, const struct load_view *v, enum supervisor_event_kind kind)
{
	char rate[32];

	if (v->state == LOAD_FAILED)
		model_status(app->m, true, "%s: %s", v->name, v->why);
	else if (kind == SUP_RUNNING)
		model_status(app->m, false, "%s x%u: running", v->name, model_run_workers(v));
	else if (kind == SUP_EXITED && *v->why && v->load && v->load->stop_line && v->rate_mean >= 0)
		model_status(app->m, false, "%s: off, average %s; %s", v->name,
			     text_amount(rate, sizeof(rate), v->rate_mean, v->rate_unit), v->why);
	else if (kind == SUP_EXITED && *v->why)
		model_status(app->m, false, "%s: off; %s", v->name, v->why);
	else if (kind == SUP_EXITED)
		model_status(app->m, false, "%s: off", v->name);
}

#define NEVER_READY "the run ended before it was ready; measure longer"

/* Was it -D that stopped it?  On a screen a person may have done so before. */
static bool cut_short(const struct app *app, int64_t stop_ns)
{
	return app->ran_out && (!app->front->resize || stop_ns >= app->end_ns);
}

/* Asked for, and cut short while it was still getting ready. */
static bool never_ran(const struct app *app, const struct load_view *v)
{
	return cut_short(app, v->stop_ns) && v->state == LOAD_OFF && v->asked_ns && !v->start_ns;
}

static void one_event(struct app *app, const struct supervisor_event *e)
{
	bool of_load = e->kind != SUP_LOST && e->kind != SUP_PONG && e->kind != SUP_TIER &&
		       e->kind != SUP_PROBE_STARTED && e->kind != SUP_PROBE_EXITED &&
		       e->load < app->m->nr_loads;

	if (app->collector)
		collector_supervisor_event(app->collector, e, clock_now_ns());
	if (e->kind == SUP_LOST)
		lost(app);
	if (app->collector && app->phase < APP_STOPPING)
		app_probe_event(app, e);
	if (!of_load)
		return;

	struct load_view *v = &app->m->loads[e->load];
	struct app_load *l = &app->loads[e->load];

	if (e->kind == SUP_RUNNING)
		note_run(app, e->load);
	tell(app, v, e->kind);
	if (v->state == LOAD_FAILED)
		note_failure(app);
	if (e->kind == SUP_EXITED && never_ran(app, v))
		failed(app, v, NEVER_READY);
	if (!active(v) && l->restart) {
		l->restart = false;
		start(app, &l->again);
	}
}

/* One that has failed has been told of. */
static void judge(struct app *app, struct load_view *v, const char *why)
{
	if (v->state == LOAD_FAILED)
		return;
	complain("%s: %s", v->name, why);
	failed(app, v, why);
}

/* A load that did no work is never a success; a person who stops one at once
 * knows it, but here the end of -D did. */
void app_loads_judge(struct app *app)
{
	static const char no_work[] = "it did no work before its end; measure longer";

	if (!app->ran_out)	/* nor is there a model where the start failed */
		return;
	for (unsigned i = 0; i < app->m->nr_runs; i++) {
		struct load_run *r = &app->m->runs[i];

		if (!cut_short(app, r->stop_ns) || strcmp(r->end, "stopped") || r->done > 0)
			continue;
		const char *why = r->why[0] ? NEVER_READY : no_work;

		snprintf(r->end, sizeof(r->end), "failed");
		snprintf(r->why, sizeof(r->why), "%s", why);
		judge(app, &app->m->loads[r->load], why);
	}
	/* Its end was not heard of in time. */
	for (unsigned i = 0; i < app->m->nr_loads; i++)
		if (never_ran(app, &app->m->loads[i]))
			judge(app, &app->m->loads[i], NEVER_READY);
}

void app_loads_events(struct app *app)
{
	struct supervisor_event e;

	while (app->sup && supervisor_read(app->sup, &e))
		one_event(app, &e);
}

int64_t app_loads_when(const struct app *app)
{
	int64_t when_ns = INT64_MAX;

	for (unsigned i = 0; i < app->m->nr_loads; i++) {
		const struct load_view *v = &app->m->loads[i];

		if (v->state == LOAD_RUN && v->ends_ns && v->ends_ns < when_ns)
			when_ns = v->ends_ns;
	}
	return when_ns;
}

void app_loads_tick(struct app *app, int64_t now_ns)
{
	for (unsigned i = 0; i < app->m->nr_loads; i++) {
		struct load_view *v = &app->m->loads[i];

		if (v->state != LOAD_RUN || !v->ends_ns || v->ends_ns > now_ns)
			continue;
		app_load_stop(app, i, true);
		v->ends_ns = v->state == LOAD_RUN ? now_ns + NS_PER_S : 0;
		if (!v->ends_ns)	/* else told to try again, which this does */
			model_status(app->m, false, "%s: time limit reached, stopping", v->name);
	}
}

uint64_t app_load_memory(const struct app *app, unsigned load)
{
	const struct load_view *v = &app->m->loads[load];

	if (!v->load || !v->load->memory_bytes)
		return 0;
	return v->load->memory_bytes(v->workers, v->knob, budget_memory_bytes(""));
}
