#include "ui/plotted.h"

#include <stdio.h>
#include <string.h>

#include "src/clock.h"

#define LOW_NS (1 * NS_PER_US)
#define HIGH_NS (100 * NS_PER_MS)

const struct group *plot_group(const struct model *m, const struct view *v)
{
	if (!m->nr_groups)
		return NULL;
	return &m->groups[v->group < m->nr_groups ? v->group : 0];
}

int plot_nth(const struct model *m, unsigned nth)
{
	for (unsigned i = 0; i < m->nr_groups; i++)
		if (m->groups[i].on && !nth--)
			return (int)i;
	return -1;
}

const struct series *plot_series(const struct model *m, const struct view *v)
{
	const struct group *g = plot_group(m, v);

	for (unsigned i = 0; g && v->cpu >= 0 && i < g->nr; i++)
		if (m->series[g->first + i].cpu == v->cpu)
			return &m->series[g->first + i];
	return NULL;
}

const struct history *plot_history(const struct model *m, const struct view *v)
{
	const struct series *s = plot_series(m, v);
	const struct group *g = plot_group(m, v);

	/* A file has no time by CPU. */
	return s && s->history && !m->replay ? s->history : g ? g->history : NULL;
}

const char *plot_name(const struct model *m, const struct view *v, char *buf, unsigned size)
{
	const struct group *g = plot_group(m, v);
	const struct series *s = m->replay ? NULL : plot_series(m, v);

	if (!g)
		snprintf(buf, size, "no probe");
	else if (s)
		snprintf(buf, size, "%s, cpu%d", g->name, s->cpu);
	else
		snprintf(buf, size, g->nr > 1 ? "%s, all CPUs" : "%s", g->name);
	return buf;
}

const char *plot_one(const struct model *m, const struct view *v, char *buf, unsigned size)
{
	const struct series *s = plot_series(m, v);

	buf[0] = '\0';
	if (s)
		snprintf(buf, size, "cpu%d", s->cpu);
	return buf;
}

/* Only the picture has a past: figures of now go on while it stands still. */
const char *plot_figures(const struct model *m, const struct view *v, int w, char *buf,
			 unsigned size)
{
	bool elsewhen = !plot_live(v) && !m->replay;
	char one[16];

	plot_one(m, v, one, sizeof(one));
	snprintf(buf, size, "%s%s%s", one, one[0] && elsewhen ? ", " : "",
		 !elsewhen ? "" : w < 40 || one[0] ? "live" : "live, not the view's");
	return buf;
}

/* Whole decades around what was seen, at least two of them. */
static void automatic_range(const struct hist *h, int64_t *low, int64_t *high)
{
	int64_t least = h->min_ns > 0 ? h->min_ns : 1;

	*low = 100 * NS_PER_S;
	while (*low > least && *low > 1)
		*low /= 10;
	*high = *low * 100;
	while (*high <= h->max_ns && *high < HIST_HIGHEST_NS)
		*high *= 10;
}

struct scale plot_scale(const struct model *m, const struct view *v, int cells)
{
	const struct hist *run = plot_hists(m, v).run;
	struct scale s = { v->low_ns, v->high_ns, cells > 1 ? cells : 1 };

	if (v->auto_range && run && run->count)
		automatic_range(run, &s.low_ns, &s.high_ns);
	if (s.low_ns <= 0)
		s.low_ns = LOW_NS;
	if (s.high_ns <= s.low_ns)
		s.high_ns = s.low_ns < HIGH_NS ? HIGH_NS : s.low_ns * 100;
	return s;
}

uint64_t plot_most(const struct model *m, const struct view *v, int64_t span_ns)
{
	const struct group *g = plot_group(m, v);
	const struct series *one = m->replay ? NULL : plot_series(m, v);
	double most = 0;

	for (unsigned i = 0; g && i < g->nr; i++) {
		const struct series *s = &m->series[g->first + i];

		if (!one || s == one)
			most += (double)span_ns /
				(double)(s->interval_ns > 0 ? s->interval_ns : NS_PER_MS);
	}
	return most > 8 ? (uint64_t)most : 8;
}

