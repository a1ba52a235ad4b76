/* doctor_trial.c - what a wake-up costs here, and how late it is; see doctor.h. */
#include <errno.h>
#include <stdatomic.h>

#include "src/clock.h"
#include "src/doctor.h"
#include "src/hist.h"
#include "src/sampler.h"

#define PERIOD_NS NS_PER_MS
#define WAKES 300
#define PATIENCE_NS (3 * NS_PER_S)
#define ROOM (1u << 15)		/* as for a run: what is locked is what a run locks */
#define BATCH 64

static const struct probe *real_time_probe(void)
{
	for (unsigned i = 0; probes[i]; i++) {
		if (probes[i]->flags & PROBE_DEFAULT && probes[i]->flags & PROBE_RT)
			return probes[i];
	}
	return NULL;
}

static uint64_t samples_of(const struct sampler *s)
{
	return atomic_load_explicit(&sampler_published(s)->samples, memory_order_relaxed);
}

/* Until there are n samples; how many there are. */
static uint64_t wait_for(const struct sampler *s, uint64_t n)
{
	int64_t until_ns = clock_now_ns() + PATIENCE_NS;

	while (samples_of(s) < n && clock_now_ns() < until_ns)
		clock_wait_until(clock_now_ns() + 10 * NS_PER_MS);
	return samples_of(s);
}

static void read_ring(struct sampler *s, struct doctor_trial *out)
{
	struct hist *h = hist_new(3);
	struct ring_entry entries[BATCH];
	unsigned n;

	while (h && (n = ring_drain(sampler_ring(s, 0), INT64_MAX, entries, BATCH)) > 0) {
		for (unsigned i = 0; i < n; i++) {
			if (entries[i].due_ns > 0)
				hist_record(h, entries[i].woke_ns - entries[i].due_ns);
		}
	}
	out->p50_ns = h ? hist_percentile(h, 50) : 0;
	out->max_ns = h ? h->max_ns : 0;
	hist_free(h);
}

static void measure(struct sampler *s, struct doctor_trial *out)
{
	uint64_t first, last;
	int64_t cpu_ns;

	sampler_granted(s, &out->granted);
	out->why = sampler_why(s);
	out->locked = sampler_locked(s);
	sampler_release(s, clock_now_ns() + 5 * NS_PER_MS);
	first = wait_for(s, 1);
	cpu_ns = sampler_cpu_ns(s);
	last = wait_for(s, WAKES);
	cpu_ns = sampler_cpu_ns(s) - cpu_ns;
	sampler_ask_stop(s);
	sampler_join(s);
	out->ran = last > first;
	out->wakes = (unsigned)last;
	out->cpu_ns = out->ran ? cpu_ns / (int64_t)(last - first) : 0;
	read_ring(s, out);
	if (!out->ran)
		why_set(&out->why, -ETIMEDOUT, "the trial thread did not wake up; free a CPU");
}

void doctor_trial_run(const struct rt_rights *rights, int cpu, struct doctor_trial *out)
{
	const struct sampler_config config = {
		.probe = real_time_probe(), .cpu = cpu, .period_ns = PERIOD_NS,
		.priority = rights->priority, .want_fifo = rights->fifo, .ring_room = ROOM,
		.warmup = 20,
	};
	struct sampler *s;

	*out = (struct doctor_trial){ .ran = false };
	if (!config.probe) {
		why_set(&out->why, -ENOENT, "no real-time probe in this build");
		return;
	}
	s = sampler_start(&config, &out->why);
	if (!s)
		return;
	measure(s, out);
	sampler_free(s);
}
