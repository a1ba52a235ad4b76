/*
 * plot_curves.h - tables whose rows are numbers, such as bytes of a message,
 * as curves of time over that number, both log: what a sheet shows of files
 * that hold figures and no latency of their own.  Any thread.
 */
#ifndef JS_PLOT_CURVES_H
#define JS_PLOT_CURVES_H

#include <stdbool.h>
#include <stdio.h>

#include "src/plot_sheet.h"

/* Has any file of the sheet such a table? */
bool plot_curves_any(const struct plot_sheet *p);
/* A panel for each table of each file, all of one scale.  The C locale's
 * numbers are the caller's business. */
void plot_curves_svg(FILE *out, const struct plot_sheet *p);
/* png: writes a .png to standard output when gnuplot runs it. */
void plot_curves_gnuplot(FILE *out, const struct plot_sheet *p, bool png);

#endif
