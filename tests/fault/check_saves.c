/*
 * check_saves.c - P10 while it measures: the thread that saves a snapshot set
 * is refused, or dies with the whole program at, every system call it makes.
 * Files are whole or not there, the reason is said, measuring goes on.
 *
 * In short a few kills spread over all calls and one error; with JS_LONG=1
 * each call and each error.
 */
#include <check.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/snapshot.h"
#include "tests/prog.h"
#include "tests/stepper.h"

#define MARK ".jitterscope-"
#define SHORT_KILLS 5
#define CALLS_MOST 5000
#define WAIT_MS 20000
/* A sanitizer looks at each new thread, and ends the program where it cannot. */
#if defined(JS_ASAN) || defined(JS_TSAN)
#define SANITIZED true
#else
#define SANITIZED false
#endif

static char top[200], dir[64];
static pid_t pid;
static int said_fd = -1;
static char said[65536];
static size_t said_bytes;

static bool in_full(void)
{
	const char *full = getenv("JS_LONG");

	return full && !strcmp(full, "1");
}

static void enter(void)
{
	ck_assert_ptr_nonnull(getcwd(top, sizeof(top)));
	snprintf(dir, sizeof(dir), "/tmp/jitterscope-saves.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	ck_assert_int_eq(chdir(dir), 0);
}

static void leave(void)
{
	char command[100];

	if (said_fd >= 0)
		close(said_fd);
	said_fd = -1;
	ck_assert_int_eq(chdir("/"), 0);
	snprintf(command, sizeof(command), "rm -r %s", dir);
	ck_assert_int_eq(system(command), 0);
}

/* ---- the program --------------------------------------------------------- */

static void child(const char *program, int out)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (null < 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0 || dup2(out, 2) < 0)
		_exit(126);
	setenv("ASAN_OPTIONS", "detect_leaks=0", 1);	/* the leak check wants to trace, too */
	execl(program, program, "record", "-P", "wakeup-other", "-i", "10ms", "--no-loads", "-o", "end.json",
	      (char *)NULL);
	_exit(127);
}

static void start(void)
{
	char program[300];
	int ends[2];

	snprintf(program, sizeof(program), "%s%s%s", prog_path()[0] == '/' ? "" : top,
		 prog_path()[0] == '/' ? "" : "/", prog_path());
	ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
	said_bytes = 0;
	said[0] = '\0';
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (!pid)
		child(program, ends[1]);
	close(ends[1]);
	if (said_fd >= 0)
		close(said_fd);
	said_fd = ends[0];
}

/* The next line that begins so; what came before it is forgotten. */
static const char *hear(const char *begin)
{
	static char line[512];

	for (;;) {
		char *end = memchr(said, '\n', said_bytes);
		struct pollfd p = { .fd = said_fd, .events = POLLIN };

		if (end) {
			size_t n = (size_t)(end + 1 - said);

			snprintf(line, sizeof(line), "%.*s", (int)(n - 1), said);
			memmove(said, end + 1, said_bytes - n);
			said_bytes -= n;
			if (strstr(line, begin) == line)
				return line;
			continue;
		}
		ck_assert_msg(poll(&p, 1, WAIT_MS) == 1, "nothing is said that begins with '%s'", begin);
		ssize_t got = read(said_fd, said + said_bytes, sizeof(said) - said_bytes);

		ck_assert_msg(got > 0, "the program has ended; '%s' was not said", begin);
		said_bytes += (size_t)got;
	}
}

/* Those it reads as events are blocked for good; while a thread or a process is
 * made, the C library blocks all. */
static bool reads_its_signals(unsigned long long blocked)
{
	return blocked >> (SIGUSR1 - 1) & 1 && !(blocked >> (SIGSEGV - 1) & 1);
}

/* It answers to a signal once it measures; an earlier one ends it. */
static void wait_until_it_measures(void)
{
	char path[64];
	unsigned long long blocked = 0;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	for (int i = 0; i < WAIT_MS / 10 && !reads_its_signals(blocked); i++) {
		FILE *in = fopen(path, "r");
		char line[128];

		while (in && fgets(line, sizeof(line), in))
			sscanf(line, "SigBlk: %llx", &blocked);
		if (in)
			fclose(in);
		usleep(10000);
	}
	ck_assert_int_eq(kill(pid, SIGUSR1), 0);
	hear("jitterscope: saved ");
}

/* ---- what is there ------------------------------------------------------- */

static bool ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);

	return n >= m && !strcmp(text + n - m, end);
}

static void check_whole(const char *name)
{
	struct why why = { 0 };
	char tail[16] = "";
	FILE *in = fopen(name, "r");

	ck_assert_ptr_nonnull(in);
	fseek(in, -7, SEEK_END);
	tail[fread(tail, 1, 7, in)] = '\0';
	fclose(in);
	if (ends_with(name, ".json")) {
		struct snapshot *s = snapshot_read(name, &why);

		ck_assert_msg(s != NULL, "%s", why.text);
		snapshot_free(s);
	} else if (ends_with(name, ".svg")) {
		ck_assert_msg(!strcmp(tail, "</svg>\n"), "%s is half: '%s'", name, tail);
	} else {
		ck_assert_msg(tail[6] == '\n', "%s is half", name);
	}
}

