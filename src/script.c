/* script.c - see script.h. */
#include "src/script.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/app.h"
#include "src/text.h"

#define LOOK_NS (50 * NS_PER_MS)	/* how often the end of a job or pass is looked for */
#define IDLE_NS NS_PER_S

enum state {
	RESTING,	/* between steps */
	CLEARING,	/* the load of the step before ends */
	RAISING,	/* the load of this step comes up */
	CALLING,	/* its job comes up */
	MEASURING,
	ENDING,		/* the job is over but not gone yet */
	OVER,
};

struct script {
	struct app *app;
	const struct step *steps;
	unsigned nr;
	const struct own_job *own;
	const struct script_watch *watch;
	struct step_result *results;
	enum state state;
	int at;			/* the step; -1 before the first */
	int back;		/* load that runs beside, -1: none */
	struct order back_order;
	bool keep;			/* it is the one the next step wants */
	int job;			/* load that was the last job, -1: none */
	struct hist *before[SCRIPT_LATENCIES];	/* totals when the measuring began */
	struct counters_last last;	/* of the load beside */
	struct load_totals first;
	int64_t began_ns;	/* the script's first turn */
	int64_t step_ns;	/* this step's first turn */
	int64_t spent_ns, guessed_ns;	/* of the steps that are over */
};

struct script *script_new(struct app *app, const struct step *steps, unsigned n,
			  const struct own_job *own, const struct script_watch *watch)
{
	struct script *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->results = calloc(n + 1, sizeof(*s->results));
	if (!s->results) {
		free(s);
		return NULL;
	}
	s->app = app;
	s->steps = steps;
	s->nr = n;
	s->own = own;
	s->watch = watch;
	s->at = s->back = s->job = -1;
	for (unsigned i = 0; i < n; i++)
		s->results[i].outcome = STEP_WAITING;
	return s;
}

void script_free(struct script *s)
{
	if (!s)
		return;
	for (unsigned i = 0; i < SCRIPT_LATENCIES; i++)
		hist_free(s->before[i]);
	free(s->results);
	free(s);
}

/* ---- which steps --------------------------------------------------------- */

static bool is(const char *name, const char *text, size_t n)
{
	return strlen(name) == n && !memcmp(name, text, n);
}

static unsigned choose(struct script *s, const char *text, size_t n)
{
	unsigned found = 0;

	for (unsigned i = 0; i < s->nr; i++) {
		const struct step *step = &s->steps[i];

		if (!is(step->name, text, n) && !is(step->pick[0], text, n) &&
		    !is(step->pick[1], text, n))
			continue;
		s->results[i].outcome = STEP_WAITING;
		found++;
	}
	return found;
}

/* The widest name of a step: what it shares with others, if it does. */
static const char *widest(const struct step *step)
{
	return step->pick[1][0] ? step->pick[1] : step->pick[0][0] ? step->pick[0] : step->name;
}

static int unknown(const struct script *s, const char *text, size_t n, struct why *why)
{
	char known[200] = "";
	size_t used = 0;

	for (unsigned i = 0; i < s->nr && used < sizeof(known) - 48; i++) {
		const char *name = widest(&s->steps[i]);
		bool told = false;

		for (unsigned k = 0; k < i && !told; k++)
			told = !strcmp(name, widest(&s->steps[k]));
		if (!told)
			used += (size_t)snprintf(known + used, sizeof(known) - used, "%s%s",
						 used ? ", " : "", name);
	}
	return why_set(why, -EINVAL, "--steps %.*s: no such step; choose from %s",
		       n < 48 ? (int)n : 48, text, known);
}

int script_choose(struct script *s, const char *list, struct why *why)
{
	if (!list)
		return 0;
	for (unsigned i = 0; i < s->nr; i++)
		s->results[i].outcome = STEP_UNASKED;
	for (const char *p = list; *p; p += strspn(p, ",")) {
		p += strspn(p, " ");
		size_t n = strcspn(p, ","), cut = n;

		while (cut && p[cut - 1] == ' ')
			cut--;
		if (cut && !choose(s, p, cut))
			return unknown(s, p, cut, why);
		p += n;
	}
	return script_nr_asked(s) ? 0 : unknown(s, list, strlen(list), why);
}

