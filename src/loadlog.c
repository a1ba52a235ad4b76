/* loadlog.c - see loadlog.h. */
#include "src/loadlog.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/text.h"

#define TICK_NS (250 * NS_PER_MS)
#define TICK_LEAST_NS (240 * NS_PER_MS)	/* a timer that comes a little early counts */
#define NO_PROGRESS_NS (2 * NS_PER_S)
#define NO_RUN UINT32_MAX

struct item {			/* one load of the registry */
	struct counters_last last;
	struct load_totals first, before;	/* at RUN; at the reading before */
	int64_t before_ns;
	bool drop;		/* the next interval is no rate */
	unsigned run;		/* index into model.runs, NO_RUN: none */
	int64_t progress_ns;	/* when work was seen last */
	double trend_done;
	int64_t trend_ns;	/* since when */
};

struct loadlog {
	struct model *model;
	struct counters *counters;
	int64_t tick_ns;
	struct item item[];
};

struct loadlog *loadlog_new(struct model *m, struct counters *counters)
{
	struct loadlog *l = calloc(1, sizeof(*l) + m->nr_loads * sizeof(l->item[0]));

	if (!l)
		return NULL;
	l->model = m;
	l->counters = counters;
	for (unsigned i = 0; i < m->nr_loads; i++)
		l->item[i].run = NO_RUN;
	return l;
}

void loadlog_free(struct loadlog *l)
{
	free(l);
}

/* ---- the list of runs ---------------------------------------------------- */

/* Those that go on stay, however old: what they do is still to be counted.
 * They are no more than there are loads, so some have ended. */
static void drop_oldest_ended(struct loadlog *l)
{
	struct model *m = l->model;
	unsigned at = 0;

	while (at + 1 < m->nr_runs && !m->runs[at].stop_ns)
		at++;
	m->nr_runs--;
	m->lost_runs++;
	memmove(m->runs + at, m->runs + at + 1, (m->nr_runs - at) * sizeof(*m->runs));
	for (unsigned i = 0; i < m->nr_loads; i++)
		if (l->item[i].run != NO_RUN && l->item[i].run > at)
			l->item[i].run--;
}

static void add_run(struct loadlog *l, unsigned load, int64_t now_ns)
{
	struct model *m = l->model;
	const struct load_view *v = &m->loads[load];

	if (m->nr_runs == MODEL_RUNS)
		drop_oldest_ended(l);
	struct load_run *r = &m->runs[m->nr_runs];

	*r = (struct load_run){
		.number = m->lost_runs + m->nr_runs,
		.load = load,
		.workers = model_run_workers(v),
		.start_ns = now_ns,
		.seed = m->seed,
	};
	memcpy(r->knob, v->knob, sizeof(r->knob));
	memcpy(r->cpus, v->cpus, sizeof(r->cpus));
	l->item[load].run = m->nr_runs++;
}

static struct load_run *run_of(struct loadlog *l, unsigned load)
{
	unsigned run = l->item[load].run;

	return run == NO_RUN ? NULL : &l->model->runs[run];
}

static void update_run(struct loadlog *l, unsigned load)
{
	const struct load_view *v = &l->model->loads[load];
	struct load_run *r = run_of(l, load);

	if (!r)
		return;
	r->done = v->done;
	r->rate = v->rate_mean;
	r->cpu_pct = v->cpu_pct;
	r->max_op_ns = v->max_op_ns;
	r->passes = v->passes;
}

/* ---- counting ------------------------------------------------------------ */

static double work(const struct load_view *v, uint64_t ops, uint64_t bytes)
{
	return v->figure == LOAD_BYTES ? (double)bytes / 1e6 : (double)ops;
}

static double rate(const struct load_view *v, double done, int64_t span_ns)
{
	double per = v->figure == LOAD_OPS_PER_MIN ? 60e9 : 1e9;

	return span_ns > 0 ? done * per / (double)span_ns : 0;
}

