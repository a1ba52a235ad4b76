/*
 * tcp.c - round trips of messages from 4 bytes to 64 KB over a TCP connection,
 * answered by one byte: mean and tail of the time, CPU time a message, and the
 * load that soakers see (kernel_tcp.c).
 *
 * Compare only rows of equal load: an idle CPU adds its own waking to every
 * round trip.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/suites/kernel_tcp.h"
#include "src/suites/measure.h"

#define SIZES 15		/* 4 .. 64 K */
#define SIZE_LEAST 4
#define MESSAGES 10000		/* of a size, without --length */
#define MESSAGES_ANY 1000000000
#define TRIP_MOST_NS (30 * NS_PER_S)
#define TRIP_GUESS_NS (500 * NS_PER_MS)
#define SOAK_NS NS_PER_S
#define COLUMNS 45		/* of the plot */

struct tcp {
	struct measure m;		/* first: the plan's ctx */
	long units;			/* of soakers alone, per second; 0: unknown */
	const struct step *at;		/* what runs */
	struct own_job job;
	const char *asked;		/* --steps, and with the calibration */
	char steps[512];
};

/* ---- the job: soaked steps are told what soakers can do alone ------------- */

static bool is_called(const struct step *step, const char *name)
{
	return !strcmp(kernel_nth(step->kernel)->name, name);
}

static int tcp_start(void *ctx, const struct step *step, struct why *why)
{
	struct tcp *t = ctx;
	struct step told = *step;

	t->at = step;
	if (is_called(step, KERNEL_TCP_SOAKED)) {
		if (!t->units)
			return why_set(why, -ENODATA, "soakers were not calibrated");
		told.arg[2] = t->units;
	}
	return t->m.job.start(t->m.job.ctx, &told, why);
}

static int tcp_look(void *ctx, struct step_result *r, struct why *why)
{
	struct tcp *t = ctx;
	int ended = t->m.job.look(t->m.job.ctx, r, why);

	if (ended == 1 && is_called(t->at, KERNEL_TCP_UNITS) && r->figures)
		t->units = lround(r->figure[KERNEL_MEDIAN]);
	/* A step that had to calibrate again did so for those after it. */
	if (ended == 1 && is_called(t->at, KERNEL_TCP_SOAKED) && r->figures > KERNEL_TCP_ALONE)
		t->units = lround(fmax((double)t->units, r->figure[KERNEL_TCP_ALONE]));
	return ended;
}

static int tcp_fd(void *ctx)
{
	struct tcp *t = ctx;

	return t->m.job.fd(t->m.job.ctx);
}

static void tcp_hear(void *ctx)
{
	struct tcp *t = ctx;

	t->m.job.hear(t->m.job.ctx);
}

static void tcp_stop(void *ctx)
{
	struct tcp *t = ctx;

	t->m.job.stop(t->m.job.ctx);
}

static bool tcp_busy(void *ctx)
{
	struct tcp *t = ctx;

	return t->m.job.busy(t->m.job.ctx);
}

/* ---- steps --------------------------------------------------------------- */

static void name_step(const struct tcp *t, unsigned condition, long size, const char *more)
{
	struct step *step = measure_last((struct measure *)&t->m);

	snprintf(step->name, sizeof(step->name), "%s%s%ld%s", condition ? t->m.row[condition] : "",
		 condition ? " " : "", size, more);
	snprintf(step->pick[0], sizeof(step->pick[0]), "%ld", size);
	snprintf(step->pick[1], sizeof(step->pick[1]), "%.23s", t->m.row[condition]);
}

static int add_trip(struct tcp *t, unsigned condition, long size, bool timed)
{
	struct step *step;

	if (measure_add(&t->m, condition, "tcp", KERNEL_TCP_TRIP))
		return -ENOMEM;
	step = measure_last(&t->m);
	step->arg[0] = size;
	step->arg[1] = timed ? MESSAGES_ANY : MESSAGES;
	step->guess_ns = timed ? t->m.length_ns : TRIP_GUESS_NS;
	name_step(t, condition, size, "");
	return 0;
}

static int add_soaked(struct tcp *t, long size, bool timed)
{
	struct step *step;

	if (measure_add(&t->m, 0, "tcp", KERNEL_TCP_SOAKED))
		return -ENOMEM;
	step = measure_last(&t->m);
	step->arg[0] = size;
	step->arg[1] = MESSAGES_ANY;
	step->hold_ns = timed ? t->m.length_ns : SOAK_NS;
	step->most_ns += 2 * (KERNEL_TCP_TRIES - 1) * step->hold_ns;
	step->guess_ns = step->hold_ns + TRIP_GUESS_NS;
	name_step(t, 0, size, " soaked");
	return 0;
}

