/*
 * panel_status.c - the last row: what just happened, else which keys there
 * are; at the right what the instrument itself costs.
 */
#include <stdio.h>

#include "src/clock.h"
#include "src/text.h"
#include "ui/paint.h"

#define MESSAGE_STAYS_NS (8 * NS_PER_S)

static bool message(const struct model *m)
{
	return m->status[0] && m->now_ns - m->status_ns < MESSAGE_STAYS_NS;
}

static const struct paint_word hints[] = {
	{ "?", ROLE_KEY, 0 }, { "help ", ROLE_DIM, 0 }, { "Space", ROLE_KEY, 1 },
	{ "pause ", ROLE_DIM, 1 },
	{ "+ -", ROLE_KEY, 4 }, { "zoom ", ROLE_DIM, 4 }, { "w", ROLE_KEY, 6 },
	{ "view ", ROLE_DIM, 6 },
	{ "b", ROLE_KEY, 5 }, { "base ", ROLE_DIM, 5 }, { "A-Z", ROLE_KEY, 2 },
	{ "load ", ROLE_DIM, 2 },
	{ "0", ROLE_KEY, 2 }, { "stop all ", ROLE_DIM, 2 }, { "n", ROLE_KEY, 7 },
	{ "spike ", ROLE_DIM, 7 },
	{ "l", ROLE_KEY, 8 }, { "loads ", ROLE_DIM, 8 }, { "m", ROLE_KEY, 9 },
	{ "mark ", ROLE_DIM, 9 },
	{ "Tab", ROLE_KEY, 10 }, { "focus ", ROLE_DIM, 10 },
	{ "s", ROLE_KEY, 3 }, { "save ", ROLE_DIM, 3 }, { "q", ROLE_KEY, 0 },
	{ "quit", ROLE_DIM, 0 },
};

static void cost_text(const struct model *m, char *buf, size_t size)
{
	char bytes[16];

	snprintf(buf, size, "self %.1f%% %sB/s", m->self.cpu_pct,
		 text_count(bytes, sizeof(bytes), m->self.terminal_bytes_per_s));
}

static void status_draw(const struct model *m, const struct view *v, struct canvas *c)
{
	char cost[48];
	int room = c->r.w - 2;

	paint_blank(c, v);
	cost_text(m, cost, sizeof(cost));
	if (message(m)) {
		int used = paint_fmt(c, v, 0, c->r.h - 1, m->status_bad ? ROLE_BAD : ROLE_ACCENT,
				     " %s ", m->status);

		paint_right(c, v, used + 2, c->r.w - 1, c->r.h - 1, ROLE_DIM, cost);
		return;
	}
	if (c->r.w >= 60 && !m->replay) {
		paint_right(c, v, 0, c->r.w - 1, c->r.h - 1, ROLE_DIM, cost);
		room -= paint_width(cost) + 2;
	}
	paint_words(c, v, 1, c->r.h - 1, room, " ", hints, sizeof(hints) / sizeof(hints[0]));
}

const struct panel panel_status = {
	.name = "status", .title = "Status", .least_w = 1, .least_h = 1, .best_h = 1,
	.draw = status_draw,
};
