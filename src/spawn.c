/* spawn.c - see spawn.h. */
#include "src/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define STATUS_UNKNOWN 0xff00	/* somebody else took it: no success */
#define EXEC_MS 100		/* main waits no longer for an exec: it may have a slow disk */

struct spawn {
	pid_t pid;
	int pidfd;
	int go_fd;		/* a byte lets it begin, EOF ends it */
	int failed_fd;		/* its errno when exec failed, EOF when it did not */
	bool ended;
	int status;
	const char *name;
};

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* In the child: waits for the byte, then becomes the command. */
__attribute__((noreturn))
static void run(char **argv, int go, int failed, bool to_stderr)
{
	char byte;

	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (read(go, &byte, 1) != 1)
		_exit(127);
	if (to_stderr)
		dup2(2, 1);
	execvp(argv[0], argv);
	int err = errno;

	if (write(failed, &err, sizeof(err)) < 0)
		_exit(126);
	_exit(127);
}

static int make_pipes(int go[2], int failed[2])
{
	if (pipe2(go, O_CLOEXEC))
		return -errno;
	if (!pipe2(failed, O_CLOEXEC))
		return 0;
	int err = -errno;

	close(go[0]);
	close(go[1]);
	return err;
}

static struct spawn *failed_fork(struct spawn *c, int err, const char *name, struct why *why)
{
	why_set(why, err, "%s: cannot fork: %s; free some memory or processes", name,
		strerror(-err));
	free(c);
	return NULL;
}

/* A script whose interpreter is not there: exec would say that of the script. */
#define FIRST_LINE 256	/* the kernel reads no more of it */

static int check_interpreter(const char *path, char missing[FIRST_LINE])
{
	char line[FIRST_LINE] = "";
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t n = fd < 0 ? 0 : read(fd, line, sizeof(line) - 1);

	if (fd >= 0)
		close(fd);
	if (n <= 0 || strncmp(line, "#!", 2))
		return 0;
	const char *name = line + 2 + strspn(line + 2, " \t");
	size_t len = strcspn(name, " \t\r\n");

	if (!len || name + len == line + sizeof(line) - 1)	/* none, or cut: exec decides */
		return 0;
	snprintf(missing, FIRST_LINE, "%.*s", (int)len, name);
	return access(missing, F_OK) ? -ENOPKG : 0;
}

static int check_file(const char *path, char missing[FIRST_LINE])
{
	struct stat st;

	if (stat(path, &st))
		return -errno;
	if (S_ISDIR(st.st_mode))
		return -EISDIR;
	if (access(path, X_OK))
		return -EACCES;
	return check_interpreter(path, missing);
}

/* Is there such a program?  Asked early, so that a slip of the pen does not
 * cost the warm-up; execvp() decides.  It goes on where one lacks its interpreter,
 * and an empty folder of PATH is the one it is in. */
static int check_command(const char *name, char missing[FIRST_LINE])
{
	char path[PATH_MAX];
	const char *dirs = getenv("PATH"), *next;
	int err = -ENOENT;

	if (strchr(name, '/'))
		return check_file(name, missing);
	for (dirs = dirs ? dirs : "/bin:/usr/bin"; dirs; dirs = next) {
		int len = (int)strcspn(dirs, ":");

		next = dirs[len] ? dirs + len + 1 : NULL;
		snprintf(path, sizeof(path), "%.*s/%s", len ? len : 1, len ? dirs : ".", name);
		int here = check_file(path, missing);

		if (!here)
			return here;
		/* What exec would say, unless there is another. */
		if (here == -EACCES || (here == -ENOPKG && err == -ENOENT))
			err = here;
	}
	return err;
}

static int explain(int err, const char *name, const char *missing, struct why *why)
{
	switch (err) {
	case -EACCES:
		return why_set(why, err, "%s: not executable; chmod +x it, or name another "
			       "command", name);
	case -EISDIR:
		return why_set(why, err, "%s: is a directory; name a command", name);
	case -ENOPKG:
		return why_set(why, err, "%s: its interpreter %s is not there; install that, or "
			       "mend the first line", name, missing);
	case -ENOENT:
		return why_set(why, err, "%s: no such command; check its name and PATH", name);
	}
	return why_set(why, err, "%s: %s; check the command's name", name, strerror(-err));
}

