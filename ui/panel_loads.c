/*
 * panel_loads.c - which loads run, how hard, and the keys that start them.
 *
 * A table of keys in which every load has its fixed place; those that run have
 * a row each below it, which takes the end of the table where room is short.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/text.h"
#include "ui/loadline.h"
#include "ui/paint.h"

extern const struct panel panel_loads;

#define PER_ROW_MOST 10
#define KEYS_MOST 40
#define TITLE_W 22		/* "- LOADS - +15 run: " and its end */
#define PICKED_MOST 64
#define ROW_LEAST 40		/* narrowest second column of rows */

/* Columns of the table of keys, each as wide as its longest name; the rest of
 * the width is shared.  As many as show all in two thirds of the rows, or as
 * have room.  Depends on names and size alone: a load keeps its place. */
struct columns { int n, width[PER_ROW_MOST]; };

static int columns_try(const struct model *m, int per, struct columns *k)
{
	int sum = 0;

	*k = (struct columns){ .n = per };
	for (unsigned i = 0; i < m->nr_loads; i++) {
		int need = paint_width(m->loads[i].name) + 3, *w = &k->width[(int)i % per];

		*w = need > *w ? need : *w;
	}
	for (int i = 0; i < per; i++)
		sum += k->width[i];
	return sum;
}

static struct columns columns_make(const struct model *m, const struct canvas *c, int rows)
{
	struct columns k, wider;
	int per = 1, n = (int)m->nr_loads, left = c->r.w - columns_try(m, 1, &k);

	while (per < PER_ROW_MOST && (n + per - 1) / per > rows * 2 / 3) {
		int rest = c->r.w - columns_try(m, per + 1, &wider);

		if (rest < 0)
			break;
		k = wider;
		left = rest;
		per++;
	}
	for (int i = 0; left > 0 && i < per; i++)
		k.width[i] += left / per;
	return k;
}

/* Loads worth a row of their own: those that do something; where rows are left
 * over, those that did. */
static unsigned pick(const struct model *m, unsigned *out, unsigned room, unsigned spare)
{
	unsigned n = 0;

	for (unsigned i = 0; i < m->nr_loads && n < room; i++)
		if (m->loads[i].state != LOAD_OFF)
			out[n++] = i;
	for (unsigned i = 0; i < m->nr_loads && n < spare; i++)
		if (m->loads[i].state == LOAD_OFF && m->loads[i].runs)
			out[n++] = i;
	return n;
}

static void key_cell(const struct view *v, struct canvas *c, int x, int y, int w,
		     const struct load_view *l, bool selected)
{
	bool idle = l->state == LOAD_OFF;

	paint_fmt(c, v, x, y, selected ? ROLE_SELECTED : ROLE_KEY, "%c", l->key ? l->key : ' ');
	paint_text(c, v, x + 2, y, w - 3, idle ? ROLE_DIM : loadline_role(l), l->name);
}

/* The table of keys, "E exec   S sh ...": a load keeps its place whatever runs. */
static void keys_draw(const struct model *m, const struct view *v, struct canvas *c,
		      const struct columns *k, int rows)
{
	for (int i = 0, x = 1; i < rows * k->n && i < (int)m->nr_loads; i++) {
		int column = i % k->n;

		x = column ? x + k->width[column - 1] : 1;
		key_cell(v, c, x, i / k->n, k->width[column], &m->loads[i], i == (int)v->load);
		canvas_item(c, (struct rect){ x, i / k->n, k->width[column], 1 }, (unsigned)i);
	}
}

/* Keys of the loads that do something and have no row; how many. */
static int hidden_keys(const struct model *m, const unsigned *picked, unsigned n, char *keys, int most)
{
	int hidden = 0, at = 0;

	for (unsigned i = 0; i < m->nr_loads; i++) {
		bool has_row = false;

		for (unsigned k = 0; k < n; k++)
			has_row |= picked[k] == i;
		if (has_row || m->loads[i].state == LOAD_OFF)
			continue;
		hidden++;
		if (at < most && m->loads[i].key)
			keys[at++] = m->loads[i].key;
	}
	keys[at] = '\0';
	return hidden;
}

