/*
 * panel_help.c - the keys, from the one table of keys, in pages.  In small
 * windows a page is a column; a wide one shows several side by side.
 */
#include <stdio.h>
#include <string.h>

#include "ui/keys.h"
#include "ui/paint.h"

extern const struct panel panel_help;

#define COLUMN_W 40
#define KEYS_W 12

/* Lines of the whole table: a heading before each section. */
static bool new_section(unsigned i)
{
	return !i || strcmp(key_bindings[i].section, key_bindings[i - 1].section) != 0;
}

static unsigned lines_of(unsigned i)
{
	return 1 + (new_section(i) ? 1 + (i > 0) : 0);
}

static unsigned total_lines(void)
{
	unsigned n = 0;

	for (unsigned i = 0; key_bindings[i].keys; i++)
		n += lines_of(i);
	return n;
}

/* Draws line `at` of the table at x, y. */
static void line_draw(const struct view *v, struct canvas *c, int x, int y, int w, unsigned at)
{
	unsigned i = 0, line = 0;

	while (key_bindings[i].keys && line + lines_of(i) <= at)
		line += lines_of(i++);
	if (!key_bindings[i].keys)
		return;
	if (at - line + 1 == lines_of(i)) {
		int used = paint_text(c, v, x + 1, y, KEYS_W, ROLE_KEY, key_bindings[i].keys);

		used = used < KEYS_W ? KEYS_W : used;
		paint_text(c, v, x + 2 + used, y, w - used - 3, ROLE_TEXT, key_bindings[i].does);
	} else if (at - line + 2 == lines_of(i)) {
		paint_text(c, v, x, y, w - 1, ROLE_TITLE, key_bindings[i].section);
	}
}

static int columns_in(int w)
{
	int n = w / COLUMN_W;

	return n < 1 ? 1 : n > 4 ? 4 : n;
}

static void help_draw(const struct model *m, const struct view *v, struct canvas *c)
{
	int columns = columns_in(c->r.w), rows = c->r.h - 1 > 1 ? c->r.h - 1 : 1, w = (c->r.w - 1) / columns;
	unsigned per_page = (unsigned)(rows * columns), pages = (total_lines() + per_page - 1) / per_page;
	unsigned page = pages && v->help_page > 0 ? (unsigned)v->help_page % pages : 0;
	char note[64];
	struct canvas in;

	(void)m;
	snprintf(note, sizeof(note), pages > 1 ? "page %u of %u   PgDn next   Esc closes" : "Esc closes", page + 1, pages);
	in = paint_frame(c, v, &panel_help, "KEYS", note);
	for (int y = 0; y < rows; y++)
		for (int k = 0; k < columns; k++)
			line_draw(v, &in, 1 + k * w, y, w, page * per_page + (unsigned)(k * rows + y));
}

const struct panel panel_help = {
	.name = "help", .title = "Keys", .least_w = 24, .least_h = 2, .best_h = 40, .draw = help_draw,
};
