#include "ui/timeline.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "src/clock.h"
#include "src/text.h"
#include "ui/paint.h"
#include "ui/plotted.h"

#define LANES_MOST 4
#define RUNNING_MOST 64		/* at once */
#define WORDS_APART 40
#define EVENT_MOST 24		/* columns of text */

int timeline_column(const struct timeline *t, int64_t ns)
{
	int64_t from_end = t->edge_ns - ns;	/* column k holds [edge - (k+1) cols, ..) */

	if (from_end <= 0)
		return t->cols + (int)(-from_end / t->column_ns);
	return t->cols - 1 - (int)((from_end - 1) / t->column_ns);
}

/* ---- loads ---- */

struct bar {
	const struct model *m;
	const struct load_run *run;
	const struct load_view *load;
	int from, to;		/* columns of start and stop, may lie outside */
	bool going;
};

/* What runs in each cell of the lanes. */
struct lanes {
	uint8_t of[MODEL_RUNS];		/* the lane of each run */
	int16_t run[LANES_MOST][TIMELINE_COLS];		/* the last to begin; -1: none */
	uint64_t who[LANES_MOST][TIMELINE_COLS];	/* a bit for each load */
};

static bool bar_make(const struct model *m, const struct timeline *t, const struct load_run *r,
		     struct bar *b)
{
	if (r->load >= m->nr_loads)
		return false;
	*b = (struct bar){ .m = m, .run = r, .load = &m->loads[r->load], .going = !r->stop_ns };
	b->from = timeline_column(t, r->start_ns);
	b->to = r->stop_ns ? timeline_column(t, r->stop_ns) : t->cols - 1;
	return b->from < t->cols && b->to >= 0;
}

/* Until when the work of a span is counted: rows that are over, and were read
 * since.  Before from_ns: none of it is. */
static int64_t counted_until(const struct model *m, int64_t from_ns, int64_t to_ns)
{
	int64_t known = m->now_ns - from_ns - (m->replay ? 0 : HISTORY_ROW_NS);

	if (known >= to_ns - from_ns)
		return to_ns;
	return m->replay ? m->now_ns : from_ns + known / HISTORY_ROW_NS * HISTORY_ROW_NS;
}

double timeline_rate(const struct model *m, unsigned load, int64_t from_ns, int64_t to_ns)
{
	const struct load_view *l = &m->loads[load];
	const struct load_history *h = m->load_history ? m->load_history[load] : NULL;
	int64_t until = counted_until(m, from_ns, to_ns);
	double done = 0;

	if (until <= from_ns)
		return l->state == LOAD_RUN && from_ns <= m->now_ns ? l->rate : -1;
	if (!h || !load_history_span(h, from_ns, until, &done))
		return -1;
	return done / ((double)(until - from_ns) / NS_PER_S) *
	       (l->figure == LOAD_OPS_PER_MIN ? 60 : 1);
}

/* Work done in a column, in the load's rate; < 0: none known. */
static double work_rate(const struct model *m, const struct timeline *t, unsigned load, int column)
{
	int64_t from = t->edge_ns - (int64_t)(t->cols - column) * t->column_ns;

	return timeline_rate(m, load, from, from + t->column_ns);
}

static char bar_key(const struct bar *b)
{
	return b->load->key ? b->load->key : '?';
}

/* Key, name and workers, key and name, or the key: the most that fits. */
static void bar_label(const struct view *v, const struct bar *b, int room, char *text, size_t size)
{
	snprintf(text, size, "%c %s %s%u", bar_key(b), b->load->name,
		 paint_glyph_text(v, GLYPH_TIMES), b->run->workers);
	if (paint_width(text) > room)
		snprintf(text, size, "%c %s", bar_key(b), b->load->name);
	if (paint_width(text) > room)
		snprintf(text, size, "%c", bar_key(b));
}

/* Work as a share of the most there was, < 0: not known.  NaN: in a file it is
 * without bounds, and so is the most. */
