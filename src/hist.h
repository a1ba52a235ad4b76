/*
 * hist.h - a latency histogram in HdrHistogram's layout.
 *
 * Values are nanoseconds, 1 ns to 1 h (HIST_HIGHEST_NS), with 3 or 2
 * significant digits: a slot is never wider than 1/1000 (1/100) of its value.
 * A value is shown as its slot's highest equivalent value.  Below 0: counted
 * in `early`, recorded as 0.  Above 1 h: counted in `over`, recorded at the
 * limit; `max_ns` keeps the true value.  Nothing is ever dropped:
 * count == sum of all slots.
 *
 * Geometry: HdrHistogram, lowest 1, highest 3600000000000; the formulas are
 * those of its published V2 encoding (counts_len 33792 for 3 digits).
 *
 * Not thread safe: every histogram has one owner, here the main thread.
 * hist_slot() and the slot bounds are pure and real-time safe.
 */
#ifndef JS_HIST_H
#define JS_HIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HIST_HIGHEST_NS INT64_C(3600000000000)

struct hist {
	unsigned digits;	/* 3 or 2 */
	unsigned sub_bits;	/* m: log2 of slots in the first bucket (11 or 8) */
	unsigned slots;		/* counts_len */
	unsigned low, high;	/* all non-empty slots lie in low..high; low > high: empty */
	uint64_t count, early, over;
	int64_t min_ns, max_ns;	/* true extremes (min of early is 0); 0 when empty */
	double sum_ns;		/* of recorded values, for the mean */
	uint64_t *counts;	/* [slots] */
};

struct hist *hist_new(unsigned digits);	/* NULL: no memory, or digits not 1..3 */
void hist_free(struct hist *h);		/* NULL is fine */

void hist_record(struct hist *h, int64_t value_ns);
void hist_record_n(struct hist *h, int64_t value_ns, uint64_t n);
void hist_clear(struct hist *h);	/* touches low..high only */
/* dst and src of equal digits: exact. Different digits: by highest equivalent value. */
void hist_add(struct hist *dst, const struct hist *src);
/* Takes away what was added before; extremes are then those of the slots left. */
void hist_subtract(struct hist *dst, const struct hist *src);
/* The corrected view: adds src itself, as hist_add() does, and v-p, v-2p .. while >= p
 * for each recorded v. */
void hist_add_corrected(struct hist *dst, const struct hist *src, int64_t period_ns);

unsigned hist_slot(const struct hist *h, int64_t value_ns);	/* clamped to 0..limit */
int64_t hist_slot_lowest(const struct hist *h, unsigned slot);
int64_t hist_slot_highest(const struct hist *h, unsigned slot);

/* Highest equivalent value at percent (0..100], 0 when empty; 100 gives the
 * last slot's, use max_ns for the true maximum. */
int64_t hist_percentile(const struct hist *h, double percent);
/* Several at once in one walk; percents ascending. */
void hist_percentiles(const struct hist *h, const double *percents, int64_t *out, unsigned n);
double hist_mean(const struct hist *h);
uint64_t hist_count_above(const struct hist *h, int64_t value_ns);	/* slots whose highest value > value_ns */
/* Can this many samples carry the percentile?  p99.99 needs 100 000 (10 in the tail). */
bool hist_carries(uint64_t count, double percent);

#endif
