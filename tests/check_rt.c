/* check_rt.c - rights: causes of a refusal told apart, and the real kernel. */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/capability.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/clock.h"
#include "src/rt.h"
#include "src/rt_cause.h"
#include "tests/skip.h"

#define NICE_CAP (UINT64_C(1) << CAP_SYS_NICE)
#define NOBODY 65534
#define UNLIMITED UINT64_MAX

/* ---- judging facts ------------------------------------------------------- */

/* A system on which nothing stands in the way. */
static struct rt_facts permissive(void)
{
	return (struct rt_facts){
		.cap_permitted = NICE_CAP, .cap_effective = NICE_CAP, .cap_bounding = UINT64_MAX,
		.rtprio_hard = 0, .rttime_hard_us = UNLIMITED, .sched_rt_runtime_us = 950000,
		.cgroup_runtime_us = INT64_MIN, .program = "/usr/bin/jitterscope",
	};
}

static void user_namespace(struct rt_facts *f) { f->user_namespace = true; }
static void bounding(struct rt_facts *f) { f->cap_bounding &= ~NICE_CAP; }
static void no_caps(struct rt_facts *f)
{
	f->cap_permitted = f->cap_effective = f->rtprio_hard = 0;
}

static void low_limit(struct rt_facts *f) { no_caps(f); f->rtprio_hard = 10; }
static void filter(struct rt_facts *f) { f->seccomp = 2; }
static void short_rttime(struct rt_facts *f) { f->rttime_hard_us = 19999; }
static void no_runtime(struct rt_facts *f) { f->sched_rt_runtime_us = 0; }
static void nothing(struct rt_facts *f) { (void)f; }

static void sandboxed(struct rt_facts *f)
{
	no_caps(f);
	f->file_caps = f->no_new_privs = true;
}

static void nosuid_mount(struct rt_facts *f)
{
	no_caps(f);
	f->file_caps = f->nosuid = true;
}

static void traced(struct rt_facts *f)
{
	no_caps(f);
	f->file_caps = f->traced = true;
}

static void cgroup1(struct rt_facts *f)
{
	f->cgroup1 = true;
	f->cgroup_runtime_us = 0;
	strcpy(f->cgroup_file, "/sys/fs/cgroup/cpu/box/cpu.rt_runtime_us");
}

static void cgroup2(struct rt_facts *f)
{
	f->rt_group_sched = f->cgroup2_inner = true;
}

static const struct {
	void (*spoil)(struct rt_facts *f);
	enum rt_cause cause;
	const char *says, *remedy;
} causes[] = {
	{ user_namespace, RT_CAUSE_USER_NAMESPACE, "user namespace", "rootless" },
	{ bounding, RT_CAUSE_BOUNDING_SET, "dropped CAP_SYS_NICE", "--cap-add=SYS_NICE" },
	{ sandboxed, RT_CAUSE_FILE_CAPS, "NoNewPrivs", "sandbox" },
	{ nosuid_mount, RT_CAUSE_FILE_CAPS, "nosuid", "without nosuid" },
	{ traced, RT_CAUSE_FILE_CAPS, "traced", "do not trace" },
	{ no_caps, RT_CAUSE_NO_RIGHT, "no right", "sudo setcap cap_sys_nice,cap_ipc_lock,"
		"cap_perfmon=p /usr/bin/jitterscope" },
	{ low_limit, RT_CAUSE_LIMIT, "10, wanted 80", "limits.d" },
	{ cgroup1, RT_CAUSE_CGROUP1, "box/cpu.rt_runtime_us is 0", "cgroup.procs" },
	{ cgroup2, RT_CAUSE_CGROUP2, "RT_GROUP_SCHED", "rt_group_sched=0" },
	{ filter, RT_CAUSE_SECCOMP, "seccomp", "RestrictRealtime=no" },
	{ short_rttime, RT_CAUSE_RTTIME, "19999 us", "LimitRTTIME=infinity" },
	{ no_runtime, RT_CAUSE_NO_RUNTIME, "sched_rt_runtime_us is 0", "950000" },
	{ nothing, RT_CAUSE_UNKNOWN, "Operation not permitted", "doctor" },
};
#define NR_CAUSES (int)(sizeof(causes) / sizeof(causes[0]))

