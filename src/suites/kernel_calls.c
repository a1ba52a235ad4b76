/*
 * kernel_calls.c - what a system call and a signal cost: the first columns of
 * the processor table.
 *
 * A single call is shorter than a look at the clock is exact, so calls are
 * timed in batches, and a figure is the mean of a batch.
 */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "src/clock.h"
#include "src/suites/kernel.h"
#include "src/suites/loop.h"

#define CALLS 100
#define TCP_FDS 100

static int null_call(void *ctx)
{
	(void)ctx;
	syscall(SYS_getppid);
	return 0;
}

static int run_null_call(struct kernel_run *r)
{
	return kernel_time_us(r, null_call, NULL, CALLS);
}

/* ---- one byte in, one byte out ---- */

struct null_io { int zero, null; };

static int null_io(void *ctx)
{
	const struct null_io *n = ctx;
	char byte = 0;

	return read(n->zero, &byte, 1) == 1 && write(n->null, &byte, 1) == 1 ? 0 : -errno;
}

/* The mean of a read and a write: half of the pair. */
static int run_null_io(struct kernel_run *r)
{
	struct null_io n = { open("/dev/zero", O_RDONLY), open("/dev/null", O_WRONLY) };
	struct hist *h = hist_new(3);
	int err = 0;

	if (n.zero < 0 || n.null < 0 || !h)
		err = kernel_failed(r, errno, "/dev/zero, /dev/null");
	if (!err)
		err = kernel_time(r, null_io, &n, CALLS, h);
	if (!err)
		kernel_times(r, h, 2 * CALLS, 0, NS_PER_US);
	hist_free(h);
	close(n.zero);
	close(n.null);
	return err;
}

/* ---- files ---- */

static int one_stat(void *ctx)
{
	const struct kernel_run *r = ctx;
	struct stat st;

	return fstatat(r->w->scratch_fd, "file", &st, 0) ? -errno : 0;
}

static int one_open(void *ctx)
{
	const struct kernel_run *r = ctx;
	int fd = openat(r->w->scratch_fd, "file", O_RDONLY);

	return fd < 0 || close(fd) ? -errno : 0;
}

static int with_file(struct kernel_run *r, kernel_op *op)
{
	int fd = openat(r->w->scratch_fd, "file", O_WRONLY | O_CREAT, 0600), err;

	if (fd < 0)
		return kernel_failed(r, errno, "open");
	close(fd);
	err = kernel_time_us(r, op, r, CALLS / 5);
	unlinkat(r->w->scratch_fd, "file", 0);
	return err;
}

static int run_stat(struct kernel_run *r)
{
	return with_file(r, one_stat);
}

static int run_open(struct kernel_run *r)
{
	return with_file(r, one_open);
}

/* ---- select ---- */

struct polled { fd_set set; int most, fd[TCP_FDS]; unsigned n; };

static int one_select(void *ctx)
{
	const struct polled *p = ctx;
	struct timeval at_once = { 0, 0 };
	fd_set set = p->set;

	return select(p->most + 1, &set, NULL, NULL, &at_once) < 0 ? -errno : 0;
}

static int open_pairs(struct polled *p)
{
	int err = 0;

	while (p->n < TCP_FDS && !err) {
		err = loop_pair(SOCK_STREAM, &p->fd[p->n]);
		p->n += err ? 0 : 2;
	}
	return err;
}

static int run_select(struct kernel_run *r)
{
	struct polled p = { .n = 0 };
	int err = open_pairs(&p);

	FD_ZERO(&p.set);
	for (unsigned i = 0; i < p.n && !err; i++) {
		if (p.fd[i] >= FD_SETSIZE)
			err = -EMFILE;
		else
			FD_SET(p.fd[i], &p.set);
		p.most = p.fd[i] > p.most ? p.fd[i] : p.most;
	}
	err = err ? kernel_failed(r, err, "100 TCP sockets")
		  : kernel_time_us(r, one_select, &p, CALLS / 5);
	for (unsigned i = 0; i < p.n; i++)
		loop_reset(p.fd[i]);
	return err;
}

/* ---- signals ---- */

static void nothing(int signal)
{
	(void)signal;
}

static int install(void *ctx)
{
	struct sigaction act = { .sa_handler = nothing };

	(void)ctx;
	return sigaction(SIGUSR1, &act, NULL) ? -errno : 0;
}

static int run_install(struct kernel_run *r)
{
	return kernel_time_us(r, install, NULL, CALLS);
}

static int send_signal(void *ctx)
{
	return kill(getpid(), *(const int *)ctx) ? -errno : 0;
}

double kernel_handler_ns(struct kernel_run *r)
{
	int none = 0, usr1 = SIGUSR1;
	double empty_ns = kernel_cost_ns(r, send_signal, &none, CALLS);

	install(NULL);
	return kernel_cost_ns(r, send_signal, &usr1, CALLS) - empty_ns;
}

/* To ourselves, with a handler, less the same without a signal. */
static int run_handler(struct kernel_run *r)
{
	int none = 0, usr1 = SIGUSR1;
	double empty_ns = kernel_cost_ns(r, send_signal, &none, CALLS);
	struct hist *h = hist_new(3);
	int err = h ? install(NULL) : -ENOMEM;

	if (!err)
		err = kernel_time(r, send_signal, &usr1, CALLS, h);
	if (!err)
		kernel_times(r, h, CALLS, empty_ns, NS_PER_US);
	hist_free(h);
	return err ? kernel_failed(r, err, "signal") : 0;
}

const struct kernel kernels_calls[] = {
	{ "processor", "null call", "us", false, run_null_call, { 0 } },
	{ "processor", "null I/O", "us", false, run_null_io, { 0 } },
	{ "processor", "stat", "us", false, run_stat, { 0 } },
	{ "processor", "open clos", "us", false, run_open, { 0 } },
	{ "processor", "selct TCP", "us", false, run_select, { 0 } },
	{ "processor", "sig inst", "us", false, run_install, { 0 } },
	{ "processor", "sig hndl", "us", false, run_handler, { 0 } },
	{ NULL, NULL, NULL, false, NULL, { 0 } },
};
