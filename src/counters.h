/*
 * counters.h - the memory that loads count in, shared by main and workers.
 *
 * One slot per load of the registry, mapped before the first fork.  Main reads
 * it as hostile: copies once, clamps, refuses counters that run backwards,
 * never uses a value as index, size or pointer.
 */
#ifndef JS_COUNTERS_H
#define JS_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "src/cpuset.h"
#include "src/load.h"

struct slot {
	struct load_line lines[LOAD_LINES];
	struct load_result result;
	struct cpuset cpus;		/* main writes before START; empty: anywhere */
	_Atomic int64_t ended_ns;	/* the last worker ended; nanny; 0: not yet, or killed */
	_Atomic int progress;		/* percent of the preparation, nanny writes */
	char why[320];			/* nanny writes once before it exits with failure */
	_Atomic int failed;		/* -errno; set after why */
};

struct counters {
	_Atomic uint64_t tick;		/* main's 4 Hz counter */
	unsigned slots;
	struct slot slot[];
};

struct counters *counters_new(unsigned slots);	/* MAP_SHARED; NULL: no memory */
void counters_free(struct counters *c);
void counters_clear(struct slot *s);	/* supervisor, before a start */

struct load_totals {		/* sum over lines, clamped, monotone */
	uint64_t ops, bytes, passes, cpu_ns;
	uint64_t errors, throttled;
	int last_errno;
	int64_t max_latency_ns;	/* of this tick and the one before, calls in flight included */
	unsigned ready, running, done, failed;
	unsigned backwards;	/* lines refused because they ran backwards */
};

/* Main: `last` (per slot, owned by the caller, zeroed at each start of the
 * load) makes totals monotone. */
struct counters_last { uint64_t ops[LOAD_LINES], bytes[LOAD_LINES], passes[LOAD_LINES], cpu_ns[LOAD_LINES]; };
void counters_read(const struct counters *c, unsigned slot, int64_t now_ns,
		   struct counters_last *last, struct load_totals *out);
/* A consistent copy of the result block, text cleaned; returns the number of
 * figures, 0 when none was published or a writer died in the middle. */
unsigned counters_result(const struct slot *s, double figure[LOAD_FIGURES], char text[256]);

#endif
