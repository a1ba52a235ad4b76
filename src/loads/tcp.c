/*
 * tcp.c - round trips over loopback, for 15 sizes of message.
 *
 * The client sends one message, the server reads all of it and answers one
 * byte.  Each size has 200 ms, then the next one; 15 of them are a pass.  Mode
 * stream sends 64 K one way instead and never waits for an answer.
 *
 * The figures are the first pair's: mean, p50, p99 and max of the round trip,
 * messages a second, and the CPU time of both sides per message.
 */
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "src/load.h"
#include "src/loads/failure.h"
#include "src/loads/group.h"
#include "src/loads/lat.h"
#include "src/loads/loopback.h"

enum { KNOB_NODELAY, KNOB_MODE };
enum { MODE_SWEEP, MODE_STREAM };

#define SIZES 15		/* 4, 8 .. 65,536 bytes */
#define SIZE_MAX_BYTES 65536
#define SLOT_NS (200 * NS_PER_MS)
#define STREAM_READ 16384
#define PAIRS_MAX 8
#define PER_SIZE 6		/* figures */

struct tcp_shared {		/* the size of the messages a pair exchanges now */
	_Atomic uint32_t size[PAIRS_MAX];
};

struct result {			/* of one size, over all sweeps */
	struct lat lat;
	int64_t cpu_ns, wall_ns;
};

struct client {
	struct load_worker *w;
	struct group group;
	int fd;
	char *buf;
	struct result *result;	/* [SIZES] */
};

static const char *const modes[] = { "sweep", "stream", NULL };

#define NAMES(size) "mean_us_" #size, "p50_us_" #size, "p99_us_" #size, "max_us_" #size, \
	"msgs_per_s_" #size, "cpu_us_" #size

static const char *const figure_names[] = {
	NAMES(4), NAMES(8), NAMES(16), NAMES(32), NAMES(64), NAMES(128), NAMES(256), NAMES(512),
	NAMES(1024), NAMES(2048), NAMES(4096), NAMES(8192), NAMES(16384), NAMES(32768),
	NAMES(65536), NULL
};

/* ---- the server ---- */

static int answer(int fd, char *buf, const _Atomic uint32_t *size)
{
	for (;;) {
		size_t got = 0, want = 1;

		/* The size is published before the first byte of a message. */
		while (got < want) {
			ssize_t n = recv(fd, buf, SIZE_MAX_BYTES, 0);

			if (n == 0 || (n < 0 && errno != EINTR))
				return n ? errno : 0;
			got += n > 0 ? (size_t)n : 0;
			want = atomic_load_explicit(size, memory_order_acquire);
		}
		while (send(fd, buf, 1, MSG_NOSIGNAL) < 0)
			if (errno != EINTR)
				return errno;
	}
}

static int swallow(int fd, char *buf)
{
	for (;;) {
		ssize_t n = recv(fd, buf, STREAM_READ, 0);

		if (n == 0 || (n < 0 && errno != EINTR))
			return n ? errno : 0;
	}
}

/* ---- the client ---- */

static int send_all(int fd, const char *buf, size_t size)
{
	while (size) {
		ssize_t n = send(fd, buf, size, MSG_NOSIGNAL);

		if (n < 0 && errno != EINTR)
			return -errno;
		buf += n > 0 ? n : 0;
		size -= n > 0 ? (size_t)n : 0;
	}
	return 0;
}

static int await_answer(int fd)
{
	char byte;

	for (;;) {
		ssize_t n = recv(fd, &byte, 1, 0);

		if (n == 1)
			return 0;
		if (n == 0)
			return -EPIPE;
		if (errno != EINTR)
			return -errno;
	}
}

static int round_trip(struct client *c, struct result *r, size_t size)
{
	int64_t begun_ns = load_begin(c->w);
	int err = send_all(c->fd, c->buf, size);

	if (!err)
		err = await_answer(c->fd);
	lat_record(&r->lat, clock_now_ns() - begun_ns);
	load_end(c->w, begun_ns);
	if (!err)
		load_add(c->w, 1, size + 1);
	return err;
}

static int64_t both_cpu_ns(const struct client *c)
{
	return clock_process_cpu_ns() + group_cpu_ns(c->group.pid[0]);
}

static int play_size(struct client *c, unsigned i)
{
	struct tcp_shared *shared = c->w->shared;
	size_t size = (size_t)4 << i;
	int64_t begun_ns = clock_now_ns(), cpu_ns = both_cpu_ns(c), now_ns = begun_ns;
	int err = 0;

	atomic_store_explicit(&shared->size[c->w->index], (uint32_t)size, memory_order_release);
	while (!err && load_going(c->w) && now_ns - begun_ns < SLOT_NS) {
		err = round_trip(c, &c->result[i], size);
		now_ns = clock_now_ns();
	}
	c->result[i].wall_ns += now_ns - begun_ns;
	c->result[i].cpu_ns += both_cpu_ns(c) - cpu_ns;
	group_cpu(&c->group, c->w);
	return err;
}

