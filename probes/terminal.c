/*
 * terminal.c - how long until a new shell shows its prompt?
 *
 * From before the fork of `/bin/sh -i` on a new pseudo-terminal until the first
 * byte of its prompt.  What a terminal emulator adds is left out.  One sample
 * each time it is asked for; it gives up after a minute with that as the value.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "probes/op.h"

#define SHELL "/bin/sh"
#define PROMPT "ready> "
#define GIVE_UP_NS (60 * NS_PER_S)
#define LOOK_MS 1000

struct terminal {
	struct op op;
	int master_fd;
	char slave[64];
	pid_t shell;
};

static int terminal_open(void *state, const struct probe_env *env, struct why *why)
{
	struct terminal *t = state;
	char target[PATH_MAX];
	ssize_t n = readlink(SHELL, target, sizeof(target) - 1);

	if (access(SHELL, X_OK))
		return why_set(why, -errno, "terminal: " SHELL ": %s", strerror(errno));
	target[n > 0 ? n : 0] = '\0';
	op_open(&t->op, env, 1);
	return why_set(why, 0, "terminal: " SHELL " is %.200s; no terminal emulator is timed",
		       n > 0 ? target : "no link");
}

static int open_pty(struct terminal *t)
{
	t->master_fd = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
	if (t->master_fd < 0)
		return errno;
	if (!grantpt(t->master_fd) && !unlockpt(t->master_fd) &&
	    !ptsname_r(t->master_fd, t->slave, sizeof(t->slave)))
		return 0;
	int err = errno;

	close(t->master_fd);
	return err;
}

static _Noreturn void be_shell(const struct terminal *t)
{
	static char name[] = "sh", interactive[] = "-i", prompt[] = "PS1=" PROMPT,
		    kind[] = "TERM=dumb", path[] = "PATH=/usr/bin:/bin";
	char *const argv[] = { name, interactive, NULL };
	char *const environment[] = { prompt, kind, path, NULL };

	signal(SIGTERM, SIG_DFL);
	setsid();
	int fd = open(t->slave, O_RDWR);

	if (fd < 0 || ioctl(fd, TIOCSCTTY, 0))
		_exit(126);
	for (int i = 0; i <= STDERR_FILENO; i++)
		dup2(fd, i);
	execve(SHELL, argv, environment);
	_exit(127);
}

static bool stopping(const struct probe_env *env)
{
	return env->stopping && env->stopping(env->ctx);
}

/* Reads what the shell says; matched counts how much of the prompt came. */
static int listen_once(const struct terminal *t, unsigned *matched)
{
	char text[256];
	ssize_t n = read(t->master_fd, text, sizeof(text));

	if (n <= 0)
		return n == 0 ? EIO : errno == EAGAIN || errno == EINTR ? 0 : errno;
	for (ssize_t i = 0; i < n && PROMPT[*matched]; i++)
		*matched = text[i] == PROMPT[*matched] ? *matched + 1 : text[i] == PROMPT[0];
	return 0;
}

static int wait_for_prompt(const struct terminal *t)
{
	const struct probe_env *env = t->op.env;
	int64_t until_ns = env->now_ns(env->ctx) + GIVE_UP_NS;
	unsigned matched = 0;
	int err = 0;

	while (!err && PROMPT[matched] && env->now_ns(env->ctx) < until_ns) {
		struct pollfd p = { .fd = t->master_fd, .events = POLLIN };

		if (stopping(env))
			return EINTR;
		if (poll(&p, 1, LOOK_MS) > 0)
			err = listen_once(t, &matched);
	}
	return err;
}

static int prompt_once(void *state)
{
	struct terminal *t = state;

	t->shell = op_fork();
	if (t->shell == 0)
		be_shell(t);
	return t->shell < 0 ? -t->shell : wait_for_prompt(t);
}

static int terminal_sample(void *state, struct probe_sample *out)
{
	struct terminal *t = state;
	int err = op_wait(&t->op, out), error = 0;

	if (err)
		return err;
	t->shell = 0;
	if (!t->op.env->operation)
		error = open_pty(t);
	if (error) {
		op_failed(&t->op, out, error);
		return 0;
	}
	op_time(&t->op, out, prompt_once, t);
	if (t->shell > 1) {
		kill(t->shell, SIGKILL);
		op_wait_child(t->shell);
	}
	if (!t->op.env->operation)
		close(t->master_fd);
	return 0;
}

const struct probe probe_terminal = {
	.name = "terminal",
	.summary = "a new shell's prompt on a new pty; one shot on demand",
	.flags = PROBE_HELPER | PROBE_ONESHOT | PROBE_EXECS,
	/* Longer than any sampler's warm-up: time zero comes first. */
	.period_ns = 1500 * NS_PER_MS,
	.state_size = sizeof(struct terminal),
	.open = terminal_open,
	.sample = terminal_sample,
};
