/*
 * connect.c - how long does a TCP connection to 127.0.0.1 take?
 *
 * From before connect() until it has returned.  The listener is ours and its
 * queue takes the connection, so nobody has to wake up for it; accepting it
 * and the reset that closes it are not timed.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "probes/inet.h"
#include "probes/op.h"

struct connect {
	struct op op;
	struct sockaddr_in at;
	int listener;
	int client;		/* of this operation */
};

static int connect_open(void *state, const struct probe_env *env, struct why *why)
{
	struct connect *c = state;

	op_open(&c->op, env, 1);
	c->listener = inet_listener(&c->at);
	if (c->listener < 0)
		return why_set(why, c->listener, "connect: 127.0.0.1: %s; is the interface lo up?",
			       strerror(-c->listener));
	fcntl(c->listener, F_SETFL, O_NONBLOCK);
	return 0;
}

static int connect_once(void *state)
{
	struct connect *c = state;

	return connect(c->client, (struct sockaddr *)&c->at, sizeof(c->at)) ? errno : 0;
}

/* All there is: also what a call that was cut short has left in the queue. */
static void empty_queue(const struct connect *c)
{
	int fd;

	while ((fd = accept4(c->listener, NULL, NULL, SOCK_CLOEXEC)) >= 0)
		inet_reset(fd);
}

static int connect_sample(void *state, struct probe_sample *out)
{
	struct connect *c = state;
	int err = op_wait(&c->op, out);

	if (err)
		return err;
	c->client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (c->client < 0) {
		op_failed(&c->op, out, errno);
		return 0;
	}
	op_time(&c->op, out, connect_once, c);
	inet_reset(c->client);
	empty_queue(c);
	return 0;
}

static void connect_close(void *state)
{
	struct connect *c = state;

	close(c->listener);
}

const struct probe probe_connect = {
	.name = "connect",
	.summary = "open a TCP connection on the loopback interface",
	.flags = PROBE_HELPER | PROBE_LIGHT,
	.period_ns = 500 * NS_PER_MS,
	.knobs = { PROBE_PERIOD_KNOB(500) },
	.state_size = sizeof(struct connect),
	.open = connect_open,
	.sample = connect_sample,
	.close = connect_close,
};
