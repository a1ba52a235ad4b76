/* snapshot.c - a snapshot's memory: see snapshot.h and snapshot_build.h. */
#include "src/snapshot.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "src/clock.h"
#include "src/knob.h"
#include "src/snapshot_build.h"
#include "src/text.h"

struct snapshot *snapshot_new(void)
{
	return calloc(1, sizeof(struct snapshot));
}

void snapshot_free(struct snapshot *s)
{
	if (!s)
		return;
	for (unsigned i = 0; i < s->nr_command; i++)
		free(s->command[i]);
	for (unsigned i = 0; i < s->nr_series; i++)
		free(s->series[i].histogram);
	for (unsigned i = 0; i < s->nr_rows; i++)
		free(s->rows[i].cell);
	free(s->command);
	free(s->badges);
	free(s->series);
	free(s->loads);
	free(s->events);
	free(s->group_name);
	free(s->rows);
	free(s->load_rows);
	free(s->spikes);
	free(s->latest);
	free(s->blamed);
	free(s->figures);
	free(s->screen);
	free(s);
}

/*
 * Room for one more in an array of n, which grows by doubling: it is full
 * exactly when n is 0 or a power of two.  The new element is zeroed.
 */
static void *grow(void *array_ptr, size_t n, size_t size)
{
	void *array;

	memcpy(&array, array_ptr, sizeof(array));
	if ((n & (n - 1)) == 0) {
		array = reallocarray(array, n ? 2 * n : 1, size);
		if (!array)
			return NULL;
		memcpy(array_ptr, &array, sizeof(array));
	}
	return memset((char *)array + n * size, 0, size);
}

static void copy(char *out, size_t size, const char *text)
{
	text_clean(out, size, text, strlen(text), (unsigned)size);
}

#define COPY(field, text) copy(field, sizeof(field), text)

struct snapshot_series *snapshot_add_series(struct snapshot *s, const char *probe, int cpu)
{
	struct snapshot_series *one = grow(&s->series, s->nr_series, sizeof(*one));

	if (!one)
		return NULL;
	s->nr_series++;
	COPY(one->probe, probe);
	one->cpu = cpu;
	one->phase_ns = -1;
	return one;
}

struct snapshot_load *snapshot_add_load(struct snapshot *s, const char *name)
{
	struct snapshot_load *one = grow(&s->loads, s->nr_loads, sizeof(*one));

	if (!one)
		return NULL;
	s->nr_loads++;
	COPY(one->name, name);
	one->stop_s = -1;
	return one;
}

struct snapshot_event *snapshot_add_event(struct snapshot *s, double t_s, const char *kind,
					  const char *text)
{
	struct snapshot_event *one = grow(&s->events, s->nr_events, sizeof(*one));

	if (!one)
		return NULL;
	s->nr_events++;
	one->t_s = t_s;
	COPY(one->kind, kind);
	COPY(one->text, text);
	return one;
}

struct badge *snapshot_add_badge(struct snapshot *s, const char *name, const char *level,
				 const char *text)
{
	struct badge *one = grow(&s->badges, s->nr_badges, sizeof(*one));

	if (!one)
		return NULL;
	s->nr_badges++;
	COPY(one->name, name);
	COPY(one->level, level);
	COPY(one->text, text);
	return one;
}

struct snapshot_spike *snapshot_add_spike(struct snapshot *s)
{
	struct snapshot_spike *one = grow(&s->spikes, s->nr_spikes, sizeof(*one));

	if (one)
		s->nr_spikes++;
	return one;
}

struct snapshot_spike *snapshot_add_latest(struct snapshot *s)
{
	struct snapshot_spike *one = grow(&s->latest, s->nr_latest, sizeof(*one));

	if (one)
		s->nr_latest++;
	return one;
}

int snapshot_keep_spike(struct snapshot *s, const struct snapshot_spike *k)
{
	unsigned at = s->nr_spikes;

	if (at >= MODEL_SPIKES) {
		at = MODEL_SPIKES - 1;
		if (k->late_ns <= s->spikes[at].late_ns)
			return 0;
	} else if (!snapshot_add_spike(s)) {
		return -ENOMEM;
	}
	for (; at && s->spikes[at - 1].late_ns < k->late_ns; at--)
		s->spikes[at] = s->spikes[at - 1];
	s->spikes[at] = *k;
	return 0;
}

void snapshot_trim_latest(struct snapshot *s)
{
	unsigned more = s->nr_latest > MODEL_LATEST ? s->nr_latest - MODEL_LATEST : 0;

	if (!more)
		return;
	s->nr_latest = MODEL_LATEST;
	memmove(s->latest, s->latest + more, MODEL_LATEST * sizeof(*s->latest));
}

/* They are moved once in a thousand only. */
bool snapshot_is_ours(const struct snapshot *s)
{
	return !s->source[0] || !strcmp(s->source, "json") || !strcmp(s->source, "recording");
}

