/* model.c - see model.h. */
#include "src/model.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/text.h"

#define UNDO_NS (5 * NS_PER_S)

/* ---- life ---------------------------------------------------------------- */

static void drop_hist(const struct model *m, struct hist *h)
{
	if (h != m->empty && h != m->empty_total)
		hist_free(h);
}

static void drop_history(const struct model *m, struct history *h)
{
	if (h != m->empty_history)
		history_free(h);
}

static void group_free(const struct model *m, struct group *g)
{
	drop_hist(m, g->now);
	drop_hist(m, g->run);
	drop_hist(m, g->undo);
	drop_hist(m, g->baseline);
	drop_history(m, g->history);
}

static void series_free(const struct model *m, struct series *s)
{
	drop_hist(m, s->total);
	drop_history(m, s->history);
}

static void group_blank(const struct model *m, struct group *g)
{
	g->now = g->run = g->undo = g->baseline = m->empty;
	g->history = m->empty_history;
}

static void series_blank(const struct model *m, struct series *s)
{
	s->total = m->empty_total;
	s->history = m->empty_history;
}

static int group_init(struct group *g, int64_t zero_ns)
{
	g->now = hist_new(3);
	g->run = hist_new(3);
	g->undo = hist_new(3);
	g->baseline = hist_new(3);
	g->history = history_new(HISTORY_FULL, zero_ns);
	return g->now && g->run && g->undo && g->baseline && g->history ? 0 : -ENOMEM;
}

static int series_init(struct series *s, unsigned digits, int64_t zero_ns)
{
	s->total = hist_new(digits);
	s->history = history_new(digits < 3 ? HISTORY_MAXIMA : HISTORY_SHORT, zero_ns);
	return s->total && s->history ? 0 : -ENOMEM;
}

bool model_prepared(const struct model *m, const struct group *g)
{
	return g->run != m->empty;
}

bool model_series_prepared(const struct model *m, const struct series *s)
{
	return s->total != m->empty_total;
}

static int64_t base_of(const struct model *m)
{
	return m->zero_ns ? m->zero_ns : m->start_ns;
}

int model_prepare_group(struct model *m, unsigned group)
{
	struct group *g = &m->groups[group];
	int err = model_prepared(m, g) ? 0 : group_init(g, base_of(m));

	if (err) {
		group_free(m, g);
		group_blank(m, g);
	}
	return err;
}

int model_prepare_series(struct model *m, unsigned series)
{
	struct series *s = &m->series[series];
	int err = model_prepare_group(m, s->group);

	if (err || model_series_prepared(m, s))
		return err;
	err = series_init(s, m->digits, base_of(m));
	if (err) {
		series_free(m, s);
		series_blank(m, s);
	}
	return err;
}

static int make_empty(struct model *m)
{
	m->empty = hist_new(3);
	m->empty_total = hist_new(m->digits);
	m->empty_history = history_new(HISTORY_MAXIMA, m->start_ns);
	return m->empty && m->empty_total && m->empty_history ? 0 : -ENOMEM;
}

static int model_parts(struct model *m, bool lazy)
{
	int err = make_empty(m);

	for (unsigned i = 0; i < m->nr_groups; i++)
		group_blank(m, &m->groups[i]);
	for (unsigned i = 0; i < m->nr_series; i++) {
		m->series[i].cpu = -1;
		m->series[i].phase_ns = -1;
		series_blank(m, &m->series[i]);
	}
	for (unsigned i = 0; i < m->nr_groups && !lazy && !err; i++)
		err = group_init(&m->groups[i], m->start_ns);
	for (unsigned i = 0; i < m->nr_series && !lazy && !err; i++)
		err = series_init(&m->series[i], m->digits, m->start_ns);
	for (unsigned i = 0; i < m->nr_loads && !err; i++) {
		m->load_history[i] = load_history_new(m->start_ns);
		err = m->load_history[i] ? 0 : -ENOMEM;
	}
	return err;
}

static void *array(size_t n, size_t size)
{
	return calloc(n ? n : 1, size);
}

struct model *model_new(const struct model_spec *spec)
{
	struct model *m = calloc(1, sizeof(*m));

