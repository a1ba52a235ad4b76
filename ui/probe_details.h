/*
 * probe_details.h - the probes panel with a screen to itself: a row for each
 * series that is on, and under it what the probe itself counts.  Main thread.
 */
#ifndef JS_PROBE_DETAILS_H
#define JS_PROBE_DETAILS_H

#include <stdbool.h>
#include <stdint.h>

#include "ui/canvas.h"
#include "ui/panel.h"

#define PROBE_DETAILS_LEAST_W 79

void probe_details_draw(const struct model *m, const struct view *v, struct canvas *c);
/* What a probe itself counted, skips or freezes, on all its CPUs: the largest
 * where it is a largest, else the sum. */
int64_t probe_counted(const struct model *m, const struct group *g, unsigned counter);
/* Of that, what came in the run; of a largest: it, if it came in the run, else 0. */
int64_t probe_counted_in_run(const struct model *m, const struct group *g, unsigned counter);
/* The maximum of the run, "~" without any.  What is not finished counts; it is
 * marked until it is.  True: so it is. */
bool probe_max_text(const struct model *m, const struct group *g, char buf[24]);

#endif
