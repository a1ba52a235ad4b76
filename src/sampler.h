/*
 * sampler.h - the sampler threads: one per probe and CPU (or one unpinned).
 *
 * sampler_start() makes the thread, which pins itself, takes its policy,
 * touches its memory, opens the probe and waits; sampler_release() lets all of
 * them begin at a common time zero.  sampler_loop.c is the part that runs in
 * real time.  Main thread calls everything here except where said.
 *
 * Who owns which word: the thread writes `published` (atomics) and its ring;
 * main writes `stop`.  Nobody resets what another thread writes.
 */
#ifndef JS_SAMPLER_H
#define JS_SAMPLER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "src/probe.h"
#include "src/ring.h"
#include "src/rt.h"

#define SAMPLER_WARMUP 100	/* wake-ups not recorded */

struct sampler_published {	/* one cache line pair; written by the sampler only */
	_Alignas(64) _Atomic int64_t beat_ns;	/* woke_ns of the latest sample */
	_Atomic int64_t next_due_ns;	/* what it waits for now; 0: not yet */
	_Atomic int64_t first_due_ns;	/* due time of the first recorded sample; 0: warming up */
	_Atomic uint64_t samples;	/* all, warm-up excluded */
	_Atomic uint64_t busy_periods;	/* samples in a row that did not sleep (spin guard) */
	_Atomic int cpu;		/* CPU of the latest sample */
	_Atomic int state;		/* enum sampler_state */
	_Atomic int error;		/* -errno that ended it */
	_Alignas(64) _Atomic int64_t counters[PROBE_COUNTERS_MAX];	/* the probe's own */
};

enum sampler_state { SAMPLER_STARTING, SAMPLER_READY, SAMPLER_WARMING, SAMPLER_RUNNING, SAMPLER_ENDED, SAMPLER_FAILED };

struct sampler_config {
	const struct probe *probe;
	int cpu;			/* -1: not pinned */
	int64_t period_ns;
	int64_t phase_ns;		/* 0 .. period-1, chosen by the caller's seed */
	int priority;			/* wanted, for PROBE_RT */
	bool want_fifo;			/* rights say FIFO can be had */
	unsigned ring_room;		/* power of two */
	unsigned warmup;
	long knob[PROBE_KNOBS_MAX];
};

struct sampler;			/* opaque */

/* Starts the thread and waits until it is ready or has failed (bounded). */
struct sampler *sampler_start(const struct sampler_config *config, struct why *why);
/* Before the release: samples due before from_ns are warm-up still, so that all
 * samplers begin to count, and their probes' counters at 0, at one time. */
void sampler_count_from(struct sampler *s, int64_t from_ns);
/* Lets it sample: warm-up begins at start_ns (absolute) + phase. */
void sampler_release(struct sampler *s, int64_t start_ns);
void sampler_ask_stop(struct sampler *s);
/* Joins (at most 1 s, else leaves it behind and returns -ETIMEDOUT).  A long
 * sleep is cut short.  Its rings stay readable until sampler_free(), which
 * leaks the memory of one that was left behind: its thread may still write. */
int sampler_join(struct sampler *s);
int sampler_join_by(struct sampler *s, int64_t until_ns);	/* of many: one deadline for all */
void sampler_free(struct sampler *s);	/* asks to stop and joins when that was not done */

const struct sampler_config *sampler_config(const struct sampler *s);
struct ring *sampler_ring(struct sampler *s, unsigned variant);
unsigned sampler_variants(const struct sampler *s);
const struct sampler_published *sampler_published(const struct sampler *s);
void sampler_granted(const struct sampler *s, struct rt_granted *out);	/* read back by the thread at start */
pid_t sampler_tid(const struct sampler *s);
struct why sampler_why(const struct sampler *s);	/* why not (or less) real time */
const char *sampler_note(const struct sampler *s);	/* what the probe says of itself; "" */
/* Page faults of the thread so far (from /proc/self/task/TID); 0 when it has ended. */
void sampler_faults(const struct sampler *s, uint64_t *minor, uint64_t *major);
/* CPU time of the thread; one system call, no file. */
int64_t sampler_cpu_ns(const struct sampler *s);
/* Are its stack, state and rings locked into memory? */
bool sampler_locked(const struct sampler *s);
/* Tries to pin again after hotplug; 0 or -errno. */
int sampler_repin(struct sampler *s);
/* Takes real time away from it; its ring says so (RING_DEMOTED).  Main or the
 * watchdog; async-signal-safe.  0 or -errno. */
int sampler_demote(struct sampler *s);

/* sampler_loop.c: the whole life of a sampler after its set-up.  Real-time;
 * no allocation, lock or stdio.  Exposed so that tests can script env. */
struct sampler_run {
	const struct probe *probe;
	void *state;
	const struct probe_env *env;
	struct ring *const *rings;		/* [variants] */
	struct sampler_published *published;
	const _Atomic bool *stop;
	int (*cpu_now)(void *ctx);		/* sched_getcpu, or scripted; ctx: env's */
	_Atomic int64_t *demoted_ns;		/* set by others when they demoted it; may be NULL */
	unsigned warmup;
	int64_t from_ns;			/* what is due before is warm-up too */
};
int sampler_loop(struct sampler_run *run);	/* 0 or -errno */
/* The real world: fills now_ns, wait_until and ctx (the stop flag, which also
 * ends a wait that a signal interrupts). */
void sampler_real_env(struct probe_env *env, const _Atomic bool *stop);
int sampler_real_cpu(void *ctx);

#endif
