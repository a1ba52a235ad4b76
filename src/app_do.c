/*
 * app_do.c - keys, schedules and signals meet here as orders.
 */
#include <stdio.h>
#include <string.h>

#include "src/app_internal.h"
#include "src/text.h"

#define UNDO_NS (5 * NS_PER_S)

static void do_quit(struct app *app, const struct order *order)
{
	(void)order;
	app_quit(app);
}

static void do_load_start(struct app *app, const struct order *order)
{
	app_load_start(app, order);
}

static void do_load_stop(struct app *app, const struct order *order)
{
	app_load_stop(app, order->arg, false);
}

static void do_load_toggle(struct app *app, const struct order *order)
{
	const struct load_view *v = &app->m->loads[order->arg];

	if (v->state == LOAD_STARTING || v->state == LOAD_RUN)
		app_load_stop(app, order->arg, false);
	else
		app_load_start(app, order);
}

static void do_load_workers(struct app *app, const struct order *order)
{
	app_load_workers(app, order->arg, order->workers);
}

static void do_loads_stop(struct app *app, const struct order *order)
{
	(void)order;
	if (!app_loads_stop(app))
		model_status(app->m, false, "no load runs");
}

static void do_snapshot(struct app *app, const struct order *order)
{
	app_save(app, order->text);
}

static void do_mark(struct app *app, const struct order *order)
{
	char text[80];
	const char *given = order->text ? order->text : "mark";

	text_clean(text, sizeof(text), given, strlen(given), sizeof(text));
	model_event(app->m, clock_now_ns(), "mark", "%s", text);
	model_status(app->m, false, "marked: %s", text);
}

static void do_reset(struct app *app, const struct order *order)
{
	int64_t now_ns = clock_now_ns();

	(void)order;
	if (app->reset_ns && now_ns - app->reset_ns < UNDO_NS &&
	    model_reset_undo(app->m, now_ns)) {
		app->reset_ns = 0;
		model_status(app->m, false, "reset taken back");
		return;
	}
	model_reset(app->m, now_ns);
	app->reset_ns = now_ns;
	model_status(app->m, false, "new run; the same key within 5 s takes it back");
}

static void do_baseline(struct app *app, const struct order *order)
{
	(void)order;
	model_baseline_set(app->m);
	model_event(app->m, clock_now_ns(), "baseline", "set");
	model_status(app->m, false, "this run is the baseline now");
}

static void do_baseline_drop(struct app *app, const struct order *order)
{
	bool had = false;

	(void)order;
	for (unsigned i = 0; i < app->m->nr_groups; i++)
		had |= app->m->groups[i].baseline && app->m->groups[i].baseline->count;
	model_baseline_drop(app->m);
	model_status(app->m, false, had ? "baseline dropped" : "there is no baseline; b sets one");
}

static void do_probe_toggle(struct app *app, const struct order *order)
{
	struct why why = { 0, "" };
	const struct group *g = order->arg < app->m->nr_groups ? &app->m->groups[order->arg] : NULL;

	if (!app->collector)
		model_status(app->m, true, "a recording cannot measure more");
	else if (app_probe_toggle(app, order->arg, &why))
		model_status(app->m, true, "%s", why.text);
	else if (g->on && g->probe->flags & PROBE_ONESHOT)
		model_status(app->m, false, "%s: timing one", g->name);
	else
		model_status(app->m, false, "%s: %s", g->name, g->on ? "on" : "off");
}

static void do_hold_cstates(struct app *app, const struct order *order)
{
	struct why why = { 0, "" };
	char *state = app->m->tiers.cstates;

	(void)order;
	if (app->cstates) {
		cstates_free(app->cstates);
		app->cstates = NULL;
		snprintf(state, sizeof(app->m->tiers.cstates), "free");
		model_status(app->m, false, "idle states are free again");
		return;
	}
	app->cstates = cstates_hold(app->o->hold_cstates_ns, &why);
	if (!app->cstates) {
		model_status(app->m, true, "%s", why.text);
		return;
	}
	snprintf(state, sizeof(app->m->tiers.cstates), "held");
	model_status(app->m, false, "CPUs are held out of deep idle");
}

static void do_deadline(struct app *app, const struct order *order)
{
	char text[24];

	app->m->deadline_ns = order->value_ns > 0 ? order->value_ns : 0;
	if (app->m->deadline_ns)
		model_status(app->m, false, "deadline %s",
			     text_time(text, sizeof(text), app->m->deadline_ns));
	else
		model_status(app->m, false, "no deadline");
}

static void do_suspend(struct app *app, const struct order *order)
{
	(void)order;
	app_suspend(app);
}

static void (*const act[])(struct app *app, const struct order *order) = {
	[CMD_QUIT] = do_quit,
	[CMD_LOAD_START] = do_load_start,
	[CMD_LOAD_STOP] = do_load_stop,
	[CMD_LOAD_TOGGLE] = do_load_toggle,
	[CMD_LOAD_WORKERS] = do_load_workers,
	[CMD_LOADS_STOP] = do_loads_stop,
	[CMD_SNAPSHOT] = do_snapshot,
	[CMD_MARK] = do_mark,
	[CMD_RESET] = do_reset,
	[CMD_BASELINE] = do_baseline,
	[CMD_BASELINE_DROP] = do_baseline_drop,
	[CMD_PROBE_TOGGLE] = do_probe_toggle,
	[CMD_HOLD_CSTATES] = do_hold_cstates,
	[CMD_DEADLINE] = do_deadline,
	[CMD_SUSPEND] = do_suspend,
};

static bool names_a_load(enum command what)
{
	return what == CMD_LOAD_START || what == CMD_LOAD_STOP || what == CMD_LOAD_TOGGLE ||
	       what == CMD_LOAD_WORKERS;
}

/* Samplers have ended and their counts are final: one more would never be told
 * to stop in time, and a reset would leave an empty result. */
static bool comes_too_late(const struct app *app, enum command what)
{
	return app_ending(app) && (what == CMD_PROBE_TOGGLE || what == CMD_RESET);
}

void app_do(struct app *app, const struct order *order)
{
	unsigned what = order->what;

	if (what >= sizeof(act) / sizeof(act[0]) || !act[what])
		return;
	if (names_a_load(order->what) && order->arg >= app->m->nr_loads) {
		model_status(app->m, true, "no such load");
		return;
	}
	if (comes_too_late(app, order->what)) {
		model_status(app->m, true, "too late: the run is ending");
		return;
	}
	act[what](app, order);
}
