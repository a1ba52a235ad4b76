/*
 * archive.h - what ctar and xtar have in common: sizes, names, needs.
 */
#ifndef JS_LOADS_ARCHIVE_H
#define JS_LOADS_ARCHIVE_H

#include "src/load.h"
#include "src/loads/tree.h"

/* Knob 0.  A kernel tree of 2003 was ten times as large as the default. */
extern const char *const archive_sizes[];
#define ARCHIVE_KNOB { .name = "tree", .help = "MB of the tree; 200 for rows like those of 2003", \
		       .least = 0, .value = 0, .most = 1, .choices = archive_sizes }

/* What the tables of both loads say alike. */
#define ARCHIVE_LOAD \
	.flags = LOAD_SCRATCH | LOAD_CONTEST, .version = 1, .default_plus = 1, .max_workers = 8, \
	.knobs = { ARCHIVE_KNOB }, .disk_bytes = archive_disk, .tasks_per_worker = 1, \
	.fds_per_worker = 4

uint64_t archive_bytes(const long *knob);
uint64_t archive_disk(unsigned workers, const long *knob);	/* tree and archive, each */
/* Is what was granted enough?  -ENOSPC with why. */
int archive_check(const struct load_worker *w, struct why *why);
void archive_name(char buf[TREE_NAME_MAX], unsigned worker);	/* "archive.000" */

#endif
