/*
 * panel_waterfall.c - the same history turned: latency across, time down, the
 * newest row on top, right under the histogram.  Each row ends with what the loads did in that
 * span.
 */
#include <stdio.h>
#include <string.h>

#include "src/clock.h"
#include "src/text.h"
#include "ui/loadline.h"
#include "ui/paint.h"
#include "ui/plotted.h"
#include "ui/shape.h"
#include "ui/timeline.h"

#define CELLS_MOST 250
#define TIME_W 10		/* "00:01:10", a blank and the sign */
#define BAR_W 10
#define TITLE_W 14		/* of the title rule without the name */
#define LOADS_MOST 64

extern const struct panel panel_waterfall;

struct fall {			/* one frame's geometry */
	struct scale scale;
	struct plot_cells cells;
	int x0, cols, load_x;	/* load_x 0: no room */
	int y0, rows;		/* of the falling part */
	int shape;		/* rows of the histogram above it */
	int64_t edge_ns, row_ns;
	uint64_t most;
};

static void fall_make(struct fall *f, const struct model *m, const struct view *v,
		      const struct canvas *c)
{
	int share = c->r.w >= 60 ? c->r.w >= 100 ? 34 : 26 : 0;

	*f = (struct fall){ .x0 = c->r.w >= 30 ? TIME_W : 0, .y0 = 2, .row_ns = view_column_ns(v) };
	f->cols = c->r.w - f->x0 - share;
	f->cols = f->cols < 1 ? 1 : f->cols > CELLS_MOST ? CELLS_MOST : f->cols;
	f->load_x = share ? f->x0 + f->cols + 2 : 0;
	f->shape = c->r.h >= 12 ? c->r.h / 3 : 0;
	f->y0 += f->shape;
	f->rows = c->r.h - f->y0;
	f->scale = plot_scale(m, v, f->cols);
	f->edge_ns = plot_edge(m, v);
	f->most = plot_most(m, v, f->row_ns);
	plot_cells_make(&f->cells, &f->scale);
}

/* Which end is new, left of the key of colours, where both have room. */
static void newest_draw(const struct view *v, struct canvas *c, int title_end, int x_end)
{
	paint_right(c, v, title_end, x_end - 1, 0, ROLE_DIM, " newest on top ");
}

/* The histogram stands on the same latency axis. */
static void shape_draw(const struct model *m, const struct view *v, const struct fall *f,
		       struct canvas *c, int title_end)
{
	int keys_x = c->r.w;
	struct shape p;

	shape_make(&p, m, v, f->x0, 1, f->cols, f->shape > 1 ? f->shape : 1);
	if (f->shape) {
		shape_area(v, &p, c);
		shape_counts(v, &p, c);
		keys_x = shape_keys(v, &p, c, 40, c->r.w, 0);
	}
	newest_draw(v, c, title_end, keys_x);
	shape_axis(v, &p, c, f->y0 - 1);
}

static void row_heat(const struct view *v, const struct fall *f, struct canvas *c, int y,
		     const struct column *col)
{
	uint64_t sums[256];

	plot_cells_sum(&f->cells, col, sums);
	for (int x = 0; x < f->cols; x++)
		if (sums[x])
			paint_heat(c, v, f->x0 + x, y, scale_level(sums[x], f->most));
	if (sums[f->cols - 1])
		paint_put(c, v, f->x0 + f->cols - 1, y, ROLE_WARN, '>');
}

/* Work of the span against one and a half of the run's mean. */
static void row_bar(const struct view *v, struct canvas *c, int x, int y, const struct load_view *l,
		    double rate)
{
	int cells = l->rate_mean > 0 ? (int)(rate / (1.5 * l->rate_mean) * BAR_W * 8 + 0.5) : 0;
	int16_t ink = paint_ink(v, ROLE_LOAD);

	for (int i = 0; i < BAR_W && i * 8 < cells; i++)
		canvas_put(c, x + i, y, v->theme.unicode ? 0x25ac : '=', ink, -1, 0);
}

/* The loads of one row; rate < 0: not known. */
struct row_loads { unsigned n, load[LOADS_MOST]; double rate[LOADS_MOST]; };

static void row_loads_make(struct row_loads *r, const struct model *m, const struct fall *f,
			   int64_t from)
{
	bool ran[LOADS_MOST];

	r->n = 0;
	if (m->nr_loads > LOADS_MOST)
		return;
	timeline_running(m, from, from + f->row_ns, ran);
	for (unsigned i = 0; i < m->nr_loads; i++) {
		double rate = timeline_rate(m, i, from, from + f->row_ns);

		if (rate < 0 && !ran[i])
			continue;
		r->load[r->n] = i;
		r->rate[r->n++] = rate;
	}
}

enum detail { KEYS_CLOSE, KEYS_ALONE, KEYS_AND_RATES, IN_FULL };

