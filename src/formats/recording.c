/*
 * recording.c - a .jsr recording as a snapshot: all its seconds as rows, its
 * series exactly where it ended in order.  Cut off anywhere it is read up to
 * the last whole line: then series are sums over CPUs, exact up to the last
 * minute and from the rows after it.  The lines: src/recording_lines.h.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "src/clock.h"
#include "src/format.h"
#include "src/formats/lines.h"
#include "src/hdr_codec.h"
#include "src/json_in.h"
#include "src/model.h"
#include "src/recording_lines.h"
#include "src/snapshot_build.h"
#include "src/text.h"

#define PROBES_MAX 64
#define LOADS_MAX (1 << 20)	/* numbers of runs of loads */

/* ---- writing: a snapshot as a recording that has ended ------------------------- */

static int recording_write(FILE *out, const struct snapshot *s, struct why *why)
{
	struct snapshot head = *s;
	int64_t began_ns = snapshot_began_ns(s);

	(void)why;
	if (began_ns >= 0)
		snapshot_time_text(head.created, sizeof(head.created), began_ns + NS_PER_S / 2);
	recording_head(out, &head);
	recording_rows(out, s);
	for (unsigned i = 0; i < s->nr_loads; i++)
		recording_load(out, &s->loads[i], i);
	recording_finish(out, s);
	return 0;
}

/* ---- reading ------------------------------------------------------------------- */

struct exact {			/* a probe, up to the last exact line */
	struct snapshot_series head;	/* all but the histogram */
	struct hist *h;
	uint64_t count;			/* of h, without what only the rows tell */
	double sum_ns;
	int64_t rows_max_ns;		/* of what only the rows tell */
};

/* What one line of rows added. */
struct telling {
	double t, len;
	size_t nth;			/* in the order of the file */
	unsigned row, rows_end, load_row, load_rows_end;
};

struct parse {
	struct lines l;
	struct json_in in;
	struct snapshot *s;
	bool head, ended, cut;
	double end_s;			/* of the last row */
	struct telling *told;
	size_t tellings, told_room;
	bool again;			/* a line told of a span once more */
	double exact_s;			/* the tail begins here */
	size_t exact_told;		/* tellings before that line: they are in it */
	struct exact exact[PROBES_MAX];
	unsigned exacts;
	unsigned *load;			/* 1 + index in s->loads, by the n of the file */
	size_t loads;			/* so many have room */
	unsigned run_n[SNAPSHOT_RUNS_MAX];	/* the n of each in s->loads */
	uint64_t old_runs, old_events;	/* left out for newer ones */
};

static void no_memory(struct parse *p)
{
	json_in_refuse(&p->in, -ENOMEM, "no memory to read it; use a smaller file");
}

/* ---- rows ---- */

static void read_run(struct parse *p, const json_t *run, struct snapshot_row *row)
{
	int64_t slot = -1;
	const json_t *v;
	size_t i;

	json_array_foreach(run, i, v) {
		int64_t n = json_is_integer(v) ? json_integer_value(v) : -1;

		if (n < 0 || n > UINT32_MAX || (i == 0 && n >= SLOTS) || slot >= SLOTS) {
			json_in_refuse(&p->in, -EINVAL,
				       "\"s\" is not runs of [slot, counts]; the file is damaged");
			return;
		}
		if (i == 0) {
			slot = n;
			continue;
		}
		if (n && snapshot_add_cell(row, (unsigned)slot, (uint32_t)n))
			no_memory(p);
		slot++;
	}
}

static void extra_of(struct parse *p, const json_t *o, const char *key, const char *name,
		     int64_t *out)
{
	json_in_int(&p->in, json_in_object(&p->in, o, key), name, 0, INT64_MAX, out);
}

static void read_group(struct parse *p, const json_t *o, const char *name, json_t *list, double t,
		       double len)
{
	struct snapshot_row *row = json_is_array(list) ? snapshot_add_row(p->s, name) : NULL;
	int64_t missed = 0, interrupted = 0, flags = 0;
	const json_t *run;
	size_t i;

	if (!row) {
		json_in_refuse(&p->in, -EINVAL, "a row cannot be read, of at most %d probes; "
			       "the file is damaged", SNAPSHOT_PROBES_MAX);
		return;
	}
	row->t_s = t;
	row->len_s = len;
	json_array_foreach(list, i, run)
		read_run(p, run, row);
	extra_of(p, o, "x", name, &row->max_ns);
	extra_of(p, o, "m", name, &missed);
	extra_of(p, o, "i", name, &interrupted);
	extra_of(p, o, "f", name, &flags);
	row->missed = (uint64_t)missed;
	row->interrupted = (uint64_t)interrupted;
	row->flags = (unsigned)(flags & 0xffff);
}

