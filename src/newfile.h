/*
 * newfile.h - a file that is whole or not there.
 *
 * Written under a random name in the target's own directory, mode 0600, made
 * durable, then given its name.  Under sudo it belongs to the user behind it.
 * Devices, pipes and /dev, /proc are written to as they are.
 *
 * A link is replaced, not followed.  Only where it leads to a device or pipe,
 * and is the user's own or root's, it is followed; never by root.
 *
 * A snapshot stays 0600.  What is made to be handed on (shared) gets the mode of
 * the user's own file that it replaces, else what the umask leaves of 0666.
 *
 * A random name is locked as long as it is written to.  What a killed writer
 * left is not, and goes when the next file is opened in that directory: only
 * our names, our files, and only when the lock is free.  Any ordinary thread.
 */
#ifndef JS_NEWFILE_H
#define JS_NEWFILE_H

#include <stdbool.h>
#include <stdio.h>

#include "src/why.h"

struct newfile {
	FILE *out;		/* write here; NULL: not open */
	int dir_fd;
	bool direct;		/* no temporary file */
	bool shared;		/* set after newfile_open(): no snapshot, others may read it */
	char path[512], base[256], temp[256];
};

/* 0 or -errno with why; on failure nothing is left. */
int newfile_open(struct newfile *f, const char *path, struct why *why);
/* Makes it durable and names it.  replace: a file of that name is replaced;
 * else -EEXIST and the new one is gone.  Closes in every case. */
int newfile_commit(struct newfile *f, bool replace, struct why *why);
/* Gives up: removes the temporary file. */
void newfile_abandon(struct newfile *f);

/* Removes what killed writers left in a directory. */
void newfile_sweep(const char *dir);

/* Under sudo an open file becomes the user's. 0 or -errno. */
int newfile_give_away(int fd);
/* What to say after err, with the usual remedy. Returns err. */
int newfile_failed(const char *path, int err, struct why *why);

#endif
