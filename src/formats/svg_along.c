/* svg_along.c - see svg_along.h. */
#include "src/formats/svg_along.h"

#include <math.h>
#include <string.h>

#include "src/text.h"

#define LANES_MAX 10
#define TAKEN_MAX 256
#define GAP 6.0
#define LOAD_HEIGHT 19.0
#define EVENT_HEIGHT 15.0
#define SIZE 11.0		/* of letters */
#define LETTER (0.64 * SIZE)	/* a wide one */
#define EVENTS_MAX 200
#define SHORT 20		/* letters of a text that is cut */

/* ---- rows ---------------------------------------------------------------- */

struct span { double lo, hi; };
struct lanes {
	struct { unsigned lane; struct span at; } taken[TAKEN_MAX];
	unsigned n, used;
	unsigned left_out;	/* had no room */
};

static bool is_free(const struct lanes *l, unsigned lane, struct span at)
{
	for (unsigned i = 0; i < l->n; i++)
		if (l->taken[i].lane == lane && at.lo < l->taken[i].at.hi &&
		    at.hi > l->taken[i].at.lo)
			return false;
	return true;
}

/* The first lane that is free there; -1: none. */
static int take_lane(struct lanes *l, struct span at)
{
	for (unsigned lane = 0; lane < LANES_MAX && l->n < TAKEN_MAX; lane++) {
		if (!is_free(l, lane, at))
			continue;
		l->taken[l->n].lane = lane;
		l->taken[l->n++].at = at;
		l->used = lane + 1 > l->used ? lane + 1 : l->used;
		return (int)lane;
	}
	return -1;
}

static double words_width(const char *text)
{
	char clean[200];

	return text_clean(clean, sizeof(clean), text, strlen(text), sizeof(clean) - 1) * LETTER;
}

static double end_of(const struct along *a, struct lanes *l, double y, double height,
		     const char *what)
{
	double whole = l->used * height;

	if (l->left_out && a->out)
		picture_text(a->out, a->time.a, y + whole + 10, 10, "start", 400, PICTURE_FAINT,
			     "and %u more %s without room for words", l->left_out, what);
	return whole + (l->left_out ? height : 0);
}

/* ---- loads --------------------------------------------------------------- */

static double stop_of(const struct snapshot *s, const struct snapshot_load *l)
{
	return l->stop_s < 0 ? s->duration_s : l->stop_s;
}

/* less: 0 all, 1 name and workers, 2 none. */
static void load_words(const struct snapshot_load *l, unsigned less, char *buf, size_t size)
{
	bool failed = !strcmp(l->end, "failed");
	char rate[40];

	text_amount(rate, sizeof(rate), l->rate, l->rate_unit);
	buf[0] = '\0';
	if (less == 1)
		snprintf(buf, size, "%s \xc3\x97%u", l->name, l->workers);
	else if (!less)
		snprintf(buf, size, "%s \xc3\x97%u  %s", l->name, l->workers,
			 failed ? "FAILED" : rate);
}

static void draw_bar(const struct along *a, const struct snapshot_load *l, struct span bar,
		     double y, unsigned nth)
{
	const char *colour = strcmp(l->end, "failed") ? picture_colour(nth + 2) : "#c1121f";

	picture_rect(a->out, (struct box){ bar.lo, y, bar.hi - bar.lo, 15 }, colour, 0.30);
	picture_rect(a->out, (struct box){ bar.lo, y, 2.5, 15 }, colour, 1);
}

static bool place_load(const struct along *a, struct lanes *lanes, unsigned nth, unsigned less,
		       double y)
{
	const struct snapshot_load *l = &a->s->loads[nth];
	struct span bar = { axis_at(&a->time, l->start_s), axis_at(&a->time, stop_of(a->s, l)) };
	char words[80];
	double wide, at;
	int lane;

	load_words(l, less, words, sizeof(words));
	wide = words_width(words);
	bar.hi = fmax(bar.hi, bar.lo + 2.5);
	at = bar.lo + 7 + wide > a->time.b ? fmax(bar.lo - 5 - wide, a->time.a) : bar.lo + 7;
	lane = take_lane(lanes, (struct span){ fmin(bar.lo, at),
					       fmax(bar.hi, wide > 0 ? at + wide + GAP : 0) });
	if (lane < 0)
		return false;
	if (a->out) {
		draw_bar(a, l, bar, y + lane * LOAD_HEIGHT, nth);
		picture_text(a->out, at, y + lane * LOAD_HEIGHT + 11.5, SIZE, "start", 400,
			     PICTURE_INK, "%s", words);
	}
	return true;
}

