/* window.c - see window.h. */
#include "src/window.h"

#include <stdlib.h>

#include "src/clock.h"
#include "src/slots.h"

#define BLOCKS 10

struct block {			/* the samples of one second */
	uint64_t placed;	/* in the ring */
	uint64_t count, early, over;
	int64_t min_ns, max_ns;
	double sum_ns;
	uint64_t unplaced[SLOTS];
	unsigned low, high;	/* of unplaced */
};

struct window {
	struct hist *now;
	int64_t zero_ns, second, second_ns;	/* the running second and its start */
	struct block blocks[BLOCKS];		/* second % BLOCKS */
	uint64_t mask, head, tail;
	uint16_t slots[];
};

static uint64_t room_for(uint64_t per_second)
{
	uint64_t room = 1024;

	while (room < per_second * (BLOCKS + 1))
		room *= 2;
	return room;
}

struct window *window_new(struct hist *now, uint64_t per_second)
{
	uint64_t room = room_for(per_second);
	struct window *w = calloc(1, sizeof(*w) + room * sizeof(w->slots[0]));

	if (!w)
		return NULL;
	w->now = now;
	w->mask = room - 1;
	window_start(w, 0);
	return w;
}

void window_free(struct window *w)
{
	free(w);
}

static void block_clear(struct block *b)
{
	for (unsigned slot = b->low; slot <= b->high && slot < SLOTS; slot++)
		b->unplaced[slot] = 0;
	b->placed = b->count = b->early = b->over = 0;
	b->min_ns = b->max_ns = 0;
	b->sum_ns = 0;
	b->low = SLOTS;
	b->high = 0;
}

void window_start(struct window *w, int64_t zero_ns)
{
	hist_clear(w->now);
	for (unsigned i = 0; i < BLOCKS; i++)
		block_clear(&w->blocks[i]);
	w->head = w->tail = 0;
	w->zero_ns = w->second_ns = zero_ns;
	w->second = 0;
}

static void take_out(struct hist *h, unsigned slot, uint64_t n)
{
	h->counts[slot] -= n;
	h->count -= n;
}

/* Slots and sums of what is left, after a block was taken out. */
static void tighten(struct window *w)
{
	struct hist *h = w->now;
	bool any = false;

	while (h->low <= h->high && !h->counts[h->low])
		h->low++;
	while (h->high > h->low && !h->counts[h->high])
		h->high--;
	h->early = h->over = 0;
	h->sum_ns = 0;
	h->min_ns = h->max_ns = 0;
	for (unsigned i = 0; i < BLOCKS; i++) {
		const struct block *b = &w->blocks[i];

		if (!b->count)
			continue;
		h->early += b->early;
		h->over += b->over;
		h->sum_ns += b->sum_ns;
		if (!any || b->min_ns < h->min_ns)
			h->min_ns = b->min_ns;
		if (!any || b->max_ns > h->max_ns)
			h->max_ns = b->max_ns;
		any = true;
	}
	if (!any)
		hist_clear(h);
}

static void expire(struct window *w, struct block *b)
{
	if (!b->count)
		return;
	for (; b->placed; b->placed--)
		take_out(w->now, w->slots[w->tail++ & w->mask], 1);
	for (unsigned slot = b->low; slot <= b->high && slot < SLOTS; slot++)
		if (b->unplaced[slot])
			take_out(w->now, hist_slot(w->now, slot_highest_ns(slot)),
				 b->unplaced[slot]);
	block_clear(b);
	tighten(w);
}

void window_advance(struct window *w, int64_t now_ns)
{
	if (now_ns - w->second_ns < NS_PER_S)
		return;
	int64_t second = (now_ns - w->zero_ns) / NS_PER_S;

	for (int64_t s = w->second + 1; s <= second && s <= w->second + BLOCKS; s++)
		expire(w, &w->blocks[s % BLOCKS]);
	w->second = second;
	w->second_ns = w->zero_ns + second * NS_PER_S;
}

/* The oldest block with samples: what goes when there are more than promised. */
static void make_room(struct window *w)
{
	for (int64_t s = w->second + 1; s <= w->second + BLOCKS; s++) {
		struct block *b = &w->blocks[s % BLOCKS];

		if (b->placed) {
			expire(w, b);
			return;
		}
	}
}

static void block_add(struct block *b, int64_t least_ns, int64_t most_ns, uint64_t n)
{
	if (!b->count || least_ns < b->min_ns)
		b->min_ns = least_ns;
	if (!b->count || most_ns > b->max_ns)
		b->max_ns = most_ns;
	b->count += n;
}

void window_add(struct window *w, int64_t t_ns, int64_t value_ns)
{
	window_advance(w, t_ns);
	if (w->head - w->tail > w->mask)
		make_room(w);
	struct block *b = &w->blocks[w->second % BLOCKS];
	int64_t recorded = value_ns < 0 ? 0 : value_ns;

	hist_record(w->now, value_ns);
	w->slots[w->head++ & w->mask] = (uint16_t)hist_slot(w->now, value_ns);
	b->placed++;
	block_add(b, recorded, recorded, 1);
	b->early += value_ns < 0;
	b->over += value_ns > HIST_HIGHEST_NS;
	b->sum_ns += (double)(recorded > HIST_HIGHEST_NS ? HIST_HIGHEST_NS : recorded);
}

void window_add_slot(struct window *w, unsigned slot, uint64_t n, int64_t max_ns)
{
	struct block *b = &w->blocks[w->second % BLOCKS];
	int64_t shown = slot_highest_ns(slot);
	int64_t most = max_ns ? max_ns : shown;

	if (!n)
		return;
	if (shown > HIST_HIGHEST_NS)
		shown = HIST_HIGHEST_NS;
	hist_record_n(w->now, shown, n);
	b->unplaced[slot] += n;
	if (slot < b->low)
		b->low = slot;
	if (slot > b->high)
		b->high = slot;
	block_add(b, shown < most ? shown : most, most, n);
	b->sum_ns += (double)shown * (double)n;
	tighten(w);
}
