/* nanny.c - see nanny.h. */
#include "src/nanny.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/budget.h"
#include "src/clock.h"
#include "src/cpuset.h"
#include "src/nanny_clone.h"

#define LEAVE_NS (200 * NS_PER_MS)	/* workers may end by themselves for that long */

/* Common to a nanny and its workers. */
struct common {
	_Atomic bool stop;
	_Atomic bool claimed;	/* a worker has begun to write why */
	_Atomic bool told;	/* and has ended */
	struct why why;
};

struct nanny {
	const struct nanny_order *order;
	struct common *common;
	struct load_worker worker;	/* what each worker is given, but its own line */
	pid_t pid[LOAD_LINES];		/* 0: ended */
	unsigned alive;
	int ready[2], start[2];		/* pipes: n bytes one way, then n the other */
	int64_t leave_ns;		/* stopping: nobody stays beyond; 0: not stopping */
};

/* What the TERM handler sets; a handler has no other way to its data. */
static _Atomic bool *stop_flag;

static void on_term(int signal)
{
	(void)signal;
	*stop_flag = true;
}

static void on_child(int signal)
{
	(void)signal;	/* its only use is to end a wait */
}

/* ---- ends ---- */

/* One wording for all loads: what ran out, then the call that met it. */
static void tell_full(const struct nanny *n, struct slot *slot, const struct why *why)
{
	struct why floor = { .text = "disk full, stopped" };
	struct statvfs fs;

	if (n->order->confine.scratch[0] >= 0 && !fstatvfs(n->order->confine.scratch[0], &fs) &&
	    budget_disk_floor(&fs, &floor))
		floor.text[strcspn(floor.text, ":")] = '\0';
	snprintf(slot->why, sizeof(slot->why), "%.40s: %.270s", floor.text, why->text);
}

static _Noreturn void fail(struct nanny *n, int code, const struct why *why)
{
	struct slot *slot = n->order->slot;

	/* -EFBIG: the limit of a file is its share of the disk. */
	if ((budget_is_full(why->err) || why->err == -EFBIG) && strncmp(why->text, "disk full", 9))
		tell_full(n, slot, why);
	else
		snprintf(slot->why, sizeof(slot->why), "%s", why->text);
	atomic_store_explicit(&slot->failed, why->err ? why->err : -EIO, memory_order_release);
	_exit(code);
}

/* ---- a worker ---- */

/* The first of several failures is the one that is told. */
static void tell(struct common *c, const struct why *why)
{
	if (atomic_exchange(&c->claimed, true))
		return;
	c->why = *why;
	atomic_store_explicit(&c->told, true, memory_order_release);
}

static void set_state(struct load_line *line, enum load_line_state state, int err)
{
	atomic_store_explicit(&line->state, (uint64_t)state | (uint64_t)(err & 0xffff) << 16,
			      memory_order_release);
}

/* All report ready, then all get one byte.  End of file: the nanny is gone. */
static void wait_for_start(struct nanny *n)
{
	char byte = 0;
	ssize_t got;

	set_state(n->worker.line, LOAD_LINE_READY, 0);
	if (write(n->ready[1], &byte, 1) != 1)
		_exit(NANNY_ORPHAN);
	close(n->ready[0]);
	close(n->ready[1]);
	close(n->start[1]);
	do
		got = read(n->start[0], &byte, 1);
	while (got < 0 && errno == EINTR);
	if (got != 1)
		_exit(NANNY_ORPHAN);
	close(n->start[0]);
}

static _Noreturn void run_worker(struct nanny *n, unsigned index)
{
	struct load_worker *w = &n->worker;
	struct why why = { 0 };
	sigset_t none;
	int err;

	close(n->order->control);
	signal(SIGTERM, SIG_DFL);
	signal(SIGCHLD, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	w->index = index;
	w->line = &w->lines[index];
	w->seed = load_mix(n->order->seed, n->order->id, index);
	wait_for_start(n);
	set_state(w->line, LOAD_LINE_RUN, 0);
	err = n->order->load->run(w, &why);
	w->cpu_read_ns = 0;
	load_cpu(w);
	if (err) {
		why.err = err;
		if (!why.text[0])
			why_set(&why, err, "%s", strerror(-err));
		tell(n->common, &why);
	}
	set_state(w->line, err ? LOAD_LINE_FAILED : LOAD_LINE_DONE, -err);
	_exit(err ? NANNY_FAILED : NANNY_OK);
}

/* ---- bringing workers up ---- */

static int fork_worker(struct nanny *n, unsigned index, struct why *why)
{
	pid_t self = getpid(), pid = fork();

	if (pid < 0)
		return why_set(why, -errno, "fork: %s (worker %u of %u)", strerror(errno),
			       index + 1, n->order->workers);
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
		if (getppid() != self)
			_exit(NANNY_ORPHAN);
		run_worker(n, index);
	}
	n->pid[index] = pid;
	n->alive++;
	return 0;
}