/* ---- loads --------------------------------------------------------------- */

static struct load_view *view(const struct script *s, unsigned load)
{
	return &app_model(s->app)->loads[load];
}

static bool rests(const struct load_view *v)
{
	return v->state == LOAD_OFF || v->state == LOAD_FAILED;
}

static bool same_order(const struct order *a, const struct order *b)
{
	return a->what == b->what && a->arg == b->arg && a->workers == b->workers &&
	       a->has_knobs == b->has_knobs && a->cpus == b->cpus &&
	       (!a->has_knobs || !memcmp(a->knob, b->knob, sizeof(a->knob)));
}

static void stop_load(struct script *s, unsigned load)
{
	const struct order stop = { .what = CMD_LOAD_STOP, .arg = load };

	if (!rests(view(s, load)))
		app_do(s->app, &stop);
}

static const struct slot *counted_in(const struct script *s, unsigned load)
{
	const struct counters *c = app_counters(s->app);

	return c && load < c->slots ? &c->slot[load] : NULL;
}

/* Has every worker ended at least one pass? */
static bool passed_all(const struct script *s)
{
	const struct slot *slot = counted_in(s, (unsigned)s->back);
	unsigned workers = view(s, (unsigned)s->back)->workers;

	for (unsigned i = 0; slot && i < workers && i < LOAD_LINES; i++) {
		if (!atomic_load_explicit(&slot->lines[i].passes, memory_order_relaxed))
			return false;
	}
	return true;
}

/* The work of a job is over before its process is: what follows is tidying up. */
static bool work_ended(const struct script *s, unsigned load)
{
	const struct slot *slot = counted_in(s, load);

	return rests(view(s, load)) ||
	       (slot && atomic_load_explicit(&slot->ended_ns, memory_order_relaxed));
}

/* ---- what a step measures ------------------------------------------------ */

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
	r->workers = view(s, (unsigned)s->back)->workers;
	r->back = now;
	r->back.ops -= s->first.ops;
	r->back.bytes -= s->first.bytes;
	r->back.passes -= s->first.passes;
	r->back.cpu_ns -= s->first.cpu_ns;
	if (counted_in(s, (unsigned)s->back) &&
	    counters_result(counted_in(s, (unsigned)s->back), figure, text))
		snprintf(r->note, sizeof(r->note), "%.63s", text);
}

static void measure(struct script *s, int64_t now_ns)
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

static void measured(struct script *s, int64_t now_ns)
{
	struct step_result *r = &s->results[s->at];

	app_refresh(s->app);
	r->to_ns = now_ns;
	note_latencies(s, r);
	note_back(s, r);
	if (s->watch)
		s->watch->ends(s->watch->ctx, (unsigned)s->at);
}

/* ---- the states ---------------------------------------------------------- */

static void step_over(struct script *s, int64_t now_ns, enum outcome outcome, const char *why)
{
	struct step_result *r = &s->results[s->at];

	r->outcome = outcome;
	snprintf(r->why, sizeof(r->why), "%.159s", why);
	if (outcome == STEP_DONE || outcome == STEP_CUT) {
		s->spent_ns += now_ns - s->step_ns;
		s->guessed_ns += s->steps[s->at].guess_ns;
	}
	s->state = RESTING;
}

static int next_asked(const struct script *s)
{
	for (unsigned i = (unsigned)(s->at + 1); i < s->nr; i++) {
		if (s->results[i].outcome == STEP_WAITING)
			return (int)i;
	}
	return -1;
}

/* Nothing more to do: the load beside ends too. */
static void finish(struct script *s)
{
	s->keep = false;
	if (s->back >= 0)
		stop_load(s, (unsigned)s->back);
	s->state = CLEARING;
}

