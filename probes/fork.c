/*
 * fork.c - how long until a child is born, has ended and is reaped?
 *
 * From before the fork until wait has returned; the child ends at once.  The
 * process is small: what is timed is the kernel, not page tables.
 */
#include <stddef.h>
#include <unistd.h>

#include "probes/op.h"
#include "src/probe.h"

struct fork {
	struct op op;
};

static int fork_open(void *state, const struct probe_env *env, struct why *why)
{
	struct fork *f = state;

	(void)why;
	op_open(&f->op, env, 1);
	return 0;
}

static int fork_once(void *state)
{
	pid_t pid = op_fork();

	(void)state;
	if (pid == 0)
		_exit(0);
	return pid < 0 ? -pid : op_wait_child(pid);
}

static int fork_sample(void *state, struct probe_sample *out)
{
	struct fork *f = state;
	int err = op_wait(&f->op, out);

	if (err)
		return err;
	op_time(&f->op, out, fork_once, NULL);
	return 0;
}

const struct probe probe_fork = {
	.name = "fork",
	.summary = "fork a child that ends at once, and reap it",
	.flags = PROBE_HELPER | PROBE_LIGHT,
	.period_ns = 200 * NS_PER_MS,
	.knobs = { PROBE_PERIOD_KNOB(200) },
	.state_size = sizeof(struct fork),
	.open = fork_open,
	.sample = fork_sample,
};
