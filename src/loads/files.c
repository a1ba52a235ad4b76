/* files.c - see files.h. */
#include "src/loads/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The value of a call that is repeated while signals interrupt it. */
#define RETRIED(call) \
	__extension__({ \
		__typeof__(call) r_; \
		do \
			r_ = (call); \
		while (r_ < 0 && errno == EINTR); \
		r_ < 0 ? -errno : r_; \
	})

static int real_open(void *self, int dir, const char *name, int flags)
{
	(void)self;
	return RETRIED(openat(dir, name, flags | O_CLOEXEC | O_NOFOLLOW, 0600));
}

static int real_close(void *self, int fd)
{
	(void)self;
	return close(fd) ? -errno : 0;
}

static off_t real_seek(void *self, int fd, off_t offset)
{
	(void)self;
	return RETRIED(lseek(fd, offset, SEEK_SET));
}

static ssize_t real_read(void *self, int fd, void *buf, size_t size)
{
	(void)self;
	return RETRIED(read(fd, buf, size));
}

static ssize_t real_write(void *self, int fd, const void *buf, size_t size)
{
	(void)self;
	return RETRIED(write(fd, buf, size));
}

static ssize_t real_read_at(void *self, int fd, void *buf, size_t size, off_t offset)
{
	(void)self;
	return RETRIED(pread(fd, buf, size, offset));
}

static ssize_t real_write_at(void *self, int fd, const void *buf, size_t size, off_t offset)
{
	(void)self;
	return RETRIED(pwrite(fd, buf, size, offset));
}

static int real_truncate(void *self, int fd, off_t size)
{
	(void)self;
	return RETRIED(ftruncate(fd, size));
}

static int real_stat(void *self, int dir, const char *name, struct stat *out)
{
	(void)self;
	return RETRIED(fstatat(dir, name, out, AT_SYMLINK_NOFOLLOW));
}

static int real_fstat(void *self, int fd, struct stat *out)
{
	(void)self;
	return RETRIED(fstat(fd, out));
}

static int real_unlink(void *self, int dir, const char *name)
{
	(void)self;
	return RETRIED(unlinkat(dir, name, 0));
}

static int real_rename(void *self, int dir, const char *from, const char *to)
{
	(void)self;
	return RETRIED(renameat(dir, from, dir, to));
}

static int real_mkdir(void *self, int dir, const char *name)
{
	(void)self;
	return RETRIED(mkdirat(dir, name, 0700));
}

static int real_rmdir(void *self, int dir, const char *name)
{
	(void)self;
	return RETRIED(unlinkat(dir, name, AT_REMOVEDIR));
}

static int real_flush(void *self, int fd)
{
	(void)self;
	return RETRIED(fsync(fd));
}

static int real_flush_data(void *self, int fd)
{
	(void)self;
	return RETRIED(fdatasync(fd));
}

static int real_set_times(void *self, int fd, const struct timespec times[2])
{
	(void)self;
	return RETRIED(futimens(fd, times));
}

static int real_statvfs(void *self, int fd)
{
	struct statfs s;

	(void)self;
	return RETRIED(fstatfs(fd, &s));
}

static int real_lock(void *self, int fd, off_t offset, off_t size, bool on)
{
	struct flock lock = { .l_type = on ? F_WRLCK : F_UNLCK, .l_whence = SEEK_SET,
			      .l_start = offset, .l_len = size };

	(void)self;
	return RETRIED(fcntl(fd, F_SETLKW, &lock));
}

static ssize_t real_entries(void *self, int fd, void *buf, size_t size)
{
	(void)self;
	return RETRIED(syscall(SYS_getdents64, fd, buf, size));
}

const struct files files_real = {
	.open = real_open,
	.close = real_close,
	.seek = real_seek,
	.read = real_read,
	.write = real_write,
	.read_at = real_read_at,
	.write_at = real_write_at,
	.truncate = real_truncate,
	.stat = real_stat,
	.fstat = real_fstat,
	.unlink = real_unlink,
	.rename = real_rename,
	.mkdir = real_mkdir,
	.rmdir = real_rmdir,
	.flush = real_flush,
	.flush_data = real_flush_data,
	.set_times = real_set_times,
	.statvfs = real_statvfs,
	.lock = real_lock,
	.entries = real_entries,
};

/* ---- walks ---- */

#define ENTRY_ROOM 8192
#define ATIME_BACK_S 10
#define MTIME_BACK_S 12