static void fill_figures(const struct result *r, double *figure)
{
	double count = r->lat.count ? (double)r->lat.count : 1;

	figure[0] = lat_mean_us(&r->lat);
	figure[1] = lat_percentile_us(&r->lat, 50);
	figure[2] = lat_percentile_us(&r->lat, 99);
	figure[3] = lat_max_us(&r->lat);
	figure[4] = r->wall_ns ? (double)r->lat.count * 1e9 / (double)r->wall_ns : 0;
	figure[5] = (double)r->cpu_ns / count / 1e3;
}

static void publish(struct client *c)
{
	double figure[SIZES * PER_SIZE];
	char text[100];

	if (c->w->index)
		return;
	for (unsigned i = 0; i < SIZES; i++)
		fill_figures(&c->result[i], figure + i * PER_SIZE);
	snprintf(text, sizeof(text), "round trip, mean: 4 B %.1f us, 64 K %.1f us", figure[0],
		 figure[(SIZES - 1) * PER_SIZE]);
	load_publish(c->w, figure, SIZES * PER_SIZE, text);
}

static int sweep(struct client *c)
{
	int err = 0;

	while (!err && load_going(c->w)) {
		for (unsigned i = 0; i < SIZES && !err && load_going(c->w); i++)
			err = play_size(c, i);
		if (!err && load_going(c->w))
			load_pass(c->w);
		publish(c);
	}
	return err;
}

static int stream(struct client *c)
{
	int err = 0;

	while (!err && load_going(c->w)) {
		int64_t begun_ns = load_begin(c->w);

		err = send_all(c->fd, c->buf, SIZE_MAX_BYTES);
		load_end(c->w, begun_ns);
		if (!err)
			load_add(c->w, 1, SIZE_MAX_BYTES);
		group_cpu(&c->group, c->w);
	}
	return err;
}

/* ---- a pair ---- */

static int play(struct client *c, const struct loopback *l, struct why *why)
{
	struct tcp_shared *shared = c->w->shared;
	bool sweeps = c->w->knob[KNOB_MODE] == MODE_SWEEP;
	pid_t pid = group_fork(&c->group, c->w, why);
	int err;

	if (pid < 0)
		return (int)pid;
	if (pid == 0) {
		close(l->client);
		_exit(sweeps ? answer(l->server, c->buf, &shared->size[c->w->index])
			     : swallow(l->server, c->buf));
	}
	close(l->server);
	c->fd = l->client;
	err = sweeps ? sweep(c) : stream(c);
	if (err && load_going(c->w))
		err = failure(why, err, sweeps ? "round trip" : "send");
	group_end(&c->group);
	loopback_close(l->client);
	return load_going(c->w) ? err : 0;
}

static int tcp_run(struct load_worker *w, struct why *why)
{
	struct client c = { .w = w };
	struct loopback l;
	int err = loopback_tcp(&l, w->knob[KNOB_NODELAY], why);

	if (err)
		return err;
	c.buf = calloc(1, SIZE_MAX_BYTES);
	c.result = calloc(SIZES, sizeof(*c.result));
	err = c.buf && c.result ? play(&c, &l, why) : failure(why, -ENOMEM, "malloc");
	free(c.result);
	free(c.buf);
	return err;
}

const struct load load_tcp = {
	.name = "tcp",
	.key = 'T',
	.summary = "TCP round trips on loopback, 4 bytes to 64 K",
	.unit = "msgs",
	.rate_unit = "msgs/s",
	.pass_name = "sweeps of 15 sizes",
	.figure = LOAD_OPS,
	.version = 1,
	.default_plus = 1,
	.max_workers = PAIRS_MAX,
	.knobs = {
		[KNOB_NODELAY] = { .name = "nodelay", .help = "1: small messages leave at once",
				   .least = 0, .value = 1, .most = 1 },
		[KNOB_MODE] = { .name = "mode", .help = "sweep: answered; stream: one way",
				.least = MODE_SWEEP, .value = MODE_SWEEP, .most = MODE_STREAM,
				.choices = modes },
	},
	.figure_names = figure_names,
	.shared_bytes = sizeof(struct tcp_shared),
	.tasks_per_worker = 2,
	.fds_per_worker = 3,
	.run = tcp_run,
};
