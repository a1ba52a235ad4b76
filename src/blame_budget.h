/*
 * blame_budget.h - how much of main's CPU time looks at spikes may take: a
 * share of a CPU, saved up for two seconds, and for the worst spikes borrowed for
 * as long.  A turn has a limit of its own: main is above every ordinary thread,
 * and what it takes without a pause is a latency that it then measures, and the
 * time a key waits.  Part of blame.  Pure; main thread only.
 */
#ifndef JS_BLAME_BUDGET_H
#define JS_BLAME_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

#include "src/clock.h"

#define BLAME_SAVED_S 2
#define BLAME_TURN_NS (4 * NS_PER_MS)	/* of one turn; the last look may go over it */
#define BLAME_CPU_PCT 3		/* of one CPU, over time */

/* Begins with all that can be saved. */
struct blame_budget { int64_t now_ns, credit_ns, turn_ns; };

/* Time has gone on to now_ns; the same now again is the same turn. */
void blame_budget_turn(struct blame_budget *b, int64_t now_ns);
/* May one more be looked at?  Of the worst: on credit too. */
bool blame_budget_allows(const struct blame_budget *b, bool worst);
void blame_budget_spend(struct blame_budget *b, int64_t cpu_ns);

#endif
