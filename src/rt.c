/* rt.c - a thread changes its policy, stack and memory; see rt.h. */
#include "src/rt.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/capability.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "src/clock.h"
#include "src/rt_cause.h"

/* One above the highest sampler: the watchdog.  99 belongs to the kernel. */
#define PRIORITY_LIMIT (RT_PRIORITY_MAX + 1)
#define FLAG_RESET_ON_FORK 1
#define POLICY_DEADLINE 6	/* SCHED_DEADLINE, which sched.h lacks */

/* The kernel's struct sched_attr, first version; glibc 2.36 has none. */
struct attr {
	uint32_t size, policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime_ns, deadline_ns, period_ns;
};

/* ---- capabilities -------------------------------------------------------- */

static int set_effective(int capability, cap_flag_value_t value)
{
	cap_t caps = cap_get_proc();
	cap_value_t which = capability;
	int err = -EPERM;

	if (caps && cap_set_flag(caps, CAP_EFFECTIVE, 1, &which, value) == 0)
		err = cap_set_proc(caps) ? -errno : 0;
	cap_free(caps);
	return err;
}

bool rt_has_capability(int capability, bool effective)
{
	cap_t caps = cap_get_proc();
	cap_flag_value_t value = CAP_CLEAR;

	if (caps)
		cap_get_flag(caps, capability, effective ? CAP_EFFECTIVE : CAP_PERMITTED, &value);
	cap_free(caps);
	return value == CAP_SET;
}

int rt_with_capability(int capability, int (*call)(void *arg), void *arg)
{
	if (rt_has_capability(capability, true))
		return call(arg);
	if (!rt_has_capability(capability, false) || set_effective(capability, CAP_SET))
		return -EPERM;
	int result = call(arg);

	set_effective(capability, CAP_CLEAR);
	return result;
}

/* First as we are, then with the capability. */
static int try_twice(int capability, int (*call)(void *arg), void *arg)
{
	int err = call(arg);

	if (err == -EPERM || err == -EACCES || err == -ENOMEM || err == -EAGAIN) {
		int again = rt_with_capability(capability, call, arg);

		return again == -EPERM ? err : again;
	}
	return err;
}

/* ---- policy -------------------------------------------------------------- */

static int set_attr(struct attr *attr)
{
	attr->size = sizeof(*attr);
	if (syscall(SYS_sched_setattr, 0, attr, 0) == 0)
		return 0;
	if (errno != ENOSYS)
		return -errno;
	/* Old container policies know only the older call. */
	struct sched_param param = { .sched_priority = (int)attr->priority };

	return sched_setscheduler(0, (int)attr->policy | SCHED_RESET_ON_FORK, &param) ? -errno : 0;
}

static int set_fifo(void *arg)
{
	struct attr attr = {
		.policy = SCHED_FIFO,
		.flags = FLAG_RESET_ON_FORK,
		.priority = (uint32_t)*(int *)arg,
	};

	return set_attr(&attr);
}

/* The priority RLIMIT_RTPRIO permits at most, its soft limit raised. */
static int priority_by_limit(int wanted)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_RTPRIO, &limit))
		return 0;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_RTPRIO, &limit);
	return limit.rlim_max < (rlim_t)wanted ? (int)limit.rlim_max : wanted;
}

static int climb(int wanted)
{
	int limit = priority_by_limit(wanted);
	int err = try_twice(CAP_SYS_NICE, set_fifo, &wanted);

	if (err == -EPERM && limit > 0 && limit < wanted)
		err = set_fifo(&limit);
	return err;
}

int rt_become_fifo(int priority, struct rt_granted *granted, struct why *why)
{
	struct rt_facts facts;
	int wanted = priority < 1 ? 1 : priority > PRIORITY_LIMIT ? PRIORITY_LIMIT : priority;
	int err = climb(wanted);

	rt_read_back(0, granted);
	if (!err && granted->policy != SCHED_FIFO)
		err = -EPERM;
	if (err || granted->priority < wanted) {
		rt_facts_read("", &facts);
		rt_explain(&facts, wanted, err ? err : -EPERM, why);
	}
	return err;
}

int rt_become_other(struct rt_granted *granted)
{
	struct attr attr = { .policy = SCHED_OTHER, .flags = FLAG_RESET_ON_FORK };
	int err = set_attr(&attr);

	/* Started with a nice value that may not be lowered: keep it. */
	if (err == -EPERM || err == -EACCES) {
		attr.nice = getpriority(PRIO_PROCESS, 0);
		err = set_attr(&attr);
	}
	prctl(PR_SET_TIMERSLACK, 1);
	rt_read_back(0, granted);
	return err;
}

int rt_read_back(pid_t tid, struct rt_granted *granted)
{
	struct attr attr = { .size = sizeof(attr) };

	*granted = (struct rt_granted){ .slack_ns = -1 };
	if (syscall(SYS_sched_getattr, tid, &attr, sizeof(attr), 0))
		return -errno;
	granted->policy = (int)attr.policy;
	granted->priority = (int)attr.priority;
	granted->nice = attr.nice;
	granted->reset_on_fork = attr.flags & FLAG_RESET_ON_FORK;
	if (tid == 0 || tid == gettid())
		granted->slack_ns = prctl(PR_GET_TIMERSLACK);
	return 0;
}

const char *rt_policy_name(int policy)
{
	static const char *const names[] = {
		[SCHED_OTHER] = "SCHED_OTHER", [SCHED_FIFO] = "SCHED_FIFO",
		[SCHED_RR] = "SCHED_RR", [SCHED_BATCH] = "SCHED_BATCH",
		[SCHED_IDLE] = "SCHED_IDLE", [POLICY_DEADLINE] = "SCHED_DEADLINE",
	};
	const int nr = sizeof(names) / sizeof(names[0]);

	return policy >= 0 && policy < nr && names[policy] ? names[policy] : "unknown";
}

