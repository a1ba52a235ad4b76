/*
 * loadlog.h - what the loads do, from the supervisor's events and the shared
 * counters into the model: states, rates, runs, load rows, marks.
 *
 * Rates are work over real time, 4 times a second; the first interval after
 * RUN and after a gap is dropped.  Preparation is never counted.  Two seconds
 * of RUN without work are "no progress".
 *
 * Main thread only.
 */
#ifndef JS_LOADLOG_H
#define JS_LOADLOG_H

#include <stdint.h>

#include "src/counters.h"
#include "src/model.h"
#include "src/supervisor.h"

struct loadlog;

struct loadlog *loadlog_new(struct model *m, struct counters *counters);	/* NULL: no memory */
void loadlog_free(struct loadlog *l);

/* States up to STARTING and STOPPING are set by who asks; from there on the
 * supervisor's events drive them. */
void loadlog_event(struct loadlog *l, const struct supervisor_event *e, int64_t now_ns);
/* Time passed in which nothing ran: the next interval is no rate. */
void loadlog_gap(struct loadlog *l);
/* Call as often as you like: reads the counters 4 times a second. */
void loadlog_tick(struct loadlog *l, int64_t now_ns);
/* No process of any load is left: those that were told to stop have stopped,
 * though their files may still be being deleted. */
void loadlog_finish(struct loadlog *l, int64_t now_ns);
/* Names of the loads that ran at any time of [from, to], blank-separated. */
void loadlog_names(const struct loadlog *l, int64_t from_ns, int64_t to_ns, char *buf,
		   unsigned size);

#endif
