/*
 * check_supervisor.c - loads start, stop and die as promised, whoever else
 * dies.  Real processes; the suite is the subreaper of all of them, so that
 * whatever escapes is found below it.
 */
#include <check.h>
#include <errno.h>
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/capability.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/budget.h"
#include "src/guardian.h"
#include "src/kin.h"
#include "src/supervisor.h"
#include "tests/skip.h"

/* ---- loads that behave, and loads that do not ---- */

static void rest(void)
{
	clock_wait_until(clock_now_ns() + NS_PER_MS);
}

static int steady_run(struct load_worker *w, struct why *why)
{
	(void)why;
	while (load_going(w)) {
		load_add(w, 1, 10);
		load_cpu(w);
		rest();
	}
	return 0;
}

/* Detaches in every way a process can, and is deaf to TERM. */
static int wild_run(struct load_worker *w, struct why *why)
{
	for (int i = 0; i < 3; i++)
		if (fork() == 0) {
			setsid();
			if (fork())
				_exit(0);
			signal(SIGTERM, SIG_IGN);
			prctl(PR_SET_PDEATHSIG, 0);
			for (;;)
				pause();
		}
	signal(SIGTERM, SIG_IGN);
	load_add(w, 1, 0);
	(void)why;
	for (;;)
		pause();
}

static int crash_run(struct load_worker *w, struct why *why)
{
	(void)why;
	if (w->index + 1 == w->workers)
		kill(getpid(), SIGSEGV);
	return steady_run(w, why);
}

static int fail_run(struct load_worker *w, struct why *why)
{
	(void)w;
	return why_set(why, -ENOSPC, "write: No space left on \033device");
}

static int bad_prepare(struct load_worker *w, struct why *why)
{
	(void)w;
	return why_set(why, -EACCES, "open /nowhere: not allowed");
}

static int slow_prepare(struct load_worker *w, struct why *why)
{
	(void)why;
	for (unsigned i = 0; load_going(w); i++) {
		load_progress(w, 40);
		rest();
	}
	return 0;
}

static int brief_run(struct load_worker *w, struct why *why)
{
	(void)why;
	load_add(w, 5, 0);
	return 0;
}

static int files_prepare(struct load_worker *w, struct why *why)
{
	int fd = openat(w->scratch_fd, "prepared", O_CREAT | O_WRONLY, 0600);

	if (fd < 0)
		return why_set(why, -errno, "open: %s", strerror(errno));
	close(fd);
	return 0;
}

static int files_run(struct load_worker *w, struct why *why)
{
	char name[32];

	snprintf(name, sizeof(name), "worker%u", w->index);
	if (mkdirat(w->scratch_fd, name, 0700))
		return why_set(why, -errno, "mkdir: %s", strerror(errno));
	for (unsigned i = 0; load_going(w); i++) {
		snprintf(name, sizeof(name), "worker%u/%u", w->index, i);
		int fd = openat(w->scratch_fd, name, O_CREAT | O_WRONLY, 0600);

		if (fd < 0 || write(fd, name, sizeof(name)) < 0)
			return why_set(why, -errno, "write: %s", strerror(errno));
		close(fd);
		load_add(w, 1, sizeof(name));
		rest();
	}
	return 0;
}

/* Writes what it finds about itself into its figures. */
static int look_run(struct load_worker *w, struct why *why)
{
	double f[10] = { 0 };
	sigset_t blocked;
	int open_fds = 0, oom = -1;
	FILE *file;

	for (int fd = 0; fd < 256; fd++)
		open_fds += fcntl(fd, F_GETFD) >= 0;
	sigprocmask(SIG_SETMASK, NULL, &blocked);
	f[0] = open_fds;
	f[1] = sched_getscheduler(0);
	f[2] = getpriority(PRIO_PROCESS, 0);
	for (int s = 1; s < 32; s++)
		f[3] += sigismember(&blocked, s) > 0;
	f[4] = prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0);
	f[5] = geteuid();
	file = fopen("/proc/self/oom_score_adj", "r");
	if (file && fscanf(file, "%d", &oom) == 1)
		f[6] = oom;
	f[7] = open("/etc/passwd", O_RDONLY) >= 0;
	f[8] = open("/dev/null", O_WRONLY) >= 0;
	f[9] = openat(w->scratch_fd, "mine", O_CREAT | O_RDWR, 0600) >= 0;
	load_publish(w, f, 10, NULL);
	return steady_run(w, why);
}

static unsigned many_tasks(unsigned workers, const long *knob)
{
	return workers * (unsigned)knob[0];
}
static uint64_t disk_of_knob(unsigned workers, const long *knob)
{
	return workers * (uint64_t)knob[0] * 1000000;
}

static uint64_t much_memory(unsigned workers, const long *knob, uint64_t available)
{
	(void)workers, (void)knob;
	return available + 1;
}

static uint64_t all_memory(unsigned workers, const long *knob, uint64_t available)
{
	(void)workers, (void)knob;
	return available;
}

static uint64_t little_memory(unsigned workers, const long *knob, uint64_t available)
{
	(void)workers, (void)knob, (void)available;
	return 1000000;
}

extern const struct load load_fork;
#define TEST_LOAD(n, how, ...) \
	static const struct load load_##n = { \
		.name = #n, .summary = "for tests", .unit = "ops", .rate_unit = "ops/s", \
		.figure = LOAD_OPS, .version = 1, .default_per_cpu = 1, .max_workers = 64, \
		.tasks_per_worker = 1, .run = how, __VA_ARGS__ \
	}
TEST_LOAD(steady, steady_run, .default_plus = 0);
TEST_LOAD(wild, wild_run, .default_plus = 0);
TEST_LOAD(crash, crash_run, .default_plus = 0);
TEST_LOAD(broken, fail_run, .default_plus = 0);
TEST_LOAD(unprepared, steady_run, .prepare = bad_prepare);
TEST_LOAD(slow, steady_run, .prepare = slow_prepare);
TEST_LOAD(brief, brief_run, .default_plus = 0);
TEST_LOAD(finite, brief_run, .flags = LOAD_FINITE);
TEST_LOAD(files, files_run, .prepare = files_prepare, .flags = LOAD_SCRATCH);
TEST_LOAD(look, look_run, .flags = LOAD_SCRATCH);
TEST_LOAD(tasks, steady_run, .tasks = many_tasks,
	  .knobs = { { .name = "each", .least = 1, .value = 1, .most = 1000 } });
