/*
 * blame_hints.h - without rights to perf: what in /proc jumped in the last
 * second?  A hint, never a culprit.  Main thread only.
 */
#ifndef JS_BLAME_HINTS_H
#define JS_BLAME_HINTS_H

#include <stddef.h>
#include <stdint.h>

struct blame_hints;

struct blame_hints *blame_hints_new(void);	/* NULL: no memory */
void blame_hints_free(struct blame_hints *h);
/* Once a second: one pass over /proc/interrupts and /proc/softirqs. */
void blame_hints_read(struct blame_hints *h, int64_t now_ns);
/* "irq 24 virtio0 5.2k/s jumped", or "" when nothing did. */
const char *blame_hints_text(const struct blame_hints *h);
/* So often was this thread of ours preempted since the last question. */
uint64_t blame_hints_preempted(struct blame_hints *h, int tid);

#endif