/* Work whose moments are not known, evenly over the rows of its span. */
static void spread(struct load_history *h, int64_t from_ns, int64_t to_ns, double done)
{
	double per_ns = done / (double)(to_ns - from_ns);

	for (int64_t t = from_ns; t < to_ns;) {
		int64_t end = t + HISTORY_ROW_NS < to_ns ? t + HISTORY_ROW_NS : to_ns;

		load_history_add(h, t + (end - t) / 2, per_ns * (double)(end - t), true);
		t = end;
	}
}

static void add_trend(struct load_view *v, double per_second)
{
	memmove(v->trend, v->trend + 1, sizeof(v->trend) - sizeof(v->trend[0]));
	v->trend[LOAD_TREND - 1] = per_second;
}

static void take_totals(struct load_view *v, const struct item *it, const struct load_totals *t,
			int64_t now_ns)
{
	v->ops = t->ops - it->first.ops;
	v->bytes = t->bytes - it->first.bytes;
	v->passes = t->passes - it->first.passes;
	v->cpu_ns = t->cpu_ns - it->first.cpu_ns;
	v->errors = t->errors;
	v->throttled = t->throttled;
	v->done = work(v, v->ops, v->bytes);
	v->rate_mean = rate(v, v->done, now_ns - v->start_ns);
	if (now_ns > v->start_ns)
		v->cpu_pct = 100 * (double)v->cpu_ns / (double)(now_ns - v->start_ns);
	if (t->max_latency_ns > v->max_op_ns)
		v->max_op_ns = t->max_latency_ns;
}

static void take_rates(struct load_view *v, struct item *it, const struct load_totals *t,
		       double done, int64_t now_ns)
{
	int64_t span_ns = now_ns - it->before_ns;

	if (it->drop) {
		it->drop = false;
		it->trend_ns = now_ns;
		it->trend_done = 0;
		return;
	}
	v->rate = rate(v, done, span_ns);
	v->cpu_pct = 100 * (double)(t->cpu_ns - it->before.cpu_ns) / (double)span_ns;
	it->trend_done += done;
	if (now_ns - it->trend_ns < NS_PER_S - TICK_NS / 2)
		return;
	add_trend(v, rate(v, it->trend_done, now_ns - it->trend_ns));
	it->trend_ns = now_ns;
	it->trend_done = 0;
}

/* One interval of a load that runs (or is being stopped). */
static void count(struct loadlog *l, unsigned load, int64_t now_ns)
{
	struct load_view *v = &l->model->loads[load];
	struct item *it = &l->item[load];
	struct load_totals t;

	if (now_ns <= it->before_ns)
		return;
	counters_read(l->counters, load, now_ns, &it->last, &t);
	double done = work(v, t.ops - it->before.ops, t.bytes - it->before.bytes);

	take_totals(v, it, &t, now_ns);
	take_rates(v, it, &t, done, now_ns);
	spread(l->model->load_history[load], it->before_ns, now_ns, done);
	if (done > 0)
		it->progress_ns = now_ns;
	v->no_progress = v->state == LOAD_RUN && now_ns - it->progress_ns >= NO_PROGRESS_NS;
	it->before = t;
	it->before_ns = now_ns;
	update_run(l, load);
}

/* The work ended with the last worker; what comes after is tidying up. */
static int64_t work_ended_ns(const struct loadlog *l, unsigned load, int64_t now_ns)
{
	int64_t ended_ns = l->counters ? atomic_load(&l->counters->slot[load].ended_ns) : 0;

	return ended_ns > l->model->loads[load].start_ns && ended_ns < now_ns ? ended_ns : now_ns;
}

static void read_progress(struct loadlog *l, unsigned load)
{
	int percent = atomic_load_explicit(&l->counters->slot[load].progress, memory_order_relaxed);

	l->model->loads[load].progress_pct = percent < 0 ? 0 : percent > 100 ? 100 : percent;
}

