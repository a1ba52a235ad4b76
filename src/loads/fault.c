/*
 * fault.c - pages that are touched for the first time, over and over.
 *
 * Mode anon writes one byte into each page of a private map and gives the
 * pages back; mode file maps a file of its own and reads its pages in random
 * order.  What is counted are the faults the kernel says it took.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "src/load.h"
#include "src/loads/failure.h"
#include "src/loads/stream.h"

enum { KNOB_MODE };
enum { MODE_ANON, MODE_FILE };

#define MAP_BYTES (UINT64_C(64) << 20)
#define LOOK_PAGES 256		/* between two counts, and looks at the stop */

static const char *const modes[] = { "anon", "file", NULL };

static uint64_t faults_so_far(void)
{
	struct rusage r;

	getrusage(RUSAGE_SELF, &r);
	return (uint64_t)(r.ru_minflt + r.ru_majflt);
}

/* Adds the faults since the last call. */
static void count(struct load_worker *w, uint64_t *seen)
{
	uint64_t now = faults_so_far();

	load_add(w, now - *seen, 0);
	*seen = now;
	load_cpu(w);
}

/* ---- anonymous ---- */

static void touch_all(struct load_worker *w, unsigned char *map, size_t page, uint64_t *seen)
{
	for (size_t at = 0, n = 0; at < MAP_BYTES; at += page) {
		map[at] = 1;
		if (++n % LOOK_PAGES)
			continue;
		count(w, seen);
		if (!load_going(w))
			return;
	}
}

static int run_anon(struct load_worker *w, struct why *why)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	unsigned char *map = mmap(NULL, MAP_BYTES, PROT_READ | PROT_WRITE,
				  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	uint64_t seen = faults_so_far();

	if (map == MAP_FAILED)
		return failure(why, -errno, "mmap");
	madvise(map, MAP_BYTES, MADV_NOHUGEPAGE);
	while (load_going(w)) {
		touch_all(w, map, page, &seen);
		if (madvise(map, MAP_BYTES, MADV_DONTNEED))
			return failure(why, -errno, "madvise");
		if (load_going(w))
			load_pass(w);
	}
	munmap(map, MAP_BYTES);
	return 0;
}

/* ---- a file ---- */

static uint32_t *shuffled(uint32_t n, uint64_t seed)
{
	uint32_t *order = malloc(n * sizeof(*order));
	struct load_rng rng;

	if (!order)
		return NULL;
	load_rng_seed(&rng, seed);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t j = (uint32_t)load_rng_below(&rng, i + 1);

		order[i] = order[j];
		order[j] = i;
	}
	return order;
}

static int sweep_file(struct load_worker *w, int fd, const uint32_t *order, uint64_t *seen,
		      struct why *why)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	volatile unsigned char *map = mmap(NULL, MAP_BYTES, PROT_READ, MAP_SHARED, fd, 0);

	if (map == MAP_FAILED)
		return failure(why, -errno, "mmap");
	msync((void *)map, MAP_BYTES, MS_INVALIDATE);
	for (size_t i = 0; i < MAP_BYTES / page; i++) {
		(void)map[order[i] * page];
		if (i % LOOK_PAGES)
			continue;
		count(w, seen);
		if (!load_going(w))
			break;
	}
	munmap((void *)map, MAP_BYTES);
	count(w, seen);
	if (load_going(w))
		load_pass(w);
	return 0;
}

static int make_file(struct load_worker *w, unsigned index, struct why *why)
{
	static const unsigned char block[STREAM_BLOCK] = { 1 };
	char name[32];
	int fd, err;

	stream_name(name, sizeof(name), index);
	fd = openat(w->scratch_fd, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0)
		return failure(why, -errno, "open");
	err = stream_fill(w, fd, block, MAP_BYTES, false);
	close(fd);
	return err ? failure(why, err, "write") : 0;
}

static int fault_prepare(struct load_worker *w, struct why *why)
{
	uint64_t bytes;
	int err;

	if (w->knob[KNOB_MODE] == MODE_ANON)
		return 0;
	err = stream_size(w, MAP_BYTES >> 20, &bytes, why);
	for (unsigned i = 0; i < w->workers && !err && load_going(w); i++) {
		err = make_file(w, i, why);
		load_progress(w, 100 * (i + 1) / w->workers);
	}
	return err;
}

static int run_file(struct load_worker *w, struct why *why)
{
	uint32_t *order = shuffled((uint32_t)(MAP_BYTES / (size_t)sysconf(_SC_PAGESIZE)), w->seed);
	uint64_t seen;
	char name[32];
	int fd, err = 0;

	stream_name(name, sizeof(name), w->index);
	fd = openat(w->scratch_fd, name, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || !order) {
		free(order);
		return failure(why, fd < 0 ? -errno : -ENOMEM, "open");
	}
	seen = faults_so_far();
	while (!err && load_going(w))
		err = sweep_file(w, fd, order, &seen, why);
	close(fd);
	unlinkat(w->scratch_fd, name, 0);
	free(order);
	return err;
}

static int fault_run(struct load_worker *w, struct why *why)
{
	return w->knob[KNOB_MODE] == MODE_FILE ? run_file(w, why) : run_anon(w, why);
}

static uint64_t fault_memory(unsigned workers, const long *knob, uint64_t available)
{
	(void)available;
	return knob[KNOB_MODE] == MODE_ANON ? workers * MAP_BYTES : 0;
}

static uint64_t fault_disk(unsigned workers, const long *knob)
{
	return knob[KNOB_MODE] == MODE_FILE ? workers * MAP_BYTES : 0;
}

const struct load load_fault = {
	.name = "fault",
	.key = 'G',
	.summary = "page faults: memory touched, given back, touched again",
	.unit = "faults",
	.rate_unit = "faults/s",
	.pass_name = "sweeps of 64 MiB",
	.figure = LOAD_OPS,
	.flags = LOAD_SCRATCH,
	.version = 1,
	.default_per_cpu = 1,
	.max_workers = 128,
	.knobs = {
		[KNOB_MODE] = { .name = "mode", .help = "anonymous memory, or a mapped file",
				.least = MODE_ANON, .value = MODE_ANON, .most = MODE_FILE,
				.choices = modes },
	},
	.disk_bytes = fault_disk,
	.memory_bytes = fault_memory,
	.tasks_per_worker = 1,
	.fds_per_worker = 2,
	.prepare = fault_prepare,
	.run = fault_run,
};
