/*
 * plotted.h - what is plotted: the chosen series, its latency axis and its
 * columns of time.  The map, the waterfall, the histogram and the percentiles
 * ask here, so that they always agree.  Pure, main thread.
 */
#ifndef JS_PLOTTED_H
#define JS_PLOTTED_H

#include <stdbool.h>
#include <stdint.h>

#include "src/hist.h"
#include "src/history.h"
#include "src/model.h"
#include "ui/scale.h"
#include "ui/view.h"

/* The plotted group; NULL: the model has none. */
const struct group *plot_group(const struct model *m, const struct view *v);
/* The group of the nth probe that is on, from 0, as the screen numbers them; -1:
 * fewer are. */
int plot_nth(const struct model *m, unsigned nth);
/* The one series when a single CPU is chosen, else NULL. */
const struct series *plot_series(const struct model *m, const struct view *v);
const struct history *plot_history(const struct model *m, const struct view *v); /* NULL: none */
/* "wakeup-fifo, all CPUs" or "wakeup-fifo, cpu3". */
const char *plot_name(const struct model *m, const struct view *v, char *buf, unsigned size);

/* "cpu3" when it is one alone, else "". */
const char *plot_one(const struct model *m, const struct view *v, char *buf, unsigned size);

/* In a title: of what the figures are, where that is not the run up to the
 * view's own time: "cpu3 since start", "live, not the view's"; else "". */
const char *plot_figures(const struct model *m, const struct view *v, int w, char *buf,
			 unsigned size);

/* The latency axis in `cells`: the view's fixed range, or whole decades
 * around everything seen when it is automatic. */
struct scale plot_scale(const struct model *m, const struct view *v, int cells);
/* As many samples as a cell of one column can hold: fixed by rate and number
 * of CPUs, so that colours never rescale. */
uint64_t plot_most(const struct model *m, const struct view *v, int64_t span_ns);

/* The time of "now" for this view, and whether its right edge is that. */
int64_t plot_now(const struct model *m, const struct view *v);
bool plot_live(const struct view *v);
/* End of the newest column.  Columns begin at time zero, as the rows of the
 * history do, so that a column is a whole number of them. */
int64_t plot_edge(const struct model *m, const struct view *v);

/*
 * Where each slot of a column goes on an axis: the cells first..last of it.
 * Cells hold unequal numbers of slots; `weight` evens that out, so that no
 * stripes appear that the latency does not have.
 */
struct plot_cells { uint8_t first[SLOTS], last[SLOTS]; double weight[256]; int cells; };
void plot_cells_make(struct plot_cells *p, const struct scale *s);	/* at most 255 cells */
/* sums[cells], > 0 wherever a sample is.  Where only the maximum is kept, it
 * stands for the rest. */
void plot_cells_sum(const struct plot_cells *p, const struct column *col, uint64_t *sums);

/* The histograms side by side.  For one CPU only `run` exists: its total. */
struct plot_hists { const struct hist *now, *run, *base; };
struct plot_hists plot_hists(const struct model *m, const struct view *v);

/* What the percentiles of h, a histogram of g, are to be told of where the view is
 * corrected: h, with what a wait that began at every period would have seen.
 * Caller frees.  NULL: h itself. */
struct hist *plot_corrected(const struct model *m, const struct view *v, const struct group *g,
			    const struct hist *h);
/* Percentiles of h as the view wants them; -1 where the samples do not carry one. */
void plot_percentiles(const struct model *m, const struct view *v, const struct group *g,
		      const struct hist *h, const double *percents, int64_t *at, unsigned n);

#endif
