/*
 * cpuset.h - a set of CPU numbers, 0..4095, as a plain value.
 *
 * CPU numbers have holes (SMT off, hotplug), so sets are walked by member and
 * never counted 0..n-1.  Text form is the kernel's: "0-3,8,10-11".
 * Any thread; no shared state.
 */
#ifndef JS_CPUSET_H
#define JS_CPUSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "src/why.h"

#define CPUSET_MAX 4096

struct cpuset {
	uint64_t bits[CPUSET_MAX / 64];
};

void cpuset_clear(struct cpuset *set);
void cpuset_add(struct cpuset *set, int cpu);	/* out of range: ignored */
void cpuset_remove(struct cpuset *set, int cpu);
bool cpuset_has(const struct cpuset *set, int cpu);
int cpuset_count(const struct cpuset *set);
/* The first member above `after` (-1 to begin), or -1 when there is none. */
int cpuset_next(const struct cpuset *set, int after);
#define cpuset_each(cpu, set) \
	for (int cpu = cpuset_next(set, -1); cpu >= 0; cpu = cpuset_next(set, cpu))

/* "0-3,8": -EINVAL and a reason on anything else, "" is the empty set's
 * text only when empty_ok.  A trailing newline is accepted. */
int cpuset_parse(struct cpuset *set, const char *text, bool empty_ok, struct why *why);
/* snprintf-like: returns the length wanted. */
size_t cpuset_text(const struct cpuset *set, char *buf, size_t size);
/* For people: what does not fit ends between two parts, "0-3,8,...".  Returns buf. */
const char *cpuset_brief(const struct cpuset *set, char *buf, size_t size);

/* The mask this process may run on; grows its buffer until the call fits. */
int cpuset_allowed(struct cpuset *set, struct why *why);
int cpuset_of_thread(pid_t tid, struct cpuset *set);	/* 0 or -errno */
/* A kernel list file such as /sys/devices/system/cpu/online; -ENOENT: none. */
int cpuset_read_file(struct cpuset *set, const char *path, struct why *why);
/* Binds the thread tid (0: the caller) and reads the mask back to verify. */
int cpuset_pin(pid_t tid, const struct cpuset *set, struct why *why);

#endif
