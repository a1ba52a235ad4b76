/*
 * prometheus.c - text exposition 0.0.4, fit for node exporter's textfile
 * collector.
 *
 * Bucket bounds are 2^k - 1 ns: ends of slots, so every bucket is exact.
 */
#include <inttypes.h>
#include <string.h>

#include "src/format.h"
#include "src/snapshot_rt.h"

#define FIRST_K 10
#define LAST_K 35

static void label_value(FILE *out, const char *text)
{
	putc('"', out);
	for (; *text; text++) {
		if (*text == '\n')
			fputs("\\n", out);
		else if (*text == '"' || *text == '\\')
			fprintf(out, "\\%c", *text);
		else
			putc(*text, out);
	}
	putc('"', out);
}

static void series_labels(FILE *out, const struct snapshot_series *one)
{
	fputs("probe=", out);
	label_value(out, one->probe);
	if (one->cpu < 0)
		fputs(",cpu=\"any\"", out);
	else
		fprintf(out, ",cpu=\"%d\"", one->cpu);
}

static void family(FILE *out, const char *name, const char *type, const char *help)
{
	fprintf(out, "# HELP jitterscope_%s %s\n# TYPE jitterscope_%s %s\n", name, help, name,
		type);
}

/* ---- latency --------------------------------------------------------------- */

static void bucket(FILE *out, const struct snapshot_series *one, const char *le, uint64_t n)
{
	fputs("jitterscope_latency_seconds_bucket{", out);
	series_labels(out, one);
	fprintf(out, ",le=\"%s\"} %" PRIu64 "\n", le, n);
}

static void histogram(FILE *out, const struct snapshot_series *one)
{
	uint64_t n = 0;
	size_t i = 0;

	for (int k = FIRST_K; k <= LAST_K; k++) {
		int64_t bound_ns = (INT64_C(1) << k) - 1;
		char le[32];

		while (i < one->pairs && one->histogram[i].value_ns <= bound_ns)
			n += one->histogram[i++].count;
		snprintf(le, sizeof(le), "%.15g", (double)bound_ns / 1e9);
		bucket(out, one, le, n);
	}
	bucket(out, one, "+Inf", one->counts.count);
	fputs("jitterscope_latency_seconds_sum{", out);
	series_labels(out, one);
	fprintf(out, "} %.15g\n", snapshot_series_mean(one) * (double)one->counts.count / 1e9);
	fputs("jitterscope_latency_seconds_count{", out);
	series_labels(out, one);
	fprintf(out, "} %" PRIu64 "\n", one->counts.count);
}

/* ---- counters -------------------------------------------------------------- */

static const struct { const char *name, *help; size_t offset;
} counters[] = {
	{"due_total", "Wake-ups or operations that were due.", offsetof(struct counts, due)},
	{"missed_total", "Periods that passed while one was late.",
	 offsetof(struct counts, missed)},
	{"interrupted_total",
	 "Due times within a stop, suspend or clock step, and failed operations.",
	 offsetof(struct counts, interrupted)},
	{"early_total", "Samples below 0, counted as 0.", offsetof(struct counts, early)},
	{"over_total", "Samples above one hour.", offsetof(struct counts, over)},
	{"errors_total", "Operations that failed.", offsetof(struct counts, errors)},
};

static void write_counter(FILE *out, const struct snapshot *s, size_t i)
{
	family(out, counters[i].name, "counter", counters[i].help);
	for (unsigned k = 0; k < s->nr_series; k++) {
		uint64_t n;

		memcpy(&n, (const char *)&s->series[k].counts + counters[i].offset, sizeof(n));
		fprintf(out, "jitterscope_%s{", counters[i].name);
		series_labels(out, &s->series[k]);
		fprintf(out, "} %" PRIu64 "\n", n);
	}
}

static void write_max(FILE *out, const struct snapshot *s)
{
	family(out, "latency_max_seconds", "gauge", "Largest latency since the start.");
	for (unsigned k = 0; k < s->nr_series; k++) {
		fputs("jitterscope_latency_max_seconds{", out);
		series_labels(out, &s->series[k]);
		fprintf(out, "} %.15g\n", (double)s->series[k].max_ns / 1e9);
	}
}

/* ---- loads ----------------------------------------------------------------- */

static double done_of(const struct snapshot *s, const char *name)
{
	double sum = 0;

	for (unsigned i = 0; i < s->nr_loads; i++)
		if (!strcmp(s->loads[i].name, name))
			sum += s->loads[i].done;
	return sum;
}

/* Base units: bytes for loads that count MB, operations for the rest. */
static void write_loads(FILE *out, const struct snapshot *s, bool bytes)
{
	const char *name = bytes ? "load_bytes_total" : "load_operations_total";
	const struct snapshot_load *last[SNAPSHOT_LOADS_MAX];
	unsigned n = snapshot_loads(s, last);
	bool head = false;

	for (unsigned i = 0; i < n; i++) {
		const struct snapshot_load *l = last[i];

		if (!strcmp(l->unit, "MB") != bytes)
			continue;
		if (!head)
			family(out, name, "counter",
			       bytes ? "Bytes moved by a load." : "Operations done by a load.");
		head = true;
		fprintf(out, "jitterscope_%s{load=", name);
		label_value(out, l->name);
		fprintf(out, "} %.15g\n", done_of(s, l->name) * (bytes ? 1e6 : 1));
	}
}

static int prometheus_write(FILE *out, const struct snapshot *s, struct why *why)
{
	(void)why;
	family(out, "latency_seconds", "histogram", "Latency by probe.");
	for (unsigned i = 0; i < s->nr_series; i++)
		histogram(out, &s->series[i]);
	for (size_t i = 0; i < sizeof(counters) / sizeof(counters[0]); i++)
		write_counter(out, s, i);
	write_max(out, s);
	write_loads(out, s, true);
	write_loads(out, s, false);
	family(out, "real_time", "gauge", "1 when measured by real-time threads.");
	fprintf(out, "jitterscope_real_time %d\n", snapshot_rt(s) == SNAPSHOT_RT_ALL);
	return 0;
}

const struct format format_prometheus = {
	.name = "prometheus",
	.suffix = ".prom",
	.summary = "text for Prometheus' node exporter",
	.write = prometheus_write,
};
