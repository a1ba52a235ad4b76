/*
 * shift.h - has a row moved to the left, as the rows of a map do when a
 * column of time is added?  Then deleting a few characters on the terminal
 * does most of the work, whatever is in the cells.  Pure.
 */
#ifndef JS_SHIFT_H
#define JS_SHIFT_H

#include "ui/canvas.h"

#define SHIFT_MOST 8

/* How many cells (1..SHIFT_MOST) to delete at column *from of `old` so that it
 * comes nearest to `new`; 0: it does not pay.  Both are w cells; a row with
 * double-width characters from there on never moves. */
int shift_find(const struct cell *old, const struct cell *new, int w, int *from);

#endif
