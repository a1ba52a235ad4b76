/*
 * mem.c - a large part of memory, touched and copied.
 *
 * Maps in blocks of 1 MB and touches them all, then copies block i from block
 * i + n/2 for all i, unmaps, and does it again.  2003 did that with 110 % of
 * memory to make a machine swap; the default of 50 % does not.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "src/load.h"
#include "src/loads/failure.h"
#include "src/loads/machine.h"

enum { KNOB_PERCENT };

#define BLOCK_BYTES (UINT64_C(1) << 20)
#define FLOOR_PERCENT 10	/* of memory: below this much available it stops */
#define LOOK_BLOCKS 16		/* between two looks at what is available */

struct blocks {
	unsigned char **at;
	size_t count, mapped;
};

struct mem_shared {
	uint64_t bytes;		/* of each worker; set before the start */
};

static const char *const figure_names[] = { "target_mb", "majflt", NULL };

/* Up to 100 % is of what is available, beyond that of all memory there is. */
static uint64_t target_bytes(long percent, uint64_t available, uint64_t total)
{
	return percent <= 100 ? available / 100 * (uint64_t)percent : total / 100 * (uint64_t)percent;
}

static int mem_prepare(struct load_worker *w, struct why *why)
{
	struct mem_shared *shared = w->shared;
	uint64_t available = machine_memory("MemAvailable:");

	shared->bytes = target_bytes(w->knob[KNOB_PERCENT], available, machine_memory("MemTotal:"));
	if (w->memory_budget_bytes < shared->bytes)
		shared->bytes = w->memory_budget_bytes;
	if (available > shared->bytes)
		available = shared->bytes;
	shared->bytes /= w->workers;
	if (shared->bytes >= 2 * BLOCK_BYTES)
		return 0;
	return why_set(why, -ENOMEM, "%llu MB of memory are left for it; too few to start, stop another load",
		       (unsigned long long)(available / 1000000));
}

static void publish(struct load_worker *w, const struct blocks *b)
{
	struct rusage r;
	double figure[2];

	if (w->index)
		return;
	getrusage(RUSAGE_SELF, &r);
	figure[0] = (double)(b->count * BLOCK_BYTES) / 1e6;
	figure[1] = (double)r.ru_majflt;
	load_publish(w, figure, 2, NULL);
}

/* Every few blocks: is it time to go, or is the machine short of memory? */
static int look(struct load_worker *w, size_t i, struct why *why)
{
	uint64_t total;

	load_cpu(w);
	if (i % LOOK_BLOCKS || w->knob[KNOB_PERCENT] > 100)
		return 0;	/* more than there is was asked for: the swap storm is wanted */
	total = machine_memory("MemTotal:");
	if (machine_memory("MemAvailable:") >= total / 100 * FLOOR_PERCENT)
		return 0;
	return why_set(why, -ENOMEM, "memory floor, stopped");
}

static unsigned char *map_block(void)
{
	unsigned char *at = mmap(NULL, BLOCK_BYTES, PROT_READ | PROT_WRITE,
				 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return at == MAP_FAILED ? NULL : at;
}

static int touch(struct load_worker *w, struct blocks *b, struct why *why)
{
	int err = 0;

	for (b->mapped = 0; b->mapped < b->count && load_going(w) && !err; b->mapped++) {
		b->at[b->mapped] = map_block();
		if (!b->at[b->mapped])
			return failure(why, -ENOMEM, "mmap");
		memset(b->at[b->mapped], (int)(b->mapped & 0xff) + 1, BLOCK_BYTES);
		load_add(w, 1, BLOCK_BYTES);
		err = look(w, b->mapped, why);
	}
	return err;
}

static int copy(struct load_worker *w, struct blocks *b, struct why *why)
{
	int err = 0;

	for (size_t i = 0; i < b->mapped && load_going(w) && !err; i++) {
		size_t from = (i + b->mapped / 2) % b->mapped;

		if (from == i)
			continue;
		memcpy(b->at[i], b->at[from], BLOCK_BYTES);
		load_add(w, 1, BLOCK_BYTES);
		err = look(w, i, why);
	}
	return err;
}

static void unmap(struct blocks *b)
{
	while (b->mapped)
		munmap(b->at[--b->mapped], BLOCK_BYTES);
}

static int round_once(struct load_worker *w, struct blocks *b, struct why *why)
{
	int err = touch(w, b, why);

	if (!err)
		err = copy(w, b, why);
	unmap(b);
	if (!err && load_going(w))
		load_pass(w);
	publish(w, b);
	return err;
}

/* Refused memory: once more with half of it, then failed. */
static int mem_run(struct load_worker *w, struct why *why)
{
	const struct mem_shared *shared = w->shared;
	struct blocks b = { .count = (size_t)(shared->bytes / BLOCK_BYTES) };
	bool halved = false;
	int err = 0;

	b.at = calloc(b.count, sizeof(*b.at));
	if (!b.at)
		return failure(why, -ENOMEM, "malloc");
	while (!err && load_going(w)) {
		err = round_once(w, &b, why);
		if (err == -ENOMEM && !halved && strstr(why->text, "mmap")) {
			halved = true;
			b.count /= 2;
			err = 0;
		}
	}
	free(b.at);
	return err;
}

/* What loads are allowed is half of what there is: of the machine, or of our
 * group of processes, where that is less.  Beyond 100 % it is asked to hurt. */
static uint64_t mem_memory(unsigned workers, const long *knob, uint64_t available)
{
	uint64_t machine = target_bytes(knob[KNOB_PERCENT], machine_memory("MemAvailable:"),
					machine_memory("MemTotal:"));
	uint64_t group = available / 50 * (uint64_t)knob[KNOB_PERCENT];

	(void)workers;
	return knob[KNOB_PERCENT] <= 100 && group < machine ? group : machine;
}

const struct load load_mem = {
	.name = "mem",
	.key = 'M',
	.summary = "a large part of memory, touched and copied",
	.unit = "MB",
	.rate_unit = "MB/s",
	.pass_name = "rounds of touch and copy",
	.figure = LOAD_BYTES,
	.flags = LOAD_CONTEST | LOAD_ASKS,
	.version = 1,
	.default_plus = 1,
	.max_workers = 8,
	.knobs = {
		[KNOB_PERCENT] = { .name = "percent", .help = "of the memory that is available",
				   .least = 1, .value = 50, .most = 110 },
	},
	.figure_names = figure_names,
	.shared_bytes = sizeof(struct mem_shared),
	.memory_bytes = mem_memory,
	.tasks_per_worker = 1,
	.prepare = mem_prepare,
	.run = mem_run,
};
