/*
 * blame_walk.h - who had the CPU in [due, woke]?  Pure: from a ring's bytes to
 * shares whose sum is exactly woke - due.
 *
 * Interrupts and softirqs are taken off the task they hit, where the ring
 * tells of them (level "tracepoints"); else they are inside its share.
 */
#ifndef JS_BLAME_WALK_H
#define JS_BLAME_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "src/perf_ring.h"

#define BLAME_SHARES 2048	/* a storm of forks is hundreds of tasks in one window */
#define BLAME_PLACES (2 * BLAME_SHARES)
#define BLAME_ANY (-2)		/* as the number of a task */

enum blame_who { BLAME_UNKNOWN, BLAME_TASK, BLAME_IRQ, BLAME_SOFTIRQ, BLAME_OTHERS };

struct blame_share {
	enum blame_who who;
	int id;			/* tid (BLAME_ANY: all of that name), interrupt, softirq vector */
	char comm[16];		/* raw; "": not known */
	int64_t until_ns;	/* when it was seen there last */
	int64_t ns;
};

struct blame_result {
	struct blame_share share[BLAME_SHARES];	/* largest first; sum == woke - due */
	unsigned nr;
	uint16_t place[BLAME_PLACES];	/* share + 1 by a hash of who; before they are sorted */
	int64_t unknown_ns;	/* of BLAME_UNKNOWN, 0 when there is none */
	int64_t waking_ns;	/* when the sampler was woken; 0: not seen */
	unsigned switches;	/* inside the window */
	bool incomplete;	/* ring too short, broken, records lost */
	bool broken;
	bool bridged;		/* a switch was not recorded, but told by the next one */
	int bridged_from;	/* the first of them: away from this task */
};

struct blame_pause { int64_t from_ns, to_ns; };	/* records of that time are lost */

struct blame_window {
	int64_t due_ns, woke_ns;
	const struct blame_pause *pause;	/* of this ring, in any order */
	unsigned pauses;
	int sampler_tid;	/* for waking_ns; 0: not known */
	bool endless;		/* no switch away from endless_tid is ever recorded: unknown */
	int endless_tid;
	const struct trace_layout *layout;
	struct trace_event *room;	/* scratch */
	unsigned rooms;
};

void blame_walk(const struct blame_window *w, const struct perf_ring_bytes *ring,
		struct blame_result *out);

/*
 * The names that tasks had: for each the newest record at or before its time
 * that tells, its COMM or the parent of its FORK.  One walk for all of them,
 * which ends when this ring has told of all, or BLAME_NAME_RECORDS records
 * before the oldest of the times.  What another ring told later stays: a task
 * may be born on one CPU and named on the next.  renamed: a COMM after its
 * time, so its name of today is not that of then.  small: not worth a pause of
 * a ring, nor a long way back: such tasks were born just before.
 */
#define BLAME_NAME_RECORDS 8192
#define BLAME_SMALL_RECORDS 512
struct blame_name {
	int tid;
	int64_t t_ns;
	int64_t told_ns;	/* time of the record that told; 0: none did */
	char comm[16];		/* "": it had that of its parent */
	int parent;
	bool renamed;
	bool small;
	bool here;		/* of a walk: this ring has told */
};
void blame_find_names(struct blame_name *names, unsigned nr, const struct perf_ring_bytes *ring,
		      const struct trace_layout *layout);

#endif
