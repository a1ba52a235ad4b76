/*
 * probe.h - the contract between a probe (probes/NAME.c) and the core.
 *
 * A probe times one thing again and again.  sample() waits once, times once
 * and fills *out.  It runs on a sampler thread (SCHED_FIFO when granted) or,
 * with PROBE_HELPER, in a small process of its own; either way it must not
 * allocate, lock, print or call anything but what it measures.
 *
 * Adding a probe: one file and one X(name) line in probes/registry.c.
 */
#ifndef JS_PROBE_H
#define JS_PROBE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>

#include "src/clock.h"
#include "src/why.h"

#define PROBE_NAME_MAX 24
#define PROBE_VARIANTS_MAX 8
#define PROBE_KNOBS_MAX 6
#define PROBE_COUNTERS_MAX 6
#define PROBE_PARTNERS_MAX 4

enum probe_flag {
	PROBE_RT = 1,		/* wants SCHED_FIFO at the option's priority */
	PROBE_HELPER = 2,	/* an operation: runs in a process of its own */
	PROBE_ONESHOT = 4,	/* only when asked: one sample per request */
	PROBE_PER_CPU = 8,	/* one pinned sampler on every measured CPU */
	PROBE_DEFAULT = 16,	/* on unless -P says otherwise */
	PROBE_LIGHT = 32,	/* of the light set, all within the helper budget */
	PROBE_SCRATCH = 64,	/* needs a scratch folder */
	PROBE_EXECS = 128,	/* helper: runs programs of the system's directories, or our own */
	PROBE_WORKS = 256,	/* sampler: uses the CPU on purpose; no cost of measuring */
};

struct probe_knob {		/* a bounded integer, or a named choice */
	const char *name, *help;
	long least, value, most;	/* value: the default */
	const char *const *choices;	/* NULL: a number; else choices[0..most] */
};

/*
 * What a probe counts beside its samples (skips, freezes), for main to show
 * without knowing the probe: its table names them, it writes them with
 * relaxed atomics at env->counters, same index.  One writer; they only grow,
 * and begin at 0 when the warm-up ends: with the run, or when it is turned on.
 */
struct probe_counter {
	const char *name;	/* "skips" */
	bool is_time;		/* in ns; else a number */
	bool is_most;		/* the largest seen: samplers together have the maximum, else the sum */
	const char *share_of;	/* shown as a percentage of that counter; NULL: as it is */
	bool is_event;		/* each is worth a mark where time is drawn */
};

/* The world as a probe sees it; tests hand in a scripted one.  It stays where
 * it is from open() to close(), so a probe may keep the pointer. */
struct probe_env {
	int64_t (*now_ns)(void *ctx);
	/* Sleeps until due_ns, EINTR included; 0 or a positive errno (EINTR
	 * itself only when the probe is to end). */
	int (*wait_until)(void *ctx, int64_t due_ns);
	/* For operation probes under test; NULL: do the real operation. */
	int (*operation)(void *ctx, unsigned variant);
	void *ctx;
	int64_t period_ns;	/* helpers: may grow between two samples (budget) */
	int64_t first_due_ns;	/* samplers: the first due time, random phase inside;
				 * set between open() and the first sample() */
	int cpu;		/* -1: not pinned */
	uint64_t seed;		/* for random offsets of operation probes */
	int scratch_fd;		/* PROBE_SCRATCH: a directory; else -1 */
	long knob[PROBE_KNOBS_MAX];
	/* Operation probes set it just before the timed call and clear it (0)
	 * just after: a call in flight is seen before it returns.  May be NULL. */
	_Atomic int64_t *in_flight_ns;
	_Atomic unsigned *in_flight_variant;	/* whose call it is; set before.  May be NULL. */
	_Atomic int64_t *counters;	/* [PROBE_COUNTERS_MAX]; NULL: nobody looks */
	/* Operation probes: children that live as long as the probe (0: none);
	 * their CPU time counts as its own.  [PROBE_PARTNERS_MAX]; may be NULL. */
	pid_t *partners;
	/* Is the probe to end?  For those that block in a call of their own,
	 * after EINTR.  NULL: never. */
	bool (*stopping)(void *ctx);
	/* Times the kernel told this thread that it used up the runtime it had
	 * reserved (SCHED_DEADLINE).  May be NULL. */
	const _Atomic int64_t *overruns;
	/* Samplers: the due time that is awaited, for others to see that a wait
	 * is late.  The loop sets it; a probe that goes on working once it is
	 * awake clears it (0) for as long.  May be NULL. */
	_Atomic int64_t *awaited_ns;
};