/* F27: causes of one errno are told apart. */
START_TEST(each_cause_is_named_with_one_remedy)
{
	struct rt_facts f = permissive();
	struct why why;

	causes[_i].spoil(&f);
	ck_assert_int_eq(rt_explain(&f, 80, -EPERM, &why), causes[_i].cause);
	ck_assert_int_eq(why.err, -EPERM);
	ck_assert_msg(strstr(why.text, causes[_i].says) != NULL, "%s", why.text);
	const char *remedy = strchr(why.text, ';');

	ck_assert_ptr_nonnull(remedy);
	ck_assert_msg(strstr(remedy, causes[_i].remedy) != NULL, "%s", why.text);
	ck_assert_ptr_null(strchr(remedy + 1, ';'));
}
END_TEST

START_TEST(the_first_of_two_causes_wins)
{
	for (int later = _i; later < NR_CAUSES; later++) {
		struct rt_facts f = permissive();

		causes[later].spoil(&f);
		causes[_i].spoil(&f);
		enum rt_cause cause = rt_explain(&f, 80, -EPERM, NULL);

		ck_assert_int_le(cause, causes[_i].cause);
	}
}
END_TEST

START_TEST(a_group_with_a_runtime_is_not_blamed)
{
	struct rt_facts f = permissive();

	cgroup1(&f);
	f.cgroup_runtime_us = 950000;
	ck_assert_int_eq(rt_explain(&f, 80, -EPERM, NULL), RT_CAUSE_UNKNOWN);
	cgroup2(&f);	/* v1 is in charge: v2 cannot be the cause */
	ck_assert_int_eq(rt_explain(&f, 80, -EPERM, NULL), RT_CAUSE_UNKNOWN);
}
END_TEST

/* ---- reading facts from a tree of our own -------------------------------- */

static char root[] = "/tmp/check_rt.XXXXXX";

static void put(const char *path, const char *text)
{
	char full[512];

	snprintf(full, sizeof(full), "%s%s", root, path);
	for (char *at = full + strlen(root) + 1; (at = strchr(at, '/')); at++) {
		*at = '\0';
		mkdir(full, 0755);
		*at = '/';
	}
	FILE *f = fopen(full, "w");

	ck_assert_ptr_nonnull(f);
	fputs(text, f);
	fclose(f);
}

static void make_tree(void)
{
	ck_assert_ptr_nonnull(mkdtemp(root));
	put("/proc/self/uid_map", "         0          0 4294967295\n");
	put("/proc/self/status",
	    "Name:\tx\nTracerPid:\t0\nCapPrm:\t000001ffffffffff\nCapEff:\t0000000000800000\n"
	    "CapBnd:\t000001ffffffffff\nNoNewPrivs:\t0\nSeccomp:\t0\nSeccomp_filters:\t3\n");
	put("/proc/self/cgroup", "0::/\n");
	put("/proc/self/mountinfo", "");
	put("/proc/cmdline", "quiet\n");
	put("/proc/sys/kernel/sched_rt_runtime_us", "950000\n");
}

static void remove_tree(void)
{
	char command[64];

	snprintf(command, sizeof(command), "rm -rf %s", root);
	ck_assert_int_eq(system(command), 0);
}

static struct rt_facts facts;

static void read_tree(void)
{
	rt_facts_read(root, &facts);
}

START_TEST(a_plain_system_reads_as_one)
{
	read_tree();
	ck_assert(!facts.user_namespace);
	ck_assert_uint_eq(facts.cap_permitted, 0x1ffffffffff);
	ck_assert_uint_eq(facts.cap_effective, NICE_CAP);
	ck_assert(!facts.no_new_privs && !facts.traced);
	ck_assert_int_eq(facts.seccomp, 0);
	ck_assert(!facts.cgroup1 && !facts.cgroup2_inner && !facts.rt_group_sched);
	ck_assert_int_eq(facts.sched_rt_runtime_us, 950000);
}
END_TEST

