/*
 * latencies.c - what calls, switches, messages, files, faults and memory cost,
 * in lmbench-like tables: idle, then under each load of -l.
 *
 * A figure is the median of its samples; beside it stand the 99th percentile
 * and the maximum.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "src/format.h"
#include "src/suites/measure.h"

#define LENGTH_NS NS_PER_S

static const char *const tables[] = { "processor", "ctxsw", "comm_lat", "file_vm", "mem_lat" };
#define TABLES (sizeof(tables) / sizeof(tables[0]))

/* Of the memory the least is told, since it has no other cause than distance. */
static unsigned main_figure(const struct kernel *k)
{
	return strcmp(k->table, "mem_lat") ? KERNEL_MEDIAN : KERNEL_LEAST;
}

static int add_cell(const struct measure *m, unsigned i, struct snapshot *s, const char *table,
		    const char *more, unsigned figure)
{
	const struct kernel *k = measure_kernel(m, i);
	char row[48];

	snprintf(row, sizeof(row), "%s%s", measure_row(m, i), more);
	return suite_figure(s, table, row, k->name, k->unit, measure_value(m, i, figure), NULL);
}

/* Three rows: the figure, its tail, its end. */
static int add_cells(const struct measure *m, unsigned i, struct snapshot *s, const char *table)
{
	int err = add_cell(m, i, s, table, "", main_figure(measure_kernel(m, i)));

	if (!err)
		err = add_cell(m, i, s, table, " p99", KERNEL_P99);
	if (!err)
		err = add_cell(m, i, s, table, " max", KERNEL_MAX);
	return err;
}

static int latencies_figures(void *ctx, const struct step_result *r, struct snapshot *s)
{
	struct measure *m = ctx;
	int err = 0;

	m->result = r;
	for (unsigned i = 0; i < m->nr && !err; i++) {
		const struct kernel *k = measure_kernel(m, i);

		if (r[i].outcome != STEP_DONE)
			continue;
		err = add_cells(m, i, s, k->table);
		/* The old table of messages begins with the smallest switch. */
		if (!err && !strcmp(k->name, "2p/0K"))
			err = add_cells(m, i, s, "comm_lat");
	}
	return err;
}

static int latencies_print(void *ctx, FILE *out, const struct snapshot *s, struct why *why)
{
	const struct measure *m = ctx;
	int err;

	fprintf(out, "lmbench-like figures, Linux %s: median, 99th percentile, maximum.\n"
		"Calls and faults are means of 20 to 200; memory is the minimum of a walk in an\n"
		"order that no prefetcher foresees: half of L1, half of L2, far beyond the last.\n"
		"Messages and switches change several fold with where the kernel puts the two\n"
		"processes, on one CPU or on two; \"taskset -c 0\" before it keeps them on one.\n\n",
		s->system.kernel);
	err = format_by_name("lmbench")->write(out, s, why);
	if (err == -ENODATA)	/* interrupted before the first was done */
		err = why->err = 0;
	measure_print_undone(m, out);
	return err;
}

static int add_steps(struct measure *m)
{
	int err = 0;

	for (unsigned c = 0; c < m->conditions; c++) {
		for (size_t t = 0; t < TABLES && !err; t++)
			err = measure_add(m, c, tables[t], NULL);
	}
	return err;
}

static int latencies_run(struct options *o, struct why *why)
{
	struct measure m = { .nr = 0 };
	struct suite_plan plan = { .name = "latencies", .tables = "lmbench", .ctx = &m,
				   .figures = latencies_figures, .print = latencies_print };
	int code = measure_begin(&m, o, LENGTH_NS, why);

	if (code)
		return code;
	if (add_steps(&m)) {
		why_set(why, -ENOMEM, "latencies: no memory; close something");
		return EXIT_FAILED;
	}
	return measure_run(&m, o, &plan, why);
}

const struct suite suite_latencies = {
	.name = "latencies",
	.summary = "what calls, switches, messages, files and memory cost",
	.run = latencies_run,
};
