/* churn_steps.c - the operations of load files of format 2 to 5. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "src/loads/churn_player.h"

#define WAIT_SLICE_NS (20 * NS_PER_MS)	/* how soon a player that waits sees the stop */
#define POINT_SLICE_NS NS_PER_MS

static bool has_wildcard(const char *name)
{
	return strpbrk(name, "*?<>\"") != NULL;
}

/* The folder of a name, in buf. */
static const char *parent(const char *name, char buf[FILES_PATH_MAX])
{
	char *slash;

	snprintf(buf, FILES_PATH_MAX, "%s", name);
	slash = strrchr(buf, '/');
	if (!slash)
		return ".";
	*slash = '\0';
	return buf;
}

/* ---- handles ---- */

static struct handle *find_handle(struct player *p, uint64_t number)
{
	for (unsigned i = 0; i < p->handles; i++)
		if (p->handle[i].number == number)
			return &p->handle[i];
	return NULL;
}

int player_fd(struct player *p, uint64_t number)
{
	struct handle *h = find_handle(p, number);

	return h ? h->fd : -EBADF;
}

static int drop_handle(struct player *p, uint64_t number)
{
	struct handle *h = find_handle(p, number);
	int fd;

	if (!h)
		return -EBADF;
	fd = h->fd;
	*h = p->handle[--p->handles];
	return p->f->close(p->f->self, fd);
}

int player_keep(struct player *p, uint64_t number, int fd)
{
	drop_handle(p, number);		/* a number that is used again is the newer file */
	if (p->handles == PLAY_HANDLES) {
		p->f->close(p->f->self, fd);
		return -EMFILE;
	}
	p->handle[p->handles++] = (struct handle){ .number = number, .fd = fd };
	return 0;
}

void player_drop_all(struct player *p)
{
	while (p->handles)
		drop_handle(p, p->handle[0].number);
}

/* ---- file operations ---- */

int player_flush_parent(struct player *p, const char *name, int err)
{
	char buf[FILES_PATH_MAX];
	int fd;

	if (err || p->mode != CHURN_SYNC)
		return err;
	fd = p->f->open(p->f->self, p->dir, parent(name, buf), O_RDONLY | O_DIRECTORY);
	if (fd < 0)
		return fd;
	err = p->f->flush_data(p->f->self, fd);
	p->f->close(p->f->self, fd);
	return err;
}

int player_open_flags(const struct player *p, uint64_t disposition)
{
	int flags = O_RDWR;

	if (disposition == 2 || disposition == 4 || disposition == 5)
		flags |= O_CREAT;
	if (disposition == 4 || disposition == 5)
		flags |= O_TRUNC;
	return p->mode == CHURN_SYNC ? flags | O_SYNC : flags;
}

static int open_folder(struct player *p, struct order *o, int absent, int flags)
{
	int err = 0;

	if (absent && flags & O_CREAT)
		err = player_flush_parent(p, o->name, p->f->mkdir(p->f->self, p->dir, o->name));
	return err ? err : p->f->open(p->f->self, p->dir, o->name, O_RDONLY | O_DIRECTORY);
}

static ssize_t step_open(struct player *p, struct order *o)
{
	int absent = files_resolve(p->f, p->dir, o->name), flags = player_open_flags(p, o->number[1]);
	int fd;

	if (o->number[0] & 1) {
		fd = open_folder(p, o, absent, flags);
	} else {
		fd = p->f->open(p->f->self, p->dir, o->name, flags);
		if (fd == -EISDIR)
			fd = p->f->open(p->f->self, p->dir, o->name, O_RDONLY);
	}
	return fd < 0 ? fd : player_keep(p, o->number[2], fd);
}

static ssize_t step_close(struct player *p, struct order *o)
{
	return drop_handle(p, o->number[0]);
}

static ssize_t step_flush(struct player *p, struct order *o)
{
	int fd = player_fd(p, o->number[0]);

	if (fd < 0 || p->mode == CHURN_SEED)
		return fd < 0 ? fd : 0;
	return p->f->flush(p->f->self, fd);
}

size_t player_io_size(const struct player *p, uint64_t size)
{
	return size < p->room ? (size_t)size : p->room;
}