struct probe_sample {
	int64_t due_ns;		/* start of what is timed */
	int64_t woke_ns;	/* end of it; latency = woke - due, signed */
	unsigned variant;	/* which series, 0 when there are no variants */
	int error;		/* positive errno: the operation failed, no value */
	unsigned missed;	/* periods skipped that do not follow from due, woke
				 * and the period: operation probes whose last one was
				 * not done.  Most samplers leave 0. */
};

struct probe {
	const char *name, *summary;
	unsigned flags;
	int64_t period_ns;	/* default; 0: the -i option's interval */
	const char *const *variants;	/* NULL, or names of its series, NULL-ended */
	struct probe_knob knobs[PROBE_KNOBS_MAX + 1];	/* ends with name NULL */
	struct probe_counter counters[PROBE_COUNTERS_MAX + 1];	/* likewise */
	size_t state_size;
	/* Set-up, before the first sample, on the sampler's own thread or
	 * process; may allocate and open.  0 or -errno with why; on 0 why->text
	 * may hold a note for the user ("rtc: emulated, ...").  After -EPERM a
	 * sampler may call it once more with CAP_SYS_NICE raised. */
	int (*open)(void *state, const struct probe_env *env, struct why *why);
	/* 0: *out is filled (out->error says whether the operation failed);
	 * negative: the probe cannot go on, -errno. */
	int (*sample)(void *state, struct probe_sample *out);
	void (*close)(void *state);
};

/* NULL-ended; defined by probes/registry.c in the order of its X lines. */
extern const struct probe *const probes[];

/* For counters: add n, or note a new largest value. */
static inline void probe_counter_add(const struct probe_env *env, unsigned counter, int64_t n)
{
	if (env->counters) {
		int64_t now = atomic_load_explicit(&env->counters[counter], memory_order_relaxed);

		atomic_store_explicit(&env->counters[counter], now + n, memory_order_relaxed);
	}
}

static inline void probe_counter_most(const struct probe_env *env, unsigned counter, int64_t value)
{
	if (env->counters &&
	    value > atomic_load_explicit(&env->counters[counter], memory_order_relaxed))
		atomic_store_explicit(&env->counters[counter], value, memory_order_relaxed);
}

/*
 * A knob named "period" is in milliseconds and takes the place of period_ns
 * and of the interval.  That of an operation probe, whose default is period_ns:
 */
#define PROBE_PERIOD_KNOB(default_ms) \
	{ "period", "ms between two operations", 20, (default_ms), 60000, NULL }

static inline int64_t probe_period_ns(const struct probe *p, const long *knob, int64_t interval_ns)
{
	for (unsigned i = 0; i < PROBE_KNOBS_MAX && p->knobs[i].name; i++) {
		if (strcmp(p->knobs[i].name, "period") == 0)
			return knob[i] * NS_PER_MS;
	}
	return p->period_ns ? p->period_ns : interval_ns;
}

/*
 * Late by how many whole periods?  Those due times lie at or before woke_ns
 * and are skipped: missed.  The next due time is due + (missed + 1) * period.
 * Real-time safe.  Shared by samplers (to skip) and the collector (to count).
 */
static inline int64_t probe_missed(int64_t due_ns, int64_t woke_ns, int64_t period_ns)
{
	int64_t late_ns = woke_ns - due_ns;

	/* The usual case needs no division. */
	return late_ns < period_ns ? 0 : late_ns / period_ns;
}

#endif
