/* probe_details.c - see probe_details.h. */
#include "ui/probe_details.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "src/clock.h"
#include "src/text.h"
#include "ui/paint.h"
#include "ui/plotted.h"

/* ---- what a probe counts ---------------------------------------------------- */

int64_t probe_counted(const struct model *m, const struct group *g, unsigned counter)
{
	int64_t all = 0;

	for (unsigned i = 0; i < g->nr; i++) {
		int64_t one = m->series[g->first + i].counter[counter];

		if (!g->probe->counters[counter].is_most)
			all += one;
		else if (one > all)
			all = one;
	}
	return all;
}

/* One that is less than at the reset began anew with its probe. */
static int64_t in_run(const struct series *s, unsigned counter, bool is_most)
{
	int64_t now = s->counter[counter], then = s->run_counter[counter];

	if (is_most)
		return now != then ? now : 0;
	return now < then ? now : now - then;
}

int64_t probe_counted_in_run(const struct model *m, const struct group *g, unsigned counter)
{
	bool is_most = g->probe->counters[counter].is_most;
	int64_t all = 0;

	for (unsigned i = 0; i < g->nr; i++) {
		int64_t one = in_run(&m->series[g->first + i], counter, is_most);

		if (!is_most)
			all += one;
		else if (one > all)
			all = one;
	}
	return all;
}

/* What the counter is a share of; 0: of nothing. */
static int64_t whole_of(const struct model *m, const struct group *g, unsigned counter)
{
	const struct probe_counter *table = g->probe->counters;

	for (unsigned i = 0; table[counter].share_of && table[i].name; i++)
		if (!strcmp(table[i].name, table[counter].share_of))
			return probe_counted(m, g, i);
	return 0;
}

static bool is_whole(const struct group *g, unsigned counter)
{
	const struct probe_counter *table = g->probe->counters;

	for (unsigned i = 0; table[i].name; i++)
		if (table[i].share_of && !strcmp(table[i].share_of, table[counter].name))
			return true;
	return false;
}

/* "skips 3 (1.5/min)" "longest skip 250ms" "deadlines met 98.2%" */
static void counter_text(const struct model *m, const struct group *g, unsigned counter, char *buf,
			 size_t size)
{
	const struct probe_counter *k = &g->probe->counters[counter];
	int64_t value = probe_counted(m, g, counter), whole = whole_of(m, g, counter);
	double minutes = (double)(m->now_ns - m->zero_ns) / (60.0 * (double)NS_PER_S);
	char text[16];

	if (whole > 0)
		snprintf(buf, size, "%s %.1f%%", k->name, 100.0 * (double)value / (double)whole);
	else if (k->is_time)
		snprintf(buf, size, "%s %s", k->name, text_time(text, sizeof(text), value));
	else if (k->is_event && minutes > 0)
		snprintf(buf, size, "%s %" PRId64 " (%.1f/min)", k->name, value, (double)value / minutes);
	else
		snprintf(buf, size, "%s %" PRId64, k->name, value);
}

/* Returns whether there was anything to say. */
static bool counters_draw(const struct model *m, const struct view *v, struct canvas *c, int y,
			  const struct group *g)
{
	struct paint_word words[PROBE_COUNTERS_MAX + 1] = { 0 };
	unsigned n = 0, told;

	/* The longest of a run cannot be had from the longest of all. */
	if (m->reset_ns > m->zero_ns) {
		words[n].role = ROLE_DIM;
		snprintf(words[n++].text, sizeof(words[0].text), "since start:");
	}
	told = n;
	for (unsigned i = 0; g->probe && g->probe->counters[i].name; i++) {
		if (is_whole(g, i))
			continue;
		bool trouble = g->probe->counters[i].is_event && probe_counted(m, g, i) > 0;

		words[n].role = trouble ? ROLE_WARN : ROLE_DIM;
		words[n].rank = (int)n;
		counter_text(m, g, i, words[n].text, sizeof(words[n].text));
		n++;
	}
	if (n > told)
		paint_words(c, v, 5, y, c->r.w - 6, "  ", words, n);
	return n > told;
}

/* ---- rows --------------------------------------------------------------------- */

/* Since the reset, as the percentiles. */
static struct counts of_run(const struct model *m, const struct group *g)
{
	struct counts run = model_counts(m, g);

	run.count -= g->run_start.count;
	run.missed -= g->run_start.missed;
	run.interrupted -= g->run_start.interrupted;
	run.errors -= g->run_start.errors;
	return run;
}

