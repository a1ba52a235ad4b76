#include "ui/timeline.h"

#include <stdio.h>
#include <string.h>

#include "src/clock.h"
#include "src/text.h"
#include "ui/paint.h"
#include "ui/plotted.h"

#define LANES_MOST 4

int timeline_column(const struct timeline *t, int64_t ns)
{
	int64_t from_end = t->edge_ns - ns;	/* column k holds [edge - (k+1) cols, ..) */

	if (from_end <= 0)
		return t->cols + (int)(-from_end / t->column_ns);
	return t->cols - 1 - (int)((from_end - 1) / t->column_ns);
}

/* ---- loads ---- */

struct bar {
	const struct load_run *run;
	const struct load_view *load;
	const struct load_history *history;
	int from, to;		/* columns of start and stop, may lie outside */
	bool going;
};

static bool bar_make(const struct model *m, const struct timeline *t, const struct load_run *r,
		     struct bar *b)
{
	if (r->load >= m->nr_loads)
		return false;
	*b = (struct bar){ .run = r, .load = &m->loads[r->load], .going = !r->stop_ns };
	b->history = m->load_history ? m->load_history[r->load] : NULL;
	b->from = timeline_column(t, r->start_ns);
	b->to = r->stop_ns ? timeline_column(t, r->stop_ns) : t->cols - 1;
	return b->from < t->cols && b->to >= 0;
}

/* Work done in a column, in units a second; < 0: none known. */
static double work_rate(const struct timeline *t, const struct bar *b, int column)
{
	int64_t from = t->edge_ns - (int64_t)(t->cols - column) * t->column_ns;
	double done = 0;

	if (!b->history || !load_history_span(b->history, from, from + t->column_ns, &done))
		return -1;
	return done / ((double)t->column_ns / NS_PER_S);
}

/* The bar's text: key, name and workers, once, where the bar begins in view. */
static int bar_label(const struct view *v, const struct bar *b, char *text, size_t size)
{
	char key[2] = { b->load->key ? b->load->key : ' ', 0 };

	snprintf(text, size, "%s %s %s%u ", key, b->load->name, paint_glyph_text(v, GLYPH_TIMES),
		 b->run->workers);
	return paint_width(text);
}

static void bar_body(const struct view *v, const struct timeline *t, const struct bar *b,
		     struct canvas *c, int y, int from, int to, enum role role)
{
	double most = b->run->rate > 0 ? b->run->rate : 0, rate[512];
	int n = to - from + 1 < 512 ? to - from + 1 : 512;

	for (int i = 0; i < n; i++) {
		rate[i] = work_rate(t, b, from + i);
		most = rate[i] > most ? rate[i] : most;
	}
	for (int i = 0; i < n; i++) {
		int eighths = rate[i] < 0 || most <= 0 ? 0
			      : rate[i] == 0	       ? 0
						       : 1 + (int)(rate[i] / most * 5.5);
		uint32_t ch = v->theme.unicode ? paint_eighth(v, eighths)
					       : (uint32_t)(" .--===="[eighths > 7 ? 7 : eighths]);

		/* Bars stand on the default ground in the load's colour. */
		canvas_put(c, t->x0 + from + i, y, ch, paint_ink(v, role), -1, 0);
	}
}

static void bar_draw(const struct view *v, const struct timeline *t, const struct bar *b,
		     struct canvas *c, int y, int until, enum role role)
{
	int from = b->from < 0 ? 0 : b->from, to = b->to >= t->cols ? t->cols - 1 : b->to;
	bool ascii = !v->theme.unicode;
	char text[48];
	int label = bar_label(v, b, text, sizeof(text)), last = to < until ? to : until;

	bar_body(v, t, b, c, y, from, to, role);
	if (ascii && b->from >= 0)
		paint_put(c, v, t->x0 + from, y, ROLE_TEXT, '[');
	if (label > last - from - ascii)
		label = last - from - ascii;
	if (label > 0)
		paint_text(c, v, t->x0 + from + ascii, y, label, role, text);
	if (to == from || b->to >= t->cols)
		return;
	if (ascii || !b->going)
		paint_put(c, v, t->x0 + to, y,
			  strcmp(b->run->end, "failed") ? ROLE_TEXT : ROLE_WARN,
			  b->going			  ? '>'
			  : strcmp(b->run->end, "failed") ? ascii ? ']' : 0x258f
							  : '!');
}

/* A lane for each run: the first that is free when it starts, else the one
 * that was taken longest ago.  Depends on the runs alone, never on the view. */
static void lanes_of(const struct model *m, unsigned lanes, uint8_t *lane)
{
	int64_t busy_until[LANES_MOST] = { 0 };

	for (unsigned i = 0; i < m->nr_runs; i++) {
		const struct load_run *r = &m->runs[i];
		unsigned best = 0;

		for (unsigned k = 0; k < lanes; k++) {
			if (busy_until[k] <= r->start_ns) {
				best = k;
				break;
			}
			if (busy_until[k] < busy_until[best])
				best = k;
		}
		lane[i] = (uint8_t)best;
		busy_until[best] = r->stop_ns ? r->stop_ns : INT64_MAX;
	}
}

