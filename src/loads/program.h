/*
 * program.h - starting programs of the system, for the loads that do.
 *
 * No search along PATH, nothing of the user's: a fixed path, its arguments,
 * an environment given here.  Descriptors 0 to 2 are /dev/null.
 */
#ifndef JS_LOADS_PROGRAM_H
#define JS_LOADS_PROGRAM_H

#include <stdbool.h>

#include "src/load.h"

struct program {
	const char *path;
	char *const *argv, *const *envp;
	bool by_vfork;
};

/* Worker, once: /dev/null becomes 0, 1 and 2, children inherit it. */
int program_quiet(struct why *why);
/* Can it be run?  -errno with why, which names the path. */
int program_check(const char *path, struct why *why);
/*
 * Runs it and waits; its exit status (128 + signal when killed) in *status.
 * Without room for a process it sleeps a moment and *status is -EAGAIN: try
 * again.  0 or -errno with why.
 */
int program_run(struct load_worker *w, const struct program *p, int *status, struct why *why);

#endif
