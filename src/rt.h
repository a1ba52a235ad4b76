/*
 * rt.h - real-time rights: obtained step by step, read back, never assumed.
 *
 * The ladder: SCHED_FIFO at the wanted priority; the soft RLIMIT_RTPRIO raised
 * and min(wanted, limit); CAP_SYS_NICE raised from permitted and dropped
 * again; else SCHED_OTHER at the best nice.  Never priority 99, always
 * SCHED_RESET_ON_FORK.  RLIMIT_RTTIME: only the soft limit is set.
 *
 * rt_prepare() belongs to the main thread before any other thread exists;
 * rt_become() to the thread it changes.
 */
#ifndef JS_RT_H
#define JS_RT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "src/why.h"

#define RT_PRIORITY_MAX 97
#define RT_PRIORITY_DEFAULT 80

enum rt_lock { RT_LOCK_NONE, RT_LOCK_SAMPLERS, RT_LOCK_ALL };

struct rt_granted {		/* what the kernel says, by sched_getattr */
	int policy;		/* SCHED_FIFO, SCHED_OTHER, SCHED_DEADLINE */
	int priority;		/* 0 for OTHER */
	int nice;
	bool reset_on_fork;
	long slack_ns;		/* timer slack of the calling thread; -1: of another thread */
};

struct rt_rights {		/* found by rt_prepare() */
	bool fifo;		/* FIFO can be had */
	int priority;		/* the priority that was granted to a trial thread */
	int cpus_limit;		/* at most so many FIFO samplers (sched_rt_runtime_us -1: ncpu - 1); -1: no limit */
	enum rt_lock lock;
	struct why why;		/* why not (fifo false), or why less than wanted */
	struct why lock_why;
};

/* Tries and reads back; raises limits and capabilities, sets the soft
 * RLIMIT_RTTIME and the lock.  Never fails: the result says what there is.
 * Keeps CAP_SYS_NICE and CAP_PERFMON permitted, drops the rest when not root. */
void rt_prepare(int wanted_priority, struct rt_rights *out);

/* Makes the calling thread SCHED_FIFO; on refusal it stays SCHED_OTHER and
 * *granted says so.  0 or -errno. */
int rt_become_fifo(int priority, struct rt_granted *granted, struct why *why);
/* SCHED_OTHER, timer slack 1 ns. */
int rt_become_other(struct rt_granted *granted);
/* The best nice value permitted (-20 .. 0) for the calling thread. */
int rt_best_nice(void);
/* Reads back from the kernel; tid 0: the caller. */
int rt_read_back(pid_t tid, struct rt_granted *granted);
const char *rt_policy_name(int policy);	/* "SCHED_FIFO" ... */

/* Demotes another thread (watchdog) or, async-signal-safe, the caller. */
int rt_demote(pid_t tid);
/* After a SIGXCPU the kernel has raised the soft limit: set it again. Main. */
void rt_restore_rttime(void);
/* Puts the SIGXCPU handler in place: it demotes the thread that spun. */
void rt_install_xcpu(void);
/* How many SIGXCPU demotions so far, and the tid of the last. */
unsigned rt_xcpu_count(pid_t *last_tid);

/* Gives a new thread 64 KiB of stack, pre-touched. pthread_attr_t *attr is
 * initialised by the call. */
#define RT_STACK_BYTES (64 * 1024)
void rt_prefault_stack(void);	/* called by the thread itself */

#endif