int64_t plot_now(const struct model *m, const struct view *v)
{
	if (v->end_ns > 0)
		return v->end_ns;
	if (v->paused && v->frozen_ns > 0)
		return v->frozen_ns;
	return v->now_ns > 0 ? v->now_ns : m->now_ns;
}

bool plot_live(const struct view *v)
{
	return !v->paused && v->end_ns == 0;
}

int64_t plot_edge(const struct model *m, const struct view *v)
{
	int64_t column = view_column_ns(v), since = plot_now(m, v) - m->zero_ns;

	return m->zero_ns + (since > 0 ? (since + column - 1) / column * column : 0);
}

/* Cells inside the range count as if all held equally many slots. */
static void weigh(struct plot_cells *p, const unsigned *slots)
{
	double all = 0;

	for (int cell = 1; cell < p->cells - 1; cell++)
		all += slots[cell];
	for (int cell = 1; cell < p->cells - 1; cell++)
		if (slots[cell])
			p->weight[cell] = all / (p->cells - 2) / slots[cell];
}

void plot_cells_make(struct plot_cells *p, const struct scale *s)
{
	unsigned slots[256] = { 0 };
	int cell = 0;

	*p = (struct plot_cells){ .cells = s->cells };
	for (unsigned slot = 0; slot < SLOTS; slot++) {
		int64_t ns = slot_lowest_ns(slot);

		while (cell < s->cells - 1 && ns >= scale_low(s, cell + 1))
			cell++;
		p->first[slot] = p->last[slot] = (uint8_t)cell;
		slots[cell]++;
		/* Finer cells than slots: the slot before reaches up to here,
		 * but never into the cell of what lies above the range. */
		if (slot && cell > p->first[slot - 1] + 1)
			p->last[slot - 1] = (uint8_t)(cell - 1);
	}
	weigh(p, slots);
}

static void sum_slot(const struct plot_cells *p, unsigned slot, uint64_t count, uint64_t *sums)
{
	unsigned first = p->first[slot], last = p->last[slot];

	if (first == last) {
		sums[first] += count;
		return;
	}
	for (unsigned cell = first; count && cell <= last; cell++)
		sums[cell] += count / (1 + last - first) + 1;
}

void plot_cells_sum(const struct plot_cells *p, const struct column *col, uint64_t *sums)
{
	memset(sums, 0, sizeof(*sums) * (size_t)p->cells);
	for (unsigned slot = col->low; slot <= col->high && slot < SLOTS; slot++)
		sum_slot(p, slot, col->counts[slot], sums);
	if (col->count && col->low > col->high)
		sums[p->first[slot_of(col->max_ns)]] += col->count;
	for (int cell = 1; cell < p->cells - 1; cell++)
		if (sums[cell] > 1 && p->weight[cell] > 0)
			sums[cell] = (uint64_t)((double)sums[cell] * p->weight[cell] + 0.5);
}

struct plot_hists plot_hists(const struct model *m, const struct view *v)
{
	const struct group *g = plot_group(m, v);
	const struct series *s = plot_series(m, v);

	if (!g)
		return (struct plot_hists){ 0 };
	if (s)
		return (struct plot_hists){ .run = s->total };
	return (struct plot_hists){ g->now, g->run,
				    g->baseline && g->baseline->count ? g->baseline : NULL };
}

struct hist *plot_corrected(const struct model *m, const struct view *v, const struct group *g,
			    const struct hist *h)
{
	int64_t period_ns = g && g->nr ? m->series[g->first].interval_ns : 0;
	struct hist *copy = v->corrected && h && period_ns > 0 ? hist_new(h->digits) : NULL;

	if (copy)
		hist_add_corrected(copy, h, period_ns);	/* h and what it omits */
	return copy;
}

void plot_percentiles(const struct model *m, const struct view *v, const struct group *g,
		      const struct hist *h, const double *percents, int64_t *at, unsigned n)
{
	struct hist *copy = plot_corrected(m, v, g, h);
	const struct hist *of = copy ? copy : h;

	hist_percentiles(of, percents, at, n);
	for (unsigned i = 0; i < n; i++)
		if (!hist_carries(of->count, percents[i]))
			at[i] = -1;
	hist_free(copy);
}
