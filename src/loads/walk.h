/*
 * walk.h - one walk through a tree that only looks: every entry is stat'ed,
 * links are read and never followed.
 *
 * Stays on one file system and leaves out /proc, /sys and /dev.  One folder
 * is open at a time; what is still to be seen is kept as paths.
 */
#ifndef JS_LOADS_WALK_H
#define JS_LOADS_WALK_H

#include <stdint.h>

#include "src/load.h"

struct walk {
	uint64_t entries;	/* root included, as find counts */
	uint64_t denied;	/* folders that could not be opened */
};

/* Counts each entry in w.  0, also when told to stop; -errno when the root can
 * not be read or there is no memory. */
int walk_tree(struct load_worker *w, const char *root, struct walk *out);

#endif
