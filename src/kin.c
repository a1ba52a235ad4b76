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

#define KIN_MAX 4096

struct kin {
	pid_t pid, parent;
	char state;
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

static unsigned list_all(struct kin *out, unsigned room)
{
	DIR *dir = opendir("/proc");
	struct dirent *entry;
	unsigned n = 0;
	char state;

	if (!dir)
		return 0;
	while (n < room && (entry = readdir(dir))) {
		if (!isdigit((unsigned char)entry->d_name[0]))
			continue;
		pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);
		pid_t parent = parent_of(pid, &state);

		if (pid >= 2 && parent > 0)
			out[n++] = (struct kin){ pid, parent, state };
	}
	closedir(dir);
	return n;
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

static bool is_marked(pid_t pid)
{
	char buf[4096];

	return read_of(pid, "oom_score_adj", buf, sizeof(buf)) > 0 && atoi(buf) == 1000 &&
	       read_of(pid, "status", buf, sizeof(buf)) > 0 && strstr(buf, "\nNoNewPrivs:\t1");
}

unsigned kin_kill_children(const pid_t *but, unsigned n)
{
	struct kin *all = malloc(KIN_MAX * sizeof(*all));
	unsigned found = all ? list_all(all, KIN_MAX) : 0, killed = 0;

	for (unsigned i = 0; i < found; i++)
		if (all[i].parent == getpid() && all[i].state != 'Z' &&
		    !contains(but, n, all[i].pid))
			killed += kill_child(all[i].pid);
	free(all);
	return killed;
}

unsigned kin_kill_marked_children(void)
{
	struct kin *all = malloc(KIN_MAX * sizeof(*all));
	unsigned found = all ? list_all(all, KIN_MAX) : 0, killed = 0;

	for (unsigned i = 0; i < found; i++) {
		if (all[i].parent != getpid() || !is_marked(all[i].pid))
			continue;
		if (all[i].state == 'Z')
			waitpid(all[i].pid, NULL, WNOHANG);
		else
			killed += kill_child(all[i].pid);
	}
	free(all);
	return killed;
}

/* Generation by generation: a process is below when its parent is. */
unsigned kin_below(pid_t root, pid_t *out, unsigned room)
{
	struct kin *all = malloc(KIN_MAX * sizeof(*all));
	unsigned found = all ? list_all(all, KIN_MAX) : 0, n = 0, before;

	do {
		before = n;
		for (unsigned i = 0; i < found && n < room; i++)
			if (all[i].state != 'Z' &&
			    (all[i].parent == root || contains(out, n, all[i].parent)) &&
			    !contains(out, n, all[i].pid))
				out[n++] = all[i].pid;
	} while (n > before);
	free(all);
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
