/*
 * chase.h - a walk through memory in which each item tells where the next is,
 * in an order that nothing can foresee.
 *
 * Hardware fetches ahead what lies at equal distances, so that a walk with a
 * constant step finds far memory nearly as close as a cache.  Here the
 * distance differs from step to step.
 *
 * Any process; the sizes need sysinfo_set_root() to have been called, if at
 * all, by the same thread.
 */
#ifndef JS_SUITES_CHASE_H
#define JS_SUITES_CHASE_H

#include <stdbool.h>
#include <stdint.h>

#define CHASE_STRIDE 128	/* two lines: the one beside comes along with some */

enum chase_where { CHASE_L1, CHASE_L2, CHASE_MEMORY };

/* Bytes of the data cache of a level (1 ..) of the first CPU; 0: unknown. */
uint64_t chase_cache_bytes(unsigned level);
/* How large a walk has to be to stay in there; a power of two, at most `most`. */
uint64_t chase_bytes(enum chase_where where, uint64_t most);

/* Links items so that a walk from any comes by all before it is back.  bytes:
 * a power of two, 4 * CHASE_STRIDE at least.  false: told to stop before it was
 * done, and there is no walk. */
bool chase_link(void *base, uint64_t bytes, const _Atomic bool *stop);

#endif
