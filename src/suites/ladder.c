/*
 * ladder.c - the file clients of the ladder's load, 1 2 4 .. 128, three times
 * each, and what each step does to the latency of the first two probes.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/rungs.h"
#include "src/suite.h"
#include "src/text.h"

#define TABLE "ladder"
#define BARS 40

struct ladder {
	const struct load *load;
	struct step steps[RUNGS_STEPS];
	const struct step_result *results;	/* when it is over */
};

static const struct load *ladder_load(void)
{
	for (unsigned i = 0; loads[i]; i++) {
		if (loads[i]->flags & LOAD_LADDER)
			return loads[i];
	}
	return NULL;
}

/* ---- what it found ------------------------------------------------------- */

static double mb_per_s(const struct step_result *r)
{
	int64_t ran_ns = r->to_ns - r->from_ns;

	return ran_ns > 0 && r->back.bytes ? (double)r->back.bytes * 1e3 / (double)ran_ns : NAN;
}

static int row_figures(struct snapshot *s, const struct step *step, const struct step_result *r)
{
	double mb = mb_per_s(r), passes = isfinite(mb) ? (double)r->back.passes : NAN;
	int err = suite_figure(s, TABLE, step->name, "throughput", "MB/s", mb, NULL);

	if (!err)
		err = suite_figure(s, TABLE, step->name, "passes", "", passes, NULL);
	if (!err)
		err = suite_add_latencies(s, TABLE, step->name, r);
	if (!err && r->outcome != STEP_DONE)
		err = suite_figure(s, TABLE, step->name, "outcome", "", NAN,
				   outcome_name(r->outcome));
	return err;
}

static int ladder_figures(void *ctx, const struct step_result *r, struct snapshot *s)
{
	struct ladder *l = ctx;
	int err = 0;

	l->results = r;
	for (unsigned i = 0; i < RUNGS_STEPS && !err; i++) {
		if (r[i].outcome > STEP_RUNNING)
			err = row_figures(s, &l->steps[i], &r[i]);
	}
	return err;
}

/* ---- as text ------------------------------------------------------------- */

/* The line that dbench 1.x would have printed. */
static void print_line(const struct ladder *l, unsigned i, FILE *out)
{
	const struct step_result *r = &l->results[i];
	const struct step *step = &l->steps[i];
	char line[160] = "";

	if (l->load->stop_line && r->back.bytes)
		l->load->stop_line(line, sizeof(line), r->workers, step->back.knob, r->back.ops,
				   r->back.bytes, r->back.passes, r->to_ns - r->from_ns);
	if (line[0])
		fprintf(out, "%s%s%s%s%s\n", line, r->note[0] ? "  " : "", r->note,
			r->why[0] ? "  cut: " : "", r->why);
}

static void lead(const void *ctx, unsigned i, char *buf, size_t size)
{
	const struct ladder *l = ctx;
	double mb = mb_per_s(&l->results[i]);
	char text[24] = "na";

	if (isfinite(mb))
		snprintf(text, sizeof(text), mb < 999.95 ? "%.1f" : "%.0f", mb);
	snprintf(buf, size, "%-7s %7s %5" PRIu64, l->steps[i].name, text,
		 l->results[i].back.passes);
}

static double most_mb(const struct ladder *l)
{
	double most = 0;

	for (unsigned i = 0; i < RUNGS_STEPS; i++) {
		double mb = mb_per_s(&l->results[i]);

		if (l->results[i].outcome > STEP_RUNNING && isfinite(mb) && mb > most)
			most = mb;
	}
	return most;
}

/* 1 us is the left edge, each further decade takes an eighth of the width. */
static int bar_of_ns(int64_t ns)
{
	int columns = ns > 1000 ? (int)(log10((double)ns / 1e3) * BARS / 8) : 0;

	return columns < BARS ? columns : BARS;
}

static void print_plot_row(const struct ladder *l, unsigned i, double most, FILE *out)
{
	const struct step_result *r = &l->results[i];
	double mb = mb_per_s(r);
	char marks[BARS + 2];

	if (!isfinite(mb) || r->outcome <= STEP_RUNNING)
		return;
	memset(marks, ' ', BARS + 1);
	marks[BARS + 1] = '\0';
	for (unsigned k = r->latencies; k-- > 0;) {
		if (hist_carries(r->latency[k].count, 99))
			marks[bar_of_ns(r->latency[k].p99_ns)] = k ? 'o' : 'f';
		marks[bar_of_ns(r->latency[k].max_ns)] = k ? 'O' : 'F';
	}
	fprintf(out, "%-7s %-30.*s|%s\n", l->steps[i].name, (int)(mb / most * 30),
		"##############################", marks);
}

static const struct step_result *any_latency(const struct ladder *l)
{
	for (unsigned i = 0; i < RUNGS_STEPS; i++) {
		if (l->results[i].latencies)
			return &l->results[i];
	}
	return NULL;
}

static void print_plot(const struct ladder *l, FILE *out)
{
	const struct step_result *any = any_latency(l);
	double most = most_mb(l);

	if (most <= 0 || !any)
		return;
	fprintf(out, "\n");
	for (unsigned i = 0; i < any->latencies; i++)
		fprintf(out, "%s %s p99, %s max%s", i ? "o" : "f", any->latency[i].name,
			i ? "O" : "F", i + 1 < any->latencies ? "; " : "\n");
	fprintf(out, "%-7s %-4s%26.6g|%-5s%-5s%-5s%-5s%-5s%-5s%-5s%s\n", "clients", "MB/s", most,
		"1us", "10us", "100us", "1ms", "10ms", "100ms", "1s", "10s");
	for (unsigned i = 0; i < RUNGS_STEPS; i++)
		print_plot_row(l, i, most, out);
}

static int ladder_print(void *ctx, FILE *out, const struct snapshot *s, struct why *why)
{
	const struct ladder *l = ctx;

	(void)s;
	(void)why;
	for (unsigned i = 0; i < RUNGS_STEPS; i++) {
		if (l->results[i].outcome > STEP_RUNNING)
			print_line(l, i, out);
	}
	suite_print_undone(out, l->steps, l->results, RUNGS_STEPS);
	suite_print_latencies(out, "clients    MB/s  pass", lead, l, l->results, RUNGS_STEPS);
	print_plot(l, out);
	return 0;
}

/* ---- the suite ----------------------------------------------------------- */

static int ladder_run(struct options *o, struct why *why)
{
	struct ladder l = { .load = ladder_load() };
	struct suite_plan plan = { .name = "ladder", .steps = l.steps, .nr = RUNGS_STEPS, .ctx = &l,
				   .step_files = true,
				   .figures = ladder_figures, .print = ladder_print };
	int64_t length_ns = o->length_ns ? o->length_ns : RUNGS_STEP_NS;

	if (!l.load) {
		why_set(why, -ENOENT, "ladder: no load here can play it");
		return EXIT_FAILED;
	}
	struct order order = suite_order(l.load, 0), *own = &order;

	if (suite_own_loads(o, plan.name, &own, 1, why))
		return EXIT_USAGE;
	rungs_make(l.steps, &order, length_ns);
	return suite_run(o, &plan, why);
}

const struct suite suite_ladder = {
	.name = "ladder",
	.summary = "1, 2, 4 .. 128 file clients, three times each",
	.run = ladder_run,
};
