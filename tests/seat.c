/* seat.c - see seat.h. */
#include "tests/seat.h"

#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

void seat_open(struct seat *s, int w, int h)
{
	static unsigned serial;

	ck_assert_ptr_nonnull(realpath(prog_path(), s->binary));
	snprintf(s->run.token, sizeof(s->run.token), "seat-%d-%u", (int)getpid(), serial++);
	snprintf(s->token, sizeof(s->token), "JS_TOKEN=%s", s->run.token);
	snprintf(s->run.scratch, sizeof(s->run.scratch), "/var/tmp/jstest-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(s->run.scratch));
	s->pty = pty_open(w, h);
	pty_directory(s->pty, s->run.scratch);
	pty_termios(s->pty, &s->before);
}

void seat_environment(struct seat *s, const char *env[8])
{
	env[0] = "TERM=xterm-256color";
	env[1] = "LC_ALL=C.UTF-8";
	env[2] = "-NO_COLOR";
	env[3] = s->token;
	env[4] = NULL;
}

void seat_spawn(struct seat *s, int w, int h, const char *const *arguments)
{
	const char *argv[32] = { s->binary }, *env[8];
	unsigned n = 1;

	seat_open(s, w, h);
	while (arguments && *arguments && n < 31)
		argv[n++] = *arguments++;
	seat_environment(s, env);
	pty_spawn(s->pty, argv, env);
}

void seat_start(struct seat *s, int w, int h, const char *const *arguments)
{
	seat_spawn(s, w, h, arguments);
	ck_assert_msg(pty_wait_text(s->pty, "LIVE", SEAT_MS), "no screen");
}

bool seat_same_line(const struct seat *s)
{
	struct termios now;

	pty_termios(s->pty, &now);
	return now.c_lflag == s->before.c_lflag && now.c_iflag == s->before.c_iflag &&
	       now.c_oflag == s->before.c_oflag;
}

/* Time is counted in looks, 5 ms apart: none passes while we do not get to run. */
bool seat_restored(struct seat *s, int ms)
{
	for (int waited_ms = 0; !seat_same_line(s) || pty_alternate(s->pty) ||
	     !pty_cursor_shown(s->pty) || pty_mouse(s->pty); waited_ms += 5) {
		if (waited_ms > ms)
			return false;
		pty_pump(s->pty, 5);
	}
	return true;
}

void seat_nothing_left(struct seat *s)
{
	int64_t last;

	ck_assert_uint_eq(prog_left(&s->run, 3000, &last), 0);
}

void seat_ends_well(struct seat *s, const char *key)
{
	int status = -1;

	pty_send(s->pty, key);
	ck_assert_msg(pty_wait_exit(s->pty, SEAT_MS, &status), "does not quit");
	ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %x", (unsigned)status);
	/* The kernel may still be carrying the last bytes to us. */
	ck_assert(seat_restored(s, 2000));
	seat_nothing_left(s);
}

static void remove_files(const char *path)
{
	DIR *d = opendir(path);
	struct dirent *e;

	while (d && (e = readdir(d)))
		unlinkat(dirfd(d), e->d_name, 0);
	if (d)
		closedir(d);
	rmdir(path);
}

void seat_leave(struct seat *s)
{
	if (!s->run.scratch[0])
		return;
	pty_free(s->pty);
	s->pty = NULL;
	prog_left(&s->run, 3000, NULL);
	remove_files(s->run.scratch);
	s->run.scratch[0] = '\0';
}
