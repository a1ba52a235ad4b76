/*
 * panel_histogram.c - the shape of it: now, run and baseline, one over the
 * other.  Latency across, log count up.
 *
 * The run is an area, now a second area in front of it (it is a part of the
 * run), the baseline a line.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/text.h"
#include "ui/paint.h"
#include "ui/plotted.h"

#define COLS_MOST 512

extern const struct panel panel_histogram;

struct heights { double now, run, base; };	/* in rows, of one column; < 0: no sample */

struct shape {
	struct scale scale;	/* across */
	struct plot_hists h;
	int x0, y0, cols, rows;
	int decades;		/* of counts, up */
	struct heights at[COLS_MOST];
};

/* Samples of h in each column of the axis. */
static void spread(const struct hist *h, const struct scale *s, uint64_t *sums)
{
	int cell = 0;

	memset(sums, 0, sizeof(*sums) * (size_t)s->cells);
	if (!h || h->low > h->high)
		return;
	for (unsigned slot = h->low; cell < s->cells && slot <= h->high; cell++) {
		unsigned end = cell == s->cells - 1 ? h->high + 1 : hist_slot(h, scale_low(s, cell + 1));
		uint64_t sum = 0;

		for (; slot < end && slot <= h->high; slot++)
			sum += h->counts[slot];
		sums[cell] = sum;
	}
}

static double height(const struct shape *p, uint64_t count)
{
	return count ? (0.5 + log10((double)count)) / (p->decades + 0.5) * p->rows : -1;
}

static uint64_t largest(const uint64_t *sums, int n)
{
	uint64_t most = 0;

	for (int i = 0; i < n; i++)
		most = sums[i] > most ? sums[i] : most;
	return most;
}

static void shape_make(struct shape *p, const struct model *m, const struct view *v, const struct canvas *c)
{
	uint64_t now[COLS_MOST], run[COLS_MOST], base[COLS_MOST], most = 100;
	int labels = c->r.w >= 24 ? 5 : 0;

	p->h = plot_hists(m, v);
	p->x0 = labels;
	p->y0 = 0;
	p->cols = c->r.w - labels < COLS_MOST ? c->r.w - labels : COLS_MOST;
	p->rows = c->r.h - 2 > 1 ? c->r.h - 2 : 1;
	p->scale = plot_scale(m, v, p->cols);
	spread(p->h.now, &p->scale, now);
	spread(p->h.run, &p->scale, run);
	spread(p->h.base, &p->scale, base);
	most = fmax(most, fmax(largest(run, p->cols), largest(base, p->cols)));
	for (p->decades = 2; most > pow(10, p->decades); )
		p->decades++;
	for (int x = 0; x < p->cols; x++)
		p->at[x] = (struct heights){ height(p, now[x]), height(p, run[x]), height(p, base[x]) };
}

/* How many eighths of the cell of this row (0 lowest) an area fills. */
static int filled(double rows, int row)
{
	double part = (rows - row) * 8;

	return part >= 8 ? 8 : part <= 0 ? 0 : part < 1 ? 1 : (int)part;
}

/* The line of the baseline runs in this row. */
static bool line_here(double rows, int row)
{
	return rows > 0 && (int)ceil(rows) - 1 == row;
}

static void block_cell(const struct view *v, struct canvas *c, int x, int y, const struct heights *h, int row)
{
	int now = filled(h->now, row), run = filled(h->run, row);
	int16_t fg = v->theme.role[now ? ROLE_NOW : ROLE_RUN].fg, bg = -1;

	if (now && now < 8 && run == 8)
		bg = v->theme.role[ROLE_RUN].fg;
	if (now || run)
		canvas_put(c, x, y, paint_eighth(v, now ? now : run), fg, bg, 0);
	if (!line_here(h->base, row))
		return;
	bg = now == 8 ? v->theme.role[ROLE_NOW].fg : run == 8 ? v->theme.role[ROLE_RUN].fg : -1;
	canvas_put(c, x, y, 0x2501, bg >= 0 ? 231 : v->theme.role[ROLE_BASE].fg, bg, CELL_BOLD);
}

static void letter_cell(const struct view *v, struct canvas *c, int x, int y, const struct heights *h, int row)
{
	if (line_here(h->base, row))
		paint_put(c, v, x, y, ROLE_BASE, '-');
	else if (filled(h->now, row))
		paint_put(c, v, x, y, ROLE_NOW, '#');
	else if (filled(h->run, row))
		paint_put(c, v, x, y, ROLE_RUN, ':');
}

static void area_draw(const struct view *v, const struct shape *p, struct canvas *c)
{
	bool blocks = v->theme.unicode && v->theme.colour;

	for (int x = 0; x < p->cols; x++) {
		for (int row = 0; row < p->rows; row++) {
			int y = p->y0 + p->rows - 1 - row;

			if (blocks)
				block_cell(v, c, p->x0 + x, y, &p->at[x], row);
			else
				letter_cell(v, c, p->x0 + x, y, &p->at[x], row);
		}
	}
}

