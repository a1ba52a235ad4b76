/* why.c - see why.h. */
#include "src/why.h"

#include <stdarg.h>
#include <stdio.h>

int why_set(struct why *why, int err, const char *fmt, ...)
{
	if (why) {
		va_list args;

		va_start(args, fmt);
		vsnprintf(why->text, sizeof(why->text), fmt, args);
		va_end(args);
		why->err = err;
	}
	return err;
}
