/* complain.c - see complain.h. */
#include "src/complain.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "src/text.h"

#define LINE_BYTES 1024

void complain(const char *fmt, ...)
{
	char raw[LINE_BYTES], line[LINE_BYTES];
	va_list args;

	va_start(args, fmt);
	vsnprintf(raw, sizeof(raw), fmt, args);
	va_end(args);
	text_clean(line, sizeof(line), raw, strlen(raw), sizeof(line) - 1);
	fprintf(stderr, "jitterscope: %s\n", line);
}
