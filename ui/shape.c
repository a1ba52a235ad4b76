#include "ui/shape.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ui/paint.h"

/* Samples of h in each column of the axis. */
static void spread(const struct hist *h, const struct scale *s, uint64_t *sums)
{
	unsigned slot;

	memset(sums, 0, sizeof(*sums) * (size_t)s->cells);
	if (!h || h->low > h->high)
		return;
	slot = h->low;
	for (int cell = 0; cell < s->cells && slot <= h->high; cell++) {
		unsigned end =
			cell == s->cells - 1 ? h->high + 1 : hist_slot(h, scale_low(s, cell + 1));
		uint64_t sum = 0;

		if (end > h->high + 1)
			end = h->high + 1;
		for (; slot < end; slot++)
			sum += h->counts[slot];
		sums[cell] = sum;
	}
}

static double height(const struct shape *p, uint64_t count)
{
	return count ? (0.5 + log10((double)count)) * p->decade_rows : -1;
}

/* Decades of equal height, so that labels stand at equal distances: whole or
 * half rows each, less than a half only where that is too much. */
static void share_decades(struct shape *p)
{
	double rows = p->rows / (p->decades + 0.5);
	int halves = (int)(2 * rows);

	p->decade_rows = halves ? halves / 2.0 : rows;
	p->label_step = !halves ? (int)ceil(1 / rows) : halves % 2 ? 2 : 1;
}

static uint64_t largest(const uint64_t *sums, int n)
{
	uint64_t most = 0;

	for (int i = 0; i < n; i++)
		most = sums[i] > most ? sums[i] : most;
	return most;
}

void shape_make(struct shape *p, const struct model *m, const struct view *v, int x0, int y0,
		int cols, int rows)
{
	uint64_t now[SHAPE_COLS], run[SHAPE_COLS], base[SHAPE_COLS], most = 100;

	p->h = plot_hists(m, v);
	p->x0 = x0;
	p->y0 = y0;
	p->cols = cols < 1 ? 1 : cols > SHAPE_COLS ? SHAPE_COLS : cols;
	p->rows = rows > 1 ? rows : 1;
	p->scale = plot_scale(m, v, p->cols);
	spread(p->h.now, &p->scale, now);
	spread(p->h.run, &p->scale, run);
	spread(p->h.base, &p->scale, base);
	if (largest(run, p->cols) > most)
		most = largest(run, p->cols);
	if (largest(base, p->cols) > most)
		most = largest(base, p->cols);
	for (p->decades = 2; most > pow(10, p->decades);)
		p->decades++;
	share_decades(p);
	for (int x = 0; x < p->cols; x++)
		p->at[x] = (struct shape_heights){ height(p, now[x]), height(p, run[x]),
						   height(p, base[x]) };
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

static void block_cell(const struct view *v, struct canvas *c, int x, int y,
		       const struct shape_heights *h, int row)
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

static void letter_cell(const struct view *v, struct canvas *c, int x, int y,
			const struct shape_heights *h, int row)
{
	if (line_here(h->base, row))
		paint_put(c, v, x, y, ROLE_BASE, '-');
	else if (filled(h->now, row))
		paint_put(c, v, x, y, ROLE_NOW, '#');
	else if (filled(h->run, row))
		paint_put(c, v, x, y, ROLE_RUN, ':');
}

void shape_area(const struct view *v, const struct shape *p, struct canvas *c)
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

/* Row (0 lowest) of a power of ten. */
static int decade_row(const struct shape *p, int decade)
{
	return (int)((0.5 + decade) * p->decade_rows);
}

void shape_counts(const struct view *v, const struct shape *p, struct canvas *c)
{
	char text[16];

	if (p->x0 < 5)
		return;
	for (int row = 0; row < p->rows; row++)
		paint_put(c, v, p->x0 - 1, p->y0 + row, ROLE_AXIS, paint_glyph(v, GLYPH_BAR));
	for (int decade = 0, last = -1; decade <= p->decades; decade += p->label_step) {
		int row = decade_row(p, decade), y = p->y0 + p->rows - 1 - row;

		if (row == last || row >= p->rows)
			continue;
		paint_right(c, v, 0, p->x0 - 1, y, ROLE_AXIS,
			    paint_count(text, sizeof(text), pow(10, decade)));
		paint_put(c, v, p->x0 - 1, y, ROLE_AXIS, paint_glyph(v, GLYPH_TICK));
		last = row;
	}
}

void shape_axis(const struct view *v, const struct shape *p, struct canvas *c, int y)
{
	for (int x = 0; x < p->cols; x++)
		paint_put(c, v, p->x0 + x, y, ROLE_AXIS, paint_glyph(v, GLYPH_RULE));
	if (p->x0)
		paint_put(c, v, p->x0 - 1, y, ROLE_AXIS, paint_glyph(v, GLYPH_CORNER));
	for (int x = 0, free = 0; x < p->cols; x++) {
		const char *label = scale_label(&p->scale, x);
		int width = label ? paint_width(label) : 0;

		if (!label || x < free)
			continue;
		paint_put(c, v, p->x0 + x, y, ROLE_AXIS, paint_glyph(v, GLYPH_AXIS_TICK));
		if (x + 1 + width <= p->cols)
			free = x + 1 + paint_text(c, v, p->x0 + x + 1, y, width, ROLE_TEXT, label);
	}
}

struct key_text { const char *block, *letter; };

/* What stands for now, the run and the baseline. */
static unsigned keys_make(const struct view *v, const struct shape *p, bool brief,
			  struct paint_word words[3])
{
	static const struct key_text full[] = {
		{ "█ last 10 s", "# last 10 s" }, { "█ run", ": run" }, { "━ base", "- base" },
	}, now = { "█ now", "# now" }, total = { "█ total", ": total" };
	static const enum role roles[] = { ROLE_NOW, ROLE_RUN, ROLE_BASE };
	const struct hist *of[] = { p->h.now, p->h.run, p->h.base };
	bool blocks = v->theme.unicode && v->theme.colour;
	unsigned n = 0;

	for (unsigned i = 0; i < 3; i++) {
		const struct key_text *t = !i && brief ? &now : i == 1 && !of[0] ? &total : &full[i];

		if (!of[i] && i != 1)
			continue;
		words[n] = (struct paint_word){ .rank = 0, .role = roles[i] };
		snprintf(words[n++].text, sizeof(words[0].text), "%s",
			 blocks ? t->block : t->letter);
	}
	return n;
}

int shape_keys(const struct view *v, const struct shape *p, struct canvas *c, int x_min, int x_end,
		int y)
{
	struct paint_word words[3];
	const char *between = "  ";
	unsigned n = keys_make(v, p, false, words);
	int room = x_end - 2 - x_min, width = paint_words_width(words, n, between, 0);

	if (width > room) {
		n = keys_make(v, p, true, words);
		width = paint_words_width(words, n, between, 0);
	}
	if (width > room) {
		between = " ";
		width = paint_words_width(words, n, between, 0);
	}
	if (width > room)
		return x_end;
	paint_put(c, v, x_end - width - 2, y, ROLE_TEXT, ' ');
	paint_words(c, v, x_end - width - 1, y, width, between, words, n);
	paint_put(c, v, x_end - 1, y, ROLE_TEXT, ' ');
	return x_end - width - 2;
}
