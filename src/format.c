/* format.c - which format is meant: see format.h. */
#include "src/format.h"

#include <stdio.h>
#include <string.h>

#include "src/complain.h"

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

static bool told(const struct snapshot *s, unsigned upto)
{
	for (unsigned i = 0; i < upto; i++)
		if (!strcmp(s->series[i].probe, s->series[upto].probe))
			return true;
	return false;
}

void format_tell_left_out(const struct format *f, const struct snapshot *s)
{
	const char *taken = f->takes ? f->takes(s) : NULL;
	char names[400] = "";
	size_t n = 0;

	for (unsigned i = 0; taken && i < s->nr_series && n < sizeof(names); i++)
		if (strcmp(s->series[i].probe, taken) && !told(s, i))
			n += (size_t)snprintf(names + n, sizeof(names) - n, " %s", s->series[i].probe);
	if (n)
		complain("%s has room for one probe: %s is in it, left out:%s",
			 f->name, taken, names);
}
