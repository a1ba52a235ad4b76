/*
 * confine.h - a freshly cloned process makes itself harmless.
 *
 * The order matters and is the one of confine_self(): descriptors, session,
 * signals, limits, scheduling and the out-of-memory mark come before the
 * change of uid (afterwards /proc/self belongs to root and refuses), that
 * before capabilities, no_new_privs and Landlock, and the death signal last,
 * since a change of uid clears it.
 *
 * Called once, by a nanny or by the process of an operation probe.
 */
#ifndef JS_CONFINE_H
#define JS_CONFINE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "src/why.h"

#define CONFINE_KEEP_MAX 8

struct confine {
	char name[16];		/* of the process, as ps shows it */
	bool drop;		/* we are root: become uid, gid */
	uid_t uid;
	gid_t gid;
	bool userns;		/* in a user namespace of its own: map uid, gid there */
	int keep[CONFINE_KEEP_MAX];	/* descriptors to keep; negative: none */
	unsigned kept;
	int scratch[2];		/* folders it may write below; -1: none */
	uint64_t file_bytes;	/* longest file it may write */
	bool execs;		/* may run the system's programs and our own */
	bool reads_all;		/* may read below / */
	bool no_landlock;	/* what it opens is timed, and must cost what it costs others */
};

/* Who loads run as: SUDO_UID, else nobody, when we are root; else ourselves. */
void confine_identity(bool *drop, uid_t *uid, gid_t *gid);
/* 0, or -errno with why; the process must end then. */
int confine_self(const struct confine *c, struct why *why);

#endif
