/*
 * ring.h - samples of one series from one sampler to the main thread.
 *
 * One producer, one consumer, no waiting on either side, 16 bytes an entry.
 * When the ring is full the sample is counted in the spill: a histogram and
 * totals that only grow, written by the producer with relaxed atomics.  Those
 * samples are in every total and percentile, only their time is unknown
 * ("unplaced").  So nothing is ever lost.
 *
 * The entries and counters lie in one block, made by ring_new() (private) or
 * handed to ring_init() (shared memory of operation probes).  struct ring is
 * each process's own handle on the block: the room and what was read last are
 * kept there, so a reader need not trust the memory of a helper (indexes are
 * masked, counters may only grow).  A handle made before a fork serves both
 * sides, the parent as reader and the child as producer.
 */
#ifndef JS_RING_H
#define JS_RING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/slots.h"

/* Samples, or periods without one, that a ring may have seen: nine years at one
 * a microsecond, and 32 such rings in turn fit into one series of a file. */
#define RING_TOTAL_MAX (UINT64_C(1) << 48)

struct ring_entry {		/* 16 bytes */
	int64_t due_ns;		/* > 0: a sample.  < 0: -(enum ring_mark) */
	int64_t woke_ns;
};

enum ring_mark {		/* what a marker entry says; woke_ns holds `since` or a time */
	RING_WRONG_CPU = 1,	/* the next entry was taken on another CPU: interrupted */
	RING_ERROR = 2,		/* the next entry's operation failed: interrupted + error; woke_ns: errno */
	RING_DEMOTED = 3,	/* SIGXCPU or the watchdog took real time away at woke_ns */
	RING_REPINNED = 4,	/* back on the right CPU at woke_ns */
	RING_MISSED = 5,	/* beside what due and woke tell, so many periods (woke_ns) were missed before the next entry */
};

struct ring;			/* fields are ring.c's business */

struct ring_spill {		/* a consistent copy */
	uint64_t count, missed, interrupted, errors;
	uint64_t periods;	/* due times it stands for */
	uint64_t early, over;
	int64_t max_ns;
};

size_t ring_bytes(unsigned room);	/* room: a power of two, 2 .. 1 << 20; else 0 */
/* A handle on a block of ring_bytes(room), aligned to 64 and zero at first;
 * also attaches to a block in use.  NULL: no memory, or a bad room. */
struct ring *ring_init(void *memory, unsigned room);
struct ring *ring_new(unsigned room);	/* NULL: no memory, or a bad room */
void ring_free(struct ring *r);		/* the handle; the block as well if ring_new() made it */
void ring_prefault(struct ring *r);	/* touches every page, before the first sample */
int ring_lock(struct ring *r);		/* into memory; 0 or -errno of mlock */

/* Producer thread; real-time safe. */
bool ring_push(struct ring *r, int64_t due_ns, int64_t woke_ns);	/* false: full */
/* A marker and the entry it speaks of, both or none. */
bool ring_push_marked(struct ring *r, enum ring_mark mark, int64_t mark_woke_ns,
		      int64_t due_ns, int64_t woke_ns);
/* Files a refused sample; periods = 1 + the periods it missed.  All of them
 * count as interrupted, or one as a sample and the others as missed. */
void ring_spill(struct ring *r, int64_t value_ns, uint64_t periods, bool interrupted);
/* Likewise for a failed operation: an error, its periods are interrupted. */
void ring_spill_error(struct ring *r, uint64_t periods);

/* Before the first entry of a producer that follows one which was killed: ends
 * the change of the spill that it may have left half done.  A reader sees the
 * sums grow only. */
void ring_mend(struct ring *r);

/* Main thread. */
/* Oldest entry without taking it; false when empty. */
bool ring_peek(const struct ring *r, struct ring_entry *out);
/* Copies up to room entries whose woke_ns (markers: any) lies before until_ns
 * and takes them out; stops at the first that does not.  INT64_MAX: all. */
unsigned ring_drain(struct ring *r, int64_t until_ns, struct ring_entry *out, unsigned room);
unsigned ring_used(const struct ring *r);
unsigned ring_room(const struct ring *r);
/* A consistent copy of the totals and of the spill's slots (8 an octave: the
 * spill is kept small so that it can be locked; a value is never shown low):
 * periods == count + missed + interrupted, count == sum of counts, no total above
 * RING_TOTAL_MAX; and of what was added since any earlier copy early and over are
 * a part of count, errors of interrupted.  While the producer is held up in the
 * middle of a change, or has written what cannot be, it is the copy before that. */
void ring_spill_read(struct ring *r, struct ring_spill *out, uint64_t counts[SLOTS]);

#endif
