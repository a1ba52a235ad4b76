/*
 * load_harness.h - runs a load in a test, without the supervisor.
 *
 * Makes a scratch folder below $TMPDIR or /tmp, calls prepare(), forks the
 * workers, waits until they did some work, sets the stop flag and reaps them.
 */
#ifndef JS_TESTS_LOAD_HARNESS_H
#define JS_TESTS_LOAD_HARNESS_H

#include "src/load.h"

struct harness;

/* Knobs have their defaults. */
struct harness *harness_new(const struct load *l, unsigned workers, uint64_t seed);
void harness_free(struct harness *h);	/* removes the scratch folder */

/* What worker `index` is given; change knobs and budgets in that of 0 before
 * harness_run(), which copies them to all. */
struct load_worker *harness_worker(struct harness *h, unsigned index);

/* prepare(), then workers until each has `passes` passes (0: look at ops)
 * and `ops` operations; at most 2 min.  0, -ETIME, or what prepare or a worker
 * failed with. */
int harness_run(struct harness *h, uint64_t passes, uint64_t ops, struct why *why);

/* Deletes a file of the scratch folder between prepare() and the workers. */
void harness_break(struct harness *h, const char *name);
/* Ops are those of all lines together, not of each worker's own line. */
void harness_sum_lines(struct harness *h);
/* The load ends by itself: wait for that, and set no stop flag. */
void harness_finish(struct harness *h);
/* Look at the first n lines rather than at those of the workers. */
void harness_look_at(struct harness *h, unsigned lines);
const struct load *harness_load(const struct harness *h);

/* Sums over all lines. */
uint64_t harness_ops(const struct harness *h);
uint64_t harness_bytes(const struct harness *h);
uint64_t harness_passes(const struct harness *h);
uint64_t harness_errors(const struct harness *h);
double harness_figure(const struct harness *h, unsigned i);
const char *harness_scratch(const struct harness *h);	/* path */
/* Files and folders in the scratch folder. */
unsigned harness_left(const struct harness *h);
/* From the fork of the first worker to the end of the last one. */
int64_t harness_ran_ns(const struct harness *h);

#endif
