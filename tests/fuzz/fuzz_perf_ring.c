/*
 * fuzz_perf_ring.c - any bytes as a perf ring: the walk ends, and the shares
 * of any window add up, with tracepoints and without.  First 8 bytes:
 * data_head; 8: due; 2: length of the window in units of 4 us; the rest is the
 * ring.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "src/blame_walk.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct trace_layout layout = {
	.sched_switch = { 372, { 56, 40, 24 } },
	.sched_waking = { 375, { 24 } },
	.irq_in = { 225, { 8, 12 } },
	.irq_out = { 224, { 8 } },
	.softirq_in = { 223, { 8 } },
	.softirq_out = { 222, { 8 } },
};

static void walk(const struct blame_window *w, const uint8_t *bytes, uint64_t ring, uint64_t head)
{
	struct blame_name name = { .tid = 50, .t_ns = w->woke_ns };
	struct blame_result r;
	int64_t sum = 0;

	blame_walk(w, &(struct perf_ring_bytes){ bytes, ring, head, head % 3 ? 0 : ring / 2 }, &r);
	for (unsigned i = 0; i < r.nr; i++)
		sum += r.share[i].ns;
	if (sum != w->woke_ns - w->due_ns)
		abort();
	blame_find_names(&name, 1, &(struct perf_ring_bytes){ bytes, ring, head, 0 }, w->layout);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct trace_event room[512];
	struct blame_window w = { .layout = &layout, .room = room, .rooms = 512, .sampler_tid = 50 };
	uint16_t length;
	uint64_t head, ring = 64;

	if (size < 18)
		return 0;
	memcpy(&head, data, 8);
	memcpy(&w.due_ns, data + 8, 8);
	memcpy(&length, data + 16, 2);
	w.due_ns &= INT64_MAX >> 2;
	w.woke_ns = w.due_ns + 4000 * (int64_t)length;
	data += 18;
	size -= 18;
	while (ring < size)
		ring *= 2;
	uint8_t *bytes = calloc(1, ring);

	if (!bytes)
		return 0;
	memcpy(bytes, data, size);
	walk(&w, bytes, ring, head);
	w.layout = NULL;
	walk(&w, bytes, ring, head);
	free(bytes);
	return 0;
}
