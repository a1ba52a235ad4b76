/* recording_pipe.c - see recording_pipe.h. */
#include "src/recording_pipe.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "src/clock.h"
#include "src/newfile.h"
#include "src/thread.h"

#define PIPE_BYTES (1 << 20)
#define WAITING_MAX (8u << 20)
#define SYNC_NS (60 * NS_PER_S)

/* What the thread holds; it frees this, so that a dead disk keeps nobody. */
struct carrier {
	int in_fd, file_fd, done_fd;
	_Atomic int err;	/* -errno of the file, for ever */
	_Atomic int holders;
};

struct recording_pipe {
	struct carrier *carrier;
	int out_fd;
	char path[256];
	char *waiting;
	size_t used, room;
	unsigned left_out;
};

static void let_go(struct carrier *c)
{
	if (atomic_fetch_sub(&c->holders, 1) != 1)
		return;
	close(c->in_fd);
	close(c->file_fd);
	close(c->done_fd);
	free(c);
}

/* ---- the thread -------------------------------------------------------------- */

static int write_all(int fd, const char *bytes, size_t n)
{
	while (n) {
		ssize_t put = write(fd, bytes, n);

		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return put ? -errno : -EIO;
		bytes += put;
		n -= (size_t)put;
	}
	return 0;
}

/* Goes on reading after an error, so that the pipe never fills for nothing. */
static void carry(struct carrier *c, const char *bytes, size_t n, int64_t *synced_ns)
{
	int err = atomic_load(&c->err);

	if (!err)
		err = write_all(c->file_fd, bytes, n);
	if (!err && clock_now_ns() - *synced_ns > SYNC_NS) {
		*synced_ns = clock_now_ns();
		err = fdatasync(c->file_fd) && errno != EINVAL ? -errno : 0;
	}
	if (err)
		atomic_store(&c->err, err);
}

static void *carrier_thread(void *arg)
{
	struct carrier *c = arg;
	int64_t synced_ns = clock_now_ns();
	uint64_t one = 1;
	char buf[65536];
	ssize_t n;

	while ((n = read(c->in_fd, buf, sizeof(buf))) != 0) {
		if (n < 0 && errno != EINTR)
			break;
		if (n > 0)
			carry(c, buf, (size_t)n, &synced_ns);
	}
	if (!atomic_load(&c->err) && fsync(c->file_fd) && errno != EINVAL)
		atomic_store(&c->err, -errno);
	if (write(c->done_fd, &one, sizeof(one)) < 0)
		atomic_store(&c->err, -EIO);
	let_go(c);
	return NULL;
}

static int start_thread(struct carrier *c)
{
	atomic_fetch_add(&c->holders, 1);
	int err = thread_start_ordinary(carrier_thread, c);

	if (err)
		atomic_fetch_sub(&c->holders, 1);
	return err;
}

/* ---- main's side --------------------------------------------------------------- */

/* What the file begins with, before there is a thread: on a full disk nothing
 * is to be left. */
static int begin_file(const struct carrier *c, const char *head, size_t n)
{
	int err = newfile_give_away(c->file_fd);

	return err ? err : write_all(c->file_fd, head, n);
}

static struct carrier *carrier_new(const char *path, const char *head, size_t n, int in_fd,
				   int *err)
{
	struct carrier *c = calloc(1, sizeof(*c));

	*err = c ? 0 : -ENOMEM;
	if (!c)
		return NULL;
	c->in_fd = in_fd;
	c->done_fd = eventfd(0, EFD_CLOEXEC);
	c->file_fd =
		open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (c->done_fd < 0 || c->file_fd < 0)
		*err = -errno;
	atomic_store(&c->holders, 1);
	if (!*err)
		*err = begin_file(c, head, n);
	if (!*err)
		*err = start_thread(c);
	if (!*err)
		return c;
	if (c->done_fd >= 0)
		close(c->done_fd);
	if (c->file_fd >= 0) {
		close(c->file_fd);
		unlink(path);
	}
	free(c);
	return NULL;
}

struct recording_pipe *recording_pipe_open(const char *path, const char *head, size_t n,
					   struct why *why)
{
	struct recording_pipe *p = calloc(1, sizeof(*p));
	int ends[2], err;

	if (!p || pipe2(ends, O_CLOEXEC)) {
		newfile_failed(path, p ? -errno : -ENOMEM, why);
		free(p);
		return NULL;
	}
	fcntl(ends[1], F_SETPIPE_SZ, PIPE_BYTES);	/* smaller where not allowed */
	fcntl(ends[1], F_SETFL, O_NONBLOCK);
	p->out_fd = ends[1];
	snprintf(p->path, sizeof(p->path), "%s", path);
	p->carrier = carrier_new(path, head, n, ends[0], &err);
	if (p->carrier)
		return p;
	close(ends[0]);
	close(ends[1]);
	free(p);
	newfile_failed(path, err, why);
	return NULL;
}

void recording_pipe_pump(struct recording_pipe *p)
{
	while (p->used) {
		ssize_t put = write(p->out_fd, p->waiting, p->used);

		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return;
		p->used -= (size_t)put;
		memmove(p->waiting, p->waiting + put, p->used);
	}
}

void recording_pipe_put(struct recording_pipe *p, const char *bytes, size_t n)
{
	if (p->used + n > p->room) {
		size_t room = p->used + n;
		char *more = room <= WAITING_MAX || !p->used ? realloc(p->waiting, room) : NULL;

		if (!more) {
			p->left_out++;
			return;
		}
		p->waiting = more;
		p->room = room;
	}
	memcpy(p->waiting + p->used, bytes, n);
	p->used += n;
	recording_pipe_pump(p);
}

int recording_pipe_error(struct recording_pipe *p, struct why *why)
{
	int err = atomic_load(&p->carrier->err);

	if (err)
		return newfile_failed(p->path, err, why);
	if (!p->left_out)
		return 0;
	unsigned n = p->left_out;

	p->left_out = 0;
	return why_set(why, -EAGAIN, "%s: the disk is too slow, %u pieces are left out; "
		       "record to another disk", p->path, n);
}

/* The rest of what waits, as long as there is time. */
static void drain(struct recording_pipe *p, int64_t until_ns)
{
	while (p->used && clock_now_ns() < until_ns) {
		struct pollfd room = { .fd = p->out_fd, .events = POLLOUT };

		poll(&room, 1, 100);
		recording_pipe_pump(p);
	}
}

int recording_pipe_close(struct recording_pipe *p, int wait_ms, struct why *why)
{
	int64_t until_ns = clock_now_ns() + wait_ms * NS_PER_MS;
	struct pollfd done = { .fd = p->carrier->done_fd, .events = POLLIN };
	int err = 0;

	drain(p, until_ns);
	close(p->out_fd);
	int64_t left_ms = (until_ns - clock_now_ns()) / NS_PER_MS;

	if (poll(&done, 1, left_ms > 0 ? (int)left_ms : 0) != 1)
		err = why_set(why, -ETIMEDOUT, "%s: the disk has not taken all of it; "
			      "the file may lack its end", p->path);
	else
		err = recording_pipe_error(p, why);
	let_go(p->carrier);
	free(p->waiting);
	free(p);
	return err;
}
