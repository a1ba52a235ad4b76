/* perf_ring.c - see perf_ring.h. */
#include "src/perf_ring.h"

#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RECORD_MOST 4096	/* ours are below 200 bytes */
#define HEADER_BYTES 8
#define TIME_BYTES 8		/* the end of every record but samples */

struct record {
	uint32_t type;
	uint16_t misc, size;
	uint8_t bytes[RECORD_MOST];
};

/* ---- bytes --------------------------------------------------------------- */

static void copy(const uint8_t *data, uint64_t size, uint64_t at, void *out, size_t n)
{
	uint64_t first = size - (at & (size - 1));

	if (first > n)
		first = n;
	memcpy(out, data + (at & (size - 1)), first);
	memcpy((uint8_t *)out + first, data, n - first);
}

static uint32_t u32(const struct record *r, size_t at)
{
	uint32_t v = 0;

	if (at + sizeof(v) <= r->size)
		memcpy(&v, r->bytes + at, sizeof(v));
	return v;
}

static int64_t time_at(const struct record *r, size_t at)
{
	int64_t v = 0;

	if (at + sizeof(v) <= r->size)
		memcpy(&v, r->bytes + at, sizeof(v));
	return v;
}

/* A name of at most `room` bytes, 0-ended whatever the record says. */
static void name(const struct record *r, size_t at, size_t room, char out[16])
{
	memset(out, 0, 16);
	if (at >= r->size)
		return;
	if (room > (size_t)r->size - at)
		room = (size_t)r->size - at;
	if (room > 15)
		room = 15;
	memcpy(out, r->bytes + at, room);
	memset(out + strlen(out), 0, 16 - strlen(out));
}

/* ---- records ------------------------------------------------------------- */

static bool known(uint32_t type)
{
	switch (type) {
	case PERF_RECORD_LOST:
	case PERF_RECORD_COMM:
	case PERF_RECORD_EXIT:
	case PERF_RECORD_THROTTLE:
	case PERF_RECORD_UNTHROTTLE:
	case PERF_RECORD_FORK:
	case PERF_RECORD_SAMPLE:
	case PERF_RECORD_LOST_SAMPLES:
		return true;
	}
	return false;
}

static void stamp(const struct record *r, struct trace_event *e)
{
	e->t_ns = time_at(r, r->size - TIME_BYTES);
}

/* pid, tid, name, sample id */
static bool decode_comm(const struct record *r, struct trace_event *e)
{
	stamp(r, e);
	e->kind = TRACE_COMM;
	e->tid = (int)u32(r, HEADER_BYTES + 4);
	if (r->size > HEADER_BYTES + 8 + TIME_BYTES)
		name(r, HEADER_BYTES + 8, r->size - HEADER_BYTES - 8 - TIME_BYTES, e->comm);
	return true;
}

/* pid, parent's pid, tid, parent's tid, time, sample id */
static bool decode_task(const struct record *r, struct trace_event *e)
{
	stamp(r, e);
	e->kind = r->type == PERF_RECORD_FORK ? TRACE_FORK : TRACE_EXIT;
	e->tid = (int)u32(r, HEADER_BYTES + 8);
	e->other = (int)u32(r, HEADER_BYTES + 12);
	return true;
}

static bool decode_lost(const struct record *r, struct trace_event *e)
{
	stamp(r, e);
	e->kind = TRACE_LOST;
	return true;
}

/* ---- samples without tracepoints: pid, tid, time ------------------------- */

static bool decode_out(const struct record *r, struct trace_event *e)
{
	if (r->size < HEADER_BYTES + 8 + TIME_BYTES)
		return false;
	e->kind = TRACE_OUT;
	e->tid = (int)u32(r, HEADER_BYTES + 4);
	e->t_ns = time_at(r, HEADER_BYTES + 8);
	return true;
}

/* ---- tracepoints: time, raw size, raw bytes ------------------------------ */

#define RAW (HEADER_BYTES + TIME_BYTES + 4)

static bool raw_switch(const struct record *r, const struct trace_point *p, struct trace_event *e)
{
	e->kind = TRACE_IN;
	e->tid = (int)u32(r, RAW + p->offset[0]);
	e->other = (int)u32(r, RAW + p->offset[2]);
	name(r, RAW + p->offset[1], 16, e->comm);
	return true;
}

static bool raw_waking(const struct record *r, const struct trace_point *p, struct trace_event *e)
{
	e->kind = TRACE_WAKING;
	e->tid = (int)u32(r, RAW + p->offset[0]);
	return true;
}

static bool raw_irq_in(const struct record *r, const struct trace_point *p, struct trace_event *e)
{
	uint32_t where = u32(r, RAW + p->offset[1]);	/* length << 16 | offset */

	e->kind = TRACE_IRQ_IN;
	e->other = (int)u32(r, RAW + p->offset[0]);
	name(r, RAW + (where & 0xffff), where >> 16, e->comm);
	return true;
}

