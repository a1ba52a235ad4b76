/*
 * fsync.c - how long until 4 KB are safe on the disk?
 *
 * Writes in place into a file that has its blocks, then fdatasync().  It is a
 * load of its own on a slow disk, so it is off unless asked for.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "probes/op.h"
#include "probes/victim.h"

#define BYTES 4096

struct fsync {
	struct op op;
	int fd;
	char block[BYTES];
};

static int fsync_open(void *state, const struct probe_env *env, struct why *why)
{
	struct fsync *f = state;

	op_open(&f->op, env, 1);
	f->fd = -1;
	if (env->operation)
		return 0;
	f->fd = victim_keep(env->scratch_fd, "synced", BYTES, "fsync", why);
	return f->fd < 0 ? f->fd : victim_note(env->scratch_fd, "fsync", why);
}

static int fsync_once(void *state)
{
	const struct fsync *f = state;
	ssize_t n = pwrite(f->fd, f->block, BYTES, 0);

	if (n != BYTES)
		return n < 0 ? errno : ENOSPC;
	return fdatasync(f->fd) ? errno : 0;
}

static int fsync_sample(void *state, struct probe_sample *out)
{
	struct fsync *f = state;
	int err = op_wait(&f->op, out);

	if (err)
		return err;
	memset(f->block, ++f->block[0], BYTES);	/* something new each time */
	op_time(&f->op, out, fsync_once, f);
	return 0;
}

static void fsync_close(void *state)
{
	struct fsync *f = state;

	close(f->fd);
}

const struct probe probe_fsync = {
	.name = "fsync",
	.summary = "write 4 KB in place and wait for the disk",
	.flags = PROBE_HELPER | PROBE_SCRATCH,
	.period_ns = 2 * NS_PER_S,
	.knobs = { PROBE_PERIOD_KNOB(2000) },
	.state_size = sizeof(struct fsync),
	.open = fsync_open,
	.sample = fsync_sample,
	.close = fsync_close,
};
