/*
 * snapshot_write.h - a snapshot in a format, to a stream or a new file.
 * Any ordinary thread.
 */
#ifndef JS_SNAPSHOT_WRITE_H
#define JS_SNAPSHOT_WRITE_H

#include <stdbool.h>
#include <stdio.h>

#include "src/format.h"

/* With the C locale's numbers, whatever the thread's locale.  Does not flush. */
int format_write(FILE *out, const struct format *f, const struct snapshot *s, struct why *why);
/* replace false: -EEXIST when there is such a file. */
int snapshot_write_new(const struct snapshot *s, const struct format *f, const char *path,
		       bool replace, struct why *why);

#endif
