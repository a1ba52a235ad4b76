/*
 * panel_percentiles.c - the numbers: now, run, baseline, and how many times
 * worse now is than the baseline; in a replay, the run: its last seconds are
 * only known by the cells of the map, which are up to a tenth above the sample.
 *
 * A percentile that the count cannot carry is `~`.
 */
#include <stdio.h>
#include <string.h>

#include "src/text.h"
#include "ui/paint.h"
#include "ui/plotted.h"

extern const struct panel panel_percentiles;

static const double percents[] = { 50, 90, 99, 99.9, 99.99 };
static const char *const percent_names[] = { "p50", "p90", "p99", "p99.9", "p99.99" };
#define PERCENTS (sizeof(percents) / sizeof(percents[0]))

#define TITLE_W 17		/* "PERCENTILES" with the ends of the frame and the focus */
#define CORRECTED_W 12		/* "corrected, " in the title */
#define PERCENT_LEAST 0.001	/* told as a number */

struct figures {		/* of one histogram; ns, -1: not known or not carried */
	int64_t at[PERCENTS];
	int64_t max, mean;
	double count, missed;
	double beyond;		/* share of samples beyond the deadline, percent */
};

static struct figures no_figures(void)
{
	struct figures f = { .max = -1, .mean = -1, .count = -1, .missed = -1, .beyond = -1 };

	for (unsigned i = 0; i < PERCENTS; i++)
		f.at[i] = -1;
	return f;
}

static struct figures figures_of(const struct hist *h, int64_t deadline_ns)
{
	struct figures f = no_figures();

	if (!h)
		return f;
	f.count = (double)h->count;
	if (!h->count)
		return f;
	hist_percentiles(h, percents, f.at, PERCENTS);
	for (unsigned i = 0; i < PERCENTS; i++)
		if (!hist_carries(h->count, percents[i]))
			f.at[i] = -1;
	f.max = h->max_ns;
	f.mean = (int64_t)hist_mean(h);
	if (deadline_ns > 0)
		f.beyond = 100.0 * (double)hist_count_above(h, deadline_ns) / (double)h->count;
	return f;
}

/* As the view wants them. */
static struct figures wanted_figures(const struct model *m, const struct view *v,
				     const struct hist *h)
{
	struct hist *copy = plot_corrected(m, v, plot_group(m, v), h);
	struct figures f = figures_of(copy ? copy : h, m->deadline_ns);

	hist_free(copy);
	return f;
}

struct table {
	struct figures now, run, base;
	bool has_now, has_base;
	bool run_ratio;		/* of the run, not of now */
	int x_now, x_run, x_base, x_ratio;	/* right ends of the columns; 0: left out */
};

static double missed_now(const struct model *m, const struct view *v)
{
	const struct history *h = plot_history(m, v);
	struct column col;

	if (!h)
		return -1;
	history_column(h, m->now_ns - 10 * NS_PER_S, m->now_ns, &col);
	return (double)col.missed;
}

static double missed_run(const struct model *m, const struct view *v)
{
	const struct group *g = plot_group(m, v);
	const struct series *s = plot_series(m, v);

	if (s)
		return (double)s->counts.missed;
	return g ? (double)model_run_missed(m, g) : -1;
}

static void table_make(struct table *t, const struct model *m, const struct view *v, int w)
{
	struct plot_hists h = plot_hists(m, v);
	bool room = w >= 38;

	t->now = wanted_figures(m, v, h.now);
	t->run = wanted_figures(m, v, h.run);
	t->base = wanted_figures(m, v, h.base);
	t->now.missed = h.now ? missed_now(m, v) : -1;
	t->run.missed = missed_run(m, v);
	t->base.missed = h.base ? (double)plot_group(m, v)->baseline_missed : -1;
	t->has_now = h.now != NULL;
	t->has_base = h.base != NULL;
	t->run_ratio = m->replay;
	t->x_now = t->has_now ? 15 : 0;
	t->x_run = !t->has_now ? 15 : w >= 24 ? 23 : 0;
	t->x_base = t->has_base && w >= 32 ? 31 : 0;
	t->x_ratio = t->has_base && room ? w - 1 : 0;
	if (t->x_ratio > 40)
		t->x_ratio = 40;
}

static void time_cell(const struct view *v, struct canvas *c, int x_end, int y, enum role role,
		      int64_t ns, bool known)
{
	char text[16] = "~";

	if (!x_end)
		return;
	if (!known)
		snprintf(text, sizeof(text), "-");
	else if (ns >= 0)
		text_us(text, sizeof(text), ns);
	paint_right(c, v, 0, x_end, y, ns >= 0 ? role : ROLE_DIM, text);
}

