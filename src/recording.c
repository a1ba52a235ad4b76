/* recording.c - what is written when: see recording.h and recording_lines.h. */
#include "src/recording.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/clock.h"
#include "src/numeric.h"
#include "src/recording_lines.h"
#include "src/recording_pipe.h"
#include "src/snapshot_build.h"
#include "src/snapshot_parts.h"

#define ROW_NS NS_PER_S
#define AGAIN 6			/* so many seconds are looked at again for late samples */
#define SEEN (AGAIN + 1)	/* and the second under way */
#define EXACT_ROWS 60
#define SPIKES 256		/* remembered as written */
#define SPIKE_LATE_NS (AGAIN * ROW_NS)	/* behind the newest, at most */

struct recording {
	struct recording_pipe *pipe;
	char *const *argv;
	int64_t rows;			/* seconds written so far */
	uint64_t seen[SEEN];		/* what row n held when it was written, by n % SEEN */
	struct hist **before;		/* per group: total at the last exact line */
	unsigned groups;
	uint64_t events;		/* written so far */
	int64_t spike_ns;		/* the newest spike written */
	struct { int64_t t_ns; unsigned group; int cpu; } spike[SPIKES];	/* the last ones */
	uint64_t spikes;		/* written so far */
	struct { uint64_t number; int64_t stop_ns; } run[MODEL_RUNS];	/* as written last */
	unsigned runs;
	uint64_t state;			/* fingerprint of the state line written last */
	bool told;
};

static int no_memory(struct why *why)
{
	return why_set(why, -ENOMEM, "recording: no memory; stop a load and try again");
}

/* ---- rows ------------------------------------------------------------------ */

static double seconds_of(int64_t ns)
{
	return (double)ns / 1e9;
}

/* A second, or what has passed of it. */
struct span { int64_t t_ns, len_ns; double t_s; };

static int add_group_row(struct snapshot *s, const struct group *g, const struct span *span,
			 uint64_t *held)
{
	struct column c;

	history_column(g->history, span->t_ns, span->t_ns + ROW_NS, &c);
	if (!c.known || !(c.count || c.missed || c.interrupted || c.flags))
		return 0;
	*held += c.count + c.missed + c.interrupted + c.flags;
	struct snapshot_row *row = snapshot_add_row(s, g->name);

	if (!row)
		return -ENOMEM;
	row->t_s = span->t_s;
	row->len_s = seconds_of(span->len_ns);
	row->missed = c.missed;
	row->interrupted = c.interrupted;
	row->max_ns = c.max_ns;
	row->flags = c.flags;
	for (unsigned i = c.low; i <= c.high && i < SLOTS; i++)
		if (c.counts[i] && snapshot_add_cell(row, i, c.counts[i]))
			return -ENOMEM;
	return 0;
}

/* Work is counted four times a second. */
static int add_load_row(struct snapshot *s, const struct model *m, unsigned load,
			const struct span *span)
{
	const struct load_view *v = &m->loads[load];
	int64_t counted_ns = span->len_ns / HISTORY_ROW_NS * HISTORY_ROW_NS;
	double done;

	if (!v->runs || !counted_ns ||
	    !load_history_span(m->load_history[load], span->t_ns, span->t_ns + counted_ns, &done))
		return 0;
	struct snapshot_load_row *row = snapshot_add_load_row(s);

	if (!row)
		return -ENOMEM;
	row->t_s = span->t_s;
	row->len_s = seconds_of(span->len_ns);
	row->rate = done / seconds_of(counted_ns) * (v->figure == LOAD_OPS_PER_MIN ? 60 : 1);
	snprintf(row->name, sizeof(row->name), "%s", v->name);
	return 0;
}

static struct span span_of(const struct model *m, int64_t n)
{
	int64_t t_ns = m->zero_ns + n * ROW_NS, passed_ns = m->now_ns - t_ns;

	if (passed_ns < NS_PER_MS)	/* a row has a length */
		passed_ns = NS_PER_MS;
	return (struct span){ t_ns, passed_ns < ROW_NS ? passed_ns : ROW_NS, (double)n };
}

static bool is_under_way(const struct model *m, int64_t n)
{
	int64_t t_ns = m->zero_ns + n * ROW_NS;

	return m->now_ns > t_ns && m->now_ns - t_ns < ROW_NS;
}

