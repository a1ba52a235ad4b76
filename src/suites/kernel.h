/*
 * kernel.h - a figure of a table that has to be measured for itself: the time
 * of an operation, or how often it can be done.
 *
 * A kernel runs in an ordinary process of its own, below the keeper
 * (keeper.h), with a scratch folder; partners are its children.  It measures
 * for r->length_ns and says what it found with kernel_times() or
 * kernel_rates().
 *
 * Adding one: its entry in the table of a kernel_NAME.c.
 */
#ifndef JS_KERNEL_H
#define JS_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

#include "src/hist.h"
#include "src/load.h"
#include "src/why.h"

enum { KERNEL_ARGS = 3 };

struct kernel_run {
	struct load_worker *w;		/* scratch_fd, seed; partners by load_child() */
	struct why *why;
	int64_t length_ns;
	uint64_t memory_bytes;		/* no more for its buffers; 0: what the machine can spare */
	long arg[KERNEL_ARGS];		/* of the entry, or what the suite says */
};

struct kernel {
	const char *table, *name, *unit;	/* where the figure belongs */
	bool rate;			/* more is better: median worst best; else a time */
	int (*run)(struct kernel_run *r);	/* 0, or -errno with why */
	long arg[KERNEL_ARGS];
};

/* A table of kernels ends with name NULL. */
extern const struct kernel kernels_calls[];	/* kernel_calls.c: system calls, signals */
extern const struct kernel kernels_process[];	/* kernel_process.c: fork, exec, sh, ring */
extern const struct kernel kernels_talk[];	/* kernel_talk.c: two processes */
extern const struct kernel kernels_file[];	/* kernel_file.c: create, delete, copy, reread */
extern const struct kernel kernels_map[];	/* kernel_map.c: mappings and faults */
extern const struct kernel kernels_memory[];	/* kernel_memory.c: caches and memory */
extern const struct kernel kernels_unix[];	/* kernel_unix.c: loops per second */
extern const struct kernel kernels_shell[];	/* kernel_shell.c: scripts at once */
extern const struct kernel kernels_tcp[];	/* kernel_tcp.c: sweep and soakers */

/* All tables in a row: what a number means to the keeper. NULL: no such. */
const struct kernel *kernel_nth(unsigned n);
unsigned kernel_count(void);

/* What figures a kernel publishes, by position. */
enum { KERNEL_MEDIAN, KERNEL_P99, KERNEL_MAX, KERNEL_N, KERNEL_MEAN, KERNEL_LEAST, KERNEL_MORE };
/* ... of a rate: the median, the worst and the best stretch. */
enum { KERNEL_WORST = KERNEL_P99, KERNEL_BEST = KERNEL_MAX };

/* ---- measuring, in the kernel's process ---- */

/* One operation; 0 or -errno. */
typedef int kernel_op(void *ctx);
/* May the kernel go on? */
bool kernel_going(const struct kernel_run *r, int64_t end_ns);
/* -errno with "what: why". */
int kernel_failed(struct kernel_run *r, int err, const char *what);

/*
 * Times an operation again and again, `batch` at a time, into h (in ns of the
 * whole batch).  The first batch only warms up.
 */
int kernel_time(struct kernel_run *r, kernel_op *op, void *ctx, unsigned batch, struct hist *h);
/* Publishes h: values are ns of `batch` operations, less `cost_ns` each; shown
 * in units of unit_ns. */
void kernel_times(struct kernel_run *r, const struct hist *h, double batch, double cost_ns,
		  double unit_ns);
/* In ns, never above the maximum. */
double kernel_percentile(const struct hist *h, double percent);
/* kernel_time() and kernel_times(), in microseconds. */
int kernel_time_us(struct kernel_run *r, kernel_op *op, void *ctx, unsigned batch);
/* Median ns of an operation, a short run: what is to be subtracted. */
double kernel_cost_ns(struct kernel_run *r, kernel_op *op, void *ctx, unsigned batch);

/* ns a signal's way into a handler and back takes. */
double kernel_handler_ns(struct kernel_run *r);

/* Repeats op for stretches of time; publishes op's * per_op per second (or
 * minute: per_s 60). */
int kernel_rates(struct kernel_run *r, kernel_op *op, void *ctx, double per_op, double per_s);
/* Publishes rates found otherwise. */
void kernel_publish_rates(struct kernel_run *r, double *rate, unsigned n);
/* Waits for a partner's end: 0, -ECHILD when it failed, or another -errno. */
int kernel_reap(pid_t pid);
/* A kernel_op: a child that ends at once. */
int kernel_birth(void *ctx);
/* Reaps a partner, killing it first. */
void kernel_end_child(pid_t pid);

#endif
