/*
 * suite.h - the contract of a scripted series (src/suites/NAME.c): steps in an
 * order, with progress, a clean stop at any moment and a result that `show`
 * prints and `compare` puts beside another.
 *
 * Adding a suite: one file and one X(name) line in src/suites/registry.c.  Its
 * run() makes a table of steps (script.h) and hands it to suite_run().
 * Main thread.
 */
#ifndef JS_SUITE_H
#define JS_SUITE_H

#include <stdio.h>

#include "src/options.h"
#include "src/script.h"
#include "src/snapshot.h"
#include "src/why.h"

struct suite {
	const char *name, *summary;
	/* Exit code; fills *why when it failed. */
	int (*run)(struct options *o, struct why *why);
};

/* NULL-ended; defined by src/suites/registry.c in the order of its X lines. */
extern const struct suite *const suites[];
const struct suite *suite_by_name(const char *name);

struct suite_plan {
	const char *name;
	const struct step *steps;
	unsigned nr;
	void *ctx;
	const struct own_job *own;	/* NULL: all jobs are loads */
	const char *tables;		/* format that can hold its tables; NULL: none does */
	bool no_samplers;		/* nothing measures but what -P names */
	bool step_files;		/* with -o: a snapshot of each step beside it */
	/* What the steps found, as figures of the snapshot.  0 or -ENOMEM. */
	int (*figures)(void *ctx, const struct step_result *r, struct snapshot *s);
	/* The tables, from the figures.  0 or -errno with why. */
	int (*print)(void *ctx, FILE *out, const struct snapshot *s, struct why *why);
};

/* Starts the instrument, plays the steps that --steps chooses, prints the
 * tables, writes -o.  Exit code, *why filled when it failed unheard. */
int suite_run(struct options *o, const struct suite_plan *plan, struct why *why);

/* ---- for suites ---- */

#define SUITE_LOADS 16
/* Takes what -l asked for out of the options: the suite starts loads itself.
 * How many, or -EINVAL when one has a time of its own. */
int suite_loads(struct options *o, struct order out[SUITE_LOADS], struct why *why);
/* -l that may only set the suite's own loads: overwrites those of *order for
 * that load.  -EINVAL when another one is named. */
int suite_own_loads(struct options *o, const char *suite, struct order *const own[], unsigned n,
		    struct why *why);
/* "churn x8" or, with the default number, "churn". */
void suite_load_name(const struct order *order, char *buf, size_t size);
/* The order that starts a load; workers 0: its default. */
struct order suite_order(const struct load *l, unsigned workers);
void suite_order_knob(struct order *order, const struct load *l, const char *knob, long value);
/* Adds a figure; NAN: not measured; text NULL: made from value. 0 or -ENOMEM. */
int suite_figure(struct snapshot *s, const char *table, const char *row, const char *name,
		 const char *unit, double value, const char *text);
/* What a job of load l published under that name; NAN: nothing. */
double suite_published(const struct load *l, const struct step_result *r, const char *name);
/* NULL: there is no such figure. */
const struct snapshot_figure *suite_find(const struct snapshot *s, const char *table,
					 const char *row, const char *name);
/* p50 p99 p99.9 max of the first probes of a step, named "PROBE p50". */
int suite_add_latencies(struct snapshot *s, const char *table, const char *row,
		    const struct step_result *r);
/* The same as text, a line per step that ran.  lead(): what stands before them,
 * all of one width, under `head`. */
void suite_print_latencies(FILE *out, const char *head,
			   void (*lead)(const void *ctx, unsigned step, char *buf, size_t size),
			   const void *ctx, const struct step_result *r, unsigned n);
/* Steps that were cut, skipped or failed, those of one reason together. */
void suite_print_undone(FILE *out, const struct step *steps, const struct step_result *r,
			unsigned n);
/* A row's own name: the label of -L, else the kernel's; no blanks in it. */
void suite_row_name(const struct options *o, char *buf, size_t size);
unsigned suite_ncpu(void);	/* CPUs we may use, at least 1 */

#endif
