/*
 * bandwidth.c - memory read, written and copied far beyond the caches.
 *
 * 200 ms of each kind in turn.  A copy counts its bytes once.  Variant libc
 * copies by memcpy(), hand by a loop that no compiler turns into one.
 */
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "src/load.h"
#include "src/loads/failure.h"
#include "src/loads/machine.h"

enum { KNOB_VARIANT };
enum { VARIANT_LIBC, VARIANT_HAND };
enum { READ, WRITE, COPY, KINDS };

#define TURN_NS (200 * NS_PER_MS)
#define BUFFER_LEAST (UINT64_C(16) << 20)
#define BUFFER_MOST (UINT64_C(256) << 20)
#define PIECE_BYTES (UINT64_C(1) << 20)	/* between two looks at the clock */
#define WORKERS_MAX 128

struct bandwidth_shared {	/* bytes a second, of each worker's last turn */
	_Atomic double rate[WORKERS_MAX][KINDS];
};

static const char *const variants[] = { "libc", "hand", NULL };
static const char *const figure_names[] = { "read_mb_s", "write_mb_s", "copy_mb_s", NULL };

static volatile uint64_t sink;	/* where sums go, so that they are worked out */

static uint64_t buffer_bytes(void)
{
	uint64_t bytes = 4 * machine_cache_bytes();

	if (bytes < BUFFER_LEAST)
		return BUFFER_LEAST;
	return bytes < BUFFER_MOST ? bytes / (2 * PIECE_BYTES) * 2 * PIECE_BYTES : BUFFER_MOST;
}

/* Keeps the compiler from seeing the loop as one memset() or memcpy(). */
#define STEP_APART() __asm__ volatile("" ::: "memory")

static void read_piece(const uint64_t *at, size_t words)
{
	uint64_t a = 0, b = 0, c = 0, d = 0;

	for (size_t i = 0; i < words; i += 8) {
		a += at[i] + at[i + 4];
		b += at[i + 1] + at[i + 5];
		c += at[i + 2] + at[i + 6];
		d += at[i + 3] + at[i + 7];
	}
	sink = a + b + c + d;
}

static void write_piece(uint64_t *at, size_t words)
{
	for (size_t i = 0; i < words; i += 8) {
		for (size_t j = 0; j < 8; j++)
			at[i + j] = i;
		STEP_APART();
	}
}

static void copy_piece(uint64_t *to, const uint64_t *from, size_t words)
{
	for (size_t i = 0; i < words; i += 8) {
		for (size_t j = 0; j < 8; j++)
			to[i + j] = from[i + j];
		STEP_APART();
	}
}

static void do_piece(int kind, bool by_hand, unsigned char *map, uint64_t bytes, uint64_t at)
{
	uint64_t *here = (uint64_t *)(map + at);
	const uint64_t *half = (const uint64_t *)(map + bytes / 2 + at);
	size_t words = PIECE_BYTES / sizeof(*here);

	if (kind == READ)
		read_piece(here, words);
	else if (kind == WRITE)
		write_piece(here, words);
	else if (by_hand)
		copy_piece(here, half, words);
	else
		memcpy(here, half, PIECE_BYTES);
}

/* 200 ms of one kind, over and over the buffer (a copy: over its first half). */
static void take_turn(struct load_worker *w, int kind, unsigned char *map, uint64_t bytes)
{
	struct bandwidth_shared *shared = w->shared;
	bool by_hand = w->knob[KNOB_VARIANT] == VARIANT_HAND;
	uint64_t room = kind == COPY ? bytes / 2 : bytes, at = 0, done = 0;
	int64_t begun_ns = clock_now_ns(), took_ns;

	do {
		do_piece(kind, by_hand, map, bytes, at);
		load_add(w, 1, PIECE_BYTES);
		done += PIECE_BYTES;
		at = at + PIECE_BYTES < room ? at + PIECE_BYTES : 0;
		took_ns = clock_now_ns() - begun_ns;
		load_cpu(w);
	} while (took_ns < TURN_NS && load_going(w));
	atomic_store(&shared->rate[w->index][kind], (double)done * 1e9 / (double)took_ns);
}

static void publish(struct load_worker *w)
{
	const struct bandwidth_shared *shared = w->shared;
	double figure[KINDS] = { 0 };
	char text[120];

	for (unsigned i = 0; i < w->workers; i++)
		for (unsigned k = 0; k < KINDS; k++)
			figure[k] += atomic_load(&shared->rate[i][k]) / 1e6;
	snprintf(text, sizeof(text), "read %.0f MB/s, write %.0f MB/s, copy %.0f MB/s",
		 figure[READ], figure[WRITE], figure[COPY]);
	load_publish(w, figure, KINDS, text);
}

static int bandwidth_run(struct load_worker *w, struct why *why)
{
	uint64_t bytes = buffer_bytes();
	unsigned char *map = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
				  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (map == MAP_FAILED)
		return failure(why, -errno, "mmap");
	memset(map, 1, bytes);		/* pages that were never written are all one page */
	while (load_going(w)) {
		for (int kind = 0; kind < KINDS && load_going(w); kind++)
			take_turn(w, kind, map, bytes);
		if (load_going(w))
			load_pass(w);
		if (w->index == 0)
			publish(w);
	}
	munmap(map, bytes);
	return 0;
}

static uint64_t bandwidth_memory(unsigned workers, const long *knob, uint64_t available)
{
	(void)knob, (void)available;
	return workers * buffer_bytes();
}

const struct load load_bandwidth = {
	.name = "bandwidth",
	.key = 'B',
	.summary = "memory read, written and copied far beyond the caches",
	.unit = "MB",
	.rate_unit = "MB/s",
	.pass_name = "rotations of read, write, copy",
	.figure = LOAD_BYTES,
	.version = 1,
	.default_per_cpu = 1,
	.max_workers = WORKERS_MAX,
	.knobs = {
		[KNOB_VARIANT] = { .name = "variant", .help = "who copies: memcpy(), or a loop",
				   .least = VARIANT_LIBC, .value = VARIANT_LIBC,
				   .most = VARIANT_HAND, .choices = variants },
	},
	.figure_names = figure_names,
	.shared_bytes = sizeof(struct bandwidth_shared),
	.memory_bytes = bandwidth_memory,
	.tasks_per_worker = 1,
	.run = bandwidth_run,
};
