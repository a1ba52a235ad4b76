/*
 * panel_probes.c - the series there are, side by side: number key, name, p50,
 * p99.9 and max of the run.  The plotted one is marked.  With the screen to
 * itself it tells more (probe_details.h).
 */
#include <stdio.h>
#include <string.h>

#include "src/text.h"
#include "ui/paint.h"
#include "ui/panels.h"
#include "ui/plotted.h"
#include "ui/probe_details.h"

#define CELL_LEAST 39		/* "1>wakeup-other p99.9 411us  max 8.90ms " */
#define NAME_W 12
#define NAME_LEAST 9		/* "wakeup-f" and that it is cut */
#define MORE_W 2		/* room for "+2" at the end of a full row */
#define CELL_FULL 62		/* with p50 and p99 */

extern const struct panel panel_probes;

static unsigned shown(const struct model *m)
{
	unsigned n = 0;

	for (unsigned i = 0; i < m->nr_groups; i++)
		n += m->groups[i].on;
	return n;
}

static int columns(int w, unsigned n)
{
	int fit = (w + 1 - MORE_W) / CELL_LEAST;

	fit = fit < 1 ? 1 : fit;
	return n && (unsigned)fit > n ? (int)n : fit;
}

int panel_probes_rows(const struct model *m, int w)
{
	unsigned n = shown(m);
	int per_row = columns(w, n);

	return n ? ((int)n + per_row - 1) / per_row : 1;
}

static int figure(const struct view *v, struct canvas *c, int x, int y, const char *name,
		  const char *value, enum role role)
{
	x += paint_fmt(c, v, x, y, ROLE_DIM, "%s ", name);
	return x + paint_fmt(c, v, x, y, role, "%-7s", value);
}

/* The highest percentile up to the at-th that the samples carry; none: the first
 * that they will. */
static unsigned carried(const int64_t *ns, unsigned at)
{
	for (unsigned i = at + 1; i-- > 0;)
		if (ns[i] >= 0)
			return i;
	return 0;
}

static int percentile(const struct view *v, struct canvas *c, int x, int y, double percent,
		      int64_t ns)
{
	char name[16], value[16];

	snprintf(name, sizeof(name), "p%g", percent);
	if (ns >= 0)
		text_time(value, sizeof(value), ns);
	else
		snprintf(value, sizeof(value), "~");
	return figure(v, c, x, y, name, value, ROLE_TEXT);
}

/* The first of the percentiles that leave room for the maximum and a blank. */
static unsigned first_fitting(unsigned from, int room, const char *max)
{
	static const int widths[] = { 11, 11, 13 };	/* "p50 1.23ms ", "p99.9 1.23ms " */
	int used = 4 + (int)strlen(max) + 1;

	for (unsigned i = from; i < 3; i++)
		used += widths[i];
	for (; from < 3 && used > room; from++)
		used -= widths[from];
	return from;
}

static bool is_trouble(const struct model *m, const struct group *g, unsigned i)
{
	return g->probe->counters[i].is_event && probe_counted_in_run(m, g, i) > 0;
}

static bool has_trouble(const struct model *m, const struct group *g)
{
	for (unsigned i = 0; g->probe && g->probe->counters[i].name; i++)
		if (is_trouble(m, g, i))
			return true;
	return false;
}

static void trouble(const struct model *m, const struct view *v, struct canvas *c, int x,
		    const struct group *g)
{
	for (unsigned i = 0; g->probe && g->probe->counters[i].name && x < c->r.w; i++)
		if (is_trouble(m, g, i))
			x += 1 + paint_fmt(c, v, x, 0, ROLE_WARN, "%s %lld",
					   g->probe->counters[i].name,
					   (long long)probe_counted_in_run(m, g, i));
}

/* Figures are worth more than the end of a name. */
static int name_columns(int w, const char *name)
{
	int left = w - (CELL_LEAST - NAME_W), own = paint_width(name);

	if (w >= CELL_FULL + 4)
		return 18;
	return w >= CELL_LEAST || left < (own < NAME_LEAST ? own : NAME_LEAST) ? NAME_W : left;
}

