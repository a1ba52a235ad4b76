/*
 * format.h - the contract between a file format (src/formats/NAME.c) and the
 * core.  Readers see bytes in memory (limits checked before), so a fuzzer can
 * call them directly.  Any ordinary thread; the C locale's numbers.
 *
 * Adding a format: one file and one X(name) line in src/formats/registry.c.
 */
#ifndef JS_FORMAT_H
#define JS_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "src/snapshot.h"
#include "src/why.h"

#define FORMAT_FILE_MAX (64u << 20)	/* whole-file formats */
#define FORMAT_LINE_MAX (1u << 20)

struct format {
	const char *name;	/* "json" "svg" "hlog" ... */
	const char *suffix;	/* ".json" */
	const char *summary;
	bool streamed;		/* reader gets the file by path, not in memory */
	/* Has room for one probe: which it takes of s.  NULL: it holds all of them. */
	const char *(*takes)(const struct snapshot *s);
	/* 0 or -errno; NULL: cannot be written. ferror() is checked by the caller. */
	int (*write)(FILE *out, const struct snapshot *s, struct why *why);
	/* Do these first bytes look like mine?  0 no .. 100 certain. NULL: cannot be read. */
	int (*sniff)(const char *bytes, size_t n, const char *name);
	/* Fills *s (from snapshot_new()).  why: "FILE:LINE: why; what to do". */
	int (*read)(const char *bytes, size_t n, const char *name, struct snapshot *s, struct why *why);
};

/* NULL-ended; defined by src/formats/registry.c. */
extern const struct format *const formats[];
const struct format *format_by_name(const char *name);
const struct format *format_by_suffix(const char *path);
/* A line on standard error that names the probes of s for which f has no room. */
void format_tell_left_out(const struct format *f, const struct snapshot *s);

#endif
