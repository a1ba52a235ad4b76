/*
 * panel_loadlist.c - every load there is, one a row, and under them what the
 * selected one does, its knobs and why it ended.
 */
#include <stdio.h>
#include <string.h>

#include "src/text.h"
#include "ui/loadline.h"
#include "ui/paint.h"

extern const struct panel panel_loadlist;

static void knob_text(const struct load_view *l, unsigned i, char *buf, size_t size)
{
	const struct load_knob *k = &l->load->knobs[i];
	long value = l->knob[i];

	if (k->choices && value >= 0 && value <= k->most)
		snprintf(buf, size, "%s=%s", k->name, k->choices[value]);
	else
		snprintf(buf, size, "%s=%ld", k->name, value);
}

static int knobs_draw(const struct model *m, const struct view *v, struct canvas *c, int y, const struct load_view *l)
{
	struct paint_word words[LOAD_KNOBS_MAX + 2] = { 0 };
	unsigned n = 0;

	for (; l->load && n < LOAD_KNOBS_MAX && l->load->knobs[n].name; n++) {
		words[n] = (struct paint_word){ .role = ROLE_ACCENT, .rank = (int)n };
		knob_text(l, n, words[n].text, sizeof(words[n].text));
	}
	if (l->cpus[0]) {
		words[n] = (struct paint_word){ .role = ROLE_ACCENT, .rank = (int)n };
		snprintf(words[n].text, sizeof(words[n].text), "cpus=%s", l->cpus);
		n++;
	}
	/* No key changes them. */
	if (l->load && l->load->knobs[0].name && !m->replay) {
		words[n] = (struct paint_word){ .role = ROLE_DIM, .rank = (int)n };
		snprintf(words[n].text, sizeof(words[n].text), "(set at the start: -l %s,%s=..)",
			 l->name, l->load->knobs[0].name);
		n++;
	}
	if (n)
		paint_words(c, v, 2, y, c->r.w - 3, "  ", words, n);
	else
		paint_text(c, v, 2, y, c->r.w - 3, ROLE_DIM, "no knobs");
	return y + 1;
}

/* Since it runs; what has no figure is left out. */
static void run_draw(const struct view *v, struct canvas *c, int y, const struct load_view *l)
{
	struct paint_word words[] = {
		{ .role = ROLE_TEXT, .rank = 0 }, { .role = ROLE_TEXT, .rank = 1 },
		{ .role = ROLE_TEXT, .rank = 2 }, { .role = ROLE_WARN, .rank = 3 },
	};
	char text[32], passes[16], errors[16];

	if (l->rate_mean >= 0)
		snprintf(words[0].text, sizeof(words[0].text), "average %s",
			 loadline_rate(l, l->rate_mean, true, text, sizeof(text)));
	if (l->load && l->load->pass_name)
		snprintf(words[1].text, sizeof(words[1].text), "passes %s",
			 text_count(passes, sizeof(passes), (double)l->passes));
	if (l->max_op_ns > 0)
		snprintf(words[2].text, sizeof(words[2].text), "slowest call %s",
			 text_time(text, sizeof(text), l->max_op_ns));
	if (l->errors || l->throttled)
		snprintf(words[3].text, sizeof(words[3].text), "errors %s",
			 text_count(errors, sizeof(errors), (double)(l->errors + l->throttled)));
	paint_words(c, v, 2, y, c->r.w - 3, "  ", words, sizeof(words) / sizeof(words[0]));
}

/* No load can run here at all. */
static bool off(const struct model *m)
{
	return m->supervisor_why[0] && !m->replay;
}

static void selected_draw(const struct model *m, const struct view *v, struct canvas *c, int y)
{
	const struct load_view *l;

	if (v->load >= m->nr_loads)
		return;
	l = &m->loads[v->load];
	paint_fmt(c, v, 1, y, ROLE_TITLE, "%s", l->name);
	paint_text(c, v, 12, y, c->r.w - 13, ROLE_TEXT, l->load ? l->load->summary : "");
	if (y + 1 < c->r.h)
		knobs_draw(m, v, c, y + 1, l);
	if (y + 2 < c->r.h && off(m))
		paint_text(c, v, 2, y + 2, c->r.w - 3, ROLE_WARN, m->supervisor_why);
	else if (y + 2 < c->r.h && l->state == LOAD_RUN)
		run_draw(v, c, y + 2, l);
	else if (y + 2 < c->r.h)
		paint_text(c, v, 2, y + 2, c->r.w - 3,
			   l->state == LOAD_FAILED ? ROLE_WARN : ROLE_DIM, l->why);
}

/* Idle ones tell what they would do. */
static void row_draw(const struct model *m, const struct view *v, struct canvas *c, int y,
		     unsigned load)
{
	const struct load_view *l = &m->loads[load];

	loadline_draw(m, v, c, y, load);
	if (l->state == LOAD_OFF && !l->runs && l->load && c->r.w >= 60)
		paint_text(c, v, 26, y, c->r.w - 27, ROLE_DIM, l->load->summary);
}

static void loadlist_draw(const struct model *m, const struct view *v, struct canvas *c)
{
	int foot = c->r.h >= 9 ? 3 : 0, rows = c->r.h - 1 - foot, first = 0,
	    n = (int)m->nr_loads;
	struct canvas in;
	char part[80] = "";

	if ((int)v->load >= rows)
		first = (int)v->load - rows + 1;
	if (n > rows)
		snprintf(part, sizeof(part), "%d-%d of %d", first + 1,
			 first + rows < n ? first + rows : n, n);
	in = paint_frame(c, v, &panel_loadlist, "ALL LOADS", part,
			 off(m) ? "none can start   Esc closes" :
			 m->replay ? "Esc closes" :
			 n > rows && c->r.w < 100 ? "A-Z start/stop  [ ] workers  Up Down  Esc closes" :
			 "A-Z start/stop   [ ] workers   0 stop all   Esc closes");
	for (int y = 0; y < rows && first + y < (int)m->nr_loads; y++)
		row_draw(m, v, &in, y, (unsigned)(first + y));
	if (foot)
		selected_draw(m, v, &in, rows);
}

const struct panel panel_loadlist = {
	.name = "loadlist", .title = "All loads", .least_w = 24, .least_h = 2, .best_h = 24,
	.draw = loadlist_draw,
};
