/*
 * snapshot_rt.h - was what a snapshot holds measured in real time?
 *
 * Said of the series themselves: rights that no series used are no real time.
 * Pure; the owner of the snapshot.
 */
#ifndef JS_SNAPSHOT_RT_H
#define JS_SNAPSHOT_RT_H

#include <stdbool.h>
#include <stddef.h>

#include "src/snapshot.h"

enum snapshot_rt {
	SNAPSHOT_RT_NONE,	/* no real-time probe */
	SNAPSHOT_RT_ALL,
	SNAPSHOT_RT_PARTLY,	/* some samplers of it had no real time */
	SNAPSHOT_RT_NOT		/* wanted, and not had */
};

enum snapshot_rt snapshot_rt(const struct snapshot *s);
/* "SCHED_FIFO": the policy of the first real-time series; NULL: there is none. */
const char *snapshot_rt_policy(const struct snapshot *s);
/* "real time" "no real-time probe" "PARTLY REAL TIME" "NOT REAL TIME" */
const char *snapshot_rt_text(const struct snapshot *s);
/* "1 of 2 CPUs measured"; of probes that have no CPU of their own "2 CPUs". */
const char *snapshot_cpus_text(const struct snapshot *s, char *buf, size_t size);
bool snapshot_policy_is_rt(const char *policy);

#endif
