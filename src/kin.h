/*
 * kin.h - the processes below a process, found in /proc and killed safely.
 *
 * A number read from /proc may be another process by the time it is used, so
 * a kill goes through a pidfd: opened, the relation checked once more, then
 * signalled.  Pids below 2 are refused everywhere.
 *
 * Any single thread; needs /proc of the own pid namespace.
 */
#ifndef JS_KIN_H
#define JS_KIN_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

int kin_pidfd(pid_t pid);			/* -errno; close-on-exec */
int kin_signal(int pidfd, int signal);		/* 0, -errno (-ESRCH: gone) */

/* Kills every child of the caller but the given ones; how many there were. */
unsigned kin_kill_children(const pid_t *but, unsigned n);
/* The same for children that bear the marks of a load (oom_score_adj 1000 and
 * no_new_privs), for a process that has children of other kinds; reaps those
 * of them that have ended. */
unsigned kin_kill_marked_children(void);

/* Does it bear the marks of a load? */
bool kin_is_marked(pid_t pid);

/* All processes below `root` (not itself), at most `room`; how many there are. */
unsigned kin_below(pid_t root, pid_t *out, unsigned room);
/* "1234 (name) D, 1235 (name) D" for messages. */
void kin_text(const pid_t *pids, unsigned n, char *buf, size_t size);

#endif
