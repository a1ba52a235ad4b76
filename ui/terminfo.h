/*
 * terminfo.h - is TERM a terminal a screen can be drawn on?
 *
 * Asks terminfo alone: a screen of curses costs half a megabyte, and its
 * headers do not go together (both have a `struct term`).
 */
#ifndef JS_TERMINFO_H
#define JS_TERMINFO_H

#include "src/why.h"

/* 0, or -EINVAL and why: TERM unset, unknown here, or unable to move its
 * cursor and to clear.  fd is the terminal.  Main thread. */
int terminfo_check(int fd, struct why *why);

#endif
