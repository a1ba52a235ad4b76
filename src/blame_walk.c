/* blame_walk.c - see blame_walk.h. */
#include "src/blame_walk.h"

#include <stdlib.h>
#include <string.h>

/* ---- gathering, newest first --------------------------------------------- */

struct gathering {
	const struct blame_window *w;
	unsigned nr;
	int64_t waking_ns;
	int after;		/* who ran behind the switch that was read last */
	bool reached;		/* a switch at or before due: from there on all is known */
	bool gap;		/* records lost between the last that was read and the next */
	bool lost, full;
};

#define SHARES_BY_TASK (BLAME_SHARES / 2)

#define NOT_READ (-2)		/* no switch read yet */
#define NO_NUMBER (-1)		/* a task that has exited */

/* A ring of tasks that stop running tells who ran before, not who runs from
 * there on: that is whose record was read just before, and at the end of the
 * window the sampler itself. */
static struct trace_event in_behind(struct gathering *g, const struct trace_event *out)
{
	struct trace_event in = { .t_ns = out->t_ns, .kind = TRACE_IN };

	in.tid = g->after == NOT_READ && g->w->sampler_tid ? g->w->sampler_tid : g->after;
	return in;
}

static bool keep(struct gathering *g, const struct trace_event *e)
{
	if (g->nr == g->w->rooms) {
		g->full = true;
		return false;
	}
	g->w->room[g->nr++] = *e;
	g->reached = e->kind == TRACE_IN && e->t_ns <= g->w->due_ns;
	return !g->reached;
}

static bool gather_out(struct gathering *g, const struct trace_event *e)
{
	struct trace_event in = in_behind(g, e);

	g->after = e->tid;
	return e->t_ns > g->w->woke_ns || keep(g, &in);
}

/* Lost records lie between a LOST and the next older one. */
static void note_gap(struct gathering *g, const struct trace_event *e)
{
	if (g->gap && e->t_ns < g->w->woke_ns)
		g->lost = true;
	g->gap = e->kind == TRACE_LOST;
}

static bool gather(void *ctx, const struct trace_event *e)
{
	struct gathering *g = ctx;

	note_gap(g, e);
	if (e->kind == TRACE_OUT)
		return gather_out(g, e);
	/* It had its number until it exited, and no longer when it stopped. */
	if (e->kind == TRACE_EXIT && g->after == NO_NUMBER)
		g->after = e->tid;
	if (e->t_ns > g->w->woke_ns)
		return true;
	if (e->kind == TRACE_WAKING) {
		if (!g->waking_ns && e->tid == g->w->sampler_tid && e->t_ns >= g->w->due_ns)
			g->waking_ns = e->t_ns;
		return true;
	}
	if (e->kind == TRACE_FORK || e->kind == TRACE_EXIT || e->kind == TRACE_LOST)
		return true;
	return keep(g, e);
}

/* ---- accounting, oldest first -------------------------------------------- */

struct accounting {
	struct blame_result *out;
	int64_t cursor_ns, in_ns;	/* in: of the latest switch */
	struct blame_share task, irq, softirq;	/* who is on; BLAME_UNKNOWN: nobody */
};

static bool is_share(const struct blame_share *s, const struct blame_share *who, int id)
{
	return s->who == who->who && s->id == id &&
		(id != BLAME_ANY || !strncmp(s->comm, who->comm, sizeof(s->comm)));
}

static unsigned hash_of(const struct blame_share *who, int id)
{
	unsigned hash = ((unsigned)id << 2 | (unsigned)who->who) * 2654435761u;

	for (unsigned i = 0; id == BLAME_ANY && i < sizeof(who->comm) && who->comm[i]; i++)
		hash = (hash ^ (unsigned char)who->comm[i]) * 16777619u;
	return hash >> 16;
}

/* Where its number is, or is to be: there are more places than shares. */
static uint16_t *place_of(struct blame_result *out, const struct blame_share *who, int id)
{
	unsigned at = hash_of(who, id) % BLAME_PLACES;

	while (out->place[at] && !is_share(&out->share[out->place[at] - 1], who, id))
		at = (at + 1) % BLAME_PLACES;
	return &out->place[at];
}

static struct blame_share *add_share(struct blame_result *out, const struct blame_share *who,
				     int id)
{
	struct blame_share *s = &out->share[out->nr++];

	*s = (struct blame_share){ .who = who->who, .id = id };
	if (id == BLAME_ANY)
		memcpy(s->comm, who->comm, sizeof(s->comm));
	return s;
}

