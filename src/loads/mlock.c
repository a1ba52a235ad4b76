/*
 * mlock.c - thousands of locked mappings, unlocked and locked again.
 *
 * Mode vma locks the middle page of many maps of three, which splits each in
 * three; munlockall() then walks them all, one long way through the kernel.
 * On a kernel without preemption that delays even a FIFO thread.  Mode bulk
 * locks few large pieces and hardly does.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "src/load.h"
#include "src/loads/failure.h"
#include "src/loads/machine.h"

enum { KNOB_MODE };
enum { MODE_VMA, MODE_BULK };

#define PAGES 3			/* of a fragment; the middle one is locked */
#define FRAGMENTS_MOST 16000
#define FRAGMENTS_LEAST 100
#define SPARE_PAGES 48		/* of RLIMIT_MEMLOCK */
#define SPARE_MAPS 1000		/* of max_map_count */
#define BULK_BYTES (UINT64_C(8) << 20)
#define LOOK_FRAGMENTS 64

static const char *const modes[] = { "vma", "bulk", NULL };
static const char *const figure_names[] = { "fragments", "mb_locked_per_round", NULL };

struct fragments {
	unsigned char **at;
	unsigned count, locked;
	size_t page;
};

static long pages_allowed(size_t page)
{
	struct rlimit limit;
	long pages;

	if (getrlimit(RLIMIT_MEMLOCK, &limit) || limit.rlim_cur == RLIM_INFINITY ||
	    limit.rlim_cur / page > FRAGMENTS_MOST + SPARE_PAGES)
		return FRAGMENTS_MOST;
	pages = (long)(limit.rlim_cur / page) - SPARE_PAGES;
	return pages > 0 ? pages : 0;
}

static long fragments_allowed(size_t page)
{
	long maps = machine_number("/proc/sys/vm/max_map_count", 65530);
	long by_maps = (maps - SPARE_MAPS) / PAGES, by_pages = pages_allowed(page);

	return by_maps < by_pages ? by_maps : by_pages;
}

static int refuse(long count, struct why *why)
{
	return why_set(why, -EPERM,
		       "mlock: room for %ld fragments, %d needed; raise RLIMIT_MEMLOCK (ulimit -l)",
		       count < 0 ? 0 : count, FRAGMENTS_LEAST);
}

static int mlock_prepare(struct load_worker *w, struct why *why)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	long count = fragments_allowed(page);

	(void)w;
	return count < FRAGMENTS_LEAST ? refuse(count, why) : 0;
}

/* Each a map of its own: shared memory of different objects does not merge. */
static int map_fragments(struct fragments *f, long count, struct why *why)
{
	f->at = calloc((size_t)count, sizeof(*f->at));
	if (!f->at)
		return failure(why, -ENOMEM, "malloc");
	for (; f->count < count; f->count++) {
		f->at[f->count] = mmap(NULL, PAGES * f->page, PROT_READ | PROT_WRITE,
				       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
		if (f->at[f->count] == MAP_FAILED)
			break;
	}
	return f->count < FRAGMENTS_LEAST ? refuse(f->count, why) : 0;
}

/* Locks the middles.  Refused half-way: fewer fragments from now on. */
static int lock_all(struct load_worker *w, struct fragments *f, struct why *why)
{
	for (f->locked = 0; f->locked < f->count; f->locked++) {
		if (mlock(f->at[f->locked] + f->page, f->page)) {
			if (errno != EAGAIN && errno != ENOMEM)
				return failure(why, -errno, "mlock");
			f->count = f->locked;
			return f->count < FRAGMENTS_LEAST ? refuse(f->count, why) : 0;
		}
		if (f->locked % LOOK_FRAGMENTS == 0 && !load_going(w))
			break;
	}
	return 0;
}

static int unlock_all(struct load_worker *w, struct why *why)
{
	int64_t begun_ns = load_begin(w);
	int err = munlockall() ? -errno : 0;

	load_end(w, begun_ns);
	return err ? failure(why, err, "munlockall") : 0;
}

static void tell(struct load_worker *w, unsigned fragments, uint64_t bytes)
{
	double figure[2] = { fragments, (double)bytes / 1e6 };

	if (w->index == 0)
		load_publish(w, figure, 2, NULL);
}

static int run_vma(struct load_worker *w, struct why *why)
{
	struct fragments f = { .page = (size_t)sysconf(_SC_PAGESIZE) };
	int err = map_fragments(&f, fragments_allowed(f.page), why);

	while (!err && load_going(w)) {
		err = lock_all(w, &f, why);
		if (!err)
			err = unlock_all(w, why);
		if (err || !load_going(w))
			break;
		load_add(w, 1, f.count * f.page);
		load_pass(w);
		load_cpu(w);
		tell(w, f.count, f.count * f.page);
	}
	free(f.at);
	return err;
}

static int bulk_round(struct load_worker *w, unsigned char *map, size_t bytes, struct why *why)
{
	int64_t begun_ns = load_begin(w);
	int err = mlock(map, bytes) || munlock(map, bytes) ? -errno : 0;

	load_end(w, begun_ns);
	if (err == -EAGAIN) {
		err = load_throttle(w, err);
		return err ? failure(why, err, "mlock") : 0;
	}
	if (err)
		return failure(why, err, "mlock");
	load_success(w);
	load_add(w, 1, bytes);
	load_pass(w);
	return 0;
}

static int run_bulk(struct load_worker *w, struct why *why)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t bytes = (size_t)pages_allowed(page) * page;
	unsigned char *map;
	int err = 0;

	if (bytes > BULK_BYTES)
		bytes = BULK_BYTES;
	map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (map == MAP_FAILED)
		return failure(why, -errno, "mmap");
	tell(w, 1, bytes);
	while (!err && load_going(w)) {
		err = bulk_round(w, map, bytes, why);
		load_cpu(w);
	}
	munmap(map, bytes);
	return err;
}

static int mlock_run(struct load_worker *w, struct why *why)
{
	return w->knob[KNOB_MODE] == MODE_BULK ? run_bulk(w, why) : run_vma(w, why);
}

static uint64_t mlock_memory(unsigned workers, const long *knob, uint64_t available)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);

	(void)available;
	if (knob[KNOB_MODE] == MODE_BULK)
		return workers * BULK_BYTES;
	/* Only the middle page of a fragment is ever touched. */
	return workers * (uint64_t)pages_allowed(page) * page;
}

const struct load load_mlock = {
	.name = "mlock",
	.key = 'N',
	.summary = "thousands of locked mappings, one long way through the kernel",
	.unit = "rounds",
	.rate_unit = "rounds/s",
	.pass_name = "rounds",
	.figure = LOAD_OPS,
	.flags = LOAD_ASKS,
	.version = 1,
	.default_plus = 1,
	.max_workers = 4,
	.knobs = {
		[KNOB_MODE] = { .name = "mode", .help = "vma: many small maps; bulk: 8 MB pieces",
				.least = MODE_VMA, .value = MODE_VMA, .most = MODE_BULK,
				.choices = modes },
	},
	.figure_names = figure_names,
	.memory_bytes = mlock_memory,
	.tasks_per_worker = 1,
	.prepare = mlock_prepare,
	.run = mlock_run,
};
