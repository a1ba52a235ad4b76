/*
 * picture_map.c - latency by time as a map: the brighter, the more samples.
 *
 * Rows of a timeline are of different lengths and slots do not end on pixels,
 * so samples are laid over a raster in proportion to where they overlap.  Cells
 * of one level become one path: a picture of an hour stays below a megabyte.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/picture.h"
#include "src/slots.h"

#define CELL 2.0	/* px, both ways */
#define LEVELS 14
#define SEEN 0.02f	/* of a sample; below it a cell is ground */
#define COVERED 0.1	/* of a cell; below it only the edge of a slot ends there */
#define GROUND "#0e0d16"

static const char *const ramp[LEVELS] = {
	"#46349b", "#52299a", "#5e2390", "#6b1f86", "#7a2382", "#8f2a81", "#a6317d", "#bd3977",
	"#d3436e", "#e75263", "#f4685c", "#fb8861", "#feae77", "#fcf0b2",
};

struct raster {
	unsigned columns, rows;
	float *cell;		/* [columns][rows], row 0 at the bottom */
	float most;
	double span_s;
	double lo_ns, hi_ns;
};

static double row_of(const struct raster *r, double ns)
{
	double part = log(fmax(ns, r->lo_ns) / r->lo_ns) / log(r->hi_ns / r->lo_ns);

	return fmin(part, 1) * r->rows;
}

/* n samples over the cells [x0,x1) by [y0,y1) of the raster, fractions allowed. */
static void lay(struct raster *r, double x0, double x1, double y0, double y1, double n)
{
	double area = (x1 - x0) * (y1 - y0);

	if (!(area > 0))
		return;
	for (unsigned x = (unsigned)x0; x < r->columns && x < x1; x++) {
		double w = fmin(x1, x + 1) - fmax(x0, x);

		for (unsigned y = (unsigned)y0; y < r->rows && y < y1; y++) {
			double h = fmin(y1, y + 1) - fmax(y0, y);

			/* Cells of a long row show it at its rate; a lone sample in
			 * a row of many cells is seen all the same. */
			r->cell[x * r->rows + y] += (float)fmax(n * w * h / area,
								w * h >= COVERED ? SEEN : 0);
		}
	}
}

static void lay_row(struct raster *r, const struct snapshot_row *row)
{
	double x0 = row->t_s / r->span_s * r->columns;
	double x1 = (row->t_s + row->len_s) / r->span_s * r->columns;

	x0 = fmax(x0, 0);
	x1 = fmin(x1, r->columns);
	for (unsigned i = 0; i < row->cells; i++) {
		double y0 = row_of(r, (double)slot_lowest_ns(row->cell[i].slot));
		double y1 = row_of(r, (double)slot_highest_ns(row->cell[i].slot) + 1);

		if (y1 - y0 < 0.01) {	/* below or above the axis: its edge */
			y0 = fmin(y0, r->rows - 1);
			y1 = y0 + 1;
		}
		lay(r, x0, x1, y0, y1, row->cell[i].count);
	}
}

static int level_of(const struct raster *r, float n)
{
	if (n < SEEN)
		return -1;
	double part = log(fmax(n, 1)) / log(fmax(r->most, 2));

	return (int)fmin(part * LEVELS, LEVELS - 1);
}

static void path_of_level(FILE *out, struct box b, const struct raster *r, int level)
{
	double w = b.w / r->columns, h = b.h / r->rows;
	int open = 0;

	for (unsigned y = 0; y < r->rows; y++) {
		for (unsigned x = 0; x < r->columns;) {
			unsigned from = x;

			while (x < r->columns && level_of(r, r->cell[x * r->rows + y]) == level)
				x++;
			if (x == from) {
				x++;
				continue;
			}
			if (!open++)
				fprintf(out, "<path fill=\"%s\" d=\"", ramp[level]);
			fprintf(out, "M%.1f %.1fh%.1fv%.1fh-%.1fz", b.x + from * w,
				b.y + b.h - (y + 1) * h, (x - from) * w, h, (x - from) * w);
		}
	}
	if (open)
		fputs("\"/>\n", out);
}

static void fill(struct raster *r, const struct snapshot *s, const char *group)
{
	for (unsigned i = 0; i < s->nr_rows; i++)
		if (!strcmp(s->group_name[s->rows[i].group], group))
			lay_row(r, &s->rows[i]);
	for (size_t i = 0; i < (size_t)r->columns * r->rows; i++)
		r->most = r->cell[i] > r->most ? r->cell[i] : r->most;
}

/* The last row may be longer than what was left of the run. */
static struct box strip_of(struct box b, const struct snapshot *s, const struct snapshot_row *row)
{
	double x = fmax(fmin(row->t_s / s->duration_s * b.w, b.w - 1.5), 0);
	double w = fmax(row->len_s / s->duration_s * b.w, 1.5);

	return (struct box){ b.x + x, b.y + b.h - 3, fmin(w, b.w - x), 3 };
}

/* What casts doubt on a moment: a strip below the map. */
static void flags_strip(FILE *out, struct box b, const struct snapshot *s, const char *group)
{
	static const struct { unsigned flag; const char *colour; } marks[] = {
		{ HISTORY_NOT_RT, "#d62728" }, { HISTORY_THROTTLED, "#d62728" },
		{ HISTORY_STEAL, "#f0a202" }, { HISTORY_STOPPED, "#8a8f98" },
		{ HISTORY_OFFLINE, "#8a8f98" }, { HISTORY_MISSED, "#00b4d8" },
	};

	for (unsigned i = 0; i < s->nr_rows; i++) {
		const struct snapshot_row *row = &s->rows[i];

		if (!row->flags || strcmp(s->group_name[row->group], group))
			continue;
		for (size_t k = 0; k < sizeof(marks) / sizeof(marks[0]); k++) {
			if (!(row->flags & marks[k].flag))
				continue;
			picture_rect(out, strip_of(b, s, row), marks[k].colour, 1);
			break;
		}
	}
}

int picture_map(FILE *out, struct box b, const struct snapshot *s, const char *group,
		double lo_ns, double hi_ns)
{
	struct raster r = {
		.columns = (unsigned)(b.w / CELL), .rows = (unsigned)(b.h / CELL),
		.span_s = s->duration_s, .lo_ns = lo_ns, .hi_ns = hi_ns,
	};

	picture_rect(out, b, GROUND, 1);
	if (!(s->duration_s > 0))
		return 0;
	r.cell = calloc((size_t)r.columns * r.rows, sizeof(*r.cell));
	if (!r.cell)
		return -ENOMEM;
	fill(&r, s, group);
	fputs("<g shape-rendering=\"crispEdges\">\n", out);
	for (int level = 0; level < LEVELS; level++)
		path_of_level(out, b, &r, level);
	flags_strip(out, b, s, group);
	fputs("</g>\n", out);
	free(r.cell);
	return 0;
}

void picture_ramp(FILE *out, struct box b)
{
	picture_rect(out, b, GROUND, 1);
	for (int i = 0; i < LEVELS; i++)
		picture_rect(out, (struct box){ b.x + b.w * (i + 1) / (LEVELS + 1), b.y,
			     b.w / (LEVELS + 1) + 0.2, b.h }, ramp[i], 1);
}
