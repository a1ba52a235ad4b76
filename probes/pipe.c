/*
 * pipe.c - how long does a byte take to a partner and back, through pipes?
 *
 * Two processes that take turns, so each round trip has two wake-ups in it.
 * On an idle machine most of it is the way out of idle states.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "probes/echo.h"

static int pipe_open(void *state, const struct probe_env *env, struct why *why)
{
	struct echo *e = state;
	int there[2], back[2];

	if (pipe2(there, O_CLOEXEC))
		return why_set(why, -errno, "pipe: %s", strerror(errno));
	if (pipe2(back, O_CLOEXEC)) {
		int err = -errno;

		close(there[0]);
		close(there[1]);
		return why_set(why, err, "pipe: %s", strerror(-err));
	}
	e->ours = (struct echo_ends){ .read_fd = back[0], .write_fd = there[1] };
	e->ask_bytes = e->answer_bytes = 1;
	return echo_open(e, env, (struct echo_ends){ .read_fd = there[0], .write_fd = back[1] },
			 "pipe", why);
}

const struct probe probe_pipe = {
	.name = "pipe",
	.summary = "a byte to a partner process and back through pipes",
	.flags = PROBE_HELPER | PROBE_LIGHT,
	.period_ns = 50 * NS_PER_MS,
	.knobs = { PROBE_PERIOD_KNOB(50) },
	.state_size = sizeof(struct echo),
	.open = pipe_open,
	.sample = echo_sample,
	.close = echo_close,
};
