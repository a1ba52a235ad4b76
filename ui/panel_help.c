/*
 * panel_help.c - the keys, from the one table of keys, and the signs, in pages.  In small
 * windows a page is a column; a wide one shows several side by side.
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "ui/keys.h"
#include "ui/paint.h"
#include "ui/panels.h"

extern const struct panel panel_help;

#define COLUMN_W 52
#define KEYS_W 15

const struct help_sign help_signs[] = {
	{ "^", "^", "latency above the range, in the top row" },
	{ "▼", "v", "the spike that n and p lead to" },
	{ "▸", ">", "its row in the waterfall" },
	{ "▲", "^", "a mark, a reset, an event, under the map" },
	{ "┈", "-", "the deadline" },
	{ "n", "n", "measured without real time" },
	{ "s", "s", "stopped, suspended or clock stepped" },
	{ "o", "o", "CPU offline, or sampler silent" },
	{ "t", "t", "real-time throttling" },
	{ "h", "h", "stolen by the host (badge !steal)" },
	{ "·", ".", "missed periods" },
	{ "~", "~", "too few samples for that percentile" },
	{ "name~", "name~", "a task by its parent's or a later name" },
	{ "D+F", "D+F", "loads that share a row; height: mean work" },
	{ "6 loads DF", "6 loads DF", "the same of more loads, by their keys" },
	{ "cpu2i", "cpu2i", "an isolated CPU" },
	{ "..", "..", "a call that has not returned yet" },
	{ NULL, NULL, NULL },
};
#define SIGNS (sizeof(help_signs) / sizeof(help_signs[0]) - 1)

/* Doubts about the numbers, as the header names them. */
static const struct { const char *badge, *means; } badges[] = {
	{ "!not-rt", "samplers without real time" },
	{ "!rt-group", "the cgroup gives no real time" },
	{ "!low-priority", "a limit lowers the samplers' priority" },
	{ "!rt-above", "real-time tasks the samplers wait for" },
	{ "!silent", "samplers that do not report" },
	{ "!throttling", "stalls as of RT throttling" },
	{ "!unpinned", "something else moved the samplers" },
	{ "!wrong-cpu", "a CPU is offline" },
	{ "!blame-idle", "perf tells no end of idle: culprits in doubt" },
	{ "!interval", "the samplers take over a fifth of a CPU" },
	{ "!own-cost", "the rest of us takes over 5 % of one" },
	{ "!steal", "the hypervisor took CPU time" },
	{ "!vm", "a virtual machine: the host's delays too" },
	{ "!unplaced", "samples in the totals, not on the map" },
	{ "!suspend", "a suspend or a stop during the run" },
	{ "!slack", "timer slack makes medians too high" },
	{ "!cstates", "deep idle: late wake-ups when idle" },
	{ "!governor", "frequency follows load" },
	{ "!clocksource", "the clock is slow, or was changed" },
	{ "!not-locked", "samplers may wait for memory; also !partly-locked, !sampler-faults" },
};
#define BADGES (sizeof(badges) / sizeof(badges[0]))

/* Keys first, then signs, then badges; false: the end. */
static bool entry_at(const struct view *v, unsigned i, struct key_binding *out)
{
	unsigned keys = 0;

	while (key_bindings[keys].keys)
		keys++;
	if (i < keys) {
		*out = key_bindings[i];
		return true;
	}
	if (i - keys >= SIGNS + BADGES)
		return false;
	if (i - keys >= SIGNS) {
		i -= keys + SIGNS;
		*out = (struct key_binding){ badges[i].badge, badges[i].means, "Badges" };
		return true;
	}
	*out = (struct key_binding){
		v->theme.unicode ? help_signs[i - keys].sign : help_signs[i - keys].plain,
		help_signs[i - keys].means, "Signs",
	};
	return true;
}

/* One line of the table as it is laid out at a width. */
struct line {
	struct key_binding key;	/* keys NULL: blank */
	bool heading;
	const char *does;	/* this line's part of the text */
	int bytes;		/* of it */
	bool first;
};

/* How the text is broken: columns for what a key does, rows of a page. */
struct breaks { int columns; unsigned rows; };

