/*
 * panel_spikes.c - the worst latencies of the run: when, how late, where,
 * which loads ran, and the task that held the CPU.
 */
#include <stdio.h>
#include <string.h>

#include "src/text.h"
#include "ui/filter.h"
#include "ui/paint.h"
#include "ui/plotted.h"

extern const struct panel panel_spikes;

struct columns { int time, late, probe, cpu, loads, culprit; };	/* where each begins; 0: left out */

static struct columns columns_for(int w)
{
	struct columns x = { .time = 5, .late = 14, .cpu = 23 };

	if (w >= 76) {
		x.probe = 23;
		x.cpu = 37;
	}
	if (w >= 60)
		x.loads = x.cpu + 5;
	if (x.loads)
		x.culprit = x.loads + (w >= 100 ? 18 : 9);
	else if (w >= 44)
		x.culprit = x.cpu + 5;
	return x;
}

/* "kworker/5:1[812] 8.70ms  bash[4711] 210us" */
static void culprit_text(const struct spike *s, char *buf, size_t size)
{
	size_t at = 0;
	char time[16];

	buf[0] = '\0';
	for (unsigned i = 0; i < s->nr && at < size; i++)
		at += (size_t)snprintf(buf + at, size - at, "%s%s[%d] %s", i ? "  " : "",
				       s->culprit[i].comm, s->culprit[i].pid,
				       text_time(time, sizeof(time), s->culprit[i].ns));
	if (!s->nr)
		snprintf(buf, size, "%s", s->note[0] ? s->note : "not known");
	else if (s->incomplete && at < size)
		snprintf(buf + at, size - at, "  (incomplete)");
}

static void heads(const struct view *v, struct canvas *c, const struct columns *x)
{
	paint_text(c, v, x->time, 0, 8, ROLE_DIM, "when");
	paint_text(c, v, x->late, 0, 8, ROLE_DIM, "  late");
	if (x->probe)
		paint_text(c, v, x->probe, 0, 12, ROLE_DIM, "probe");
	paint_text(c, v, x->cpu, 0, 6, ROLE_DIM, "cpu");
	if (x->loads)
		paint_text(c, v, x->loads, 0, 14, ROLE_DIM, "while");
	if (x->culprit)
		paint_text(c, v, x->culprit, 0, 30, ROLE_DIM, "what held the CPU");
}

static void row(const struct model *m, const struct view *v, struct canvas *c, int y,
		const struct columns *x, unsigned index)
{
	const struct spike *s = &m->spikes[index];
	bool selected = index == v->spike && (paint_focused(v, &panel_spikes) || !plot_live(v));
	char text[256], cpu[16] = "any";

	paint_fmt(c, v, 0, y, selected ? ROLE_SELECTED : ROLE_DIM, "%3u ", index + 1);
	text_span(text, sizeof(text), s->t_ns - m->zero_ns);
	paint_text(c, v, x->time, y, 8, ROLE_TEXT, text);
	text_time(text, sizeof(text), s->late_ns);
	paint_right(c, v, 0, x->late + 6, y, ROLE_WARN, text);
	if (x->probe && s->group < m->nr_groups)
		paint_text(c, v, x->probe, y, 13, ROLE_TEXT, m->groups[s->group].name);
	if (s->cpu >= 0)
		snprintf(cpu, sizeof(cpu), "%d", s->cpu);
	paint_text(c, v, x->cpu, y, 6, ROLE_TEXT, cpu);
	if (x->loads)
		paint_text(c, v, x->loads, y, x->culprit ? x->culprit - x->loads - 1 : 14,
			   s->loads[0] ? ROLE_TEXT : ROLE_DIM, s->loads[0] ? s->loads : "-");
	if (!x->culprit)
		return;
	culprit_text(s, text, sizeof(text));
	if (s->steal)
		paint_right(c, v, x->culprit, c->r.w - 1, y, ROLE_WARN, "steal");
	paint_text(c, v, x->culprit, y, c->r.w - x->culprit - (s->steal ? 7 : 1),
		   s->nr ? ROLE_TEXT : ROLE_DIM, text);
}

/* Those that pass the filter, worst first. */
static unsigned shown(const struct model *m, const struct view *v, unsigned *out)
{
	struct filter f;
	unsigned n = 0;

	filter_parse(&f, v->filter);
	for (unsigned i = 0; i < m->nr_spikes && i < MODEL_SPIKES; i++)
		if (filter_passes(&f, m->spikes[i].cpu, m->spikes[i].late_ns))
			out[n++] = i;
	return n;
}

/* Position of the selected one, so that it is always in sight. */
static unsigned first_row(const struct view *v, const unsigned *list, unsigned n, int room)
{
	unsigned at = 0;

	while (at < n && list[at] != v->spike)
		at++;
	return at < n && (int)at >= room ? at - (unsigned)room + 1 : 0;
}

static void spikes_draw(const struct model *m, const struct view *v, struct canvas *c)
{
	unsigned list[MODEL_SPIKES], n = shown(m, v, list), first;
	char count[96];
	struct canvas in;
	struct columns x;

	snprintf(count, sizeof(count), v->filter[0] ? "%u of %u (filtered) %.40s" : "%u", n,
		 m->nr_spikes, v->filter);
	in = paint_frame(c, v, &panel_spikes, "WORST SPIKES", count,
			 "n p next, previous   Enter shows it in the map");
	x = columns_for(in.r.w);
	if (!n) {
		paint_text(&in, v, 1, 0, in.r.w - 2, ROLE_DIM,
			   m->nr_spikes ? "none passes the filter" : "none yet");
		return;
	}
	heads(v, &in, &x);
	first = first_row(v, list, n, in.r.h - 1);
	for (int y = 1; y < in.r.h && first + (unsigned)y - 1 < n; y++)
		row(m, v, &in, y, &x, list[first + (unsigned)y - 1]);
}

const struct panel panel_spikes = {
	.name = "spikes", .title = "Worst spikes", .least_w = 32, .least_h = 3, .best_h = 10,
	.focusable = true,
	.draw = spikes_draw,
};