static bool is_dots(const char *name)
{
	return !strcmp(name, ".") || !strcmp(name, "..");
}

/* Shows what one entries() brought; false: enough. */
static bool show_entries(char *buf, size_t size, unsigned *most,
			 bool (*look)(void *, const struct files_entry *), void *context)
{
	for (size_t at = 0; at < size;) {
		const struct files_entry *entry = (const void *)(buf + at);

		at += entry->length;
		if (is_dots(entry->name))
			continue;
		if (!*most || !look(context, entry))
			return false;
		--*most;
	}
	return true;
}

int files_list(const struct files *f, int dir, const char *folder, unsigned most,
	       bool (*look)(void *context, const struct files_entry *entry), void *context)
{
	_Alignas(8) char buf[ENTRY_ROOM];
	int fd = f->open(f->self, dir, folder, O_RDONLY | O_DIRECTORY);
	ssize_t got;

	if (fd < 0)
		return fd;
	do
		got = f->entries(f->self, fd, buf, sizeof(buf));
	while (got > 0 && show_entries(buf, (size_t)got, &most, look, context));
	f->close(f->self, fd);
	return got < 0 ? (int)got : 0;
}

struct lookup {
	char *name;		/* replaced by the one that was found */
	bool found;
};

static bool compare_name(void *context, const struct files_entry *entry)
{
	struct lookup *l = context;

	if (strcasecmp(entry->name, l->name))
		return true;
	memcpy(l->name, entry->name, strlen(l->name));	/* equal but for case: as long */
	l->found = true;
	return false;
}

/* Splits the path for a moment: "a/b" is b in a, "b" is b in the folder ".". */
static int find_without_case(const struct files *f, int dir, char *path)
{
	char *slash = strrchr(path, '/');
	struct lookup l = { .name = slash ? slash + 1 : path };
	int err;

	if (slash)
		*slash = '\0';
	err = files_list(f, dir, slash ? path : ".", -1u, compare_name, &l);
	if (slash)
		*slash = '/';
	if (err)
		return err;
	return l.found ? 0 : -ENOENT;
}

int files_resolve(const struct files *f, int dir, char *path)
{
	struct stat st;
	int err = f->stat(f->self, dir, path, &st);

	return err == -ENOENT ? find_without_case(f, dir, path) : err;
}

struct removal {
	const struct files *f;
	int dir;
	const char *folder;
	unsigned removed;
	int err;
};

static int remove_any(const struct files *f, int dir, const char *path)
{
	int err = f->unlink(f->self, dir, path);

	if (err == -EISDIR || err == -EPERM)
		err = files_remove_tree(f, dir, path);
	return err == -ENOENT ? 0 : err;
}

static bool remove_entry(void *context, const struct files_entry *entry)
{
	struct removal *r = context;
	char path[FILES_PATH_MAX];

	if (snprintf(path, sizeof(path), "%s/%s", r->folder, entry->name) >= (int)sizeof(path))
		r->err = -ENAMETOOLONG;
	else
		r->err = remove_any(r->f, r->dir, path);
	r->removed++;
	return !r->err;
}

int files_remove_tree(const struct files *f, int dir, const char *folder)
{
	struct removal r = { .f = f, .dir = dir, .folder = folder };
	int err;

	/* Removing while reading may hide entries: read until none is left. */
	do {
		r.removed = 0;
		err = files_list(f, dir, folder, -1u, remove_entry, &r);
		if (!err)
			err = r.err;
	} while (!err && r.removed);
	if (!err)
		err = f->rmdir(f->self, dir, folder);
	return err == -ENOENT ? 0 : err;
}

int files_age(const struct files *f, int fd)
{
	struct timespec times[2];
	struct stat st;
	int err = f->fstat(f->self, fd, &st);

	if (err)
		return err;
	times[0] = (struct timespec){ .tv_sec = st.st_atim.tv_sec - ATIME_BACK_S };
	times[1] = (struct timespec){ .tv_sec = st.st_mtim.tv_sec - MTIME_BACK_S };
	return f->set_times(f->self, fd, times);
}

int files_write_all(const struct files *f, int fd, const void *buf, size_t size)
{
	const char *at = buf;

	while (size) {
		ssize_t done = f->write(f->self, fd, at, size);

		if (done < 0)
			return (int)done;
		at += done;
		size -= (size_t)done;
	}
	return 0;
}
