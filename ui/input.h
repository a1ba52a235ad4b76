/*
 * input.h - bytes of the terminal to keys: UTF-8, function keys, SGR mouse.
 *
 * Pure: time is handed in.  A lone ESC is a key of its own 25 ms after it
 * came; a sequence nobody knows is swallowed whole, never read as letters.
 */
#ifndef JS_INPUT_H
#define JS_INPUT_H

#include <stddef.h>
#include <stdint.h>

#define INPUT_ESC_NS INT64_C(25000000)

struct input;

struct input *input_new(void);			/* knows the common sequences; NULL: no memory */
void input_free(struct input *in);
/* A sequence of this terminal (from terminfo) that means a key. */
void input_learn(struct input *in, const char *sequence, int key);
/* Room for more bytes, and handing them in. */
size_t input_room(const struct input *in);
void input_feed(struct input *in, const char *bytes, size_t n, int64_t now_ns);
void input_drop(struct input *in);		/* forgets what came */
/* Next key (enum ui_key or a code point), 0: none yet. */
int input_key(struct input *in, int64_t now_ns);
/* ns until a begun sequence is decided, -1: nothing begun. */
int64_t input_wait_ns(const struct input *in, int64_t now_ns);
void input_mouse(const struct input *in, int *x, int *y);	/* from 0 */

#endif
