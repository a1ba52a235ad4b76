/* doctor_checks.c - the questions of `jitterscope doctor`; see doctor.h. */
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "src/blame.h"
#include "src/cpuset.h"
#include "src/doctor.h"
#include "src/fds.h"
#include "src/procfile.h"
#include "src/rt.h"
#include "src/sysinfo.h"
#include "src/text.h"
#include "src/tier.h"

#define COST_MOST_NS (200 * NS_PER_US)	/* of a wake-up: 20 % of a CPU at 1 kHz */

/* Both are asked for by several rows and neither changes meanwhile. */
static const struct rt_rights *rights(void)
{
	static struct rt_rights found;
	static bool asked;

	if (!asked)
		rt_prepare(RT_PRIORITY_DEFAULT, &found);
	asked = true;
	return &found;
}

/* The one command that cures most of it, for this very program; where it has been
 * given and is of no use, what is in its way. */
static const char *setcap(void)
{
	static char line[320];
	char path[200];
	const char *ignored = strstr(rights()->why.text, "capabilities are ignored");
	const char *remedy = ignored ? strstr(ignored, "; ") : NULL;

	if (remedy)
		return remedy + 2;
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);

	path[n > 0 ? n : 0] = '\0';
	snprintf(line, sizeof(line), "sudo setcap cap_sys_nice,cap_ipc_lock,cap_perfmon=p %s",
		 *path ? path : "PATH");
	return line;
}

static const struct sysinfo *machine(void)
{
	static struct sysinfo found;
	static bool asked;

	if (!asked)
		sysinfo_read(&found);
	asked = true;
	return &found;
}

static const struct doctor_trial *trial(void)
{
	static struct doctor_trial found;
	static bool asked;

	if (!asked)
		doctor_trial_run(rights(), cpuset_next(&machine()->allowed, -1), &found);
	asked = true;
	return &found;
}

static void look_real_time(struct finding *f)
{
	const struct rt_rights *r = rights();
	const struct doctor_trial *t = trial();

	if (!r->fifo)
		finding_why(f, DOCTOR_BAD, &r->why);
	else if (t->granted.policy != SCHED_FIFO)
		finding_why(f, DOCTOR_BAD, &t->why);
	else if (t->granted.priority < RT_PRIORITY_DEFAULT)
		finding_why(f, DOCTOR_NOTE, &r->why);
	else
		finding_set(f, DOCTOR_OK, NULL, "SCHED_FIFO %d granted", t->granted.priority);
}

/* Measured, not guessed: a thread woke for a moment. */
static void look_cost(struct finding *f)
{
	const struct doctor_trial *t = trial();
	char cpu[16], p50[16], max[16];

	if (!t->ran) {
		finding_why(f, DOCTOR_NOTE, &t->why);
		return;
	}
	finding_set(f, t->cpu_ns > COST_MOST_NS ? DOCTOR_NOTE : DOCTOR_OK,
		    t->cpu_ns > COST_MOST_NS ? "measure less often: -i 10ms" : NULL,
		    "%s of CPU a wake-up, %.1f %% of a CPU at 1 kHz; "
		    "%u wake-ups: median %s, max %s late",
		    text_time(cpu, sizeof(cpu), t->cpu_ns), (double)t->cpu_ns / 1e4, t->wakes,
		    text_time(p50, sizeof(p50), t->p50_ns), text_time(max, sizeof(max), t->max_ns));
}

static void look_back_stop(struct finding *f)
{
	char text[32];
	long long runtime_us = 0;

	if (!procfile_line("/proc/sys/kernel/sched_rt_runtime_us", text, sizeof(text))) {
		finding_set(f, DOCTOR_NOTE, NULL, "sched_rt_runtime_us unknown");
		return;
	}
	runtime_us = strtoll(text, NULL, 10);
	if (runtime_us == 0)
		finding_set(f, DOCTOR_BAD, "sudo sysctl kernel.sched_rt_runtime_us=950000",
			    "sched_rt_runtime_us is 0: real-time threads never run");
	else if (runtime_us < 0)
		finding_set(f, DOCTOR_NOTE, "sudo sysctl kernel.sched_rt_runtime_us=950000",
			    "sched_rt_runtime_us is -1: nothing stops a real-time thread that "
			    "spins; one CPU is left without sampler");
	else
		finding_set(f, DOCTOR_OK, NULL, "%lld us of each second for real-time threads",
			    runtime_us);
}

