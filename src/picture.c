/* picture.c - SVG primitives, axes, histograms: see picture.h. */
#include "src/picture.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "src/slots.h"
#include "src/text.h"

/* ---- primitives ---------------------------------------------------------- */

const char *picture_colour(unsigned i)
{
	static const char *const colours[] = { "#0072b2", "#d55e00", "#009e73", "#cc79a7",
					       "#b58900", "#56b4e9", "#6a3d9a", "#444444" };

	return colours[i % (sizeof(colours) / sizeof(colours[0]))];
}

static void escaped(FILE *out, const char *text)
{
	for (; *text; text++) {
		switch (*text) {
		case '<': fputs("&lt;", out); break;
		case '>': fputs("&gt;", out); break;
		case '&': fputs("&amp;", out); break;
		case '"': fputs("&quot;", out); break;
		default: putc(*text, out);
		}
	}
}

void picture_begin(FILE *out, double width, double height, const char *title)
{
	char clean[200];

	text_clean(clean, sizeof(clean), title, strlen(title), 150);
	fprintf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%g\" height=\"%g\" "
		"viewBox=\"0 0 %g %g\" font-family=\"DejaVu Sans, Liberation Sans, Helvetica, "
		"Arial, sans-serif\">\n<title>", width, height, width, height);
	escaped(out, clean);
	fprintf(out, "</title>\n<rect width=\"%g\" height=\"%g\" fill=\"#ffffff\"/>\n", width,
		height);
}

void picture_end(FILE *out)
{
	fputs("</svg>\n", out);
}

void picture_text(FILE *out, double x, double y, double size, const char *anchor, int weight,
		  const char *colour, const char *fmt, ...)
{
	char raw[600], clean[600];
	va_list args;

	va_start(args, fmt);
	vsnprintf(raw, sizeof(raw), fmt, args);
	va_end(args);
	text_clean(clean, sizeof(clean), raw, strlen(raw), 500);
	fprintf(out,
		"<text x=\"%.1f\" y=\"%.1f\" font-size=\"%g\" text-anchor=\"%s\" "
		"font-weight=\"%d\" fill=\"%s\" xml:space=\"preserve\">",
		x, y, size, anchor, weight, colour);
	escaped(out, clean);
	fputs("</text>\n", out);
}

void picture_rect(FILE *out, struct box b, const char *fill, double opacity)
{
	fprintf(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"",
		b.x, b.y, b.w > 0 ? b.w : 0, b.h > 0 ? b.h : 0, fill);
	if (opacity < 1)
		fprintf(out, " fill-opacity=\"%g\"", opacity);
	fputs("/>\n", out);
}

void picture_line(FILE *out, double x1, double y1, double x2, double y2, const char *colour,
		  double width, const char *dashes)
{
	fprintf(out, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" "
		"stroke-width=\"%g\"", x1, y1, x2, y2, colour, width);
	if (dashes)
		fprintf(out, " stroke-dasharray=\"%s\"", dashes);
	fputs("/>\n", out);
}

/* ---- axes ---------------------------------------------------------------- */

double axis_at(const struct axis *x, double v)
{
	double part;

	if (x->log)
		part = v > x->lo ? log(v / x->lo) / log(x->hi / x->lo) : 0;
	else
		part = (v - x->lo) / (x->hi - x->lo);
	part = part < 0 ? 0 : part > 1 ? 1 : part;
	return x->a + part * (x->b - x->a);
}

static void time_label(char *buf, size_t size, double ns)
{
	static const struct { double ns; const char *unit; } units[] = {
		{ 1e9, "s" }, { 1e6, "ms" }, { 1e3, "\xc2\xb5s" }, { 1, "ns" },
	};
	size_t i = 0;

	while (i < 3 && ns < units[i].ns * 0.9999)
		i++;
	snprintf(buf, size, "%.4g %s", ns / units[i].ns, units[i].unit);
}

