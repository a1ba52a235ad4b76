/*
 * spikelist.h - the spikes that the person looks at: the worst or the latest,
 * as filtered.
 *
 * A number is a place among the worst, or counts the latest as they came; a
 * worse spike gives the worst other numbers, but the chosen one stays chosen.
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
void spikelist_choose(struct view *v, const struct spike *s);
/* Where the chosen one stands in the list as shown; -1: not in it, or none is. */
int spikelist_chosen(const struct model *m, const struct view *v, const unsigned *list,
		     unsigned n);
/* Looks at the next list: worst, latest, culprits. */
void spikelist_next(struct view *v);

#endif