/* The load beside goes on for a step that wants the very same. */
static void rest(struct script *s, int64_t now_ns)
{
	int next = next_asked(s);

	if (next < 0 || app_ending(s->app)) {
		finish(s);
		return;
	}
	s->at = next;
	s->step_ns = now_ns;
	s->results[next].outcome = STEP_RUNNING;
	if (s->steps[next].skip[0]) {
		step_over(s, now_ns, STEP_SKIPPED, s->steps[next].skip);
		return;
	}
	s->keep = s->back >= 0 && s->steps[next].keeps &&
		  same_order(&s->back_order, &s->steps[next].back) &&
		  view(s, (unsigned)s->back)->state == LOAD_RUN;
	if (s->back >= 0 && !s->keep)
		stop_load(s, (unsigned)s->back);
	s->state = CLEARING;
}

/* Is something of the steps before still there?  Other loads may run: they are
 * none of ours. */
static bool crowded(const struct script *s)
{
	if (s->own && s->own->busy(s->own->ctx))
		return true;
	if (s->job >= 0 && !rests(view(s, (unsigned)s->job)))
		return true;
	return s->back >= 0 && !s->keep && !rests(view(s, (unsigned)s->back));
}

static void clear(struct script *s)
{
	if (crowded(s))
		return;
	if (!s->keep)
		s->back = -1;
	if (s->at < 0 || s->results[s->at].outcome != STEP_RUNNING) {
		s->state = OVER;
		return;
	}
	s->state = RAISING;
	if (s->keep || s->steps[s->at].back.what == CMD_NONE)
		return;
	s->back_order = s->steps[s->at].back;
	s->back = (int)s->back_order.arg;
	app_do(s->app, &s->back_order);
}

static void call(struct script *s, int64_t now_ns)
{
	const struct step *step = &s->steps[s->at];
	struct why why = { 0, "" };

	s->state = CALLING;
	s->job = step->job.what != CMD_NONE ? (int)step->job.arg : -1;
	if (s->job >= 0)
		app_do(s->app, &step->job);
	else if (!step->own)
		measure(s, now_ns);
	else if (s->own->start(s->own->ctx, step, &why))
		step_over(s, now_ns, STEP_FAILED, why.text);
	else
		measure(s, now_ns);
}

static void raise_back(struct script *s, int64_t now_ns)
{
	const struct load_view *v = s->back >= 0 ? view(s, (unsigned)s->back) : NULL;

	if (!v || v->state == LOAD_RUN) {
		call(s, now_ns);
	} else if (rests(v)) {
		s->back = -1;
		step_over(s, now_ns, STEP_SKIPPED, v->why[0] ? v->why : app_model(s->app)->status);
	}
}

static void await_job(struct script *s, int64_t now_ns)
{
	const struct load_view *v = view(s, s->steps[s->at].job.arg);

	if (v->state == LOAD_RUN)
		measure(s, now_ns);
	else if (rests(v))
		step_over(s, now_ns, STEP_SKIPPED, v->why[0] ? v->why : app_model(s->app)->status);
}

static bool back_lost(const struct script *s)
{
	return s->back >= 0 && view(s, (unsigned)s->back)->state != LOAD_RUN;
}

static void stop_job(struct script *s)
{
	const struct step *step = &s->steps[s->at];

	if (step->own)
		s->own->stop(s->own->ctx);
	else if (step->job.what != CMD_NONE)
		stop_load(s, step->job.arg);
}

static void take_figures(const struct script *s, struct step_result *r)
{
	const struct slot *slot = counted_in(s, s->steps[s->at].job.arg);

	if (slot)
		r->figures = counters_result(slot, r->figure, r->text);
}

/* Ends what is measured before its time; what there is counts. */
static void cut(struct script *s, int64_t now_ns, const char *why)
{
	stop_job(s);
	if (s->steps[s->at].job.what != CMD_NONE)
		take_figures(s, &s->results[s->at]);
	measured(s, now_ns);
	step_over(s, now_ns, STEP_CUT, why);
}

