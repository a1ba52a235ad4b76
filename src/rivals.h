/*
 * rivals.h - real-time tasks of other programs above our samplers: whatever
 * they do, the samplers wait.
 *
 * Looks at some processes and threads each second, so that a machine with
 * thousands of them costs no more.  Kernel threads do not count, they are always there.
 * Main thread only.
 */
#ifndef JS_RIVALS_H
#define JS_RIVALS_H

#include "src/model.h"

struct rivals;

struct rivals *rivals_new(void);	/* NULL: no memory */
void rivals_free(struct rivals *r);
/* Once a second.  above: the samplers' priority; 0: they have none, so nobody is. */
void rivals_look(struct rivals *r, int above, struct rival_view *out);

#endif
