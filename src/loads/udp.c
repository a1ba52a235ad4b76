/*
 * udp.c - a flood of packets over loopback.
 *
 * The sender never waits but when the kernel has no room; what the receiver
 * does not get is lost, which is normal here.  The receiver counts.
 */
#include <errno.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "src/load.h"
#include "src/loads/failure.h"
#include "src/loads/group.h"
#include "src/loads/loopback.h"

#define PAIRS_MAX 4
#define PACKETS_PER_SIZE 10000
#define LOOK_PACKETS 256	/* between two looks at the stop */
#define ROOM_MS 20

static const unsigned sizes[] = { 64, 128, 256, 512, 1024 };

#define SIZES (sizeof(sizes) / sizeof(sizes[0]))

struct udp_shared {
	_Atomic uint64_t sent[PAIRS_MAX];
};

static const char *const figure_names[] = { "sent", "received", "lost_pct", NULL };

/* Receivers count in the lines behind those of the workers. */
static struct load_line *receiver_line(const struct load_worker *w, unsigned pair)
{
	return &w->lines[PAIRS_MAX + pair];
}

static int receive_for_ever(struct load_worker *w, int fd)
{
	char buf[2048];

	w->line = receiver_line(w, w->index);
	for (;;) {
		ssize_t n = recv(fd, buf, sizeof(buf), 0);

		if (n < 0 && errno != EINTR)
			return errno;
		if (n >= 0)
			load_add(w, 1, (uint64_t)n);
	}
}

static void wait_for_room(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLOUT };

	poll(&p, 1, ROOM_MS);
}

static bool no_room(int err)
{
	return err == EAGAIN || err == ENOBUFS || err == ECONNREFUSED || err == EINTR;
}

static int send_packet(struct load_worker *w, int fd, const char *buf, size_t size)
{
	struct udp_shared *shared = w->shared;
	uint64_t sent = atomic_load_explicit(&shared->sent[w->index], memory_order_relaxed);

	while (send(fd, buf, size, MSG_DONTWAIT | MSG_NOSIGNAL) < 0) {
		if (!no_room(errno))
			return -errno;
		wait_for_room(fd);
		if (!load_going(w))
			return 0;
	}
	atomic_store_explicit(&shared->sent[w->index], sent + 1, memory_order_relaxed);
	return 0;
}

/* All pairs together; the first sender tells. */
static void publish(const struct load_worker *w, struct load_worker *teller)
{
	const struct udp_shared *shared = w->shared;
	double sent = 0, received = 0, figure[3];
	char text[100];

	for (unsigned i = 0; i < w->workers; i++) {
		sent += (double)atomic_load(&shared->sent[i]);
		received += (double)atomic_load(&receiver_line(w, i)->ops);
	}
	figure[0] = sent;
	figure[1] = received;
	figure[2] = sent > received ? 100 * (sent - received) / sent : 0;
	snprintf(text, sizeof(text), "lost %.1f %%", figure[2]);
	load_publish(teller, figure, 3, text);
}

static int send_size(struct load_worker *w, int fd, size_t size)
{
	static const char buf[1024];
	int err = 0;

	for (unsigned i = 0; i < PACKETS_PER_SIZE && !err; i++) {
		if (i % LOOK_PACKETS == 0 && !load_going(w))
			break;
		err = send_packet(w, fd, buf, size);
	}
	return err;
}

static int flood(struct load_worker *w, struct group *g, int fd, struct why *why)
{
	int err = 0;

	for (unsigned turn = 0; !err && load_going(w); turn++) {
		err = send_size(w, fd, sizes[turn % SIZES]);
		if (err)
			return failure(why, err, "send");
		err = group_check(g, why);
		group_cpu(g, w);
		if (w->index == 0)
			publish(w, w);
	}
	return load_going(w) ? err : 0;
}

static int udp_run(struct load_worker *w, struct why *why)
{
	struct group g = { 0 };
	struct loopback l;
	int err = loopback_udp(&l, why);
	pid_t pid;

	if (err)
		return err;
	pid = group_fork(&g, w, why);
	if (pid < 0)
		return (int)pid;
	if (pid == 0)
		_exit(receive_for_ever(w, l.server));
	close(l.server);
	err = flood(w, &g, l.client, why);
	group_end(&g);
	close(l.client);
	return err;
}

const struct load load_udp = {
	.name = "udp",
	.key = 'Y',
	.summary = "a flood of UDP packets on loopback",
	.unit = "pkts",
	.rate_unit = "pkt/s",
	.figure = LOAD_OPS,
	.version = 1,
	.default_plus = 1,
	.max_workers = PAIRS_MAX,
	.figure_names = figure_names,
	.shared_bytes = sizeof(struct udp_shared),
	.tasks_per_worker = 2,
	.fds_per_worker = 2,
	.run = udp_run,
};
