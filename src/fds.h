/*
 * fds.h - a forked process lets go of every descriptor it does not need.
 *
 * O_CLOEXEC is no help without exec: a forgotten copy of a socket hides the
 * end of the process at its other end.
 */
#ifndef JS_FDS_H
#define JS_FDS_H

#include <stdbool.h>

/* Closes all descriptors but those (negative ones are skipped) and makes
 * 0, 1 and 2 /dev/null.  Kept ones must be above 2.  0 or -errno. */
int fds_keep(const int *keep, unsigned n);

/* Descriptors 0, 1 and 2 that are closed are made /dev/null, the wrong way round:
 * they stay as unusable as they were, but nothing else gets their number. */
void fds_fill_standard(void);
/* The soft limit up to the hard one: a ring and six tracepoints for each CPU
 * are more than the usual 1024.  Children inherit it: fork first those that
 * are not to have it. */
void fds_raise_limit(void);
/* Descriptors there may be, and how many of them are open. */
struct fds_room { unsigned limit, open; };
struct fds_room fds_room(void);

/* Can standard output be written to at all? */
bool fds_can_print(void);

#endif
