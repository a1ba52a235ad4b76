/*
 * spawn.h - the command of `record -- COMMAND`.
 *
 * It is forked while the program has one thread and no signal is blocked, and
 * waits on a pipe: it begins at time zero, as an ordinary process with the
 * limits, signals and priority the user's shell gave us.  It dies with us
 * (PDEATHSIG TERM).  Main thread only.
 */
#ifndef JS_SPAWN_H
#define JS_SPAWN_H

#include <stdbool.h>

#include "src/why.h"

struct spawn;

/* argv NULL-ended.  to_stderr: its standard output goes to our standard error,
 * because ours will carry a report.  NULL with why. */
struct spawn *spawn_hold(char **argv, bool to_stderr, struct why *why);
/* Lets it begin; 0, or -errno with why when the command cannot be run.  Waits at
 * most 100 ms for that; a later failure is exit status 127. */
int spawn_go(struct spawn *c, struct why *why);
int spawn_fd(const struct spawn *c);	/* for ppoll: readable when it has ended */
/* True once it has ended; *status as from wait(), 255 when nobody knows it. Does
 * not wait. */
bool spawn_ended(struct spawn *c, int *status);
/* TERM, wait_ms, KILL; for a run that ends before it. */
void spawn_end(struct spawn *c, int wait_ms);
void spawn_free(struct spawn *c);	/* a child still held never begins */

/* "exit status 2", "killed by signal 9 (Killed)"; returns buf. */
const char *spawn_status_text(int status, char *buf, unsigned long size);

#endif
