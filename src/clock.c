/* clock.c - see clock.h. */
#include "src/clock.h"

#include <errno.h>
#include <time.h>

static int64_t read_ns(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (int64_t)t.tv_sec * NS_PER_S + t.tv_nsec;
}

int64_t clock_now_ns(void)
{
	return read_ns(CLOCK_MONOTONIC);
}

int clock_wait_until(int64_t due_ns)
{
	const struct timespec due = {
		.tv_sec = due_ns / NS_PER_S,
		.tv_nsec = due_ns % NS_PER_S,
	};
	int err;

	do
		err = clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL);
	while (err == EINTR);
	return err;
}

/*
 * The distance of another clock from CLOCK_MONOTONIC.  The two cannot be read
 * at one instant; whoever is preempted in between would see a jump that never
 * was.  So the narrowest of a few brackets counts.
 */
static int64_t offset_from_monotonic(clockid_t id)
{
	int64_t best_width = INT64_MAX, best = 0;

	for (int i = 0; i < 4 && best_width > NS_PER_US; i++) {
		int64_t before = clock_now_ns();
		int64_t other = read_ns(id);
		int64_t width = clock_now_ns() - before;

		if (width < best_width) {
			best_width = width;
			best = other - (before + width / 2);
		}
	}
	return best;
}

int64_t clock_suspended_ns(void)
{
	return offset_from_monotonic(CLOCK_BOOTTIME);
}

int64_t clock_wall_offset_ns(void)
{
	return offset_from_monotonic(CLOCK_REALTIME);
}

int64_t clock_wall_ns(void)
{
	return read_ns(CLOCK_REALTIME);
}

int64_t clock_thread_cpu_ns(void)
{
	return read_ns(CLOCK_THREAD_CPUTIME_ID);
}

int64_t clock_process_cpu_ns(void)
{
	return read_ns(CLOCK_PROCESS_CPUTIME_ID);
}
