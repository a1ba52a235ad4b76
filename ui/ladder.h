/*
 * ladder.h - the ladder from the keyboard: the ladder's load with 1, 2, 4 ..
 * 128 workers, three times each, a mark and a snapshot after every step.
 *
 * `jitterscope run ladder` is the same series as a report.  Main thread.
 */
#ifndef JS_LADDER_H
#define JS_LADDER_H

#include <stdbool.h>

#define LADDER_TIMES 3
#define LADDER_MOST 128
#define LADDER_STEP_S 10
#define LADDER_ASKED ((unsigned)-1)	/* ask_arg of the question whether to start */

struct app;
struct view;

struct ladder {
	bool on;
	unsigned load;		/* index of its load */
	unsigned step;		/* 0 .. 3 * 8 - 1 */
	unsigned refused;	/* steps that did not start, in a row */
	bool waiting;		/* for the load to end */
};

void ladder_key(struct app *app, struct view *v);	/* asks, or stops it */
void ladder_start(struct app *app, struct view *v);
void ladder_stop(struct app *app, struct view *v);
void ladder_tick(struct app *app, struct view *v);	/* once a frame */

#endif
