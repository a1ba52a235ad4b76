/*
 * fork.c - processes that are born and die.
 *
 * Each worker forks a burst of children that end at once, waits for all of
 * them, and counts.  `touch` gives the worker that much written memory first:
 * its page tables are what a fork from a big process has to copy.
 */
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/clock.h"
#include "src/load.h"
#include "src/why.h"

enum { KNOB_BURST, KNOB_TOUCH };

#define MB (UINT64_C(1) << 20)

/* A child that runs nothing of ours: no handlers, no locks, no libc state. */
static pid_t fork_child(void)
{
#ifdef SYS_fork
	long pid = syscall(SYS_fork);
#else
	long pid = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
#endif

	if (pid == 0)
		for (;;)
			syscall(SYS_exit_group, 0);
	return (pid_t)pid;
}

static int wait_children(unsigned born)
{
	int status;

	for (unsigned i = 0; i < born; i++)
		while (waitpid(-1, &status, 0) < 0)
			if (errno != EINTR)
				return -errno;
	return 0;
}

/* One burst: born children are always reaped and counted, also when the
 * kernel refused the rest. */
static int fork_burst(struct load_worker *w, struct why *why)
{
	unsigned burst = (unsigned)w->knob[KNOB_BURST], born = 0;
	int64_t begun_ns = load_begin(w);
	int refused = 0, err;

	for (; born < burst && !refused; born++)
		if (fork_child() < 0) {
			refused = errno;
			break;
		}
	err = wait_children(born);
	load_end(w, begun_ns);
	if (err)
		return why_set(why, err, "wait: %s", strerror(-err));
	load_add(w, born, 0);
	if (!refused) {
		load_success(w);
		return 0;
	}
	if (born)
		load_success(w);
	if (refused != EAGAIN && refused != ENOMEM)
		return why_set(why, -refused, "clone: %s", strerror(refused));
	err = load_throttle(w, refused);
	return err ? why_set(why, err, "clone: %s for 2 s", strerror(refused)) : 0;
}

static int touch_memory(uint64_t bytes, struct why *why)
{
	unsigned char *map;

	if (!bytes)
		return 0;
	map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (map == MAP_FAILED)
		return why_set(why, -errno, "mmap: %s", strerror(errno));
	/* Huge pages would leave next to no page tables to copy. */
	madvise(map, bytes, MADV_NOHUGEPAGE);
	for (uint64_t at = 0; at < bytes; at += 4096)
		map[at] = 1;
	return 0;
}

static int fork_run(struct load_worker *w, struct why *why)
{
	int err = touch_memory((uint64_t)w->knob[KNOB_TOUCH] * MB, why);

	while (!err && load_going(w)) {
		err = fork_burst(w, why);
		load_cpu(w);
	}
	return err;
}

static uint64_t fork_memory(unsigned workers, const long *knob, uint64_t available)
{
	(void)available;
	return workers * (uint64_t)knob[KNOB_TOUCH] * MB;
}

static unsigned fork_tasks(unsigned workers, const long *knob)
{
	return workers * (1 + (unsigned)knob[KNOB_BURST]);
}

const struct load load_fork = {
	.name = "fork",
	.key = 'F',
	.summary = "children born and reaped as fast as can be",
	.unit = "forks",
	.rate_unit = "forks/s",
	.figure = LOAD_OPS,
	.version = 1,
	.default_per_cpu = 1,
	.max_workers = 128,
	.knobs = {
		[KNOB_BURST] = { .name = "burst", .help = "children alive at once",
				 .least = 1, .value = 1, .most = 64 },
		[KNOB_TOUCH] = { .name = "touch", .help = "MB of memory written before",
				 .least = 0, .value = 0, .most = 512 },
	},
	.memory_bytes = fork_memory,
	.tasks_per_worker = 2,
	.tasks = fork_tasks,
	.run = fork_run,
};
