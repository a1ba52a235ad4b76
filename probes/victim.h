/*
 * victim.h - small files in the scratch folder, for probes that time what is
 * done to them.
 */
#ifndef JS_PROBES_VICTIM_H
#define JS_PROBES_VICTIM_H

#include "src/probe.h"

#define VICTIM_LARGE_BYTES 10240	/* lmbench's 10K */

/* In the order of the variants of create and delete. */
enum victim_size { VICTIM_EMPTY, VICTIM_LARGE, VICTIM_SIZES };

/* Opened, created, written and closed: 0 or a positive errno. */
int victim_create(int folder_fd, const char *name, enum victim_size size);
/* A file of exactly bytes, every one on disk or at least reserved; a
 * descriptor to read and write, or -errno with why. */
int victim_keep(int folder_fd, const char *name, unsigned bytes, const char *probe,
		struct why *why);
/* Notes in why when the folder is no disk; returns 0. */
int victim_note(int folder_fd, const char *probe, struct why *why);

#endif
