/* rt_cause.c - see rt_cause.h. */
#include "src/rt_cause.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/capability.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <zlib.h>

#define UNKNOWN INT64_MIN
#define SETCAP "sudo setcap cap_sys_nice,cap_ipc_lock,cap_perfmon=p"

/* ---- reading ------------------------------------------------------------- */

static FILE *open_below(const char *root, const char *path)
{
	char full[PATH_MAX];

	snprintf(full, sizeof(full), "%s%s", root, path);
	return fopen(full, "re");
}

static int64_t read_number(const char *root, const char *path)
{
	FILE *f = open_below(root, path);
	long long value;

	if (!f)
		return UNKNOWN;
	int got = fscanf(f, "%lld", &value);

	fclose(f);
	return got == 1 ? value : UNKNOWN;
}

static uint64_t hard_limit(int resource)
{
	struct rlimit limit;

	if (getrlimit(resource, &limit) || limit.rlim_max == RLIM_INFINITY)
		return UINT64_MAX;
	return limit.rlim_max;
}

static void read_uid_map(const char *root, struct rt_facts *out)
{
	FILE *f = open_below(root, "/proc/self/uid_map");
	unsigned long inside, outside, count;

	if (!f)
		return;
	out->user_namespace = fscanf(f, "%lu %lu %lu", &inside, &outside, &count) != 3 ||
		inside != 0 || outside != 0 || count != 4294967295ul;
	fclose(f);
}

static void read_status(const char *root, struct rt_facts *out)
{
	FILE *f = open_below(root, "/proc/self/status");
	char line[256];
	unsigned long long mask;
	int n;

	if (!f)
		return;
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "CapPrm: %llx", &mask) == 1)
			out->cap_permitted = mask;
		else if (sscanf(line, "CapEff: %llx", &mask) == 1)
			out->cap_effective = mask;
		else if (sscanf(line, "CapBnd: %llx", &mask) == 1)
			out->cap_bounding = mask;
		else if (sscanf(line, "NoNewPrivs: %d", &n) == 1)
			out->no_new_privs = n != 0;
		else if (sscanf(line, "TracerPid: %d", &n) == 1)
			out->traced = n != 0;
		else if (sscanf(line, "Seccomp: %d", &n) == 1)
			out->seccomp = n;
	}
	fclose(f);
}

static void read_program(const char *root, struct rt_facts *out)
{
	char path[PATH_MAX], target[PATH_MAX];
	struct statvfs fs;

	snprintf(path, sizeof(path), "%s/proc/self/exe", root);
	ssize_t length = readlink(path, target, sizeof(target) - 1);

	if (length < 0)
		length = 0;
	target[length] = '\0';
	memcpy(out->program, target, (size_t)length + 1);
	out->file_caps = getxattr(path, "security.capability", NULL, 0) > 0;
	out->nosuid = statvfs(path, &fs) == 0 && (fs.f_flag & ST_NOSUID);
}

/* Is `word` one of the comma separated words of `list`? */
static bool has_word(const char *list, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = list; at; at = strchr(at, ',')) {
		at += *at == ',';
		if (strncmp(at, word, length) == 0 && strchr(",\n", at[length]))
			return true;
	}
	return false;
}

/* Our path in the v1 cpu hierarchy; *inner2: in a v2 group below the root. */
static bool read_cgroup(const char *root, char path[PATH_MAX], bool *inner2)
{
	FILE *f = open_below(root, "/proc/self/cgroup");
	char line[PATH_MAX + 64];
	bool found = false;

	while (f && fgets(line, sizeof(line), f)) {
		char *names = strchr(line, ':');
		char *group = names ? strchr(names + 1, ':') : NULL;

		if (!group)
			continue;
		*names++ = *group++ = '\0';
		group[strcspn(group, "\n")] = '\0';
		if (has_word(names, "cpu")) {
			snprintf(path, PATH_MAX, "%.*s", PATH_MAX - 1, group);
			found = true;
		} else if (*names == '\0') {
			*inner2 = strcmp(group, "/") != 0;
		}
	}
	if (f)
		fclose(f);
	return found;
}

/* One line of mountinfo: where is the v1 cpu controller mounted, and which
 * group is the top of that mount? */
static bool cpu_mount(char *line, char **top, char **point)
{
	char *rest = strstr(line, " - cgroup ");
	char *save, *options;

	if (!rest)
		return false;
	options = strrchr(rest, ' ');
	if (!options || !has_word(options + 1, "cpu"))
		return false;
	strtok_r(line, " ", &save);
	strtok_r(NULL, " ", &save);
	strtok_r(NULL, " ", &save);
	*top = strtok_r(NULL, " ", &save);
	*point = strtok_r(NULL, " ", &save);
	return *top && *point;
}

/* The runtime file of our own v1 group.  A container sees the hierarchy from
 * its own top, which is then taken off the path. */
