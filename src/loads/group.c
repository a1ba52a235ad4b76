/* group.c - see group.h. */
#include "src/loads/group.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "src/loads/failure.h"

#define LOOK_NS (20 * NS_PER_MS)

pid_t group_fork(struct group *g, struct load_worker *w, struct why *why)
{
	pid_t pid = load_child(w);

	if (pid < 0)
		return failure(why, -errno, "fork");
	if (pid > 0)
		g->pid[g->count++] = pid;
	else
		g->count = 0;	/* the others are not the child's to end */
	return pid;
}

int64_t group_cpu_ns(pid_t pid)
{
	struct timespec t;
	clockid_t clock;

	if (clock_getcpuclockid(pid, &clock) || clock_gettime(clock, &t))
		return 0;
	return t.tv_sec * NS_PER_S + t.tv_nsec;
}

void group_cpu(const struct group *g, struct load_worker *w)
{
	uint64_t sum = (uint64_t)clock_process_cpu_ns();

	for (unsigned i = 0; i < g->count; i++)
		sum += (uint64_t)group_cpu_ns(g->pid[i]);
	if (sum > atomic_load_explicit(&w->line->cpu_ns, memory_order_relaxed))
		atomic_store_explicit(&w->line->cpu_ns, sum, memory_order_relaxed);
}

static int describe(int status, struct why *why)
{
	if (WIFSIGNALED(status))
		return why_set(why, -ECHILD, "a process of the group was killed by signal %d",
			       WTERMSIG(status));
	return why_set(why, -ECHILD, "a process of the group ended: %s",
		       WEXITSTATUS(status) ? strerror(WEXITSTATUS(status)) : "too early");
}

static void forget(struct group *g, pid_t pid)
{
	for (unsigned i = 0; i < g->count; i++)
		if (g->pid[i] == pid)
			g->pid[i] = g->pid[--g->count];
}

int group_check(struct group *g, struct why *why)
{
	int status;
	pid_t pid = waitpid(-1, &status, WNOHANG);

	if (pid <= 0)
		return 0;
	forget(g, pid);
	return describe(status, why);
}

int group_watch(struct group *g, struct load_worker *w, void (*each)(struct load_worker *w),
		struct why *why)
{
	int err = 0;

	while (!err && load_going(w)) {
		clock_wait_until(clock_now_ns() + LOOK_NS);
		group_cpu(g, w);
		if (each)
			each(w);
		err = group_check(g, why);
	}
	/* They see the stop as well; one that has left by itself is no failure. */
	return load_going(w) ? err : 0;
}

void group_end(struct group *g)
{
	for (unsigned i = 0; i < g->count; i++)
		if (g->pid[i] > 1)
			kill(g->pid[i], SIGKILL);
	while (g->count)
		while (waitpid(g->pid[--g->count], NULL, 0) < 0 && errno == EINTR)
			;
}