/* In the title: what runs without a row, else what has no room in the table. */
static void rest_draw(const struct model *m, const struct view *v, struct canvas *c, int room,
		      const unsigned *picked, unsigned n)
{
	int most = c->r.w - TITLE_W;
	char keys[KEYS_MOST + 1], more[KEYS_MOST + 32];
	int hidden = hidden_keys(m, picked, n, keys,
				 most < 0 ? 0 : most > KEYS_MOST ? KEYS_MOST : most);

	if (hidden) {
		snprintf(more, sizeof(more), " +%d run: %s%s ", hidden, keys,
			 hidden > (int)strlen(keys) ? paint_glyph_text(v, GLYPH_CUT) : "");
		paint_right(c, v, 8, c->r.w - 1, 0, ROLE_GOOD, more);
		return;
	}
	if ((int)m->nr_loads <= room)
		return;
	snprintf(more, sizeof(more), " +%d ", (int)m->nr_loads - room);
	paint_right(c, v, 8, c->r.w - 1, 0, ROLE_DIM, more);
}

static void hint_draw(const struct model *m, const struct view *v, struct canvas *c, int y)
{
	static const struct paint_word hints[] = {
		{ "A-Z", ROLE_KEY, 0 }, { "on/off ", ROLE_DIM, 0 }, { "[ ]", ROLE_KEY, 2 },
		{ "workers ", ROLE_DIM, 2 },
		{ "0", ROLE_KEY, 1 }, { "stop all ", ROLE_DIM, 1 }, { "l", ROLE_KEY, 3 },
		{ "list", ROLE_DIM, 3 },
	};

	if (m->replay)
		paint_text(c, v, 1, y, c->r.w - 2, ROLE_DIM, "as recorded; l lists all");
	else
		paint_words(c, v, 1, y, c->r.w - 2, " ", hints, sizeof(hints) / sizeof(hints[0]));
}

/* Wide and high enough: every load has its row, in two columns. */
static bool all_draw(const struct model *m, const struct view *v, struct canvas *c)
{
	int per = c->r.w / ROW_LEAST, rows = c->r.h - 1, w;

	if (per < 1 || (int)m->nr_loads > per * rows)
		return false;
	w = c->r.w / per;
	for (unsigned i = 0; i < m->nr_loads; i++) {
		struct canvas box =
			canvas_view(c, (struct rect){ (int)i / rows * w, (int)i % rows, w, 1 });

		loadline_draw(m, v, &box, 0, i);
	}
	hint_draw(m, v, c, c->r.h - 1);
	return true;
}

/* As a number of rows: never below 0. */
static unsigned at_most(int rows, int most)
{
	return rows < 0 ? 0 : (unsigned)(rows < most ? rows : most);
}

static void loads_draw(const struct model *m, const struct view *v, struct canvas *c)
{
	struct canvas in = paint_frame(c, v, &panel_loads, "LOADS", NULL, NULL);
	int rows = in.r.h - (in.r.h >= 4), table;
	unsigned picked[PICKED_MOST], n;
	struct columns k;

	if (m->supervisor_why[0] && !m->replay) {
		paint_text(&in, v, 1, 0, in.r.w - 2, ROLE_WARN, "no loads");
		paint_wrapped(&in, v, 1, 1, in.r.w - 2, in.r.h > 2 ? in.r.h - 1 : 1, ROLE_TEXT,
			      m->supervisor_why);
		return;
	}
	if (!m->nr_loads) {
		paint_text(&in, v, 1, 0, in.r.w - 2, ROLE_DIM, "no loads");
		return;
	}
	if (all_draw(m, v, &in))
		return;
	k = columns_make(m, &in, rows);
	table = ((int)m->nr_loads + k.n - 1) / k.n;
	n = pick(m, picked, at_most(rows - (rows >= 4), PICKED_MOST),
		 at_most(rows - table, PICKED_MOST));
	keys_draw(m, v, &in, &k, rows - (int)n);
	rest_draw(m, v, c, (rows - (int)n) * k.n, picked, n);
	for (unsigned i = 0; i < n; i++)
		loadline_draw(m, v, &in, rows - (int)(n - i), picked[i]);
	if (in.r.h >= 4)
		hint_draw(m, v, &in, in.r.h - 1);
}

const struct panel panel_loads = {
	.name = "loads", .title = "Loads", .least_w = 16, .least_h = 3, .best_h = 12,
	.focusable = true,
	.draw = loads_draw,
};
