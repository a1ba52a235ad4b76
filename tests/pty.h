/*
 * pty.h - a terminal for tests: a pty whose output an independent emulator
 * (libvterm) turns into a screen.
 *
 *	struct pty *p = pty_open(80, 24);
 *	pty_spawn(p, (const char *const[]){ "prog", "-x", NULL },
 *		  (const char *const[]){ "TERM=xterm-256color", "-NO_COLOR", NULL });
 *	ck_assert(pty_wait_text(p, "LIVE", 5000));
 *	pty_send(p, "q");
 *	ck_assert(pty_wait_exit(p, 5000, &status));
 *	pty_free(p);
 *
 * Nothing sleeps for a fixed time: every wait ends when what it waits for is
 * there; the limit only bounds a failure.
 */
#ifndef JS_TESTS_PTY_H
#define JS_TESTS_PTY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <termios.h>

struct pty;

struct pty_cell {
	uint32_t ch;		/* ' ' for empty, 0: right half of a wide one */
	int fg, bg;		/* 0..255, -1: default, 0x1000000 | RGB */
	bool bold, underline, reverse;
};

struct pty *pty_open(int w, int h);
/* Ends the program (KILL) if it still runs, and closes. */
void pty_free(struct pty *p);

/* Starts argv[0] (a path, or a name searched in PATH) with the pty as its
 * controlling terminal.  env: "NAME=VALUE" sets, "-NAME" removes; NULL: as we
 * are.  The signal mask is empty, dispositions are the default. */
pid_t pty_spawn(struct pty *p, const char *const argv[], const char *const env[]);
/* Where programs start from now on; NULL: where we are. */
void pty_directory(struct pty *p, const char *path);
/* The same without a controlling terminal (as under some sudo): descriptors only. */
pid_t pty_spawn_detached(struct pty *p, const char *const argv[], const char *const env[]);
/* This very process gets the pty as descriptor 0 and loses its own terminal. */
void pty_adopt(struct pty *p);

/* Reads what comes within ms, at least what is there; bytes, -1: closed. */
long pty_pump(struct pty *p, int ms);
bool pty_wait_text(struct pty *p, const char *text, int ms);	/* on the screen */
bool pty_wait_no_text(struct pty *p, const char *text, int ms);
bool pty_wait_regex(struct pty *p, const char *regex, int ms);	/* extended, line by line */
bool pty_wait_exit(struct pty *p, int ms, int *status);		/* pumps meanwhile */
void pty_send(struct pty *p, const char *keys);
void pty_resize(struct pty *p, int w, int h);
void pty_hang_up(struct pty *p);	/* closes the master */

int pty_master(const struct pty *p);
pid_t pty_pid(const struct pty *p);
void pty_termios(const struct pty *p, struct termios *out);
pid_t pty_foreground(const struct pty *p);	/* process group */
char *pty_screen(struct pty *p);	/* as text, trailing blanks cut; caller frees */
struct pty_cell pty_cell(const struct pty *p, int x, int y);
bool pty_alternate(const struct pty *p);
bool pty_cursor_shown(const struct pty *p);
bool pty_mouse(const struct pty *p);
/* Everything that came since the start (or pty_forget). */
const char *pty_output(const struct pty *p, size_t *bytes);
void pty_forget(struct pty *p);
uint64_t pty_bytes(const struct pty *p);	/* ever */

#endif
