/* cstates.c - see cstates.h. */
#include "src/cstates.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/clock.h"

#define DEVICE "/dev/cpu_dma_latency"

struct cstates { int fd; };

static int refused(int err, struct why *why)
{
	const char *remedy = err == -EACCES || err == -EPERM ? "run as root or grant write access"
							     : "this kernel offers none";

	return why_set(why, err, "C-states not held: %s: %s; %s", DEVICE, strerror(-err), remedy);
}

struct cstates *cstates_hold(int64_t latency_ns, struct why *why)
{
	struct cstates *c = malloc(sizeof(*c));
	int32_t us = (int32_t)(latency_ns / NS_PER_US);

	if (!c) {
		refused(-ENOMEM, why);
		return NULL;
	}
	c->fd = open(DEVICE, O_WRONLY | O_CLOEXEC);
	if (c->fd >= 0 && write(c->fd, &us, sizeof(us)) == (ssize_t)sizeof(us))
		return c;
	refused(-errno, why);
	cstates_free(c);
	return NULL;
}

void cstates_free(struct cstates *c)
{
	if (!c)
		return;
	if (c->fd >= 0)
		close(c->fd);
	free(c);
}