static uint32_t work_glyph(const struct view *v, double share)
{
	int eighths = share > 0 ? 1 + (int)((share < 1 ? share : 1) * 5.5) : 0;

	return v->theme.unicode ? paint_eighth(v, eighths) : (uint32_t)(" .--===="[eighths]);
}

/* Bars stand on the default ground in the load's colour. */
static void bar_body(const struct view *v, const struct timeline *t, const struct bar *b,
		     struct canvas *c, int y, int from, int to, enum role role)
{
	double most = b->run->rate > 0 ? b->run->rate : 0, rate[TIMELINE_COLS];

	for (int x = from; x <= to; x++) {
		rate[x] = work_rate(b->m, t, b->run->load, x);
		most = rate[x] > most ? rate[x] : most;
	}
	for (int x = from; x <= to; x++)
		canvas_put(c, t->x0 + x, y, work_glyph(v, most > 0 ? rate[x] / most : 0),
			   paint_ink(v, role), -1, 0);
}

static enum role load_role(unsigned load)
{
	return load % 2 ? ROLE_LOAD_2 : ROLE_LOAD;
}

static enum role bar_role(const struct bar *b)
{
	return load_role(b->run->load);
}

/* Where the run ended: how. */
static void bar_end(const struct view *v, const struct timeline *t, const struct bar *b,
		    struct canvas *c, int y, int x)
{
	bool ascii = !v->theme.unicode, failed = !strcmp(b->run->end, "failed");

	if (ascii || !b->going)
		paint_put(c, v, t->x0 + x, y, failed ? ROLE_WARN : ROLE_TEXT,
			  b->going ? '>'
			  : failed ? '!'
			  : ascii  ? ']'
				   : 0x258f);
}

/* The columns from..to, where the run is alone in its lane.  What begins where
 * it ends has that column: the end stands in the one before. */
static void bar_draw(const struct view *v, const struct timeline *t, const struct bar *b,
		     struct canvas *c, int y, int from, int to)
{
	bool ends = to > from && b->to < t->cols && (to == b->to || (to == b->to - 1 && !b->going)),
	     begins = !v->theme.unicode && to > from && from == b->from;
	int room;
	char text[48];

	begins &= to - from + 1 - ends > 1;	/* its key is worth more */
	room = to - from + 1 - ends - begins;

	bar_body(v, t, b, c, y, from, to, bar_role(b));
	if (begins)
		paint_put(c, v, t->x0 + from, y, ROLE_TEXT, '[');
	if (ends)
		bar_end(v, t, b, c, y, to);
	if (room < 1)
		return;
	bar_label(v, b, room, text, sizeof(text));
	paint_text(c, v, t->x0 + from + begins, y, room, bar_role(b), text);
}

/* A lane for each run: the first in which none runs when it starts; those for
 * which there is none share the last.  Depends on the runs alone, never on the
 * view. */
static void lanes_of(const struct model *m, unsigned lanes, uint8_t *lane)
{
	struct { int64_t until; unsigned lane; } busy[RUNNING_MOST];
	unsigned n = 0;

	for (unsigned i = 0; i < m->nr_runs; i++) {
		const struct load_run *r = &m->runs[i];
		unsigned used[LANES_MOST] = { 0 }, first = 0, left = 0;

		for (unsigned k = 0; k < n; k++) {
			if (busy[k].until <= r->start_ns)
				continue;
			used[busy[k].lane]++;
			busy[left++] = busy[k];
		}
		n = left;
		while (first < lanes - 1 && used[first])
			first++;
		lane[i] = (uint8_t)first;
		if (n < RUNNING_MOST) {
			busy[n].until = r->stop_ns ? r->stop_ns : INT64_MAX;
			busy[n++].lane = first;
		}
	}
}

/* The run's columns in view; false: none. */
static bool span_in_view(const struct model *m, const struct timeline *t, unsigned run, int *from,
			 int *to)
{
	struct bar b;

	if (!bar_make(m, t, &m->runs[run], &b))
		return false;
	*from = b.from < 0 ? 0 : b.from;
	*to = b.to >= t->cols ? t->cols - 1 : b.to;
	return true;
}

