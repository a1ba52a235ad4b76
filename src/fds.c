/* fds.c - see fds.h. */
#include "src/fds.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Kernels before 5.9 lack the call; there the limit bounds the walk. */
static void close_between(unsigned first, unsigned last)
{
	if (first > last || !syscall(SYS_close_range, first, last, 0))
		return;
	long most = sysconf(_SC_OPEN_MAX);

	for (unsigned fd = first; fd <= last && (long)fd < most; fd++)
		close((int)fd);
}

/* The smallest kept descriptor at or above `from`, or -1. */
static int next_kept(const int *keep, unsigned n, int from)
{
	int best = -1;

	for (unsigned i = 0; i < n; i++)
		if (keep[i] >= from && (best < 0 || keep[i] < best))
			best = keep[i];
	return best;
}

int fds_keep(const int *keep, unsigned n)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC), from = 3;

	if (null < 0)
		return -errno;
	for (int fd = 0; fd < 3; fd++)
		if (fd != null && dup2(null, fd) < 0)
			return -errno;
	for (int fd; (fd = next_kept(keep, n, from)) >= 0; from = fd + 1)
		if (fd > from)
			close_between((unsigned)from, (unsigned)fd - 1);
	close_between((unsigned)from, ~0U);
	return 0;
}

void fds_fill_standard(void)
{
	for (int fd = 0; fd < 3; fd++) {
		/* The lowest free number is taken: this one. */
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF &&
		    open("/dev/null", fd ? O_RDONLY : O_WRONLY) < 0)
			return;
	}
}

void fds_raise_limit(void)
{
	struct rlimit l;

	if (getrlimit(RLIMIT_NOFILE, &l) || l.rlim_cur >= l.rlim_max)
		return;
	l.rlim_cur = l.rlim_max;
	setrlimit(RLIMIT_NOFILE, &l);
}

/* Without /proc: as many as a small program has. */
static unsigned count_open(void)
{
	DIR *dir = opendir("/proc/self/fd");
	unsigned n = 0;

	if (!dir)
		return 32;
	for (const struct dirent *e; (e = readdir(dir));)
		n += e->d_name[0] != '.';
	closedir(dir);
	return n ? n - 1 : 0;	/* not the folder itself */
}

struct fds_room fds_room(void)
{
	struct rlimit l;
	unsigned limit = UINT_MAX;

	if (!getrlimit(RLIMIT_NOFILE, &l) && l.rlim_cur < UINT_MAX)
		limit = (unsigned)l.rlim_cur;
	return (struct fds_room){ limit, count_open() };
}

bool fds_can_print(void)
{
	int flags = fcntl(1, F_GETFL);

	return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;
}
