/* scratch.c - see scratch.h. */
#include "src/scratch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "src/fds.h"

#define MARKER_TEXT "loads write here; safe to delete\n"
#define DEPTH_MAX 100
#define NAME_TRIES 16
#define STAGING_NAME_MAX (SCRATCH_NAME_MAX + 5)
#define STAGING_PREFIX "." SCRATCH_PREFIX
#define STAGING_SUFFIX ".new"

int scratch_open_parent(const char *path, struct why *why)
{
	int fd;

	if (!path)
		path = getenv("TMPDIR");
	if (!path || !*path)
		path = "/var/tmp";
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return why_set(why, -errno, "scratch %s: %s; give another with --scratch",
			       path, strerror(errno));
	return fd;
}

void scratch_init(struct scratch *s, int parent_fd, uid_t uid, gid_t gid)
{
	*s = (struct scratch){ .parent_fd = parent_fd, .fd = -1, .uid = uid, .gid = gid };
}

/* A directory below `at`, no link on the way and not a mount point: the
 * latter would lead into something that is not ours. */
static int open_beneath(int at, const char *name)
{
	struct open_how how = {
		.flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC,
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_XDEV,
	};
	int fd = (int)syscall(SYS_openat2, at, name, &how, sizeof(how));
	struct stat here, below;

	if (fd >= 0 || (errno != ENOSYS && errno != EPERM))
		return fd;
	fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return fd;
	if (!fstat(at, &here) && !fstat(fd, &below) && here.st_dev == below.st_dev)
		return fd;
	close(fd);
	errno = EXDEV;
	return -1;
}

/* The first left-over is worth naming, all are worth counting. */
struct removal {
	unsigned left;
	int err;
	char name[256];
};

static void note_left(struct removal *r, const char *name, int err)
{
	if (r->left++)
		return;
	r->err = err;
	snprintf(r->name, sizeof(r->name), "%s", name);
}

static void remove_below(int fd, unsigned depth, struct removal *r);

static void remove_entry(int fd, const char *name, unsigned depth, struct removal *r)
{
	int below;

	if (!unlinkat(fd, name, 0) || errno == ENOENT)
		return;
	if (errno != EISDIR && errno != EPERM) {
		note_left(r, name, errno);
		return;
	}
	below = depth < DEPTH_MAX ? open_beneath(fd, name) : (errno = ELOOP, -1);
	if (below < 0) {
		note_left(r, name, errno);
		return;
	}
	remove_below(below, depth + 1, r);
	if (unlinkat(fd, name, AT_REMOVEDIR) && errno != ENOENT)
		note_left(r, name, errno);
}

/* Takes the descriptor over. */
static void remove_below(int fd, unsigned depth, struct removal *r)
{
	DIR *dir = fdopendir(fd);
	struct dirent *entry;

	if (!dir) {
		close(fd);
		return;
	}
	/* A worker may have taken its own rights away. */
	fchmod(dirfd(dir), 0700);
	while ((entry = readdir(dir)))
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
			remove_entry(dirfd(dir), entry->d_name, depth, r);
	closedir(dir);
}

static int removal_result(const struct removal *r, struct why *why)
{
	if (!r->left)
		return 0;
	return why_set(why, -r->err, "scratch: %s: %s; %u left behind, remove by hand", r->name,
		       strerror(r->err), r->left);
}

int scratch_remove_folder(struct scratch *s, const char *name, struct why *why)
{
	struct removal r = { 0 };

	if (s->fd >= 0)
		remove_entry(s->fd, name, 0, &r);
	return removal_result(&r, why);
}

static int random_name(char name[SCRATCH_NAME_MAX])
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz012345";
	unsigned char bytes[6];

	if (getrandom(bytes, sizeof(bytes), 0) != (ssize_t)sizeof(bytes))
		return -EIO;
	snprintf(name, SCRATCH_NAME_MAX, SCRATCH_PREFIX "%c%c%c%c%c%c", letters[bytes[0] & 31],
		 letters[bytes[1] & 31], letters[bytes[2] & 31], letters[bytes[3] & 31],
		 letters[bytes[4] & 31], letters[bytes[5] & 31]);
	return 0;
}