static struct telling *begin_telling(struct parse *p, double t, double len)
{
	if (p->tellings == p->told_room) {
		size_t room = p->told_room ? 2 * p->told_room : 256;
		struct telling *more = realloc(p->told, room * sizeof(*more));

		if (!more) {
			no_memory(p);
			return NULL;
		}
		p->told = more;
		p->told_room = room;
	}
	struct telling *one = &p->told[p->tellings];

	one->t = t;
	one->len = len;
	one->nth = p->tellings++;
	one->row = one->rows_end = p->s->nr_rows;
	one->load_row = one->load_rows_end = p->s->nr_load_rows;
	return one;
}

static void read_row(struct parse *p, const json_t *o)
{
	double t = json_number_value(json_object_get(o, "t")), len = 1;
	json_t *list, *groups = json_in_object(&p->in, o, "s"),
		      *rates = json_in_object(&p->in, o, "l"), *rate;
	const char *name;

	json_in_real(&p->in, o, "len", &len);
	if (!(len > 0)) {
		json_in_refuse(&p->in, -EINVAL, "a row without length; the file is damaged");
		return;
	}
	struct telling *telling = begin_telling(p, t, len);

	if (!telling)
		return;
	p->again |= t < p->end_s;
	if (t + len > p->end_s)
		p->end_s = t + len;
	json_object_foreach(groups, name, list) {
		read_group(p, o, name, list, t, len);
		if (p->in.err)
			return;
	}
	if (json_object_size(rates) > SNAPSHOT_LOADS_MAX) {
		json_in_full(&p->in, SNAPSHOT_LOADS_MAX, SNAPSHOT_LOADS_MAX, "loads in a row");
		return;
	}
	json_object_foreach(rates, name, rate) {
		struct snapshot_load_row *row = snapshot_add_load_row(p->s);

		if (!row) {
			no_memory(p);
			return;
		}
		row->t_s = t;
		row->len_s = len;
		row->rate = json_number_value(rate);
		text_clean(row->name, sizeof(row->name), name, strlen(name), 23);
	}
	telling->rows_end = p->s->nr_rows;
	telling->load_rows_end = p->s->nr_load_rows;
}

/* ---- exact parts ---- */

static struct exact *exact_of(struct parse *p, const char *probe)
{
	for (unsigned i = 0; i < p->exacts; i++)
		if (!strcmp(p->exact[i].head.probe, probe))
			return &p->exact[i];
	if (p->exacts == PROBES_MAX)
		return NULL;
	struct exact *e = &p->exact[p->exacts];

	e->h = hist_new(3);
	if (!e->h)
		return NULL;
	p->exacts++;
	text_clean(e->head.probe, sizeof(e->head.probe), probe, strlen(probe), 39);
	e->head.cpu = -1;
	e->head.phase_ns = -1;
	return e;
}

static void read_part(struct parse *p, const char *probe, const json_t *o)
{
	struct exact *e = exact_of(p, probe);
	const char *text = json_string_value(json_object_get(o, "hist"));
	struct why inner = { 0 };
	int64_t priority = 0;

	if (!e) {
		no_memory(p);
		return;
	}
	json_in_text(&p->in, o, "policy", e->head.policy, sizeof(e->head.policy));
	json_in_int(&p->in, o, "priority", -1000, 1000, &priority);
	json_in_int(&p->in, o, "interval_ns", 0, INT64_MAX, &e->head.interval_ns);
	json_in_count(&p->in, o, "missed", &e->head.counts.missed);
	json_in_count(&p->in, o, "interrupted", &e->head.counts.interrupted);
	json_in_count(&p->in, o, "early", &e->head.counts.early);
	json_in_count(&p->in, o, "over", &e->head.counts.over);
	json_in_count(&p->in, o, "errors", &e->head.counts.errors);
	json_in_int(&p->in, o, "min_ns", 0, INT64_MAX, &e->head.min_ns);
	json_in_int(&p->in, o, "max_ns", 0, INT64_MAX, &e->head.max_ns);
	json_in_real(&p->in, o, "mean_ns", &e->head.mean_ns);
	e->head.priority = (int)priority;
	struct hist *more = text ? hdr_decode(text, strlen(text), &inner) : NULL;

	if (!more || more->count > SNAPSHOT_COUNT_MAX - e->h->count)
		json_in_refuse(&p->in, -EINVAL, "exact: %.160s",
			       more   ? "count too large; the file is damaged"
			       : text ? inner.text
				      : "no \"hist\"; the file is damaged");
	else
		hist_add(e->h, more);
	hist_free(more);
}