/* With very many tasks the later ones share a place by name. */
static struct blame_share *find_share(struct blame_result *out, const struct blame_share *who)
{
	bool by_name = out->nr >= SHARES_BY_TASK && who->who == BLAME_TASK && who->comm[0] &&
		       who->id > 0;
	int id = by_name ? BLAME_ANY : who->id;

	uint16_t *place = place_of(out, who, who->id);

	if (!*place && by_name)
		place = place_of(out, who, id);
	if (*place)
		return &out->share[*place - 1];
	if (out->nr == BLAME_SHARES)	/* the last one is everybody else's */
		return &out->share[BLAME_SHARES - 1];
	if (out->nr == BLAME_SHARES - 1)
		return add_share(out, &(struct blame_share){ .who = BLAME_OTHERS }, 0);
	*place = (uint16_t)(out->nr + 1);
	return add_share(out, who, id);
}

static void credit(struct accounting *a, int64_t until_ns)
{
	const struct blame_share *on = &a->task;
	int64_t ns = until_ns - a->cursor_ns;

	if (ns <= 0)
		return;
	if (a->irq.who)
		on = &a->irq;
	else if (a->softirq.who)
		on = &a->softirq;
	struct blame_share *s = find_share(a->out, on);

	s->ns += ns;
	s->until_ns = until_ns;
	if (on->comm[0] && s->who != BLAME_OTHERS)
		memcpy(s->comm, on->comm, sizeof(s->comm));
	a->cursor_ns = until_ns;
}

static struct blame_share share_of(enum blame_who who, int id, const char *comm)
{
	struct blame_share s = { .who = who, .id = id };

	memcpy(s.comm, comm, sizeof(s.comm));
	return s;
}

/* From then on it runs, or whoever came after it. */
static bool is_endless(const struct blame_window *w, int tid)
{
	return w->endless && w->endless_tid == tid;
}

static void apply(struct accounting *a, const struct blame_window *w, const struct trace_event *e)
{
	static const struct blame_share nobody;

	switch (e->kind) {
	case TRACE_IN:
		/* No switch happens inside an interrupt: one still open lost its end. */
		a->task = e->tid < 0 || is_endless(w, e->tid) ? nobody
			: share_of(BLAME_TASK, e->tid, e->comm);
		a->in_ns = e->t_ns;
		a->irq = a->softirq = nobody;
		break;
	case TRACE_COMM:	/* an exec in its slice: the old name did the least of it */
		if (a->task.who == BLAME_TASK && a->task.id == e->tid)
			memcpy(a->task.comm, e->comm, sizeof(a->task.comm));
		break;
	case TRACE_IRQ_IN:
		a->irq = share_of(BLAME_IRQ, e->other, e->comm);
		break;
	case TRACE_SOFTIRQ_IN:
		a->softirq = share_of(BLAME_SOFTIRQ, e->other, e->comm);
		break;
	case TRACE_IRQ_OUT:
		a->irq = nobody;
		break;
	case TRACE_SOFTIRQ_OUT:
		a->softirq = nobody;
		break;
	default:
		break;
	}
}

/* The first and the last moment of the pauses that touch [from, to]; to 0: none. */
static struct blame_pause pause_in(const struct blame_window *w, int64_t from_ns, int64_t to_ns)
{
	struct blame_pause all = { INT64_MAX, 0 };

	for (unsigned i = 0; i < w->pauses; i++) {
		const struct blame_pause *p = &w->pause[i];

		if (!p->to_ns || p->to_ns < from_ns || p->from_ns > to_ns)
			continue;
		all.from_ns = p->from_ns < all.from_ns ? p->from_ns : all.from_ns;
		all.to_ns = p->to_ns > all.to_ns ? p->to_ns : all.to_ns;
	}
	return all;
}

/*
 * With tracepoints a switch tells also who ran before it.  When that is not
 * who was switched to last, a switch between the two was not recorded: the ring
 * was paused.  Who ran after the pause is known, who ran during it is not.
 */
static void bridge(struct accounting *a, const struct blame_window *w, const struct trace_event *e)
{
	static const struct blame_share nobody;

	if (!w->layout || e->kind != TRACE_IN || a->task.who != BLAME_TASK ||
	    a->task.id == e->other)
		return;
	struct blame_pause p = pause_in(w, a->in_ns, e->t_ns);

	if (!a->out->bridged)
		a->out->bridged_from = a->task.id;
	a->out->bridged = true;
	if (p.to_ns)
		credit(a, p.from_ns);
	a->task = a->irq = a->softirq = nobody;
	if (!p.to_ns)
		return;
	credit(a, p.to_ns < e->t_ns ? p.to_ns : e->t_ns);
	a->task = (struct blame_share){ .who = BLAME_TASK, .id = e->other };
}

