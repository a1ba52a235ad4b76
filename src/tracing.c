/* tracing.c - see tracing.h. */
#include "src/tracing.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "src/procfile.h"

static const char *const roots[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };

static int open_at(const char *root)
{
	char path[64], full[512];
	int fd;

	snprintf(path, sizeof(path), "%s/tracing_on", root);
	fd = open(procfile_path(full, sizeof(full), path), O_WRONLY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

static int refused(int err, struct why *why)
{
	if (err == -ENOENT)
		return why_set(why, err, "%s: not mounted; sudo mount -t tracefs none %s", roots[0],
			       roots[0]);
	if (err == -EACCES || err == -EPERM)
		return why_set(why, err, "%s: no right to it; run as root", roots[0]);
	return why_set(why, err, "%s: %s; see if it can be written by hand", roots[0],
		       strerror(-err));
}

/* That one is not there says least. */
int tracing_open(struct why *why)
{
	int err = -ENOENT;

	for (size_t i = 0; i < sizeof(roots) / sizeof(roots[0]); i++) {
		int fd = open_at(roots[i]);

		if (fd >= 0)
			return fd;
		if (err == -ENOENT)
			err = fd;
	}
	return refused(err, why);
}

int tracing_stop(int fd, struct why *why)
{
	if (write(fd, "0", 1) == 1)
		return 0;
	return refused(-errno, why);
}
