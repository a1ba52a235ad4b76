/*
 * check_runaway.c - a sampler of the real program runs on without sleeping, as
 * a bug would have it, under a limit at which the kernel kills.
 *
 * Its thread is stopped, sent into a loop of one instruction that is found in
 * its code, and after it was demoted sent back to where it was.
 */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/clock.h"
#include "tests/prog.h"
#include "tests/skip.h"

#define PATIENCE_NS (30 * NS_PER_S)	/* only a failure takes that long */
#define PROBE "wakeup-fifo"
#define THREADS 64

#if defined(__x86_64__) && !defined(JS_ASAN) && !defined(JS_TSAN)

static void rest(void)
{
	usleep(1000);
}

/* ---- its samplers ---- */

static bool is_real_time(pid_t tid)
{
	return (sched_getscheduler(tid) & ~SCHED_RESET_ON_FORK) == SCHED_FIFO;
}

/* The real-time threads named after the probe, by number, that are there by now. */
static unsigned find_samplers(pid_t pid, pid_t *tid)
{
	char path[64], name[32];
	unsigned n = 0;

	for (pid_t t = pid; t < pid + 1000 && n < THREADS; t++) {
		snprintf(path, sizeof(path), "/proc/%d/task/%d/comm", (int)pid, (int)t);
		FILE *f = fopen(path, "r");

		if (!f)
			continue;
		if (fgets(name, sizeof(name), f) && !strcmp(name, PROBE "\n") && is_real_time(t))
			tid[n++] = t;
		fclose(f);
	}
	return n;
}

static unsigned wait_for_samplers(pid_t pid, pid_t *tid)
{
	int64_t until_ns = clock_now_ns() + PATIENCE_NS;
	unsigned n, before = 0;

	while (clock_now_ns() < until_ns) {
		n = find_samplers(pid, tid);
		if (n && n == before)
			return n;
		before = n;
		usleep(300000);
	}
	return 0;
}

/* ---- the loop ---- */

/* Of a jump to itself; 0: there is none from `begin` to `end`. */
static unsigned long loop_within(int memory, unsigned long begin, unsigned long end)
{
	static unsigned char code[1 << 20];

	for (; begin < end; begin += sizeof(code) - 1) {
		ssize_t n = pread(memory, code, end - begin < sizeof(code) ? end - begin : sizeof(code),
				  (off_t)begin);
		unsigned char *at = n > 1 ? memmem(code, (size_t)n, "\xeb\xfe", 2) : NULL;

		if (at)
			return begin + (unsigned long)(at - code);
	}
	return 0;
}

static unsigned long find_loop(pid_t pid)
{
	char path[64], line[512], rights[8];
	unsigned long begin, end, found = 0;

	snprintf(path, sizeof(path), "/proc/%d/mem", (int)pid);
	int memory = open(path, O_RDONLY | O_CLOEXEC);

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
	FILE *maps = fopen(path, "r");

	ck_assert(memory >= 0 && maps);
	while (!found && fgets(line, sizeof(line), maps)) {
		if (sscanf(line, "%lx-%lx %7s", &begin, &end, rights) == 3 && !strcmp(rights, "r-xp") &&
		    !strstr(line, "[v"))
			found = loop_within(memory, begin, end);
	}
	fclose(maps);
	close(memory);
	return found;
}

/* ---- there and back ---- */

/* A signal that comes first is delivered. */
static void hold(pid_t tid, struct user_regs_struct *r)
{
	int status;

	ck_assert_msg(ptrace(PTRACE_SEIZE, tid, NULL, NULL) == 0, "%s", strerror(errno));
	ck_assert_int_eq(ptrace(PTRACE_INTERRUPT, tid, NULL, NULL), 0);
	ck_assert_int_eq(waitpid(tid, &status, __WALL), tid);
	while (status >> 16 != PTRACE_EVENT_STOP) {
		ptrace(PTRACE_CONT, tid, NULL, (void *)(intptr_t)WSTOPSIG(status));
		ck_assert_int_eq(waitpid(tid, &status, __WALL), tid);
	}
	ck_assert_int_eq(ptrace(PTRACE_GETREGS, tid, NULL, r), 0);
}

static void let_go(pid_t tid, const struct user_regs_struct *r)
{
	ck_assert_int_eq(ptrace(PTRACE_SETREGS, tid, NULL, r), 0);
	ck_assert_int_eq(ptrace(PTRACE_DETACH, tid, NULL, NULL), 0);
}

static struct user_regs_struct send_into(pid_t tid, unsigned long loop)
{
	struct user_regs_struct was, now;

