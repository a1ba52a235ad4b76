/* ladder.c - see ladder.h. */
#include "ui/ladder.h"

#include <stdio.h>

#include "src/app.h"
#include "ui/dialog.h"

static int ladder_load(const struct model *m)
{
	for (unsigned i = 0; i < m->nr_loads; i++)
		if (m->loads[i].load && (m->loads[i].load->flags & LOAD_LADDER))
			return (int)i;
	return -1;
}

static unsigned workers_of(unsigned step)
{
	return 1u << step / LADDER_TIMES;
}

static bool resting(const struct load_view *l)
{
	return l->state == LOAD_OFF || l->state == LOAD_FAILED;
}

void ladder_key(struct app *app, struct view *v)
{
	struct model *m = app_model(app);
	int load = ladder_load(m);

	if (v->ladder.on) {
		ladder_stop(app, v);
		return;
	}
	if (load < 0 || m->replay) {
		model_status(m, true,
			     m->replay ? "a recording starts no loads"
				       : "no load here can play the ladder");
		return;
	}
	dialog_ask(v, ASK_LOAD, LADDER_ASKED,
		   "The ladder: %s with 1, 2, 4 .. %d workers, %d times %d s each. Start it? [y/N]",
		   m->loads[load].name, LADDER_MOST, LADDER_TIMES, LADDER_STEP_S);
}

void ladder_start(struct app *app, struct view *v)
{
	int load = ladder_load(app_model(app));

	if (load < 0)
		return;
	v->ladder = (struct ladder){ .on = true, .load = (unsigned)load };
	v->load = (unsigned)load;
	ladder_tick(app, v);
}

void ladder_stop(struct app *app, struct view *v)
{
	struct model *m = app_model(app);

	if (!v->ladder.on)
		return;
	v->ladder.on = false;
	app_do(app, &(struct order){ .what = CMD_LOAD_STOP, .arg = v->ladder.load });
	model_status(m, false, "the ladder ends after %u of %d steps", v->ladder.step,
		     8 * LADDER_TIMES);
}

/* A step is over: its mark and its snapshot, whole or not. */
static void step_ends(struct app *app, struct ladder *l, const struct load_view *load)
{
	char text[80];

	snprintf(text, sizeof(text), "ladder %u: %.0f %s", workers_of(l->step), load->done,
		 load->unit);
	app_do(app, &(struct order){ .what = CMD_MARK, .text = text });
	app_do(app, &(struct order){ .what = CMD_SNAPSHOT, .text = "json" });
	l->waiting = false;
	l->step++;
}

static void step_begins(struct app *app, struct ladder *l)
{
	struct order order = {
		.what = CMD_LOAD_START, .arg = l->load, .workers = workers_of(l->step),
		.limit_ns = LADDER_STEP_S * NS_PER_S,
	};

	app_do(app, &order);
	l->waiting = !resting(&app_model(app)->loads[l->load]);
	l->refused = l->waiting ? 0 : l->refused + 1;
	/* No use in trying that size again. */
	if (!l->waiting)
		l->step += LADDER_TIMES - l->step % LADDER_TIMES;
}

void ladder_tick(struct app *app, struct view *v)
{
	struct ladder *l = &v->ladder;
	struct model *m = app_model(app);

	if (!l->on || !resting(&m->loads[l->load]))
		return;
	if (l->waiting)
		step_ends(app, l, &m->loads[l->load]);
	while (!l->waiting && workers_of(l->step) <= LADDER_MOST && l->refused < 2)
		step_begins(app, l);
	if (l->waiting)
		return;
	l->on = false;
	if (workers_of(l->step) > LADDER_MOST)
		model_status(m, false, "the ladder is done");
}
