/*
 * kernel_talk.c - two processes talk: how long there and back, how long until
 * a connection stands, how much goes through.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "src/clock.h"
#include "src/suites/kernel.h"
#include "src/suites/loop.h"

enum way { WAY_PIPE = 1, WAY_UNIX, WAY_UDP, WAY_TCP };

#define PIECE 65536
#define AMOUNT 10000000		/* of a transfer */

struct talk {
	enum way way;
	int here[2], there[2];	/* where each side reads, writes */
	unsigned bytes;		/* of a message */
	pid_t pid;
	char *piece;
};

static int open_pipes(struct talk *t)
{
	int out[2], back[2];

	if (pipe(out) || pipe(back))
		return -errno;
	t->here[0] = back[0];
	t->here[1] = out[1];
	t->there[0] = out[0];
	t->there[1] = back[1];
	return 0;
}

static int open_sockets(struct talk *t)
{
	int fd[2], err = 0;

	if (t->way == WAY_UNIX)
		err = socketpair(AF_UNIX, SOCK_STREAM, 0, fd) ? -errno : 0;
	else
		err = loop_pair(t->way == WAY_UDP ? SOCK_DGRAM : SOCK_STREAM, fd);
	if (err)
		return err;
	t->here[0] = t->here[1] = fd[0];
	t->there[0] = t->there[1] = fd[1];
	return 0;
}

static int open_talk(struct talk *t, enum way way)
{
	*t = (struct talk){ .way = way, .bytes = way == WAY_UDP ? 4 : 1, .pid = -1 };
	t->piece = calloc(1, PIECE);
	if (!t->piece)
		return -ENOMEM;
	return way == WAY_PIPE ? open_pipes(t) : open_sockets(t);
}

/* The child keeps only its side, so that an end is seen as one. */
static int raise_partner(struct talk *t, struct kernel_run *r, void (*partner)(struct talk *t))
{
	t->pid = load_child(r->w);
	if (t->pid < 0)
		return -errno;
	if (t->pid == 0) {
		close(t->here[0]);
		if (t->here[1] != t->here[0])
			close(t->here[1]);
		partner(t);
		_exit(0);
	}
	close(t->there[0]);
	if (t->there[1] != t->there[0])
		close(t->there[1]);
	return 0;
}

static void close_talk(struct talk *t)
{
	kernel_end_child(t->pid);
	free(t->piece);
}

/* ---- there and back ---- */

static void echo(struct talk *t)
{
	while (!loop_read(t->there[0], t->piece, t->bytes) &&
	       !loop_write(t->there[1], t->piece, t->bytes))
		;
}

/* A datagram may be lost: a wait of a second is an end, not a sample. */
static void limit_wait(const struct talk *t)
{
	const struct timeval second = { 1, 0 };

	if (t->way == WAY_UDP)
		setsockopt(t->here[0], SOL_SOCKET, SO_RCVTIMEO, &second, sizeof(second));
}

static int there_and_back(void *ctx)
{
	const struct talk *t = ctx;
	int err = loop_write(t->here[1], t->piece, t->bytes);

	return err ? err : loop_read(t->here[0], t->piece, t->bytes);
}

static int run_echo(struct kernel_run *r)
{
	struct talk t;
	int err = open_talk(&t, (enum way)r->arg[0]);

	if (!err)
		err = raise_partner(&t, r, echo);
	if (!err) {
		limit_wait(&t);
		err = kernel_time_us(r, there_and_back, &t, 1);
	}
	close_talk(&t);
	return err ? kernel_failed(r, err, "round trip") : 0;
}

/* ---- connections ---- */

/* The server resets a connection when the client says that it stands: nothing
 * is left behind on either side, and its queue never fills. */
static _Noreturn void accept_all(int listener)
{
	char byte;

	for (;;) {
		int fd = accept(listener, NULL, NULL);

		if (fd < 0)
			continue;
		loop_read(fd, &byte, 1);
		loop_reset(fd);
	}
}

