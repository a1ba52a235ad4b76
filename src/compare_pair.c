/* compare_pair.c - see compare_pair.h. */
#include "src/compare_pair.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/compare_steps.h"
#include "src/knob.h"
#include "src/pairing.h"
#include "src/snapshot_rt.h"
#include "src/text.h"

#define PROBES_MAX 64

/* ---- machines -------------------------------------------------------------- */

struct facts { struct compare_fact *fact; unsigned n; };

/* A file that says "unknown" says no more than one that is silent. */
static const char *as_known(const char *text)
{
	return strcmp(text, "unknown") ? text : "";
}

static void fact(struct facts *f, const char *name, const char *base, const char *file)
{
	base = as_known(base);
	file = as_known(file);
	if (!strcmp(base, file) || f->n == COMPARE_FACTS_MAX)
		return;
	f->fact[f->n].name = name;
	snprintf(f->fact[f->n].base, sizeof(f->fact[0].base), "%s", base);
	snprintf(f->fact[f->n++].file, sizeof(f->fact[0].file), "%s", file);
}

/* Foreign files say nothing of either. */
static const char *rt_known(const struct snapshot *s)
{
	return s->tier_rt[0] ? snapshot_rt_text(s) : "";
}

static const char *lock_known(const struct snapshot *s)
{
	if (!s->tier_rt[0])
		return "";
	return s->locked ? "locked" : "not locked";
}

static void fact_number(struct facts *f, const char *name, long long base, long long file)
{
	char a[24], b[24];

	snprintf(a, sizeof(a), "%lld", base);
	snprintf(b, sizeof(b), "%lld", file);
	fact(f, name, base ? a : "", file ? b : "");
}

