/* stepper.c - see stepper.h. */
#include "tests/stepper.h"

#include <check.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#define SYSCALL_STOP (SIGTRAP | 0x80)

/* ---- registers ----------------------------------------------------------- */

#if defined(__x86_64__)
static void skip_call(pid_t tid)
{
	struct user_regs_struct r;

	ck_assert_int_eq(ptrace(PTRACE_GETREGS, tid, NULL, &r), 0);
	r.orig_rax = (unsigned long long)-1;
	ck_assert_int_eq(ptrace(PTRACE_SETREGS, tid, NULL, &r), 0);
}

static void set_result(pid_t tid, long value)
{
	struct user_regs_struct r;

	ck_assert_int_eq(ptrace(PTRACE_GETREGS, tid, NULL, &r), 0);
	r.rax = (unsigned long long)value;
	ck_assert_int_eq(ptrace(PTRACE_SETREGS, tid, NULL, &r), 0);
}
#elif defined(__aarch64__)
static void skip_call(pid_t tid)
{
	int none = -1;
	struct iovec v = { &none, sizeof(none) };

	ck_assert_int_eq(ptrace(PTRACE_SETREGSET, tid, NT_ARM_SYSTEM_CALL, &v), 0);
}

static void set_result(pid_t tid, long value)
{
	struct user_regs_struct r;
	struct iovec v = { &r, sizeof(r) };

	ck_assert_int_eq(ptrace(PTRACE_GETREGSET, tid, NT_PRSTATUS, &v), 0);
	r.regs[0] = (unsigned long)value;
	ck_assert_int_eq(ptrace(PTRACE_SETREGSET, tid, NT_PRSTATUS, &v), 0);
}
#else
static void skip_call(pid_t tid)
{
	(void)tid;
}

static void set_result(pid_t tid, long value)
{
	(void)tid;
	(void)value;
}
#define NO_REGISTERS
#endif

bool step_can(const char *test)
{
#ifdef NO_REGISTERS
	printf("SKIP %s: system calls cannot be refused on this processor\n", test);
	return false;
#else
	pid_t pid = fork();

	if (!pid) {
		pause();
		_exit(0);
	}
	bool can = ptrace(PTRACE_SEIZE, pid, NULL, PTRACE_O_EXITKILL) == 0;
	int err = errno;

	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	if (!can)
		printf("SKIP %s: no ptrace here: %s\n", test, strerror(err));
	return can;
#endif
}

/* ---- one call ------------------------------------------------------------ */

struct follow {
	struct step *step;
	pid_t leader;
	bool leader_too;	/* else only the threads it makes */
	bool counting;
	bool refuse;		/* the call under way gets the error at its exit */
	bool killed;
};

static bool opens_directory(const struct __ptrace_syscall_info *i)
{
	return i->entry.nr == SYS_openat && (i->entry.args[2] & O_DIRECTORY);
}

static void entry(struct follow *f, pid_t tid, const struct __ptrace_syscall_info *i)
{
	struct step *s = f->step;
	long nr = (long)i->entry.nr;

	f->counting |= !s->from_directory || opens_directory(i);
	if (!f->counting)
		return;
	bool now = ++s->seen == s->at;

	if (now)
		s->hit = nr;
	if (now && !s->error) {
		f->killed = true;
		kill(f->leader, SIGKILL);
	} else if ((now || (s->for_ever && s->hit == nr)) && !step_is_thread(nr)) {
		skip_call(tid);
		f->refuse = true;
	}
}

static void call(struct follow *f, pid_t tid)
{
	struct __ptrace_syscall_info i;

	if (ptrace(PTRACE_GET_SYSCALL_INFO, tid, sizeof(i), &i) <= 0)
		return;		/* killed meanwhile */
	if (i.op == PTRACE_SYSCALL_INFO_ENTRY) {
		entry(f, tid, &i);
	} else if (i.op == PTRACE_SYSCALL_INFO_EXIT && f->refuse) {
		set_result(tid, -f->step->error);
		f->refuse = false;
	}
}

