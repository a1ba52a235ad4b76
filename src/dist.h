/*
 * dist.h - the samples of one probe, CPUs added up, for reports and
 * comparisons: exact pairs as the snapshot holds them, whatever their bins.
 *
 * A percentile is the highest value its bin may hold, never a guess inside it,
 * and never above the true maximum.  Any thread; the caller owns the struct.
 */
#ifndef JS_DIST_H
#define JS_DIST_H

#include <stddef.h>
#include <stdint.h>

#include "src/snapshot.h"

struct dist {
	char probe[40], policy[20];	/* policy "" when the series differ */
	int priority;
	unsigned nr_series;
	struct counts counts;		/* summed */
	int64_t deadline_ns;		/* of the whole snapshot; 0: none */
	int64_t interval_ns, in_flight_ns, min_ns, max_ns;
	int64_t bin_ns;			/* > 0: imported bins this wide */
	double mean_ns;			/* NaN: not known */
	struct pair *pair;		/* ascending */
	size_t pairs;
};

#define DIST_PERCENTS 6
extern const double dist_percents[DIST_PERCENTS];	/* 50 90 99 99.9 99.99 100 */
const char *dist_percent_name(unsigned i);		/* "p50" .. "max" */

/* cpu -2: all of the probe's series, else that CPU alone (-1: not pinned).
 * 0, -ENOENT: no such series, -ENOMEM. */
#define DIST_ALL_CPUS (-2)
int dist_make(struct dist *d, const struct snapshot *s, const char *probe, int cpu);
void dist_free(struct dist *d);

int64_t dist_percentile(const struct dist *d, double percent);	/* 0 when empty; 100: max */
uint64_t dist_at_or_above(const struct dist *d, int64_t value_ns);
/* What is later than ns begins here. */
static inline int64_t dist_after(int64_t ns)
{
	return ns < INT64_MAX ? ns + 1 : ns;
}

/* The share of the samples at or above, in percent, at most 8 columns: "1.26%"
 * "0.0203%" "2.3e-05%"; "-" where there are no samples.  The C locale's numbers
 * are the caller's business.  Returns buf. */
const char *dist_share_text(char *buf, size_t size, const struct dist *d, int64_t value_ns);

/* The names of the probes of a snapshot in the order they appear.  Returns how
 * many there are; at most room are filled in. */
unsigned dist_probes(const struct snapshot *s, const char **names, unsigned room);

#endif
