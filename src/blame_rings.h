/*
 * blame_rings.h - the flight recorder: a perf ring per CPU, opened, paused,
 * let go on.  Part of blame.  Main thread only.
 */
#ifndef JS_BLAME_RINGS_H
#define JS_BLAME_RINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/blame_idle.h"
#include "src/blame_walk.h"
#include "src/perf_ring.h"
#include "src/why.h"

#define BLAME_POINTS 6		/* tracepoints of the top level */
#define BLAME_WATCHED 4
#define BLAME_PAUSES 16

struct blame_ring {
	int cpu;
	int fd;			/* -1: not open */
	int point_fd[BLAME_POINTS];
	int watched[BLAME_WATCHED];	/* tids of the samplers there; 0: none */
	void *map;		/* a page, then the data */
	size_t data_bytes;
	uint64_t last_head;	/* for the rate */
	enum blame_idle idle;	/* what it tells of the idle task, as far as is known */
	struct blame_pause pause[BLAME_PAUSES];	/* the latest */
	unsigned pauses;	/* made so far */
};

/* Tracepoints' ids and fields; 0 or -errno with why (first file that lacks). */
int blame_layout_read(struct trace_layout *out, struct why *why);

/* layout: NULL for switches only.  data_bytes: the most; halved down to 64 KiB
 * until it fits.  0 or -errno; the ring is then closed. */
int blame_ring_open(struct blame_ring *r, int cpu, const struct trace_layout *layout,
		    size_t data_bytes, struct why *why);
/* A ring that tells of names, births and deaths only: quick to read, and not
 * written over by switches. */
int blame_ring_open_names(struct blame_ring *r, int cpu, size_t data_bytes);
void blame_ring_close(struct blame_ring *r);
/* Wakings of this sampler thread are recorded from now on. */
void blame_ring_watch(struct blame_ring *r, int tid);

/* Between the two nothing is written, and what comes is lost. */
void blame_ring_pause(struct blame_ring *r);
void blame_ring_resume(struct blame_ring *r);
/* What can be read.  running: it is not paused, so three quarters at most; were
 * they all still there, now that they have been read? */
struct perf_ring_bytes blame_ring_bytes(const struct blame_ring *r, bool running);
bool blame_ring_intact(const struct blame_ring *r, const struct perf_ring_bytes *bytes);
uint64_t blame_ring_head(const struct blame_ring *r);

/* CAP_PERFMON on and off again, where it is permitted but not effective. */
bool blame_rights_raise(void);	/* true: it was done, undo it */
void blame_rights_drop(bool raised);

#endif