static int add_calibration(struct tcp *t, bool timed)
{
	if (measure_add(&t->m, 0, "tcp", KERNEL_TCP_UNITS))
		return -ENOMEM;
	measure_last(&t->m)->hold_ns = timed ? t->m.length_ns : SOAK_NS;
	measure_last(&t->m)->guess_ns = SOAK_NS + TRIP_GUESS_NS;
	return 0;
}

/* Idle trips come first: nobody may have warmed the machine up for some. */
static int add_steps(struct tcp *t, bool timed)
{
	int err = 0;

	for (unsigned i = 0; i < SIZES && !err; i++)
		err = add_trip(t, 0, SIZE_LEAST << i, timed);
	if (!err)
		err = add_calibration(t, timed);
	for (unsigned i = 0; i < SIZES && !err; i++)
		err = add_soaked(t, SIZE_LEAST << i, timed);
	for (unsigned c = 1; c < t->m.conditions; c++) {
		for (unsigned i = 0; i < SIZES && !err; i++)
			err = add_trip(t, c, SIZE_LEAST << i, timed);
	}
	return err;
}

/* Whatever is chosen, the calibration belongs to it. */
static void choose(struct tcp *t, struct options *o)
{
	t->asked = o->steps;
	if (!o->steps)
		return;
	snprintf(t->steps, sizeof(t->steps), "%.480s," KERNEL_TCP_UNITS, o->steps);
	o->steps = t->steps;
}

/* ---- what they found ----------------------------------------------------- */

static void table_name(const struct tcp *t, unsigned condition, char *buf, size_t size)
{
	snprintf(buf, size, "tcp%s%.30s", condition ? " " : "", condition ? t->m.row[condition] : "");
}

static int trip_figures(const struct tcp *t, unsigned i, struct snapshot *s)
{
	static const struct { const char *name, *unit; unsigned figure; } cells[] = {
		{ "n", "", KERNEL_N }, { "mean", "us", KERNEL_MEAN },
		{ "median", "us", KERNEL_MEDIAN }, { "p99", "us", KERNEL_P99 },
		{ "max", "us", KERNEL_MAX }, { "CPU", "us", KERNEL_TCP_CPU },
	};
	char table[40];
	int err = 0;

	table_name(t, t->m.condition[i], table, sizeof(table));
	for (size_t c = 0; c < sizeof(cells) / sizeof(cells[0]) && !err; c++)
		err = suite_figure(s, table, t->m.step[i].pick[0], cells[c].name, cells[c].unit,
				   measure_value(&t->m, i, cells[c].figure), NULL);
	return err;
}

static int soaked_figures(const struct tcp *t, unsigned i, struct snapshot *s)
{
	const char *row = t->m.step[i].pick[0];
	int err = suite_figure(s, "tcp", row, "load", "%", measure_value(&t->m, i, KERNEL_MEDIAN),
			       NULL);

	return err ? err : suite_figure(s, "tcp", row, "load CPU", "us",
					measure_value(&t->m, i, KERNEL_MEAN), NULL);
}

static int tcp_figures(void *ctx, const struct step_result *r, struct snapshot *s)
{
	struct tcp *t = ctx;
	int err = 0;

	t->m.result = r;
	for (unsigned i = 0; i < t->m.nr && !err; i++) {
		if (r[i].outcome != STEP_DONE)
			continue;
		if (is_called(&t->m.step[i], KERNEL_TCP_TRIP))
			err = trip_figures(t, i, s);
		else if (is_called(&t->m.step[i], KERNEL_TCP_SOAKED))
			err = soaked_figures(t, i, s);
	}
	return err;
}

/* ---- as text ------------------------------------------------------------- */

static double value_of(const struct snapshot *s, const char *table, const char *row,
		       const char *name)
{
	const struct snapshot_figure *f = suite_find(s, table, row, name);

	return f ? f->value : NAN;
}

