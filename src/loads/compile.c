/*
 * compile.c - a fixed amount of work that resembles compiling: contest's
 * foreground job, whose time is what is measured.
 *
 * N slots take units from one queue.  A unit is a process that looks up names,
 * reads sources, computes in 16 MB of memory and leaves an object behind.
 * After the last one all objects are read and one file of 8 MB is written.
 * The work is the same each time, in units and in bytes.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/load.h"
#include "src/loads/failure.h"
#include "src/loads/files.h"
#include "src/loads/meet.h"
#include "src/loads/phase.h"
#include "src/loads/tree.h"

enum { KNOB_UNITS, KNOB_CACHERUN };

#define TREE_BYTES UINT64_C(20000000)
#define UNITS_MOST 2000
#define LOOKUPS 80		/* half of them in vain */
#define SOURCES 40
#define WORK_BYTES (UINT64_C(16) << 20)
#define SORT_ITEMS 4096
#define SORTS 240		/* with the rest about 100 ms on a machine of 2020 */
#define OBJECT_BYTES 40960
#define OBJECT_PIECE 4096
#define RESULT_BYTES (UINT64_C(8) << 20)
#define TREE "tree.000"
#define RESULT "result"

struct compile_shared {
	struct meet start, units_done, end;
	_Atomic unsigned next;		/* unit in the queue */
	_Atomic uint64_t cpu_ns;	/* of all slots and units */
	_Atomic uint64_t bytes;		/* of all units */
};

static const char *const figure_names[] = { "time_s", "cpu_pct", "units", "bytes", "sorts", NULL };

/* ---- a unit: in a process of its own; exit status 0 or errno ---- */

static void object_name(char buf[TREE_NAME_MAX], unsigned unit)
{
	snprintf(buf, TREE_NAME_MAX, "object.%04u", unit);
}

static void look_up(int dir, struct load_rng *rng)
{
	char name[TREE_NAME_MAX + 16], file[TREE_NAME_MAX];
	struct stat st;

	for (unsigned i = 0; i < LOOKUPS; i++) {
		tree_file_name(file, (unsigned)load_rng_below(rng, TREE_FILES));
		snprintf(name, sizeof(name), TREE "/%s%s", file, i % 2 ? ".absent" : "");
		if (fstatat(dir, name, &st, 0) && !(i % 2))
			_exit(errno);
	}
}

static uint64_t hash_bytes(uint64_t h, const unsigned char *buf, size_t n)
{
	for (size_t i = 0; i < n; i++)
		h = (h ^ buf[i]) * UINT64_C(0x100000001b3);
	return h;
}

