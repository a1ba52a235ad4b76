/*
 * app_judge.c - what the run is told to watch: limits, lost real time, spikes.
 */
#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "src/app_internal.h"
#include "src/complain.h"
#include "src/text.h"
#include "src/tracing.h"

/* What --fail-above looks at: the maximum, also of a wait that has not ended
 * yet, or its percentile; 0: no sample. */
static int64_t judged_ns(const struct options *o, const struct series *s)
{
	bool any = s->total && s->total->count;

	if (o->fail_above_pct < 100)
		return any ? hist_percentile(s->total, o->fail_above_pct) : 0;
	if (any && s->total->max_ns > s->in_flight_ns)
		return s->total->max_ns;
	return s->in_flight_ns;
}

static bool is_judged(const struct app *app, const struct series *s)
{
	const struct app_probe *p = app->probes;

	return s->group >= p->group && s->group < p->group + p->groups;
}

static bool was_on(const struct app *app, const struct series *s)
{
	return is_judged(app, s) && !s->offline && app->m->groups[s->group].on;
}

/* A CPU that was to be measured and was not passes no limit; NULL: all were. */
static const struct series *unmeasured(const struct app *app)
{
	for (unsigned i = 0; i < app->m->nr_series; i++) {
		const struct series *s = &app->m->series[i];

		if (was_on(app, s) && !s->counts.count && !judged_ns(app->o, s))
			return s;
	}
	return NULL;
}

/* Where a percentile is no figure there is no verdict, as in the report and in
 * compare; NULL: all series carry it. */
static const struct series *not_carried(const struct app *app)
{
	for (unsigned i = 0; i < app->m->nr_series; i++) {
		const struct series *s = &app->m->series[i];

		if (was_on(app, s) && !hist_carries(s->total ? s->total->count : 0,
						    app->o->fail_above_pct))
			return s;
	}
	return NULL;
}

#define PLACE_MAX (PROBE_NAME_MAX + 32)

/* "wakeup-fifo cpu0"; of one that has no CPU of its own "fork". */
static const char *place_text(char buf[PLACE_MAX], const char *name, int cpu)
{
	snprintf(buf, PLACE_MAX, cpu < 0 ? "%s" : "%s cpu%d", name, cpu);
	return buf;
}

static const char *name_of(const struct app *app, const struct series *s, char buf[PLACE_MAX])
{
	return place_text(buf, app->m->groups[s->group].name, s->cpu);
}

/* Is there a verdict at all?  If not, says why. */
static bool decided(struct app *app)
{
	char name[PLACE_MAX];
	const struct series *s;

	if (!app->o->fail_above_ns || !app->nr_probes)
		return false;
	s = unmeasured(app);
	if (s) {
		complain("--fail-above: %s has no sample%s%s", name_of(app, s, name),
			 *s->error ? ": " : "; ", *s->error ? s->error : "measure longer");
		app_exit_code(app, EXIT_FAILED);
		return true;	/* of the others there is one */
	}
	s = app->o->fail_above_pct < 100 ? not_carried(app) : NULL;
	if (!s)
		return true;
	complain("--fail-above: %s has too few samples for p%.15g; measure longer or judge a lower "
		 "percentile", name_of(app, s, name), app->o->fail_above_pct);
	app_exit_code(app, EXIT_FAILED);
	return false;
}

/* The worst series of the first probe when it is above the limit; NULL. */
static const struct series *above_limit(const struct app *app)
{
	const struct series *worst = NULL;
	int64_t worst_ns = app->o->fail_above_ns;

	for (unsigned i = 0; i < app->m->nr_series; i++) {
		const struct series *s = &app->m->series[i];

		if (!is_judged(app, s) || judged_ns(app->o, s) <= worst_ns)
			continue;
		worst = s;
		worst_ns = judged_ns(app->o, s);
	}
	return worst;
}

static void say_above(const struct app *app, const struct series *s)
{
	char limit[24], seen[24], what[24] = "max", name[PLACE_MAX];
	int64_t limit_ns = app->o->fail_above_ns, seen_ns = judged_ns(app->o, s);

	text_time(limit, sizeof(limit), limit_ns);
	text_time(seen, sizeof(seen), seen_ns);
	if (!strcmp(limit, seen)) {	/* three digits do not tell them apart */
		snprintf(limit, sizeof(limit), "%" PRId64 "ns", limit_ns);
		snprintf(seen, sizeof(seen), "%" PRId64 "ns", seen_ns);
	}
	if (app->o->fail_above_pct < 100)
		snprintf(what, sizeof(what), "p%.15g", app->o->fail_above_pct);
	complain("--fail-above %s: %s has %s %s", limit, name_of(app, s, name), what, seen);
}

static bool lacked_rt(const struct app *app)
{
	if (!app->was_rt)
		return true;
	for (unsigned i = 0; i < app->m->nr_groups; i++) {
		const struct group *g = &app->m->groups[i];

		if (g->on && g->want_rt && !g->have_rt)
			return true;
	}
	return false;
}

