/*
 * faked_root.h - a folder that stands for / while a test reads /proc and /sys:
 * made new, filled file by file, removed at the end.
 */
#ifndef JS_TESTS_FAKED_ROOT_H
#define JS_TESTS_FAKED_ROOT_H

void faked_root_make(void);	/* and points sysinfo_set_root() at it */
void faked_root_file(const char *path, const char *text);	/* replaces; folders are made */
void faked_root_remove(const char *path);
void faked_root_gone(void);	/* removes all, back to the real root */

#endif