/* Second n as it is now.  again: only when it is not as it was written. */
static int write_row(struct recording *r, const struct model *m, int64_t n, bool again, FILE *out)
{
	struct snapshot *s = snapshot_new();
	struct span span = span_of(m, n);
	uint64_t held = 0;
	int err = s ? 0 : -ENOMEM;

	for (unsigned i = 0; i < m->nr_groups && !err; i++)
		if (model_prepared(m, &m->groups[i]))
			err = add_group_row(s, &m->groups[i], &span, &held);
	for (unsigned i = 0; i < m->nr_loads && !err; i++)
		err = add_load_row(s, m, i, &span);
	if (!err && !(again && held == r->seen[n % SEEN])) {
		recording_rows(out, s);
		if (!s->nr_rows && !s->nr_load_rows && is_under_way(m, n))
			recording_empty_row(out, span.t_s, seconds_of(span.len_ns));
		r->seen[n % SEEN] = held;
	}
	snapshot_free(s);
	return err;
}

/* ---- marks ----------------------------------------------------------------- */

static double seconds(const struct model *m, int64_t t_ns)
{
	return seconds_of(t_ns - m->zero_ns);
}

/* One that is told late stands before others that are written already. */
static void write_events(struct recording *r, const struct model *m, FILE *out)
{
	for (unsigned i = 0; i < m->nr_events; i++) {
		const struct event *from = &m->events[i];
		struct snapshot_event e = { .t_s = seconds(m, from->t_ns) };

		if (from->nth < r->events)
			continue;
		memcpy(e.kind, from->kind, sizeof(e.kind));
		memcpy(e.text, from->text, sizeof(e.text));
		recording_event(out, &e);
	}
	r->events = m->lost_events + m->nr_events;
}

/* A probe with a long period tells its spikes later than others theirs. */
static bool spike_written(const struct recording *r, const struct spike *k)
{
	if (k->t_ns <= r->spike_ns - SPIKE_LATE_NS)
		return true;
	for (uint64_t i = 0; i < SPIKES && i < r->spikes; i++)
		if (r->spike[i].t_ns == k->t_ns && r->spike[i].group == k->group &&
		    r->spike[i].cpu == k->cpu)
			return true;
	return false;
}

static void note_spike(struct recording *r, const struct spike *k)
{
	unsigned at = r->spikes++ % SPIKES;

	r->spike[at].t_ns = k->t_ns;
	r->spike[at].group = k->group;
	r->spike[at].cpu = k->cpu;
}

static int write_spikes(struct recording *r, const struct model *m, struct snapshot *s, FILE *out)
{
	int64_t newest = r->spike_ns;

	for (unsigned i = 0; i < m->nr_spikes; i++) {
		if (spike_written(r, &m->spikes[i]))
			continue;
		if (snapshot_take_spike(s, m, &m->spikes[i]))
			return -ENOMEM;
		recording_spike(out, &s->spikes[s->nr_spikes - 1]);
		note_spike(r, &m->spikes[i]);
		newest = m->spikes[i].t_ns > newest ? m->spikes[i].t_ns : newest;
	}
	r->spike_ns = newest;
	return 0;
}

/* A run when it begins, when it ends, and each minute between.  Both lists are
 * by number, and the model's only loses runs and gets new ones at its end. */
static int write_loads(struct recording *r, const struct model *m, struct snapshot *s, bool all,
		       FILE *out)
{
	unsigned k = 0;

	for (unsigned i = 0; i < m->nr_runs; i++) {
		const struct load_run *run = &m->runs[i];

		while (k < r->runs && r->run[k].number < run->number)
			k++;
		bool known = k < r->runs && r->run[k].number == run->number &&
			     r->run[k].stop_ns == run->stop_ns;

		if (!known || (all && !run->stop_ns)) {
			if (snapshot_take_load(s, m, run))
				return -ENOMEM;
			if (s->nr_loads)
				recording_load(out, &s->loads[s->nr_loads - 1], run->number);
		}
		r->run[i].number = run->number;
		r->run[i].stop_ns = run->stop_ns;
	}
	r->runs = m->nr_runs;
	return 0;
}

