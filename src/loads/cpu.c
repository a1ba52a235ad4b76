/*
 * cpu.c - processes that compute and never sleep.
 *
 * A loop is a fixed amount of integer work, about a millisecond of it.  What
 * one CPU does alone is measured before the start, for comparison.
 */
#include "src/load.h"

#define STEPS_PER_LOOP 400000u
#define CALIBRATE_NS (500 * NS_PER_MS)	/* of CPU time */
#define CALIBRATE_MOST_NS NS_PER_S	/* of real time: others may have the CPU */

#define TELL_NS (NS_PER_S / 2)

struct cpu_shared {
	double calibrated;	/* loops a second of one CPU alone; set before the start */
};

static const char *const figure_names[] = { "calibrated_per_s", "pct_of_calibrated", NULL };

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
	int64_t begun_ns = clock_thread_cpu_ns(), took_ns;
	int64_t latest_ns = clock_now_ns() + CALIBRATE_MOST_NS;
	struct cpu_shared *shared = w->shared;
	uint64_t x = w->seed | 1;
	double loops = 0;

	(void)why;
	do {
		x = spin(x);
		loops++;
		took_ns = clock_thread_cpu_ns() - begun_ns;
	} while (took_ns < CALIBRATE_NS && clock_now_ns() < latest_ns && load_going(w));
	sink = x;
	shared->calibrated = loops * 1e9 / (double)took_ns;
	load_publish(w, &shared->calibrated, 1, NULL);
	return 0;
}

/* All workers together, since the start: 100 = every CPU as fast as one alone. */
static void tell(struct load_worker *w, int64_t ran_ns)
{
	const struct cpu_shared *shared = w->shared;
	double loops = 0, figure[2] = { shared->calibrated };

	for (unsigned i = 0; i < w->workers; i++)
		loops += (double)atomic_load_explicit(&w->lines[i].ops, memory_order_relaxed);
	figure[1] = 100 * loops * 1e9 / (double)ran_ns / shared->calibrated / w->ncpu;
	load_publish(w, figure, 2, NULL);
}

static int cpu_run(struct load_worker *w, struct why *why)
{
	int64_t begun_ns = clock_now_ns(), told_ns = begun_ns, now_ns;
	uint64_t x = w->seed | 1;

	(void)why;
	while (load_going(w)) {
		x = spin(x);
		load_add(w, 1, 0);
		load_cpu(w);
		now_ns = clock_now_ns();
		if (w->index || now_ns - told_ns < TELL_NS)
			continue;
		tell(w, now_ns - begun_ns);
		told_ns = now_ns;
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
	.shared_bytes = sizeof(struct cpu_shared),
	.tasks_per_worker = 1,
	.prepare = cpu_prepare,
	.run = cpu_run,
};
