/*
 * intake.h - one series' way from its ring into the model: every entry is
 * judged, filed, and the sum rule kept.
 *
 * due is told by time: it grows by (due - expected due) / period + 1 + missed
 * at each entry, so an entry that got lost leaves due above the sum.  Periods
 * that went into the spill are gaps between two entries; those that no later
 * entry has bridged yet are added from the spill's own counter.  Only where
 * due times are no grid (operation probes, variants in turn) due is counted by
 * entries and RING_MISSED markers.
 *
 * Part of the collector.  Main thread only.
 */
#ifndef JS_INTAKE_H
#define JS_INTAKE_H

#include <stdbool.h>
#include <stdint.h>

#include "src/collector.h"
#include "src/gaps.h"
#include "src/window.h"

#define INTAKE_SPIKES 256	/* of a tick, which comes once a second at least */
#define INTAKE_ROWS 4		/* rows of 250 ms in a second */

struct intake_spike { unsigned series; int64_t due_ns, woke_ns; };

struct intake_shared {		/* what all intakes of a collector work with */
	struct model *model;
	struct gaps gaps;
	int64_t now_ns;
	struct window **window;		/* [groups] */
	int64_t *spike_ns;		/* [groups] lateness that is a spike */
	struct intake_spike spike[INTAKE_SPIKES];	/* found in this tick */
	unsigned nr_spikes;
};

struct intake;

struct intake *intake_new(struct intake_shared *shared, const struct collector_source *source,
			  int64_t now_ns);	/* NULL: no memory */
void intake_free(struct intake *in);
const struct collector_source *intake_source(const struct intake *in);
/* How long an entry waits, so that news of a stop can come first. */
int64_t intake_hold_ns(const struct intake *in);
/* Nothing in its ring woke before this time; INT64_MAX: empty.  A marker
 * waits for no time: 0. */
int64_t intake_oldest_ns(const struct intake *in);
/* Judges and files all entries with woke before until_ns. */
void intake_drain(struct intake *in, int64_t until_ns);
/* A row of 250 ms is over. */
void intake_row(struct intake *in);
/* After the last drain of a tick: the spill, and due. */
void intake_settle(struct intake *in);
/* Call in flight, silence, end: what the other side publishes. */
void intake_watch(struct intake *in);
/* When will the ring be half full, at this rate? */
int64_t intake_room_ns(const struct intake *in);
/* Due time of the first recorded sample; 0: still warming up, and so are the
 * counters of its probe. */
int64_t intake_first_due_ns(const struct intake *in);
bool intake_warming(const struct intake *in);

#endif
