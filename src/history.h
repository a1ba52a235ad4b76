/*
 * history.h - latency over time: sparse rows of 8 slots an octave, in memory
 * bounded at start.
 *
 * Tiers of a full history: 250 ms rows for 15 min, then 1 s for 2 h, 10 s for
 * 24 h, 60 s for 7 days; HISTORY_SHORT keeps 250 ms rows for 15 min and after
 * that only each row's maximum; HISTORY_MAXIMA (per CPU on machines with very
 * many) keeps 1 s maxima for 15 min and nothing else.  The coarser tiers are filled by merging, so
 * a column over several rows is exact; a column finer than the row that holds
 * its time shows that row.
 *
 * A sample is filed by its own time, not by when it was drained.  The newest
 * HISTORY_OPEN rows are open for late comers; a sample older than that goes to
 * the oldest open row and is counted in `late` (the collector drains rings in
 * time order, so this is rare).
 *
 * Times are CLOCK_MONOTONIC ns.  Main thread only.
 */
#ifndef JS_HISTORY_H
#define JS_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/slots.h"

#define HISTORY_ROW_NS INT64_C(250000000)
#define HISTORY_OPEN 16

enum history_kind { HISTORY_FULL, HISTORY_SHORT, HISTORY_MAXIMA };

/* What a row or column is to be marked with. */
enum history_flag {
	HISTORY_NOT_RT = 1,	/* wanted real time, did not have it */
	HISTORY_STEAL = 2,	/* the hypervisor took CPU time */
	HISTORY_STOPPED = 4,	/* stop, suspend or clock step: interrupted */
	HISTORY_THROTTLED = 8,	/* RT throttling pattern */
	HISTORY_OFFLINE = 16,	/* CPU away, or sampler not reporting */
	HISTORY_MISSED = 32,	/* at least one period missed */
};

struct column {			/* any span of time, merged */
	uint32_t counts[SLOTS];	/* saturating */
	unsigned low, high;	/* non-empty slots; low > high: none */
	uint64_t count, missed, interrupted;	/* count may exceed the slots: maxima only */
	int64_t max_ns;
	unsigned flags;
	bool known;		/* the span lies at least partly inside the history */
};

struct history;

struct history *history_new(enum history_kind kind, int64_t zero_ns);	/* NULL: no memory */
void history_free(struct history *h);
/* Empties it; rows count from zero_ns now. */
void history_restart(struct history *h, int64_t zero_ns);
void history_add(struct history *h, int64_t t_ns, int64_t value_ns);
void history_add_n(struct history *h, int64_t t_ns, int64_t value_ns, uint64_t n);
void history_lost(struct history *h, int64_t t_ns, uint64_t missed, uint64_t interrupted);
void history_flag(struct history *h, int64_t t_ns, unsigned flags);
/* Rows that end at or before now_ns minus the open span are sealed.  Call once a
 * tick, with times that grow; a replay may leap, which costs no loop over years. */
void history_advance(struct history *h, int64_t now_ns);

/* Merges the rows that begin in [from_ns, to_ns) into *out; when the span is
 * finer than the rows there, the row that contains from_ns. */
void history_column(const struct history *h, int64_t from_ns, int64_t to_ns, struct column *out);
int64_t history_oldest_ns(const struct history *h);
int64_t history_newest_ns(const struct history *h);	/* end of the newest row */
uint64_t history_late(const struct history *h);
size_t history_bytes(const struct history *h);	/* memory it may take at most */

#endif
