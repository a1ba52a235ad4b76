/*
 * load_history.c - the work a load did, by time: the load row's columns.
 *
 * Four bands of the same widths as a full history's tiers, all fed directly.
 * Each is a ring of rows; a row is its work and whether the load ran in it.
 */
#include <stdlib.h>
#include <string.h>

#include "src/clock.h"
#include "src/model.h"

#define BANDS 4

static const struct { int64_t row_ns, span_ns; } plan[BANDS] = {
	{ HISTORY_ROW_NS, 900 * NS_PER_S },
	{ NS_PER_S, 7200 * NS_PER_S },
	{ 10 * NS_PER_S, 86400 * NS_PER_S },
	{ 60 * NS_PER_S, 604800 * NS_PER_S },
};

struct band {
	int64_t row_ns, rows;
	int64_t newest;		/* row number from zero_ns; rows newest - rows + 1 .. newest are kept */
	double *done;
	bool *ran;
};

/* All bands of a load lie in one block, which is big enough to be a map of
 * untouched zero pages: a load that never runs costs next to no memory. */
struct load_history {
	int64_t zero_ns;
	bool used;		/* else every page is untouched */
	struct band band[BANDS];
	double done[];
};

static int64_t rows_of(unsigned band)
{
	return plan[band].span_ns / plan[band].row_ns;
}

struct load_history *load_history_new(int64_t zero_ns)
{
	size_t rows = 0;

	for (unsigned k = 0; k < BANDS; k++)
		rows += (size_t)rows_of(k);
	struct load_history *h = calloc(1, sizeof(*h) + rows * (sizeof(double) + sizeof(bool)));

	if (!h)
		return NULL;
	double *done = h->done;
	bool *ran = (bool *)(h->done + rows);

	h->zero_ns = zero_ns;
	for (unsigned k = 0; k < BANDS; k++) {
		h->band[k] = (struct band){
			.row_ns = plan[k].row_ns, .rows = rows_of(k), .done = done, .ran = ran,
		};
		done += rows_of(k);
		ran += rows_of(k);
	}
	return h;
}

void load_history_free(struct load_history *h)
{
	free(h);
}

void load_history_restart(struct load_history *h, int64_t zero_ns)
{
	h->zero_ns = zero_ns;
	for (unsigned k = 0; k < BANDS && h->used; k++) {
		struct band *t = &h->band[k];

		/* Only what was used: the rest are untouched zero pages. */
		size_t used = (size_t)(t->newest < t->rows ? t->newest + 1 : t->rows);

		memset(t->done, 0, used * sizeof(*t->done));
		memset(t->ran, 0, used * sizeof(*t->ran));
		t->newest = 0;
	}
	h->used = false;
}

static void open_until(struct band *t, int64_t row)
{
	int64_t first = t->newest + 1;

	if (first < row - t->rows + 1)
		first = row - t->rows + 1;
	for (int64_t i = first; i <= row; i++) {
		t->done[i % t->rows] = 0;
		t->ran[i % t->rows] = false;
	}
	t->newest = row;
}

void load_history_add(struct load_history *h, int64_t t_ns, double done, bool running)
{
	int64_t t = t_ns > h->zero_ns ? t_ns - h->zero_ns : 0;

	h->used = true;
	for (unsigned k = 0; k < BANDS; k++) {
		struct band *b = &h->band[k];
		int64_t row = t / b->row_ns;

		if (row > b->newest)
			open_until(b, row);
		if (row <= b->newest - b->rows)
			continue;
		b->done[row % b->rows] += done;
		b->ran[row % b->rows] |= running;
	}
}

static bool holds(const struct band *t, int64_t row)
{
	return row > t->newest - t->rows && row <= t->newest;
}

/* The finest tier that still has this moment, or a coarser one whose row
 * begins here and ends within the span; NULL: too old. */
static const struct band *band_for(const struct load_history *h, int64_t t, int64_t to)
{
	const struct band *found = NULL;

	for (unsigned k = 0; k < BANDS; k++) {
		const struct band *b = &h->band[k];

		if (!holds(b, t / b->row_ns))
			continue;
		if (!found || (t % b->row_ns == 0 && t + b->row_ns <= to))
			found = b;
	}
	return found;
}

bool load_history_span(const struct load_history *h, int64_t from_ns, int64_t to_ns, double *done)
{
	int64_t end = (h->band[0].newest + 1) * h->band[0].row_ns;
	int64_t t = from_ns > h->zero_ns ? from_ns - h->zero_ns : 0;
	int64_t to = to_ns > h->zero_ns ? to_ns - h->zero_ns : 0;
	bool ran = false, any = false;

	*done = 0;
	if (to > end)
		to = end;
	while (t < to) {
		const struct band *b = band_for(h, t, to);

		if (!b) {	/* before the oldest row: begin there */
			const struct band *last = &h->band[BANDS - 1];

			t = (last->newest - last->rows + 1) * last->row_ns;
			continue;
		}
		int64_t row = t / b->row_ns, start = row * b->row_ns;
		bool begins = start == t;

		t = start + b->row_ns;
		/* Inside a row that began before the span: only when nothing else does. */
		if (!begins && (any || t < to))
			continue;
		*done += b->done[row % b->rows];
		ran |= b->ran[row % b->rows];
		any = true;
	}
	return ran;
}