/* The columns of figures; in a window of that many columns at least, or fewer. */
#define WIDE 110
enum figure { SAMPLES, MISSED, INTERRUPTED, ERRORS, PERCENTILE, MAXIMUM };
static const struct figure_column {
	const char *head;
	int w;
	enum figure what;
	double percent;
	bool wide, narrow;	/* only where there is room, only where there is none */
} figure_columns[] = {
	{ "samples", 8, SAMPLES }, { "missed", 7, MISSED },
	{ "interr", 7, INTERRUPTED, .narrow = true },
	{ "interrupted", 12, INTERRUPTED, .wide = true }, { "errors", 7, ERRORS },
	{ "p50", 7, PERCENTILE, 50 }, { "p90", 8, PERCENTILE, 90, .wide = true },
	{ "p99", 7, PERCENTILE, 99 }, { "p99.9", 8, PERCENTILE, 99.9, .wide = true },
	{ "p99.99", 8, PERCENTILE, 99.99, .wide = true }, { "max", 8, MAXIMUM },
};
#define FIGURES (sizeof(figure_columns) / sizeof(figure_columns[0]))

static bool has_room(const struct figure_column *k, int w)
{
	return w >= WIDE ? !k->narrow : !k->wide;
}

static void head_draw(const struct view *v, struct canvas *c)
{
	int x = 2 + paint_fmt(c, v, 2, 0, ROLE_DIM, "%-16s %-9s", "series", "policy");

	for (unsigned i = 0; i < FIGURES; i++)
		if (has_room(&figure_columns[i], c->r.w))
			x += paint_fmt(c, v, x, 0, ROLE_DIM, "%*s", figure_columns[i].w,
				       figure_columns[i].head);
}

static void percentile_text(const struct model *m, const struct view *v, const struct group *g,
			    double percent, char buf[16])
{
	int64_t ns;

	plot_percentiles(m, v, g, g->run, &percent, &ns, 1);
	if (ns >= 0)
		text_time(buf, 16, ns);
	else
		snprintf(buf, 16, "~");
}

bool probe_max_text(const struct model *m, const struct group *g, char buf[24])
{
	int64_t flight = model_in_flight(m, g);
	bool open = flight > g->run->max_ns;
	char text[16];

	if (open || g->run->count)
		snprintf(buf, 24, "%s%s", text_time(text, sizeof(text), open ? flight : g->run->max_ns),
			 open ? ".." : "");
	else
		snprintf(buf, 24, "~");
	return open;
}

static void figure_text(const struct model *m, const struct view *v, const struct group *g,
			const struct counts *all, const struct figure_column *k, char buf[24])
{
	switch (k->what) {
	case SAMPLES: paint_count(buf, 16, (double)all->count); break;
	case MISSED: paint_count(buf, 16, (double)all->missed); break;
	case INTERRUPTED: paint_count(buf, 16, (double)all->interrupted); break;
	case ERRORS: paint_count(buf, 16, (double)all->errors); break;
	case PERCENTILE: percentile_text(m, v, g, k->percent, buf); break;
	case MAXIMUM: probe_max_text(m, g, buf); break;
	}
}

static void row_draw(const struct model *m, const struct view *v, struct canvas *c, int y,
		     const struct group *g)
{
	const char *policy = g->nr ? m->series[g->first].policy : "";
	struct counts all = of_run(m, g);
	char text[24];
	enum role role = probe_max_text(m, g, text) || all.errors ? ROLE_WARN : ROLE_TEXT;
	int x = 2 + paint_fmt(c, v, 2, y, role, "%-16s %-9s", g->name,
			      strncmp(policy, "SCHED_", 6) ? policy : policy + 6);

	paint_put(c, v, 0, y, ROLE_ACCENT, g == plot_group(m, v) ? paint_glyph(v, GLYPH_POINT) : ' ');
	for (unsigned i = 0; i < FIGURES; i++) {
		if (!has_room(&figure_columns[i], c->r.w))
			continue;
		figure_text(m, v, g, &all, &figure_columns[i], text);
		x += paint_fmt(c, v, x, y, role, "%*s", figure_columns[i].w, text);
	}
}

void probe_details_draw(const struct model *m, const struct view *v, struct canvas *c)
{
	int y = 1;

	paint_blank(c, v);
	head_draw(v, c);
	for (unsigned i = 0; i < m->nr_groups && y < c->r.h; i++) {
		const struct group *g = &m->groups[i];
		int from = y;

		if (!g->on)
			continue;
		row_draw(m, v, c, y++, g);
		if (y < c->r.h && g->error[0])
			paint_text(c, v, 5, y++, c->r.w - 6, ROLE_WARN, g->error);
		else if (y < c->r.h && counters_draw(m, v, c, y, g))
			y++;
		canvas_item(c, (struct rect){ 0, from, c->r.w, y - from }, i);
	}
	if (y < c->r.h)
		paint_text(c, v, 2, c->r.h - 1, c->r.w - 2, ROLE_DIM,
			   "Enter turns probes on and off   Up Down plots another   e goes back");
}
