/*
 * clock.h - time in nanoseconds, int64_t, CLOCK_MONOTONIC everywhere.
 *
 * Any thread.  clock_now_ns() and clock_wait_until() are real-time safe.
 */
#ifndef JS_CLOCK_H
#define JS_CLOCK_H

#include <stdint.h>

#define NS_PER_US INT64_C(1000)
#define NS_PER_MS INT64_C(1000000)
#define NS_PER_S INT64_C(1000000000)

int64_t clock_now_ns(void);

/* Sleeps until the absolute time due_ns; EINTR sleeps again until the same
 * time.  Returns 0 or the positive errno of clock_nanosleep (EINVAL). */
int clock_wait_until(int64_t due_ns);

/* CLOCK_BOOTTIME - CLOCK_MONOTONIC: grows while the machine is suspended. */
int64_t clock_suspended_ns(void);
/* CLOCK_REALTIME - CLOCK_MONOTONIC: jumps when somebody sets the clock. */
int64_t clock_wall_offset_ns(void);
/* CLOCK_REALTIME now. */
int64_t clock_wall_ns(void);
/* CPU time of the calling thread / of the whole process. */
int64_t clock_thread_cpu_ns(void);
int64_t clock_process_cpu_ns(void);

#endif