TEST_LOAD(hungry, steady_run, .memory_bytes = much_memory);
TEST_LOAD(greedy, steady_run, .memory_bytes = all_memory, .flags = LOAD_ASKS);
TEST_LOAD(modest, steady_run, .memory_bytes = little_memory);
TEST_LOAD(handles, steady_run, .fds_per_worker = 100000);
TEST_LOAD(some_handles, steady_run, .fds_per_worker = 40);
TEST_LOAD(sometimes, steady_run, .disk_bytes = disk_of_knob, .flags = LOAD_SCRATCH,
	  .knobs = { { .name = "mb", .least = 0, .value = 0, .most = 1000 } });

enum { FORK, STEADY, WILD, CRASH, BROKEN, UNPREPARED, SLOW, BRIEF, FINITE, FILES, LOOK, TASKS,
       HUNGRY, HANDLES, SOME_HANDLES, SOMETIMES, GREEDY, MODEST, LOADS };

const struct load *const loads[] = {
	&load_fork, &load_steady, &load_wild, &load_crash, &load_broken, &load_unprepared,
	&load_slow, &load_brief, &load_finite, &load_files, &load_look, &load_tasks,
	&load_hungry, &load_handles, &load_some_handles, &load_sometimes, &load_greedy,
	&load_modest, NULL,
};

/* ---- the bench ---- */

#define PATIENCE_NS (60 * NS_PER_S)	/* a bound for hangs, not a promise */

static char folder[] = "/tmp/js-check-XXXXXX";
static struct counters *counters;
static struct supervisor *sup;
static struct supervisor_event event;

static void start_supervisor(void)
{
	struct supervisor_config config = {
		.counters = counters, .scratch = { folder }, .seed = 1, .tty_fd = -1,
		.silence_ns = 10 * PATIENCE_NS,	/* these tests do not always speak */
	};
	struct why why = { 0 };

	sup = supervisor_start(&config, &why);
	ck_assert_msg(sup != NULL, "%s", why.text);
}

static void bench(void)
{
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	ck_assert_ptr_nonnull(mkdtemp(folder));
	counters = counters_new(LOADS);
	ck_assert_ptr_nonnull(counters);
}

static unsigned files_in(const char *path)
{
	DIR *dir = opendir(path);
	unsigned n = 0;

	ck_assert_ptr_nonnull(dir);
	for (struct dirent *e; (e = readdir(dir));)
		n += e->d_name[0] != '.';
	closedir(dir);
	return n;
}

static unsigned below_us(void)
{
	pid_t pids[64];

	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
	return kin_below(getpid(), pids, 64);
}

/* Waits until nothing of ours is left; says how many when it gives up. */
static unsigned left_over(void)
{
	int64_t until_ns = clock_now_ns() + PATIENCE_NS;
	unsigned n;

	while ((n = below_us() + files_in(folder)) && clock_now_ns() < until_ns)
		rest();
	return n;
}

static void dismantle(void)
{
	kin_kill_children(NULL, 0);
	left_over();
	rmdir(folder);
	counters_free(counters);
}

static bool next_event(int64_t until_ns)
{
	while (!supervisor_read(sup, &event)) {
		if (clock_now_ns() > until_ns)
			return false;
		poll(&(struct pollfd){ .fd = supervisor_fd(sup), .events = POLLIN }, 1, 100);
	}
	return true;
}

/* The program speaks up while it waits, as main does each second: on a machine
 * that is busy, silence would end the loads. */
static bool event_of_load(int64_t until_ns)
{
	do {
		int64_t now_ns = clock_now_ns();

		if (next_event(until_ns - now_ns < NS_PER_S ? until_ns : now_ns + NS_PER_S))
			continue;
		if (clock_now_ns() > until_ns)
			return false;
		supervisor_ping(sup);
		event.kind = SUP_PONG;
	} while (event.kind == SUP_PONG);
	return true;
}

static void expect(enum supervisor_event_kind kind, unsigned load)
{
	int64_t until_ns = clock_now_ns() + PATIENCE_NS;

	do
		ck_assert_msg(event_of_load(until_ns), "no event %d", (int)kind);
	while (event.kind == SUP_STATE ||
	       (event.kind == SUP_TIER && kind != SUP_TIER));
	ck_assert_msg(event.kind == kind, "wanted %d, got %d: %s", (int)kind, (int)event.kind,
		      event.text);
	ck_assert_uint_eq(event.load, load);
}

static void start(unsigned load, unsigned workers, long knob)
{
	long knobs[LOAD_KNOBS_MAX] = { knob };
	struct why why;

	ck_assert_int_eq(supervisor_load_start(sup, load, workers, knobs, &why), 0);
}

static void start_running(unsigned load, unsigned workers, long knob)
{
	start(load, workers, knob);
	expect(SUP_STARTED, load);
	expect(SUP_RUNNING, load);
}

static void stop(unsigned load)
{
	ck_assert_int_eq(supervisor_load_stop(sup, load), 0);
	expect(SUP_EXITED, load);
}

static void quit(void)
{
	struct why why = { 0 };

	ck_assert_msg(supervisor_quit(sup, 300, 20000, &why) == 0, "%s", why.text);
	supervisor_free(sup);
	ck_assert_uint_eq(left_over(), 0);
}

static uint64_t ops(unsigned load)
{
	struct counters_last last = { 0 };
	struct load_totals t;

	counters_read(counters, load, clock_now_ns(), &last, &t);
	return t.ops;
}

static void wait_for_ops(unsigned load, uint64_t n)
{
	int64_t until_ns = clock_now_ns() + PATIENCE_NS;

	while (ops(load) < n) {
		ck_assert_msg(clock_now_ns() < until_ns, "no work");
		rest();
	}
}

static bool disk_allows(void)
{
	struct statvfs fs;

	return !statvfs(folder, &fs) && !budget_disk_floor(&fs, NULL);
}

/* ---- life ---- */

START_TEST(a_load_starts_works_and_stops)
{
	start_supervisor();
	start_running(FORK, 2, 1);
	wait_for_ops(FORK, 10);
	stop(FORK);
	ck_assert_int_eq(event.err, 0);
	ck_assert_int_eq(event.signal, 0);
	quit();
}
END_TEST

START_TEST(it_starts_again_from_zero)
{
	start_supervisor();
	for (int i = 0; i < 5; i++) {
		start_running(STEADY, 3, 0);
		wait_for_ops(STEADY, 3);
		stop(STEADY);
		ck_assert_int_eq(event.err, 0);
	}
	start(STEADY, 1, 0);
	expect(SUP_STARTED, STEADY);
	ck_assert(event.tier == TIER_NS || event.tier == TIER_SUBREAPER);
	ck_assert_int_gt(event.pid, 1);
	expect(SUP_RUNNING, STEADY);
	quit();
}
END_TEST