static const struct { const char *map; bool inside; } maps[] = {
	{ "         0          0 4294967295\n", false },
	{ "         0       1000          1\n", true },
	{ "         0     100000      65536\n", true },
	{ "         0          0      65536\n", true },
	{ "", true },
};

START_TEST(user_namespaces_are_seen_in_the_map)
{
	put("/proc/self/uid_map", maps[_i].map);
	read_tree();
	ck_assert_int_eq(facts.user_namespace, maps[_i].inside);
}
END_TEST

START_TEST(status_lines_are_read)
{
	put("/proc/self/status",
	    "Name:\tNoNewPrivs: 0\nTracerPid:\t42\nCapPrm:\t0\nCapEff:\t0\n"
	    "CapBnd:\t00000000a80425fb\nNoNewPrivs:\t1\nSeccomp:\t2\n");
	read_tree();
	ck_assert(facts.no_new_privs && facts.traced);
	ck_assert_int_eq(facts.seccomp, 2);
	ck_assert_uint_eq(facts.cap_bounding & NICE_CAP, 0);
}
END_TEST

static const struct { const char *top, *group, *file; } groups[] = {
	{ "/", "/box", "/sys/fs/cgroup/cpu/box/cpu.rt_runtime_us" },
	{ "/docker/abc", "/docker/abc", "/sys/fs/cgroup/cpu/cpu.rt_runtime_us" },
	{ "/docker/abc", "/docker/abc/in", "/sys/fs/cgroup/cpu/in/cpu.rt_runtime_us" },
};

START_TEST(the_v1_runtime_file_of_our_group_is_found)
{
	char line[256];

	snprintf(line, sizeof(line), "9:cpuset:/other\n4:cpu,cpuacct:%s\n0::/\n", groups[_i].group);
	put("/proc/self/cgroup", line);
	snprintf(line, sizeof(line),
		 "30 25 0:26 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n"
		 "31 25 0:27 %s /sys/fs/cgroup/cpu rw,nosuid shared:9 - cgroup cgroup "
		 "rw,cpu,cpuacct\n", groups[_i].top);
	put("/proc/self/mountinfo", line);
	put(groups[_i].file, "0\n");
	read_tree();
	ck_assert(facts.cgroup1);
	ck_assert_str_eq(facts.cgroup_file, groups[_i].file);
	ck_assert_int_eq(facts.cgroup_runtime_us, 0);
	put(groups[_i].file, "950000\n");
	read_tree();
	ck_assert_int_eq(facts.cgroup_runtime_us, 950000);
}
END_TEST

START_TEST(v2_with_group_scheduling)
{
	put("/proc/self/cgroup", "0::/user.slice/session-1.scope\n");
	put("/proc/config.gz", "CONFIG_A=y\nCONFIG_RT_GROUP_SCHED=y\n");
	read_tree();
	ck_assert(!facts.cgroup1 && facts.cgroup2_inner && facts.rt_group_sched);
	put("/proc/cmdline", "quiet rt_group_sched=0\n");
	read_tree();
	ck_assert(!facts.rt_group_sched);
	put("/proc/cmdline", "quiet\n");
	put("/proc/config.gz", "CONFIG_RT_GROUP_SCHED_NOT=y\n# CONFIG_RT_GROUP_SCHED is not set\n");
	read_tree();
	ck_assert(!facts.rt_group_sched);
}
END_TEST

START_TEST(an_empty_root_is_unknown_and_no_crash)
{
	struct why why;

	rt_facts_read("/nonexistent", &facts);
	ck_assert_int_eq(facts.sched_rt_runtime_us, INT64_MIN);
	rt_explain(&facts, 80, -EPERM, &why);
	ck_assert_int_gt(strlen(why.text), 0);
	ck_assert_int_eq(rt_fatal("/nonexistent", NULL), 0);
}
END_TEST

