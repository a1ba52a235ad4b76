/* culprit.c - see culprit.h. */
#include "tests/culprit.h"

#include <check.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "src/clock.h"
#include "src/cpuset.h"

#define LOG_OF "JS_CULPRIT_LOG"	/* in the environment of the program: the log's number */
#define STACK_BYTES (64u << 10)
#define LAST_US 50000
#define GONE_US 2000		/* from its being a zombie until it is off its CPU */

const char *const culprit_kinds[CULPRIT_KINDS] = { "stays", "ends", "program ends" };

struct culprit_log {
	int cpu;
	char name[16];
	int64_t cpu_ns;		/* the CPU time that the present turn began with */
	_Atomic unsigned nr, refused;
	struct culprit_turn turn[CULPRIT_TURNS];
};

/* ---- the task ------------------------------------------------------------ */

static int64_t own_cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * NS_PER_S + t.tv_nsec;
}

static bool rise(const struct culprit_log *log)
{
	const struct sched_param p = { .sched_priority = CULPRIT_PRIORITY };
	struct cpuset one;

	cpuset_clear(&one);
	cpuset_add(&one, log->cpu);
	prctl(PR_SET_NAME, log->name);
	return !cpuset_pin(0, &one, NULL) && !sched_setscheduler(0, SCHED_FIFO, &p);
}

static void hold(struct culprit_log *log)
{
	struct culprit_turn *t = &log->turn[atomic_load(&log->nr)];

	log->cpu_ns = own_cpu_ns();
	t->began_ns = clock_now_ns();
	do
		t->ended_ns = clock_now_ns();
	while (t->ended_ns - t->began_ns < CULPRIT_HOLD_NS);
}

/* What it took from its last look at the clock until it left the CPU, which on a
 * virtual one may be 300 us, is known when it is back. */
static void settle(struct culprit_log *log)
{
	unsigned nr = atomic_load(&log->nr);
	struct culprit_turn *last = nr ? &log->turn[nr - 1] : NULL;
	int64_t ended_ns = last ? last->began_ns + own_cpu_ns() - log->cpu_ns : 0;

	if (last && ended_ns > last->ended_ns)
		last->ended_ns = ended_ns;
}

static int once(void *arg)
{
	struct culprit_log *log = arg;

	if (!rise(log))
		log->refused++;
	else
		hold(log);
	_exit(0);
}

/* The program of CULPRIT_EXECS is the suite itself. */
__attribute__((constructor)) static void be_the_program(void)
{
	const char *fd = getenv(LOG_OF);
	void *log = fd ? mmap(NULL, sizeof(struct culprit_log), PROT_READ | PROT_WRITE, MAP_SHARED,
			      atoi(fd), 0) : MAP_FAILED;

	if (log != MAP_FAILED)
		once(log);
}

/* ---- who sends it -------------------------------------------------------- */

static pid_t send_clone(struct culprit_log *log)
{
	static char stack[STACK_BYTES] __attribute__((aligned(16)));

	return clone(once, stack + sizeof(stack), CLONE_VM | CLONE_VFORK | SIGCHLD, log);
}

static pid_t send_program(const struct culprit *c)
{
	char *const argv[] = { (char *)c->name, NULL };
	char variable[40];
	char *const env[] = { variable, NULL };

	snprintf(variable, sizeof(variable), LOG_OF "=%d", c->fd);
	pid_t pid = fork();

	if (pid)
		return pid;
	execve("/proc/self/exe", argv, env);
	_exit(1);
}

/* The CPU time of a task that has ended: all of it, to the last switch. */
static int64_t whole_cpu_ns(pid_t pid)
{
	char path[40];
	long long ns = 0;
	siginfo_t info;

	if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT))
		return 0;
	usleep(GONE_US);
	snprintf(path, sizeof(path), "/proc/%d/schedstat", (int)pid);
	FILE *f = fopen(path, "re");

	if (f && fscanf(f, "%lld", &ns) != 1)
		ns = 0;
	if (f)
		fclose(f);
	waitpid(pid, NULL, 0);
	return ns;
}

static void end_turn(struct culprit_log *log, int64_t whole_ns)
{
	struct culprit_turn *t = &log->turn[atomic_load(&log->nr)];
	int64_t ended_ns = t->began_ns + whole_ns - log->cpu_ns;

	if (ended_ns > t->ended_ns)
		t->ended_ns = ended_ns;
	log->nr++;
}

static void take_turn(const struct culprit *c, enum culprit_kind kind)
{
	if (kind == CULPRIT_STAYS) {
		settle(c->log);
		hold(c->log);
		c->log->nr++;
		return;
	}
	pid_t pid = kind == CULPRIT_CLONES ? send_clone(c->log) : send_program(c);

	if (pid < 0)
		c->log->refused++;
	else
		end_turn(c->log, whole_cpu_ns(pid));
}

static void run(const struct culprit *c, enum culprit_kind kind, unsigned turns, int64_t period_ns)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, "js-sender");
	if (kind == CULPRIT_STAYS) {
		hold(c->log);	/* no page is met first while it is watched */
		c->log->refused += !rise(c->log);
	}
	int64_t next_ns = clock_now_ns() + period_ns;

	for (unsigned i = 0; i < turns && !c->log->refused; i++, next_ns += period_ns) {
		const struct timespec t = { next_ns / NS_PER_S, next_ns % NS_PER_S };

		while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL))
			;
		take_turn(c, kind);
	}
	/* Its own end takes a while, too, more so where all memory has a shadow:
	 * it is no turn, so nobody is to wait for it. */
	sched_setscheduler(0, SCHED_OTHER, &(struct sched_param){ 0 });
	usleep(LAST_US);
	if (kind == CULPRIT_STAYS)
		settle(c->log);
	_exit(0);
}

void culprit_start(struct culprit *c, enum culprit_kind kind, int cpu, unsigned turns,
		   int64_t period_ns)
{
	ck_assert_uint_le(turns, CULPRIT_TURNS);
	c->fd = memfd_create("culprit", 0);
	ck_assert_int_ge(c->fd, 0);
	ck_assert_int_eq(ftruncate(c->fd, sizeof(*c->log)), 0);
	c->log = mmap(NULL, sizeof(*c->log), PROT_READ | PROT_WRITE, MAP_SHARED, c->fd, 0);
	ck_assert(c->log != MAP_FAILED);
	c->log->cpu = cpu;
	snprintf(c->name, sizeof(c->name), "culprit-%d", (int)getpid() % 1000000);
	memcpy(c->log->name, c->name, sizeof(c->name));
	c->pid = fork();
	ck_assert_int_ge(c->pid, 0);
	if (c->pid == 0)
		run(c, kind, turns, period_ns);
}

unsigned culprit_turns(const struct culprit *c, const struct culprit_turn **turns)
{
	*turns = c->log->turn;
	return atomic_load(&c->log->nr);
}

bool culprit_end(struct culprit *c, int wait_ms)
{
	pid_t done = 0;

	for (int i = 0; i <= wait_ms && !done; i++) {
		done = waitpid(c->pid, NULL, WNOHANG);
		if (!done)
			usleep(1000);
	}
	if (!done) {
		kill(c->pid, SIGKILL);
		waitpid(c->pid, NULL, 0);
	}
	bool fine = done && !c->log->refused;

	munmap(c->log, sizeof(*c->log));
	close(c->fd);
	return fine;
}
