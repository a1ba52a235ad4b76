/* rungs.c - see rungs.h. */
#include "src/rungs.h"

#include <stdio.h>

#define MOST_NS (120 * NS_PER_S)

static void make_step(struct step *step, const struct order *load, unsigned rung, unsigned time,
		      int64_t length_ns)
{
	unsigned workers = 1u << rung;

	*step = (struct step){ .back = *load, .hold_ns = length_ns, .whole_passes = true,
			       .most_ns = length_ns > MOST_NS ? length_ns : MOST_NS,
			       .guess_ns = length_ns + NS_PER_S };
	step->back.workers = workers;
	snprintf(step->name, sizeof(step->name), "%u.%u", workers, time + 1);
	snprintf(step->pick[0], sizeof(step->pick[0]), "%u", workers);
}

void rungs_make(struct step steps[RUNGS_STEPS], const struct order *load, int64_t length_ns)
{
	for (unsigned i = 0; i < RUNGS_STEPS; i++)
		make_step(&steps[i], load, i / RUNGS_TIMES, i % RUNGS_TIMES, length_ns);
}
