/*
 * wakeup.c - how late does an absolute sleep bring us back?
 *
 * Two probes share it: wakeup-fifo asks for a real-time thread, wakeup-other
 * measures what an ordinary thread gets.  Due times that passed while we were
 * late are skipped; they follow from due, woke and the period.
 */
#include <errno.h>

#include "src/probe.h"

struct wakeup {
	const struct probe_env *env;
	int64_t due_ns;		/* 0 until the first sample */
};

static int wakeup_open(void *state, const struct probe_env *env, struct why *why)
{
	struct wakeup *w = state;

	if (env->period_ns <= 0)
		return why_set(why, -EINVAL, "wakeup: the period must be above 0; give --interval");
	w->env = env;
	w->due_ns = 0;
	return 0;
}

static int wakeup_sample(void *state, struct probe_sample *out)
{
	struct wakeup *w = state;
	const struct probe_env *env = w->env;
	int64_t due_ns = w->due_ns ? w->due_ns : env->first_due_ns;
	int err = env->wait_until(env->ctx, due_ns);

	if (err)
		return -err;
	int64_t woke_ns = env->now_ns(env->ctx);

	out->due_ns = due_ns;
	out->woke_ns = woke_ns;
	w->due_ns = due_ns + (probe_missed(due_ns, woke_ns, env->period_ns) + 1) * env->period_ns;
	return 0;
}

const struct probe probe_wakeup_fifo = {
	.name = "wakeup-fifo",
	.summary = "wake a real-time thread from an absolute sleep",
	.flags = PROBE_RT | PROBE_PER_CPU | PROBE_DEFAULT,
	.state_size = sizeof(struct wakeup),
	.open = wakeup_open,
	.sample = wakeup_sample,
};

const struct probe probe_wakeup_other = {
	.name = "wakeup-other",
	.summary = "wake an ordinary thread from an absolute sleep",
	.flags = PROBE_PER_CPU | PROBE_DEFAULT,
	.state_size = sizeof(struct wakeup),
	.open = wakeup_open,
	.sample = wakeup_sample,
};
