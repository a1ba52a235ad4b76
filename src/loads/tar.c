/* tar.c - see tar.h. */
#include "src/loads/tar.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/loads/files.h"
#include "src/loads/tree.h"

#define BLOCK 512
#define RECORD (20 * BLOCK)

struct header {
	char name[100], mode[8], uid[8], gid[8], size[12], mtime[12], sum[8], type;
	char link[100], magic[6], version[2], user[32], group[32], major[8], minor[8];
	char prefix[155], pad[12];
};

_Static_assert(sizeof(struct header) == BLOCK, "a header is one block");

/* The sum is that of all bytes, with blanks where it stands itself. */
static unsigned header_sum(const struct header *h)
{
	const unsigned char *bytes = (const unsigned char *)h;
	unsigned sum = 0;

	for (size_t i = 0; i < sizeof(*h); i++)
		sum += i >= offsetof(struct header, sum) && i < offsetof(struct header, type)
			? ' ' : bytes[i];
	return sum;
}

/* ---- writing ---- */

struct writer {
	struct load_worker *w;
	struct tar_counts *counts;
	int tree, out;		/* the folder; the archive */
	size_t used;
	unsigned char record[RECORD];
};

static int flush_record(struct writer *t)
{
	int err = files_write_all(&files_real, t->out, t->record, sizeof(t->record));

	t->used = 0;
	return err;
}

/* Where the next bytes go, and how many of them fit. */
static size_t room(struct writer *t, unsigned char **at)
{
	*at = t->record + t->used;
	return sizeof(t->record) - t->used;
}

static int advance(struct writer *t, size_t bytes)
{
	t->used += bytes;
	return t->used == sizeof(t->record) ? flush_record(t) : 0;
}

/* Zeros up to the next multiple of `unit`. */
static int pad_to(struct writer *t, size_t unit)
{
	size_t over = t->used % unit;

	if (!over)
		return 0;
	memset(t->record + t->used, 0, unit - over);
	return advance(t, unit - over);
}

static int put_header(struct writer *t, const char *name, const struct stat *st)
{
	struct header h = { .type = S_ISDIR(st->st_mode) ? '5' : '0', .magic = "ustar",
			    .version = { '0', '0' } };
	unsigned char *at;

	snprintf(h.name, sizeof(h.name), "%s%s", name, S_ISDIR(st->st_mode) ? "/" : "");
	snprintf(h.mode, sizeof(h.mode), "%07o", (unsigned)st->st_mode & 07777);
	snprintf(h.uid, sizeof(h.uid), "%07o", (unsigned)st->st_uid & 07777777);
	snprintf(h.gid, sizeof(h.gid), "%07o", (unsigned)st->st_gid & 07777777);
	snprintf(h.size, sizeof(h.size), "%011llo",
		 S_ISDIR(st->st_mode) ? 0ULL : (unsigned long long)st->st_size);
	snprintf(h.mtime, sizeof(h.mtime), "%011llo", (unsigned long long)st->st_mtime);
	snprintf(h.sum, sizeof(h.sum), "%06o", header_sum(&h));
	h.sum[7] = ' ';
	room(t, &at);		/* blocks fill records exactly */
	memcpy(at, &h, sizeof(h));
	return advance(t, sizeof(h));
}

static int put_content(struct writer *t, int fd, uint64_t size)
{
	int err = 0;

	while (size && !err) {
		unsigned char *at;
		size_t fits = room(t, &at);
		ssize_t n = read(fd, at, size < fits ? (size_t)size : fits);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? -errno : -EIO;
		size -= (uint64_t)n;
		err = advance(t, (size_t)n);
	}
	return err ? err : pad_to(t, BLOCK);
}

static int put_open_file(struct writer *t, const char *name, int fd)
{
	struct stat st;
	int err;

	if (fstat(fd, &st))
		return -errno;
	err = put_header(t, name, &st);
	if (!err)
		err = put_content(t, fd, (uint64_t)st.st_size);
	if (err)
		return err;
	t->counts->files++;
	t->counts->bytes += (uint64_t)st.st_size;
	load_add(t->w, 1, (uint64_t)st.st_size);
	return 0;
}

