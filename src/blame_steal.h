/*
 * blame_steal.h - how long did the hypervisor hold a CPU of late?  From the
 * steal column of /proc/stat, in clock ticks.  Part of blame.  Main thread only.
 */
#ifndef JS_BLAME_STEAL_H
#define JS_BLAME_STEAL_H

#include <stdint.h>

struct blame_steal;

struct blame_steal *blame_steal_new(void);	/* NULL: no memory */
void blame_steal_free(struct blame_steal *s);
/* Once a second: what was stolen before the latest call but one is no longer of late. */
void blame_steal_second(struct blame_steal *s);
/* Stolen from that CPU since then, ns: each tick is told once. */
int64_t blame_steal_take(struct blame_steal *s, int cpu, int64_t most_ns);

#endif