static uint64_t bit_of(unsigned load)
{
	return UINT64_C(1) << load % 64;
}

static bool is_single(uint64_t who)
{
	return who && !(who & (who - 1));
}

/* A run is alone here, and ends in this column, in which it did not begin. */
static bool gives_way(const struct model *m, const struct timeline *t, const struct lanes *l,
		      unsigned lane, int x)
{
	struct bar b;

	return is_single(l->who[lane][x]) && l->run[lane][x] >= 0 &&
	       bar_make(m, t, &m->runs[l->run[lane][x]], &b) && b.to == x && b.from < x && !b.going;
}

static void lanes_fill(const struct model *m, const struct timeline *t, struct lanes *l)
{
	int from, to;

	memset(l->run, -1, sizeof(l->run));
	memset(l->who, 0, sizeof(l->who));
	for (unsigned i = 0; i < m->nr_runs; i++) {
		unsigned k = l->of[i];

		if (!span_in_view(m, t, i, &from, &to))
			continue;
		if (gives_way(m, t, l, k, from))
			l->who[k][from] = 0;
		for (int x = from; x <= to; x++) {
			l->run[k][x] = (int16_t)i;
			l->who[k][x] |= bit_of(m->runs[i].load);
		}
	}
}

static unsigned next_load(const struct model *m, uint64_t who, unsigned from)
{
	while (from < m->nr_loads && from < 64 && !(who & bit_of(from)))
		from++;
	return from < 64 ? from : m->nr_loads;
}

/* How several loads are named: by as much as has room. */
enum naming { NAMING_NONE, NAMING_COUNT, NAMING_KEYS, NAMING_PLUS, NAMING_FULL };
#define PLUS_MOST 4		/* more are hard to tell apart */

static int naming_width(const struct model *m, uint64_t who, enum naming how)
{
	int n = __builtin_popcountll(who), names = 0;

	for (unsigned i = next_load(m, who, 0); i < m->nr_loads; i = next_load(m, who, i + 1))
		names += 1 + paint_width(m->loads[i].name);
	switch (how) {
	case NAMING_FULL: return n > PLUS_MOST ? INT_MAX : 2 * n - 1 + names;
	case NAMING_PLUS: return n > PLUS_MOST ? INT_MAX : 2 * n - 1;
	case NAMING_KEYS: return n > PLUS_MOST ? (int)sizeof(" 12 loads ") - 1 + n : INT_MAX;
	case NAMING_COUNT: return (int)sizeof(" 12 loads") - 1 - (n < 10);
	default: return 0;
	}
}

/* "D churn+F fork", "D+F", "6 loads DFESPC" or "6 loads"; the columns used. */
static int naming_draw(const struct model *m, const struct view *v, uint64_t who,
		       enum naming how, struct canvas *c, int x, int y)
{
	int begin = x;

	if (how == NAMING_COUNT || how == NAMING_KEYS)
		x += paint_fmt(c, v, x, y, ROLE_TEXT, " %d loads", __builtin_popcountll(who));
	if (how == NAMING_COUNT)
		return x - begin;
	if (how == NAMING_KEYS)
		paint_put(c, v, x++, y, ROLE_TEXT, ' ');
	for (unsigned i = next_load(m, who, 0), nth = 0; i < m->nr_loads;
	     i = next_load(m, who, i + 1), nth++) {
		enum role role = load_role(i);

		if (nth && how != NAMING_KEYS)
			paint_put(c, v, x++, y, ROLE_DIM, '+');
		paint_put(c, v, x++, y, role, (uint32_t)(m->loads[i].key ? m->loads[i].key : '?'));
		if (how == NAMING_FULL)
			x += paint_fmt(c, v, x, y, role, " %s", m->loads[i].name);
	}
	return x - begin;
}

