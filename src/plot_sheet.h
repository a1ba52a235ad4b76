/*
 * plot_sheet.h - several snapshots on one sheet, as SVG or as a gnuplot script.
 */
#ifndef JS_PLOT_SHEET_H
#define JS_PLOT_SHEET_H

#include <stdio.h>

#include "src/dist.h"
#include "src/snapshot.h"

#define PLOT_FILES_MAX 8
#define PLOT_PROBES_MAX 4

struct plot_sheet {
	const struct snapshot *snap[PLOT_FILES_MAX];
	char label[PLOT_FILES_MAX][80];
	unsigned files;
	const char *probe[PLOT_PROBES_MAX];	/* of any file, in order */
	unsigned probes;
	struct dist dist[PLOT_PROBES_MAX][PLOT_FILES_MAX];	/* nr_series 0: not in that file */
};

/* Adds one; its label is what it says of itself, else path. 0 or -E2BIG. */
int plot_sheet_add(struct plot_sheet *p, const struct snapshot *s, const char *path);
/* After the last: gathers the distributions.  0, -ENODATA: no latency, -ENOMEM. */
int plot_sheet_ready(struct plot_sheet *p);
void plot_sheet_free(struct plot_sheet *p);	/* not the snapshots */

/* 0 or -ENOMEM.  The C locale's numbers are the caller's business. */
int plot_sheet_svg(FILE *out, const struct plot_sheet *p);
/* png: writes a .png to standard output when gnuplot runs it. */
void plot_sheet_gnuplot(FILE *out, const struct plot_sheet *p, bool png);

#endif
