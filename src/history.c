/* history.c - see history.h. */
#include "src/history.h"

#include <stdlib.h>
#include <string.h>

#define TIERS_MAX 4
#define NOTHING UINT32_MAX	/* tier.at[] of a row without anything in it */
#define ROW_BYTES 76		/* average room of a sparse row; its place costs 4 more */
#define MAXIMUM_BYTES 16	/* of a row that keeps its maximum only */
#define ENCODED_MAX 2400	/* 3 + 4 numbers of 10 + SLOTS pairs of 2 + 5 */

/* One row being filled; counts is NULL where only the maximum is kept. */
struct row {
	uint64_t count, missed, interrupted;
	int64_t max_ns;
	unsigned flags, low, high;
	uint32_t *counts;
};

/*
 * Sealed rows of one width, numbered from zero_ns: oldest .. next - 1.  Their
 * sparse bytes lie one after the other in a ring; at[] says where.  When the
 * ring is full the oldest rows go, the next tier still has their sums.
 */
struct tier {
	int64_t row_ns, rows;
	bool maxima;
	int64_t oldest, next;
	uint32_t *at;
	uint8_t *bytes;
	uint32_t size, used, head;
	struct row gathering;	/* row `next`, summed from the tier below; unused in tier 0 */
};

struct history {
	enum history_kind kind;
	int64_t zero_ns;
	unsigned tiers;
	struct tier tier[TIERS_MAX];
	struct row open[HISTORY_OPEN];	/* rows tier[0].next .. newest */
	int64_t newest;
	int64_t cached_row, cached_ns;	/* the row found last, and its start */
	uint64_t late;
	uint32_t *at;		/* all tiers' places and bytes in one block */
	uint32_t *counts;	/* all dense counters in one block */
	size_t bytes;
};

struct plan {
	int64_t row_ns, span_ns;
	bool maxima;
};

#define S INT64_C(1000000000)
static const struct plan plans[][TIERS_MAX] = {
	[HISTORY_FULL] = {
		{ HISTORY_ROW_NS, 900 * S, false },
		{ S, 7200 * S, false },
		{ 10 * S, 86400 * S, false },
		{ 60 * S, 604800 * S, false },
	},
	[HISTORY_SHORT] = {
		{ HISTORY_ROW_NS, 900 * S, false },
		{ S, 7200 * S, true },
		{ 10 * S, 86400 * S, true },
		{ 60 * S, 604800 * S, true },
	},
	[HISTORY_MAXIMA] = {
		{ S, 900 * S, true },
	},
};
#undef S

/* ---- rows ---------------------------------------------------------------- */

static void row_clear(struct row *r)
{
	if (r->counts && r->low <= r->high)
		memset(r->counts + r->low, 0, (r->high - r->low + 1) * sizeof(*r->counts));
	r->count = r->missed = r->interrupted = 0;
	r->max_ns = 0;
	r->flags = 0;
	r->low = SLOTS;
	r->high = 0;
}

static bool row_empty(const struct row *r)
{
	return !r->count && !r->missed && !r->interrupted && !r->flags;
}

static inline void bump(uint32_t *counter, uint64_t n)
{
	*counter = n > UINT32_MAX - *counter ? UINT32_MAX : *counter + (uint32_t)n;
}

static inline void row_count(struct row *r, unsigned slot, uint64_t n)
{
	bump(&r->counts[slot], n);
	if (slot < r->low)
		r->low = slot;
	if (slot > r->high)
		r->high = slot;
}

static void row_merge(struct row *to, const struct row *from)
{
	to->count += from->count;
	to->missed += from->missed;
	to->interrupted += from->interrupted;
	to->flags |= from->flags;
	if (from->max_ns > to->max_ns)
		to->max_ns = from->max_ns;
	if (!to->counts || !from->counts)
		return;
	for (unsigned slot = from->low; slot <= from->high; slot++)
		if (from->counts[slot])
			row_count(to, slot, from->counts[slot]);
}

/* ---- sparse bytes -------------------------------------------------------- */

