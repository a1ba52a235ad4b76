/*
 * tty.h - the terminal line: opening it without touching it, its settings,
 * size, and bytes in and out without ever waiting.  No curses.  Main thread.
 *
 * The descriptor is private (an open of our own, O_NONBLOCK), so nothing of
 * it outlives us on the shell's descriptors.
 */
#ifndef JS_TTY_H
#define JS_TTY_H

#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

#include "src/why.h"

/* The controlling terminal, else the one behind 0..2.  Descriptor, -errno. */
int tty_open(struct why *why);
/* cbreak as we want it: no echo, no lines, signals kept, output untouched. */
void tty_make_raw(const struct termios *saved, struct termios *raw);
/* Columns and rows within 1..1000; a line that does not know: 80x24. */
void tty_size(int fd, int *w, int *h);
/* Is the terminal ours now?  True when it is nobody's controlling terminal. */
bool tty_foreground(int fd);
/* Stops this process as any background job that wants the terminal is
 * stopped, again and again until it is in the foreground. */
void tty_wait_foreground(int fd);
/* Ends a ^S (and tcflow's stop); leaves the line without IXON.  Async-signal-safe. */
void tty_start_output(int fd);
/* Bytes the line has not sent yet; 0 when the kernel does not say. */
int tty_queued(int fd);
/* Bytes taken, 0 when it is full or stopped, -EIO when it is gone. */
long tty_write(int fd, const char *bytes, size_t n);
/* Bytes read, 0 when there are none, -EIO when it is gone. */
long tty_read(int fd, char *bytes, size_t room);

#endif