/* Connect and close are timed, not the wait for the server in between. */
static int one_connection(const struct sockaddr_in *at, int64_t *took_ns)
{
	int64_t begun_ns = clock_now_ns(), closing_ns;
	int fd = loop_connect(at);
	char byte = 0;

	*took_ns = clock_now_ns() - begun_ns;
	if (fd < 0)
		return fd;
	if (!loop_write(fd, &byte, 1))
		loop_read(fd, &byte, 1);	/* until the reset */
	closing_ns = clock_now_ns();
	close(fd);
	*took_ns += clock_now_ns() - closing_ns;
	return 0;
}

static int time_connections(struct kernel_run *r, const struct sockaddr_in *at, struct hist *h)
{
	int64_t end_ns = clock_now_ns() + r->length_ns, took_ns;
	int err = one_connection(at, &took_ns);	/* warm */

	while (!err) {
		err = one_connection(at, &took_ns);
		if (!err)
			hist_record(h, took_ns);
		if (!kernel_going(r, end_ns))
			break;
	}
	return err;
}

static int run_connect(struct kernel_run *r)
{
	struct hist *h = hist_new(3);
	struct sockaddr_in at;
	int listener = loop_listen(&at), err = listener < 0 ? listener : h ? 0 : -ENOMEM;
	pid_t pid = err ? -1 : load_child(r->w);

	if (pid == 0)
		accept_all(listener);
	if (!err)
		err = pid < 0 ? -errno : time_connections(r, &at, h);
	if (!err)
		kernel_times(r, h, 1, 0, NS_PER_US);
	kernel_end_child(pid);
	if (listener >= 0)
		close(listener);
	hist_free(h);
	return err ? kernel_failed(r, err, "connect") : 0;
}

/* ---- how much ---- */

static void take_all(struct talk *t)
{
	unsigned long got = 0;
	ssize_t n;

	while ((n = read(t->there[0], t->piece, PIECE)) > 0) {
		got += (unsigned long)n;
		if (got < AMOUNT)
			continue;
		got -= AMOUNT;
		if (loop_write(t->there[1], "", 1))
			break;
	}
}

/* All of it has arrived when the other side says so. */
static int transfer(void *ctx)
{
	const struct talk *t = ctx;
	unsigned long left = AMOUNT;
	char byte;
	int err = 0;

	while (left && !err) {
		unsigned long n = left < PIECE ? left : PIECE;

		err = loop_write(t->here[1], t->piece, n);
		left -= n;
	}
	return err ? err : loop_read(t->here[0], &byte, 1);
}

static int run_transfer(struct kernel_run *r)
{
	struct talk t;
	int err = open_talk(&t, (enum way)r->arg[0]);

	if (!err)
		err = raise_partner(&t, r, take_all);
	if (!err)
		err = kernel_rates(r, transfer, &t, AMOUNT / 1e6, 1);
	close_talk(&t);
	return err ? kernel_failed(r, err, "transfer") : 0;
}

const struct kernel kernels_talk[] = {
	{ "comm_lat", "Pipe", "us", false, run_echo, { WAY_PIPE } },
	{ "comm_lat", "AF UNIX", "us", false, run_echo, { WAY_UNIX } },
	{ "comm_lat", "UDP", "us", false, run_echo, { WAY_UDP } },
	{ "comm_lat", "TCP", "us", false, run_echo, { WAY_TCP } },
	{ "comm_lat", "TCP conn", "us", false, run_connect, { 0 } },
	{ "comm_bw", "Pipe", "MB/s", true, run_transfer, { WAY_PIPE } },
	{ "comm_bw", "AF UNIX", "MB/s", true, run_transfer, { WAY_UNIX } },
	{ "comm_bw", "TCP", "MB/s", true, run_transfer, { WAY_TCP } },
	{ NULL, NULL, NULL, false, NULL, { 0 } },
};
