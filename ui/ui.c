/*
 * ui.c - the live screen as a front end of the loop: keys in, frames out.
 *
 * A frame is drawn when one is due, or at once after a key, a new size or a
 * message; never while the terminal has not taken the last one.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>

#include "src/app.h"
#include "src/clock.h"
#include "src/config.h"
#include "ui/journey.h"
#include "ui/keys.h"
#include "ui/layout.h"
#include "ui/plotted.h"
#include "ui/term.h"

#define FPS_DEFAULT 4
#define GAP_LEAST_NS (20 * NS_PER_MS)	/* however fast the keys come */
#define KEYS_AT_ONCE 64
#define SKIPS_TO_SLOW 3			/* frames skipped in a row: draw more seldom */
#define FRAMES_TO_RECOVER 20
#define SLOWEST 8
#define LABELS_W 7			/* left of the map's columns */
#define ROWS_FOR_BLANKS 20
#define PICTURE_NS (500 * NS_PER_MS)

struct ui {
	struct app *app;
	struct term *term;
	struct canvas *canvas;		/* the last frame; NULL before the first */
	struct layout layout;
	struct view view;
	bool ascii;
	bool gone;			/* the terminal hung up */
	bool pending;			/* bytes wait for the terminal */
	bool wanted;			/* a frame at once */
	bool broke;			/* --break has frozen the view */
	bool fitted;			/* a recording's zoom is chosen */
	int64_t next_ns, last_ns;	/* frames: due, drawn */
	int64_t drawn_ns;		/* of the last paint() */
	uint64_t states;		/* of the loads, then */
	int64_t status_ns;		/* of the message last drawn */
	unsigned slow;			/* how many times the period is stretched */
	unsigned skipped, good;		/* frames in a row */
	uint64_t told_bytes, skips;	/* for the self meter */
};

/* ---- coming and going ------------------------------------------------------- */
int ui_check_theme(const struct options *o, struct why *why)
{
	char path[200];

	if (theme_find(o->theme))
		return 0;
	if (o->theme == o->config_theme)
		return why_set(why, -EINVAL,
			       "%.160s:%d: theme %s: no such theme; see `jitterscope list themes`",
			       config_path(path, sizeof(path)), o->config_theme_line, o->theme);
	return why_set(why, -EINVAL, "theme %.40s: no such theme; see `jitterscope list themes`",
		       o->theme);
}

static struct term *open_terminal(const struct options *o, struct why *why)
{
	const struct term_config config = { .mouse = o->mouse, .ascii = o->ascii };
	struct term *t = term_open(&config, why);

	/* Started in the background: a job that waits for `fg`. */
	if (t)
		term_wait_foreground(t);
	return t;
}

static int ui_check(const struct options *o, struct why *why)
{
	int err = ui_check_theme(o, why);

	return err ? err : term_try(why);
}

/* The guardian learns the settings before the terminal has them. */
static int enter(struct ui *u, struct why *why)
{
	struct termios saved, raw;

	term_settings(u->term, &saved, &raw);
	app_terminal(u->app, term_fd(u->term), &saved, &raw, false);
	return term_enter(u->term, why);
}

static void leave(struct ui *u)
{
	struct termios saved, raw;

	term_leave(u->term);
	term_settings(u->term, &saved, &raw);
	app_terminal(u->app, term_fd(u->term), &saved, &raw, true);
}

_Static_assert(OPTION_CELLS_ASCII - 1 == (int)CELLS_ASCII, "cells are counted alike, but for automatic");

static void begin_view(struct ui *u, const struct options *o)
{
	view_init(&u->view);
	u->view.fps = o->fps > 0 ? o->fps : FPS_DEFAULT;
	u->view.theme_name = o->theme;
	u->view.ascii = o->ascii;
	u->view.kind = o->waterfall ? VIEW_WATERFALL : VIEW_MAP;
	u->view.cells = (int)o->cells - 1;
	u->fitted = o->zoom_ns > 0;
	for (int i = 0; view_zooms[i]; i++)
		if (view_zooms[i] == o->zoom_ns)
			u->view.zoom = i;
}