static ssize_t step_read(struct player *p, struct order *o)
{
	int fd = player_fd(p, o->number[0]);

	if (fd < 0)
		return fd;
	return p->f->read_at(p->f->self, fd, p->in, player_io_size(p, o->number[2]),
			     (off_t)o->number[1]);
}

static ssize_t step_write(struct player *p, struct order *o)
{
	int fd = player_fd(p, o->number[0]);

	if (fd < 0)
		return fd;
	return p->f->write_at(p->f->self, fd, p->out, player_io_size(p, o->number[2]),
			      (off_t)o->number[1]);
}

static ssize_t step_unlink(struct player *p, struct order *o)
{
	files_resolve(p->f, p->dir, o->name);
	return player_flush_parent(p, o->name, p->f->unlink(p->f->self, p->dir, o->name));
}

static ssize_t step_mkdir(struct player *p, struct order *o)
{
	int err;

	files_resolve(p->f, p->dir, o->name);
	err = p->f->mkdir(p->f->self, p->dir, o->name);
	/* Files loop, and what an earlier pass has made still stands. */
	return err == -EEXIST ? 0 : player_flush_parent(p, o->name, err);
}

static ssize_t step_rmdir(struct player *p, struct order *o)
{
	files_resolve(p->f, p->dir, o->name);
	return player_flush_parent(p, o->name, p->f->rmdir(p->f->self, p->dir, o->name));
}

static ssize_t step_deltree(struct player *p, struct order *o)
{
	if (files_resolve(p->f, p->dir, o->name) || !strcmp(o->name, "."))
		return 0;
	return player_flush_parent(p, o->name, files_remove_tree(p->f, p->dir, o->name));
}

static ssize_t step_rename(struct player *p, struct order *o)
{
	files_resolve(p->f, p->dir, o->name);
	return player_flush_parent(p, o->name2,
				   p->f->rename(p->f->self, p->dir, o->name, o->name2));
}

static ssize_t step_query_path(struct player *p, struct order *o)
{
	return files_resolve(p->f, p->dir, o->name);
}

static ssize_t step_query_file(struct player *p, struct order *o)
{
	int fd = player_fd(p, o->number[0]);
	struct stat st;

	return fd < 0 ? fd : p->f->fstat(p->f->self, fd, &st);
}

static ssize_t step_query_fs(struct player *p, struct order *o)
{
	(void)o;
	return p->f->statvfs(p->f->self, p->dir);
}

static ssize_t step_set_file(struct player *p, struct order *o)
{
	int fd = player_fd(p, o->number[0]);

	return fd < 0 ? fd : files_age(p->f, fd);
}

/* One character of a DOS pattern: ? and > stand for any, " for a dot. */
static bool matches_one(char pattern, char c)
{
	if (pattern == '?' || pattern == '>')
		return true;
	return tolower((unsigned char)(pattern == '"' ? '.' : pattern)) == tolower((unsigned char)c);
}

/* * and < stand for any number of characters. */
static bool matches(const char *pattern, const char *name)
{
	const char *again = NULL, *from = NULL;

	while (*name) {
		if (*pattern == '*' || *pattern == '<') {
			again = ++pattern;
			from = name;
		} else if (*pattern && matches_one(*pattern, *name)) {
			pattern++;
			name++;
		} else if (again) {
			pattern = again;
			name = ++from;
		} else {
			return false;
		}
	}
	return pattern[strspn(pattern, "*<>?\"")] == '\0';
}

struct search {
	const char *pattern;
	bool found;
};

static bool look_at(void *context, const struct files_entry *entry)
{
	struct search *s = context;

	s->found = s->found || matches(s->pattern, entry->name);
	return true;		/* the client is sent all of them */
}

static ssize_t step_find(struct player *p, struct order *o)
{
	unsigned most = o->number[1] < UINT32_MAX ? (unsigned)o->number[1] : UINT32_MAX;
	char buf[FILES_PATH_MAX], *slash = strrchr(o->name, '/');
	struct search s = { .pattern = slash ? slash + 1 : o->name };
	int err = files_resolve(p->f, p->dir, o->name);

	if (!has_wildcard(o->name))
		return err;
	/* Every folder holds . and .., which "*" finds too. */
	s.found = matches(s.pattern, ".");
	err = files_list(p->f, p->dir, parent(o->name, buf), most, look_at, &s);
	return err ? err : s.found ? 0 : -ENOENT;
}

