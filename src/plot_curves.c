/* plot_curves.c - see plot_curves.h. */
#include "src/plot_curves.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/picture.h"

#define UNIT "us"
#define WIDTH 1200.0
#define LEFT 74.0
#define RIGHT 190.0
#define PANEL_HEIGHT 330.0
#define CURVES_MAX 12
#define LABEL_GAP 22.0		/* between two numbers along the bottom */
#define LABELS_MAX 60
#define PANELS_MAX 16
/* What can be drawn: a file may hold any number. */
#define US_LEAST 1e-3
#define US_MOST 1e13
#define NUMBER_LEAST 1e-6
#define NUMBER_MOST 1e15

/* One table of one file. */
struct panel { const struct snapshot *s; const char *label, *table; };
struct range { double x_lo, x_hi, y_lo, y_hi; };

typedef void each_panel(void *ctx, const struct panel *panel);

/* ---- which figures are points ----------------------------------------------- */

/* The row as a number above 0, else 0. */
static double number_of(const char *row)
{
	char *end;
	double x = strtod(row, &end);

	return end != row && !*end && x >= NUMBER_LEAST && x <= NUMBER_MOST ? x : 0;
}

static bool is_point(const struct snapshot_figure *f, const char *table)
{
	double us = snapshot_figure_value(f);

	return !strcmp(f->unit, UNIT) && us >= US_LEAST && us <= US_MOST &&
	       (!table || !strcmp(f->table, table)) && number_of(f->row) > 0;
}

/* Curves are the columns, in the order in which they come. */
static unsigned curves_of(const struct panel *p, const char *name[CURVES_MAX])
{
	unsigned n = 0;

	for (unsigned i = 0; i < p->s->nr_figures && n < CURVES_MAX; i++) {
		const struct snapshot_figure *f = &p->s->figures[i];
		bool known = !is_point(f, p->table);

		for (unsigned k = 0; k < n && !known; k++)
			known = !strcmp(name[k], f->name);
		if (!known)
			name[n++] = f->name;
	}
	return n;
}

static bool begins_table(const struct snapshot *s, unsigned i)
{
	if (!is_point(&s->figures[i], NULL))
		return false;
	for (unsigned k = 0; k < i; k++)
		if (is_point(&s->figures[k], s->figures[i].table))
			return false;
	return true;
}

/* Returns how many there are; those beyond PANELS_MAX are left out. */
static unsigned panels(const struct plot_sheet *p, each_panel *each, void *ctx)
{
	unsigned n = 0;

	for (unsigned file = 0; file < p->files; file++) {
		const struct snapshot *s = p->snap[file];

		for (unsigned i = 0; i < s->nr_figures && n < PANELS_MAX; i++) {
			struct panel panel = { s, p->label[file], s->figures[i].table };

			if (!begins_table(s, i))
				continue;
			n++;
			if (each)
				each(ctx, &panel);
		}
	}
	return n;
}

bool plot_curves_any(const struct plot_sheet *p)
{
	return panels(p, NULL, NULL) > 0;
}

static void widen(void *ctx, const struct panel *p)
{
	struct range *r = ctx;

	for (unsigned i = 0; i < p->s->nr_figures; i++) {
		const struct snapshot_figure *f = &p->s->figures[i];

		if (!is_point(f, p->table))
			continue;
		r->x_lo = fmin(r->x_lo, number_of(f->row));
		r->x_hi = fmax(r->x_hi, number_of(f->row));
		r->y_lo = fmin(r->y_lo, f->value);
		r->y_hi = fmax(r->y_hi, f->value);
	}
}

/* Whole decades upwards. */
static struct range range_of(const struct plot_sheet *p)
{
	struct range r = { INFINITY, 0, INFINITY, 0 };

	panels(p, widen, &r);
	r.y_lo = pow(10, floor(log10(r.y_lo)));
	r.y_hi = pow(10, fmax(ceil(log10(r.y_hi)), log10(r.y_lo) + 1));
	r.x_hi = fmax(r.x_hi, 2 * r.x_lo);
	return r;
}

/* ---- SVG ---------------------------------------------------------------------- */

/* Does the table have a row in between?  Then this curve lacks it. */
static bool is_gap(const struct panel *p, double from, double to)
{
	for (unsigned i = 0; i < p->s->nr_figures; i++) {
		double at = number_of(p->s->figures[i].row);

		if (at > from && at < to && !strcmp(p->s->figures[i].table, p->table))
			return true;
	}
	return false;
}

typedef void each_point(void *ctx, double x, double us, bool joined);

/* joined: with the point before it; never across a row that was not measured. */
static void points(const struct panel *p, const char *name, each_point *each, void *ctx)
{
	double last = 0;

	for (unsigned i = 0; i < p->s->nr_figures; i++) {
		const struct snapshot_figure *f = &p->s->figures[i];
		double x;

		if (!is_point(f, p->table) || strcmp(f->name, name))
			continue;
		x = number_of(f->row);
		each(ctx, x, f->value, last > 0 && !is_gap(p, last, x));
		last = x;
	}
}

struct page { FILE *out; struct range range; double y; };

struct curve {
	FILE *out;
	const char *colour;
	const struct axis *x, *y;
	double last_x, last_y;
};