static void own_ended(struct script *s, int64_t now_ns)
{
	struct why why = { 0, "" };
	int ended = s->own->look(s->own->ctx, &s->results[s->at], &why);

	if (!ended)
		return;
	measured(s, now_ns);
	if (ended < 0)
		step_over(s, now_ns, STEP_FAILED, why.text);
	else
		step_over(s, now_ns, STEP_DONE, "");
}

static void hold(struct script *s, int64_t now_ns)
{
	const struct step *step = &s->steps[s->at];

	if (now_ns - s->results[s->at].from_ns < step->hold_ns)
		return;
	if (step->whole_passes && s->back >= 0 && !passed_all(s))
		return;
	measured(s, now_ns);
	step_over(s, now_ns, STEP_DONE, "");
}

static void look(struct script *s, int64_t now_ns)
{
	const struct step *step = &s->steps[s->at];
	bool of_load = step->job.what != CMD_NONE;

	if (back_lost(s)) {
		const char *why = view(s, (unsigned)s->back)->why;

		cut(s, now_ns, why[0] ? why : "the load beside it ended");
	} else if (step->own) {
		own_ended(s, now_ns);
	} else if (of_load && work_ended(s, step->job.arg)) {
		measured(s, now_ns);
		s->state = ENDING;
	} else if (!of_load) {
		hold(s, now_ns);
	}
	if (s->state == MEASURING && step->most_ns &&
	    now_ns - s->results[s->at].from_ns >= step->most_ns)
		cut(s, now_ns, "it took too long");
}

static void end_job(struct script *s, int64_t now_ns)
{
	const struct load_view *v = view(s, s->steps[s->at].job.arg);
	struct step_result *r = &s->results[s->at];

	if (!rests(v))
		return;
	if (v->state == LOAD_FAILED) {
		step_over(s, now_ns, STEP_FAILED, v->why);
		return;
	}
	r->job_cpu_ns = v->cpu_ns;
	r->job_ran_ns = v->stop_ns - v->start_ns;
	take_figures(s, r);
	step_over(s, now_ns, STEP_DONE, "");
}

static void one_state(struct script *s, int64_t now_ns)
{
	switch (s->state) {
	case RESTING:
		rest(s, now_ns);
		break;
	case CLEARING:
		clear(s);
		break;
	case RAISING:
		raise_back(s, now_ns);
		break;
	case CALLING:
		await_job(s, now_ns);
		break;
	case MEASURING:
		look(s, now_ns);
		break;
	case ENDING:
		end_job(s, now_ns);
		break;
	case OVER:
		break;
	}
}

static int64_t wait_ns(const struct script *s, int64_t now_ns)
{
	const struct step *step = &s->steps[s->at];
	int64_t left_ns = step->hold_ns - (now_ns - s->results[s->at].from_ns);

	if (s->state != MEASURING)
		return IDLE_NS;		/* the supervisor's news come as events */
	if (step->own)
		return IDLE_NS;
	if (step->job.what == CMD_NONE && left_ns > 0)
		return left_ns < IDLE_NS ? left_ns : IDLE_NS;
	return LOOK_NS;
}

int64_t script_turn(struct script *s, int64_t now_ns)
{
	enum state before;
	int at;

	if (!s->began_ns)
		s->began_ns = now_ns;
	do {
		before = s->state;
		at = s->at;
		one_state(s, now_ns);
	} while (s->state != OVER && (s->state != before || s->at != at));
	return s->state == OVER ? 0 : wait_ns(s, now_ns);
}

void script_cut(struct script *s, int64_t now_ns)
{
	if (s->state == MEASURING)
		cut(s, now_ns, "interrupted");
	else if (s->state == ENDING)
		step_over(s, now_ns, STEP_CUT, "interrupted");
	else if (s->state != OVER && s->at >= 0 && s->results[s->at].outcome == STEP_RUNNING)
		step_over(s, now_ns, STEP_SKIPPED, "interrupted");
	for (unsigned i = 0; i < s->nr; i++) {
		if (s->results[i].outcome == STEP_WAITING) {
			s->results[i].outcome = STEP_SKIPPED;
			snprintf(s->results[i].why, sizeof(s->results[i].why), "interrupted");
		}
	}
	s->state = OVER;
}

