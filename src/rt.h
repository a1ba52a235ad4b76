/*
 * rt.h - real-time rights: obtained step by step, read back, never assumed.
 *
 * The ladder: SCHED_FIFO at the wanted priority, by CAP_SYS_NICE or by
 * RLIMIT_RTPRIO with its soft limit raised; CAP_SYS_NICE raised from permitted
 * and dropped again; min(wanted, limit); else SCHED_OTHER at the best nice.
 * Never priority 99, always SCHED_RESET_ON_FORK.  RLIMIT_RTTIME: only the soft
 * limit is set.
 *
 * rt_prepare() belongs to the main thread before any other thread exists;
 * rt_become() to the thread it changes.
 */
#ifndef JS_RT_H
#define JS_RT_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
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
 * When not root it keeps CAP_SYS_NICE and CAP_PERFMON permitted and drops the
 * rest; CAP_IPC_LOCK stays as long as the lock needs it, for without it the
 * next map of memory would fail. */
void rt_prepare(int wanted_priority, struct rt_rights *out);

/* Makes the calling thread SCHED_FIFO; on refusal it stays SCHED_OTHER and
 * *granted says so.  0 or -errno. */
int rt_become_fifo(int priority, struct rt_granted *granted, struct why *why);
/* SCHED_OTHER, nice 0 where permitted, timer slack 1 ns. */
int rt_become_other(struct rt_granted *granted);
/* The best nice value permitted (-20 .. 0) for the calling thread. */
int rt_best_nice(void);
/* Reads back from the kernel; tid 0: the caller. */
int rt_read_back(pid_t tid, struct rt_granted *granted);
const char *rt_policy_name(int policy);	/* "SCHED_FIFO" ... */

/* Demotes another thread (watchdog) or, async-signal-safe, the caller (0). */
int rt_demote(pid_t tid);
/* Where the SIGXCPU handler notes the time when it demoted the calling thread,
 * and counts the overruns of its SCHED_DEADLINE runtime (which is its own
 * limit: such a thread is not demoted). */
void rt_note_xcpu(_Atomic int64_t *demoted_ns, _Atomic int64_t *overruns);
/* After a SIGXCPU the kernel has raised the soft limit: set it again. Main. */
void rt_restore_rttime(void);
/* Puts the SIGXCPU handler in place: it demotes the thread that spun. */
void rt_install_xcpu(void);
/* How many SIGXCPU demotions so far, and the tid of the last. */
unsigned rt_xcpu_count(pid_t *last_tid);

/* Ends the sleep of a thread of this process that has the SIGXCPU handler: its
 * call returns EINTR.  Nothing is demoted. */
int rt_interrupt(pthread_t thread);

/* Starts a thread with a stack of 64 KiB in which only faults and SIGXCPU are
 * not blocked.  0 or -errno. */
#define RT_STACK_BYTES (64 * 1024)
int rt_thread_start(pthread_t *thread, void *(*run)(void *arg), void *arg);
/* Called by such a thread itself: touches its stack and locks it. -errno: not
 * locked, but touched. */
int rt_prefault_stack(void);
/* An alternate signal stack for the calling thread, of RT_ALTSTACK_BYTES; NULL
 * takes it away again, before the thread ends and its memory is freed. */
#define RT_ALTSTACK_BYTES (16 * 1024)
int rt_use_altstack(void *memory);
/* Locks the pages of a range, with CAP_IPC_LOCK if permitted.  0 or -errno. */
int rt_lock_range(const void *memory, size_t bytes);
bool rt_has_capability(int capability, bool effective);	/* else: permitted */
/* Runs call(arg) with a capability (CAP_SYS_NICE ...) that is permitted raised
 * for this thread and dropped after; returns what it returned, or -EPERM when
 * the capability is not permitted. */
int rt_with_capability(int capability, int (*call)(void *arg), void *arg);

#endif
