/*
 * script.h - steps one after another over the running instrument.
 *
 * A step runs a load beside, or a job in the foreground, or both: the load is
 * started and waited for, then the job runs to its end (without one the step
 * holds for a time), then the load is stopped.  What happened in between is the
 * step's result.
 *
 * A suite (suite.h) is a table of such steps.  Main thread; suite_run.c calls
 * script_turn() after every turn of the one loop.
 */
#ifndef JS_SCRIPT_H
#define JS_SCRIPT_H

#include <stdbool.h>
#include <stdint.h>

#include "src/command.h"
#include "src/counters.h"
#include "src/why.h"

#define SCRIPT_LATENCIES 2	/* of the first groups of the model */
#define SCRIPT_ARGS 4

struct app;

struct step {
	char name[48];		/* unique in the suite; file names are made of it */
	char pick[2][24];	/* what --steps may also say: all steps that have it */
	struct order back;	/* a load beside; CMD_NONE: none */
	bool keeps;		/* it may have run for the step before */
	struct order job;	/* a load that ends by itself; CMD_NONE: none */
	bool own;		/* the job is not a load but the suite's own (struct own_job) */
	unsigned kernel;	/* own: which, and what it is told */
	long arg[SCRIPT_ARGS];
	int64_t hold_ns;	/* without a job: how long */
	bool whole_passes;	/* ... and until every worker has ended a pass */
	int64_t most_ns;	/* cut there; 0: no limit */
	int64_t guess_ns;	/* what it will take, for the time left */
	char skip[120];		/* not "": why it cannot be done here */
};

enum outcome {
	STEP_UNASKED,		/* left out by --steps */
	STEP_WAITING,
	STEP_RUNNING,
	STEP_DONE,
	STEP_CUT,		/* ended early: what there is counts */
	STEP_SKIPPED,		/* refused before it began */
	STEP_FAILED,
};

struct step_latency {
	char name[40];		/* of the group */
	uint64_t count;
	int64_t p50_ns, p99_ns, p999_ns, max_ns;
};

struct step_result {
	enum outcome outcome;
	char why[160];		/* cut, skipped, failed */
	int64_t from_ns, to_ns;	/* what was measured */
	struct step_latency latency[SCRIPT_LATENCIES];
	unsigned latencies;
	unsigned workers;		/* of the load beside */
	struct load_totals back;	/* what it did from..to */
	char note[64];			/* what it says of itself ("fillers 10/20") */
	double figure[LOAD_FIGURES];	/* what the job published */
	unsigned figures;
	char text[256];
	uint64_t job_cpu_ns;
	int64_t job_ran_ns;
};

/* A job that is no load: processes of the suite's own. */
struct own_job {
	void *ctx;
	int (*start)(void *ctx, const struct step *step, struct why *why);
	int (*fd)(void *ctx);	/* -1: none */
	/* It is readable: takes the news in. */
	void (*hear)(void *ctx);
	/* 0: goes on; 1: ended, *result has its figures; -errno with why. */
	int (*look)(void *ctx, struct step_result *result, struct why *why);
	void (*stop)(void *ctx);
	bool (*busy)(void *ctx);	/* started and not gone yet */
};

/* Who wants to know when what is measured begins and ends; may be NULL. */
struct script_watch {
	void *ctx;
	void (*begins)(void *ctx, unsigned step);
	void (*ends)(void *ctx, unsigned step);
};

struct script;

/* The tables must stay.  own, watch may be NULL.  NULL: no memory. */
struct script *script_new(struct app *app, const struct step *steps, unsigned n,
			  const struct own_job *own, const struct script_watch *watch);
void script_free(struct script *s);
/* "name,name,pick" as --steps has it, with blanks inside names; NULL: all.
 * -EINVAL with what can be said. */
int script_choose(struct script *s, const char *list, struct why *why);

/* What is due now.  Returns ns until it wants to be called again (0: nothing
 * left to do). Call it after every event too. */
int64_t script_turn(struct script *s, int64_t now_ns);
/* The run ends here: the step that runs is cut, what it has is kept.  One that
 * has done its work is whole; call again until its load is at rest. */
void script_cut(struct script *s, int64_t now_ns);
/* The same, and nothing is awaited any more. */
void script_close(struct script *s, int64_t now_ns);

const struct step_result *script_results(const struct script *s);
unsigned script_nr_asked(const struct script *s);
unsigned script_nr_over(const struct script *s);
/* The step that runs, -1: none. */
int script_at(const struct script *s);
/* Estimates, better after each step. */
int64_t script_left_ns(const struct script *s, int64_t now_ns);
int script_percent(const struct script *s, int64_t now_ns);
/* "3/24 8.2: churn x8 preparing 40 %". */
void script_progress(const struct script *s, int64_t now_ns, char *buf, size_t size);
const char *outcome_name(enum outcome o);	/* "done" "cut" "skipped" "failed" "" */

#endif
