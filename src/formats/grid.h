/*
 * grid.h - the figures of a snapshot as tables for a report: rows and columns
 * as they come, turned over where that is narrower, in as many blocks of
 * columns as 78 columns of text ask for.
 */
#ifndef JS_FORMATS_GRID_H
#define JS_FORMATS_GRID_H

#include <stdio.h>

#include "src/snapshot.h"

/* line() gets each line without its end, to clean and write it.  0 or -ENOMEM. */
int grid_write(FILE *out, const struct snapshot *s, void (*line)(FILE *out, const char *text));

#endif
