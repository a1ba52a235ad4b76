/*
 * cstates.h - holding the CPUs out of deep idle, only when the user asks.
 *
 * The kernel honours the latency bound while /dev/cpu_dma_latency stays open;
 * it ends with the process, however that dies.  Main thread only.
 */
#ifndef JS_CSTATES_H
#define JS_CSTATES_H

#include <stdint.h>

#include "src/why.h"

struct cstates;

/* Wake-up latency the CPUs may still have; 0: shallowest state. NULL with why. */
struct cstates *cstates_hold(int64_t latency_ns, struct why *why);
void cstates_free(struct cstates *c);	/* lets go; NULL is fine */

#endif