struct spawn *spawn_hold(char **argv, bool to_stderr, struct why *why)
{
	struct spawn *c;
	char missing[FIRST_LINE];
	int go[2], failed[2];
	int err = check_command(argv[0], missing);

	if (err) {
		explain(err, argv[0], missing, why);
		return NULL;
	}
	c = calloc(1, sizeof(*c));
	err = c ? make_pipes(go, failed) : -ENOMEM;

	if (err)
		return failed_fork(c, err, argv[0], why);
	c->pid = fork();
	if (c->pid == 0) {
		close(go[1]);
		close(failed[0]);
		run(argv, go[0], failed[1], to_stderr);
	}
	err = -errno;
	close(go[0]);
	close(failed[1]);
	c->go_fd = go[1];
	c->failed_fd = failed[0];
	if (c->pid < 0) {
		close_fd(&c->go_fd);
		close_fd(&c->failed_fd);
		return failed_fork(c, err, argv[0], why);
	}
	c->name = argv[0];
	c->pidfd = (int)syscall(SYS_pidfd_open, c->pid, 0);
	return c;
}

int spawn_go(struct spawn *c, struct why *why)
{
	struct pollfd said = { .fd = c->failed_fd, .events = POLLIN };
	int err = 0;

	if (write(c->go_fd, "g", 1) != 1)
		return why_set(why, -EIO, "%s: gone before it began; try again", c->name);
	close_fd(&c->go_fd);
	if (poll(&said, 1, EXEC_MS) <= 0)
		return 0;	/* its exit status, 127, will say it */
	if (read(c->failed_fd, &err, sizeof(err)) == (ssize_t)sizeof(err))
		return explain(-err, c->name, "", why);
	return 0;
}

int spawn_fd(const struct spawn *c)
{
	return c->ended ? -1 : c->pidfd;
}

bool spawn_ended(struct spawn *c, int *status)
{
	if (!c->ended) {
		pid_t got = waitpid(c->pid, &c->status, WNOHANG);

		c->ended = got == c->pid || (got < 0 && errno == ECHILD);
		if (c->ended && got < 0)
			c->status = STATUS_UNKNOWN;
	}
	*status = c->status;
	return c->ended;
}

/* Waits without reaping, so that a signal by pidfd can hit nobody else. */
static void wait_end(struct spawn *c, int wait_ms)
{
	struct pollfd p = { .fd = c->pidfd, .events = POLLIN };

	while (poll(&p, 1, wait_ms) < 0 && errno == EINTR)
		;
}

void spawn_end(struct spawn *c, int wait_ms)
{
	int status;

	close_fd(&c->go_fd);
	if (spawn_ended(c, &status) || c->pidfd < 0)
		return;
	syscall(SYS_pidfd_send_signal, c->pidfd, SIGTERM, NULL, 0);
	wait_end(c, wait_ms);
	if (spawn_ended(c, &status))
		return;
	syscall(SYS_pidfd_send_signal, c->pidfd, SIGKILL, NULL, 0);
	wait_end(c, wait_ms);
	spawn_ended(c, &status);
}

void spawn_free(struct spawn *c)
{
	if (!c)
		return;
	if (c->go_fd >= 0)
		spawn_end(c, 100);
	close_fd(&c->go_fd);
	close_fd(&c->failed_fd);
	close_fd(&c->pidfd);
	free(c);
}

const char *spawn_status_text(int status, char *buf, unsigned long size)
{
	if (WIFSIGNALED(status))
		snprintf(buf, size, "killed by signal %d (%s)", WTERMSIG(status),
			 strsignal(WTERMSIG(status)));
	else
		snprintf(buf, size, "exit status %d", WEXITSTATUS(status));
	return buf;
}
