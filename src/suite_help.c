/* suite_help.c - what suites have in common: orders, -l, figures. See suite.h. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "src/snapshot_build.h"
#include "src/suite.h"
#include "src/text.h"

#define LINE_COLUMNS 78

/* ---- loads ---- */

int suite_loads(struct options *o, struct order out[SUITE_LOADS], struct why *why)
{
	struct schedule *s = &o->schedule;
	unsigned n = s->entries;

	if (n > SUITE_LOADS)
		return why_set(why, -EINVAL, "-l: more than %d loads; leave some out",
			       SUITE_LOADS);
	for (unsigned i = 0; i < n; i++) {
		if (s->entry[i].at_ns || s->entry[i].order.what != CMD_LOAD_START)
			return why_set(why, -EINVAL, "-l %s@: a suite starts and stops loads "
				       "itself; leave the time out",
				       loads[s->entry[i].order.arg]->name);
		out[i] = s->entry[i].order;
	}
	s->entries = 0;
	return (int)n;
}

static int own_load(const char *suite, const struct order *asked, struct order *const own[],
		    unsigned n, struct why *why)
{
	bool found = false;

	for (unsigned i = 0; i < n; i++) {
		if (own[i]->what == CMD_NONE || own[i]->arg != asked->arg)
			continue;
		own[i]->cpus = asked->cpus;
		own[i]->workers = asked->workers ? asked->workers : own[i]->workers;
		memcpy(own[i]->knob, asked->knob, sizeof(own[i]->knob));
		found = true;
	}
	if (found)
		return 0;
	return why_set(why, -EINVAL, "-l %s: no load of %s; its -l only sets the knobs of its own",
		       loads[asked->arg]->name, suite);
}

int suite_own_loads(struct options *o, const char *suite, struct order *const own[], unsigned n,
		    struct why *why)
{
	struct order asked[SUITE_LOADS];
	int count = suite_loads(o, asked, why);

	for (int i = 0; i < count; i++) {
		if (own_load(suite, &asked[i], own, n, why))
			return -EINVAL;
	}
	return count < 0 ? count : 0;
}

void suite_load_name(const struct order *order, char *buf, size_t size)
{
	if (order->workers)
		snprintf(buf, size, "%s x%u", loads[order->arg]->name, order->workers);
	else
		snprintf(buf, size, "%s", loads[order->arg]->name);
}

struct order suite_order(const struct load *l, unsigned workers)
{
	struct order order = { .what = CMD_LOAD_START, .arg = (unsigned)load_index(l),
			       .workers = workers, .has_knobs = true, .limit_ns = INT64_MAX };

	for (unsigned i = 0; l->knobs[i].name; i++)
		order.knob[i] = l->knobs[i].value;
	return order;
}

void suite_order_knob(struct order *order, const struct load *l, const char *knob, long value)
{
	for (unsigned i = 0; l->knobs[i].name; i++) {
		const struct load_knob *k = &l->knobs[i];

		if (!strcmp(k->name, knob))
			order->knob[i] = value < k->least ? k->least
					 : value > k->most ? k->most : value;
	}
}

int suite_figure(struct snapshot *s, const char *table, const char *row, const char *name,
		 const char *unit, double value, const char *text)
{
	struct snapshot_figure *f = snapshot_add_figure(s, table, row, name, unit);

	if (!f)
		return -ENOMEM;
	f->value = value;
	if (text)
		snprintf(f->text, sizeof(f->text), "%s", text);
	return 0;
}

double suite_published(const struct load *l, const struct step_result *r, const char *name)
{
	for (unsigned i = 0; l->figure_names && l->figure_names[i]; i++) {
		if (!strcmp(l->figure_names[i], name) && i < r->figures)
			return r->figure[i];
	}
	return NAN;
}

const struct snapshot_figure *suite_find(const struct snapshot *s, const char *table,
					 const char *row, const char *name)
{
	for (unsigned i = 0; i < s->nr_figures; i++) {
		const struct snapshot_figure *f = &s->figures[i];

		if (!strcmp(f->name, name) && !strcmp(f->row, row) && !strcmp(f->table, table))
			return f;
	}
	return NULL;
}

static const char *const cell_names[] = { "p50", "p99", "p99.9", "max" };
#define CELLS (sizeof(cell_names) / sizeof(cell_names[0]))

static int64_t cell_ns(const struct step_latency *l, unsigned cell)
{
	const int64_t ns[] = { l->p50_ns, l->p99_ns, l->p999_ns, l->max_ns };

	return ns[cell];
}

/* A percentile that too few samples carry is no figure, here as in a report. */
static bool cell_carried(const struct step_latency *l, unsigned cell)
{
	static const double percents[] = { 50, 99, 99.9, 100 };

	return hist_carries(l->count, percents[cell]);
}

