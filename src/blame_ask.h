/*
 * blame_ask.h - asks the rings of the CPUs what tasks were called.  Part of
 * blame.  Main thread only.
 */
#ifndef JS_BLAME_ASK_H
#define JS_BLAME_ASK_H

#include "src/blame_rings.h"

/* The ring runs on; it is paused and read whole where it was written over
 * meanwhile, or where its oldest part may tell of a name that nobody told. */
void blame_ask_ring(struct blame_ring *r, const struct trace_layout *layout,
		    struct blame_name *names, unsigned nr);

struct blame_others {
	struct blame_ring *ring;
	unsigned rings;
	int own_cpu;		/* was asked before */
	unsigned *next;		/* the ring that is the first one, the next time */
	int64_t budget_ns;	/* of CPU; the ring in which it ends is read to its end */
};

/* A task may have been born or named on another CPU.  All are asked, or as many
 * as the budget lets, each time from where it ended the last time. */
void blame_ask_others(const struct blame_others *o, const struct trace_layout *layout,
		      struct blame_name *names, unsigned nr);

#endif
