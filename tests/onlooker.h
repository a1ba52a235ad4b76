/*
 * onlooker.h - a real sampler on one CPU, a collector that reads it, and blame
 * behind that: the program's main thread without the program, for tests of who
 * held the CPU.
 */
#ifndef JS_TESTS_ONLOOKER_H
#define JS_TESTS_ONLOOKER_H

#include <stdbool.h>
#include <stdint.h>

#include "src/blame.h"
#include "src/collector.h"

struct onlooker {
	int cpu;		/* that is sampled, each millisecond */
	struct model *m;	/* one group, one series */
	struct collector *c;
	struct blame *b;
	struct sampler *sampler;
};

struct onlooker_plan {
	enum blame_level level;
	int priority;		/* of the sampler, SCHED_FIFO */
	int64_t spike_ns;	/* later than that */
	collector_spike_fn *spike;	/* asks blame itself: o->b, o->m */
	void *ctx;
};

/*
 * On the first CPU that is allowed.  What reads the rings has another, where
 * there is one, and the first is never taken offline, so that its ring tells of
 * its idle task (see blame_idle.h).  Blame watches all, a name may be told on any.
 * false: no real time, or another level than that (blame_how() says why); it is
 * to be stopped all the same.
 */
bool onlooker_start(struct onlooker *o, const struct onlooker_plan *plan);
void onlooker_stop(struct onlooker *o);
void onlooker_tick_for(struct onlooker *o, int64_t span_ns);

/* Where nobody has mounted it: for the calling process alone. */
void onlooker_mount_tracefs(void);

#endif
