/*
 * blame_names.h - what was the task with this number called at that time?
 *
 * First the rings: its latest COMM before that moment.  Then /proc, if the task
 * there is not newer than the moment and was not renamed since.  Then the name
 * of its parent, if it was born with it (marked ~), then what was seen before,
 * then its name of today (marked ~).  Else "tid 1234 (gone)".  Names are cleaned
 * before they leave here.
 *
 * Main thread only.
 */
#ifndef JS_BLAME_NAMES_H
#define JS_BLAME_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "src/blame_walk.h"

#define BLAME_NAME 20

struct blame_names;

struct blame_names *blame_names_new(void);	/* NULL: no memory */
void blame_names_free(struct blame_names *n);
/* Looks into a ring for these names: first (elsewhere false) into the one that
 * was walked, then into those of the other CPUs, where a task may have been
 * born or named, for those that are not as they are called today. */
typedef void blame_ask_fn(void *ctx, struct blame_name *names, unsigned nr, bool elsewhere);
/* The names of the shares of a walk, all at once.  /proc is asked for the first
 * BLAME_ASKED shares only, the largest; a smaller one has the name that a ring or
 * the memory tells, or that of its parent, else it is "(others)". */
#define BLAME_ASKED 8
void blame_names_find(struct blame_names *n, const struct blame_result *r,
		      blame_ask_fn *ask, void *ctx, char out[BLAME_SHARES][BLAME_NAME]);

#endif
