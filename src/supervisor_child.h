/*
 * supervisor_child.h - the supervisor process from its fork to its end.
 *
 * One thread, ordinary scheduling, own session, nothing locked.  It starts,
 * stops and reaps loads, watches main, and guards the terminal.
 */
#ifndef JS_SUPERVISOR_CHILD_H
#define JS_SUPERVISOR_CHILD_H

#include "src/helper_memory.h"
#include "src/supervisor.h"

struct supervisor_child_config {
	const struct supervisor_config *config;	/* of main, by the fork */
	int fd;			/* its end of the channel */
	int main_pidfd;		/* -1: none */
	int parent_fd[SCRATCH_DIRS_MAX];	/* -1: none */
	struct helper_memory *helpers;	/* NULL: no operation probes */
	struct why scratch_why;	/* why parent_fd[0] is none */
};

_Noreturn void supervisor_child_main(const struct supervisor_child_config *config);

#endif
