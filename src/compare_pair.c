/* compare_pair.c - see compare_pair.h. */
#include "src/compare_pair.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/knob.h"

#define PROBES_MAX 64

/* ---- machines -------------------------------------------------------------- */

struct facts { struct compare_fact *fact; unsigned n; };

static void fact(struct facts *f, const char *name, const char *base, const char *file)
{
	if (!strcmp(base, file) || f->n == COMPARE_FACTS_MAX)
		return;
	f->fact[f->n].name = name;
	snprintf(f->fact[f->n].base, sizeof(f->fact[0].base), "%s", base);
	snprintf(f->fact[f->n++].file, sizeof(f->fact[0].file), "%s", file);
}

static void fact_number(struct facts *f, const char *name, long long base, long long file)
{
	char a[24], b[24];

	snprintf(a, sizeof(a), "%lld", base);
	snprintf(b, sizeof(b), "%lld", file);
	fact(f, name, base ? a : "", file ? b : "");
}

/* A snapshot and a recording hold the same; it says nothing of the machines. */
static bool is_ours(const char *source)
{
	return !strcmp(source, "json") || !strcmp(source, "recording");
}

unsigned compare_facts(const struct snapshot *base, const struct snapshot *file,
		       struct compare_fact facts[COMPARE_FACTS_MAX])
{
	const struct sysinfo *a = &base->system, *b = &file->system;
	struct facts f = { facts, 0 };

	fact(&f, "host", a->host, b->host);
	fact(&f, "kernel", a->kernel, b->kernel);
	fact(&f, "version", a->version, b->version);
	fact(&f, "preemption", a->preempt, b->preempt);
	fact_number(&f, "HZ", a->hz, b->hz);
	fact(&f, "clock", a->clocksource, b->clocksource);
	fact(&f, "CPU", a->cpu_model, b->cpu_model);
	fact_number(&f, "CPUs measured", base->cpus_measured, file->cpus_measured);
	fact(&f, "governor", a->governor, b->governor);
	fact(&f, "virtual", a->virtualization, b->virtualization);
	fact(&f, "command line", a->cmdline, b->cmdline);
	fact_number(&f, "memory KB", a->mem_total_kb, b->mem_total_kb);
	fact(&f, "real time", base->tier_rt, file->tier_rt);
	fact(&f, "memory", base->locked ? "locked" : "not locked",
	     file->locked ? "locked" : "not locked");
	fact(&f, "C-states", base->tier_cstates, file->tier_cstates);
	fact(&f, "program", base->program, file->program);
	if (!is_ours(base->source) || !is_ours(file->source))
		fact(&f, "format", base->source, file->source);
	return f.n;
}

/* ---- series ---------------------------------------------------------------- */

static int add_series(struct compare_pair *p, const char *base_probe, const char *file_probe)
{
	struct compare_series *s = &p->series[p->nr_series++];
	int err = dist_make(&s->base, p->base, base_probe, DIST_ALL_CPUS);

	if (!err)
		err = dist_make(&s->file, p->file, file_probe, DIST_ALL_CPUS);
	return err ? err : compare_make(&s->compare, p->base, &s->base, p->file, &s->file);
}

/* Those of one file that found no partner: without a word they would be missed. */
static int only_in(const char ***only, unsigned *nr, const struct compare_pair *p,
		   const char *const *probe, unsigned n, bool of_file)
{
	*only = calloc(n + 1, sizeof(**only));
	if (!*only)
		return -ENOMEM;
	for (unsigned i = 0; i < n; i++) {
		bool paired = false;

		for (unsigned k = 0; k < p->nr_series; k++)
			paired |= !strcmp(of_file ? p->series[k].file.probe : p->series[k].base.probe,
					  probe[i]);
		if (!paired)
			(*only)[(*nr)++] = probe[i];
	}
	return 0;
}

