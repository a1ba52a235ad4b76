/*
 * phase.h - how long a piece of work took, and how much CPU time it used.
 *
 * The CPU time is that of this process and of its children that were reaped.
 */
#ifndef JS_LOADS_PHASE_H
#define JS_LOADS_PHASE_H

#include <stdint.h>

struct phase {
	int64_t begun_ns, begun_cpu_ns;	/* while it lasts */
	int64_t wall_ns, cpu_ns;	/* when it has ended */
};

/* CPU time of this process and its reaped children. */
int64_t phase_cpu_ns(void);
void phase_begin(struct phase *p);
void phase_end(struct phase *p);
double phase_seconds(const struct phase *p);
/* 100 = one CPU all the time. */
double phase_cpu_pct(const struct phase *p);

#endif
