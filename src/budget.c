/* budget.c - see budget.h. */
#include "src/budget.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define GIB (UINT64_C(1) << 30)
#define MB UINT64_C(1000000)
#define UNKNOWN UINT64_MAX

uint64_t budget_disk_bytes(const struct statvfs *fs)
{
	uint64_t tenth = (uint64_t)fs->f_bavail * fs->f_frsize / 10;

	return tenth < 2 * GIB ? tenth : 2 * GIB;
}

int budget_disk_floor(const struct statvfs *fs, struct why *why)
{
	uint64_t left = (uint64_t)fs->f_bavail * fs->f_frsize;
	uint64_t floor = (uint64_t)fs->f_blocks * fs->f_frsize / 20;

	if (!fs->f_blocks && !left)
		return why_set(why, -ENOTSUP, "its file system tells no size, as that of /proc; "
			       "give another --scratch");
	if (floor < GIB)
		floor = GIB;
	if (left < floor)
		return why_set(why, -ENOSPC,
			       "disk full, stopped: %" PRIu64 " MB free, %" PRIu64
			       " MB are kept free; free some or give another --scratch",
			       left / MB, floor / MB);
	if (fs->f_favail < fs->f_files && fs->f_favail * 20 < fs->f_files)
		return why_set(why, -ENOSPC,
			       "no inodes left, stopped: %" PRIu64 " of %" PRIu64
			       " free, 5 %% are kept; free some or give another --scratch",
			       (uint64_t)fs->f_favail, (uint64_t)fs->f_files);
	return 0;
}

bool budget_is_full(int err)
{
	return err == ENOSPC || err == -ENOSPC || err == EDQUOT || err == -EDQUOT;
}

/* ---- numbers out of small kernel files ---- */

static ssize_t read_text(const char *root, const char *path, char *buf, size_t size)
{
	char full[512];
	ssize_t n;
	int fd;

	if (snprintf(full, sizeof(full), "%s%s", root, path) >= (int)sizeof(full))
		return -1;
	fd = open(full, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	n = read(fd, buf, size - 1);
	close(fd);
	if (n >= 0)
		buf[n] = '\0';
	return n;
}

static uint64_t parse(const char *text)
{
	char *end;

	errno = 0;
	unsigned long long value = strtoull(text, &end, 10);

	return end == text || errno ? UNKNOWN : value;
}

/* A file that is one number; "max" and nonsense are no limit. */
static uint64_t read_number(const char *root, const char *path)
{
	char buf[64];

	return read_text(root, path, buf, sizeof(buf)) > 0 ? parse(buf) : UNKNOWN;
}

/* The number behind a name at the start of a line. */
static uint64_t read_field(const char *root, const char *path, const char *name)
{
	char buf[16384];
	size_t length = strlen(name);

	if (read_text(root, path, buf, sizeof(buf)) <= 0)
		return UNKNOWN;
	for (const char *line = buf; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (!strncmp(line, name, length))
			return parse(line + length);
	}
	return UNKNOWN;
}

/* ---- control groups ---- */

struct cgroup_limit {		/* file names in both versions */
	const char *controller;
	const char *most, *used;	/* version 2 */
	const char *most1, *used1;	/* version 1 */
};

static const struct cgroup_limit memory_limit = {
	"memory", "memory.max", "memory.current", "memory.limit_in_bytes", "memory.usage_in_bytes",
};
static const struct cgroup_limit pids_limit = {
	"pids", "pids.max", "pids.current", "pids.max", "pids.current",
};

struct cgroup_room {
	uint64_t room;		/* limit less use, the tightest ancestor's */
	uint64_t most;		/* that limit */
};

static void look_at_group(const char *root, const char *folder, const char *most,
			  const char *used, struct cgroup_room *out)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/%s", folder, most);
	uint64_t limit = read_number(root, path);

	if (limit == UNKNOWN)
		return;
	snprintf(path, sizeof(path), "%s/%s", folder, used);
	uint64_t now = read_number(root, path);
	uint64_t room = now == UNKNOWN ? limit : now < limit ? limit - now : 0;

	if (room < out->room)
		*out = (struct cgroup_room){ room, limit };
}

/* From the own group up to the root: each may limit. */
static void climb(const char *root, const char *mount, const char *group, const char *most,
		  const char *used, struct cgroup_room *out)
{
	char folder[448];
	size_t mounted = strlen(mount);

	if (snprintf(folder, sizeof(folder), "%s%s", mount, group) >= (int)sizeof(folder))
		return;
	for (;;) {
		look_at_group(root, folder, most, used, out);
		char *slash = strrchr(folder, '/');

		if (!slash || (size_t)(slash - folder) < mounted)
			return;
		*slash = '\0';
	}
}

/* One line of /proc/self/cgroup: "4:memory:/a/b" or "0::/a/b". */
static void look_at_line(const char *root, char *line, const struct cgroup_limit *l,
			 struct cgroup_room *out)
{
	char *names = strchr(line, ':');
	char *group = names ? strchr(names + 1, ':') : NULL;
	char mount[64];