int snapshot_keep_latest(struct snapshot *s, const struct snapshot_spike *k)
{
	if (s->nr_latest >= 2 * MODEL_LATEST)
		snapshot_trim_latest(s);
	struct snapshot_spike *one = snapshot_add_latest(s);

	if (!one)
		return -ENOMEM;
	*one = *k;
	return 0;
}

int snapshot_add_blamed(struct snapshot *s, const struct blamed *b)
{
	if (!s->blamed && !(s->blamed = calloc(BLAMED_TABLES, sizeof(*s->blamed))))
		return -ENOMEM;
	blamed_add(s->blamed, &s->nr_blamed, b);
	return 0;
}

struct snapshot_load_row *snapshot_add_load_row(struct snapshot *s)
{
	struct snapshot_load_row *one = grow(&s->load_rows, s->nr_load_rows, sizeof(*one));

	if (one)
		s->nr_load_rows++;
	return one;
}

struct snapshot_figure *snapshot_add_figure(struct snapshot *s, const char *table,
					    const char *row, const char *name, const char *unit)
{
	struct snapshot_figure *one = grow(&s->figures, s->nr_figures, sizeof(*one));

	if (!one)
		return NULL;
	s->nr_figures++;
	COPY(one->table, table);
	COPY(one->row, row);
	COPY(one->name, name);
	COPY(one->unit, unit);
	return one;
}

int snapshot_group(const struct snapshot *s, const char *name)
{
	for (unsigned i = 0; i < s->nr_groups; i++)
		if (!strcmp(s->group_name[i], name))
			return (int)i;
	return -1;
}

struct snapshot_row *snapshot_add_row(struct snapshot *s, const char *group)
{
	char name[sizeof(*s->group_name)];

	COPY(name, group);	/* as it is kept, or it would never be found */
	int index = snapshot_group(s, name);

	if (index < 0) {
		char (*to)[sizeof(name)] = s->nr_groups == SNAPSHOT_PROBES_MAX ? NULL :
			grow(&s->group_name, s->nr_groups, sizeof(*to));

		if (!to)
			return NULL;
		memcpy(*to, name, sizeof(name));
		index = (int)s->nr_groups++;
	}
	struct snapshot_row *row = grow(&s->rows, s->nr_rows, sizeof(*row));

	if (!row)
		return NULL;
	s->nr_rows++;
	row->group = (unsigned)index;
	return row;
}

void snapshot_add_note(struct snapshot *s, const char *note)
{
	if (!strstr(s->note, note))
		text_append(s->note, sizeof(s->note), s->note[0] ? "; " : "", note);
}

char *snapshot_add_word(struct snapshot *s, const char *word)
{
	char **slot = grow(&s->command, s->nr_command, sizeof(*slot));
	size_t size = strlen(word) + 1;

	if (!slot || !(*slot = malloc(size)))
		return NULL;
	s->nr_command++;
	text_clean(*slot, size, word, size - 1, (unsigned)size);
	return *slot;
}

int snapshot_add_pair(struct snapshot_series *one, int64_t value_ns, uint64_t count)
{
	struct pair *pair = grow(&one->histogram, one->pairs, sizeof(*pair));

	if (!pair)
		return -ENOMEM;
	one->pairs++;
	*pair = (struct pair){ value_ns, count };
	return 0;
}

static int by_value(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;

	return x->value_ns < y->value_ns ? -1 : x->value_ns > y->value_ns;
}

void snapshot_join_pairs(struct snapshot_series *one)
{
	struct pair *p = one->histogram;
	size_t kept = 0;

	if (!one->pairs)
		return;
	qsort(p, one->pairs, sizeof(*p), by_value);
	for (size_t i = 1; i < one->pairs; i++) {
		if (p[i].value_ns == p[kept].value_ns)
			p[kept].count += p[i].count;
		else
			p[++kept] = p[i];
	}
	one->pairs = kept + 1;
}

int snapshot_add_cell(struct snapshot_row *row, unsigned slot, uint32_t count)
{
	struct snapshot_cell *cell = grow(&row->cell, row->cells, sizeof(*cell));

	if (!cell)
		return -ENOMEM;
	row->cells++;
	*cell = (struct snapshot_cell){ (uint16_t)slot, count };
	return 0;
}

int snapshot_series_from_hist(struct snapshot_series *one, const struct hist *h)
{
	one->counts.count = h->count;
	one->counts.early = h->early;
	one->counts.over = h->over;
	one->min_ns = h->min_ns;
	one->max_ns = h->max_ns;
	one->mean_ns = hist_mean(h);
	for (unsigned i = h->low; i <= h->high && i < h->slots; i++)
		if (h->counts[i] && snapshot_add_pair(one, hist_slot_highest(h, i), h->counts[i]))
			return -ENOMEM;
	return 0;
}

void snapshot_counter_name(char *buf, size_t size, const struct probe_counter *c)
{
	snprintf(buf, size, "%s%s", c->name, c->is_time ? "_ns" : "");
	for (; *buf; buf++)
		if (*buf == ' ')
			*buf = '_';
}

