/* blame_names.c - see blame_names.h. */
#include "src/blame_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/clock.h"
#include "src/procfile.h"
#include "src/text.h"

#define SEEN 512		/* names kept, by number modulo */
#define PARENTS_ASKED 16	/* of a spike, 15 us each */
#define HOST_PIDS "pid:[4026531836]"	/* the first pid namespace, by its fixed number */

struct blame_names {
	bool inside;		/* in a pid namespace: foreign tasks are number 0 too */
	unsigned parents_left;	/* that may be asked about in /proc for small shares */
	struct { int tid; char comm[16]; } seen[SEEN];
};

struct blame_names *blame_names_new(void)
{
	struct blame_names *n = calloc(1, sizeof(*n));
	char link[64] = "";

	if (!n)
		return NULL;
	ssize_t length = readlink("/proc/self/ns/pid", link, sizeof(link) - 1);

	n->inside = length > 0 && strcmp(link, HOST_PIDS) != 0;
	return n;
}

void blame_names_free(struct blame_names *n)
{
	free(n);
}

static void remember(struct blame_names *n, int tid, const char *comm)
{
	unsigned at = (unsigned)tid % SEEN;

	if (tid < 0)		/* many tasks of one name */
		return;
	n->seen[at].tid = tid;
	snprintf(n->seen[at].comm, sizeof(n->seen[at].comm), "%.15s", comm);
}

static const char *recall(const struct blame_names *n, int tid)
{
	unsigned at = (unsigned)tid % SEEN;

	return n->seen[at].tid == tid && n->seen[at].comm[0] ? n->seen[at].comm : NULL;
}

/* When did the task that has this number now begin?  INT64_MAX: there is none.
 * Field 22 of stat, behind the name, which may hold anything but ends at the
 * last bracket; in clock ticks since boot, suspends included. */
static int64_t began_ns(int tid)
{
	char path[64], text[1024];
	const char *p;

	snprintf(path, sizeof(path), "/proc/%d/stat", tid);
	if (procfile_read(path, text, sizeof(text)) <= 0)
		return INT64_MAX;
	p = strrchr(text, ')');
	for (int field = 2; p && field < 22; field++)
		p = strchr(p + 1, ' ');
	if (!p)
		return INT64_MAX;
	p++;
	return (int64_t)number_at(&p) * (NS_PER_S / sysconf(_SC_CLK_TCK)) - clock_suspended_ns();
}

static bool name_now(int tid, int64_t t_ns, char comm[16])
{
	char path[64], text[64];

	if (began_ns(tid) > t_ns)
		return false;
	snprintf(path, sizeof(path), "/proc/%d/comm", tid);
	if (procfile_read(path, text, sizeof(text)) <= 0)
		return false;
	text[strcspn(text, "\n")] = '\0';
	snprintf(comm, 16, "%.15s", text);
	return comm[0];
}

static void say(char out[BLAME_NAME], const char *comm, const char *mark)
{
	char clean[16];

	text_clean(clean, sizeof(clean), comm, strnlen(comm, 15), 15);
	snprintf(out, BLAME_NAME, "%s%s", clean, mark);
}

/* The name of a parent at the time of a fork is also that of its child. */
static bool name_of_parent(struct blame_names *n, int parent, int64_t t_ns, char out[BLAME_NAME])
{
	char comm[16];
	const char *seen;

	if (!parent)
		return false;
	if (name_now(parent, t_ns, comm)) {
		remember(n, parent, comm);
		say(out, comm, "~");
		return true;
	}
	seen = recall(n, parent);
	if (seen)
		say(out, seen, "~");
	return seen;
}

/* A parent has many small ones, and is remembered once it was asked about. */
static const char *ask_parent(struct blame_names *n, const struct blame_name *ring)
{
	const char *seen = recall(n, ring->parent);
	char comm[16];

	if (seen || !ring->parent || !n->parents_left)
		return seen;
	n->parents_left--;
	if (!name_now(ring->parent, ring->t_ns, comm))
		return NULL;
	remember(n, ring->parent, comm);
	return recall(n, ring->parent);
}

/* A small share: what the rings or the memory say; it is not looked for itself. */
static void find_small(struct blame_names *n, const struct blame_name *ring, char out[BLAME_NAME])
{
	const char *seen = ring->comm[0] ? ring->comm : recall(n, ring->tid);
	const char *mark = "";

	if (!seen) {
		seen = ask_parent(n, ring);
		mark = "~";
	}
	if (ring->comm[0])
		remember(n, ring->tid, ring->comm);
	say(out, seen ? seen : "(others)", seen ? mark : "");
}

static void find_task(struct blame_names *n, int tid, int64_t t_ns, const struct blame_name *ring,
		      char out[BLAME_NAME])
{
	const char *seen = recall(n, tid);
	char comm[16];

	if (ring->comm[0]) {
		remember(n, tid, ring->comm);
		say(out, ring->comm, "");
	} else if (!ring->renamed && name_now(tid, t_ns, comm)) {
		remember(n, tid, comm);
		say(out, comm, "");
	} else if (name_of_parent(n, ring->parent, t_ns, out)) {
		return;
	} else if (seen) {
		say(out, seen, "");
	} else if (ring->renamed && name_now(tid, t_ns, comm)) {
		say(out, comm, "~");
	} else {
		snprintf(out, BLAME_NAME, "tid %d (gone)", tid);
	}
}