	hold(tid, &was);
	now = was;
	now.rip = loop;
	now.orig_rax = (unsigned long long)-1;	/* no call is begun anew */
	let_go(tid, &now);
	return was;
}

/* Once it has left the handler that demoted it.  A call it was in before has
 * been interrupted. */
static void send_back(pid_t tid, unsigned long loop, struct user_regs_struct was)
{
	int64_t until_ns = clock_now_ns() + PATIENCE_NS;
	struct user_regs_struct now;

	for (hold(tid, &now); now.rip != loop; hold(tid, &now)) {
		let_go(tid, &now);
		ck_assert_msg(clock_now_ns() < until_ns, "it does not come back from the handler");
		rest();
	}
	if ((long long)was.orig_rax >= 0)
		was.rax = (unsigned long long)-EINTR;
	was.orig_rax = (unsigned long long)-1;
	let_go(tid, &was);
}

/* ---- the run ---- */

/* From the soft limit the kernel goes up by a second, beyond the hard one. */
static void wait_for_limit(pid_t pid)
{
	int64_t until_ns = clock_now_ns() + PATIENCE_NS;
	struct rlimit limit;

	do {
		rest();
		ck_assert_msg(prlimit(pid, RLIMIT_RTTIME, NULL, &limit) == 0, "killed");
		ck_assert_msg(clock_now_ns() < until_ns, "the soft limit stays at %lu us",
			      (unsigned long)limit.rlim_cur);
	} while (limit.rlim_cur != 100000);
}

static void run_away(pid_t pid, pid_t tid, unsigned long loop, unsigned turn)
{
	int64_t begun_ns = clock_now_ns();
	struct user_regs_struct was = send_into(tid, loop);

	while (is_real_time(tid)) {
		ck_assert_msg(clock_now_ns() - begun_ns < PATIENCE_NS, "runaway %u is not demoted", turn);
		rest();
	}
	ck_assert_msg(sched_getscheduler(tid) >= 0, "runaway %u: the program was killed", turn);
	printf("P5 runaway %u demoted after %lld ms ok\n", turn,
	       (long long)((clock_now_ns() - begun_ns) / NS_PER_MS));
	send_back(tid, loop, was);
	wait_for_limit(pid);
}

/* Every demotion is an event that names its thread. */
static unsigned told(const json_t *root)
{
	json_t *e;
	size_t i;
	unsigned n = 0;

	json_array_foreach(json_object_get(root, "events"), i, e)
		n += !strcmp(json_string_value(json_object_get(e, "kind")), "rt") &&
		     strstr(json_string_value(json_object_get(e, "text")), PROBE);
	return n;
}

/* F29, P5: all samplers in turn, the second under the limit as it was for the
 * first; none costs the run. */
START_TEST(a_runaway_sampler_is_demoted_and_named_and_the_run_goes_on)
{
	pid_t tid[THREADS];
	struct prog p;

	if (!SKIP_UNLESS_ROOT() || !prog_have("prlimit", __func__))
		return;
	prog_start(&p, (const char *const[]){ "prlimit", "--rttime=200000:200000", prog_path(), "record",
					      "-P", PROBE, "--json", NULL });
	unsigned n = wait_for_samplers(p.pid, tid);
	unsigned long loop = n ? find_loop(p.pid) : 0;

	if (!n)
		SKIP("no real time here");
	else if (!loop)
		SKIP("no loop in the code");
	for (unsigned i = 0; loop && i < n && i < 3; i++)
		run_away(p.pid, tid[i], loop, i + 1);
	kill(p.pid, SIGINT);
	prog_end(&p, 30000);
	ck_assert_msg(p.exit_code == 0, "exit %d: %s", p.exit_code, p.err);
	json_t *root = prog_json(&p);

	prog_check_sums(root);
	if (loop)
		ck_assert_uint_eq(told(root), n < 3 ? n : 3);
	json_decref(root);
	prog_free(&p);
}
END_TEST

#else

START_TEST(a_runaway_sampler_is_demoted_and_named_and_the_run_goes_on)
{
	SKIP("x86-64 without a sanitizer only");
}
END_TEST

#endif

Suite *runaway_suite(void);

Suite *runaway_suite(void)
{
	Suite *s = suite_create("runaway");
	TCase *tc = tcase_create("runaway");

	tcase_set_timeout(tc, 180);
	tcase_add_test(tc, a_runaway_sampler_is_demoted_and_named_and_the_run_goes_on);
	suite_add_tcase(s, tc);
	return s;
}
