/* inet.c - see inet.h. */
#include "probes/inet.h"

#include <errno.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

static int close_for(int fd)
{
	int err = -errno;

	close(fd);
	return err;
}

int inet_bound(int type, struct sockaddr_in *at)
{
	socklen_t size = sizeof(*at);
	int fd = socket(AF_INET, type | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -errno;
	*at = (struct sockaddr_in){ .sin_family = AF_INET,
				    .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	if (bind(fd, (struct sockaddr *)at, sizeof(*at)) ||
	    getsockname(fd, (struct sockaddr *)at, &size))
		return close_for(fd);
	return fd;
}

int inet_connected(int type, const struct sockaddr_in *to)
{
	int fd = socket(AF_INET, type | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -errno;
	if (connect(fd, (const struct sockaddr *)to, sizeof(*to)))
		return close_for(fd);
	return fd;
}

int inet_listener(struct sockaddr_in *at)
{
	int fd = inet_bound(SOCK_STREAM, at);

	if (fd >= 0 && listen(fd, 1))
		return close_for(fd);
	return fd;
}

/* Connecting before accepting works: the backlog of one holds it. */
int inet_tcp_pair(int pair[2])
{
	struct sockaddr_in at;
	int listener = inet_listener(&at), on = 1, err = 0;

	if (listener < 0)
		return listener;
	pair[0] = inet_connected(SOCK_STREAM, &at);
	if (pair[0] < 0) {
		close(listener);
		return pair[0];
	}
	pair[1] = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
	if (pair[1] < 0)
		err = close_for(pair[0]);
	close(listener);
	for (int i = 0; i < 2 && !err; i++)
		setsockopt(pair[i], IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	return err;
}

/* Each knows the other, so strangers' datagrams are refused. */
int inet_udp_pair(int pair[2])
{
	struct sockaddr_in at[2];

	for (int i = 0; i < 2; i++) {
		pair[i] = inet_bound(SOCK_DGRAM, &at[i]);
		if (pair[i] < 0) {
			if (i)
				close(pair[0]);
			return pair[i];
		}
	}
	if (!connect(pair[0], (struct sockaddr *)&at[1], sizeof(at[1])) &&
	    !connect(pair[1], (struct sockaddr *)&at[0], sizeof(at[0])))
		return 0;
	int err = close_for(pair[0]);

	close(pair[1]);
	return err;
}

void inet_reset(int fd)
{
	struct linger reset = { .l_onoff = 1, .l_linger = 0 };

	setsockopt(fd, SOL_SOCKET, SO_LINGER, &reset, sizeof(reset));
	close(fd);
}
