/* confine.c - see confine.h. */
#include "src/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/capability.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "src/fds.h"
#include "src/landlock.h"

#define NOBODY 65534

/* A number from the environment of sudo; 0 and nonsense are nobody. */
static uid_t id_from(const char *name)
{
	const char *text = getenv(name);
	char *end;

	if (!text || *text < '0' || *text > '9')
		return NOBODY;
	errno = 0;
	unsigned long value = strtoul(text, &end, 10);

	return errno || *end || value == 0 || value >= UINT32_MAX ? NOBODY : (uid_t)value;
}

void confine_identity(bool *drop, uid_t *uid, gid_t *gid)
{
	*drop = geteuid() == 0;
	*uid = *drop ? id_from("SUDO_UID") : geteuid();
	*gid = *drop ? (*uid == NOBODY ? NOBODY : id_from("SUDO_GID")) : getegid();
}

/* Real-time signals too; 32 and 33 are libc's and refuse, which is well. */
static void reset_signals(void)
{
	sigset_t none;

	for (int i = 1; i < NSIG; i++)
		signal(i, SIG_DFL);
	signal(SIGXFSZ, SIG_IGN);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static void lower(int resource, rlim_t most)
{
	struct rlimit l;

	if (getrlimit(resource, &l))
		return;
	if (l.rlim_cur > most)
		l.rlim_cur = most;
	l.rlim_max = l.rlim_cur;
	setrlimit(resource, &l);
}

static void set_limits(const struct confine *c)
{
	lower(RLIMIT_CORE, 0);
	lower(RLIMIT_NOFILE, RLIM_INFINITY);	/* the hard limit down to the soft one */
	lower(RLIMIT_RTPRIO, 0);
	lower(RLIMIT_FSIZE, c->file_bytes);
}

/* Verified, since a load that were real-time would be what we measure. */
static int be_ordinary(struct why *why)
{
	struct sched_param none = { 0 };

	sched_setscheduler(0, SCHED_OTHER, &none);
	if ((sched_getscheduler(0) & ~SCHED_RESET_ON_FORK) != SCHED_OTHER)
		return why_set(why, -EPERM, "sched_setscheduler: not SCHED_OTHER; "
			       "start the program without chrt");
	setpriority(PRIO_PROCESS, 0, 0);
	return 0;
}

static int write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC), err = 0;

	if (fd < 0)
		return -errno;
	if (write(fd, text, strlen(text)) < 0)
		err = -errno;
	close(fd);
	return err;
}

static int be_first_victim(struct why *why)
{
	int err = write_file("/proc/self/oom_score_adj", "1000");

	if (err && err != -ENOENT)
		return why_set(why, err, "oom_score_adj: %s", strerror(-err));
	return 0;
}

/* A nicety: without it files and programs see uid 65534. */
static void map_identity(const struct confine *c)
{
	char text[64];

	write_file("/proc/self/setgroups", "deny");
	snprintf(text, sizeof(text), "%u %u 1", (unsigned)c->uid, (unsigned)c->uid);
	write_file("/proc/self/uid_map", text);
	snprintf(text, sizeof(text), "%u %u 1", (unsigned)c->gid, (unsigned)c->gid);
	write_file("/proc/self/gid_map", text);
}

#ifdef SYS_setresuid32		/* where the old ones take 16 bits */
#undef SYS_setgroups
#undef SYS_setresgid
#undef SYS_setresuid
#define SYS_setgroups SYS_setgroups32
#define SYS_setresgid SYS_setresgid32
#define SYS_setresuid SYS_setresuid32
#endif

/*
 * By system calls: the functions of that name ask all threads of the process to
 * do the same, and after a bare clone wait for ever for those of the parent.
 */
static int drop_identity(const struct confine *c, struct why *why)
{
	if (syscall(SYS_setgroups, 0, NULL))
		return why_set(why, -errno, "setgroups: %s", strerror(errno));
	if (syscall(SYS_setresgid, c->gid, c->gid, c->gid))
		return why_set(why, -errno, "setresgid: %s", strerror(errno));
	if (syscall(SYS_setresuid, c->uid, c->uid, c->uid))
		return why_set(why, -errno, "setresuid: %s", strerror(errno));
	if (syscall(SYS_setresuid, 0, 0, 0) == 0)
		return why_set(why, -EPERM, "setresuid: root came back");
	return 0;
}

/* Must come before the change of uid takes CAP_SETPCAP away. */
static void empty_bounding_set(void)
{
	for (int cap = 0; cap < 64; cap++)
		if (prctl(PR_CAPBSET_DROP, cap, 0, 0, 0) && errno == EINVAL)
			break;
}

static int drop_capabilities(struct why *why)
{
	cap_t none = cap_init();
	int err = 0;

	if (!none || cap_set_proc(none))
		err = why_set(why, -errno, "capset: %s", strerror(errno));
	cap_free(none);
	prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	if (!err && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		err = why_set(why, -errno, "no_new_privs: %s", strerror(errno));
	return err;
}

int confine_self(const struct confine *c, struct why *why)
{
	int err = fds_keep(c->keep, c->kept);

	if (err)
		return why_set(why, err, "/dev/null: %s", strerror(-err));
	prctl(PR_SET_NAME, c->name, 0, 0, 0);
	setsid();
	reset_signals();
	set_limits(c);
	err = be_ordinary(why);
	if (!err)
		err = be_first_victim(why);
	if (err)
		return err;
	empty_bounding_set();
	if (c->userns)
		map_identity(c);
	else if (c->drop)
		err = drop_identity(c, why);
	if (!err)
		err = drop_capabilities(why);
	if (!err)
		err = landlock_self(c, why);
	if (!err && prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0))
		err = why_set(why, -errno, "death signal: %s", strerror(errno));
	return err;
}
