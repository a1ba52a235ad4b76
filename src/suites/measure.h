/*
 * measure.h - what the suites made of kernels share: the same kernels idle and
 * then under each load that -l asks for.
 *
 * Rows are called after the condition ("idle", "churn x8"), so that two files
 * can be compared cell by cell.  Main thread.
 */
#ifndef JS_MEASURE_H
#define JS_MEASURE_H

#include "src/suite.h"
#include "src/suites/keeper.h"
#include "src/suites/kernel.h"

struct measure {
	struct order load[SUITE_LOADS + 1];	/* [0]: CMD_NONE, idle */
	char row[SUITE_LOADS + 1][40];
	unsigned conditions;
	struct step *step;
	unsigned *condition;		/* of a step */
	unsigned nr, room;
	int64_t length_ns;		/* of a step */
	const struct step_result *result;	/* when it is over */
	struct keeper *keeper;
	struct own_job job;
};

/* Conditions from -l, the length from --length or length_ns.  0 or an exit code. */
int measure_begin(struct measure *m, struct options *o, int64_t length_ns, struct why *why);
/* All kernels of a table (name NULL) or one, under every condition that has
 * been begun.  Grows m->step. 0 or -ENOMEM. */
int measure_add(struct measure *m, unsigned condition, const char *table, const char *name);
/* The step that was added last, to change it. */
struct step *measure_last(struct measure *m);
/* Starts the keeper (m->job, if plan->own is not set already), runs, ends it;
 * frees m's memory.  Exit code. */
int measure_run(struct measure *m, struct options *o, struct suite_plan *plan, struct why *why);
const char *measure_row(const struct measure *m, unsigned step);
const struct kernel *measure_kernel(const struct measure *m, unsigned step);
/* Steps that were not done, and those whose figure came out below nothing, with
 * the reason. */
void measure_print_undone(const struct measure *m, FILE *out);
/* Value of a step's figure; NAN: it has none, or one below nothing (a time, a
 * load). */
double measure_value(const struct measure *m, unsigned step, unsigned figure);

#endif
