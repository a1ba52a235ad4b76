/* journey.c - see journey.h. */
#include "ui/journey.h"

#include "src/text.h"
#include "ui/filter.h"
#include "ui/plotted.h"

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

static void end_at(struct model *m, struct view *v, int64_t end_ns)
{
	int64_t least = oldest_ns(m, v) + view_column_ns(v), latest = latest_ns(m, v);

	if (end_ns < least) {
		end_ns = least;
		model_status(m, false, "the oldest there is");
	}
	v->end_ns = end_ns < latest ? end_ns : 0;
}

void journey_move(struct model *m, struct view *v, int columns)
{
	int64_t from = v->end_ns ? v->end_ns : latest_ns(m, v);

	if (columns > 0 && !v->end_ns) {
		model_status(m, false,
			     v->paused ? "the view stands at its newest moment; Space goes on"
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
	int64_t end = oldest_ns(m, v) + v->columns * view_column_ns(v);

	end_at(m, v, end);
	model_status(m, false,
		     v->end_ns ? "the oldest there is" : "all there is fits on the screen");
}

void journey_live(struct model *m, struct view *v)
{
	v->paused = false;
	v->end_ns = 0;
	model_status(m, false, "live");
}

void journey_freeze(struct model *m, struct view *v)
{
	if (v->paused) {
		journey_live(m, v);
		return;
	}
	v->frozen_ns = latest_ns(m, v);
	v->paused = true;
	model_status(m, false, "the view stands still, measuring goes on; Space goes on");
}

void journey_zoom(struct model *m, struct view *v, int steps)
{
	int zoom = steps ? v->zoom - steps : VIEW_ZOOM_DEFAULT;
	char text[16];

	if (zoom < 0 || !view_zooms[zoom]) {
		model_status(m, false, "%s a column is the %s there is",
			     text_time(text, sizeof(text), view_column_ns(v)),
			     zoom < 0 ? "finest" : "coarsest");
		return;
	}
	v->zoom = zoom;
	model_status(m, false, "%s a column", text_time(text, sizeof(text), view_column_ns(v)));
}

/* The spike `step` places on from the selected one in the order of the list
 * as filtered, from its first when the selected one is not in it; -1: none. */
static int pick(const struct model *m, const struct view *v, int step)
{
	int list[MODEL_SPIKES], n = 0, at = -1;
	struct filter f;

	filter_parse(&f, v->filter);
	for (unsigned i = 0; i < m->nr_spikes && i < MODEL_SPIKES; i++) {
		if (!filter_passes(&f, m->spikes[i].cpu, m->spikes[i].late_ns))
			continue;
		if (i == v->spike)
			at = n;
		list[n++] = (int)i;
	}
	if (!n)
		return -1;
	return at < 0 ? list[0] : list[(at + step + n) % n];
}

void journey_spike(struct model *m, struct view *v, int step)
{
	/* The first press shows the selected one. */
	int spike = pick(m, v, plot_live(v) ? 0 : step);
	char text[16];

	if (spike < 0) {
		model_status(m, false,
			     m->nr_spikes ? "no spike passes the filter %s; / changes it"
					  : "no spike yet%s",
			     m->nr_spikes ? v->filter : "");
		return;
	}
	const struct spike *s = &m->spikes[spike];
	int64_t end = s->t_ns + (v->columns / 2) * view_column_ns(v), latest = latest_ns(m, v);

	v->spike = (unsigned)spike;
	if (s->group < m->nr_groups)
		v->group = s->group;
	if (v->cpu >= 0 && s->cpu >= 0)
		v->cpu = s->cpu;
	v->end_ns = end < latest ? end : latest;
	model_status(m, false, "spike %d of %u: %s%s%s", spike + 1, m->nr_spikes,
		     text_time(text, sizeof(text), s->late_ns), s->nr ? ", " : "",
		     s->nr ? s->culprit[0].comm : "");
}
