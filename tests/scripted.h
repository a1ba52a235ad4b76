/*
 * scripted.h - a world with a clock of its own, for probes that wait.
 *
 * A wait ends late by the next delay of the script (0 when it has run out) and
 * moves the clock there; a due time in the past ends at once.  Nothing sleeps.
 */
#ifndef JS_TESTS_SCRIPTED_H
#define JS_TESTS_SCRIPTED_H

#include <stdbool.h>
#include <stdint.h>

#include "src/probe.h"

#define SCRIPTED_MAX 64

struct scripted {
	int64_t now_ns;
	int64_t late_ns[SCRIPTED_MAX];	/* one delay per wait; negative: early */
	unsigned nr_late;
	int64_t step_ns;		/* what each further reading of the clock adds */
	int64_t jump_ns;		/* added once after the next wait: work, a stop */
	int wait_err;			/* what waits return, when not 0 */
	int cpu;			/* what scripted_cpu() says */
	unsigned waits;
	int64_t waited_for[SCRIPTED_MAX];	/* the last due times asked for, by wait % MAX */
	_Atomic bool *stop;		/* set once `waits` reaches stop_after */
	unsigned stop_after;
};

void scripted_env(struct scripted *s, struct probe_env *env, int64_t period_ns);
int scripted_cpu(void *ctx);

#endif
