/*
 * keys.c - see keys.h.
 *
 * Two tables: key_bindings for people, actions for the program.  A test holds
 * them together: whatever is listed acts, whatever acts is listed.
 */
#include "ui/keys.h"

#include <string.h>

#include "src/text.h"
#include "ui/dialog.h"
#include "ui/journey.h"
#include "ui/loadkeys.h"
#include "ui/plotted.h"
#include "ui/spikelist.h"
#include "ui/term.h"

#define KEY_REPAINT 12		/* ^L */

const struct key_binding key_bindings[] = {
	{ "q F10", "quit; loads are stopped first", "General" },
	{ "^C", "the same; again: at once", "General" },
	{ "? h F1", "this help", "General" },
	{ "s F5", "save a snapshot set", "General" },
	{ "^L", "paint the screen anew", "General" },
	{ "^Z", "suspend; loads are stopped", "General" },
	{ "Esc", "close what is open", "General" },

	{ "Space", "freeze the view, and on again", "Time" },
	{ "Left Right", "back and forth in time", "Time" },
	{ "PgUp PgDn", "a screenful back and forth", "Time" },
	{ "Home End", "the oldest; now", "Time" },
	{ "+ - =", "zoom in, out, reset", "Time" },
	{ "n p", "next, previous spike", "Time" },
	{ "g", "worst spikes, latest, culprits", "Time" },
	{ "/ F3", "filter spikes and CPUs: cpu:5 >1ms", "Time" },
	{ "m", "a mark with a text, now", "Time" },

	{ "1..9", "plot the probe of that number", "View" },
	{ "a", "one CPU, all CPUs", "View" },
	{ "Tab S-Tab", "next, previous panel", "View" },
	{ "Up Down k j", "select in a panel; else next probe", "View" },
	{ "Enter", "act on what is selected", "View" },
	{ "e", "this panel alone, and back", "View" },
	{ "w", "map or waterfall", "View" },
	{ "v", "cells: full, half, ASCII", "View" },
	{ "c", "next theme of colours", "View" },
	{ "y F6", "latency range fixed or automatic", "View" },
	{ "t", "percentiles raw or corrected", "View" },
	{ "d", "a deadline line: 5ms, 256@48000", "View" },
	{ ", .", "slower, faster frames", "View" },

	{ "A..Z", "start or stop that load", "Loads" },
	{ "[ ]", "halve, double its workers", "Loads" },
	{ "0 x", "stop all loads now", "Loads" },
	{ "J", "the ladder: 1, 2, 4 .. 128", "Loads" },
	{ "l F2", "the list of all loads", "Loads" },

	{ "b F7", "this run becomes the baseline", "Run" },
	{ "u", "drop the baseline", "Run" },
	{ "r F8", "new run (again: take it back)", "Run" },
	{ "z", "hold the CPUs out of deep idle", "Run" },
	{ "o", "time a new shell prompt", "Run" },
	{ NULL, NULL, NULL },
};

static void order(struct app *app, enum command what)
{
	app_do(app, &(struct order){ .what = what });
}

/* ---- general ----------------------------------------------------------------- */
static void key_quit(struct app *app, struct view *v, int key)
{
	(void)v;
	(void)key;
	order(app, CMD_QUIT);
}

static void key_help(struct app *app, struct view *v, int key)
{
	(void)app;
	(void)key;
	v->help_page = v->help_page < 0 ? 0 : -1;
}

static void key_save(struct app *app, struct view *v, int key)
{
	(void)app;
	(void)key;
	v->save = true;
}

static void key_repaint(struct app *app, struct view *v, int key)
{
	(void)app;
	(void)key;
	v->repaint = true;
}

static void key_escape(struct app *app, struct view *v, int key)
{
	(void)app;
	(void)key;
	if (v->help_page >= 0)
		v->help_page = -1;
	else if (v->loads_open)
		v->loads_open = false;
	else if (v->expanded)
		v->expanded = false;
}

