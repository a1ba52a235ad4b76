/*
 * show.c - `jitterscope show FILE...`: each file as a report of at most 78
 * columns.  convert makes the other formats.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "src/commands.h"
#include "src/format.h"
#include "src/result.h"
#include "src/snapshot_write.h"
#include "src/text.h"

static int show_one(const char *path, bool head, const struct format *f, struct why *why)
{
	struct snapshot *s = snapshot_read(path, why);
	char name[80];

	if (!s)
		return why->err;
	text_clean(name, sizeof(name), path, strlen(path), 72);
	if (head)
		printf("==> %s\n", name);
	int err = format_write(stdout, f, s, why);

	snapshot_free(s);
	return err;
}

int cmd_show(struct options *o, struct why *why)
{
	const struct format *f = format_by_name("text");

	if (!o->files) {
		why_set(why, -EINVAL, "show: no file; give one or more, - for stdin");
		return EXIT_USAGE;
	}
	for (unsigned i = 0; i < o->files; i++) {
		if (i)
			putchar('\n');
		if (show_one(o->file[i], o->files > 1, f, why))
			return EXIT_FAILED;
	}
	return result_flush(why) ? EXIT_FAILED : EXIT_OK;
}