static void draw_point(void *ctx, double x, double us, bool joined)
{
	struct curve *c = ctx;
	double at_x = axis_at(c->x, x), at_y = axis_at(c->y, us * 1e3);

	if (joined)
		picture_line(c->out, c->last_x, c->last_y, at_x, at_y, c->colour, 1.6, NULL);
	picture_rect(c->out, (struct box){ at_x - 2, at_y - 2, 4, 4 }, c->colour, 1);
	c->last_x = at_x;
	c->last_y = at_y;
}

static void draw_name(const struct page *g, const char *name, unsigned nth, struct box b)
{
	double y = b.y + 12 + nth * 17;

	picture_rect(g->out, (struct box){ b.x + b.w + 14, y - 9, 10, 10 }, picture_colour(nth), 1);
	picture_text(g->out, b.x + b.w + 30, y, 11, "start", 400, PICTURE_INK, "%s", name);
}

static bool has_room(const double *taken, unsigned n, double at)
{
	for (unsigned i = 0; i < n; i++)
		if (fabs(taken[i] - at) < LABEL_GAP)
			return false;
	return n < LABELS_MAX;
}

static void draw_numbers(const struct page *g, const struct panel *p, const struct axis *x, struct box b)
{
	double taken[LABELS_MAX];
	unsigned n = 0;

	for (unsigned i = 0; i < p->s->nr_figures; i++) {
		const struct snapshot_figure *f = &p->s->figures[i];
		double at;

		if (!is_point(f, p->table))
			continue;
		at = axis_at(x, number_of(f->row));
		if (!has_room(taken, n, at))
			continue;
		picture_line(g->out, at, b.y, at, b.y + b.h, PICTURE_GRID, 1, "2 3");
		picture_text(g->out, at, b.y + b.h + 15, 10.5, "middle", 400, PICTURE_FAINT, "%s", f->row);
		taken[n++] = at;
	}
}

static void draw_panel(void *ctx, const struct panel *p)
{
	struct page *g = ctx;
	struct box b = { LEFT, g->y + 24, WIDTH - LEFT - RIGHT, PANEL_HEIGHT - 70 };
	struct axis x = { g->range.x_lo, g->range.x_hi, b.x + 10, b.x + b.w - 10, 1 };
	struct axis y = { g->range.y_lo * 1e3, g->range.y_hi * 1e3, b.y + b.h, b.y, 1 };
	const char *name[CURVES_MAX];
	unsigned n = curves_of(p, name);

	picture_text(g->out, LEFT, g->y + 14, 12.5, "start", 600, PICTURE_INK, "%s: %s", p->label, p->table);
	draw_numbers(g, p, &x, b);
	picture_time_axis(g->out, &y, b, 1);
	for (unsigned i = 0; i < n; i++) {
		struct curve curve = { g->out, picture_colour(i), &x, &y, 0, 0 };

		points(p, name[i], draw_point, &curve);
		draw_name(g, name[i], i, b);
	}
	g->y += PANEL_HEIGHT;
}

void plot_curves_svg(FILE *out, const struct plot_sheet *p)
{
	struct page g = { out, range_of(p), 56 };

	picture_begin(out, WIDTH, g.y + panels(p, NULL, NULL) * PANEL_HEIGHT + 10, "jitterscope plot");
	picture_text(out, LEFT - 48, 34, 20, "start", 600, PICTURE_INK, "microseconds by the number of the row, both log");
	picture_text(out, WIDTH - 26, 34, 12, "end", 400, PICTURE_FAINT, "jitterscope %s", JS_VERSION);
	panels(p, draw_panel, &g);
	picture_end(out);
}

/* ---- gnuplot -------------------------------------------------------------------- */

/* An empty line breaks the curve. */
struct block { FILE *out; bool begun; };

static void write_point(void *ctx, double x, double us, bool joined)
{
	struct block *b = ctx;

	fprintf(b->out, "%s%.9g %.9g\n", b->begun && !joined ? "\n" : "", x, us);
	b->begun = true;
}

static void write_points(FILE *out, const struct panel *p, const char *name)
{
	struct block b = { out, false };

	points(p, name, write_point, &b);
	fputs("e\n", out);
}

static void script_panel(void *ctx, const struct panel *p)
{
	const char *name[CURVES_MAX];
	unsigned n = curves_of(p, name);
	FILE *out = ctx;

	fputs("set title ", out);
	plot_quoted(out, p->table);
	fputs("\nplot ", out);
	for (unsigned i = 0; i < n; i++) {
		fprintf(out, "%s'-' with linespoints lw 1.5 lc rgb '%s' title ", i ? ", " : "",
			picture_colour(i));
		plot_quoted(out, name[i]);
	}
	putc('\n', out);
	for (unsigned i = 0; i < n; i++)
		write_points(out, p, name[i]);
}

void plot_curves_gnuplot(FILE *out, const struct plot_sheet *p, bool png)
{
	struct range r = range_of(p);
	unsigned n = panels(p, NULL, NULL);

	fputs("# made by jitterscope plot; run: gnuplot -p FILE\n", out);
	if (png)
		fprintf(out, "set terminal pngcairo size 1200,%u\n", n * 400);
	fprintf(out, "set termoption noenhanced\nset multiplot layout %u,1\nset grid\nset key outside\n"
		"set logscale xy\nset ylabel '" UNIT "'\nset xrange [%g:%g]\nset yrange [%g:%g]\n",
		n, r.x_lo, r.x_hi, r.y_lo, r.y_hi);
	panels(p, script_panel, out);
	fputs("unset multiplot\n", out);
}
