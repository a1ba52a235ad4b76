/*
 * contest.c - a fixed job alone, with warm caches, and beside one load after
 * the other: how much longer does it take?
 *
 * The job is the load that is there to be one (LOAD_FOREGROUND); beside it run
 * the loads that want to be rows (LOAD_CONTEST).  Rows bear the names of the
 * tables of 2003 where they stand for one of them.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/format.h"
#include "src/suite.h"
#include "src/text.h"

#define ALONE "no_load"
#define STEPS_MAX 32
#define UNIT_NS (100 * NS_PER_MS)	/* of the job, alone on its CPU */
#define PREPARE_NS (3 * NS_PER_S)

/* In the order of the table. */
static const struct row {
	const char *name, *load;	/* load NULL: the job alone */
	unsigned per_cpu;		/* workers; 0: its default */
	const char *job_knob, *knob;	/* that is 1 in this row */
	bool each;			/* Loads: passes of each worker, not of all */
} rows[] = {
	{ .name = ALONE },
	{ .name = "cacherun", .job_knob = "cacherun" },
	{ .name = "process_load", .load = "process" },
	{ .name = "ctar_load", .load = "ctar" },
	{ .name = "xtar_load", .load = "xtar" },
	{ .name = "io_load", .load = "write" },
	{ .name = "io_other", .load = "write", .knob = "other" },
	{ .name = "read_load", .load = "read" },
	{ .name = "list_load", .load = "list" },
	{ .name = "mem_load", .load = "mem" },
	{ .name = "dbench_load", .load = "churn", .per_cpu = 16, .each = true },
};
#define ROWS (sizeof(rows) / sizeof(rows[0]))

struct contest {
	const struct load *job;
	struct order job_order;
	struct order back[STEPS_MAX];	/* what: CMD_NONE when the job is alone */
	const struct row *row[STEPS_MAX];	/* NULL: a load of its own name */
	struct step steps[STEPS_MAX];
	unsigned nr;
	char label[40];
	const struct step_result *results;
};

/* ---- which steps --------------------------------------------------------- */

static const struct load *foreground(void)
{
	for (unsigned i = 0; loads[i]; i++) {
		if (loads[i]->flags & LOAD_FOREGROUND)
			return loads[i];
	}
	return NULL;
}

static bool has_row(const struct load *l)
{
	for (size_t i = 0; i < ROWS; i++) {
		if (rows[i].load && !strcmp(rows[i].load, l->name))
			return true;
	}
	return false;
}

static void add_step(struct contest *c, const struct load *l, const struct row *row)
{
	struct step *step = &c->steps[c->nr];
	unsigned workers = row && row->per_cpu ? row->per_cpu * suite_ncpu() : 0;

	if (c->nr == STEPS_MAX)
		return;
	if (row)
		snprintf(step->name, sizeof(step->name), "%s", row->name);
	else
		snprintf(step->name, sizeof(step->name), "%s_load", l->name);
	if (l)
		c->back[c->nr] = suite_order(l, workers < l->max_workers ? workers : l->max_workers);
	c->row[c->nr++] = row;
}

static void choose_rows(struct contest *c)
{
	for (size_t i = 0; i < ROWS; i++) {
		const struct load *l = rows[i].load ? load_by_name(rows[i].load) : NULL;

		if (!rows[i].load || (l && l->flags & LOAD_CONTEST))
			add_step(c, l, &rows[i]);
	}
	for (unsigned i = 0; loads[i]; i++) {
		if (loads[i]->flags & LOAD_CONTEST && !has_row(loads[i]))
			add_step(c, loads[i], NULL);
	}
}

/* So that the job alone takes about this long. */
static void set_length(struct contest *c, int64_t length_ns)
{
	int64_t units = length_ns / UNIT_NS * suite_ncpu();

	suite_order_knob(&c->job_order, c->job, "units", (long)units);
}

/* Of the job alone, from its number of units. */
static int64_t job_ns(const struct contest *c)
{
	for (unsigned i = 0; c->job->knobs[i].name; i++) {
		if (!strcmp(c->job->knobs[i].name, "units"))
			return c->job_order.knob[i] * UNIT_NS / suite_ncpu();
	}
	return 10 * NS_PER_S;
}

static void fill_step(struct contest *c, unsigned i, const struct options *o)
{
	struct step *step = &c->steps[i];
	const struct row *row = c->row[i];

	step->job = c->job_order;
	step->back = c->back[i];
	step->guess_ns = PREPARE_NS + job_ns(c) * (step->back.what == CMD_NONE ? 1 : 2);
	if (row && row->job_knob)
		suite_order_knob(&step->job, c->job, row->job_knob, 1);
	if (row && row->knob)
		suite_order_knob(&step->back, loads[step->back.arg], row->knob, 1);
	if (row && row->knob && o->scratches < 2)
		snprintf(step->skip, sizeof(step->skip), "needs a second --scratch, on another disk");
}

