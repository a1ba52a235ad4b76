/* result.c - see result.h. */
#include "src/result.h"

#include <errno.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <string.h>

#include "src/snapshot_write.h"

static bool to_stdout(const struct options *o)
{
	return !o->output || !strcmp(o->output, "-");
}

const struct format *result_format(const struct options *o, const char *otherwise,
				   struct why *why)
{
	const struct format *f = o->format ? format_by_name(o->format)
				 : to_stdout(o) ? format_by_name(otherwise)
						: format_by_suffix(o->output);

	if (f && f->write)
		return f;
	why_set(why, -EINVAL, "%s: no format has this suffix; name one with -f",
		o->output ? o->output : otherwise);
	return NULL;
}

int result_print(const struct format *f, const struct snapshot *s, struct why *why)
{
	int err = format_write(stdout, f, s, why);

	if (err || (!fflush(stdout) && !ferror(stdout)))
		return err;
	err = why_set(why, -errno, "standard output: %s; try another -o FILE", strerror(errno));
	__fpurge(stdout);	/* said once: main must not stumble over it again */
	clearerr(stdout);
	return err;
}

int result_write(const struct options *o, const struct format *f, const struct snapshot *s,
		 struct why *why)
{
	return to_stdout(o) ? result_print(f, s, why) : snapshot_write(s, f, o->output, why);
}