/* ---- how far it is ------------------------------------------------------- */

const struct step_result *script_results(const struct script *s)
{
	return s->results;
}

unsigned script_nr_asked(const struct script *s)
{
	unsigned n = 0;

	for (unsigned i = 0; i < s->nr; i++)
		n += s->results[i].outcome != STEP_UNASKED;
	return n;
}

unsigned script_nr_over(const struct script *s)
{
	unsigned n = 0;

	for (unsigned i = 0; i < s->nr; i++)
		n += s->results[i].outcome > STEP_RUNNING;
	return n;
}

int script_at(const struct script *s)
{
	return s->at >= 0 && s->results[s->at].outcome == STEP_RUNNING ? s->at : -1;
}

/* Steps take as long as guessed, times what the finished ones took. */
int64_t script_left_ns(const struct script *s, int64_t now_ns)
{
	double factor = s->guessed_ns > 0 ? (double)s->spent_ns / (double)s->guessed_ns : 1;
	double left_ns = 0;

	for (unsigned i = 0; i < s->nr; i++) {
		double guess_ns = (double)s->steps[i].guess_ns * factor;

		if (s->results[i].outcome == STEP_WAITING)
			left_ns += guess_ns;
		else if (s->results[i].outcome == STEP_RUNNING &&
			 guess_ns > (double)(now_ns - s->step_ns))
			left_ns += guess_ns - (double)(now_ns - s->step_ns);
	}
	return (int64_t)left_ns;
}

int script_percent(const struct script *s, int64_t now_ns)
{
	int64_t spent_ns = s->began_ns ? now_ns - s->began_ns : 0;
	int64_t all_ns = spent_ns + script_left_ns(s, now_ns);

	if (s->state == OVER)
		return 100;
	return all_ns > 0 ? (int)(100 * spent_ns / all_ns) : 0;
}

static void say_load(const struct load_view *v, int64_t now_ns, char *buf, size_t size)
{
	if (v->state == LOAD_STARTING)
		snprintf(buf, size, "%s x%u preparing %d %%", v->name, v->workers, v->progress_pct);
	else if (v->state == LOAD_STOPPING)
		snprintf(buf, size, "%s x%u stopping", v->name, v->workers);
	else if (v->state == LOAD_RUN)
		snprintf(buf, size, "%s x%u %d s", v->name, v->workers,
			 (int)((now_ns - v->start_ns) / NS_PER_S));
	else
		buf[0] = '\0';
}

void script_progress(const struct script *s, int64_t now_ns, char *buf, size_t size)
{
	const struct step *step = s->at >= 0 ? &s->steps[s->at] : NULL;
	char back[48] = "", job[48] = "";

	if (!step || script_at(s) < 0) {
		snprintf(buf, size, "%u/%u", script_nr_over(s), script_nr_asked(s));
		return;
	}
	if (s->back >= 0)
		say_load(view(s, (unsigned)s->back), now_ns, back, sizeof(back));
	if (step->job.what != CMD_NONE)
		say_load(view(s, step->job.arg), now_ns, job, sizeof(job));
	snprintf(buf, size, "%u/%u %s%s%s%s%s", script_nr_over(s) + 1, script_nr_asked(s),
		 step->name, back[0] || job[0] ? ": " : "", back, back[0] && job[0] ? ", " : "",
		 job);
}

const char *outcome_name(enum outcome o)
{
	static const char *const names[] = { [STEP_DONE] = "done", [STEP_CUT] = "cut",
					     [STEP_SKIPPED] = "skipped", [STEP_FAILED] = "failed" };

	return (size_t)o < sizeof(names) / sizeof(names[0]) && names[o] ? names[o] : "";
}
