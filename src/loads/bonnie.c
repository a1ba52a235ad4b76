/*
 * bonnie.c - one large file through six phases, once.
 *
 * Written byte by byte, written and rewritten in chunks, read byte by byte and
 * in chunks, then sought at random by five processes.  The file should exceed
 * memory; while it does not the figures are those of the cache, and it says so.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/load.h"
#include "src/loads/failure.h"
#include "src/loads/files.h"
#include "src/loads/group.h"
#include "src/loads/machine.h"
#include "src/loads/phase.h"

enum { KNOB_SIZE };
enum { PUTC, WRITE, REWRITE, GETC, READ, SEEKS, PHASES };

#define CHUNK 8192
#define MIB (UINT64_C(1) << 20)
#define SEEKERS 5
#define SEEKS_ALL 8192
#define CHANGED_EACH 10		/* every tenth chunk sought is written back */
#define SHORT_S 0.5		/* a phase shorter than that has no figure */
#define LOOK_BYTES 65536	/* byte phases look at the stop and count this often */
#define FILE_NAME "bonnie"

struct bonnie_shared {
	_Atomic unsigned ticket;	/* seeks that were taken */
	_Atomic unsigned changed;
};

struct bonnie {
	struct load_worker *w;
	int fd;
	uint64_t bytes;
	struct phase phase[PHASES];
	unsigned char chunk[CHUNK];
};

static const char *const figure_names[] = {
	"size_mib", "putc_kps", "putc_cpu", "write_kps", "write_cpu", "rewrite_kps", "rewrite_cpu",
	"getc_kps", "getc_cpu", "read_kps", "read_cpu", "seeks_s", "seeks_cpu", "putc_s", "write_s",
	"rewrite_s", "getc_s", "read_s", "seek_s", "seeks", NULL
};

/* ---- phases: 0 or -errno; a stop ends each early ---- */

/* Every so many bytes: counts them; false: it is time to stop. */
static bool note_bytes(struct bonnie *b, uint64_t i, FILE *f)
{
	if ((i + 1) % LOOK_BYTES)
		return true;
	load_add(b->w, 1, LOOK_BYTES);
	load_cpu(b->w);
	return !ferror(f) && load_going(b->w);
}

/* The file as a stream of its own; NULL with errno. */
static FILE *open_stream(const struct bonnie *b, const char *mode)
{
	int fd = dup(b->fd);
	FILE *f = fd < 0 ? NULL : fdopen(fd, mode);

	if (!f && fd >= 0) {
		close(fd);
		errno = ENOMEM;		/* nothing else is wrong with it */
	}
	return f;
}

static int put_bytes(struct bonnie *b)
{
	FILE *f = open_stream(b, "w");
	int err;

	if (!f)
		return -errno;
	for (uint64_t i = 0; i < b->bytes; i++) {
		putc((int)(i & 0x7f), f);
		if (!note_bytes(b, i, f))
			break;
	}
	err = fflush(f) || fsync(b->fd) ? -errno : 0;
	fclose(f);
	return err;
}

/* Adds up what it reads, so that no byte can be left out. */
static int get_bytes(struct bonnie *b)
{
	FILE *f = open_stream(b, "r");
	uint64_t sum = 0;
	int err;

	if (!f)
		return -errno;
	errno = 0;
	for (uint64_t i = 0; i < b->bytes; i++) {
		sum += (uint64_t)getc(f);
		if (!note_bytes(b, i, f))
			break;
	}
	err = ferror(f) && errno ? -errno
	      : ferror(f) || feof(f) || sum > 255 * b->bytes ? -EIO : 0;
	fclose(f);
	return err;
}

static int read_chunk(struct bonnie *b)
{
	ssize_t n;

	do
		n = read(b->fd, b->chunk, CHUNK);
	while (n < 0 && errno == EINTR);
	return n == CHUNK ? 0 : n < 0 ? -errno : -EIO;
}

static int write_chunk(struct bonnie *b)
{
	return files_write_all(&files_real, b->fd, b->chunk, CHUNK);
}

/* Reads a chunk, changes a byte, goes back and writes it. */
static int rewrite_chunk(struct bonnie *b)
{
	int err = read_chunk(b);

	if (err)
		return err;
	b->chunk[0] ^= 1;
	if (lseek(b->fd, -CHUNK, SEEK_CUR) < 0)
		return -errno;
	return write_chunk(b);
}