static uint8_t *put_number(uint8_t *p, uint64_t v)
{
	while (v >= 128) {
		*p++ = (uint8_t)(v | 128);
		v >>= 7;
	}
	*p++ = (uint8_t)v;
	return p;
}

static const uint8_t *get_number(const uint8_t *p, uint64_t *v)
{
	uint64_t value = 0;
	unsigned shift = 0;

	do {
		value |= (uint64_t)(*p & 127) << shift;
		shift += 7;
	} while (*p++ & 128);
	*v = value;
	return p;
}

/* Length (16 bits), flags, missed, interrupted, maximum; then the count, or
 * pairs of slot (distance from the one before) and count. */
static unsigned encode(uint8_t *buf, const struct row *r, bool maxima)
{
	uint8_t *p = buf + 2;
	unsigned before = 0;

	*p++ = (uint8_t)r->flags;
	p = put_number(p, r->missed);
	p = put_number(p, r->interrupted);
	p = put_number(p, (uint64_t)r->max_ns);
	if (maxima)
		p = put_number(p, r->count);
	else
		for (unsigned slot = r->low; slot <= r->high; slot++) {
			if (!r->counts[slot])
				continue;
			p = put_number(p, slot - before);
			p = put_number(p, r->counts[slot]);
			before = slot;
		}
	unsigned length = (unsigned)(p - buf);

	buf[0] = (uint8_t)(length & 255);
	buf[1] = (uint8_t)(length >> 8);
	return length;
}

static void column_count(struct column *c, unsigned slot, uint64_t n)
{
	bump(&c->counts[slot], n);
	c->count += n;
	if (slot < c->low)
		c->low = slot;
	if (slot > c->high)
		c->high = slot;
}

static void column_head(struct column *c, unsigned flags, uint64_t missed, uint64_t interrupted,
			int64_t max_ns)
{
	c->flags |= flags;
	c->missed += missed;
	c->interrupted += interrupted;
	if (max_ns > c->max_ns)
		c->max_ns = max_ns;
}

static void decode(const uint8_t *buf, unsigned length, bool maxima, struct column *out)
{
	const uint8_t *p = buf + 3, *end = buf + length;
	uint64_t missed, interrupted, max, n, distance;
	unsigned slot = 0;

	p = get_number(p, &missed);
	p = get_number(p, &interrupted);
	p = get_number(p, &max);
	column_head(out, buf[2], missed, interrupted, (int64_t)max);
	if (maxima) {
		get_number(p, &n);
		out->count += n;
		return;
	}
	while (p < end) {
		p = get_number(p, &distance);
		p = get_number(p, &n);
		slot += (unsigned)distance;
		column_count(out, slot, n);
	}
}

/* ---- tiers --------------------------------------------------------------- */

static unsigned length_at(const struct tier *t, uint32_t at)
{
	uint32_t second = at + 1 == t->size ? 0 : at + 1;

	return t->bytes[at] | (unsigned)t->bytes[second] << 8;
}

static void drop_oldest(struct tier *t)
{
	uint32_t at = t->at[t->oldest % t->rows];

	if (at != NOTHING)
		t->used -= length_at(t, at);
	t->oldest++;
}

static void copy_in(struct tier *t, const uint8_t *buf, unsigned length)
{
	unsigned first = t->size - t->head < length ? t->size - t->head : length;

	memcpy(t->bytes + t->head, buf, first);
	memcpy(t->bytes, buf + first, length - first);
	t->head = (t->head + length) % t->size;
	t->used += length;
}

static void copy_out(const struct tier *t, uint32_t at, uint8_t *buf, unsigned length)
{
	unsigned first = t->size - at < length ? t->size - at : length;

	memcpy(buf, t->bytes + at, first);
	memcpy(buf + first, t->bytes, length - first);
}

