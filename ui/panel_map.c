/*
 * panel_map.c - when it hurts: time across, latency up, colour for how often.
 *
 * A column is a fixed span of time and the right edge a whole number of them,
 * so that columns only ever move by one.  The top row is for what lies above
 * the range.  In a low map it also tells what is wrong with the samples.
 * Under the map come the rows of timeline.c.
 */
#include <stdio.h>
#include <string.h>

#include "src/clock.h"
#include "src/text.h"
#include "ui/paint.h"
#include "ui/panels.h"
#include "ui/plotted.h"
#include "ui/timeline.h"

#define COLS_MOST TIMELINE_COLS
#define CELLS_MOST 250

extern const struct panel panel_map;

struct map {			/* one frame's geometry */
	struct timeline time;
	struct scale scale;	/* in latency cells: twice the rows for half blocks */
	struct plot_cells cells;
	enum cell_mode mode;
	int y0, rows;
	int lanes;		/* rows for loads; 0: no load row */
	bool title, marks, axis;
	uint64_t most;
};

/* Rows by which the decades would be of unequal height. */
static int spare_rows(int rows)
{
	return rows > 6 ? (rows - 1) % 5 : 0;
}

/* The shares of the height: without a title the marks lie on the axis' row.
 * Rows that would make the decades unequal are lanes for loads. */
static void share_rows(struct map *g, int h)
{
	int lanes, most;

	g->axis = h >= 4;
	g->lanes = h >= 18 ? 3 : h >= 16 ? 2 : h >= 5;
	g->title = h >= 14;
	g->marks = h >= 14;
	g->y0 = g->title;
	g->rows = h - g->title - g->axis - g->lanes - g->marks;
	/* One short of whole decades: two lanes will do. */
	if (g->lanes == 3 && spare_rows(g->rows) == 4) {
		g->lanes--;
		g->rows++;
	}
	lanes = g->lanes + spare_rows(g->rows);
	most = h >= 24 ? 4 : g->rows > 11 ? 3 : 2;
	lanes = lanes < most ? lanes : most;
	if (g->lanes && lanes > g->lanes) {
		g->rows -= lanes - g->lanes;
		g->lanes = lanes;
	}
	if (g->rows > CELLS_MOST / 2)
		g->rows = CELLS_MOST / 2;
}

int panel_map_spare(int h)
{
	struct map g;

	share_rows(&g, h);
	return spare_rows(g.rows);
}

static void map_make(struct map *g, const struct model *m, const struct view *v,
		     const struct canvas *c)
{
	int labels = c->r.w >= 30 ? 7 : 0;

	*g = (struct map){ .mode = paint_cells(v) };
	share_rows(g, c->r.h);
	g->time.column_ns = view_column_ns(v);
	g->time.edge_ns = plot_edge(m, v);
	g->time.cols = c->r.w - labels < COLS_MOST ? c->r.w - labels : COLS_MOST;
	g->time.x0 = c->r.w - g->time.cols;

	g->scale = plot_scale(m, v, g->mode == CELLS_HALF ? 2 * g->rows : g->rows);
	plot_cells_make(&g->cells, &g->scale);
	g->most = plot_most(m, v, g->time.column_ns);
}

/* The row's own label, in half mode that of its lower cell first. */
static const char *row_label(const struct map *g, int row)
{
	int per = g->mode == CELLS_HALF ? 2 : 1, low = (g->rows - 1 - row) * per;
	const char *label = scale_label(&g->scale, low);

	return label || per == 1 ? label : scale_label(&g->scale, low + 1);
}

static void labels_draw(const struct view *v, const struct map *g, struct canvas *c)
{
	for (int row = 0; g->time.x0 >= 7 && row < g->rows; row++) {
		const char *label = row_label(g, row);
		int y = g->y0 + row;

		paint_put(c, v, g->time.x0 - 1, y, ROLE_AXIS,
			  row == 0 ? '^' : paint_glyph(v, label ? GLYPH_TICK : GLYPH_BAR));
		if (label)
			paint_right(c, v, 0, g->time.x0 - 1, y, ROLE_TEXT, label);
	}
}

