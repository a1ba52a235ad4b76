/*
 * create.c - how long does it take to save a small file?
 *
 * From before open(O_CREAT) until close() has returned, empty or with 10 KB
 * written; nothing waits for the disk.  The file is deleted at once, untimed.
 */
#include <errno.h>
#include <unistd.h>

#include "probes/op.h"
#include "probes/victim.h"

#define NAME "saved"

static const char *const variants[] = {
	[VICTIM_EMPTY] = "create-0k", [VICTIM_LARGE] = "create-10k", NULL,
};

struct create {
	struct op op;
	enum victim_size size;
};

static int create_open(void *state, const struct probe_env *env, struct why *why)
{
	struct create *c = state;

	op_open(&c->op, env, VICTIM_SIZES);
	return victim_note(env->scratch_fd, "create", why);
}

static int create_once(void *state)
{
	const struct create *c = state;

	return victim_create(c->op.env->scratch_fd, NAME, c->size);
}

static int create_sample(void *state, struct probe_sample *out)
{
	struct create *c = state;
	int err = op_wait(&c->op, out);

	if (err)
		return err;
	c->size = out->variant;
	op_time(&c->op, out, create_once, c);
	unlinkat(c->op.env->scratch_fd, NAME, 0);
	return 0;
}

const struct probe probe_create = {
	.name = "create",
	.summary = "create, write and close a small file",
	.flags = PROBE_HELPER | PROBE_LIGHT | PROBE_SCRATCH,
	.period_ns = 250 * NS_PER_MS,
	.knobs = { PROBE_PERIOD_KNOB(250) },
	.variants = variants,
	.state_size = sizeof(struct create),
	.open = create_open,
	.sample = create_sample,
};
