/*
 * shape.h - the three histograms as one picture: the run an area, now a second
 * area in front of it (it is a part of the run), the baseline a line.  Latency
 * across, log count up.  Pure, main thread.
 */
#ifndef JS_SHAPE_H
#define JS_SHAPE_H

#include "src/model.h"
#include "ui/canvas.h"
#include "ui/plotted.h"
#include "ui/view.h"

#define SHAPE_COLS 512

struct shape_heights { double now, run, base; };	/* in rows; < 0: no sample */

struct shape {
	struct scale scale;	/* across */
	struct plot_hists h;
	int x0, y0, cols, rows;
	int decades;		/* of counts, up */
	double decade_rows;	/* rows of each */
	int label_step;		/* decades between two labels */
	struct shape_heights at[SHAPE_COLS];
};

/* At these places of a canvas; cols and rows at least 1. */
void shape_make(struct shape *p, const struct model *m, const struct view *v, int x0, int y0,
		int cols, int rows);
void shape_area(const struct view *v, const struct shape *p, struct canvas *c);
/* Counts left of the area, if x0 leaves 5 columns. */
void shape_counts(const struct view *v, const struct shape *p, struct canvas *c);
/* The latency axis in row y: a rule with ticks and labels. */
void shape_axis(const struct view *v, const struct shape *p, struct canvas *c, int y);
/* Which colour is which, ending before x_end in row y; nothing left of x_min.
 * Returns where it begins, x_end: nowhere. */
int shape_keys(const struct view *v, const struct shape *p, struct canvas *c, int x_min, int x_end,
	       int y);

#endif
