/*
 * threads.h - what cyclictest's and jitterdebugger's JSON have in common: an
 * object of threads, each with a histogram object, a count, min, max and avg.
 */
#ifndef JS_FORMATS_THREADS_H
#define JS_FORMATS_THREADS_H

#include "src/json_in.h"
#include "src/snapshot.h"

struct threads_form {
	const char *probe;	/* name of the series */
	const char *count_key;	/* "cycles" "count" */
	int64_t unit_ns;	/* 1000 or 1 */
	uint64_t slack;		/* the histogram may hold this much more than the count */
};

/* Every member of `threads` becomes a series; complaints go to in. */
void threads_read(struct json_in *in, json_t *threads, const struct threads_form *form,
		  struct snapshot *s);

#endif
