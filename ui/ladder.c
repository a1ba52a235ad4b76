/* ladder.c - see ladder.h. */
#include "ui/ladder.h"

#include <stdio.h>
#include <stdlib.h>

#include "src/app.h"
#include "src/rungs.h"
#include "src/text.h"
#include "ui/dialog.h"
#include "ui/loadkeys.h"

struct ladder_run {
	struct app *app;
	struct step steps[RUNGS_STEPS];
	struct script_watch watch;
	struct script *script;
};

static int ladder_load(const struct model *m)
{
	for (unsigned i = 0; i < m->nr_loads; i++)
		if (m->loads[i].load && (m->loads[i].load->flags & LOAD_LADDER))
			return (int)i;
	return -1;
}

void ladder_key(struct app *app, struct view *v)
{
	struct model *m = app_model(app);
	int load = ladder_load(m);

	if (v->ladder.on) {
		ladder_stop(app, v);
		return;
	}
	if (loadkeys_refused(m))
		return;
	if (load < 0) {
		model_status(m, true, "no load here can play the ladder");
		return;
	}
	dialog_ask(v, ASK_LOAD, LADDER_ASKED,
		   "Ladder: %s x1, x2 .. x%d: %d steps of %d s, each saved here. Start? [y/N]",
		   m->loads[load].name, RUNGS_MOST_WORKERS, RUNGS_STEPS,
		   (int)(RUNGS_STEP_NS / NS_PER_S));
}

static void step_begins(void *ctx, unsigned step)
{
	(void)ctx;
	(void)step;
}

/* A step is over: its mark and its snapshot, whole or not. */
static void step_ends(void *ctx, unsigned step)
{
	struct ladder_run *run = ctx;
	const struct step_result *r = &script_results(run->script)[step];
	const struct load_view *load = &app_model(run->app)->loads[run->steps[step].back.arg];
	double seconds = (double)(r->to_ns - r->from_ns) / 1e9;
	char text[120], rate[32];

	text_amount(rate, sizeof(rate), seconds > 0 ? (double)r->back.bytes / 1e6 / seconds : 0,
		    load->rate_unit);
	snprintf(text, sizeof(text), "ladder %s: %s%s", run->steps[step].name, rate,
		 r->outcome == STEP_DONE ? "" : ", cut");
	app_do(run->app, &(struct order){ .what = CMD_MARK, .text = text });
	app_do(run->app, &(struct order){ .what = CMD_SNAPSHOT, .text = "json" });
}

void ladder_drop(struct view *v)
{
	if (v->ladder.run)
		script_free(v->ladder.run->script);
	free(v->ladder.run);
	v->ladder = (struct ladder){ .on = false };
}

void ladder_start(struct app *app, struct view *v)
{
	int load = ladder_load(app_model(app));
	const struct order order = { .what = CMD_LOAD_START, .arg = (unsigned)load,
				     .limit_ns = INT64_MAX };
	struct ladder_run *run;

	if (load < 0)
		return;
	ladder_drop(v);
	run = calloc(1, sizeof(*run));
	if (!run)
		return;
	rungs_make(run->steps, &order, RUNGS_STEP_NS);
	run->app = app;
	run->watch = (struct script_watch){ .ctx = run, .begins = step_begins, .ends = step_ends };
	run->script = script_new(app, run->steps, RUNGS_STEPS, NULL, &run->watch);
	v->ladder = (struct ladder){ .on = run->script, .run = run };
	v->load = (unsigned)load;
	ladder_tick(app, v);
}

void ladder_stop(struct app *app, struct view *v)
{
	struct ladder_run *run = v->ladder.run;
	struct model *m = app_model(app);

	if (!run || !v->ladder.on)
		return;
	unsigned over = script_nr_over(run->script);

	script_cut(run->script, m->now_ns);
	app_do(app, &(struct order){ .what = CMD_LOAD_STOP, .arg = run->steps[0].back.arg });
	ladder_drop(v);
	model_status(m, false, "the ladder ends after %u of %d steps", over, RUNGS_STEPS);
}

/* What the status line shows while nothing else is to be said. */
static void note_progress(struct ladder *l, const struct model *m)
{
	int at = script_at(l->run->script);

	if (at < 0)
		return;
	l->step = (unsigned)at + 1;
	l->steps = RUNGS_STEPS;
	l->left_ns = script_left_ns(l->run->script, m->now_ns);
}

void ladder_tick(struct app *app, struct view *v)
{
	struct ladder_run *run = v->ladder.run;
	struct model *m = app_model(app);

	if (!run)
		return;
	if (!v->ladder.on) {
		ladder_drop(v);
		return;
	}
	if (script_turn(run->script, m->now_ns)) {
		note_progress(&v->ladder, m);
		return;
	}
	ladder_drop(v);
	model_status(m, false, "the ladder is done");
}
