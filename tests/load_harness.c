/* load_harness.c - see load_harness.h. */
#include "tests/load_harness.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef JS_COVERAGE
void __gcov_dump(void);
#endif

#define RUN_LIMIT_NS (120 * NS_PER_S)	/* only what hangs takes so long */
#define STOP_LIMIT_NS (60 * NS_PER_S)
#define POLL_NS (2 * NS_PER_MS)
#define BUDGET_BYTES (UINT64_C(2) << 30)

struct outcome {
	int err;
	struct why why;
};

struct common {			/* what the forked workers share with the test */
	struct load_line lines[LOAD_LINES];
	struct load_result result;
	struct outcome outcome[LOAD_LINES];
	_Atomic uint64_t tick;
	_Atomic int progress;
	_Atomic bool stop;
};

struct harness {
	const struct load *load;
	struct common *common;
	void *shared;
	size_t shared_bytes;
	struct load_worker worker[LOAD_LINES];
	pid_t pid[LOAD_LINES];
	char scratch[64];
	const char *broken;		/* a file that gets lost, or NULL */
	bool sum_lines, finishes;
	unsigned looked_at;		/* lines; 0: those of the workers */
	int64_t ran_ns;
	unsigned workers;
};

static void *shared_map(size_t bytes)
{
	void *map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (map == MAP_FAILED)
		abort();
	return map;
}

static void set_worker(struct harness *h, unsigned i, uint64_t seed)
{
	struct load_worker *w = &h->worker[i];

	*w = (struct load_worker){
		.index = i, .workers = h->workers, .seed = load_mix(seed, 0, i),
		.scratch_fd = -1, .scratch2_fd = -1, .disk_budget_bytes = BUDGET_BYTES,
		.memory_budget_bytes = BUDGET_BYTES, .task_budget = 512, .fd_budget = 4096,
		.ncpu = (unsigned)sysconf(_SC_NPROCESSORS_ONLN), .lines = h->common->lines,
		.line = &h->common->lines[i], .result = &h->common->result,
		.tick = &h->common->tick, .stop = &h->common->stop,
		.progress = &h->common->progress, .shared = h->shared,
	};
	for (unsigned k = 0; k < LOAD_KNOBS_MAX; k++)
		w->knob[k] = h->load->knobs[k].name ? h->load->knobs[k].value : 0;
}

struct harness *harness_new(const struct load *l, unsigned workers, uint64_t seed)
{
	struct harness *h = calloc(1, sizeof(*h));
	const char *tmp = getenv("TMPDIR");

