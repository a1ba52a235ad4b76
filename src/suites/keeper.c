/* keeper.c - see keeper.h. */
#include "src/suites/keeper.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/budget.h"
#include "src/clock.h"
#include "src/counters.h"
#include "src/fds.h"
#include "src/kin.h"
#include "src/nanny.h"
#include "src/scratch.h"

#define FILE_BYTES_MOST (UINT64_C(1) << 30)
#define END_WAIT_MS 3000
#define FOLDER "kernel"

enum { KNOB_KERNEL, KNOB_LENGTH_US, KNOB_ARG };

/* ---- the kernel's process ------------------------------------------------ */

/* A kernel looks to the nanny like a load that ends by itself. */
static int run_kernel(struct load_worker *w, struct why *why)
{
	const struct kernel *k = kernel_nth((unsigned)w->knob[KNOB_KERNEL]);
	struct kernel_run r = { .w = w, .why = why,
				.length_ns = w->knob[KNOB_LENGTH_US] * NS_PER_US };

	if (!k)
		return why_set(why, -EINVAL, "no such kernel");
	signal(SIGPIPE, SIG_IGN);	/* a partner that is gone is an error to tell */
	for (unsigned i = 0; i < KERNEL_ARGS; i++)
		r.arg[i] = w->knob[KNOB_ARG + i] ? w->knob[KNOB_ARG + i] : k->arg[i];
	return k->run(&r);
}

static const struct load kernel_load = {
	.name = FOLDER,
	.flags = LOAD_SCRATCH | LOAD_EXECS | LOAD_FINITE,
	.max_workers = 1,
	.run = run_kernel,
};

/* ---- the keeper's process ------------------------------------------------ */

enum word { WORD_RUN, WORD_STOP, WORD_ENDED };

struct message {		/* both ways */
	enum word word;
	int status;		/* ENDED: 0, or -errno; the slot says why */
	long knob[LOAD_KNOBS_MAX];
};

struct keeping {
	int channel;
	struct counters *counters;
	struct scratch scratch;
	struct confine confine;
	uint64_t seed;
	enum tier tier;
	pid_t pid;		/* the kernel's nanny; 0: none */
	int pidfd, control;
};

static uint64_t disk_budget(const struct keeping *k)
{
	struct statvfs fs;
	uint64_t bytes;

	if (k->scratch.parent_fd < 0 || fstatvfs(k->scratch.parent_fd, &fs) ||
	    budget_disk_floor(&fs, NULL))
		return 0;
	bytes = budget_disk_bytes(&fs);
	return bytes < FILE_BYTES_MOST ? bytes : FILE_BYTES_MOST;
}

static void fail(struct keeping *k, int err, const char *what)
{
	struct slot *slot = &k->counters->slot[0];

	snprintf(slot->why, sizeof(slot->why), "%s: %s", what, strerror(-err));
	atomic_store(&slot->failed, err);
}

static void say_ended(const struct keeping *k, int status)
{
	const struct message m = { .word = WORD_ENDED, .status = status };

	send(k->channel, &m, sizeof(m), MSG_NOSIGNAL);
}

static pid_t clone_kernel(struct keeping *k, struct nanny_order *o)
{
	pid_t pid;

	o->tier = k->tier;
	o->confine.userns = o->tier == TIER_NS && !o->confine.drop;
	pid = nanny_start(o, &k->pidfd);
	if (pid > 0 || k->tier != TIER_NS || pid == -EAGAIN || pid == -ENOMEM)
		return pid;
	k->tier = o->tier = TIER_SUBREAPER;	/* a step down, never up */
	o->confine.userns = false;
	return nanny_start(o, &k->pidfd);
}

static int start_kernel(struct keeping *k, const long *knob)
{
	struct nanny_order o = { .load = &kernel_load, .slot = &k->counters->slot[0],
				 .tick = &k->counters->tick, .workers = 1, .seed = k->seed,
				 .confine = k->confine, .tasks = BUDGET_TASKS_MAX,
				 .fds = budget_fds() };
	struct why why = { 0, "" };
	char go = NANNY_GO;
	int pair[2], folder = scratch_folder(&k->scratch, FOLDER, &why);

	memcpy(o.knob, knob, sizeof(o.knob));
	o.disk_bytes = o.confine.file_bytes = disk_budget(k);
	if (folder < 0)
		return folder;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair)) {
		close(folder);
		return -errno;
	}
	o.control = o.confine.keep[o.confine.kept++] = pair[1];
	o.confine.scratch[0] = o.confine.keep[o.confine.kept++] = folder;
	k->pid = clone_kernel(k, &o);
	close(folder);
	close(pair[1]);
	k->control = pair[0];
	if (k->pid < 0) {
		int err = k->pid;

		k->pid = 0;
		close(k->control);
		return err;
	}
	return send(k->control, &go, 1, MSG_NOSIGNAL) == 1 ? 0 : -EPIPE;
}

static void run(struct keeping *k, const long *knob)
{
	int err;

	counters_clear(&k->counters->slot[0]);
	err = k->pid ? -EBUSY : start_kernel(k, knob);
	if (!err)
		return;
	fail(k, err, "cannot start");
	if (!k->pid)
		say_ended(k, err);
}

/* Reaps the nanny and takes away what is left of it. */
static void bury(struct keeping *k)
{
	int status = 0;

	while (waitpid(k->pid, &status, 0) < 0 && errno == EINTR)
		;
	k->pid = 0;
	close(k->pidfd);
	close(k->control);
	while (kin_kill_children(NULL, 0))
		while (waitpid(-1, NULL, 0) > 0)
			;
	scratch_remove_folder(&k->scratch, FOLDER, NULL);
	if (WIFSIGNALED(status) && !atomic_load(&k->counters->slot[0].failed))
		fail(k, -EINTR, "killed");
	say_ended(k, WIFSIGNALED(status) || WEXITSTATUS(status) ? -EIO : 0);
}

static void kill_kernel(struct keeping *k)
{
	if (k->pid)
		kin_signal(k->pidfd, SIGKILL);
}

/* False: main has gone. */
static bool obey(struct keeping *k)
{
	struct message m;
	ssize_t got = recv(k->channel, &m, sizeof(m), 0);

	if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN))
		return false;
	if (got != (ssize_t)sizeof(m))
		return true;
	if (m.word == WORD_RUN)
		run(k, m.knob);
	else if (m.word == WORD_STOP)
		kill_kernel(k);
	return true;
}

static _Noreturn void keep(struct keeping *k)
{
	bool alive = true;

	while (alive) {
		struct pollfd p[2] = { { .fd = k->channel, .events = POLLIN },
				       { .fd = k->pid ? k->pidfd : -1, .events = POLLIN } };

		if (poll(p, 2, -1) < 0)
			continue;
		if (p[1].revents)
			bury(k);
		if (p[0].revents)
			alive = obey(k);
	}
	kill_kernel(k);
	if (k->pid)
		bury(k);
	scratch_destroy(&k->scratch, NULL);
	_exit(0);
}

static _Noreturn void keeper_main(struct keeping *k)
{
	int kept[2] = { k->channel, k->scratch.parent_fd };

	prctl(PR_SET_NAME, "js-keeper", 0, 0, 0);
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	setsid();
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	if (fds_keep(kept, 2))
		_exit(1);
	keep(k);
}

/* ---- main's side --------------------------------------------------------- */

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
		keeper_main(keeping);
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
	*c = (struct confine){ .name = "js-" FOLDER, .scratch = { -1, -1 }, .execs = true,
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
