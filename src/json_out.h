/*
 * json_out.h - parts of a snapshot as JSON text, for the snapshot file and for
 * the lines of a recording.  See jitterscope-snapshot(5).
 *
 * Text is written straight to the stream: a tree of a day's rows would take
 * more memory than the rest of the program.  Strings leave here as valid UTF-8
 * whatever they hold; numbers need the C locale (numeric.h).
 */
#ifndef JS_JSON_OUT_H
#define JS_JSON_OUT_H

#include <stdio.h>

#include "src/snapshot.h"

void json_out_text(FILE *out, const char *text);
/* Shortest text that reads back the same; null when not finite. */
void json_out_real(FILE *out, double value);

/* What stands before a member of an object, and before the elements of a list. */
struct json_gaps { const char *member, *first, *next; };
extern const struct json_gaps json_lines, json_one_line;

void json_out_command(FILE *out, const struct snapshot *s);	/* [...] */
void json_out_system(FILE *out, const struct snapshot *s);	/* {...} */
void json_out_tiers(FILE *out, const struct snapshot *s);
void json_out_validity(FILE *out, const struct snapshot *s, const struct json_gaps *gaps);
/* 0 or -ENOMEM (the corrected view needs a histogram). */
int json_out_series(FILE *out, const struct snapshot_series *one, int64_t deadline_ns);
/* The same on one line, without the percentiles, which follow. */
void json_out_series_line(FILE *out, const struct snapshot_series *one, int64_t deadline_ns);
void json_out_deadline(FILE *out, const struct snapshot *s);	/* its member, where there is one */
void json_out_load(FILE *out, const struct snapshot_load *l);
void json_out_event(FILE *out, const struct snapshot_event *e);
void json_out_spike(FILE *out, const struct snapshot_spike *k);
/* The members "events", "spikes", "latest_spikes" and "blame". */
void json_out_seen(FILE *out, const struct snapshot *s, const struct json_gaps *gaps);
void json_out_figure(FILE *out, const struct snapshot_figure *f);
void json_out_self(FILE *out, const struct snapshot *s);

#endif