static int by_time(const void *a, const void *b)
{
	const struct snapshot_row *x = a, *y = b;

	if (x->t_s != y->t_s)
		return x->t_s < y->t_s ? -1 : 1;
	return x->group < y->group ? -1 : x->group > y->group;
}

static int load_by_time(const void *a, const void *b)
{
	const struct snapshot_load_row *x = a, *y = b;

	if (x->t_s != y->t_s)
		return x->t_s < y->t_s ? -1 : 1;
	return strcmp(x->name, y->name);
}

void snapshot_sort_rows(struct snapshot *s)
{
	if (s->nr_rows)
		qsort(s->rows, s->nr_rows, sizeof(*s->rows), by_time);
	if (s->nr_load_rows)
		qsort(s->load_rows, s->nr_load_rows, sizeof(*s->load_rows), load_by_time);
}

void snapshot_time_text(char *buf, size_t size, int64_t wall_ns)
{
	time_t t = (time_t)(wall_ns / NS_PER_S);
	struct tm tm;

	if (!gmtime_r(&t, &tm) || !strftime(buf, size, "%Y-%m-%dT%H:%M:%SZ", &tm))
		snprintf(buf, size, "unknown");
}

int64_t snapshot_time_ns(const char *text)
{
	struct tm tm = { 0 };
	const char *end = strptime(text, "%Y-%m-%dT%H:%M:%SZ", &tm);
	int64_t s = end && !*end ? (int64_t)timegm(&tm) : -1;

	return s < 0 || s > INT64_MAX / NS_PER_S ? -1 : s * NS_PER_S;
}

int64_t snapshot_began_ns(const struct snapshot *s)
{
	int64_t end_ns = snapshot_time_ns(s->created);
	double ran_ns = s->duration_s * NS_PER_S;

	return ran_ns > 0 && ran_ns < (double)end_ns ? end_ns - (int64_t)ran_ns : end_ns;
}

/* ---- back to histograms -------------------------------------------------- */

static void add_series(struct hist *h, const struct snapshot_series *one)
{
	/* A wide bin of a foreign file: its first ns keeps it in one piece. */
	int64_t back = one->bin_ns > 0 ? one->bin_ns - 1 : 0;
	bool first = h->count == 0;
	int64_t min_ns = h->min_ns, max_ns = h->max_ns;
	double sum_ns = h->sum_ns;

	if (!one->counts.count)
		return;
	for (size_t i = 0; i < one->pairs; i++) {
		int64_t v = one->histogram[i].value_ns - back;

		hist_record_n(h, v < HIST_HIGHEST_NS ? v : HIST_HIGHEST_NS,
			      one->histogram[i].count);
	}
	/* What the pairs do not tell is known from the series. */
	h->early += one->counts.early;
	h->over += one->counts.over;
	h->min_ns = first || one->min_ns < min_ns ? one->min_ns : min_ns;
	h->max_ns = first || one->max_ns > max_ns ? one->max_ns : max_ns;
	h->sum_ns = sum_ns + snapshot_series_mean(one) * (double)one->counts.count;
}

double snapshot_series_mean(const struct snapshot_series *s)
{
	double sum_ns = 0;

	if (isfinite(s->mean_ns) || !s->counts.count)
		return isfinite(s->mean_ns) ? s->mean_ns : 0;
	for (size_t i = 0; i < s->pairs; i++)
		sum_ns += (double)s->histogram[i].value_ns * (double)s->histogram[i].count;
	return sum_ns / (double)s->counts.count;
}

struct hist *snapshot_series_hist(const struct snapshot_series *s)
{
	struct hist *h = hist_new(3);

	if (h)
		add_series(h, s);
	return h;
}

struct hist *snapshot_hist(const struct snapshot *s, const char *probe)
{
	struct hist *h = NULL;

	for (unsigned i = 0; i < s->nr_series; i++) {
		if (strcmp(s->series[i].probe, probe))
			continue;
		if (!h && !(h = hist_new(3)))
			return NULL;
		add_series(h, &s->series[i]);
	}
	return h;
}

unsigned snapshot_loads(const struct snapshot *s,
			const struct snapshot_load *last[SNAPSHOT_LOADS_MAX])
{
	unsigned n = 0, k;

	for (unsigned i = 0; i < s->nr_loads; i++) {
		for (k = 0; k < n && strcmp(last[k]->name, s->loads[i].name); k++)
			;
		if (k == SNAPSHOT_LOADS_MAX)
			continue;
		last[k] = &s->loads[i];
		n += k == n;
	}
	return n;
}

double snapshot_figure_value(const struct snapshot_figure *f)
{
	const char *p = f->text + (f->text[0] == '-' || f->text[0] == '+');

	if (f->text[0] && !(*p >= '0' && *p <= '9') && !(*p == '.' && p[1] >= '0' && p[1] <= '9'))
		return NAN;
	return f->value;
}
