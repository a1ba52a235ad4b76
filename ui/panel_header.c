/*
 * panel_header.c - which machine this is, and may its numbers be trusted?
 *
 * One row: what does not fit leaves from the least important end, so that the
 * verdict on real time and LIVE or PAUSED are the last to go.  With more rows
 * the badges follow in words, the worst first.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "src/clock.h"
#include "src/text.h"
#include "ui/paint.h"
#include "ui/plotted.h"

#define WORDS 20
#define PAGE_H 6		/* higher: a page with all facts */

struct line { struct paint_word word[WORDS]; unsigned n; };

static void add(struct line *l, int rank, enum role role, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

static void add(struct line *l, int rank, enum role role, const char *fmt, ...)
{
	struct paint_word *w = &l->word[l->n];
	va_list ap;

	if (l->n == WORDS)
		return;
	va_start(ap, fmt);
	vsnprintf(w->text, sizeof(w->text), fmt, ap);
	va_end(ap);
	w->role = role;
	w->rank = rank;
	l->n += w->text[0] != '\0';
}

static bool wants_rt(const struct model *m)
{
	for (unsigned i = 0; i < m->nr_groups; i++)
		if (m->groups[i].on && m->groups[i].want_rt)
			return true;
	return false;
}

/* The lowest priority that a real-time series has; 0: one has none. */
static int lowest_priority(const struct model *m)
{
	int lowest = 100;

	for (unsigned i = 0; i < m->nr_series; i++) {
		const struct group *g = &m->groups[m->series[i].group];

		if (g->on && g->want_rt && m->series[i].priority < lowest)
			lowest = m->series[i].priority;
	}
	return lowest == 100 ? 0 : lowest;
}

static bool all_rt(const struct model *m)
{
	for (unsigned i = 0; i < m->nr_groups; i++)
		if (m->groups[i].on && m->groups[i].want_rt && !m->groups[i].have_rt)
			return false;
	return true;
}

static void add_rights(struct line *l, const struct model *m)
{
	if (!wants_rt(m))
		add(l, 1, ROLE_HEADER, "no real-time probe");
	else if (all_rt(m) && m->tiers.fifo)
		add(l, 1, ROLE_HEADER, "FIFO %d", lowest_priority(m));
	else
		add(l, 0, ROLE_BAD, m->tiers.fifo ? " PARTLY REAL-TIME " : " NOT REAL-TIME ");
	add(l, m->tiers.lock == RT_LOCK_NONE ? 3 : 11, ROLE_HEADER, "%s", m->tiers.lock == RT_LOCK_ALL ? "locked" :
	    m->tiers.lock == RT_LOCK_SAMPLERS ? "partly locked" : "not locked");
}

static void add_machine(struct line *l, const struct model *m)
{
	const struct sysinfo *s = &m->system;
	char isolated[64] = "", text[40];

	if (cpuset_count(&s->isolated))
		snprintf(isolated, sizeof(isolated), "isolated %s",
			 cpuset_brief(&s->isolated, text, sizeof(text)));
	add(l, 10, ROLE_HEADER, "%s", s->host);
	add(l, 15, ROLE_HEADER, "%.30s", s->kernel);
	if (s->preempt[0] && strcmp(s->preempt, "unknown"))
		add(l, 16, ROLE_HEADER, "preempt %s", s->preempt);
	/* Where nothing is measured CPU by CPU: those there are. */
	int cpus = cpuset_count(cpuset_count(&m->measured) ? &m->measured : &s->online);

	add(l, 12, ROLE_HEADER, "%d CPU%s", cpus, cpus == 1 ? "" : "s");
	add(l, 13, ROLE_HEADER, "%s", isolated);
}

/* Position of the n-th worst badge. */
static int worst(const struct model *m, unsigned nth)
{
	static const char *const levels[] = { "bad", "warn", "info" };

	for (unsigned l = 0; l < 3; l++)
		for (unsigned i = 0; i < m->nr_badges; i++)
			if (!strcmp(m->badges[i].level, levels[l]) && !nth--)
				return (int)i;
	return -1;
}

/* Each has a rank of its own: one that is too long leaves the rest their place. */
static void add_badges(struct line *l, const struct model *m)
{
	int rank = 4;

	for (unsigned i = 0; worst(m, i) >= 0; i++) {
		const struct badge *b = &m->badges[worst(m, i)];

		if (!strcmp(b->level, "info") || !strcmp(b->name, "not-rt"))
			continue;
		add(l, rank, ROLE_WARN, "!%s", b->name);
		rank += rank < 9;
	}
}

static void add_tiers(struct line *l, const struct model *m)
{
	add(l, 17, ROLE_HEADER, "clean-up %s", tier_name(m->tiers.cleanup));
	if (m->tiers.blame[0])
		add(l, 18, ROLE_HEADER, "blame %s", m->tiers.blame);
	if (!strcmp(m->tiers.cstates, "held"))
		add(l, 3, ROLE_WARN, "C-states held");
}

/* How far the view is behind: " -" and a clock, but for parts of a second; "": it
 * is not. */
static const char *back_text(char *buf, size_t size, int64_t ns)
{
	char span[32];

	if (ns < NS_PER_MS)
		buf[0] = '\0';
	else if (ns < NS_PER_S)
		snprintf(buf, size, " -%dms", (int)(ns / NS_PER_MS));
	else
		snprintf(buf, size, " -%s", text_span(span, sizeof(span), ns));
	return buf;
}

static void add_clock(struct line *l, const struct model *m, const struct view *v)
{
	char run[32], behind[40], zoom[16];
	int64_t now = m->now_ns, zero = m->zero_ns;

	if (!zero)
		add(l, 2, ROLE_HEADER, "warming up");
	else
		add(l, 2, ROLE_HEADER, "%s", text_span(run, sizeof(run), now - zero));
	add(l, 3, ROLE_HEADER, v->kind == VIEW_WATERFALL ? "%s/row" : "%s/col",
	    view_zoom_text(v, zoom, sizeof(zoom)));
	if (v->hung)
		add(l, 1, ROLE_WARN, "slow terminal");
	if (m->replay)
		add(l, 0, ROLE_ACCENT, "REPLAY");
	else if (plot_live(v))
		add(l, 0, ROLE_GOOD, "LIVE");
	back_text(behind, sizeof(behind), now - plot_now(m, v));
	/* A recording that is seen at its end is not back. */
	if (!plot_live(v) && (v->paused || behind[0] || !m->replay))
		add(l, 0, ROLE_WARN, "%s%s", v->paused ? "PAUSED" : "BACK", behind);
}

/* A word on the header's own ground, unless it shouts for itself. */
static void on_header(const struct view *v, struct view *out)
{
	const struct style *header = &v->theme.role[ROLE_HEADER];
	int16_t bg = header->bg;
	/* Cyan on blue is hard to read where there are only eight colours. */
	bool faint = bg >= 0 && bg < 8;
	uint8_t reverse = v->theme.role[ROLE_HEADER].attr & CELL_REVERSE;

	*out = *v;
	for (int r = 0; r < ROLES; r++) {
		struct style *s = &out->theme.role[r];

		if (s->bg < 0 && !(s->attr & CELL_REVERSE)) {
			s->bg = bg;
			s->attr |= reverse;
			if (faint && s->fg != 3)
				*s = *header;
		}
	}
	out->theme.role[ROLE_DIM].fg = v->theme.role[ROLE_HEADER].fg;
}

static void draw_line(const struct model *m, const struct view *v, struct canvas *c)
{
	struct line left = { .n = 0 }, right = { .n = 0 };
	int room, rank;

	add(&left, 14, ROLE_HEADER, "jitterscope");
	add_machine(&left, m);
	add_rights(&left, m);
	add_tiers(&left, m);
	add_badges(&left, m);
	if (v->filter[0])
		add(&left, 2, ROLE_WARN, "filter %.30s", v->filter);
	add_clock(&right, m, v);
	paint_row(c, v, 0, ROLE_HEADER);
	for (rank = 9;
	     rank > 0 && paint_words_width(right.word, right.n, "  ", rank) > c->r.w * 2 / 5;)
		rank--;
	room = paint_words_width(right.word, right.n, "  ", rank);
	if (room > c->r.w - 2)
		room = c->r.w - 2;
	paint_words(c, v, 1, 0, c->r.w - 4 - room, "  ", left.word, left.n);
	paint_words(c, v, c->r.w - 1 - room, 0, room, "  ", right.word, right.n);
}

/* Returns the rows used: one, or as many as the text needs. */
static int badge_draw(const struct view *v, struct canvas *c, int y, const struct badge *b)
{
	bool info = !strcmp(b->level, "info"), bad = !strcmp(b->level, "bad");
	int x = 1 + (int)sizeof(" throttled ");

	paint_fmt(c, v, 1, y,
		  bad	 ? ROLE_BAD
		  : info ? ROLE_DIM
			 : ROLE_WARN,
		  bad ? " %s " : "%s", b->name);
	return paint_wrapped(c, v, x, y, c->r.w - x - 1, c->r.h > PAGE_H ? 3 : 1,
			     info ? ROLE_DIM : ROLE_TEXT, b->text);
}

/* With a page of room: everything about the machine that figures depend on. */
struct fact { const char *name; char text[400]; };

static void facts_make(const struct model *m, struct fact *f)
{
	const struct sysinfo *s = &m->system;
	char set[64];

	snprintf(f[0].text, sizeof(f[0].text), "%s %s", s->kernel, s->version);
	snprintf(f[1].text, sizeof(f[1].text), "preempt %s, HZ %d", s->preempt, s->hz);
	snprintf(f[2].text, sizeof(f[2].text), "%s, %s governor", s->cpu_model, s->governor);
	cpuset_brief(&m->measured, set, sizeof(set));
	snprintf(f[3].text, sizeof(f[3].text), set[0] ? "%s of %d online"
		 : "no CPU by itself%.0s, %d online", set, cpuset_count(&s->online));
	cpuset_brief(&s->isolated, set, sizeof(set));
	snprintf(f[4].text, sizeof(f[4].text), "%s", set[0] ? set : "none");
	snprintf(f[5].text, sizeof(f[5].text), "%s", s->clocksource);
	snprintf(f[6].text, sizeof(f[6].text), "%s", m->tiers.cstates);
	snprintf(f[7].text, sizeof(f[7].text), "%s",
		 s->virtualization[0] ? s->virtualization : "no");
	snprintf(f[8].text, sizeof(f[8].text), "%s", tier_name(m->tiers.cleanup));
	snprintf(f[9].text, sizeof(f[9].text), "%s",
		 m->tiers.blame_how[0] ? m->tiers.blame_how : m->tiers.blame);
	snprintf(f[10].text, sizeof(f[10].text),
		 "%.1f%% of a CPU, samplers %.1f%%, probes %.1f%%, %.0f switches/s, %lld kB, "
		 "%llu faults in samplers", m->self.cpu_pct, m->self.sampler_cpu_pct,
		 m->self.helper_cpu_pct, m->self.switches_per_s, (long long)m->self.rss_kb,
		 (unsigned long long)m->self.sampler_faults);
	if (m->baseline.name[0])
		snprintf(f[11].text, sizeof(f[11].text), "%s%s%s%s%s", m->baseline.name,
			 m->baseline.facts[0] ? ": " : "", m->baseline.facts,
			 m->baseline.differs[0] ? "; differs in " : "", m->baseline.differs);
}

static void page_draw(const struct model *m, const struct view *v, struct canvas *c, int y)
{
	struct fact facts[] = {
		{ .name = "Kernel" }, { .name = "Scheduling" }, { .name = "CPU" },
			{ .name = "Measured" },
		{ .name = "Isolated" }, { .name = "Clock source" }, { .name = "C-states" },
		{ .name = "Virtual" }, { .name = "Clean-up tier" }, { .name = "Blame tier" },
		{ .name = "Own cost" }, { .name = "Baseline", .text = "none" },
	};

	facts_make(m, facts);
	for (unsigned i = 0; i < sizeof(facts) / sizeof(facts[0]) && y < c->r.h; i++) {
		paint_text(c, v, 1, y, 14, ROLE_DIM, facts[i].name);
		y += paint_wrapped(c, v, 16, y, c->r.w - 17, c->r.h - y < 3 ? 1 : 3,
				   facts[i].text[0] ? ROLE_TEXT : ROLE_DIM,
				   facts[i].text[0] ? facts[i].text : "unknown");
	}
}

/* Nothing is wrong: facts that explain figures. */
static void facts_line(const struct model *m, const struct view *v, struct canvas *c, int y)
{
	const struct sysinfo *s = &m->system;
	struct line l = { .n = 0 };

	add(&l, 0, ROLE_DIM, "%s", s->cpu_model);
	if (s->governor[0])
		add(&l, 2, ROLE_DIM, "governor %s", s->governor);
	if (s->clocksource[0])
		add(&l, 1, ROLE_DIM, "clock %s", s->clocksource);
	if (s->hz)
		add(&l, 3, ROLE_DIM, "HZ %d", s->hz);
	if (s->virtualization[0])
		add(&l, 1, ROLE_DIM, "%s guest", s->virtualization);
	if (m->tiers.cstates[0])
		add(&l, 3, ROLE_DIM, "C-states %s", m->tiers.cstates);
	if (m->rates.loadavg[0] >= 0)
		add(&l, 4, ROLE_DIM, "load %.2f %.2f %.2f", m->rates.loadavg[0],
		    m->rates.loadavg[1], m->rates.loadavg[2]);
	paint_words(c, v, 1, y, c->r.w - 2, "   ", l.word, l.n);
}

static void header_draw(const struct model *m, const struct view *v, struct canvas *c)
{
	struct view shade;
	int y = 1;

	on_header(v, &shade);
	paint_blank(c, v);
	draw_line(m, &shade, c);
	for (unsigned i = 0; y < c->r.h && worst(m, i) >= 0; i++)
		y += badge_draw(v, c, y, &m->badges[worst(m, i)]);
	if (c->r.h > PAGE_H)
		page_draw(m, v, c, y + 1);
	else if (y < c->r.h)
		facts_line(m, v, c, y);
}

const struct panel panel_header = {
	.name = "header", .title = "Machine", .least_w = 20, .least_h = 1, .best_h = 2,
	.focusable = true,
	.draw = header_draw,
};
