/*
 * timeline.h - the rows under the map, which share its columns: what the loads
 * did, what happened, and when it was.  Pure, main thread.
 */
#ifndef JS_TIMELINE_H
#define JS_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>

#include "src/model.h"
#include "ui/canvas.h"
#include "ui/view.h"

#define TIMELINE_COLS 1024	/* most of them */

struct timeline {
	int x0, cols;		/* columns of the canvas that are time */
	int64_t edge_ns;	/* end of the last column */
	int64_t column_ns;
};

/* Column of a time, relative to x0; may lie outside 0 .. cols-1. */
int timeline_column(const struct timeline *t, int64_t ns);

/* Load runs in `lanes` rows from y on: start and stop at their exact columns.
 * Those that find no lane of their own share the last: named together, by keys
 * or by how many they are; the key of one where it begins; the height is their
 * mean work, each against its own most. */
void timeline_loads(const struct model *m, const struct view *v, const struct timeline *t,
		    struct canvas *c, int y, int lanes);
/* Work of a load in [from,to) in its rate unit, of the part that has passed and
 * is counted; where none has yet, its present rate.  < 0: none known. */
double timeline_rate(const struct model *m, unsigned load, int64_t from_ns, int64_t to_ns);
/* ran[nr_loads]: which loads ran at any moment of [from,to). */
void timeline_running(const struct model *m, int64_t from_ns, int64_t to_ns, bool *ran);

/*
 * Several of the following may share a row: taken[cols] says which of its
 * columns hold something; only timeline_events() adds to it, so it goes first.
 */
/* What is wrong with the samples of each column, in words where there is room;
 * missed periods only where `all`. */
void timeline_flags(const struct view *v, const struct timeline *t, struct canvas *c, int y,
		    const unsigned *flags, bool all, const bool *taken);
/* Events at their column, with their words where those have room. */
void timeline_events(const struct model *m, const struct view *v, const struct timeline *t,
		     struct canvas *c, int y, bool *taken);
/* Ages, or times of the run when the view stands still. */
void timeline_axis(const struct model *m, const struct view *v, const struct timeline *t,
		   struct canvas *c, int y, const bool *taken);
/* "-45s" "-2m30" "-1h05": exact for whole seconds, in one unit up to the longest. */
const char *timeline_age(char *buf, size_t size, int64_t ns, int64_t longest_ns);

/* How the gravest flag is told: by a letter, briefly or in full; NULL: none. */
struct timeline_flag { unsigned flag; char letter; enum role role; const char *word, *brief; };
const struct timeline_flag *timeline_gravest(unsigned flags);

#endif
