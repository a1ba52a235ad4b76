/*
 * blame_gather.h - the shares of a walk by name: the workers of a load and
 * other tasks of one general name are one entry, before a spike keeps the
 * largest few.  Part of blame.  Main thread only.
 */
#ifndef JS_BLAME_GATHER_H
#define JS_BLAME_GATHER_H

#include <stdbool.h>
#include <stdint.h>

#include "src/blame_general.h"
#include "src/blame_walk.h"

struct blame_entry {
	char name[BLAME_NAME];	/* of its one task, or the general one of several */
	char general[BLAME_NAME];
	int pid;		/* -1: several, or no task */
	unsigned tasks;
	bool host;		/* nobody ran, or the sampler itself: the host may have had it */
	bool rest;		/* others, unknown: not a name */
	int64_t ns;
};

struct blame_gathered {
	struct blame_entry entry[BLAME_SHARES];	/* largest first; sum as that of the shares */
	unsigned nr;
};

/* name: of the shares, as blame_names_find() gives them. */
void blame_gather(const struct model *m, const struct blame_window *w,
		  const struct blame_result *r, char name[BLAME_SHARES][BLAME_NAME],
		  struct blame_gathered *out);

/* The largest by name, then "(others)", then "unknown": they sum to the whole. */
void blame_gather_spike(const struct blame_gathered *g, struct spike *s);

#endif