START_TEST(a_runtime_of_nothing_is_fatal)
{
	struct why why;

	ck_assert_int_eq(rt_fatal(root, &why), 0);
	put("/proc/sys/kernel/sched_rt_runtime_us", "0\n");
	ck_assert_int_eq(rt_fatal(root, &why), -EPERM);
	ck_assert_ptr_nonnull(strstr(why.text, "sched_rt_runtime_us"));
	put("/proc/sys/kernel/sched_rt_runtime_us", "-1\n");
	ck_assert_int_eq(rt_fatal(root, &why), 0);
}
END_TEST

/* ---- the real kernel; each test runs in a process of its own -------------- */

static bool fifo_here(const char *test)
{
	struct rt_rights rights;

	rt_prepare(80, &rights);
	return rights.fifo || skip_test(test, rights.why.text);
}

static bool set_limit(const char *test, int resource, rlim_t soft, rlim_t hard)
{
	struct rlimit limit = { soft, hard };

	if (setrlimit(resource, &limit) == 0)
		return true;
	ck_assert_int_eq(errno, EPERM);
	return skip_test(test, "may not raise a limit");
}

/* Gives up being root; keep: capabilities that stay permitted. */
static void become_nobody(const cap_value_t *keep, int nr_keep)
{
	cap_t caps = cap_init();

	prctl(PR_SET_KEEPCAPS, 1);
	ck_assert_int_eq(setresgid(NOBODY, NOBODY, NOBODY), 0);
	ck_assert_int_eq(setresuid(NOBODY, NOBODY, NOBODY), 0);
	cap_set_flag(caps, CAP_PERMITTED, nr_keep, keep, CAP_SET);
	ck_assert_int_eq(cap_set_proc(caps), 0);
	cap_free(caps);
}

static bool permitted(int capability)
{
	cap_t caps = cap_get_proc();
	cap_flag_value_t value = CAP_CLEAR;

	cap_get_flag(caps, capability, CAP_PERMITTED, &value);
	cap_free(caps);
	return value == CAP_SET;
}

/* F26: what is shown comes from the kernel. */
START_TEST(what_was_granted_is_read_back)
{
	struct rt_granted granted, again;

	if (!fifo_here(__func__))
		return;
	ck_assert_int_eq(rt_become_fifo(33, &granted, NULL), 0);
	ck_assert_int_eq(granted.policy, SCHED_FIFO);
	ck_assert_int_eq(granted.priority, 33);
	ck_assert(granted.reset_on_fork);
	ck_assert_int_eq(rt_read_back(getpid(), &again), 0);
	ck_assert_int_eq(again.priority, 33);
	ck_assert_int_eq(rt_demote(0), 0);
	ck_assert_int_eq(rt_read_back(0, &again), 0);
	ck_assert_int_eq(again.policy, SCHED_OTHER);
	ck_assert_str_eq(rt_policy_name(granted.policy), "SCHED_FIFO");
}
END_TEST

/* F31: the kernel's own threads live there. */
START_TEST(priority_99_is_never_taken)
{
	struct rt_granted granted;

	if (!fifo_here(__func__))
		return;
	ck_assert_int_eq(rt_become_fifo(99, &granted, NULL), 0);
	ck_assert_int_le(granted.priority, 98);
}
END_TEST

START_TEST(children_do_not_inherit_real_time)
{
	struct rt_granted granted;
	int status;

	if (!fifo_here(__func__))
		return;
	ck_assert_int_eq(rt_become_fifo(20, &granted, NULL), 0);
	pid_t child = fork();

	if (child == 0)
		_exit(sched_getscheduler(0) == SCHED_OTHER ? 0 : 1);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
}
END_TEST

START_TEST(an_ordinary_thread_has_no_slack)
{
	int nice_before = getpriority(PRIO_PROCESS, 0);
	struct rt_granted granted;

	ck_assert_int_eq(rt_become_other(&granted), 0);
	ck_assert_int_eq(granted.policy, SCHED_OTHER);
	ck_assert(granted.nice == 0 || granted.nice == nice_before);	/* it may not be lowered */
	ck_assert_int_eq(granted.slack_ns, 1);
}
END_TEST

