/* lat.c - see lat.h. */
#include "src/loads/lat.h"

#define SUB 32			/* slots an octave */
#define SUB_BITS 5

static unsigned slot_of(uint64_t ns)
{
	unsigned octave, slot;

	if (ns < SUB)
		return (unsigned)ns;
	octave = 63 - (unsigned)__builtin_clzll(ns) - SUB_BITS;
	slot = SUB * (octave + 1) + (unsigned)(ns >> octave) - SUB;
	return slot < LAT_SLOTS ? slot : LAT_SLOTS - 1;
}

static uint64_t top_of(unsigned slot)
{
	unsigned octave = slot / SUB;

	if (octave < 2)
		return slot;
	return ((uint64_t)(SUB + slot % SUB + 1) << (octave - 1)) - 1;
}

void lat_record(struct lat *l, int64_t ns)
{
	uint64_t value = ns > 0 ? (uint64_t)ns : 0;

	l->count++;
	l->sum_ns += value;
	if (value > l->max_ns)
		l->max_ns = value;
	l->slot[slot_of(value)]++;
}

double lat_mean_us(const struct lat *l)
{
	return l->count ? (double)l->sum_ns / (double)l->count / 1e3 : 0;
}

double lat_max_us(const struct lat *l)
{
	return (double)l->max_ns / 1e3;
}

double lat_percentile_us(const struct lat *l, double percent)
{
	double want = (double)l->count * percent / 100;
	uint64_t seen = 0;

	for (unsigned i = 0; i < LAT_SLOTS; i++) {
		seen += l->slot[i];
		if (l->slot[i] && (double)seen >= want)
			return (double)(top_of(i) < l->max_ns ? top_of(i) : l->max_ns) / 1e3;
	}
	return 0;
}