static void tier_store(struct tier *t, const struct row *r)
{
	uint8_t buf[ENCODED_MAX];
	uint32_t at = NOTHING;

	if (t->next - t->oldest == t->rows)
		drop_oldest(t);
	if (!row_empty(r)) {
		unsigned length = encode(buf, r, t->maxima);

		while (t->used + length > t->size)
			drop_oldest(t);
		at = t->head;
		copy_in(t, buf, length);
	}
	t->at[t->next % t->rows] = at;
	t->next++;
}

/* Seals row `next` of tier k and hands its sums up. */
static void tier_push(struct history *h, unsigned k, const struct row *r)
{
	struct tier *t = &h->tier[k];

	tier_store(t, r);
	if (k + 1 == h->tiers)
		return;
	struct tier *up = &h->tier[k + 1];

	row_merge(&up->gathering, r);
	if (t->next * t->row_ns % up->row_ns)
		return;
	tier_push(h, k + 1, &up->gathering);
	row_clear(&up->gathering);
}

/* Nothing happened in the next n rows. */
static void tier_skip(struct tier *t, int64_t n)
{
	if (n >= t->rows) {
		t->next += n;
		t->oldest = t->next;
		t->used = 0;
		return;
	}
	const struct row nothing = { .low = SLOTS };

	while (n-- > 0)
		tier_store(t, &nothing);
}

static void tier_decode(const struct tier *t, int64_t row, struct column *out)
{
	uint8_t buf[ENCODED_MAX];
	uint32_t at = t->at[row % t->rows];

	if (at == NOTHING)
		return;
	unsigned length = length_at(t, at);

	copy_out(t, at, buf, length);
	decode(buf, length, t->maxima, out);
}

/* ---- making and freeing -------------------------------------------------- */

static void tier_init(struct tier *t, const struct plan *plan)
{
	t->row_ns = plan->row_ns;
	t->rows = plan->span_ns / plan->row_ns;
	t->maxima = plan->maxima;
	t->size = (uint32_t)t->rows * (plan->maxima ? MAXIMUM_BYTES : ROW_BYTES);
	t->gathering.low = SLOTS;
}

/* All tiers lie in one block, large enough to be a map of untouched zero pages:
 * the years a coarse tier could hold cost nothing while nobody waits for them. */
static int hand_out_rows(struct history *h)
{
	size_t rows = 0, bytes = 0;

	for (unsigned k = 0; k < h->tiers; k++) {
		rows += (size_t)h->tier[k].rows;
		bytes += h->tier[k].size;
	}
	h->at = calloc(1, rows * sizeof(*h->at) + bytes);
	if (!h->at)
		return -1;
	h->bytes += rows * sizeof(*h->at) + bytes;
	uint32_t *at = h->at;
	uint8_t *byte = (uint8_t *)(h->at + rows);

	for (unsigned k = 0; k < h->tiers; k++) {
		h->tier[k].at = at;
		h->tier[k].bytes = byte;
		at += h->tier[k].rows;
		byte += h->tier[k].size;
	}
	return 0;
}

static unsigned plan_tiers(enum history_kind kind)
{
	unsigned n = 0;

	while (n < TIERS_MAX && plans[kind][n].row_ns)
		n++;
	return n;
}

/* Dense rows: the open ones and one for each full tier above the first. */
static int hand_out_counts(struct history *h)
{
	unsigned rows = 0, used = 0;

	if (!h->tier[0].maxima)
		rows = HISTORY_OPEN;
	for (unsigned k = 1; k < h->tiers; k++)
		rows += !h->tier[k].maxima;
	if (!rows)
		return 0;
	h->counts = calloc((size_t)rows * SLOTS, sizeof(*h->counts));
	if (!h->counts)
		return -1;
	h->bytes += (size_t)rows * SLOTS * sizeof(*h->counts);
	for (unsigned i = 0; !h->tier[0].maxima && i < HISTORY_OPEN; i++)
		h->open[i].counts = h->counts + (size_t)SLOTS * used++;
	for (unsigned k = 1; k < h->tiers; k++)
		if (!h->tier[k].maxima)
			h->tier[k].gathering.counts = h->counts + (size_t)SLOTS * used++;
	return 0;
}