static void find_softirq(int vector, char out[BLAME_NAME])
{
	static const char *const names[] = { "HI", "TIMER", "NET_TX", "NET_RX", "BLOCK", "IRQ_POLL",
					     "TASKLET", "SCHED", "HRTIMER", "RCU" };

	if (vector >= 0 && vector < (int)(sizeof(names) / sizeof(names[0])))
		snprintf(out, BLAME_NAME, "softirq %s", names[vector]);
	else
		snprintf(out, BLAME_NAME, "softirq %d", vector);
}

static void find_irq(const struct blame_share *s, char out[BLAME_NAME])
{
	char clean[16], whole[48];

	text_clean(clean, sizeof(clean), s->comm, strnlen(s->comm, 15), 15);
	snprintf(whole, sizeof(whole), "irq %d %s", s->id, clean);
	text_clean(out, BLAME_NAME, whole, strlen(whole), BLAME_NAME - 1);
}

/* The name that it has today is that of then, as far as this CPU can tell. */
static bool settled(const struct blame_name *name)
{
	char comm[16];

	return !name->renamed && name_now(name->tid, name->t_ns, comm) &&
		(!name->comm[0] || !strncmp(comm, name->comm, sizeof(comm)));
}

/* Is it worth a question?  The small ones ride along. */
static bool is_open(const struct blame_names *n, const struct blame_name *name, unsigned i)
{
	return i < BLAME_ASKED ? !settled(name) : !name->told_ns && !recall(n, name->tid);
}

static void ask_elsewhere(const struct blame_names *n, blame_ask_fn *ask, void *ctx,
			  struct blame_name *names, unsigned nr)
{
	struct blame_name rest[BLAME_SHARES];
	unsigned place[BLAME_SHARES], left = 0;

	for (unsigned i = 0; i < nr; i++) {
		if (!is_open(n, &names[i], i))
			continue;
		place[left] = i;
		rest[left++] = names[i];
	}
	if (left)
		ask(ctx, rest, left, true);
	for (unsigned i = 0; i < left; i++)
		names[place[i]] = rest[i];
}

/* The tasks whose switches told no name. */
static unsigned nameless(const struct blame_result *r, struct blame_name *names, unsigned *place)
{
	unsigned nr = 0;

	for (unsigned i = 0; i < r->nr; i++) {
		const struct blame_share *s = &r->share[i];

		if (s->who != BLAME_TASK || !s->id || s->comm[0])
			continue;
		place[nr] = i;
		names[nr] = (struct blame_name){ .tid = s->id, .t_ns = s->until_ns,
						 .small = nr >= BLAME_ASKED };
		nr++;
	}
	return nr;
}

static void find_share(struct blame_names *n, const struct blame_share *s, char out[BLAME_NAME])
{
	struct blame_name known = { .tid = s->id };

	switch (s->who) {
	case BLAME_TASK:
		memcpy(known.comm, s->comm, sizeof(known.comm));
		if (s->id == 0)
			snprintf(out, BLAME_NAME, "%s", n->inside ? "idle or outside" : "idle");
		else
			find_task(n, s->id, s->until_ns, &known, out);
		break;
	case BLAME_IRQ:
		find_irq(s, out);
		break;
	case BLAME_SOFTIRQ:
		find_softirq(s->id, out);
		break;
	case BLAME_OTHERS:
		snprintf(out, BLAME_NAME, "(others)");
		break;
	case BLAME_UNKNOWN:
		snprintf(out, BLAME_NAME, "unknown");
		break;
	}
}

/* What /proc knows needs no pause of a ring: a name that it took later is among
 * the newest records, which are read anyway. */
static void spare_pauses(struct blame_name *names, unsigned nr)
{
	char comm[16];

	for (unsigned i = 0; i < nr && i < BLAME_ASKED; i++)
		names[i].small = name_now(names[i].tid, names[i].t_ns, comm);
}

void blame_names_find(struct blame_names *n, const struct blame_result *r,
		      blame_ask_fn *ask, void *ctx, char out[BLAME_SHARES][BLAME_NAME])
{
	struct blame_name names[BLAME_SHARES];
	unsigned place[BLAME_SHARES], nr = nameless(r, names, place), next = 0;

	spare_pauses(names, nr);
	if (nr)
		ask(ctx, names, nr, false);
	ask_elsewhere(n, ask, ctx, names, nr);
	n->parents_left = PARENTS_ASKED;
	for (unsigned i = 0; i < r->nr; i++) {
		if (next < nr && place[next] == i) {
			if (next < BLAME_ASKED)
				find_task(n, names[next].tid, names[next].t_ns, &names[next],
					  out[i]);
			else
				find_small(n, &names[next], out[i]);
			next++;
		} else {
			find_share(n, &r->share[i], out[i]);
		}
	}
}