static int make_steps(struct contest *c, struct options *o, struct why *why)
{
	struct order *own[STEPS_MAX + 1];

	c->job_order = suite_order(c->job, 0);
	choose_rows(c);
	for (unsigned i = 0; i < c->nr; i++)
		own[i] = &c->back[i];
	own[c->nr] = &c->job_order;
	if (o->length_ns)
		set_length(c, o->length_ns);
	if (suite_own_loads(o, "contest", own, c->nr + 1, why))
		return -EINVAL;
	for (unsigned i = 0; i < c->nr; i++)
		fill_step(c, i, o);
	return 0;
}

/* ---- what they found ----------------------------------------------------- */

/* As it is printed: the ratio is that of the printed times. */
static double printed(double time_s)
{
	char text[32];

	if (!isfinite(time_s))
		return NAN;
	snprintf(text, sizeof(text), time_s < 60 ? "%.1f" : "%.0f", time_s);
	return strtod(text, NULL);
}

static double time_alone(const struct contest *c)
{
	for (unsigned i = 0; i < c->nr; i++) {
		if (!strcmp(c->steps[i].name, ALONE) && c->results[i].outcome == STEP_DONE)
			return printed(suite_published(c->job, &c->results[i], "time_s"));
	}
	return NAN;
}

static int row_figures(const struct contest *c, unsigned i, struct snapshot *s)
{
	const struct step_result *r = &c->results[i];
	const char *table = c->steps[i].name;
	double time_s = suite_published(c->job, r, "time_s"), span_ns = (double)(r->to_ns - r->from_ns);
	double loads_done = (double)r->back.passes;
	double ratio = printed(time_s) / time_alone(c);
	int err = suite_figure(s, table, c->label, "runs", "", 1, NULL);
	char text[16] = "na";

	if (c->row[i] && c->row[i]->each && r->workers)
		loads_done /= r->workers;
	if (isfinite(ratio))
		snprintf(text, sizeof(text), "%.2f", ratio);
	if (!err)
		err = suite_figure(s, table, c->label, "Time", "s", time_s, NULL);
	if (!err)
		err = suite_figure(s, table, c->label, "CPU%", "%", suite_published(c->job, r, "cpu_pct"), NULL);
	if (!err)
		err = suite_figure(s, table, c->label, "Loads", "", loads_done, NULL);
	if (!err)
		err = suite_figure(s, table, c->label, "LCPU%", "%",
				   span_ns > 0 ? 100 * (double)r->back.cpu_ns / span_ns : NAN, NULL);
	if (!err)
		err = suite_figure(s, table, c->label, "Ratio", "", ratio, text);
	return err ? err : suite_add_latencies(s, table, c->label, r);
}

static int contest_figures(void *ctx, const struct step_result *r, struct snapshot *s)
{
	struct contest *c = ctx;
	int err = 0;

	c->results = r;
	for (unsigned i = 0; i < c->nr && !err; i++) {
		if (r[i].outcome == STEP_DONE)
			err = row_figures(c, i, s);
		else if (r[i].outcome > STEP_RUNNING)
			err = suite_figure(s, c->steps[i].name, c->label, "outcome", "", NAN,
					   outcome_name(r[i].outcome));
	}
	return err;
}

static void lead(const void *ctx, unsigned i, char *buf, size_t size)
{
	const struct contest *c = ctx;

	snprintf(buf, size, "%-14s", c->steps[i].name);
}

static int contest_print(void *ctx, FILE *out, const struct snapshot *s, struct why *why)
{
	const struct contest *c = ctx;
	int err = format_by_name("contest")->write(out, s, why);

	if (err && err != -ENODATA)
		return err;
	why->err = 0;
	suite_print_undone(out, c->steps, c->results, c->nr);
	suite_print_latencies(out, "beside the job", lead, c, c->results, c->nr);
	return 0;
}

/* ---- the suite ----------------------------------------------------------- */

static int contest_run(struct options *o, struct why *why)
{
	struct contest c = { .job = foreground() };
	struct suite_plan plan = { .name = "contest", .tables = "contest", .steps = c.steps, .ctx = &c,
				   .step_files = true,
				   .figures = contest_figures, .print = contest_print };

	if (!c.job) {
		why_set(why, -ENOENT, "contest: no load here can be the job");
		return EXIT_FAILED;
	}
	if (make_steps(&c, o, why))
		return EXIT_USAGE;
	plan.nr = c.nr;
	suite_row_name(o, c.label, sizeof(c.label));
	return suite_run(o, &plan, why);
}

const struct suite suite_contest = {
	.name = "contest",
	.summary = "a fixed job beside one load after the other: time and ratio",
	.run = contest_run,
};
