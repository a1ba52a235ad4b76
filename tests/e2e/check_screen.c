/*
 * check_screen.c - the real program on a terminal with real keys.
 *
 * Every test ends by asking whether something was left behind: a raw line, the
 * alternate screen, a process.
 */
#include <check.h>
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/seat.h"
#include "tests/skip.h"
#include "ui/outgoing.h"

static struct seat seat;

static const char *const environment[] = { "TERM=xterm-256color", "LC_ALL=C.UTF-8", "-NO_COLOR",
					   seat.token, NULL };

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void start(int w, int h, const char *argument)
{
	seat_start(&seat, w, h, (const char *const[]){ argument, NULL });
}

static void teardown(void)
{
	seat_leave(&seat);
}

/* ---- what one sees and presses ---------------------------------------------- */
static const struct { int w, h; const char *shows; } sizes[] = {
	{ 80, 24, "wakeup-fifo" },
	{ 120, 40, "WORST SPIKES" },
	{ 200, 60, "wakeup-other" },
	{ 40, 10, "wakeup" },
};

START_TEST(the_screen_appears_at_any_size_and_q_gives_all_back)
{
	start(sizes[_i].w, sizes[_i].h, NULL);
	ck_assert(pty_wait_text(seat.pty, sizes[_i].shows, SEAT_MS));
	ck_assert(pty_alternate(seat.pty) && !pty_cursor_shown(seat.pty) && !seat_same_line(&seat));
	seat_ends_well(&seat, "q");
	size_t n;
	const char *bytes = pty_output(seat.pty, &n);

	ck_assert_uint_eq(outgoing_check(bytes, n), n);
}
END_TEST

START_TEST(a_size_of_one_cell_runs_and_quits)
{
	seat_open(&seat, 1, 1);
	pty_spawn(seat.pty, (const char *const[]){ seat.binary, NULL }, environment);
	while (!pty_alternate(seat.pty))
		ck_assert_int_ge(pty_pump(seat.pty, 100), 0);
	seat_ends_well(&seat, "q");
}
END_TEST

START_TEST(a_letter_starts_its_load_and_zero_stops_it)
{
	start(120, 40, NULL);
	pty_send(seat.pty, "F");
	ck_assert(pty_wait_regex(seat.pty, "F fork +×[0-9]+ +RUN", SEAT_MS));
	ck_assert(pty_wait_regex(seat.pty, "RUN.*[0-9kM]/s", SEAT_MS));
	pty_send(seat.pty, "0");
	ck_assert(pty_wait_no_text(seat.pty, " RUN", SEAT_MS));
	seat_ends_well(&seat, "q");
}
END_TEST

START_TEST(quitting_stops_a_running_load_first)
{
	start(120, 40, NULL);
	pty_send(seat.pty, "F");
	ck_assert(pty_wait_text(seat.pty, " RUN", SEAT_MS));
	seat_ends_well(&seat, _i ? "\x03" : "q");
}
END_TEST

/* A file of the run by its ending; "" when there is none. */
static void file_named(const char *ending, char *path, size_t size)
{
	DIR *d = opendir(seat.run.scratch);
	struct dirent *e;

	path[0] = '\0';
	while (d && (e = readdir(d))) {
		size_t n = strlen(e->d_name), m = strlen(ending);

		if (n > m && e->d_name[0] != '.' && !strcmp(e->d_name + n - m, ending))
			snprintf(path, size, "%s/%.200s", seat.run.scratch, e->d_name);
	}
	if (d)
		closedir(d);
}

static void wait_file(const char *ending, char *path, size_t size)
{
	int64_t until = now_ms() + SEAT_MS;

	do {
		file_named(ending, path, size);
		pty_pump(seat.pty, 20);
	} while (!path[0] && now_ms() < until);
	ck_assert_msg(path[0], "no %s was written", ending);
}

static json_t *saved(void)
{
	char path[512];
	json_error_t err;

	wait_file(".json", path, sizeof(path));
	json_t *j = json_load_file(path, 0, &err);

	ck_assert_msg(j, "%s: %s", path, err.text);
	return j;
}

START_TEST(s_writes_the_whole_set)
{
	static const char *const endings[] = { ".svg", ".txt", ".ans" };
	char path[512], *line = NULL;
	size_t room = 0;
	bool found = false;

	start(100, 30, NULL);
	ck_assert(pty_wait_regex(seat.pty, "max +[0-9]", SEAT_MS));
	pty_send(seat.pty, "s");
	json_t *j = saved();

	prog_check_sums(j);
	json_decref(j);
	for (unsigned i = 0; i < 3; i++)
		wait_file(endings[i], path, sizeof(path));
	FILE *ans = fopen(path, "r");	/* the screen as seen */

	while (ans && getline(&line, &room, ans) > 0)
		found |= strstr(line, "wakeup-fifo") != NULL;
	ck_assert(found);
	free(line);
	fclose(ans);
	seat_ends_well(&seat, "q");
}
END_TEST

