/*
 * lat.h - a small histogram of times, for loads whose figure is one.
 *
 * 32 slots an octave: a value read back is at most 3.2 % too high.  Exact
 * count, sum and maximum.  One process.
 */
#ifndef JS_LOADS_LAT_H
#define JS_LOADS_LAT_H

#include <stdint.h>

#define LAT_SLOTS (32 * 44)	/* up to 2^48 ns */

struct lat {			/* zeroed memory is an empty one */
	uint64_t count, sum_ns, max_ns;
	uint32_t slot[LAT_SLOTS];
};

void lat_record(struct lat *l, int64_t ns);
double lat_mean_us(const struct lat *l);
double lat_max_us(const struct lat *l);
/* The upper end of the slot below which `percent` of the values lie. */
double lat_percentile_us(const struct lat *l, double percent);

#endif
