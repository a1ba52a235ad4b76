/*
 * fake_perf.h - a backward perf ring as the kernel writes it, filled by hand.
 */
#ifndef JS_TESTS_FAKE_PERF_H
#define JS_TESTS_FAKE_PERF_H

#include <stddef.h>
#include <stdint.h>

#include "src/perf_ring.h"

struct fake_perf {
	uint8_t *data;
	uint64_t size, head;
	int on;		/* who was switched to last */
};

void fake_perf_make(struct fake_perf *f, uint64_t size);
void fake_perf_free(struct fake_perf *f);
/* Any record: header and bytes as given. */
void fake_perf_raw(struct fake_perf *f, const void *record, size_t n);
/* A task stops running: where there is no layout. */
void fake_perf_out(struct fake_perf *f, int64_t t, int tid);
void fake_perf_comm(struct fake_perf *f, int64_t t, int tid, const char *comm);
void fake_perf_fork(struct fake_perf *f, int64_t t, int tid, int parent);
void fake_perf_exit(struct fake_perf *f, int64_t t, int tid);
void fake_perf_lost(struct fake_perf *f, int64_t t);
/* Tracepoints by fake_perf_layout. */
extern const struct trace_layout fake_perf_layout;
void fake_perf_switch(struct fake_perf *f, int64_t t, int prev, int next, const char *comm);
void fake_perf_in(struct fake_perf *f, int64_t t, int tid);	/* the same, nameless */
void fake_perf_waking(struct fake_perf *f, int64_t t, int tid);
void fake_perf_irq(struct fake_perf *f, int64_t t, int irq, const char *name);	/* NULL: its end */
void fake_perf_softirq(struct fake_perf *f, int64_t t, int vector, int in);

#endif
