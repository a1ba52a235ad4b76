/*
 * validity.h - may these numbers be trusted?  Turns what was read back and
 * observed into badges (model.badges), each with level, text and remedy.
 * Main thread only.
 */
#ifndef JS_VALIDITY_H
#define JS_VALIDITY_H

#include "src/model.h"
#include "src/rt.h"

/* Once after the samplers started. */
void validity_start(struct model *m, const struct rt_rights *rights);
/* Once a second: steal, throttling pattern, faults, own cost, clocksource. */
void validity_tick(struct model *m, int64_t now_ns);

#endif
