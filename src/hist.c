/* hist.c - see hist.h; the geometry is explained in tests/check_hist.c. */
#include "src/hist.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int64_t min64(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t max64(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* ---- geometry ------------------------------------------------------------ */

/* log2 of the slots that tell `digits` significant digits apart, rounded up. */
static unsigned sub_bits_of(unsigned digits)
{
	unsigned bits = 1, span = 1;

	while (digits--)
		span *= 10;
	while ((1u << bits) < 2 * span)
		bits++;
	return bits;
}

/* Buckets double until they cover HIST_HIGHEST_NS; all but the first use only
 * their upper half. */
static unsigned slots_of(unsigned sub_bits)
{
	unsigned buckets = 1;

	for (int64_t end = INT64_C(1) << sub_bits; end <= HIST_HIGHEST_NS; end *= 2)
		buckets++;
	return (buckets + 1) << (sub_bits - 1);
}

/* Values below 2^sub_bits have a slot each; above, slots are 2^shift wide. */
static inline unsigned shift_of(unsigned sub_bits, uint64_t value)
{
	uint64_t mask = (UINT64_C(1) << sub_bits) - 1;

	return 64 - sub_bits - (unsigned)__builtin_clzll(value | mask);
}

static inline unsigned slot_in_range(const struct hist *h, int64_t value_ns)
{
	unsigned shift = shift_of(h->sub_bits, (uint64_t)value_ns);

	return (shift << (h->sub_bits - 1)) + (unsigned)(value_ns >> shift);
}

unsigned hist_slot(const struct hist *h, int64_t value_ns)
{
	return slot_in_range(h, max64(0, min64(value_ns, HIST_HIGHEST_NS)));
}

int64_t hist_slot_lowest(const struct hist *h, unsigned slot)
{
	unsigned half_bits = h->sub_bits - 1;
	unsigned group = slot >> half_bits;

	if (group < 2)
		return slot;
	return (int64_t)(slot - ((group - 1) << half_bits)) << (group - 1);
}

int64_t hist_slot_highest(const struct hist *h, unsigned slot)
{
	return hist_slot_lowest(h, slot + 1) - 1;
}

/* ---- life ---------------------------------------------------------------- */

static void forget(struct hist *h)
{
	h->low = h->slots;
	h->high = 0;
	h->count = h->early = h->over = 0;
	h->min_ns = h->max_ns = 0;
	h->sum_ns = 0;
}

struct hist *hist_new(unsigned digits)
{
	if (digits < 1 || digits > 3)
		return NULL;
	struct hist *h = calloc(1, sizeof(*h));

	if (!h)
		return NULL;
	h->digits = digits;
	h->sub_bits = sub_bits_of(digits);
	h->slots = slots_of(h->sub_bits);
	h->counts = calloc(h->slots, sizeof(*h->counts));
	if (!h->counts) {
		free(h);
		return NULL;
	}
	forget(h);
	return h;
}

void hist_free(struct hist *h)
{
	if (!h)
		return;
	free(h->counts);
	free(h);
}

void hist_clear(struct hist *h)
{
	if (h->low <= h->high)
		memset(h->counts + h->low, 0, (h->high - h->low + 1) * sizeof(*h->counts));
	forget(h);
}

/* ---- recording ----------------------------------------------------------- */

static inline void put(struct hist *h, unsigned slot, uint64_t n)
{
	h->counts[slot] += n;
	h->count += n;
	if (slot < h->low)
		h->low = slot;
	if (slot > h->high)
		h->high = slot;
}

/* Widens the true extremes; to be called before the count changes. */
static inline void stretch(struct hist *h, int64_t min_ns, int64_t max_ns)
{
	if (h->count == 0 || min_ns < h->min_ns)
		h->min_ns = min_ns;
	if (h->count == 0 || max_ns > h->max_ns)
		h->max_ns = max_ns;
}

void hist_record_n(struct hist *h, int64_t value_ns, uint64_t n)
{
	int64_t recorded = value_ns;

	if (n == 0)
		return;
	if (value_ns < 0) {
		h->early += n;
		recorded = value_ns = 0;
	} else if (value_ns > HIST_HIGHEST_NS) {
		h->over += n;
		recorded = HIST_HIGHEST_NS;
	}
	stretch(h, value_ns, value_ns);
	put(h, slot_in_range(h, recorded), n);
	h->sum_ns += (double)recorded * (double)n;
}

void hist_record(struct hist *h, int64_t value_ns)
{
	hist_record_n(h, value_ns, 1);
}

/* ---- adding and taking away ---------------------------------------------- */

static void add_counts(struct hist *dst, const struct hist *src)
{
	bool same = dst->digits == src->digits;

	for (unsigned i = src->low; i <= src->high; i++) {
		if (src->counts[i])
			put(dst, same ? i : hist_slot(dst, hist_slot_highest(src, i)),
			    src->counts[i]);
	}
}

