/*
 * snapshot_check.c - may this snapshot be trusted?  Whatever a file says, what
 * passes here adds up and can be drawn: no index, time or count is beyond what
 * the rest of the program expects.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/snapshot.h"

#define VALUE_MAX ((INT64_C(1) << 42) - 1)	/* end of the slot that holds 1 h */
#define SECONDS_MAX 1e9
#define SECONDS_LEAST 0.99e-9	/* of a span: 1 ns, less what a decimal fraction loses */
#define MEAN_MAX_NS 9e18	/* what an int64_t holds: true maxima may be above 1 h */

static int bad_series(const struct snapshot_series *one, struct why *why, const char *what)
{
	return why_set(why, -EINVAL, "series %s cpu %d: %s; the file is damaged",
		       one->probe, one->cpu, what);
}

static int check_pairs(const struct snapshot_series *one, struct why *why)
{
	int64_t before = -1;
	uint64_t sum = 0;

	for (size_t i = 0; i < one->pairs; i++) {
		const struct pair *p = &one->histogram[i];

		if (p->value_ns <= before || p->value_ns > VALUE_MAX)
			return bad_series(one, why, "histogram values do not rise within 0 .. 1 h");
		if (!p->count || p->count > SNAPSHOT_COUNT_MAX - sum)
			return bad_series(one, why, "a count is 0 or too large");
		before = p->value_ns;
		sum += p->count;
	}
	if (sum != one->counts.count)
		return bad_series(one, why, "histogram does not add up to count");
	return 0;
}

static int check_counts(const struct snapshot_series *one, struct why *why)
{
	const struct counts *c = &one->counts;

	if (c->due > SNAPSHOT_COUNT_MAX || c->missed > SNAPSHOT_COUNT_MAX ||
	    c->interrupted > SNAPSHOT_COUNT_MAX)
		return bad_series(one, why, "count too large");
	if (c->due != c->count + c->missed + c->interrupted)
		return bad_series(one, why, "due is not count + missed + interrupted");
	if (c->early > c->count || c->over > c->count || c->unplaced > c->due ||
	    c->errors > c->interrupted)
		return bad_series(one, why,
				  "early, over, unplaced or errors is more than there were");
	return 0;
}

static int check_series(const struct snapshot_series *one, struct why *why)
{
	int err = check_pairs(one, why);

	if (!err)
		err = check_counts(one, why);
	if (err)
		return err;
	if (one->cpu < -1 || one->cpu >= CPUSET_MAX)
		return bad_series(one, why, "no such CPU number");
	if (one->min_ns < 0 || one->max_ns < one->min_ns || one->interval_ns < 0 ||
	    one->in_flight_ns < 0 || one->bin_ns < 0)
		return bad_series(one, why, "a time is below 0 or min is above max");
	if (isinf(one->mean_ns) || one->mean_ns < 0 || one->mean_ns > MEAN_MAX_NS)
		return bad_series(one, why, "mean is not a number in range");
	return 0;
}

static bool is_time(double t_s)
{
	return isfinite(t_s) && t_s >= -SECONDS_MAX && t_s <= SECONDS_MAX;
}

static bool is_span(double len_s)
{
	return is_time(len_s) && len_s >= SECONDS_LEAST;
}

static int check_row(const struct snapshot *s, const struct snapshot_row *row, struct why *why)
{
	int before = -1;

	if (!is_time(row->t_s) || !is_span(row->len_s) || row->max_ns < 0 ||
	    row->group >= s->nr_groups)
		return why_set(why, -EINVAL, "timeline: a row has no sensible time; "
			       "the file is damaged");
	for (unsigned i = 0; i < row->cells; i++) {
		if (row->cell[i].slot <= before || row->cell[i].slot >= SLOTS ||
		    !row->cell[i].count)
			return why_set(why, -EINVAL, "timeline: slots at %g s do not rise within "
				       "0..%d; the file is damaged", row->t_s, SLOTS - 1);
		before = row->cell[i].slot;
	}
	return 0;
}

static int check_timeline(const struct snapshot *s, struct why *why)
{
	for (unsigned i = 0; i < s->nr_rows; i++) {
		int err = check_row(s, &s->rows[i], why);

		if (err)
			return err;
	}
	for (unsigned i = 0; i < s->nr_load_rows; i++) {
		const struct snapshot_load_row *row = &s->load_rows[i];

		if (!is_time(row->t_s) || !is_span(row->len_s) || !isfinite(row->rate))
			return why_set(why, -EINVAL, "timeline: a load row has no sensible time "
				       "or rate; the file is damaged");
	}
	return 0;
}