/* ---- time -------------------------------------------------------------------- */
static void key_freeze(struct app *app, struct view *v, int key)
{
	(void)key;
	journey_freeze(app_model(app), v);
}

static void key_travel(struct app *app, struct view *v, int key)
{
	struct model *m = app_model(app);

	switch (key) {
	case UI_LEFT: journey_move(m, v, -1); break;
	case UI_RIGHT: journey_move(m, v, 1); break;
	case UI_PGUP: journey_page(m, v, -1); break;
	case UI_PGDN: journey_page(m, v, 1); break;
	case UI_HOME: journey_oldest(m, v); break;
	default: journey_live(m, v);
	}
}

static void key_zoom(struct app *app, struct view *v, int key)
{
	int steps = key == '+' || key == UI_WHEEL_UP ? 1 : key == '=' ? 0 : -1;

	journey_zoom(app_model(app), v, steps);
}

/* On the screen as last drawn (before that, all are). */
static bool on_screen(const struct view *v, unsigned panel)
{
	return !v->shown || v->shown >> panel & 1;
}

/* The panel that a key is about takes the keys after it: alone on the screen, if
 * it is not there yet; false: it is. */
static bool open_hidden(struct view *v, const char *name)
{
	unsigned i = 0;

	while (panels[i] && panels[i] != panel_by_name(name))
		i++;
	if (!panels[i])
		return false;
	v->focus = i;
	if (on_screen(v, i))
		return false;
	v->expanded = true;
	v->loads_open = false;
	v->help_page = -1;
	v->shown |= UINT64_C(1) << i;
	return true;
}

static void key_spikes(struct app *app, struct view *v, int key)
{
	static const char *const names[] = {
		[SPIKES_WORST] = "the worst spikes", [SPIKES_LATEST] = "the latest spikes",
		[SPIKES_CULPRITS] = "who held the CPUs, by loads",
	};

	(void)key;
	if (open_hidden(v, "spikes")) {
		model_status(app_model(app), false, "%s; g goes on to other lists, e closes this",
			     names[v->spikes]);
		return;
	}
	spikelist_next(v);
	model_status(app_model(app), false, "%s", names[v->spikes]);
}

static void select_spike(struct model *m, struct view *v, int step)
{
	if (v->spikes != SPIKES_CULPRITS) {
		journey_spike(m, v, step);
		return;
	}
	if (v->blame_row >= m->nr_blamed)	/* a new run has fewer */
		v->blame_row = m->nr_blamed ? m->nr_blamed - 1 : 0;
	if (step > 0 ? v->blame_row + 1 < m->nr_blamed : v->blame_row > 0)
		v->blame_row += (unsigned)step;
}

static void key_spike(struct app *app, struct view *v, int key)
{
	journey_spike(app_model(app), v, key == 'n' ? 1 : -1);
}

static void key_filter(struct app *app, struct view *v, int key)
{
	(void)app;
	(void)key;
	dialog_ask(v, ASK_FILTER, 0, "Filter (cpu:5 >1ms):");
}

static void key_mark(struct app *app, struct view *v, int key)
{
	(void)app;
	(void)key;
	dialog_ask(v, ASK_MARK, 0, "Mark this moment:");
}

/* ---- what is plotted, and how ------------------------------------------------- */
static void plot(struct model *m, struct view *v, unsigned group)
{
	const struct group *g = &m->groups[group];

	v->group = group;
	if (v->cpu >= 0 && !plot_series(m, v))
		v->cpu = -1;
	model_status(m, false, "%s: %s", g->name, g->summary);
}

/* Those that are on are numbered; Up and Down reach the tenth. */
static void key_probe(struct app *app, struct view *v, int key)
{
	struct model *m = app_model(app);
	int group = plot_nth(m, (unsigned)(key - '1'));

	if (group >= 0)
		plot(m, v, (unsigned)group);
	else
		model_status(m, true, "there is no probe %c%s", key, m->replay ? "" :
			     "; Tab to the probes and Enter turns more on");
}

