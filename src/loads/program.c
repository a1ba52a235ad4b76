/* program.c - see program.h. */
#include "src/loads/program.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/loads/failure.h"

#define STATUS_NOT_RUN 127

int program_quiet(struct why *why)
{
	int fd = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (fd < 0)
		return why_set(why, -errno, "/dev/null: %s", strerror(errno));
	for (int i = 0; i < 3; i++)
		if (dup2(fd, i) < 0)
			return why_set(why, -errno, "dup2: %s", strerror(errno));
	if (fd > 2)
		close(fd);
	return 0;
}

int program_check(const char *path, struct why *why)
{
	if (!access(path, X_OK))
		return 0;
	return why_set(why, -errno, "%s: %s; this load runs it", path, strerror(errno));
}

static pid_t start_by_fork(struct load_worker *w, const struct program *p)
{
	pid_t pid = load_child(w);

	if (pid)
		return pid;
	execve(p->path, p->argv, p->envp);
	_exit(STATUS_NOT_RUN);
}

/* The child borrows our memory until it execs: it makes system calls only. */
static pid_t start_by_vfork(const struct program *p)
{
	pid_t pid = vfork();

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	execve(p->path, p->argv, p->envp);
	_exit(STATUS_NOT_RUN);
}

static int start_and_wait(struct load_worker *w, const struct program *p)
{
	pid_t pid = p->by_vfork ? start_by_vfork(p) : start_by_fork(w, p);
	int status;

	if (pid < 0)
		return -errno;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int program_run(struct load_worker *w, const struct program *p, int *status, struct why *why)
{
	int64_t begun_ns = load_begin(w);
	int err;

	*status = start_and_wait(w, p);
	load_end(w, begun_ns);
	if (*status >= 0)
		return 0;
	if (*status != -EAGAIN && *status != -ENOMEM)
		return failure(why, *status, "fork");
	err = load_throttle(w, *status);
	*status = -EAGAIN;
	return err ? failure(why, err, "fork") : 0;
}
