/*
 * timerfd.c - how late does an event loop learn of its timer?
 *
 * A periodic timer with an absolute start is read with a blocking read, which
 * tells how many times it expired.  The sample is the first of them that was
 * due after the end of the last sample; the others are missed.  Expiries that
 * piled up behind a delay come with the next read at once: they lie before the
 * end of the last sample, which has counted them as missed already, so they
 * must not become a second late one.
 */
#include <errno.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "probes/sleeper.h"

struct timer {
	struct sleeper sleeper;	/* its grid is the timer's */
	int64_t expired_ns;	/* when the last expiry we read of was due; 0: not armed */
	int fd;
};

static int timer_open(void *state, const struct probe_env *env, struct why *why)
{
	struct timer *t = state;

	if (env->period_ns <= 0)
		return why_set(why, -EINVAL, "timerfd: the period must be above 0; give --interval");
	*t = (struct timer){ .sleeper = { .env = env }, .fd = -1 };
	if (env->operation)
		return 0;
	t->fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	if (t->fd < 0)
		return why_set(why, -errno, "timerfd: %s; raise ulimit -n", strerror(errno));
	return 0;
}

static struct timespec timespec_of(int64_t ns)
{
	return (struct timespec){ .tv_sec = ns / NS_PER_S, .tv_nsec = ns % NS_PER_S };
}

static int arm(struct timer *t)
{
	const struct probe_env *env = t->sleeper.env;
	const struct itimerspec when = {
		.it_value = timespec_of(env->first_due_ns),
		.it_interval = timespec_of(env->period_ns),
	};

	t->expired_ns = env->first_due_ns - env->period_ns;
	if (!env->operation && timerfd_settime(t->fd, TFD_TIMER_ABSTIME, &when, NULL))
		return -errno;
	return 0;
}

/* Expiries since the last read, waiting for one; or -errno. */
static int64_t read_expiries(const struct timer *t)
{
	const struct probe_env *env = t->sleeper.env;
	uint64_t n = 0;

	if (env->operation)
		return env->operation(env->ctx, 0);
	return read(t->fd, &n, sizeof(n)) < 0 ? -errno : (int64_t)n;
}

static bool go_on(const struct probe_env *env, int64_t err)
{
	return err == -EAGAIN ||
		(err == -EINTR && !(env->stopping && env->stopping(env->ctx)));
}

/* Reads until an expiry is among them that is not before due_ns. */
static int wait_expiry(struct timer *t, int64_t due_ns)
{
	const struct probe_env *env = t->sleeper.env;

	while (t->expired_ns < due_ns) {
		int64_t n = read_expiries(t);

		if (n < 0 && !go_on(env, n))
			return (int)n;
		if (n > 0)
			t->expired_ns += n * env->period_ns;
	}
	return 0;
}

static int timer_sample(void *state, struct probe_sample *out)
{
	struct timer *t = state;
	const struct probe_env *env = t->sleeper.env;
	int64_t due_ns = sleeper_due(&t->sleeper);
	int err = t->expired_ns ? 0 : arm(t);

	if (!err)
		err = wait_expiry(t, due_ns);
	if (err)
		return err;
	out->due_ns = due_ns;
	out->woke_ns = env->now_ns(env->ctx);
	sleeper_skip(&t->sleeper, due_ns, out->woke_ns);
	return 0;
}

static void timer_close(void *state)
{
	struct timer *t = state;

	if (t->fd >= 0)
		close(t->fd);
}

const struct probe probe_timerfd = {
	.name = "timerfd",
	.summary = "return from reading a periodic timer, as event loops do",
	.flags = PROBE_RT,
	.state_size = sizeof(struct timer),
	.open = timer_open,
	.sample = timer_sample,
	.close = timer_close,
};
