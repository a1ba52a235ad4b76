/*
 * probe_details.h - the probes panel with a screen to itself: a row for each
 * series that is on, and under it what the probe itself counts.  Main thread.
 */
#ifndef JS_PROBE_DETAILS_H
#define JS_PROBE_DETAILS_H

#include "ui/canvas.h"
#include "ui/panel.h"

#define PROBE_DETAILS_LEAST_W 79

void probe_details_draw(const struct model *m, const struct view *v, struct canvas *c);

#endif
