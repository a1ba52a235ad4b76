/*
 * seat.h - somebody at a terminal: the real program on a pty, in a folder of
 * its own, and the question whether it left anything behind.
 *
 *	static struct seat seat;
 *	seat_start(&seat, 80, 24, (const char *const[]){ "--mouse", NULL });
 *	pty_send(seat.pty, "q");
 *	...
 *	seat_leave(&seat);		(in the fixture's teardown)
 *
 * Failures end the test.
 */
#ifndef JS_TESTS_SEAT_H
#define JS_TESTS_SEAT_H

#include <stdbool.h>

#include "tests/prog.h"
#include "tests/pty.h"

#define SEAT_MS 20000		/* only a failure takes that long */

struct seat {
	struct pty *pty;
	struct prog run;	/* its token finds what is left */
	char token[64], binary[4096];
	struct termios before;
};

/* A terminal of that size and an empty folder; nothing runs yet. */
void seat_open(struct seat *s, int w, int h);
/* xterm-256color, UTF-8, colours; NULL-ended. */
void seat_environment(struct seat *s, const char *env[8]);
/* seat_open(), then the program with these arguments (NULL: none). */
void seat_spawn(struct seat *s, int w, int h, const char *const *arguments);
/* seat_spawn(), until the header says LIVE. */
void seat_start(struct seat *s, int w, int h, const char *const *arguments);

bool seat_same_line(const struct seat *s);	/* settings as before the program */
/* Settings, alternate screen, cursor and mouse as before, within the time. */
bool seat_restored(struct seat *s, int ms);
/* No process of the run is alive after at most 3 s, as prog_left() counts them. */
void seat_nothing_left(struct seat *s);
/* A key that ends it: exit 0, all restored, nothing left. */
void seat_ends_well(struct seat *s, const char *key);
/* Ends what runs, removes the folder. */
void seat_leave(struct seat *s);

#endif