/* ---- nice ---------------------------------------------------------------- */

static int set_nice(void *arg)
{
	return setpriority(PRIO_PROCESS, 0, *(int *)arg) ? -errno : 0;
}

int rt_best_nice(void)
{
	struct rlimit limit;
	int best = -20;

	if (try_twice(CAP_SYS_NICE, set_nice, &best) && getrlimit(RLIMIT_NICE, &limit) == 0) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NICE, &limit);
		best = 20 - (int)(limit.rlim_max < 40 ? limit.rlim_max : 40);
		if (best < getpriority(PRIO_PROCESS, 0))
			set_nice(&best);
	}
	return getpriority(PRIO_PROCESS, 0);
}

/* ---- demotion ------------------------------------------------------------ */

/* What a signal handler writes can only be at file scope. */
static _Atomic unsigned xcpu_demotions;
static _Atomic pid_t xcpu_last_tid;
static _Thread_local _Atomic int64_t *demotion_note, *overrun_note;

/* The flag stays: a thread without rights may not clear it, and asking for it
 * to be cleared would refuse the whole call. */
int rt_demote(pid_t tid)
{
	const struct sched_param param = { .sched_priority = 0 };

	if (syscall(SYS_sched_setscheduler, tid, SCHED_OTHER | SCHED_RESET_ON_FORK, &param))
		return -errno;
	return 0;
}

void rt_note_xcpu(_Atomic int64_t *demoted_ns, _Atomic int64_t *overruns)
{
	demotion_note = demoted_ns;
	overrun_note = overruns;
}

static void demote_myself(void)
{
	rt_demote(0);
	if (demotion_note)
		atomic_store_explicit(demotion_note, clock_now_ns(), memory_order_relaxed);
	atomic_store_explicit(&xcpu_last_tid, gettid(), memory_order_relaxed);
	/* release: the tid is there when the count says so */
	atomic_fetch_add_explicit(&xcpu_demotions, 1, memory_order_release);
}

static void on_xcpu(int signo, siginfo_t *info, void *context)
{
	int saved_errno = errno;

	(void)signo;
	(void)context;
	/* From rt_interrupt(): to end a sleep is all it is for. */
	if (info->si_code == SI_TKILL)
		return;
	if ((syscall(SYS_sched_getscheduler, 0) & ~SCHED_RESET_ON_FORK) != POLICY_DEADLINE)
		demote_myself();
	else if (overrun_note)
		atomic_fetch_add_explicit(overrun_note, 1, memory_order_relaxed);
	errno = saved_errno;
}

void rt_install_xcpu(void)
{
	struct sigaction act = { .sa_sigaction = on_xcpu, .sa_flags = SA_SIGINFO | SA_ONSTACK };

	sigemptyset(&act.sa_mask);
	sigaction(SIGXCPU, &act, NULL);
}

unsigned rt_xcpu_count(pid_t *last_tid)
{
	/* acquire: pairs with the release in on_xcpu() */
	unsigned count = atomic_load_explicit(&xcpu_demotions, memory_order_acquire);

	*last_tid = atomic_load_explicit(&xcpu_last_tid, memory_order_relaxed);
	return count;
}

int rt_interrupt(pthread_t thread)
{
	return -pthread_kill(thread, SIGXCPU);
}

/* ---- threads and their memory -------------------------------------------- */

static void block_all_but_faults(sigset_t *before)
{
	static const int open[] = {
		SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS, SIGXCPU,
	};
	sigset_t set;

	sigfillset(&set);
	for (size_t i = 0; i < sizeof(open) / sizeof(open[0]); i++)
		sigdelset(&set, open[i]);
	pthread_sigmask(SIG_SETMASK, &set, before);
}

int rt_thread_start(pthread_t *thread, void *(*run)(void *arg), void *arg)
{
	size_t least = (size_t)sysconf(_SC_THREAD_STACK_MIN);
	pthread_attr_t attr;
	sigset_t before;

	int err = pthread_attr_init(&attr);

	if (err)
		return -err;
	pthread_attr_setstacksize(&attr, least > RT_STACK_BYTES ? least : RT_STACK_BYTES);
	block_all_but_faults(&before);
	err = pthread_create(thread, &attr, run, arg);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attr);
	return -err;
}

/* Below the stack pointer nothing lives yet, so every page may be rewritten
 * with what it holds. */
static void touch(volatile char *from, const volatile char *to)
{
	const size_t page_bytes = 4096;

	for (; from < to; from += page_bytes)
		*from = *from;
}

int rt_prefault_stack(void)
{
	pthread_attr_t attr;
	void *stack;
	size_t bytes;
	volatile char here = 0;

	int err = pthread_getattr_np(pthread_self(), &attr);

	if (err)
		return -err;
	err = pthread_attr_getstack(&attr, &stack, &bytes);
	pthread_attr_destroy(&attr);
	if (err)
		return -err;
	touch(stack, &here);
	return rt_lock_range(stack, bytes);
}

int rt_use_altstack(void *memory)
{
	const stack_t stack = {
		.ss_sp = memory, .ss_size = RT_ALTSTACK_BYTES,
		.ss_flags = memory ? 0 : SS_DISABLE,
	};

	return sigaltstack(&stack, NULL) ? -errno : 0;
}

struct range {
	const void *memory;
	size_t bytes;
};

static int lock(void *arg)
{
	const struct range *range = arg;

	return mlock(range->memory, range->bytes) ? -errno : 0;
}

int rt_lock_range(const void *memory, size_t bytes)
{
	struct range range = { memory, bytes };

	return try_twice(CAP_IPC_LOCK, lock, &range);
}
