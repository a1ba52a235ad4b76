/*
 * panel_cpus.c - where it hurts: a strip a CPU, one cell a second, shade for
 * the worst latency of that second; the last second's worst as a number.
 *
 * All CPUs in order while they fit, else the worst first.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/clock.h"
#include "src/text.h"
#include "ui/filter.h"
#include "ui/paint.h"
#include "ui/panels.h"
#include "ui/plotted.h"

extern const struct panel panel_cpus;

#define CELL_W 30
#define STRIP_MOST 30		/* seconds */
#define HURTS_NS NS_PER_MS
#define CPUS_MOST 4096

static int per_row(int w)
{
	return w / CELL_W < 1 ? 1 : w / CELL_W;
}

int panel_cpus_rows(const struct model *m, const struct view *v, int w)
{
	const struct group *g = plot_group(m, v);
	int n = g ? (int)g->nr : 0, per = per_row(w);

	return n ? (n + per - 1) / per : 1;
}

/* Strips as wide as the panel can give to each of `per` columns. */
struct strip { int64_t max_ns[64]; int n; bool hurt; unsigned flags; };

static void strip_make(struct strip *s, const struct model *m, const struct view *v,
		       const struct series *series, int n)
{
	int64_t end = plot_now(m, v) - (plot_now(m, v) - m->zero_ns) % NS_PER_S;
	struct column col;

	*s = (struct strip){ .n = n < 64 ? n : 64 };
	for (int i = 0; series->history && i < s->n; i++) {
		int64_t from = end - (s->n - i) * NS_PER_S;

		history_column(series->history, from, from + NS_PER_S, &col);
		s->max_ns[i] = col.known ? col.max_ns : 0;
		if (i >= s->n - 10 && col.max_ns >= HURTS_NS)
			s->hurt = true;
		if (i == s->n - 1)
			s->flags = col.flags;
	}
}

/* Where on the fixed latency range a value lies, as a level of heat, in half
 * decades: cells of one colour cost next to nothing when the strip moves on. */
static double level_of(const struct scale *range, int64_t ns)
{
	double decades = log10((double)range->high_ns / (double)range->low_ns), above;

	if (ns <= 0)
		return 0;
	above = floor(2 * log10((double)ns / (double)range->low_ns) + 1) / 2;
	return above < 0.1 ? 0.1 / decades : above > decades ? 1 : above / decades;
}

static const char *label_of(const struct series *s, char *buf, size_t size)
{
	if (s->cpu < 0)
		snprintf(buf, size, "any");
	else
		snprintf(buf, size, "cpu%d%s", s->cpu, s->isolated ? "i" : "");
	return buf;
}

/* Where the strip would be: at what latency the tail of all samples begins. */
static void whole_run(struct canvas *c, const struct view *v, const struct series *s, int x, int n)
{
	char text[16];

	if (!s->total || !s->total->count)
		return;
	text_time(text, sizeof(text), hist_percentile(s->total, 99));
	paint_text(c, v, x, 0, 3, ROLE_DIM, "p99");
	paint_text(c, v, x + 4, 0, n - 4, ROLE_TEXT, text);
}

static void strip_draw(const struct model *m, const struct view *v, struct canvas *c,
		       const struct series *s, const struct strip *strip)
{
	struct scale range = plot_scale(m, v, 100);
	char text[16];
	int x = 1;

	paint_text(c, v, x, 0, 7,
		   v->cpu == s->cpu && v->cpu >= 0 ? ROLE_SELECTED
		   : s->isolated		   ? ROLE_ACCENT
						   : ROLE_TEXT,
		   label_of(s, text, sizeof(text)));
	x += 8;
	if (s->offline || s->silent) {
		paint_text(c, v, x, 0, c->r.w - x, ROLE_WARN, s->offline ? "offline" : "silent");
		return;
	}
	if (m->replay)
		whole_run(c, v, s, x, strip->n);
	for (int i = 0; !m->replay && i < strip->n; i++)
		paint_heat(c, v, x + i, 0, level_of(&range, strip->max_ns[i]));
	x += strip->n + 1;
	snprintf(text, sizeof(text), "-");
	if (s->column_max_ns > 0)
		text_time(text, sizeof(text), s->column_max_ns);
	paint_right(c, v, x, x + 6, 0, s->column_max_ns >= HURTS_NS ? ROLE_WARN : ROLE_TEXT, text);
	if (strip->hurt)
		paint_put(c, v, x + 7, 0, ROLE_WARN, '!');
}

