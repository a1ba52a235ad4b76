/*
 * svg.c - the picture of a snapshot: who and when, what casts doubt, loads over
 * maps on one axis of time, histograms, percentiles.  Drawn from the data, not
 * from the screen.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "src/dist.h"
#include "src/format.h"
#include "src/formats/svg_along.h"
#include "src/picture.h"
#include "src/snapshot_rt.h"
#include "src/text.h"

#define WIDTH 1200.0
#define LEFT 74.0
#define RIGHT 26.0
#define MAP_HEIGHT 190.0
#define MAPS_MAX 4
#define PROBES_MAX 8
#define BADGE_LETTERS 150

struct page {
	FILE *out;
	const struct snapshot *s;
	struct dist d[PROBES_MAX];
	const char *name[PROBES_MAX];
	unsigned probes;
	double y;		/* where the next part begins */
	double lo_ns, hi_ns;
	struct axis time;
};

static struct along along_of(const struct page *p, bool draw)
{
	return (struct along){ draw ? p->out : NULL, p->s, p->time };
}

static bool has_maps(const struct page *p)
{
	return p->s->nr_groups && p->s->duration_s > 0;
}

static const char *known(const char *text)
{
	return text[0] ? text : "unknown";
}

/* ---- head ---------------------------------------------------------------- */

static const char *level_colour(const char *level)
{
	return !strcmp(level, "bad") ? "#c1121f" : !strcmp(level, "warn") ? "#b06000" : "#3d5a80";
}

static void draw_badge(struct page *p, const struct badge *b)
{
	const char *text = b->text;

	do {
		size_t n = strlen(text), cut = n;

		if (n > BADGE_LETTERS)
			for (cut = BADGE_LETTERS; cut > 1 && text[cut] != ' '; cut--)
				;
		if (text == b->text) {
			picture_rect(p->out, (struct box){ LEFT - 48, p->y - 10, 40, 13 },
				     level_colour(b->level), 1);
			picture_text(p->out, LEFT - 28, p->y, 9.5, "middle", 600, "#ffffff", "%s",
				     b->level);
		}
		picture_text(p->out, LEFT, p->y, 11, "start", 400, level_colour(b->level), "%.*s",
			     (int)cut, text);
		p->y += 16;
		text += cut;
		text += strspn(text, " ");
	} while (*text);
}

static void draw_head(struct page *p)
{
	const struct snapshot *s = p->s;
	char span[24], cpus[48];

	text_span(span, sizeof(span), (int64_t)(s->duration_s * 1e9));
	picture_text(p->out, LEFT - 48, 34, 20, "start", 600, PICTURE_INK, "%s",
		     s->label[0] ? s->label : "scheduling latency");
	picture_text(p->out, WIDTH - RIGHT, 34, 12, "end", 400, PICTURE_FAINT, "%s   ran %s",
		     s->created, span);
	p->y = 56;
	if (s->system.kernel[0]) {
		picture_text(p->out, LEFT - 48, p->y, 12, "start", 400, PICTURE_INK,
			     "%s   Linux %s   preemption %s   HZ %d   %s   %s",
			     known(s->system.host), s->system.kernel, known(s->system.preempt),
			     s->system.hz, snapshot_cpus_text(s, cpus, sizeof(cpus)),
			     s->system.cpu_model);
		p->y += 17;
		if (s->tier_rt[0])
			picture_text(p->out, LEFT - 48, p->y, 12, "start", 400, PICTURE_FAINT,
				     "%s   memory %s   C-states %s   clock %s   governor %s%s%s",
				     snapshot_rt_text(s), s->locked ? "locked" : "not locked", known(s->tier_cstates),
				     known(s->system.clocksource), known(s->system.governor),
				     s->system.virtualization[0] ? "   virtual: " : "",
				     s->system.virtualization);
		p->y += 20;
	}
	for (unsigned i = 0; i < s->nr_badges; i++)
		draw_badge(p, &s->badges[i]);
}

/* ---- maps ---------------------------------------------------------------- */

static const struct dist *dist_of(const struct page *p, const char *name)
{
	for (unsigned i = 0; i < p->probes; i++)
		if (!strcmp(p->name[i], name))
			return &p->d[i];
	return NULL;
}

static void percentile_line(const struct dist *d, char *buf, size_t size)
{
	buf[0] = '\0';
	for (unsigned i = 0; d && i < DIST_PERCENTS; i++) {
		char t[16];
		size_t n = strlen(buf);

		if (!d->counts.count || !hist_carries(d->counts.count, dist_percents[i]))
			continue;
		picture_time(t, sizeof(t), dist_percentile(d, dist_percents[i]));
		snprintf(buf + n, size - n, "   %s %s", dist_percent_name(i), t);
	}
}

