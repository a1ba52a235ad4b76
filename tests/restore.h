/*
 * restore.h - a setting of the whole machine that a test changes, and that is
 * put back whatever becomes of the test: by a process of its own, once the test
 * says so or has ended.
 *
 *	static struct restore r;
 *	if (restore_begin(&r, "/proc/sys/..."))
 *		restore_write(&r, "3") ...
 *	restore_end(&r);
 *
 * Who else changes the same one waits from begin to begin until it is put back.
 */
#ifndef JS_TESTS_RESTORE_H
#define JS_TESTS_RESTORE_H

#include <stdbool.h>
#include <sys/types.h>

struct restore {
	const char *path;
	char was[64];
	pid_t pid;
	int end;		/* closing it puts the setting back */
};

/* false: the file cannot be read and written.  Failures beyond end the test. */
bool restore_begin(struct restore *r, const char *path);
bool restore_write(const struct restore *r, const char *text);
void restore_end(struct restore *r);	/* it is as it was when this returns */

#endif
