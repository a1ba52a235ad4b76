/* spawn_filter.c - see spawn_filter.h. */
#include "src/spawn_filter.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

extern char **environ;

static int start(const char *const *argv, int in_fd, int out_fd, pid_t *pid)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	sigset_t none;
	int err;

	sigemptyset(&none);
	if (posix_spawn_file_actions_init(&files))
		return -ENOMEM;
	if (posix_spawnattr_init(&attr)) {
		posix_spawn_file_actions_destroy(&files);
		return -ENOMEM;
	}
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK);
	err = posix_spawn_file_actions_adddup2(&files, in_fd, 0);
	if (!err)
		err = posix_spawn_file_actions_adddup2(&files, out_fd, 1);
	if (!err)
		err = posix_spawnp(pid, argv[0], &files, &attr, (char *const *)argv, environ);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&files);
	return -err;
}

int spawn_filter(const char *const *argv, int in_fd, int out_fd, struct why *why)
{
	pid_t pid;
	int status, err = start(argv, in_fd, out_fd, &pid);

	if (err == -ENOENT)
		return err;
	if (err)
		return why_set(why, err, "%s: cannot be started; try another file type", argv[0]);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return why_set(why, -errno, "%s: lost; try another file type", argv[0]);
	if (!WIFEXITED(status) || WEXITSTATUS(status))
		return why_set(why, -EIO, "%s: failed; what it said stands above", argv[0]);
	return 0;
}
