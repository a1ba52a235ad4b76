/* script_measure.c - what a step finds between its beginning and its end. */
#include "src/script_internal.h"

#include <stdio.h>
#include <string.h>

const struct slot *script_slot(const struct script *s, unsigned load)
{
	const struct counters *c = app_counters(s->app);

	return c && load < c->slots ? &c->slot[load] : NULL;
}

static void read_back(struct script *s, int64_t now_ns, struct load_totals *out)
{
	memset(out, 0, sizeof(*out));
	if (s->back >= 0 && app_counters(s->app))
		counters_read(app_counters(s->app), (unsigned)s->back, now_ns, &s->last, out);
}

/* The nth group that measures; NULL: there are fewer. */
static const struct group *nth_group(const struct model *m, unsigned n)
{
	for (unsigned i = 0; i < m->nr_groups; i++) {
		if (m->groups[i].on && !n--)
			return &m->groups[i];
	}
	return NULL;
}

static void remember_totals(struct script *s)
{
	const struct model *m = app_model(s->app);
	const struct group *g;

	for (unsigned i = 0; i < SCRIPT_LATENCIES && (g = nth_group(m, i)); i++) {
		hist_free(s->before[i]);
		s->before[i] = model_total(m, g);
	}
}

/* h: what came since the measuring began. */
static void note_latency(struct step_latency *l, const char *name, const struct hist *h,
			 int64_t flying_ns)
{
	static const double percents[] = { 50, 99, 99.9 };
	int64_t value_ns[3];

	hist_percentiles(h, percents, value_ns, 3);
	*l = (struct step_latency){ .count = h->count, .p50_ns = value_ns[0],
				    .p99_ns = value_ns[1], .p999_ns = value_ns[2],
				    .max_ns = h->max_ns };
	snprintf(l->name, sizeof(l->name), "%s", name);
	if (flying_ns > l->max_ns)
		l->max_ns = flying_ns;
}

static void note_latencies(struct script *s, struct step_result *r)
{
	const struct model *m = app_model(s->app);
	const struct group *g;

	for (unsigned i = 0; i < SCRIPT_LATENCIES && (g = nth_group(m, i)); i++) {
		struct hist *since = model_total(m, g);

		if (since && s->before[i]) {
			hist_subtract(since, s->before[i]);
			note_latency(&r->latency[i], g->name, since, model_in_flight(m, g));
			r->latencies = i + 1;
		}
		hist_free(since);
	}
}

static void note_back(struct script *s, struct step_result *r)
{
	struct load_totals now;
	double figure[LOAD_FIGURES];
	char text[256] = "";

	if (s->back < 0)
		return;
	read_back(s, r->to_ns, &now);
	r->workers = script_load(s, (unsigned)s->back)->workers;
	r->back = now;
	r->back.ops -= s->first.ops;
	r->back.bytes -= s->first.bytes;
	r->back.passes -= s->first.passes;
	r->back.cpu_ns -= s->first.cpu_ns;
	if (script_slot(s, (unsigned)s->back) &&
	    counters_result(script_slot(s, (unsigned)s->back), figure, text))
		snprintf(r->note, sizeof(r->note), "%.63s", text);
}

void script_measure(struct script *s, int64_t now_ns)
{
	struct step_result *r = &s->results[s->at];

	app_refresh(s->app);
	remember_totals(s);
	memset(&s->last, 0, sizeof(s->last));
	r->from_ns = now_ns;
	read_back(s, now_ns, &s->first);
	if (s->watch)
		s->watch->begins(s->watch->ctx, (unsigned)s->at);
	s->state = MEASURING;
}

void script_measured(struct script *s, int64_t now_ns)
{
	struct step_result *r = &s->results[s->at];

	app_refresh(s->app);
	r->to_ns = now_ns;
	note_latencies(s, r);
	note_back(s, r);
	if (s->watch)
		s->watch->ends(s->watch->ctx, (unsigned)s->at);
}

void script_take_figures(const struct script *s, struct step_result *r)
{
	const struct slot *slot = script_slot(s, s->steps[s->at].job.arg);

	if (slot)
		r->figures = counters_result(slot, r->figure, r->text);
}