static int check_loads(const struct snapshot *s, struct why *why)
{
	for (unsigned i = 0; i < s->nr_loads; i++) {
		const struct snapshot_load *l = &s->loads[i];

		if (!is_time(l->start_s) || !is_time(l->stop_s) || !isfinite(l->done) ||
		    !isfinite(l->rate) || !isfinite(l->cpu_pct) || l->max_op_ns < 0)
			return why_set(why, -EINVAL, "load %s: a figure is not a number in range; "
				       "the file is damaged", l->name);
	}
	return 0;
}

static int check_spikes(const struct snapshot_spike *list, unsigned n, struct why *why)
{
	for (unsigned i = 0; i < n; i++) {
		const struct snapshot_spike *k = &list[i];

		if (!is_time(k->t_s) || k->late_ns < 0 || k->cpu < -1 || k->cpu >= CPUSET_MAX ||
		    k->culprits > SPIKE_CULPRITS)
			return why_set(why, -EINVAL, "spikes: a time or CPU is out of range; "
				       "the file is damaged");
	}
	return 0;
}

static int check_blamed(const struct blamed *b, struct why *why)
{
	int64_t ns = 0;
	uint64_t spikes = 0;

	for (unsigned i = 0; i < b->parts; i++) {
		if (b->part[i].ns < 0 || b->part[i].ns > INT64_MAX - ns ||
		    b->part[i].spikes > SNAPSHOT_COUNT_MAX)
			return why_set(why, -EINVAL, "blame: %s is out of range; the file is "
				       "damaged", b->part[i].comm);
		ns += b->part[i].ns;
		spikes += b->part[i].spikes;
	}
	if (ns != b->ns || spikes != b->spikes)
		return why_set(why, -EINVAL, "blame: the parts of %s do not sum to the whole; "
			       "the file is damaged", b->loads);
	return 0;
}

static int check_marks(const struct snapshot *s, struct why *why)
{
	for (unsigned i = 0; i < s->nr_events; i++)
		if (!is_time(s->events[i].t_s))
			return why_set(why, -EINVAL,
				       "events: no sensible time; the file is damaged");
	int err = check_spikes(s->spikes, s->nr_spikes, why);

	if (!err)
		err = check_spikes(s->latest, s->nr_latest, why);
	for (unsigned i = 0; i < s->nr_blamed && !err; i++)
		err = check_blamed(&s->blamed[i], why);
	return err;
}

#define NAMES_MAX 256

_Static_assert(SNAPSHOT_PROBES_MAX == NAMES_MAX && SNAPSHOT_LOADS_MAX == NAMES_MAX,
	       "one limit for both");

/* Who asks which there are compares each with those before it.  `first` of `n`
 * names, `size` apart. */
static int check_names(const char *first, unsigned n, size_t size, const char *what,
		       struct why *why)
{
	const char *name[NAMES_MAX];
	unsigned known = 0, k;

	for (; n--; first += size) {
		for (k = 0; k < known && strcmp(name[k], first); k++)
			;
		if (k == NAMES_MAX)
			return why_set(why, -E2BIG, "more than %d %s; give a part of them",
				       NAMES_MAX, what);
		if (k == known)
			name[known++] = first;
	}
	return 0;
}

static int check_all_names(const struct snapshot *s, struct why *why)
{
	int err = s->nr_series ? check_names(s->series[0].probe, s->nr_series,
					     sizeof(s->series[0]), "probes", why) : 0;

	if (!err && s->nr_loads)
		err = check_names(s->loads[0].name, s->nr_loads, sizeof(s->loads[0]), "loads",
				  why);
	return err;
}

int snapshot_check(const struct snapshot *s, struct why *why)
{
	int err = 0;

	if (s->duration_s != 0 && !is_span(s->duration_s))
		return why_set(why, -EINVAL, "duration_s: not a time; the file is damaged");
	if (s->nr_figures > SNAPSHOT_FIGURES_MAX)
		return why_set(why, -E2BIG, "%u figures, %d are the most; give a part of them",
			       s->nr_figures, SNAPSHOT_FIGURES_MAX);
	err = check_all_names(s, why);
	for (unsigned i = 0; i < s->nr_series && !err; i++)
		err = check_series(&s->series[i], why);
	if (!err)
		err = check_timeline(s, why);
	if (!err)
		err = check_loads(s, why);
	if (!err)
		err = check_marks(s, why);
	return err;
}