double along_loads(const struct along *a, double y)
{
	struct lanes lanes = { .n = 0 };

	for (unsigned i = 0; i < a->s->nr_loads; i++) {
		unsigned less = 0;

		while (less < 3 && !place_load(a, &lanes, i, less, y))
			less++;
		lanes.left_out += less >= 2;
	}
	return end_of(a, &lanes, y, LOAD_HEIGHT, "loads");
}

/* ---- events -------------------------------------------------------------- */

/* Apart by their dashes too. The last is for all others. */
static const struct look { const char *kind, *colour, *dashes, *name; } looks[] = {
	{ "mark", "#f2b134", "2 3", "mark" },
	{ "baseline", "#3fa7f0", "10 3", "baseline" },
	{ "reset", "#ff6fae", "7 2 1 2", "reset" },
	{ "load", "#7fd1ae", "4 3", "load comes or goes" },
	{ "", "#9aa4b2", "1 4", "other event" },
};
#define LOOKS (sizeof(looks) / sizeof(looks[0]))
enum { LOOK_MARK = 0, LOOK_LOAD = 3, LOOK_OTHER = LOOKS - 1 };

static unsigned look_of(const struct snapshot_event *e)
{
	for (unsigned i = 0; i < LOOK_OTHER; i++)
		if (!strcmp(e->kind, looks[i].kind))
			return i;
	return strncmp(e->kind, "load", 4) ? LOOK_OTHER : LOOK_LOAD;
}

static bool is_seen(const struct along *a, unsigned i)
{
	return a->s->events[i].t_s >= 0 && a->s->events[i].t_s <= a->s->duration_s;
}

static unsigned events_of(const struct along *a)
{
	return a->s->nr_events < EVENTS_MAX ? a->s->nr_events : EVENTS_MAX;
}

static bool place_event(const struct along *a, struct lanes *lanes, unsigned nth, bool less,
			double y)
{
	const struct snapshot_event *e = &a->s->events[nth];
	unsigned look = look_of(e);
	double x = axis_at(&a->time, e->t_s), at, wide;
	char words[120], cut[120];
	int lane;

	snprintf(words, sizeof(words), "%s%s%s", look == LOOK_MARK ? "" : e->kind,
		 look == LOOK_MARK ? "" : ": ", e->text);
	text_clean(cut, sizeof(cut), words, strlen(words), less ? SHORT : sizeof(words) - 1);
	wide = words_width(cut) + 5;
	at = x + wide > a->time.b ? x - wide : x + 5;
	lane = take_lane(lanes, (struct span){ fmin(x, at), fmax(x, at + wide - 5) + GAP });
	if (lane < 0)
		return false;
	if (a->out) {
		y += lane * EVENT_HEIGHT;
		picture_rect(a->out, (struct box){ x - 1, y, 2.5, 12 }, looks[look].colour, 1);
		picture_text(a->out, at, y + 10, SIZE, "start", 400, PICTURE_INK, "%s", cut);
	}
	return true;
}

double along_events(const struct along *a, double y)
{
	struct lanes lanes = { .n = 0 };

	for (unsigned i = 0; i < events_of(a); i++) {
		if (!is_seen(a, i) || look_of(&a->s->events[i]) == LOOK_LOAD)
			continue;
		if (!place_event(a, &lanes, i, false, y) && !place_event(a, &lanes, i, true, y))
			lanes.left_out++;
	}
	return end_of(a, &lanes, y, EVENT_HEIGHT, "marks");
}

void along_lines(const struct along *a, double top, double bottom)
{
	for (unsigned i = 0; i < events_of(a); i++) {
		const struct snapshot_event *e = &a->s->events[i];
		double x = axis_at(&a->time, e->t_s);

		if (is_seen(a, i))
			picture_line(a->out, x, top, x, bottom, looks[look_of(e)].colour, 1.2,
				     looks[look_of(e)].dashes);
	}
}

/* Upon the dark of the maps, as they are seen there. */
static double draw_look(const struct along *a, const struct look *look, double x, double y)
{
	picture_rect(a->out, (struct box){ x, y, 40, 10 }, "#0e0d16", 1);
	picture_line(a->out, x + 2, y + 5, x + 38, y + 5, look->colour, 1.6, look->dashes);
	picture_text(a->out, x + 46, y + 9, 10, "start", 400, PICTURE_FAINT, "%s", look->name);
	return x + 46 + words_width(look->name) + 20;
}

double along_legend(const struct along *a, double x, double y)
{
	bool any = false;

	for (unsigned k = 0; k < LOOKS; k++) {
		bool used = false;

		for (unsigned i = 0; i < events_of(a) && !used; i++)
			used = is_seen(a, i) && look_of(&a->s->events[i]) == k;
		if (used && a->out)
			x = draw_look(a, &looks[k], x, y);
		any |= used;
	}
	return any ? 16 : 0;
}