static int each_chunk(struct bonnie *b, int (*one)(struct bonnie *b), unsigned moved)
{
	for (uint64_t at = 0; at < b->bytes && load_going(b->w); at += CHUNK) {
		int64_t begun_ns = load_begin(b->w);
		int err = one(b);

		load_end(b->w, begun_ns);
		if (err)
			return err;
		load_add(b->w, 1, moved);
		load_cpu(b->w);
	}
	return 0;
}

static int write_phase(struct bonnie *b)
{
	int err = ftruncate(b->fd, 0) ? -errno : each_chunk(b, write_chunk, CHUNK);

	return !err && fsync(b->fd) ? -errno : err;
}

static int rewrite_phase(struct bonnie *b)
{
	int err = each_chunk(b, rewrite_chunk, 2 * CHUNK);

	return !err && fsync(b->fd) ? -errno : err;
}

static int read_phase(struct bonnie *b)
{
	return each_chunk(b, read_chunk, CHUNK);
}

/* ---- seeks ---- */

static int seek_once(struct bonnie *b, int fd, struct load_rng *rng, bool change)
{
	off_t at = (off_t)(load_rng_below(rng, b->bytes / CHUNK) * CHUNK);
	ssize_t n;

	if (lseek(fd, at, SEEK_SET) < 0)
		return errno;
	n = read(fd, b->chunk, CHUNK);
	if (n != CHUNK)
		return n < 0 ? errno : EIO;
	if (!change)
		return 0;
	b->chunk[0] ^= 1;
	if (lseek(fd, at, SEEK_SET) < 0 || write(fd, b->chunk, CHUNK) != CHUNK)
		return errno ? errno : EIO;
	return 0;
}

/* Takes tickets until all are gone; its exit status is an errno. */
static int seek_for_tickets(struct bonnie *b, unsigned seeker)
{
	struct bonnie_shared *shared = b->w->shared;
	int fd = openat(b->w->scratch_fd, FILE_NAME, O_RDWR | O_CLOEXEC), err = 0;
	struct load_rng rng;
	unsigned ticket;

	if (fd < 0)
		return errno;
	b->w->line = &b->w->lines[1 + seeker];
	load_rng_seed(&rng, load_mix(b->w->seed, seeker, 1));
	while (!err && load_going(b->w)) {
		ticket = atomic_fetch_add(&shared->ticket, 1);
		if (ticket >= SEEKS_ALL)
			break;
		err = seek_once(b, fd, &rng, ticket % CHANGED_EACH == 0);
		if (ticket % CHANGED_EACH == 0)
			atomic_fetch_add(&shared->changed, 1);
		load_add(b->w, 1, CHUNK);
	}
	return err;
}

static int reap_seekers(const struct group *g)
{
	int err = 0, status;

	for (unsigned i = 0; i < g->count; i++) {
		while (waitpid(g->pid[i], &status, 0) < 0 && errno == EINTR)
			;
		if (!WIFEXITED(status))
			err = -ECHILD;
		else if (WEXITSTATUS(status))
			err = -WEXITSTATUS(status);
	}
	return err;
}

static int seek_phase(struct bonnie *b)
{
	struct group g = { 0 };
	int err = 0;

	for (unsigned i = 0; i < SEEKERS && !err; i++) {
		pid_t pid = group_fork(&g, b->w, NULL);

		if (pid == 0)
			_exit(seek_for_tickets(b, i));
		err = pid < 0 ? (int)pid : 0;
	}
	return err ? err : reap_seekers(&g);
}

/* ---- all of them ---- */

static const struct {
	const char *name;
	int (*play)(struct bonnie *b);
} phases[PHASES] = {
	[PUTC] = { "writing bytes", put_bytes },
	[WRITE] = { "writing", write_phase },
	[REWRITE] = { "rewriting", rewrite_phase },
	[GETC] = { "reading bytes", get_bytes },
	[READ] = { "reading", read_phase },
	[SEEKS] = { "seeking", seek_phase },
};

static double rate_of(const struct bonnie *b, unsigned i)
{
	double s = phase_seconds(&b->phase[i]);

	if (s <= 0)
		return 0;
	return i == SEEKS ? SEEKS_ALL / s : (double)b->bytes / 1024 / s;
}

