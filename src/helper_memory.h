/*
 * helper_memory.h - what main and the processes of operation probes share.
 *
 * Made before the first fork: rings for every variant of every PROBE_HELPER
 * probe, a line each, room for a reason in words.  Main reads it as hostile.
 * The handle is private to each process, so its pointers are not.
 */
#ifndef JS_HELPER_MEMORY_H
#define JS_HELPER_MEMORY_H

#include <stdatomic.h>

#include "src/probe.h"
#include "src/ring.h"
#include "src/supervisor.h"

#define HELPERS_MAX 64
#define HELPER_RING_ROOM 4096

struct helper_shared {		/* of one probe */
	struct helper_line line;
	char why[320];		/* a note, or why it ended */
};

struct helper_memory;

struct helper_memory *helper_memory_new(void);	/* NULL: no memory */
void helper_memory_free(struct helper_memory *m);
/* Both NULL when the probe is not PROBE_HELPER, or there is no such one; the
 * ring, of main alone, also when there is no memory for its handle. */
struct helper_shared *helper_memory_of(struct helper_memory *m, unsigned probe);
struct ring *helper_memory_ring(struct helper_memory *m, unsigned probe, unsigned variant);
/* A producer's own handle on that ring, which goes on where the last one
 * stopped.  NULL: no memory. */
struct ring *helper_memory_attach(struct helper_memory *m, unsigned probe, unsigned variant);
/* Periods are doubled that many times (budget); the supervisor writes. */
_Atomic unsigned *helper_memory_stretch(struct helper_memory *m);

unsigned probe_count(void);
unsigned probe_variants(const struct probe *p);	/* 1 when it has none */

#endif
