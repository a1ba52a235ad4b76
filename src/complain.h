/*
 * complain.h - what went wrong, as one line on standard error.
 *
 * Its words may be of others: arguments, names of files, programs and tasks.
 * They are cleaned here, so that none of them speaks to the terminal.
 */
#ifndef JS_COMPLAIN_H
#define JS_COMPLAIN_H

/* "jitterscope: " before it, an end of line behind.  Any ordinary thread. */
void complain(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
