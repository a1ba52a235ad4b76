/* chase.c - see chase.h. */
#include "src/suites/chase.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/procfile.h"

#define KB UINT64_C(1024)
#define MB (KB * KB)
#define CACHES 16		/* of a CPU, as files */
#define L1_GUESS (32 * KB)
#define L2_GUESS (256 * KB)
#define MEMORY_LEAST (64 * MB)
#define LOOK_ITEMS 8192		/* a megabyte: new to us, each page of it costs */

/* ---- how large ----------------------------------------------------------- */

static bool cache_line(unsigned cache, const char *name, char *buf, size_t size)
{
	char path[80];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu0/cache/index%u/%s", cache, name);
	return procfile_line(path, buf, size);
}

/* "48K" */
static uint64_t bytes_of(const char *text)
{
	uint64_t n = number_at(&text);

	return *text == 'K' ? n * KB : *text == 'M' ? n * MB : *text == 'G' ? n * KB * MB : n;
}

uint64_t chase_cache_bytes(unsigned level)
{
	char text[40];

	for (unsigned i = 0; i < CACHES && cache_line(i, "level", text, sizeof(text)); i++) {
		if (strtoul(text, NULL, 10) != level)
			continue;
		if (cache_line(i, "type", text, sizeof(text)) && !strcmp(text, "Instruction"))
			continue;
		if (cache_line(i, "size", text, sizeof(text)))
			return bytes_of(text);
	}
	return 0;
}

static uint64_t last_cache_bytes(void)
{
	uint64_t most = 0;

	for (unsigned level = 1; level <= 4; level++) {
		uint64_t bytes = chase_cache_bytes(level);

		most = bytes > most ? bytes : most;
	}
	return most;
}

static uint64_t power_of_two(uint64_t bytes)
{
	uint64_t power = 4 * CHASE_STRIDE;

	while (power <= bytes / 2)
		power *= 2;
	return power;
}

/* Half a cache: the rest is for whatever else lives in it. */
static uint64_t half_of(unsigned level, uint64_t guess)
{
	uint64_t bytes = chase_cache_bytes(level);

	return power_of_two((bytes ? bytes : guess) / 2);
}

uint64_t chase_bytes(enum chase_where where, uint64_t most)
{
	uint64_t l1 = half_of(1, L1_GUESS), bytes = l1;

	if (where == CHASE_L2) {
		bytes = half_of(2, L2_GUESS);
		bytes = bytes > 4 * l1 ? bytes : 4 * l1;	/* or L1 would hold much of it */
	} else if (where == CHASE_MEMORY) {
		bytes = 4 * last_cache_bytes();
		bytes = power_of_two(bytes > MEMORY_LEAST ? bytes : MEMORY_LEAST);
	}
	return bytes < most ? bytes : power_of_two(most);
}

/* ---- the order ----------------------------------------------------------- */

/*
 * Item i leads to item a * i + c, modulo their number.  With c odd and a - 1 a
 * multiple of 4 that is a single ring through any power of two; and it is laid
 * in one pass, without a table of what is still free.
 */
bool chase_link(void *base, uint64_t bytes, const _Atomic bool *stop)
{
	uint64_t items = bytes / CHASE_STRIDE;
	char *at = base;

	for (uint64_t i = 0; i < items; i++) {
		if (i % LOOK_ITEMS == 0 && atomic_load_explicit(stop, memory_order_relaxed))
			return false;
		uint64_t next = (i * UINT64_C(6364136223846793005) +
				 UINT64_C(1442695040888963407)) & (items - 1);
		void *to = at + next * CHASE_STRIDE;

		memcpy(at + i * CHASE_STRIDE, &to, sizeof(to));
	}
	return true;
}