static int ui_open(struct app *app, void **self, struct why *why)
{
	const struct options *o = app_options(app);
	struct ui *u = calloc(1, sizeof(*u));

	if (!u)
		return why_set(why, -ENOMEM, "screen: no memory; close something");
	u->app = app;
	u->slow = 1;
	u->wanted = true;
	u->ascii = o->ascii;
	begin_view(u, o);
	u->term = open_terminal(o, why);
	if (!u->term) {
		free(u);
		return why->err ? why->err : -EINVAL;
	}
	term_install_fatal(u->term);
	int err = enter(u, why);

	if (err) {
		leave(u);
		term_close(u->term);
		free(u);
		return err;
	}
	*self = u;
	return 0;
}

static void ui_close(void *self)
{
	struct ui *u = self;

	if (!u->gone)
		leave(u);
	ladder_drop(&u->view);
	term_close(u->term);
	canvas_free(u->canvas);
	free(u);
}

static void ui_suspend(void *self)
{
	struct ui *u = self;

	if (!u->gone)
		leave(u);
}

static void ui_resume(void *self)
{
	struct ui *u = self;
	struct why why;

	if (u->gone)
		return;
	if (enter(u, &why))
		model_status(app_model(u->app), true, "%s", why.text);
	u->wanted = true;
}

static void hung_up(struct ui *u)
{
	if (u->gone)
		return;
	u->gone = true;
	u->pending = false;
	term_abandon(u->term);
	app_terminal_gone(u->app);
}

/* ---- keys --------------------------------------------------------------------- */
static void save(struct ui *u)
{
	char *ansi = u->canvas ? canvas_as_ansi(u->canvas) : NULL;

	app_screen_text(u->app, ansi);
	free(ansi);
	app_do(u->app,
	       &(struct order){ .what = CMD_SNAPSHOT, .text = ansi ? "json svg txt ans" : NULL });
}

/* The panel on the last frame at that place; NULL: none. */
static const struct placed *placed_at(const struct ui *u, int x, int y)
{
	for (unsigned i = 0; i < u->layout.n; i++) {
		const struct placed *p = &u->layout.at[i];

		if (x >= p->r.x && y >= p->r.y && x < p->r.x + p->r.w && y < p->r.y + p->r.h)
			return p;
	}
	return NULL;
}

static void focus_on(struct view *v, const struct panel *p)
{
	for (unsigned k = 0; p->focusable && panels[k]; k++)
		if (panels[k] == p)
			v->focus = k;
}

/* A click gives the focus to the panel it hits and selects what is drawn there;
 * while a question is asked only what belongs to that. */
static void click(struct ui *u)
{
	struct canvas_aim aim = { .hit = false };
	const struct placed *p;
	struct canvas part;

	term_mouse(u->term, &aim.x, &aim.y);
	p = u->canvas ? placed_at(u, aim.x, aim.y) : NULL;
	if (!p || (u->view.ask && p->panel != panel_by_name("dialog")))
		return;
	part = canvas_view(u->canvas, p->r);
	part.aim = &aim;
	p->panel->draw(app_model(u->app), &u->view, &part);
	focus_on(&u->view, p->panel);
	if (aim.hit)
		keys_pick(u->app, &u->view, p->panel, aim.item);
}

static void one_key(struct ui *u, int key)
{
	u->wanted = true;
	if (key == UI_MOUSE) {
		click(u);
		return;
	}
	keys_handle(u->app, &u->view, key);
	if (u->view.save)
		save(u);
	u->view.save = false;
}

static void read_keys(struct ui *u)
{
	for (int n = 0; n < KEYS_AT_ONCE && !u->gone; n++) {
		int key = term_key(u->term);

		if (key < 0)
			hung_up(u);
		if (key <= 0)
			return;
		one_key(u, key);
	}
}

static void ui_input(void *self, short revents)
{
	struct ui *u = self;

	if (u->gone)
		return;
	if (revents & (POLLHUP | POLLERR | POLLNVAL))
		hung_up(u);
	else
		read_keys(u);
}

static int ui_input_fd(void *self)
{
	const struct ui *u = self;

	return u->gone ? -1 : term_fd(u->term);
}

static int ui_output_fd(void *self)
{
	const struct ui *u = self;

	return u->pending && !u->gone ? term_fd(u->term) : -1;
}

static void ui_resize(void *self)
{
	struct ui *u = self;

	u->wanted = true;	/* every frame asks for the size */
}

static void plot(struct view *v, const struct model *m, unsigned group)
{
	v->group = group;
	if (v->cpu >= 0 && !plot_series(m, v))
		v->cpu = -1;
}