static void describe_death(unsigned index, int status, struct why *why)
{
	if (WIFSIGNALED(status))
		why_set(why, -EIO, "worker %u killed by SIG%s", index + 1,
			sigabbrev_np(WTERMSIG(status)) ? sigabbrev_np(WTERMSIG(status)) : "?");
	else
		why_set(why, -EIO, "worker %u ended with status %d", index + 1,
			WEXITSTATUS(status));
}

/* A worker has ended: with a reason of its own, by a signal, or well. */
static void judge(struct nanny *n, unsigned index, int status)
{
	struct why why;

	if (n->leave_ns || status == 0)
		return;
	describe_death(index, status, &why);
	if (WIFSIGNALED(status))
		fail(n, NANNY_SIGNAL + WTERMSIG(status), &why);
	if (atomic_load_explicit(&n->common->told, memory_order_acquire))
		why = n->common->why;
	fail(n, NANNY_FAILED, &why);
}

/* Strangers (children of workers that died) are reaped and forgotten. */
static void reap(struct nanny *n)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		for (unsigned i = 0; i < n->order->workers; i++)
			if (n->pid[i] == pid) {
				n->pid[i] = 0;
				n->alive--;
				judge(n, i, status);
			}
}

static void check_stop(struct nanny *n)
{
	if (!n->leave_ns && n->common->stop)
		n->leave_ns = clock_now_ns() + LEAVE_NS;
}

/* Waits for a signal (TERM, CHLD), for fd, or for timeout_ns. */
static void wait_for_news(int fd, int64_t timeout_ns)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	struct timespec t = { .tv_sec = timeout_ns / NS_PER_S, .tv_nsec = timeout_ns % NS_PER_S };
	sigset_t open;

	sigemptyset(&open);
	ppoll(&p, fd >= 0 ? 1 : 0, timeout_ns < 0 ? NULL : &t, &open);
}

static void start_together(struct nanny *n)
{
	char bytes[LOAD_LINES] = { 0 };
	unsigned ready = 0;

	while (ready < n->order->workers) {
		wait_for_news(n->ready[0], -1);
		struct pollfd p = { .fd = n->ready[0], .events = POLLIN };

		if (poll(&p, 1, 0) > 0) {
			ssize_t got = read(n->ready[0], bytes, sizeof(bytes));

			ready += got > 0 ? (unsigned)got : 0;
		}
		reap(n);
		if (n->common->stop)
			_exit(NANNY_OK);
	}
	if (write(n->start[1], bytes, n->order->workers) != (ssize_t)n->order->workers)
		_exit(NANNY_ORPHAN);
}

static void raise_workers(struct nanny *n)
{
	struct why why;
	int err = 0;

	if (pipe(n->ready) || pipe(n->start)) {
		why_set(&why, -errno, "pipe: %s", strerror(errno));
		fail(n, NANNY_FAILED, &why);
	}
	for (unsigned i = 0; i < n->order->workers && !err; i++)
		err = fork_worker(n, i, &why);
	if (err)
		fail(n, NANNY_FAILED, &why);
	start_together(n);
	for (unsigned i = 0; i < 2; i++) {
		close(n->ready[i]);
		close(n->start[i]);
	}
}

/* ---- from the go byte to the end ---- */