/* Alone at the end of a page a heading would be of nothing. */
static bool heads_nothing(const struct breaks *b, unsigned line)
{
	return b->rows > 2 && line % b->rows == b->rows - 1;
}

/* The at-th line of all; counts them all when there is no such line.  */
static bool line_at(const struct view *v, unsigned at, const struct breaks *b, struct line *out,
		    unsigned *count)
{
	struct key_binding key, last = { NULL, NULL, NULL };
	unsigned line = 0;

	for (unsigned i = 0; entry_at(v, i, &key); last = key, i++) {
		bool opens = !i || strcmp(key.section, last.section) != 0;
		const char *text = key.does;

		if (opens && i && line++ == at)
			return *out = (struct line){ .bytes = 0 }, true;
		if (opens && heads_nothing(b, line) && line++ == at)
			return *out = (struct line){ .bytes = 0 }, true;
		if (opens && line++ == at)
			return *out = (struct line){ .key = key, .heading = true }, true;
		do {
			int bytes = paint_fitting(text, b->columns < 8 ? 8 : b->columns);

			if (line++ == at)
				return *out = (struct line){ key, false, text, bytes,
							     text == key.does },
				       true;
			text += bytes + (text[bytes] == ' ');
		} while (*text);
	}
	*count = line;
	return false;
}

static unsigned total_lines(const struct view *v, const struct breaks *b)
{
	struct line unused;
	unsigned n = 0;

	line_at(v, UINT_MAX, b, &unused, &n);
	return n;
}

static void line_draw(const struct view *v, const struct breaks *b, struct canvas *c, int x, int y,
		      int w, unsigned at)
{
	char text[128];
	struct line l;
	unsigned unused;
	int keys = KEYS_W;

	if (!line_at(v, at, b, &l, &unused) || !l.key.keys)
		return;
	if (l.heading) {
		paint_text(c, v, x, y, w - 1, ROLE_TITLE, l.key.section);
		return;
	}
	if (l.first)
		paint_text(c, v, x + 1, y, keys - 1, ROLE_KEY, l.key.keys);
	snprintf(text, sizeof(text), "%.*s", l.bytes, l.does);
	paint_text(c, v, x + 1 + keys, y, w - keys - 2, ROLE_TEXT, text);
}

static int columns_in(int w)
{
	int n = w / COLUMN_W;

	return n < 1 ? 1 : n > 4 ? 4 : n;
}

/* What a page that begins within a section goes on with. */
static const char *section_at(const struct view *v, const struct breaks *b, unsigned at)
{
	struct line l;
	unsigned unused;

	return line_at(v, at, b, &l, &unused) && l.key.keys && !l.heading ? l.key.section : NULL;
}

static void help_draw(const struct model *m, const struct view *v, struct canvas *c)
{
	int columns = columns_in(c->r.w), rows = c->r.h - 1 > 1 ? c->r.h - 1 : 1,
	    w = (c->r.w - 1) / columns;
	struct breaks b = { w - KEYS_W - 2, (unsigned)rows };
	unsigned per_page = (unsigned)(rows * columns),
		 pages = (total_lines(v, &b) + per_page - 1) / per_page;
	unsigned page = pages && v->help_page > 0 ? (unsigned)v->help_page % pages : 0;
	char note[64];
	struct canvas in;

	(void)m;
	snprintf(note, sizeof(note), pages < 2 ? "Esc closes" : c->r.w < 60 ? "%u/%u PgDn Esc"
		 : "page %u of %u   PgDn next   Esc closes", page + 1, pages);
	in = paint_frame(c, v, &panel_help, "KEYS",
			 page ? section_at(v, &b, page * per_page) : NULL, note);
	for (int y = 0; y < rows; y++)
		for (int k = 0; k < columns; k++)
			line_draw(v, &b, &in, 1 + k * w, y, w,
				  page * per_page + (unsigned)(k * rows + y));
}

const struct panel panel_help = {
	.name = "help", .title = "Keys", .least_w = 24, .least_h = 2, .best_h = 40,
	.draw = help_draw,
};
