/* blame_gather.c - see blame_gather.h. */
#include "src/blame_gather.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNKNOWN BLAMED_UNKNOWN
#define OTHERS BLAMED_OTHERS

/* One share, as if it were alone. */
static struct blame_entry entry_of(const struct model *m, const struct blame_window *w,
				   const struct blame_share *s, const char *name)
{
	bool task = s->who == BLAME_TASK;
	struct blame_entry e = { .pid = -1, .tasks = 1, .ns = s->ns };

	/* A task too small to be asked about is called as those without a place. */
	e.rest = s->who == BLAME_UNKNOWN || s->who == BLAME_OTHERS || !strcmp(name, OTHERS);
	e.host = task && (s->id == 0 || s->id == w->sampler_tid);
	if (task && s->id >= 0 && !e.rest)
		e.pid = s->id;
	snprintf(e.name, sizeof(e.name), "%s", name);
	if (task && !e.host && !e.rest)
		blame_general_name(m, name, w->due_ns, e.general);
	else
		memcpy(e.general, e.name, sizeof(e.general));
	return e;
}

/* A task called as an interrupt, or as idle, stays apart from it. */
static struct blame_entry *find(struct blame_gathered *g, const struct blame_entry *e)
{
	for (unsigned i = 0; i < g->nr; i++)
		if (g->entry[i].host == e->host && g->entry[i].rest == e->rest &&
		    !strcmp(g->entry[i].general, e->general))
			return &g->entry[i];
	return NULL;
}

static void add(struct blame_gathered *g, const struct blame_entry *e)
{
	struct blame_entry *to = find(g, e);

	if (!to) {
		g->entry[g->nr++] = *e;
		return;
	}
	memcpy(to->name, to->general, sizeof(to->name));
	to->pid = -1;
	to->tasks++;
	to->ns += e->ns;
}

static int by_size(const void *a, const void *b)
{
	const struct blame_entry *x = a, *y = b;

	return (x->ns < y->ns) - (x->ns > y->ns);
}

void blame_gather(const struct model *m, const struct blame_window *w,
		  const struct blame_result *r, char name[BLAME_SHARES][BLAME_NAME],
		  struct blame_gathered *out)
{
	out->nr = 0;
	for (unsigned i = 0; i < r->nr; i++) {
		struct blame_entry e = entry_of(m, w, &r->share[i], name[i]);

		add(out, &e);
	}
	qsort(out->entry, out->nr, sizeof(out->entry[0]), by_size);
}

static void add_culprit(struct spike *s, int pid, const char *comm, int64_t ns)
{
	if (!ns)
		return;
	s->culprit[s->nr].pid = pid;
	snprintf(s->culprit[s->nr].comm, sizeof(s->culprit[0].comm), "%s", comm);
	s->culprit[s->nr++].ns = ns;
}

void blame_gather_spike(const struct blame_gathered *g, struct spike *s)
{
	int64_t unknown_ns = 0, others_ns = 0;
	unsigned named = 0;

	for (unsigned i = 0; i < g->nr; i++) {
		const struct blame_entry *e = &g->entry[i];

		named += !e->rest;
		if (e->rest && !strcmp(e->general, UNKNOWN))
			unknown_ns += e->ns;
		else if (e->rest)
			others_ns += e->ns;
	}
	unsigned places = SPIKE_CULPRITS - (unknown_ns > 0);

	if (others_ns || named > places)
		places--;
	for (unsigned i = 0; i < g->nr; i++) {
		const struct blame_entry *e = &g->entry[i];

		if (!e->rest && s->nr < places)
			add_culprit(s, e->pid, e->name, e->ns);
		else if (!e->rest)
			others_ns += e->ns;
	}
	add_culprit(s, -1, OTHERS, others_ns);
	add_culprit(s, -1, UNKNOWN, unknown_ns);
}