/* Order by how bad the last second was, in steps of two, then by number:
 * noise does not shuffle the rows. */
static int badness(const struct series *s)
{
	int steps = 0;

	if (s->offline)
		return -1;
	for (int64_t ns = s->column_max_ns; ns > 1; ns >>= 1)
		steps++;
	return steps;
}

struct rank { int badness; unsigned index; };

static int worse_first(const void *a, const void *b)
{
	const struct rank *x = a, *y = b;

	if (x->badness != y->badness)
		return x->badness > y->badness ? -1 : 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

/* Those that pass the filter, in order of their number. */
static unsigned pick(const struct model *m, const struct view *v, const struct group *g,
		     struct rank *ranks)
{
	struct filter f;
	unsigned n = 0;

	filter_parse(&f, v->filter);
	for (unsigned i = 0; i < g->nr && n < CPUS_MOST; i++) {
		const struct series *s = &m->series[g->first + i];

		if (!f.has_cpus || cpuset_has(&f.cpus, s->cpu))
			ranks[n++] = (struct rank){ badness(s), g->first + i };
	}
	return n;
}

/* Rows of equal length; fewer CPUs get longer strips. */
static void cells_draw(const struct model *m, const struct view *v, struct canvas *c,
		       const struct rank *ranks, unsigned n)
{
	int most = per_row(c->r.w), rows = ((int)n + most - 1) / most, per, w;

	rows = rows > c->r.h ? c->r.h : rows;
	rows = rows < 1 ? 1 : rows;
	per = ((int)n + rows - 1) / rows;
	per = per > most ? most : per;
	w = c->r.w / per;
	for (unsigned i = 0; i < n && (int)i / per < c->r.h; i++) {
		struct rect r = { (int)i % per * w, (int)i / per, w, 1 };
		struct canvas box = canvas_view(c, r);
		const struct series *s = &m->series[ranks[i].index];
		struct strip strip;

		strip_make(&strip, m, v, s, w - 20 < STRIP_MOST ? w - 20 : STRIP_MOST);
		strip_draw(m, v, &box, s, &strip);
		canvas_item(c, r, ranks[i].index);
	}
}

static void cpus_draw(const struct model *m, const struct view *v, struct canvas *c)
{
	const struct group *g = plot_group(m, v);
	unsigned room = (unsigned)(per_row(c->r.w) * (c->r.h > 1 ? c->r.h - 1 : 1)), n;
	struct rank ranks[CPUS_MOST];
	struct canvas in;
	char note[80];

	n = g ? pick(m, v, g, ranks) : 0;
	if (n > room) {
		qsort(ranks, n, sizeof(*ranks), worse_first);
		snprintf(note, sizeof(note), "worst %u of %u%s", room, n,
			 m->replay ? ": p99 and maximum of the run" : "");
	} else if (m->replay) {
		snprintf(note, sizeof(note), "p99 and maximum of the run");
	} else {
		snprintf(note, sizeof(note), "a cell = worst of 1 s   ! = over 1 ms in 10 s");
	}
	in = paint_frame(c, v, &panel_cpus, "CPUS", v->filter, note);
	if (n)
		cells_draw(m, v, &in, ranks, n);
	else
		paint_text(&in, v, 1, 0, in.r.w - 2, ROLE_DIM,
			   g && g->nr ? "none passes the filter" : "no probe");
}

const struct panel panel_cpus = {
	.name = "cpus", .title = "CPUs", .least_w = 24, .least_h = 2, .best_h = 3,
	.focusable = true,
	.draw = cpus_draw,
};
