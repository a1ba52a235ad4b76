/*
 * plot_sheet.h - several snapshots on one sheet, as SVG or as a gnuplot script.
 */
#ifndef JS_PLOT_SHEET_H
#define JS_PLOT_SHEET_H

#include <stdbool.h>
#include <stdio.h>

#include "src/dist.h"
#include "src/snapshot.h"

#define PLOT_FILES_MAX 8
#define PLOT_PROBES_MAX 4
#define PLOT_NO_MAP (-1)

struct plot_sheet {
	const struct snapshot *snap[PLOT_FILES_MAX];
	char label[PLOT_FILES_MAX][80];
	unsigned files;
	const char *probe[PLOT_PROBES_MAX];	/* with samples; what most files have first */
	unsigned probes, left_out;	/* left_out: there was no room for */
	bool shared;			/* is any of them in two files or more? */
	int map[PLOT_FILES_MAX];	/* of which probe each file has a map; PLOT_NO_MAP */
	struct dist dist[PLOT_PROBES_MAX][PLOT_FILES_MAX];	/* nr_series 0: not in that file */
};

/* Adds one; its label is what it says of itself, else path. 0 or -E2BIG. */
int plot_sheet_add(struct plot_sheet *p, const struct snapshot *s, const char *path);
/* After the last: gathers the distributions.  0, -ENODATA: no samples, -ENOMEM. */
int plot_sheet_ready(struct plot_sheet *p);
void plot_sheet_free(struct plot_sheet *p);	/* not the snapshots */

/* 0 or -ENOMEM.  The C locale's numbers are the caller's business. */
int plot_sheet_svg(FILE *out, const struct plot_sheet *p);
/* png: writes a .png to standard output when gnuplot runs it. */
void plot_sheet_gnuplot(FILE *out, const struct plot_sheet *p, bool png);
/* As a string of a script. */
void plot_quoted(FILE *out, const char *text);

#endif