static bool raw_number(const struct record *r, const struct trace_point *p, enum trace_kind kind,
		       struct trace_event *e)
{
	e->kind = kind;
	e->other = (int)u32(r, RAW + p->offset[0]);
	return true;
}

static bool decode_point(const struct record *r, const struct trace_layout *l,
			 struct trace_event *e)
{
	uint16_t id = 0;

	if (r->size < RAW + sizeof(id))
		return false;
	e->t_ns = time_at(r, HEADER_BYTES);
	memcpy(&id, r->bytes + RAW, sizeof(id));
	if (!id)
		return false;
	if (id == l->sched_switch.id)
		return raw_switch(r, &l->sched_switch, e);
	if (id == l->sched_waking.id)
		return raw_waking(r, &l->sched_waking, e);
	if (id == l->irq_in.id)
		return raw_irq_in(r, &l->irq_in, e);
	if (id == l->irq_out.id)
		return raw_number(r, &l->irq_out, TRACE_IRQ_OUT, e);
	if (id == l->softirq_in.id)
		return raw_number(r, &l->softirq_in, TRACE_SOFTIRQ_IN, e);
	if (id == l->softirq_out.id)
		return raw_number(r, &l->softirq_out, TRACE_SOFTIRQ_OUT, e);
	return false;
}

/* false: a record that tells nothing here. */
static bool decode(const struct record *r, const struct trace_layout *l, struct trace_event *e)
{
	*e = (struct trace_event){ 0 };
	if (r->size < HEADER_BYTES + TIME_BYTES)
		return false;
	switch (r->type) {
	case PERF_RECORD_COMM:
		return decode_comm(r, e);
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		return decode_task(r, e);
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
	case PERF_RECORD_THROTTLE:
		return decode_lost(r, e);
	case PERF_RECORD_SAMPLE:
		return l ? decode_point(r, l, e) : decode_out(r, e);
	}
	return false;
}

/* ---- the walk ------------------------------------------------------------ */

/* The record at `at`, of which at most `left` bytes can be there. */
static bool fetch(const uint8_t *data, uint64_t size, uint64_t at, uint64_t left, struct record *r)
{
	struct perf_event_header h;

	if (left < sizeof(h))
		return false;
	copy(data, size, at, &h, sizeof(h));
	if (h.size < sizeof(h) || h.size > left || h.size > RECORD_MOST || h.size % 8 ||
	    !known(h.type))
		return false;
	r->type = h.type;
	r->misc = h.misc;
	r->size = h.size;
	copy(data, size, at, r->bytes, h.size);
	return true;
}

enum perf_ring_end perf_ring_walk(const struct perf_ring_bytes *ring,
				  const struct trace_layout *layout, perf_ring_fn *fn, void *ctx)
{
	/* Unsigned: the distance from the beginning at 0, however often it
	 * wrapped.  Comparing head + size would overflow before it ever did. */
	uint64_t written = 0 - ring->head, size = ring->size, valid, done = 0;
	uint64_t most = ring->most && ring->most < size ? ring->most : size;
	struct trace_event e;
	struct record r;

	if (!size || size & (size - 1))
		return PERF_RING_BROKEN;
	valid = written < most ? written : most;
	while (done < valid) {
		if (!fetch(ring->data, size, ring->head + done, valid - done, &r))
			/* In a ring that wrapped, the oldest record may be cut. */
			return written > most && valid - done < RECORD_MOST ? PERF_RING_OLDEST
				: PERF_RING_BROKEN;
		if (decode(&r, layout, &e) && !fn(ctx, &e))
			return PERF_RING_STOPPED;
		done += r.size;
	}
	return PERF_RING_OLDEST;
}

/* ---- format files -------------------------------------------------------- */

unsigned trace_format_id(const char *format)
{
	const char *p = strstr(format, "ID:");

	return p ? (unsigned)strtoul(p + 3, NULL, 10) : 0;
}

/* "	field:pid_t next_pid;	offset:56;	size:4;	signed:1;" */
int trace_format_offset(const char *format, const char *field)
{
	size_t n = strlen(field);

	for (const char *p = strstr(format, "field:"); p; p = strstr(p + 1, "field:")) {
		const char *end = strchr(p, ';'), *first;

		if (!end)
			return -1;
		for (first = end; first > p && first[-1] != ' ' && first[-1] != '\t'; first--)
			;
		/* char next_comm[16]: the name ends at the bracket */
		if (strncmp(first, field, n) || (first[n] != ';' && first[n] != '['))
			continue;
		const char *offset = strstr(end, "offset:");

		return offset ? (int)strtoul(offset + 7, NULL, 10) : -1;
	}
	return -1;
}
