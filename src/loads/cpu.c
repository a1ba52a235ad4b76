/*
 * cpu.c - processes that compute and never sleep.
 *
 * A loop is a fixed amount of integer work, about a millisecond of it.  What
 * one CPU does alone is measured before the start, for comparison.
 */
#include "src/load.h"

#define STEPS_PER_LOOP 400000u
#define CALIBRATE_NS (500 * NS_PER_MS)

static const char *const figure_names[] = { "calibrated_per_s", NULL };

/* xorshift: every step needs the one before, so no unit of the CPU idles. */
static uint64_t spin(uint64_t x)
{
	for (unsigned i = 0; i < STEPS_PER_LOOP; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
	}
	return x;
}

/* Its result goes where the compiler must believe that somebody looks. */
static volatile uint64_t sink;

static int cpu_prepare(struct load_worker *w, struct why *why)
{
	int64_t begun_ns = clock_thread_cpu_ns(), now_ns, took_ns = 0;
	uint64_t x = w->seed | 1;
	double loops = 0, rate;

	(void)why;
	do {
		x = spin(x);
		loops++;
		now_ns = clock_thread_cpu_ns();
		took_ns = now_ns - begun_ns;
	} while (took_ns < CALIBRATE_NS && load_going(w));
	sink = x;
	rate = loops * 1e9 / (double)took_ns;
	load_publish(w, &rate, 1, NULL);
	return 0;
}

static int cpu_run(struct load_worker *w, struct why *why)
{
	uint64_t x = w->seed | 1;

	(void)why;
	while (load_going(w)) {
		x = spin(x);
		load_add(w, 1, 0);
		load_cpu(w);
	}
	sink = x;
	return 0;
}

const struct load load_cpu_spin = {
	.name = "cpu",
	.key = 'U',
	.summary = "processes that compute and never sleep",
	.unit = "loops",
	.rate_unit = "loops/s",
	.figure = LOAD_OPS,
	.version = 1,
	.default_per_cpu = 1,
	.max_workers = 128,
	.figure_names = figure_names,
	.tasks_per_worker = 1,
	.prepare = cpu_prepare,
	.run = cpu_run,
};
