/*
 * picture.h - SVG drawn from data: text as text, fixed fonts, no scripts.
 *
 * Used by the snapshot's .svg and by `plot`.  Numbers need the C locale
 * (numeric.h).  Foreign text is escaped here.  Any ordinary thread.
 */
#ifndef JS_PICTURE_H
#define JS_PICTURE_H

#include <stdio.h>

#include "src/dist.h"
#include "src/snapshot.h"

struct box { double x, y, w, h; };

#define PICTURE_INK "#1d2129"
#define PICTURE_FAINT "#667085"
#define PICTURE_GRID "#d5dae3"

/* Colours that also differ for colour-blind eyes; index wraps round. */
const char *picture_colour(unsigned i);

void picture_begin(FILE *out, double width, double height, const char *title);
void picture_end(FILE *out);
/* anchor: "start" "middle" "end"; bold by weight 400 or 600. */
void picture_text(FILE *out, double x, double y, double size, const char *anchor, int weight,
		  const char *colour, const char *fmt, ...) __attribute__((format(printf, 8, 9)));
void picture_rect(FILE *out, struct box b, const char *fill, double opacity);
void picture_line(FILE *out, double x1, double y1, double x2, double y2, const char *colour,
		  double width, const char *dashes);	/* dashes: NULL or "3 3" */

/* ---- axes ---- */

struct axis {			/* from lo at pixel a to hi at pixel b */
	double lo, hi, a, b;
	int log;
};
double axis_at(const struct axis *x, double v);	/* clamped to the ends */
/* Grid lines and labels of times in ns: decades when log, else ms. */
void picture_time_axis(FILE *out, const struct axis *ns, struct box b, int vertical);
/* Seconds along the bottom (or only the lines, when labels is 0). */
void picture_seconds(FILE *out, const struct axis *s, struct box b, int labels);

/* ---- latency ---- */

/* Whole decades around everything in the d[n]; at least three. */
void picture_range(const struct dist *d, unsigned n, double *lo_ns, double *hi_ns);
/* The bars of a histogram: an imported bin as it is, our slots gathered into
 * eighths of octaves, or into equal steps of width_ns where that is above 0. */
struct picture_step { double from_ns, to_ns, count, share; };
struct picture_steps { const struct dist *d; double width_ns; size_t i; };
int picture_next_step(struct picture_steps *it, struct picture_step *out);	/* 0: no more */
/* A width of equal steps that suits a linear axis up to hi_ns. */
double picture_step_width(double hi_ns);
/* Several distributions over each other, upwards always log: samples or their
 * share, by latency, log or linear in ms. name[i] and picture_colour(i) go into
 * the legend. */
enum picture_kind { PICTURE_SHARES_LOG, PICTURE_COUNTS_LOG, PICTURE_COUNTS_MS };
void picture_histograms(FILE *out, struct box b, const struct dist *d, const char *const *name,
			unsigned n, enum picture_kind kind);
/* The lowest share that is drawn: a lone sample stands well above it. */
double picture_share_floor(const struct dist *d, unsigned n);
/* As text_time(), with the sign for micro. */
char *picture_time(char *buf, size_t size, int64_t ns);
/* Latency by time of one group as a map.  0 or -ENOMEM. */
int picture_map(FILE *out, struct box b, const struct snapshot *s, const char *group,
		double lo_ns, double hi_ns);
/* The colours of the map, for a legend. */
void picture_ramp(FILE *out, struct box b);

#endif
