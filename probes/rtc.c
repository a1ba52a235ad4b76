/*
 * rtc.c - the interval between two reads of the real-time clock's interrupt.
 *
 * The value is the interval less the ideal one.  It is signed: a late read is
 * followed by an early one, so half of the values are early by design; there
 * is no absolute due time.  Interrupts that came while we were late are missed.
 *
 * Where there is no device, or it is closed to us, an absolute sleep of the
 * same period stands in and the note says so.  Today's kernel drives the
 * device by the same timers anyway.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/rtc.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "probes/sleeper.h"

#define RATE_HZ 2048
#define IDEAL_NS 488281
#define DEVICE "/dev/rtc0"

struct rtc {
	struct sleeper sleeper;	/* stands in for the device */
	int64_t read_ns;	/* when the last read returned; 0: never */
	int fd;			/* -1: emulated */
};

static int open_device(void)
{
	int fd = open(DEVICE, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	if (ioctl(fd, RTC_IRQP_SET, (unsigned long)RATE_HZ) || ioctl(fd, RTC_PIE_ON, 0)) {
		int err = -errno;

		close(fd);
		return err;
	}
	return fd;
}

static int rtc_open(void *state, const struct probe_env *env, struct why *why)
{
	struct rtc *r = state;

	*r = (struct rtc){ .sleeper = { .env = env }, .fd = -1 };
	if (env->operation)
		return 0;
	int fd = open_device();

	if (fd < 0)
		why_set(why, fd, "rtc: emulated by a timer: " DEVICE ": %s", strerror(-fd));
	else
		r->fd = fd;
	return 0;
}

static int read_device(const struct rtc *r)
{
	const struct probe_env *env = r->sleeper.env;
	unsigned long data;

	while (read(r->fd, &data, sizeof(data)) < 0) {
		if (errno != EINTR || (env->stopping && env->stopping(env->ctx)))
			return -errno;
	}
	return 0;
}

/* Waits for the next interrupt and notes when the read of it returned. */
static int wait_interrupt(struct rtc *r, int64_t *read_ns)
{
	const struct probe_env *env = r->sleeper.env;
	struct probe_sample slept = { 0 };
	int err;

	if (r->fd < 0 && !env->operation) {
		err = sleeper_sample(&r->sleeper, &slept);
		*read_ns = slept.woke_ns;
		return err;
	}
	err = env->operation ? env->operation(env->ctx, 0) : read_device(r);
	*read_ns = env->now_ns(env->ctx);
	return err;
}

static int rtc_sample(void *state, struct probe_sample *out)
{
	struct rtc *r = state;
	int64_t now_ns = 0;
	int err = r->read_ns ? 0 : wait_interrupt(r, &r->read_ns);

	if (!err)
		err = wait_interrupt(r, &now_ns);
	if (err)
		return err;
	out->due_ns = r->read_ns + IDEAL_NS;
	out->woke_ns = now_ns;
	r->read_ns = now_ns;
	return 0;
}

static void rtc_close(void *state)
{
	struct rtc *r = state;

	if (r->fd < 0)
		return;
	ioctl(r->fd, RTC_PIE_OFF, 0);
	close(r->fd);
}

const struct probe probe_rtc = {
	.name = "rtc",
	.summary = "interval between two interrupts of the real-time clock",
	.flags = PROBE_RT,
	.period_ns = IDEAL_NS,
	.state_size = sizeof(struct rtc),
	.open = rtc_open,
	.sample = rtc_sample,
	.close = rtc_close,
};
