/*
 * kernel_unix.c - what a Unix does all day, in loops per second: exec, births
 * of processes, pipes, system calls.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "src/again.h"
#include "src/clock.h"
#include "src/suites/kernel.h"
#include "src/suites/loop.h"

#define STRETCHES 10
#define STRETCH_LEAST_NS (20 * NS_PER_MS)
#define PIPE_BYTES 512
#define CALLS 100		/* loops between two looks at the clock */

/* ---- exec ---- */

/* How often it became itself until the deadline. */
static int exec_until(struct kernel_run *r, int64_t deadline_ns, uint64_t *count)
{
	int pair[2], err;
	pid_t pid;

	if (pipe(pair))
		return -errno;
	pid = load_child(r->w);
	if (pid == 0)
		_exit(again_begin(deadline_ns, pair[1]) ? 1 : 0);
	err = pid < 0 ? -errno : 0;
	close(pair[1]);
	if (!err)
		err = loop_read(pair[0], count, sizeof(*count));
	if (pid > 0)
		err = kernel_reap(pid) ? -ENOEXEC : err;
	close(pair[0]);
	return err;
}

static int run_execl(struct kernel_run *r)
{
	int64_t stretch_ns = r->length_ns / STRETCHES;
	double rate[STRETCHES];
	unsigned n = 0;
	int err = 0;

	if (stretch_ns < STRETCH_LEAST_NS)
		stretch_ns = STRETCH_LEAST_NS;
	for (; n < STRETCHES && !err && load_going(r->w); n++) {
		int64_t begun_ns = clock_now_ns();
		uint64_t count = 0;

		err = exec_until(r, begun_ns + stretch_ns, &count);
		rate[n] = (double)count * 1e9 / (double)(clock_now_ns() - begun_ns);
	}
	if (err)
		return kernel_failed(r, err, "exec of ourselves");
	kernel_publish_rates(r, rate, n);
	return 0;
}

/* ---- births ---- */

static int run_births(struct kernel_run *r)
{
	int err = kernel_rates(r, kernel_birth, NULL, 1, 1);

	return err ? kernel_failed(r, err, "fork") : 0;
}

/* ---- pipes ---- */

static int through_pipe(void *ctx)
{
	const int *pair = ctx;
	char buf[PIPE_BYTES] = { 0 };
	int err = 0;

	for (unsigned i = 0; i < CALLS && !err; i++) {
		err = loop_write(pair[1], buf, sizeof(buf));
		if (!err)
			err = loop_read(pair[0], buf, sizeof(buf));
	}
	return err;
}

static int run_pipe(struct kernel_run *r)
{
	int pair[2], err;

	if (pipe(pair))
		return kernel_failed(r, errno, "pipe");
	err = kernel_rates(r, through_pipe, pair, CALLS, 1);
	close(pair[0]);
	close(pair[1]);
	return err ? kernel_failed(r, err, "pipe") : 0;
}

struct bounce { int out[2], back[2]; unsigned count; };

static _Noreturn void bounce_back(const struct bounce *b)
{
	unsigned count;

	close(b->out[1]);
	close(b->back[0]);
	while (!loop_read(b->out[0], &count, sizeof(count)) &&
	       !loop_write(b->back[1], &count, sizeof(count)))
		;
	_exit(0);
}

static int bounce(void *ctx)
{
	struct bounce *b = ctx;
	unsigned back;
	int err = loop_write(b->out[1], &b->count, sizeof(b->count));

	if (!err)
		err = loop_read(b->back[0], &back, sizeof(back));
	if (!err && back != b->count++)
		err = -EPROTO;
	return err;
}

static int run_bounce(struct kernel_run *r)
{
	struct bounce b = { .count = 0 };
	pid_t pid;
	int err;

	if (pipe(b.out) || pipe(b.back))
		return kernel_failed(r, errno, "pipe");
	pid = load_child(r->w);
	if (pid == 0)
		bounce_back(&b);
	err = pid < 0 ? -errno : kernel_rates(r, bounce, &b, 1, 1);
	kernel_end_child(pid);
	return err ? kernel_failed(r, err, "two pipes") : 0;
}

/* ---- system calls ---- */

static int some_calls(void *ctx)
{
	(void)ctx;
	for (unsigned i = 0; i < CALLS; i++) {
		if (close(dup(0)))
			return -errno;
		syscall(SYS_getpid);
		syscall(SYS_getuid);
		umask(022);
	}
	return 0;
}

static int run_calls(struct kernel_run *r)
{
	int err = kernel_rates(r, some_calls, NULL, CALLS, 1);

	return err ? kernel_failed(r, err, "system calls") : 0;
}

const struct kernel kernels_unix[] = {
	{ "throughput", "Execl", "loops/s", true, run_execl, { 0 } },
	{ "throughput", "Process Creation", "loops/s", true, run_births, { 0 } },
	{ "throughput", "Pipe Throughput", "loops/s", true, run_pipe, { 0 } },
	{ "throughput", "Pipe-based Context Switching", "loops/s", true, run_bounce, { 0 } },
	{ "throughput", "System Call Overhead", "loops/s", true, run_calls, { 0 } },
	{ NULL, NULL, NULL, false, NULL, { 0 } },
};
