/*
 * convert.c - `jitterscope convert FILE [-t FORMAT] [-o OUT]`: any file we can
 * read as any we can write.  The type is -t, else what the suffix of OUT says.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "src/commands.h"
#include "src/complain.h"
#include "src/format.h"
#include "src/result.h"
#include "src/snapshot_write.h"

static const struct format *wanted(const struct options *o, struct why *why)
{
	const char *name = o->json ? "json" : o->format;
	const struct format *f = name ? format_by_name(name)
				      : o->output ? format_by_suffix(o->output) : NULL;

	if (!name && !o->output)
		why_set(why, -EINVAL, "convert: into what? give -t FORMAT; see list formats");
	else if (!f)
		why_set(why, -EINVAL, "convert: no format for '%.60s'; see list formats",
			name ? name : o->output);
	else if (!f->write)
		why_set(why, -EINVAL, "convert: %s can only be read; see list formats", f->name);
	else
		return f;
	return NULL;
}

int cmd_convert(struct options *o, struct why *why)
{
	const struct format *f = wanted(o, why);

	if (!f)
		return EXIT_USAGE;
	if (o->files != 1) {
		why_set(why, -EINVAL, "convert: one file at a time; use show for several");
		return EXIT_USAGE;
	}
	struct snapshot *s = snapshot_read(o->file[0], why);

	if (!s)
		return EXIT_FAILED;
	int err = o->output && strcmp(o->output, "-") ? snapshot_write(s, f, o->output, why)
						      : result_print(f, s, why);

	if (!err)
		format_tell_left_out(f, s);
	if (!err && s->note[0])
		complain("%s: %s", o->file[0], s->note);
	snapshot_free(s);
	return err ? EXIT_FAILED : EXIT_OK;
}
