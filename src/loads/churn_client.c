/* churn_client.c - see churn_client.h. */
#include "src/loads/churn_client.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/loads/failure.h"

#define NAME_ROOM 24
#define SEARCH_MOST 1366	/* entries a search reads */
#define LOCKED_BYTES 4096

struct churn_client {
	struct load_worker *w;
	const struct files *f;
	enum churn_mode mode;
	unsigned index;
	int dir, handle;		/* its folder; the file that is open, or -1 */
	int sub[CHURN_DIRS];		/* sync mode: the folders, to be flushed */
	char name[CHURN_ALL_NAMES][NAME_ROOM];
	struct churn_plan *plan;
	unsigned char out[CHURN_IO_MAX], in[CHURN_IO_MAX];
};

void churn_client_name(char *buf, size_t size, unsigned index)
{
	snprintf(buf, size, "c%03u", index);
}

/* Fillers of the seed mix come and go with folders of their own. */
static void name_file(char *buf, enum churn_mode mode, unsigned name)
{
	unsigned dir = churn_name_dir(name), filler = name - CHURN_NAMES;

	if (name < CHURN_NAMES)
		snprintf(buf, NAME_ROOM, "d%u/file%03u.dat", dir, name);
	else if (mode == CHURN_SEED)
		snprintf(buf, NAME_ROOM, "x%u/filler.%03u", dir, filler);
	else
		snprintf(buf, NAME_ROOM, "filler.%03u", filler);
}

static void name_folder(char *buf, char kind, unsigned number)
{
	snprintf(buf, NAME_ROOM, "%c%u", kind, number);
}

/* ---- the folder, before the first pass ---- */

static void fill_noise(unsigned char *buf, size_t size)
{
	struct load_rng rng;

	load_rng_seed(&rng, 1);		/* noise, so that no file system can squeeze it */
	load_rng_fill(&rng, buf, size);
}

static int make_file(const struct files *f, int dir, const char *name, const void *noise,
		     uint64_t size)
{
	int fd = f->open(f->self, dir, name, O_WRONLY | O_CREAT | O_TRUNC), err = 0;

	if (fd < 0)
		return fd;
	while (size && !err) {
		size_t part = size < CHURN_IO_MAX ? (size_t)size : CHURN_IO_MAX;

		err = files_write_all(f, fd, noise, part);
		size -= part;
	}
	f->close(f->self, fd);
	return err;
}

static int make_files(const struct files *f, int dir, enum churn_mode mode, unsigned fillers,
		      const void *noise)
{
	char name[NAME_ROOM];
	int err = 0;

	for (unsigned i = 0; i < CHURN_DIRS && !err; i++) {
		name_folder(name, 'd', i);
		err = f->mkdir(f->self, dir, name);
	}
	for (unsigned i = 0; i < CHURN_FIRST_FILES && !err; i++) {
		name_file(name, mode, churn_first_name(i));
		err = make_file(f, dir, name, noise, churn_first_size(i));
	}
	for (unsigned i = 0; mode != CHURN_SEED && i < fillers && !err; i++) {
		name_file(name, mode, CHURN_NAMES + i);
		err = make_file(f, dir, name, noise, CHURN_FILLER_WRITE * CHURN_FILLER_WRITES);
	}
	return err;
}

static int open_folder(const struct files *f, int scratch, unsigned index)
{
	char name[NAME_ROOM];

	churn_client_name(name, sizeof(name), index);
	return f->open(f->self, scratch, name, O_RDONLY | O_DIRECTORY);
}

