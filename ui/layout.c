/*
 * layout.c - see layout.h.
 *
 * Rows are cut off a rectangle from above and below until the map gets what is
 * left.  As the screen shrinks the spike list goes, then the histogram, then
 * the loads, at last everything but one line.
 */
#include "ui/layout.h"

#include "ui/panels.h"

#define LINE_W 24		/* narrower or lower than this: only the one line */
#define LINE_H 5

static void place(struct layout *l, const char *name, struct rect r)
{
	if (r.w > 0 && r.h > 0 && l->n < LAYOUT_MAX)
		l->at[l->n++] = (struct placed){ panel_by_name(name), r };
}

static struct rect cut_top(struct rect *r, int h)
{
	struct rect top = { r->x, r->y, r->w, h };

	r->y += h;
	r->h -= h;
	return top;
}

static struct rect cut_bottom(struct rect *r, int h)
{
	r->h -= h;
	return (struct rect){ r->x, r->y + r->h, r->w, h };
}

static struct rect cut_left(struct rect *r, int w)
{
	struct rect left = { r->x, r->y, w, r->h };

	r->x += w;
	r->w -= w;
	return left;
}

static int at_most(int value, int most)
{
	return value < most ? value : most;
}

/* Figures side by side (the waterfall holds the histogram itself): what there is room for, the rest
 * of the width shared. */
static void place_figures(struct layout *l, struct rect r, bool histogram)
{
	if (r.w < 50) {
		place(l, "percentiles", r);
		return;
	}
	if (r.w < 100) {
		place(l, "percentiles", cut_left(&r, r.w < 64 ? 26 : 42));
		place(l, "loads", r);
		return;
	}
	if (r.w < 170 && !histogram) {
		place(l, "percentiles", cut_left(&r, 42));
		place(l, "loads", cut_left(&r, r.w - (r.w >= 100 ? 30 : 0)));
		place(l, "system", r);
		return;
	}
	if (r.w < 170) {
		place(l, "histogram", cut_left(&r, r.w - 42 - (r.w - 42) * 47 / 100));
		place(l, "percentiles", cut_left(&r, 42));
		place(l, "loads", r);
		return;
	}
	if (histogram)
		place(l, "histogram", cut_left(&r, r.w - 42 - 86 - 26));
	place(l, "percentiles", cut_left(&r, 42));
	place(l, "loads", cut_left(&r, 86));
	place(l, "system", r);
}

static int figures_height(int h)
{
	if (h < 18)
		return 0;
	return h < 22 ? 6 : h < 30 ? 8 : h < 50 ? 10 : 13;
}

/* An empty list needs no room: the map has it until the first spike. */
static int spikes_height(const struct model *m, int w, int h)
{
	if (w < 60 || h < 34)
		return 0;
	return !m->nr_spikes ? 3 : h < 40 ? 4 : h < 50 ? 5 : at_most(h / 6, 10);
}

static void place_picture(struct layout *l, struct rect r, const struct view *v)
{
	if (v->kind == VIEW_WATERFALL)
		place(l, "waterfall", r);
	else
		place(l, "map", r);
}

/* Rows to take from a map of this height so that its five decades are of
 * equal height: they go to the lists below it. */
static int decade_spare(int h, const struct view *v)
{
	return v->kind == VIEW_MAP ? panel_map_spare(h) : 0;
}

static void place_all(struct layout *l, struct rect r, const struct model *m, const struct view *v)
{
	int h = r.h, figures = figures_height(h), spikes = spikes_height(m, r.w, h), spare;

	place(l, "probes",
	      cut_top(&r, at_most(panel_probes_rows(m, r.w), h < 40   ? 1
							     : h < 50 ? 2
								      : 4)));
	if (h >= 32 && r.w >= 60)
		place(l, "cpus",
		      cut_top(&r, 1 + at_most(panel_cpus_rows(m, v, r.w), h < 44 ? 2 : h / 8)));
	spare = decade_spare(r.h - figures - spikes, v);
	/* One more row from them rather than four fewer for the map. */
	if (spare == 4 && (spikes > 3 || figures > 8))
		spare = -1;
	if (figures > 8 && (!spikes || !m->nr_spikes))
		figures += spare;
	else if (spikes > 3)
		spikes += spare;
	else if (figures)
		figures += spare > 0 ? spare : 0;
	if (spikes)
		place(l, "spikes", cut_bottom(&r, spikes));
	if (figures) {
		struct rect below = cut_bottom(&r, figures);

		place_picture(l, r, v);
		place_figures(l, below, v->kind == VIEW_MAP);
		return;
	}
	place_picture(l, r, v);
}

