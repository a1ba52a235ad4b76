/* loopback.c - see loopback.h. */
#include "src/loads/loopback.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include "src/loads/failure.h"

/* A socket bound to a port of 127.0.0.1; its address in *at. */
static int bound_socket(int type, struct sockaddr_in *at)
{
	socklen_t size = sizeof(*at);
	int fd = socket(AF_INET, type | SOCK_CLOEXEC, 0), err;

	if (fd < 0)
		return -errno;
	*at = (struct sockaddr_in){ .sin_family = AF_INET,
				    .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	if (!bind(fd, (struct sockaddr *)at, sizeof(*at)) &&
	    !getsockname(fd, (struct sockaddr *)at, &size))
		return fd;
	err = -errno;
	close(fd);
	return err;
}

static int connected_socket(int type, const struct sockaddr_in *to)
{
	int fd = socket(AF_INET, type | SOCK_CLOEXEC, 0), err;

	if (fd < 0)
		return -errno;
	if (!connect(fd, (const struct sockaddr *)to, sizeof(*to)))
		return fd;
	err = -errno;
	close(fd);
	return err;
}

/* Connecting before accepting works: the backlog of one holds it. */
static int pair_up(struct loopback *l, int listener, const struct sockaddr_in *at)
{
	int err;

	if (listen(listener, 1))
		return -errno;
	l->client = connected_socket(SOCK_STREAM, at);
	if (l->client < 0)
		return l->client;
	l->server = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
	if (l->server >= 0)
		return 0;
	err = -errno;
	close(l->client);
	return err;
}

static int tcp_once(struct loopback *l)
{
	struct sockaddr_in at;
	int listener = bound_socket(SOCK_STREAM, &at), err;

	if (listener < 0)
		return listener;
	err = pair_up(l, listener, &at);
	close(listener);
	return err;
}

static int udp_once(struct loopback *l)
{
	struct sockaddr_in at;

	l->server = bound_socket(SOCK_DGRAM, &at);
	if (l->server < 0)
		return l->server;
	l->client = connected_socket(SOCK_DGRAM, &at);
	if (l->client >= 0)
		return 0;
	close(l->server);
	return l->client;
}

static int twice(int (*once)(struct loopback *l), struct loopback *l, struct why *why)
{
	int err = once(l);

	if (err == -EADDRNOTAVAIL)
		err = once(l);
	return err ? failure(why, err, "sockets on 127.0.0.1") : 0;
}

int loopback_tcp(struct loopback *l, bool nodelay, struct why *why)
{
	int on = nodelay, err = twice(tcp_once, l, why);

	if (err)
		return err;
	setsockopt(l->client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	setsockopt(l->server, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	return 0;
}

int loopback_udp(struct loopback *l, struct why *why)
{
	return twice(udp_once, l, why);
}

void loopback_close(int fd)
{
	struct linger reset = { .l_onoff = 1, .l_linger = 0 };

	setsockopt(fd, SOL_SOCKET, SO_LINGER, &reset, sizeof(reset));
	close(fd);
}
