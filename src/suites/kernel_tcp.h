/*
 * kernel_tcp.h - the kernels of the suite tcp, and what they publish beside
 * the usual figures.
 */
#ifndef JS_KERNEL_TCP_H
#define JS_KERNEL_TCP_H

#include "src/suites/kernel.h"

/* arg: bytes of a message, most messages, units/s of soakers when idle. */
#define KERNEL_TCP_TRIP "round trip"
#define KERNEL_TCP_UNITS "soakers alone"
#define KERNEL_TCP_SOAKED "load"	/* median: % of all CPUs; mean: us of CPU a message */

enum { KERNEL_TCP_CPU = KERNEL_MORE };	/* us of CPU time a message, both sides */

#endif