	if (!group)
		return;
	*group++ = '\0';
	names++;
	if (!*names) {
		climb(root, "/sys/fs/cgroup", group, l->most, l->used, out);
		climb(root, "/sys/fs/cgroup/unified", group, l->most, l->used, out);
	} else if (!strcmp(names, l->controller)) {
		snprintf(mount, sizeof(mount), "/sys/fs/cgroup/%s", l->controller);
		climb(root, mount, group, l->most1, l->used1, out);
	}
}

static struct cgroup_room cgroup_room(const char *root, const struct cgroup_limit *l)
{
	struct cgroup_room out = { UNKNOWN, UNKNOWN };
	char buf[4096], *save = NULL;

	if (read_text(root, "/proc/self/cgroup", buf, sizeof(buf)) <= 0)
		return out;
	for (char *line = strtok_r(buf, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		look_at_line(root, line, l, &out);
	return out;
}

/* ---- memory ---- */

static uint64_t available_bytes(const char *root)
{
	uint64_t kb = read_field(root, "/proc/meminfo", "MemAvailable:");

	return kb == UNKNOWN ? UNKNOWN : kb * 1024;
}

uint64_t budget_memory_bytes(const char *root)
{
	uint64_t machine = available_bytes(root);
	uint64_t group = cgroup_room(root, &memory_limit).room;
	uint64_t room = machine < group ? machine : group;

	return room == UNKNOWN ? UNKNOWN : room / 2;
}

int budget_memory_floor(const char *root, struct why *why)
{
	uint64_t total_kb = read_field(root, "/proc/meminfo", "MemTotal:");
	uint64_t left = available_bytes(root);

	if (total_kb == UNKNOWN || left == UNKNOWN || left / 1024 >= total_kb / 10)
		return 0;
	return why_set(why, -ENOMEM,
		       "memory floor, stopped: %" PRIu64 " of %" PRIu64
		       " MB available, 10 %% are kept; use less",
		       left / MB, total_kb * 1024 / MB);
}

uint64_t budget_oom_kills(const char *root)
{
	uint64_t n = read_field(root, "/proc/vmstat", "oom_kill ");

	return n == UNKNOWN ? 0 : n;
}

/* ---- tasks ---- */

/* The fourth word of loadavg is "runnable/all". */
static uint64_t tasks_now(const char *root)
{
	char buf[128];
	const char *slash;

	if (read_text(root, "/proc/loadavg", buf, sizeof(buf)) <= 0)
		return 0;
	slash = strchr(buf, '/');
	return slash ? parse(slash + 1) : 0;
}

static void bound(struct budget_tasks *out, uint64_t room, const char *name, uint64_t limit)
{
	if (room / 4 >= out->room)
		return;
	out->room = (unsigned)(room / 4);
	snprintf(out->limit, sizeof(out->limit), "%s %" PRIu64, name, limit);
}

static void bound_by_file(const char *root, const char *path, const char *name, uint64_t now,
			  struct budget_tasks *out)
{
	uint64_t limit = read_number(root, path);

	if (limit != UNKNOWN)
		bound(out, limit > now ? limit - now : 0, name, limit);
}

void budget_tasks(const char *root, struct budget_tasks *out)
{
	uint64_t now = tasks_now(root);
	struct cgroup_room pids = cgroup_room(root, &pids_limit);
	struct rlimit own;

	out->room = BUDGET_TASKS_MAX;
	snprintf(out->limit, sizeof(out->limit), "the cap of %d", BUDGET_TASKS_MAX);
	if (pids.room != UNKNOWN)
		bound(out, pids.room, "pids.max", pids.most);
	bound_by_file(root, "/proc/sys/kernel/threads-max", "threads-max", now, out);
	bound_by_file(root, "/proc/sys/kernel/pid_max", "pid_max", now, out);
	/* The limit counts the uid's own tasks, which nobody tells cheaply;
	 * all tasks are the upper bound of them. */
	if (!getrlimit(RLIMIT_NPROC, &own) && own.rlim_cur != RLIM_INFINITY)
		bound(out, own.rlim_cur > now ? own.rlim_cur - now : own.rlim_cur / 4,
		      "RLIMIT_NPROC", own.rlim_cur);
}

const char *budget_tasks_remedy(const char *root, char *buf, size_t size)
{
	struct budget_tasks tasks;

	budget_tasks(root, &tasks);
	if (!tasks.room && strncmp(tasks.limit, "RLIMIT_NPROC", 12))
		snprintf(buf, size, "raise %s", tasks.limit);
	else
		snprintf(buf, size, "raise ulimit -u");
	return buf;
}

unsigned budget_fds(void)
{
	struct rlimit own;

	if (getrlimit(RLIMIT_NOFILE, &own) || own.rlim_cur == RLIM_INFINITY)
		return 1024;
	return own.rlim_cur / 4 < 65536 ? (unsigned)(own.rlim_cur / 4) : 65536;
}
