/*
 * pick.h - what a format with room for one probe takes: the real-time
 * wake-ups, or what else there is.
 */
#ifndef JS_FORMATS_PICK_H
#define JS_FORMATS_PICK_H

#include "src/dist.h"
#include "src/snapshot.h"

#define PICK_CPUS_MAX 4096

/* "wakeup-fifo" when it is there, else the first; NULL: no series at all. */
const char *pick_probe(const struct snapshot *s);
/* Its series by CPU number; returns how many. */
unsigned pick_series(const struct snapshot *s, const struct snapshot_series **out, unsigned room);
/* Where pair i lies: at its highest value, but never above the true maximum, so
 * that a table does not contradict the Max beside it. */
int64_t pick_value_ns(const struct snapshot_series *one, size_t i);
/* Its samples, CPUs added up; empty (not an error) when there is no series. */
int pick_dist(struct dist *d, const struct snapshot *s);

#endif
