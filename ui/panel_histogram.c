/*
 * panel_histogram.c - the shape of it: now, run and baseline, one over the
 * other, with percentiles pinned under the axis.
 */
#include <stdio.h>
#include <string.h>

#include "ui/paint.h"
#include "ui/shape.h"

extern const struct panel panel_histogram;

#define NOTE_LEAST 64		/* columns that leave room for the legend beside a note */

struct pin { int64_t ns; enum role role; const char *text; };

struct names { const char *of[4]; };

static const double percents[4] = { 50, 99, 99.9, 99.99 };
static const struct names now_names = { { "p50", "p99", "p99.9", "p99.99" } };
/* Of one CPU there is only the total since time zero. */
static const struct names total_names = {
	{ "total p50", "total p99", "total p99.9", "total p99.99" }
};
static const struct names run_names = { { "run p50", "run p99", "run p99.9", "run p99.99" } };

/* Percentiles of one histogram that its count carries; returns how many. */
static unsigned pins_of(const struct model *m, const struct view *v, const struct hist *h,
			enum role role, const struct names *names, struct pin *pins)
{
	int64_t at[4];
	unsigned n = 0;

	if (!h || !h->count)
		return 0;
	plot_percentiles(m, v, plot_group(m, v), h, percents, at, 4);
	for (unsigned i = 0; i < 4; i++)
		if (at[i] >= 0)
			pins[n++] = (struct pin){ at[i], role, names->of[i] };
	return n;
}

/* A line at the deadline; what is drawn later stands before it. */
static void deadline_draw(const struct model *m, const struct view *v, const struct shape *p,
			  struct canvas *c)
{
	int x = p->x0 + scale_cell(&p->scale, m->deadline_ns);

	if (!scale_holds(&p->scale, m->deadline_ns))
		return;		/* none, or the map says that it is beyond */
	for (int row = 0; row < p->rows; row++)
		paint_put(c, v, x, p->y0 + row, ROLE_MARK, paint_glyph(v, GLYPH_LINE));
}

/* Where the percentiles lie, on the row below the axis: those of now, and
 * those of the run where there is room beside them. */
static void pins_draw(const struct model *m, const struct view *v, const struct shape *p,
		      struct canvas *c)
{
	bool taken[SHAPE_COLS + 16] = { false };
	struct pin pins[8];
	unsigned n = pins_of(m, v, p->h.now, ROLE_NOW, &now_names, pins);
	int y = p->y0 + p->rows + 1;

	n += pins_of(m, v, p->h.run, ROLE_RUN, p->h.now ? &run_names : &total_names, pins + n);
	for (unsigned i = 0; i < n; i++) {
		int x = scale_cell(&p->scale, pins[i].ns), width = 1 + paint_width(pins[i].text);
		bool free = x + width <= p->cols;

		for (int k = x; free && k <= x + width; k++)
			free = !taken[k];
		if (!free)
			continue;
		paint_put(c, v, p->x0 + x, y, pins[i].role, paint_glyph(v, GLYPH_UP));
		paint_text(c, v, p->x0 + x + 1, y, width, pins[i].role, pins[i].text);
		memset(taken + x, true, (size_t)width + 1);
	}
}

static void title_text(const struct model *m, const struct view *v, int w, char *buf, size_t size)
{
	char one[16];

	plot_figures(m, v, 0, buf, (unsigned)size);
	if (plot_one(m, v, one, sizeof(one))[0])
		snprintf(buf + strlen(buf), size - strlen(buf), " since start");
	if (v->corrected && w >= NOTE_LEAST)	/* the area is of what was measured */
		snprintf(buf + strlen(buf), size - strlen(buf), "%smarkers corrected",
			 buf[0] ? ", " : "");
}

static void histogram_draw(const struct model *m, const struct view *v, struct canvas *c)
{
	char of[96];
	struct canvas in;
	struct shape p;
	int labels;

	title_text(m, v, c->r.w, of, sizeof(of));
	in = paint_frame(c, v, &panel_histogram, "HISTOGRAM", of, NULL);
	labels = in.r.w >= 24 ? 5 : 0;
	if (in.r.h < 3)
		return;
	shape_make(&p, m, v, labels, 0, in.r.w - labels, in.r.h - 2);
	shape_keys(v, &p, c, 14 + paint_width(of), c->r.w, 0);
	deadline_draw(m, v, &p, &in);
	shape_area(v, &p, &in);
	shape_counts(v, &p, &in);
	shape_axis(v, &p, &in, p.rows);
	pins_draw(m, v, &p, &in);
	if (!p.h.run || !p.h.run->count)
		paint_text(&in, v, p.x0 + 2, p.rows / 2, p.cols - 3, ROLE_DIM, "no sample yet");
}

const struct panel panel_histogram = {
	.name = "histogram", .title = "Histogram", .least_w = 16, .least_h = 5, .best_h = 12,
	.focusable = true,
	.draw = histogram_draw,
};