START_TEST(help_opens_and_closes_at_once)
{
	start(100, 30, NULL);
	pty_send(seat.pty, "?");
	ck_assert(pty_wait_text(seat.pty, "save a snapshot set", SEAT_MS));
	pty_send(seat.pty, "\033");
	ck_assert(pty_wait_no_text(seat.pty, "save a snapshot set", SEAT_MS));
	pty_send(seat.pty, "mhello there\r");
	ck_assert(pty_wait_text(seat.pty, "marked: hello there", SEAT_MS));
	seat_ends_well(&seat, "\033[21~");		/* F10 */
}
END_TEST

/* ---- stops -------------------------------------------------------------------- */
static void shell(const char *name)
{
	static const char *const env[] = {
		"TERM=xterm-256color",
		"LC_ALL=C.UTF-8",
		"-NO_COLOR",
		"PS1=prompt> ",
		"ENV=",
		"-PROMPT_COMMAND",
		seat.token,
		NULL,
	};

	seat_open(&seat, 100, 30);
	if (!strcmp(name, "bash"))
		pty_spawn(seat.pty, (const char *const[]){ "bash", "--norc", "--noprofile", "-i", NULL },
			  env);
	else
		pty_spawn(seat.pty, (const char *const[]){ name, "-i", NULL }, env);
	ck_assert(pty_wait_text(seat.pty, "prompt>", SEAT_MS));
}

static void type(const char *fmt, const char *arg)
{
	char text[5000];

	snprintf(text, sizeof(text), fmt, arg);
	pty_send(seat.pty, text);
}

/* Our program has the terminal, in its own settings. */
static void wait_program(void)
{
	int64_t until = now_ms() + SEAT_MS;
	struct termios now;

	do {
		ck_assert_msg(now_ms() < until, "the program does not take the terminal");
		pty_pump(seat.pty, 5);
		pty_termios(seat.pty, &now);
	} while (pty_foreground(seat.pty) == pty_pid(seat.pty) || (now.c_lflag & ICANON) ||
		 (now.c_oflag & OPOST));
	ck_assert(pty_wait_text(seat.pty, "LIVE", SEAT_MS));
}

static void wait_shell(void)
{
	int64_t until = now_ms() + SEAT_MS;

	while (pty_foreground(seat.pty) != pty_pid(seat.pty)) {
		ck_assert_msg(now_ms() < until, "the shell does not get the terminal back");
		pty_pump(seat.pty, 5);
	}
	/* Not at the begin of a line where the job left the line raw. */
	ck_assert(pty_wait_text(seat.pty, "prompt>", SEAT_MS));
}

static void wait_stopped(void)
{
	wait_shell();
	ck_assert(pty_wait_regex(seat.pty, "[Ss]topped", SEAT_MS));
}

/* The shell answers, and the line echoes what it should. */
static void shell_is_well(const char *word)
{
	char want[64];

	wait_shell();
	type("echo i't'-%s\n", word);		/* the answer differs from the question */
	snprintf(want, sizeof(want), "it-%s", word);
	if (!pty_wait_text(seat.pty, want, SEAT_MS))
		ck_abort_msg("the shell does not answer to %s:\n%s", word, pty_screen(seat.pty));
	ck_assert(!pty_alternate(seat.pty) && pty_cursor_shown(seat.pty));
}

static const char *const shells[] = { "bash", "dash" };

/* F04, F05, P3: raw again after fg, and nothing goes on before. */
START_TEST(suspended_and_continued_under_a_shell)
{
	shell(shells[_i]);
	type("%s\n", seat.binary);
	wait_program();
	pty_send(seat.pty, "F");
	ck_assert(pty_wait_text(seat.pty, " RUN", SEAT_MS));
	pty_send(seat.pty, "\x1a");
	wait_stopped();
	shell_is_well("one");
	pty_send(seat.pty, "fg\n");
	wait_program();
	ck_assert(pty_alternate(seat.pty));
	pty_send(seat.pty, "?");		/* no Enter, no echo */
	ck_assert(pty_wait_text(seat.pty, "save a snapshot set", SEAT_MS));
	pty_send(seat.pty, "?q");
	shell_is_well("two");
	type("echo co'd'e-$?-%s\n", "q");
	ck_assert(pty_wait_text(seat.pty, "code-0-q", SEAT_MS));
	type("exit%s\n", "");
}
END_TEST

