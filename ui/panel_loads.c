/*
 * panel_loads.c - which loads run, how hard, and the keys that start them.
 *
 * Loads that run or ran come first, one a row; the rest is a table of keys.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/text.h"
#include "ui/loadline.h"
#include "ui/paint.h"

extern const struct panel panel_loads;

#define KEY_CELL 13
#define ROW_LEAST 40		/* narrowest second column of rows */

static bool told(const struct load_view *l)
{
	return l->state != LOAD_OFF || l->runs > 0;
}

/* Loads worth a row: those that do something, then those that did. */
static unsigned pick(const struct model *m, unsigned *out, unsigned room)
{
	unsigned n = 0;

	for (unsigned i = 0; i < m->nr_loads && n < room; i++)
		if (m->loads[i].state != LOAD_OFF)
			out[n++] = i;
	for (unsigned i = 0; i < m->nr_loads && n < room; i++)
		if (m->loads[i].state == LOAD_OFF && told(&m->loads[i]))
			out[n++] = i;
	return n;
}

static bool among(const unsigned *list, unsigned n, unsigned index)
{
	for (unsigned i = 0; i < n; i++)
		if (list[i] == index)
			return true;
	return false;
}

/* The key table: "E exec   S sh ..." for what has no row. */
static int keys_draw(const struct model *m, const struct view *v, struct canvas *c, int y, int rows,
		     const unsigned *picked, unsigned n)
{
	int per_row = (c->r.w - 1) / KEY_CELL > 0 ? (c->r.w - 1) / KEY_CELL : 1, at = 0, left = 0;

	for (unsigned i = 0; i < m->nr_loads; i++) {
		const struct load_view *l = &m->loads[i];
		int x = 1 + at % per_row * KEY_CELL, row = at / per_row;
		bool selected = i == v->load;

		if (among(picked, n, i))
			continue;
		if (row >= rows) {
			left++;
			continue;
		}
		paint_fmt(c, v, x, y + row, selected ? ROLE_SELECTED : ROLE_KEY, "%c",
			  l->key ? l->key : ' ');
		paint_text(c, v, x + 2, y + row, KEY_CELL - 3, ROLE_DIM, l->name);
		at++;
	}
	if (left && rows > 0) {
		char more[24];

		snprintf(more, sizeof(more), " +%d ", left);
		paint_right(c, v, 0, c->r.w, y + rows - 1, ROLE_DIM, more);
	}
	return (at + per_row - 1) / per_row;
}

static void hint_draw(const struct view *v, struct canvas *c, int y)
{
	static const struct paint_word hints[] = {
		{ "A-Z", ROLE_KEY, 0 }, { "start/stop ", ROLE_DIM, 0 }, { "[ ]", ROLE_KEY, 1 },
		{ "workers ", ROLE_DIM, 1 },
		{ "0", ROLE_KEY, 0 }, { "stop all ", ROLE_DIM, 0 }, { "l", ROLE_KEY, 2 },
		{ "list", ROLE_DIM, 2 },
	};

	paint_words(c, v, 1, y, c->r.w - 1, " ", hints, sizeof(hints) / sizeof(hints[0]));
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
	hint_draw(v, c, c->r.h - 1);
	return true;
}

static void loads_draw(const struct model *m, const struct view *v, struct canvas *c)
{
	struct canvas in = paint_frame(c, v, &panel_loads, "LOADS", NULL, NULL);
	int rows = in.r.h - (in.r.h >= 4), keys = in.r.h >= 5 ? (rows + 1) / 3 : 0;
	unsigned picked[64], n;

	if (m->supervisor_why[0] && !m->replay) {
		paint_text(&in, v, 1, 0, in.r.w - 2, ROLE_WARN, "no loads");
		paint_text(&in, v, 1, 1, in.r.w - 2, ROLE_TEXT, m->supervisor_why);
		return;
	}
	if (!m->nr_loads) {
		paint_text(&in, v, 1, 0, in.r.w - 2, ROLE_DIM, "no loads");
		return;
	}
	if (all_draw(m, v, &in))
		return;
	n = pick(m, picked, rows - keys < 64 ? (unsigned)(rows - keys) : 64);
	for (unsigned i = 0; i < n; i++)
		loadline_draw(m, v, &in, (int)i, picked[i]);
	keys_draw(m, v, &in, (int)n, rows - (int)n, picked, n);
	if (in.r.h >= 4)
		hint_draw(v, &in, in.r.h - 1);
}

const struct panel panel_loads = {
	.name = "loads", .title = "Loads", .least_w = 16, .least_h = 3, .best_h = 12,
	.focusable = true,
	.draw = loads_draw,
};
