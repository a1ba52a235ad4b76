/*
 * skip.h - a test that cannot run here says so, and why.
 *
 *	if (!SKIP_UNLESS_ROOT())
 *		return;
 *
 * run-suites.sh shows these lines also when the suite passes.
 */
#ifndef JS_TESTS_SKIP_H
#define JS_TESTS_SKIP_H

#include <stdbool.h>
#include <unistd.h>

/* Prints "SKIP test: why", test being the name of a Check function; false. */
bool skip_test(const char *function, const char *why);

#define SKIP(why) skip_test(__func__, (why))
#define SKIP_UNLESS_ROOT() (geteuid() == 0 || SKIP("needs root"))

#endif