/* ---- the loop ------------------------------------------------------------ */

static bool is_event(int status)
{
	return status >> 16 != 0;
}

/* Until the leader has ended: its wait status.  until_thread: or one of the
 * threads that are followed: 0. */
static int follow(struct follow *f, bool until_thread)
{
	for (;;) {
		int status;
		pid_t tid = waitpid(-1, &status, __WALL);
		bool watched = f->leader_too || tid != f->leader;

		ck_assert_int_gt(tid, 0);
		if (!WIFSTOPPED(status)) {
			if (tid == f->leader)
				return status;
			if (!until_thread || f->killed)
				continue;
			return 0;
		}
		int sig = WSTOPSIG(status);

		if (sig == SYSCALL_STOP)
			call(f, tid);
		else if (status >> 8 == (SIGTRAP | (PTRACE_EVENT_EXEC << 8)))
			f->counting = !f->step->from_directory;
		if (sig == SYSCALL_STOP || is_event(status))
			sig = 0;
		ptrace(watched ? PTRACE_SYSCALL : PTRACE_CONT, tid, NULL, (void *)(intptr_t)sig);
	}
}

static void seize(pid_t pid)
{
	ck_assert_int_eq(ptrace(PTRACE_SEIZE, pid, NULL,
				(void *)(PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL |
					 PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC)), 0);
}

static void child(const char *const argv[], const char *said, int go)
{
	char byte;
	int out = open(said, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (out < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0 || read(go, &byte, 1) != 1)
		_exit(126);
	setenv("ASAN_OPTIONS", "detect_leaks=0", 1);	/* the leak check wants to trace, too */
	execv(argv[0], (char *const *)argv);
	_exit(127);
}

int step_run(const char *const argv[], const char *said, struct step *s)
{
	struct follow f = { .step = s, .leader_too = true };
	int go[2], status;

	s->seen = 0;
	s->hit = -1;
	ck_assert_int_eq(pipe2(go, O_CLOEXEC), 0);
	f.leader = fork();
	ck_assert_int_ge(f.leader, 0);
	if (!f.leader)
		child(argv, said, go[0]);
	seize(f.leader);
	ck_assert_int_eq(ptrace(PTRACE_INTERRUPT, f.leader, NULL, NULL), 0);
	ck_assert_int_eq(waitpid(f.leader, &status, __WALL), f.leader);
	ck_assert_int_eq(write(go[1], "", 1), 1);
	ck_assert_int_eq(ptrace(PTRACE_CONT, f.leader, NULL, NULL), 0);
	status = follow(&f, false);
	close(go[0]);
	close(go[1]);
	return status;
}

void step_attach(pid_t pid)
{
	seize(pid);
}

int step_signal(pid_t pid, int signal, struct step *s)
{
	struct follow f = { .step = s, .leader = pid, .counting = !s->from_directory };

	s->seen = 0;
	s->hit = -1;
	ck_assert_int_eq(kill(pid, signal), 0);
	return follow(&f, true);
}

int step_end(pid_t pid, int signal)
{
	struct step none = { .hit = -1 };
	struct follow f = { .step = &none, .leader = pid };

	ck_assert_int_eq(kill(pid, signal), 0);
	return follow(&f, false);
}

bool step_is_thread(long nr)
{
#if defined(JS_ASAN) || defined(JS_TSAN)
	/* A sanitizer ends the program where it gets no memory or signal stack. */
	if (nr == SYS_mmap || nr == SYS_munmap || nr == SYS_mprotect || nr == SYS_madvise ||
	    nr == SYS_sigaltstack)
		return true;
#endif
	return nr == SYS_exit || nr == SYS_exit_group || nr == SYS_rt_sigreturn ||
	       nr == SYS_rseq || nr == SYS_set_robust_list || nr == SYS_futex;
}
