/* spikelist.c - see spikelist.h. */
#include "ui/spikelist.h"

#include "ui/filter.h"

/* The latest are numbered as they came, the worst by their place. */
static unsigned number_of(const struct model *m, const struct view *v, unsigned place)
{
	return v->spikes == SPIKES_LATEST ? (unsigned)m->latest_seen - 1 - place : place;
}

unsigned spikelist_count(const struct model *m, const struct view *v)
{
	return v->spikes == SPIKES_LATEST ? model_latest_count(m) : m->nr_spikes;
}

const struct spike *spikelist_at(const struct model *m, const struct view *v, unsigned number)
{
	if (v->spikes == SPIKES_LATEST)
		return model_latest(m, m->latest_seen - ((unsigned)m->latest_seen - number));
	return number < m->nr_spikes ? &m->spikes[number] : NULL;
}

unsigned spikelist_shown(const struct model *m, const struct view *v, unsigned out[SPIKELIST_MOST])
{
	unsigned all = spikelist_count(m, v), n = 0;
	struct filter f;

	filter_parse(&f, v->filter);
	for (unsigned i = 0; i < all && i < SPIKELIST_MOST; i++) {
		unsigned number = number_of(m, v, i);
		const struct spike *s = spikelist_at(m, v, number);

		if (s && filter_passes(&f, s->cpu, s->late_ns))
			out[n++] = number;
	}
	return n;
}

void spikelist_choose(struct view *v, const struct spike *s)
{
	v->spike = (struct view_spike){ true, s->t_ns, s->group, s->cpu };
}

static bool is_chosen(const struct view *v, const struct spike *s)
{
	return v->spike.chosen && s && s->t_ns == v->spike.t_ns && s->group == v->spike.group &&
	       s->cpu == v->spike.cpu;
}

int spikelist_chosen(const struct model *m, const struct view *v, const unsigned *list, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (is_chosen(v, spikelist_at(m, v, list[i])))
			return (int)i;
	return -1;
}

void spikelist_next(struct view *v)
{
	v->spikes = (v->spikes + 1) % SPIKE_LISTS;
	v->blame_row = 0;
	/* The view stands at the chosen one; live, the list begins anew. */
	if (!v->paused && !v->end_ns)
		v->spike.chosen = false;
}
