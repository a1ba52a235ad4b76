/*
 * culprit.h - a task of known name that holds a CPU above the samplers for a
 * while, again and again, and keeps a log of when it ran.
 *
 * It runs in processes of its own.  One that lives on logs its own clock.  One
 * that ends goes on running in the kernel after its last look at the clock, so
 * the end is taken from the kernel's account of it, read once it is a zombie.
 */
#ifndef JS_TESTS_CULPRIT_H
#define JS_TESTS_CULPRIT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define CULPRIT_PRIORITY 90
#define CULPRIT_HOLD_NS (5 * 1000 * 1000)
#define CULPRIT_TURNS 1024

enum culprit_kind {
	CULPRIT_STAYS,		/* one process, which sleeps between its turns */
	CULPRIT_CLONES,		/* a process each time, in the memory of its parent */
	CULPRIT_EXECS,		/* a program each time */
	CULPRIT_KINDS
};

struct culprit_turn { int64_t began_ns, ended_ns; };

struct culprit {
	char name[16];		/* of the task: its own in each run */
	pid_t pid;
	int fd;			/* of the log */
	struct culprit_log *log;
};

extern const char *const culprit_kinds[CULPRIT_KINDS];

/* The task takes that many turns on this CPU, one each period. */
void culprit_start(struct culprit *c, enum culprit_kind kind, int cpu, unsigned turns,
		   int64_t period_ns);
/* The turns that were taken so far. */
unsigned culprit_turns(const struct culprit *c, const struct culprit_turn **turns);
/* Waits at most wait_ms for the last turn; false: something was refused. */
bool culprit_end(struct culprit *c, int wait_ms);

#endif
