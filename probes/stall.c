/*
 * stall.c - does the desktop freeze?
 *
 * A loop that wants to turn 100 times a second, as a program that draws does.
 * The sample is the gap between two turns, less the 10 ms it asked for; a gap
 * above 100 ms is a glitch, one of a second or more a freeze.  It begins each
 * sleep where the last turn ended, so it never catches up.
 *
 * Memory of this program may be locked: then it does not feel swapping.
 */
#include <errno.h>

#include "src/probe.h"

#define TURN_NS (10 * NS_PER_MS)
#define GLITCH_NS (100 * NS_PER_MS)
#define FREEZE_NS NS_PER_S

enum { GLITCHES, FREEZES, LONGEST };

struct stall {
	const struct probe_env *env;
	int64_t turned_ns;	/* when the last turn was; 0: never */
};

static int stall_open(void *state, const struct probe_env *env, struct why *why)
{
	struct stall *s = state;

	(void)why;
	*s = (struct stall){ .env = env };
	return 0;
}

static void judge(const struct probe_env *env, int64_t gap_ns)
{
	if (gap_ns >= FREEZE_NS)
		probe_counter_add(env, FREEZES, 1);
	else if (gap_ns > GLITCH_NS)
		probe_counter_add(env, GLITCHES, 1);
	probe_counter_most(env, LONGEST, gap_ns);
}

static int stall_sample(void *state, struct probe_sample *out)
{
	struct stall *s = state;
	const struct probe_env *env = s->env;
	int64_t from_ns = s->turned_ns ? s->turned_ns : env->first_due_ns - TURN_NS;
	int err = env->wait_until(env->ctx, from_ns + TURN_NS);

	if (err)
		return -err;
	out->due_ns = from_ns + TURN_NS;
	out->woke_ns = env->now_ns(env->ctx);
	s->turned_ns = out->woke_ns;
	judge(env, out->woke_ns - from_ns);
	return 0;
}

const struct probe probe_stall = {
	.name = "stall",
	.summary = "gaps in a loop of 100 turns a second: glitches, freezes",
	.flags = PROBE_LIGHT,
	.period_ns = TURN_NS,
	.counters = {
		[GLITCHES] = { .name = "glitches", .is_event = true },
		[FREEZES] = { .name = "freezes", .is_event = true },
		[LONGEST] = { .name = "longest gap", .is_time = true, .is_most = true },
	},
	.state_size = sizeof(struct stall),
	.open = stall_open,
	.sample = stall_sample,
};
