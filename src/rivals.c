/* rivals.c - see rivals.h. */
#include "src/rivals.h"

#include <dirent.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/procfile.h"

#define AT_ONCE 48		/* processes a second; 2 us each, 20 with threads */
#define KTHREADD 2		/* the parent of all kernel threads */
#define DEADLINE 6		/* SCHED_DEADLINE, above every priority */
#define ABOVE_ALL 100

struct rivals {
	DIR *dir;
	struct rival_view now;	/* of the round that goes on */
};

struct rivals *rivals_new(void)
{
	return calloc(1, sizeof(struct rivals));
}

void rivals_free(struct rivals *r)
{
	if (r && r->dir)
		closedir(r->dir);
	free(r);
}

static int priority_of(int tid)
{
	struct sched_param p;
	int policy = sched_getscheduler(tid) & ~SCHED_RESET_ON_FORK;

	if (policy == DEADLINE)
		return ABOVE_ALL;
	if (policy != SCHED_FIFO && policy != SCHED_RR)
		return 0;
	return sched_getparam(tid, &p) ? 0 : p.sched_priority;
}

/* Field 4 of stat, behind the name, which may hold anything. */
static bool is_kernel_thread(int pid)
{
	char path[64], text[512];
	const char *p;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	if (pid == KTHREADD || procfile_read(path, text, sizeof(text)) <= 0)
		return true;
	p = strrchr(text, ')');
	if (!p || strlen(p) < 5)
		return true;
	p += 4;			/* ") S " */
	return number_at(&p) == KTHREADD;
}

static void note(struct rivals *r, int pid, int tid, int priority)
{
	char path[64];

	if (is_kernel_thread(pid))
		return;
	r->now.nr++;
	if (priority <= r->now.priority)
		return;
	r->now.priority = priority;
	r->now.pid = tid;
	snprintf(path, sizeof(path), "/proc/%d/comm", tid);
	procfile_line(path, r->now.comm, sizeof(r->now.comm));
}

static void look_at_task(struct rivals *r, int pid, int tid, int above)
{
	int priority = priority_of(tid);

	if (priority > above)
		note(r, pid, tid, priority);
}

static void look_at_threads(struct rivals *r, int pid, int above)
{
	char path[64];
	struct dirent *e;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	DIR *dir = opendir(path);

	while (dir && (e = readdir(dir)))
		if (atoi(e->d_name) > 0 && atoi(e->d_name) != pid)
			look_at_task(r, pid, atoi(e->d_name), above);
	if (dir)
		closedir(dir);
}

static void look_at(struct rivals *r, int pid, int above)
{
	char path[64];
	struct stat st;

	if (pid <= 0 || pid == (int)getpid())
		return;
	look_at_task(r, pid, pid, above);
	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	if (!stat(path, &st) && st.st_nlink > 3)	/* a link for each thread, and two */
		look_at_threads(r, pid, above);
}

static void end_of_round(struct rivals *r, struct rival_view *out)
{
	*out = r->now;
	memset(&r->now, 0, sizeof(r->now));
	rewinddir(r->dir);
}

void rivals_look(struct rivals *r, int above, struct rival_view *out)
{
	if (!r->dir && !(r->dir = opendir("/proc")))
		return;
	for (unsigned n = 0; n < AT_ONCE && above;) {
		struct dirent *e = readdir(r->dir);

		if (!e) {
			end_of_round(r, out);
			return;
		}
		n += e->d_name[0] >= '1' && e->d_name[0] <= '9';
		look_at(r, atoi(e->d_name), above);
	}
	if (!above)
		*out = (struct rival_view){ .nr = 0 };
	else if (r->now.priority > out->priority)	/* it need not wait for the round */
		*out = r->now;
}
