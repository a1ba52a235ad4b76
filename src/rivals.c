/* rivals.c - see rivals.h. */
#include "src/rivals.h"

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/procfile.h"

#define AT_ONCE 24		/* processes and threads a second; 5 us each, 20 to open a list */
#define KTHREADD 2		/* the parent of all kernel threads */
#define DEADLINE 6		/* SCHED_DEADLINE, above every priority */
#define ABOVE_ALL 100

/* readdir() would have the kernel list a thousand entries in one go. */
struct numbers {
	int fd;			/* of a folder; -1: none */
	long at, end;		/* in buf */
	_Alignas(8) char buf[1024];
};

struct rivals {
	struct numbers pids;
	struct numbers threads;	/* of the process that is looked at, while it has more */
	int pid;
	bool kernel_threads;	/* are among them: this is no container */
	struct rival_view now;	/* of the round that goes on */
};

static bool numbers_open(struct numbers *n, const char *path)
{
	n->fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	n->at = n->end = 0;
	return n->fd >= 0;
}

static void numbers_close(struct numbers *n)
{
	if (n->fd >= 0)
		close(n->fd);
	n->fd = -1;
}

/* The next name that is a number; 0: there are no more. */
static int numbers_next(struct numbers *n)
{
	for (;;) {
		if (n->at >= n->end) {
			n->end = getdents64(n->fd, n->buf, sizeof(n->buf));
			n->at = 0;
		}
		if (n->end <= 0)
			return 0;
		const struct dirent64 *e = (const void *)(n->buf + n->at);

		n->at += e->d_reclen;
		if (e->d_name[0] >= '1' && e->d_name[0] <= '9')
			return atoi(e->d_name);
	}
}

/* The first namespace's number is fixed (PROC_PID_INIT_INO). */
static bool sees_kernel_threads(void)
{
	struct stat st;

	return stat("/proc/self/ns/pid", &st) == 0 && st.st_ino == 0xeffffffc;
}

struct rivals *rivals_new(void)
{
	struct rivals *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	r->pids.fd = r->threads.fd = -1;
	r->kernel_threads = sees_kernel_threads();
	return r;
}

void rivals_free(struct rivals *r)
{
	if (!r)
		return;
	numbers_close(&r->pids);
	numbers_close(&r->threads);
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

static void next_thread(struct rivals *r, int above)
{
	int tid = numbers_next(&r->threads);

	if (!tid)
		numbers_close(&r->threads);
	else if (tid != r->pid)
		look_at_task(r, r->pid, tid, above);
}

static void look_at(struct rivals *r, int pid, int above)
{
	char path[64];
	struct stat st;

	if (pid == (int)getpid())
		return;
	look_at_task(r, pid, pid, above);
	/* A kernel thread is one thread, and of no group; the stat would cost
	 * more than all else. */
	if (r->kernel_threads && getpgid(pid) == 0)
		return;
	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	if (stat(path, &st) || st.st_nlink <= 3)	/* a link for each thread, and two */
		return;
	r->pid = pid;
	numbers_open(&r->threads, path);
}

static void end_of_round(struct rivals *r, struct rival_view *out)
{
	*out = r->now;
	memset(&r->now, 0, sizeof(r->now));
	numbers_close(&r->pids);
}

/* One process or thread; false: that was the round. */
static bool look_at_next(struct rivals *r, int above)
{
	int pid;

	if (r->threads.fd >= 0) {
		next_thread(r, above);
		return true;
	}
	pid = numbers_next(&r->pids);
	if (pid)
		look_at(r, pid, above);
	return pid;
}

void rivals_look(struct rivals *r, int above, struct rival_view *out)
{
	if (!above) {
		*out = (struct rival_view){ .nr = 0 };
		return;
	}
	if (r->pids.fd < 0 && !numbers_open(&r->pids, "/proc"))
		return;
	for (unsigned n = 0; n < AT_ONCE; n++) {
		if (look_at_next(r, above))
			continue;
		end_of_round(r, out);
		return;
	}
	if (r->now.priority > out->priority)	/* it need not wait for the round */
		*out = r->now;
}
