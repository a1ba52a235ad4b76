/*
 * panel_oneline.c - a terminal too small for panels still tells the state:
 * `p99.9 411us max 8.9ms F fork x4 RUN`, over as many rows as there are.
 */
#include <stdio.h>
#include <string.h>

#include "src/text.h"
#include "ui/paint.h"
#include "ui/plotted.h"

#define LINES 12

struct lines { struct paint_word word[LINES]; unsigned n; };

static void add(struct lines *l, enum role role, const char *text)
{
	if (l->n == LINES || !text[0])
		return;
	l->word[l->n].role = role;
	l->word[l->n].rank = (int)l->n;
	snprintf(l->word[l->n++].text, sizeof(l->word[0].text), "%s", text);
}

static void add_percentile(struct lines *l, const struct model *m, const struct view *v,
			   const struct hist *h, double percent)
{
	char text[32], value[16];
	int64_t ns;

	plot_percentiles(m, v, plot_group(m, v), h, &percent, &ns, 1);
	if (ns < 0)
		return;
	snprintf(text, sizeof(text), "p%g %s", percent, text_time(value, sizeof(value), ns));
	add(l, ROLE_TEXT, text);
}

static void add_maximum(struct lines *l, const struct model *m, const struct view *v,
			const struct hist *h)
{
	const struct group *g = plot_group(m, v);
	int64_t flight = g ? model_in_flight(m, g) : 0;
	bool open = flight > h->max_ns;
	char text[32], value[16];

	if (!h->count && !open)
		return;
	snprintf(text, sizeof(text), "max %s%s",
		 text_time(value, sizeof(value), open ? flight : h->max_ns), open ? ".." : "");
	add(l, open ? ROLE_WARN : ROLE_TEXT, text);
}

static void add_state(struct lines *l, const struct model *m, const struct view *v)
{
	const struct group *g = plot_group(m, v);

	if (g && g->want_rt && !g->have_rt)
		add(l, ROLE_BAD, "NOT RT");
	if (!plot_live(v))
		add(l, ROLE_WARN, v->paused ? "PAUSED" : "BACK");
}

static void add_loads(struct lines *l, const struct model *m, const struct view *v)
{
	static const char *const words[] = { "", "START", "RUN", "STOP", "FAILED" };

	for (unsigned i = 0; i < m->nr_loads; i++) {
		const struct load_view *load = &m->loads[i];
		char text[64];

		if (load->state == LOAD_OFF)
			continue;
		snprintf(text, sizeof(text), "%c %s %s%u %s", load->key ? load->key : ' ',
			 load->name, paint_glyph_text(v, GLYPH_TIMES), load->workers,
			 words[load->state]);
		add(l, load->state == LOAD_FAILED ? ROLE_BAD : ROLE_ACCENT, text);
	}
}

static void lines_make(struct lines *l, const struct model *m, const struct view *v)
{
	const struct hist *run = plot_hists(m, v).run;

	l->n = 0;
	if (run) {
		add_percentile(l, m, v, run, 99.9);
		add_maximum(l, m, v, run);
	}
	add_state(l, m, v);
	add_loads(l, m, v);
	if (run) {
		add_percentile(l, m, v, run, 99);
		add_percentile(l, m, v, run, 50);
	}
	if (!l->n)
		add(l, ROLE_DIM, m->zero_ns ? "no sample yet" : "warming up");
}

/* As many words as fit into each row, the next row for the rest. */
static void oneline_draw(const struct model *m, const struct view *v, struct canvas *c)
{
	struct lines l;
	int x = 0, y = 0;

	paint_blank(c, v);
	lines_make(&l, m, v);
	for (unsigned i = 0; i < l.n && y < c->r.h; i++) {
		int width = paint_width(l.word[i].text);

		if (x && x + 1 + width > c->r.w) {
			if (y == c->r.h - 1)
				continue;	/* a shorter one may still fit */
			x = 0;
			y++;
		}
		x += x > 0;
		x += paint_text(c, v, x, y, c->r.w - x, l.word[i].role, l.word[i].text);
	}
}

const struct panel panel_oneline = {
	.name = "oneline", .title = "One line", .least_w = 1, .least_h = 1, .best_h = 1,
	.draw = oneline_draw,
};