/* The list of all loads takes the place of the figures, the picture stays
 * above it where there is room for both. */
static void place_loadlist(struct layout *l, struct rect r, const struct model *m,
			   const struct view *v)
{
	int wanted = (int)m->nr_loads + 4;

	if (r.h - wanted >= 10) {
		struct rect below = cut_bottom(&r, wanted);

		place_picture(l, r, v);
		place(l, "loadlist", below);
		return;
	}
	place(l, "loadlist", r);
}

static bool expandable(const struct view *v)
{
	unsigned i = 0;

	while (panels[i] && i < v->focus)
		i++;
	return v->expanded && panels[i] && panels[i]->focusable;
}

static bool fits(const struct panel *p, struct rect r)
{
	return r.w >= p->least_w && r.h >= p->least_h;
}

static void place_middle(struct layout *l, struct rect r, const struct model *m,
			 const struct view *v)
{
	if (v->help_page >= 0)
		place(l, "help", r);
	else if (v->loads_open)
		place_loadlist(l, r, m, v);
	else if (expandable(v) && fits(panels[v->focus], r))
		place(l, panels[v->focus]->name, r);
	else if (r.h >= 6)
		place_all(l, r, m, v);
	else
		place_picture(l, r, v);
}

/* A question takes the row above the status line from what lies there, so
 * that nothing else moves; false: something would be too low. */
static bool squeeze_in(struct layout *l, struct rect r)
{
	unsigned n = l->n;

	for (unsigned i = 0; i < n; i++) {
		const struct placed *p = &l->at[i];

		if (p->r.y + p->r.h == r.y + r.h && p->r.y >= r.y && p->r.h <= p->panel->least_h)
			return false;
	}
	for (unsigned i = 0; i < n; i++) {
		struct placed *p = &l->at[i];

		if (p->r.y >= r.y && p->r.y + p->r.h == r.y + r.h)
			p->r.h--;
	}
	place(l, "dialog", cut_bottom(&r, 1));
	return true;
}

/* Header and status line are at their places already. */
static void place_asking(struct layout *l, struct rect r, const struct model *m,
			 const struct view *v)
{
	unsigned placed = l->n;
	int rows = at_most(panel_dialog_rows(m, v, r.w), r.h - 2);

	if (rows <= 1) {
		place_middle(l, r, m, v);
		if (squeeze_in(l, r))
			return;
		l->n = placed;
	}
	place(l, "dialog", cut_bottom(&r, rows < 1 ? 1 : rows));
	place_middle(l, r, m, v);
}

/* Too small for panels. */
static void place_line(struct layout *l, struct rect r, const struct view *v)
{
	int h = r.h;

	place(l, v->ask && h == 1 ? "dialog" : "oneline", v->ask && h > 1 ? cut_top(&r, h - 1) : r);
	if (v->ask && h > 1)
		place(l, "dialog", r);
}

void layout_make(struct layout *l, int w, int h, const struct model *m, const struct view *v)
{
	struct rect r = { 0, 0, w, h };
	bool header_alone = expandable(v) && panels[v->focus] == panel_by_name("header") &&
			    v->help_page < 0 && !v->loads_open;

	l->n = 0;
	if (w < LINE_W || h < LINE_H) {
		place_line(l, r, v);
		return;
	}
	place(l, "status", cut_bottom(&r, 1));
	if (header_alone) {
		if (v->ask)
			place(l, "dialog", cut_bottom(&r, at_most(panel_dialog_rows(m, v, w), r.h - 2)));
		place(l, "header", r);
		return;
	}
	place(l, "header", cut_top(&r, h >= 44 ? 2 : 1));
	if (v->ask)
		place_asking(l, r, m, v);
	else
		place_middle(l, r, m, v);
}