static void tick(FILE *out, const struct axis *ns, struct box b, int vertical, double v,
		 const char *label)
{
	double p = axis_at(ns, v);

	if (vertical) {
		picture_line(out, b.x, p, b.x + b.w, p, PICTURE_GRID, 0.25, NULL);
		picture_text(out, b.x - 6, p + 3.5, 10, "end", 400, PICTURE_FAINT, "%s", label);
	} else {
		picture_line(out, p, b.y, p, b.y + b.h, PICTURE_GRID, 0.6, NULL);
		picture_text(out, p, b.y + b.h + 14, 10, "middle", 400, PICTURE_FAINT, "%s", label);
	}
}

/* 1, 2 or 5 times a power of ten, so that about `want` steps fill the span. */
static double nice_step(double span, double want)
{
	double raw = span / want, power = pow(10, floor(log10(raw)));

	for (int i = 0; i < 3; i++) {
		static const double step[] = { 1, 2, 5 };

		if (step[i] * power >= raw)
			return step[i] * power;
	}
	return 10 * power;
}

/* Nothing of a file may make an axis endless. */
#define DECADES_MAX 40
#define STEPS_MAX 100
#define SECONDS_MAX 9e9		/* in nanoseconds an int64_t holds them */

void picture_time_axis(FILE *out, const struct axis *ns, struct box b, int vertical)
{
	char label[32];

	if (!(ns->lo >= 0) || !isfinite(ns->hi) || (ns->log && !(ns->lo > 0)))
		return;
	if (ns->log) {
		double v = ns->lo;

		for (int i = 0; i < DECADES_MAX && v <= ns->hi * 1.0001; i++, v *= 10) {
			time_label(label, sizeof(label), v);
			tick(out, ns, b, vertical, v, label);
		}
		return;
	}
	double step = nice_step(ns->hi - ns->lo, 8);

	for (int i = 0; i < STEPS_MAX && ns->lo + i * step <= ns->hi * 1.0001; i++) {
		snprintf(label, sizeof(label), "%.6g ms", (ns->lo + i * step) / 1e6);
		tick(out, ns, b, vertical, ns->lo + i * step, label);
	}
}

/* Steps of a clock once they are longer than a minute. */
static double clock_step(double span_s)
{
	static const double steps[] = { 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600,
					7200, 10800, 21600, 43200, 86400, 172800 };
	double want = span_s / 12;

	if (want < 1)
		return nice_step(span_s, 12);
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
		if (steps[i] >= want)
			return steps[i];
	return nice_step(span_s, 12);
}

static void seconds_label(char *buf, size_t size, double t_s, double step)
{
	if (step < 60)
		snprintf(buf, size, "%g s", t_s);
	else
		text_span(buf, size, (int64_t)(t_s * 1e9));
}

void picture_seconds(FILE *out, const struct axis *s, struct box b, int labels)
{
	double step = clock_step(s->hi - s->lo), first = ceil(s->lo / step);
	char label[32];

	if (!(step > 0) || !(s->lo >= -SECONDS_MAX) || !(s->hi <= SECONDS_MAX))
		return;
	for (int i = 0; i < STEPS_MAX && (first + i) * step <= s->hi; i++) {
		double t_s = (first + i) * step, x = axis_at(s, t_s);

		picture_line(out, x, b.y + b.h, x, b.y + b.h + 4, PICTURE_FAINT, 0.8, NULL);
		if (!labels)
			continue;
		seconds_label(label, sizeof(label), t_s, step);
		picture_text(out, x, b.y + b.h + 15, 10, "middle", 400, PICTURE_FAINT, "%s", label);
	}
}

/* ---- histograms ---------------------------------------------------------- */

void picture_range(const struct dist *d, unsigned n, double *lo_ns, double *hi_ns)
{
	double lo = 1e18, hi = 0;

	for (unsigned i = 0; i < n; i++) {
		if (!d[i].counts.count)
			continue;
		/* The first imported bin begins at 0: one decade of it will do. */
		lo = fmin(lo, fmax((double)d[i].min_ns, (double)(d[i].bin_ns / 10 + 1)));
		hi = fmax(hi, (double)d[i].max_ns);
	}
	if (hi <= 0) {
		lo = 1e3;
		hi = 1e6;
	}
	/* One early sample must not stretch the picture by decades. */
	lo = fmax(lo, 100);
	hi = fmin(fmax(hi, lo), 4e12);
	*lo_ns = pow(10, floor(log10(lo) + 1e-9));
	*hi_ns = pow(10, ceil(log10(hi) - 1e-9));
	if (*hi_ns < *lo_ns * 1000)
		*hi_ns = *lo_ns * 1000;
}

