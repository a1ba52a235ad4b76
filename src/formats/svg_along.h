/*
 * svg_along.h - what stands along a picture's axis of time: loads as bars, and
 * marks, baselines, resets and the like as lines, all with their words.
 *
 * Words never lie on one another: each takes the first row that is free over
 * its whole width, is cut short where none is, and is counted where that does
 * not help.  Any ordinary thread.
 */
#ifndef JS_FORMATS_SVG_ALONG_H
#define JS_FORMATS_SVG_ALONG_H

#include <stdbool.h>
#include <stdio.h>

#include "src/picture.h"
#include "src/snapshot.h"

struct along {
	FILE *out;		/* NULL: only the height is asked for */
	const struct snapshot *s;
	struct axis time;	/* from a to b: nothing goes beyond */
};

/* From y downwards; returns the height. */
double along_loads(const struct along *a, double y);
double along_events(const struct along *a, double y);
/* What the lines are; nothing (and no height) where there are none. */
double along_legend(const struct along *a, double x, double y);
/* The lines of all events and of loads that come and go. */
void along_lines(const struct along *a, double top, double bottom);

#endif
