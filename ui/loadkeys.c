/* loadkeys.c - see loadkeys.h. */
#include "ui/loadkeys.h"

#include "src/text.h"
#include "ui/dialog.h"
#include "ui/panel.h"

#define MUCH_BYTES UINT64_C(100000000)	/* less is not what hurts */

#define PAGE 10			/* rows that PgUp and PgDn go in the list */

static bool stopped(const struct load_view *l)
{
	return l->state == LOAD_OFF || l->state == LOAD_FAILED;
}

/* One is being selected, so that it is seen which one is. */
static bool chosen(const struct view *v)
{
	return v->loads_open || panels[v->focus] == panel_by_name("loads");
}

bool loadkeys_refused(struct model *m)
{
	const char *why = m->replay ? "a recording starts no loads" : m->supervisor_why;

	if (why[0])
		model_status(m, true, "%s", why);
	return why[0];
}

/* What it would take now; where it cannot tell, or that is little, what it does. */
static void ask(struct app *app, struct view *v, unsigned load)
{
	const struct load_view *l = &app_model(app)->loads[load];
	uint64_t takes = app_load_memory(app, load);
	char bytes[16];

	if (takes < MUCH_BYTES)
		dialog_ask(v, ASK_LOAD, load, "%s (%s) can hurt this machine. Start it? [y/N]",
			   l->name, l->load->summary);
	else
		dialog_ask(v, ASK_LOAD, load,
			   "%s takes %sB of memory and can hurt this machine. Start it? [y/N]",
			   l->name, text_count(bytes, sizeof(bytes), (double)takes));
}

void loadkeys_toggle(struct app *app, struct view *v, unsigned load)
{
	struct model *m = app_model(app);

	if (loadkeys_refused(m) || load >= m->nr_loads)
		return;
	const struct load_view *l = &m->loads[load];

	v->load = load;
	if (stopped(l) && l->load && (l->load->flags & LOAD_ASKS)) {
		ask(app, v, load);
		return;
	}
	app_do(app, &(struct order){ .what = CMD_LOAD_TOGGLE, .arg = load });
}

void loadkeys_letter(struct app *app, struct view *v, int letter)
{
	struct model *m = app_model(app);

	for (unsigned i = 0; i < m->nr_loads; i++) {
		if (m->loads[i].key == letter) {
			loadkeys_toggle(app, v, i);
			return;
		}
	}
	model_status(m, true, "no load has the key %c; l lists them", letter);
}

void loadkeys_workers(struct app *app, struct view *v, bool more)
{
	struct model *m = app_model(app);

	if (loadkeys_refused(m))
		return;
	if (v->load >= m->nr_loads) {
		model_status(m, true, "no load is selected");
		return;
	}
	const struct load_view *l = &m->loads[v->load];

	if (stopped(l) && !chosen(v)) {
		model_status(m, true, "%s does not run; l lists the loads to select one", l->name);
		return;
	}
	unsigned most = l->load ? l->load->max_workers : 1;
	unsigned now = l->workers ? l->workers : 1, want = more ? now * 2 : now / 2;

	want = want > most ? most : want;
	if (!want || want == now) {
		model_status(m, true, "%s: %u %s the %s it can have", l->name, now,
			     now == 1 ? "worker is" : "workers are", more ? "most" : "least");
		return;
	}
	app_do(app, &(struct order){ .what = CMD_LOAD_WORKERS, .arg = v->load, .workers = want });
}

void loadkeys_select(struct app *app, struct view *v, int step)
{
	const struct model *m = app_model(app);

	if (m->nr_loads)
		v->load = (v->load + m->nr_loads + (unsigned)step) % m->nr_loads;
}

void loadkeys_end(struct app *app, struct view *v, bool last)
{
	const struct model *m = app_model(app);

	v->load = last && m->nr_loads ? m->nr_loads - 1 : 0;
}

void loadkeys_page(struct app *app, struct view *v, bool down)
{
	const struct model *m = app_model(app);
	unsigned left = v->load < m->nr_loads ? m->nr_loads - 1 - v->load : 0;

	if (down)
		v->load += left < PAGE ? left : PAGE;
	else
		v->load -= v->load < PAGE ? v->load : PAGE;
}
