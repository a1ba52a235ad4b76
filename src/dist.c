/* dist.c - see dist.h. */
#include "src/dist.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const double dist_percents[DIST_PERCENTS] = { 50, 90, 99, 99.9, 99.99, 100 };

const char *dist_percent_name(unsigned i)
{
	static const char *const names[DIST_PERCENTS] = {"p50",	  "p90",    "p99",
							 "p99.9", "p99.99", "max"};

	return i < DIST_PERCENTS ? names[i] : "?";
}

static int by_value(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;

	return x->value_ns < y->value_ns ? -1 : x->value_ns > y->value_ns;
}

/* Sorts, and makes one of pairs with the same value. */
static void join(struct dist *d)
{
	size_t kept = 0;

	if (!d->pairs)
		return;
	qsort(d->pair, d->pairs, sizeof(*d->pair), by_value);
	for (size_t i = 1; i < d->pairs; i++) {
		if (d->pair[i].value_ns == d->pair[kept].value_ns)
			d->pair[kept].count += d->pair[i].count;
		else
			d->pair[++kept] = d->pair[i];
	}
	d->pairs = kept + 1;
}

static void add_counts(struct counts *to, const struct counts *c)
{
	to->due += c->due;
	to->count += c->count;
	to->missed += c->missed;
	to->interrupted += c->interrupted;
	to->early += c->early;
	to->over += c->over;
	to->unplaced += c->unplaced;
	to->errors += c->errors;
}

static void add_head(struct dist *d, const struct snapshot_series *one)
{
	bool empty = d->counts.count == 0;
	double before = d->mean_ns * (double)d->counts.count;

	if (!d->nr_series++) {
		snprintf(d->policy, sizeof(d->policy), "%s", one->policy);
		d->priority = one->priority;
		d->interval_ns = one->interval_ns;
	} else if (strcmp(d->policy, one->policy)) {
		d->policy[0] = '\0';
	}
	if (one->in_flight_ns > d->in_flight_ns)
		d->in_flight_ns = one->in_flight_ns;
	if (one->bin_ns > d->bin_ns)
		d->bin_ns = one->bin_ns;
	if (one->counts.count && (empty || one->min_ns < d->min_ns))
		d->min_ns = one->min_ns;
	if (one->counts.count && (empty || one->max_ns > d->max_ns))
		d->max_ns = one->max_ns;
	add_counts(&d->counts, &one->counts);
	if (d->counts.count)
		d->mean_ns = (before + one->mean_ns * (double)one->counts.count) /
			     (double)d->counts.count;
}

static bool wanted(const struct snapshot_series *one, const char *probe, int cpu)
{
	return !strcmp(one->probe, probe) && (cpu == DIST_ALL_CPUS || one->cpu == cpu);
}

int dist_make(struct dist *d, const struct snapshot *s, const char *probe, int cpu)
{
	size_t room = 0;

	*d = (struct dist){ 0 };
	snprintf(d->probe, sizeof(d->probe), "%s", probe);
	d->deadline_ns = s->deadline_ns;
	for (unsigned i = 0; i < s->nr_series; i++)
		if (wanted(&s->series[i], probe, cpu))
			room += s->series[i].pairs;
	d->pair = calloc(room ? room : 1, sizeof(*d->pair));
	if (!d->pair)
		return -ENOMEM;
	for (unsigned i = 0; i < s->nr_series; i++) {
		const struct snapshot_series *one = &s->series[i];

		if (!wanted(one, probe, cpu))
			continue;
		if (one->pairs)
			memcpy(d->pair + d->pairs, one->histogram, one->pairs * sizeof(*d->pair));
		d->pairs += one->pairs;
		add_head(d, one);
	}
	join(d);
	return d->nr_series ? 0 : -ENOENT;
}

void dist_free(struct dist *d)
{
	free(d->pair);
	*d = (struct dist){ 0 };
}

int64_t dist_percentile(const struct dist *d, double percent)
{
	/* As hist.c ranks: 99.9 of 1000 is the 999th in spite of rounding. */
	double rank = ceil(nextafter(percent, -HUGE_VAL) / 100 * (double)d->counts.count);
	uint64_t seen = 0;

	if (!d->counts.count || percent >= 100)
		return d->max_ns;
	for (size_t i = 0; i < d->pairs; i++) {
		seen += d->pair[i].count;
		if ((double)seen >= rank)
			return d->pair[i].value_ns < d->max_ns ? d->pair[i].value_ns : d->max_ns;
	}
	return d->max_ns;
}

uint64_t dist_at_or_above(const struct dist *d, int64_t value_ns)
{
	uint64_t above = 0;

	for (size_t i = d->pairs; i-- > 0 && d->pair[i].value_ns >= value_ns;)
		above += d->pair[i].count;
	return above;
}

const char *dist_share_text(char *buf, size_t size, const struct dist *d, int64_t value_ns)
{
	double percent = 100 * (double)dist_at_or_above(d, value_ns) / (double)d->counts.count;

	if (!d->counts.count)
		snprintf(buf, size, "-");
	else
		snprintf(buf, size, percent < 0.001 ? "%.2g%%" : "%.3g%%", percent);
	return buf;
}

unsigned dist_probes(const struct snapshot *s, const char **names, unsigned room)
{
	unsigned n = 0;

	for (unsigned i = 0; i < s->nr_series; i++) {
		/* They mostly come in blocks: look next door first. */
		bool seen = i && !strcmp(s->series[i - 1].probe, s->series[i].probe);

		for (unsigned k = 0; k < i && !seen; k++)
			seen = !strcmp(s->series[k].probe, s->series[i].probe);
		if (seen)
			continue;
		if (n < room)
			names[n] = s->series[i].probe;
		n++;
	}
	return n;
}