static void set_up(struct nanny *n)
{
	const struct nanny_order *o = n->order;
	size_t bytes = (sizeof(*n->common) + 63) / 64 * 64 + o->load->shared_bytes;
	struct why why;

	n->common = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (n->common == MAP_FAILED) {
		why_set(&why, -errno, "mmap: %s", strerror(errno));
		fail(n, NANNY_FAILED, &why);
	}
	n->worker = (struct load_worker){
		.workers = o->workers, .seed = load_mix(o->seed, o->id, LOAD_LINES),
		.scratch_fd = o->confine.scratch[0], .scratch2_fd = o->confine.scratch[1],
		.disk_budget_bytes = o->disk_bytes, .memory_budget_bytes = o->memory_bytes,
		.task_budget = o->tasks, .fd_budget = o->fds, .ncpu = o->ncpu, .file = o->file,
		.lines = o->slot->lines, .line = &o->slot->lines[0], .result = &o->slot->result,
		.tick = o->tick, .stop = &n->common->stop, .progress = &o->slot->progress,
		.shared = o->load->shared_bytes
			? (char *)n->common + (sizeof(*n->common) + 63) / 64 * 64 : NULL,
	};
	memcpy(n->worker.knob, o->knob, sizeof(o->knob));
}

/* Signals stay blocked but in waits, so that none slips in before one. */
static void listen_to_signals(struct nanny *n)
{
	struct sigaction term = { .sa_handler = on_term }, child = { .sa_handler = on_child };

	stop_flag = &n->common->stop;
	sigaction(SIGTERM, &term, NULL);
	sigaction(SIGCHLD, &child, NULL);
}

static void block_signals(void)
{
	sigset_t both;

	sigemptyset(&both);
	sigaddset(&both, SIGTERM);
	sigaddset(&both, SIGCHLD);
	sigprocmask(SIG_BLOCK, &both, NULL);
}

static void go_where_told(struct nanny *n)
{
	struct cpuset cpus = n->order->slot->cpus;
	struct why why = { 0 };
	char *option;

	if (!cpuset_count(&cpus) || !cpuset_pin(0, &cpus, &why))
		return;
	option = strstr(why.text, "--cpus");	/* of samplers; a load has a knob */
	if (option)
		snprintf(option, sizeof(why.text) - (size_t)(option - why.text), "cpus=");
	fail(n, NANNY_FAILED, &why);
}

/* TERM is let in: a preparation may be long, and looks at the stop flag. */
static void prepare(struct nanny *n)
{
	struct why why = { 0 };
	int err;

	if (!n->order->load->prepare)
		return;
	err = n->order->load->prepare(&n->worker, &why);
	if (n->common->stop)
		_exit(NANNY_OK);
	if (!err)
		return;
	if (!why.text[0])
		why_set(&why, err, "preparing: %s", strerror(-err));
	why.err = err;
	fail(n, NANNY_FAILED, &why);
}

static _Noreturn void watch(struct nanny *n)
{
	struct why why;

	for (;;) {
		check_stop(n);
		reap(n);
		int64_t left_ns = n->leave_ns ? n->leave_ns - clock_now_ns() : -1;

		if (!n->alive || (n->leave_ns && left_ns <= 0))
			break;
		wait_for_news(-1, left_ns);
	}
	atomic_store(&n->order->slot->ended_ns, clock_now_ns());
	check_stop(n);
	if (n->leave_ns || n->order->load->flags & LOAD_FINITE)
		_exit(NANNY_OK);
	why_set(&why, -EIO, "all workers ended by themselves");
	fail(n, NANNY_FAILED, &why);
}

static _Noreturn void nanny_main(const struct nanny_order *order)
{
	static struct nanny n;	/* too large for a look at the stack of a clone */
	struct why why = { 0 };
	char runs = NANNY_RUNS;

	n.order = order;
	/* What gets away from a worker stays below us, and is known to be this
	 * load's when it goes to the supervisor. */
	if (order->tier == TIER_SUBREAPER)
		prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	if (confine_self(&order->confine, &why))
		fail(&n, NANNY_FAILED, &why);
	if (!nanny_wait_for_go(order->control))
		_exit(NANNY_ORPHAN);
	set_up(&n);
	listen_to_signals(&n);
	go_where_told(&n);
	prepare(&n);
	block_signals();
	n.worker.progress = NULL;
	raise_workers(&n);
	if (write(order->control, &runs, 1) != 1)
		_exit(NANNY_ORPHAN);
	watch(&n);
}

pid_t nanny_start(const struct nanny_order *order, int *pidfd)
{
	pid_t pid = nanny_clone(order->tier, order->confine.userns, pidfd);

	if (pid == 0)
		nanny_main(order);
	return pid;
}
