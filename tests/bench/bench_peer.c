/*
 * bench_peer.c - the instrument beside cyclictest at equal rate, priority and
 * threads, interleaved A B A B in one run: CPU time per sample of all
 * processes, and p50 and p99 of the wake-up.  Ratios are medians over pairs.
 * Equal work: without blame, which cyclictest has no like of; what blame adds
 * is bench_blame's figure.
 *
 * cyclictest gets --laptop: without it it holds the CPUs out of deep idle, and
 * where that matters (23 against 45 us here) the two measure other machines.
 *
 * Then the same once more with a tick of 100 Hz on every CPU beside both.
 * cyclictest's main thread is such a tick: if that made its wake-ups cheaper on
 * a virtual CPU, the second ratio would be the lower one.
 *
 * JS_PAIRS (4) and JS_SECONDS (8) set the length.
 */
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/clock.h"
#include "src/cpuset.h"
#include "src/hist.h"
#include "tests/prog.h"

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

#define PAIRS_MAX 64

struct figure { double cpu_ns, p50_ns, p99_ns; };

static void percentiles(struct hist *h, struct figure *f)
{
	f->p50_ns = (double)hist_percentile(h, 50);
	f->p99_ns = (double)hist_percentile(h, 99);
	hist_free(h);
}

static struct figure ours(const char *seconds)
{
	struct prog p;
	const char *argv[] = { "", "record", "-P", "wakeup-fifo", "--no-blame", "-D", seconds, "--json", NULL };
	struct figure f = { 0 };
	struct hist *h = hist_new(3);
	json_t *one, *pair;
	size_t i, k;

	prog_run(&p, 60000, argv);
	json_t *root = prog_json(&p);

	json_array_foreach(json_object_get(root, "series"), i, one)
		json_array_foreach(json_object_get(one, "histogram"), k, pair)
			hist_record_n(h, json_integer_value(json_array_get(pair, 0)), (uint64_t)json_integer_value(json_array_get(pair, 1)));
	f.cpu_ns = (double)p.cpu_ns / (double)h->count;
	percentiles(h, &f);
	json_decref(root);
	prog_free(&p);
	return f;
}

static double peer_cpu(const char *threads, const char *seconds)
{
	struct prog p;
	const char *argv[] = { "cyclictest", "--laptop", "-q", "-t", threads, "-a", "-p80", "-m", "-i1000", "-d0", "-D", seconds, NULL };
	unsigned long cycles, total = 0;

	prog_run(&p, 60000, argv);
	for (const char *at = p.out; (at = strstr(at, " C:")); at += 3)
		if (sscanf(at + 3, "%lu", &cycles) == 1)
			total += cycles;
	double each = total ? (double)p.cpu_ns / (double)total : 0;

	prog_free(&p);
	return each;
}

static struct figure peer(const char *threads, const char *seconds)
{
	struct prog p;
	const char *argv[] = { "cyclictest", "--laptop", "-q", "-t", threads, "-a", "-p80", "-m", "-i1000", "-d0", "-D", seconds,
			       "-N", "-h", "2000000", "--json=/dev/stdout", NULL };
	struct figure f = { .cpu_ns = peer_cpu(threads, seconds) };
	struct hist *h = hist_new(3);

	prog_run(&p, 60000, argv);
	/* Text of its own may stand before the JSON. */
	json_t *root = json_loads(strchr(p.out, '{') ? strchr(p.out, '{') : "{}", JSON_DISABLE_EOF_CHECK, NULL), *one, *count;
	const char *key, *ns;

	json_object_foreach(json_object_get(root, "thread"), key, one)
		json_object_foreach(json_object_get(one, "histogram"), ns, count)
			hist_record_n(h, atoll(ns), (uint64_t)json_integer_value(count));
	percentiles(h, &f);
	json_decref(root);
	prog_free(&p);
	return f;
}

/* ---- the tick beside both ------------------------------------------------- */

#define TICKS_MAX 64

static void tick_for_ever(int cpu)
{
	cpu_set_t one;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	sched_setaffinity(0, sizeof(one), &one);
	for (;;)
		clock_wait_until(clock_now_ns() + 10 * NS_PER_MS);
}

static int start_ticks(const struct cpuset *cpus, pid_t pid[TICKS_MAX])
{
	int n = 0;

	for (int cpu = 0; cpu < CPU_SETSIZE && n < TICKS_MAX; cpu++) {
		if (!cpuset_has(cpus, cpu))
			continue;
		pid[n] = fork();
		if (!pid[n])
			tick_for_ever(cpu);
		n += pid[n] > 0;
	}
	return n;
}

static void end_ticks(const pid_t pid[TICKS_MAX], int n)
{
	for (int i = 0; i < n; i++) {
		kill(pid[i], SIGKILL);
		waitpid(pid[i], NULL, 0);
	}
}

/* ---- pairs ------------------------------------------------------------------ */

static void compare(const char *with, int pairs, const char *seconds, int cpus)
{
	double cpu[PAIRS_MAX], p50[PAIRS_MAX], p99[PAIRS_MAX], own[PAIRS_MAX];
	char threads[16], ours_s[16];

	snprintf(threads, sizeof(threads), "%d", cpus);
	snprintf(ours_s, sizeof(ours_s), "%ss", seconds);
	for (int i = 0; i < pairs; i++) {
		struct figure a = ours(ours_s), b = peer(threads, seconds);

		own[i] = a.cpu_ns / 1000;
		cpu[i] = a.cpu_ns / b.cpu_ns;
		p50[i] = a.p50_ns / b.p50_ns;
		p99[i] = a.p99_ns / b.p99_ns;
		if (getenv("JS_EACH"))
			printf("# pair %d%s: cpu/sample %.2f us beside %.2f, p50 %.2f us beside %.2f, p99 %.2f us beside %.2f\n", i,
			       with, a.cpu_ns / 1e3, b.cpu_ns / 1e3, a.p50_ns / 1e3, b.p50_ns / 1e3, a.p99_ns / 1e3, b.p99_ns / 1e3);
	}
	printf("record_cpu_per_sample%s %.2f us\n", with, median(own, pairs));
	printf("record_cpu_per_sample%s_to_cyclictest %.3f ratio\n", with, median(cpu, pairs));
	printf("wakeup_fifo_p50%s_to_cyclictest %.3f ratio\n", with, median(p50, pairs));
	printf("wakeup_fifo_p99%s_to_cyclictest %.3f ratio\n", with, median(p99, pairs));
	fflush(stdout);
}

int main(void)
{
	int pairs = getenv("JS_PAIRS") ? atoi(getenv("JS_PAIRS")) : 4;
	const char *seconds = getenv("JS_SECONDS") ? getenv("JS_SECONDS") : "8";
	pid_t tick[TICKS_MAX];
	struct cpuset allowed;

	if (geteuid() != 0 || !prog_have("cyclictest", "bench_peer"))
		return 0;
	if (pairs < 1 || pairs > PAIRS_MAX)
		pairs = 4;
	cpuset_allowed(&allowed, NULL);
	compare("", pairs, seconds, cpuset_count(&allowed));
	int n = start_ticks(&allowed, tick);

	compare("_ticked", pairs, seconds, cpuset_count(&allowed));
	end_ticks(tick, n);
	return 0;
}
