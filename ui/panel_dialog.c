/*
 * panel_dialog.c - a question above the status line, and what is typed.  For
 * the probes it is the list of all of them.
 */
#include <stdio.h>
#include <string.h>

#include "src/probe.h"
#include "ui/paint.h"
#include "ui/panels.h"

extern const struct panel panel_dialog;

#define QUESTION_ROWS 3		/* at most */

static unsigned probe_count(void)
{
	unsigned n = 0;

	while (probes[n])
		n++;
	return n;
}

/* Rows of a text that is broken at blanks. */
static int question_rows(const char *text, int columns)
{
	int rows = 0;

	do {
		int bytes = paint_fitting(text, columns < 8 ? 8 : columns);

		text += bytes + (text[bytes] == ' ');
	} while (++rows < QUESTION_ROWS && *text);
	return rows;
}

int panel_dialog_rows(const struct model *m, const struct view *v, int w)
{
	(void)m;
	if (v->ask == ASK_PROBES)
		return (int)probe_count() + 1;
	return v->ask == ASK_LOAD ? question_rows(v->ask_text, w - 2) : 1;
}

static const char *hint(const struct view *v)
{
	static const char *const hints[] = {
		[ASK_NONE] = "",
		[ASK_LOAD] = "y starts it   any other key does not",
		[ASK_MARK] = "Enter sets the mark   Esc leaves it",
		[ASK_FILTER] = "Enter filters   empty: everything   Esc",
		[ASK_DEADLINE] = "Enter draws the line   empty: none   Esc",
		[ASK_PROBES] = "Enter on/off   Esc closes",
	};

	return v->ask <= ASK_PROBES ? hints[v->ask] : "";
}

/* What is on in the model under this probe's name. */
static bool probe_on(const struct model *m, const struct probe *p)
{
	for (unsigned i = 0; i < m->nr_groups; i++)
		if (m->groups[i].probe == p && m->groups[i].on)
			return true;
	return false;
}

static void probes_list(const struct model *m, const struct view *v, struct canvas *c)
{
	int n = (int)probe_count(), room = c->r.h, first = (int)v->probe_row - room + 1;

	first = first < 0 ? 0 : first > n - 1 ? n - 1 : first;
	for (int y = 0; y < room && first + y < n; y++) {
		const struct probe *p = probes[first + y];
		bool on = probe_on(m, p), here = first + y == (int)v->probe_row;

		canvas_item(c, (struct rect){ 0, y, c->r.w, 1 }, (unsigned)(first + y));
		if (here)
			paint_row(c, v, y, ROLE_SELECTED);
		paint_fmt(c, v, 1, y,
			  here ? ROLE_SELECTED
			  : on ? ROLE_GOOD
			       : ROLE_DIM,
			  "%-3s", on ? "on" : "off");
		paint_fmt(c, v, 6, y, here ? ROLE_SELECTED : ROLE_TEXT, "%-16s", p->name);
		paint_text(c, v, 23, y, c->r.w - 24, here ? ROLE_SELECTED : ROLE_DIM, p->summary);
	}
}

/* Yes or no: what can be answered stays in sight, however long the question. */
static void yes_no(const struct view *v, struct canvas *c, int y)
{
	static const char answers[] = "[y/N]";
	const char *end = strstr(v->ask_text, answers);
	int n = end ? (int)(end - v->ask_text) : (int)strlen(v->ask_text);
	char text[sizeof(v->ask_text)];
	int room = c->r.w - 3 - (int)strlen(answers), x = 1;

	while (n && v->ask_text[n - 1] == ' ')
		n--;
	snprintf(text, sizeof(text), "%.*s", n, v->ask_text);
	x += room > 0 ? 1 + paint_text(c, v, x, y, room, ROLE_WARN, text) : 0;
	paint_text(c, v, x, y, c->r.w - x, ROLE_WARN, answers);
}

/* The question and a place to type; the end of a long input stays in sight. */
static void question(const struct view *v, struct canvas *c, int y)
{
	int x = 1 + paint_text(c, v, 1, y, c->r.w - 12, ROLE_TEXT, v->ask_text);
	int room = c->r.w - x - 3, columns = paint_width(v->input);
	const char *text = v->input;

	while (columns > room && *text) {
		text++;
		columns = paint_width(text);
	}
	x += 1 + paint_text(c, v, x + 1, y, room, ROLE_ACCENT, text);
	paint_put(c, v, x, y, ROLE_SELECTED, ' ');
}

/* Whole, over several rows; false: it has not got them. */
static bool wrapped(const struct view *v, struct canvas *c)
{
	int rows = question_rows(v->ask_text, c->r.w - 2), bytes = 0;

	if (v->ask != ASK_LOAD || rows < 2 || rows > c->r.h || !strstr(v->ask_text, "[y/N]"))
		return false;
	for (int i = 0; i < rows; i++) {
		bytes += paint_fitting(v->ask_text + bytes, c->r.w - 2);
		bytes += v->ask_text[bytes] == ' ';
	}
	if (v->ask_text[bytes])
		return false;
	paint_wrapped(c, v, 1, c->r.h - rows, c->r.w - 2, rows, ROLE_WARN, v->ask_text);
	return true;
}

static void line_draw(const struct view *v, struct canvas *c)
{
	int used = 3 + paint_width(v->ask_text) + paint_width(v->input);

	paint_blank(c, v);
	if (wrapped(v, c))
		return;
	if (v->ask == ASK_LOAD)
		yes_no(v, c, c->r.h - 1);
	else
		question(v, c, c->r.h - 1);
	paint_right(c, v, used + 2, c->r.w - 1, c->r.h - 1, ROLE_DIM, hint(v));
}

static void dialog_draw(const struct model *m, const struct view *v, struct canvas *c)
{
	struct canvas in;

	if (v->ask != ASK_PROBES || c->r.h < 2) {
		line_draw(v, c);
		return;
	}
	in = paint_frame(c, v, &panel_dialog, "PROBES", NULL, hint(v));
	probes_list(m, v, &in);
}

const struct panel panel_dialog = {
	.name = "dialog", .title = "Question", .least_w = 1, .least_h = 1, .best_h = 2,
	.draw = dialog_draw,
};
