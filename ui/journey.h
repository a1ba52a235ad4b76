/*
 * journey.h - moving the view through time: back and forth, zoom, freeze, and
 * to a spike.  What cannot be done says why on the status line.  Main thread.
 */
#ifndef JS_JOURNEY_H
#define JS_JOURNEY_H

#include "src/model.h"
#include "ui/view.h"

void journey_move(struct model *m, struct view *v, int columns);	/* < 0: back */
void journey_page(struct model *m, struct view *v, int pages);
void journey_oldest(struct model *m, struct view *v);
void journey_live(struct model *m, struct view *v);
void journey_freeze(struct model *m, struct view *v);	/* and on again */
void journey_zoom(struct model *m, struct view *v, int steps);	/* > 0: in; 0: reset */
/* The finest zoom at which everything there is fits, else the coarsest. */
void journey_fit(const struct model *m, struct view *v);
/* The next (1) or previous (-1) spike that passes the filter, or the selected
 * one (0), comes to the middle of the picture. */
void journey_spike(struct model *m, struct view *v, int step);

#endif