START_TEST(many_starts_leak_no_descriptor)
{
	char fds[64];
	unsigned before = 0;

	start_supervisor();
	snprintf(fds, sizeof(fds), "/proc/%d/fd", (int)supervisor_pid(sup));
	for (int i = 0; i < 50; i++) {
		start_running(i % 2 ? STEADY : FINITE, 2, 0);
		if (i % 2)
			stop(STEADY);
		else
			expect(SUP_EXITED, FINITE);
		if (i == 1)
			before = files_in(fds);
	}
	ck_assert_uint_eq(files_in(fds), before);
	quit();
}
END_TEST

START_TEST(no_worker_works_before_all_are_ready)
{
	start_supervisor();
	start_running(STEADY, 64, 0);
	struct counters_last last = { 0 };
	struct load_totals t;

	counters_read(counters, STEADY, clock_now_ns(), &last, &t);
	ck_assert_uint_eq(t.ready + t.running, 64);
	stop(STEADY);
	quit();
}
END_TEST

/* F08: one word to the supervisor ends all. */
START_TEST(several_loads_run_side_by_side)
{
	start_supervisor();
	start_running(STEADY, 2, 0);
	start_running(FORK, 1, 4);
	start_running(WILD, 1, 0);
	stop(FORK);
	wait_for_ops(STEADY, ops(STEADY) + 5);
	ck_assert_int_eq(supervisor_kill_all(sup), 0);
	ck_assert(event_of_load(clock_now_ns() + PATIENCE_NS) && event.kind == SUP_EXITED);
	ck_assert(event_of_load(clock_now_ns() + PATIENCE_NS) && event.kind == SUP_EXITED);
	quit();
}
END_TEST

START_TEST(a_finite_load_ends_by_itself)
{
	start_supervisor();
	start_running(FINITE, 3, 0);
	expect(SUP_EXITED, FINITE);
	ck_assert_int_eq(event.err, 0);
	ck_assert_uint_eq(ops(FINITE), 15);
	quit();
}
END_TEST

START_TEST(an_endless_load_that_ends_has_failed)
{
	start_supervisor();
	start_running(BRIEF, 2, 0);
	expect(SUP_EXITED, BRIEF);
	ck_assert_int_ne(event.err, 0);
	ck_assert_str_eq(event.text, "all workers ended by themselves");
	quit();
}
END_TEST

START_TEST(a_crashed_worker_fails_its_load_and_no_other)
{
	start_supervisor();
	start_running(STEADY, 1, 0);
	start(CRASH, 2, 0);
	expect(SUP_STARTED, CRASH);
	expect(SUP_RUNNING, CRASH);
	expect(SUP_EXITED, CRASH);
	ck_assert_int_eq(event.signal, SIGSEGV);
	ck_assert_str_eq(event.text, "worker 2 killed by SIGSEGV");
	wait_for_ops(STEADY, ops(STEADY) + 3);
	quit();
}
END_TEST

START_TEST(a_failing_worker_says_why_in_clean_words)
{
	start_supervisor();
	start_running(BROKEN, 3, 0);
	expect(SUP_EXITED, BROKEN);
	ck_assert_int_eq(event.err, 1);
	ck_assert_str_eq(event.text, "disk full, stopped: write: No space left on ?device");
	quit();
}
END_TEST

/* F22: the load fails, nothing else. */
START_TEST(a_failed_preparation_says_why)
{
	start_supervisor();
	start(UNPREPARED, 1, 0);
	expect(SUP_STARTED, UNPREPARED);
	expect(SUP_EXITED, UNPREPARED);
	ck_assert_str_eq(event.text, "open /nowhere: not allowed");
	ck_assert_int_eq(counters->slot[UNPREPARED].failed, -EACCES);
	quit();
}
END_TEST

START_TEST(a_preparation_shows_progress_and_can_be_stopped)
{
	int64_t until_ns = clock_now_ns() + PATIENCE_NS;

	start_supervisor();
	start(SLOW, 1, 0);
	expect(SUP_STARTED, SLOW);
	while (counters->slot[SLOW].progress != 40 && clock_now_ns() < until_ns)
		rest();
	ck_assert_int_eq(counters->slot[SLOW].progress, 40);
	stop(SLOW);
	ck_assert_int_eq(event.err, 0);
	quit();
}
END_TEST

START_TEST(a_killed_nanny_takes_its_load_along_and_is_reported)
{
	start_supervisor();
	start(WILD, 2, 0);
	expect(SUP_STARTED, WILD);
	pid_t nanny = event.pid;

	expect(SUP_RUNNING, WILD);
	kill(nanny, SIGKILL);
	expect(SUP_EXITED, WILD);
	ck_assert_int_eq(event.signal, SIGKILL);
	ck_assert_str_eq(event.text, "killed by SIGKILL");
	quit();
}
END_TEST

/* A child of ours that has the number `wanted`, which may be in use for a while
 * yet; 0: it cannot be had here. */
static pid_t reuse(pid_t wanted)
{
	int64_t until_ns = clock_now_ns() + PATIENCE_NS;

	while (clock_now_ns() < until_ns) {
		FILE *f = fopen("/proc/sys/kernel/ns_last_pid", "w");

		if (!f || fprintf(f, "%d", (int)wanted - 1) < 0 || fclose(f))
			return 0;
		pid_t pid = fork();

		if (pid == 0)
			for (;;)
				pause();
		if (pid == wanted)
			return pid;
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
	}
	return 0;
}

/* F09: its number is another's before the stop, and each later order, is
 * carried out; the other lives on. */
START_TEST(a_number_that_is_anothers_by_now_is_not_signalled)
{
	start_supervisor();
	start(WILD, 2, 0);
	expect(SUP_STARTED, WILD);
	pid_t nanny = event.pid;

	expect(SUP_RUNNING, WILD);
	kill(nanny, SIGKILL);
	ck_assert_int_eq(supervisor_load_stop(sup, WILD), 0);
	pid_t other = reuse(nanny);

	if (!other)
		SKIP("no number can be chosen (ns_last_pid)");
	expect(SUP_EXITED, WILD);
	stop(WILD);
	start_running(STEADY, 1, 0);
	ck_assert_int_eq(supervisor_kill_all(sup), 0);
	expect(SUP_EXITED, STEADY);
	ck_assert_int_eq(supervisor_quit(sup, 300, 20000, NULL), 0);
	supervisor_free(sup);
	if (other) {
		ck_assert_int_eq(waitpid(other, NULL, WNOHANG), 0);
		kill(other, SIGKILL);
	}
	ck_assert_uint_eq(left_over(), 0);
}
END_TEST

