/*
 * blame_budget.h - how much of main's CPU time looks at spikes may take: a
 * share of a CPU, saved up for two seconds, and for the worst spikes borrowed for
 * as long.  Part of blame.  Pure; main thread only.
 */
#ifndef JS_BLAME_BUDGET_H
#define JS_BLAME_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

#define BLAME_SAVED_S 2		/* main runs on without a pause for their share at most */
#define BLAME_CPU_PCT 3		/* of one CPU, over time */

/* Begins with all that can be saved. */
struct blame_budget { int64_t now_ns, credit_ns; };

/* Time has gone on to now_ns; the same now again adds nothing. */
void blame_budget_turn(struct blame_budget *b, int64_t now_ns);
/* May one more be looked at?  Of the worst: on credit too. */
bool blame_budget_allows(const struct blame_budget *b, bool worst);
void blame_budget_spend(struct blame_budget *b, int64_t cpu_ns);

#endif
