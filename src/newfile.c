/* newfile.c - see newfile.h. */
#include "src/newfile.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/text.h"

#define TRIES 16
#define MARK ".jitterscope-"	/* then 16 hexadecimal digits end a random name */
#define DIGITS 16

/* The directory of a file is not there: which one. */
static int no_directory(const char *path, const char *shown, struct why *why)
{
	const char *end = strrchr(path, '/');
	char directory[160] = "it";

	if (end && end > path)
		text_clean(directory, sizeof(directory), path, (size_t)(end - path), 120);
	return why_set(why, -ENOENT, "%s: no such directory; make %s first", shown, directory);
}

int newfile_failed(const char *path, int err, struct why *why)
{
	static const struct { int err; const char *what, *remedy; } known[] = {
		{ -ENOSPC, "the disk is full", "free some space or write elsewhere" },
		{ -EDQUOT, "the disk quota is used up", "free some space or write elsewhere" },
		{ -EFBIG, "larger than a file may be here", "raise ulimit -f or write elsewhere" },
		{ -EROFS, "the file system is read-only", "write elsewhere" },
		{ -EACCES, "not allowed to write there", "write elsewhere" },
		{ -EPERM, "not allowed to write there", "write elsewhere" },
		{ -EISDIR, "is a directory", "name a file" },
		{ -EEXIST, "exists already", "remove it or choose another name" },
		{ -ELOOP, "is a link now", "remove it or choose another name" },
		{ -EMFILE, "too many files are open", "raise ulimit -n" },
		{ -ENFILE, "too many files are open in the system", "raise fs.file-max" },
		{ -EPIPE, "the reader went away", "read all of it" },
	};
	char shown[160];

	text_clean(shown, sizeof(shown), path, strlen(path), 120);
	if (err == -ENOENT)
		return no_directory(path, shown, why);
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (err == known[i].err)
			return why_set(why, err, "%s: %s; %s", shown, known[i].what, known[i].remedy);
	return why_set(why, err, "%s: %s; nothing was written", shown, strerror(-err));
}

/* What is in /dev/shm are files. */
static bool is_of_system(const char *path)
{
	bool of_devices = !strncmp(path, "/dev/", 5) && strncmp(path, "/dev/shm/", 9);

	return (of_devices || !strncmp(path, "/proc/", 6)) && !strstr(path, "/../");
}

static bool is_device_or_pipe(const struct stat *st)
{
	return !S_ISREG(st->st_mode) && !S_ISDIR(st->st_mode);
}

/* One's own, or root's; root itself follows none: who owns a folder may plant
 * one that leads to any device. */
static bool may_follow(const struct stat *link)
{
	return geteuid() != 0 && (link->st_uid == geteuid() || link->st_uid == 0);
}

/* A device, a pipe, or something of /dev or /proc must never be renamed over.
 * *flags: how it is to be opened. */
static bool is_special(const char *path, int *flags)
{
	struct stat st;

	*flags = 0;
	if (is_of_system(path))
		return true;
	if (lstat(path, &st))
		return false;
	if (S_ISLNK(st.st_mode))
		return may_follow(&st) && stat(path, &st) == 0 && is_device_or_pipe(&st);
	*flags = O_NOFOLLOW;
	return is_device_or_pipe(&st);
}

/* Since it was looked at a file, or a link to one, may have taken its place. */
static bool was_exchanged(const char *path, int fd)
{
	struct stat st;

	return !is_of_system(path) && (fstat(fd, &st) || !is_device_or_pipe(&st));
}

static int open_direct(struct newfile *f, int flags)
{
	int fd = open(f->path, O_WRONLY | O_CLOEXEC | O_NOCTTY | flags);

	if (fd < 0)
		return errno == ENOENT ? -ENODEV : -errno;	/* no folder is missing */
	if (was_exchanged(f->path, fd)) {
		close(fd);
		return -EEXIST;
	}
	f->direct = true;
	f->out = fdopen(fd, "w");
	if (f->out)
		return 0;
	close(fd);
	return -ENOMEM;
}

