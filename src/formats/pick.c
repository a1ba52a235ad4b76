/* pick.c - see pick.h. */
#include "src/formats/pick.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MAIN_PROBE "wakeup-fifo"

const char *pick_probe(const struct snapshot *s)
{
	for (unsigned i = 0; i < s->nr_series; i++)
		if (!strcmp(s->series[i].probe, MAIN_PROBE))
			return MAIN_PROBE;
	return s->nr_series ? s->series[0].probe : NULL;
}

static int by_cpu(const void *a, const void *b)
{
	const struct snapshot_series *const *x = a, *const *y = b;

	if ((*x)->cpu != (*y)->cpu)
		return (*x)->cpu < (*y)->cpu ? -1 : 1;
	return *x < *y ? -1 : *x > *y;	/* as they stand in the file */
}

unsigned pick_series(const struct snapshot *s, const struct snapshot_series **out, unsigned room)
{
	const char *probe = pick_probe(s);
	unsigned n = 0;

	for (unsigned i = 0; i < s->nr_series && n < room; i++)
		if (!strcmp(s->series[i].probe, probe))
			out[n++] = &s->series[i];
	if (n)
		qsort(out, n, sizeof(*out), by_cpu);
	return n;
}

int64_t pick_value_ns(const struct snapshot_series *one, size_t i)
{
	int64_t v = one->histogram[i].value_ns;

	return v < one->max_ns ? v : one->max_ns;
}

int pick_dist(struct dist *d, const struct snapshot *s)
{
	const char *probe = pick_probe(s);
	int err = dist_make(d, s, probe ? probe : "", DIST_ALL_CPUS);

	return err == -ENOENT ? 0 : err;
}