void loadlog_tick(struct loadlog *l, int64_t now_ns)
{
	if (!l->counters || now_ns - l->tick_ns < TICK_LEAST_NS)
		return;
	l->tick_ns = now_ns;
	for (unsigned i = 0; i < l->model->nr_loads; i++) {
		const struct load_view *v = &l->model->loads[i];

		if (v->state == LOAD_STARTING)
			read_progress(l, i);
		else if (run_of(l, i) && (v->state == LOAD_RUN || v->state == LOAD_STOPPING))
			count(l, i, work_ended_ns(l, i, now_ns));
	}
	/* After the reading: calls that end from now on belong to the next tick. */
	atomic_fetch_add_explicit(&l->counters->tick, 1, memory_order_relaxed);
}

void loadlog_gap(struct loadlog *l)
{
	for (unsigned i = 0; i < l->model->nr_loads; i++)
		l->item[i].drop = true;
}

/* ---- states -------------------------------------------------------------- */

static void running(struct loadlog *l, unsigned load, int64_t now_ns)
{
	struct load_view *v = &l->model->loads[load];
	struct item *it = &l->item[load];

	if (run_of(l, load))
		return;
	*it = (struct item){ .run = NO_RUN };
	if (v->state != LOAD_STOPPING)
		v->state = LOAD_RUN;
	v->start_ns = now_ns;
	v->ops = v->bytes = v->passes = v->cpu_ns = v->errors = v->throttled = 0;
	v->done = v->rate_mean = v->cpu_pct = 0;
	v->rate = -1;
	v->max_op_ns = 0;
	v->no_progress = false;
	for (unsigned i = 0; i < LOAD_TREND; i++)
		v->trend[i] = -1;
	v->runs++;
	if (l->counters)
		counters_read(l->counters, load, now_ns, &it->last, &it->first);
	it->before = it->first;
	it->before_ns = it->progress_ns = it->trend_ns = now_ns;
	it->drop = true;
	add_run(l, load, now_ns);
	model_event(l->model, now_ns, "load-start", "%s %u", v->name,
		    model_run_workers(v));
}

/* The reason of a death, from the supervisor's words, else the nanny's. */
static void say_why(const struct loadlog *l, const struct supervisor_event *e, char *out,
		    size_t size)
{
	const struct slot *slot = l->counters ? &l->counters->slot[e->load] : NULL;

	if (e->text[0])
		text_clean(out, size, e->text, strnlen(e->text, sizeof(e->text)), 300);
	else if (slot && slot->why[0])
		text_clean(out, size, slot->why, strnlen(slot->why, sizeof(slot->why)), 300);
	else if (e->oom)
		snprintf(out, size, "killed: out of memory");
	else if (e->signal)
		snprintf(out, size, "killed by signal %d", e->signal);
	else
		snprintf(out, size, "exit code %d", e->err);
}

static void end_run(struct loadlog *l, unsigned load, int64_t now_ns, const char *end,
		    const char *why)
{
	struct load_view *v = &l->model->loads[load];
	struct load_run *r = run_of(l, load);

	if (r) {
		r->stop_ns = now_ns;
		/* One that never ran has no figures; the view may hold those of the run before. */
		if (v->start_ns)
			r->rate = v->rate_mean;
		if (v->start_ns && now_ns > v->start_ns)
			r->cpu_pct = 100 * (double)v->cpu_ns / (double)(now_ns - v->start_ns);
		snprintf(r->end, sizeof(r->end), "%s", end);
		snprintf(r->why, sizeof(r->why), "%s", why);
	}
	l->item[load].run = NO_RUN;
	v->stop_ns = now_ns;
	v->ends_ns = 0;
	v->no_progress = false;
}

