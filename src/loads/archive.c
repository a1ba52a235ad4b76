/* archive.c - see archive.h. */
#include "src/loads/archive.h"

#include <stdio.h>

#include "src/loads/failure.h"

#define MB UINT64_C(1000000)

const char *const archive_sizes[] = { "20", "200", NULL };

uint64_t archive_bytes(const long *knob)
{
	return knob[0] ? 200 * MB : 20 * MB;
}

/* Headers and half-filled blocks come to about a twentieth. */
uint64_t archive_disk(unsigned workers, const long *knob)
{
	return workers * archive_bytes(knob) / 20 * 42;
}

int archive_check(const struct load_worker *w, struct why *why)
{
	return failure_budget(why, archive_disk(w->workers, w->knob), w->disk_budget_bytes,
			      "fewer workers");
}

void archive_name(char buf[TREE_NAME_MAX], unsigned worker)
{
	snprintf(buf, TREE_NAME_MAX, "archive.%03u", worker);
}
