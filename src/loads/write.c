/*
 * write.c - one large file per worker, written from end to end again and again.
 *
 * Blocks of 64 K, no fsync: the page cache takes them and the kernel's
 * writers carry them to the disk.  With other=1 the files lie on a second
 * --scratch, away from what is measured.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <unistd.h>

#include "src/load.h"
#include "src/loads/failure.h"
#include "src/loads/stream.h"

enum { KNOB_SIZE, KNOB_OTHER, KNOB_FILL };
enum { FILL_ZERO, FILL_RANDOM };

static const char *const fills[] = { "zero", "random", NULL };

static int write_prepare(struct load_worker *w, struct why *why)
{
	uint64_t bytes;

	if (w->knob[KNOB_OTHER] && w->scratch2_fd < 0)
		return why_set(why, -EINVAL,
			       "other=1 needs a second folder; give --scratch twice");
	if (w->knob[KNOB_FILL] == FILL_ZERO)
		load_publish(w, NULL, 0, "zero fill");
	return stream_size(w, w->knob[KNOB_SIZE], &bytes, why);
}

/* Again from the start. */
static int rewind_file(int fd, struct why *why)
{
	if (ftruncate(fd, 0) || lseek(fd, 0, SEEK_SET))
		return failure(why, -errno, "ftruncate");
	return 0;
}

static int write_file(struct load_worker *w, int fd, const void *block, struct why *why)
{
	uint64_t bytes;
	int err = stream_size(w, w->knob[KNOB_SIZE], &bytes, why);

	while (!err && load_going(w)) {
		err = stream_fill(w, fd, block, bytes, true);
		if (err)
			return failure(why, err, "write");
		if (load_going(w))
			load_pass(w);
		err = rewind_file(fd, why);
	}
	return err;
}

static int write_run(struct load_worker *w, struct why *why)
{
	static unsigned char block[STREAM_BLOCK];
	int dir = w->knob[KNOB_OTHER] ? w->scratch2_fd : w->scratch_fd, fd, err;
	struct load_rng rng;
	char name[32];

	load_rng_seed(&rng, w->seed);
	if (w->knob[KNOB_FILL] == FILL_RANDOM)
		load_rng_fill(&rng, block, sizeof(block));
	stream_name(name, sizeof(name), w->index);
	fd = openat(dir, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0)
		return failure(why, -errno, "open");
	err = write_file(w, fd, block, why);
	close(fd);
	unlinkat(dir, name, 0);
	return err;
}

const struct load load_write = {
	.name = "write",
	.key = 'W',
	.summary = "one large file per worker, written again and again",
	STREAM_LOAD,
	.knobs = {
		[KNOB_SIZE] = STREAM_SIZE_KNOB,
		[KNOB_OTHER] = { .name = "other", .help = "1: on the second --scratch",
				 .least = 0, .value = 0, .most = 1 },
		[KNOB_FILL] = { .name = "fill", .help = "what is written", .least = FILL_ZERO,
				.value = FILL_ZERO, .most = FILL_RANDOM, .choices = fills },
	},
	.prepare = write_prepare,
	.run = write_run,
};