/* --break: the view stands where the limit was passed, once. */
static void note_break(struct ui *u)
{
	int64_t broke_ns = app_broke_ns(u->app);

	if (!broke_ns || u->broke)
		return;
	u->broke = true;
	u->view.paused = true;
	u->view.frozen_ns = broke_ns + view_column_ns(&u->view);
	u->view.end_ns = 0;
	plot(&u->view, app_model(u->app), app_broke_group(u->app));
}

/* What was turned off, or could not be turned on, is in no list: what is plotted
 * is one of those that are. */
static void note_off(struct ui *u, const struct model *m)
{
	int first = plot_nth(m, 0);

	if (!m->replay && first >= 0 && u->view.group < m->nr_groups && !m->groups[u->view.group].on)
		plot(&u->view, m, (unsigned)first);
}

/* ---- frames ---------------------------------------------------------------------- */
/* Half blocks show twice as much.  Where moving a row costs its cells, coloured
 * blanks are what erasing paints for nothing; but few rows need the detail. */
static void choose_colours(struct ui *u, int h)
{
	const struct theme *theme = theme_find(u->view.theme_name);
	struct theme *t = &u->view.theme;

	*t = theme_adapt(theme ? theme : theme_find(NULL), term_colours(u->term),
			 term_unicode(u->term));
	if (u->ascii)
		t->cells = CELLS_ASCII;
	else if (t->cells == CELLS_BLANK && t->unicode &&
		 (term_deletes(u->term) || h < ROWS_FOR_BLANKS || !term_bce(u->term)))
		t->cells = CELLS_HALF;
}

/* What of the frame the keys go by. */
static void note_layout(struct ui *u)
{
	u->view.shown = 0;
	for (unsigned i = 0; i < u->layout.n; i++) {
		const struct placed *p = &u->layout.at[i];

		for (unsigned k = 0; panels[k]; k++)
			if (panels[k] == p->panel)
				u->view.shown |= UINT64_C(1) << k;
		if (!strcmp(p->panel->name, "map"))
			u->view.columns = p->r.w > LABELS_W ? p->r.w - LABELS_W : p->r.w;
		else if (!strcmp(p->panel->name, "waterfall"))
			u->view.columns = p->r.h;
	}
}

static int fit(struct ui *u)
{
	int w, h;

	term_size(u->term, &w, &h);
	if (u->canvas && u->canvas->r.w == w && u->canvas->r.h == h)
		return 0;
	struct canvas *canvas = canvas_new(w, h);

	if (!canvas)
		return -ENOMEM;
	canvas_free(u->canvas);
	u->canvas = canvas;
	u->layout.n = 0;	/* nothing of it is drawn yet */
	return 0;
}

/* Which loads do what, in one number. */
static uint64_t load_states(const struct model *m)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < m->nr_loads; i++)
		sum = sum * 31 + (uint64_t)m->loads[i].state * 1000 + m->loads[i].workers;
	return sum;
}

static bool same_layout(const struct layout *a, const struct layout *b)
{
	for (unsigned i = 0; i < a->n && a->n == b->n; i++)
		if (a->at[i].panel != b->at[i].panel ||
		    memcmp(&a->at[i].r, &b->at[i].r, sizeof(a->at[i].r)))
			return false;
	return a->n == b->n;
}

static bool other_turn(int64_t a_ns, int64_t b_ns, int64_t length_ns)
{
	return a_ns / length_ns != b_ns / length_ns;
}

/* How often the newest column is seen to fill. */
static int64_t picture_ns(const struct view *v)
{
	int64_t half = view_column_ns(v) / 2;

	return half < PICTURE_NS ? half : PICTURE_NS;
}

static bool is_picture(const struct panel *p)
{
	return !strcmp(p->name, "map") || !strcmp(p->name, "waterfall");
}

/* Figures change once a second, which is as fast as one can read, the picture
 * twice in a column; all of it at once when something was asked for, or
 * happened.  What is not drawn stays as it is. */
