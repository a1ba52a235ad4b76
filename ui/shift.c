/* shift.c - see shift.h. */
#include "ui/shift.h"

#include <stdbool.h>
#include <stddef.h>

#include "src/text_width.h"

/* Moving the cursor and deleting costs about as much as this many cells; and
 * what is left lies scattered, where every cell costs a move of the cursor. */
#define COST_CELLS 2
#define COST_SCATTERED 2

static bool same(const struct cell *a, const struct cell *b)
{
	return a->ch == b->ch && a->fg == b->fg && a->bg == b->bg && a->attr == b->attr;
}

static bool narrow(const struct cell *row, int from, int w)
{
	for (int x = from; x < w; x++)
		if (!row[x].ch || (row[x].ch >= 0x1100 && text_width(row[x].ch) == 2))
			return false;
	return true;
}

/* Cells that would still differ; stops counting at `most`. */
static int left_after(const struct cell *old, const struct cell *new, int from, int w, int by,
		      int most)
{
	int n = by;

	for (int x = from; x + by < w && n < most; x++)
		n += !same(&old[x + by], &new[x]);
	return n;
}

static bool is_ground(const struct cell *cell)
{
	return cell->ch == ' ' && cell->bg < 0 && !cell->attr;
}

int shift_find(const struct cell *old, const struct cell *new, int w, int *from)
{
	int first = 0, differ = 0, best = 0;

	while (first < w && same(&old[first], &new[first]))
		first++;
	for (int x = first; x < w; x++)
		differ += !same(&old[x], &new[x]);
	for (int by = 1; by <= SHIFT_MOST && first + by < w; by++) {
		int left = left_after(old, new, first, w, by, differ + by);

		/* The new cells at the end cost nothing when they stay empty. */
		for (int x = w - by; x < w; x++)
			left -= is_ground(&new[x]);
		if (COST_CELLS + COST_SCATTERED * left <= differ) {
			differ = left;
			best = by;
		}
	}
	if (!best || !narrow(old, first, w) || !narrow(new, first, w))
		return 0;
	*from = first;
	return best;
}
