/*
 * rungs.h - the steps of the ladder: one load with 1, 2, 4 .. 128 workers, three
 * times each.  `run ladder` plays them and so does the key of the live screen.
 *
 * A step lasts until its time is over and every worker has ended a whole pass,
 * but not longer than two minutes.  Pure.
 */
#ifndef JS_RUNGS_H
#define JS_RUNGS_H

#include "src/script.h"

#define RUNGS 8
#define RUNGS_TIMES 3
#define RUNGS_STEPS (RUNGS * RUNGS_TIMES)
#define RUNGS_MOST_WORKERS (1 << (RUNGS - 1))
#define RUNGS_STEP_NS (10 * NS_PER_S)

/* `load` starts the load; its workers are set here. */
void rungs_make(struct step steps[RUNGS_STEPS], const struct order *load, int64_t length_ns);

#endif
