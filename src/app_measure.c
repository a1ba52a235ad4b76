/*
 * app_measure.c - turns probes on and off, at the start and by key.
 *
 * A probe that was off keeps its counts; turned on again it adds to them.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/app_internal.h"
#include "src/complain.h"

#define LACK_MAX 24		/* of a badge's name */
#define RELEASE_DELAY_NS (20 * NS_PER_MS)	/* all samplers are told before it ends */

static void clear_errors(struct app *app, const struct app_probe *p)
{
	for (unsigned v = 0; v < p->groups; v++) {
		app->m->groups[p->group + v].error[0] = '\0';
		for (unsigned place = 0; place < app_probe_places(p); place++)
			app_series(app, p, v, place)->error[0] = '\0';
	}
}

static void show_on(struct app *app, struct app_probe *p, bool on)
{
	p->on = on;
	for (unsigned v = 0; v < p->groups; v++)
		app->m->groups[p->group + v].on = on;
	if (on)
		app_probe_measures(app, p);
}

/* "no-audio": the badge of a probe that was asked for and is not there. */
static const char *lack_name(const struct app_probe *p, char buf[LACK_MAX])
{
	snprintf(buf, LACK_MAX, "no-%.20s", p->probe->name);
	return buf;
}

static int start_probe(struct app *app, struct app_probe *p, struct why *why)
{
	char lack[LACK_MAX];
	int err;

	p->on = true;
	clear_errors(app, p);
	err = p->nr_samplers ? app_samplers_start(app, p, why) : app_helper_start(app, p, why);
	show_on(app, p, !err);
	if (!err)
		model_badge_drop(app->m, lack_name(p, lack));
	if (err && !p->nr_samplers)
		app_probe_error(app, p, 0, why->text);
	return err;
}

static bool is_shot(const struct app_probe *p)
{
	return p->probe->flags & PROBE_ONESHOT;
}

/* Of several at the start none has been told yet. */
void app_probe_status(struct app *app, const char *why)
{
	if (!app->front_open && app->front->answer && app->m->status_bad &&
	    strncmp(app->m->status, why, sizeof(app->m->status) - 1))
		complain("%s", app->m->status);
	model_status(app->m, true, "%s", why);
}

void app_probe_lacks(struct app *app, const struct app_probe *p, const char *why)
{
	char lack[LACK_MAX];

	app_probe_status(app, why);
	model_badge(app->m, lack_name(p, lack), "warn", "%s", why);
	app_probe_failed(app, p);
	if (app->front_open)
		app_answer(app);
}

/* A probe that cannot start says why; only all of them fail. */
int app_probes_start(struct app *app, struct why *why)
{
	struct why last = { 0, "" };
	unsigned running = 0;

	app->samplers = calloc(app->nr_samplers + 1, sizeof(*app->samplers));
	app->released = calloc(app->nr_samplers + 1, sizeof(*app->released));
	app->watched = calloc(app->nr_samplers + 1, sizeof(*app->watched));
	app->demoted = calloc(app->nr_samplers + 1, sizeof(*app->demoted));
	if (!app->samplers || !app->released || !app->watched || !app->demoted)
		return why_set(why, -ENOMEM, "no memory for samplers; measure fewer CPUs");
	for (unsigned i = 0; i < app->nr_probes; i++) {
		struct app_probe *p = &app->probes[i];

		if (!p->on || is_shot(p))
			continue;
		if (start_probe(app, p, &last))
			app_probe_lacks(app, p, last.text);
		else
			running++;
	}
	if (!running && last.err) {	/* not one, though some were asked for */
		*why = last;
		return last.err;
	}
	for (unsigned i = 0; i < app->nr_probes; i++) {
		if (app->probes[i].on)
			app_samplers_read_back(app, &app->probes[i]);
	}
	return 0;
}

/* A single sample that fell before time zero would be no sample at all. */
static void start_shots(struct app *app)
{
	for (unsigned i = 0; i < app->nr_probes; i++) {
		struct app_probe *p = &app->probes[i];
		struct why why = { 0, "" };

		if (p->on && is_shot(p) && start_probe(app, p, &why))
			app_probe_lacks(app, p, why.text);
	}
}

void app_probes_release(struct app *app, int64_t now_ns)
{
	int64_t start_ns = now_ns + RELEASE_DELAY_NS, longest_ns = 0;

	for (unsigned i = 0; i < app->nr_probes; i++) {
		const struct app_probe *p = &app->probes[i];
		int64_t period_ns = app_probe_period_ns(app, p);
		int64_t warm_ns = (int64_t)app_warmup(period_ns) * period_ns;

		if (p->on && p->nr_samplers && warm_ns > longest_ns)
			longest_ns = warm_ns;
	}
	app->grid_ns = start_ns;
	app->zero_ns = app->m->zero_at_ns = start_ns + longest_ns;
	for (unsigned i = 0; i < app->nr_probes; i++) {
		if (app->probes[i].on && app->probes[i].nr_samplers)
			app_samplers_release(app, &app->probes[i], start_ns);
	}
	start_shots(app);
}

/* Stops sampling; what is in the rings stays there for the last tick. */
void app_probes_stop(struct app *app)
{
	int64_t until_ns = clock_now_ns() + APP_QUIT_MS * NS_PER_MS;

	app_watchdog_stop(app);
	for (unsigned i = 0; app->samplers && i < app->nr_probes; i++) {
		if (app->probes[i].nr_samplers)
			app_samplers_ask(app, &app->probes[i]);
		else if (app->probes[i].on)
			app_helper_stop(app, &app->probes[i]);
	}
	for (unsigned i = 0; app->samplers && i < app->nr_probes; i++)
		app_samplers_join(app, &app->probes[i], until_ns);
}

void app_probes_fill(struct app *app)
{
	app_watchdog_stop(app);
	for (unsigned i = 0; i < app->nr_probes; i++) {
		const struct app_probe *p = &app->probes[i];

		if (!p->on || !app_probe_pinned(p) || !app_samplers_fill(app, p))
			continue;
		app_probe_measures(app, p);
		/* From now: their threads may have taken a while to start. */
		app_samplers_release(app, p, clock_now_ns() + RELEASE_DELAY_NS);
	}
	app_watchdog_start(app);
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

void app_probe_off(struct app *app, struct app_probe *p)
{
	if (p->nr_samplers) {
		app_watchdog_stop(app);
		app_samplers_stop(app, p);
		app_samplers_free(app, p);
		app_watchdog_start(app);
	} else if (!p->dead) {
		app_helper_stop(app, p);
		app_helper_detach(app, p);
	}
	p->dead = false;
	show_on(app, p, false);
}

static int switch_on(struct app *app, struct app_probe *p, struct why *why)
{
	if (p->nr_samplers)
		app_watchdog_stop(app);
	int err = start_probe(app, p, why);

	if (p->nr_samplers)
		app_watchdog_start(app);
	if (err)
		return err;
	app_samplers_read_back(app, p);
	app_samplers_release(app, p, clock_now_ns() + RELEASE_DELAY_NS);
	return 0;
}

int app_probe_toggle(struct app *app, unsigned group, struct why *why)
{
	struct app_probe *p = probe_of_group(app, group);

	if (!p)
		return why_set(why, -EINVAL, "no such probe; see `jitterscope list probes`");
	if (!p->on || p->dead)
		return switch_on(app, p, why);
	app_probe_off(app, p);
	return 0;
}