/* F04: one key without Enter acts. */
START_TEST(stopped_from_outside_and_brought_back)
{
	shell(shells[_i]);
	type("%s\n", seat.binary);
	wait_program();
	ck_assert_int_gt(pty_foreground(seat.pty), 1);
	kill(pty_foreground(seat.pty), SIGSTOP);
	wait_stopped();
	pty_send(seat.pty, "fg\n");
	wait_program();
	pty_send(seat.pty, "?");
	ck_assert(pty_wait_text(seat.pty, "save a snapshot set", SEAT_MS));
	pty_send(seat.pty, "?q");
	shell_is_well("back");
}
END_TEST

/* F04: the line of the shell stays as it is. */
START_TEST(started_in_the_background_it_waits_for_fg)
{
	shell(shells[_i]);
	type("%s &\n", seat.binary);
	/* The shell tells of it when it is asked, and not before it is so. */
	for (int i = 0; i < 40 && !pty_wait_regex(seat.pty, "[Ss]topped", 500); i++)
		type("jobs%s\n", "");
	wait_stopped();
	shell_is_well("mine");
	pty_send(seat.pty, "fg\n");
	wait_program();
	pty_send(seat.pty, "q");
	shell_is_well("again");
}
END_TEST

/* ---- a terminal that stands still ----------------------------------------------- */
/* How late the latest wake-up of the first probe was. */
static double latest_s(const json_t *j)
{
	double most_s = 0;
	json_t *s;
	size_t i;

	json_array_foreach(json_object_get(j, "series"), i, s) {
		double late_s = json_number_value(json_object_get(s, "max_ns")) / 1e9;

		if (!strcmp(json_string_value(json_object_get(s, "probe")), "wakeup-fifo") && late_s > most_s)
			most_s = late_s;
	}
	return most_s;
}

/* Every row of time of the first probe has samples: nothing was lost.  Only where
 * the machine itself had no CPU for it as long as a row may one be without. */
static void expect_no_hole(const json_t *j, double from_s, double to_s)
{
	const json_t *timeline = json_object_get(j, "timeline"), *rows = json_object_get(timeline, "rows");
	bool away = latest_s(j) >= json_number_value(json_object_get(timeline, "row_s"));
	size_t i, with = 0;
	json_t *row;

	json_array_foreach(rows, i, row) {
		double t = json_number_value(json_object_get(row, "t_s"));

		if (t < from_s || t > to_s)
			continue;
		json_t *series = json_object_get(json_object_get(row, "series"), "wakeup-fifo");

		ck_assert_msg(away || json_array_size(series) > 0, "no sample in the row at %.2f s", t);
		with++;
	}
	ck_assert_uint_ge(with, 3);
}

/* Until nothing came for longer than frames are apart; the bytes so far. */
static uint64_t wait_quiet(void)
{
	int64_t until = now_ms() + SEAT_MS;
	uint64_t bytes = pty_bytes(seat.pty);

	for (int quiet = 0; quiet < 60; quiet++) {
		ck_assert_msg(now_ms() < until, "it goes on drawing");
		pty_pump(seat.pty, 20);
		if (pty_bytes(seat.pty) != bytes)
			quiet = 0;
		bytes = pty_bytes(seat.pty);
	}
	return bytes;
}

/* F12, P23: ^S costs frames only. */
START_TEST(stopped_output_loses_frames_and_no_data)
{
	start(120, 40, NULL);
	ck_assert(pty_wait_regex(seat.pty, "max +[0-9]", SEAT_MS));
	pty_send(seat.pty, "\x13");
	uint64_t bytes = wait_quiet();

	usleep(3000000);
	while (pty_pump(seat.pty, 0) > 0)
		;
	ck_assert_uint_eq(pty_bytes(seat.pty), bytes);	/* it stood still */
	pty_send(seat.pty, "\x11");
	pty_send(seat.pty, "s");
	json_t *j = saved();

	prog_check_sums(j);
	expect_no_hole(j, 0, json_number_value(json_object_get(j, "duration_s")) - 1);
	json_decref(j);
	seat_ends_well(&seat, "q");
}
END_TEST

START_TEST(q_works_while_output_is_stopped)
{
	start(120, 40, NULL);
	pty_send(seat.pty, "\x13");
	seat_ends_well(&seat, "q");
}
END_TEST