static uint64_t mix(uint64_t h, const char *text)
{
	do
		h = (h ^ (unsigned char)*text) * 0x100000001b3u;
	while (*text++);
	return h;
}

/* Of which kind the doubts are; their figures change all the time. */
static uint64_t fingerprint(const struct snapshot *s)
{
	const char *const tiers[] = { s->tier_rt, s->tier_cleanup, s->tier_blame, s->tier_cstates,
				      s->locked ? "locked" : "" };
	uint64_t h = 0xcbf29ce484222325u;
	char deadline[24];

	for (size_t i = 0; i < sizeof(tiers) / sizeof(tiers[0]); i++)
		h = mix(h, tiers[i]);
	snprintf(deadline, sizeof(deadline), "%" PRId64, s->deadline_ns);
	h = mix(h, deadline);
	for (unsigned i = 0; i < s->nr_badges; i++)
		h = mix(mix(h, s->badges[i].name), s->badges[i].level);
	return h;
}

/* When it changes, and each minute: a file without an end says it too. */
static int write_state(struct recording *r, const struct model *m, struct snapshot *s, bool minute,
		       FILE *out)
{
	snapshot_take_head(s, m);
	if (snapshot_take_badges(s, m))
		return -ENOMEM;
	uint64_t state = fingerprint(s);

	if (minute || state != r->state)
		recording_state(out, s);
	r->state = state;
	return 0;
}

/* ---- exact parts ------------------------------------------------------------- */

static int write_part(struct recording *r, const struct model *m, unsigned i,
		      const struct hist *now, bool first, FILE *out)
{
	const struct group *g = &m->groups[i];
	struct hist *more = hist_new(now->digits);

	if (!more)
		return -ENOMEM;
	hist_add(more, now);
	if (r->before[i])
		hist_subtract(more, r->before[i]);
	struct recording_part part = {
		.probe = g->name, .policy = g->nr ? m->series[g->first].policy : "",
		.priority = g->nr ? m->series[g->first].priority : 0,
		.interval_ns = g->nr ? m->series[g->first].interval_ns : 0,
		.counts = model_counts(m, g), .more = more,
		.min_ns = now->min_ns, .max_ns = now->max_ns, .mean_ns = hist_mean(now),
	};
	int err = recording_exact(out, &part, first);

	hist_free(more);
	return err;
}

static int write_exact_group(struct recording *r, const struct model *m, unsigned i, bool first,
			     FILE *out)
{
	struct hist *now = model_total(m, &m->groups[i]);
	int err = now ? write_part(r, m, i, now, first, out) : -ENOMEM;

	if (err) {
		hist_free(now);
		return err;
	}
	hist_free(r->before[i]);
	r->before[i] = now;
	return 0;
}

static int write_exact(struct recording *r, const struct model *m, FILE *out)
{
	bool first = true;
	/* What of the second under way is in the line: a reader adds the rest only. */
	int err = write_row(r, m, r->rows, false, out);

	if (err)
		return err;
	recording_exact_begin(out, seconds(m, m->now_ns));
	for (unsigned i = 0; i < r->groups && i < m->nr_groups && !err; i++) {
		if (!model_counts(m, &m->groups[i]).due)
			continue;	/* never was on */
		err = write_exact_group(r, m, i, first, out);
		first = false;
	}
	recording_exact_end(out);
	return err;
}

/* ---- turns ------------------------------------------------------------------- */

static int write_turn(struct recording *r, const struct model *m, FILE *out)
{
	struct snapshot *s = snapshot_new();
	int64_t rows = (m->now_ns - m->zero_ns) / ROW_NS;
	int64_t first = r->rows > AGAIN ? r->rows - AGAIN : 0;
	/* The first row too: policies and periods are known from then on. */
	bool minute = !r->rows || rows / EXACT_ROWS > r->rows / EXACT_ROWS;
	int err = s ? 0 : -ENOMEM;

	for (int64_t n = first; n < rows && !err; n++)
		err = write_row(r, m, n, n < r->rows, out);
	if (!err) {
		r->rows = rows;
		write_events(r, m, out);
		err = write_spikes(r, m, s, out);
	}
	if (!err)
		err = write_loads(r, m, s, minute, out);
	if (!err)
		err = write_state(r, m, s, minute, out);
	if (!err && minute)
		err = write_exact(r, m, out);
	snapshot_free(s);
	return err;
}