	if (!m)
		return NULL;
	m->start_ns = m->now_ns = spec->start_ns;
	m->digits = spec->digits;
	m->groups = array(spec->groups, sizeof(*m->groups));
	m->series = array(spec->series, sizeof(*m->series));
	m->loads = array(spec->loads, sizeof(*m->loads));
	m->load_history = array(spec->loads, sizeof(*m->load_history));
	m->events = array(MODEL_EVENTS, sizeof(*m->events));
	m->runs = array(MODEL_RUNS, sizeof(*m->runs));
	m->spikes = array(MODEL_SPIKES, sizeof(*m->spikes));
	m->undo_spikes = array(MODEL_SPIKES, sizeof(*m->undo_spikes));
	m->latest = array(MODEL_LATEST, sizeof(*m->latest));
	m->blamed = array(BLAMED_TABLES, sizeof(*m->blamed));
	m->undo_blamed = array(BLAMED_TABLES, sizeof(*m->undo_blamed));
	if (!m->latest || !m->blamed || !m->undo_blamed || !m->groups || !m->series || !m->loads || !m->load_history || !m->events ||
	    !m->runs || !m->spikes || !m->undo_spikes)
		goto fail;
	m->nr_groups = spec->groups;
	m->nr_series = spec->series;
	m->nr_loads = spec->loads;
	if (model_parts(m, spec->lazy))
		goto fail;
	return m;
fail:
	model_free(m);
	return NULL;
}

void model_free(struct model *m)
{
	if (!m)
		return;
	for (unsigned i = 0; i < m->nr_groups; i++)
		group_free(m, &m->groups[i]);
	for (unsigned i = 0; i < m->nr_series; i++)
		series_free(m, &m->series[i]);
	for (unsigned i = 0; i < m->nr_loads; i++)
		load_history_free(m->load_history[i]);
	hist_free(m->empty);
	hist_free(m->empty_total);
	history_free(m->empty_history);
	free(m->groups);
	free(m->series);
	free(m->loads);
	free(m->load_history);
	free(m->events);
	free(m->runs);
	free(m->spikes);
	free(m->undo_spikes);
	free(m->latest);
	free(m->blamed);
	free(m->undo_blamed);
	free(m);
}

void model_zero(struct model *m, int64_t zero_ns)
{
	m->zero_ns = m->reset_ns = zero_ns;
	for (unsigned i = 0; i < m->nr_groups; i++)
		history_restart(m->groups[i].history, zero_ns);
	for (unsigned i = 0; i < m->nr_series; i++)
		if (m->series[i].history)
			history_restart(m->series[i].history, zero_ns);
	for (unsigned i = 0; i < m->nr_loads; i++)
		load_history_restart(m->load_history[i], zero_ns);
}

/* ---- moments and messages ------------------------------------------------ */

/* Cleaned even where callers did so: what was cut may end inside a letter. */
static void say(char *out, size_t size, const char *fmt, va_list args)
{
	char raw[512];
	int n = vsnprintf(raw, sizeof(raw), fmt, args);

	if (n < 0)
		n = 0;
	if ((size_t)n >= sizeof(raw))
		n = sizeof(raw) - 1;
	text_clean(out, size, raw, (size_t)n, (unsigned)size - 1);
}

static struct event *event_slot(struct model *m, int64_t t_ns)
{
	if (m->nr_events == MODEL_EVENTS) {
		m->lost_events++;
		m->nr_events--;
		memmove(m->events, m->events + 1, m->nr_events * sizeof(*m->events));
	}
	unsigned at = m->nr_events++;

	for (; at && m->events[at - 1].t_ns > t_ns; at--)
		m->events[at] = m->events[at - 1];
	return &m->events[at];
}

void model_event(struct model *m, int64_t t_ns, const char *kind, const char *fmt, ...)
{
	uint64_t nth = m->lost_events + m->nr_events;
	struct event *e = event_slot(m, t_ns);
	va_list args;

	*e = (struct event){ .t_ns = t_ns, .nth = nth };
	snprintf(e->kind, sizeof(e->kind), "%s", kind);
	va_start(args, fmt);
	say(e->text, sizeof(e->text), fmt, args);
	va_end(args);
}

void model_status(struct model *m, bool bad, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	say(m->status, sizeof(m->status), fmt, args);
	va_end(args);
	m->status_bad = bad;
	m->status_ns = m->now_ns;
}

void model_worst(struct model *m, const struct spike *s)
{
	unsigned at = m->nr_spikes;

	if (at == MODEL_SPIKES) {
		if (s->late_ns <= m->spikes[at - 1].late_ns)
			return;
		at--;
	} else {
		m->nr_spikes++;
	}
	for (; at && m->spikes[at - 1].late_ns < s->late_ns; at--)
		m->spikes[at] = m->spikes[at - 1];
	m->spikes[at] = *s;
}

void model_spike(struct model *m, const struct spike *s)
{
	m->latest[m->latest_seen++ % MODEL_LATEST] = *s;
	model_worst(m, s);
}

/* A reset takes nothing away: what is older than it does not count, until it
 * is taken back. */
const struct spike *model_latest(const struct model *m, uint64_t number)
{
	const struct spike *s = &m->latest[number % MODEL_LATEST];

	if (number >= m->latest_seen || m->latest_seen - number > MODEL_LATEST ||
	    s->t_ns < m->reset_ns)
		return NULL;
	return s;
}