int churn_client_make(const struct files *f, int scratch, unsigned index, enum churn_mode mode,
		      unsigned fillers, struct why *why)
{
	unsigned char *noise = malloc(CHURN_IO_MAX);
	char name[NAME_ROOM];
	int dir, err;

	if (!noise)
		return failure(why, -ENOMEM, "malloc");
	fill_noise(noise, CHURN_IO_MAX);
	churn_client_name(name, sizeof(name), index);
	err = f->mkdir(f->self, scratch, name);
	dir = err ? err : open_folder(f, scratch, index);
	if (dir >= 0) {
		err = make_files(f, dir, mode, fillers, noise);
		f->close(f->self, dir);
	} else {
		err = dir;
	}
	free(noise);
	return err ? failure(why, err, "making the files of a client") : 0;
}

/* ---- calls ---- */

/* Sync mode: a name that went or moved reaches the disk, as with dbench -S
 * (which does not flush the folder of a name that came). */
static int flush_folder(struct churn_client *c, unsigned name, int err)
{
	if (err < 0 || c->mode != CHURN_SYNC || name >= CHURN_NAMES)
		return err;
	return c->f->flush_data(c->f->self, c->sub[churn_name_dir(name)]);
}

/* The dbench 4 mix asks for a name without regard to case before it uses it. */
static int resolve(struct churn_client *c, const struct churn_call *call)
{
	int err;

	if (c->mode == CHURN_SEED)
		return 0;
	err = files_resolve(c->f, c->dir, c->name[call->name]);
	if (call->flags & (CHURN_ABSENT | CHURN_NEW))
		return err == -ENOENT ? 0 : err ? err : -EEXIST;
	return err;
}

static ssize_t play_open(struct churn_client *c, const struct churn_call *call)
{
	bool absent = call->flags & CHURN_ABSENT;
	int flags = O_RDWR, fd, err = resolve(c, call);

	if (err)
		return err;
	if (c->mode == CHURN_SEED)
		flags |= O_CREAT;
	if (call->flags & CHURN_NEW)
		flags |= O_CREAT | O_TRUNC;
	if (c->mode == CHURN_SYNC)
		flags |= O_SYNC;
	fd = c->f->open(c->f->self, c->dir, c->name[call->name], flags);
	if (absent)
		return fd == -ENOENT ? 0 : fd < 0 ? fd : -EEXIST;
	if (fd < 0)
		return fd;
	c->handle = fd;
	return 0;
}

static ssize_t play_close(struct churn_client *c, const struct churn_call *call)
{
	int fd = c->handle;

	(void)call;
	c->handle = -1;
	return c->f->close(c->f->self, fd);
}

static ssize_t seek(struct churn_client *c, const struct churn_call *call)
{
	off_t at = c->f->seek(c->f->self, c->handle, call->offset);

	return at < 0 ? (ssize_t)at : 0;
}

static ssize_t play_read(struct churn_client *c, const struct churn_call *call)
{
	ssize_t got;

	if (c->mode != CHURN_SEED)
		return c->f->read_at(c->f->self, c->handle, c->in, call->size, call->offset);
	got = seek(c, call);
	return got ? got : c->f->read(c->f->self, c->handle, c->in, call->size);
}

static ssize_t play_write(struct churn_client *c, const struct churn_call *call)
{
	ssize_t done;

	if (c->mode != CHURN_SEED)
		return c->f->write_at(c->f->self, c->handle, c->out, call->size, call->offset);
	done = seek(c, call);
	return done ? done : c->f->write(c->f->self, c->handle, c->out, call->size);
}

static ssize_t play_stat(struct churn_client *c, const struct churn_call *call)
{
	struct stat st;

	if (c->mode != CHURN_SEED)
		return resolve(c, call);
	return c->f->stat(c->f->self, c->dir, c->name[call->name], &st);
}

static ssize_t play_unlink(struct churn_client *c, const struct churn_call *call)
{
	int err = resolve(c, call);

	if (!err)
		err = c->f->unlink(c->f->self, c->dir, c->name[call->name]);
	return flush_folder(c, call->name, err);
}

static ssize_t play_rename(struct churn_client *c, const struct churn_call *call)
{
	int err = resolve(c, call);

	if (!err)
		err = c->f->rename(c->f->self, c->dir, c->name[call->name], c->name[call->name2]);
	return flush_folder(c, call->name2, err);
}