static void find_cgroup_file(const char *root, const char *group, struct rt_facts *out)
{
	FILE *f = open_below(root, "/proc/self/mountinfo");
	char line[PATH_MAX * 2], *top, *point;

	while (f && fgets(line, sizeof(line), f)) {
		if (!cpu_mount(line, &top, &point))
			continue;
		size_t length = strcmp(top, "/") ? strlen(top) : 0;

		if (length && strncmp(group, top, length) == 0)
			group += length;
		if (snprintf(out->cgroup_file, PATH_MAX, "%s%s/cpu.rt_runtime_us", point, group) >=
		    PATH_MAX)
			out->cgroup_file[0] = '\0';	/* no such file can be opened */
		snprintf(out->cgroup_top, PATH_MAX, "%s", point);
		break;
	}
	if (f)
		fclose(f);
}

static void read_cgroups(const char *root, struct rt_facts *out)
{
	char group[PATH_MAX] = "";

	out->cgroup_runtime_us = UNKNOWN;
	out->cgroup1 = read_cgroup(root, group, &out->cgroup2_inner);
	if (!out->cgroup1 || strcmp(group, "/") == 0)
		return;
	find_cgroup_file(root, group, out);
	if (out->cgroup_file[0])
		out->cgroup_runtime_us = read_number(root, out->cgroup_file);
}

/* gzopen() reads plain files as well. */
static bool config_has(const char *root, const char *path, const char *wanted)
{
	char full[PATH_MAX], line[256];
	bool found = false;

	snprintf(full, sizeof(full), "%s%s", root, path);
	gzFile f = gzopen(full, "rbe");

	while (f && !found && gzgets(f, line, sizeof(line)))
		found = strncmp(line, wanted, strlen(wanted)) == 0;
	if (f)
		gzclose(f);
	return found;
}

static bool switched_off(const char *root)
{
	FILE *f = open_below(root, "/proc/cmdline");
	char line[4096] = "";

	if (!f)
		return false;
	if (!fgets(line, sizeof(line), f))
		line[0] = '\0';
	fclose(f);
	return strstr(line, "rt_group_sched=0") != NULL;
}

static bool read_config(const char *root)
{
	static const char wanted[] = "CONFIG_RT_GROUP_SCHED=y";
	struct utsname name;
	char path[128];

	if (switched_off(root))
		return false;
	uname(&name);
	snprintf(path, sizeof(path), "/boot/config-%.65s", name.release);
	return config_has(root, "/proc/config.gz", wanted) || config_has(root, path, wanted);
}

void rt_facts_read(const char *root, struct rt_facts *out)
{
	memset(out, 0, sizeof(*out));
	out->cap_bounding = UINT64_MAX;
	read_uid_map(root, out);
	read_status(root, out);
	read_program(root, out);
	read_cgroups(root, out);
	out->rt_group_sched = read_config(root);
	out->rtprio_hard = hard_limit(RLIMIT_RTPRIO);
	out->rttime_hard_us = hard_limit(RLIMIT_RTTIME);
	out->sched_rt_runtime_us = read_number(root, "/proc/sys/kernel/sched_rt_runtime_us");
}

/* ---- judging ------------------------------------------------------------- */

static bool has_nice(uint64_t caps)
{
	return caps & (UINT64_C(1) << CAP_SYS_NICE);
}

/* Some right to real time is there, so that something else must refuse it. */
static bool has_right(const struct rt_facts *f)
{
	return has_nice(f->cap_permitted) || has_nice(f->cap_effective) || f->rtprio_hard > 0;
}

static bool in_user_namespace(const struct rt_facts *f, int wanted)
{
	(void)wanted;
	return f->user_namespace;
}

static bool bounded(const struct rt_facts *f, int wanted)
{
	(void)wanted;
	return !has_nice(f->cap_bounding);
}

static bool file_caps_ignored(const struct rt_facts *f, int wanted)
{
	(void)wanted;
	return f->file_caps && !has_nice(f->cap_permitted) &&
		(f->no_new_privs || f->nosuid || f->traced);
}

static bool no_right(const struct rt_facts *f, int wanted)
{
	(void)wanted;
	return !has_right(f);
}

static bool limit_too_low(const struct rt_facts *f, int wanted)
{
	return !has_nice(f->cap_permitted) && f->rtprio_hard > 0 &&
		f->rtprio_hard < (uint64_t)wanted;
}

static bool no_group_runtime(const struct rt_facts *f, int wanted)
{
	(void)wanted;
	return f->cgroup1 && f->cgroup_runtime_us == 0;
}

static bool group_without_runtime(const struct rt_facts *f, int wanted)
{
	(void)wanted;
	return !f->cgroup1 && f->rt_group_sched && f->cgroup2_inner;
}

static bool filtered(const struct rt_facts *f, int wanted)
{
	(void)wanted;
	return f->seccomp == 2;
}

static bool kills(const struct rt_facts *f, int wanted)
{
	(void)wanted;
	return f->rttime_hard_us < RT_HARD_RTTIME_LEAST_US;
}