void hist_add(struct hist *dst, const struct hist *src)
{
	if (src->count == 0)
		return;
	stretch(dst, src->min_ns, src->max_ns);
	add_counts(dst, src);
	dst->early += src->early;
	dst->over += src->over;
	dst->sum_ns += src->sum_ns;
}

static uint64_t less(uint64_t from, uint64_t n)
{
	return from > n ? from - n : 0;
}

/* Draws low and high in to the slots that are not empty. */
static void tighten(struct hist *h)
{
	while (h->low <= h->high && h->counts[h->low] == 0)
		h->low++;
	while (h->high > h->low && h->counts[h->high] == 0)
		h->high--;
}

void hist_subtract(struct hist *dst, const struct hist *src)
{
	if (src->count == 0 || dst->count == 0)
		return;
	for (unsigned i = src->low; i <= src->high; i++) {
		unsigned slot = dst->digits == src->digits
			? i : hist_slot(dst, hist_slot_highest(src, i));
		uint64_t n = src->counts[i] < dst->counts[slot] ? src->counts[i] : dst->counts[slot];

		dst->counts[slot] -= n;
		dst->count -= n;
	}
	if (dst->count == 0) {
		hist_clear(dst);
		return;
	}
	tighten(dst);
	dst->early = less(dst->early, src->early);
	dst->over = less(dst->over, src->over);
	dst->sum_ns = fmax(0, dst->sum_ns - src->sum_ns);
	dst->min_ns = max64(dst->min_ns, hist_slot_lowest(dst, dst->low));
	if (dst->over == 0)
		dst->max_ns = min64(dst->max_ns, hist_slot_highest(dst, dst->high));
}

/*
 * The samples a late one stood in for: v-p, v-2p .. while >= p.  Where slots
 * are wider than the period many of them share one, so the walk takes as many
 * steps at once as stay in the slot; an hour at 100 us is not 36 million steps.
 */
static void add_omitted(struct hist *dst, int64_t value_ns, uint64_t n, int64_t period_ns)
{
	int64_t v = value_ns - period_ns;

	while (v >= period_ns) {
		unsigned slot = hist_slot(dst, v);
		int64_t floor_ns = max64(hist_slot_lowest(dst, slot), period_ns);
		int64_t steps = (v - floor_ns) / period_ns + 1;

		stretch(dst, v - (steps - 1) * period_ns, v);
		put(dst, slot, n * (uint64_t)steps);
		dst->sum_ns += (double)n * (double)steps *
			((double)v - (double)(steps - 1) * (double)period_ns / 2);
		v -= steps * period_ns;
	}
}

void hist_add_corrected(struct hist *dst, const struct hist *src, int64_t period_ns)
{
	hist_add(dst, src);
	if (period_ns <= 0 || src->count == 0)
		return;
	for (unsigned i = hist_slot(src, period_ns); i <= src->high; i++) {
		if (src->counts[i])
			add_omitted(dst, min64(hist_slot_highest(src, i), HIST_HIGHEST_NS),
				    src->counts[i], period_ns);
	}
}

/* ---- reading ------------------------------------------------------------- */

/* The rank of the sample that a percentile names, 1 .. count.  One step down
 * from percent, so that 99.9 of 1000 is the 999th in spite of rounding. */
static uint64_t rank_of(uint64_t count, double percent)
{
	double rank = ceil(nextafter(percent, -HUGE_VAL) / 100 * (double)count);

	if (rank < 1)
		return 1;
	return rank >= (double)count ? count : (uint64_t)rank;
}

void hist_percentiles(const struct hist *h, const double *percents, int64_t *out, unsigned n)
{
	unsigned slot = h->low;
	uint64_t seen = h->count ? h->counts[slot] : 0;

	for (unsigned i = 0; i < n; i++) {
		if (h->count == 0) {
			out[i] = 0;
			continue;
		}
		uint64_t rank = rank_of(h->count, percents[i]);

		while (seen < rank && slot < h->high)
			seen += h->counts[++slot];
		out[i] = hist_slot_highest(h, slot);
	}
}

int64_t hist_percentile(const struct hist *h, double percent)
{
	int64_t value;

	hist_percentiles(h, &percent, &value, 1);
	return value;
}

double hist_mean(const struct hist *h)
{
	return h->count ? h->sum_ns / (double)h->count : 0;
}

uint64_t hist_count_above(const struct hist *h, int64_t value_ns)
{
	uint64_t above = 0;

	if (h->count == 0)
		return 0;
	for (unsigned i = h->high + 1; i-- > h->low && hist_slot_highest(h, i) > value_ns;)
		above += h->counts[i];
	return above;
}

bool hist_carries(uint64_t count, double percent)
{
	const double tail_least = 10;

	if (percent >= 100)
		return count > 0;
	return (double)count * (100 - percent) / 100 > tail_least - 1e-6;
}
