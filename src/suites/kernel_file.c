/*
 * kernel_file.c - small files come and go, a file is read again, files are
 * written, read and copied block by block.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/clock.h"
#include "src/suites/kernel.h"
#include "src/suites/loop.h"

/* ---- create and delete ---- */

#define NAMES 100		/* of a folder */
#define CONTENT_MOST 10240

enum { CREATED, DELETED };

struct names {
	int folder;
	unsigned bytes;
	char content[CONTENT_MOST];
};

static void name_of(char buf[16], unsigned i)
{
	snprintf(buf, 16, "n%03u", i);
}

static int create(const struct names *n, unsigned i)
{
	char name[16];
	int fd, err = 0;

	name_of(name, i);
	fd = openat(n->folder, name, O_WRONLY | O_CREAT | O_EXCL, 0600);
	if (fd < 0)
		return -errno;
	if (n->bytes)
		err = loop_write(fd, n->content, n->bytes);
	return close(fd) && !err ? -errno : err;
}

static int delete(const struct names *n, unsigned i)
{
	char name[16];

	name_of(name, i);
	return unlinkat(n->folder, name, 0) ? -errno : 0;
}

static int each_name(const struct names *n, int (*one)(const struct names *n, unsigned i),
		     struct hist *h)
{
	int err = 0;

	for (unsigned i = 0; i < NAMES && !err; i++) {
		int64_t begun_ns = clock_now_ns();

		err = one(n, i);
		if (h && !err)
			hist_record(h, clock_now_ns() - begun_ns);
	}
	return err;
}

/* All names come, then all go; what is asked for is timed. */
static int time_names(struct kernel_run *r, const struct names *n, struct hist *h)
{
	bool created = r->arg[1] == CREATED;
	int64_t end_ns = clock_now_ns() + r->length_ns;
	int err = 0;

	do {
		err = each_name(n, create, created ? h : NULL);
		if (!err)
			err = each_name(n, delete, created ? NULL : h);
	} while (!err && kernel_going(r, end_ns));
	return err;
}

static int run_names(struct kernel_run *r)
{
	struct names *n = calloc(1, sizeof(*n));
	struct hist *h = hist_new(3);
	int err = n && h ? 0 : -ENOMEM;

	if (!err && mkdirat(r->w->scratch_fd, "names", 0700))
		err = -errno;
	if (!err) {
		n->folder = openat(r->w->scratch_fd, "names", O_RDONLY | O_DIRECTORY);
		n->bytes = (unsigned)r->arg[0];
		err = n->folder < 0 ? -errno : time_names(r, n, h);
	}
	if (!err)
		kernel_times(r, h, 1, 0, NS_PER_US);
	hist_free(h);
	free(n);
	return err ? kernel_failed(r, err, "small files") : 0;
}

/* ---- block by block ---- */

#define BLOCK_MOST 4096
#define REREAD_PIECE 65536
#define REREAD_BYTES (32 << 20)

struct blocks {
	int from, to;		/* -1: none */
	unsigned size, most, at;	/* of a block; blocks of a file; where we are */
	char *buf;
};

/* The next block of the files; at their end they begin anew. */
static int next_block(void *ctx)
{
	struct blocks *b = ctx;
	int err = 0;

	if (b->at == b->most) {
		b->at = 0;
		if ((b->from >= 0 && lseek(b->from, 0, SEEK_SET)) ||
		    (b->to >= 0 && lseek(b->to, 0, SEEK_SET)))
			return -errno;
	}
	if (b->from >= 0)
		err = loop_read(b->from, b->buf, b->size);
	if (!err && b->to >= 0)
		err = loop_write(b->to, b->buf, b->size);
	b->at++;
	return err;
}

static int open_file(struct kernel_run *r, const char *name)
{
	int fd = openat(r->w->scratch_fd, name, O_RDWR | O_CREAT | O_TRUNC, 0600);

	return fd < 0 ? -errno : fd;
}

/* A file of that many bytes, all written. */
static int filled_file(struct kernel_run *r, const char *name, const char *piece,
		       unsigned long piece_bytes, unsigned long bytes)
{
	int fd = open_file(r, name), err = 0;

	for (unsigned long at = 0; fd >= 0 && !err && at < bytes; at += piece_bytes)
		err = loop_write(fd, piece, piece_bytes);
	if (fd >= 0 && lseek(fd, 0, SEEK_SET))
		err = err ? err : -errno;
	if (err) {
		close(fd);
		return err;
	}
	return fd;
}