static void fact_time(struct facts *f, const char *name, int64_t base_ns, int64_t file_ns)
{
	char a[24], b[24];

	text_time(a, sizeof(a), base_ns);
	text_time(b, sizeof(b), file_ns);
	fact(f, name, base_ns ? a : "none", file_ns ? b : "none");
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
	fact_time(&f, "deadline", base->deadline_ns, file->deadline_ns);
	fact(&f, "governor", a->governor, b->governor);
	fact(&f, "virtual", a->virtualization, b->virtualization);
	fact(&f, "command line", a->cmdline, b->cmdline);
	fact_number(&f, "memory KB", a->mem_total_kb, b->mem_total_kb);
	fact(&f, "real time", rt_known(base), rt_known(file));
	fact(&f, "memory", lock_known(base), lock_known(file));
	fact(&f, "C-states", base->tier_cstates, file->tier_cstates);
	fact(&f, "program", base->program, file->program);
	/* It says nothing of the machines. */
	if (!snapshot_is_ours(base) || !snapshot_is_ours(file))
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

static int by_load(const void *a, const void *b)
{
	const struct compare_run *x = a, *y = b;
	int step = strcmp(x->step, y->step), name = strcmp(x->load->name, y->load->name);

	if (step || name)
		return step ? step : name;
	return (x->load->workers > y->load->workers) - (x->load->workers < y->load->workers);
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

static void add_load(struct compare_pair *p, const struct compare_run *base,
		     const struct compare_run *file)
{
	struct compare_load *l = &p->load[p->nr_loads++];
	const struct snapshot_load *a = base ? base->load : NULL, *b = file ? file->load : NULL;
	const struct snapshot_load *any = a ? a : b;

	l->step = base ? base->step : file->step;
	snprintf(l->name, sizeof(l->name), "%s x%u", any->name, any->workers);
	l->base = a;
	l->file = b;
	l->ratio = a && b && a->rate > 0 ? b->rate / a->rate : NAN;
	if (a && b)
		other_knobs(a, b, l->knobs, sizeof(l->knobs));
	l->remark = remark_of(a, b, l->knobs);
}

/* The nth run of a kind in one file belongs to the nth in the other. */
static int pair_loads(struct compare_pair *p)
{
	p->base_run = compare_runs(p->base);
	p->file_run = compare_runs(p->file);
	struct pairing_list a = { p->base_run, p->base->nr_loads, sizeof(*p->base_run) };
	struct pairing_list b = { p->file_run, p->file->nr_loads, sizeof(*p->file_run) };
	unsigned *of_base = calloc(a.n + b.n + 1ul, sizeof(*of_base)), *of_file = of_base + a.n;
	int err = of_base ? 0 : -ENOMEM;

	p->load = calloc(a.n + b.n + 1ul, sizeof(*p->load));
	if (!p->load || !p->base_run || !p->file_run)
		err = -ENOMEM;
	if (!err)
		err = pairing_make(&a, &b, by_load, of_base);
	if (!err)
		err = pairing_make(&b, &a, by_load, of_file);
	for (unsigned i = 0; i < a.n && !err; i++)
		add_load(p, &p->base_run[i],
			 of_base[i] == PAIRING_NONE ? NULL : &p->file_run[of_base[i]]);
	for (unsigned i = 0; i < b.n && !err; i++)
		if (of_file[i] == PAIRING_NONE)
			add_load(p, NULL, &p->file_run[i]);
	free(of_base);
	return err;
}

/* ---- figures --------------------------------------------------------------- */

static int by_table(const void *a, const void *b)
{
	const struct snapshot_figure *x = a, *y = b;

	return strcmp(x->table, y->table);
}

static int by_name(const void *a, const void *b)
{
	const struct snapshot_figure *x = a, *y = b;
	int table = by_table(a, b);

	return table ? table : strcmp(x->name, y->name);
}

static int by_row(const void *a, const void *b)
{
	const struct snapshot_figure *x = a, *y = b;
	int name = by_name(a, b);

	return name ? name : strcmp(x->row, y->row);
}

struct place { unsigned table, at; };

static int by_place(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->table != y->table)
		return x->table < y->table ? -1 : 1;
	return (x->at > y->at) - (x->at < y->at);
}

static bool any_match(const unsigned *match, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (match[i] != PAIRING_NONE)
			return true;
	return false;
}

/* Has it a value, or a word in its place? */
static bool is_shown(const struct snapshot_figure *f)
{
	return isfinite(f->value) || f->text[0];
}

static void add_figure(struct compare_pair *p, unsigned i, unsigned match, bool rows)
{
	const struct snapshot_figure *a = &p->base->figures[i];
	const struct snapshot_figure *b = match == PAIRING_NONE ? NULL : &p->file->figures[match];

	if (b && (is_shown(a) || is_shown(b)))
		p->figure[p->nr_figures++] = (struct compare_figure){ a, b, rows };
}

static struct pairing_list figures_of(const struct snapshot *s)
{
	return (struct pairing_list){ s->figures, s->nr_figures, sizeof(*s->figures) };
}

/* Table by table: a suite files them in the order of its steps. */
static int sort_places(const struct pairing_list *list, struct place *place, unsigned *first)
{
	int err = pairing_firsts(list, by_table, first);

	for (unsigned i = 0; i < list->n && !err; i++)
		place[i] = (struct place){ first[i], i };
	if (!err)
		qsort(place, list->n, sizeof(*place), by_place);
	return err;
}

/* Where no row of that name is in both, rows are kernels, and go by order. */
static int pair_figures(struct compare_pair *p)
{
	struct pairing_list a = figures_of(p->base), b = figures_of(p->file);
	struct place *place = calloc(a.n + 1ul, sizeof(*place));
	unsigned *match = calloc(a.n + 1ul, sizeof(*match));
	bool rows = false;
	int err = place && match ? 0 : -ENOMEM;

	p->figure = calloc(a.n + 1ul, sizeof(*p->figure));
	if (!p->figure)
		err = -ENOMEM;
	if (!err)
		err = sort_places(&a, place, match);
	if (!err)
		err = pairing_make(&a, &b, by_row, match);
	if (!err) {
		rows = any_match(match, a.n);
		err = rows ? 0 : pairing_make(&a, &b, by_name, match);
	}
	for (unsigned i = 0; i < a.n && !err; i++)
		add_figure(p, place[i].at, match[place[i].at], rows);
	free(place);
	free(match);
	return err;
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
	free(p->base_run);
	free(p->file_run);
	free(p->figure);
}
