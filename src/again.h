/*
 * again.h - a process that becomes itself again and again by exec, and counts.
 *
 * The count travels in the words of the command line: for a kernel of run
 * throughput, and of no use to people.
 */
#ifndef JS_AGAIN_H
#define JS_AGAIN_H

#include <stdbool.h>

#define AGAIN_WORD "--again"
#define AGAIN_WORDS 5		/* PROGRAM --again COUNT DEADLINE_NS FD */

/* First thing in main(): is this such a process? */
bool again_asked(int argc, char *const *argv);
/* Execs itself until the deadline, then writes the count (8 bytes) to the
 * descriptor and ends. */
_Noreturn void again_run(char *const *argv);
/* Becomes the first of them; returns -errno when it cannot. */
int again_begin(long long deadline_ns, int fd);

#endif
