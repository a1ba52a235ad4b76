/* rt_rights.c - what the process may have, found out by trying; see rt.h. */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/capability.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "src/rt.h"
#include "src/rt_cause.h"

#define SOFT_RTTIME_US 100000

/* ---- may we have FIFO? --------------------------------------------------- */

struct trial {
	int wanted, err;
	struct rt_granted granted;
	struct why why;
};

static void *try_fifo(void *arg)
{
	struct trial *t = arg;

	t->err = rt_become_fifo(t->wanted, &t->granted, &t->why);
	return NULL;
}

/* On a thread of its own: the flag that resets children cannot be taken off
 * main again without rights. */
static void run_trial(int wanted, struct rt_rights *out)
{
	struct trial t = { .wanted = wanted };
	pthread_t thread;
	int err = rt_thread_start(&thread, try_fifo, &t);

	if (err) {
		why_set(&out->why, err, "real time: cannot start a thread: %s; "
			"raise ulimit -u or ulimit -v", strerror(-err));
		return;
	}
	pthread_join(thread, NULL);
	out->fifo = t.err == 0;
	out->priority = out->fifo ? t.granted.priority : 0;
	out->why = t.why;
}

/* Without throttling a real-time thread that spins takes its CPU for good, so
 * one CPU must stay free of them. */
static int cpus_limit(void)
{
	FILE *f = fopen("/proc/sys/kernel/sched_rt_runtime_us", "re");
	long long runtime_us = 0;

	if (!f)
		return -1;
	int got = fscanf(f, "%lld", &runtime_us);

	fclose(f);
	if (got != 1 || runtime_us >= 0)
		return -1;
	return (int)sysconf(_SC_NPROCESSORS_ONLN) - 1;
}

static void find_fifo(int wanted, struct rt_rights *out)
{
	if (rt_fatal("", &out->why))
		return;
	out->cpus_limit = cpus_limit();
	if (out->cpus_limit == 0) {
		why_set(&out->why, -EPERM, "real time: sched_rt_runtime_us is -1 and there is "
			"one CPU; restore it: sysctl kernel.sched_rt_runtime_us=950000");
		return;
	}
	run_trial(wanted, out);
}

/* ---- limits -------------------------------------------------------------- */

void rt_restore_rttime(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_RTTIME, &limit))
		return;
	limit.rlim_cur = SOFT_RTTIME_US;
	if (limit.rlim_max != RLIM_INFINITY && limit.rlim_max / 2 < limit.rlim_cur)
		limit.rlim_cur = limit.rlim_max / 2;
	setrlimit(RLIMIT_RTTIME, &limit);
}

static rlim_t raise_memlock(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_MEMLOCK, &limit))
		return 0;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_MEMLOCK, &limit);
	return limit.rlim_cur;
}

/* ---- locked memory ------------------------------------------------------- */

static int lock_all(void)
{
	return mlockall(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT) ? -errno : 0;
}

/*
 * Everything only without a limit or with CAP_IPC_LOCK: under a limit the call
 * itself succeeds, and the next thread cannot start.  *keep_cap: the lock lives
 * on the capability, which must then stay effective.
 */
static void find_lock(struct rt_rights *out, bool *keep_cap)
{
	bool unlimited = raise_memlock() == RLIM_INFINITY;
	bool permitted = rt_has_capability(CAP_IPC_LOCK, false);
	struct rlimit limit = { 0 };

	*keep_cap = !unlimited && permitted;
	if (unlimited || permitted) {
		cap_t caps = cap_get_proc();
		cap_value_t which = CAP_IPC_LOCK;

		if (caps && permitted && !cap_set_flag(caps, CAP_EFFECTIVE, 1, &which, CAP_SET))
			cap_set_proc(caps);
		cap_free(caps);
		int err = lock_all();

		out->lock = err ? RT_LOCK_SAMPLERS : RT_LOCK_ALL;
		if (err)
			why_set(&out->lock_why, err, "memory lock: %s; only the samplers' pages "
				"are locked", strerror(-err));
		return;
	}
	getrlimit(RLIMIT_MEMLOCK, &limit);
	out->lock = limit.rlim_cur > 0 ? RT_LOCK_SAMPLERS : RT_LOCK_NONE;
	why_set(&out->lock_why, -ENOMEM, "memory lock: the memlock limit is %llu KiB, so %s; "
		"use the setcap line of `jitterscope doctor`, or raise memlock in "
		"/etc/security/limits.d",
		(unsigned long long)limit.rlim_cur / 1024,
		out->lock == RT_LOCK_NONE ? "nothing is locked" : "only samplers' pages are locked");
}

/* ---- what is not needed any more ----------------------------------------- */

static void keep(cap_t from, cap_t to, cap_value_t which, bool effective)
{
	cap_flag_value_t value = CAP_CLEAR;

	cap_get_flag(from, which, CAP_PERMITTED, &value);
	if (value != CAP_SET)
		return;
	cap_set_flag(to, CAP_PERMITTED, 1, &which, CAP_SET);
	if (effective)
		cap_set_flag(to, CAP_EFFECTIVE, 1, &which, CAP_SET);
}

static void drop_capabilities(bool keep_lock)
{
	if (geteuid() == 0)
		return;
	cap_t now = cap_get_proc(), rest = cap_init();

	if (now && rest) {
		keep(now, rest, CAP_SYS_NICE, false);
		keep(now, rest, CAP_PERFMON, false);
		if (keep_lock)
			keep(now, rest, CAP_IPC_LOCK, true);
		cap_set_proc(rest);
	}
	cap_free(now);
	cap_free(rest);
}

void rt_prepare(int wanted_priority, struct rt_rights *out)
{
	bool keep_lock = false;

	*out = (struct rt_rights){ .cpus_limit = -1 };
	if (wanted_priority > RT_PRIORITY_MAX)
		wanted_priority = RT_PRIORITY_MAX;
	rt_install_xcpu();
	find_fifo(wanted_priority, out);
	if (out->fifo)
		rt_restore_rttime();
	find_lock(out, &keep_lock);
	drop_capabilities(keep_lock);
}