/* Two latency cells in one place: the upper half is the glyph's colour. */
static void half_draw(const struct view *v, struct canvas *c, int x, int y, double upper,
		      double lower)
{
	int16_t ground = v->theme.role[ROLE_TEXT].bg;
	int16_t up = upper > 0 ? (int16_t)theme_ramp(&v->theme, upper) : ground;
	int16_t low = lower > 0 ? (int16_t)theme_ramp(&v->theme, lower) : ground;

	if (upper > 0)
		canvas_put(c, x, y, 0x2580, up, low, 0);
	else if (lower > 0)
		canvas_put(c, x, y, 0x2584, low, ground, 0);
}

/* What lies above the range is told by a sign, whatever its colour. */
static void above_draw(const struct view *v, const struct map *g, struct canvas *c, int x,
		       double level)
{
	const struct style *bad = &v->theme.role[ROLE_WARN];
	int16_t bg = g->mode == CELLS_ASCII ? bad->bg : (int16_t)theme_ramp(&v->theme, level);
	int16_t fg = g->mode == CELLS_ASCII ? bad->fg : level > 0.5 ? 16 : 231;

	canvas_put(c, x, g->y0, '^', fg, bg, CELL_BOLD);
}

/* Says whether the top row is taken. */
static bool column_draw(const struct view *v, const struct map *g, struct canvas *c, int x,
			const struct column *col)
{
	uint64_t sums[256];
	int per = g->mode == CELLS_HALF ? 2 : 1;

	plot_cells_sum(&g->cells, col, sums);
	for (int row = 0; row < g->rows; row++) {
		int cell = (g->rows - 1 - row) * per, y = g->y0 + row;

		if (per == 2)
			half_draw(v, c, x, y, scale_level(sums[cell + 1], g->most),
				  scale_level(sums[cell], g->most));
		else if (sums[cell])
			paint_heat(c, v, x, y, scale_level(sums[cell], g->most));
	}
	if (sums[g->scale.cells - 1])
		above_draw(v, g, c, x, scale_level(sums[g->scale.cells - 1], g->most));
	return sums[g->scale.cells - 1] > 0;
}

static void columns_draw(const struct model *m, const struct view *v, const struct map *g,
			 struct canvas *c, unsigned *flags)
{
	const struct history *h = plot_history(m, v);
	int64_t from = g->time.edge_ns - g->time.cols * g->time.column_ns;
	struct column col;

	for (int i = 0; i < g->time.cols; i++, from += g->time.column_ns) {
		flags[i] = 0;
		if (!h)
			continue;
		history_column(h, from, from + g->time.column_ns, &col);
		if (!col.known)
			continue;
		flags[i] = col.flags;
		if (col.count && column_draw(v, g, c, g->time.x0 + i, &col) && !g->marks)
			flags[i] = 0;
	}
}

/* The deadline is beyond the scale: in words, at the end where it would be. */
static void deadline_word(const struct model *m, const struct view *v, const struct map *g,
			  struct canvas *c)
{
	bool above = m->deadline_ns > g->scale.high_ns;
	int y = g->y0 + (above ? 0 : g->rows - 1);
	char text[16];

	paint_fmt(c, v, g->time.x0 + 1, y, ROLE_MARK, "deadline %s is %s the scale",
		  text_time(text, sizeof(text), m->deadline_ns), above ? "above" : "below");
}

/* A thin line across at the deadline, where nothing else is drawn. */
static void deadline_draw(const struct model *m, const struct view *v, const struct map *g,
			  struct canvas *c)
{
	if (m->deadline_ns > 0 && !scale_holds(&g->scale, m->deadline_ns)) {
		deadline_word(m, v, g, c);
		return;
	}
	int per = g->mode == CELLS_HALF ? 2 : 1,
	    row = g->rows - 1 - scale_cell(&g->scale, m->deadline_ns) / per;