static uint64_t read_source(int dir, unsigned file, uint64_t *bytes)
{
	char name[TREE_NAME_MAX + 16], part[TREE_NAME_MAX];
	unsigned char buf[16384];
	uint64_t h = 0xcbf29ce484222325;
	ssize_t n;
	int fd;

	tree_file_name(part, file);
	snprintf(name, sizeof(name), TREE "/%s", part);
	fd = openat(dir, name, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		_exit(errno);
	while ((n = read(fd, buf, sizeof(buf))) > 0) {
		h = hash_bytes(h, buf, (size_t)n);
		*bytes += (uint64_t)n;
	}
	close(fd);
	return h;
}

static uint64_t read_sources(int dir, struct load_rng *rng, uint64_t *bytes)
{
	uint64_t h = 0;

	for (unsigned i = 0; i < SOURCES; i++)
		h ^= read_source(dir, (unsigned)load_rng_below(rng, TREE_FILES), bytes);
	return h;
}

static int compare(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

/* Touches all of the memory once, then sorts pieces of it a fixed number of times. */
static uint64_t compute(struct load_rng *rng)
{
	unsigned char *map = mmap(NULL, WORK_BYTES, PROT_READ | PROT_WRITE,
				  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint64_t h = 0;

	if (map == MAP_FAILED)
		_exit(errno);
	for (uint64_t at = 0; at < WORK_BYTES; at += 4096)
		map[at] = 1;
	for (unsigned i = 0; i < SORTS; i++) {
		uint64_t pieces = WORK_BYTES / (SORT_ITEMS * sizeof(uint32_t));
		uint32_t *piece = (uint32_t *)map + load_rng_below(rng, pieces) * SORT_ITEMS;

		load_rng_fill(rng, piece, SORT_ITEMS * sizeof(*piece));
		qsort(piece, SORT_ITEMS, sizeof(*piece), compare);
		h += piece[SORT_ITEMS / 2];
	}
	munmap(map, WORK_BYTES);
	return h;
}

/* Under a name of its own until it is whole. */
static int write_object(int dir, unsigned unit, uint64_t content)
{
	unsigned char piece[OBJECT_PIECE];
	char name[TREE_NAME_MAX], temporary[TREE_NAME_MAX];
	int fd, err = 0;

	object_name(name, unit);
	snprintf(temporary, sizeof(temporary), "temporary.%04u", unit);
	memset(piece, (int)(content & 0xff), sizeof(piece));
	fd = openat(dir, temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0)
		return errno;
	for (unsigned at = 0; at < OBJECT_BYTES && !err; at += OBJECT_PIECE)
		err = -files_write_all(&files_real, fd, piece, sizeof(piece));
	close(fd);
	if (!err && renameat(dir, temporary, dir, name))
		err = errno;
	return err;
}

/* What a unit does depends on its number alone, whichever slot takes it. */
static int compile_unit(struct load_worker *w, unsigned unit)
{
	struct compile_shared *shared = w->shared;
	uint64_t bytes = OBJECT_BYTES, content;
	struct load_rng rng;

	load_rng_seed(&rng, load_mix(unit, 1, 0));
	look_up(w->scratch_fd, &rng);
	content = read_sources(w->scratch_fd, &rng, &bytes);
	content += compute(&rng);
	atomic_fetch_add(&shared->bytes, bytes);
	return write_object(w->scratch_fd, unit, content);
}

/* ---- a slot ---- */

static int await_unit(pid_t pid, struct why *why)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return failure(why, -errno, "wait");
	if (WIFSIGNALED(status))
		return why_set(why, -ECHILD, "a unit was killed by signal %d", WTERMSIG(status));
	return WEXITSTATUS(status) ? failure(why, -WEXITSTATUS(status), "a unit") : 0;
}

static int run_unit(struct load_worker *w, unsigned unit, struct why *why)
{
	int64_t begun_ns = load_begin(w);
	int err = 0;
	pid_t pid;

	while ((pid = load_child(w)) < 0 && !err)
		err = load_throttle(w, errno);
	if (err)
		return failure(why, err, "fork");
	if (pid == 0)
		_exit(compile_unit(w, unit));
	err = await_unit(pid, why);
	load_end(w, begun_ns);
	if (err)
		return err;
	load_success(w);
	load_add(w, 1, 0);
	load_cpu(w);
	return 0;
}

static int run_units(struct load_worker *w, struct why *why)
{
	struct compile_shared *shared = w->shared;
	unsigned unit;
	int err = 0;

	while (!err && load_going(w)) {
		unit = atomic_fetch_add(&shared->next, 1);
		if (unit >= (unsigned)w->knob[KNOB_UNITS])
			break;
		err = run_unit(w, unit, why);
	}
	return err;
}

/* ---- what one slot does after all units ---- */

static int read_objects(struct load_worker *w, uint64_t *bytes)
{
	static unsigned char buf[OBJECT_BYTES];
	char name[TREE_NAME_MAX];

	for (unsigned i = 0; i < (unsigned)w->knob[KNOB_UNITS] && load_going(w); i++) {
		ssize_t n;
		int fd;

		object_name(name, i);
		fd = openat(w->scratch_fd, name, O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			return -errno;
		n = read(fd, buf, sizeof(buf));
		close(fd);
		if (n != OBJECT_BYTES)
			return n < 0 ? -errno : -EIO;
		*bytes += OBJECT_BYTES;
	}
	return 0;
}

static int write_result(struct load_worker *w, uint64_t *bytes)
{
	static const unsigned char piece[65536];
	int fd = openat(w->scratch_fd, RESULT, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	int err = 0;

	if (fd < 0)
		return -errno;
	for (uint64_t at = 0; at < RESULT_BYTES && !err; at += sizeof(piece))
		err = files_write_all(&files_real, fd, piece, sizeof(piece));
	close(fd);
	*bytes += RESULT_BYTES;
	return err;
}

static int link_up(struct load_worker *w, struct why *why)
{
	uint64_t bytes = 0;
	int err = read_objects(w, &bytes);

	if (!err)
		err = write_result(w, &bytes);
	if (err)
		return failure(why, err, "linking");
	atomic_fetch_add(&((struct compile_shared *)w->shared)->bytes, bytes);
	return 0;
}

static void publish(struct load_worker *w, const struct phase *job)
{
	struct compile_shared *shared = w->shared;
	double s = phase_seconds(job), cpu = (double)atomic_load(&shared->cpu_ns) / 1e9;
	double figure[5] = { s, s > 0 ? 100 * cpu / s : 0, (double)w->knob[KNOB_UNITS],
			     (double)atomic_load(&shared->bytes), SORTS };
	char text[100];

	snprintf(text, sizeof(text), "time %.1f s, CPU %.1f %%", figure[0], figure[1]);
	load_publish(w, figure, 5, text);
	load_add(w, 0, atomic_load(&shared->bytes));
	load_pass(w);
}

static void remove_products(struct load_worker *w)
{
	char name[TREE_NAME_MAX];

	for (unsigned i = 0; i < (unsigned)w->knob[KNOB_UNITS]; i++) {
		object_name(name, i);
		unlinkat(w->scratch_fd, name, 0);
		snprintf(name, sizeof(name), "temporary.%04u", i);
		unlinkat(w->scratch_fd, name, 0);
	}
	unlinkat(w->scratch_fd, RESULT, 0);
	files_remove_tree(&files_real, w->scratch_fd, TREE);
}

/* ---- the job ---- */

/* The first slot links, while the others wait for it: the job ends for all
 * at the same time. */
static int run_job(struct load_worker *w, struct why *why)
{
	struct compile_shared *shared = w->shared;
	struct phase job, own;
	int err;

	if (!meet_all(&shared->start, w))
		return 0;
	phase_begin(&job);
	phase_begin(&own);
	err = run_units(w, why);
	if (err || !meet_all(&shared->units_done, w))
		return err;
	if (w->index == 0)
		err = link_up(w, why);
	phase_end(&own);
	atomic_fetch_add(&shared->cpu_ns, (uint64_t)own.cpu_ns);
	if (err || !meet_all(&shared->end, w) || w->index)
		return err;
	phase_end(&job);
	publish(w, &job);
	return 0;
}

static int compile_run(struct load_worker *w, struct why *why)
{
	int err = run_job(w, why);

	/* Told to stop, it leaves at once; the folder is deleted behind it. */
	if (w->index == 0 && load_going(w))
		remove_products(w);
	return err;
}

static uint64_t compile_disk(unsigned workers, const long *knob)
{
	(void)workers;
	return TREE_BYTES / 20 * 22 + (uint64_t)knob[KNOB_UNITS] * OBJECT_BYTES + RESULT_BYTES;
}

static int compile_prepare(struct load_worker *w, struct why *why)
{
	int err = failure_budget(why, compile_disk(w->workers, w->knob), w->disk_budget_bytes,
				 "fewer units");
	struct tree tree;

	if (err)
		return err;
	tree_plan(&tree, TREE_BYTES, 1);	/* the same sources whatever the seed */
	err = tree_make(&tree, w, w->scratch_fd, TREE);
	if (!err && syncfs(w->scratch_fd))
		err = -errno;
	if (err)
		return failure(why, err, "making the tree");
	if (!w->knob[KNOB_CACHERUN])
		tree_drop_cache(w->scratch_fd, TREE);
	return 0;
}

static uint64_t compile_memory(unsigned workers, const long *knob, uint64_t available)
{
	(void)knob, (void)available;
	return workers * WORK_BYTES;
}

const struct load load_compile = {
	.name = "compile",
	.key = 'K',
	.summary = "a fixed job that resembles compiling; its time is the figure",
	.unit = "units",
	.rate_unit = "units/s",
	.pass_name = "whole jobs",
	.figure = LOAD_OPS,
	.flags = LOAD_SCRATCH | LOAD_FOREGROUND | LOAD_FINITE,
	.version = 1,
	.default_per_cpu = 1,
	.max_workers = 128,
	.knobs = {
		[KNOB_UNITS] = { .name = "units", .help = "sources to compile", .least = 2,
				 .value = 200, .most = UNITS_MOST },
		[KNOB_CACHERUN] = { .name = "cacherun", .help = "1: the sources stay cached",
				    .least = 0, .value = 0, .most = 1 },
	},
	.figure_names = figure_names,
	.shared_bytes = sizeof(struct compile_shared),
	.disk_bytes = compile_disk,
	.memory_bytes = compile_memory,
	.tasks_per_worker = 2,
	.fds_per_worker = 4,
	.prepare = compile_prepare,
	.run = compile_run,
};
