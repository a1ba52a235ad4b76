/*
 * kernel_process.c - births of processes, and a token handed round a ring of
 * them.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "src/clock.h"
#include "src/suites/kernel.h"
#include "src/suites/loop.h"

/* ---- fork, exec, sh ---- */

static int one_exec(void *ctx)
{
	char *const *argv = ctx;
	char *none[] = { NULL };
	pid_t pid = fork();

	if (pid == 0) {
		execve(argv[0], argv, none);
		_exit(127);
	}
	return pid < 0 ? -errno : kernel_reap(pid);
}

static int run_births(struct kernel_run *r, kernel_op *op, void *ctx, const char *what)
{
	int err = kernel_time_us(r, op, ctx, 1);

	return err ? kernel_failed(r, err, what) : 0;
}

static int run_fork(struct kernel_run *r)
{
	return run_births(r, kernel_birth, NULL, "fork");
}

static int run_exec(struct kernel_run *r)
{
	char *argv[] = { (char *)"/bin/true", NULL };

	return run_births(r, one_exec, argv, "/bin/true");
}

static int run_sh(struct kernel_run *r)
{
	char *argv[] = { (char *)"/bin/sh", (char *)"-c", (char *)"/bin/true", NULL };

	return run_births(r, one_exec, argv, "/bin/sh");
}

/* ---- a ring ---- */

#define MEMBERS_MAX 16
#define BYTES_OF_KB 1024

struct ring {
	unsigned members;
	int pipe[MEMBERS_MAX][2];	/* pipe[i] leads to member i */
	pid_t pid[MEMBERS_MAX];
	long *array;
	unsigned long items;
};

/* What a process does while it has the token: looks at all of its array. */
static unsigned long sum(const struct ring *g)
{
	const volatile long *item = g->array;
	unsigned long total = 0;

	for (unsigned long i = 0; i < g->items; i++)
		total += (unsigned long)item[i];
	return total;
}

static int pass(const struct ring *g, unsigned member)
{
	int token, err = loop_read(g->pipe[member][0], &token, sizeof(token));

	sum(g);
	return err ? err : loop_write(g->pipe[(member + 1) % g->members][1], &token, sizeof(token));
}

static _Noreturn void be_member(struct ring *g, unsigned member)
{
	/* Its own copy of the array, not the parent's pages. */
	for (unsigned long i = 0; i < g->items; i++)
		g->array[i] = (long)i;
	while (!pass(g, member))
		;
	_exit(0);
}

/* Member 0 is the kernel: a lap begins and ends there. */
static int lap(void *ctx)
{
	const struct ring *g = ctx;
	int token = 1, err = loop_write(g->pipe[1 % g->members][1], &token, sizeof(token));

	if (!err)
		err = loop_read(g->pipe[0][0], &token, sizeof(token));
	sum(g);
	return err;
}

/* One process does what they all do: as many writes, reads and sums. */
static int lap_alone(void *ctx)
{
	const struct ring *g = ctx;
	int token = 1, err = 0;

	for (unsigned i = 0; i < g->members && !err; i++) {
		err = loop_write(g->pipe[i][1], &token, sizeof(token));
		if (!err)
			err = loop_read(g->pipe[i][0], &token, sizeof(token));
		sum(g);
	}
	return err;
}

static int open_ring(struct ring *g, unsigned members, unsigned long kb)
{
	g->members = members;
	g->items = kb * BYTES_OF_KB / sizeof(long);
	g->array = calloc(g->items + 1, sizeof(long));
	if (!g->array)
		return -ENOMEM;
	for (unsigned i = 0; i < members; i++) {
		if (pipe(g->pipe[i]))
			return -errno;
	}
	return 0;
}

static int raise_members(struct ring *g, struct kernel_run *r)
{
	for (unsigned i = 1; i < g->members; i++) {
		g->pid[i] = load_child(r->w);
		if (g->pid[i] == 0)
			be_member(g, i);
		if (g->pid[i] < 0)
			return -errno;
	}
	return 0;
}

static int time_ring(struct kernel_run *r, struct ring *g)
{
	struct hist *h = hist_new(3);
	double alone_ns = kernel_cost_ns(r, lap_alone, g, 1) / g->members;
	int err = h ? raise_members(g, r) : -ENOMEM;

	if (!err)
		err = kernel_time(r, lap, g, 1, h);
	if (!err)
		kernel_times(r, h, g->members, alone_ns, NS_PER_US);
	hist_free(h);
	return err;
}

static int run_ring(struct kernel_run *r)
{
	struct ring g = { .members = 0 };
	int err = open_ring(&g, (unsigned)r->arg[0], (unsigned long)r->arg[1]);

	if (!err)
		err = time_ring(r, &g);
	for (unsigned i = 1; i < g.members; i++)
		kernel_end_child(g.pid[i]);
	free(g.array);
	return err ? kernel_failed(r, err, "ring") : 0;
}

const struct kernel kernels_process[] = {
	{ "processor", "fork proc", "us", false, run_fork, { 0 } },
	{ "processor", "exec proc", "us", false, run_exec, { 0 } },
	{ "processor", "sh proc", "us", false, run_sh, { 0 } },
	{ "ctxsw", "2p/0K", "us", false, run_ring, { 2, 0 } },
	{ "ctxsw", "2p/16K", "us", false, run_ring, { 2, 16 } },
	{ "ctxsw", "2p/64K", "us", false, run_ring, { 2, 64 } },
	{ "ctxsw", "8p/16K", "us", false, run_ring, { 8, 16 } },
	{ "ctxsw", "8p/64K", "us", false, run_ring, { 8, 64 } },
	{ "ctxsw", "16p/16K", "us", false, run_ring, { 16, 16 } },
	{ "ctxsw", "16p/64K", "us", false, run_ring, { 16, 64 } },
	{ NULL, NULL, NULL, false, NULL, { 0 } },
};
