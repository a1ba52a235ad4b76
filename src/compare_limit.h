/*
 * compare_limit.h - `compare --fail-ratio`: is any probe that both files
 * measured worse than the base by more than the factor?
 */
#ifndef JS_COMPARE_LIMIT_H
#define JS_COMPARE_LIMIT_H

#include "src/compare_pair.h"
#include "src/options.h"
#include "src/why.h"

/* EXIT_LIMIT: one is, and each that is has been named on standard error;
 * EXIT_FAILED with why: one cannot be judged, and the rest has been. */
int compare_limit(const struct compare_pair *p, const struct options *o, const char *file,
		  struct why *why);

/* The worse of two exit codes: 1 before 4 before 0. */
int compare_worse_code(int a, int b);

#endif