/* F23: all that a load is made of goes before anything else. */
START_TEST(each_process_of_a_load_is_the_first_when_memory_is_short)
{
	pid_t pids[64];

	start_supervisor();
	start(WILD, 2, 0);
	expect(SUP_STARTED, WILD);
	pid_t nanny = event.pid;

	expect(SUP_RUNNING, WILD);
	wait_for_ops(WILD, 2);
	unsigned n = kin_below(nanny, pids, 63);

	ck_assert_uint_ge(n, 2);
	pids[n++] = nanny;
	for (unsigned i = 0; i < n; i++)
		ck_assert_msg(kin_is_marked(pids[i]), "process %u of %u is as dear as any", i, n);
	ck_assert(!kin_is_marked(getpid()));
	quit();
}
END_TEST

START_TEST(a_load_deaf_to_term_is_killed)
{
	start_supervisor();
	start_running(WILD, 2, 0);
	stop(WILD);
	ck_assert_int_eq(event.err, 0);
	ck_assert_int_eq(event.signal, 0);
	quit();
}
END_TEST

START_TEST(stopping_what_is_off_answers_exited)
{
	start_supervisor();
	stop(STEADY);
	ck_assert_int_eq(event.err, 0);
	quit();
}
END_TEST

START_TEST(a_ping_is_answered)
{
	start_supervisor();
	expect(SUP_TIER, 0);
	supervisor_ping(sup);
	ck_assert(next_event(clock_now_ns() + PATIENCE_NS));
	ck_assert_int_eq(event.kind, SUP_PONG);
	quit();
}
END_TEST

/* ---- scratch ---- */

START_TEST(files_are_gone_after_the_stop)
{
	if (!disk_allows() && !SKIP("too little room on the disk"))
		return;
	start_supervisor();
	start_running(FILES, 2, 0);
	wait_for_ops(FILES, 4);
	ck_assert_uint_eq(files_in(folder), 1);
	stop(FILES);
	ck_assert_int_eq(event.err, 0);
	start_running(FILES, 2, 0);
	wait_for_ops(FILES, 2);
	quit();
}
END_TEST

/* P15: descriptors, policy, signals, rights. */
START_TEST(nothing_leaks_into_a_worker)
{
	double f[LOAD_FIGURES];
	char text[256];

	if (!disk_allows() && !SKIP("too little room on the disk"))
		return;
	signal(SIGUSR2, SIG_IGN);
	start_supervisor();
	start_running(LOOK, 1, 0);
	wait_for_ops(LOOK, 1);
	ck_assert_uint_eq(counters_result(&counters->slot[LOOK], f, text), 10);
	ck_assert_double_eq(f[0], 4);		/* 0, 1, 2 and the scratch folder */
	ck_assert_double_eq(f[1], SCHED_OTHER);
	ck_assert_double_eq(f[2], 0);
	ck_assert_double_eq(f[3], 0);
	ck_assert_double_eq(f[4], 1);
	if (geteuid() == 0)
		ck_assert_double_ne(f[5], 0);
	ck_assert(f[6] == 1000 || f[6] == 0);	/* 0: not ours to read any more */
	ck_assert_double_eq(f[8], 1);
	ck_assert_double_eq(f[9], 1);
	quit();
}
END_TEST

/* ---- refusals ---- */

static const struct { unsigned load, workers; long knob; const char *text; int err; } refused[] = {
	{ STEADY, 0, 0, "0 workers; give 1 to 64", -EINVAL },
	{ STEADY, 65, 0, "65 workers; give 1 to 64", -EINVAL },
	{ FORK, 1, 65, "burst=65; give 1 to 64", -EINVAL },
	{ FORK, 1, 0, "burst=0; give 1 to 64", -EINVAL },
	{ TASKS, 1, 1000, "needs 1001 tasks, ", -EAGAIN },
	{ HUNGRY, 1, 0, "needs ", -ENOMEM },
	{ HANDLES, 64, 0, "needs 100000 descriptors, ", -EMFILE },
};

START_TEST(what_is_too_much_is_refused_in_words)
{
	start_supervisor();
	start(refused[_i].load, refused[_i].workers, refused[_i].knob);
	expect(SUP_REFUSED, refused[_i].load);
	ck_assert_int_eq(event.err, refused[_i].err);
	ck_assert_msg(!strncmp(event.text, refused[_i].text, strlen(refused[_i].text)), "%s",
		      event.text);
	quit();
}
END_TEST

/* F23: what a person allowed to hurt takes all that loads may have; the job that is
 * timed beside it still starts, of what is left. */
START_TEST(a_load_that_may_hurt_leaves_memory_to_others)
{
	start_supervisor();
	start_running(GREEDY, 1, 0);
	start_running(MODEST, 1, 0);
	stop(MODEST);
	stop(GREEDY);
	quit();
}
END_TEST

/* The limit is of one process, and each worker is one. */
START_TEST(workers_have_descriptors_each_for_itself)
{
	setrlimit(RLIMIT_NOFILE, &(struct rlimit){ 256, 256 });
	start_supervisor();
	start_running(SOME_HANDLES, 4, 0);
	stop(SOME_HANDLES);
	quit();
}
END_TEST

START_TEST(a_second_start_is_refused_and_harms_nothing)
{
	start_supervisor();
	start_running(STEADY, 1, 0);
	start(STEADY, 2, 0);
	expect(SUP_REFUSED, STEADY);
	ck_assert_int_eq(event.err, -EBUSY);
	wait_for_ops(STEADY, ops(STEADY) + 3);
	stop(STEADY);
	ck_assert_int_eq(event.err, 0);
	quit();
}
END_TEST

START_TEST(orders_that_make_no_sense_are_answered_here)
{
	long knobs[LOAD_KNOBS_MAX] = { 0 };
	struct why why;

	start_supervisor();
	expect(SUP_TIER, 0);
	ck_assert_int_eq(supervisor_load_start(sup, LOADS, 1, knobs, &why), -EINVAL);
	knobs[3] = INT64_MAX;
	ck_assert_int_eq(supervisor_load_start(sup, STEADY, 1, knobs, &why), -EINVAL);
	ck_assert_int_eq(supervisor_load_stop(sup, 4000), 0);
	supervisor_ping(sup);
	ck_assert(next_event(clock_now_ns() + PATIENCE_NS));
	ck_assert_int_eq(event.kind, SUP_PONG);
	quit();
}
END_TEST