static bool can_pin(int cpu, const struct cpuset *back)
{
	struct cpuset one;

	cpuset_clear(&one);
	cpuset_add(&one, cpu);
	int err = cpuset_pin(0, &one, NULL);

	cpuset_pin(0, back, NULL);
	return !err;
}

static void look_cpus(struct finding *f)
{
	const struct sysinfo *m = machine();
	struct cpuset out;
	char allowed[160], left_out[120];

	cpuset_clear(&out);
	cpuset_each(cpu, &m->online) {
		if (!can_pin(cpu, &m->allowed))
			cpuset_add(&out, cpu);
	}
	cpuset_brief(&m->allowed, allowed, sizeof(allowed));
	cpuset_brief(&out, left_out, sizeof(left_out));
	if (cpuset_count(&out))
		finding_set(f, DOCTOR_NOTE, "start outside the container or widen its cpuset",
			    "allowed %s; online but refused %s", allowed, left_out);
	else
		finding_set(f, DOCTOR_OK, NULL, "allowed %s; every online CPU can be pinned to",
			    allowed);
}

static void look_isolated(struct finding *f)
{
	const struct sysinfo *m = machine();
	char list[160];

	cpuset_brief(&m->isolated, list, sizeof(list));
	finding_set(f, DOCTOR_OK, NULL, "isolated CPUs: %s", *list ? list : "none");
}

static void look_memory(struct finding *f)
{
	const struct rt_rights *r = rights();

	if (r->lock == RT_LOCK_ALL) {
		finding_set(f, DOCTOR_OK, NULL, "all memory is locked");
		return;
	}
	finding_why(f, DOCTOR_NOTE, &r->lock_why);
	if (!trial()->locked)
		finding_set(f, DOCTOR_NOTE, "", "no memory is locked: the memlock limit does not "
			    "even hold a sampler; it may wait for a page");
	snprintf(f->fix, sizeof(f->fix), "%s", setcap());
}

/* Which file forbids it, when one does. */
static const char *namespace_remedy(int err)
{
	char text[32];

	if (err == -ENOSPC)
		return "raise sysctl user.max_pid_namespaces and user.max_user_namespaces";
	if (procfile_line("/proc/sys/kernel/unprivileged_userns_clone", text, sizeof(text)) &&
	    *text == '0')
		return "sudo sysctl kernel.unprivileged_userns_clone=1";
	if (procfile_line("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", text,
			  sizeof(text)) && *text == '1')
		return "sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0";
	return "run as root or allow namespaces; loads work in the weaker tier";
}

static void look_clean_up(struct finding *f)
{
	int err = tier_try_namespace();

	if (!err) {
		finding_set(f, DOCTOR_OK, NULL, "ns: a pid namespace for each load");
		return;
	}
	finding_set(f, DOCTOR_NOTE, namespace_remedy(err),
		    "subreaper: loads may survive when all of jitterscope is killed; "
		    "no pid namespace: %s", strerror(-err));
	f->err = -err;
}

/* Its line is "LEVEL: ...; not NEXT: why; what to do". */
static void look_blame(struct finding *f)
{
	struct why how = { 0, "" };

	fds_raise_limit();	/* as measuring does */
	struct blame *b = blame_new(&machine()->allowed, BLAME_LEVEL_TRACEPOINTS);

	if (!b) {
		finding_set(f, DOCTOR_NOTE, "close something", "no memory to ask");
		return;
	}
	blame_how(b, how.text, sizeof(how.text));
	finding_why(f, DOCTOR_NOTE, &how);
	if (blame_level(b) == BLAME_LEVEL_TRACEPOINTS)
		f->level = DOCTOR_OK;
	if (blame_level(b) < BLAME_LEVEL_SWITCH && geteuid() != 0 &&
	    strstr(how.text, "cap_perfmon"))
		snprintf(f->fix, sizeof(f->fix), "%s", setcap());
	blame_free(b);
}