static void cell(const struct model *m, const struct view *v, struct canvas *c, unsigned nth)
{
	static const double percents[] = { 50, 99, 99.9 };
	const struct group *g = &m->groups[plot_nth(m, nth)];
	int64_t at[3];
	bool plotted = g == plot_group(m, v), open;
	char max[24];
	unsigned from = c->r.w >= CELL_FULL ? 0 : c->r.w >= 30 && !has_trouble(m, g) ? 2 : 3;
	int x = 0, name = name_columns(c->r.w, g->name);

	paint_blank(c, v);
	canvas_item(c, (struct rect){ 0, 0, c->r.w, 1 }, (unsigned)(g - m->groups));
	x += paint_fmt(c, v, x, 0, plotted ? ROLE_SELECTED : ROLE_KEY, nth < 9 ? "%u" : " ",
		       nth + 1);
	paint_put(c, v, x++, 0, ROLE_ACCENT, plotted ? paint_glyph(v, GLYPH_POINT) : ' ');
	paint_text(c, v, x, 0, name, plotted ? ROLE_ACCENT : ROLE_TEXT, g->name);
	x += name + 1;
	if (g->error[0]) {
		paint_text(c, v, x, 0, c->r.w - x - 1, ROLE_WARN, g->error);
		return;
	}
	plot_percentiles(m, v, g, g->run, percents, at, 3);
	open = probe_max_text(m, g, max);
	from = first_fitting(from, c->r.w - x, max);
	if (from == 2) {	/* room for one: better another than none */
		unsigned i = carried(at, 2);

		percentile(v, c, x, 0, percents[i], at[i]);
		x += (int)sizeof("p99.9 1.23ms ") - 1;
	}
	for (unsigned i = from; from < 2 && i < 3; i++)
		x = percentile(v, c, x, 0, percents[i], at[i]);
	x = figure(v, c, x, 0, "max", max, open ? ROLE_WARN : ROLE_TEXT);
	trouble(m, v, c, x, g);
}

/* The first one to show, so that the plotted one is among `room`. */
static unsigned first_shown(const struct model *m, const struct view *v, unsigned room)
{
	unsigned before = 0;

	for (unsigned i = 0; i < m->nr_groups && &m->groups[i] != plot_group(m, v); i++)
		before += m->groups[i].on;
	return before < room ? 0 : before - room + 1;
}

static int at_most(int value, int most)
{
	return value < most ? value : most;
}

/* What a cell needs that has one percentile. */
static int cell_columns(const struct model *m, unsigned nth)
{
	int name = paint_width(m->groups[plot_nth(m, nth)].name);

	return CELL_LEAST - NAME_W + at_most(name, NAME_W);
}

static int more_columns(unsigned n)
{
	return snprintf(NULL, 0, "+%u", n);
}

/* How many more there are, or only that, where a figure would touch it. */
static void more_draw(const struct view *v, struct canvas *c, unsigned n)
{
	char more[16];
	int y = c->r.h - 1, x = c->r.w - snprintf(more, sizeof(more), "+%u", n);

	if (x > 0 && c->r.h > 0 && c->cells[(c->r.y + y) * c->stride + c->r.x + x - 1].ch != ' ')
		snprintf(more, sizeof(more), "+");
	paint_right(c, v, 0, c->r.w, y, ROLE_DIM, more);
}

/* Columns of the at-th cell of `room`.  The last leaves room for how many more
 * there are; where that takes more than was left over, none has more than it
 * needs. */
static int cell_width(const struct model *m, const struct canvas *c, unsigned first, unsigned at,
		      unsigned room, int x, int most)
{
	unsigned n = shown(m);

	if (n <= room)
		return most;
	if (c->r.h == 1 && more_columns(n - room) > MORE_W)
		most = at_most(most, cell_columns(m, first + at));
	return at == room - 1 ? at_most(most, c->r.w - x - more_columns(n - room)) : most;
}

static void probes_draw(const struct model *m, const struct view *v, struct canvas *c)
{
	unsigned n = shown(m);
	int per_row = columns(c->r.w, n), w = (c->r.w + 1 - MORE_W) / per_row;
	unsigned room = (unsigned)(per_row * c->r.h), first = first_shown(m, v, room);
	int x = 0;

	if (n && c->r.w >= PROBE_DETAILS_LEAST_W && c->r.h > panel_probes_rows(m, c->r.w) + 3) {
		probe_details_draw(m, v, c);
		return;
	}
	paint_blank(c, v);
	if (!n)
		paint_text(c, v, 1, 0, c->r.w, ROLE_WARN,
			   m->replay ? "no probe in this file: no latency was recorded"
			   : "no probe is on: Tab here, then Enter turns one on");
	for (unsigned i = 0; i < room && first + i < n; i++) {
		x = (int)i % per_row ? x : 0;
		int width = cell_width(m, c, first, i, room, x, w);
		struct canvas box = canvas_view(c, (struct rect){ x, (int)i / per_row, width, 1 });

		cell(m, v, &box, first + i);
		x += width;
	}
	if (n > room)
		more_draw(v, c, n - room);
}

const struct panel panel_probes = {
	.name = "probes", .title = "Probes", .least_w = 20, .least_h = 1, .best_h = 1,
	.focusable = true,
	.draw = probes_draw,
};
