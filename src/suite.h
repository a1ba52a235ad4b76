/*
 * suite.h - the contract of a scripted series (src/suites/NAME.c): loads and
 * probes in an order, with progress, a clean stop at any moment and a result
 * that `show` prints.
 *
 * Adding a suite: one file and one X(name) line in src/suites/registry.c.
 * Main thread.
 */
#ifndef JS_SUITE_H
#define JS_SUITE_H

#include "src/options.h"
#include "src/why.h"

struct suite {
	const char *name, *summary;
	/* Exit code; fills *why when it failed. */
	int (*run)(struct options *o, struct why *why);
};

/* NULL-ended; defined by src/suites/registry.c in the order of its X lines. */
extern const struct suite *const suites[];
const struct suite *suite_by_name(const char *name);

#endif