/* Lines into memory; *bytes is the caller's to free in any case. */
static int make_lines(struct recording *r, const struct model *m,
		      int (*fill)(struct recording *, const struct model *, FILE *),
		      char **bytes, size_t *n)
{
	FILE *out = open_memstream(bytes, n);

	if (!out)
		return -ENOMEM;
	struct numeric numeric = numeric_begin();
	int err = fill(r, m, out);

	numeric_end(numeric);
	return fclose(out) ? -ENOMEM : err;
}

/* Into the pipe in one piece. */
static int put_lines(struct recording *r, const struct model *m,
		     int (*fill)(struct recording *, const struct model *, FILE *))
{
	char *bytes = NULL;
	size_t n = 0;
	int err = make_lines(r, m, fill, &bytes, &n);

	if (!err)
		recording_pipe_put(r->pipe, bytes, n);
	free(bytes);
	return err;
}

int recording_tick(struct recording *r, const struct model *m, struct why *why)
{
	recording_pipe_pump(r->pipe);
	int err = r->told ? 0 : recording_pipe_error(r->pipe, why);

	if (err) {
		r->told = err != -EAGAIN;	/* a slow disk may recover, a full one not */
		return err;
	}
	if (r->told || !m->zero_ns || (m->now_ns - m->zero_ns) / ROW_NS <= r->rows)
		return 0;
	err = put_lines(r, m, write_turn);
	return err ? no_memory(why) : 0;
}

static int fill_head(struct recording *r, const struct model *m, FILE *out)
{
	struct snapshot *s = snapshot_new();

	if (!s)
		return -ENOMEM;
	snapshot_take_head(s, m);
	int err = 0;

	for (char *const *word = r->argv; word && *word && !err; word++)
		err = snapshot_add_word(s, *word) ? 0 : -ENOMEM;
	recording_head(out, s);
	snapshot_free(s);
	return err;
}

static void free_all(struct recording *r)
{
	for (unsigned i = 0; r->before && i < r->groups; i++)
		hist_free(r->before[i]);
	free(r->before);
	free(r);
}

static struct recording_pipe *open_with_head(struct recording *r, const struct model *m,
					     const char *path, struct why *why)
{
	struct recording_pipe *pipe = NULL;
	char *bytes = NULL;
	size_t n = 0;

	if (make_lines(r, m, fill_head, &bytes, &n))
		no_memory(why);
	else
		pipe = recording_pipe_open(path, bytes, n, why);
	free(bytes);
	return pipe;
}

struct recording *recording_open(const char *path, const struct model *m, char *const *argv,
				 struct why *why)
{
	struct recording *r = calloc(1, sizeof(*r));

	if (!r) {
		no_memory(why);
		return NULL;
	}
	r->argv = argv;
	r->groups = m->nr_groups;
	r->before = calloc(m->nr_groups + 1, sizeof(*r->before));
	if (!r->before)
		no_memory(why);
	else
		r->pipe = open_with_head(r, m, path, why);
	if (r->pipe)
		return r;
	free_all(r);
	return NULL;
}

static int fill_end(struct recording *r, const struct model *m, FILE *out)
{
	struct snapshot *s = snapshot_new();
	struct why why;

	r->runs = 0;	/* all of them once more: some are judged after their end */
	int err = s ? write_turn(r, m, out) : -ENOMEM;
	int64_t whole = r->rows;

	if (!err)	/* the second that has begun */
		err = write_row(r, m, whole, false, out);
	if (!err) {
		snapshot_take_head(s, m);
		err = snapshot_take_series(s, m, &why);
	}
	if (!err)
		err = snapshot_take_lists(s, m);
	if (!err)
		recording_finish(out, s);
	snapshot_free(s);
	return err;
}

int recording_close(struct recording *r, const struct model *m, int wait_ms, struct why *why)
{
	int err = m->zero_ns ? put_lines(r, m, fill_end) : 0;
	int end = recording_pipe_close(r->pipe, wait_ms, why);

	free_all(r);
	if (end)
		return end;
	return err ? why_set(why, err, "recording: its end could not be made (%s); "
			     "it is good up to the last second", strerror(-err)) : 0;
}