static int write_marker(int fd, uid_t uid, gid_t gid)
{
	int marker = openat(fd, SCRATCH_MARKER, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	int err = 0;

	if (marker < 0)
		return -errno;
	errno = 0;
	if (write(marker, MARKER_TEXT, strlen(MARKER_TEXT)) != (ssize_t)strlen(MARKER_TEXT))
		err = errno ? -errno : -ENOSPC;
	if (!err && geteuid() == 0 && fchown(marker, uid, gid))
		err = -errno;
	close(marker);
	return err;
}

/* While it is made it bears another name, which nobody else would give: what
 * is found under that after a crash is ours even without a marker. */
static void staging_name(const char *name, char out[STAGING_NAME_MAX])
{
	snprintf(out, STAGING_NAME_MAX, ".%s.new", name);
}

static int claim_directory(struct scratch *s, const char *staged)
{
	s->fd = open_beneath(s->parent_fd, staged);
	if (s->fd < 0)
		return -errno;
	if (flock(s->fd, LOCK_EX | LOCK_NB))
		return -errno;
	if (geteuid() == 0 && fchown(s->fd, s->uid, s->gid))
		return -errno;
	return write_marker(s->fd, s->uid, s->gid);
}

static int rename_new(int parent_fd, const char *from, const char *to)
{
	if (!renameat2(parent_fd, from, parent_fd, to, RENAME_NOREPLACE))
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return -errno;
	/* The file system cannot promise it; the name is a new one anyhow. */
	return renameat(parent_fd, from, parent_fd, to) ? -errno : 0;
}

static void undo_directory(struct scratch *s, const char *staged)
{
	if (s->fd >= 0) {
		unlinkat(s->fd, SCRATCH_MARKER, 0);
		close(s->fd);
		s->fd = -1;
	}
	unlinkat(s->parent_fd, staged, AT_REMOVEDIR);
}

static int make_directory(struct scratch *s)
{
	char staged[STAGING_NAME_MAX];
	int err = random_name(s->name);

	if (err)
		return err;
	staging_name(s->name, staged);
	if (mkdirat(s->parent_fd, staged, 0700))
		return -errno;
	err = claim_directory(s, staged);
	if (!err)
		err = rename_new(s->parent_fd, staged, s->name);
	if (err)
		undo_directory(s, staged);
	return err;
}

/* A name that is taken, and a sweep of another start that took the unlocked
 * directory for a left-over, are bad luck: try again. */
int scratch_make(struct scratch *s, struct why *why)
{
	int err = 0;

	if (s->fd >= 0)
		return 0;
	if (s->parent_fd < 0)
		return why_set(why, -ENOENT, "scratch: no directory; give one with --scratch");
	for (unsigned i = 0; i < NAME_TRIES; i++) {
		err = make_directory(s);
		if (err != -EEXIST && err != -ENOENT && err != -EWOULDBLOCK)
			break;
	}
	if (!err)
		return 0;
	return why_set(why, err, "scratch: mkdir: %s; give another directory with --scratch",
		       strerror(-err));
}

int scratch_folder(struct scratch *s, const char *name, struct why *why)
{
	int err = scratch_make(s, why), fd;

	if (err)
		return err;
	err = scratch_remove_folder(s, name, why);
	if (err)
		return err;
	if (mkdirat(s->fd, name, 0700))
		return why_set(why, -errno, "scratch: mkdir %s: %s", name, strerror(errno));
	fd = open_beneath(s->fd, name);
	if (fd < 0)
		return why_set(why, -errno, "scratch: %s: %s", name, strerror(errno));
	if (geteuid() == 0 && fchown(fd, s->uid, s->gid)) {
		err = why_set(why, -errno, "scratch: chown %s: %s", name, strerror(errno));
		close(fd);
		return err;
	}
	return fd;
}

/* rmdir goes by name; a stranger's directory that took the name meanwhile is
 * not ours to remove. */
static void remove_directory(int parent_fd, const char *name, const struct stat *ours,
			     struct removal *r)
{
	struct stat now;

	if (fstatat(parent_fd, name, &now, AT_SYMLINK_NOFOLLOW) || now.st_dev != ours->st_dev ||
	    now.st_ino != ours->st_ino)
		return;
	if (unlinkat(parent_fd, name, AT_REMOVEDIR) && errno != ENOENT)
		note_left(r, name, errno);
}

/* The marker goes last, so that a sweep can finish what is cut short here. */
static void empty_directory(int fd, struct removal *r)
{
	DIR *dir = fdopendir(dup(fd));
	struct dirent *entry;

	if (!dir)
		return;
	while ((entry = readdir(dir)))
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..") &&
		    strcmp(entry->d_name, SCRATCH_MARKER))
			remove_entry(fd, entry->d_name, 0, r);
	closedir(dir);
	if (!r->left)
		unlinkat(fd, SCRATCH_MARKER, 0);
}

