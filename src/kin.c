/* kin.c - see kin.h. */
#include "src/kin.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

struct kin {
	pid_t pid, parent;
	char state;
};

struct kin_walk {
	DIR *dir;		/* NULL: nothing to see */
};

int kin_pidfd(pid_t pid)
{
	int fd;

	if (pid < 2)
		return -EINVAL;
	fd = (int)syscall(SYS_pidfd_open, pid, 0);
	return fd < 0 ? -errno : fd;
}

int kin_signal(int pidfd, int signal)
{
	return syscall(SYS_pidfd_send_signal, pidfd, signal, NULL, 0) ? -errno : 0;
}

static ssize_t read_of(pid_t pid, const char *file, char *buf, size_t size)
{
	char path[64];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, file);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	n = read(fd, buf, size - 1);
	close(fd);
	buf[n > 0 ? n : 0] = '\0';
	return n;
}

/* stat is "pid (name) state parent ..."; the name may hold anything, so what
 * follows is found from the last bracket. */
static pid_t parent_of(pid_t pid, char *state)
{
	char buf[512];
	const char *after;
	int parent = -1;

	if (read_of(pid, "stat", buf, sizeof(buf)) <= 0)
		return -1;
	after = strrchr(buf, ')');
	if (!after || sscanf(after + 1, " %c %d", state, &parent) != 2)
		return -1;
	return parent;
}

/* Judged one by one while they are read: a list would need a bound, and a
 * process past it would live on. */
static struct kin_walk walk_all(void)
{
	return (struct kin_walk){ opendir("/proc") };
}

static bool next_of(struct kin_walk *w, struct kin *out)
{
	struct dirent *entry;

	while (w->dir && (entry = readdir(w->dir))) {
		if (!isdigit((unsigned char)entry->d_name[0]))
			continue;
		out->pid = (pid_t)strtol(entry->d_name, NULL, 10);
		out->parent = parent_of(out->pid, &out->state);
		if (out->pid >= 2 && out->parent > 0)
			return true;
	}
	if (w->dir)
		closedir(w->dir);
	w->dir = NULL;
	return false;
}

static bool contains(const pid_t *list, unsigned n, pid_t pid)
{
	for (unsigned i = 0; i < n; i++)
		if (list[i] == pid)
			return true;
	return false;
}

static bool kill_child(pid_t pid)
{
	int fd = kin_pidfd(pid);
	char state;
	bool ours;

	if (fd < 0)
		return false;
	ours = parent_of(pid, &state) == getpid() && !kin_signal(fd, SIGKILL);
	close(fd);
	return ours;
}

bool kin_is_marked(pid_t pid)
{
	char buf[4096];

	return read_of(pid, "oom_score_adj", buf, sizeof(buf)) > 0 && atoi(buf) == 1000 &&
	       read_of(pid, "status", buf, sizeof(buf)) > 0 && strstr(buf, "\nNoNewPrivs:\t1");
}

unsigned kin_kill_children(const pid_t *but, unsigned n)
{
	struct kin_walk walk = walk_all();
	unsigned killed = 0;
	struct kin k;

	while (next_of(&walk, &k))
		if (k.parent == getpid() && k.state != 'Z' && !contains(but, n, k.pid))
			killed += kill_child(k.pid);
	return killed;
}

unsigned kin_kill_marked_children(void)
{
	struct kin_walk walk = walk_all();
	unsigned killed = 0;
	struct kin k;

	while (next_of(&walk, &k)) {
		if (k.parent != getpid() || !kin_is_marked(k.pid))
			continue;
		if (k.state == 'Z')
			waitpid(k.pid, NULL, WNOHANG);
		else
			killed += kill_child(k.pid);
	}
	return killed;
}

/* A process is below when its parent is; children may be read before their
 * parents, so until a walk finds no more. */
unsigned kin_below(pid_t root, pid_t *out, unsigned room)
{
	unsigned n = 0, before;

	do {
		struct kin_walk walk = walk_all();
		struct kin k;

		before = n;
		while (next_of(&walk, &k))
			if (n < room && k.state != 'Z' &&
			    (k.parent == root || contains(out, n, k.parent)) &&
			    !contains(out, n, k.pid))
				out[n++] = k.pid;
	} while (n > before && n < room);
	return n;
}

void kin_text(const pid_t *pids, unsigned n, char *buf, size_t size)
{
	size_t used = 0;

	if (size)
		buf[0] = '\0';
	for (unsigned i = 0; i < n && used < size; i++) {
		char stat[512], state = '?';
		char *open = NULL, *close = NULL;

		if (read_of(pids[i], "stat", stat, sizeof(stat)) > 0) {
			open = strchr(stat, '(');
			close = strrchr(stat, ')');
		}
		if (close)
			sscanf(close + 1, " %c", &state);
		int length = open && close > open ? (int)(close - open - 1) : 0;

		used += (size_t)snprintf(buf + used, size - used, "%s%d (%.*s) %c", i ? ", " : "",
					 (int)pids[i], length, length ? open + 1 : "", state);
	}
}
