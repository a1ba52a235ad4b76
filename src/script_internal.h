/*
 * script_internal.h - struct script, shared by script*.c alone.
 *
 * script.c goes from state to state, script_measure.c notes what a step finds,
 * script_plan.c knows which steps are wanted and how long they take.
 */
#ifndef JS_SCRIPT_INTERNAL_H
#define JS_SCRIPT_INTERNAL_H

#include "src/app.h"
#include "src/script.h"

enum script_state {
	RESTING,	/* between steps */
	CLEARING,	/* the load of the step before ends */
	RAISING,	/* the load of this step comes up */
	CALLING,	/* its job comes up */
	MEASURING,
	ENDING,		/* the job is over but not gone yet */
	OVER,
};

struct script {
	struct app *app;
	const struct step *steps;
	unsigned nr;
	const struct own_job *own;
	const struct script_watch *watch;
	struct step_result *results;
	enum script_state state;
	int at;			/* the step; -1 before the first */
	int back;		/* load that runs beside, -1: none */
	struct order back_order;
	bool keep;			/* it is the one the next step wants */
	int job;			/* load that was the last job, -1: none */
	struct hist *before[SCRIPT_LATENCIES];	/* totals when the measuring began */
	struct counters_last last;	/* of the load beside */
	struct load_totals first;
	int64_t began_ns;	/* the script's first turn */
	int64_t step_ns;	/* this step's first turn */
	int64_t spent_ns, guessed_ns;	/* of the steps that are over */
};

static inline struct load_view *script_load(const struct script *s, unsigned load)
{
	return &app_model(s->app)->loads[load];
}

/* script_measure.c: from here on until script_measured() it counts. */
void script_measure(struct script *s, int64_t now_ns);
void script_measured(struct script *s, int64_t now_ns);
/* Where a load counts; NULL: nowhere. */
const struct slot *script_slot(const struct script *s, unsigned load);
/* What the job published, into the step's result. */
void script_take_figures(const struct script *s, struct step_result *r);

#endif
