/* restore.c - see restore.h. */
#include "tests/restore.h"

#include <check.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

bool restore_write(const struct restore *r, const char *text)
{
	int fd = open(r->path, O_WRONLY | O_CLOEXEC);
	bool done = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

	if (fd >= 0)
		close(fd);
	return done;
}

/* The lock is this process's as well, for as long as it lives. */
static void stand_by(const struct restore *r, int end)
{
	char byte;

	setsid();
	close(r->end);
	while (read(end, &byte, 1) > 0)
		;
	restore_write(r, r->was);
	_exit(0);
}

static void start(struct restore *r)
{
	int ends[2];

	ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
	r->end = ends[1];
	r->pid = fork();
	ck_assert_int_ge(r->pid, 0);
	if (r->pid == 0)
		stand_by(r, ends[0]);
	close(ends[0]);
}

bool restore_begin(struct restore *r, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	memset(r, 0, sizeof(*r));
	r->path = path;
	if (fd < 0 || access(path, W_OK) || flock(fd, LOCK_EX) ||
	    pread(fd, r->was, sizeof(r->was) - 1, 0) < 1) {
		if (fd >= 0)
			close(fd);
		return false;
	}
	start(r);
	close(fd);
	return true;
}

void restore_end(struct restore *r)
{
	close(r->end);
	waitpid(r->pid, NULL, 0);
}
