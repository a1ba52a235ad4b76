/* keeper.c - see keeper.h: main's side. */
#include "src/suites/keeper.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/clock.h"
#include "src/kin.h"
#include "src/suites/keeper_child.h"

#define END_WAIT_MS 3000

struct keeper {
	pid_t pid;
	int channel;
	struct counters *counters;
	bool busy, lost;
	bool ended;		/* ... and nobody has looked yet */
	int status;
};

static struct keeper *no_keeper(struct keeper *k, int err, struct why *why)
{
	why_set(why, err, "no process for measurements: %s; free some memory or processes",
		strerror(-err));
	if (k)
		counters_free(k->counters);
	free(k);
	return NULL;
}

static int fork_keeper(struct keeper *k, struct keeping *keeping)
{
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
		return -errno;
	keeping->channel = pair[1];
	keeping->counters = k->counters;
	k->pid = fork();
	if (k->pid == 0) {
		close(pair[0]);
		keeper_child(keeping);
	}
	int err = k->pid < 0 ? -errno : 0;

	close(pair[1]);
	k->channel = pair[0];
	if (err)
		close(pair[0]);
	return err;
}

struct keeper *keeper_start(const struct options *o, struct why *why)
{
	struct keeping keeping = { .seed = o->seed, .tier = TIER_NS };
	struct confine *c = &keeping.confine;
	struct keeper *k = calloc(1, sizeof(*k));
	int parent, err;

	if (!k || !(k->counters = counters_new(1)))
		return no_keeper(k, -ENOMEM, why);
	parent = scratch_open_parent(o->scratches ? o->scratch[0] : NULL, why);
	if (parent < 0) {
		counters_free(k->counters);
		free(k);
		return NULL;
	}
	*c = (struct confine){ .name = "js-kernel", .scratch = { -1, -1 }, .execs = true,
			       .no_landlock = true };
	confine_identity(&c->drop, &c->uid, &c->gid);
	scratch_init(&keeping.scratch, parent, c->uid, c->gid);
	fflush(NULL);
	err = fork_keeper(k, &keeping);
	close(parent);
	return err ? no_keeper(k, err, why) : k;
}

static int job_fd(void *ctx)
{
	return ((struct keeper *)ctx)->channel;
}

static int job_start(void *ctx, const struct step *step, struct why *why)
{
	struct keeper *k = ctx;
	struct message m = { .word = WORD_RUN };

	m.knob[KNOB_KERNEL] = (long)step->kernel;
	m.knob[KNOB_LENGTH_US] = (long)(step->hold_ns / NS_PER_US);
	for (unsigned i = 0; i < KERNEL_ARGS; i++)
		m.knob[KNOB_ARG + i] = step->arg[i];
	if (k->lost || send(k->channel, &m, sizeof(m), MSG_NOSIGNAL) != (ssize_t)sizeof(m))
		return why_set(why, -EPIPE, "the process for measurements has died");
	k->busy = true;
	k->ended = false;
	return 0;
}

static void job_hear(void *ctx)
{
	struct keeper *k = ctx;
	struct message m;
	ssize_t got = recv(k->channel, &m, sizeof(m), MSG_DONTWAIT);

	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	k->lost = got != (ssize_t)sizeof(m);
	k->busy = false;
	k->ended = true;
	k->status = k->lost ? -EPIPE : m.status;
	if (k->lost) {		/* a closed channel is readable for ever */
		close(k->channel);
		k->channel = -1;
	}
}

static int job_look(void *ctx, struct step_result *r, struct why *why)
{
	struct keeper *k = ctx;
	const struct slot *slot = &k->counters->slot[0];

	if (!k->ended)
		return 0;
	k->ended = false;
	r->figures = counters_result(slot, r->figure, r->text);
	if (k->lost)
		return why_set(why, -EPIPE, "the process for measurements has died");
	if (!k->status)
		return 1;
	return why_set(why, k->status, "%s", slot->why[0] ? slot->why : "ended badly");
}

static void job_stop(void *ctx)
{
	const struct message m = { .word = WORD_STOP };
	struct keeper *k = ctx;

	if (k->busy)
		send(k->channel, &m, sizeof(m), MSG_NOSIGNAL);
}

static bool job_busy(void *ctx)
{
	return ((struct keeper *)ctx)->busy;
}

struct own_job keeper_job(struct keeper *k)
{
	return (struct own_job){ .ctx = k, .start = job_start, .fd = job_fd, .hear = job_hear,
				 .look = job_look, .stop = job_stop, .busy = job_busy };
}

/* Its own work at the end is bounded; what hangs is killed, and the kernel
 * with it. */
static void wait_end(const struct keeper *k)
{
	int64_t limit_ns = clock_now_ns() + END_WAIT_MS * NS_PER_MS;
	int pidfd = kin_pidfd(k->pid);
	struct pollfd p = { .fd = pidfd, .events = POLLIN };

	if (pidfd >= 0) {
		while (poll(&p, 1, END_WAIT_MS) < 0 && errno == EINTR && clock_now_ns() < limit_ns)
			;
		if (!p.revents)
			kin_signal(pidfd, SIGKILL);
		close(pidfd);
	}
	while (waitpid(k->pid, NULL, 0) < 0 && errno == EINTR)
		;
}

void keeper_end(struct keeper *k)
{
	if (!k)
		return;
	if (k->channel >= 0)
		close(k->channel);
	wait_end(k);
	counters_free(k->counters);
	free(k);
}
