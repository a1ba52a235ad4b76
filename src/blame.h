/*
 * blame.h - who held the CPU while a sampler was late.
 *
 * A perf ring per CPU records every switch and is overwritten by the kernel
 * all the time; nothing reads it until a spike, then it is walked back from the
 * newest record to the due time while it runs on.  Only where that is not
 * enough, or what was read has been written over meanwhile, it is paused and
 * read whole.  The samplers never touch perf.
 *
 * Levels, tried from the top at start:
 *	tracepoints	switches with names, interrupts, softirqs, the waking
 *	switch		switches; interrupts are inside the share of the task
 *			they hit
 *	proc		hints from /proc, never a culprit
 *	none
 *
 * Main thread only.
 */
#ifndef JS_BLAME_H
#define JS_BLAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "src/cpuset.h"
#include "src/model.h"

enum blame_level {
	BLAME_LEVEL_NONE,
	BLAME_LEVEL_PROC,
	BLAME_LEVEL_SWITCH,
	BLAME_LEVEL_TRACEPOINTS
};

struct blame;

/* Opens what this user may, for these CPUs; at most `most`.  Never refused: the
 * level says what there is.  NULL: no memory. */
struct blame *blame_new(const struct cpuset *cpus, enum blame_level most);
void blame_free(struct blame *b);

enum blame_level blame_level(const struct blame *b);
const char *blame_level_name(enum blame_level level);	/* "tracepoints" "switch" "proc" "none" */
/* One line: the level, why not the next one up, and what to do for it. */
const char *blame_how(const struct blame *b, char *buf, size_t size);

/* The thread that samples this series: its own share is told apart, and with
 * tracepoints its waking.  tid 0: the series has ended. */
void blame_watch(struct blame *b, unsigned series, int cpu, pid_t tid);

/*
 * Adds culprits (the largest by name, then "(others)", then "unknown": their
 * sum is exactly late_ns), the note and `incomplete` to a prepared spike, and their time to
 * the model's tables.  Looks take 3 % of a CPU and 4 ms of a turn at most
 * (blame_budget.h); the others get a note, and are a part "(not looked at)" of the tables.  So call it
 * for the worst of a turn first.
 */
void blame_spike(struct blame *b, struct model *m, unsigned series, int64_t due_ns,
		 struct spike *s);

/* Once a second: hints, CPUs that came or went, and those whose rings tell
 * nothing of their idle task (series.idle_unrecorded). */
void blame_second(struct blame *b, struct model *m, int64_t now_ns);
/* How long may main wait before the rings have forgotten a spike? INT64_MAX:
 * as long as it likes. */
int64_t blame_wait_ns(struct blame *b, int64_t now_ns);

#endif
