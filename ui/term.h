/*
 * term.h - the terminal: the only file that includes curses.
 *
 * curses writes each frame into memory; term_flush() copies it to a private
 * non-blocking descriptor of the terminal.  While that is not drained no new
 * frame is begun, so a stalled terminal holds up nothing.  Main thread only.
 */
#ifndef JS_TERM_H
#define JS_TERM_H

#include <stdbool.h>
#include <stdint.h>
#include <termios.h>

#include "src/why.h"
#include "ui/canvas.h"

struct term;

struct term_config { bool mouse, ascii; };

/* Opens the controlling terminal (else ttyname of 0..2) without changing it. */
struct term *term_open(const struct term_config *config, struct why *why);
/* Would term_open() find a terminal it can draw on?  0, or -errno and why; in
 * the background it stops like any job until `fg`.  Main thread, before it. */
int term_try(struct why *why);
int term_fd(const struct term *t);
/* The saved and the coming raw settings, for the guardian.  Asks the line anew
 * when it has been given back: somebody may have changed it meanwhile. */
void term_settings(struct term *t, struct termios *saved, struct termios *raw);
/* Raw, alternate screen; again after a stop. */
int term_enter(struct term *t, struct why *why);
void term_leave(struct term *t);			/* all back as it was */
void term_close(struct term *t);
void term_abandon(struct term *t);			/* it is gone: never write again */
int term_colours(const struct term *t);			/* 0, 8, 256 */
bool term_unicode(const struct term *t);
bool term_bce(const struct term *t);
/* Rows that move to the left cost little, whatever is in them. */
bool term_deletes(const struct term *t);
void term_size(struct term *t, int *w, int *h);		/* asks the kernel; 0x0: 80x24 */
/* Is it ours to touch now?  Else stop like any background job until it is. */
bool term_foreground(const struct term *t);
void term_wait_foreground(const struct term *t);
bool term_ready(const struct term *t);			/* last frame drained: may draw */
/* Draws what differs; repaint: everything.  Bytes produced, -errno. */
long term_draw(struct term *t, const struct canvas *c, bool repaint);
/* Rings with the next frame. */
void term_bell(struct term *t);
/* Copies pending bytes; 1: more to come (poll POLLOUT), 0: drained, -errno: gone. */
int term_flush(struct term *t);
uint64_t term_bytes(const struct term *t);
/* Next key (enum ui_key below, or a code point), 0: none, -EIO: hang-up. */
int term_key(struct term *t);
/* ns until a lone ESC counts as a key: call term_key() again then; -1: none. */
int64_t term_key_wait_ns(const struct term *t);
/* The byte string that resets any terminal we may have left, for handlers. */
const char *term_reset_bytes(unsigned *length);
/* Puts the SEGV BUS FPE ILL ABRT handlers in place (own alternate stack). */
void term_install_fatal(struct term *t);

enum ui_key {			/* above any code point */
	UI_KEY_BASE = 0x200000,
	UI_UP, UI_DOWN, UI_LEFT, UI_RIGHT, UI_HOME, UI_END, UI_PGUP, UI_PGDN,
	UI_ENTER, UI_ESC, UI_TAB, UI_BTAB, UI_BACKSPACE,
	UI_F1, UI_F2, UI_F3, UI_F4, UI_F5, UI_F6, UI_F7, UI_F8, UI_F9, UI_F10,
	UI_MOUSE, UI_WHEEL_UP, UI_WHEEL_DOWN, UI_DELETE,
};
void term_mouse(const struct term *t, int *x, int *y);	/* of the last UI_MOUSE or wheel */

#endif