	for (int x = 0; m->deadline_ns > 0 && x < g->time.cols; x += 2)
		paint_put(c, v, g->time.x0 + x, g->y0 + row, ROLE_MARK,
			  v->theme.unicode ? 0x2508 : '-');
	if (m->deadline_ns > 0 && g->time.x0 >= 7)
		paint_put(c, v, g->time.x0 - 1, g->y0 + row, ROLE_MARK,
			  paint_glyph(v, GLYPH_POINT));
}

/* "samples 1 ...... 4000": from the colour of one to that of most, right in the title rule. */
static void legend_draw(const struct view *v, struct canvas *c, const struct map *g)
{
	double one = scale_level(1, g->most);
	char most[16], text[32];
	int steps = 8, x;

	snprintf(text, sizeof(text), " %s ", paint_count(most, sizeof(most), (double)g->most));
	x = c->r.w - 1 - paint_width(text);
	paint_right(c, v, 0, c->r.w - 1, 0, ROLE_DIM, text);
	for (int i = 0; i < steps; i++)
		paint_heat(c, v, x - steps + i, 0, one + (1 - one) * i / (steps - 1));
	paint_right(c, v, 0, x - steps, 0, ROLE_DIM, " samples 1 ");
}

static void title_draw(const struct model *m, const struct view *v, const struct map *g,
		       struct canvas *c)
{
	char name[64];

	paint_frame(c, v, &panel_map, "LATENCY", plot_name(m, v, name, sizeof(name)), NULL);
	if (paint_width(name) + 45 < c->r.w)
		legend_draw(v, c, g);
}

/* The chosen spike's column, where n and p lead; -1: not in the picture. */
static int cursor_column(const struct view *v, const struct map *g)
{
	int x = timeline_column(&g->time, v->spike.t_ns);

	return plot_live(v) || !v->spike.chosen || x < 0 || x >= g->time.cols ? -1 : x;
}

static void empty_draw(const struct model *m, const struct view *v, const struct map *g,
		       struct canvas *c)
{
	const struct group *group = plot_group(m, v);
	const char *text = !group	     ? "no probe"
			   : group->error[0] ? group->error
			   : !m->zero_ns     ? "warming up"
					     : NULL;

	if (text && (!group || !group->run->count))
		paint_text(c, v, g->time.x0 + 2, g->y0 + g->rows / 2, g->time.cols - 3, ROLE_DIM,
			   text);
}

static void map_draw(const struct model *m, const struct view *v, struct canvas *c)
{
	unsigned flags[COLS_MOST];
	bool taken[COLS_MOST] = { false }, none[COLS_MOST] = { false }, top[COLS_MOST] = { false };
	struct map g;
	int y, cursor;

	map_make(&g, m, v, c);
	paint_blank(c, v);
	if (g.title)
		title_draw(m, v, &g, c);
	labels_draw(v, &g, c);
	deadline_draw(m, v, &g, c);
	columns_draw(m, v, &g, c, flags);
	empty_draw(m, v, &g, c);
	cursor = cursor_column(v, &g);
	if (cursor >= 0) {
		paint_put(c, v, g.time.x0 + cursor, g.y0, ROLE_ACCENT, paint_glyph(v, GLYPH_DOWN));
		top[cursor] = true;
	}
	y = g.y0 + g.rows;
	if (g.lanes)
		timeline_loads(m, v, &g.time, c, y, g.lanes);
	if (g.axis)
		timeline_events(m, v, &g.time, c, y + g.lanes, taken);
	if (g.axis)
		timeline_axis(m, v, &g.time, c, y + g.lanes + g.marks, g.marks ? none : taken);
	timeline_flags(v, &g.time, c, g.marks ? y + g.lanes : g.y0, flags, g.marks,
		       g.marks ? taken : top);
}

const struct panel panel_map = {
	.name = "map", .title = "Latency map", .least_w = 10, .least_h = 2, .best_h = 200,
	.focusable = true,
	.draw = map_draw,
};
