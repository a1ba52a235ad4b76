/*
 * helper_loop.c - sample after sample of an operation probe; see helper.h.
 *
 * What is pushed must add up: each entry stands for one period, a
 * RING_MISSED marker before it for those the last operation was too slow for.
 */
#include <errno.h>
#include <stdatomic.h>

#include "src/helper.h"
#include "src/sampler.h"

#define PUBLISH(word, value) atomic_store_explicit(&(word), (value), memory_order_relaxed)

static void grow(_Atomic uint64_t *word)
{
	PUBLISH(*word, atomic_load_explicit(word, memory_order_relaxed) + 1);
}

static bool stopping(const struct helper_run *run)
{
	return atomic_load_explicit(run->stop, memory_order_relaxed);
}

/* The stretch lies in memory that every helper can write. */
static void set_period(struct helper_run *run)
{
	unsigned stretch = run->stretch ? atomic_load_explicit(run->stretch, memory_order_relaxed) : 0;

	if (stretch > HELPER_STRETCH_MAX)
		stretch = HELPER_STRETCH_MAX;
	run->env->period_ns = run->period_ns << stretch;
	PUBLISH(run->line->period_ns, run->env->period_ns);
}

/* The entry with the marker it needs; both or none. */
static bool push(struct ring *ring, const struct probe_sample *out)
{
	if (out->error)
		return ring_push_marked(ring, RING_ERROR, out->error, out->due_ns, out->woke_ns);
	return ring_push(ring, out->due_ns, out->woke_ns);
}

static void spill(struct ring *ring, const struct probe_sample *out, uint64_t periods)
{
	if (out->error)
		ring_spill_error(ring, periods);
	else
		ring_spill(ring, out->woke_ns - out->due_ns, periods, false);
}

/* A marker that got in without its entry speaks of the next one, and the sum
 * is right all the same. */
static void file(struct ring *ring, const struct probe_sample *out)
{
	if (out->missed && !ring_push(ring, -RING_MISSED, out->missed))
		spill(ring, out, 1 + (uint64_t)out->missed);
	else if (!push(ring, out))
		spill(ring, out, 1);
}

static void tell(struct helper_run *run, const struct probe_sample *out)
{
	struct helper_line *line = run->line;

	grow(&line->calls);
	if (out->error) {
		grow(&line->errors);
		PUBLISH(line->last_errno, out->error);
	}
	if (run->cpu_ns)
		PUBLISH(line->cpu_ns, run->cpu_ns(run));
}

/* The first operation of each series finds cold caches and unmapped pages: it
 * is done, and not recorded. */
static bool warms_up(const struct helper_run *run, const struct probe_sample *out, uint32_t *warm)
{
	if (run->probe->flags & PROBE_ONESHOT)	/* its first time is what was asked for */
		*warm = UINT32_MAX;
	if (*warm & 1u << out->variant)
		return false;
	*warm |= 1u << out->variant;
	if (*warm == (1u << run->variants) - 1)
		PUBLISH(run->line->state, SAMPLER_RUNNING);
	return true;
}

static int one_sample(struct helper_run *run, uint32_t *warm)
{
	struct probe_sample out = { 0 };
	int err;

	set_period(run);
	err = run->probe->sample(run->state, &out);
	if (err)
		return err;
	if (out.variant >= run->variants)
		return -ERANGE;
	/* An operation that was cut short to stop it has not failed. */
	bool cut = stopping(run);

	if (cut)
		out.error = 0;
	tell(run, &out);
	if (warms_up(run, &out, warm) || cut)
		return 0;
	if (!atomic_load_explicit(&run->line->first_due_ns, memory_order_relaxed))
		PUBLISH(run->line->first_due_ns, out.due_ns);
	file(run->ring[out.variant], &out);
	return 0;
}

int helper_loop(struct helper_run *run)
{
	uint32_t warm = 0;
	int err = 0;

	PUBLISH(run->line->state, SAMPLER_WARMING);
	do
		err = stopping(run) ? 0 : one_sample(run, &warm);
	while (!err && !stopping(run) && !(run->probe->flags & PROBE_ONESHOT));
	/* A wait that was cut short to stop it is no failure. */
	if (stopping(run))
		err = 0;
	PUBLISH(run->line->in_flight_ns, 0);
	PUBLISH(run->line->state, err ? SAMPLER_FAILED : SAMPLER_ENDED);
	return err;
}
