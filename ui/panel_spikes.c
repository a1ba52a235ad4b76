/*
 * panel_spikes.c - the worst or the latest spikes of the run: when, how late,
 * where, which loads ran, and the task that held the CPU; or who held the CPUs
 * over all of them.
 */
#include <stdio.h>
#include <string.h>

#include "src/clock.h"
#include "src/text.h"
#include "ui/paint.h"
#include "ui/plotted.h"
#include "ui/spikelist.h"

extern const struct panel panel_spikes;

#define WHEN_W 10		/* "00:07:11.3" */
#define HINT_LEAST 140		/* columns in which the title leaves room for what Enter does */

struct columns { int time, late, probe, cpu, loads, culprit; };	/* where each begins; 0: left out */

static struct columns columns_for(int w)
{
	struct columns x = { .time = 5, .late = 16, .cpu = 25 };

	if (w >= 76) {
		x.probe = 25;
		x.cpu = 39;
	}
	if (w >= 60)
		x.loads = x.cpu + 5;
	if (x.loads)
		x.culprit = x.loads + (w >= 100 ? 18 : 9);
	else if (w >= 44)
		x.culprit = x.cpu + 5;
	return x;
}

/* What has a number: no interrupt, nothing that only went on while the sampler was the task; and
 * "tid 42 (gone)" has it already. */
static bool numbered(const char *comm, int pid)
{
	return pid > 0 && strncmp(comm, "tid ", 4) && strncmp(comm, "itself: ", 8) &&
	       strcmp(comm, "idle or itself");
}

/* "kworker/5:1[812] 8.70ms  bash[4711] 210us"; the idle task, or many tasks of one name have no
 * number. */
static void culprit_text(const struct spike *s, char *buf, size_t size)
{
	size_t at = 0;
	char time[16], number[16] = "";

	buf[0] = '\0';
	for (unsigned i = 0; i < s->nr && at < size; i++) {
		bool named = numbered(s->culprit[i].comm, s->culprit[i].pid);

		snprintf(number, sizeof(number), named ? "[%d]" : "", s->culprit[i].pid);
		at += (size_t)snprintf(buf + at, size - at, "%s%s%s %s", i ? "  " : "",
				       s->culprit[i].comm, number,
				       text_time(time, sizeof(time), s->culprit[i].ns));
	}
	if (!s->nr)
		snprintf(buf, size, "%s", s->note[0] ? s->note : "not known");
	else if (s->incomplete && at < size)
		snprintf(buf + at, size - at, "  (incomplete)");
}

/* With tenths, as several may be of one second; where days come before it they
 * have no room. */
static const char *when_text(char *buf, size_t size, int64_t ns)
{
	char span[32];
	int64_t tenth = ns > 0 ? ns / (NS_PER_S / 10) % 10 : 0;

	text_span(span, sizeof(span), ns);
	snprintf(buf, size, strlen(span) > WHEN_W - 2 ? "%s" : "%s.%d", span, (int)tenth);
	return buf;
}

static void heads(const struct view *v, struct canvas *c, const struct columns *x)
{
	paint_text(c, v, x->time, 0, 8, ROLE_DIM, "when");
	paint_text(c, v, x->late, 0, 8, ROLE_DIM, "  late");
	if (x->probe)
		paint_text(c, v, x->probe, 0, 12, ROLE_DIM, "probe");
	paint_text(c, v, x->cpu, 0, 6, ROLE_DIM, "cpu");
	if (x->loads)
		paint_text(c, v, x->loads, 0, 14, ROLE_DIM, "while");
	if (x->culprit)
		paint_text(c, v, x->culprit, 0, 30, ROLE_DIM, "what held the CPU");
}