static void plot_cpu(struct model *m, struct view *v, int cpu)
{
	v->cpu = cpu;
	model_status(m, false, m->replay ? "figures of cpu%d alone; the picture is of all, as recorded"
					 : "cpu%d alone; a shows all", cpu);
}

/* The next CPU of the plotted probe in a direction, from none the worst. */
static void step_cpu(struct model *m, struct view *v, int step)
{
	const struct group *g = plot_group(m, v);
	int at = -1, worst = -1;

	for (unsigned i = 0; g && i < g->nr; i++) {
		const struct series *s = &m->series[g->first + i];

		if (s->cpu < 0)
			continue;
		if (s->cpu == v->cpu)
			at = (int)i;
		if (worst < 0 ||
		    (s->total &&
		     s->total->max_ns > m->series[g->first + (unsigned)worst].total->max_ns))
			worst = (int)i;
	}
	if (worst < 0) {
		model_status(m, true, "%s is not measured CPU by CPU", g ? g->name : "nothing");
		return;
	}
	at = at < 0 ? worst : (at + step + (int)g->nr) % (int)g->nr;
	plot_cpu(m, v, m->series[g->first + (unsigned)at].cpu);
}

static void key_cpu(struct app *app, struct view *v, int key)
{
	(void)key;
	if (v->cpu < 0) {
		step_cpu(app_model(app), v, 0);
		return;
	}
	v->cpu = -1;
	model_status(app_model(app), false, "all CPUs");
}

static void key_view(struct app *app, struct view *v, int key)
{
	const struct panel *focused = panels[v->focus];

	(void)key;
	v->kind = v->kind == VIEW_MAP ? VIEW_WATERFALL : VIEW_MAP;
	for (unsigned i = 0; panels[i]; i++)
		if ((focused == panel_by_name("map") && panels[i] == panel_by_name("waterfall")) ||
		    (focused == panel_by_name("waterfall") && panels[i] == panel_by_name("map")))
			v->focus = i;
	model_status(app_model(app), false, v->kind == VIEW_MAP ? "map: time runs to the right"
		     : "waterfall: time runs down");
}

/* Why there can be no other cells; NULL: there can. */
static const char *ascii_why(const struct view *v)
{
	const struct theme *chosen = theme_find(v->theme_name);

	if (v->ascii)
		return "--ascii was asked for";
	if (!v->theme.unicode)
		return "this terminal has no UTF-8";
	if (chosen && !chosen->colour)
		return "this theme has no colours; c takes the next";
	return v->theme.colour ? NULL : "this terminal has no colours";
}

static void key_cells(struct app *app, struct view *v, int key)
{
	static const char *const names[] = { "automatic", "full", "half",
					     "ASCII" };

	(void)key;
	const char *why = ascii_why(v);

	if (why) {
		model_status(app_model(app), true, "ASCII cells only: %s", why);
		return;
	}
	v->cells = v->cells >= CELLS_ASCII ? -1 : v->cells + 1;
	model_status(app_model(app), false, "cells: %s", names[v->cells + 1]);
}

static void key_theme(struct app *app, struct view *v, int key)
{
	unsigned i = 0;

	(void)key;
	while (theme_names[i] &&
	       strcmp(theme_names[i], v->theme_name ? v->theme_name : theme_names[0]))
		i++;
	v->theme_name = theme_names[i] && theme_names[i + 1] ? theme_names[i + 1] : theme_names[0];
	model_status(app_model(app), false, "theme: %s", v->theme_name);
}

static void key_range(struct app *app, struct view *v, int key)
{
	(void)key;
	v->auto_range = !v->auto_range;
	model_status(app_model(app), false,
		     v->auto_range ? "latency range: what was seen" : "latency range: fixed");
}

static void key_corrected(struct app *app, struct view *v, int key)
{
	(void)key;
	v->corrected = !v->corrected;
	model_status(app_model(app), false,
		     v->corrected ? "percentiles corrected for missed periods"
				  : "percentiles as measured");
}

