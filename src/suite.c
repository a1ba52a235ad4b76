/* suite.c - see suite.h: `jitterscope run SUITE`. */
#include "src/suite.h"

#include <errno.h>
#include <string.h>

#include "src/commands.h"
#include "src/knob.h"

const struct suite *suite_by_name(const char *name)
{
	for (unsigned i = 0; suites[i]; i++) {
		if (!strcmp(suites[i]->name, name))
			return suites[i];
	}
	return NULL;
}

int cmd_run(struct options *o, struct why *why)
{
	const struct suite *s = suite_by_name(o->word);
	char known[160] = "";

	if (s)
		return s->run(o, why);
	for (unsigned i = 0; suites[i]; i++)
		text_append(known, sizeof(known), i ? " " : "", suites[i]->name);
	why_set(why, -EINVAL, "%s: no such suite; one of %s", o->word, known);
	return EXIT_USAGE;
}