static ssize_t play_mkdir(struct churn_client *c, const struct churn_call *call)
{
	char name[NAME_ROOM];

	name_folder(name, 'x', call->name);
	return c->f->mkdir(c->f->self, c->dir, name);
}

static ssize_t play_rmdir(struct churn_client *c, const struct churn_call *call)
{
	char name[NAME_ROOM];

	name_folder(name, 'x', call->name);
	return c->f->rmdir(c->f->self, c->dir, name);
}

static ssize_t play_flush(struct churn_client *c, const struct churn_call *call)
{
	(void)call;
	return c->f->flush(c->f->self, c->handle);
}

static ssize_t play_fstat(struct churn_client *c, const struct churn_call *call)
{
	struct stat st;

	(void)call;
	return c->f->fstat(c->f->self, c->handle, &st);
}

static ssize_t play_times(struct churn_client *c, const struct churn_call *call)
{
	(void)call;
	return files_age(c->f, c->handle);
}

static bool count_entry(void *context, const struct files_entry *entry)
{
	(void)entry;
	++*(unsigned *)context;
	return true;
}

static ssize_t play_search(struct churn_client *c, const struct churn_call *call)
{
	char folder[NAME_ROOM];
	unsigned seen = 0;
	int err = resolve(c, call);

	if (err)
		return err;
	name_folder(folder, 'd', churn_name_dir(call->name));
	return files_list(c->f, c->dir, folder, SEARCH_MOST, count_entry, &seen);
}

static ssize_t play_statvfs(struct churn_client *c, const struct churn_call *call)
{
	(void)call;
	return c->f->statvfs(c->f->self, c->dir);
}

static ssize_t play_lock(struct churn_client *c, const struct churn_call *call)
{
	return c->f->lock(c->f->self, c->handle, 0, LOCKED_BYTES, call->op == CHURN_LOCK);
}

static ssize_t play_grow(struct churn_client *c, const struct churn_call *call)
{
	return c->f->truncate(c->f->self, c->handle, call->size);
}

static const struct {
	const char *name;
	ssize_t (*play)(struct churn_client *c, const struct churn_call *call);
} actions[CHURN_OPS] = {
	[CHURN_WRITE] = { "write", play_write },
	[CHURN_READ] = { "read", play_read },
	[CHURN_OPEN] = { "open", play_open },
	[CHURN_CLOSE] = { "close", play_close },
	[CHURN_STAT] = { "stat", play_stat },
	[CHURN_UNLINK] = { "unlink", play_unlink },
	[CHURN_RENAME] = { "rename", play_rename },
	[CHURN_MKDIR] = { "mkdir", play_mkdir },
	[CHURN_RMDIR] = { "rmdir", play_rmdir },
	[CHURN_FLUSH] = { "fsync", play_flush },
	[CHURN_FSTAT] = { "fstat", play_fstat },
	[CHURN_TIMES] = { "futimens", play_times },
	[CHURN_SEARCH] = { "getdents", play_search },
	[CHURN_STATVFS] = { "statfs", play_statvfs },
	[CHURN_LOCK] = { "lock", play_lock },
	[CHURN_UNLOCK] = { "unlock", play_lock },
	[CHURN_GROW] = { "ftruncate", play_grow },
};

/* ---- a pass ---- */

static ssize_t timed(struct churn_client *c, const struct churn_call *call)
{
	int64_t begun_ns = load_begin(c->w);
	ssize_t r = actions[call->op].play(c, call);

	load_end(c->w, begun_ns);
	return r;
}

/* Too little came back: the rest of a write meets the error, and no read of
 * a file whose size the plan knows may be short. */
static int finish(struct churn_client *c, const struct churn_call *call, uint32_t done,
		  struct why *why)
{
	struct churn_call rest = *call;

