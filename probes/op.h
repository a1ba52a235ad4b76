/*
 * op.h - what operation probes have in common: when to do it, how to time it.
 *
 * An operation probe runs alone in a small process (PROBE_HELPER).  Its
 * sample() waits with op_wait(), prepares what is not timed, and times with
 * op_time():
 *
 *	static int frob_sample(void *state, struct probe_sample *out)
 *	{
 *		struct frob *f = state;
 *		int err = op_wait(&f->op, out);
 *
 *		if (err)
 *			return err;
 *		... what is not timed ...
 *		op_time(&f->op, out, frob, f);
 *		return 0;
 *	}
 *
 * Periods vary by a fifth either way, by the seed, so that a probe does not
 * lock to the tick.  One operation is in flight at a time: due times that
 * pass meanwhile are skipped and counted in out->missed.  An operation that
 * fails gives its errno and no value.
 */
#ifndef JS_OP_H
#define JS_OP_H

#include <stdint.h>
#include <sys/types.h>

#include "src/probe.h"

struct op {
	const struct probe_env *env;
	uint64_t random;	/* state of the generator */
	int64_t due_ns;		/* of the latest operation; 0: none yet */
	unsigned variants;	/* taken in turn */
	unsigned turn;		/* whose turn it is next */
};

/* The operation itself: 0 or a positive errno. */
typedef int op_fn(void *state);

void op_open(struct op *op, const struct probe_env *env, unsigned variants);
/* Waits for the next due time; sets out->variant (in turn) and out->missed.
 * 0, or -errno: the probe is to end. */
int op_wait(struct op *op, struct probe_sample *out);
/* Does it, and sets due (begin), woke (end) and error.  While it runs it is
 * seen as a call in flight. */
void op_time(const struct op *op, struct probe_sample *out, op_fn *operation, void *state);
/* Could not even begin: an error in place of op_time(). */
void op_failed(const struct op *op, struct probe_sample *out, int error);
/* For a value that is computed from a time (a mean, a difference). */
void op_value(struct probe_sample *out, int64_t value_ns);
/* The mean of n equal calls in one operation; what tests script is the value
 * itself and stays. */
void op_mean(const struct op *op, struct probe_sample *out, unsigned n);
/* Evenly spread over 0 .. n-1. */
uint64_t op_below(struct op *op, uint64_t n);

/*
 * A child as bare as can be: no handlers run, it shares nothing it could
 * hold.  As fork(), but -errno.
 */
pid_t op_fork(void);
/* Reaps that child: 0; ECHILD and the like; EIO when its status is not 0. */
int op_wait_child(pid_t pid);
/* Forks, runs argv[0] with no environment, reaps: 0 or a positive errno. */
int op_run(char *const argv[]);

/*
 * A partner process that answers until the probe ends: it dies with us, and
 * its CPU time counts as ours.  0 in the partner, which must end by _exit().
 */
pid_t op_partner(const struct probe_env *env);
/* Ends and reaps all partners. */
void op_end_partners(const struct probe_env *env);

#endif
