/*
 * context.c - groups of senders and receivers that keep the scheduler busy.
 *
 * In a group every one of 20 senders writes one message of 100 bytes to each
 * of 20 receivers, for ever.  Receivers count whole messages, each in a line
 * of its own; the worker only watches over its 40 processes.
 */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "src/load.h"
#include "src/loads/failure.h"
#include "src/loads/group.h"
#include "src/loads/machine.h"

enum { KNOB_PIPE };

#define SIDE 20			/* senders, and receivers, of a group */
#define MESSAGE_BYTES 100
#define PASS_MESSAGES (40000 / SIDE)	/* of one receiver */

static const char *const figure_names[] = { "switches_per_s", NULL };

struct channel {
	int in, out;
};

static int open_channel(struct channel *c, bool as_pipe)
{
	int fd[2];

	if (as_pipe ? pipe(fd) : socketpair(AF_UNIX, SOCK_STREAM, 0, fd))
		return -errno;
	*c = (struct channel){ .in = fd[0], .out = fd[1] };
	return 0;
}

/* A stop is SIGKILL: what is still in the channels is never drained. */
static int send_for_ever(const struct channel *c)
{
	static const char message[MESSAGE_BYTES] = "message";

	for (;;)
		for (unsigned i = 0; i < SIDE; i++)
			for (size_t sent = 0; sent < sizeof(message);) {
				ssize_t n = write(c[i].out, message + sent,
						  sizeof(message) - sent);

				if (n < 0 && errno != EINTR)
					return errno;
				sent += n > 0 ? (size_t)n : 0;
			}
}

/* The pass of a group: one is counted by its first receiver for all of them. */
static int receive_for_ever(struct load_worker *w, int in, bool counts_passes)
{
	char message[MESSAGE_BYTES];
	unsigned seen = 0;

	for (;;) {
		for (size_t got = 0; got < sizeof(message);) {
			ssize_t n = read(in, message + got, sizeof(message) - got);

			if (n <= 0 && errno != EINTR)
				return n ? errno : EPIPE;
			got += n > 0 ? (size_t)n : 0;
		}
		load_add(w, 1, sizeof(message));
		if (counts_passes && ++seen % PASS_MESSAGES == 0)
			load_pass(w);
	}
}

static void close_others(const struct channel *c, unsigned own)
{
	for (unsigned i = 0; i < SIDE; i++) {
		close(c[i].out);
		if (i != own)
			close(c[i].in);
	}
}

static int fork_receiver(struct group *g, struct load_worker *w, const struct channel *c,
			 unsigned i, struct why *why)
{
	pid_t pid = group_fork(g, w, why);

	if (pid)
		return pid < 0 ? (int)pid : 0;
	close_others(c, i);
	w->line = &w->lines[w->index * SIDE + i];
	_exit(receive_for_ever(w, c[i].in, i == 0));
}

static int fork_sender(struct group *g, struct load_worker *w, const struct channel *c,
		       struct why *why)
{
	pid_t pid = group_fork(g, w, why);

	if (pid)
		return pid < 0 ? (int)pid : 0;
	for (unsigned i = 0; i < SIDE; i++)
		close(c[i].in);
	_exit(send_for_ever(c));
}

static int raise_group(struct group *g, struct load_worker *w, struct why *why)
{
	struct channel c[SIDE];
	int err = 0;

	for (unsigned i = 0; i < SIDE && !err; i++)
		err = open_channel(&c[i], w->knob[KNOB_PIPE]);
	if (err)
		return failure(why, err, "opening channels");
	for (unsigned i = 0; i < SIDE && !err; i++)
		err = fork_receiver(g, w, c, i, why);
	for (unsigned i = 0; i < SIDE && !err; i++)
		err = fork_sender(g, w, c, why);
	for (unsigned i = 0; i < SIDE; i++) {
		close(c[i].in);
		close(c[i].out);
	}
	return err;
}

/* How often the whole machine changes from one task to another. */
static void tell_switches(struct load_worker *w)
{
	static uint64_t last;		/* this process watches one group */
	static int64_t last_ns;
	int64_t now_ns = clock_now_ns();
	uint64_t now;
	double per_s;

	if (now_ns - last_ns < NS_PER_S)
		return;
	now = machine_switches();
	per_s = (double)(now - last) * 1e9 / (double)(now_ns - last_ns);
	if (last_ns)
		load_publish(w, &per_s, 1, NULL);
	last = now;
	last_ns = now_ns;
}

static int context_run(struct load_worker *w, struct why *why)
{
	struct group g = { 0 };
	int err = raise_group(&g, w, why);

	if (!err)
		err = group_watch(&g, w, w->index ? NULL : tell_switches, why);
	group_end(&g);
	return err;
}

const struct load load_context = {
	.name = "context",
	.key = 'H',
	.summary = "groups of 20 senders and 20 receivers that never stop talking",
	.unit = "msgs",
	.rate_unit = "msgs/s",
	.pass_name = "40,000 messages of a group",
	.figure = LOAD_OPS,
	.version = 1,
	.default_plus = 2,
	.max_workers = 8,
	.knobs = {
		[KNOB_PIPE] = { .name = "pipe", .help = "1: pipes; 0: stream sockets",
				.least = 0, .value = 0, .most = 1 },
	},
	.figure_names = figure_names,
	.tasks_per_worker = 2 * SIDE + 1,
	.fds_per_worker = SIDE,
	.run = context_run,
};
