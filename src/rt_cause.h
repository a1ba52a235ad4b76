/*
 * rt_cause.h - why real time was refused, told apart by what the system says.
 *
 * "Operation not permitted" has eight different causes and each has its own
 * remedy.  rt_facts_read() gathers what tells them apart, rt_explain() judges:
 * the first cause of a fixed order that fits wins.
 *
 * Any thread, at set-up.  rt_facts_read() opens files below `root` ("" is the
 * real system; tests hand in a tree of their own).
 */
#ifndef JS_RT_CAUSE_H
#define JS_RT_CAUSE_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "src/why.h"

/* A hard RLIMIT_RTTIME below this leaves no room for a warning before the
 * kernel's SIGKILL. */
#define RT_HARD_RTTIME_LEAST_US 20000

enum rt_cause {
	RT_CAUSE_USER_NAMESPACE,
	RT_CAUSE_BOUNDING_SET,
	RT_CAUSE_FILE_CAPS,
	RT_CAUSE_NO_RIGHT,
	RT_CAUSE_LIMIT,
	RT_CAUSE_CGROUP1,
	RT_CAUSE_CGROUP2,
	RT_CAUSE_SECCOMP,
	RT_CAUSE_RTTIME,
	RT_CAUSE_NO_RUNTIME,
	RT_CAUSE_UNKNOWN,
};

struct rt_facts {
	bool user_namespace;		/* uid_map is not the whole range */
	uint64_t cap_permitted, cap_effective, cap_bounding;
	bool no_new_privs, nosuid, traced, file_caps;
	int seccomp;			/* 0 off, 1 strict, 2 filter */
	uint64_t rtprio_hard;		/* UINT64_MAX: unlimited */
	uint64_t rttime_hard_us;	/* likewise */
	int64_t sched_rt_runtime_us;	/* of the system; INT64_MIN: unknown */
	bool cgroup1;			/* a v1 cpu controller is mounted */
	char cgroup_file[PATH_MAX];	/* its cpu.rt_runtime_us for our group, "" at its root */
	char cgroup_top[PATH_MAX];	/* where that controller is mounted */
	int64_t cgroup_runtime_us;	/* what that file says; INT64_MIN: unknown */
	bool cgroup2_inner;		/* in a v2 group that is not the root */
	bool rt_group_sched;		/* the kernel was built with it and it is on */
	char program[PATH_MAX];
};

void rt_facts_read(const char *root, struct rt_facts *out);
/* For a refusal with -errno err.  Fills *why with cause and remedy. */
enum rt_cause rt_explain(const struct rt_facts *facts, int wanted_priority, int err,
			 struct why *why);
/* Would real time be granted but kill us (or never run)?  -EPERM and why. */
int rt_fatal(const char *root, struct why *why);

#endif