static int same_bar(const struct picture_steps *it, const struct pair *a, const struct pair *b)
{
	if (it->d->bin_ns && it->width_ns <= (double)it->d->bin_ns)
		return 0;
	if (it->width_ns > 0)
		return floor((double)a->value_ns / it->width_ns) ==
		       floor((double)b->value_ns / it->width_ns);
	return slot_of(a->value_ns) == slot_of(b->value_ns);
}

static void edges(const struct picture_steps *it, const struct pair *p, struct picture_step *out)
{
	if (it->d->bin_ns && it->width_ns <= (double)it->d->bin_ns) {
		out->from_ns = (double)(p->value_ns - it->d->bin_ns + 1);
		out->to_ns = (double)p->value_ns + 1;
	} else if (it->width_ns > 0) {
		out->from_ns = floor((double)p->value_ns / it->width_ns) * it->width_ns;
		out->to_ns = out->from_ns + it->width_ns;
	} else {
		out->from_ns = (double)slot_lowest_ns(slot_of(p->value_ns));
		out->to_ns = (double)slot_highest_ns(slot_of(p->value_ns)) + 1;
	}
}

int picture_next_step(struct picture_steps *it, struct picture_step *out)
{
	const struct dist *d = it->d;

	if (it->i >= d->pairs)
		return 0;
	const struct pair *first = &d->pair[it->i++];
	uint64_t n = first->count;

	while (it->i < d->pairs && same_bar(it, first, &d->pair[it->i]))
		n += d->pair[it->i++].count;
	edges(it, first, out);
	out->count = (double)n;
	out->share = (double)n / (double)d->counts.count;
	return 1;
}

double picture_step_width(double hi_ns)
{
	return nice_step(hi_ns, 500);
}

static struct picture_steps steps_of(const struct dist *d, const struct axis *x)
{
	return (struct picture_steps){ .d = d,
				       .width_ns = x->log ? 0 : picture_step_width(x->hi) };
}

static void outline(FILE *out, const struct dist *d, const struct axis *x, const struct axis *y,
		    bool counts)
{
	struct picture_steps it = steps_of(d, x);
	struct picture_step s;
	double before = -1;

	while (picture_next_step(&it, &s)) {
		double x1 = axis_at(x, s.from_ns), x2 = axis_at(x, s.to_ns),
		       top = axis_at(y, counts ? s.count : s.share);

		if (before < 0)
			fprintf(out, "M%.1f %.1fV%.1fH%.1f", x1, y->a, top, x2);
		else if (x1 > before + 0.05)	/* nothing in between: down to the ground */
			fprintf(out, "V%.1fM%.1f %.1fV%.1fH%.1f", y->a, x1, y->a, top, x2);
		else
			fprintf(out, "V%.1fH%.1f", top, x2);
		before = x2;
	}
	if (before >= 0)
		fprintf(out, "V%.1f", y->a);
}

static void one_histogram(FILE *out, const struct dist *d, const char *colour, const struct axis *x,
			  const struct axis *y, bool counts)
{
	if (!d->counts.count)
		return;
	fputs("<path d=\"", out);
	outline(out, d, x, y, counts);
	fprintf(out, "\" fill=\"%s\" fill-opacity=\"0.13\" stroke=\"%s\" stroke-width=\"1.4\" "
		"stroke-linejoin=\"round\"/>\n", colour, colour);
}

static void share_label(char *buf, size_t size, double share)
{
	double percent = share * 100;
	int decimals = percent < 1 ? (int)ceil(-log10(percent) - 1e-9) : 0;

	snprintf(buf, size, "%.*f%%", decimals, percent);
}

/* A power of ten: 1 .. 100, 1k .. */
static void count_label(char *buf, size_t size, double count)
{
	static const char *const unit[] = { "", "k", "M", "G", "T", "P" };
	size_t i = 0;

	for (; count > 999.5 && i + 1 < sizeof(unit) / sizeof(unit[0]); i++)
		count /= 1000;
	snprintf(buf, size, "%.0f%s", count, unit[i]);
}