static void key_deadline(struct app *app, struct view *v, int key)
{
	(void)app;
	(void)key;
	dialog_ask(v, ASK_DEADLINE, 0, "Deadline (5ms, or 256@48000):");
}

static void key_rate(struct app *app, struct view *v, int key)
{
	static const int rates[] = { 1, 2, 4, 8, 15, 30, 60 };	/* as far as --fps */
	int n = sizeof(rates) / sizeof(rates[0]), at = 0;

	if (key == '.')
		while (at < n && rates[at] <= v->fps)
			at++;
	else
		for (at = n - 1; at >= 0 && rates[at] >= v->fps;)
			at--;
	if (at < 0 || at >= n) {
		model_status(app_model(app), true, "%d frame%s a second %s the %s", v->fps,
			     v->fps == 1 ? "" : "s", v->fps == 1 ? "is" : "are",
			     at < 0 ? "least" : "most");
		return;
	}
	v->fps = rates[at];
	model_status(app_model(app), false, "%d frame%s a second", v->fps, v->fps == 1 ? "" : "s");
}

/* ---- panels -------------------------------------------------------------------- */
static bool takes_focus(const struct view *v, const struct panel *p)
{
	const struct panel *hidden = panel_by_name(v->kind == VIEW_MAP ? "waterfall" : "map");

	return p->focusable && p != hidden;
}

static void key_focus(struct app *app, struct view *v, int key)
{
	unsigned n = 0;

	while (panels[n])
		n++;
	for (unsigned tries = 0; tries < n; tries++) {
		v->focus = (v->focus + (key == UI_TAB ? 1 : n - 1)) % n;
		if (takes_focus(v, panels[v->focus]))
			break;
	}
	model_status(app_model(app), false,
		     v->expanded || on_screen(v, v->focus) ? "%s; e shows it alone"
		     : "%s: not on this screen; e shows it alone", panels[v->focus]->title);
}

static void key_expand(struct app *app, struct view *v, int key)
{
	(void)app;
	(void)key;
	v->expanded = !v->expanded;
}

/* What is not seen takes no keys. */
static bool focused_on(const struct view *v, const char *name)
{
	return panels[v->focus] == panel_by_name(name) && (v->expanded || on_screen(v, v->focus));
}

/* The next probe that is on. */
static void step_probe(struct model *m, struct view *v, int step)
{
	unsigned at = v->group;

	for (unsigned tries = 0; tries < m->nr_groups; tries++) {
		at = (at + m->nr_groups + (unsigned)step) % m->nr_groups;
		if (m->groups[at].on || m->replay) {
			plot(m, v, at);
			return;
		}
	}
}

static void key_select(struct app *app, struct view *v, int key)
{
	int step = key == UI_DOWN || key == 'j' ? 1 : -1;

	if (v->loads_open || focused_on(v, "loads"))
		loadkeys_select(app, v, step);
	else if (focused_on(v, "spikes"))
		select_spike(app_model(app), v, step);
	else if (focused_on(v, "cpus"))
		step_cpu(app_model(app), v, step);
	else
		step_probe(app_model(app), v, step);
}

/* In the map, which must be there for that. */
static void show_spike(struct model *m, struct view *v)
{
	unsigned list[SPIKELIST_MOST];

	journey_spike(m, v, 0);
	if (spikelist_shown(m, v, list))
		v->expanded = false;
}

static void key_enter(struct app *app, struct view *v, int key)
{
	struct model *m = app_model(app);

	(void)key;
	if (v->loads_open || focused_on(v, "loads"))
		loadkeys_toggle(app, v, v->load);
	else if (focused_on(v, "spikes"))
		show_spike(m, v);
	else if (focused_on(v, "cpus"))
		key_cpu(app, v, key);
	else if (focused_on(v, "probes") && m->replay)
		model_status(m, true, "a recording has the probes it has");
	else if (focused_on(v, "probes"))
		dialog_ask(v, ASK_PROBES, 0, "Probes");
	else
		key_expand(app, v, key);
}

