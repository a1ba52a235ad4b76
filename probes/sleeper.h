/*
 * sleeper.h - one absolute sleep after another, for probes that only wait.
 *
 * Due times lie on a grid of exact periods from env->first_due_ns.  Those that
 * passed while we were late are skipped, never caught up with; how many they
 * were follows from due, woke and the period.  Sampler thread; real-time safe.
 */
#ifndef JS_PROBES_SLEEPER_H
#define JS_PROBES_SLEEPER_H

#include "src/probe.h"

struct sleeper {
	const struct probe_env *env;
	int64_t due_ns;		/* 0 until the first sleep */
};

/* When the next sleep is to end. */
static inline int64_t sleeper_due(const struct sleeper *s)
{
	return s->due_ns ? s->due_ns : s->env->first_due_ns;
}

/* Moves on to the first due time after woke_ns. */
static inline void sleeper_skip(struct sleeper *s, int64_t due_ns, int64_t woke_ns)
{
	int64_t period_ns = s->env->period_ns;

	s->due_ns = due_ns + (probe_missed(due_ns, woke_ns, period_ns) + 1) * period_ns;
}

/* Fills due and woke.  0, or -errno of the sleep. */
static inline int sleeper_sample(struct sleeper *s, struct probe_sample *out)
{
	const struct probe_env *env = s->env;
	int64_t due_ns = sleeper_due(s);
	int err = env->wait_until(env->ctx, due_ns);

	if (err)
		return -err;
	out->due_ns = due_ns;
	out->woke_ns = env->now_ns(env->ctx);
	sleeper_skip(s, due_ns, out->woke_ns);
	return 0;
}

#endif