static void read_exact(struct parse *p, const json_t *root)
{
	json_t *parts = json_in_object(&p->in, root, "s"), *o;
	const char *probe;

	p->exact_s = json_number_value(json_object_get(root, "exact"));
	p->exact_told = p->tellings;
	json_object_foreach(parts, probe, o) {
		read_part(p, probe, o);
		if (p->in.err)
			return;
	}
}

/* ---- the other lines ---- */

/* A recording may go on for weeks, a list not: the older half makes room. */
static void drop_old_runs(struct parse *p)
{
	struct snapshot *s = p->s;
	unsigned drop = SNAPSHOT_RUNS_MAX / 2;

	if (s->nr_loads < SNAPSHOT_RUNS_MAX)
		return;
	for (unsigned i = 0; i < s->nr_loads; i++)
		p->load[p->run_n[i]] = i < drop ? 0 : i - drop + 1;
	s->nr_loads -= drop;
	memmove(s->loads, s->loads + drop, s->nr_loads * sizeof(*s->loads));
	memmove(p->run_n, p->run_n + drop, s->nr_loads * sizeof(*p->run_n));
	p->old_runs += drop;
}

static void drop_old_events(struct parse *p)
{
	struct snapshot *s = p->s;
	unsigned drop = SNAPSHOT_EVENTS_MAX / 2;

	if (s->nr_events < SNAPSHOT_EVENTS_MAX)
		return;
	s->nr_events -= drop;
	memmove(s->events, s->events + drop, s->nr_events * sizeof(*s->events));
	p->old_events += drop;
}

/* The run with this number, a new one when it is mentioned first. */
static struct snapshot_load *load_of(struct parse *p, size_t n)
{
	if (n >= p->loads) {
		size_t room = n < 64 ? 128 : 2 * n;
		unsigned *more = realloc(p->load, room * sizeof(*more));

		if (!more)
			return NULL;
		memset(more + p->loads, 0, (room - p->loads) * sizeof(*more));
		p->load = more;
		p->loads = room;
	}
	if (!p->load[n])
		drop_old_runs(p);
	if (!p->load[n] && snapshot_add_load(p->s, "")) {
		p->load[n] = p->s->nr_loads;
		p->run_n[p->s->nr_loads - 1] = (unsigned)n;
	}
	return p->load[n] ? &p->s->loads[p->load[n] - 1] : NULL;
}

static void read_load(struct parse *p, const json_t *root, const json_t *o)
{
	int64_t n = 0;

	json_in_int(&p->in, root, "n", 0, LOADS_MAX - 1, &n);
	struct snapshot_load *l = p->in.err ? NULL : load_of(p, (size_t)n);

	if (!l) {
		no_memory(p);	/* unless it has complained already */
		return;
	}
	*l = (struct snapshot_load){ .stop_s = -1 };
	json_in_load(&p->in, o, l);
}

static void read_end(struct parse *p, const json_t *o)
{
	json_t *one, *events = json_in_array(&p->in, o, "events"),
		     *spikes = json_in_array(&p->in, o, "spikes");
	size_t i;

	json_in_head(&p->in, o, p->s);
	if (events)
		p->s->nr_events = p->old_events = 0;
	if (spikes)
		p->s->nr_spikes = 0;
	p->s->nr_latest = 0;
	json_array_foreach(events, i, one)
		json_in_event(&p->in, one, p->s);
	json_array_foreach(spikes, i, one)
		json_in_spike(&p->in, one, p->s);
	json_array_foreach(json_in_array(&p->in, o, "latest_spikes"), i, one)
		json_in_latest(&p->in, one, p->s);
	json_in_blame(&p->in, o, p->s);
	p->ended = true;
}

