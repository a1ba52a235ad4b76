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
 * JS_PAIRS (7) and JS_SECONDS (8) set the length.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

int main(void)
{
	int pairs = getenv("JS_PAIRS") ? atoi(getenv("JS_PAIRS")) : 7;
	const char *seconds = getenv("JS_SECONDS") ? getenv("JS_SECONDS") : "8";
	char threads[16], ours_s[16];
	double cpu[64], p50[64], p99[64], own[64];
	struct cpuset allowed;

	if (geteuid() != 0 || !prog_have("cyclictest", "bench_peer"))
		return 0;
	if (pairs < 1 || pairs > 64)
		pairs = 7;
	cpuset_allowed(&allowed, NULL);
	snprintf(threads, sizeof(threads), "%d", cpuset_count(&allowed));
	snprintf(ours_s, sizeof(ours_s), "%ss", seconds);
	for (int i = 0; i < pairs; i++) {
		struct figure a = ours(ours_s), b = peer(threads, seconds);

		own[i] = a.cpu_ns / 1000;
		cpu[i] = a.cpu_ns / b.cpu_ns;
		p50[i] = a.p50_ns / b.p50_ns;
		p99[i] = a.p99_ns / b.p99_ns;
		if (getenv("JS_EACH"))
			printf("# pair %d: cpu/sample %.2f us beside %.2f, p50 %.2f us beside %.2f, p99 %.2f us beside %.2f\n", i,
			       a.cpu_ns / 1e3, b.cpu_ns / 1e3, a.p50_ns / 1e3, b.p50_ns / 1e3, a.p99_ns / 1e3, b.p99_ns / 1e3);
	}
	printf("record_cpu_per_sample %.2f us\n", median(own, pairs));
	printf("record_cpu_per_sample_to_cyclictest %.3f ratio\n", median(cpu, pairs));
	printf("wakeup_fifo_p50_to_cyclictest %.3f ratio\n", median(p50, pairs));
	printf("wakeup_fifo_p99_to_cyclictest %.3f ratio\n", median(p99, pairs));
	return 0;
}