static void count_cell(const struct view *v, struct canvas *c, int x_end, int y, enum role role,
		       double value)
{
	char text[16] = "-";

	if (!x_end)
		return;
	if (value >= 0)
		paint_count(text, sizeof(text), value);
	paint_right(c, v, 0, x_end, y, value >= 0 ? role : ROLE_DIM, text);
}

/* Three digits, as compare has them; of a very small one as many as fit. */
static void ratio_text(double ratio, int columns, char *buf, size_t size)
{
	int digits = 3;

	if (ratio >= 0.0995) {
		snprintf(buf, size, ratio < 9.995 ? "%.2f" : ratio < 99.95 ? "%.1f" : "%.0f", ratio);
		return;
	}
	do
		snprintf(buf, size, "%.*g", digits, ratio);
	while ((int)strlen(buf) > columns && --digits);
	if (!digits)
		snprintf(buf, size, "<.01");
}

/* Its role rises with it. */
static void ratio_cell(const struct view *v, struct canvas *c, int x_end, int y, int64_t ns,
		       int64_t base, int x_base)
{
	double ratio = base > 0 && ns >= 0 ? (double)ns / (double)base : -1;
	char number[24], text[32];

	if (!x_end || ratio < 0)
		return;
	ratio_text(ratio, x_end - x_base - 2, number, sizeof(number));
	snprintf(text, sizeof(text), "%s%s", paint_glyph_text(v, GLYPH_TIMES), number);
	struct style s = paint_quiet(v, ratio >= 10  ? ROLE_BAD
					: ratio >= 2 ? ROLE_WARN
						     : ROLE_GOOD);

	canvas_right(c, x_end, y, text, s.fg, s.bg, s.attr);
}

static void time_row(const struct view *v, const struct table *t, struct canvas *c, int y,
		     const char *name, int64_t now, int64_t run, int64_t base)
{
	paint_text(c, v, 1, y, 8, ROLE_TEXT, name);
	time_cell(v, c, t->x_now, y, ROLE_NOW, now, t->has_now);
	time_cell(v, c, t->x_run, y, ROLE_RUN, run, true);
	time_cell(v, c, t->x_base, y, ROLE_BASE, base, t->has_base);
	ratio_cell(v, c, t->x_ratio, y, t->run_ratio ? run : now, base, t->x_base);
}

static void count_row(const struct view *v, const struct table *t, struct canvas *c, int y,
		      const char *name, double now, double run, double base)
{
	paint_text(c, v, 1, y, 8, ROLE_DIM, name);
	count_cell(v, c, t->x_now, y, ROLE_NOW, now);
	count_cell(v, c, t->x_run, y, ROLE_RUN, run);
	count_cell(v, c, t->x_base, y, ROLE_BASE, base);
}

/* In 6 columns, so that a blank is left even after a deadline's name of 7. */
static void percent_cell(const struct view *v, struct canvas *c, int x_end, int y, double value)
{
	char text[16];

	if (value > 0 && value < PERCENT_LEAST)
		snprintf(text, sizeof(text), "<.001%%");
	else
		snprintf(text, sizeof(text), value >= 10	? "%.1f%%"
					     : value >= 0.0095 ? "%.2g%%"
							       : "%.1g%%", value);
	if (x_end)
		paint_right(c, v, 0, x_end, y,
			    value > 0	? ROLE_WARN
			    : value < 0 ? ROLE_DIM
					: ROLE_TEXT,
			    value < 0 ? "-" : text);
}

static void heads(const struct view *v, const struct table *t, struct canvas *c)
{
	paint_text(c, v, 1, 0, 6, ROLE_DIM, "us");
	if (t->x_now)
		paint_right(c, v, 0, t->x_now, 0, ROLE_DIM, "now");
	if (t->x_run)
		paint_right(c, v, 0, t->x_run, 0, ROLE_DIM, t->has_now ? "run" : "total");
	if (t->x_base)
		paint_right(c, v, 0, t->x_base, 0, ROLE_DIM, "base");
	if (t->x_ratio)
		paint_right(c, v, 0, t->x_ratio, 0, ROLE_DIM,
			    t->x_ratio - t->x_base < (int)sizeof("now/base") ? "ratio"
			    : t->run_ratio ? "run/base" : "now/base");
}