START_TEST(without_any_right_it_stays_ordinary_and_says_why)
{
	int nice_before = getpriority(PRIO_PROCESS, 0);
	struct rt_rights rights;

	if (!SKIP_UNLESS_ROOT())
		return;
	set_limit(__func__, RLIMIT_RTPRIO, 0, 0);
	set_limit(__func__, RLIMIT_NICE, 0, 0);
	become_nobody(NULL, 0);
	rt_prepare(80, &rights);
	ck_assert(!rights.fifo);
	ck_assert_int_eq(rights.priority, 0);
	ck_assert_msg(strstr(rights.why.text, "setcap") != NULL, "%s", rights.why.text);
	ck_assert_int_eq(rt_best_nice(), nice_before);
}
END_TEST

START_TEST(a_limit_of_ten_gives_ten_and_says_so)
{
	struct rt_rights rights;

	/* The soft limit has to be raised first. */
	if (!SKIP_UNLESS_ROOT() || !fifo_here(__func__) || !set_limit(__func__, RLIMIT_RTPRIO, 0, 10))
		return;
	become_nobody(NULL, 0);
	rt_prepare(80, &rights);
	ck_assert(rights.fifo);
	ck_assert_int_eq(rights.priority, 10);
	ck_assert_msg(strstr(rights.why.text, "10, wanted 80") != NULL, "%s", rights.why.text);
}
END_TEST

START_TEST(a_permitted_capability_is_raised_and_dropped_again)
{
	const cap_value_t keep[] = { CAP_SYS_NICE, CAP_IPC_LOCK, CAP_CHOWN };
	struct rt_rights rights;
	struct rt_granted granted;

	if (!SKIP_UNLESS_ROOT() || !fifo_here(__func__))
		return;
	set_limit(__func__, RLIMIT_RTPRIO, 0, 0);
	become_nobody(keep, 3);
	rt_prepare(80, &rights);
	ck_assert(rights.fifo);
	ck_assert_int_eq(rights.priority, 80);
	ck_assert_int_eq(rights.lock, RT_LOCK_ALL);
	ck_assert(permitted(CAP_SYS_NICE));
	ck_assert(!permitted(CAP_CHOWN));
	ck_assert_int_eq(rt_become_fifo(40, &granted, NULL), 0);
	ck_assert_int_eq(granted.priority, 40);
	struct sched_param param = { .sched_priority = 41 };

	ck_assert_int_eq(sched_setscheduler(0, SCHED_FIFO, &param), -1);
	/* The reset flag cannot be cleared without rights: it must be asked for. */
	ck_assert_int_eq(rt_demote(0), 0);
}
END_TEST

/* The next thread must start whatever is locked. */
static void *set_flag(void *arg)
{
	*(bool *)arg = rt_prefault_stack() == 0;
	return NULL;
}

static const struct { rlim_t limit_bytes; bool cap; enum rt_lock lock; } locks[] = {
	{ RLIM_INFINITY, false, RT_LOCK_ALL },
	{ 8 << 20, false, RT_LOCK_SAMPLERS },
	{ 64 << 10, false, RT_LOCK_SAMPLERS },
	{ 0, false, RT_LOCK_NONE },
	{ 64 << 10, true, RT_LOCK_ALL },
	{ 0, true, RT_LOCK_ALL },
};