static void account(const struct blame_window *w, unsigned nr, struct blame_result *out)
{
	struct accounting a = { .out = out, .cursor_ns = w->due_ns };

	while (nr-- > 0) {
		const struct trace_event *e = &w->room[nr];

		bridge(&a, w, e);
		if (e->t_ns > w->due_ns) {
			credit(&a, e->t_ns);
			out->switches += e->kind == TRACE_IN;
		}
		apply(&a, w, e);
	}
	credit(&a, w->woke_ns);
}

static int by_size(const void *a, const void *b)
{
	const struct blame_share *x = a, *y = b;

	return (x->ns < y->ns) - (x->ns > y->ns);
}

void blame_walk(const struct blame_window *w, const struct perf_ring_bytes *ring,
		struct blame_result *out)
{
	struct gathering g = { .w = w, .after = NOT_READ };
	enum perf_ring_end end;

	*out = (struct blame_result){ 0 };
	if (w->woke_ns <= w->due_ns)
		return;
	end = perf_ring_walk(ring, w->layout, gather, &g);
	account(w, g.nr, out);
	qsort(out->share, out->nr, sizeof(out->share[0]), by_size);
	for (unsigned i = 0; i < out->nr; i++)
		if (out->share[i].who == BLAME_UNKNOWN)
			out->unknown_ns = out->share[i].ns;
	out->waking_ns = g.waking_ns;
	out->broken = end == PERF_RING_BROKEN;
	out->incomplete = out->unknown_ns || out->bridged || g.lost || g.full || !g.reached;
}

/* ---- names --------------------------------------------------------------- */

struct looking {
	struct blame_name *names;
	unsigned nr, left, older;
	unsigned large;		/* of those left, not small */
	int64_t oldest_ns;
	uint16_t first[BLAME_PLACES], next[BLAME_SHARES];	/* name + 1, by number */
};

static unsigned place_of_tid(int tid)
{
	return ((unsigned)tid * 2654435761u >> 16) % BLAME_PLACES;
}

/* What is older than a FORK is of another task that had the same number. */
static void tell(struct blame_name *n, const struct trace_event *e)
{
	bool named = e->kind == TRACE_COMM;

	n->told_ns = e->t_ns;
	n->parent = named ? 0 : e->other;
	memset(n->comm, 0, sizeof(n->comm));
	if (named)
		memcpy(n->comm, e->comm, sizeof(n->comm));
}

/* Has this record this ring's last word on that name? */
static bool tells(struct blame_name *n, const struct trace_event *e)
{
	if (e->t_ns > n->t_ns) {
		n->renamed |= e->kind == TRACE_COMM;
		return false;
	}
	if (e->t_ns > n->told_ns)
		tell(n, e);
	return true;
}

static bool look_for_names(void *ctx, const struct trace_event *e)
{
	struct looking *l = ctx;

	unsigned most = l->large ? BLAME_NAME_RECORDS : BLAME_SMALL_RECORDS;

	if (e->t_ns < l->oldest_ns && ++l->older > most)
		return false;
	if (e->kind != TRACE_COMM && e->kind != TRACE_FORK)
		return true;
	for (unsigned i = l->first[place_of_tid(e->tid)]; i; i = l->next[i - 1]) {
		struct blame_name *n = &l->names[i - 1];

		if (n->tid != e->tid || n->here || !tells(n, e))
			continue;
		n->here = true;
		l->left--;
		l->large -= !n->small;
	}
	return l->left;
}

void blame_find_names(struct blame_name *names, unsigned nr, const struct perf_ring_bytes *ring,
		      const struct trace_layout *layout)
{
	struct looking l = { .names = names, .nr = nr, .left = nr, .oldest_ns = INT64_MAX };

	for (unsigned i = 0; i < nr; i++) {
		uint16_t *first = &l.first[place_of_tid(names[i].tid)];

		names[i].here = false;
		l.large += !names[i].small;
		l.next[i] = *first;
		*first = (uint16_t)(i + 1);
		if (names[i].t_ns < l.oldest_ns)
			l.oldest_ns = names[i].t_ns;
	}
	if (l.left)
		perf_ring_walk(ring, layout, look_for_names, &l);
}
