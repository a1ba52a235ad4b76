/*
 * check_fatal.c - a crash gives the terminal back and is still that crash.
 */
#include "ui/fatal.h"

#include <check.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/pty.h"
#include "tests/skip.h"
#include "ui/term.h"

static struct pty *pty;

static void setup(void)
{
	setenv("TERM", "xterm-256color", 1);
	pty = pty_open(80, 24);
	pty_adopt(pty);
}

static void teardown(void)
{
	pty_free(pty);
}

static void on_screen(struct term **t)
{
	struct canvas *c = canvas_new(80, 24);
	struct why why;

	*t = term_open(&(struct term_config){ .mouse = true }, &why);
	if (!*t || term_enter(*t, &why))
		_exit(99);
	term_install_fatal(*t);
	canvas_fill(c, c->r, 'x', 203, 17, 0);
	term_draw(*t, c, true);
	if (term_flush(*t))
		_exit(98);
}

static volatile sig_atomic_t depth;

static __attribute__((noinline)) int overflow(int n)
{
	volatile char room[4096];

	room[0] = (char)n;
	depth = n;
	return n < 1 << 30 ? overflow(n + 1) + room[0] : 0;
}

static void *overflow_thread(void *arg)
{
	static char room[65536];
	stack_t stack = { .ss_sp = room, .ss_size = sizeof(room) };

	(void)arg;
	sigaltstack(&stack, NULL);	/* as every thread of ours does */
	overflow(0);
	return NULL;
}

enum crash { CRASH_RAISED, CRASH_STACK = 5, CRASH_THREAD, CRASH_BAD_FD, CRASHES };

static const int raised[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };

static void crash(int how)
{
	struct rlimit none = { 0, 0 };
	struct term *t;
	pthread_t thread;

	setrlimit(RLIMIT_CORE, &none);
	on_screen(&t);
	if (how == CRASH_STACK)
		overflow(0);
	if (how == CRASH_THREAD) {
		pthread_create(&thread, NULL, overflow_thread, NULL);
		pthread_join(thread, NULL);
	}
	if (how == CRASH_BAD_FD)
		close(term_fd(t));	/* the handler itself cannot write */
	raise(how < CRASH_STACK ? raised[how] : SIGSEGV);
	_exit(97);
}

static int wait_for(pid_t pid)
{
	int status = 0;

	while (waitpid(pid, &status, WNOHANG) == 0)
		pty_pump(pty, 5);
	pty_pump(pty, 0);
	return status;
}

/* F06: the handler needs neither malloc nor a terminal that can be written to. */
START_TEST(the_terminal_is_given_back_and_the_signal_kept)
{
	struct termios before, after;

#if defined(JS_ASAN) || defined(JS_TSAN)
	if (_i >= CRASH_STACK && _i <= CRASH_THREAD) {
		SKIP("the sanitizer takes stack overflows itself");
		return;
	}
#endif
	pty_termios(pty, &before);
	pid_t pid = fork();

	if (pid == 0)
		crash(_i);
	int status = wait_for(pid);

	ck_assert(WIFSIGNALED(status));
	ck_assert_int_eq(WTERMSIG(status), _i < CRASH_STACK ? raised[_i] : SIGSEGV);
	if (_i == CRASH_BAD_FD)
		return;
	pty_termios(pty, &after);
	ck_assert_int_eq(before.c_lflag, after.c_lflag);
	ck_assert_int_eq(before.c_iflag, after.c_iflag);
	ck_assert_int_eq(before.c_oflag, after.c_oflag);
	ck_assert(!pty_alternate(pty) && !pty_mouse(pty) && pty_cursor_shown(pty));
}
END_TEST

START_TEST(a_terminal_that_is_not_ours_is_left_alone)
{
	pid_t pid = fork();

	if (pid == 0) {
		struct term *t;

		on_screen(&t);
		term_leave(t);
		raise(SIGSEGV);
	}
	ck_assert(WIFSIGNALED(wait_for(pid)));
	size_t n;
	const char *bytes = pty_output(pty, &n);

	ck_assert_ptr_null(memmem(bytes, n, fatal_reset, fatal_reset_bytes));
	uint64_t before = pty_bytes(pty);

	pid = fork();
	if (pid == 0) {
		fatal_install();	/* never armed */
		raise(SIGABRT);
	}
	ck_assert(WIFSIGNALED(wait_for(pid)));
	ck_assert_uint_eq(pty_bytes(pty), before);
}
END_TEST

Suite *fatal_suite(void);

Suite *fatal_suite(void)
{
	Suite *s = suite_create("fatal");
	TCase *tc = tcase_create("crash");

	tcase_set_timeout(tc, 60);
	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, the_terminal_is_given_back_and_the_signal_kept, 0, CRASHES);
	tcase_add_test(tc, a_terminal_that_is_not_ours_is_left_alone);
	suite_add_tcase(s, tc);
	return s;
}