int scratch_destroy(struct scratch *s, struct why *why)
{
	struct removal r = { 0 };
	struct stat ours;

	if (s->fd >= 0) {
		empty_directory(s->fd, &r);
		if (!r.left && !fstat(s->fd, &ours))
			remove_directory(s->parent_fd, s->name, &ours, &r);
		close(s->fd);
		s->fd = -1;
	}
	if (s->parent_fd >= 0)
		close(s->parent_fd);
	s->parent_fd = -1;
	return removal_result(&r, why);
}

static bool has_marker(int fd, uid_t uid)
{
	int marker = openat(fd, SCRATCH_MARKER, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	char text[sizeof(MARKER_TEXT)];
	struct stat st;
	bool ours;

	if (marker < 0)
		return false;
	ours = !fstat(marker, &st) && S_ISREG(st.st_mode) && st.st_uid == uid &&
	       read(marker, text, sizeof(text)) == (ssize_t)strlen(MARKER_TEXT) &&
	       !memcmp(text, MARKER_TEXT, strlen(MARKER_TEXT));
	close(marker);
	return ours;
}

static bool sweep_one(int parent_fd, const char *name, uid_t uid)
{
	struct removal r = { 0 };
	struct stat ours;
	int fd = open_beneath(parent_fd, name);
	bool dead;

	if (fd < 0)
		return false;
	dead = !fstat(fd, &ours) && ours.st_uid == uid && !flock(fd, LOCK_EX | LOCK_NB) &&
	       has_marker(fd, uid);
	if (dead) {
		empty_directory(fd, &r);
		if (!r.left)
			remove_directory(parent_fd, name, &ours, &r);
	}
	close(fd);
	return dead && !r.left;
}

/* Half made when its owner was killed: empty but for a marker. */
static bool sweep_staged(int parent_fd, const char *name, uid_t uid)
{
	int fd = open_beneath(parent_fd, name);
	struct stat ours;
	bool dead;

	if (fd < 0)
		return false;
	dead = !fstat(fd, &ours) && (ours.st_uid == uid || ours.st_uid == geteuid()) &&
	       !flock(fd, LOCK_EX | LOCK_NB);
	if (dead) {
		unlinkat(fd, SCRATCH_MARKER, 0);
		dead = !unlinkat(parent_fd, name, AT_REMOVEDIR);
	}
	close(fd);
	return dead;
}

static bool is_staged(const char *name)
{
	size_t length = strlen(name), suffix = strlen(STAGING_SUFFIX);

	return !strncmp(name, STAGING_PREFIX, strlen(STAGING_PREFIX)) && length > suffix &&
	       length < STAGING_NAME_MAX && !strcmp(name + length - suffix, STAGING_SUFFIX);
}

static bool is_ours_by_name(const char *name)
{
	return !strncmp(name, SCRATCH_PREFIX, strlen(SCRATCH_PREFIX)) &&
	       strlen(name) < SCRATCH_NAME_MAX;
}

unsigned scratch_sweep(int parent_fd, uid_t uid)
{
	int fd = openat(parent_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;
	unsigned gone = 0;

	if (!dir)
		return 0;
	while ((entry = readdir(dir)))
		if (is_staged(entry->d_name))
			gone += sweep_staged(parent_fd, entry->d_name, uid);
		else if (is_ours_by_name(entry->d_name))
			gone += sweep_one(parent_fd, entry->d_name, uid);
	closedir(dir);
	return gone;
}

void scratch_keep_only(const struct scratch *s, unsigned n)
{
	int keep[2 * SCRATCH_PLACES];
	unsigned kept = 0;

	for (unsigned i = 0; i < n && i < SCRATCH_PLACES; i++) {
		keep[kept++] = s[i].parent_fd;
		keep[kept++] = s[i].fd;
	}
	fds_keep(keep, kept);
}

bool scratch_in_memory(int fd)
{
	struct statfs fs;

	if (fstatfs(fd, &fs))
		return false;
	return fs.f_type == TMPFS_MAGIC || fs.f_type == RAMFS_MAGIC;
}