static void read_object(struct parse *p, const json_t *root)
{
	json_t *o;

	if (!p->head) {
		json_in_version(&p->in, root, RECORDING_WORD, RECORDING_VERSION);
		json_in_head(&p->in, root, p->s);
		p->head = true;
	} else if (json_is_number(json_object_get(root, "t"))) {
		read_row(p, root);
	} else if (json_is_number(json_object_get(root, "exact"))) {
		read_exact(p, root);
	} else if ((o = json_in_object(&p->in, root, "event"))) {
		drop_old_events(p);
		json_in_event(&p->in, o, p->s);
	} else if ((o = json_in_object(&p->in, root, "spike"))) {
		json_in_spike(&p->in, o, p->s);
		json_in_latest(&p->in, o, p->s);	/* if it is cut off before its end */
	} else if ((o = json_in_object(&p->in, root, "load"))) {
		read_load(p, root, o);
	} else if ((o = json_in_object(&p->in, root, "state"))) {
		json_in_state(&p->in, o, p->s);
	} else if ((o = json_in_object(&p->in, root, "series"))) {
		json_in_series(&p->in, o, p->s);
	} else if ((o = json_in_object(&p->in, root, "end"))) {
		read_end(p, o);
	}
}

static void read_line(struct parse *p)
{
	p->in.line = p->l.line;
	if (!p->l.whole) {	/* cut off while it was written */
		p->cut = true;
		return;
	}
	if (!p->l.length)
		return;
	json_t *root = json_in_parse(&p->in, p->l.text, p->l.length);

	if (root)
		read_object(p, root);
	json_decref(root);
}

/* ---- putting it together ---- */

static int by_time_then_place(const void *a, const void *b)
{
	const struct telling *x = a, *y = b;

	if (x->t != y->t)
		return x->t < y->t ? -1 : 1;
	return x->nth < y->nth ? -1 : x->nth > y->nth;
}

/* Sorted once, as a search for each line would take forever with lines made for
 * that. */
static void order_tellings(struct parse *p)
{
	if (p->again)
		qsort(p->told, p->tellings, sizeof(*p->told), by_time_then_place);
}

static void forget(struct snapshot *s, const struct telling *old)
{
	for (unsigned i = old->row; i < old->rows_end; i++)
		s->rows[i].len_s = 0;
	for (unsigned i = old->load_row; i < old->load_rows_end; i++)
		s->load_rows[i].len_s = 0;
}

/* Of all lines that tell of the same span the last one holds. */
static void forget_retold(struct parse *p)
{
	for (size_t i = 1; i < p->tellings; i++)
		if (p->told[i].t == p->told[i - 1].t)
			forget(p->s, &p->told[i - 1]);
}

static void drop_forgotten(struct snapshot *s)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < s->nr_rows; i++) {
		if (s->rows[i].len_s > 0)
			s->rows[kept++] = s->rows[i];
		else
			free(s->rows[i].cell);
	}
	s->nr_rows = kept;
	kept = 0;
	for (unsigned i = 0; i < s->nr_load_rows; i++)
		if (s->load_rows[i].len_s > 0)
			s->load_rows[kept++] = s->load_rows[i];
	s->nr_load_rows = kept;
	snapshot_sort_rows(s);
}

/* ---- without an end: the exact parts, and what the rows tell beyond them ---- */

static uint64_t more_than(uint64_t now, uint64_t before)
{
	return now > before ? now - before : 0;
}

/* What a row tells that it did not tell before (NULL: nothing was told). */
static void add_row(struct exact *e, const struct snapshot_row *row,
		    const struct snapshot_row *before)
{
	unsigned at = 0, known = before ? before->cells : 0;

	for (unsigned k = 0; k < row->cells; k++) {
		int64_t high = slot_highest_ns(row->cell[k].slot);

		while (at < known && before->cell[at].slot < row->cell[k].slot)
			at++;
		bool same = at < known && before->cell[at].slot == row->cell[k].slot;

		if (row->max_ns && (k + 1 == row->cells || high > row->max_ns))
			high = row->max_ns;
		uint64_t more =
			more_than(row->cell[k].count, same ? before->cell[at].count : 0);

		hist_record_n(e->h, high, more);
		if (more && high > e->rows_max_ns)
			e->rows_max_ns = high;
	}
	e->head.counts.missed += more_than(row->missed, before ? before->missed : 0);
	e->head.counts.interrupted += more_than(row->interrupted, before ? before->interrupted : 0);
}