static void failed(struct loadlog *l, unsigned load, int64_t now_ns, const char *why)
{
	struct load_view *v = &l->model->loads[load];

	snprintf(v->why, sizeof(v->why), "%s", why);
	/* A load that was refused never ran, and the file must say so all the same. */
	if (!run_of(l, load))
		add_run(l, load, now_ns);
	end_run(l, load, now_ns, "failed", v->why);
	v->state = LOAD_FAILED;
	model_event(l->model, now_ns, "load-fail", "%s: %s", v->name, v->why);
	model_status(l->model, true, "%s: %s", v->name, v->why);
}

static void stop_line(struct load_view *v)
{
	v->why[0] = '\0';
	if (v->load && v->load->stop_line && v->start_ns)
		v->load->stop_line(v->why, sizeof(v->why), model_run_workers(v), v->knob,
				   v->ops, v->bytes, v->passes, v->stop_ns - v->start_ns);
}

static void exited(struct loadlog *l, const struct supervisor_event *e, int64_t now_ns)
{
	struct load_view *v = &l->model->loads[e->load];
	bool ran = run_of(l, e->load), asked = v->state == LOAD_STOPPING;
	bool good = !e->err && !e->signal && !e->oom;
	char why[320];

	if (v->state == LOAD_OFF || v->state == LOAD_FAILED)
		return;
	if (ran)
		now_ns = work_ended_ns(l, e->load, now_ns);
	if (ran && l->counters)
		count(l, e->load, now_ns);
	if (!asked && !good) {
		say_why(l, e, why, sizeof(why));
		failed(l, e->load, now_ns, why);
		return;
	}
	/* A load that did no work is never a success. */
	if (ran && v->done <= 0 && (!asked || now_ns - v->start_ns >= NO_PROGRESS_NS)) {
		failed(l, e->load, now_ns, "it did no work");
		return;
	}
	if (!ran)
		add_run(l, e->load, now_ns);
	end_run(l, e->load, now_ns, asked ? "stopped" : "finished", ran ? "" : "it was not ready yet");
	v->state = LOAD_OFF;
	stop_line(v);
	if (ran)
		model_event(l->model, now_ns, "load-stop", "%s %u", v->name,
			    model_run_workers(v));
}

void loadlog_finish(struct loadlog *l, int64_t now_ns)
{
	for (unsigned i = 0; i < l->model->nr_loads; i++) {
		const struct supervisor_event e = { .kind = SUP_EXITED, .load = i };

		if (l->model->loads[i].state == LOAD_STOPPING)
			exited(l, &e, now_ns);
	}
}

static void supervisor_lost(struct loadlog *l, int64_t now_ns)
{
	for (unsigned i = 0; i < l->model->nr_loads; i++) {
		const struct load_view *v = &l->model->loads[i];

		if (v->state != LOAD_OFF && v->state != LOAD_FAILED)
			failed(l, i, now_ns, "stopped: supervisor died");
	}
}

void loadlog_event(struct loadlog *l, const struct supervisor_event *e, int64_t now_ns)
{
	char why[320];

	if (e->kind == SUP_LOST) {
		supervisor_lost(l, now_ns);
		return;
	}
	if (e->load >= l->model->nr_loads)
		return;
	switch (e->kind) {
	case SUP_RUNNING:
		running(l, e->load, now_ns);
		break;
	case SUP_EXITED:
		exited(l, e, now_ns);
		break;
	case SUP_REFUSED:
		say_why(l, e, why, sizeof(why));
		failed(l, e->load, now_ns, why);
		break;
	default:
		break;
	}
}

void loadlog_names(const struct loadlog *l, int64_t from_ns, int64_t to_ns, char *buf,
		   unsigned size)
{
	const struct model *m = l->model;
	unsigned used = 0;

	buf[0] = '\0';
	for (unsigned i = 0; i < m->nr_loads; i++) {
		const struct load_view *v = &m->loads[i];

		if (!v->start_ns || v->start_ns > to_ns || (v->stop_ns && v->stop_ns < from_ns))
			continue;
		if (used + strlen(v->name) + 2 > size)
			return;
		used += (unsigned)snprintf(buf + used, size - used, "%s%s", used ? " " : "",
					   v->name);
	}
}
