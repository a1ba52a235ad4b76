/*
 * group.h - the processes below a worker that itself only watches.
 *
 * The worker forks them, adds up their CPU time, ends with them when it is
 * told to stop, and fails when one of them dies.  Worker processes only.
 */
#ifndef JS_LOADS_GROUP_H
#define JS_LOADS_GROUP_H

#include <stdbool.h>
#include <sys/types.h>

#include "src/load.h"

#define GROUP_MAX 64

struct group {
	unsigned count;
	pid_t pid[GROUP_MAX];
};

/* 0 in the child, its pid in the worker, -errno with why. */
pid_t group_fork(struct group *g, struct load_worker *w, struct why *why);
/* CPU time of the worker and of all that live, into cpu_ns of its line. */
void group_cpu(const struct group *g, struct load_worker *w);
/* CPU time of one of them, in ns; 0 when it is gone. */
int64_t group_cpu_ns(pid_t pid);
/* Returns when the worker is told to stop (0) or one has died (-ECHILD with
 * why).  each() is called 50 times a second; NULL: nothing is. */
int group_watch(struct group *g, struct load_worker *w, void (*each)(struct load_worker *w),
		struct why *why);
/* Has one died?  -ECHILD with why. */
int group_check(struct group *g, struct why *why);
/* KILL, and reaped. */
void group_end(struct group *g);

#endif