/* F32: what is locked leaves room for stacks. */
START_TEST(threads_start_under_every_memory_limit)
{
#ifdef JS_ASAN
	SKIP("the sanitizer's allocator maps more than any of these limits");
	return;
#endif
	const cap_value_t keep[] = { CAP_IPC_LOCK };
	struct rt_rights rights;
	pthread_t thread[8];
	bool locked[8];

	if (!SKIP_UNLESS_ROOT() ||
	    !set_limit(__func__, RLIMIT_MEMLOCK, locks[_i].limit_bytes, locks[_i].limit_bytes))
		return;
	become_nobody(keep, locks[_i].cap);
	rt_prepare(80, &rights);
#ifndef JS_TSAN	/* where mlock does nothing */
	ck_assert_int_eq(rights.lock, locks[_i].lock);
	ck_assert_int_eq(rights.lock == RT_LOCK_ALL, rights.lock_why.text[0] == '\0');
#endif
	for (int i = 0; i < 8; i++)
		ck_assert_int_eq(rt_thread_start(&thread[i], set_flag, &locked[i]), 0);
	for (int i = 0; i < 8; i++) {
		pthread_join(thread[i], NULL);
		if (locks[_i].lock == RT_LOCK_ALL)
			ck_assert(locked[i]);
	}
}
END_TEST

static const struct { rlim_t hard_us, soft_us; } rttimes[] = {
	{ RLIM_INFINITY, 100000 }, { 200000, 100000 }, { 100000, 50000 }, { 20000, 10000 },
};

/* F29: the kernel kills at the hard one. */
START_TEST(only_the_soft_rttime_limit_is_set)
{
	struct rlimit limit;

	if (!fifo_here(__func__) || !set_limit(__func__, RLIMIT_RTTIME, rttimes[_i].hard_us, rttimes[_i].hard_us))
		return;
	rt_restore_rttime();
	ck_assert_int_eq(getrlimit(RLIMIT_RTTIME, &limit), 0);
	ck_assert_uint_eq(limit.rlim_cur, rttimes[_i].soft_us);
	ck_assert_uint_eq(limit.rlim_max, rttimes[_i].hard_us);
}
END_TEST

/* F30: an inherited limit of 0 would kill. */
START_TEST(a_fatal_rttime_limit_refuses_real_time)
{
	struct rt_rights rights;

	if (!set_limit(__func__, RLIMIT_RTTIME, (rlim_t)_i * 19999, (rlim_t)_i * 19999))
		return;
	rt_prepare(80, &rights);
	ck_assert(!rights.fifo);
	ck_assert_msg(strstr(rights.why.text, "RLIMIT_RTTIME") != NULL, "%s", rights.why.text);
}
END_TEST

struct spinner {
	_Atomic int64_t demoted_ns;
	_Atomic bool demoted;
	pid_t tid;
};

/* Spins until it finds itself demoted, at most 10 s. */
static void *spin(void *arg)
{
	struct spinner *s = arg;
	struct rt_granted granted;
	int64_t until_ns = clock_now_ns() + 10 * NS_PER_S;

	s->tid = gettid();
	rt_note_xcpu(&s->demoted_ns, NULL);
	rt_become_fifo(50, &granted, NULL);
	while (atomic_load(&s->demoted_ns) == 0 && clock_now_ns() < until_ns)
		;
	rt_read_back(0, &granted);
	atomic_store(&s->demoted, granted.policy == SCHED_OTHER);
	return NULL;
}

/* F29, P5: twice: the kernel raises the soft limit at each signal. */
START_TEST(a_thread_that_spins_is_demoted_and_named)
{
	static struct spinner s;
	pthread_t thread;
	pid_t tid;

	if (!fifo_here(__func__) || !set_limit(__func__, RLIMIT_RTTIME, 200000, 200000))
		return;
	for (unsigned round = 1; round <= 2; round++) {
		rt_restore_rttime();
		atomic_store(&s.demoted_ns, 0);
		ck_assert_int_eq(rt_thread_start(&thread, spin, &s), 0);
		pthread_join(thread, NULL);
		ck_assert(atomic_load(&s.demoted));
		ck_assert_uint_eq(rt_xcpu_count(&tid), round);
		ck_assert_int_eq(tid, s.tid);
	}
}
END_TEST