/* Equal names belong together; files without any, each by its first. */
static int pair_series(struct compare_pair *p)
{
	const char *a[PROBES_MAX], *b[PROBES_MAX];
	unsigned n = dist_probes(p->base, a, PROBES_MAX), m = dist_probes(p->file, b, PROBES_MAX);

	n = n < PROBES_MAX ? n : PROBES_MAX;
	m = m < PROBES_MAX ? m : PROBES_MAX;
	p->series = calloc(PROBES_MAX, sizeof(*p->series));
	if (!p->series)
		return -ENOMEM;
	for (unsigned i = 0; i < n; i++)
		for (unsigned k = 0; k < m; k++) {
			int err = strcmp(a[i], b[k]) ? 0 : add_series(p, a[i], b[k]);

			if (err)
				return err;
		}
	if (!p->nr_series && n && m) {
		int err = add_series(p, a[0], b[0]);

		if (err)
			return err;
	}
	return only_in(&p->only_base, &p->nr_only_base, p, a, n, false) ||
	       only_in(&p->only_file, &p->nr_only_file, p, b, m, true) ? -ENOMEM : 0;
}

/* ---- loads ----------------------------------------------------------------- */

static bool same_load(const struct snapshot_load *a, const struct snapshot_load *b)
{
	return !strcmp(a->name, b->name) && a->workers == b->workers;
}

/* The nth run of a kind in one file belongs to the nth in the other. */
static const struct snapshot_load *partner(const struct snapshot *from, unsigned at,
					   const struct snapshot *in)
{
	unsigned nth = 0;

	for (unsigned i = 0; i < at; i++)
		nth += same_load(&from->loads[i], &from->loads[at]);
	for (unsigned i = 0; i < in->nr_loads; i++)
		if (same_load(&in->loads[i], &from->loads[at]) && !nth--)
			return &in->loads[i];
	return NULL;
}

static const char *knob_value(const struct snapshot_load *l, const char *name)
{
	for (unsigned i = 0; i < l->knobs; i++)
		if (!strcmp(l->knob[i].name, name))
			return l->knob[i].value;
	return NULL;
}

/* "burst, mode": those of a that b has otherwise, or not at all. */
static void name_others(const struct snapshot_load *a, const struct snapshot_load *b,
			bool absent_only, char *buf, size_t size)
{
	for (unsigned i = 0; i < a->knobs; i++) {
		const char *other = knob_value(b, a->knob[i].name);

		if (!other || (!absent_only && strcmp(other, a->knob[i].value)))
			text_append(buf, size, *buf ? ", " : "", a->knob[i].name);
	}
}

/* Which are other; "" when none is. */
static void other_knobs(const struct snapshot_load *a, const struct snapshot_load *b, char *buf,
			size_t size)
{
	char names[40] = "";

	name_others(a, b, false, names, sizeof(names));
	name_others(b, a, true, names, sizeof(names));
	buf[0] = '\0';
	if (*names)
		snprintf(buf, size, "other knobs: %s", names);
}

static const char *remark_of(const struct snapshot_load *a, const struct snapshot_load *b,
			     const char *knobs)
{
	if (!a || !b)
		return "only one ran it";
	if (a->mix_version != b->mix_version)
		return "another mix: not comparable";
	if (strcmp(a->end, b->end) && (!strcmp(a->end, "failed") || !strcmp(b->end, "failed")))
		return "one of them failed";
	if (*knobs)
		return knobs;
	return strcmp(a->cpus, b->cpus) ? "on other CPUs" : "";
}

static void add_load(struct compare_pair *p, const struct snapshot_load *a,
		     const struct snapshot_load *b)
{
	struct compare_load *l = &p->load[p->nr_loads++];
	const struct snapshot_load *any = a ? a : b;

	snprintf(l->name, sizeof(l->name), "%s x%u", any->name, any->workers);
	l->base = a;
	l->file = b;
	l->ratio = a && b && a->rate > 0 ? b->rate / a->rate : NAN;
	if (a && b)
		other_knobs(a, b, l->knobs, sizeof(l->knobs));
	l->remark = remark_of(a, b, l->knobs);
}

