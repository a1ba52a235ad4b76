/* echo.c - see echo.h. */
#include "probes/echo.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static void close_ends(struct echo_ends ends)
{
	close(ends.read_fd);
	if (ends.write_fd != ends.read_fd)
		close(ends.write_fd);
}

/* All of it: 0 or a positive errno; EPIPE at the end of file. */
static int get(int fd, void *buf, unsigned bytes)
{
	for (unsigned got = 0; got < bytes;) {
		ssize_t n = read(fd, (char *)buf + got, bytes - got);

		if (n <= 0)
			return n ? errno : EPIPE;
		got += (unsigned)n;
	}
	return 0;
}

static int put(int fd, const void *buf, unsigned bytes)
{
	ssize_t n = write(fd, buf, bytes);

	if (n < 0)
		return errno;
	return n == (ssize_t)bytes ? 0 : EIO;
}

static _Noreturn void answer(const struct echo *e, struct echo_ends theirs)
{
	char message[ECHO_BYTES_MOST];
	int err;

	do {
		err = get(theirs.read_fd, message, e->ask_bytes);
		if (!err)
			err = put(theirs.write_fd, message, e->answer_bytes);
	} while (!err || err == EINTR);
	_exit(0);
}

int echo_open(struct echo *e, const struct probe_env *env, struct echo_ends theirs,
	      const char *name, struct why *why)
{
	op_open(&e->op, env, 1);
	e->number = 0;
	signal(SIGPIPE, SIG_IGN);
	pid_t pid = op_partner(env);

	if (pid == 0) {
		close_ends(e->ours);
		answer(e, theirs);
	}
	close_ends(theirs);
	if (pid > 0)
		return 0;
	close_ends(e->ours);
	return why_set(why, pid, "%s: partner: %s", name, strerror(-pid));
}

static bool stopping(const struct probe_env *env)
{
	return env->stopping && env->stopping(env->ctx);
}

/* Answers to earlier questions are passed over. */
static int get_answer(const struct echo *e)
{
	const struct probe_env *env = e->op.env;
	uint32_t number = 0;
	int err;

	do
		err = get(e->ours.read_fd, &number, e->answer_bytes);
	while ((err == EINTR && !stopping(env)) ||
	       (!err && e->counted && number != e->number));
	return err == EAGAIN ? ETIMEDOUT : err;
}

static int ask(void *echo)
{
	struct echo *e = echo;
	int err = put(e->ours.write_fd, &e->number, e->ask_bytes);

	return err ? err : get_answer(e);
}

int echo_sample(void *echo, struct probe_sample *out)
{
	struct echo *e = echo;
	int err = op_wait(&e->op, out);

	if (err)
		return err;
	e->number++;
	op_time(&e->op, out, ask, e);
	/* Without a partner there is nothing more to time. */
	return out->error == EPIPE ? -EPIPE : 0;
}

void echo_close(void *echo)
{
	struct echo *e = echo;

	op_end_partners(e->op.env);
	close_ends(e->ours);
}
