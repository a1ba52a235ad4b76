/*
 * scratch.h - the one place on disk that loads may write to, and its removal.
 *
 * A directory jitterscope-XXXXXX with a marker file inside, owned by the uid
 * that loads run as; its maker holds a lock on it for life.  The lock ends
 * with its owner, so a sweep at the next start needs to guess no pids: a
 * directory with our prefix, that uid, the marker and a free lock is a
 * left-over.  Deleting works below held descriptors, follows no link, crosses
 * no mount, and needs the marker.
 *
 * Supervisor process; single-threaded.
 */
#ifndef JS_SCRATCH_H
#define JS_SCRATCH_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "src/why.h"

#define SCRATCH_PREFIX "jitterscope-"
#define SCRATCH_MARKER "jitterscope.scratch"
#define SCRATCH_NAME_MAX 24
#define SCRATCH_PLACES 2	/* parents at most */

struct scratch {		/* one directory of ours below one parent */
	int parent_fd;		/* opened before the fork; -1: none */
	int fd;			/* held, locked; -1: not made yet */
	char name[SCRATCH_NAME_MAX];
	uid_t uid;
	gid_t gid;
};

/* path NULL: TMPDIR, else /var/tmp.  Opens the parent, makes nothing. */
int scratch_open_parent(const char *path, struct why *why);
void scratch_init(struct scratch *s, int parent_fd, uid_t uid, gid_t gid);

/* Makes and locks the directory if it is not there yet. */
int scratch_make(struct scratch *s, struct why *why);
/* A folder of this name inside, owned by the loads' uid; returns its
 * descriptor, or -errno.  An old one of that name is removed first. */
int scratch_folder(struct scratch *s, const char *name, struct why *why);
/* Removes such a folder and all in it.  0; -errno with why naming what is left. */
int scratch_remove_folder(struct scratch *s, const char *name, struct why *why);
/* Removes the whole directory.  The descriptors are closed. */
int scratch_destroy(struct scratch *s, struct why *why);

/* Removes left-overs of dead owners below the parent; how many went. */
unsigned scratch_sweep(int parent_fd, uid_t uid);

/* In a forked child: lets go of every other descriptor. */
void scratch_keep_only(const struct scratch *s, unsigned n);

/* True when the file system is memory (tmpfs, ramfs): its files count as
 * memory. */
bool scratch_in_memory(int fd);

#endif