static int put_file(struct writer *t, unsigned file)
{
	int64_t begun_ns = load_begin(t->w);
	char name[TREE_NAME_MAX];
	int fd, err;

	tree_file_name(name, file);
	fd = openat(t->tree, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	err = fd < 0 ? -errno : put_open_file(t, name, fd);
	if (fd >= 0)
		close(fd);
	load_end(t->w, begun_ns);
	load_cpu(t->w);
	return err;
}

static int put_folder(struct writer *t, unsigned dir)
{
	char name[TREE_NAME_MAX];
	struct stat st;

	tree_dir_name(name, dir);
	if (fstatat(t->tree, name, &st, AT_SYMLINK_NOFOLLOW))
		return -errno;
	return put_header(t, name, &st);
}

/* Two empty blocks end an archive; its last record is filled up. */
static int put_end(struct writer *t)
{
	static const unsigned char empty[BLOCK];
	int err = 0;

	for (unsigned i = 0; i < 2 && !err; i++) {
		unsigned char *at;

		room(t, &at);
		memcpy(at, empty, BLOCK);
		err = advance(t, BLOCK);
	}
	return err ? err : pad_to(t, RECORD);
}

/* Folder by folder, as somebody who walks a tree meets them. */
static int put_folder_and_files(struct writer *t, unsigned dir)
{
	int err = put_folder(t, dir);

	for (unsigned i = dir; i < TREE_FILES && !err && load_going(t->w); i += TREE_DIRS)
		err = put_file(t, i);
	return err;
}

static int put_tree(struct writer *t)
{
	int err = 0;

	for (unsigned i = 0; i < TREE_DIRS && !err && load_going(t->w); i++)
		err = put_folder_and_files(t, i);
	return err ? err : put_end(t);
}

int tar_create(struct load_worker *w, int dir, const char *tree, const char *archive,
	       struct tar_counts *counts)
{
	struct writer t = { .w = w, .counts = counts };
	int err;

	*counts = (struct tar_counts){ 0 };
	t.tree = openat(dir, tree, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (t.tree < 0)
		return -errno;
	t.out = openat(dir, archive, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	err = t.out < 0 ? -errno : put_tree(&t);
	if (t.out >= 0)
		close(t.out);
	close(t.tree);
	return err;
}

/* ---- reading ---- */

struct reader {
	struct load_worker *w;
	struct tar_counts *counts;
	int in, to;		/* the archive; the folder */
	size_t used, filled;
	unsigned char record[RECORD];
};

static int fill_record(struct reader *t)
{
	t->used = t->filled = 0;
	while (t->filled < sizeof(t->record)) {
		ssize_t n = read(t->in, t->record + t->filled, sizeof(t->record) - t->filled);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? -errno : -EBADMSG;	/* records are never cut short */
		t->filled += (size_t)n;
	}
	return 0;
}

/* The next bytes, at most `most`, within one record. */
static int take(struct reader *t, size_t most, unsigned char **at, size_t *got)
{
	int err = t->used == t->filled ? fill_record(t) : 0;

	if (err)
		return err;
	*at = t->record + t->used;
	*got = t->filled - t->used < most ? t->filled - t->used : most;
	t->used += *got;
	return 0;
}

static int skip_to_block(struct reader *t)
{
	t->used = (t->used + BLOCK - 1) / BLOCK * BLOCK;
	return 0;
}

static int take_content(struct reader *t, int fd, uint64_t size)
{
	int err = 0;

	while (size && !err) {
		unsigned char *at;
		size_t got;

		err = take(t, size < RECORD ? (size_t)size : RECORD, &at, &got);
		if (!err)
			err = files_write_all(&files_real, fd, at, got);
		size -= err ? 0 : got;
	}
	return err ? err : skip_to_block(t);
}

static int set_attributes(int fd, const struct header *h)
{
	struct timespec times[2] = { { .tv_nsec = UTIME_NOW },
				     { .tv_sec = strtoll(h->mtime, NULL, 8) } };

	if (fchmod(fd, (mode_t)strtoul(h->mode, NULL, 8) & 07777) || futimens(fd, times))
		return -errno;
	return 0;
}

static int take_file(struct reader *t, const struct header *h)
{
	uint64_t size = strtoull(h->size, NULL, 8);
	int64_t begun_ns = load_begin(t->w);
	int fd = openat(t->to, h->name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	int err = fd < 0 ? -errno : take_content(t, fd, size);

	if (!err)
		err = set_attributes(fd, h);
	if (fd >= 0)
		close(fd);
	load_end(t->w, begun_ns);
	load_cpu(t->w);
	if (err)
		return err;
	t->counts->files++;
	t->counts->bytes += size;
	load_add(t->w, 1, size);
	return 0;
}

/* Fields end within themselves, names stay below, the sum is right. */
static bool is_sound(const struct header *h)
{
	return !h->name[sizeof(h->name) - 1] && !h->size[sizeof(h->size) - 1] &&
	       !h->mtime[sizeof(h->mtime) - 1] && !h->mode[sizeof(h->mode) - 1] &&
	       h->name[0] && h->name[0] != '/' && !strstr(h->name, "..") &&
	       strtoul(h->sum, NULL, 8) == header_sum(h);
}

static int take_entry(struct reader *t, const struct header *h)
{
	if (!is_sound(h))
		return -EBADMSG;
	if (h->type == '5')
		return mkdirat(t->to, h->name, 0755) ? -errno : 0;
	return h->type == '0' ? take_file(t, h) : -EBADMSG;
}

static int take_tree(struct reader *t)
{
	struct header h;
	unsigned char *at;
	size_t got;
	int err = 0;

	while (!err && load_going(t->w)) {
		err = take(t, BLOCK, &at, &got);	/* blocks do not cross records */
		if (err || !at[0])
			break;
		memcpy(&h, at, sizeof(h));
		err = take_entry(t, &h);
	}
	return err;
}

static int open_both(struct reader *t, int dir, const char *archive, const char *to)
{
	t->in = openat(dir, archive, O_RDONLY | O_CLOEXEC);
	if (t->in < 0)
		return -errno;
	if (mkdirat(dir, to, 0755))
		return -errno;
	t->to = openat(dir, to, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return t->to < 0 ? -errno : 0;
}

int tar_extract(struct load_worker *w, int dir, const char *archive, const char *to,
		struct tar_counts *counts)
{
	struct reader t = { .w = w, .counts = counts, .in = -1, .to = -1 };
	int err;

	*counts = (struct tar_counts){ 0 };
	err = open_both(&t, dir, archive, to);
	if (!err)
		err = take_tree(&t);
	if (t.in >= 0)
		close(t.in);
	if (t.to >= 0)
		close(t.to);
	return err;
}
