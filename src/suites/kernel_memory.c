/*
 * kernel_memory.c - how far away caches and memory are, and how much goes
 * through.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "src/budget.h"
#include "src/suites/chase.h"
#include "src/suites/kernel.h"

#define KB UINT64_C(1024)
#define MB (KB * KB)
#define LOADS 1000		/* of a batch, dependent on one another */
#define BUFFER_LEAST (64 * MB)
#define STREAM_MOST (256 * MB)	/* each of two */
#define CHASE_MOST (1024 * MB)
#define HUGE_BYTES (2 * MB)

/* Keeps the compiler from making something smarter of a loop. */
#define KEEP_LOOP() __asm__ volatile("" ::: "memory")

static uint64_t spare_bytes(const struct kernel_run *r)
{
	uint64_t bytes = budget_memory_bytes("") / 2;

	return r->memory_bytes && r->memory_bytes < bytes ? r->memory_bytes : bytes;
}

/* Far beyond the last cache, as long as two of them fit. */
static uint64_t large_bytes(const struct kernel_run *r, uint64_t at_most)
{
	long cache = sysconf(_SC_LEVEL3_CACHE_SIZE);
	uint64_t bytes = 4 * (cache > 0 ? (uint64_t)cache : 0);
	uint64_t most = spare_bytes(r);

	if (bytes < BUFFER_LEAST)
		bytes = BUFFER_LEAST;
	if (most > at_most)
		most = at_most;
	return (bytes < most ? bytes : most) / KB * KB;
}

static void *memory(uint64_t bytes)
{
	void *map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (map == MAP_FAILED)
		return NULL;
	memset(map, 1, bytes);
	return map;
}

/* ---- how far ---- */

struct chase { void **at; };

static int chase(void *ctx)
{
	struct chase *c = ctx;
	void **p = c->at;

	for (unsigned i = 0; i < LOADS; i++)
		p = *p;
	c->at = p;
	KEEP_LOOP();
	return 0;
}

/* On large pages where the kernel has them: looking up small ones would take a
 * good part of the time. */
static char *large_pages(uint64_t bytes, void **map, uint64_t *mapped_bytes)
{
	char *at;

	*mapped_bytes = (bytes + 2 * HUGE_BYTES - 1) / HUGE_BYTES * HUGE_BYTES;
	*map = mmap(NULL, *mapped_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (*map == MAP_FAILED)
		return NULL;
	at = (char *)(((uintptr_t)*map + HUGE_BYTES - 1) / HUGE_BYTES * HUGE_BYTES);
	madvise(*map, *mapped_bytes, MADV_HUGEPAGE);
	return at;
}

static int run_chase(struct kernel_run *r)
{
	uint64_t most = spare_bytes(r), mapped_bytes;
	uint64_t bytes = chase_bytes((enum chase_where)r->arg[0],
				     most < CHASE_MOST ? most : CHASE_MOST);
	void *map;
	char *at = large_pages(bytes, &map, &mapped_bytes);
	struct hist *h = hist_new(3);
	struct chase c = { (void **)at };
	int err = at && h ? 0 : -ENOMEM;

	if (!err && chase_link(at, bytes, r->w->stop)) {
		err = kernel_time(r, chase, &c, 1, h);
		if (!err)
			kernel_times(r, h, LOADS, 0, 1);
	}
	hist_free(h);
	if (at)
		munmap(map, mapped_bytes);
	return err ? kernel_failed(r, err, "memory") : 0;
}

/* ---- how much ---- */

struct buffers { long *from, *to; uint64_t items; };

static int copy_libc(void *ctx)
{
	const struct buffers *b = ctx;

	memcpy(b->to, b->from, b->items * sizeof(long));
	KEEP_LOOP();
	return 0;
}

static int copy_hand(void *ctx)
{
	const struct buffers *b = ctx;

	for (uint64_t i = 0; i + 8 <= b->items; i += 8) {
		const long *from = b->from + i;
		long *to = b->to + i;

		to[0] = from[0];
		to[1] = from[1];
		to[2] = from[2];
		to[3] = from[3];
		to[4] = from[4];
		to[5] = from[5];
		to[6] = from[6];
		to[7] = from[7];
		KEEP_LOOP();
	}
	return 0;
}

static int read_all(void *ctx)
{
	const struct buffers *b = ctx;
	volatile unsigned long total;
	unsigned long sum = 0;

	for (uint64_t i = 0; i + 8 <= b->items; i += 8) {
		const unsigned long *p = (const unsigned long *)b->from + i;

		sum += p[0] + p[1] + p[2] + p[3] + p[4] + p[5] + p[6] + p[7];
	}
	total = sum;
	(void)total;
	return 0;
}

static int write_all(void *ctx)
{
	const struct buffers *b = ctx;

	for (uint64_t i = 0; i + 8 <= b->items; i += 8) {
		long *p = b->to + i;

		p[0] = p[1] = p[2] = p[3] = p[4] = p[5] = p[6] = p[7] = 1;
		KEEP_LOOP();
	}
	return 0;
}

enum { COPY_LIBC, COPY_HAND, READ, WRITE };

/* Bytes count once, also those that are copied. */
static int run_stream(struct kernel_run *r)
{
	static kernel_op *const ops[] = { copy_libc, copy_hand, read_all, write_all };
	uint64_t bytes = large_bytes(r, STREAM_MOST);
	struct buffers b = { memory(bytes), memory(bytes), bytes / sizeof(long) };
	int err = b.from && b.to ? 0 : -ENOMEM;

	if (!err)
		err = kernel_rates(r, ops[r->arg[0]], &b, (double)bytes / 1e6, 1);
	if (b.from)
		munmap(b.from, bytes);
	if (b.to)
		munmap(b.to, bytes);
	return err ? kernel_failed(r, err, "memory") : 0;
}

const struct kernel kernels_memory[] = {
	{ "mem_lat", "L1 $", "ns", false, run_chase, { CHASE_L1 } },
	{ "mem_lat", "L2 $", "ns", false, run_chase, { CHASE_L2 } },
	{ "mem_lat", "Main mem", "ns", false, run_chase, { CHASE_MEMORY } },
	{ "comm_bw", "Bcopy (libc)", "MB/s", true, run_stream, { COPY_LIBC } },
	{ "comm_bw", "Bcopy (hand)", "MB/s", true, run_stream, { COPY_HAND } },
	{ "comm_bw", "Mem read", "MB/s", true, run_stream, { READ } },
	{ "comm_bw", "Mem write", "MB/s", true, run_stream, { WRITE } },
	{ NULL, NULL, NULL, false, NULL, { 0 } },
};
