/* script.c - see script.h. */
#include "src/script_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOOK_NS (50 * NS_PER_MS)	/* how often the end of a job or pass is looked for */
#define IDLE_NS NS_PER_S

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

/* ---- loads --------------------------------------------------------------- */

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

	if (!rests(script_load(s, load)))
		app_do(s->app, &stop);
}

/* Has every worker ended at least one pass? */
static bool passed_all(const struct script *s)
{
	const struct slot *slot = script_slot(s, (unsigned)s->back);
	unsigned workers = script_load(s, (unsigned)s->back)->workers;

	for (unsigned i = 0; slot && i < workers && i < LOAD_LINES; i++) {
		if (!atomic_load_explicit(&slot->lines[i].passes, memory_order_relaxed))
			return false;
	}
	return true;
}

/* The work of a job is over before its process is: what follows is tidying up. */
static bool work_ended(const struct script *s, unsigned load)
{
	const struct slot *slot = script_slot(s, load);

	return rests(script_load(s, load)) ||
	       (slot && atomic_load_explicit(&slot->ended_ns, memory_order_relaxed));
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
		  script_load(s, (unsigned)s->back)->state == LOAD_RUN;
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
	if (s->job >= 0 && !rests(script_load(s, (unsigned)s->job)))
		return true;
	return s->back >= 0 && !s->keep && !rests(script_load(s, (unsigned)s->back));
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
		script_measure(s, now_ns);
	else if (s->own->start(s->own->ctx, step, &why))
		step_over(s, now_ns, STEP_FAILED, why.text);
	else
		script_measure(s, now_ns);
}

static void raise_back(struct script *s, int64_t now_ns)
{
	const struct load_view *v = s->back >= 0 ? script_load(s, (unsigned)s->back) : NULL;

	if (!v || v->state == LOAD_RUN) {
		call(s, now_ns);
	} else if (rests(v)) {
		s->back = -1;
		step_over(s, now_ns, STEP_SKIPPED, v->why[0] ? v->why : app_model(s->app)->status);
	}
}

static void await_job(struct script *s, int64_t now_ns)
{
	const struct load_view *v = script_load(s, s->steps[s->at].job.arg);

	if (v->state == LOAD_RUN)
		script_measure(s, now_ns);
	else if (rests(v))
		step_over(s, now_ns, STEP_SKIPPED, v->why[0] ? v->why : app_model(s->app)->status);
}

static bool back_lost(const struct script *s)
{
	return s->back >= 0 && script_load(s, (unsigned)s->back)->state != LOAD_RUN;
}

static void stop_job(struct script *s)
{
	const struct step *step = &s->steps[s->at];

	if (step->own)
		s->own->stop(s->own->ctx);
	else if (step->job.what != CMD_NONE)
		stop_load(s, step->job.arg);
}

/* Ends what is measured before its time; what there is counts. */
static void cut(struct script *s, int64_t now_ns, const char *why)
{
	stop_job(s);
	if (s->steps[s->at].job.what != CMD_NONE)
		script_take_figures(s, &s->results[s->at]);
	script_measured(s, now_ns);
	step_over(s, now_ns, STEP_CUT, why);
}

static void own_ended(struct script *s, int64_t now_ns)
{
	struct why why = { 0, "" };
	int ended = s->own->look(s->own->ctx, &s->results[s->at], &why);

	if (!ended)
		return;
	script_measured(s, now_ns);
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
	script_measured(s, now_ns);
	step_over(s, now_ns, STEP_DONE, "");
}

static void look(struct script *s, int64_t now_ns)
{
	const struct step *step = &s->steps[s->at];
	bool of_load = step->job.what != CMD_NONE;

	if (back_lost(s)) {
		const char *why = script_load(s, (unsigned)s->back)->why;

		cut(s, now_ns, why[0] ? why : "the load beside it ended");
	} else if (step->own) {
		own_ended(s, now_ns);
	} else if (of_load && work_ended(s, step->job.arg)) {
		script_measured(s, now_ns);
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
	const struct load_view *v = script_load(s, s->steps[s->at].job.arg);
	struct step_result *r = &s->results[s->at];

	if (!rests(v))
		return;
	if (v->state == LOAD_FAILED) {
		step_over(s, now_ns, STEP_FAILED, v->why);
		return;
	}
	r->job_cpu_ns = v->cpu_ns;
	r->job_ran_ns = v->stop_ns - v->start_ns;
	script_take_figures(s, r);
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
	enum script_state before;
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

/* Whole but for what its load says at its end, which is awaited. */
static bool keeps_ending(struct script *s, int64_t now_ns)
{
	if (s->state == ENDING)
		end_job(s, now_ns);
	return s->state == ENDING;
}

void script_cut(struct script *s, int64_t now_ns)
{
	bool ending = keeps_ending(s, now_ns);

	if (s->state == MEASURING)
		cut(s, now_ns, "interrupted");
	else if (!ending && s->state != OVER && s->at >= 0 &&
		 s->results[s->at].outcome == STEP_RUNNING)
		step_over(s, now_ns, STEP_SKIPPED, "interrupted");
	for (unsigned i = 0; i < s->nr; i++) {
		if (s->results[i].outcome == STEP_WAITING) {
			s->results[i].outcome = STEP_SKIPPED;
			snprintf(s->results[i].why, sizeof(s->results[i].why), "interrupted");
		}
	}
	if (!ending)
		s->state = OVER;
}

void script_close(struct script *s, int64_t now_ns)
{
	script_cut(s, now_ns);
	if (s->state != OVER)
		step_over(s, now_ns, STEP_CUT, "interrupted");
	s->state = OVER;
}
