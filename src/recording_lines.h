/*
 * recording_lines.h - the lines of a .jsr recording: one JSON object each.
 *
 *   {"format": "jitterscope-recording", "version": 1, ...}   the head, once
 *   {"t": 12, "s": {"wakeup-fifo": [[88,3,250],[97,1]]}, "x": ..., "l": ...}
 *       a second: per probe runs of [first slot, counts...], then maxima,
 *       missed, interrupted, flags where not 0, and the rates of loads.  A
 *       later line with the same t replaces the earlier one.  "len" is how
 *       much there is of it where that is not 1: the last second of a run, and the
 *       one under way at an exact line.
 *   {"exact": 60.2, "s": {"wakeup-fifo": {"hist": "HISTFAAA...", ...}}}
 *       each minute: all samples since the exact line before, and counts so far;
 *       these are what all rows before it tell.  For that the second under way
 *       is told just before it, as it is then, with its "len" and even if empty
 *   {"state": {"tiers": {...}, "validity": [...]}}
 *       when it changes and each minute; the later one holds
 *   {"event": {...}}  {"spike": {...}}  {"load": {...}, "n": 0}
 *       as in a snapshot; a later load of the same n replaces the earlier one
 *   {"series": {...}} ... {"end": {...}}   only at an orderly end: all series
 *       exactly, by CPU, and what the lists are then
 *
 * A file cut anywhere is good up to its last whole line.
 */
#ifndef JS_RECORDING_LINES_H
#define JS_RECORDING_LINES_H

#include <stdio.h>

#include "src/snapshot.h"

#define RECORDING_WORD "jitterscope-recording"
#define RECORDING_VERSION 1

void recording_head(FILE *out, const struct snapshot *s);
/* A line for each span of the timeline. */
void recording_rows(FILE *out, const struct snapshot *s);
/* Nothing happened in it so far. */
void recording_empty_row(FILE *out, double t_s, double len_s);
void recording_event(FILE *out, const struct snapshot_event *e);
void recording_spike(FILE *out, const struct snapshot_spike *k);
void recording_load(FILE *out, const struct snapshot_load *l, uint64_t n);
void recording_state(FILE *out, const struct snapshot *s);	/* its tiers and badges */

/* One probe's exact part; begin and end make the line around several. */
struct recording_part {
	const char *probe, *policy;
	int priority;
	int64_t interval_ns;
	struct counts counts;		/* so far, CPUs summed */
	int64_t min_ns, max_ns;		/* so far */
	double mean_ns;
	const struct hist *more;	/* samples since the exact line before */
};
void recording_exact_begin(FILE *out, double t_s);
int recording_exact(FILE *out, const struct recording_part *part, bool first);	/* 0 or -ENOMEM */
void recording_exact_end(FILE *out);
/* Series, lists: the orderly end; loads come before. */
void recording_finish(FILE *out, const struct snapshot *s);

#endif
