/*
 * progress.h - what a run without a screen says while it runs: one line on
 * standard error that is rewritten in place, and messages.
 *
 * The line is only for a terminal; bad news go there always.  Main thread.
 */
#ifndef JS_PROGRESS_H
#define JS_PROGRESS_H

#include <stdbool.h>

#include "src/model.h"

#define PROGRESS_COLUMNS 74	/* and room for what a terminal echoes behind it */

struct progress {
	bool tty;
	int shown;		/* columns of the line now on screen */
	char status[200];	/* the last one that was echoed */
};

void progress_open(struct progress *p);
/* A terminal held by ^S, or a pipe nobody reads, would hold main up with it: the
 * watchdog would then stop the loads and demote the samplers, and an end would
 * wait for ^Q. */
bool progress_blocked(void);
void progress_show(struct progress *p, const char *line);	/* cut */
void progress_wipe(struct progress *p);
/* Bad news always, good news only to a person; each once. */
void progress_status(struct progress *p, const struct model *m);
/* The status whatever it is: somebody asked for it. */
void progress_answer(struct progress *p, const struct model *m);

#endif