unsigned model_latest_count(const struct model *m)
{
	unsigned n = 0;

	while (n < m->latest_seen && model_latest(m, m->latest_seen - 1 - n))
		n++;
	return n;
}

/* Others may be wanted by now: the run goes on with those it has. */
unsigned model_run_workers(const struct load_view *v)
{
	return v->run_workers ? v->run_workers : v->workers;
}

static unsigned workers_of(const struct model *m, const char *name, size_t length)
{
	for (unsigned i = 0; i < m->nr_loads; i++)
		if (strlen(m->loads[i].name) == length && !strncmp(m->loads[i].name, name, length))
			return model_run_workers(&m->loads[i]);
	return 0;
}

/* "fork x4, churn x8" of "fork churn". */
static void loads_text(const struct model *m, const char *names, char *buf, size_t size)
{
	size_t used = 0;

	snprintf(buf, size, "no load");
	while (*(names += strspn(names, " ")) && used + 1 < size) {
		size_t n = strcspn(names, " ");

		used += (size_t)snprintf(buf + used, size - used, "%s%.*s x%u", used ? ", " : "",
					 (int)n, names, workers_of(m, names, n));
		names += n;
	}
}

/* In spikes a part counts where it held the most. */
void model_blamed(struct model *m, const struct spike *s, const struct blamed *parts)
{
	struct blamed one = *parts;
	unsigned most = 0;

	for (unsigned i = 1; i < one.parts; i++)
		if (one.part[i].ns > one.part[most].ns)
			most = i;
	if (one.parts)
		one.part[most].spikes = 1;
	one.spikes = 1;
	snprintf(one.loads, sizeof(one.loads), "%s", BLAMED_ALL);
	blamed_add(m->blamed, &m->nr_blamed, &one);
	loads_text(m, s->loads, one.loads, sizeof(one.loads));
	blamed_add(m->blamed, &m->nr_blamed, &one);
}

static struct badge *find_badge(struct model *m, const char *name)
{
	for (unsigned i = 0; i < m->nr_badges; i++)
		if (!strcmp(m->badges[i].name, name))
			return &m->badges[i];
	return NULL;
}

void model_badge(struct model *m, const char *name, const char *level, const char *fmt, ...)
{
	struct badge *b = find_badge(m, name);
	va_list args;

	if (!b) {
		if (m->nr_badges == MODEL_BADGES)
			return;
		b = &m->badges[m->nr_badges++];
	}
	snprintf(b->name, sizeof(b->name), "%s", name);
	snprintf(b->level, sizeof(b->level), "%s", level);
	va_start(args, fmt);
	say(b->text, sizeof(b->text), fmt, args);
	va_end(args);
}

void model_badge_drop(struct model *m, const char *name)
{
	struct badge *b = find_badge(m, name);

	if (!b)
		return;
	m->nr_badges--;
	memmove(b, b + 1, (size_t)(m->badges + m->nr_badges - b) * sizeof(*b));
}

/* ---- sums ---------------------------------------------------------------- */

struct counts model_counts(const struct model *m, const struct group *g)
{
	struct counts sum = { 0 };

	for (unsigned i = 0; i < g->nr; i++) {
		const struct counts *c = &m->series[g->first + i].counts;

		sum.due += c->due;
		sum.count += c->count;
		sum.missed += c->missed;
		sum.interrupted += c->interrupted;
		sum.early += c->early;
		sum.over += c->over;
		sum.unplaced += c->unplaced;
		sum.errors += c->errors;
	}
	return sum;
}

uint64_t model_run_missed(const struct model *m, const struct group *g)
{
	return model_counts(m, g).missed - g->run_start.missed;
}

bool counts_hold(const struct counts *c)
{
	return c->due == c->count + c->missed + c->interrupted &&
		c->early <= c->count && c->over <= c->count && c->unplaced <= c->count &&
		c->errors <= c->interrupted;
}

struct hist *model_total(const struct model *m, const struct group *g)
{
	struct hist *sum = hist_new(g->nr ? m->series[g->first].total->digits : 3);

	if (!sum)
		return NULL;
	for (unsigned i = 0; i < g->nr; i++)
		hist_add(sum, m->series[g->first + i].total);
	return sum;
}

int64_t model_in_flight(const struct model *m, const struct group *g)
{
	int64_t worst = 0;

	for (unsigned i = 0; i < g->nr; i++)
		if (m->series[g->first + i].in_flight_ns > worst)
			worst = m->series[g->first + i].in_flight_ns;
	return worst;
}

bool model_has_rt_probe(const struct model *m)
{
	for (unsigned i = 0; i < m->nr_groups; i++)
		if (m->groups[i].want_rt && (m->groups[i].on || model_counts(m, &m->groups[i]).due))
			return true;
	return false;
}

