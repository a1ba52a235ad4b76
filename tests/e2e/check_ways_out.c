/*
 * check_ways_out.c - however it ends, while a load runs and the mouse is on:
 * how soon is the terminal as it was, and is everything gone?
 *
 * One trial a way; JS_LONG=1: 20, and the table.
 */
#include <check.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/clock.h"
#include "tests/seat.h"
#include "tests/skip.h"

#define TRIALS_MOST 20

static struct seat seat;

/* What one trial took, from the key or the signal on. */
struct trial {
	double exit_ms;		/* it has ended, or stopped */
	double terminal_ms;	/* the terminal is as it was; < 0: nobody can ask any more */
	double gone_ms;		/* no process of it is alive; < 0: it is to go on */
};

enum by { BY_KEY, BY_SIGNAL, BY_STOP, BY_CLOSING };
enum as { AS_JOB, UNDER_NOHUP, DETACHED };

static const struct way {
	const char *name;
	enum by by;
	const char *key;
	int signal;
	enum as as;
} ways[] = {
	{ "q", BY_KEY, .key = "q" },
	{ "^C", BY_KEY, .key = "\003" },
	{ "TERM", BY_SIGNAL, .signal = SIGTERM },
	{ "HUP", BY_SIGNAL, .signal = SIGHUP },
	{ "SEGV", BY_SIGNAL, .signal = SIGSEGV },
	{ "ABRT", BY_SIGNAL, .signal = SIGABRT },
	{ "kill -9", BY_SIGNAL, .signal = SIGKILL },
	{ "^Z and fg", BY_STOP, .key = "\032" },
	{ "terminal closed", BY_CLOSING },
	{ "closed, HUP ignored", BY_CLOSING, .as = UNDER_NOHUP },
	{ "closed, no HUP (sudo)", BY_CLOSING, .as = DETACHED },
};
#define WAYS (sizeof(ways) / sizeof(ways[0]))

static void teardown(void)
{
	seat_leave(&seat);
}

static double since_ms(int64_t began_ns)
{
	return (double)(clock_now_ns() - began_ns) / 1e6;
}

/* ---- beginnings ------------------------------------------------------------- */
static void spawn(const struct way *way)
{
	static const char nohup[] = "trap '' HUP; exec \"$0\" --mouse";
	const char *env[8], *const program[] = { seat.binary, "--mouse", NULL };

	seat_open(&seat, 100, 30);
	seat_environment(&seat, env);
	env[4] = "PS1=prompt> ";
	env[5] = "-PROMPT_COMMAND";
	env[6] = NULL;
	if (way->by == BY_STOP)
		pty_spawn(seat.pty, (const char *const[]){ "bash", "--norc", "--noprofile", "-i", NULL }, env);
	else if (way->as == UNDER_NOHUP)
		pty_spawn(seat.pty, (const char *const[]){ "sh", "-c", nohup, seat.binary, NULL }, env);
	else if (way->as == DETACHED)
		pty_spawn_detached(seat.pty, program, env);
	else
		pty_spawn(seat.pty, program, env);
}

static void begin(const struct way *way)
{
	char line[5000];

	spawn(way);
	if (way->by == BY_STOP) {
		ck_assert(pty_wait_text(seat.pty, "prompt>", SEAT_MS));
		snprintf(line, sizeof(line), "%s --mouse\n", seat.binary);
		pty_send(seat.pty, line);
	}
	ck_assert_msg(pty_wait_text(seat.pty, "LIVE", SEAT_MS), "no screen");
	pty_send(seat.pty, "F");
	ck_assert(pty_wait_text(seat.pty, " RUN", SEAT_MS));
	ck_assert(pty_alternate(seat.pty) && pty_mouse(seat.pty) && !pty_cursor_shown(seat.pty));
}

/* ---- ends ------------------------------------------------------------------- */
static void wait_gone(struct trial *t, int64_t began_ns)
{
	ck_assert_msg(prog_left(&seat.run, 5000, NULL) == 0, "a process is left");
	t->gone_ms = since_ms(began_ns);
}

static void end_here(const struct way *way, struct trial *t)
{
	int64_t began_ns = clock_now_ns();
	int status;

	if (way->by == BY_KEY)
		pty_send(seat.pty, way->key);
	else
		kill(pty_pid(seat.pty), way->signal);
	ck_assert_msg(pty_wait_exit(seat.pty, SEAT_MS, &status), "it does not end");
	t->exit_ms = since_ms(began_ns);
	ck_assert_msg(seat_restored(&seat, 5000), "the terminal is not as it was");
	t->terminal_ms = since_ms(began_ns);
	wait_gone(t, began_ns);
}

/* Workers of the loads: all but the shell, the program and its supervisor. */
static unsigned processes(void)
{
	return prog_left(&seat.run, 0, NULL);
}

