/*
 * bench_blame.c - what the flight recorder costs, on and off by turns in one
 * run: a context switch (two processes on one CPU that hand a byte to and fro),
 * and the CPU time a sample and p99 of `record`.
 *
 * JS_ROUNDS (41) and JS_TRIPS (1500) set the length of the first, JS_PAIRS (5)
 * and JS_SECONDS (4) that of the second.  The figures are medians of the
 * differences between neighbours.
 */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/blame_rings.h"
#include "src/clock.h"
#include "src/cpuset.h"
#include "src/hist.h"
#include "tests/prog.h"

#define MOST 256
#define RING_BYTES (512u << 10)
#define SETTLE_NS (10 * NS_PER_MS)	/* opening and closing leaves work behind */
#define REST_US 10000		/* for the others, and below the limit of real time */

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *v, int n)
{
	qsort(v, (size_t)n, sizeof(*v), by_value);
	return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

static int number(const char *name, int usual, int most)
{
	const char *text = getenv(name);
	int n = text ? atoi(text) : usual;

	return n < 1 || n > most ? usual : n;
}

/* ---- a context switch ---------------------------------------------------- */

static int there[2], back[2];

static void echo(void)
{
	char byte;

	close(there[1]);
	while (read(there[0], &byte, 1) == 1 && write(back[1], &byte, 1) == 1)
		;
	_exit(0);
}

static void trip(void)
{
	char byte = 0;

	if (write(there[1], &byte, 1) != 1 || read(back[0], &byte, 1) != 1)
		exit(1);
}

static double switch_ns(int trips)
{
	usleep(REST_US);
	int64_t begun = clock_now_ns();

	while (clock_now_ns() < begun + SETTLE_NS)
		trip();
	begun = clock_now_ns();
	for (int i = 0; i < trips; i++)
		trip();
	return (double)(clock_now_ns() - begun) / (2.0 * trips);
}

enum side { OFF, SWITCH, TRACEPOINTS, SIDES };

static double measure(enum side side, int cpu, const struct trace_layout *layout, int trips)
{
	struct blame_ring ring;
	double ns;

	if (side == OFF)
		return switch_ns(trips);
	if (blame_ring_open(&ring, cpu, side == TRACEPOINTS ? layout : NULL, RING_BYTES, NULL))
		return 0;
	blame_ring_watch(&ring, 1);	/* as for a sampler: no other waking is kept */
	ns = switch_ns(trips);
	blame_ring_close(&ring);
	return ns;
}

static void tell_switches(double ns[SIDES][MOST], int rounds, enum side last)
{
	static const char *const names[] = { "", "switch", "tracepoints" };
	double more[MOST];

	for (enum side s = SWITCH; s <= last; s++) {
		for (int i = 0; i < rounds; i++)
			more[i] = ns[s][i] - ns[OFF][i];
		printf("blame_%s_per_switch %.3f us\n", names[s], median(more, rounds) / 1e3);
	}
	printf("context_switch_without_blame %.3f us\n", median(ns[OFF], rounds) / 1e3);
}

static void bench_switches(int cpu)
{
	static double ns[SIDES][MOST];
	int rounds = number("JS_ROUNDS", 41, MOST), trips = number("JS_TRIPS", 1500, 1000000);
	struct trace_layout layout;
	struct why why;
	enum side last = blame_layout_read(&layout, &why) ? SWITCH : TRACEPOINTS;
	unsigned sides = (unsigned)last + 1;

	if (last == SWITCH)
		printf("SKIP blame_tracepoints_per_switch: %s\n", why.text);
	for (int i = 0; i < rounds; i++)
		for (unsigned k = 0; k < sides; k++) {
			enum side side = (enum side)((k + (unsigned)i) % sides);

			ns[side][i] = measure(side, cpu, &layout, trips);
		}
	tell_switches(ns, rounds, last);
}

/* Both above ordinary tasks: what those do is no part of a switch. */
static void rise(void)
{
	const struct sched_param p = { .sched_priority = 2 };

	if (sched_setscheduler(0, SCHED_FIFO, &p))
		printf("SKIP real time: other tasks come between the switches\n");
}

static void bench_pair(int cpu)
{
	struct cpuset one = { 0 };
	pid_t child;

	cpuset_add(&one, cpu);
	if (pipe(there) || pipe(back) || cpuset_pin(0, &one, NULL))
		exit(1);
	rise();
	child = fork();
	if (!child)
		echo();
	bench_switches(cpu);
	close(there[1]);
	waitpid(child, NULL, 0);
}

/* ---- a whole run --------------------------------------------------------- */

struct figure { double cpu_ns, p99_ns; char level[16]; };

static struct figure record(const char *seconds, const char *option)
{
	const char *argv[] = { "", "record", "-P", "wakeup-fifo", "-D", seconds, "--json", option,
			       NULL };
	struct hist *h = hist_new(3);
	struct figure f;
	struct prog p;
	json_t *one, *pair;
	size_t i, k;

	prog_run(&p, 90000, argv);
	json_t *root = prog_json(&p);

	json_array_foreach(json_object_get(root, "series"), i, one)
		json_array_foreach(json_object_get(one, "histogram"), k, pair)
			hist_record_n(h, json_integer_value(json_array_get(pair, 0)),
				      (uint64_t)json_integer_value(json_array_get(pair, 1)));
	f.cpu_ns = (double)p.cpu_ns / (double)h->count;
	f.p99_ns = (double)hist_percentile(h, 99);
	snprintf(f.level, sizeof(f.level), "%s",
		 json_string_value(json_object_get(json_object_get(root, "tiers"), "blame")));
	json_decref(root);
	hist_free(h);
	prog_free(&p);
	return f;
}

static void bench_runs(void)
{
	int pairs = number("JS_PAIRS", 5, MOST);
	double more[MOST], ratio[MOST];
	struct figure on, off;
	char seconds[16];

	snprintf(seconds, sizeof(seconds), "%ds", number("JS_SECONDS", 4, 60));
	for (int i = 0; i < pairs; i++) {
		if (i % 2)
			off = record(seconds, "--no-blame");
		on = record(seconds, NULL);
		if (i % 2 == 0)
			off = record(seconds, "--no-blame");
		more[i] = on.cpu_ns - off.cpu_ns;
		ratio[i] = on.p99_ns / off.p99_ns;
	}
	printf("record_cpu_per_sample_with_blame_%s_more %.2f us\n", on.level,
	       median(more, pairs) / 1e3);
	printf("record_p99_with_blame_%s_to_without %.3f ratio\n", on.level, median(ratio, pairs));
}

int main(void)
{
	struct blame_ring ring;
	struct cpuset allowed;
	struct why why;

	cpuset_allowed(&allowed, NULL);
	int cpu = cpuset_next(&allowed, -1);

	if (blame_ring_open(&ring, cpu, NULL, RING_BYTES, &why)) {
		printf("SKIP bench_blame: %s\n", why.text);
		return 0;
	}
	blame_ring_close(&ring);
	pid_t child = fork();	/* it pins itself: the runs below have all CPUs */

	if (!child) {
		bench_pair(cpu);
		exit(0);
	}
	waitpid(child, NULL, 0);
	bench_runs();
	return 0;
}