static void row(const struct model *m, const struct view *v, struct canvas *c, int y,
		const struct columns *x, unsigned number, unsigned place, bool selected)
{
	const struct spike *s = spikelist_at(m, v, number);
	char text[256], cpu[16] = "any";

	canvas_item(c, (struct rect){ 0, y, c->r.w, 1 }, number);
	paint_fmt(c, v, 0, y, selected ? ROLE_SELECTED : ROLE_DIM, "%3u ", place);
	when_text(text, sizeof(text), s->t_ns - m->zero_ns);
	paint_text(c, v, x->time, y, WHEN_W, ROLE_TEXT, text);
	text_time(text, sizeof(text), s->late_ns);
	paint_right(c, v, 0, x->late + 6, y, ROLE_WARN, text);
	if (x->probe && s->group < m->nr_groups)
		paint_text(c, v, x->probe, y, 13, ROLE_TEXT, m->groups[s->group].name);
	if (s->cpu >= 0)
		snprintf(cpu, sizeof(cpu), "%d", s->cpu);
	paint_text(c, v, x->cpu, y, 6, ROLE_TEXT, cpu);
	if (x->loads)
		paint_text(c, v, x->loads, y, x->culprit ? x->culprit - x->loads - 1 : 14,
			   s->loads[0] ? ROLE_TEXT : ROLE_DIM, s->loads[0] ? s->loads : "-");
	if (!x->culprit)
		return;
	culprit_text(s, text, sizeof(text));
	if (s->steal)
		paint_right(c, v, x->culprit, c->r.w - 1, y, ROLE_WARN, "steal");
	paint_text(c, v, x->culprit, y, c->r.w - x->culprit - (s->steal ? 7 : 1),
		   s->nr ? ROLE_TEXT : ROLE_DIM, text);
}

/* Position of the row that is marked; -1: none.  What Enter shows when none is
 * chosen yet is the first. */
static int marked_row(const struct model *m, const struct view *v, const unsigned *list,
		      unsigned n)
{
	int at = spikelist_chosen(m, v, list, n);

	if (paint_focused(v, &panel_spikes))
		return at < 0 ? 0 : at;
	return plot_live(v) ? -1 : at;
}

/* The first row to show, so that the chosen one is always in sight. */
static unsigned first_row(const struct model *m, const struct view *v, const unsigned *list,
			  unsigned n, int room)
{
	int at = spikelist_chosen(m, v, list, n);

	return at >= room ? (unsigned)(at - room + 1) : 0;
}

/* ---- who held the CPUs --------------------------------------------------- */

/* What blame can tell here, and how it could tell more. */
static int how_draw(const struct model *m, const struct view *v, struct canvas *c, int y)
{
	if (!m->tiers.blame_how[0] || y >= c->r.h)
		return 0;
	return paint_wrapped(c, v, 1, y, c->r.w - 2, c->r.h - y < 3 ? 1 : 3, ROLE_DIM,
			     m->tiers.blame_how);
}

static int table_draw(const struct view *v, struct canvas *c, int y, int rows,
		      const struct blamed *b)
{
	bool with = strcmp(b->loads, BLAMED_ALL) && strcmp(b->loads, "no load");
	int x = c->r.w < 60 ? 11 : 27, room = c->r.h - y;
	char text[BLAMED_NAMES * 40], name[80];

	snprintf(name, sizeof(name), "%s%s", with ? "with " : "", b->loads);
	paint_text(c, v, 1, y, x - 2, ROLE_TITLE, name);
	blamed_text(b, text, sizeof(text));
	return paint_wrapped(c, v, x, y, c->r.w - x - 1, room < rows ? room : rows, ROLE_TEXT, text);
}

/* After a reset there are fewer than the view may have gone down. */
static unsigned first_table(const struct model *m, const struct view *v)
{
	if (v->blame_row < m->nr_blamed)
		return v->blame_row;
	return m->nr_blamed ? m->nr_blamed - 1 : 0;
}

/* "54 spikes, 3 in part, 1 not looked at" */
static void how_many(const struct model *m, const struct view *v, uint64_t all, char *buf,
		     size_t size)
{
	size_t used = (size_t)snprintf(buf, size, "%llu spike%s", (unsigned long long)all,
				       all == 1 ? "" : "s");

	if (m->spikes_incomplete)
		used += (size_t)snprintf(buf + used, size - used, ", %llu in part",
					 (unsigned long long)m->spikes_incomplete);
	if (m->spikes_unread)
		used += (size_t)snprintf(buf + used, size - used, ", %llu not looked at",
					 (unsigned long long)m->spikes_unread);
	if (v->filter[0])	/* they are sums over all */
		snprintf(buf + used, size - used, " (not filtered)");
}