/* Lines name the groups in the same order: mostly the first look finds it. */
static const struct snapshot_row *row_of(const struct snapshot *s, const struct telling *one,
					 unsigned nth, unsigned group)
{
	unsigned rows = one ? one->rows_end - one->row : 0;

	for (unsigned i = 0; i < rows; i++) {
		const struct snapshot_row *row = &s->rows[one->row + (nth + i) % rows];

		if (row->group == group)
			return row;
	}
	return NULL;
}

static void add_span(struct parse *p, const struct telling *last, const struct telling *before)
{
	struct snapshot *s = p->s;

	for (unsigned i = last->row; i < last->rows_end; i++) {
		struct exact *e = exact_of(p, s->group_name[s->rows[i].group]);

		if (e)
			add_row(e, &s->rows[i], row_of(s, before, i - last->row, s->rows[i].group));
	}
}

/* An exact line holds part of a second.  What its row held then is told just
 * before it, but not by earlier programs: of that second nothing is added. */
static bool is_mixed(const struct parse *p, const struct telling *last)
{
	return last->t < p->exact_s && last->t + last->len > p->exact_s;
}

/* What the rows say beyond the last exact line: of each span the last telling
 * less the last one that the line holds too. */
static void add_tail(struct parse *p)
{
	for (size_t i = 0, end; i < p->tellings; i = end) {
		const struct telling *before = NULL, *last;

		for (end = i; end < p->tellings && p->told[end].t == p->told[i].t; end++)
			if (p->told[end].nth < p->exact_told)
				before = &p->told[end];
		last = &p->told[end - 1];
		if (last != before && (before || !is_mixed(p, last)))
			add_span(p, last, before);
	}
}

static void complete_exact(struct parse *p)
{
	for (unsigned i = 0; i < p->s->nr_groups; i++)
		if (!exact_of(p, p->s->group_name[i])) {
			no_memory(p);
			return;
		}
	for (unsigned i = 0; i < p->exacts; i++) {
		p->exact[i].count = p->exact[i].h->count;
		p->exact[i].sum_ns = p->exact[i].h->sum_ns;
	}
	add_tail(p);
}

static int finish_probe(struct parse *p, struct exact *e)
{
	struct snapshot_series *one = snapshot_add_series(p->s, e->head.probe, -1);

	if (!one || snapshot_series_from_hist(one, e->h))
		return -ENOMEM;
	uint64_t count = one->counts.count, over = one->counts.over;
	int64_t min_ns = one->min_ns, max_ns = one->max_ns;
	struct pair *pairs = one->histogram;
	size_t n = one->pairs;

	*one = e->head;
	one->histogram = pairs;
	one->pairs = n;
	one->counts.count = count;
	one->counts.over = over > e->head.counts.over ? over : e->head.counts.over;
	one->counts.due = count + one->counts.missed + one->counts.interrupted;
	one->min_ns = e->count && e->head.min_ns < min_ns ? e->head.min_ns : min_ns;
	/* A slot's end is more than what was measured: the line knows that. */
	if (e->count && e->head.max_ns)
		max_ns = e->rows_max_ns;
	one->max_ns = e->head.max_ns > max_ns ? e->head.max_ns : max_ns;
	if (one->max_ns < one->min_ns)
		one->max_ns = one->min_ns;
	if (count)
		one->mean_ns = (e->head.mean_ns * (double)e->count + e->h->sum_ns - e->sum_ns) /
			       (double)count;
	return 0;
}

struct moment { double t_s; unsigned at; };