struct history *history_new(enum history_kind kind, int64_t zero_ns)
{
	struct history *h = calloc(1, sizeof(*h));

	if (!h)
		return NULL;
	h->kind = kind;
	h->bytes = sizeof(*h);
	h->tiers = plan_tiers(kind);
	for (unsigned k = 0; k < h->tiers; k++)
		tier_init(&h->tier[k], &plans[kind][k]);
	if (hand_out_rows(h) || hand_out_counts(h)) {
		history_free(h);
		return NULL;
	}
	for (unsigned i = 0; i < HISTORY_OPEN; i++)
		h->open[i].low = SLOTS;
	history_restart(h, zero_ns);
	return h;
}

void history_free(struct history *h)
{
	if (!h)
		return;
	free(h->at);
	free(h->counts);
	free(h);
}

void history_restart(struct history *h, int64_t zero_ns)
{
	for (unsigned k = 0; k < h->tiers; k++) {
		struct tier *t = &h->tier[k];

		t->oldest = t->next = 0;
		t->used = t->head = 0;
		row_clear(&t->gathering);
	}
	for (unsigned i = 0; i < HISTORY_OPEN; i++)
		row_clear(&h->open[i]);
	h->zero_ns = zero_ns;
	h->newest = 0;
	h->late = 0;
	h->cached_row = 0;
	h->cached_ns = zero_ns;
}

/* ---- filling ------------------------------------------------------------- */

static void seal_oldest(struct history *h)
{
	struct row *r = &h->open[h->tier[0].next % HISTORY_OPEN];

	tier_push(h, 0, r);
	row_clear(r);
}

/* Over so long a pause all tiers jump by whole rows of the coarsest. */
static void leap(struct history *h, int64_t row)
{
	const struct tier *last = &h->tier[h->tiers - 1];
	int64_t width = last->row_ns / h->tier[0].row_ns;

	if (row - h->newest < 2 * width + HISTORY_OPEN)
		return;
	while (h->tier[0].next <= h->newest || h->tier[0].next % width)
		seal_oldest(h);
	int64_t leaps = (row - h->tier[0].next) / width;

	for (unsigned k = 0; k < h->tiers; k++)
		tier_skip(&h->tier[k], leaps * (last->row_ns / h->tier[k].row_ns));
	h->newest = h->tier[0].next;
}

static void open_until(struct history *h, int64_t row)
{
	leap(h, row);
	while (h->newest < row) {
		h->newest++;
		if (h->newest - h->tier[0].next == HISTORY_OPEN)
			seal_oldest(h);
	}
}

/* The open row for this time; a late comer gets the oldest open one. */
static struct row *row_at(struct history *h, int64_t t_ns)
{
	int64_t width = h->tier[0].row_ns;

	if ((uint64_t)t_ns - (uint64_t)h->cached_ns >= (uint64_t)width) {
		int64_t row = t_ns > h->zero_ns ? (t_ns - h->zero_ns) / width : 0;

		if (row > h->newest)
			open_until(h, row);
		if (row < h->tier[0].next) {
			h->late++;
			return &h->open[h->tier[0].next % HISTORY_OPEN];
		}
		h->cached_row = row;
		h->cached_ns = h->zero_ns + row * width;
	}
	if (h->cached_row < h->tier[0].next) {
		h->late++;
		return &h->open[h->tier[0].next % HISTORY_OPEN];
	}
	return &h->open[h->cached_row % HISTORY_OPEN];
}

void history_add(struct history *h, int64_t t_ns, int64_t value_ns)
{
	history_add_n(h, t_ns, value_ns, 1);
}

void history_add_n(struct history *h, int64_t t_ns, int64_t value_ns, uint64_t n)
{
	struct row *r = row_at(h, t_ns);

	r->count += n;
	if (value_ns > r->max_ns)
		r->max_ns = value_ns;
	if (r->counts)
		row_count(r, slot_of(value_ns), n);
}

