/* blame_idle.c - see blame_idle.h. */
#include "src/blame_idle.h"

#define RECORDS_MOST 4096
#define NOBODY (-2)		/* no switch read yet */

struct looking {
	unsigned records, missing;
	int stopped;		/* who did in the switch that was read last, the newer one */
	bool recorded;
};

/* An idle task has number 0.  Where switches tell who comes and who goes, an end
 * of idle is missing when idle came and somebody else went next; where they tell
 * who goes alone, when a task went twice running. */
static bool end_is_missing(const struct looking *l, const struct trace_event *e)
{
	if (e->kind == TRACE_IN)
		return e->tid == 0 && l->stopped > 0;
	return e->tid > 0 && l->stopped == e->tid;
}

static bool look(void *ctx, const struct trace_event *e)
{
	struct looking *l = ctx;

	if (++l->records > RECORDS_MOST)
		return false;
	if (e->kind != TRACE_IN && e->kind != TRACE_OUT)
		return true;
	l->missing += end_is_missing(l, e);
	l->stopped = e->kind == TRACE_IN ? e->other : e->tid;
	l->recorded = l->stopped == 0;
	return !l->recorded && l->missing < BLAME_IDLE_LEAST;
}

enum blame_idle blame_idle_look(const struct perf_ring_bytes *ring,
				const struct trace_layout *layout)
{
	struct looking l = { .stopped = NOBODY };

	perf_ring_walk(ring, layout, look, &l);
	if (l.recorded)
		return BLAME_IDLE_RECORDED;
	return l.missing < BLAME_IDLE_LEAST ? BLAME_IDLE_UNTOLD : BLAME_IDLE_MISSING;
}
