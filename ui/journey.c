/* journey.c - see journey.h. */
#include "ui/journey.h"

#include <stdio.h>

#include "src/text.h"
#include "ui/plotted.h"
#include "ui/spikelist.h"

/* The latest moment the view may end at. */
static int64_t latest_ns(const struct model *m, const struct view *v)
{
	if (v->paused && v->frozen_ns > 0)
		return v->frozen_ns;
	return v->now_ns > 0 ? v->now_ns : m->now_ns;
}

static int64_t oldest_ns(const struct model *m, const struct view *v)
{
	const struct history *h = plot_history(m, v);
	int64_t oldest = h ? history_oldest_ns(h) : 0;

	return oldest > 0 ? oldest : m->zero_ns;
}

/* The earliest end: with the oldest there is at the left of the picture. */
static int64_t least_end_ns(const struct model *m, const struct view *v)
{
	return oldest_ns(m, v) + v->columns * view_column_ns(v);
}

static void end_at(struct model *m, struct view *v, int64_t end_ns)
{
	int64_t least = least_end_ns(m, v), latest = latest_ns(m, v);

	if (end_ns < least) {
		end_ns = least;
		model_status(m, false, least < latest ? "the oldest there is"
			     : "all there is fits on the screen");
	}
	v->end_ns = end_ns < latest ? end_ns : 0;
}

void journey_move(struct model *m, struct view *v, int columns)
{
	int64_t from = v->end_ns ? v->end_ns : latest_ns(m, v);

	if (columns > 0 && !v->end_ns) {
		model_status(m, false, "%s",
			     v->paused ? "the view stands at its newest moment; Space goes on"
			     : m->replay ? "this is the end of the recording"
					 : "this is now");
		return;
	}
	end_at(m, v, from + columns * view_column_ns(v));
}

void journey_page(struct model *m, struct view *v, int pages)
{
	journey_move(m, v, pages * (v->columns > 1 ? v->columns : 1));
}

void journey_oldest(struct model *m, struct view *v)
{
	end_at(m, v, least_end_ns(m, v));
	model_status(m, false,
		     v->end_ns ? "the oldest there is" : "all there is fits on the screen");
}

void journey_live(struct model *m, struct view *v)
{
	v->paused = false;
	v->end_ns = 0;
	model_status(m, false, m->replay ? "the end of the recording" : "live");
}

void journey_freeze(struct model *m, struct view *v)
{
	if (m->replay) {
		model_status(m, true, "a recording stands still; Left and Right move in it");
		return;
	}
	if (v->paused) {
		journey_live(m, v);
		return;
	}
	v->frozen_ns = latest_ns(m, v);
	v->paused = true;
	model_status(m, false, "the picture stands still, measuring and figures go on; Space goes on");
}

/* Time runs down in the waterfall. */
static const char *step_name(const struct view *v)
{
	return v->kind == VIEW_WATERFALL ? "row" : "column";
}

void journey_zoom(struct model *m, struct view *v, int steps)
{
	int zoom = steps ? v->zoom - steps : VIEW_ZOOM_DEFAULT;
	char text[16];

	if (zoom < 0 || !view_zooms[zoom]) {
		model_status(m, false, "%s a %s is the %s there is",
			     view_zoom_text(v, text, sizeof(text)), step_name(v),
			     zoom < 0 ? "finest" : "coarsest");
		return;
	}
	v->zoom = zoom;
	if (v->end_ns)
		end_at(m, v, v->end_ns);
	model_status(m, false, "%s a %s", view_zoom_text(v, text, sizeof(text)),
		     step_name(v));
}

void journey_fit(const struct model *m, struct view *v)
{
	int64_t all = m->now_ns - oldest_ns(m, v);

	for (v->zoom = 0; view_zooms[v->zoom + 1] && all > v->columns * view_column_ns(v);)
		v->zoom++;
}

/* The spike `step` places on from the selected one in the order of the list
 * as filtered, from its first when the selected one is not in it, becomes the
 * selected one; NULL: none.
 * *place of *of is where it stands there. */
static const struct spike *pick(const struct model *m, struct view *v, int step, int *place,
				int *of)
{
	unsigned list[SPIKELIST_MOST];
	int n = (int)spikelist_shown(m, v, list), at;
	const struct spike *s;

	if (!n)
		return NULL;
	at = spikelist_chosen(m, v, list, (unsigned)n);
	at = at < 0 ? 0 : (at + step + n) % n;
	*place = at + 1;
	*of = n;
	s = spikelist_at(m, v, list[at]);
	if (s)
		spikelist_choose(v, s);
	return s;
}

/* Plots what the spike belongs to; says what that changes, else "". */
static const char *follow(const struct model *m, struct view *v, const struct spike *s, char *buf,
			  size_t size)
{
	unsigned group = plot_group(m, v) ? v->group : 0;
	int cpu = v->cpu;

	if (s->group < m->nr_groups)
		v->group = s->group;
	if (v->cpu >= 0 && s->cpu >= 0)
		v->cpu = s->cpu;
	buf[0] = '\0';
	if (v->group != group)
		snprintf(buf, size, "; now %s", m->groups[v->group].name);
	else if (v->cpu != cpu)
		snprintf(buf, size, "; now cpu%d", v->cpu);
	return buf;
}

void journey_spike(struct model *m, struct view *v, int step)
{
	int place, of;
	/* The first press shows the selected one. */
	const struct spike *s = pick(m, v, plot_live(v) ? 0 : step, &place, &of);
	char text[16], change[64];

	if (!s) {
		model_status(m, false,
			     m->nr_spikes ? "no spike passes the filter %s; / changes it"
					  : "no spike yet%s",
			     m->nr_spikes ? v->filter : "");
		return;
	}
	follow(m, v, s, change, sizeof(change));
	int64_t end = s->t_ns + (v->columns / 2) * view_column_ns(v), latest = latest_ns(m, v),
		least = least_end_ns(m, v);

	end = end < least ? least : end;
	v->end_ns = end < latest ? end : latest;
	model_status(m, false, "spike %d of %d%s: %s%s%s%s", place, of,
		     v->filter[0] ? " (filtered)" : "",
		     text_time(text, sizeof(text), s->late_ns), s->nr ? ", " : "",
		     s->nr ? s->culprit[0].comm : "", change);
}