static int pair_loads(struct compare_pair *p)
{
	p->load = calloc(p->base->nr_loads + p->file->nr_loads + 1, sizeof(*p->load));
	if (!p->load)
		return -ENOMEM;
	for (unsigned i = 0; i < p->base->nr_loads; i++)
		add_load(p, &p->base->loads[i], partner(p->base, i, p->file));
	for (unsigned i = 0; i < p->file->nr_loads; i++)
		if (!partner(p->file, i, p->base))
			add_load(p, NULL, &p->file->loads[i]);
	return 0;
}

/* ---- figures --------------------------------------------------------------- */

static const struct snapshot_figure *
nth_figure(const struct snapshot *s, const struct snapshot_figure *like, unsigned nth, bool by_row)
{
	for (unsigned i = 0; i < s->nr_figures; i++) {
		const struct snapshot_figure *f = &s->figures[i];

		if (!strcmp(f->table, like->table) && !strcmp(f->name, like->name) &&
		    (!by_row || !strcmp(f->row, like->row)) && !nth--)
			return f;
	}
	return NULL;
}

/* Is there any row of that name in both?  Else rows are kernels, and go by order. */
static bool share_rows(const struct snapshot *a, const struct snapshot *b)
{
	for (unsigned i = 0; i < a->nr_figures; i++)
		if (nth_figure(b, &a->figures[i], 0, true))
			return true;
	return false;
}

/* How many like it stand before it in its own file. */
static unsigned order_of(const struct snapshot *s, unsigned i, bool by_row)
{
	const struct snapshot_figure *f = &s->figures[i];
	unsigned nth = 0;

	for (unsigned k = 0; k < i; k++)
		nth += !strcmp(f->table, s->figures[k].table) && !strcmp(f->name, s->figures[k].name) &&
		       (!by_row || !strcmp(f->row, s->figures[k].row));
	return nth;
}

static void add_figure(struct compare_pair *p, unsigned i, bool by_row)
{
	const struct snapshot_figure *a = &p->base->figures[i];
	const struct snapshot_figure *b = nth_figure(p->file, a, order_of(p->base, i, by_row), by_row);

	if (b && isfinite(a->value) && isfinite(b->value))
		p->figure[p->nr_figures++] = (struct compare_figure){ a, b, by_row };
}

static bool begins_table(const struct snapshot *s, unsigned i)
{
	for (unsigned k = 0; k < i; k++)
		if (!strcmp(s->figures[k].table, s->figures[i].table))
			return false;
	return true;
}

/* Table by table: a suite files them in the order of its steps. */
static int pair_figures(struct compare_pair *p)
{
	const struct snapshot *base = p->base;
	bool by_row = share_rows(base, p->file);

	p->figure = calloc(base->nr_figures + 1, sizeof(*p->figure));
	if (!p->figure)
		return -ENOMEM;
	for (unsigned i = 0; i < base->nr_figures; i++) {
		if (!begins_table(base, i))
			continue;
		for (unsigned k = i; k < base->nr_figures; k++)
			if (!strcmp(base->figures[k].table, base->figures[i].table))
				add_figure(p, k, by_row);
	}
	return 0;
}

int compare_pair_make(struct compare_pair *p, const struct snapshot *base,
		      const struct snapshot *file)
{
	*p = (struct compare_pair){ .base = base, .file = file };
	int err = pair_series(p);

	if (!err)
		err = pair_loads(p);
	return err ? err : pair_figures(p);
}

void compare_pair_free(struct compare_pair *p)
{
	for (unsigned i = 0; i < p->nr_series; i++) {
		dist_free(&p->series[i].base);
		dist_free(&p->series[i].file);
	}
	free(p->series);
	free(p->only_base);
	free(p->only_file);
	free(p->load);
	free(p->figure);
}
