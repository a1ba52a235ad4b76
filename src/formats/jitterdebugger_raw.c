/*
 * jitterdebugger_raw.c - samples.raw of jitterdebugger (read only): packed
 * records of 28 bytes in the byte order of the machine, no header.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/clock.h"
#include "src/format.h"
#include "src/snapshot_build.h"

#define RECORD 28
#define THREADS_MAX 4096
#define UNIT_NS 1000	/* as jitterdebugger writes without -N */

struct record {
	uint32_t thread;
	int64_t s, ns;
	uint64_t value;
};

static struct record record_at(const unsigned char *p)
{
	struct record r;

	memcpy(&r.thread, p, 4);
	memcpy(&r.s, p + 4, 8);
	memcpy(&r.ns, p + 12, 8);
	memcpy(&r.value, p + 20, 8);
	return r;
}

/* Why a record cannot be one; NULL: it can. */
static const char *wrong(const struct record *r)
{
	if (r->thread >= THREADS_MAX)
		return "thread above 4095: wrong byte order, or not samples.raw";
	if (r->ns < 0 || r->ns >= NS_PER_S || r->s < 0)
		return "not a time of day: wrong byte order, or not samples.raw";
	return NULL;
}

struct state {
	struct {
		int series;	/* -1: none yet */
		int64_t last_s, last_ns;
		double sum_ns;
		size_t joined;	/* pairs after the last joining */
	} thread[THREADS_MAX];
	struct snapshot *s;
};

static const char *add(struct state *st, const struct record *r)
{
	struct snapshot_series *one;

	if (st->thread[r->thread].series < 0) {
		st->thread[r->thread].series = (int)st->s->nr_series;
		if (!snapshot_add_series(st->s, "jitterdebugger", (int)r->thread))
			return "no memory";
	} else if (r->s < st->thread[r->thread].last_s || (r->s == st->thread[r->thread].last_s &&
							   r->ns < st->thread[r->thread].last_ns)) {
		return "time goes back within a thread: the file is damaged";
	}
	st->thread[r->thread].last_s = r->s;
	st->thread[r->thread].last_ns = r->ns;
	one = &st->s->series[st->thread[r->thread].series];
	bool over = r->value > HIST_HIGHEST_NS / UNIT_NS;
	int64_t low = over ? HIST_HIGHEST_NS : (int64_t)r->value * UNIT_NS;
	int64_t high = over ? HIST_HIGHEST_NS : low + UNIT_NS - 1;

	if (snapshot_add_pair(one, high, 1))
		return "no memory";
	if (one->pairs > 2 * st->thread[r->thread].joined + 4096) {
		snapshot_join_pairs(one);
		st->thread[r->thread].joined = one->pairs;
	}
	if (!one->counts.count++ || low < one->min_ns)
		one->min_ns = low;
	one->max_ns = high > one->max_ns ? high : one->max_ns;
	one->counts.over += over;
	st->thread[r->thread].sum_ns += (double)low;
	return NULL;
}

static void finish(struct state *st)
{
	for (unsigned i = 0; i < THREADS_MAX; i++) {
		if (st->thread[i].series < 0)
			continue;
		struct snapshot_series *one = &st->s->series[st->thread[i].series];

		snapshot_join_pairs(one);
		one->bin_ns = UNIT_NS;
		one->counts.due = one->counts.count;
		one->mean_ns = st->thread[i].sum_ns / (double)one->counts.count;
	}
	snprintf(st->s->note, sizeof(st->s->note),
		 "CPU numbers are thread numbers; unit taken as us");
}

static int read_stream(FILE *in, const char *name, struct state *st, struct why *why)
{
	unsigned char buf[RECORD];
	unsigned long long offset = 0;
	size_t got;

	while ((got = fread(buf, 1, RECORD, in)) == RECORD) {
		struct record r = record_at(buf);
		const char *what = wrong(&r);

		if (!what)
			what = add(st, &r);
		if (what)
			return why_set(why, -EINVAL, "%s: offset %llu: %s", name, offset, what);
		offset += RECORD;
	}
	offset += got;
	if (got)
		return why_set(
			why, -EINVAL,
			offset % 20 ? "%s: offset %llu: the last record is cut short"
				    : "%s: offset %llu: a 32-bit capture, which is not supported",
			name, offset);
	finish(st);
	return 0;
}

static int raw_sniff(const char *bytes, size_t n, const char *name)
{
	size_t length = strlen(name);
	struct record r;

	if (n < RECORD || !memchr(bytes, 0, RECORD))
		return 0;
	r = record_at((const unsigned char *)bytes);
	if (wrong(&r))
		return length > 4 && !strcmp(name + length - 4, ".raw") ? 5 : 0;
	return 30;
}

static int raw_read(const char *bytes, size_t n, const char *name, struct snapshot *s,
		    struct why *why)
{
	struct state *st = calloc(1, sizeof(*st));
	FILE *in = bytes ? fmemopen((void *)bytes, n, "r") : fopen(name, "re");
	int err = !st ? -ENOMEM : !in ? -errno : 0;

	if (err)
		err = why_set(why, err, "%s: %s; is the name right?", name, strerror(-err));
	if (!err) {
		st->s = s;
		for (unsigned i = 0; i < THREADS_MAX; i++)
			st->thread[i].series = -1;
		err = read_stream(in, name, st, why);
	}
	if (in)
		fclose(in);
	free(st);
	return err;
}

const struct format format_jitterdebugger_raw = {
	.name = "jitterdebugger-raw",
	.suffix = NULL,
	.summary = "samples.raw of jitterdebugger (read)",
	.streamed = true,
	.sniff = raw_sniff,
	.read = raw_read,
};