/* How much of their own most several loads do on the mean, in each column. */
static void shared_work(const struct model *m, const struct timeline *t, uint64_t who, int from,
			int to, double *share)
{
	int n = __builtin_popcountll(who);

	for (int x = from; x <= to; x++)
		share[x] = 0;
	for (unsigned i = next_load(m, who, 0); i < m->nr_loads; i = next_load(m, who, i + 1)) {
		double most = m->loads[i].rate_mean > 0 ? m->loads[i].rate_mean : 0,
		       rate[TIMELINE_COLS];

		for (int x = from; x <= to; x++) {
			rate[x] = work_rate(m, t, i, x);
			most = rate[x] > most ? rate[x] : most;
		}
		for (int x = from; x <= to && most > 0; x++)
			share[x] += rate[x] > 0 ? rate[x] / most / n : 0;
	}
}

/* Columns in which the same several loads share the lane: who they are, then
 * what they do; the key of one where it begins. */
static void shared_draw(const struct model *m, const struct view *v, const struct timeline *t,
			const struct lanes *l, struct canvas *c, int y, int lane, int from, int to)
{
	uint64_t who = l->who[lane][from];
	enum naming how = NAMING_FULL;
	double share[TIMELINE_COLS];
	struct bar b;

	shared_work(m, t, who, from, to, share);
	for (int x = from; x <= to; x++) {
		bool begins = bar_make(m, t, &m->runs[l->run[lane][x]], &b) && b.from == x;

		if (begins)
			paint_put(c, v, t->x0 + x, y, bar_role(&b), (uint32_t)bar_key(&b));
		else
			canvas_put(c, t->x0 + x, y, work_glyph(v, share[x]),
				   paint_ink(v, ROLE_LOAD), -1, 0);
	}
	while (naming_width(m, who, how) > to - from + 1)
		how--;
	if (how != NAMING_NONE)
		naming_draw(m, v, who, how, c, t->x0 + from, y);
}

static void lane_draw(const struct model *m, const struct view *v, const struct timeline *t,
		      const struct lanes *l, struct canvas *c, int y, int lane)
{
	const int16_t *run = l->run[lane];
	const uint64_t *who = l->who[lane];

	for (int x = 0, end; x < t->cols; x = end) {
		bool single = is_single(who[x]);
		struct bar b;

		end = x + 1;
		if (!who[x] || !bar_make(m, t, &m->runs[run[x]], &b))
			continue;
		while (end < t->cols && who[end] == who[x] && (!single || run[end] == run[x]))
			end++;
		if (single)
			bar_draw(v, t, &b, c, y, x, end - 1);
		else
			shared_draw(m, v, t, l, c, y, lane, x, end - 1);
	}
}

void timeline_loads(const struct model *m, const struct view *v, const struct timeline *t,
		    struct canvas *c, int y, int lanes)
{
	struct lanes l;

	if (lanes > LANES_MOST)
		lanes = LANES_MOST;
	lanes_of(m, (unsigned)lanes, l.of);
	lanes_fill(m, t, &l);
	paint_right(c, v, 0, t->x0 - 1, y, ROLE_DIM, "load");
	for (int k = 0; k < lanes; k++)
		lane_draw(m, v, t, &l, c, y + k, k);
}

void timeline_running(const struct model *m, int64_t from_ns, int64_t to_ns, bool *ran)
{
	memset(ran, false, sizeof(*ran) * m->nr_loads);
	for (unsigned i = 0; i < m->nr_runs; i++) {
		const struct load_run *r = &m->runs[i];

		if (r->load < m->nr_loads && r->start_ns < to_ns &&
		    (!r->stop_ns || r->stop_ns > from_ns))
			ran[r->load] = true;
	}
}

/* ---- marks ---- */

static const struct timeline_flag flag_words[] = {
	{ HISTORY_NOT_RT, 'n', ROLE_BAD, "not real-time", "not RT" },
	{ HISTORY_STOPPED, 's', ROLE_WARN, "stopped", "stop" },
	{ HISTORY_OFFLINE, 'o', ROLE_WARN, "offline", "off" },
	{ HISTORY_THROTTLED, 't', ROLE_WARN, "throttled", "RT off" },
	{ HISTORY_STEAL, 'h', ROLE_WARN, "stolen by host", "steal" },
	{ HISTORY_MISSED, '.', ROLE_DIM, "missed periods", "" },
};

