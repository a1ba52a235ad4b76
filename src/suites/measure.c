/* measure.c - see measure.h. */
#include "src/suites/measure.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OVERHEAD_NS (300 * NS_PER_MS)	/* of a kernel, beside its length */
#define PATIENCE_NS (120 * NS_PER_S)	/* beyond its length: cut */

int measure_begin(struct measure *m, struct options *o, int64_t length_ns, struct why *why)
{
	int n = suite_loads(o, m->load + 1, why);

	if (n < 0)
		return EXIT_USAGE;
	m->length_ns = o->length_ns ? o->length_ns : length_ns;
	snprintf(m->row[0], sizeof(m->row[0]), "idle");
	for (int i = 1; i <= n; i++)
		suite_load_name(&m->load[i], m->row[i], sizeof(m->row[i]));
	m->conditions = (unsigned)n + 1;
	return 0;
}

static int grow(struct measure *m)
{
	unsigned room = m->room ? 2 * m->room : 64;
	struct step *step;
	unsigned *condition;

	if (m->nr < m->room)
		return 0;
	step = reallocarray(m->step, room, sizeof(*step));
	if (!step)
		return -ENOMEM;
	m->step = step;
	condition = reallocarray(m->condition, room, sizeof(*condition));
	if (!condition)
		return -ENOMEM;
	m->condition = condition;
	m->room = room;
	return 0;
}

static int add(struct measure *m, unsigned condition, unsigned kernel)
{
	const struct kernel *k = kernel_nth(kernel);
	struct step *step;

	if (grow(m))
		return -ENOMEM;
	step = &m->step[m->nr];
	*step = (struct step){ .back = m->load[condition], .keeps = true, .own = true,
			       .kernel = kernel, .hold_ns = m->length_ns,
			       .most_ns = m->length_ns + PATIENCE_NS,
			       .guess_ns = m->length_ns + OVERHEAD_NS };
	if (condition)
		snprintf(step->name, sizeof(step->name), "%.20s %.24s", m->row[condition], k->name);
	else
		snprintf(step->name, sizeof(step->name), "%s", k->name);
	snprintf(step->pick[0], sizeof(step->pick[0]), "%.23s", k->name);
	snprintf(step->pick[1], sizeof(step->pick[1]), "%.23s", k->table);
	m->condition[m->nr++] = condition;
	return 0;
}

int measure_add(struct measure *m, unsigned condition, const char *table, const char *name)
{
	const struct kernel *k;

	for (unsigned i = 0; (k = kernel_nth(i)); i++) {
		if (strcmp(k->table, table) || (name && strcmp(k->name, name)))
			continue;
		if (add(m, condition, i))
			return -ENOMEM;
	}
	return 0;
}

struct step *measure_last(struct measure *m)
{
	return &m->step[m->nr - 1];
}

int measure_run(struct measure *m, struct options *o, struct suite_plan *plan, struct why *why)
{
	int code = EXIT_FAILED;

	m->keeper = keeper_start(o, why);
	if (m->keeper) {
		m->job = keeper_job(m->keeper);
		plan->own = plan->own ? plan->own : &m->job;
		plan->steps = m->step;
		plan->nr = m->nr;
		plan->no_samplers = true;
		code = suite_run(o, plan, why);
	}
	keeper_end(m->keeper);
	free(m->step);
	free(m->condition);
	return code;
}

const char *measure_row(const struct measure *m, unsigned step)
{
	return m->row[m->condition[step]];
}

const struct kernel *measure_kernel(const struct measure *m, unsigned step)
{
	return kernel_nth(m->step[step].kernel);
}

/* No time and no load is nothing, or less: what was taken off was too much. */
static bool is_below_nothing(const struct measure *m, unsigned step, unsigned figure)
{
	return !measure_kernel(m, step)->rate && figure < KERNEL_MORE && figure != KERNEL_N &&
	       m->result[step].figure[figure] <= 0;
}

/* As everywhere: a percentile that too few samples carry is no figure.  A median
 * is what these tables have in place of a mean, of however few. */
static bool is_carried(const struct measure *m, unsigned step, unsigned figure)
{
	const struct step_result *r = &m->result[step];

	return measure_kernel(m, step)->rate || figure != KERNEL_P99 || r->figures <= KERNEL_N ||
		hist_carries((uint64_t)fmax(0, r->figure[KERNEL_N]), 99);
}

double measure_value(const struct measure *m, unsigned step, unsigned figure)
{
	const struct step_result *r = &m->result[step];

	if (r->outcome != STEP_DONE || figure >= r->figures || is_below_nothing(m, step, figure) ||
	    !is_carried(m, step, figure))
		return NAN;
	return r->figure[figure];
}

static void print_below_nothing(const struct measure *m, FILE *out)
{
	bool any = false;

	for (unsigned i = 0; i < m->nr; i++) {
		if (m->result[i].outcome != STEP_DONE || !m->result[i].figures ||
		    !is_below_nothing(m, i, KERNEL_MEDIAN))
			continue;
		if (!any)
			fprintf(out, "\nna: less than nothing was left when the part that is not its own"
				" was taken off.\nSomething else ran meanwhile: "
				"again when it is quiet, or with a longer --length.\n ");
		fprintf(out, "%s %s", any ? "," : "", m->step[i].name);
		any = true;
	}
	fputs(any ? "\n" : "", out);
}

void measure_print_undone(const struct measure *m, FILE *out)
{
	print_below_nothing(m, out);
	suite_print_undone(out, m->step, m->result, m->nr);
}
