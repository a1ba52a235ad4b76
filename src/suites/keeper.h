/*
 * keeper.h - the process that starts kernels one at a time, and cleans up
 * behind them whatever becomes of main.
 *
 * It is forked while the program has one thread.  Each kernel runs below it
 * like a load (its own pid namespace where there is one, uid dropped, scratch
 * folder, dies with its parent).  When main's end of the channel closes, it
 * kills what runs, deletes the scratch and ends.  Main thread.
 */
#ifndef JS_KEEPER_H
#define JS_KEEPER_H

#include <stdbool.h>
#include <stdint.h>

#include "src/load.h"
#include "src/options.h"
#include "src/script.h"
#include "src/suites/kernel.h"

struct keeper;

/* NULL with why. */
struct keeper *keeper_start(const struct options *o, struct why *why);
/* How the script starts kernels: step.kernel, step.arg (0: the entry's own),
 * step.hold_ns as length. */
struct own_job keeper_job(struct keeper *k);
/* Ends everything and waits for it; frees. */
void keeper_end(struct keeper *k);

#endif
