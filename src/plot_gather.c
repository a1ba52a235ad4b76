/*
 * plot_gather.c - what goes onto a sheet: files, the probes that have samples,
 * those that most files share first, and one map for each file that has it.
 */
#include <errno.h>
#include <string.h>

#include "src/plot_sheet.h"
#include "src/text.h"

#define NAMES_MAX 64

int plot_sheet_add(struct plot_sheet *p, const struct snapshot *s, const char *path)
{
	if (p->files == PLOT_FILES_MAX)
		return -E2BIG;
	const char *base = strrchr(path, '/');
	const char *label = s->label[0] ? s->label : base ? base + 1 : path;

	text_clean(p->label[p->files], sizeof(p->label[0]), label, strlen(label), 40);
	p->snap[p->files++] = s;
	return 0;
}

/* ---- probes ---------------------------------------------------------------- */

struct names { const char *name[NAMES_MAX]; unsigned files[NAMES_MAX], n; };

static bool has_samples(const struct snapshot *s, const char *probe)
{
	for (unsigned i = 0; i < s->nr_series; i++)
		if (s->series[i].counts.count && !strcmp(s->series[i].probe, probe))
			return true;
	return false;
}

static void add_name(struct names *all, const char *name)
{
	unsigned i = 0;

	while (i < all->n && strcmp(all->name[i], name))
		i++;
	if (i == NAMES_MAX)
		return;
	if (i == all->n) {
		all->name[all->n++] = name;
		all->files[i] = 0;
	}
	all->files[i]++;
}

/* Each probe of s that has samples, once. */
static unsigned probes_of(const struct snapshot *s, const char *name[NAMES_MAX])
{
	unsigned n = dist_probes(s, name, NAMES_MAX), kept = 0;

	for (unsigned i = 0; i < n && i < NAMES_MAX; i++)
		if (has_samples(s, name[i]))
			name[kept++] = name[i];
	return kept;
}

/* What most files have comes first; among equals what came first. */
static void take_most_shared(struct plot_sheet *p, struct names *all)
{
	unsigned best = 0;

	for (unsigned i = 1; i < all->n; i++)
		if (all->files[i] > all->files[best])
			best = i;
	p->shared |= all->files[best] > 1;
	p->probe[p->probes++] = all->name[best];
	all->files[best] = 0;
}

/* Files of one foreign probe each are laid over each other all the same. */
static bool choose_probes(struct plot_sheet *p)
{
	struct names all = { .n = 0 };
	bool single = true;

	for (unsigned i = 0; i < p->files; i++) {
		const char *name[NAMES_MAX];
		unsigned n = probes_of(p->snap[i], name);

		single &= n == 1;
		for (unsigned k = 0; k < n; k++)
			add_name(&all, name[k]);
	}
	unsigned room = single ? 1 : PLOT_PROBES_MAX;

	if (single && p->files > 1)
		p->shared = true;
	while (p->probes < room && p->probes < all.n)
		take_most_shared(p, &all);
	p->left_out = single ? 0 : all.n - p->probes;
	return single;
}

static int make_dist(struct plot_sheet *p, unsigned probe, unsigned file, bool single)
{
	const char *own[NAMES_MAX], *name = p->probe[probe];

	if (single && probes_of(p->snap[file], own))
		name = own[0];
	return dist_make(&p->dist[probe][file], p->snap[file], name, DIST_ALL_CPUS) == -ENOMEM
		       ? -ENOMEM : 0;
}

/* ---- maps ------------------------------------------------------------------ */

static bool has_rows(const struct plot_sheet *p, unsigned probe, unsigned file)
{
	const struct snapshot *s = p->snap[file];
	const struct dist *d = &p->dist[probe][file];

	for (unsigned i = 0; i < s->nr_rows && d->counts.count && s->duration_s > 0; i++)
		if (s->rows[i].cells && !strcmp(s->group_name[s->rows[i].group], d->probe))
			return true;
	return false;
}

static unsigned files_with(const struct plot_sheet *p, unsigned probe,
			   bool (*have)(const struct plot_sheet *p, unsigned probe, unsigned file))
{
	unsigned n = 0;

	for (unsigned i = 0; i < p->files; i++)
		n += have(p, probe, i);
	return n;
}

static bool is_in(const struct plot_sheet *p, unsigned probe, unsigned file)
{
	return p->dist[probe][file].counts.count > 0;
}

/* Which probe over time: of those that files share the one with the most maps. */
static void choose_shared_map(struct plot_sheet *p)
{
	unsigned best = 0, most = 0;

	for (unsigned k = 0; k < p->probes; k++) {
		unsigned n = files_with(p, k, is_in) > 1 ? files_with(p, k, has_rows) : 0;

		if (n > most) {
			most = n;
			best = k;
		}
	}
	for (unsigned i = 0; i < p->files; i++)
		p->map[i] = most && has_rows(p, best, i) ? (int)best : PLOT_NO_MAP;
}

/* Nothing to lay side by side: each file shows its own first one. */
static void choose_own_maps(struct plot_sheet *p)
{
	for (unsigned i = 0; i < p->files; i++) {
		p->map[i] = PLOT_NO_MAP;
		for (unsigned k = p->probes; k-- > 0;)
			if (has_rows(p, k, i))
				p->map[i] = (int)k;
	}
}

int plot_sheet_ready(struct plot_sheet *p)
{
	bool single = choose_probes(p);

	for (unsigned k = 0; k < p->probes; k++)
		for (unsigned i = 0; i < p->files; i++)
			if (make_dist(p, k, i, single))
				return -ENOMEM;
	if (p->shared)
		choose_shared_map(p);
	else
		choose_own_maps(p);
	return p->probes ? 0 : -ENODATA;
}

void plot_sheet_free(struct plot_sheet *p)
{
	for (unsigned k = 0; k < p->probes; k++)
		for (unsigned i = 0; i < p->files; i++)
			dist_free(&p->dist[k][i]);
}
