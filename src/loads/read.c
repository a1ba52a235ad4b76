/*
 * read.c - one large file per worker, read from end to end again and again.
 *
 * Before each pass the kernel is asked to forget the file.  Where it does not
 * (a file system in memory), the passes come from memory: "cached" is told.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <unistd.h>

#include "src/load.h"
#include "src/loads/failure.h"
#include "src/loads/stream.h"

enum { KNOB_SIZE };

struct read_shared {		/* of all workers */
	_Atomic uint64_t bytes, device_bytes;
};

static const char *const figure_names[] = { "device_bytes", NULL };

static int make_file(struct load_worker *w, unsigned index, uint64_t bytes, struct why *why)
{
	static unsigned char block[STREAM_BLOCK];
	struct load_rng rng;
	char name[32];
	int fd, err;

	load_rng_seed(&rng, w->seed + index);
	load_rng_fill(&rng, block, sizeof(block));
	stream_name(name, sizeof(name), index);
	fd = openat(w->scratch_fd, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0)
		return failure(why, -errno, "open");
	err = stream_fill(w, fd, block, bytes, false);
	if (!err && load_going(w) && fsync(fd))
		err = -errno;
	close(fd);
	return err ? failure(why, err, "write") : 0;
}

static int read_prepare(struct load_worker *w, struct why *why)
{
	uint64_t bytes;
	int err = stream_size(w, w->knob[KNOB_SIZE], &bytes, why);

	for (unsigned i = 0; i < w->workers && !err && load_going(w); i++) {
		err = make_file(w, i, bytes, why);
		load_progress(w, 100 * (i + 1) / w->workers);
	}
	return err;
}

/* Bytes that came from a device, by the kernel's own account. */
static uint64_t device_bytes(void)
{
	struct rusage r;

	getrusage(RUSAGE_SELF, &r);
	return (uint64_t)r.ru_inblock * 512;
}

static void publish(struct load_worker *w, uint64_t bytes, uint64_t device)
{
	struct read_shared *shared = w->shared;
	uint64_t all = atomic_fetch_add(&shared->bytes, bytes) + bytes;
	double from = (double)(atomic_fetch_add(&shared->device_bytes, device) + device);

	if (w->index == 0)
		load_publish(w, &from, 1, from < (double)all / 2 ? "cached" : "");
}

static int read_blocks(struct load_worker *w, int fd, uint64_t *bytes)
{
	static unsigned char block[STREAM_BLOCK];

	while (load_going(w)) {
		int64_t begun_ns = load_begin(w);
		ssize_t n = read(fd, block, sizeof(block));
		int err = errno;

		load_end(w, begun_ns);
		if (n < 0 && err == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -err : 0;
		*bytes += (uint64_t)n;
		load_add(w, 1, (uint64_t)n);
		load_cpu(w);
	}
	return 0;
}

static int read_pass(struct load_worker *w, int fd, struct why *why)
{
	uint64_t before = device_bytes(), bytes = 0;
	int err;

	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	if (lseek(fd, 0, SEEK_SET))
		return failure(why, -errno, "lseek");
	err = read_blocks(w, fd, &bytes);
	if (err)
		return failure(why, err, "read");
	if (load_going(w))
		load_pass(w);
	publish(w, bytes, device_bytes() - before);
	return 0;
}

static int read_run(struct load_worker *w, struct why *why)
{
	char name[32];
	int fd, err = 0;

	stream_name(name, sizeof(name), w->index);
	fd = openat(w->scratch_fd, name, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return failure(why, -errno, "open");
	while (!err && load_going(w))
		err = read_pass(w, fd, why);
	close(fd);
	unlinkat(w->scratch_fd, name, 0);
	return err;
}

const struct load load_read = {
	.name = "read",
	.key = 'R',
	.summary = "one large file per worker, read again and again",
	STREAM_LOAD,
	.knobs = {
		[KNOB_SIZE] = STREAM_SIZE_KNOB,
	},
	.figure_names = figure_names,
	.shared_bytes = sizeof(struct read_shared),
	.prepare = read_prepare,
	.run = read_run,
};
