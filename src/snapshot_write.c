/* snapshot_write.c - one file, whole or not there. */
#include <errno.h>
#include <string.h>

#include "src/format.h"
#include "src/newfile.h"
#include "src/numeric.h"
#include "src/snapshot.h"
#include "src/snapshot_write.h"

int format_write(FILE *out, const struct format *f, const struct snapshot *s, struct why *why)
{
	if (!f->write)
		return why_set(why, -ENOTSUP, "%s: can be read but not written; see list formats",
			       f->name);
	struct numeric n = numeric_begin();
	int err = f->write(out, s, why);

	numeric_end(n);
	return err;
}

static int write_file(const struct snapshot *s, const struct format *f, const char *path,
		      bool replace, bool shared, struct why *why)
{
	struct newfile file;
	int err = newfile_open(&file, path, why);

	if (err)
		return err;
	file.shared = shared;
	err = format_write(file.out, f, s, why);
	if (err) {
		newfile_abandon(&file);
		return err;
	}
	return newfile_commit(&file, replace, why);
}

int snapshot_write_new(const struct snapshot *s, const struct format *f, const char *path,
		       bool replace, struct why *why)
{
	return write_file(s, f, path, replace, false, why);
}

/* A snapshot or recording names the host, its tasks and the command line; other
 * formats are made to be handed on. */
static bool is_shared(const struct format *f)
{
	return strcmp(f->name, "json") != 0 && strcmp(f->name, "recording") != 0;
}

int snapshot_write(const struct snapshot *snap, const struct format *f, const char *path,
		   struct why *why)
{
	return write_file(snap, f, path, true, is_shared(f), why);
}
