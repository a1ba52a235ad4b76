#include "ui/loadline.h"

#include <stdio.h>
#include <string.h>

#include "src/clock.h"
#include "src/text.h"
#include "ui/paint.h"

#define SPARK_MOST 20
#define BRIEF_W 4		/* "21s " "was " */
#define RATE_W 8		/* "482 MB/s"; in less room all rows are brief */
#define RATE_LEAST 30		/* columns in which workers and rate have room */

const char *loadline_state(const struct load_view *l, char *buf, size_t size)
{
	static const char *const words[] = { "off", "STARTING", "RUN", "STOPPING", "FAILED" };

	if (l->state == LOAD_STARTING && l->progress_pct > 0)
		snprintf(buf, size, "START %d%%", l->progress_pct);
	else if (l->state == LOAD_RUN && l->no_progress)
		snprintf(buf, size, "STUCK");
	else
		snprintf(buf, size, "%s", words[l->state]);
	return buf;
}

enum role loadline_role(const struct load_view *l)
{
	static const enum role roles[] = { ROLE_DIM, ROLE_WARN, ROLE_GOOD, ROLE_WARN, ROLE_BAD };

	return l->state == LOAD_RUN && l->no_progress ? ROLE_WARN : roles[l->state];
}

/* Seconds and minutes short: "21s" "4m05" "2h10", in three columns "4m" "2h". */
static void elapsed_text(char *buf, size_t size, int64_t ns, bool brief)
{
	long long s = ns > 0 ? (long long)(ns / NS_PER_S) : 0;

	if (s < 100)
		snprintf(buf, size, "%llds", s);
	else if (s < 6000)
		snprintf(buf, size, brief ? "%lldm" : "%lldm%02lld", s / 60, s % 60);
	else if (brief)
		snprintf(buf, size, s < 360000 ? "%lldh" : "%lldd", s < 360000 ? s / 3600 : s / 86400);
	else
		snprintf(buf, size, "%lldh%02lld", s / 3600, s / 60 % 60);
}

const char *loadline_rate(const struct load_view *l, double rate, bool whole, char *buf,
			  size_t size)
{
	const char *unit = l->figure == LOAD_BYTES || whole ? NULL : strrchr(l->rate_unit, '/');
	char count[16];

	if (rate < 0)
		buf[0] = '\0';
	else if (unit)
		snprintf(buf, size, "%s%s", text_count(count, sizeof(count), rate), unit);
	else
		text_amount(buf, size, rate, l->rate_unit);
	return buf;
}

static void close_up(char *text)
{
	char *blank = strchr(text, ' ');

	if (blank)
		memmove(blank, blank + 1, strlen(blank));
}

/* How long it runs, or that the figure is of the run before. */
static const char *since_text(const struct model *m, const struct load_view *l, bool brief, char *buf,
			      size_t size)
{
	buf[0] = '\0';
	if (l->state == LOAD_RUN)
		elapsed_text(buf, size, m->now_ns - l->start_ns, brief);
	else if (l->state == LOAD_OFF && l->runs)
		snprintf(buf, size, "was");
	return buf;
}

static void figures_draw(const struct model *m, const struct view *v, struct canvas *c, int x,
			 int y, const struct load_view *l)
{
	char text[40] = "", since[16] = "";
	bool whole = c->r.w >= 56;
	int end = c->r.w - 1, spark, cpu = end - x >= 50 ? 10 : end - x >= 40 ? 6 : 0,
	    rate_w = whole ? 15 : 9, since_w = whole ? 6 : 5;

	since_text(m, l, false, since, sizeof(since));
	loadline_rate(l, l->state == LOAD_RUN ? l->rate : l->runs ? l->rate_mean : -1, whole, text,
		      sizeof(text));
	/* The short form rather than a part of the unit. */
	if (whole && paint_width(text) > rate_w - 1)
		loadline_rate(l, l->state == LOAD_RUN ? l->rate : l->rate_mean, false, text,
			      sizeof(text));
	/* A blank before the unit is worth more than the rest of the time, but
	 * less than the end of the unit, and so is the time. */
	bool tight = x + since_w + RATE_W > end || x + since_w + paint_width(text) > end;

	if (tight || paint_width(since) >= since_w)
		since_text(m, l, true, since, sizeof(since));
	since_w = tight ? BRIEF_W : since_w;
	if (x + since_w + paint_width(text) > end)
		close_up(text);
	if (x + since_w + paint_width(text) <= end) {
		paint_text(c, v, x, y, 5, ROLE_DIM, since);
		x += since_w;
	}
	if (x + paint_width(text) > c->r.w)
		return;
	paint_text(c, v, x, y, rate_w - 1,
		   l->state == LOAD_RUN ? ROLE_TEXT : ROLE_DIM, text);
	x += rate_w;
	if (cpu && l->state == LOAD_RUN) {
		snprintf(text, sizeof(text), cpu > 6 ? "%.0f%% cpu" : "%.0f%%", l->cpu_pct);
		paint_right(c, v, x, x + cpu - 1, y, ROLE_DIM, text);
	}
	x += cpu;
	spark = end - x < SPARK_MOST ? end - x : SPARK_MOST;
	if (l->state == LOAD_RUN && spark >= 4) {
		paint_spark(c, v, x, y, spark, ROLE_LOAD, l->trend, LOAD_TREND);
	}
}

/* The word, and the reason without the load's own name before it. */
static void failure_draw(const struct view *v, struct canvas *c, int x, int y,
			 const struct load_view *l)
{
	size_t name = strlen(l->name);
	bool named =
		!strncmp(l->why, l->name, name) && l->why[name] == ':' && l->why[name + 1] == ' ';

	x += 1 + paint_text(c, v, x, y, c->r.w - x, ROLE_BAD, "FAILED");
	paint_text(c, v, x, y, c->r.w - x - 1, ROLE_WARN, named ? l->why + name + 2 : l->why);
}

void loadline_draw(const struct model *m, const struct view *v, struct canvas *c, int y,
		   unsigned load)
{
	const struct load_view *l = &m->loads[load];
	bool selected = load == v->load, idle = l->state == LOAD_OFF;
	char state[24], workers[16] = "";
	int x = 1, used;

	canvas_item(c, (struct rect){ 0, y, c->r.w, 1 }, load);
	paint_fmt(c, v, x, y, selected ? ROLE_SELECTED : ROLE_KEY, "%c", l->key ? l->key : ' ');
	x += 2;
	paint_fmt(c, v, x, y, idle ? ROLE_DIM : ROLE_TEXT, "%.9s", l->name);
	x += 10;
	if (l->state == LOAD_FAILED) {
		failure_draw(v, c, x, y, l);
		return;
	}
	if (!idle || l->runs || (selected && v->loads_open))
		snprintf(workers, sizeof(workers), "%s%u", paint_glyph_text(v, GLYPH_TIMES),
			 l->workers);
	/* What it does is worth more than by how many. */
	if (c->r.w >= RATE_LEAST || l->state != LOAD_RUN) {
		paint_text(c, v, x, y, 4, idle ? ROLE_DIM : ROLE_TEXT, workers);
		x += 5;
	}
	used = paint_text(c, v, x, y, c->r.w - x, loadline_role(l),
			  loadline_state(l, state, sizeof(state)));
	x += (used < 3 ? 3 : used) + 1;
	figures_draw(m, v, c, x, y, l);
}