static int row_loads_width(const struct model *m, const struct row_loads *r, enum detail detail)
{
	int width = 0;

	for (unsigned i = 0; i < r->n; i++) {
		const struct load_view *l = &m->loads[r->load[i]];
		char text[40];

		width += 2;
		if (detail == IN_FULL)
			width += paint_width(l->name) + 1;
		if (detail >= KEYS_AND_RATES)
			width += paint_width(loadline_rate(l, r->rate[i], false, text,
							   sizeof(text))) + 2;
	}
	return width;
}

/* "F fork 9.8k/s =====": all loads of that span, with as much of each as there
 * is room for; the bar where one is alone. */
static void row_loads(const struct model *m, const struct view *v, const struct fall *f,
		      struct canvas *c, int y, int64_t from)
{
	struct row_loads r;
	int room = c->r.w - f->load_x, x = f->load_x;
	enum detail detail = IN_FULL;

	row_loads_make(&r, m, f, from);
	while (detail != KEYS_CLOSE && row_loads_width(m, &r, detail) > room)
		detail--;
	for (unsigned i = 0; i < r.n; i++) {
		const struct load_view *l = &m->loads[r.load[i]];
		char text[40];

		x += paint_fmt(c, v, x, y, ROLE_KEY, "%c", l->key ? l->key : '?') +
		     (detail != KEYS_CLOSE);
		if (detail == IN_FULL)
			x += paint_text(c, v, x, y, LOAD_NAME_MAX, ROLE_TEXT, l->name) + 1;
		if (detail <= KEYS_ALONE)
			continue;
		loadline_rate(l, r.rate[i], false, text, sizeof(text));
		x += 2 + paint_text(c, v, x, y, 40, ROLE_DIM, text);
	}
	if (r.n == 1 && r.rate[0] >= 0 && x + BAR_W < c->r.w)
		row_bar(v, c, c->r.w - BAR_W - 1, y, &m->loads[r.load[0]], r.rate[0]);
}

/* Clock time of the run; beyond a day without seconds, as there is no more room. */
static void clock_text(char *buf, size_t size, int64_t ns)
{
	text_span(buf, size, ns);
	if (paint_width(buf) > TIME_W - 2)
		*strrchr(buf, ':') = '\0';
}

static void row_time(const struct model *m, const struct view *v, const struct fall *f,
		     struct canvas *c, int row)
{
	int64_t age = f->row_ns * row;
	char text[32];

	if (row % 5 || (!plot_live(v) && f->edge_ns - age < m->zero_ns))
		return;
	if (!row && plot_live(v))
		snprintf(text, sizeof(text), "%s", m->replay ? "end" : "now");
	else if (plot_live(v))
		timeline_age(text, sizeof(text), age, f->row_ns * f->rows);
	else
		clock_text(text, sizeof(text), f->edge_ns - age - m->zero_ns);
	paint_right(c, v, 0, f->x0 - 2, f->y0 + row, row ? ROLE_AXIS : ROLE_ACCENT, text);
}

static void row_flag(const struct view *v, const struct fall *f, struct canvas *c, int y,
		     unsigned flags)
{
	const struct timeline_flag *flag = timeline_gravest(flags);

	if (flag && f->x0)
		paint_put(c, v, f->x0 - 1, y, flag->role, (uint32_t)flag->letter);
}

/* The chosen spike's row, where n and p lead. */
static void row_cursor(const struct view *v, const struct fall *f, struct canvas *c, int y,
		       int64_t from_ns)
{
	const struct view_spike *s = &v->spike;

	if (f->x0 && s->chosen && !plot_live(v) && s->t_ns >= from_ns &&
	    s->t_ns < from_ns + f->row_ns)
		paint_put(c, v, f->x0 - 1, y, ROLE_ACCENT, paint_glyph(v, GLYPH_POINT));
}

static void waterfall_draw(const struct model *m, const struct view *v, struct canvas *c)
{
	const struct history *h = plot_history(m, v);
	char name[64];
	struct column col;
	struct fall f;

	fall_make(&f, m, v, c);
	paint_frame(c, v, &panel_waterfall, "LATENCY", plot_name(m, v, name, sizeof(name)), NULL);
	shape_draw(m, v, &f, c, TITLE_W + paint_width(name));
	if (f.load_x)
		paint_text(c, v, f.load_x, f.y0 - 1, c->r.w - f.load_x - 1, ROLE_DIM, "loads");
	for (int row = 0; h && row < f.rows; row++) {
		int64_t from = f.edge_ns - (row + 1) * f.row_ns;

		history_column(h, from, from + f.row_ns, &col);
		row_time(m, v, &f, c, row);
		if (col.known && col.count)
			row_heat(v, &f, c, f.y0 + row, &col);
		if (col.known)
			row_flag(v, &f, c, f.y0 + row, col.flags);
		row_cursor(v, &f, c, f.y0 + row, from);
		if (f.load_x)
			row_loads(m, v, &f, c, f.y0 + row, from);
	}
}

const struct panel panel_waterfall = {
	.name = "waterfall", .title = "Waterfall", .least_w = 10, .least_h = 2, .best_h = 200,
	.focusable = true,
	.draw = waterfall_draw,
};
