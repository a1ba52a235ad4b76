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
/* median: % of all CPUs; mean: us of CPU a message; both below 0 when something
 * else kept the soakers from work whenever they were to be alone. */
#define KERNEL_TCP_SOAKED "load"
#define KERNEL_TCP_TRIES 3	/* of a load that comes out below nothing; soakers are alone between */

enum { KERNEL_TCP_CPU = KERNEL_MORE };	/* of a round trip: us of CPU time, both sides */
enum { KERNEL_TCP_ALONE = KERNEL_MORE };	/* of a load: units/s it was reckoned with */

#endif