static void look_idle(struct finding *f)
{
	const struct sysinfo *m = machine();

	if (!access("/dev/cpu_dma_latency", W_OK) && m->idle_exit_ns)
		finding_set(f, DOCTOR_OK, NULL, "left alone, down to %s (%lld us to leave); "
			    "--hold-cstates can hold them", m->idle_state,
			    (long long)(m->idle_exit_ns / NS_PER_US));
	else if (!access("/dev/cpu_dma_latency", W_OK))
		finding_set(f, DOCTOR_OK, NULL, "left alone; --hold-cstates can hold them");
	else
		finding_set(f, DOCTOR_OK, NULL, "left alone; --hold-cstates would be refused: %s",
			    strerror(errno));
}

static void look_governor(struct finding *f)
{
	const char *g = machine()->governor;

	if (!*g || !strcmp(g, "unknown"))
		finding_set(f, DOCTOR_OK, NULL, "no frequency governor here");
	else if (!strcmp(g, "performance"))
		finding_set(f, DOCTOR_OK, NULL, "governor performance");
	else
		finding_set(f, DOCTOR_NOTE, "sudo cpupower frequency-set -g performance",
			    "governor %s: the frequency follows load, an idle machine wakes slower",
			    g);
}

static void look_clock(struct finding *f)
{
	const char *name = machine()->clocksource;
	bool fast = !strcmp(name, "tsc") || !strcmp(name, "kvm-clock") ||
		    !strcmp(name, "arch_sys_counter") || !strncmp(name, "hyperv", 6);

	if (fast || !*name)
		finding_set(f, DOCTOR_OK, NULL, "clocksource %s", *name ? name : "unknown");
	else
		finding_set(f, DOCTOR_NOTE, "see the kernel log for why tsc is not used",
			    "clocksource %s: reading the clock is slow here", name);
}

static void look_kernel(struct finding *f)
{
	const struct sysinfo *m = machine();
	char hz[24] = "HZ unknown", fix[160];

	if (m->hz)
		snprintf(hz, sizeof(hz), "%d Hz", m->hz);
	doctor_preempt_fix(m, fix, sizeof(fix));
	finding_set(f, fix[0] ? DOCTOR_NOTE : DOCTOR_OK, fix, "%s, preemption %s, %s", m->kernel,
		    m->preempt, hz);
}

static void look_machine(struct finding *f)
{
	const char *virtual = machine()->virtualization;

	if (*virtual)
		finding_set(f, DOCTOR_NOTE, "measure on the host for the hardware's own figures",
			    "virtual (%s): the host may pause all CPUs; steal is marked",
			    virtual);
	else
		finding_set(f, DOCTOR_OK, NULL, "no hypervisor seen");
}

static void look_scratch(struct finding *f)
{
	const char *dir = getenv("TMPDIR");
	struct statfs fs;

	if (!dir || !*dir)
		dir = "/var/tmp";
	if (access(dir, W_OK | X_OK) || statfs(dir, &fs))
		finding_set(f, DOCTOR_NOTE, "name a folder with --scratch",
			    "%s: %s; file loads cannot run", dir, strerror(errno));
	else if (fs.f_type == TMPFS_MAGIC)
		finding_set(f, DOCTOR_NOTE, "name a folder on a disk with --scratch",
			    "%s is memory: file loads would not meet a disk", dir);
	else
		finding_set(f, DOCTOR_OK, NULL, "%s, %llu MB free", dir,
			    (unsigned long long)fs.f_bavail * (unsigned long long)fs.f_bsize /
			    1000000);
}

const struct doctor_check doctor_checks[] = {
	{ "real time", true, look_real_time },
	{ "back-stop", true, look_back_stop },
	{ "cpus", false, look_cpus },
	{ "isolated", false, look_isolated },
	{ "memory", false, look_memory },
	{ "cost", false, look_cost },
	{ "clean-up", false, look_clean_up },
	{ "blame", false, look_blame },
	{ "idle states", false, look_idle },
	{ "governor", false, look_governor },
	{ "clock", false, look_clock },
	{ "kernel", false, look_kernel },
	{ "machine", false, look_machine },
	{ "scratch", false, look_scratch },
	{ NULL, false, NULL },
};
