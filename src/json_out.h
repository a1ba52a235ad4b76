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

void json_out_command(FILE *out, const struct snapshot *s);	/* [...] */
void json_out_system(FILE *out, const struct snapshot *s);	/* {...} */
void json_out_tiers(FILE *out, const struct snapshot *s);
void json_out_validity(FILE *out, const struct snapshot *s);
/* 0 or -ENOMEM (the corrected view needs a histogram). */
int json_out_series(FILE *out, const struct snapshot_series *one);
/* The same on one line, without the percentiles, which follow. */
void json_out_series_line(FILE *out, const struct snapshot_series *one);
void json_out_badge(FILE *out, const struct badge *b);
void json_out_load(FILE *out, const struct snapshot_load *l);
void json_out_event(FILE *out, const struct snapshot_event *e);
void json_out_spike(FILE *out, const struct snapshot_spike *k);
void json_out_blame(FILE *out, const struct snapshot *s);	/* {...} */
void json_out_figure(FILE *out, const struct snapshot_figure *f);
void json_out_self(FILE *out, const struct snapshot *s);

#endif