const struct timeline_flag *timeline_gravest(unsigned flags)
{
	for (unsigned i = 0; i < sizeof(flag_words) / sizeof(flag_words[0]); i++)
		if (flags & flag_words[i].flag)
			return &flag_words[i];
	return NULL;
}

/* Dots for missed periods; else a rule, or letters where no word fits. */
static uint32_t flag_mark(const struct view *v, const struct timeline_flag *f, bool worded)
{
	if (f->flag == HISTORY_MISSED)
		return paint_glyph(v, GLYPH_DOT);
	return worded ? paint_glyph(v, GLYPH_RULE) : (uint32_t)f->letter;
}

/* Whether columns from..to-1 are in view and free. */
static bool is_free(const struct timeline *t, const bool *taken, int from, int to)
{
	for (int x = from; x < to; x++)
		if (x < 0 || x >= t->cols || taken[x])
			return false;
	return true;
}

/* A stretch of equal flags: its word as often as there is room, else its brief. */
static void flag_stretch(const struct view *v, const struct timeline *t, struct canvas *c, int y,
			 int from, int to, const struct timeline_flag *f, const bool *taken)
{
	int room = to - from - 2;
	const char *word = (int)strlen(f->word) <= room ? f->word : f->brief;
	int width = (int)strlen(word) + 2;
	bool worded = false;

	for (int x = from; f->flag != HISTORY_MISSED && x + width <= to && !worded; x++)
		worded = is_free(t, taken, x, x + width);
	for (int x = from; x < to; x++)
		if (!taken[x])
			paint_put(c, v, t->x0 + x, y, f->role == ROLE_BAD ? ROLE_WARN : f->role,
				  flag_mark(v, f, worded));
	for (int x = from; worded && x + width <= to; x++) {
		if (!is_free(t, taken, x, x + width))
			continue;
		paint_fmt(c, v, t->x0 + x, y, f->role, " %s ", word);
		x += WORDS_APART - 1;
	}
}

void timeline_flags(const struct view *v, const struct timeline *t, struct canvas *c, int y,
		    const unsigned *flags, bool all, const bool *taken)
{
	for (int x = 0; x < t->cols;) {
		const struct timeline_flag *f = timeline_gravest(flags[x]);
		int from = x;

		while (x < t->cols && timeline_gravest(flags[x]) == f)
			x++;
		if (f && (f->flag != HISTORY_MISSED || all))
			flag_stretch(v, t, c, y, from, x, f, taken);
	}
}

/* Loads have a row of their own. */
static bool marked(const struct event *e)
{
	return strncmp(e->kind, "load-", 5) != 0;
}

/* Free columns from x on, at most EVENT_MOST. */
static int room_at(const struct timeline *t, const bool *taken, int x)
{
	int room = 0;

	while (room < EVENT_MOST && is_free(t, taken, x + room, x + room + 1))
		room++;
	return room;
}

static void event_put(const struct view *v, const struct timeline *t, struct canvas *c, int y,
		      int x, const char *text, bool *taken)
{
	int width = paint_width(text);

	paint_text(c, v, t->x0 + x, y, width, ROLE_MARK, text);
	memset(taken + x, true, (size_t)(width + (x + width < t->cols)));	/* and a blank */
	if (x > 0)
		taken[x - 1] = true;
}

/* Right of the sign or left of it as a whole, else as many words as fit: never
 * a part of one. */
static void event_text(const struct view *v, const struct timeline *t, struct canvas *c, int y,
		       int x, const char *text, bool *taken)
{
	int width = paint_width(text), room = room_at(t, taken, x + 1), bytes;
	char part[80];

	/* Words keep a blank between each other, but not to the edge. */
	room -= room > 0 && room < EVENT_MOST && x + 1 + room < t->cols;
	if (width <= room) {
		event_put(v, t, c, y, x + 1, text, taken);
		return;
	}
	if (width <= EVENT_MOST && is_free(t, taken, x - width - 1, x)) {
		event_put(v, t, c, y, x - width, text, taken);
		return;
	}
	bytes = room > 1 ? paint_fitting(text, room - 1) : 0;
	if (!bytes || text[bytes] != ' ')
		return;
	snprintf(part, sizeof(part), "%.*s%s", bytes, text, paint_glyph_text(v, GLYPH_CUT));
	event_put(v, t, c, y, x + 1, part, taken);
}

