/*
 * bench_core.c - what one sample costs in the core: `name value unit` lines.
 *
 * Each figure is the best of a few short rounds, so that a busy machine
 * disturbs it less.
 */
#include <stdio.h>
#include <stdlib.h>

#include "src/clock.h"
#include "src/hist.h"
#include "src/ring.h"

#define ROUNDS 9
#define OPS 200000
#define ROOM 4096

static struct ring *ring;
static struct hist *hist;
static int64_t values[4096];
static int64_t sink;

static void drain_all(void)
{
	static struct ring_entry out[ROOM];

	sink += ring_drain(ring, INT64_MAX, out, ROOM);
}

/* Filled and drained by turns; only the filling is timed. */
static int64_t push_round(void)
{
	int64_t spent_ns = 0;

	for (int done = 0; done < OPS; done += ROOM) {
		int64_t start_ns = clock_now_ns();

		for (int i = 1; i <= ROOM; i++)
			ring_push(ring, i, i + 7);
		spent_ns += clock_now_ns() - start_ns;
		drain_all();
	}
	return spent_ns;
}

static int64_t drain_round(void)
{
	int64_t spent_ns = 0;

	for (int done = 0; done < OPS; done += ROOM) {
		for (int i = 1; i <= ROOM; i++)
			ring_push(ring, i, i + 7);
		int64_t start_ns = clock_now_ns();

		drain_all();
		spent_ns += clock_now_ns() - start_ns;
	}
	return spent_ns;
}

static int64_t record_round(void)
{
	int64_t start_ns = clock_now_ns();

	for (int i = 0; i < OPS; i++)
		hist_record(hist, values[i & 4095]);
	return clock_now_ns() - start_ns;
}

/* The four of a screen, of a histogram with a long tail. */
static int64_t percentile_round(void)
{
	static const double percents[] = { 50, 99, 99.9, 99.99 };
	int64_t out[4], start_ns = clock_now_ns();

	for (int i = 0; i < 100; i++) {
		hist_percentiles(hist, percents, out, 4);
		sink += out[3];
	}
	return (clock_now_ns() - start_ns) * (OPS / 100);
}

static int64_t clear_round(void)
{
	int64_t spent_ns = 0;

	for (int i = 0; i < 100; i++) {
		for (int k = 0; k < 250; k++)
			hist_record(hist, values[k]);
		int64_t start_ns = clock_now_ns();

		hist_clear(hist);
		spent_ns += clock_now_ns() - start_ns;
	}
	return spent_ns * (OPS / 100);
}

static void report(const char *name, int64_t (*round)(void))
{
	int64_t best_ns = INT64_MAX;

	for (int i = 0; i < ROUNDS; i++) {
		int64_t ns = round();

		if (ns < best_ns)
			best_ns = ns;
	}
	printf("%s %.2f ns\n", name, (double)best_ns / OPS);
}

int main(void)
{
	ring = ring_new(ROOM);
	hist = hist_new(3);
	if (!ring || !hist)
		return EXIT_FAILURE;
	ring_prefault(ring);
	srand(1);
	for (int i = 0; i < 4096; i++)		/* 10 us, and a tail up to 10 ms */
		values[i] = 10000 + rand() % 4000 + (i % 64 ? 0 : rand() % 10000000);
	report("ring_push", push_round);
	report("ring_drain_entry", drain_round);
	report("hist_record", record_round);
	report("hist_percentiles_of_four", percentile_round);
	report("hist_clear", clear_round);
	ring_free(ring);
	hist_free(hist);
	return sink == 42;
}