static void pick_spike(const struct model *m, struct view *v, unsigned item)
{
	const struct spike *s = v->spikes == SPIKES_CULPRITS ? NULL : spikelist_at(m, v, item);

	if (s)
		spikelist_choose(v, s);
	else if (v->spikes == SPIKES_CULPRITS && item < m->nr_blamed)
		v->blame_row = item;	/* on top, as with the arrows */
}

static void pick_cpu(struct model *m, struct view *v, unsigned item)
{
	if (item < m->nr_series && m->series[item].cpu >= 0)
		plot_cpu(m, v, m->series[item].cpu);
}

void keys_pick(struct app *app, struct view *v, const struct panel *p, unsigned item)
{
	struct model *m = app_model(app);

	if ((p == panel_by_name("loads") || p == panel_by_name("loadlist")) && item < m->nr_loads)
		v->load = item;
	else if (p == panel_by_name("spikes"))
		pick_spike(m, v, item);
	else if (p == panel_by_name("probes") && item < m->nr_groups)
		plot(m, v, item);
	else if (p == panel_by_name("cpus"))
		pick_cpu(m, v, item);
	else if (p == panel_by_name("dialog"))
		v->probe_row = item;
}

/* ---- loads and the run ----------------------------------------------------------- */
static void key_load(struct app *app, struct view *v, int key)
{
	loadkeys_letter(app, v, key);
}

static void key_ladder(struct app *app, struct view *v, int key)
{
	(void)key;
	ladder_key(app, v);
}

static void key_workers(struct app *app, struct view *v, int key)
{
	loadkeys_workers(app, v, key == ']');
}

static void key_stop_all(struct app *app, struct view *v, int key)
{
	(void)key;
	ladder_drop(v);
	order(app, CMD_LOADS_STOP);
}

static void key_loads(struct app *app, struct view *v, int key)
{
	(void)app;
	(void)key;
	v->help_page = -1;
	v->loads_open = !v->loads_open;
}

static void key_baseline(struct app *app, struct view *v, int key)
{
	(void)v;
	order(app, key == 'u' ? CMD_BASELINE_DROP : CMD_BASELINE);
}

static void key_reset(struct app *app, struct view *v, int key)
{
	(void)v;
	(void)key;
	order(app, CMD_RESET);
}

static void key_idle(struct app *app, struct view *v, int key)
{
	(void)v;
	(void)key;
	order(app, CMD_HOLD_CSTATES);
}

/* The probe that takes one sample each time it is asked for. */
static void key_oneshot(struct app *app, struct view *v, int key)
{
	struct model *m = app_model(app);

	(void)v;
	(void)key;
	for (unsigned i = 0; i < m->nr_groups; i++) {
		if (m->groups[i].probe && (m->groups[i].probe->flags & PROBE_ONESHOT)) {
			app_do(app, &(struct order){ .what = CMD_PROBE_TOGGLE, .arg = i });
			return;
		}
	}
	model_status(m, true, m->replay ? "a recording cannot measure more"
		     : "no probe here times a single event");
}

