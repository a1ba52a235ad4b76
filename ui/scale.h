/*
 * scale.h - the log latency axis: rows or columns to nanoseconds and back.
 * Pure.
 */
#ifndef JS_SCALE_H
#define JS_SCALE_H

#include <stdbool.h>
#include <stdint.h>

struct scale { int64_t low_ns, high_ns; int cells; };	/* log from low (cell 0) to high (last) */

/* Cell of a value, clamped to 0 .. cells-1; above high: cells-1. */
int scale_cell(const struct scale *s, int64_t ns);
bool scale_holds(const struct scale *s, int64_t ns);	/* within low .. high */
int64_t scale_low(const struct scale *s, int cell);	/* lowest ns of a cell */
/* Label of the cell if a decade begins in it ("1us" "10us" ... "100ms"), else NULL. */
const char *scale_label(const struct scale *s, int cell);
double scale_level(uint64_t count, uint64_t most); /* log(1+count)/log(1+most), > 0 for count > 0 */

#endif