/* Opens the directory and keeps the last part of the path. */
static int open_dir(struct newfile *f)
{
	char dir[sizeof(f->path)];
	char *slash;

	snprintf(dir, sizeof(dir), "%s", f->path);
	slash = strrchr(dir, '/');
	const char *base = slash ? slash + 1 : dir;

	if (!*base || !strcmp(base, ".") || !strcmp(base, ".."))
		return -EISDIR;
	if (strlen(base) >= sizeof(f->base))
		return -ENAMETOOLONG;
	memcpy(f->base, base, strlen(base) + 1);
	if (slash == dir)
		slash[1] = '\0';
	else if (slash)
		*slash = '\0';
	f->dir_fd = open(slash ? dir : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return f->dir_fd < 0 ? -errno : 0;
}

/* ---- random names -------------------------------------------------------- */

static bool is_random_name(const char *name)
{
	size_t n = strlen(name), tail = strlen(MARK) + DIGITS;

	return name[0] == '.' && n > tail && !strncmp(name + n - tail, MARK, strlen(MARK)) &&
	       strspn(name + n - DIGITS, "0123456789abcdef") == DIGITS;
}

/* Ours, or the user's for whom we ran under sudo. */
static bool is_own(const struct stat *st)
{
	const char *uid = getenv("SUDO_UID");
	long u;

	if (st->st_uid == geteuid())
		return true;
	return geteuid() == 0 && uid && !text_parse_int(uid, 0, INT32_MAX, &u, NULL) &&
	       st->st_uid == (uid_t)u;
}

/* Who holds the lock is alive; who gets it may remove the name. */
static void sweep_one(int dir_fd, const char *name)
{
	int fd = openat(dir_fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat st;

	if (fd < 0)
		return;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && is_own(&st) && !flock(fd, LOCK_EX | LOCK_NB))
		unlinkat(dir_fd, name, 0);
	close(fd);
}

static void sweep(int dir_fd)
{
	int fd = openat(dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);

	if (!dir) {
		if (fd >= 0)
			close(fd);
		return;
	}
	for (struct dirent *e; (e = readdir(dir));)
		if (is_random_name(e->d_name))
			sweep_one(dir_fd, e->d_name);
	closedir(dir);
}

void newfile_sweep(const char *dir)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return;
	sweep(fd);
	close(fd);
}

