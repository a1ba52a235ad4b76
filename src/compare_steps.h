/*
 * compare_steps.h - of which step of its suite is a load's run?
 *
 * A suite marks the end of each step with its own name and the step's.  A run
 * belongs to the first step that ended after it began; one that went on through
 * several belongs to none.  Any thread.
 */
#ifndef JS_COMPARE_STEPS_H
#define JS_COMPARE_STEPS_H

#include "src/snapshot.h"

struct compare_run {
	const struct snapshot_load *load;
	const char *step;	/* of an event's text; "": of no suite */
};

/* One for each of s->loads, in their order; NULL: no memory.  Freed with free(),
 * before s is. */
struct compare_run *compare_runs(const struct snapshot *s);

#endif
