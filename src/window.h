/*
 * window.h - the histogram of the last ten seconds, exact.
 *
 * Remembers the slot of every sample in a ring of 16-bit numbers, in ten
 * blocks of one second.  A block that expires is taken out of the histogram
 * again, slot by slot; extremes, sum, early and over are kept per block and
 * put together from those that are left.  So the histogram is at any moment
 * that of the samples of the running second and the nine before.
 *
 * Main thread only.
 */
#ifndef JS_WINDOW_H
#define JS_WINDOW_H

#include <stdint.h>

#include "src/hist.h"

struct window;

/* now: the histogram that is kept, of 3 digits at most; it stays the caller's.
 * per_second: the most samples a second.  NULL: no memory. */
struct window *window_new(struct hist *now, uint64_t per_second);
void window_free(struct window *w);
/* Seconds are counted from here; empties it. */
void window_start(struct window *w, int64_t zero_ns);
/* Times must not go back by more than the running second: an older sample
 * counts as of the running second. */
void window_add(struct window *w, int64_t t_ns, int64_t value_ns);
/* n samples of a coarse slot (slots.h) whose times are not known; they count
 * as of the running second.  max_ns: the true maximum, when it is among them,
 * else 0. */
void window_add_slot(struct window *w, unsigned slot, uint64_t n, int64_t max_ns);
/* Lets blocks expire. */
void window_advance(struct window *w, int64_t now_ns);

#endif