static void deadline_row(const struct model *m, const struct view *v, const struct table *t,
			 struct canvas *c, int y)
{
	char text[16], name[24];

	snprintf(name, sizeof(name), ">%s", text_time(text, sizeof(text), m->deadline_ns));
	paint_text(c, v, 1, y, 8, ROLE_MARK, name);
	percent_cell(v, c, t->x_now, y, t->now.beyond);
	percent_cell(v, c, t->x_run, y, t->run.beyond);
	percent_cell(v, c, t->x_base, y, t->base.beyond);
}

/* What the height cannot hold is left out from the end: a percentile missing
 * between others would not be noticed. */
static void rows_draw(const struct model *m, const struct view *v, const struct table *t,
		      struct canvas *c)
{
	int left = c->r.h - 2 - (m->deadline_ns > 0), y = 1;

	for (int i = 0; i < (int)PERCENTS && i < left; i++)
		time_row(v, t, c, y++, percent_names[i], t->now.at[i], t->run.at[i], t->base.at[i]);
	time_row(v, t, c, y++, "max", t->now.max, t->run.max, t->base.max);
	if (m->deadline_ns > 0)
		deadline_row(m, v, t, c, y++);
	if (y < c->r.h)
		count_row(v, t, c, y++, "n", t->now.count, t->run.count, t->base.count);
	if (y < c->r.h)
		count_row(v, t, c, y++, "missed", t->now.missed, t->run.missed,
			  t->base.missed);
	if (y < c->r.h)
		time_row(v, t, c, y, "mean", t->now.mean, t->run.mean, t->base.mean);
}

static bool any_baseline(const struct model *m)
{
	for (unsigned i = 0; i < m->nr_groups; i++)
		if (m->groups[i].baseline && m->groups[i].baseline->count)
			return true;
	return false;
}

/* Where the baseline would be: how to have one, or that it lacks this probe. */
static void no_base_draw(const struct model *m, const struct view *v, struct canvas *c)
{
	char text[64];

	if (!any_baseline(m)) {
		paint_text(c, v, 27, 0, c->r.w - 28, ROLE_DIM, "b sets base");
		return;
	}
	snprintf(text, sizeof(text), "baseline has no %s", plot_group(m, v)->name);
	paint_wrapped(c, v, 24, 0, c->r.w - 25, c->r.h < 2 ? 1 : 2, ROLE_WARN, text);
}

/* Adds to a title which baseline it is, and that it is of other conditions; as
 * much as fits. */
static void base_title(const struct model *m, const struct view *v, int columns, char *buf,
		       size_t size)
{
	const char *differs = m->baseline.differs[0] ? " (differs)" : "";
	char text[120];
	int room = columns - paint_width(buf) - (buf[0] ? 2 : 0);

	if (!plot_hists(m, v).base || !m->baseline.name[0])
		return;
	snprintf(text, sizeof(text), "base %s%s", m->baseline.name, differs);
	if (paint_width(text) > room && differs[0])
		snprintf(text, sizeof(text), "base differs");
	if (paint_width(text) > room)
		return;
	snprintf(buf + strlen(buf), size - strlen(buf), "%s%s", buf[0] ? ", " : "", text);
}

static void percentiles_draw(const struct model *m, const struct view *v, struct canvas *c)
{
	char one[16], of[64], detail[256];
	struct canvas in;
	struct table t;

	/* Of one CPU alone only the total since time zero is kept. */
	plot_one(m, v, one, sizeof(one));
	plot_figures(m, v, c->r.w - (v->corrected ? CORRECTED_W : 0), of, sizeof(of));
	snprintf(detail, sizeof(detail), "%s%s%s%s", v->corrected ? "corrected" : "",
		 of[0] && v->corrected ? ", " : "", of, one[0] ? " since start" : "");
	base_title(m, v, c->r.w - TITLE_W, detail, sizeof(detail));
	in = paint_frame(c, v, &panel_percentiles, "PERCENTILES", detail, NULL);

	table_make(&t, m, v, in.r.w);
	heads(v, &t, &in);
	rows_draw(m, v, &t, &in);
	if (!t.has_base && t.has_now && in.r.w >= 40)
		no_base_draw(m, v, &in);
}

const struct panel panel_percentiles = {
	.name = "percentiles", .title = "Percentiles", .least_w = 17, .least_h = 4, .best_h = 12,
	.focusable = true,
	.draw = percentiles_draw,
};