static void draw_spikes(struct page *p, struct box b, const char *group)
{
	for (unsigned i = 0; i < p->s->nr_spikes && i < 20; i++) {
		const struct snapshot_spike *k = &p->s->spikes[i];
		double x = axis_at(&p->time, k->t_s);

		if (strcmp(k->probe, group) || k->t_s < 0)
			continue;
		fprintf(p->out, "<path d=\"M%.1f %.1fl-4 -7h8z\" fill=\"#ff4d4d\"/>\n", x, b.y + 8);
	}
}

static int draw_map(struct page *p, const char *group)
{
	struct box b = { LEFT, p->y + 20, WIDTH - LEFT - RIGHT, MAP_HEIGHT };
	struct axis ns = { p->lo_ns, p->hi_ns, b.y + b.h, b.y, 1 };
	char line[200];

	percentile_line(dist_of(p, group), line, sizeof(line));
	picture_text(p->out, LEFT, p->y + 12, 12.5, "start", 600, PICTURE_INK, "%s", group);
	picture_text(p->out, WIDTH - RIGHT, p->y + 12, 11, "end", 400, PICTURE_FAINT, "%s", line);
	int err = picture_map(p->out, b, p->s, group, p->lo_ns, p->hi_ns);

	picture_time_axis(p->out, &ns, b, 1);
	draw_spikes(p, b, group);
	picture_seconds(p->out, &p->time, b, 0);
	p->y = b.y + b.h + 8;
	return err;
}

static int draw_maps(struct page *p)
{
	struct box below = { LEFT, 0, WIDTH - LEFT - RIGHT, 0 };
	struct along along = along_of(p, true);
	double top;
	int err = 0;

	if (!has_maps(p))
		return 0;
	p->y += along_loads(&along, p->y) + 3;
	p->y += along_events(&along, p->y) + 3;
	top = p->y + 20;
	for (unsigned i = 0; i < p->s->nr_groups && i < MAPS_MAX && !err; i++)
		err = draw_map(p, p->s->group_name[i]);
	along_lines(&along, top, p->y - 8);
	below.y = p->y - 8;
	picture_seconds(p->out, &p->time, below, 1);
	picture_text(p->out, LEFT, p->y + 24, 10, "start", 400, PICTURE_FAINT, "samples, log:  1");
	picture_ramp(p->out, (struct box){ LEFT + 86, p->y + 15, 150, 10 });
	picture_text(p->out, LEFT + 242, p->y + 24, 10, "start", 400, PICTURE_FAINT,
		     "most      red triangles: worst spikes      strip: red not real time, "
		     "orange steal, grey stopped, cyan missed");
	p->y += 34;
	p->y += along_legend(&along, LEFT, p->y) + 8;
	return err;
}

/* ---- tables -------------------------------------------------------------- */

static void draw_percentiles(struct page *p, double x, double y)
{
	picture_text(p->out, x, y, 12.5, "start", 600, PICTURE_INK, "percentiles");
	for (unsigned i = 0; i < DIST_PERCENTS; i++)
		picture_text(p->out, x + 180 + i * 62, y, 10.5, "end", 400, PICTURE_FAINT, "%s",
			     dist_percent_name(i));
	for (unsigned k = 0; k < p->probes; k++) {
		double row = y + 20 + k * 19;

		picture_rect(p->out, (struct box){ x, row - 9, 10, 10 }, picture_colour(k), 0.85);
		picture_text(p->out, x + 16, row, 11.5, "start", 400, PICTURE_INK, "%.16s",
			     p->name[k]);
		for (unsigned i = 0; i < DIST_PERCENTS; i++) {
			char t[16] = "\xe2\x80\x93";

			if (p->d[k].counts.count &&
			    hist_carries(p->d[k].counts.count, dist_percents[i]))
				picture_time(t, sizeof(t),
					  dist_percentile(&p->d[k], dist_percents[i]));
			picture_text(p->out, x + 180 + i * 62, row, 11.5, "end", 400, PICTURE_INK,
				     "%s", t);
		}
	}
}

static void draw_counts(struct page *p, double x, double y)
{
	static const char *const head[] = { "due", "samples", "missed", "interrupted" };

	for (unsigned i = 0; i < 4; i++)
		picture_text(p->out, x + 240 + i * 83, y, 10.5, "end", 400, PICTURE_FAINT, "%s",
			     head[i]);
	for (unsigned k = 0; k < p->probes; k++) {
		const struct counts *c = &p->d[k].counts;
		const uint64_t n[] = { c->due, c->count, c->missed, c->interrupted };

		picture_text(p->out, x + 16, y + 18 + k * 17, 11, "start", 400, PICTURE_INK,
			     "%.16s", p->name[k]);
		for (unsigned i = 0; i < 4; i++)
			picture_text(p->out, x + 240 + i * 83, y + 18 + k * 17, 11, "end", 400,
				     n[i] && i > 1 ? "#b06000" : PICTURE_INK, "%" PRIu64, n[i]);
	}
}

