/*
 * syscall.c - what does a system call cost?
 *
 * The mean of 100 in a row, so it shows the level and no single late call:
 * getppid(); a byte read from zero and one written to null; stat(); open() and
 * close(); select() on 100 sockets that have nothing to say.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "probes/op.h"

#define ROUNDS 100
#define SOCKETS 100
#define FILE_NAME "/dev/null"

enum { CALL_NULL, CALL_IO, CALL_STAT, CALL_OPEN, CALL_SELECT, CALLS };

static const char *const variants[] = {
	[CALL_NULL] = "syscall-null", [CALL_IO] = "syscall-io", [CALL_STAT] = "syscall-stat",
	[CALL_OPEN] = "syscall-open", [CALL_SELECT] = "syscall-select", NULL,
};

struct syscalls {
	struct op op;
	unsigned call;
	int zero_fd, null_fd;
	int socket_fd[SOCKETS];
	int most_fd;		/* the highest of the sockets */
	fd_set sockets;
};

static int call_null(struct syscalls *s)
{
	(void)s;
	syscall(SYS_getppid);
	return 0;
}

static int call_io(struct syscalls *s)
{
	char byte;

	return read(s->zero_fd, &byte, 1) != 1 || write(s->null_fd, &byte, 1) != 1 ? errno : 0;
}

static int call_stat(struct syscalls *s)
{
	struct stat st;

	(void)s;
	return stat(FILE_NAME, &st) ? errno : 0;
}

static int call_open(struct syscalls *s)
{
	int fd = open(FILE_NAME, O_RDONLY | O_CLOEXEC);

	(void)s;
	return fd < 0 || close(fd) ? errno : 0;
}

static int call_select(struct syscalls *s)
{
	fd_set ready = s->sockets;
	struct timeval at_once = { 0 };

	return select(s->most_fd + 1, &ready, NULL, NULL, &at_once) < 0 ? errno : 0;
}

static const struct {
	int (*once)(struct syscalls *s);
	unsigned calls;		/* what a round counts for */
} calls[] = {
	[CALL_NULL] = { call_null, 1 }, [CALL_IO] = { call_io, 2 }, [CALL_STAT] = { call_stat, 1 },
	[CALL_OPEN] = { call_open, 1 }, [CALL_SELECT] = { call_select, 1 },
};

static int rounds(void *state)
{
	struct syscalls *s = state;
	int err = 0;

	for (unsigned i = 0; i < ROUNDS && !err; i++)
		err = calls[s->call].once(s);
	return err;
}

static void syscall_close(void *state)
{
	struct syscalls *s = state;

	for (unsigned i = 0; i < SOCKETS; i++)
		if (s->socket_fd[i] >= 0)
			close(s->socket_fd[i]);
	close(s->zero_fd);
	close(s->null_fd);
}

/* A stream socket that is not connected would be ready at once (hung up). */
static int open_sockets(struct syscalls *s)
{
	const struct sockaddr_storage any = { .ss_family = AF_INET };

	for (unsigned i = 0; i < SOCKETS; i++) {
		int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

		s->socket_fd[i] = fd;
		if (fd < 0 || fd >= FD_SETSIZE)
			return fd < 0 ? -errno : -EMFILE;
		if (bind(fd, (const struct sockaddr *)&any, sizeof(any)) || listen(fd, 1))
			return -errno;
		FD_SET(fd, &s->sockets);
		s->most_fd = fd > s->most_fd ? fd : s->most_fd;
	}
	return 0;
}

static int syscall_open(void *state, const struct probe_env *env, struct why *why)
{
	struct syscalls *s = state;
	int err = 0;

	op_open(&s->op, env, CALLS);
	FD_ZERO(&s->sockets);
	for (unsigned i = 0; i < SOCKETS; i++)
		s->socket_fd[i] = -1;
	s->zero_fd = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	s->null_fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (s->zero_fd < 0 || s->null_fd < 0)
		err = -errno;
	if (!err)
		err = open_sockets(s);
	if (!err)
		return why_set(why, 0, "syscall: each value is a mean of %d", ROUNDS);
	syscall_close(s);
	return why_set(why, err, "syscall: files and sockets: %s", strerror(-err));
}

static int syscall_sample(void *state, struct probe_sample *out)
{
	struct syscalls *s = state;
	int err = op_wait(&s->op, out);

	if (err)
		return err;
	s->call = out->variant;
	op_time(&s->op, out, rounds, s);
	op_mean(&s->op, out, ROUNDS * calls[s->call].calls);
	return 0;
}

const struct probe probe_syscall = {
	.name = "syscall",
	.summary = "system calls: getppid, I/O, stat, open, select (mean of 100)",
	.flags = PROBE_HELPER,
	.period_ns = 100 * NS_PER_MS,
	.knobs = { PROBE_PERIOD_KNOB(100) },
	.variants = variants,
	.state_size = sizeof(struct syscalls),
	.open = syscall_open,
	.sample = syscall_sample,
	.close = syscall_close,
};