/* The column before the next run in the same lane begins. */
static int until_next(const struct model *m, const struct timeline *t, const uint8_t *lane,
		      unsigned i)
{
	for (unsigned k = i + 1; k < m->nr_runs; k++)
		if (lane[k] == lane[i])
			return timeline_column(t, m->runs[k].start_ns) - 1;
	return t->cols;
}

void timeline_loads(const struct model *m, const struct view *v, const struct timeline *t,
		    struct canvas *c, int y, int lanes)
{
	uint8_t lane[MODEL_RUNS];

	if (lanes > LANES_MOST)
		lanes = LANES_MOST;
	lanes_of(m, (unsigned)lanes, lane);
	paint_right(c, v, 0, t->x0 - 1, y, ROLE_DIM, "load");
	for (unsigned i = 0; i < m->nr_runs; i++) {
		struct bar b;

		if (bar_make(m, t, &m->runs[i], &b))
			bar_draw(v, t, &b, c, y + lane[i], until_next(m, t, lane, i),
				 m->runs[i].load % 2 ? ROLE_LOAD_2 : ROLE_LOAD);
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

/* A stretch of equal flags: its word as often as there is room, else its brief. */
static void flag_stretch(const struct view *v, const struct timeline *t, struct canvas *c, int y,
			 int from, int to, const struct timeline_flag *f)
{
	int room = to - from - 2;
	const char *word = (int)strlen(f->word) <= room ? f->word : f->brief;
	bool worded = f->flag != HISTORY_MISSED && (int)strlen(word) <= room;

	for (int x = from; x < to; x++)
		paint_put(c, v, t->x0 + x, y, f->role == ROLE_BAD ? ROLE_WARN : f->role,
			  flag_mark(v, f, worded));
	for (int x = from; worded && x + (int)strlen(word) + 2 <= to; x += 40)
		paint_fmt(c, v, t->x0 + x, y, f->role, " %s ", word);
}

void timeline_flags(const struct view *v, const struct timeline *t, struct canvas *c, int y,
		    const unsigned *flags, bool all)
{
	for (int x = 0; x < t->cols;) {
		const struct timeline_flag *f = timeline_gravest(flags[x]);
		int from = x;

		while (x < t->cols && timeline_gravest(flags[x]) == f)
			x++;
		if (f && (f->flag != HISTORY_MISSED || all))
			flag_stretch(v, t, c, y, from, x, f);
	}
}

/* Loads have a row of their own. */
static bool marked(const struct event *e)
{
	return strncmp(e->kind, "load-", 5) != 0;
}

static void event_draw(const struct model *m, const struct view *v, const struct timeline *t,
		       struct canvas *c, int y, unsigned i)
{
	const struct event *e = &m->events[i];
	int x = timeline_column(t, e->t_ns), room = t->cols - x - 1;
	bool mark = !strcmp(e->kind, "mark");

	if (x < 0 || x >= t->cols)
		return;
	paint_put(c, v, t->x0 + x, y, ROLE_MARK, paint_glyph(v, GLYPH_UP));
	for (unsigned k = i + 1; k < m->nr_events; k++) {
		int next = timeline_column(t, m->events[k].t_ns);

		if (marked(&m->events[k]) && next > x && next - x - 2 < room)
			room = next - x - 2;
	}
	if (room > 24)
		room = 24;
	if (room >= 3)
		paint_text(c, v, t->x0 + x + 1, y, room, ROLE_MARK, mark ? e->text : e->kind);
}

void timeline_events(const struct model *m, const struct view *v, const struct timeline *t,
		     struct canvas *c, int y)
{
	for (unsigned i = 0; i < m->nr_events; i++)
		if (marked(&m->events[i]))
			event_draw(m, v, t, c, y, i);
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

/* "-45s" "-2m30" "-1h05": short, and exact for whole seconds. */
static void age_text(char *buf, size_t size, int64_t ns)
{
	long long s = (long long)(ns / NS_PER_S);

	if (ns % NS_PER_S)
		snprintf(buf, size, "-%.2fs", (double)ns / NS_PER_S);
	else if (s < 120)
		snprintf(buf, size, "-%llds", s);
	else if (s < 7200)
		snprintf(buf, size, s % 60 ? "-%lldm%02lld" : "-%lldm", s / 60, s % 60);
	else
		snprintf(buf, size, s / 60 % 60 ? "-%lldh%02lld" : "-%lldh", s / 3600, s / 60 % 60);
}

static void axis_label(const struct model *m, const struct view *v, int64_t ns, int64_t age_ns,
		       char *buf, size_t size)
{
	if (plot_live(v))
		age_text(buf, size, age_ns);
	else
		text_span(buf, size, ns > m->zero_ns ? ns - m->zero_ns : 0);
}

void timeline_axis(const struct model *m, const struct view *v, const struct timeline *t,
		   struct canvas *c, int y)
{
	int step = label_step(t);
	char text[32] = "now";

	if (!plot_live(v))
		axis_label(m, v, t->edge_ns, 0, text, sizeof(text));
	paint_right(c, v, t->x0, t->x0 + t->cols, y, plot_live(v) ? ROLE_ACCENT : ROLE_WARN, text);
	for (int back = step; back <= t->cols - 6; back += step) {
		int64_t age = (int64_t)back * t->column_ns;

		axis_label(m, v, t->edge_ns - age, age, text, sizeof(text));
		paint_right(c, v, t->x0, t->x0 + t->cols - back, y, ROLE_AXIS, text);
	}
}
