/* blamed.c - see blamed.h. */
#include "src/blamed.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define OTHER_LOADS "other loads"

static struct taken *find(struct blamed *b, const char *comm)
{
	for (unsigned i = 0; i < b->parts; i++)
		if (!strcmp(b->part[i].comm, comm))
			return &b->part[i];
	return NULL;
}

/* Places are kept for what does not fit, is not known or was not read, as long
 * as these have none: a copy, name by name, is the table again. */
static unsigned names_most(struct blamed *b)
{
	return BLAMED_NAMES - !find(b, BLAMED_OTHERS) - !find(b, BLAMED_UNKNOWN) -
		!find(b, BLAMED_UNREAD);
}

static bool is_kept(const char *comm)
{
	return !strcmp(comm, BLAMED_OTHERS) || !strcmp(comm, BLAMED_UNKNOWN) ||
		!strcmp(comm, BLAMED_UNREAD);
}

/* A file may say anything. */
static void add_ns(int64_t *to, int64_t ns)
{
	if (__builtin_add_overflow(*to, ns, to))
		*to = INT64_MAX;
}

/* What it held at the most, with what it may have held before it had a place. */
static int64_t most_ns(const struct taken *t)
{
	int64_t ns = t->ns;

	add_ns(&ns, t->more_ns);
	return ns;
}

static struct taken *new_place(struct blamed *b)
{
	return &b->part[b->parts++];
}

static struct taken *least(struct blamed *b)
{
	struct taken *low = NULL;

	for (unsigned i = 0; i < b->parts; i++)
		if (!is_kept(b->part[i].comm) &&
		    (!low || most_ns(&b->part[i]) < most_ns(low)))
			low = &b->part[i];
	return low;
}

/* The place of the name of the least time, whose share goes to the others.  As
 * the next one may have held as much, it is not the first to go again. */
static struct taken *take_place(struct blamed *b)
{
	struct taken *low = least(b), *others = find(b, BLAMED_OTHERS);

	if (!others) {
		others = new_place(b);
		*others = (struct taken){ .comm = BLAMED_OTHERS };
	}
	add_ns(&others->ns, low->ns);
	others->spikes += low->spikes;
	if (most_ns(low) > b->gone_ns)
		b->gone_ns = most_ns(low);
	return low;
}

static struct taken *place_for(struct blamed *b, const char *comm)
{
	struct taken *t = find(b, comm);
	bool kept = is_kept(comm);

	if (t)
		return t;
	t = kept || b->parts < names_most(b) ? new_place(b) : take_place(b);
	*t = (struct taken){ .more_ns = kept ? 0 : b->gone_ns };
	snprintf(t->comm, sizeof(t->comm), "%s", comm);
	return t;
}

static void put_in_order(struct blamed *b)
{
	for (unsigned i = 1; i < b->parts; i++) {
		struct taken t = b->part[i];
		unsigned at = i;

		for (; at && b->part[at - 1].ns < t.ns; at--)
			b->part[at] = b->part[at - 1];
		b->part[at] = t;
	}
}

void blamed_part(struct blamed *b, const char *comm, int64_t ns)
{
	if (ns <= 0)
		return;
	add_ns(&place_for(b, comm)->ns, ns);
	add_ns(&b->ns, ns);
}

static struct blamed *table_for(struct blamed *table, unsigned *nr, const char *loads)
{
	for (unsigned i = 0; i < *nr; i++)
		if (!strcmp(table[i].loads, loads))
			return &table[i];
	if (*nr == BLAMED_TABLES)
		return &table[BLAMED_TABLES - 1];
	if (*nr == BLAMED_TABLES - 1)
		loads = OTHER_LOADS;
	struct blamed *b = &table[(*nr)++];

	*b = (struct blamed){ .ns = 0 };
	snprintf(b->loads, sizeof(b->loads), "%s", loads);
	return b;
}

/* What one table let go may have held time in the other as well. */
static void add_gone(struct blamed *b, const struct blamed *more)
{
	for (unsigned i = 0; more->gone_ns && i < b->parts; i++)
		if (!is_kept(b->part[i].comm))
			add_ns(&b->part[i].more_ns, more->gone_ns);
	add_ns(&b->gone_ns, more->gone_ns);
}

