/*
 * snapshot_since.c - the part of a snapshot that came after an earlier one.
 *
 * Counts and slots only grow, so a difference is exact; times are moved so that
 * the span begins at 0.  Extremes that are not news are known to the width of
 * their slot.
 */
#include <stdlib.h>
#include <string.h>

#include "src/snapshot.h"

static const struct snapshot_series *find(const struct snapshot *s,
					  const struct snapshot_series *like)
{
	for (unsigned i = 0; i < s->nr_series; i++) {
		if (s->series[i].cpu == like->cpu && !strcmp(s->series[i].probe, like->probe))
			return &s->series[i];
	}
	return NULL;
}

static void take_away(uint64_t *from, uint64_t what)
{
	*from -= what < *from ? what : *from;
}

static void subtract_counts(struct counts *c, const struct counts *before)
{
	take_away(&c->due, before->due);
	take_away(&c->count, before->count);
	take_away(&c->missed, before->missed);
	take_away(&c->interrupted, before->interrupted);
	take_away(&c->early, before->early);
	take_away(&c->over, before->over);
	take_away(&c->unplaced, before->unplaced);
	take_away(&c->errors, before->errors);
}

/* Both lists ascend. */
static void subtract_pairs(struct snapshot_series *one, const struct snapshot_series *before)
{
	size_t kept = 0, k = 0;

	for (size_t i = 0; i < one->pairs; i++) {
		struct pair p = one->histogram[i];

		while (k < before->pairs && before->histogram[k].value_ns < p.value_ns)
			k++;
		if (k < before->pairs && before->histogram[k].value_ns == p.value_ns)
			take_away(&p.count, before->histogram[k].count);
		if (p.count)
			one->histogram[kept++] = p;
	}
	one->pairs = kept;
}

static void settle_extremes(struct snapshot_series *one, const struct snapshot_series *before)
{
	bool new_max = !before->pairs || one->max_ns > before->max_ns;
	bool new_min = !before->pairs || one->min_ns < before->min_ns;
	int64_t last_ns = one->pairs ? one->histogram[one->pairs - 1].value_ns : 0;
	int64_t first_ns = one->pairs ? one->histogram[0].value_ns : 0;

	if (!one->pairs) {
		one->min_ns = one->max_ns = 0;
		one->mean_ns = 0;
		return;
	}
	if (!new_max && last_ns < one->max_ns)
		one->max_ns = last_ns;
	if (!new_min)
		one->min_ns = first_ns;
	if (one->min_ns > one->max_ns)
		one->min_ns = one->max_ns;
}

static void subtract_series(struct snapshot_series *one, const struct snapshot_series *before)
{
	double sum = one->mean_ns * (double)one->counts.count -
		     before->mean_ns * (double)before->counts.count;

	subtract_counts(&one->counts, &before->counts);
	subtract_pairs(one, before);
	one->mean_ns = one->counts.count && sum > 0 ? sum / (double)one->counts.count : 0;
	settle_extremes(one, before);
}

static void move_loads(struct snapshot *s, double from_s)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < s->nr_loads; i++) {
		struct snapshot_load l = s->loads[i];

		if (l.stop_s >= 0 && l.stop_s <= from_s)
			continue;
		l.start_s -= from_s;
		l.stop_s = l.stop_s < 0 ? l.stop_s : l.stop_s - from_s;
		s->loads[kept++] = l;
	}
	s->nr_loads = kept;
}

static void move_rows(struct snapshot *s, double from_s)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < s->nr_rows; i++) {
		struct snapshot_row row = s->rows[i];

		if (row.t_s < from_s) {
			free(row.cell);
			continue;
		}
		row.t_s -= from_s;
		s->rows[kept++] = row;
	}
	s->nr_rows = kept;
	kept = 0;
	for (unsigned i = 0; i < s->nr_load_rows; i++) {
		struct snapshot_load_row row = s->load_rows[i];

		if (row.t_s < from_s)
			continue;
		row.t_s -= from_s;
		s->load_rows[kept++] = row;
	}
	s->nr_load_rows = kept;
}

static unsigned move_spikes(struct snapshot_spike *list, unsigned n, double from_s)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < n; i++) {
		struct snapshot_spike k = list[i];

		if (k.t_s < from_s)
			continue;
		k.t_s -= from_s;
		list[kept++] = k;
	}
	return kept;
}

static void subtract_blame(struct snapshot *s, const struct snapshot *before)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < s->nr_blamed; i++) {
		struct blamed b = s->blamed[i];

		for (unsigned k = 0; k < before->nr_blamed; k++)
			if (!strcmp(before->blamed[k].loads, b.loads))
				blamed_subtract(&b, &before->blamed[k]);
		if (b.parts)
			s->blamed[kept++] = b;
	}
	s->nr_blamed = kept;
	take_away(&s->spikes_seen, before->spikes_seen);
	take_away(&s->spikes_incomplete, before->spikes_incomplete);
	take_away(&s->spikes_unread, before->spikes_unread);
}

static void move_marks(struct snapshot *s, double from_s)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < s->nr_events; i++) {
		struct snapshot_event e = s->events[i];

		if (e.t_s < from_s)
			continue;
		e.t_s -= from_s;
		s->events[kept++] = e;
	}
	s->nr_events = kept;
	s->nr_spikes = move_spikes(s->spikes, s->nr_spikes, from_s);
	s->nr_latest = move_spikes(s->latest, s->nr_latest, from_s);
}

void snapshot_since(struct snapshot *s, const struct snapshot *before)
{
	double from_s = before->duration_s;

	for (unsigned i = 0; i < s->nr_series; i++) {
		const struct snapshot_series *old = find(before, &s->series[i]);

		if (old)
			subtract_series(&s->series[i], old);
	}
	move_loads(s, from_s);
	move_rows(s, from_s);
	move_marks(s, from_s);
	subtract_blame(s, before);
	s->duration_s = s->duration_s > from_s ? s->duration_s - from_s : 0;
}