static ssize_t step_lock(struct player *p, struct order *o)
{
	int fd = player_fd(p, o->number[0]);

	return fd < 0 ? fd : p->f->lock(p->f->self, fd, (off_t)o->number[1], (off_t)o->number[2],
					o->step->op == STEP_LOCK);
}

/* ---- steps that do no file call ---- */

/* Until due_ns, in slices; false: told to stop. */
bool player_wait(struct player *p, int64_t due_ns)
{
	int64_t now_ns;

	while (load_going(p->w) && (now_ns = clock_now_ns()) < due_ns)
		clock_wait_until(due_ns - now_ns < WAIT_SLICE_NS ? due_ns : now_ns + WAIT_SLICE_NS);
	return load_going(p->w);
}

static ssize_t step_sleep(struct player *p, struct order *o)
{
	uint64_t us = o->number[0] < INT64_MAX / 4000 ? o->number[0] : INT64_MAX / 4000;

	player_wait(p, clock_now_ns() + (int64_t)us * NS_PER_US);
	return 0;
}

static ssize_t step_set_point(struct player *p, struct order *o)
{
	atomic_store(&p->shared->point[p->w->index], o->number[0]);
	return 0;
}

/* Later points count too: a client that runs ahead must not be missed. */
static ssize_t step_wait_point(struct player *p, struct order *o)
{
	if (o->number[0] >= p->w->workers)
		return -EINVAL;
	while (load_going(p->w) && atomic_load(&p->shared->point[o->number[0]]) < o->number[1])
		clock_wait_until(clock_now_ns() + POINT_SLICE_NS);
	return 0;
}

static ssize_t step_pattern(struct player *p, struct order *o)
{
	const char *text = p->file->names + o->step->name;
	size_t n = strlen(text);

	for (size_t at = 0; n && at < p->room; at += n)
		memcpy(p->out + at, text, n < p->room - at ? n : p->room - at);
	return 0;
}

/* "a[xyz]b": one of x, y, z.  It is a part of a name, so no separator comes out. */
static ssize_t step_string(struct player *p, struct order *o)
{
	const char *in = p->file->names + o->step->name;
	char *out = p->string[o->number[0] % LOADFILE_STRINGS];
	size_t at = 0;

	while (*in && at < STRING_ROOM - 1) {
		size_t set = *in == '[' ? strcspn(in + 1, "]") : 0;
		char c = set ? in[1 + load_rng_below(&p->rng, set)] : *in;

		out[at++] = strchr("/\\", c) ? '_' : c;
		in += set ? set + 1 : 1;
		in += set && *in == ']';
	}
	out[at] = '\0';
	return 0;
}

step_action *const step_actions[STEPS] = {
	[STEP_OPEN] = step_open,
	[STEP_CLOSE] = step_close,
	[STEP_FLUSH] = step_flush,
	[STEP_READ] = step_read,
	[STEP_WRITE] = step_write,
	[STEP_UNLINK] = step_unlink,
	[STEP_MKDIR] = step_mkdir,
	[STEP_RMDIR] = step_rmdir,
	[STEP_DELTREE] = step_deltree,
	[STEP_RENAME] = step_rename,
	[STEP_QUERY_PATH] = step_query_path,
	[STEP_QUERY_FILE] = step_query_file,
	[STEP_QUERY_FS] = step_query_fs,
	[STEP_SET_FILE] = step_set_file,
	[STEP_FIND] = step_find,
	[STEP_LOCK] = step_lock,
	[STEP_UNLOCK] = step_lock,
	[STEP_SLEEP] = step_sleep,
	[STEP_SET_POINT] = step_set_point,
	[STEP_WAIT_POINT] = step_wait_point,
	[STEP_PATTERN] = step_pattern,
	[STEP_STRING] = step_string,
	[STEP_OLD_OPEN] = step_old_open,
	[STEP_OLD_CREATE] = step_old_create,
	[STEP_OLD_RENAME] = step_old_rename,
	[STEP_OLD_UNLINK] = step_old_unlink,
	[STEP_OLD_STAT] = step_old_stat,
	[STEP_OLD_MKDIR] = step_old_mkdir,
	[STEP_OLD_RMDIR] = step_old_rmdir,
	[STEP_OLD_READ] = step_old_read,
	[STEP_OLD_WRITE] = step_old_write,
};
