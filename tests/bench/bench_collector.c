/*
 * bench_collector.c - 256 samplers at 1 kHz, 60 s of them, through the
 * collector: how many samples found their ring full, and how much of one CPU
 * the main thread needed.  Time is simulated, the work is not: the rings are
 * filled by this thread (not counted) and drained by ticks at 4 Hz (counted).
 *
 * JS_SECONDS (60) sets the simulated length.  `name value unit` lines.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/collector.h"

#define SAMPLERS 256
#define PERIOD NS_PER_MS
#define TICK (250 * NS_PER_MS)
#define ROOM 8192
#define ZERO (1000 * NS_PER_S)

static struct sampler_published published[SAMPLERS];
static struct ring *rings[SAMPLERS];
static uint64_t state = 7;

static uint64_t next(void)
{
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return state >> 33;
}

/* As an idle machine has them: most near 10 us, a tail, now and then 5 ms. */
static int64_t late_ns(void)
{
	uint64_t r = next();

	if (r % 100000 == 0)
		return 5 * NS_PER_MS;
	return 4000 + (int64_t)(r % 8000) + (r % 50 ? 0 : (int64_t)(r % 90000));
}

static void fill(unsigned i, int64_t *due, int64_t until)
{
	while (*due < until) {
		int64_t late = late_ns(), missed = probe_missed(*due, *due + late, PERIOD);

		if (!ring_push(rings[i], *due, *due + late))
			ring_spill(rings[i], late, 1 + (uint64_t)missed, false);
		*due += (missed + 1) * PERIOD;
	}
	atomic_store(&published[i].beat_ns, *due - PERIOD);
	atomic_store(&published[i].next_due_ns, *due);
}

static struct model *make_model(void)
{
	const struct model_spec spec = {
		.groups = 1, .series = SAMPLERS, .digits = 2, .start_ns = ZERO};
	struct model *m = model_new(&spec);

	if (!m)
		exit(1);
	m->groups[0].nr = SAMPLERS;
	m->groups[0].on = true;
	for (unsigned i = 0; i < SAMPLERS; i++) {
		m->series[i].cpu = (int)i;
		m->series[i].interval_ns = PERIOD;
	}
	model_zero(m, ZERO);
	return m;
}

static void add_sources(struct collector *c)
{
	for (unsigned i = 0; i < SAMPLERS; i++) {
		struct collector_source source = { .series = i, .published = &published[i] };

		rings[i] = source.ring = ring_new(ROOM);
		published[i].first_due_ns = ZERO + (int64_t)i * 3000;
		published[i].state = SAMPLER_RUNNING;
		if (!rings[i] || collector_add(c, &source, NULL))
			exit(1);
	}
}

int main(void)
{
	const char *text = getenv("JS_SECONDS");
	int64_t seconds = text ? atoll(text) : 60, spent_ns = 0;
	struct model *m = make_model();
	struct collector *c = collector_new(m, NULL);
	int64_t due[SAMPLERS];

	if (!c || seconds < 1)
		return 1;
	add_sources(c);
	for (unsigned i = 0; i < SAMPLERS; i++)
		due[i] = published[i].first_due_ns;
	for (int64_t now = ZERO + TICK; now <= ZERO + seconds * NS_PER_S; now += TICK) {
		for (unsigned i = 0; i < SAMPLERS; i++)
			fill(i, &due[i], now);
		int64_t begun_ns = clock_thread_cpu_ns();

		collector_tick(c, now);
		spent_ns += clock_thread_cpu_ns() - begun_ns;
	}
	struct counts n = model_counts(m, &m->groups[0]);

	if (!counts_hold(&n))
		return 1;
	printf("collector_256_unplaced %llu samples\n", (unsigned long long)n.unplaced);
	printf("collector_256_late %llu samples\n",
	       (unsigned long long)history_late(m->groups[0].history));
	printf("collector_256_cpu %.2f percent\n",
	       100 * (double)spent_ns / (double)(seconds * NS_PER_S));
	printf("collector_sample %.1f ns\n", (double)spent_ns / (double)n.due);
	collector_free(c);
	model_free(m);
	for (unsigned i = 0; i < SAMPLERS; i++)
		ring_free(rings[i]);
	return 0;
}
