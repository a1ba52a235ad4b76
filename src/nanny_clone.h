/*
 * nanny_clone.h - the birth of a contained process, and its first breath.
 *
 * Supervisor process (clone) and the new process (the go).
 */
#ifndef JS_NANNY_CLONE_H
#define JS_NANNY_CLONE_H

#include <stdbool.h>
#include <sys/types.h>

#include "src/supervisor.h"

/* Over the control socket: the supervisor's go, the new process's "all run". */
#define NANNY_GO 'g'
#define NANNY_RUNS 'r'

/* As fork(): 0 in the child, pid or -errno in the parent, which gets a pidfd
 * too.  In tier ns the child is pid 1 of a new namespace. */
pid_t nanny_clone(enum tier tier, bool userns, int *pidfd);
/* In the child, when it is confined.  False: the parent has gone. */
bool nanny_wait_for_go(int control);

#endif
