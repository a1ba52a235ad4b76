/*
 * failure.h - how a load says that a call failed, the same in all of them.
 *
 * A worker or the nanny; no shared state.
 */
#ifndef JS_LOADS_FAILURE_H
#define JS_LOADS_FAILURE_H

#include <stdbool.h>
#include <stdint.h>

#include "src/why.h"

/* "disk full, stopped" or "out of memory" or "CALL: reason"; returns err (-errno). */
int failure(struct why *why, int err, const char *call);

/* -EAGAIN, -EMFILE, -ENFILE: sleep and try again rather than fail. */
bool failure_passes(int err);
/* -ENOSPC, -EDQUOT, -EFBIG. */
bool failure_is_full(int err);

/* The disk budget, as granted: 0, or -ENOSPC with "needs X MB of disk, budget
 * Y MB; use REMEDY". */
int failure_budget(struct why *why, uint64_t want_bytes, uint64_t granted_bytes,
		   const char *remedy);

#endif
