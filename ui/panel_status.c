/*
 * panel_status.c - the last row: what just happened, else which keys there
 * are; at the right what the instrument itself costs.
 */
#include <stdio.h>
#include <string.h>

#include "src/clock.h"
#include "src/text.h"
#include "ui/paint.h"

#define COST_W 18		/* "self 99.9% 120kB/s": hints do not come and go with it */
#define MESSAGE_STAYS_NS (8 * NS_PER_S)

static bool message(const struct model *m)
{
	return m->status[0] && m->now_ns - m->status_ns < MESSAGE_STAYS_NS;
}

#define PATH_LEAST 12		/* columns of a path that still say which */
#define PATHS_MOST 3

static bool continues(char byte)
{
	return (byte & 0xc0) == 0x80;
}

/* The longest word with a slash in it; returns its bytes, 0: none. */
static size_t longest_path(const char *text, const char **path)
{
	size_t longest = 0;

	while (*text) {
		size_t n = strcspn(text, " ");

		if (n > longest && memchr(text, '/', n)) {
			longest = n;
			*path = text;
		}
		text += n + strspn(text + n, " ");
	}
	return longest;
}

/* Takes `excess` columns out of the middle of the longest path, as far as it
 * still can be known after that; false: there is none to shorten. */
static bool shorten_path(const struct view *v, char *text, size_t size, int excess)
{
	const char *mark = v->theme.unicode ? "…" : "...", *path = NULL;
	size_t n = longest_path(text, &path), at = n ? (size_t)(path - text) : 0, head, tail;
	int keep = (int)n - excess - paint_width(mark);
	char rest[512];

	keep = keep < PATH_LEAST ? PATH_LEAST : keep;
	if ((int)n <= keep + paint_width(mark))
		return false;
	for (head = (size_t)keep / 3; head && continues(path[head]);)
		head--;
	for (tail = n - ((size_t)keep - head); tail < n && continues(path[tail]);)
		tail++;
	snprintf(rest, sizeof(rest), "%s%s", mark, path + tail);
	snprintf(text + at + head, size - at - head, "%s", rest);
	return true;
}

/* A message that is too long loses the middle of its paths first: the reason
 * stands at its end. */
static void message_draw(const struct model *m, const struct view *v, struct canvas *c,
			 const char *cost)
{
	int room = c->r.w - 2, y = c->r.h - 1, used;
	char text[sizeof(m->status)];

	snprintf(text, sizeof(text), "%s", m->status);
	for (int i = 0; i < PATHS_MOST && paint_width(text) > room; i++)
		if (!shorten_path(v, text, sizeof(text), paint_width(text) - room))
			break;
	enum role role = m->status_bad ? ROLE_BAD : ROLE_ACCENT;

	paint_put(c, v, 0, y, role, ' ');
	used = 1 + paint_text(c, v, 1, y, room, role, text);
	paint_put(c, v, used, y, role, ' ');
	paint_right(c, v, used + 3, c->r.w - 1, y, ROLE_DIM, cost);
}

/* A recording has no load to start and nothing to save. */
static const struct paint_word replay_hints[] = {
	{ "?", ROLE_KEY, 0 }, { "help ", ROLE_DIM, 0 }, { "Left Right", ROLE_KEY, 1 },
	{ "time ", ROLE_DIM, 1 },
	{ "+ -", ROLE_KEY, 2 }, { "zoom ", ROLE_DIM, 2 }, { "w", ROLE_KEY, 4 },
	{ "view ", ROLE_DIM, 4 },
	{ "n", ROLE_KEY, 3 }, { "spike ", ROLE_DIM, 3 }, { "1..9", ROLE_KEY, 5 },
	{ "probe ", ROLE_DIM, 5 },
	{ "a", ROLE_KEY, 6 }, { "one CPU ", ROLE_DIM, 6 }, { "Tab", ROLE_KEY, 7 },
	{ "focus ", ROLE_DIM, 7 },
	{ "q", ROLE_KEY, 0 }, { "quit", ROLE_DIM, 0 },
};

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

/* While it climbs, in the place of the hints; what just happened comes after it. */
static void ladder_draw(const struct model *m, const struct view *v, struct canvas *c, int room)
{
	int y = c->r.h - 1, used;
	char left[24];

	used = paint_fmt(c, v, 1, y, ROLE_ACCENT, "ladder: step %u of %u, %s left; J stops it", v->ladder.step,
			 v->ladder.steps, text_span(left, sizeof(left), v->ladder.left_ns));
	if (message(m) && used + 3 < room)
		paint_text(c, v, used + 4, y, room - used - 3, ROLE_DIM, m->status);
}

static void status_draw(const struct model *m, const struct view *v, struct canvas *c)
{
	char cost[48];
	int room = c->r.w - 2, used;

	paint_blank(c, v);
	cost_text(m, cost, sizeof(cost));
	bool climbing = v->ladder.on && v->ladder.step;

	if (message(m) && (m->status_bad || !climbing)) {
		message_draw(m, v, c, cost);
		return;
	}
	if (m->replay) {
		paint_words(c, v, 1, c->r.h - 1, room, " ", replay_hints,
			    sizeof(replay_hints) / sizeof(replay_hints[0]));
		return;
	}
	if (c->r.w >= 60) {
		paint_right(c, v, 0, c->r.w - 1, c->r.h - 1, ROLE_DIM, cost);
		used = paint_width(cost);
		room -= (used > COST_W ? used : COST_W) + 2;
	}
	if (climbing)
		ladder_draw(m, v, c, room);
	else
		paint_words(c, v, 1, c->r.h - 1, room, " ", hints, sizeof(hints) / sizeof(hints[0]));
}

const struct panel panel_status = {
	.name = "status", .title = "Status", .least_w = 1, .least_h = 1, .best_h = 1,
	.draw = status_draw,
};
