/*
 * spikelist.h - the spikes that the person looks at: the worst or the latest,
 * as filtered.
 *
 * A spike has a number that stays its own while the view looks at that list.
 * Pure.
 */
#ifndef JS_SPIKELIST_H
#define JS_SPIKELIST_H

#include "src/model.h"
#include "ui/view.h"

#define SPIKELIST_MOST MODEL_LATEST

/* Their numbers in the order in which they are shown; returns how many. */
unsigned spikelist_shown(const struct model *m, const struct view *v,
			 unsigned out[SPIKELIST_MOST]);
unsigned spikelist_count(const struct model *m, const struct view *v);	/* without the filter */
/* NULL: no longer kept. */
const struct spike *spikelist_at(const struct model *m, const struct view *v, unsigned number);
/* Looks at the next list: worst, latest, culprits. */
void spikelist_next(const struct model *m, struct view *v);

#endif
