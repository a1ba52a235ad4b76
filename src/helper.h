/*
 * helper.h - the small process of one operation probe.
 *
 * It has no threads and is never real-time: fork and exec are cheap in it,
 * and a call that hangs holds up nobody else.  The probe paces itself; the
 * loop files what it says, publishes the line, and hands down the period the
 * budget allows.
 */
#ifndef JS_HELPER_H
#define JS_HELPER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "src/confine.h"
#include "src/helper_memory.h"
#include "src/probe.h"
#include "src/ring.h"
#include "src/supervisor.h"

#define HELPER_STRETCH_MAX 6	/* periods up to 64 times as long */

struct helper_order {
	const struct probe *probe;
	unsigned id;			/* index in probes[] */
	struct helper_memory *memory;
	int64_t period_ns;
	long knob[PROBE_KNOBS_MAX];
	uint64_t seed;
	struct confine confine;		/* scratch[0]: the folder or -1 */
	int control;
	enum tier tier;
};

/* As fork() for the supervisor; the helper never returns. */
pid_t helper_start(const struct helper_order *order, int *pidfd);

/* The loop without its surroundings, so that tests can script env. */
struct helper_run {
	const struct probe *probe;
	void *state;
	struct probe_env *env;		/* period_ns is written here */
	struct ring *ring[PROBE_VARIANTS_MAX];
	unsigned variants;
	struct helper_line *line;
	const _Atomic bool *stop;
	const _Atomic unsigned *stretch;	/* NULL: the period stays */
	int64_t period_ns;		/* as ordered */
	uint64_t (*cpu_ns)(const struct helper_run *run);	/* of this process and its children; NULL */
};

/* Until stop is set (0) or the probe cannot go on (-errno). */
int helper_loop(struct helper_run *run);

#endif