static int by_moment(const void *a, const void *b)
{
	const struct moment *x = a, *y = b;

	if (x->t_s != y->t_s)
		return x->t_s < y->t_s ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

/* Lines are in the order in which events were told, a list is in that of time. */
static int order_events(struct snapshot *s)
{
	struct snapshot_event *to = calloc(s->nr_events + 1u, sizeof(*to));
	struct moment *moment = calloc(s->nr_events + 1u, sizeof(*moment));
	int err = to && moment ? 0 : -ENOMEM;

	if (!err) {
		for (unsigned i = 0; i < s->nr_events; i++)
			moment[i] = (struct moment){ s->events[i].t_s, i };
		qsort(moment, s->nr_events, sizeof(*moment), by_moment);
		for (unsigned i = 0; i < s->nr_events; i++)
			to[i] = s->events[moment[i].at];
		if (s->nr_events)
			memcpy(s->events, to, s->nr_events * sizeof(*to));
	}
	free(to);
	free(moment);
	return err;
}

static void finish_without_end(struct parse *p)
{
	struct snapshot *s = p->s;

	s->duration_s = p->end_s;
	for (unsigned i = 0; i < s->nr_series; i++)	/* cut within the end */
		free(s->series[i].histogram);
	s->nr_series = 0;
	if (order_events(s))
		no_memory(p);
	for (unsigned i = 0; i < p->exacts && !p->in.err; i++)
		if (finish_probe(p, &p->exact[i]))
			no_memory(p);
	int64_t began_ns = snapshot_time_ns(s->created);

	if (began_ns >= 0 && began_ns < INT64_MAX / 2 && s->duration_s < 1e9)
		snapshot_time_text(s->created, sizeof(s->created),
				   began_ns + (int64_t)(s->duration_s * 1e9));
	double coarse_s = p->end_s - p->exact_s;

	if (coarse_s >= 0.5)
		snprintf(s->note, sizeof(s->note),
			 "the recording was cut off: CPUs are summed, and the last %.0f s are "
			 "in coarse slots", coarse_s);
	else
		snprintf(s->note, sizeof(s->note), "the recording was cut off: CPUs are summed");
}

/* That of the rows before the last: the last second is rarely whole. */
static double usual_length(const struct snapshot *s)
{
	unsigned i = s->nr_rows;

	if (!i)
		return 0;
	while (i > 1 && s->rows[i - 1].t_s == s->rows[s->nr_rows - 1].t_s)
		i--;
	return s->rows[i - 1].len_s;
}

static void note_left_out(struct parse *p, uint64_t n, const char *what)
{
	char note[80];

	snprintf(note, sizeof(note), "the oldest %" PRIu64 " %s are left out", n, what);
	if (n)
		snapshot_add_note(p->s, note);
}

static void finish(struct parse *p)
{
	if (!p->head) {
		json_in_refuse(&p->in, -EINVAL,
			       "no line is whole; the recording was cut off at once");
		return;
	}
	order_tellings(p);
	if (!p->ended)
		complete_exact(p);
	forget_retold(p);
	drop_forgotten(p->s);
	snapshot_trim_latest(p->s);
	p->s->row_s = usual_length(p->s);
	if (!p->ended)
		finish_without_end(p);
	note_left_out(p, p->old_runs, "runs of loads");
	note_left_out(p, p->old_events, "events");
}

static int recording_read(const char *bytes, size_t n, const char *name, struct snapshot *s,
			  struct why *why)
{
	struct parse *p = calloc(1, sizeof(*p));

	if (!p)
		return why_set(why, -ENOMEM, "%s: no memory to read it; use a smaller file", name);
	p->s = s;
	p->in = (struct json_in){ .name = name, .why = why };
	int err = lines_open(&p->l, bytes, n, name, why);

	while (!err && lines_next(&p->l)) {
		read_line(p);
		err = p->in.err;
	}
	err = err ? err : p->l.err;
	if (!err) {
		finish(p);
		err = p->in.err;
	}
	lines_close(&p->l);
	for (unsigned i = 0; i < p->exacts; i++)
		hist_free(p->exact[i].h);
	free(p->load);
	free(p->told);
	free(p);
	return err;
}

static int recording_sniff(const char *bytes, size_t n, const char *name)
{
	char line[128];

	(void)name;
	return strstr(first_line(bytes, n, line, sizeof(line)), "\"" RECORDING_WORD "\"") ? 100 : 0;
}

const struct format format_recording = {
	.name = "recording",
	.suffix = ".jsr",
	.summary = "a recording, second by second, for replay",
	.streamed = true,
	.write = recording_write,
	.sniff = recording_sniff,
	.read = recording_read,
};
