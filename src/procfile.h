/*
 * procfile.h - small text files of /proc and /sys, read whole, and numbers in
 * them.  Paths are taken below the root that sysinfo_set_root() set.
 * Main thread only.
 */
#ifndef JS_PROCFILE_H
#define JS_PROCFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The path below the root, in buf. */
const char *procfile_path(char *buf, size_t size, const char *path);
/* At most size - 1 bytes, 0-ended; the length, or -errno. */
long procfile_read(const char *path, char *buf, size_t size);
/* The first line, cleaned for any screen and file; false: no file (then ""). */
bool procfile_line(const char *path, char *out, size_t size);

/* Walk a text: the number at *p (blanks before it skipped), *p behind it; 0
 * when there is none.  Saturates. */
uint64_t number_at(const char **p);
/* "12.34" as a double, without the locale. */
double decimal_at(const char **p);
/* The text behind `key` at the beginning of a line; NULL: no such line. */
const char *line_of(const char *text, const char *key);

#endif