static void culprits_draw(const struct model *m, const struct view *v, struct canvas *c)
{
	uint64_t all = m->nr_blamed ? m->blamed[0].spikes : 0;
	unsigned first = first_table(m, v), tables = m->nr_blamed - first;
	struct canvas in;
	char count[96];
	int y = 0, rows;

	how_many(m, v, all, count, sizeof(count));
	in = paint_frame(c, v, &panel_spikes, "CULPRITS", count, "share of the time (spikes it led)");
	rows = tables ? (in.r.h - 3) / (int)tables : 0;	/* the last are of what it cannot tell */
	for (unsigned i = first; i < m->nr_blamed && y < in.r.h; i++) {
		int used = table_draw(v, &in, y, rows > 3 ? rows : 3, &m->blamed[i]);

		canvas_item(&in, (struct rect){ 0, y, in.r.w, used }, i);
		y += used;
	}
	if (!all && y < in.r.h)
		paint_text(&in, v, 1, y++, in.r.w - 2, ROLE_DIM, "nobody yet");
	how_draw(m, v, &in, y);
}

/* ---- the panel ----------------------------------------------------------- */

/* Only so many are kept: of how many these are.  A new run begins with none. */
static uint64_t all_of(const struct model *m, const struct view *v)
{
	return v->spikes == SPIKES_LATEST ? m->latest_seen - m->latest_before
					  : m->spikes_seen + m->spikes_unread;
}

/* How many, and in what room is left who held the CPUs. */
static void title_text(const struct model *m, const struct view *v, unsigned n, int columns,
		       char *buf, size_t size)
{
	uint64_t kept_of = all_of(m, v);
	int used = v->filter[0] ? snprintf(buf, size, "%u of %u (filtered) %.40s", n,
					   spikelist_count(m, v), v->filter)
		   : kept_of > n ? snprintf(buf, size, "%u of %llu", n, (unsigned long long)kept_of)
				 : snprintf(buf, size, "%u", n);
	size_t room = columns > used + 8 ? (size_t)(columns - used) : 0;

	if (!m->nr_blamed || room < 40 || v->filter[0] || (size_t)used + room > size)
		return;
	/* The list is of the worst; nobody holds a CPU where a spike has none. */
	uint64_t all = m->blamed[0].spikes;
	int word = snprintf(buf + used, size - (size_t)used,
			    all == n	     ? "  held by "
			    : all >= kept_of ? "  all %llu held by "
					     : "  %llu on a known CPU held by ",
			    (unsigned long long)all);

	if ((size_t)word >= room || !blamed_text(&m->blamed[0], buf + used + word,
						 room - (size_t)word))
		buf[used] = '\0';
}

/* Columns of the frame that the text in it leaves free: its ends, "WORST SPIKES"
 * with the focus, and the hint. */
#define HINT_W 53
#define SHORT_HINT_W 33

static void list_draw(const struct model *m, const struct view *v, struct canvas *c)
{
	unsigned list[SPIKELIST_MOST], n = spikelist_shown(m, v, list), first;
	int marked;
	bool latest = v->spikes == SPIKES_LATEST;
	char title[256];
	struct canvas in;
	struct columns x;

	/* Who held the CPUs is worth more than what Enter does. */
	bool wide = c->r.w >= HINT_LEAST || !m->nr_blamed || v->filter[0];

	title_text(m, v, n, c->r.w - (wide ? HINT_W : SHORT_HINT_W) - latest, title, sizeof(title));
	in = paint_frame(c, v, &panel_spikes, latest ? "LATEST SPIKES" : "WORST SPIKES", title,
			 !paint_focused(v, &panel_spikes) ? "n p g" :
			 wide ? "n p g   Enter shows it in the map" : "n p g   Enter");
	x = columns_for(in.r.w);
	if (!n) {
		paint_text(&in, v, 1, 0, in.r.w - 2, ROLE_DIM,
			   v->filter[0] && spikelist_count(m, v) ? "none passes the filter" :
			   latest && m->replay && m->nr_spikes ? "the latest are not in this file" : "none yet");
		how_draw(m, v, &in, 1);
		return;
	}
	heads(v, &in, &x);
	first = first_row(m, v, list, n, in.r.h - 1);
	marked = marked_row(m, v, list, n);
	for (int y = 1; y < in.r.h && first + (unsigned)y - 1 < n; y++) {
		unsigned at = first + (unsigned)y - 1;

		row(m, v, &in, y, &x, list[at], latest ? at + 1 : list[at] + 1, (int)at == marked);
	}
}

static void spikes_draw(const struct model *m, const struct view *v, struct canvas *c)
{
	if (v->spikes == SPIKES_CULPRITS)
		culprits_draw(m, v, c);
	else
		list_draw(m, v, c);
}

const struct panel panel_spikes = {
	.name = "spikes", .title = "Worst spikes", .least_w = 32, .least_h = 3, .best_h = 10,
	.focusable = true,
	.draw = spikes_draw,
};
