/*
 * throughput.c - how much a machine does in a second or a minute:
 * UnixBench-like loops, bandwidths, and how far away memory is.
 *
 * A figure is the median of ten stretches of its time; beside it stand the
 * worst and the best.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/format.h"
#include "src/suites/measure.h"

#define LENGTH_NS (5 * NS_PER_S)
#define TABLE "throughput"

static const char *const tables[] = { TABLE, "comm_bw", "mem_lat" };
#define TABLES (sizeof(tables) / sizeof(tables[0]))

static int add_cell(const struct measure *m, unsigned i, struct snapshot *s, const char *more,
		    unsigned figure)
{
	const struct kernel *k = measure_kernel(m, i);
	char row[48];

	snprintf(row, sizeof(row), "%s%s", measure_row(m, i), more);
	return suite_figure(s, k->table, row, k->name, k->unit, measure_value(m, i, figure), NULL);
}

static int add_cells(const struct measure *m, unsigned i, struct snapshot *s)
{
	bool rate = measure_kernel(m, i)->rate;
	int err = add_cell(m, i, s, "", rate ? KERNEL_MEDIAN : KERNEL_LEAST);

	if (!err)
		err = add_cell(m, i, s, rate ? " worst" : " p99", KERNEL_WORST);
	if (!err)
		err = add_cell(m, i, s, rate ? " best" : " max", KERNEL_BEST);
	return err;
}

static int throughput_figures(void *ctx, const struct step_result *r, struct snapshot *s)
{
	struct measure *m = ctx;
	int err = 0;

	m->result = r;
	for (unsigned i = 0; i < m->nr && !err; i++) {
		if (r[i].outcome == STEP_DONE)
			err = add_cells(m, i, s);
	}
	return err;
}

/* ---- as text ------------------------------------------------------------- */

static void cell(FILE *out, double value)
{
	if (isfinite(value))
		fprintf(out, " %12.1f", value);
	else
		fprintf(out, " %12s", "na");
}

static void print_condition(const struct measure *m, unsigned condition, FILE *out)
{
	bool head = false;

	for (unsigned i = 0; i < m->nr; i++) {
		const struct kernel *k = measure_kernel(m, i);

		if (m->condition[i] != condition || strcmp(k->table, TABLE) ||
		    m->result[i].outcome != STEP_DONE)
			continue;
		if (!head)
			fprintf(out, "%-30s %12s %12s %12s\n", m->row[condition], "median", "worst",
				"best");
		head = true;
		fprintf(out, "%-30s", k->name);
		cell(out, measure_value(m, i, KERNEL_MEDIAN));
		cell(out, measure_value(m, i, KERNEL_WORST));
		cell(out, measure_value(m, i, KERNEL_BEST));
		fprintf(out, " %s\n", k->unit);
	}
	if (head)
		putc('\n', out);
}

static int throughput_print(void *ctx, FILE *out, const struct snapshot *s, struct why *why)
{
	const struct measure *m = ctx;
	int err;

	fprintf(out, "UnixBench-like and lmbench-like figures, Linux %s: more is better,\n"
		"but for memory latencies.\n\n", s->system.kernel);
	for (unsigned c = 0; c < m->conditions; c++)
		print_condition(m, c, out);
	err = format_by_name("lmbench")->write(out, s, why);
	if (err == -ENODATA)	/* only loops were asked for */
		err = why->err = 0;
	measure_print_undone(m, out);
	return err;
}

/* ---- the suite ----------------------------------------------------------- */

static int throughput_run(struct options *o, struct why *why)
{
	struct measure m = { .nr = 0 };
	struct suite_plan plan = { .name = "throughput", .tables = "lmbench", .ctx = &m,
				   .figures = throughput_figures, .print = throughput_print };
	int code = measure_begin(&m, o, LENGTH_NS, why), err = 0;

	if (code)
		return code;
	for (unsigned c = 0; c < m.conditions; c++) {
		for (size_t t = 0; t < TABLES && !err; t++)
			err = measure_add(&m, c, tables[t], NULL);
	}
	if (err) {
		why_set(why, err, "throughput: no memory; close something");
		return EXIT_FAILED;
	}
	return measure_run(&m, o, &plan, why);
}

const struct suite suite_throughput = {
	.name = "throughput",
	.summary = "loops a second, scripts a minute, bytes a second",
	.run = throughput_run,
};
