/* victim.c - see victim.h. */
#include "probes/victim.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

static const char content[VICTIM_LARGE_BYTES] = { 1 };

static int write_all(int fd, const char *data, size_t bytes)
{
	while (bytes) {
		ssize_t n = write(fd, data, bytes);

		if (n < 0)
			return errno;
		data += n;
		bytes -= (size_t)n;
	}
	return 0;
}

int victim_create(int folder_fd, const char *name, enum victim_size size)
{
	int fd = openat(folder_fd, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600), err = 0;

	if (fd < 0)
		return errno;
	if (size == VICTIM_LARGE)
		err = write_all(fd, content, sizeof(content));
	if (close(fd) && !err)
		err = errno;
	return err;
}

static int fill(int fd, unsigned bytes)
{
	int err = 0;

	for (unsigned done = 0; done < bytes && !err; done += 4096)
		err = write_all(fd, content, 4096);
	return err ? err : fdatasync(fd) ? errno : 0;
}

int victim_keep(int folder_fd, const char *name, unsigned bytes, const char *probe,
		struct why *why)
{
	int fd = openat(folder_fd, name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600), err;

	if (fd < 0)
		return why_set(why, -errno, "%s: scratch: %s", probe, strerror(errno));
	err = fill(fd, bytes);
	if (!err)
		return fd;
	close(fd);
	return why_set(why, -err, "%s: scratch: %s", probe, strerror(err));
}

int victim_note(int folder_fd, const char *probe, struct why *why)
{
	struct statfs fs;

	if (folder_fd < 0 || fstatfs(folder_fd, &fs) || fs.f_type != TMPFS_MAGIC)
		return 0;
	return why_set(why, 0, "%s: the scratch folder is in memory (tmpfs), no disk; give --scratch",
		       probe);
}
