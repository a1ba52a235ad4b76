/*
 * guardian.h - gives the terminal back when main no longer can.
 *
 * The supervisor learns the saved and the coming raw settings before main
 * changes the terminal.  When main dies it restores the saved ones, but only
 * if the terminal still has the raw ones (the shell may have been faster), and
 * writes the reset bytes in any case.  If main had given the terminal back by
 * itself (suspended, ended) the guardian touches nothing: the terminal may
 * belong to another program by then.
 *
 * Supervisor process only, but for the reset bytes, which anybody may write
 * (a signal handler too: they are a constant).
 */
#ifndef JS_GUARDIAN_H
#define JS_GUARDIAN_H

#include <stdbool.h>
#include <termios.h>

/* One reset string for all ways out: mouse reports off; scroll region, wrap,
 * insert mode, cursor keys, keypad and character set as a shell expects them;
 * colours off; cursor shown, at the bottom; and last the screen that was there
 * before, with the cursor: some terminals bring it back as it was saved. */
#define GUARDIAN_RESET_BYTES \
	"\033[?1006l\033[?1003l\033[?1002l\033[?1000l" \
	"\033[r\033[?7h\033[4l\033[?1l\033>\033(B\017" \
	"\033[0m\033[?25h\033[999;1H\033[?1049l\033[0m\033[?25h"

struct guardian {
	int fd;			/* the terminal; -1: none to guard */
	bool armed;		/* main has (or is about to have) it raw */
	struct termios saved, raw;
};

void guardian_init(struct guardian *g, int fd);
/* Main is about to make the terminal raw. */
void guardian_arm(struct guardian *g, const struct termios *saved, const struct termios *raw);
/* Main has given it back. */
void guardian_disarm(struct guardian *g);
/* Main is dead.  `line` is printed afterwards.  Never waits over 100 ms.
 * Returns whether the terminal was touched. */
bool guardian_restore(struct guardian *g, const char *line);

/* Settings that mean the same to a terminal (speeds and padding aside). */
bool guardian_same(const struct termios *a, const struct termios *b);

#endif
