/*
 * perf_ring.h - reads a backward perf ring from its newest record to its
 * oldest.
 *
 * The kernel writes such a ring from its end towards its beginning and over
 * the oldest records; data_head counts down from 0 and points at the newest.
 * It is paused while it is read, or no more of it is read than surely is not
 * written over meanwhile, which the head tells afterwards.  Bytes are hostile:
 * every record is copied under the mask and checked before it is believed.
 *
 * Pure: no system call, any bytes.  Any thread.
 */
#ifndef JS_PERF_RING_H
#define JS_PERF_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum trace_kind {
	TRACE_IN,		/* task runs from here */
	TRACE_OUT,		/* task stops running; -1: it has exited and has no number */
	TRACE_COMM,		/* task has a new name */
	TRACE_FORK,		/* task was made by task `other` */
	TRACE_EXIT,
	TRACE_LOST,		/* records were lost about here */
	TRACE_IRQ_IN, TRACE_IRQ_OUT,	/* other: the interrupt's number; comm: its name */
	TRACE_SOFTIRQ_IN, TRACE_SOFTIRQ_OUT,	/* other: the vector */
	TRACE_WAKING,		/* somebody wakes task tid */
};

struct trace_event {
	int64_t t_ns;
	enum trace_kind kind;
	int tid, other;
	char comm[16];		/* raw, 0-ended; "" where the record has no name */
};

/* Where the fields of a tracepoint lie; id 0: not there. */
struct trace_point { unsigned id; unsigned offset[4]; };
struct trace_layout {
	struct trace_point sched_switch;	/* next_pid, next_comm, prev_pid */
	struct trace_point sched_waking;	/* pid */
	struct trace_point irq_in;		/* irq, name (__data_loc) */
	struct trace_point irq_out;		/* irq */
	struct trace_point softirq_in, softirq_out;	/* vec */
};

enum perf_ring_end {
	PERF_RING_STOPPED,	/* the callback had enough */
	PERF_RING_OLDEST,	/* nothing older is there */
	PERF_RING_BROKEN,	/* a record that cannot be one */
};

/* size: a power of two; head: data_head, read with acquire order; most: of its
 * newest bytes are read, 0: all. */
struct perf_ring_bytes { const void *data; uint64_t size, head, most; };

/*
 * fn is called newest first and ends the walk with
 * false.  layout: of the tracepoints that are the samples; NULL: each sample is
 * a task that stops running.
 */
typedef bool perf_ring_fn(void *ctx, const struct trace_event *e);
enum perf_ring_end perf_ring_walk(const struct perf_ring_bytes *ring,
				  const struct trace_layout *layout, perf_ring_fn *fn, void *ctx);

/* The number behind "ID:" and the offset of a field, from a tracepoint's
 * `format` file; 0 and -1 when it is not there. */
unsigned trace_format_id(const char *format);
int trace_format_offset(const char *format, const char *field);

#endif
