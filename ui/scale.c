/* scale.c - see scale.h. */
#include "ui/scale.h"

#include <math.h>
#include <stddef.h>

/* The last cell begins at high: what lies above the range has a cell of its
 * own, and decades fall on the same cells as their labels. */
static double boundary(const struct scale *s, int cell)
{
	if (s->cells < 2)
		return cell < 1 ? s->low_ns : s->high_ns;
	double steps = s->cells - 1;

	return s->low_ns * pow((double)s->high_ns / s->low_ns, cell / steps);
}

int64_t scale_low(const struct scale *s, int cell)
{
	/* A hair below, so that rounding never lifts an exact decade by 1 ns. */
	return (int64_t)ceil(boundary(s, cell) * (1 - 1e-12));
}

int scale_cell(const struct scale *s, int64_t ns)
{
	if (s->cells < 2 || ns <= s->low_ns)
		return 0;
	if (ns >= s->high_ns)
		return s->cells - 1;
	double part = log((double)ns / s->low_ns) / log((double)s->high_ns / s->low_ns);
	int cell = (int)(part * (s->cells - 1));

	while (cell > 0 && scale_low(s, cell) > ns)
		cell--;
	while (cell < s->cells - 1 && scale_low(s, cell + 1) <= ns)
		cell++;
	return cell;
}

bool scale_holds(const struct scale *s, int64_t ns)
{
	return ns >= s->low_ns && ns <= s->high_ns;
}

const char *scale_label(const struct scale *s, int cell)
{
	static const char *const decades[] = {
		"1ns", "10ns", "100ns", "1us", "10us", "100us", "1ms", "10ms", "100ms",
		"1s", "10s", "100s", "1000s",
	};
	int64_t low = scale_low(s, cell), next = scale_low(s, cell + 1), value = 1;

	for (size_t i = 0; i < sizeof(decades) / sizeof(decades[0]); i++, value *= 10)
		if (value >= low && (value < next || value == low))
			return decades[i];
	return NULL;
}

double scale_level(uint64_t count, uint64_t most)
{
	if (!count)
		return 0;
	if (count >= most)
		return 1;
	return log1p((double)count) / log1p((double)most);
}
