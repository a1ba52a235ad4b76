/*
 * ctxsw.c - what does a switch between two processes cost?
 *
 * A token hops 100 times between us and a partner through pipes; who gets it
 * sums an array of 0, 16 or 64 KB.  From that goes what the same calls and sums
 * cost one process alone.  The value is per hop: a mean, and, since the two
 * were measured one after the other, now and then negative.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "probes/op.h"

#define HOPS 100
#define ARRAY_WORDS (64u * 1024 / sizeof(unsigned))

enum { SIZES = 3 };

static const char *const variants[] = { "ctxsw-2p-0k", "ctxsw-2p-16k", "ctxsw-2p-64k", NULL };
static const unsigned kilobytes[SIZES] = { 0, 16, 64 };

enum { THERE, BACK, ALONE, PIPES };

struct ctxsw {
	struct op op;
	int pipe[PIPES][2];
	char size;		/* the token says how much to sum */
	volatile unsigned sum;	/* so that it is worked out */
	unsigned array[ARRAY_WORDS];
};

static void work(struct ctxsw *c, unsigned size)
{
	unsigned words = size < SIZES ? kilobytes[size] * 1024 / sizeof(unsigned) : 0, sum = 0;

	for (unsigned i = 0; i < words; i++)
		sum += c->array[i];
	c->sum = sum;
}

static int put(int fd, char token)
{
	return write(fd, &token, 1) == 1 ? 0 : errno;
}

static bool stopping(const struct ctxsw *c)
{
	const struct probe_env *env = c->op.env;

	return env->stopping && env->stopping(env->ctx);
}

static int get(const struct ctxsw *c, int fd, char *token)
{
	ssize_t n;

	do
		n = read(fd, token, 1);
	while (n < 0 && errno == EINTR && !stopping(c));
	return n == 1 ? 0 : n ? errno : EPIPE;
}

static _Noreturn void partner(struct ctxsw *c)
{
	char token;

	close(c->pipe[THERE][1]);
	close(c->pipe[BACK][0]);
	while (!get(c, c->pipe[THERE][0], &token)) {
		work(c, (unsigned)token);
		if (put(c->pipe[BACK][1], token))
			break;
	}
	_exit(0);
}

/* There and back are two hops. */
static int hops(void *state)
{
	struct ctxsw *c = state;
	char token = c->size;
	int err = 0;

	for (unsigned i = 0; i < HOPS / 2 && !err; i++) {
		err = put(c->pipe[THERE][1], token);
		if (!err)
			err = get(c, c->pipe[BACK][0], &token);
		work(c, (unsigned)token);
	}
	return err;
}

static int alone(struct ctxsw *c)
{
	char token = c->size;
	int err = 0;

	for (unsigned i = 0; i < HOPS && !err; i++) {
		err = put(c->pipe[ALONE][1], token);
		if (!err)
			err = get(c, c->pipe[ALONE][0], &token);
		work(c, (unsigned)token);
	}
	return err;
}

static void close_end(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void close_pipes(struct ctxsw *c)
{
	for (unsigned i = 0; i < PIPES; i++) {
		close_end(&c->pipe[i][0]);
		close_end(&c->pipe[i][1]);
	}
}

static int open_pipes(struct ctxsw *c)
{
	memset(c->pipe, -1, sizeof(c->pipe));
	for (unsigned i = 0; i < PIPES; i++)
		if (pipe2(c->pipe[i], O_CLOEXEC))
			return -errno;
	return 0;
}

static int ctxsw_open(void *state, const struct probe_env *env, struct why *why)
{
	struct ctxsw *c = state;
	int err = open_pipes(c);

	op_open(&c->op, env, SIZES);
	memset(c->array, 1, sizeof(c->array));
	signal(SIGPIPE, SIG_IGN);
	if (!err)
		err = op_partner(env);
	if (err == 0 && c->pipe[ALONE][1] >= 0)
		partner(c);
	if (err > 0) {
		close_end(&c->pipe[THERE][0]);
		close_end(&c->pipe[BACK][1]);
		return why_set(why, 0, "ctxsw: each value is a mean of %d hops", HOPS);
	}
	close_pipes(c);
	return why_set(why, err, "ctxsw: pipes and a partner: %s", strerror(-err));
}

/* Takes away what the calls and sums cost without a switch. */
static void subtract_alone(struct ctxsw *c, struct probe_sample *out)
{
	const struct probe_env *env = c->op.env;
	int64_t from_ns = env->now_ns(env->ctx);
	int error = alone(c);
	int64_t alone_ns = env->now_ns(env->ctx) - from_ns;

	if (error)
		out->error = error;
	else
		op_value(out, (out->woke_ns - out->due_ns - alone_ns) / HOPS);
}

static int ctxsw_sample(void *state, struct probe_sample *out)
{
	struct ctxsw *c = state;
	int err = op_wait(&c->op, out);

	if (err)
		return err;
	c->size = (char)out->variant;
	op_time(&c->op, out, hops, c);
	if (out->error == EPIPE)
		return -EPIPE;
	if (!out->error && !c->op.env->operation)
		subtract_alone(c, out);
	return 0;
}

static void ctxsw_close(void *state)
{
	struct ctxsw *c = state;

	op_end_partners(c->op.env);
	close_pipes(c);
}

const struct probe probe_ctxsw = {
	.name = "ctxsw",
	.summary = "a switch between two processes that sum 0, 16, 64 KB",
	.flags = PROBE_HELPER,
	.period_ns = 200 * NS_PER_MS,
	.knobs = { PROBE_PERIOD_KNOB(200) },
	.variants = variants,
	.state_size = sizeof(struct ctxsw),
	.open = ctxsw_open,
	.sample = ctxsw_sample,
	.close = ctxsw_close,
};
