/*
 * fatal.h - the terminal is given back even when the program crashes.
 *
 * The handlers use write, tcgetattr, tcsetattr, tcflow, sigaction and raise
 * only, on what was prepared here.  Main thread, but for the handlers themselves.
 */
#ifndef JS_FATAL_H
#define JS_FATAL_H

#include <termios.h>

/* SEGV BUS FPE ILL ABRT on an alternate stack, for the calling thread; other
 * threads bring their own sigaltstack. */
void fatal_install(void);
/* From now on a crash restores these settings on this terminal. */
void fatal_arm(int fd, const struct termios *saved);
/* The terminal is not ours (given back, or gone): a crash leaves it alone. */
void fatal_disarm(void);
/* What resets any terminal we may have left. */
extern const char fatal_reset[];
extern const unsigned fatal_reset_bytes;

#endif
