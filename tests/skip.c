/* skip.c - see skip.h. */
#include "tests/skip.h"

#include <stdio.h>
#include <string.h>

bool skip_test(const char *function, const char *why)
{
	size_t length = strlen(function);

	/* START_TEST(name) makes a function of it by this ending. */
	if (length > 3 && !strcmp(function + length - 3, "_fn"))
		length -= 3;
	printf("SKIP %.*s: %s\n", (int)length, function, why);
	fflush(stdout);
	return false;
}
