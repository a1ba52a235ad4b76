/*
 * registry.c - the suites, in the order in which they are listed.
 *
 * One X(name) line for each src/suites/NAME.c, which defines suite_NAME.
 */
#include <stddef.h>

#include "src/suite.h"

#define SUITES(X) \
	X(ladder) \
	X(contest) \
	X(bonnie) \
	X(latencies) \
	X(throughput) \
	X(tcp)

#define DECLARE(name) extern const struct suite suite_##name;
SUITES(DECLARE)

#define ENTRY(name) &suite_##name,
const struct suite *const suites[] = { SUITES(ENTRY) NULL };
