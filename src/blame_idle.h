/*
 * blame_idle.h - does the ring of a CPU tell when its idle task stops?
 *
 * On some kernels it does not: with Linux 6.18 perf records no switch away from
 * the idle task of a CPU any more that was offline and came back, until the next
 * boot.  Who ran after idle is then not known there, or is charged with the
 * idle time, too.  The same was seen with single other tasks.  Part of blame.
 * Pure; any thread.
 */
#ifndef JS_BLAME_IDLE_H
#define JS_BLAME_IDLE_H

#include "src/perf_ring.h"

#define BLAME_IDLE_LEAST 100	/* ends of idle without a record, and none with one */

enum blame_idle {
	BLAME_IDLE_UNTOLD,	/* too few ends of idle among the newest records */
	BLAME_IDLE_RECORDED,
	BLAME_IDLE_MISSING
};

/* Looks at the newest records, until they tell; a few thousand at most. */
enum blame_idle blame_idle_look(const struct perf_ring_bytes *ring,
				const struct trace_layout *layout);
/* The same of another task, which is to have stopped so often without a record;
 * only with tracepoints. */
#define BLAME_TASK_LEAST 3
enum blame_idle blame_idle_task(const struct perf_ring_bytes *ring,
				const struct trace_layout *layout, int tid);

#endif
