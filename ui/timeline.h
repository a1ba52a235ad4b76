/*
 * timeline.h - the rows under the map, which share its columns: what the loads
 * did, what happened, and when it was.  Pure, main thread.
 */
#ifndef JS_TIMELINE_H
#define JS_TIMELINE_H

#include <stdbool.h>

#include "src/model.h"
#include "ui/canvas.h"
#include "ui/view.h"

struct timeline {
	int x0, cols;		/* columns of the canvas that are time */
	int64_t edge_ns;	/* end of the last column */
	int64_t column_ns;
};

/* Column of a time, relative to x0; may lie outside 0 .. cols-1. */
int timeline_column(const struct timeline *t, int64_t ns);

/* Load runs in `lanes` rows from y on: start and stop at their exact columns. */
void timeline_loads(const struct model *m, const struct view *v, const struct timeline *t,
		    struct canvas *c, int y, int lanes);
/* What is wrong with the samples of each column, in words where there is room;
 * missed periods only where `all`. */
void timeline_flags(const struct view *v, const struct timeline *t, struct canvas *c, int y,
		    const unsigned *flags, bool all);
/* Events at their column. */
void timeline_events(const struct model *m, const struct view *v, const struct timeline *t,
		     struct canvas *c, int y);
/* Ages, or times of the run when the view stands still. */
void timeline_axis(const struct model *m, const struct view *v, const struct timeline *t,
		   struct canvas *c, int y);

/* How the gravest flag is told: by a letter, briefly or in full; NULL: none. */
struct timeline_flag { unsigned flag; char letter; enum role role; const char *word, *brief; };
const struct timeline_flag *timeline_gravest(unsigned flags);

#endif