	if (call->op == CHURN_READ)
		return why_set(why, -EIO, "read: %u of %u bytes of %s; please report this", done,
			       call->size, c->name[call->name]);
	while (done < call->size) {
		rest.offset = call->offset + done;
		rest.size = call->size - done;

		ssize_t r = timed(c, &rest);

		if (r < 0)
			return failure(why, (int)r, "write");
		done += (uint32_t)r;
	}
	return 0;
}

static int play(struct churn_client *c, const struct churn_call *call, struct why *why)
{
	bool moves = call->op == CHURN_READ || call->op == CHURN_WRITE;
	ssize_t r;
	int err;

	while ((r = timed(c, call)) < 0) {
		if (!failure_passes((int)r) || load_throttle(c->w, (int)r))
			return failure(why, (int)r, actions[call->op].name);
		if (!load_going(c->w))
			return -EINTR;
	}
	load_success(c->w);
	if (moves && (uint32_t)r < call->size) {
		err = finish(c, call, (uint32_t)r, why);
		if (err)
			return err;
	}
	if (call->op != CHURN_GROW)
		load_add(c->w, 1, moves ? call->size : 0);
	return 0;
}

int churn_client_pass(struct churn_client *c, struct why *why)
{
	struct churn_call calls[CHURN_CALLS_MAX];

	while (load_going(c->w)) {
		unsigned n = churn_plan_next(c->plan, calls);
		int err = 0;

		if (!n) {
			load_pass(c->w);
			return 0;
		}
		for (unsigned i = 0; i < n && !err; i++)
			err = play(c, &calls[i], why);
		if (err)
			return err == -EINTR ? 0 : err;
		load_cpu(c->w);
	}
	return 0;
}

/* ---- the client ---- */

static int open_subfolders(struct churn_client *c)
{
	char name[NAME_ROOM];

	for (unsigned i = 0; c->mode == CHURN_SYNC && i < CHURN_DIRS; i++) {
		name_folder(name, 'd', i);
		c->sub[i] = c->f->open(c->f->self, c->dir, name, O_RDONLY | O_DIRECTORY);
		if (c->sub[i] < 0)
			return c->sub[i];
	}
	return 0;
}

static int set_up(struct churn_client *c)
{
	c->dir = open_folder(c->f, c->w->scratch_fd, c->index);
	return c->dir < 0 ? c->dir : open_subfolders(c);
}

struct churn_client *churn_client_open(struct load_worker *w, const struct files *f,
				       enum churn_mode mode, unsigned fillers, struct why *why)
{
	struct churn_client *c = calloc(1, sizeof(*c));
	int err;

	if (c)
		c->plan = churn_plan_new(mode, w->seed, fillers);
	if (!c || !c->plan) {
		free(c);
		failure(why, -ENOMEM, "malloc");
		return NULL;
	}
	c->w = w;
	c->f = f;
	c->mode = mode;
	c->index = w->index;
	c->dir = c->handle = -1;
	memset(c->sub, -1, sizeof(c->sub));
	for (unsigned i = 0; i < CHURN_ALL_NAMES; i++)
		name_file(c->name[i], mode, i);
	fill_noise(c->out, sizeof(c->out));
	err = set_up(c);
	if (!err)
		return c;
	failure(why, err, "opening the folder of a client");
	churn_client_close(c);
	return NULL;
}

static void close_if_open(struct churn_client *c, int fd)
{
	if (fd >= 0)
		c->f->close(c->f->self, fd);
}

void churn_client_close(struct churn_client *c)
{
	char name[NAME_ROOM];

	close_if_open(c, c->handle);
	for (unsigned i = 0; i < CHURN_DIRS; i++)
		close_if_open(c, c->sub[i]);
	close_if_open(c, c->dir);
	churn_client_name(name, sizeof(name), c->index);
	files_remove_tree(c->f, c->w->scratch_fd, name);
	churn_plan_free(c->plan);
	free(c);
}
