/* keeper_child.c - see keeper_child.h. */
#include "src/suites/keeper_child.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/budget.h"
#include "src/fds.h"
#include "src/kin.h"
#include "src/nanny.h"
#include "src/suites/kernel.h"

#define FILE_BYTES_MOST (UINT64_C(1) << 30)
#define FOLDER "kernel"

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

_Noreturn void keeper_child(struct keeping *k)
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