/* Where the kind alone does not say it: which CPU, whose real time. */
static const char *event_words(const struct event *e)
{
	static const char *const kinds[] = { "mark", "hotplug", "rt" };

	for (unsigned i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(e->kind, kinds[i]))
			return e->text;
	return e->kind;
}

void timeline_events(const struct model *m, const struct view *v, const struct timeline *t,
		     struct canvas *c, int y, bool *taken)
{
	for (unsigned i = 0; i < m->nr_events; i++) {
		int x = timeline_column(t, m->events[i].t_ns);

		if (!marked(&m->events[i]) || x < 0 || x >= t->cols)
			continue;
		paint_put(c, v, t->x0 + x, y, ROLE_MARK, paint_glyph(v, GLYPH_UP));
		taken[x] = true;
	}
	for (unsigned i = 0; i < m->nr_events; i++) {
		const struct event *e = &m->events[i];
		int x = timeline_column(t, e->t_ns);

		if (marked(e) && x >= 0 && x < t->cols)
			event_text(v, t, c, y, x, event_words(e), taken);
	}
}

/* ---- axis ---- */

/* Columns between two labels: the first round time that leaves room for them. */
static int label_step(const struct timeline *t)
{
	static const int seconds[] = { 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600 };

	for (unsigned i = 0; i < sizeof(seconds) / sizeof(seconds[0]); i++) {
		int64_t columns = seconds[i] * NS_PER_S / t->column_ns;

		if (columns >= 12)
			return (int)columns;
	}
	return 60;
}

const char *timeline_age(char *buf, size_t size, int64_t ns, int64_t longest_ns)
{
	long long s = (long long)(ns / NS_PER_S);

	if (ns % NS_PER_S)
		snprintf(buf, size, "-%.2fs", (double)ns / NS_PER_S);
	else if (s < 60 || longest_ns < 120 * NS_PER_S)
		snprintf(buf, size, "-%llds", s);
	else if (s < 3600)
		snprintf(buf, size, "-%lldm%02lld", s / 60, s % 60);
	else
		snprintf(buf, size, "-%lldh%02lld", s / 3600, s / 60 % 60);
	return buf;
}

/* Nothing was before time zero: no label. */
static void axis_label(const struct model *m, const struct view *v, const struct timeline *t,
		       int back, char *buf, size_t size)
{
	int64_t age = (int64_t)back * t->column_ns, ns = t->edge_ns - age;

	buf[0] = '\0';
	if (plot_live(v))
		timeline_age(buf, size, age, (int64_t)t->cols * t->column_ns);
	else if (ns >= m->zero_ns)
		text_span(buf, size, ns - m->zero_ns);
}

/* A label stands alone: with a blank on both sides, but at the edges. */
static bool stands_alone(const struct timeline *t, const bool *taken, int from, int to)
{
	return is_free(t, taken, from > 0 ? from - 1 : from, to < t->cols ? to + 1 : to);
}

void timeline_axis(const struct model *m, const struct view *v, const struct timeline *t,
		   struct canvas *c, int y, const bool *taken)
{
	int step = label_step(t);

	for (int back = 0; back <= t->cols - 6; back += step) {
		char text[32];
		int end = t->cols - back, width;

		if (back || !plot_live(v))
			axis_label(m, v, t, back, text, sizeof(text));
		else
			snprintf(text, sizeof(text), "%s", m->replay ? "end" : "now");
		width = paint_width(text);
		if (stands_alone(t, taken, end - width, end))
			paint_right(c, v, t->x0, t->x0 + end, y,
				    back	   ? ROLE_AXIS
				    : plot_live(v) ? ROLE_ACCENT
						   : ROLE_WARN,
				    text);
	}
}