/* To the shell and back: it draws again, and no load is running. */
static void stop_and_continue(const struct way *way, struct trial *t)
{
	int64_t began_ns = clock_now_ns();

	pty_send(seat.pty, way->key);
	while (pty_foreground(seat.pty) != pty_pid(seat.pty)) {
		ck_assert_msg(since_ms(began_ns) < SEAT_MS, "it does not stop");
		pty_pump(seat.pty, 2);
	}
	t->exit_ms = since_ms(began_ns);
	/* The shell's own line editing is another setting than the one before it. */
	while (pty_alternate(seat.pty) || pty_mouse(seat.pty) || !pty_cursor_shown(seat.pty)) {
		ck_assert_msg(since_ms(began_ns) < SEAT_MS, "the terminal is not as it was");
		pty_pump(seat.pty, 2);
	}
	t->terminal_ms = since_ms(began_ns);
	while (processes() > 3) {	/* the shell, the program, its supervisor */
		ck_assert_msg(since_ms(began_ns) < SEAT_MS, "a load goes on");
		usleep(2000);
	}
	t->gone_ms = since_ms(began_ns);
	ck_assert(pty_wait_regex(seat.pty, "[Ss]topped", SEAT_MS));
	pty_send(seat.pty, "fg\n");
	ck_assert(pty_wait_text(seat.pty, "LIVE", SEAT_MS));
	ck_assert(pty_alternate(seat.pty) && pty_mouse(seat.pty));
	pty_send(seat.pty, "q");
	while (pty_foreground(seat.pty) != pty_pid(seat.pty))
		ck_assert_int_ge(pty_pump(seat.pty, 5), 0);
	pty_send(seat.pty, "exit\n");
	int status;

	ck_assert(pty_wait_exit(seat.pty, SEAT_MS, &status) && status == 0);
	ck_assert_msg(seat_restored(&seat, 1000), "the terminal is not as it was");
	ck_assert_uint_eq(prog_left(&seat.run, 5000, NULL), 0);
}

static void close_terminal(struct trial *t)
{
	pid_t pid = pty_pid(seat.pty);
	int64_t began_ns = clock_now_ns();
	int status;

	pty_hang_up(seat.pty);
	while (waitpid(pid, &status, WNOHANG) == 0) {
		ck_assert_msg(since_ms(began_ns) < SEAT_MS, "it lives on without a terminal");
		usleep(1000);
	}
	t->exit_ms = since_ms(began_ns);
	t->terminal_ms = -1;
	wait_gone(t, began_ns);
}

static void one(const struct way *way, struct trial *t)
{
	begin(way);
	if (way->by == BY_STOP)
		stop_and_continue(way, t);
	else if (way->by == BY_CLOSING)
		close_terminal(t);
	else
		end_here(way, t);
	seat_leave(&seat);
}

static int by_exit(const void *a, const void *b)
{
	double x = ((const struct trial *)a)->exit_ms, y = ((const struct trial *)b)->exit_ms;

	return (x > y) - (x < y);
}

static void print_row(const struct way *way, struct trial *t, int n)
{
	double terminal = -1, gone = -1;

	for (int i = 0; i < n; i++) {
		terminal = t[i].terminal_ms > terminal ? t[i].terminal_ms : terminal;
		gone = t[i].gone_ms > gone ? t[i].gone_ms : gone;
	}
	qsort(t, (size_t)n, sizeof(*t), by_exit);
	printf("way out %-22s %2d of %2d  ended p50 %4.0f max %4.0f ms  terminal max ", way->name, n, n,
	       t[n / 2].exit_ms, t[n - 1].exit_ms);
	printf(terminal < 0 ? "   -" : "%4.0f", terminal);
	printf(" ms  all gone max %4.0f ms\n", gone);
}

/* P3, F15: loads and raw mode end with the program. */
START_TEST(the_terminal_is_as_it_was_and_nothing_is_left)
{
	const struct way *way = &ways[_i];
	int n = getenv("JS_LONG") ? TRIALS_MOST : 1;
	struct trial trials[TRIALS_MOST];

#if defined(JS_ASAN) || defined(JS_TSAN)
	if (way->signal == SIGSEGV || way->signal == SIGABRT) {
		SKIP("the sanitizer has handlers of its own");
		return;
	}
#endif
	for (int i = 0; i < n; i++)
		one(way, &trials[i]);
	print_row(way, trials, n);
}
END_TEST

Suite *ways_out_suite(void);

Suite *ways_out_suite(void)
{
	Suite *s = suite_create("ways_out");
	TCase *tc = tcase_create("ways");

	tcase_set_timeout(tc, 600);
	tcase_add_checked_fixture(tc, NULL, teardown);
	tcase_add_loop_test(tc, the_terminal_is_as_it_was_and_nothing_is_left, 0, WAYS);
	suite_add_tcase(s, tc);
	return s;
}
