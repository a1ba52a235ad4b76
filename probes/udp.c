/*
 * udp.c - 4 bytes to a partner and back, through UDP on 127.0.0.1.
 *
 * Datagrams may get lost: no answer within a second is an error, no sample.
 */
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>

#include "probes/echo.h"
#include "probes/inet.h"

#define TIMEOUT_S 1

static int udp_open(void *state, const struct probe_env *env, struct why *why)
{
	const struct timeval timeout = { .tv_sec = TIMEOUT_S };
	struct echo *e = state;
	int pair[2], err = inet_udp_pair(pair);

	if (err)
		return why_set(why, err, "udp: 127.0.0.1: %s; is the interface lo up?",
			       strerror(-err));
	setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout));
	e->ours = (struct echo_ends){ pair[0], pair[0] };
	e->ask_bytes = e->answer_bytes = 4;
	e->counted = true;
	return echo_open(e, env, (struct echo_ends){ pair[1], pair[1] }, "udp", why);
}

const struct probe probe_udp = {
	.name = "udp",
	.summary = "4 bytes to a partner process through UDP, and back",
	.flags = PROBE_HELPER,
	.period_ns = 50 * NS_PER_MS,
	.knobs = { PROBE_PERIOD_KNOB(50) },
	.state_size = sizeof(struct echo),
	.open = udp_open,
	.sample = echo_sample,
	.close = echo_close,
};