	if (!h)
		abort();
	h->load = l;
	h->workers = workers;
	h->common = shared_map(sizeof(*h->common));
	h->shared_bytes = l->shared_bytes;
	if (h->shared_bytes)
		h->shared = shared_map(h->shared_bytes);
	snprintf(h->scratch, sizeof(h->scratch), "%.40s/js-load-XXXXXX", tmp ? tmp : "/tmp");
	if (!mkdtemp(h->scratch))
		abort();
	for (unsigned i = 0; i < workers; i++)
		set_worker(h, i, seed);
	h->worker[0].scratch_fd = open(h->scratch, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	for (unsigned i = 1; i < workers; i++)
		h->worker[i].scratch_fd = h->worker[0].scratch_fd;
	return h;
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *at)
{
	(void)st, (void)kind, (void)at;
	return remove(path);
}

void harness_free(struct harness *h)
{
	close(h->worker[0].scratch_fd);
	nftw(h->scratch, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	munmap(h->common, sizeof(*h->common));
	if (h->shared)
		munmap(h->shared, h->shared_bytes);
	free(h);
}

struct load_worker *harness_worker(struct harness *h, unsigned index)
{
	return &h->worker[index];
}

void harness_break(struct harness *h, const char *name)
{
	h->broken = name;
}

void harness_sum_lines(struct harness *h)
{
	h->sum_lines = true;
}

void harness_look_at(struct harness *h, unsigned lines)
{
	h->looked_at = lines;
}

void harness_finish(struct harness *h)
{
	h->finishes = true;
}

const struct load *harness_load(const struct harness *h)
{
	return h->load;
}

static void work(struct harness *h, unsigned i)
{
	struct outcome *o = &h->common->outcome[i];

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	o->err = h->load->run(&h->worker[i], &o->why);
#ifdef JS_COVERAGE
	__gcov_dump();		/* _exit() would lose what this process ran */
#endif
	_exit(0);
}

static void copy_settings(struct harness *h)
{
	for (unsigned i = 1; i < h->workers; i++) {
		struct load_worker *w = &h->worker[i], *first = &h->worker[0];

		memcpy(w->knob, first->knob, sizeof(w->knob));
		w->disk_budget_bytes = first->disk_budget_bytes;
		w->memory_budget_bytes = first->memory_budget_bytes;
		w->task_budget = first->task_budget;
		w->fd_budget = first->fd_budget;
		w->scratch_fd = first->scratch_fd;
		w->scratch2_fd = first->scratch2_fd;
		w->file = first->file;
	}
}

static bool worked(const struct harness *h, uint64_t passes, uint64_t ops)
{
	unsigned lines = h->looked_at ? h->looked_at : h->workers;

	if (h->sum_lines)
		return harness_passes(h) >= passes && harness_ops(h) >= ops;
	for (unsigned i = 0; i < lines; i++)
		if (h->common->lines[i].passes < passes || h->common->lines[i].ops < ops)
			return false;
	return true;
}

/* Takes those that have ended away from pid[]; how many are left. */
static unsigned reap(struct harness *h)
{
	unsigned left = 0;

	for (unsigned i = 0; i < h->workers; i++) {
		int status;

		if (h->pid[i] && waitpid(h->pid[i], &status, WNOHANG) == h->pid[i]) {
			h->pid[i] = 0;
			if (!WIFEXITED(status) || WEXITSTATUS(status))
				h->common->outcome[i].err = -ECHILD;
		}
		left += h->pid[i] != 0;
	}
	return left;
}

static void stop_workers(struct harness *h, int64_t limit_ns)
{
	atomic_store(&h->common->stop, true);
	while (reap(h) && clock_now_ns() < limit_ns)
		clock_wait_until(clock_now_ns() + POLL_NS);
	for (unsigned i = 0; i < h->workers; i++)
		if (h->pid[i] > 1)
			kill(h->pid[i], SIGKILL);
	while (reap(h))
		clock_wait_until(clock_now_ns() + POLL_NS);
}

static int first_failure(struct harness *h, struct why *why)
{
	for (unsigned i = 0; i < h->workers; i++)
		if (h->common->outcome[i].err)
			return why_set(why, h->common->outcome[i].err, "%s",
				       h->common->outcome[i].why.text);
	return 0;
}

/* Until they did enough, or have ended; one that ends too early ends the wait. */
static void wait_for_work(struct harness *h, uint64_t passes, uint64_t ops, int64_t limit_ns)
{
	while (clock_now_ns() < limit_ns) {
		bool done = worked(h, passes, ops);
		unsigned left = reap(h);

		if (h->finishes ? left == 0 : done || left < h->workers)
			return;
		clock_wait_until(clock_now_ns() + POLL_NS);
	}
}

int harness_run(struct harness *h, uint64_t passes, uint64_t ops, struct why *why)
{
	int64_t begun_ns;
	int err;

	copy_settings(h);
	err = h->load->prepare ? h->load->prepare(&h->worker[0], why) : 0;
	if (err)
		return err;
	if (h->broken)
		unlinkat(h->worker[0].scratch_fd, h->broken, 0);
	fflush(NULL);
	begun_ns = clock_now_ns();
	for (unsigned i = 0; i < h->workers; i++) {
		h->pid[i] = fork();
		if (h->pid[i] == 0)
			work(h, i);
	}
	wait_for_work(h, passes, ops, clock_now_ns() + RUN_LIMIT_NS);
	stop_workers(h, clock_now_ns() + STOP_LIMIT_NS);
	h->ran_ns = clock_now_ns() - begun_ns;
	err = first_failure(h, why);
	if (!err && !worked(h, passes, ops))
		err = why_set(why, -ETIME, "not enough work");
	return err;
}

static uint64_t sum_of(const struct harness *h, size_t field)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < LOAD_LINES; i++)
		sum += *(const _Atomic uint64_t *)((const char *)&h->common->lines[i] + field);
	return sum;
}

uint64_t harness_ops(const struct harness *h)
{
	return sum_of(h, offsetof(struct load_line, ops));
}

uint64_t harness_bytes(const struct harness *h)
{
	return sum_of(h, offsetof(struct load_line, bytes));
}

uint64_t harness_passes(const struct harness *h)
{
	return sum_of(h, offsetof(struct load_line, passes));
}

uint64_t harness_errors(const struct harness *h)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < LOAD_LINES; i++)
		sum += h->common->lines[i].errors & 0xffffff;
	return sum;
}

double harness_figure(const struct harness *h, unsigned i)
{
	return h->common->result.figure[i];
}

const char *harness_scratch(const struct harness *h)
{
	return h->scratch;
}

static unsigned entries;	/* nftw() has no argument to carry it in */

static int count_one(const char *path, const struct stat *st, int kind, struct FTW *at)
{
	(void)path, (void)st, (void)kind, (void)at;
	entries++;
	return 0;
}

unsigned harness_left(const struct harness *h)
{
	entries = 0;
	nftw(h->scratch, count_one, 16, FTW_PHYS);
	return entries - 1;
}

int64_t harness_ran_ns(const struct harness *h)
{
	return h->ran_ns;
}
