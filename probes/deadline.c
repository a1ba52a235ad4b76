/*
 * deadline.c - how late does a thread with reserved runtime wake?
 *
 * The thread makes itself SCHED_DEADLINE: a tenth of each period, at most
 * 100 us, is its own.  Such a thread cannot be pinned, so there is one.  If it
 * uses up its runtime the kernel holds it back to the next period; that is
 * counted, so that those samples can be told from late wake-ups.
 */
#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "probes/sleeper.h"

#define RUNTIME_MOST_NS (100 * NS_PER_US)
#define POLICY_DEADLINE 6
#define FLAG_RESET_ON_FORK 1
#define FLAG_OVERRUN_SIGNAL 4

enum { OVERRUNS };

/* The kernel's struct sched_attr, first version. */
struct attr {
	uint32_t size, policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime_ns, deadline_ns, period_ns;
};

struct deadline {
	struct sleeper sleeper;
	int64_t overruns;	/* seen so far */
};

static int reserve(int64_t period_ns)
{
	int64_t tenth_ns = period_ns / 10;
	struct attr attr = {
		.size = sizeof(attr),
		.policy = POLICY_DEADLINE,
		.flags = FLAG_RESET_ON_FORK | FLAG_OVERRUN_SIGNAL,
		.runtime_ns = (uint64_t)(tenth_ns < RUNTIME_MOST_NS ? tenth_ns : RUNTIME_MOST_NS),
		.deadline_ns = (uint64_t)period_ns,
		.period_ns = (uint64_t)period_ns,
	};

	return syscall(SYS_sched_setattr, 0, &attr, 0) ? -errno : 0;
}

static int refused(int err, struct why *why)
{
	static const struct { int err; const char *remedy; } remedies[] = {
		{ -EPERM, "needs CAP_SYS_NICE and all CPUs; be root and drop taskset" },
		{ -EBUSY, "no runtime left to reserve; stop other SCHED_DEADLINE tasks" },
		{ -EINVAL, "the period does not suit the kernel; use -i 1ms" },
	};

	for (unsigned i = 0; i < sizeof(remedies) / sizeof(remedies[0]); i++) {
		if (remedies[i].err == err)
			return why_set(why, err, "wakeup-deadline: %s", remedies[i].remedy);
	}
	return why_set(why, err, "wakeup-deadline: %s; use wakeup-fifo", strerror(-err));
}

static int deadline_open(void *state, const struct probe_env *env, struct why *why)
{
	struct deadline *d = state;

	if (env->period_ns <= 0)
		return refused(-EINVAL, why);
	*d = (struct deadline){ .sleeper = { .env = env } };
	int err = env->operation ? env->operation(env->ctx, 0) : reserve(env->period_ns);

	return err ? refused(err, why) : 0;
}

static int deadline_sample(void *state, struct probe_sample *out)
{
	struct deadline *d = state;
	const struct probe_env *env = d->sleeper.env;
	int err = sleeper_sample(&d->sleeper, out);

	if (err || !env->overruns)
		return err;
	int64_t overruns = atomic_load_explicit(env->overruns, memory_order_relaxed);

	if (overruns != d->overruns)
		probe_counter_add(env, OVERRUNS, overruns - d->overruns);
	d->overruns = overruns;
	return 0;
}

const struct probe probe_wakeup_deadline = {
	.name = "wakeup-deadline",
	.summary = "wake a thread with reserved runtime (SCHED_DEADLINE)",
	.counters = { [OVERRUNS] = { .name = "overruns" } },
	.state_size = sizeof(struct deadline),
	.open = deadline_open,
	.sample = deadline_sample,
};
