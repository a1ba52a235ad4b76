/*
 * tcp.c - 4 bytes to a partner and one back, through TCP on 127.0.0.1, without
 * the delay that gathers small messages.
 */
#include <string.h>

#include "probes/echo.h"
#include "probes/inet.h"

static int tcp_open(void *state, const struct probe_env *env, struct why *why)
{
	struct echo *e = state;
	int pair[2], err = inet_tcp_pair(pair);

	if (err)
		return why_set(why, err, "tcp: 127.0.0.1: %s; is the interface lo up?",
			       strerror(-err));
	e->ours = (struct echo_ends){ pair[0], pair[0] };
	e->ask_bytes = 4;
	e->answer_bytes = 1;
	return echo_open(e, env, (struct echo_ends){ pair[1], pair[1] }, "tcp", why);
}

const struct probe probe_tcp = {
	.name = "tcp",
	.summary = "4 bytes to a partner process through TCP, one back",
	.flags = PROBE_HELPER | PROBE_LIGHT,
	.period_ns = 50 * NS_PER_MS,
	.knobs = { PROBE_PERIOD_KNOB(50) },
	.state_size = sizeof(struct echo),
	.open = tcp_open,
	.sample = echo_sample,
	.close = echo_close,
};
