/*
 * mmap.c - how long does it take to map a file, use a little of it, unmap it?
 *
 * 1 MB of a file, shared; a byte is written each 16 KB in its first tenth.
 */
#include <errno.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "probes/op.h"
#include "probes/victim.h"

#define BYTES (1u << 20)
#define USED_BYTES (BYTES / 10)
#define STEP_BYTES (16u << 10)

struct mmap {
	struct op op;
	int fd;
};

static int mmap_open(void *state, const struct probe_env *env, struct why *why)
{
	struct mmap *m = state;

	op_open(&m->op, env, 1);
	m->fd = -1;
	if (env->operation)
		return 0;
	/* One huge page would be another experiment. */
	prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
	m->fd = victim_keep(env->scratch_fd, "mapped", BYTES, "mmap", why);
	return m->fd < 0 ? m->fd : 0;
}

static int mmap_once(void *state)
{
	const struct mmap *m = state;
	volatile char *map = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, m->fd, 0);

	if (map == MAP_FAILED)
		return errno;
	for (unsigned at = 0; at < USED_BYTES; at += STEP_BYTES)
		map[at] = 1;
	return munmap((void *)map, BYTES) ? errno : 0;
}

static int mmap_sample(void *state, struct probe_sample *out)
{
	struct mmap *m = state;
	int err = op_wait(&m->op, out);

	if (err)
		return err;
	op_time(&m->op, out, mmap_once, m);
	return 0;
}

static void mmap_close(void *state)
{
	struct mmap *m = state;

	close(m->fd);
}

const struct probe probe_mmap = {
	.name = "mmap",
	.summary = "map 1 MB of a file, write to a few pages, unmap",
	.flags = PROBE_HELPER | PROBE_LIGHT | PROBE_SCRATCH,
	.period_ns = 100 * NS_PER_MS,
	.knobs = { PROBE_PERIOD_KNOB(100) },
	.state_size = sizeof(struct mmap),
	.open = mmap_open,
	.sample = mmap_sample,
	.close = mmap_close,
};