static void paint(struct ui *u, const struct model *m, bool all, int64_t now_ns)
{
	struct layout layout;
	uint64_t states = load_states(m);

	choose_colours(u, u->canvas->r.h);
	layout_make(&layout, u->canvas->r.w, u->canvas->r.h, m, &u->view);
	all |= states != u->states || !same_layout(&layout, &u->layout);
	bool figures = all || other_turn(now_ns, u->drawn_ns, NS_PER_S);
	bool picture = all || other_turn(now_ns, u->drawn_ns, picture_ns(&u->view));

	u->states = states;
	u->layout = layout;
	u->drawn_ns = now_ns;
	note_layout(u);
	if (m->replay && !u->fitted)
		journey_fit(m, &u->view);
	u->fitted = true;
	for (unsigned i = 0; i < layout.n; i++) {
		struct canvas part = canvas_view(u->canvas, layout.at[i].r);

		if (is_picture(layout.at[i].panel) ? picture : figures)
			layout.at[i].panel->draw(m, &u->view, &part);
	}
}

static void flush(struct ui *u)
{
	int more = term_flush(u->term);

	u->pending = more > 0;
	if (more < 0)
		hung_up(u);
}

static void draw(struct ui *u, int64_t now_ns)
{
	struct model *m = app_model(u->app);

	bool all = u->wanted || m->status_ns != u->status_ns || u->view.repaint;

	u->wanted = false;
	u->last_ns = now_ns;
	u->status_ns = m->status_ns;
	u->view.now_ns = m->now_ns;
	ladder_tick(u->app, &u->view);
	note_break(u);
	note_off(u, m);
	if (app_bell(u->app))
		term_bell(u->term);
	if (fit(u))
		return;		/* no memory for this size: the old picture stays */
	paint(u, m, all, now_ns);
	if (term_draw(u->term, u->canvas, u->view.repaint) < 0)
		return;
	u->view.repaint = false;
	flush(u);
	app_wrote(u->app, term_bytes(u->term) - u->told_bytes, u->skips);
	u->told_bytes = term_bytes(u->term);
	u->skips = 0;
}

/* The terminal did, or did not, take the last frame in time. */
static void keep_pace(struct ui *u, bool ready)
{
	if (!ready) {
		u->skips++;
		u->good = 0;
		u->view.hung = true;
		if (++u->skipped % SKIPS_TO_SLOW == 0 && u->slow < SLOWEST)
			u->slow *= 2;
		return;
	}
	u->skipped = 0;
	if (++u->good < FRAMES_TO_RECOVER)
		return;
	u->good = 0;
	u->view.hung = false;
	if (u->slow > 1)
		u->slow /= 2;
}

static bool due(const struct ui *u, int64_t now_ns)
{
	if (now_ns >= u->next_ns)
		return true;
	if (now_ns - u->last_ns < GAP_LEAST_NS)
		return false;
	return u->wanted || app_model(u->app)->status_ns != u->status_ns;
}

/* When the loop should come back. */
static int64_t wait_ns(const struct ui *u, int64_t now_ns)
{
	int64_t until = u->wanted && !u->pending ? u->last_ns + GAP_LEAST_NS : u->next_ns;
	int64_t left = until > now_ns ? until - now_ns : 0;
	int64_t key = term_key_wait_ns(u->term);

	/* The kernel has every byte but the line has not: nothing to poll for. */
	if (u->wanted && !u->pending && left == 0)
		left = GAP_LEAST_NS;
	return key >= 0 && key < left ? key : left;
}

static int64_t ui_frame(void *self, int64_t now_ns)
{
	struct ui *u = self;

	if (u->gone)
		return INT64_MAX;
	if (term_key_wait_ns(u->term) >= 0)
		read_keys(u);
	if (u->pending)
		flush(u);
	if (u->gone)
		return INT64_MAX;
	if (due(u, now_ns)) {
		bool scheduled = now_ns >= u->next_ns, ready = term_ready(u->term);
		int64_t period = NS_PER_S / u->view.fps * u->slow;

		if (scheduled) {
			keep_pace(u, ready);
			/* In step with whole seconds: a column ends with a frame. */
			u->next_ns = (now_ns / period + 1) * period;
		}
		if (ready)
			draw(u, now_ns);
		else
			u->wanted = true;
	}
	return u->gone ? INT64_MAX : wait_ns(u, now_ns);
}

static bool ui_slower(void *self)
{
	struct ui *u = self;

	if (u->view.fps < 2)
		return false;
	u->view.fps /= 2;
	return true;
}

const struct frontend ui_frontend = {
	.check = ui_check,
	.open = ui_open,
	.input_fd = ui_input_fd,
	.output_fd = ui_output_fd,
	.input = ui_input,
	.frame = ui_frame,
	.slower = ui_slower,
	.resize = ui_resize,
	.suspend = ui_suspend,
	.resume = ui_resume,
	.close = ui_close,
};
