/*
 * spawn_filter.h - one program of the user's, as a filter from one descriptor
 * to another: how .png is made.  Never while measuring.  Main thread.
 */
#ifndef JS_SPAWN_FILTER_H
#define JS_SPAWN_FILTER_H

#include "src/why.h"

/* argv NULL-ended, found by PATH; waits for its end.  -ENOENT: no such
 * program (*why untouched); -EIO with why when it failed. */
int spawn_filter(const char *const *argv, int in_fd, int out_fd, struct why *why);

#endif
