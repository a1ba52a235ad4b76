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

/* Of all its CPUs: the largest where it is a largest, else the sum. */
static int64_t counted(const struct model *m, const struct group *g, unsigned counter)
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

/* What the counter is a share of; 0: of nothing. */
static int64_t whole_of(const struct model *m, const struct group *g, unsigned counter)
{
	const struct probe_counter *table = g->probe->counters;

	for (unsigned i = 0; table[counter].share_of && table[i].name; i++)
		if (!strcmp(table[i].name, table[counter].share_of))
			return counted(m, g, i);
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
	int64_t value = counted(m, g, counter), whole = whole_of(m, g, counter);
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
	struct paint_word words[PROBE_COUNTERS_MAX] = { 0 };
	unsigned n = 0;

	for (unsigned i = 0; g->probe && g->probe->counters[i].name; i++) {
		if (is_whole(g, i))
			continue;
		bool trouble = g->probe->counters[i].is_event && counted(m, g, i) > 0;

		words[n].role = trouble ? ROLE_WARN : ROLE_DIM;
		words[n].rank = (int)n;
		counter_text(m, g, i, words[n].text, sizeof(words[n].text));
		n++;
	}
	if (n)
		paint_words(c, v, 5, y, c->r.w - 6, "  ", words, n);
	return n > 0;
}

/* ---- rows --------------------------------------------------------------------- */

static struct counts sum_of(const struct model *m, const struct group *g)
{
	struct counts all = { 0 };

	for (unsigned i = 0; i < g->nr; i++) {
		const struct counts *one = &m->series[g->first + i].counts;

		all.count += one->count;
		all.missed += one->missed;
		all.interrupted += one->interrupted;
		all.errors += one->errors;
	}
	return all;
}

static void head_draw(const struct view *v, struct canvas *c)
{
	char text[120];

	snprintf(text, sizeof(text), "%-18s %-11s %7s %6s %6s %6s %7s %7s %8s", "series", "policy",
		 "samples", "missed", "interr", "errors", "p50", "p99", "max");
	paint_text(c, v, 2, 0, c->r.w - 2, ROLE_DIM, text);
}

static void time_text(const struct hist *h, double percent, int64_t ns, char buf[16])
{
	if (hist_carries(h->count, percent))
		text_time(buf, 16, ns);
	else
		snprintf(buf, 16, "~");
}

/* What is not finished counts; it is marked until it is.  True: so it is. */
static bool max_text(const struct model *m, const struct group *g, char buf[24])
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

static void row_draw(const struct model *m, const struct view *v, struct canvas *c, int y,
		     const struct group *g)
{
	static const double percents[] = { 50, 99 };
	const char *policy = g->nr ? m->series[g->first].policy : "";
	struct counts all = sum_of(m, g);
	int64_t at[2];
	char n[16], missed[16], interrupted[16], errors[16], p50[16], p99[16], max[24], text[160];

	hist_percentiles(g->run, percents, at, 2);
	time_text(g->run, 50, at[0], p50);
	time_text(g->run, 99, at[1], p99);
	bool open = max_text(m, g, max);

	snprintf(text, sizeof(text), "%-18s %-11s %7s %6s %6s %6s %7s %7s %8s", g->name,
		 strncmp(policy, "SCHED_", 6) ? policy : policy + 6,
		 paint_count(n, sizeof(n), (double)all.count),
		 paint_count(missed, sizeof(missed), (double)all.missed),
		 paint_count(interrupted, sizeof(interrupted), (double)all.interrupted),
		 paint_count(errors, sizeof(errors), (double)all.errors), p50, p99, max);
	paint_put(c, v, 0, y, ROLE_ACCENT, g == plot_group(m, v) ? paint_glyph(v, GLYPH_POINT) : ' ');
	paint_text(c, v, 2, y, c->r.w - 2, open || all.errors ? ROLE_WARN : ROLE_TEXT, text);
}

void probe_details_draw(const struct model *m, const struct view *v, struct canvas *c)
{
	int y = 1;

	paint_blank(c, v);
	head_draw(v, c);
	for (unsigned i = 0; i < m->nr_groups && y < c->r.h; i++) {
		const struct group *g = &m->groups[i];

		if (!g->on)
			continue;
		row_draw(m, v, c, y++, g);
		if (y < c->r.h && g->error[0])
			paint_text(c, v, 5, y++, c->r.w - 6, ROLE_WARN, g->error);
		else if (y < c->r.h && counters_draw(m, v, c, y, g))
			y++;
	}
	if (y < c->r.h)
		paint_text(c, v, 2, c->r.h - 1, c->r.w - 2, ROLE_DIM,
			   "Enter turns probes on and off   Up Down plots another   e goes back");
}