void app_judge(struct app *app)
{
	if (!app->collector)
		return;
	if (app->o->require_rt && lacked_rt(app)) {
		complain("--require-rt: not every sampler was real-time; "
			 "see `jitterscope doctor`");
		app_exit_code(app, EXIT_NOT_RT);
	}
	if (app->o->require_rt && !model_has_rt_probe(app->m))	/* none of none lacked it */
		complain("--require-rt: no real-time probe was on, nothing was measured in real "
			 "time; choose one of `jitterscope list probes`");
	const struct series *worst = decided(app) ? above_limit(app) : NULL;

	if (worst) {
		say_above(app, worst);
		app_exit_code(app, EXIT_LIMIT);
	}
}

static bool lost_rt(pid_t tid)
{
	struct rt_granted now;

	return !rt_read_back(tid, &now) && now.policy == SCHED_OTHER;
}

/* The series of this sampler: real time is gone for them. */
static void demoted(struct app *app, const struct sampler *sampler, const char *by)
{
	const struct sampler_config *c = sampler_config(sampler);
	char place[PLACE_MAX];

	place_text(place, c->probe->name, c->cpu);
	model_event(app->m, clock_now_ns(), "rt", "%s: real time taken (%s)", place, by);
	model_status(app->m, true, "%s ran on without sleeping: demoted by %s", place, by);
	for (unsigned i = 0; i < app->m->nr_series; i++) {
		struct series *series = &app->m->series[i];
		struct group *g = &app->m->groups[series->group];

		if (g->probe != c->probe || series->cpu != c->cpu)
			continue;
		snprintf(series->policy, sizeof(series->policy), "SCHED_OTHER");
		series->priority = 0;
		g->have_rt = false;
	}
	app->was_rt = false;
}

/* The series may say by now that it is gone, from a mark in the ring: what was
 * granted and not yet told of counts. */
static bool claims_rt(const struct app *app, unsigned i)
{
	struct rt_granted granted;

	sampler_granted(app->samplers[i], &granted);
	return granted.policy != SCHED_OTHER && app->demoted[i] != sampler_tid(app->samplers[i]);
}

/* There may have been several since the last look, and only the last one is
 * named: the kernel is asked for each. */
static void find_demoted(struct app *app, const char *by)
{
	for (unsigned i = 0; i < app->nr_samplers; i++) {
		const struct sampler *s = app->samplers[i];

		if (!s || !claims_rt(app, i) || !lost_rt(sampler_tid(s)))
			continue;
		app->demoted[i] = sampler_tid(s);
		demoted(app, s, by);
	}
	if (app->main_rt && !app->main_demoted && lost_rt(getpid()))
		app_main_demoted(app, "it ran on without sleeping");
}

void app_watch(struct app *app)
{
	pid_t last;
	unsigned xcpu = rt_xcpu_count(&last), seen;

	if (xcpu != app->xcpu_seen) {
		app->xcpu_seen = xcpu;
		rt_restore_rttime();
		find_demoted(app, "SIGXCPU");
	}
	if (!app->watchdog)
		return;
	seen = watchdog_demotions(app->watchdog, &last);
	if (seen != app->demotions_seen) {
		app->demotions_seen = seen;
		find_demoted(app, "the watchdog");
	}
	if (!app->watchdog)
		return;
	seen = watchdog_kills(app->watchdog);
	if (seen != app->kills_seen) {
		app->kills_seen = seen;
		model_event(app->m, clock_now_ns(), "load-stop", "all, by the watchdog");
		model_status(app->m, true, "loads killed: the main thread was held up");
	}
}

/* ---- spikes ---- */

/* --break must be told of everything above its own limit too. */
int64_t app_spike_threshold(const struct options *o)
{
	if (o->spike_ns && o->break_ns)
		return o->spike_ns < o->break_ns ? o->spike_ns : o->break_ns;
	return o->spike_ns ? o->spike_ns : o->break_ns;
}

void app_tracing_open(struct app *app)
{
	app->tracing_fd = app->o->break_ns ? tracing_open(&app->tracing_why) : -1;
}

static void break_here(struct app *app, unsigned series, int64_t woke_ns, int64_t late_ns)
{
	bool stopped = app->tracing_fd >= 0 && !tracing_stop(app->tracing_fd, &app->tracing_why);
	const struct series *s = &app->m->series[series];
	char late[16], where[PLACE_MAX];

	name_of(app, s, where);
	app->broke_ns = woke_ns;
	app->broke_group = s->group;
	text_time(late, sizeof(late), late_ns);
	model_event(app->m, woke_ns, "mark", "break: %s %s", where, late);
	if (stopped)
		model_status(app->m, true, "break: %s was %s late; kernel tracing stopped", where,
			     late);
	else
		model_status(app->m, true, "break: %s was %s late; kernel tracing runs on: %s",
			     where, late, app->tracing_why.text);
}

bool app_spike(void *ctx, unsigned series, int64_t due_ns, struct spike *spike)
{
	struct app *app = ctx;

	(void)series;
	(void)due_ns;
	if (app->o->break_ns && spike->late_ns > app->o->break_ns && !app->broke_ns)
		break_here(app, series, spike->t_ns, spike->late_ns);
	if (app->o->spike_ns && spike->late_ns < app->o->spike_ns)
		return false;
	app->bell = app->o->bell;
	return true;
}

void app_look(void *ctx, unsigned series, int64_t due_ns, struct spike *spike)
{
	struct app *app = ctx;

	if (app->blame)
		blame_spike(app->blame, app->m, series, due_ns, spike);
}