void history_lost(struct history *h, int64_t t_ns, uint64_t missed, uint64_t interrupted)
{
	struct row *r = row_at(h, t_ns);

	r->missed += missed;
	r->interrupted += interrupted;
	if (missed)
		r->flags |= HISTORY_MISSED;
}

void history_flag(struct history *h, int64_t t_ns, unsigned flags)
{
	row_at(h, t_ns)->flags |= flags & 255;
}

void history_advance(struct history *h, int64_t now_ns)
{
	int64_t row = now_ns > h->zero_ns ? (now_ns - h->zero_ns) / h->tier[0].row_ns : 0;

	if (row > h->newest)
		open_until(h, row);
}

/* ---- reading ------------------------------------------------------------- */

static void add_open(const struct row *r, struct column *out)
{
	column_head(out, r->flags, r->missed, r->interrupted, r->max_ns);
	if (!r->counts) {
		out->count += r->count;
		return;
	}
	for (unsigned slot = r->low; slot <= r->high; slot++)
		if (r->counts[slot])
			column_count(out, slot, r->counts[slot]);
}

static void add_row(const struct history *h, unsigned k, int64_t row, struct column *out)
{
	if (k == 0 && row >= h->tier[0].next)
		add_open(&h->open[row % HISTORY_OPEN], out);
	else
		tier_decode(&h->tier[k], row, out);
	out->known = true;
}

static bool holds(const struct history *h, unsigned k, int64_t row)
{
	return row >= h->tier[k].oldest && row < (k ? h->tier[k].next : h->newest + 1);
}

/* The finest tier that still has this moment; h->tiers: none. */
static unsigned finest(const struct history *h, int64_t t)
{
	unsigned k = 0;

	while (k < h->tiers && !holds(h, k, t / h->tier[k].row_ns))
		k++;
	return k;
}

/* The coarsest tier with a row that begins at t, ends by `to` and tells as
 * much as tier k: the same sums in fewer steps. */
static unsigned coarsest(const struct history *h, unsigned k, int64_t t, int64_t to)
{
	for (unsigned up = h->tiers - 1; up > k; up--) {
		int64_t width = h->tier[up].row_ns;

		if (t % width == 0 && t + width <= to && holds(h, up, t / width) &&
		    (!h->tier[up].maxima || h->tier[k].maxima))
			return up;
	}
	return k;
}

void history_column(const struct history *h, int64_t from_ns, int64_t to_ns, struct column *out)
{
	int64_t end = (h->newest + 1) * h->tier[0].row_ns;
	int64_t t = from_ns > h->zero_ns ? from_ns - h->zero_ns : 0;
	int64_t to = to_ns > h->zero_ns ? to_ns - h->zero_ns : 0;

	*out = (struct column){ .low = SLOTS };
	if (to > end)
		to = end;
	if (t < history_oldest_ns(h) - h->zero_ns)
		t = history_oldest_ns(h) - h->zero_ns;
	while (t < to) {
		unsigned k = finest(h, t);

		if (k == h->tiers)
			return;
		int64_t width = h->tier[k].row_ns, start = t - t % width;

		/* Inside a row that began before the span: only when nothing else does. */
		if (start < t && (out->known || start + width < to)) {
			t = start + width;
			continue;
		}
		if (start == t)
			k = coarsest(h, k, t, to);
		add_row(h, k, start / h->tier[k].row_ns, out);
		t = start + h->tier[k].row_ns;
	}
}

int64_t history_oldest_ns(const struct history *h)
{
	int64_t oldest = h->tier[0].oldest * h->tier[0].row_ns;

	for (unsigned k = 1; k < h->tiers; k++) {
		const struct tier *t = &h->tier[k];

		if (t->oldest < t->next && t->oldest * t->row_ns < oldest)
			oldest = t->oldest * t->row_ns;
	}
	return h->zero_ns + oldest;
}

int64_t history_newest_ns(const struct history *h)
{
	return h->zero_ns + (h->newest + 1) * h->tier[0].row_ns;
}

uint64_t history_late(const struct history *h)
{
	return h->late;
}

size_t history_bytes(const struct history *h)
{
	return h->bytes;
}
