/*
 * collector.h - brings samples, counters and /proc into the model.
 *
 * Each tick: rings are drained in time order (row by row, so that history
 * rows come out right however late the tick is), each sample is judged
 * (sample, missed, interrupted), load counters and /proc are read once.
 *
 * Judgement: a sample whose window [due, woke] meets a stop, suspend, clock
 * step or hotplug change, or that was taken on another CPU, is interrupted
 * together with the periods it missed.  A sample over 10 periods late is held
 * back for one period so that such news can come first; so is every entry of
 * the last period (250 ms at most), which costs nothing.  "Late" here is a
 * period or 1 ms: a stop hides no sample that was in time.  Conservation is
 * checked against time: due counts due times that passed, the rest counts
 * entries (see counts_hold()).
 *
 * Main thread only.
 */
#ifndef JS_COLLECTOR_H
#define JS_COLLECTOR_H

#include <stdbool.h>
#include <stdint.h>

#include "src/counters.h"
#include "src/gaps.h"
#include "src/loadlog.h"
#include "src/model.h"
#include "src/sampler.h"
#include "src/supervisor.h"

struct collector;

/* Where one series' samples come from. */
struct collector_source {
	unsigned series;		/* index into model->series */
	struct ring *ring;
	const struct sampler_published *published;	/* samplers; NULL: helper */
	const struct helper_line *helper;		/* operation probes; NULL */
	struct sampler *sampler;	/* for repin and usage; NULL in tests */
};

struct collector *collector_new(struct model *m, struct counters *counters);	/* counters may be NULL */
void collector_free(struct collector *c);
int collector_add(struct collector *c, const struct collector_source *source, struct why *why);
/* Takes a source away (probe switched off): drains what is there first. */
void collector_remove(struct collector *c, unsigned series);

enum gap_kind { GAP_STOP, GAP_SUSPEND, GAP_CLOCK, GAP_HOTPLUG, GAP_SCREEN };
/* Something happened that makes late samples of [from, to] no latency. */
void collector_gap(struct collector *c, enum gap_kind kind, int64_t from_ns, int64_t to_ns);

/* Where suspends and clock steps are looked up; NULL: clock.h. */
void collector_set_clocks(struct collector *c, const struct clock_source *source);

/* One turn.  While model->zero_ns is 0 it waits for the first sampler to end
 * its warm-up and then sets time zero (model_zero()).  now_ns is passed in so
 * that tests script it.  Order inside: clocks (suspend, step), rings, counters
 * (4 Hz), rates (each second). */
void collector_tick(struct collector *c, int64_t now_ns);
/* The last one: everything still in the rings, nothing held back. */
void collector_finish(struct collector *c, int64_t now_ns);
/* No process of any load is left: what was told to stop has stopped. */
void collector_loads_finish(struct collector *c, int64_t now_ns);
/* How long may the caller wait until the next tick, given switch rates and
 * ring room?  At most want_ns. */
int64_t collector_wait_ns(const struct collector *c, int64_t want_ns);
/*
 * A spike is a sample later than fixed_threshold_ns, or with 0 than 10 times
 * the p99 of the last 10 s and 100 us.  It goes to model_spike() with all that
 * is known here; fn (may be NULL) is called before, in time order.  When it answers
 * false the spike is not kept.
 */
typedef bool collector_spike_fn(void *ctx, unsigned series, int64_t due_ns, struct spike *s);
void collector_on_spike(struct collector *c, collector_spike_fn *fn, void *ctx,
			int64_t fixed_threshold_ns);
/* Adds the culprits to a spike that is kept.  Called after fn had all spikes of
 * a tick, the worst first, so that a budget is spent on these. */
typedef void collector_look_fn(void *ctx, unsigned series, int64_t due_ns, struct spike *s);
void collector_on_look(struct collector *c, collector_look_fn *fn, void *ctx);
/* Feeds an event of the supervisor into load states and probe errors. */
void collector_supervisor_event(struct collector *c, const struct supervisor_event *e,
				int64_t now_ns);

#endif
