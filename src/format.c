/* format.c - which format is meant: see format.h. */
#include "src/format.h"

#include <string.h>

const struct format *format_by_name(const char *name)
{
	for (const struct format *const *f = formats; *f; f++)
		if (!strcmp((*f)->name, name))
			return *f;
	return NULL;
}

const struct format *format_by_suffix(const char *path)
{
	const struct format *best = NULL;
	size_t length = strlen(path);

	for (const struct format *const *f = formats; *f; f++) {
		size_t n = (*f)->suffix ? strlen((*f)->suffix) : 0;

		if (!n || n >= length || strcmp(path + length - n, (*f)->suffix))
			continue;
		if (!best || n > strlen(best->suffix))	/* ".hist.json" before ".json" */
			best = *f;
	}
	return best;
}
