/*
 * fds.h - a forked process lets go of every descriptor it does not need.
 *
 * O_CLOEXEC is no help without exec: a forgotten copy of a socket hides the
 * end of the process at its other end.
 */
#ifndef JS_FDS_H
#define JS_FDS_H

/* Closes all descriptors but those (negative ones are skipped) and makes
 * 0, 1 and 2 /dev/null.  Kept ones must be above 2.  0 or -errno. */
int fds_keep(const int *keep, unsigned n);

#endif