/* ---- sizes ------------------------------------------------------------------------ */
/* It is alive, draws the size it has, and `q` acts at once. */
static void expect_right_layout_and_quick_end(const char *after, int n, double lasted_s)
{
	int status;

	pty_resize(seat.pty, 120, 40);
	int64_t began = now_ms();

	ck_assert(pty_wait_regex(seat.pty, "^ \\? help .*B/s$", SEAT_MS));
	ck_assert(pty_wait_text(seat.pty, "WORST SPIKES", SEAT_MS));
	int64_t drawn = now_ms() - began;

	pty_resize(seat.pty, 80, 24);
	began = now_ms();
	pty_send(seat.pty, "q");	/* in the middle of it */
	pty_resize(seat.pty, 120, 40);
	ck_assert(pty_wait_exit(seat.pty, SEAT_MS, &status) && status == 0);
	printf("sizes: %d %s in %.1f s; right layout %d ms after the last; q: ended after %d ms\n", n,
	       after, lasted_s, (int)drawn, (int)(now_ms() - began));
	ck_assert(seat_restored(&seat, 2000));
	seat_nothing_left(&seat);
}

static void set_size(int w, int h)
{
	struct winsize size = { .ws_col = (unsigned short)w, .ws_row = (unsigned short)h };

	ck_assert_int_eq(ioctl(pty_master(seat.pty), TIOCSWINSZ, &size), 0);
}

/* F10, P16: keys act within it. */
START_TEST(a_storm_of_sizes_ends_in_the_right_layout)
{
	static const int edges[][2] = { { 1, 1 }, { 500, 200 }, { 1000, 10 }, { 33, 7 } };
	int n = getenv("JS_LONG") ? 4000 : 300;

	start(80, 24, NULL);
	srandom(4000);
	/* Only the line hears of them: the emulator is not that quick. */
	int64_t began = now_ms();

	for (int i = 0; i < n; i++) {
		const int *edge = edges[random() % 4];

		if (random() % 8 == 0)
			set_size(edge[0], edge[1]);
		else
			set_size(1 + (int)(random() % 250), 1 + (int)(random() % 80));
		while (now_ms() < began + (int64_t)i * 5 / 4)	/* 4000 in 5 s */
			pty_pump(seat.pty, 1);
	}
	expect_right_layout_and_quick_end("random resizes", n, (double)(now_ms() - began) / 1000);
}
END_TEST

/* Frames come as often as they may; check_panels draws every size. */
START_TEST(every_size_is_lived_through)
{
	int step_w = getenv("JS_LONG") ? 1 : 23, step_h = getenv("JS_LONG") ? 1 : 7, n = 0;

	start(80, 24, NULL);
	int64_t began = now_ms();

	for (int h = 1; h <= 80; h += step_h) {
		for (int w = 1; w <= 250; w += step_w, n++) {
			pty_resize(seat.pty, w, h);
			pty_pump(seat.pty, 2);
		}
	}
	expect_right_layout_and_quick_end("sizes of 1..250 x 1..80", n,
					  (double)(now_ms() - began) / 1000);
}
END_TEST

/* ---- ends --------------------------------------------------------------------------- */
static const int deadly[] = { SIGKILL, SIGSEGV, SIGABRT, SIGBUS, SIGFPE,
			      SIGILL,  SIGTERM, SIGINT,	 SIGHUP, SIGQUIT };

/* F03, P3: also by kill -9. */
START_TEST(whatever_ends_it_the_terminal_is_given_back)
{
	int status;

#if defined(JS_ASAN) || defined(JS_TSAN)
	if (_i >= 1 && _i <= 5) {
		SKIP("the sanitizer has handlers of its own");
		return;
	}
#endif
	start(100, 30, "--mouse");
	pty_send(seat.pty, "F");
	ck_assert(pty_wait_text(seat.pty, " RUN", SEAT_MS));
	ck_assert(pty_mouse(seat.pty));
	kill(pty_pid(seat.pty), deadly[_i]);
	ck_assert(pty_wait_exit(seat.pty, SEAT_MS, &status));
	ck_assert_msg(seat_restored(&seat, 2000), "signal %d leaves the terminal as it was", deadly[_i]);
	if (_i < 6)
		ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == deadly[_i]);
	seat_nothing_left(&seat);
}
END_TEST

START_TEST(a_stopped_line_is_given_back_too)
{
	int status;

#if defined(JS_ASAN) || defined(JS_TSAN)
	if (_i) {
		SKIP("the sanitizer has handlers of its own");
		return;
	}
#endif
	start(120, 40, NULL);
	pty_send(seat.pty, "\x13");
	usleep(600000);			/* something waits behind it by now */
	kill(pty_pid(seat.pty), _i ? SIGSEGV : SIGKILL);
	ck_assert(pty_wait_exit(seat.pty, SEAT_MS, &status));
	ck_assert(seat_restored(&seat, 2000));
	seat_nothing_left(&seat);
}
END_TEST