static void counts_draw(const struct view *v, const struct shape *p, struct canvas *c)
{
	int step = p->decades * 2 > p->rows * 2 ? 2 : 1;

	if (p->x0 < 5)
		return;
	for (int row = 0; row < p->rows; row++)
		paint_put(c, v, p->x0 - 1, p->y0 + row, ROLE_AXIS, paint_glyph(v, GLYPH_BAR));
	for (int decade = 0; decade <= p->decades; decade += step) {
		int row = (int)(height(p, 1) / 0.5 * (0.5 + decade)) - (decade == p->decades);
		char text[16], count[16];

		if (row >= p->rows)
			continue;
		snprintf(text, sizeof(text), "%s", text_count(count, sizeof(count), pow(10, decade)));
		paint_right(c, v, 0, p->x0 - 1, p->y0 + p->rows - 1 - row, ROLE_AXIS, text);
		paint_put(c, v, p->x0 - 1, p->y0 + p->rows - 1 - row, ROLE_AXIS, paint_glyph(v, GLYPH_TICK));
	}
}

static void axis_draw(const struct view *v, const struct shape *p, struct canvas *c)
{
	int y = p->y0 + p->rows;

	for (int x = 0; x < p->cols; x++)
		paint_put(c, v, p->x0 + x, y, ROLE_AXIS, paint_glyph(v, GLYPH_RULE));
	if (p->x0)
		paint_put(c, v, p->x0 - 1, y, ROLE_AXIS, paint_glyph(v, GLYPH_CORNER));
	for (int x = 0, free = 0; x < p->cols; x++) {
		const char *label = scale_label(&p->scale, x);
		int width = label ? paint_width(label) : 0;

		if (!label)
			continue;
		paint_put(c, v, p->x0 + x, y, ROLE_AXIS, paint_glyph(v, GLYPH_AXIS_TICK));
		if (x >= free && x + 1 + width <= p->cols)
			free = x + 2 + paint_text(c, v, p->x0 + x + 1, y, width, ROLE_TEXT, label);
	}
}

struct pin { const struct hist *hist; double percent; enum role role; const char *text; };

/* Where the percentiles of run and now lie, on the row below the axis. */
static void pins_draw(const struct model *m, const struct view *v, const struct shape *p, struct canvas *c)
{
	const struct pin pins[] = {
		{ p->h.now, 50, ROLE_NOW, "p50" }, { p->h.now, 99, ROLE_NOW, "p99" }, { p->h.now, 99.9, ROLE_NOW, "p99.9" },
		{ p->h.run, 99.99, ROLE_RUN, "p99.99" }, { p->h.run, 99.9, ROLE_RUN, "p99.9" },
	};
	int y = p->y0 + p->rows + 1, free = 0;

	for (unsigned i = 0; i < sizeof(pins) / sizeof(pins[0]); i++) {
		const struct hist *h = pins[i].hist;
		int x = h && hist_carries(h->count, pins[i].percent) ?
			scale_cell(&p->scale, hist_percentile(h, pins[i].percent)) : -1;
		int width = 1 + paint_width(pins[i].text);

		if (x < free || x + width > p->cols)
			continue;
		paint_put(c, v, p->x0 + x, y, pins[i].role, paint_glyph(v, GLYPH_UP));
		paint_text(c, v, p->x0 + x + 1, y, width, pins[i].role, pins[i].text);
		free = x + width + 1;
	}
	for (int row = 0; m->deadline_ns > 0 && row <= p->rows; row++)
		paint_put(c, v, p->x0 + scale_cell(&p->scale, m->deadline_ns), p->y0 + row, ROLE_MARK,
			  paint_glyph(v, GLYPH_LINE));
}

/* "now 10 s  run  base" in their colours, right in the rule. */
static void keys_draw(const struct view *v, struct canvas *c, const struct plot_hists *h)
{
	bool blocks = v->theme.unicode && v->theme.colour;
	struct paint_word words[4] = {
		{ .rank = 0, .role = ROLE_NOW }, { .rank = 0, .role = ROLE_RUN }, { .rank = 0, .role = ROLE_BASE },
	};
	int width;

	if (h->now)
		snprintf(words[0].text, sizeof(words[0].text), blocks ? "█ last 10 s" : "# last 10 s");
	snprintf(words[1].text, sizeof(words[1].text), blocks ? "█ run" : ": run");
	if (h->base)
		snprintf(words[2].text, sizeof(words[2].text), blocks ? "━ base" : "- base");
	width = paint_words_width(words, 3, "  ", 0);
	if (c->r.w - width - 2 < 14)
		return;
	paint_put(c, v, c->r.w - width - 2, 0, ROLE_TEXT, ' ');
	paint_words(c, v, c->r.w - width - 1, 0, width, "  ", words, 3);
	paint_put(c, v, c->r.w - 1, 0, ROLE_TEXT, ' ');
}

static void histogram_draw(const struct model *m, const struct view *v, struct canvas *c)
{
	struct canvas in = paint_frame(c, v, &panel_histogram, "HISTOGRAM", NULL, NULL);
	struct shape p;

	shape_make(&p, m, v, &in);
	keys_draw(v, c, &p.h);
	if (in.r.h < 3)
		return;
	area_draw(v, &p, &in);
	counts_draw(v, &p, &in);
	axis_draw(v, &p, &in);
	pins_draw(m, v, &p, &in);
	if (!p.h.run || !p.h.run->count)
		paint_text(&in, v, p.x0 + 2, p.rows / 2, p.cols - 3, ROLE_DIM, "no sample yet");
}

const struct panel panel_histogram = {
	.name = "histogram", .title = "Histogram", .least_w = 16, .least_h = 5, .best_h = 12, .focusable = true,
	.draw = histogram_draw,
};