static void draw_load_table(struct page *p, double x, double y, unsigned room)
{
	for (unsigned i = 0; i < p->s->nr_loads && i < room; i++) {
		const struct snapshot_load *l = &p->s->loads[i];
		char rate[40], slow[16];

		text_amount(rate, sizeof(rate), l->rate, l->rate_unit);
		picture_time(slow, sizeof(slow), l->max_op_ns);
		picture_text(p->out, x, y + i * 17, 11, "start", 400, PICTURE_INK, "%s \xc3\x97%u",
			     l->name, l->workers);
		picture_text(p->out, x + 280, y + i * 17, 11, "end", 400, PICTURE_INK, "%s",
			     rate);
		picture_text(p->out, x + 380, y + i * 17, 11, "end", 400, PICTURE_FAINT,
			     "CPU %.0f%%", l->cpu_pct);
		picture_text(p->out, x + 490, y + i * 17, 11, "end", 400, PICTURE_FAINT,
			     "slowest %s", l->max_op_ns ? slow : "-");
	}
	if (p->s->nr_loads > room)
		picture_text(p->out, x, y + room * 17, 11, "start", 400, PICTURE_FAINT,
			     "and %u more", p->s->nr_loads - room);
}

static double bottom_height(const struct page *p)
{
	unsigned loads_shown = p->s->nr_loads < 7 ? p->s->nr_loads : 7;
	double tables = 60 + p->probes * 36 + 30 + loads_shown * 17 + 30;

	return fmax(330, tables);
}

static void draw_bottom(struct page *p)
{
	double h = bottom_height(p), x = WIDTH / 2 + 60;
	struct box b = { LEFT, p->y + 24, WIDTH / 2 - LEFT - 10, h - 60 };

	picture_text(p->out, LEFT, p->y + 14, 12.5, "start", 600, PICTURE_INK,
		     "histogram: samples by latency, both log");
	picture_histograms(p->out, b, p->d, p->name, p->probes, PICTURE_COUNTS_LOG);
	draw_percentiles(p, x, p->y + 14);
	double y = p->y + 14 + 44 + p->probes * 19;

	draw_counts(p, x, y);
	y += 18 + p->probes * 17 + 18;
	draw_load_table(p, x, y, 6);
	p->y += h;
}

static void draw_foot(struct page *p)
{
	picture_text(p->out, WIDTH - RIGHT, p->y + 4, 10, "end", 400, PICTURE_FAINT,
		     "jitterscope %s", p->s->program);
}

/* ---- the whole ----------------------------------------------------------- */

static unsigned badge_lines(const struct snapshot *s)
{
	unsigned lines = 0;

	for (unsigned i = 0; i < s->nr_badges; i++)
		lines += 1 + (unsigned)strlen(s->badges[i].text) / (BADGE_LETTERS - 20);
	return lines;
}

/* Enough for every part; the page is drawn once from top to bottom. */
static double page_height(struct page *p)
{
	const struct snapshot *s = p->s;
	unsigned maps = s->nr_groups < MAPS_MAX ? s->nr_groups : MAPS_MAX;
	struct along along = along_of(p, false);
	double beside = has_maps(p) ? along_loads(&along, 0) + along_events(&along, 0) +
				      along_legend(&along, 0, 0) + 6 : 0;

	return 100 + badge_lines(s) * 16 + beside + maps * (MAP_HEIGHT + 28) + 50 +
	       bottom_height(p) + 20;
}

static int draw(struct page *p)
{
	const struct snapshot *s = p->s;

	picture_range(p->d, p->probes, &p->lo_ns, &p->hi_ns);
	p->time = (struct axis){ 0, s->duration_s > 0 ? s->duration_s : 1, LEFT, WIDTH - RIGHT, 0 };
	picture_begin(p->out, WIDTH, page_height(p), s->label[0] ? s->label : "jitterscope");
	draw_head(p);
	int err = draw_maps(p);

	if (p->probes)
		draw_bottom(p);
	draw_foot(p);
	picture_end(p->out);
	return err;
}

static int svg_write(FILE *out, const struct snapshot *s, struct why *why)
{
	struct page p = { .out = out, .s = s };
	unsigned n = dist_probes(s, p.name, PROBES_MAX);
	int err = 0;

	for (; p.probes < n && p.probes < PROBES_MAX && !err; p.probes++)
		err = dist_make(&p.d[p.probes], s, p.name[p.probes], DIST_ALL_CPUS);
	if (!err)
		err = draw(&p);
	for (unsigned i = 0; i < p.probes; i++)
		dist_free(&p.d[i]);
	return err ? why_set(why, err, "svg: no memory for the picture; stop a load and try again")
		   : 0;
}

const struct format format_svg = {
	.name = "svg",
	.suffix = ".svg",
	.summary = "the picture: maps, histograms, percentiles, loads",
	.write = svg_write,
};