START_TEST(without_a_scratch_directory_the_reason_is_told)
{
	struct supervisor_config config = {
		.counters = counters, .scratch = { "/no/such/place" }, .tty_fd = -1,
	};
	struct why why = { 0 };

	sup = supervisor_start(&config, &why);
	ck_assert_ptr_nonnull(sup);
	start(FILES, 1, 0);
	expect(SUP_REFUSED, FILES);
	ck_assert_ptr_nonnull(strstr(event.text, "/no/such/place"));
	start(SOMETIMES, 1, 1);
	expect(SUP_REFUSED, SOMETIMES);
	start_running(STEADY, 1, 0);
	start_running(SOMETIMES, 1, 0);		/* it writes nothing */
	quit();
}
END_TEST

/* ---- deaths ---- */

/* The part of main, in a process that can be killed.  It says one byte when
 * `load` has been asked for. */
static pid_t play_main(unsigned load, pid_t *supervisor)
{
	pid_t *shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int told[2];
	char byte = 0;

	ck_assert_ptr_ne(shared, MAP_FAILED);
	ck_assert_int_eq(pipe(told), 0);
	pid_t pid = fork();

	if (pid == 0) {
		start_supervisor();
		*shared = supervisor_pid(sup);
		start(load, 2, 1);
		if (write(told[1], &byte, 1) != 1)
			_exit(1);
		for (;;) {
			next_event(clock_now_ns() + NS_PER_MS);
			supervisor_ping(sup);
		}
	}
	close(told[1]);
	ck_assert_int_eq(read(told[0], &byte, 1), 1);
	close(told[0]);
	*supervisor = *shared;
	munmap(shared, 4096);
	return pid;
}

static const unsigned deadly[] = { FORK, WILD, SLOW, FILES, STEADY };
#define MOMENTS 10

static void wait_a_while(int turn)
{
	/* 0 .. 40 ms, by golden ratio: spread, and the same in each run. */
	clock_wait_until(clock_now_ns() + (turn * 618) % 1000 * 40 * NS_PER_US);
}

/* F16, P1: also between fork and the death signal. */
START_TEST(killing_main_leaves_nothing_at_any_moment)
{
	pid_t supervisor;

	for (int i = 0; i < MOMENTS; i++) {
		pid_t main_pid = play_main(deadly[_i], &supervisor);

		wait_a_while(i);
		kill(main_pid, SIGKILL);
		ck_assert_uint_eq(left_over(), 0);
	}
}
END_TEST

/* F16, P2: also between fork and the death signal. */
START_TEST(killing_main_and_supervisor_together_leaves_no_process)
{
	pid_t supervisor;

	for (int i = 0; i < MOMENTS; i++) {
		pid_t main_pid = play_main(deadly[_i], &supervisor);

		wait_a_while(i);
		kill(supervisor, SIGKILL);
		kill(main_pid, SIGKILL);
		int64_t until_ns = clock_now_ns() + PATIENCE_NS;

		while (below_us() && clock_now_ns() < until_ns)
			rest();
		ck_assert_uint_eq(below_us(), 0);
	}
	/* What is left on disk goes with the next start. */
	start_supervisor();
	quit();
	ck_assert_uint_eq(files_in(folder), 0);
}
END_TEST

START_TEST(killing_the_supervisor_ends_its_loads_and_is_told_once)
{
	start_supervisor();
	start_running(WILD, 2, 0);
	int fd = supervisor_fd(sup);

	kill(supervisor_pid(sup), SIGKILL);
	ck_assert(event_of_load(clock_now_ns() + PATIENCE_NS));
	ck_assert_int_eq(event.kind, SUP_LOST);
	ck_assert_str_eq(event.text, "stopped: supervisor died");
	ck_assert(!supervisor_alive(sup));
	ck_assert(!supervisor_read(sup, &event));

	long knobs[LOAD_KNOBS_MAX] = { 0 };
	struct why why;

	ck_assert_int_eq(supervisor_load_start(sup, STEADY, 1, knobs, &why), -EPIPE);
	/* Its number is not free: the watchdog may be about to send there. */
	ck_assert_int_ge(fcntl(fd, F_GETFD), 0);
	ck_assert_int_eq(supervisor_kill_all(sup), -EPIPE);
	ck_assert_int_eq(supervisor_fd(sup), -1);
	supervisor_free(sup);
	ck_assert_int_lt(fcntl(fd, F_GETFD), 0);
	ck_assert_uint_eq(left_over(), 0);
}
END_TEST

START_TEST(a_supervisor_that_gets_term_cleans_up_and_goes)
{
	start_supervisor();
	start_running(WILD, 1, 0);
	kill(supervisor_pid(sup), SIGTERM);
	do
		ck_assert(next_event(clock_now_ns() + PATIENCE_NS));
	while (event.kind != SUP_LOST);
	supervisor_free(sup);
	ck_assert_uint_eq(left_over(), 0);
}
END_TEST

START_TEST(freeing_without_a_goodbye_cleans_up_too)
{
	start_supervisor();
	start_running(WILD, 2, 0);
	supervisor_free(sup);
	ck_assert_uint_eq(left_over(), 0);
}
END_TEST

/* ---- the terminal ---- */

