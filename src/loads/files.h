/*
 * files.h - the calls file loads make, as a table, and walks made of them.
 *
 * Loads call through it, so that a test can count, refuse or delay what they
 * do.  Every call returns 0 (or what it made or moved) or -errno, and
 * repeats after EINTR.  Names are relative to the folder `dir`.
 */
#ifndef JS_LOADS_FILES_H
#define JS_LOADS_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

struct files {
	void *self;		/* handed to every call */
	int (*open)(void *self, int dir, const char *name, int flags);
	int (*close)(void *self, int fd);
	off_t (*seek)(void *self, int fd, off_t offset);
	ssize_t (*read)(void *self, int fd, void *buf, size_t size);
	ssize_t (*write)(void *self, int fd, const void *buf, size_t size);
	ssize_t (*read_at)(void *self, int fd, void *buf, size_t size, off_t offset);
	ssize_t (*write_at)(void *self, int fd, const void *buf, size_t size, off_t offset);
	int (*truncate)(void *self, int fd, off_t size);
	int (*stat)(void *self, int dir, const char *name, struct stat *out);
	int (*fstat)(void *self, int fd, struct stat *out);
	int (*unlink)(void *self, int dir, const char *name);
	int (*rename)(void *self, int dir, const char *from, const char *to);
	int (*mkdir)(void *self, int dir, const char *name);
	int (*rmdir)(void *self, int dir, const char *name);
	int (*flush)(void *self, int fd);		/* fsync */
	int (*flush_data)(void *self, int fd);		/* fdatasync */
	int (*set_times)(void *self, int fd, const struct timespec times[2]);
	int (*statvfs)(void *self, int fd);
	int (*lock)(void *self, int fd, off_t offset, off_t size, bool on);	/* waits */
	/* Raw directory records (struct files_entry); 0: the end. */
	ssize_t (*entries)(void *self, int fd, void *buf, size_t size);
};

/* A record of entries(): as the kernel writes it. */
struct files_entry {
	uint64_t inode;
	int64_t offset;
	unsigned short length;	/* of the whole record */
	unsigned char type;
	char name[];
};

extern const struct files files_real;

#define FILES_PATH_MAX 1024

/* Calls look() for each entry of a folder but . and .., at most `most` of
 * them, until it returns false.  0 or -errno. */
int files_list(const struct files *f, int dir, const char *folder, unsigned most,
	       bool (*look)(void *context, const struct files_entry *entry), void *context);

/*
 * Is there such a name, for somebody who does not care about upper and lower
 * case?  Asks for it as it stands; if that fails, reads the whole folder and
 * compares.  A name found so replaces the last part of path.  0, -ENOENT (or
 * -ENOTDIR), or another -errno.
 */
int files_resolve(const struct files *f, int dir, char *path);

/* Removes a folder and all below it, never following a link.  Folders that
 * were removed meanwhile are no error.  0 or -errno. */
int files_remove_tree(const struct files *f, int dir, const char *folder);

/* Sets the access time 10 s and the change time 12 s back. */
int files_age(const struct files *f, int fd);

/* Writes all of buf; a short write goes on.  0 or -errno. */
int files_write_all(const struct files *f, int fd, const void *buf, size_t size);

#endif
