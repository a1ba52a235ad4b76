/*
 * outgoing.h - the list of what may be sent to a terminal.
 *
 * Printable UTF-8, cursor movement, colours, erasing and the modes we use;
 * no titles, no clipboard, no C1, no bell, no bidi controls.  Pure: test
 * builds put every frame through it, and the suites use it as a judge.
 */
#ifndef JS_OUTGOING_H
#define JS_OUTGOING_H

#include <stddef.h>

/* Offset of the first byte that is not on the list, or n. */
size_t outgoing_check(const char *bytes, size_t n);

#endif
