/* loop.c - see loop.h. */
#include "src/suites/loop.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#define BACKLOG 128

static int bound(int type, struct sockaddr_in *at)
{
	socklen_t size = sizeof(*at);
	int fd = socket(AF_INET, type | SOCK_CLOEXEC, 0), err;

	if (fd < 0)
		return -errno;
	*at = (struct sockaddr_in){ .sin_family = AF_INET,
				    .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	if (!bind(fd, (struct sockaddr *)at, size) &&
	    !getsockname(fd, (struct sockaddr *)at, &size))
		return fd;
	err = -errno;
	close(fd);
	return err;
}

int loop_listen(struct sockaddr_in *at)
{
	int fd = bound(SOCK_STREAM, at);

	if (fd < 0 || !listen(fd, BACKLOG))
		return fd;
	int err = -errno;

	close(fd);
	return err;
}

static void no_delay(int fd)
{
	int on = 1;

	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
}

int loop_connect(const struct sockaddr_in *at)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), err;

	if (fd < 0)
		return -errno;
	no_delay(fd);
	if (!connect(fd, (const struct sockaddr *)at, sizeof(*at)))
		return fd;
	err = -errno;
	close(fd);
	return err;
}

static int tcp_pair(int fd[2])
{
	struct sockaddr_in at;
	int listener = loop_listen(&at), err = 0;

	if (listener < 0)
		return listener;
	fd[0] = loop_connect(&at);
	fd[1] = fd[0] < 0 ? fd[0] : accept4(listener, NULL, NULL, SOCK_CLOEXEC);
	if (fd[0] < 0) {
		err = fd[0];
	} else if (fd[1] < 0) {
		err = -errno;
		close(fd[0]);
	} else {
		no_delay(fd[1]);
	}
	close(listener);
	return err;
}

static int udp_pair(int fd[2])
{
	struct sockaddr_in at[2];

	fd[0] = bound(SOCK_DGRAM, &at[0]);
	if (fd[0] < 0)
		return fd[0];
	fd[1] = bound(SOCK_DGRAM, &at[1]);
	if (fd[1] >= 0 && !connect(fd[0], (struct sockaddr *)&at[1], sizeof(at[1])) &&
	    !connect(fd[1], (struct sockaddr *)&at[0], sizeof(at[0])))
		return 0;
	int err = fd[1] < 0 ? fd[1] : -errno;

	close(fd[0]);
	if (fd[1] >= 0)
		close(fd[1]);
	return err;
}

int loop_pair(int type, int fd[2])
{
	return type == SOCK_STREAM ? tcp_pair(fd) : udp_pair(fd);
}

void loop_reset(int fd)
{
	const struct linger at_once = { .l_onoff = 1, .l_linger = 0 };

	setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
	close(fd);
}

int loop_read(int fd, void *buf, unsigned long bytes)
{
	char *at = buf;

	while (bytes) {
		ssize_t n = read(fd, at, bytes);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? -errno : -EPIPE;
		at += n;
		bytes -= (unsigned long)n;
	}
	return 0;
}

int loop_write(int fd, const void *buf, unsigned long bytes)
{
	const char *at = buf;

	while (bytes) {
		ssize_t n = write(fd, at, bytes);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		at += n;
		bytes -= (unsigned long)n;
	}
	return 0;
}