/* Each file is whole; how many have a random name. */
static unsigned check_files(void)
{
	DIR *d = opendir(".");
	unsigned random = 0;

	ck_assert_ptr_nonnull(d);
	for (struct dirent *e; (e = readdir(d));) {
		if (strstr(e->d_name, MARK))
			random++;
		else if (e->d_name[0] != '.')
			check_whole(e->d_name);
	}
	closedir(d);
	return random;
}

static void remove_files(void)
{
	ck_assert_int_eq(system("rm -f jitterscope-* .*" MARK "* end.json"), 0);
}

/* ---- tests --------------------------------------------------------------- */

/* Calls of one undisturbed save. */
static unsigned calls_of_a_save(void)
{
	struct step s = { .at = 0 };

	start();
	wait_until_it_measures();
	step_attach(pid);
	ck_assert_int_eq(step_signal(pid, SIGUSR1, &s), 0);
	hear("jitterscope: saved ");
	ck_assert_int_eq(step_end(pid, SIGINT), 0);
	ck_assert_uint_eq(check_files(), 0);
	ck_assert_uint_gt(s.seen, 20);
	remove_files();
	return s.seen;
}

/* P10: old or new, never half. */
START_TEST(p10_killed_while_it_saves)
{
	struct step s = { .at = 0 };
	unsigned kills = 0, left = 0;

	if (!step_can("p10_killed_while_it_saves"))
		return;
	unsigned calls = calls_of_a_save(), stride = in_full() ? 1 : calls / SHORT_KILLS;

	for (s.at = 1; s.at <= calls; s.at += stride, kills++) {
		/* This start clears away what the one before has left. */
		start();
		wait_until_it_measures();
		ck_assert_msg(check_files() == 0, "killed before call %u: a file is still there", s.at);
		remove_files();
		step_attach(pid);
		int status = step_signal(pid, SIGUSR1, &s);

		if (!WIFSIGNALED(status)) {	/* a save with fewer calls than the first */
			step_end(pid, SIGKILL);
			break;
		}
		left += check_files();
	}
	ck_assert_uint_gt(kills, 3);
	printf("P10 saver killed at %u of %u calls: 0 half files, %u left, 0 after the next start\n", kills, calls,
	       left);
}
END_TEST

static const int errors[] = { ENOSPC, EIO, EROFS, EDQUOT };

/* One save with one call refused: it says what became of it. */
static bool refused(struct step *s, unsigned *failures)
{
	int status = step_signal(pid, SIGUSR1, s);

	ck_assert_msg(status == 0, "call %u (%ld) refused: the program ends with status %x", s->at, s->hit,
		      (unsigned)status);
	if (s->hit < 0)
		return false;
	const char *line = hear("jitterscope: ");

	while (strstr(line, "saving"))
		line = hear("jitterscope: ");
	if (strstr(line, "jitterscope: not saved: "))
		++*failures;
	else
		ck_assert_msg(!strncmp(line, "jitterscope: saved ", 19), "%s", line);
	if (s->hit != SYS_unlinkat)
		ck_assert_msg(check_files() == 0, "call %u (%ld): something is left", s->at, s->hit);
	ck_assert_int_eq(system("rm -f jitterscope-* .*" MARK "*"), 0);
	return true;
}

START_TEST(p10_refused_while_it_saves)
{
	struct step s = { .at = 0, .error = errors[_i], .from_directory = SANITIZED };
	unsigned failures = 0;

	if (!step_can("p10_refused_while_it_saves") || (_i && !in_full()))
		return;
	start();
	wait_until_it_measures();
	step_attach(pid);
	for (s.at = 1; s.at < CALLS_MOST && refused(&s, &failures); s.at++)
		;
	int status = step_end(pid, SIGINT);

	/* Failed saves show in the exit code; what was measured is all there. */
	ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 1, "status %x", (unsigned)status);
	ck_assert_uint_gt(failures, 10);
	check_whole("end.json");
	struct snapshot *end = snapshot_read("end.json", NULL);

	ck_assert(counts_hold(&end->series[0].counts));
	/* What an ordinary thread still waits for at the end is not due yet: half will do. */
	ck_assert_double_ge((double)end->series[0].counts.due, end->duration_s * 100 / 2);
	printf("P10 saver refused with %s at each of %u calls: %u saves failed with a message, the rest whole, "
	       "%llu due in %.1f s\n", strerror(errors[_i]), s.at - 1, failures,
	       (unsigned long long)end->series[0].counts.due, end->duration_s);
	snapshot_free(end);
}
END_TEST

Suite *saves_suite(void);

Suite *saves_suite(void)
{
	Suite *s = suite_create("saves");
	TCase *tc = tcase_create("saves");

	tcase_set_timeout(tc, in_full() ? 1200 : 120);
	tcase_add_checked_fixture(tc, enter, leave);
	tcase_add_test(tc, p10_killed_while_it_saves);
	tcase_add_loop_test(tc, p10_refused_while_it_saves, 0, (int)(sizeof(errors) / sizeof(errors[0])));
	suite_add_tcase(s, tc);
	return s;
}
