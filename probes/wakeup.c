/*
 * wakeup.c - how late does an absolute sleep bring us back?
 *
 * Two probes share it: wakeup-fifo asks for a real-time thread, wakeup-other
 * measures what an ordinary thread gets.
 */
#include <errno.h>

#include "probes/sleeper.h"

static int wakeup_open(void *state, const struct probe_env *env, struct why *why)
{
	struct sleeper *s = state;

	if (env->period_ns <= 0)
		return why_set(why, -EINVAL, "wakeup: the period must be above 0; give --interval");
	*s = (struct sleeper){ .env = env };
	return 0;
}

/* Hot: see src/sampler_loop.c. */
__attribute__((hot)) static int wakeup_sample(void *state, struct probe_sample *out)
{
	return sleeper_sample(state, out);
}

const struct probe probe_wakeup_fifo = {
	.name = "wakeup-fifo",
	.summary = "wake a real-time thread from an absolute sleep",
	.flags = PROBE_RT | PROBE_PER_CPU | PROBE_DEFAULT,
	.state_size = sizeof(struct sleeper),
	.open = wakeup_open,
	.sample = wakeup_sample,
};

const struct probe probe_wakeup_other = {
	.name = "wakeup-other",
	.summary = "wake an ordinary thread from an absolute sleep",
	.flags = PROBE_PER_CPU | PROBE_DEFAULT,
	.state_size = sizeof(struct sleeper),
	.open = wakeup_open,
	.sample = wakeup_sample,
};
