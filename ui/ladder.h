/*
 * ladder.h - the ladder from the keyboard: the ladder's load with 1, 2, 4 ..
 * 128 workers, three times each, a mark and a snapshot after every step.
 *
 * `jitterscope run ladder` plays the same steps (src/rungs.h) as a report.
 * Main thread.
 */
#ifndef JS_LADDER_H
#define JS_LADDER_H

#include <stdbool.h>
#include <stdint.h>

#define LADDER_ASKED ((unsigned)-1)	/* ask_arg of the question whether to start */

struct app;
struct view;
struct ladder_run;

struct ladder {
	bool on;
	unsigned step, steps;	/* the one at work, from 1; 0: none yet */
	int64_t left_ns;	/* until all are over, about */
	struct ladder_run *run;	/* what is on; NULL: nothing */
};

void ladder_key(struct app *app, struct view *v);	/* asks, or stops it */
void ladder_start(struct app *app, struct view *v);
void ladder_stop(struct app *app, struct view *v);
/* Forgets it without stopping anything. */
void ladder_drop(struct view *v);
void ladder_tick(struct app *app, struct view *v);	/* once a frame */

#endif
