/* fake_perf.c - see fake_perf.h. */
#include "tests/fake_perf.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

const struct trace_layout fake_perf_layout = {
	.sched_switch = { 372, { 56, 40, 24 } },
	.sched_waking = { 375, { 24 } },
	.irq_in = { 225, { 8, 12 } },
	.irq_out = { 224, { 8 } },
	.softirq_in = { 223, { 8 } },
	.softirq_out = { 222, { 8 } },
};

void fake_perf_make(struct fake_perf *f, uint64_t size)
{
	f->data = calloc(1, size);
	f->size = size;
	f->head = 0;
	f->on = 0;
}

void fake_perf_free(struct fake_perf *f)
{
	free(f->data);
}

void fake_perf_raw(struct fake_perf *f, const void *record, size_t n)
{
	f->head -= n;
	for (size_t i = 0; i < n; i++)
		f->data[(f->head + i) & (f->size - 1)] = ((const uint8_t *)record)[i];
}

struct build { uint8_t bytes[256]; size_t n; };

static void put(struct build *b, const void *p, size_t n)
{
	memcpy(b->bytes + b->n, p, n);
	b->n += n;
}

static void put32(struct build *b, uint32_t v) { put(b, &v, sizeof(v)); }
static void put64(struct build *b, uint64_t v) { put(b, &v, sizeof(v)); }

static void header(struct build *b, uint32_t type, uint16_t misc)
{
	struct perf_event_header h = { type, misc, 0 };

	b->n = 0;
	put(b, &h, sizeof(h));
}

static void finish(struct fake_perf *f, struct build *b)
{
	struct perf_event_header h;

	while (b->n % 8)
		b->bytes[b->n++] = 0;
	memcpy(&h, b->bytes, sizeof(h));
	h.size = (uint16_t)b->n;
	memcpy(b->bytes, &h, sizeof(h));
	fake_perf_raw(f, b->bytes, b->n);
}

static void sample_id(struct build *b, int64_t t, int tid)
{
	put32(b, (uint32_t)tid);
	put32(b, (uint32_t)tid);
	put64(b, (uint64_t)t);
}

void fake_perf_out(struct fake_perf *f, int64_t t, int tid)
{
	struct build b;

	header(&b, PERF_RECORD_SAMPLE, 0);
	sample_id(&b, t, tid);
	finish(f, &b);
}

void fake_perf_comm(struct fake_perf *f, int64_t t, int tid, const char *comm)
{
	struct build b;

	header(&b, PERF_RECORD_COMM, 0);
	put32(&b, (uint32_t)tid);
	put32(&b, (uint32_t)tid);
	put(&b, comm, strlen(comm) + 1);
	while (b.n % 8)
		b.bytes[b.n++] = 0;
	sample_id(&b, t, tid);
	finish(f, &b);
}

static void task(struct fake_perf *f, int64_t t, int tid, int parent, uint32_t type)
{
	struct build b;

	header(&b, type, 0);
	put32(&b, (uint32_t)tid);
	put32(&b, (uint32_t)parent);
	put32(&b, (uint32_t)tid);
	put32(&b, (uint32_t)parent);
	put64(&b, (uint64_t)t);
	sample_id(&b, t, parent);
	finish(f, &b);
}

void fake_perf_fork(struct fake_perf *f, int64_t t, int tid, int parent)
{
	task(f, t, tid, parent, PERF_RECORD_FORK);
}

void fake_perf_exit(struct fake_perf *f, int64_t t, int tid)
{
	task(f, t, tid, 1, PERF_RECORD_EXIT);
}

void fake_perf_lost(struct fake_perf *f, int64_t t)
{
	struct build b;

	header(&b, PERF_RECORD_LOST, 0);
	put64(&b, 1);
	put64(&b, 17);
	sample_id(&b, t, 0);
	finish(f, &b);
}

static void sample(struct fake_perf *f, int64_t t, const void *raw, uint32_t n)
{
	struct build b;

	header(&b, PERF_RECORD_SAMPLE, 0);
	put64(&b, (uint64_t)t);
	put32(&b, n);
	put(&b, raw, n);
	finish(f, &b);
}

static void at(uint8_t *raw, unsigned offset, uint32_t v)
{
	memcpy(raw + offset, &v, sizeof(v));
}

void fake_perf_switch(struct fake_perf *f, int64_t t, int prev, int next, const char *comm)
{
	uint8_t raw[68] = { 372 & 255, 372 >> 8 };

	at(raw, 24, (uint32_t)prev);
	at(raw, 56, (uint32_t)next);
	memcpy(raw + 40, comm, strnlen(comm, 16));
	sample(f, t, raw, sizeof(raw));
	f->on = next;
}

void fake_perf_in(struct fake_perf *f, int64_t t, int tid)
{
	fake_perf_switch(f, t, f->on, tid, "");
}

void fake_perf_waking(struct fake_perf *f, int64_t t, int tid)
{
	uint8_t raw[36] = { 375 & 255, 375 >> 8 };

	at(raw, 24, (uint32_t)tid);
	sample(f, t, raw, sizeof(raw));
}

void fake_perf_irq(struct fake_perf *f, int64_t t, int irq, const char *name)
{
	uint8_t raw[40] = { name ? 225 : 224 };

	at(raw, 8, (uint32_t)irq);
	if (name) {
		at(raw, 12, (uint32_t)(strlen(name) + 1) << 16 | 16);
		memcpy(raw + 16, name, strlen(name) + 1);
	}
	sample(f, t, raw, sizeof(raw));
}

void fake_perf_softirq(struct fake_perf *f, int64_t t, int vector, int in)
{
	uint8_t raw[12] = { in ? 223 : 222 };

	at(raw, 8, (uint32_t)vector);
	sample(f, t, raw, sizeof(raw));
}
