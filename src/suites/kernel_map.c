/*
 * kernel_map.c - mapping a file, and the two faults: a page that is not there
 * and a page that must not be written to.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "src/clock.h"
#include "src/suites/kernel.h"
#include "src/suites/loop.h"

#define MAP_BYTES (UINT64_C(64) << 20)
#define WRITTEN_EACH 16384
#define BLOCK 65536		/* what one fault maps at most */
#define BLOCKS (MAP_BYTES / BLOCK)
#define FAULTS 32		/* timed at a time */
#define PIECE 65536

/* A file of 64 MiB in the page cache; its descriptor or -errno. */
static int map_file(struct kernel_run *r)
{
	static const char piece[PIECE];
	int fd = openat(r->w->scratch_fd, "map", O_RDWR | O_CREAT | O_TRUNC, 0600), err = 0;

	if (fd < 0)
		return -errno;
	for (uint64_t at = 0; at < MAP_BYTES && !err; at += PIECE)
		err = loop_write(fd, piece, PIECE);
	if (!err)
		return fd;
	close(fd);
	return err;
}

/* ---- map, write a little, unmap ---- */

static int map_once(void *ctx)
{
	int fd = *(const int *)ctx;
	char *map = mmap(NULL, MAP_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (map == MAP_FAILED)
		return -errno;
	for (uint64_t at = 0; at < MAP_BYTES / 10; at += WRITTEN_EACH)
		map[at] = 1;
	return munmap(map, MAP_BYTES) ? -errno : 0;
}

static int run_map(struct kernel_run *r)
{
	int fd = map_file(r), err;

	if (fd < 0)
		return kernel_failed(r, fd, "a file of 64 MiB");
	err = kernel_time_us(r, map_once, &fd, 1);
	close(fd);
	return err ? kernel_failed(r, err, "mmap") : 0;
}

/* ---- a page that must not be written to ---- */

static volatile sig_atomic_t faults_left;
static char *guarded;
static size_t page_bytes;

/* The write is tried again until there have been enough. */
static void on_fault(int signal)
{
	(void)signal;
	if (--faults_left <= 0)
		mprotect(guarded, page_bytes, PROT_READ | PROT_WRITE);
}

static int protected_writes(void *ctx)
{
	volatile char *page = ctx;

	faults_left = FAULTS;
	*page = 1;
	return 0;
}

static int time_protected(struct kernel_run *r, struct hist *h)
{
	int64_t end_ns = clock_now_ns() + r->length_ns;

	/* Once at least: on a busy machine the time may be over already. */
	do {
		if (mprotect(guarded, page_bytes, PROT_READ))
			return -errno;
		int64_t begun_ns = clock_now_ns();

		protected_writes(guarded);
		hist_record(h, clock_now_ns() - begun_ns);
	} while (kernel_going(r, end_ns));
	return 0;
}

static int run_protected(struct kernel_run *r)
{
	struct sigaction act = { .sa_handler = on_fault };
	double handler_ns = kernel_handler_ns(r);
	struct hist *h = hist_new(3);
	int err = h ? 0 : -ENOMEM;

	page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	guarded = mmap(NULL, page_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (guarded == MAP_FAILED || sigaction(SIGSEGV, &act, NULL))
		err = -errno;
	if (!err) {
		guarded[0] = 1;	/* there, so that only its protection is in the way */
		err = time_protected(r, h);
	}
	if (!err)
		kernel_times(r, h, FAULTS, handler_ns, NS_PER_US);
	signal(SIGSEGV, SIG_DFL);
	hist_free(h);
	return err ? kernel_failed(r, err, "protection fault") : 0;
}

/* ---- a page that is not there ---- */

static void shuffle(struct kernel_run *r, unsigned *order)
{
	struct load_rng rng;

	load_rng_seed(&rng, r->w->seed);
	for (unsigned i = 0; i < BLOCKS; i++)
		order[i] = i;
	for (unsigned i = BLOCKS - 1; i > 0; i--) {
		unsigned k = (unsigned)load_rng_below(&rng, i + 1), was = order[i];

		order[i] = order[k];
		order[k] = was;
	}
}

/* One page in each 64 KiB: its neighbours come along with it and are no faults. */
static int touch_all(int fd, const unsigned *order, struct hist *h)
{
	volatile char *map = mmap(NULL, MAP_BYTES, PROT_READ, MAP_SHARED, fd, 0);

	if (map == MAP_FAILED)
		return -errno;
	for (unsigned i = 0; i + FAULTS <= BLOCKS; i += FAULTS) {
		int64_t begun_ns = clock_now_ns();

		for (unsigned k = 0; k < FAULTS; k++)
			(void)map[(uint64_t)order[i + k] * BLOCK];
		hist_record(h, clock_now_ns() - begun_ns);
	}
	return munmap((void *)map, MAP_BYTES) ? -errno : 0;
}

static int run_touch(struct kernel_run *r)
{
	unsigned *order = calloc(BLOCKS, sizeof(*order));
	struct hist *h = hist_new(3);
	int fd = map_file(r), err = fd < 0 ? fd : order && h ? 0 : -ENOMEM;
	int64_t end_ns = clock_now_ns() + r->length_ns;

	if (!err)
		shuffle(r, order);
	while (!err) {
		err = touch_all(fd, order, h);
		if (!kernel_going(r, end_ns))
			break;
	}
	if (!err)
		kernel_times(r, h, FAULTS, 0, NS_PER_US);
	if (fd >= 0)
		close(fd);
	hist_free(h);
	free(order);
	return err ? kernel_failed(r, err, "page fault") : 0;
}

/* ---- read through a map ---- */

struct mapped { const unsigned long *map; };

static int sum_map(void *ctx)
{
	const struct mapped *m = ctx;
	volatile unsigned long total;
	unsigned long sum = 0;

	for (uint64_t i = 0; i < MAP_BYTES / sizeof(long); i++)
		sum += m->map[i];
	total = sum;
	(void)total;
	return 0;
}

/* Map and unmap belong to it, as they do for who reads a file this way. */
static int reread_map(void *ctx)
{
	struct mapped m;
	int fd = *(const int *)ctx;
	void *map = mmap(NULL, MAP_BYTES, PROT_READ, MAP_SHARED, fd, 0);

	if (map == MAP_FAILED)
		return -errno;
	m.map = map;
	sum_map(&m);
	return munmap(map, MAP_BYTES) ? -errno : 0;
}

static int run_reread_map(struct kernel_run *r)
{
	int fd = map_file(r), err;

	if (fd < 0)
		return kernel_failed(r, fd, "a file of 64 MiB");
	err = kernel_rates(r, reread_map, &fd, MAP_BYTES / 1e6, 1);
	close(fd);
	return err ? kernel_failed(r, err, "mmap reread") : 0;
}

const struct kernel kernels_map[] = {
	{ "file_vm", "Mmap Latency", "us", false, run_map, { 0 } },
	{ "file_vm", "Prot Fault", "us", false, run_protected, { 0 } },
	{ "file_vm", "Page Fault", "us", false, run_touch, { 0 } },
	{ "comm_bw", "Mmap reread", "MB/s", true, run_reread_map, { 0 } },
	{ NULL, NULL, NULL, false, NULL, { 0 } },
};