/* F01, F02, P4: with SIGHUP, with it ignored, and where none comes. */
START_TEST(a_hang_up_ends_everything)
{
	static const char under_nohup[] = "trap '' HUP; exec \"$0\"";
	int status, waited = 0;

	seat_open(&seat, 100, 30);
	if (_i == 2)	/* a pty that is nobody's controlling terminal: no SIGHUP */
		pty_spawn_detached(seat.pty, (const char *const[]){ seat.binary, NULL }, environment);
	else if (_i == 1)
		pty_spawn(seat.pty, (const char *const[]){ "sh", "-c", under_nohup, seat.binary, NULL },
			  environment);
	else
		pty_spawn(seat.pty, (const char *const[]){ seat.binary, NULL }, environment);
	ck_assert(pty_wait_text(seat.pty, "LIVE", SEAT_MS));
	pty_send(seat.pty, "F");
	ck_assert(pty_wait_text(seat.pty, " RUN", SEAT_MS));
	pid_t pid = pty_pid(seat.pty);

	pty_hang_up(seat.pty);
	while (waitpid(pid, &status, WNOHANG) == 0 && waited++ < SEAT_MS)
		usleep(1000);
	ck_assert_msg(waited < SEAT_MS, "it lives on without a terminal");
	seat_nothing_left(&seat);
}
END_TEST

static const struct { const char *term, *says; } refused[] = {
	{ "TERM=no-such-terminal", "jitterscope: terminal: TERM=no-such-terminal" },
	{ "TERM=dumb", "jitterscope: terminal: TERM=dumb" },
	{ "-TERM", "jitterscope: terminal: TERM is not set" },
};

START_TEST(a_terminal_that_cannot_be_used_is_one_line)
{
	int status;

	seat_open(&seat, 200, 10);
	pty_spawn(seat.pty, (const char *const[]){ seat.binary, NULL },
		  (const char *const[]){ refused[_i].term, seat.token, NULL });
	ck_assert(pty_wait_exit(seat.pty, SEAT_MS, &status));
	ck_assert(WIFEXITED(status) && WEXITSTATUS(status) != 0);
	char *screen = pty_screen(seat.pty);

	ck_assert_msg(strstr(screen, refused[_i].says), "%s", screen);
	ck_assert_ptr_eq(strchr(screen, '\n'), strstr(screen, "\n\n"));	/* and no more */
	free(screen);
	seat_nothing_left(&seat);
}
END_TEST

static void add(Suite *s, const char *name, const TTest *const *tests, const int *loops, unsigned n)
{
	TCase *tc = tcase_create(name);

	tcase_set_timeout(tc, 300);
	tcase_add_checked_fixture(tc, NULL, teardown);
	for (unsigned i = 0; i < n; i++)
		tcase_add_loop_test(tc, tests[i], 0, loops[i]);
	suite_add_tcase(s, tc);
}

Suite *screen_suite(void);

Suite *screen_suite(void)
{
	Suite *s = suite_create("screen");
	const TTest *const keys[] = {
		the_screen_appears_at_any_size_and_q_gives_all_back,
		a_size_of_one_cell_runs_and_quits,
		a_letter_starts_its_load_and_zero_stops_it,
		quitting_stops_a_running_load_first,
		s_writes_the_whole_set,
		help_opens_and_closes_at_once,
	};
	const TTest *const stops[] = {
		suspended_and_continued_under_a_shell, stopped_from_outside_and_brought_back,
		started_in_the_background_it_waits_for_fg, stopped_output_loses_frames_and_no_data,
		q_works_while_output_is_stopped, a_storm_of_sizes_ends_in_the_right_layout,
		every_size_is_lived_through,
	};
	const TTest *const ends[] = {
		whatever_ends_it_the_terminal_is_given_back,
		a_stopped_line_is_given_back_too,
		a_hang_up_ends_everything,
		a_terminal_that_cannot_be_used_is_one_line,
	};

	add(s, "keys", keys, (const int[]){ 4, 1, 1, 2, 1, 1 }, 6);
	add(s, "stops", stops, (const int[]){ 2, 2, 2, 1, 1, 1, 1 }, 7);
	add(s, "ends", ends, (const int[]){ sizeof(deadly) / sizeof(deadly[0]), 2, 3, 3 }, 4);
	return s;
}