void blamed_add(struct blamed *table, unsigned *nr, const struct blamed *more)
{
	struct blamed *b = table_for(table, nr, more->loads);

	add_gone(b, more);
	for (unsigned i = 0; i < more->parts && i < BLAMED_NAMES; i++) {
		struct taken *t = place_for(b, more->part[i].comm);

		add_ns(&t->ns, more->part[i].ns);
		t->spikes += more->part[i].spikes;
	}
	add_ns(&b->ns, more->ns);
	b->spikes += more->spikes;
	put_in_order(b);
}

/* Now less then, and nothing below 0. */
static struct taken since(const struct taken *now, struct blamed *before)
{
	const struct taken *then = find(before, now->comm);
	struct taken t = *now;

	if (then) {
		t.ns -= then->ns < t.ns ? then->ns : t.ns;
		t.spikes -= then->spikes < t.spikes ? then->spikes : t.spikes;
	}
	return t;
}

/* The whole is exact, and so are the names that kept their places; the others
 * are what is left, since a name may have gone there with what it had before. */
void blamed_subtract(struct blamed *table, const struct blamed *before)
{
	struct blamed then = *before, left = *table;
	struct taken others = { .comm = BLAMED_OTHERS };

	others.ns = table->ns > before->ns ? table->ns - before->ns : 0;
	others.spikes = table->spikes > before->spikes ? table->spikes - before->spikes : 0;
	left.parts = 0;
	left.ns = others.ns;
	left.spikes = others.spikes;
	for (unsigned i = 0; i < table->parts; i++) {
		struct taken t = since(&table->part[i], &then);

		if (!strcmp(t.comm, BLAMED_OTHERS) || (!t.ns && !t.spikes))
			continue;
		t.ns = t.ns < others.ns ? t.ns : others.ns;
		t.spikes = t.spikes < others.spikes ? t.spikes : others.spikes;
		others.ns -= t.ns;
		others.spikes -= t.spikes;
		left.part[left.parts++] = t;
	}
	if (others.ns || others.spikes)
		left.part[left.parts++] = others;
	put_in_order(&left);
	*table = left;
}

static size_t part_text(const struct blamed *b, const char *comm, int64_t ns, uint64_t spikes,
			bool first, char *buf, size_t size)
{
	double pct = b->ns ? 100 * (double)ns / (double)b->ns : 0;

	return (size_t)snprintf(buf, size, "%s%s %.*f %% (%" PRIu64 ")", first ? "" : ", ", comm,
				pct > 0 && pct < 1 ? 1 : 0, pct, spikes);
}

/* A name of its own: what led no spike and is below a thousandth goes with the
 * others, whatever they are called in the table. */
static bool is_told(const struct blamed *b, const struct taken *t)
{
	return strcmp(t->comm, BLAMED_OTHERS) && (t->spikes || t->ns >= b->ns / 1000);
}

/* What is left of the table when so much of it was told; 0: nothing. */
static size_t rest_text(const struct blamed *b, int64_t ns, uint64_t spikes, bool first, char *buf,
			size_t size)
{
	if (b->spikes == spikes && b->ns - ns <= b->ns / 1000)
		return 0;
	return part_text(b, "others", b->ns - ns, b->spikes - spikes, first, buf, size);
}

size_t blamed_text(const struct blamed *b, char *buf, size_t size)
{
	size_t used = 0;
	int64_t ns = 0;
	uint64_t spikes = 0;
	unsigned told = 0;

	buf[0] = '\0';
	for (unsigned i = 0; i < b->parts; i++) {
		const struct taken *t = &b->part[i];
		char text[80], rest[80];

		if (!is_told(b, t))
			continue;
		told++;
		size_t n = part_text(b, t->comm, t->ns, t->spikes, !used, text, sizeof(text));

		if (used + n + rest_text(b, ns + t->ns, spikes + t->spikes, false, rest,
					 sizeof(rest)) >= size)
			break;
		memcpy(buf + used, text, n + 1);
		used += n;
		ns += t->ns;
		spikes += t->spikes;
	}
	if (told && !used)	/* "others" than whom? */
		return 0;
	used += rest_text(b, ns, spikes, !used, buf + used, size - used);
	return used < size ? used : size - 1;
}