static bool never_runs(const struct rt_facts *f, int wanted)
{
	(void)wanted;
	return f->sched_rt_runtime_us == 0;
}

/* In the order in which they are tried. */
static bool (*const fits[])(const struct rt_facts *f, int wanted) = {
	[RT_CAUSE_USER_NAMESPACE] = in_user_namespace,
	[RT_CAUSE_BOUNDING_SET] = bounded,
	[RT_CAUSE_FILE_CAPS] = file_caps_ignored,
	[RT_CAUSE_NO_RIGHT] = no_right,
	[RT_CAUSE_LIMIT] = limit_too_low,
	[RT_CAUSE_CGROUP1] = no_group_runtime,
	[RT_CAUSE_CGROUP2] = group_without_runtime,
	[RT_CAUSE_SECCOMP] = filtered,
	[RT_CAUSE_RTTIME] = kills,
	[RT_CAUSE_NO_RUNTIME] = never_runs,
};

static void say_file_caps(const struct rt_facts *f, int err, struct why *why)
{
	if (f->no_new_privs)
		why_set(why, err, "real time: the file's capabilities are ignored, NoNewPrivs is "
			"set; start it outside the sandbox");
	else if (f->nosuid)
		why_set(why, err, "real time: the file's capabilities are ignored on a nosuid "
			"mount; install it on a mount without nosuid");
	else
		why_set(why, err, "real time: the file's capabilities are ignored while traced; "
			"do not trace it");
}

static void say_cgroup1(const struct rt_facts *f, int err, struct why *why)
{
	why_set(why, err, "real time: %.120s is 0; leave that group: "
		"echo $$ | sudo tee %.80s/cgroup.procs", f->cgroup_file,
		*f->cgroup_top ? f->cgroup_top : "/sys/fs/cgroup/cpu");
}

static void say(enum rt_cause cause, const struct rt_facts *f, int wanted, int err,
		struct why *why)
{
	static const char *const plain[] = {
		[RT_CAUSE_USER_NAMESPACE] = "real time: refused inside a user namespace; "
			"run outside the rootless container",
		[RT_CAUSE_BOUNDING_SET] = "real time: the container dropped CAP_SYS_NICE; "
			"add --cap-add=SYS_NICE to the container",
		[RT_CAUSE_CGROUP2] = "real time: the kernel has RT_GROUP_SCHED and gives our "
			"cgroup no runtime; boot with rt_group_sched=0 or move to the root group",
		[RT_CAUSE_SECCOMP] = "real time: refused by a seccomp filter (container policy); "
			"unit: RestrictRealtime=no, container: another seccomp profile",
		[RT_CAUSE_NO_RUNTIME] = "real time: sched_rt_runtime_us is 0; "
			"restore it: sysctl kernel.sched_rt_runtime_us=950000",
		[RT_CAUSE_UNKNOWN] = NULL,
	};

	if (plain[cause])
		why_set(why, err, "%s", plain[cause]);
	else if (cause == RT_CAUSE_FILE_CAPS)
		say_file_caps(f, err, why);
	else if (cause == RT_CAUSE_NO_RIGHT)
		why_set(why, err, "real time: no right to it (no CAP_SYS_NICE, rtprio limit 0); "
			SETCAP " %.120s", f->program);
	else if (cause == RT_CAUSE_LIMIT)
		why_set(why, err, "real time: the rtprio limit is %llu, wanted %d; raise rtprio in "
			"/etc/security/limits.d and log in again",
			(unsigned long long)f->rtprio_hard, wanted);
	else if (cause == RT_CAUSE_CGROUP1)
		say_cgroup1(f, err, why);
	else if (cause == RT_CAUSE_RTTIME)
		why_set(why, err, "real time: the hard RLIMIT_RTTIME is %llu us and would kill us; "
			"set LimitRTTIME=infinity", (unsigned long long)f->rttime_hard_us);
	else
		why_set(why, err, "real time: %s; the cause is unknown, see `jitterscope doctor`",
			strerror(-err));
}

enum rt_cause rt_explain(const struct rt_facts *facts, int wanted_priority, int err,
			 struct why *why)
{
	enum rt_cause cause = 0;

	while (cause < RT_CAUSE_UNKNOWN && !fits[cause](facts, wanted_priority))
		cause++;
	say(cause, facts, wanted_priority, err, why);
	return cause;
}

int rt_fatal(const char *root, struct why *why)
{
	const struct rt_facts facts = {
		.rttime_hard_us = hard_limit(RLIMIT_RTTIME),
		.sched_rt_runtime_us = read_number(root, "/proc/sys/kernel/sched_rt_runtime_us"),
	};

	for (enum rt_cause cause = RT_CAUSE_RTTIME; cause <= RT_CAUSE_NO_RUNTIME; cause++) {
		if (fits[cause](&facts, 0)) {
			say(cause, &facts, 0, -EPERM, why);
			return -EPERM;
		}
	}
	return 0;
}