/* A real v1 group without runtime, where the machine has them. */
START_TEST(a_real_group_without_runtime_is_named)
{
	struct rt_rights rights;
	char box[64], path[128];

	if (!SKIP_UNLESS_ROOT() || !fifo_here(__func__))
		return;
	snprintf(box, sizeof(box), "/sys/fs/cgroup/cpu/jitterscope-check-rt-%d", (int)getpid());
	snprintf(path, sizeof(path), "%s/cpu.rt_runtime_us", box);
	if (mkdir(box, 0755) || access(path, F_OK)) {
		rmdir(box);
		SKIP("no cgroup v1 cpu controller with real-time groups");
		return;
	}
	pid_t child = fork();

	if (child == 0) {
		snprintf(path, sizeof(path), "%s/cgroup.procs", box);
		FILE *f = fopen(path, "w");

		if (!f || fprintf(f, "%d\n", getpid()) < 0 || fclose(f))
			_exit(2);
		rt_prepare(80, &rights);
		_exit(!rights.fifo && strstr(rights.why.text, box) ? 0 : 1);
	}
	int status;

	waitpid(child, &status, 0);
	rmdir(box);
	ck_assert_int_eq(status, 0);
}
END_TEST

START_TEST(threads_start_with_only_faults_and_xcpu_open)
{
	sigset_t before, after;
	pthread_t thread;
	bool locked;

	pthread_sigmask(SIG_SETMASK, NULL, &before);
	ck_assert_int_eq(rt_thread_start(&thread, set_flag, &locked), 0);
	pthread_join(thread, NULL);
	pthread_sigmask(SIG_SETMASK, NULL, &after);
	for (int signo = 1; signo < 32; signo++)
		ck_assert_int_eq(sigismember(&before, signo), sigismember(&after, signo));
}
END_TEST

#define ROWS(table) (int)(sizeof(table) / sizeof((table)[0]))

Suite *rt_suite(void);
Suite *rt_suite(void)
{
	Suite *s = suite_create("rt");
	TCase *judge = tcase_create("judge");
	TCase *tree = tcase_create("tree");
	TCase *real = tcase_create("real");

	tcase_add_loop_test(judge, each_cause_is_named_with_one_remedy, 0, NR_CAUSES);
	tcase_add_loop_test(judge, the_first_of_two_causes_wins, 0, NR_CAUSES);
	tcase_add_test(judge, a_group_with_a_runtime_is_not_blamed);
	suite_add_tcase(s, judge);
	tcase_add_checked_fixture(tree, make_tree, remove_tree);
	tcase_add_test(tree, a_plain_system_reads_as_one);
	tcase_add_loop_test(tree, user_namespaces_are_seen_in_the_map, 0, ROWS(maps));
	tcase_add_test(tree, status_lines_are_read);
	tcase_add_loop_test(tree, the_v1_runtime_file_of_our_group_is_found, 0, ROWS(groups));
	tcase_add_test(tree, v2_with_group_scheduling);
	tcase_add_test(tree, an_empty_root_is_unknown_and_no_crash);
	tcase_add_test(tree, a_runtime_of_nothing_is_fatal);
	suite_add_tcase(s, tree);
	tcase_set_timeout(real, 60);
	tcase_add_test(real, what_was_granted_is_read_back);
	tcase_add_test(real, priority_99_is_never_taken);
	tcase_add_test(real, children_do_not_inherit_real_time);
	tcase_add_test(real, an_ordinary_thread_has_no_slack);
	tcase_add_test(real, without_any_right_it_stays_ordinary_and_says_why);
	tcase_add_test(real, a_limit_of_ten_gives_ten_and_says_so);
	tcase_add_test(real, a_permitted_capability_is_raised_and_dropped_again);
	tcase_add_loop_test(real, threads_start_under_every_memory_limit, 0, ROWS(locks));
	tcase_add_loop_test(real, only_the_soft_rttime_limit_is_set, 0, ROWS(rttimes));
	tcase_add_loop_test(real, a_fatal_rttime_limit_refuses_real_time, 0, 2);
	tcase_add_test(real, a_thread_that_spins_is_demoted_and_named);
	tcase_add_test(real, a_real_group_without_runtime_is_named);
	tcase_add_test(real, threads_start_with_only_faults_and_xcpu_open);
	suite_add_tcase(s, real);
	return s;
}
