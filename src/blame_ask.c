/* blame_ask.c - see blame_ask.h. */
#include "src/blame_ask.h"

#include <string.h>

#include "src/clock.h"

static bool all_told(const struct blame_name *names, unsigned nr)
{
	for (unsigned i = 0; i < nr; i++)
		if (!names[i].told_ns && !names[i].small)
			return false;
	return true;
}

/* Has it more than what may be read while it runs? */
static bool holds_more(const struct perf_ring_bytes *bytes)
{
	return 0 - bytes->head > bytes->most;
}

void blame_ask_ring(struct blame_ring *r, const struct trace_layout *layout,
		    struct blame_name *names, unsigned nr)
{
	struct blame_name found[BLAME_SHARES];
	struct perf_ring_bytes bytes = blame_ring_bytes(r, true);

	memcpy(found, names, nr * sizeof(*names));
	blame_find_names(found, nr, &bytes, layout);
	if (blame_ring_intact(r, &bytes)) {
		memcpy(names, found, nr * sizeof(*names));
		if (all_told(names, nr) || !holds_more(&bytes))
			return;
	}
	blame_ring_pause(r);
	bytes = blame_ring_bytes(r, false);
	blame_find_names(names, nr, &bytes, layout);
	blame_ring_resume(r);
}

void blame_ask_others(const struct blame_others *o, const struct trace_layout *layout,
		      struct blame_name *names, unsigned nr)
{
	int64_t until_ns = clock_thread_cpu_ns() + o->budget_ns;

	for (unsigned i = 0; i < o->rings; i++) {
		struct blame_ring *r = &o->ring[(*o->next)++ % o->rings];

		if (r->cpu == o->own_cpu || r->fd < 0)
			continue;
		blame_ask_ring(r, layout, names, nr);
		if (clock_thread_cpu_ns() >= until_ns)
			return;
	}
}