/* Between its making and its lock somebody may have swept it. */
static bool claim(int fd)
{
	struct stat st;

	if (flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
		return false;
	return !fstat(fd, &st) && st.st_nlink;
}

static int open_temp(struct newfile *f)
{
	for (int i = 0; i < TRIES; i++) {
		uint64_t r;

		if (getrandom(&r, sizeof(r), 0) != sizeof(r))
			return -EAGAIN;
		/* A dot in front, no known suffix behind: nobody picks it up half. */
		snprintf(f->temp, sizeof(f->temp), ".%.200s" MARK "%016llx", f->base,
			 (unsigned long long)r);
		int fd = openat(f->dir_fd, f->temp,
				O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

		if (fd < 0 && errno == EEXIST)
			continue;
		if (fd < 0)
			return -errno;
		if (!claim(fd)) {
			unlinkat(f->dir_fd, f->temp, 0);
			close(fd);
			continue;
		}
		f->out = fdopen(fd, "w");
		if (f->out)
			return 0;
		close(fd);
		unlinkat(f->dir_fd, f->temp, 0);
		return -ENOMEM;
	}
	return -EEXIST;
}

/* ---- one file ------------------------------------------------------------ */

int newfile_open(struct newfile *f, const char *path, struct why *why)
{
	struct stat st;
	int err, flags;

	*f = (struct newfile){ .dir_fd = -1 };
	if (strlen(path) >= sizeof(f->path))
		return newfile_failed(path, -ENAMETOOLONG, why);
	snprintf(f->path, sizeof(f->path), "%s", path);
	if (is_special(path, &flags)) {
		err = open_direct(f, flags);
		return err ? newfile_failed(path, err, why) : 0;
	}
	err = open_dir(f);
	if (!err && fstatat(f->dir_fd, f->base, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	    S_ISDIR(st.st_mode))
		err = -EISDIR;
	if (!err) {
		sweep(f->dir_fd);
		err = open_temp(f);
	}
	if (!err)
		return 0;
	if (f->dir_fd >= 0)
		close(f->dir_fd);
	return newfile_failed(path, err, why);
}

int newfile_give_away(int fd)
{
	const char *uid = getenv("SUDO_UID"), *gid = getenv("SUDO_GID");
	long u, g;

	if (geteuid() != 0 || !uid || !gid || text_parse_int(uid, 0, INT32_MAX, &u, NULL) ||
	    text_parse_int(gid, 0, INT32_MAX, &g, NULL))
		return 0;
	return fchown(fd, (uid_t)u, (gid_t)g) ? -errno : 0;
}

static int name_it(const struct newfile *f, bool replace)
{
	if (replace)
		return renameat(f->dir_fd, f->temp, f->dir_fd, f->base) ? -errno : 0;
	if (renameat2(f->dir_fd, f->temp, f->dir_fd, f->base, RENAME_NOREPLACE) == 0)
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return -errno;
	/* A file system without it: a second name refuses an existing one too. */
	if (linkat(f->dir_fd, f->temp, f->dir_fd, f->base, 0))
		return -errno;
	unlinkat(f->dir_fd, f->temp, 0);
	return 0;
}

/* umask() only tells it by changing it, for every thread. */
static mode_t current_umask(void)
{
	char text[1024] = "";
	int fd = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1);

	if (fd >= 0)
		close(fd);
	text[n > 0 ? n : 0] = '\0';
	const char *line = strstr(text, "\nUmask:");

	return line ? (mode_t)strtoul(line + strlen("\nUmask:"), NULL, 8) & 0777 : 077;
}

static mode_t shared_mode(const struct newfile *f)
{
	struct stat old;

	if (!fstatat(f->dir_fd, f->base, &old, AT_SYMLINK_NOFOLLOW) && S_ISREG(old.st_mode) &&
	    is_own(&old))
		return old.st_mode & 0777;
	return 0666 & ~current_umask();
}

/* Where modes are not changed (vfat, some network and user file systems) the file
 * has the one that all have there, and is no less written. */
static void share(int fd, mode_t mode)
{
	struct stat st;

	if (!fstat(fd, &st) && (st.st_mode & 0777) != mode)
		fchmod(fd, mode);
}

static int flush(struct newfile *f)
{
	int fd = fileno(f->out);

	errno = 0;
	if (fflush(f->out) || ferror(f->out))
		return errno ? -errno : -EIO;
	if (f->direct)
		return 0;
	if (f->shared)
		share(fd, shared_mode(f));
	if (fsync(fd))
		return -errno;
	return newfile_give_away(fd);
}

int newfile_commit(struct newfile *f, bool replace, struct why *why)
{
	int err = flush(f);
	/* The lock lives until the file has its name, though it is closed before. */
	int lock = f->direct ? -1 : fcntl(fileno(f->out), F_DUPFD_CLOEXEC, 0);

	if (lock < 0 && !f->direct && !err)
		err = -errno;
	if (fclose(f->out) && !err)
		err = -errno;
	f->out = NULL;
	if (f->direct)
		return err ? newfile_failed(f->path, err, why) : 0;
	if (!err)
		err = name_it(f, replace);
	if (err)
		unlinkat(f->dir_fd, f->temp, 0);
	else if (fsync(f->dir_fd) && errno != EINVAL)	/* some file systems have no such call */
		err = -errno;
	if (lock >= 0)
		close(lock);
	close(f->dir_fd);
	return err ? newfile_failed(f->path, err, why) : 0;
}

void newfile_abandon(struct newfile *f)
{
	if (!f->out)
		return;
	fclose(f->out);
	f->out = NULL;
	if (f->direct)
		return;
	unlinkat(f->dir_fd, f->temp, 0);
	close(f->dir_fd);
}
