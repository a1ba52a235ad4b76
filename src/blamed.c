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

static struct taken *place_for(struct blamed *b, const char *comm)
{
	struct taken *t = find(b, comm);

	if (!t && !is_kept(comm) && b->parts >= names_most(b)) {
		comm = BLAMED_OTHERS;
		t = find(b, comm);
	}
	if (t)
		return t;
	t = &b->part[b->parts++];
	*t = (struct taken){ .ns = 0 };
	snprintf(t->comm, sizeof(t->comm), "%s", comm);
	return t;
}

/* A file may say anything. */
static void add_ns(int64_t *to, int64_t ns)
{
	if (__builtin_add_overflow(*to, ns, to))
		*to = INT64_MAX;
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

void blamed_add(struct blamed *table, unsigned *nr, const struct blamed *more)
{
	struct blamed *b = table_for(table, nr, more->loads);

	for (unsigned i = 0; i < more->parts && i < BLAMED_NAMES; i++) {
		struct taken *t = place_for(b, more->part[i].comm);

		add_ns(&t->ns, more->part[i].ns);
		t->spikes += more->part[i].spikes;
	}
	add_ns(&b->ns, more->ns);
	b->spikes += more->spikes;
	put_in_order(b);
}

/* What was gathered under "others" before may have gone there again: no part
 * falls below 0, and the whole is the sum of what is left. */
void blamed_subtract(struct blamed *table, const struct blamed *before)
{
	unsigned kept = 0;

	table->ns = 0;
	table->spikes = 0;
	for (unsigned i = 0; i < table->parts; i++) {
		struct taken t = table->part[i];

		for (unsigned k = 0; k < before->parts; k++) {
			const struct taken *old = &before->part[k];

			if (strcmp(old->comm, t.comm))
				continue;
			t.ns -= old->ns < t.ns ? old->ns : t.ns;
			t.spikes -= old->spikes < t.spikes ? old->spikes : t.spikes;
		}
		if (!t.ns && !t.spikes)
			continue;
		table->ns += t.ns;
		table->spikes += t.spikes;
		table->part[kept++] = t;
	}
	table->parts = kept;
	put_in_order(table);
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
