/*
 * tracing.h - the kernel's own trace, stopped when the moment to look at has
 * come: what is in its buffer then stays.
 *
 * Opened at start, with the rights of then; a stop is one write.  Main thread.
 */
#ifndef JS_TRACING_H
#define JS_TRACING_H

#include "src/why.h"

/* A descriptor, or -errno with why: "PATH: why; what to do". */
int tracing_open(struct why *why);
int tracing_stop(int fd, struct why *why);	/* 0 or -errno */

#endif
