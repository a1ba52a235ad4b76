/*
 * delete.c - how long does it take to delete a small file?
 *
 * Around unlink() of an empty file or one of 10 KB.  It was made one wait
 * earlier, so that making it is neither timed nor just over.
 */
#include <errno.h>
#include <unistd.h>

#include "probes/op.h"
#include "probes/victim.h"

#define NAME "victim"

static const char *const variants[] = {
	[VICTIM_EMPTY] = "delete-0k", [VICTIM_LARGE] = "delete-10k", NULL,
};

struct delete {
	struct op op;
};

static int delete_open(void *state, const struct probe_env *env, struct why *why)
{
	struct delete *d = state;

	op_open(&d->op, env, VICTIM_SIZES);
	return victim_note(env->scratch_fd, "delete", why);
}

static int delete_once(void *state)
{
	const struct delete *d = state;

	return unlinkat(d->op.env->scratch_fd, NAME, 0) ? errno : 0;
}

/* Under test there may be no folder, and the operation is none of ours. */
static int make_victim(const struct op *op)
{
	int folder_fd = op->env->scratch_fd;

	if (op->env->operation)
		return 0;
	unlinkat(folder_fd, NAME, 0);	/* what a failure left */
	return victim_create(folder_fd, NAME, op->turn);
}

static int delete_sample(void *state, struct probe_sample *out)
{
	struct delete *d = state;
	int error = make_victim(&d->op), err = op_wait(&d->op, out);

	if (err)
		return err;
	if (error)
		op_failed(&d->op, out, error);
	else
		op_time(&d->op, out, delete_once, d);
	return 0;
}

const struct probe probe_delete = {
	.name = "delete",
	.summary = "delete a small file",
	.flags = PROBE_HELPER | PROBE_LIGHT | PROBE_SCRATCH,
	.period_ns = 250 * NS_PER_MS,
	.knobs = { PROBE_PERIOD_KNOB(250) },
	.variants = variants,
	.state_size = sizeof(struct delete),
	.open = delete_open,
	.sample = delete_sample,
};
