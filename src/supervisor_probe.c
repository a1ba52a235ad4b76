/* supervisor_probe.c - main's end for operation probes; see supervisor.h. */
#include <errno.h>
#include <string.h>

#include "src/supervisor_internal.h"

/* What an earlier process left behind belongs to no run. */
static int drain(struct supervisor *s, unsigned probe)
{
	struct ring_entry entries[64];

	for (unsigned v = 0; v < probe_variants(probes[probe]); v++) {
		struct ring *r = helper_memory_ring(s->helpers, probe, v);

		if (!r)
			return -ENOMEM;
		for (unsigned left = ring_room(r); left; left -= left < 64 ? left : 64)
			if (ring_drain(r, INT64_MAX, entries, 64) < 64)
				break;
	}
	return 0;
}

int supervisor_probe_start(struct supervisor *s, unsigned probe, int64_t period_ns,
			   const long knob[PROBE_KNOBS_MAX], struct why *why)
{
	struct wire r = { .id = probe, .wide = period_ns };
	int err;

	if (!helper_memory_of(s->helpers, probe))
		return why_set(why, -ENOENT, "no such operation probe");
	for (unsigned i = 0; i < PROBE_KNOBS_MAX; i++) {
		if (knob[i] < INT32_MIN || knob[i] > INT32_MAX)
			return why_set(why, -EINVAL, "%s: knob out of range", probes[probe]->name);
		r.arg[i] = (int32_t)knob[i];
	}
	if (drain(s, probe))
		return why_set(why, -ENOMEM, "no memory for its ring; close something");
	r.number = s->started[probe] + 1;
	err = supervisor_order(s, &r, WIRE_PROBE_START);
	s->started[probe] += !err;
	return supervisor_explain(err, why);
}

int supervisor_probe_stop(struct supervisor *s, unsigned probe)
{
	return supervisor_order(s, &(struct wire){ .id = probe }, WIRE_PROBE_STOP);
}

struct ring *supervisor_probe_ring(struct supervisor *s, unsigned probe, unsigned variant)
{
	return helper_memory_ring(s->helpers, probe, variant);
}

const struct helper_line *supervisor_probe_line(const struct supervisor *s, unsigned probe)
{
	const struct helper_shared *shared = helper_memory_of(s->helpers, probe);

	return shared ? &shared->line : NULL;
}
