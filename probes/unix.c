/*
 * unix.c - how long does a byte take to a partner and back, through a local
 * stream socket?  As pipe.
 */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "probes/echo.h"

static int unix_open(void *state, const struct probe_env *env, struct why *why)
{
	struct echo *e = state;
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
		return why_set(why, -errno, "unix: socketpair: %s", strerror(errno));
	e->ours = (struct echo_ends){ pair[0], pair[0] };
	e->ask_bytes = e->answer_bytes = 1;
	return echo_open(e, env, (struct echo_ends){ pair[1], pair[1] }, "unix", why);
}

const struct probe probe_unix = {
	.name = "unix",
	.summary = "a byte to a partner process and back through a local socket",
	.flags = PROBE_HELPER | PROBE_LIGHT,
	.period_ns = 50 * NS_PER_MS,
	.knobs = { PROBE_PERIOD_KNOB(50) },
	.state_size = sizeof(struct echo),
	.open = unix_open,
	.sample = echo_sample,
	.close = echo_close,
};