enum { READING = 1, WRITING = 2, COPYING = READING | WRITING };

static int run_blocks(struct kernel_run *r)
{
	char buf[BLOCK_MOST] = { 0 };
	struct blocks b = { .from = -1, .to = -1, .size = (unsigned)r->arg[0],
			    .most = (unsigned)r->arg[1], .buf = buf };
	int err = 0;

	if (r->arg[2] & READING)
		err = b.from = filled_file(r, "from", buf, b.size, (unsigned long)b.size * b.most);
	if (err >= 0 && r->arg[2] & WRITING)
		err = b.to = open_file(r, "to");
	if (err >= 0)
		err = kernel_rates(r, next_block, &b, b.size / 1024.0, 1);
	if (b.from >= 0)
		close(b.from);
	if (b.to >= 0)
		close(b.to);
	return err < 0 ? kernel_failed(r, err, "blocks of a file") : 0;
}

/* ---- once more ---- */

struct reread { int fd; char *piece; };

static unsigned long sum_of(const char *bytes, unsigned long n)
{
	const unsigned long *item = (const unsigned long *)bytes;
	unsigned long total = 0;

	for (unsigned long i = 0; i < n / sizeof(long); i++)
		total += item[i];
	return total;
}

static int reread(void *ctx)
{
	const struct reread *f = ctx;
	volatile unsigned long total = 0;	/* so that nothing is left out */
	int err = 0;

	for (unsigned long at = 0; at < REREAD_BYTES && !err; at += REREAD_PIECE) {
		if (pread(f->fd, f->piece, REREAD_PIECE, (off_t)at) != REREAD_PIECE)
			err = errno ? -errno : -EIO;
		total += sum_of(f->piece, REREAD_PIECE);
	}
	(void)total;
	return err;
}

static int run_reread(struct kernel_run *r)
{
	struct reread f = { .fd = -1, .piece = calloc(1, REREAD_PIECE) };
	int err = f.piece ? 0 : -ENOMEM;

	if (!err)
		err = f.fd = filled_file(r, "reread", f.piece, REREAD_PIECE, REREAD_BYTES);
	if (err >= 0)
		err = kernel_rates(r, reread, &f, REREAD_BYTES / 1e6, 1);
	if (f.fd >= 0)
		close(f.fd);
	free(f.piece);
	return err < 0 ? kernel_failed(r, err, "reread") : 0;
}

const struct kernel kernels_file[] = {
	{ "file_vm", "0K Create", "us", false, run_names, { 0, CREATED } },
	{ "file_vm", "0K Delete", "us", false, run_names, { 0, DELETED } },
	{ "file_vm", "10K Create", "us", false, run_names, { 10240, CREATED } },
	{ "file_vm", "10K Delete", "us", false, run_names, { 10240, DELETED } },
	{ "comm_bw", "File reread", "MB/s", true, run_reread, { 0 } },
	{ "throughput", "File Read 256", "KB/s", true, run_blocks, { 256, 500, READING } },
	{ "throughput", "File Write 256", "KB/s", true, run_blocks, { 256, 500, WRITING } },
	{ "throughput", "File Copy 256", "KB/s", true, run_blocks, { 256, 500, COPYING } },
	{ "throughput", "File Read 1024", "KB/s", true, run_blocks, { 1024, 2000, READING } },
	{ "throughput", "File Write 1024", "KB/s", true, run_blocks, { 1024, 2000, WRITING } },
	{ "throughput", "File Copy 1024", "KB/s", true, run_blocks, { 1024, 2000, COPYING } },
	{ "throughput", "File Read 4096", "KB/s", true, run_blocks, { 4096, 8000, READING } },
	{ "throughput", "File Write 4096", "KB/s", true, run_blocks, { 4096, 8000, WRITING } },
	{ "throughput", "File Copy 4096", "KB/s", true, run_blocks, { 4096, 8000, COPYING } },
	{ NULL, NULL, NULL, false, NULL, { 0 } },
};
