/* blame_idle.c - see blame_idle.h. */
#include "src/blame_idle.h"

#define RECORDS_MOST 4096
#define NOBODY (-2)		/* no switch read yet */

struct looking {
	int tid;		/* of whom */
	unsigned least, records, missing;
	int stopped;		/* who did in the switch that was read last, the newer one */
	bool recorded;
};

/* Where switches tell who comes and who goes, an end is missing when the task
 * came and somebody else went next; where they tell who goes alone, an end of
 * idle is when a task went twice running. */
static bool end_is_missing(const struct looking *l, const struct trace_event *e)
{
	if (e->kind == TRACE_IN)
		return e->tid == l->tid && l->stopped >= 0 && l->stopped != l->tid;
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
	l->recorded = l->stopped == l->tid;
	return !l->recorded && l->missing < l->least;
}

static enum blame_idle look_for(const struct perf_ring_bytes *ring,
				const struct trace_layout *layout, int tid, unsigned least)
{
	struct looking l = { .tid = tid, .least = least, .stopped = NOBODY };

	perf_ring_walk(ring, layout, look, &l);
	if (l.recorded)
		return BLAME_IDLE_RECORDED;
	return l.missing < least ? BLAME_IDLE_UNTOLD : BLAME_IDLE_MISSING;
}

enum blame_idle blame_idle_look(const struct perf_ring_bytes *ring,
				const struct trace_layout *layout)
{
	return look_for(ring, layout, 0, BLAME_IDLE_LEAST);
}

enum blame_idle blame_idle_task(const struct perf_ring_bytes *ring,
				const struct trace_layout *layout, int tid)
{
	return layout ? look_for(ring, layout, tid, BLAME_TASK_LEAST) : BLAME_IDLE_UNTOLD;
}
