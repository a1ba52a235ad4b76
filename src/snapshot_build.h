/*
 * snapshot_build.h - how a snapshot grows: for snapshot_take() and for the
 * readers of files.
 *
 * Every function returns the new element, zeroed but for what it was given, or
 * NULL when there is no memory.  A pointer is good until the next element of
 * its kind is added.  Any ordinary thread; a snapshot has one owner.
 */
#ifndef JS_SNAPSHOT_BUILD_H
#define JS_SNAPSHOT_BUILD_H

#include "src/snapshot.h"

struct snapshot_series *snapshot_add_series(struct snapshot *s, const char *probe, int cpu);
struct snapshot_load *snapshot_add_load(struct snapshot *s, const char *name);
struct snapshot_event *snapshot_add_event(struct snapshot *s, double t_s, const char *kind,
					  const char *text);
struct badge *snapshot_add_badge(struct snapshot *s, const char *name, const char *level,
				 const char *text);
struct snapshot_spike *snapshot_add_spike(struct snapshot *s);
struct snapshot_spike *snapshot_add_latest(struct snapshot *s);
/*
 * Of a list of any length, in memory that is not: the worst, in their order,
 * and the latest that were given (snapshot_trim_latest() at the end; before, up
 * to twice as many are there).  0 or -ENOMEM.
 */
int snapshot_keep_spike(struct snapshot *s, const struct snapshot_spike *k);
int snapshot_keep_latest(struct snapshot *s, const struct snapshot_spike *k);
void snapshot_trim_latest(struct snapshot *s);
/* Merged with one of the same loads; 0 or -ENOMEM. */
int snapshot_add_blamed(struct snapshot *s, const struct blamed *b);
struct snapshot_load_row *snapshot_add_load_row(struct snapshot *s);
struct snapshot_figure *snapshot_add_figure(struct snapshot *s, const char *table,
					    const char *row, const char *name, const char *unit);
/* group: made when it is new, up to SNAPSHOT_PROBES_MAX. */
struct snapshot_row *snapshot_add_row(struct snapshot *s, const char *group);
/* One more warning of a reader, behind those before; each once. */
void snapshot_add_note(struct snapshot *s, const char *note);
char *snapshot_add_word(struct snapshot *s, const char *word);	/* of the command */

/* 0 or -ENOMEM.  Does not touch counts.count. */
int snapshot_add_pair(struct snapshot_series *one, int64_t value_ns, uint64_t count);
int snapshot_add_cell(struct snapshot_row *row, unsigned slot, uint32_t count);
/* Sorts the pairs and adds up those of one value. */
void snapshot_join_pairs(struct snapshot_series *one);
/* All of a histogram's slots, extremes, mean; counts.count early over too. */
int snapshot_series_from_hist(struct snapshot_series *one, const struct hist *h);

/* One word, as the other members of a file are: "longest_skip_ns". */
void snapshot_counter_name(char *buf, size_t size, const struct probe_counter *c);

/* Index of a group name, -1: none. */
int snapshot_group(const struct snapshot *s, const char *name);
/* Gives the rows their order: by time, then group. */
void snapshot_sort_rows(struct snapshot *s);
/* "2026-11-30T12:00:00Z" of a wall clock time, and back (-1: not such a text). */
void snapshot_time_text(char *buf, size_t size, int64_t wall_ns);
int64_t snapshot_time_ns(const char *text);
/* Wall clock time at which the run of s began: it was made at its end.  -1: not known. */
int64_t snapshot_began_ns(const struct snapshot *s);

#endif