int model_group(const struct model *m, const char *name)
{
	for (unsigned i = 0; i < m->nr_groups; i++)
		if (!strcmp(m->groups[i].name, name))
			return (int)i;
	return -1;
}

/* ---- run, undo, baseline ------------------------------------------------- */

#define SWAP(a, b)							\
	do {								\
		_Static_assert(sizeof(a) == sizeof(b), "not alike");	\
		swap(&(a), &(b), sizeof(a));				\
	} while (0)

static void swap(void *a, void *b, size_t bytes)
{
	unsigned char was[sizeof(struct counts)];	/* the largest */

	memcpy(was, a, bytes);
	memcpy(a, b, bytes);
	memcpy(b, was, bytes);
}

/* What the run has told of its spikes, for what the run before has. */
static void swap_spikes(struct model *m)
{
	SWAP(m->spikes, m->undo_spikes);
	SWAP(m->nr_spikes, m->nr_undo_spikes);
	SWAP(m->blamed, m->undo_blamed);
	SWAP(m->nr_blamed, m->nr_undo_blamed);
	SWAP(m->spikes_seen, m->undo_seen);
	SWAP(m->spikes_incomplete, m->undo_incomplete);
	SWAP(m->spikes_unread, m->undo_unread);
	SWAP(m->latest_before, m->undo_latest_before);
}

static void add_undo_spikes(struct model *m)
{
	for (unsigned i = 0; i < m->nr_undo_spikes; i++)
		model_worst(m, &m->undo_spikes[i]);
	for (unsigned i = 0; i < m->nr_undo_blamed; i++)
		blamed_add(m->blamed, &m->nr_blamed, &m->undo_blamed[i]);
	m->spikes_seen += m->undo_seen;
	m->spikes_incomplete += m->undo_incomplete;
	m->spikes_unread += m->undo_unread;
}

static void swap_run(struct group *g)
{
	SWAP(g->run, g->undo);
	SWAP(g->run_start, g->undo_start);
}

static void swap_counters(struct series *s)
{
	for (unsigned i = 0; i < PROBE_COUNTERS_MAX; i++)
		SWAP(s->run_counter[i], s->undo_counter[i]);
}

static void reset_counters(struct series *s)
{
	swap_counters(s);
	memcpy(s->run_counter, s->counter, sizeof(s->run_counter));
}

void model_reset(struct model *m, int64_t now_ns)
{
	for (unsigned i = 0; i < m->nr_groups; i++) {
		struct group *g = &m->groups[i];

		swap_run(g);
		hist_clear(g->run);
		g->run_start = model_counts(m, g);
	}
	for (unsigned i = 0; i < m->nr_series; i++)
		reset_counters(&m->series[i]);
	swap_spikes(m);
	m->latest_before = m->latest_seen;
	m->nr_spikes = m->nr_blamed = 0;
	m->spikes_seen = m->spikes_incomplete = m->spikes_unread = 0;
	m->undo_reset_ns = m->reset_ns;
	m->reset_ns = now_ns;
	model_event(m, now_ns, "reset", "new run");
}

/* The old run comes back together with what was measured since. */
bool model_reset_undo(struct model *m, int64_t now_ns)
{
	if (!m->undo_reset_ns || now_ns - m->reset_ns > UNDO_NS)
		return false;
	for (unsigned i = 0; i < m->nr_groups; i++) {
		struct group *g = &m->groups[i];

		swap_run(g);
		hist_add(g->run, g->undo);
	}
	for (unsigned i = 0; i < m->nr_series; i++)
		swap_counters(&m->series[i]);
	swap_spikes(m);
	add_undo_spikes(m);
	m->reset_ns = m->undo_reset_ns;
	m->undo_reset_ns = 0;
	model_event(m, now_ns, "reset", "reset taken back");
	return true;
}

void model_baseline_set(struct model *m)
{
	char span[32];

	for (unsigned i = 0; i < m->nr_groups; i++) {
		hist_clear(m->groups[i].baseline);
		hist_add(m->groups[i].baseline, m->groups[i].run);
		m->groups[i].baseline_missed = (int64_t)model_run_missed(m, &m->groups[i]);
	}
	memset(&m->baseline, 0, sizeof(m->baseline));
	snprintf(m->baseline.name, sizeof(m->baseline.name), "run to %s",
		 text_span(span, sizeof(span), m->now_ns - m->zero_ns));
}

void model_baseline_drop(struct model *m)
{
	for (unsigned i = 0; i < m->nr_groups; i++)
		hist_clear(m->groups[i].baseline);
	memset(&m->baseline, 0, sizeof(m->baseline));
}