/* Main makes the terminal raw and is killed; byte: when it is so far. */
static pid_t play_screen(int tty, bool give_back)
{
	int told[2];
	char byte = 0;

	ck_assert_int_eq(pipe(told), 0);
	pid_t pid = fork();

	if (pid == 0) {
		struct supervisor_config config = {
			.counters = counters, .scratch = { folder }, .tty_fd = tty,
		};
		struct termios cooked, raw;

		sup = supervisor_start(&config, NULL);
		tcgetattr(tty, &cooked);
		raw = cooked;
		cfmakeraw(&raw);
		if (supervisor_tty(sup, &cooked, &raw, false))
			_exit(1);
		tcsetattr(tty, TCSANOW, &raw);
		start(WILD, 1, 0);
		if (give_back && supervisor_tty(sup, NULL, NULL, true))
			_exit(1);
		if (write(told[1], &byte, 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	close(told[1]);
	ck_assert_int_eq(read(told[0], &byte, 1), 1);
	close(told[0]);
	return pid;
}

/* What has come when `end` has: bytes of several writes come one by one. */
static const char *seen_to(int master, const char *end)
{
	static char seen[1024];
	size_t used = 0;
	ssize_t n = 1;

	seen[0] = '\0';
	while (n > 0 && !strstr(seen, end) && used + 1 < sizeof(seen) &&
	       poll(&(struct pollfd){ .fd = master, .events = POLLIN }, 1, 20000) > 0) {
		n = read(master, seen + used, sizeof(seen) - 1 - used);
		used += n > 0 ? (size_t)n : 0;
		seen[used] = '\0';
	}
	return seen;
}

START_TEST(the_terminal_is_given_back_when_main_is_killed)
{
	struct termios before, after;
	int master, tty;

	ck_assert_int_eq(openpty(&master, &tty, NULL, NULL, NULL), 0);
	tcgetattr(tty, &before);
	pid_t pid = play_screen(tty, false);

	kill(pid, SIGKILL);
	ck_assert_uint_eq(left_over(), 0);
	tcgetattr(tty, &after);
	ck_assert(guardian_same(&before, &after));
	const char *seen = seen_to(master, "loads stopped");

	ck_assert_ptr_nonnull(strstr(seen, GUARDIAN_RESET_BYTES));
	ck_assert_ptr_nonnull(strstr(seen, "loads stopped"));
	close(master);
	close(tty);
}
END_TEST

START_TEST(a_terminal_that_main_gave_back_is_left_alone)
{
	struct termios after;
	int master, tty;
	char seen[16];

	ck_assert_int_eq(openpty(&master, &tty, NULL, NULL, NULL), 0);
	pid_t pid = play_screen(tty, true);

	kill(pid, SIGKILL);
	ck_assert_uint_eq(left_over(), 0);
	tcgetattr(tty, &after);
	ck_assert(!(after.c_lflag & ICANON));	/* as the next program has it */
	fcntl(master, F_SETFL, O_NONBLOCK);
	ck_assert_int_eq(read(master, seen, sizeof(seen)), -1);
	close(master);
	close(tty);
}
END_TEST

/* ---- limits that bite while it runs ---- */

/* A group that allows few tasks; false where there is no such controller. */
static bool limit_tasks(char group[64], unsigned most)
{
	char path[96];
	FILE *f;

	snprintf(group, 64, "/sys/fs/cgroup/pids/js-check-%d", (int)getpid());
	if (geteuid() || mkdir(group, 0700))
		return false;
	snprintf(path, sizeof(path), "%s/pids.max", group);
	f = fopen(path, "w");
	if (!f)
		return false;
	fprintf(f, "%u", most);
	return !fclose(f);
}

static void move_into(const char *group, pid_t pid)
{
	char path[96];

	snprintf(path, sizeof(path), "%s/cgroup.procs", group);
	FILE *f = fopen(path, "w");

	ck_assert_ptr_nonnull(f);
	fprintf(f, "%d", (int)pid);
	ck_assert_int_eq(fclose(f), 0);
}

/* F25: EAGAIN is counted and waited for. */
START_TEST(a_fork_storm_at_its_limit_slows_down_and_lives)
{
	char group[64];
	struct counters_last last = { 0 };
	struct load_totals t = { 0 };
	int64_t until_ns = clock_now_ns() + PATIENCE_NS;
	pid_t nanny, workers[4];

	if (!limit_tasks(group, 6) && !SKIP("no pids controller of cgroup v1"))
		return;
	start_supervisor();
	start(FORK, 1, 16);
	expect(SUP_STARTED, FORK);
	nanny = event.pid;
	expect(SUP_RUNNING, FORK);
	wait_for_ops(FORK, 16);
	move_into(group, nanny);
	ck_assert_uint_ge(kin_below(nanny, workers, 1), 1);
	move_into(group, workers[0]);
	while (t.throttled < 3) {
		ck_assert_int_lt(clock_now_ns(), until_ns);
		counters_read(counters, FORK, clock_now_ns(), &last, &t);
		rest();
	}
	uint64_t before = ops(FORK);

	wait_for_ops(FORK, before + 5);
	ck_assert_int_eq(t.last_errno, EAGAIN);
	stop(FORK);
	ck_assert_int_eq(event.err, 0);
	quit();
	ck_assert_int_eq(rmdir(group), 0);
}
END_TEST

/* F25: before the machine is out of tasks. */
START_TEST(a_limit_on_tasks_refuses_by_name)
{
	char group[64];

	if (!limit_tasks(group, 20) && !SKIP("no pids controller of cgroup v1"))
		return;
	move_into(group, getpid());
	start_supervisor();
	start(TASKS, 10, 1);
	expect(SUP_REFUSED, TASKS);
	ck_assert_ptr_nonnull(strstr(event.text, "pids.max 20"));
	quit();
	move_into("/sys/fs/cgroup/pids", getpid());
	ck_assert_int_eq(rmdir(group), 0);
}
END_TEST

static const struct { const char *options, *word; } tiny[] = {
	{ "size=16k", "disk full" }, { "size=4g,nr_inodes=8", "no inodes left" },
};

/* F24, P14: bytes and inodes. */
START_TEST(a_disk_that_is_too_small_is_refused_in_the_right_words)
{
	if (geteuid() || unshare(CLONE_NEWNS) ||
	    mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("none", folder, "tmpfs", 0, tiny[_i].options)) {
		SKIP("may not mount");
		return;
	}
	/* Nearly all inodes of the second one are taken. */
	for (int i = 0; i < 7; i++) {
		char name[64];

		snprintf(name, sizeof(name), "%s/%d", folder, i);
		int fd = open(name, O_CREAT | O_WRONLY, 0600);

		if (fd >= 0)
			close(fd);
	}
	start_supervisor();
	start(FILES, 1, 0);
	expect(SUP_REFUSED, FILES);
	ck_assert_int_eq(event.err, -ENOSPC);
	ck_assert_msg(!strncmp(event.text, tiny[_i].word, strlen(tiny[_i].word)), "%s", event.text);
	start(SOMETIMES, 1, 1);
	expect(SUP_REFUSED, SOMETIMES);
	start_running(SOMETIMES, 1, 0);		/* it writes nothing, and stays */
	ck_assert_msg(!event_of_load(clock_now_ns() + 600 * NS_PER_MS), "%s", event.text);
	supervisor_load_stop(sup, SOMETIMES);
	expect(SUP_EXITED, SOMETIMES);
	ck_assert_int_eq(event.err, 0);
	ck_assert_int_eq(supervisor_quit(sup, 300, 20000, NULL), 0);
	supervisor_free(sup);
	umount(folder);
}
END_TEST

static void write_to(const char *group, const char *file, const char *text)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", group, file);
	FILE *f = fopen(path, "w");

	ck_assert_ptr_nonnull(f);
	fputs(text, f);
	ck_assert_int_eq(fclose(f), 0);
}

/* F20: a frozen task is in state D and deaf to KILL, like one that waits for a
 * disk that has gone. */
START_TEST(a_load_that_cannot_die_is_named_and_left)
{
	char group[64], pid[16];
	struct why why = { 0 };

	snprintf(group, sizeof(group), "/sys/fs/cgroup/freezer/js-check-%d", (int)getpid());
	if (geteuid() || mkdir(group, 0700)) {
		SKIP("no freezer of cgroup v1");
		return;
	}
	start_supervisor();
	start(STEADY, 1, 0);
	expect(SUP_STARTED, STEADY);
	pid_t nanny = event.pid, worker = 0;

	expect(SUP_RUNNING, STEADY);
	ck_assert_uint_eq(kin_below(nanny, &worker, 1), 1);
	move_into(group, worker);
	write_to(group, "freezer.state", "FROZEN");
	int64_t begun_ns = clock_now_ns();
	int left = supervisor_quit(sup, 300, 1000, &why);

	ck_assert_int_lt(clock_now_ns() - begun_ns, PATIENCE_NS / 2);
	write_to(group, "freezer.state", "THAWED");
	ck_assert_int_ge(left, 1);
	snprintf(pid, sizeof(pid), "%d (", (int)worker);
	ck_assert_msg(strstr(why.text, pid) != NULL, "%s", why.text);
	supervisor_free(sup);
	ck_assert_uint_eq(left_over(), 0);
	ck_assert_int_eq(rmdir(group), 0);
}
END_TEST

/* A disk that takes its time with deleting, or here a supervisor. */
START_TEST(scratch_that_is_still_being_deleted_is_no_load)
{
	struct why why = { 0 };

	start_supervisor();
	start_running(FILES, 1, 0);
	stop(FILES);
	kill(supervisor_pid(sup), SIGSTOP);
	ck_assert_int_eq(supervisor_quit(sup, 300, 200, &why), -EBUSY);
	ck_assert_msg(strstr(why.text, "scratch is still") != NULL, "%s", why.text);
	ck_assert_int_eq(supervisor_wait(sup, 100), -EBUSY);
	kill(supervisor_pid(sup), SIGCONT);
	ck_assert_int_eq(supervisor_wait(sup, 20000), 0);
	supervisor_free(sup);
	ck_assert_uint_eq(files_in(folder), 0);
}
END_TEST

/* F24, P14: the disk fills up under a load that runs. */
START_TEST(a_disk_that_fills_up_stops_the_load)
{
	char name[64];

	if (geteuid() || unshare(CLONE_NEWNS) ||
	    mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("none", folder, "tmpfs", 0, "size=4g,nr_inodes=100")) {
		SKIP("may not mount");
		return;
	}
	start_supervisor();
	start_running(FILES, 1, 0);
	expect(SUP_EXITED, FILES);
	ck_assert_int_eq(event.err, 1);
	ck_assert_msg(!strncmp(event.text, "no inodes left, stopped", 23), "%s", event.text);
	snprintf(name, sizeof(name), "%s", folder);
	ck_assert_int_eq(supervisor_quit(sup, 300, 20000, NULL), 0);
	supervisor_free(sup);
	ck_assert_uint_eq(files_in(name), 0);
	umount(folder);
}
END_TEST

/* ---- with fewer rights ---- */

static void lose_namespaces(void)
{
	cap_t caps = cap_get_proc();
	const cap_value_t admin = CAP_SYS_ADMIN;

	cap_set_flag(caps, CAP_EFFECTIVE, 1, &admin, CAP_CLEAR);
	cap_set_flag(caps, CAP_PERMITTED, 1, &admin, CAP_CLEAR);
	ck_assert_int_eq(cap_set_proc(caps), 0);
	cap_free(caps);
}

START_TEST(without_namespaces_the_weaker_tier_does_it)
{
	if (!SKIP_UNLESS_ROOT())
		return;
	lose_namespaces();
	start_supervisor();
	expect(SUP_TIER, 0);
	ck_assert_int_eq(event.tier, TIER_SUBREAPER);
	start(WILD, 2, 0);
	expect(SUP_STARTED, WILD);
	ck_assert_int_eq(event.tier, TIER_SUBREAPER);
	expect(SUP_RUNNING, WILD);
	wait_for_ops(WILD, 2);
	stop(WILD);
	ck_assert_int_eq(event.err, 0);
	start_running(WILD, 2, 0);
	quit();
}
END_TEST

/* A stop may be there before the nanny has a handler for it. */
START_TEST(without_namespaces_a_stop_right_after_the_start_is_no_failure)
{
	if (!SKIP_UNLESS_ROOT())
		return;
	lose_namespaces();
	start_supervisor();
	for (int i = 0; i < MOMENTS; i++) {
		start(WILD, 2, 0);
		ck_assert_int_eq(supervisor_load_stop(sup, WILD), 0);
		do
			ck_assert(event_of_load(clock_now_ns() + PATIENCE_NS));
		while (event.kind != SUP_EXITED);
		ck_assert_msg(!event.err && !event.signal, "%d, signal %d: %s", event.err,
			      event.signal, event.text);
	}
	quit();
}
END_TEST

START_TEST(without_namespaces_killing_main_leaves_nothing)
{
	pid_t supervisor;

	if (!SKIP_UNLESS_ROOT())
		return;
	lose_namespaces();
	for (int i = 0; i < MOMENTS; i++) {
		pid_t main_pid = play_main(WILD, &supervisor);

		wait_a_while(i);
		kill(main_pid, SIGKILL);
		ck_assert_uint_eq(left_over(), 0);
	}
}
END_TEST

START_TEST(without_namespaces_killing_the_supervisor_leaves_nothing)
{
	if (!SKIP_UNLESS_ROOT())
		return;
	lose_namespaces();
	start_supervisor();
	start_running(WILD, 2, 0);
	wait_for_ops(WILD, 2);
	kill(supervisor_pid(sup), SIGKILL);
	ck_assert(event_of_load(clock_now_ns() + PATIENCE_NS));
	ck_assert_int_eq(event.kind, SUP_LOST);
	ck_assert_int_eq(supervisor_fd(sup), -1);
	for (int64_t until_ns = clock_now_ns() + PATIENCE_NS; below_us();) {
		ck_assert_int_lt(clock_now_ns(), until_ns);
		supervisor_ping(sup);
		rest();
	}
	supervisor_free(sup);
	ck_assert_uint_eq(left_over(), 0);
}
END_TEST

START_TEST(an_ordinary_user_gets_the_strong_tier_by_a_user_namespace)
{
	if (!SKIP_UNLESS_ROOT())
		return;
	ck_assert_int_eq(chown(folder, 65534, 65534), 0);
	ck_assert_int_eq(setresgid(65534, 65534, 65534), 0);
	ck_assert_int_eq(setresuid(65534, 65534, 65534), 0);
	prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
	start_supervisor();
	start(WILD, 2, 0);
	expect(SUP_STARTED, WILD);
	ck_assert(event.tier == TIER_NS || event.tier == TIER_SUBREAPER);
	expect(SUP_RUNNING, WILD);
	stop(WILD);
	if (disk_allows()) {
		start_running(FILES, 1, 0);
		wait_for_ops(FILES, 2);
		stop(FILES);
		ck_assert_int_eq(event.err, 0);
	}
	quit();
}
END_TEST

/* ---- small things ---- */

START_TEST(the_tier_is_told_before_any_load)
{
	start_supervisor();
	expect(SUP_TIER, 0);
	enum tier told = event.tier;

	start(STEADY, 1, 0);
	expect(SUP_STARTED, STEADY);
	ck_assert_int_eq(event.tier, told);
	expect(SUP_RUNNING, STEADY);
	stop(STEADY);
	quit();
}
END_TEST

START_TEST(tiers_have_names)
{
	ck_assert_str_eq(tier_name(TIER_NONE), "none");
	ck_assert_str_eq(tier_name(TIER_SUBREAPER), "subreaper");
	ck_assert_str_eq(tier_name(TIER_NS), "ns");
	ck_assert_str_eq(tier_name((enum tier)99), "none");
}
END_TEST

static TCase *new_case(Suite *s, const char *name)
{
	TCase *tc = tcase_create(name);

	tcase_add_checked_fixture(tc, bench, dismantle);
	tcase_set_timeout(tc, 60);
	suite_add_tcase(s, tc);
	return tc;
}

static void add_life(Suite *s)
{
	TCase *tc = new_case(s, "life");

	tcase_add_test(tc, a_load_starts_works_and_stops);
	tcase_add_test(tc, it_starts_again_from_zero);
	tcase_add_test(tc, many_starts_leak_no_descriptor);
	tcase_add_test(tc, no_worker_works_before_all_are_ready);
	tcase_add_test(tc, several_loads_run_side_by_side);
	tcase_add_test(tc, a_finite_load_ends_by_itself);
	tcase_add_test(tc, an_endless_load_that_ends_has_failed);
	tcase_add_test(tc, a_crashed_worker_fails_its_load_and_no_other);
	tcase_add_test(tc, a_failing_worker_says_why_in_clean_words);
	tcase_add_test(tc, a_failed_preparation_says_why);
	tcase_add_test(tc, a_preparation_shows_progress_and_can_be_stopped);
	tcase_add_test(tc, a_killed_nanny_takes_its_load_along_and_is_reported);
	tcase_add_test(tc, a_number_that_is_anothers_by_now_is_not_signalled);
	tcase_add_test(tc, each_process_of_a_load_is_the_first_when_memory_is_short);
	tcase_add_test(tc, a_load_deaf_to_term_is_killed);
	tcase_add_test(tc, stopping_what_is_off_answers_exited);
	tcase_add_test(tc, a_ping_is_answered);
	tcase_add_test(tc, files_are_gone_after_the_stop);
	tcase_add_test(tc, nothing_leaks_into_a_worker);
	tcase_add_test(tc, the_tier_is_told_before_any_load);
	tcase_add_test(tc, tiers_have_names);
}

static void add_refusals(Suite *s)
{
	TCase *tc = new_case(s, "refusals");

	tcase_add_loop_test(tc, what_is_too_much_is_refused_in_words, 0,
			    sizeof(refused) / sizeof(refused[0]));
	tcase_add_test(tc, workers_have_descriptors_each_for_itself);
	tcase_add_test(tc, a_load_that_may_hurt_leaves_memory_to_others);
	tcase_add_test(tc, a_second_start_is_refused_and_harms_nothing);
	tcase_add_test(tc, orders_that_make_no_sense_are_answered_here);
	tcase_add_test(tc, without_a_scratch_directory_the_reason_is_told);
	tcase_add_test(tc, a_limit_on_tasks_refuses_by_name);
	tcase_add_test(tc, a_fork_storm_at_its_limit_slows_down_and_lives);
	tcase_add_loop_test(tc, a_disk_that_is_too_small_is_refused_in_the_right_words, 0, 2);
	tcase_add_test(tc, a_disk_that_fills_up_stops_the_load);
	tcase_add_test(tc, a_load_that_cannot_die_is_named_and_left);
	tcase_add_test(tc, scratch_that_is_still_being_deleted_is_no_load);
}

static void add_deaths(Suite *s)
{
	TCase *tc = new_case(s, "deaths");
	int n = sizeof(deadly) / sizeof(deadly[0]);

	tcase_add_loop_test(tc, killing_main_leaves_nothing_at_any_moment, 0, n);
	tcase_add_loop_test(tc, killing_main_and_supervisor_together_leaves_no_process, 0, n);
	tcase_add_test(tc, killing_the_supervisor_ends_its_loads_and_is_told_once);
	tcase_add_test(tc, a_supervisor_that_gets_term_cleans_up_and_goes);
	tcase_add_test(tc, freeing_without_a_goodbye_cleans_up_too);
	tcase_add_test(tc, the_terminal_is_given_back_when_main_is_killed);
	tcase_add_test(tc, a_terminal_that_main_gave_back_is_left_alone);
	tcase_add_test(tc, without_namespaces_the_weaker_tier_does_it);
	tcase_add_test(tc, without_namespaces_a_stop_right_after_the_start_is_no_failure);
	tcase_add_test(tc, without_namespaces_killing_main_leaves_nothing);
	tcase_add_test(tc, without_namespaces_killing_the_supervisor_leaves_nothing);
	tcase_add_test(tc, an_ordinary_user_gets_the_strong_tier_by_a_user_namespace);
}

Suite *supervisor_suite(void);

Suite *supervisor_suite(void)
{
	Suite *s = suite_create("supervisor");

	add_life(s);
	add_refusals(s);
#ifndef JS_TSAN
	add_deaths(s);
#else
	/* A clone leaves the thread of its runtime behind, perhaps with a lock
	 * held; these processes have one thread and nothing to race with. */
	puts("supervisor: deaths are skipped under the thread sanitizer");
	(void)add_deaths;
#endif
	return s;
}
