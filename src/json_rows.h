/*
 * json_rows.h - a timeline as JSON: spans of time, each with what groups and
 * loads did in it.  The snapshot file and the lines of a recording say the
 * same with other names and more or fewer blanks.
 */
#ifndef JS_JSON_ROWS_H
#define JS_JSON_ROWS_H

#include <stdbool.h>
#include <stdio.h>

#include "src/snapshot.h"

enum { JSON_MAX, JSON_MISSED, JSON_INTERRUPTED, JSON_FLAGS, JSON_EXTRAS };

struct json_style {
	const char *comma, *colon;	/* ", " ": ", or without the blank */
	const char *series, *loads, *extra[JSON_EXTRAS];	/* names of members */
	bool empty_loads;		/* {} too, where none ran */
	void (*cells)(FILE *out, const struct snapshot_row *row);
	void (*rate)(FILE *out, double rate);
};

/* Rows [row, rows_end) and load rows [load, loads_end) are of the same time. */
struct json_span {
	double t_s, len_s;
	unsigned row, rows_end, load, loads_end;
};

/* From a span of zeros to the first one, then to the next; false: no more. */
bool json_span_next(const struct snapshot *s, struct json_span *span);
/* Its members: a comma before each; extras only of groups where they are not 0. */
void json_rows_out(FILE *out, const struct json_style *y, const struct snapshot *s,
		   const struct json_span *span);

#endif
