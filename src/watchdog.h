/*
 * watchdog.h - a thread above the samplers that keeps the machine usable.
 *
 * FIFO sampler+1 when granted, poll only, 4 Hz, counts awake time only and
 * starts afresh after a gap (stop, suspend).  Main silent for 2 s (5 s when
 * main is not real-time): asks for all loads to be killed, straight to the
 * supervisor; twice that: demotes the samplers.  A sampler that ran 10 periods
 * and 100 ms without sleeping is demoted.
 *
 * The decisions are a pure function, tested with scripted time.
 */
#ifndef JS_WATCHDOG_H
#define JS_WATCHDOG_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "src/sampler.h"

struct watchdog;

struct watchdog_config {
	struct sampler *const *samplers;	/* stays valid until watchdog_stop() */
	unsigned nr_samplers;
	int priority;				/* 0: SCHED_OTHER */
	bool main_is_rt;
	void (*kill_loads)(void *ctx);		/* called on the watchdog's thread; must be async-safe */
	void *ctx;
};

struct watchdog *watchdog_start(const struct watchdog_config *config, struct why *why);
void watchdog_stop(struct watchdog *w);
/* Main thread, once per turn of its loop. */
void watchdog_feed(struct watchdog *w);
/* What it has done so far; only grows. */
unsigned watchdog_demotions(const struct watchdog *w, pid_t *last_tid);
unsigned watchdog_kills(const struct watchdog *w);

/* The judgement, pure. */
enum watchdog_act { WATCHDOG_NOTHING = 0, WATCHDOG_KILL_LOADS = 1, WATCHDOG_DEMOTE_ALL = 2 };
struct watchdog_state {
	int64_t last_turn_ns, silent_ns;
	bool killed, demoted;
};
unsigned watchdog_judge(struct watchdog_state *state, int64_t now_ns, int64_t fed_ns, bool main_is_rt);

#endif
