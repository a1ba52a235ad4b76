/* churn_old_steps.c - the operations of load files of format 1. */
#include <errno.h>
#include <fcntl.h>

#include "src/loads/churn_player.h"

static int grow_by_writing(struct player *p, int fd, uint64_t from, uint64_t size)
{
	int err = 0;

	if (size > p->w->disk_budget_bytes / p->w->workers)
		return -EFBIG;
	if (p->f->seek(p->f->self, fd, (off_t)from) < 0)
		return -EINVAL;
	while (from < size && !err) {
		size_t part = player_io_size(p, size - from);

		err = files_write_all(p->f, fd, p->out, part);
		from += part;
	}
	return err;
}

static int set_length(struct player *p, int fd, uint64_t size)
{
	struct stat st;
	int err = p->f->fstat(p->f->self, fd, &st);

	if (err || (uint64_t)st.st_size == size)
		return err;
	if ((uint64_t)st.st_size > size)
		return p->f->truncate(p->f->self, fd, (off_t)size);
	return grow_by_writing(p, fd, (uint64_t)st.st_size, size);
}

static int open_old(struct player *p, struct order *o)
{
	int flags = player_open_flags(p, o->number[1] ? 2 : 5), fd, err;

	fd = p->f->open(p->f->self, p->dir, o->name, flags);
	if (fd < 0)
		return fd;
	err = set_length(p, fd, o->number[1]);
	if (!err)
		return fd;
	p->f->close(p->f->self, fd);
	return err;
}

ssize_t step_old_open(struct player *p, struct order *o)
{
	int fd = open_old(p, o);

	return fd < 0 ? fd : player_keep(p, o->number[0], fd);
}

ssize_t step_old_create(struct player *p, struct order *o)
{
	int fd = open_old(p, o);

	return fd < 0 ? fd : p->f->close(p->f->self, fd);
}

ssize_t step_old_rename(struct player *p, struct order *o)
{
	return player_flush_parent(p, o->name2,
			    p->f->rename(p->f->self, p->dir, o->name, o->name2));
}

ssize_t step_old_unlink(struct player *p, struct order *o)
{
	return player_flush_parent(p, o->name, p->f->unlink(p->f->self, p->dir, o->name));
}

ssize_t step_old_stat(struct player *p, struct order *o)
{
	struct stat st;

	return p->f->stat(p->f->self, p->dir, o->name, &st);
}

ssize_t step_old_mkdir(struct player *p, struct order *o)
{
	return player_flush_parent(p, o->name, p->f->mkdir(p->f->self, p->dir, o->name));
}

ssize_t step_old_rmdir(struct player *p, struct order *o)
{
	return player_flush_parent(p, o->name, p->f->rmdir(p->f->self, p->dir, o->name));
}

static int seek_to(struct player *p, const struct order *o)
{
	int fd = player_fd(p, o->number[0]);
	off_t at = fd < 0 ? fd : p->f->seek(p->f->self, fd, (off_t)o->number[2]);

	return at < 0 ? (int)at : fd;
}

ssize_t step_old_read(struct player *p, struct order *o)
{
	int fd = seek_to(p, o);

	return fd < 0 ? fd : p->f->read(p->f->self, fd, p->in, player_io_size(p, o->number[1]));
}

ssize_t step_old_write(struct player *p, struct order *o)
{
	int fd = seek_to(p, o);

	return fd < 0 ? fd : files_write_all(p->f, fd, p->out, player_io_size(p, o->number[1]));
}