static void print_row(const struct snapshot *s, const char *table, const char *row, FILE *out)
{
	static const struct { const char *name; int width, digits; } cells[] = {
		{ "n", 9, 0 }, { "mean", 8, 2 }, { "median", 8, 2 }, { "p99", 8, 2 },
		{ "max", 9, 1 }, { "CPU", 8, 2 }, { "load", 7, 1 }, { "load CPU", 8, 2 },
	};

	fprintf(out, "%6s", row);
	for (size_t c = 0; c < sizeof(cells) / sizeof(cells[0]); c++) {
		double value = value_of(s, table, row, cells[c].name);

		if (isfinite(value))
			fprintf(out, " %*.*f", cells[c].width, cells[c].digits, value);
		else
			fprintf(out, " %*s", cells[c].width, "na");
	}
	putc('\n', out);
}

/* 1 us at the left edge; seven decades fit. */
static int column_of(double us)
{
	int column = us > 1 ? (int)(log10(us) * COLUMNS / 7) : 0;

	return column < COLUMNS ? column : COLUMNS;
}

static void print_marks(const struct snapshot *s, const char *table, const char *row, FILE *out)
{
	static const struct { const char *name; char mark; } marks[] = {
		{ "max", 'X' }, { "p99", '9' }, { "mean", 'm' }, { "median", '5' },
	};
	char line[COLUMNS + 2];

	memset(line, ' ', COLUMNS + 1);
	line[COLUMNS + 1] = '\0';
	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
		double us = value_of(s, table, row, marks[i].name);

		if (isfinite(us))
			line[column_of(us)] = marks[i].mark;
	}
	for (size_t n = COLUMNS; n && line[n] == ' '; n--)
		line[n] = '\0';
	fprintf(out, "%6s |%s\n", row, line);
}

static bool any_row(const struct snapshot *s, const char *table)
{
	for (unsigned i = 0; i < s->nr_figures; i++) {
		if (!strcmp(s->figures[i].table, table))
			return true;
	}
	return false;
}

static void each_size(const struct snapshot *s, const char *table, FILE *out,
		      void (*print)(const struct snapshot *s, const char *table, const char *row,
				    FILE *out))
{
	for (unsigned i = 0; i < SIZES; i++) {
		char row[12];

		snprintf(row, sizeof(row), "%d", SIZE_LEAST << i);
		if (suite_find(s, table, row, "n") || suite_find(s, table, row, "load"))
			print(s, table, row, out);
	}
}

static int tcp_print(void *ctx, FILE *out, const struct snapshot *s, struct why *why)
{
	const struct tcp *t = ctx;

	(void)why;
	fprintf(out, "TCP round trips on loopback, answer 1 byte; microseconds.\n"
		"CPU: of both sides, by message; load: of all CPUs, by soakers, and by message.\n");
	for (unsigned c = 0; c < t->m.conditions; c++) {
		char table[40];

		table_name(t, c, table, sizeof(table));
		if (!any_row(s, table))
			continue;
		fprintf(out, "\n%s\n%6s %9s %8s %8s %8s %9s %8s %7s %8s\n", t->m.row[c], "bytes", "n",
			"mean", "median", "p99", "max", "CPU", "load %", "load CPU");
		each_size(s, table, out, print_row);
		fprintf(out, "\n%6s |%-6s%-7s%-6s%-7s%-6s%-7s%-6s%s\n", "bytes", "1us", "10us",
			"100us", "1ms", "10ms", "100ms", "1s", "5 median m mean 9 p99 X max");
		each_size(s, table, out, print_marks);
	}
	measure_print_undone(&t->m, out);
	return 0;
}

/* ---- the suite ----------------------------------------------------------- */

static int tcp_run(struct options *o, struct why *why)
{
	struct tcp *t = calloc(1, sizeof(*t));
	struct suite_plan plan = { .name = "tcp", .ctx = t,
				   .figures = tcp_figures, .print = tcp_print };
	int code = EXIT_FAILED;

	if (!t || (code = measure_begin(&t->m, o, TRIP_MOST_NS, why))) {
		free(t);
		return code;
	}
	t->job = (struct own_job){ .ctx = t, .start = tcp_start, .fd = tcp_fd, .hear = tcp_hear,
				   .look = tcp_look, .stop = tcp_stop, .busy = tcp_busy };
	plan.own = &t->job;
	choose(t, o);
	if (add_steps(t, o->length_ns)) {
		why_set(why, -ENOMEM, "tcp: no memory; close something");
		code = EXIT_FAILED;
	} else {
		code = measure_run(&t->m, o, &plan, why);
	}
	o->steps = t->asked;
	free(t);
	return code;
}

const struct suite suite_tcp = {
	.name = "tcp",
	.summary = "round trips of messages of 4 bytes to 64 KB",
	.run = tcp_run,
};
