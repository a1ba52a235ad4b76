/*
 * bench_wakeup.c - the sampler threads alone beside cyclictest's, interleaved:
 * CPU time per sample, p50 and p99.  The whole program is bench_peer's.
 *
 * JS_PAIRS (3) and JS_SECONDS (2) set the length.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "src/clock.h"
#include "src/cpuset.h"
#include "src/hist.h"
#include "src/sampler.h"

#define MAX 64

extern const struct probe probe_wakeup_fifo;

struct figure { double cpu_ns, p50_ns, p99_ns; };

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *v, int n)
{
	qsort(v, (size_t)n, sizeof(*v), by_value);
	return v[n / 2];
}

static unsigned start_all(struct sampler **all)
{
	struct cpuset allowed;
	unsigned n = 0;

	cpuset_allowed(&allowed, NULL);
	cpuset_each(cpu, &allowed) {
		const struct sampler_config config = {
			.probe = &probe_wakeup_fifo, .cpu = cpu, .period_ns = NS_PER_MS,
			.phase_ns = 0, .priority = 80, .want_fifo = true,
			.ring_room = 1 << 16, .warmup = SAMPLER_WARMUP,
		};

		if (n < MAX && (all[n] = sampler_start(&config, NULL)))
			n++;
	}
	return n;
}

static void take(struct ring *ring, struct hist *h)
{
	static struct ring_entry out[1 << 16];
	unsigned got = ring_drain(ring, INT64_MAX, out, 1 << 16);

	for (unsigned i = 0; i < got; i++) {
		if (out[i].due_ns > 0)
			hist_record(h, out[i].woke_ns - out[i].due_ns);
	}
}

static struct figure ours(int seconds)
{
	struct sampler *all[MAX];
	struct hist *h = hist_new(3);
	struct figure f = { 0 };
	unsigned n = start_all(all);
	int64_t start_ns = clock_now_ns(), cpu_ns = 0;

	for (unsigned i = 0; i < n; i++)
		sampler_release(all[i], start_ns);
	sleep((unsigned)seconds);
	for (unsigned i = 0; i < n; i++) {
		cpu_ns += sampler_cpu_ns(all[i]);
		sampler_ask_stop(all[i]);
	}
	for (unsigned i = 0; i < n; i++) {
		sampler_join(all[i]);
		take(sampler_ring(all[i], 0), h);
		sampler_free(all[i]);
	}
	f.cpu_ns = (double)cpu_ns / (double)(h->count + (uint64_t)n * SAMPLER_WARMUP);
	f.p50_ns = (double)hist_percentile(h, 50);
	f.p99_ns = (double)hist_percentile(h, 99);
	hist_free(h);
	return f;
}

static int64_t children_cpu_ns(void)
{
	struct rusage u;

	getrusage(RUSAGE_CHILDREN, &u);
	return (u.ru_utime.tv_sec + u.ru_stime.tv_sec) * NS_PER_S +
		(u.ru_utime.tv_usec + u.ru_stime.tv_usec) * NS_PER_US;
}

static void read_json(FILE *f, struct hist *h)
{
	static char text[1 << 20];
	const char *key, *ns;
	json_t *one, *count;
	size_t got = fread(text, 1, sizeof(text) - 1, f);

	text[got] = '\0';
	/* Text of its own stands before the JSON. */
	const char *begin = strchr(text, '{');
	json_t *root = json_loads(begin ? begin : "{}", JSON_DISABLE_EOF_CHECK, NULL);

	json_object_foreach(json_object_get(root, "thread"), key, one)
		json_object_foreach(json_object_get(one, "histogram"), ns, count)
			hist_record_n(h, atoll(ns), (uint64_t)json_integer_value(count));
	json_decref(root);
}

/* Runs it with more options and adds its samples to h; returns its CPU time. */
static int64_t run_cyclictest(int seconds, const char *options, struct hist *h)
{
	struct cpuset allowed;
	int64_t before_ns = children_cpu_ns();
	char command[256];

	cpuset_allowed(&allowed, NULL);
	snprintf(command, sizeof(command), "exec cyclictest -q --default-system -t %d -a -p80 -m "
		 "-i1000 -d0 -D %d %s --json=/dev/stdout 2>&1",
		 cpuset_count(&allowed), seconds, options);
	FILE *p = popen(command, "r");

	if (p) {
		read_json(p, h);
		pclose(p);
	}
	return children_cpu_ns() - before_ns;
}

/* Twice: its histogram costs it much at the start, which is not held against
 * its samples. */
static struct figure peers(int seconds)
{
	struct hist *h = hist_new(3);
	struct figure f = { 0 };
	int64_t cpu_ns = run_cyclictest(seconds, "", h);

	hist_clear(h);
	run_cyclictest(seconds, "-N -h 2000000", h);
	f.cpu_ns = h->count ? (double)cpu_ns / (double)h->count : 0;
	f.p50_ns = (double)hist_percentile(h, 50);
	f.p99_ns = (double)hist_percentile(h, 99);
	hist_free(h);
	return f;
}

static int number(const char *name, int usual, int most)
{
	const char *text = getenv(name);
	int n = text ? atoi(text) : usual;

	return n < 1 || n > most ? usual : n;
}

int main(void)
{
	int pairs = number("JS_PAIRS", 3, 64), seconds = number("JS_SECONDS", 2, 60);
	double own[64], cpu[64], p50[64], p99[64];
	struct rt_rights rights;

	rt_prepare(80, &rights);
	if (!rights.fifo || system("command -v cyclictest >/dev/null")) {
		puts("SKIP bench_wakeup: needs real time and cyclictest");
		return 0;
	}
	for (int i = 0; i < pairs; i++) {
		struct figure a = ours(seconds), b = peers(seconds);

		own[i] = a.cpu_ns;
		cpu[i] = a.cpu_ns / b.cpu_ns;
		p50[i] = a.p50_ns / b.p50_ns;
		p99[i] = a.p99_ns / b.p99_ns;
	}
	printf("sampler_cpu_per_sample %.2f us\n", median(own, pairs) / 1e3);
	printf("sampler_cpu_per_sample_to_cyclictest %.3f ratio\n", median(cpu, pairs));
	printf("sampler_p50_to_cyclictest %.3f ratio\n", median(p50, pairs));
	printf("sampler_p99_to_cyclictest %.3f ratio\n", median(p99, pairs));
	return 0;
}
