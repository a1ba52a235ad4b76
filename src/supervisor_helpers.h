/*
 * supervisor_helpers.h - the processes of operation probes, as the supervisor
 * sees them: started, stopped, reaped, and held to their budget.
 *
 * All of them together may take 1 % of one CPU.  When the last 10 s took more,
 * every period is doubled; a change of the set of probes begins anew.
 *
 * Supervisor process; nothing here waits.
 */
#ifndef JS_SUPERVISOR_HELPERS_H
#define JS_SUPERVISOR_HELPERS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "src/helper_memory.h"
#include "src/supervisor_job.h"
#include "src/wire.h"

#define BUDGET_WINDOW_S 10

/* The governor, pure. */
struct helper_budget {
	int64_t at_ns;			/* of the last reading; 0: none yet */
	uint64_t cpu_ns[BUDGET_WINDOW_S + 1];	/* readings, a second apart, newest last */
	unsigned readings;
	unsigned stretch;
};
/* A reading of the sum of CPU time; true when stretch has grown. */
bool helper_budget_read(struct helper_budget *b, int64_t now_ns, uint64_t cpu_ns);
void helper_budget_restart(struct helper_budget *b);

enum helper_state { HELPER_OFF, HELPER_ON, HELPER_STOPPING, HELPER_CLEANING };

struct helper_job {
	enum helper_state state;
	pid_t pid, cleaner;
	int pidfd, control;	/* -1: none */
	int64_t deadline_ns;	/* KILL then; 0: none */
	bool asked;
	int32_t start;		/* number of the order it runs, or ran, for */
	int code, signal;
	bool again;		/* switched on while it was still ending */
	struct wire order;
};

struct helpers {
	struct job_world *world;
	struct helper_memory *memory;	/* NULL: no operation probes */
	struct helper_job job[HELPERS_MAX];
	struct helper_budget budget;
};

void helpers_init(struct helpers *h, struct job_world *world, struct helper_memory *memory);
/* Answers PROBE_STARTED when it measures, PROBE_EXITED with why when not. */
void helpers_start(struct helpers *h, const struct wire *order);
void helpers_stop(struct helpers *h, unsigned id);
void helpers_stop_all(struct helpers *h, bool at_once);
void helpers_heard(struct helpers *h, unsigned id);
bool helpers_reaped(struct helpers *h, pid_t pid, int status);
void helpers_tick(struct helpers *h, int64_t now_ns);
int64_t helpers_next_ns(const struct helpers *h);	/* INT64_MAX: never */
unsigned helpers_busy(const struct helpers *h);
unsigned helpers_pids(const struct helpers *h, pid_t out[2 * HELPERS_MAX]);

#endif
