/*
 * landlock.h - a load touches its scratch folder and nothing else on disk.
 *
 * Uses the kernel's Landlock where it is (5.19 and up: before, it forbade all
 * renames between folders); elsewhere the uid and the folder's rights remain.
 */
#ifndef JS_LANDLOCK_H
#define JS_LANDLOCK_H

#include "src/confine.h"
#include "src/why.h"

/* Needs no_new_privs.  0 (also when the kernel has no Landlock), -errno. */
int landlock_self(const struct confine *c, struct why *why);

#endif