/* A row like those of 1990: K/sec and %CPU of five phases, then seeks. */
static void write_row(const struct bonnie *b, char *row, size_t size)
{
	size_t at = (size_t)snprintf(row, size, "%-8.8s %4llu", "",
				     (unsigned long long)(b->bytes / MIB));

	for (unsigned i = 0; i < PHASES && at < size; i++) {
		double rate = rate_of(b, i);

		if (phase_seconds(&b->phase[i]) < SHORT_S)
			at += (size_t)snprintf(row + at, size - at, " +++++  +++");
		else
			at += (size_t)snprintf(row + at, size - at,
					       i == SEEKS ? " %5.1f %4.1f" : " %5.0f %4.1f",
					       i == SEEKS ? rate : (double)(uint64_t)rate,
					       phase_cpu_pct(&b->phase[i]));
	}
	if (b->bytes < machine_memory("MemTotal:") && at < size)
		snprintf(row + at, size - at, " cached");
}

static void publish(const struct bonnie *b)
{
	const struct bonnie_shared *shared = b->w->shared;
	double figure[2 + 3 * PHASES];
	char row[256];

	figure[0] = (double)(b->bytes / MIB);
	for (unsigned i = 0; i < PHASES; i++) {
		figure[1 + 2 * i] = rate_of(b, i);
		figure[2 + 2 * i] = phase_cpu_pct(&b->phase[i]);
		figure[1 + 2 * PHASES + i] = phase_seconds(&b->phase[i]);
	}
	figure[1 + 3 * PHASES] = atomic_load(&shared->ticket) < SEEKS_ALL
		? atomic_load(&shared->ticket) : SEEKS_ALL;
	write_row(b, row, sizeof(row));
	load_publish(b->w, figure, 2 + 3 * PHASES, row);
}

static int play_all(struct bonnie *b, struct why *why)
{
	for (unsigned i = 0; i < PHASES && load_going(b->w); i++) {
		int err;

		if (lseek(b->fd, 0, SEEK_SET))
			return failure(why, -errno, "lseek");
		phase_begin(&b->phase[i]);
		err = phases[i].play(b);
		phase_end(&b->phase[i]);
		if (!load_going(b->w))
			return 0;
		if (err)
			return failure(why, err, phases[i].name);
		publish(b);	/* what is whole counts, even if the rest never comes */
	}
	load_pass(b->w);
	return 0;
}

static int bonnie_prepare(struct load_worker *w, struct why *why)
{
	return failure_budget(why, (uint64_t)w->knob[KNOB_SIZE] * MIB, w->disk_budget_bytes,
			      "a smaller size");
}

static int bonnie_run(struct load_worker *w, struct why *why)
{
	struct bonnie *b = calloc(1, sizeof(*b));
	int err;

	if (!b)
		return failure(why, -ENOMEM, "malloc");
	b->w = w;
	b->bytes = (uint64_t)w->knob[KNOB_SIZE] * MIB;
	b->fd = openat(w->scratch_fd, FILE_NAME, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (b->fd < 0) {
		err = failure(why, -errno, "open");
		free(b);
		return err;
	}
	err = play_all(b, why);
	close(b->fd);
	unlinkat(w->scratch_fd, FILE_NAME, 0);
	free(b);
	return err;
}

static uint64_t bonnie_disk(unsigned workers, const long *knob)
{
	return workers * (uint64_t)knob[KNOB_SIZE] * MIB;
}

const struct load load_bonnie = {
	.name = "bonnie",
	.key = 'I',
	.summary = "one large file: bytes, chunks, rewriting, seeks",
	.unit = "MB",
	.rate_unit = "MB/s",
	.pass_name = "six phases",
	.figure = LOAD_BYTES,
	.flags = LOAD_SCRATCH | LOAD_FINITE,
	.version = 1,
	.default_plus = 1,
	.max_workers = 1,
	.knobs = {
		[KNOB_SIZE] = { .name = "size", .help = "MiB; four times the memory is advised",
				.least = 16, .value = 256, .most = 16384 },
	},
	.figure_names = figure_names,
	.shared_bytes = sizeof(struct bonnie_shared),
	.disk_bytes = bonnie_disk,
	.tasks_per_worker = 1 + SEEKERS,
	.fds_per_worker = 4,
	.prepare = bonnie_prepare,
	.run = bonnie_run,
};