/* ---- dispatch --------------------------------------------------------------------- */
static const struct action {
	int first, last;	/* keys */
	void (*act)(struct app *app, struct view *v, int key);
	bool live;		/* nothing to act on in a recording */
} actions[] = {
	{ 'q', 'q', key_quit }, { UI_F10, UI_F10, key_quit }, { 3, 3, key_quit },
	{ '?', '?', key_help }, { 'h', 'h', key_help }, { UI_F1, UI_F1, key_help },
	{ 's', 's', key_save }, { UI_F5, UI_F5, key_save },
	{ KEY_REPAINT, KEY_REPAINT, key_repaint }, { UI_ESC, UI_ESC, key_escape },
	{ ' ', ' ', key_freeze },
	{ UI_LEFT, UI_RIGHT, key_travel }, { UI_HOME, UI_PGDN, key_travel },
	{ '+', '+', key_zoom }, { '-', '-', key_zoom }, { '=', '=', key_zoom },
	{ UI_WHEEL_UP, UI_WHEEL_DOWN, key_zoom },
	{ 'g', 'g', key_spikes }, { 'n', 'n', key_spike }, { 'p', 'p', key_spike },
	{ '/', '/', key_filter }, { UI_F3, UI_F3, key_filter }, { 'm', 'm', key_mark, true },
	{ '1', '9', key_probe }, { 'a', 'a', key_cpu },
	{ UI_TAB, UI_BTAB, key_focus }, { UI_UP, UI_DOWN, key_select }, { 'j', 'k', key_select },
	{ UI_ENTER, UI_ENTER, key_enter }, { 'e', 'e', key_expand },
	{ 'w', 'w', key_view }, { 'v', 'v', key_cells }, { 'c', 'c', key_theme },
	{ 'y', 'y', key_range }, { UI_F6, UI_F6, key_range }, { 't', 't', key_corrected },
	{ 'd', 'd', key_deadline }, { ',', ',', key_rate }, { '.', '.', key_rate },
	{ 'J', 'J', key_ladder, true }, { 'A', 'Z', key_load },
	{ '[', '[', key_workers }, { ']', ']', key_workers },
	{ '0', '0', key_stop_all, true }, { 'x', 'x', key_stop_all, true },
	{ 'l', 'l', key_loads }, { UI_F2, UI_F2, key_loads },
	{ 'b', 'b', key_baseline }, { UI_F7, UI_F7, key_baseline }, { 'u', 'u', key_baseline },
	{ 'r', 'r', key_reset, true }, { UI_F8, UI_F8, key_reset, true },
	{ 'z', 'z', key_idle, true }, { 'o', 'o', key_oneshot, true },
};

/* The help overlay turns its own pages. */
static bool help_key(struct view *v, int key)
{
	if (v->help_page < 0)
		return false;
	if (key == UI_PGDN || key == UI_DOWN || key == ' ' || key == 'j' || key == UI_RIGHT)
		v->help_page++;
	else if (key == UI_PGUP || key == UI_UP || key == 'k' || key == UI_LEFT)
		v->help_page -= v->help_page > 0;
	else
		return false;
	return true;
}

/* The list of all loads may lie over the picture: what would move that, or the focus, where nobody
 * sees it, moves in the list or does nothing. */
static bool list_key(struct app *app, struct view *v, int key)
{
	if (!v->loads_open)
		return false;
	if (key == UI_HOME || key == UI_END)
		loadkeys_end(app, v, key == UI_END);
	else if (key == UI_PGUP || key == UI_PGDN)
		loadkeys_page(app, v, key == UI_PGDN);
	else if (key == UI_TAB || key == UI_BTAB)
		model_status(app_model(app), false, "Esc closes the list of loads first");
	else
		return false;
	return true;
}

/* Stopping waits for no answer; in a line of text the same keys are text. */
static bool stops_all(const struct view *v, int key)
{
	return (v->ask == ASK_LOAD || v->ask == ASK_PROBES) && (key == '0' || key == 'x');
}

void keys_handle(struct app *app, struct view *v, int key)
{
	if (stops_all(v, key))
		dialog_close(v);
	if (v->ask) {
		dialog_key(app, v, key);
		return;
	}
	if (help_key(v, key) || list_key(app, v, key))
		return;
	if (panels[v->focus]->key && panels[v->focus]->key(app, v, key))
		return;
	for (size_t i = 0; i < sizeof(actions) / sizeof(actions[0]); i++) {
		if (key >= actions[i].first && key <= actions[i].last) {
			if (actions[i].live && app_model(app)->replay)
				model_status(app_model(app), true,
					     "that key acts on a measurement; this is a recording");
			else
				actions[i].act(app, v, key);
			return;
		}
	}
	if ((key > ' ' && key < UI_KEY_BASE) || (key >= UI_F1 && key <= UI_F10))
		model_status(app_model(app), false, "that key does nothing; ? lists the keys");
}