/* Decades, each with its label. */
static void upward_axis(FILE *out, const struct axis *y, struct box b, bool counts)
{
	double v = counts ? 1 : y->hi;
	char label[32];

	for (int i = 0; i < DECADES_MAX && (counts ? v <= y->hi * 1.001 : v >= y->lo * 0.999);
	     i++, v *= counts ? 10 : 0.1) {
		double p = axis_at(y, v);

		if (counts)
			count_label(label, sizeof(label), v);
		else
			share_label(label, sizeof(label), v);
		picture_line(out, b.x, p, b.x + b.w, p, PICTURE_GRID, 0.6, NULL);
		picture_text(out, b.x - 6, p + 3.5, 10, "end", 400, PICTURE_FAINT, "%s", label);
	}
}

/* Those that are drawn; what has no samples keeps its colour for elsewhere. */
static void legend(FILE *out, struct box b, const struct dist *d, const char *const *name,
		   unsigned n)
{
	double y = b.y;

	for (unsigned i = 0; i < n; i++) {
		if (!d[i].counts.count)
			continue;
		y += 16;
		picture_rect(out, (struct box){b.x + b.w - 14, y - 9, 10, 10}, picture_colour(i),
			     0.85);
		picture_text(out, b.x + b.w - 19, y, 11, "end", 400, PICTURE_INK, "%s", name[i]);
	}
}

static uint64_t most_samples(const struct dist *d, unsigned n)
{
	uint64_t most = 1000;

	for (unsigned i = 0; i < n; i++)
		most = d[i].counts.count > most ? d[i].counts.count : most;
	return most;
}

double picture_share_floor(const struct dist *d, unsigned n)
{
	return pow(10, floor(log10(0.5 / (double)most_samples(d, n))));
}

/* The highest bar, as it is drawn. */
static double highest(const struct dist *d, unsigned n, const struct axis *x)
{
	double most = 10;

	for (unsigned i = 0; i < n; i++) {
		struct picture_steps it = steps_of(&d[i], x);
		struct picture_step s;

		while (picture_next_step(&it, &s))
			most = fmax(most, s.count);
	}
	return most;
}

static void ms_range(const struct dist *d, unsigned n, double *lo, double *hi)
{
	double top = 1e3;

	for (unsigned i = 0; i < n; i++)
		top = fmax(top, (double)d[i].max_ns);
	double step = nice_step(top, 8);

	*lo = 0;
	*hi = step * ceil(top / step);
}

void picture_histograms(FILE *out, struct box b, const struct dist *d, const char *const *name,
			unsigned n, enum picture_kind kind)
{
	bool counts = kind != PICTURE_SHARES_LOG;
	struct axis x = { .a = b.x, .b = b.x + b.w, .log = kind != PICTURE_COUNTS_MS };
	struct axis y = { .a = b.y + b.h, .b = b.y, .log = 1 };

	if (x.log)
		picture_range(d, n, &x.lo, &x.hi);
	else
		ms_range(d, n, &x.lo, &x.hi);
	y.lo = counts ? 0.5 : picture_share_floor(d, n);
	y.hi = counts ? pow(10, ceil(log10(highest(d, n, &x)))) : 1;
	picture_rect(out, b, "#fafbfc", 1);
	picture_time_axis(out, &x, b, 0);
	upward_axis(out, &y, b, counts);
	for (unsigned i = 0; i < n; i++)
		one_histogram(out, &d[i], picture_colour(i), &x, &y, counts);
	picture_line(out, b.x, b.y + b.h, b.x + b.w, b.y + b.h, PICTURE_INK, 1, NULL);
	picture_line(out, b.x, b.y, b.x, b.y + b.h, PICTURE_INK, 1, NULL);
	legend(out, b, d, name, n);
}

char *picture_time(char *buf, size_t size, int64_t ns)
{
	char plain[16];
	size_t n = strlen(text_time(plain, sizeof(plain), ns));

	if (n > 2 && !strcmp(plain + n - 2, "us"))
		snprintf(buf, size, "%.*s\xc2\xb5s", (int)(n - 2), plain);
	else
		snprintf(buf, size, "%s", plain);
	return buf;
}