int suite_add_latencies(struct snapshot *s, const char *table, const char *row,
		    const struct step_result *r)
{
	int err = 0;

	for (unsigned i = 0; i < r->latencies && !err; i++) {
		const struct step_latency *l = &r->latency[i];

		for (unsigned k = 0; k < CELLS && !err; k++) {
			char name[48];

			snprintf(name, sizeof(name), "%s %s", l->name, cell_names[k]);
			err = suite_figure(s, table, row, name, "us",
					   cell_carried(l, k) ? (double)cell_ns(l, k) / 1e3 : NAN,
					   NULL);
		}
	}
	return err;
}

static const struct step_result *any_latency(const struct step_result *r, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		if (r[i].outcome > STEP_RUNNING && r[i].latencies)
			return &r[i];
	}
	return NULL;
}

static void print_latency(const struct step_latency *l, FILE *out)
{
	char text[16];

	for (unsigned k = 0; k < CELLS; k++)
		fprintf(out, " %6s", cell_carried(l, k) ? text_time(text, sizeof(text), cell_ns(l, k))
			: l->count ? "-" : "na");
}

static void print_end(FILE *out, const struct step_result *r)
{
	fprintf(out, r->outcome == STEP_DONE ? "\n" : " %s\n", outcome_name(r->outcome));
}

static void print_head(FILE *out, const char *head, const struct step_result *any)
{
	fprintf(out, "\n%*s", (int)strlen(head), "");
	for (unsigned k = 0; k < any->latencies; k++)
		fprintf(out, k + 1 < any->latencies ? "  %-26.26s" : "  %.26s",
			any->latency[k].name);
	fprintf(out, "\n%s", head);
	for (unsigned k = 0; k < any->latencies; k++)
		for (unsigned c = 0; c < CELLS; c++)
			fprintf(out, " %6s", cell_names[c]);
	fprintf(out, "\n");
}

void suite_print_latencies(FILE *out, const char *head,
			   void (*lead)(const void *ctx, unsigned step, char *buf, size_t size),
			   const void *ctx, const struct step_result *r, unsigned n)
{
	const struct step_result *any = any_latency(r, n);
	char before[64];

	if (!any)
		return;
	print_head(out, head, any);
	for (unsigned i = 0; i < n; i++) {
		if (r[i].outcome <= STEP_RUNNING || !r[i].latencies)
			continue;
		lead(ctx, i, before, sizeof(before));
		fputs(before, out);
		for (unsigned k = 0; k < r[i].latencies; k++)
			print_latency(&r[i].latency[k], out);
		print_end(out, &r[i]);
	}
}

static bool same_end(const struct step_result *a, const struct step_result *b)
{
	return a->outcome == b->outcome && !strcmp(a->why, b->why);
}

static bool told_before(const struct step_result *r, unsigned i)
{
	for (unsigned k = 0; k < i; k++) {
		if (same_end(&r[k], &r[i]))
			return true;
	}
	return false;
}

/* "stat, fork proc, ..." in lines of 78 columns. */
static void print_names(FILE *out, const struct step *steps, const struct step_result *r,
			unsigned from, unsigned n)
{
	size_t used = LINE_COLUMNS;	/* full: the first name begins a line */

	for (unsigned i = from; i < n; i++) {
		size_t length = strlen(steps[i].name) + 2;

		if (!same_end(&r[i], &r[from]))
			continue;
		if (used + length > LINE_COLUMNS) {
			fprintf(out, "%s\n  %s", i == from ? "" : ",", steps[i].name);
			used = length;
		} else {
			fprintf(out, ", %s", steps[i].name);
			used += length;
		}
	}
	putc('\n', out);
}

void suite_print_undone(FILE *out, const struct step *steps, const struct step_result *r,
			unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		if (r[i].outcome <= STEP_DONE || told_before(r, i))
			continue;
		fprintf(out, "\n%s: %s", outcome_name(r[i].outcome), r[i].why);
		print_names(out, steps, r, i, n);
	}
}

void suite_row_name(const struct options *o, char *buf, size_t size)
{
	struct utsname name;
	const char *given = o->label;

	if (!given || !*given)
		given = uname(&name) ? "kernel" : name.release;
	text_clean(buf, size, given, strlen(given), (unsigned)size);
	for (char *p = buf; *p; p++) {
		if (*p == ' ')
			*p = '_';
	}
}

unsigned suite_ncpu(void)
{
	struct cpuset allowed;

	if (cpuset_allowed(&allowed, NULL))
		return 1;
	return cpuset_count(&allowed) > 0 ? (unsigned)cpuset_count(&allowed) : 1;
}
