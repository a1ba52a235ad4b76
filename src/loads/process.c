/*
 * process.c - a ring of processes that pass chunks round for ever.
 *
 * Each waits in read() for its left neighbour and writes to its right one.
 * One chunk travels per 8 processes, so nobody spins and most sleep.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "src/load.h"
#include "src/loads/failure.h"

enum { KNOB_CHUNK };

#define MEMBERS_MAX 128
#define CHUNK_MAX 4096		/* what a pipe takes in one piece */
#define MEMBERS_PER_CHUNK 8

struct ring_shared {		/* pipe[i] leads to member i; made before the fork */
	int pipe[MEMBERS_MAX][2];
};

static unsigned chunks_of(unsigned members)
{
	return members < MEMBERS_PER_CHUNK ? 1 : members / MEMBERS_PER_CHUNK;
}

static int process_prepare(struct load_worker *w, struct why *why)
{
	struct ring_shared *ring = w->shared;

	for (unsigned i = 0; i < w->workers; i++)
		if (pipe2(ring->pipe[i], O_CLOEXEC))
			return failure(why, -errno, "pipe");
	return 0;
}

/* Keeps the two ends that are ours: a member of a large ring holds few files. */
static void keep_own(const struct load_worker *w, int *in, int *out)
{
	const struct ring_shared *ring = w->shared;
	unsigned right = (w->index + 1) % w->workers;

	*in = ring->pipe[w->index][0];
	*out = ring->pipe[right][1];
	for (unsigned i = 0; i < w->workers; i++) {
		if (i != w->index)
			close(ring->pipe[i][0]);
		if (i != right)
			close(ring->pipe[i][1]);
	}
}

static int pass_on(int out, const char *chunk, size_t size, struct why *why)
{
	while (write(out, chunk, size) < 0)
		if (errno != EINTR)
			return failure(why, -errno, "write");
	return 0;
}

static int take(int in, char *chunk, size_t size, struct why *why)
{
	size_t got = 0;

	while (got < size) {
		ssize_t n = read(in, chunk + got, size - got);

		if (n == 0)
			return why_set(why, -EPIPE, "read: the left neighbour has gone");
		if (n < 0 && errno != EINTR)
			return failure(why, -errno, "read");
		got += n > 0 ? (size_t)n : 0;
	}
	return 0;
}

/* One who leaves wakes the next one, who may be waiting for a chunk that is
 * stuck with somebody who has left. */
static void wake_right(int out, const char *chunk, size_t size)
{
	ssize_t ignored;

	fcntl(out, F_SETFL, O_NONBLOCK);	/* the neighbour may be gone, the pipe full */
	ignored = write(out, chunk, size);
	(void)ignored;
}

static int process_run(struct load_worker *w, struct why *why)
{
	unsigned chunks = chunks_of(w->workers), seen = 0;
	size_t size = (size_t)w->knob[KNOB_CHUNK];
	char chunk[CHUNK_MAX] = { 0 };
	int in, out, err = 0;

	keep_own(w, &in, &out);
	if (w->index % MEMBERS_PER_CHUNK == 0 && w->index / MEMBERS_PER_CHUNK < chunks)
		err = pass_on(out, chunk, size, why);
	while (!err && load_going(w)) {
		err = take(in, chunk, size, why);
		if (err)
			break;
		load_add(w, 1, size);
		load_cpu(w);
		if (w->index == 0 && ++seen % chunks == 0)
			load_pass(w);
		err = pass_on(out, chunk, size, why);
	}
	wake_right(out, chunk, size);
	return err;
}

const struct load load_process = {
	.name = "process",
	.key = 'P',
	.summary = "a ring of processes that pass chunks through pipes",
	.unit = "hops",
	.rate_unit = "hops/s",
	.pass_name = "laps of all chunks",
	.figure = LOAD_OPS,
	.flags = LOAD_CONTEST,
	.version = 1,
	.default_per_cpu = 4,
	.max_workers = MEMBERS_MAX,
	.knobs = {
		[KNOB_CHUNK] = { .name = "chunk", .help = "bytes that travel", .least = 1,
				 .value = CHUNK_MAX, .most = CHUNK_MAX },
	},
	.shared_bytes = sizeof(struct ring_shared),
	.tasks_per_worker = 1,
	.fds_per_worker = 2,
	.prepare = process_prepare,
	.run = process_run,
};
