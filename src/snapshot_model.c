/*
 * snapshot_model.c - a snapshot as a model, so that a replay looks like the
 * live screen.
 *
 * Time zero lies one second after 0, since 0 means "warming up" in a model.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/clock.h"
#include "src/dist.h"
#include "src/knob.h"
#include "src/load.h"
#include "src/snapshot.h"
#include "src/snapshot_rt.h"

#define ZERO_NS NS_PER_S
#define NOW_NS (10 * NS_PER_S)
#define NAMES_MAX 64

static int64_t at_ns(double t_s)
{
	return ZERO_NS + (int64_t)llround(t_s * 1e9);
}

/* ---- series and groups --------------------------------------------------- */

static int fill_series(struct series *to, unsigned group, const struct snapshot_series *from)
{
	to->group = group;
	to->cpu = from->cpu;
	snprintf(to->policy, sizeof(to->policy), "%s", from->policy);
	to->priority = from->priority;
	to->interval_ns = from->interval_ns;
	to->phase_ns = from->phase_ns;
	to->counts = from->counts;
	to->in_flight_ns = from->in_flight_ns;
	struct hist *h = snapshot_series_hist(from);

	if (!h)
		return -ENOMEM;
	hist_add(to->total, h);
	hist_free(h);
	/* Time by CPU is not in a file: what there is to compare is the whole run. */
	to->column_max_ns = from->max_ns;
	return 0;
}

static int fill_group(struct model *m, unsigned index, const char *name, const struct snapshot *s)
{
	struct group *g = &m->groups[index];
	unsigned rt = 0;

	snprintf(g->name, sizeof(g->name), "%s", name);
	g->on = true;
	g->first = m->nr_series;
	for (unsigned i = 0; i < s->nr_series; i++) {
		if (strcmp(s->series[i].probe, name))
			continue;
		struct series *one = &m->series[m->nr_series++];

		if (fill_series(one, index, &s->series[i]))
			return -ENOMEM;
		one->isolated = cpuset_has(&s->system.isolated, one->cpu);
		hist_add(g->run, one->total);
		rt += snapshot_policy_is_rt(one->policy);
		if (one->cpu >= 0)
			cpuset_add(&m->measured, one->cpu);
	}
	g->nr = m->nr_series - g->first;
	g->have_rt = g->nr && rt == g->nr;
	g->want_rt = rt > 0;
	return 0;
}

/* ---- rows ---------------------------------------------------------------- */

/* Rows of the length that a history keeps at that age: a coarser one is laid
 * evenly over them, so that no column of its span looks empty. */
static unsigned parts_of(const struct snapshot *s, double t_s, double row_s)
{
	double age_s = s->duration_s - t_s;
	double len_s = age_s < 900 ? 0.25 : age_s < 7200 ? 1 : age_s < 86400 ? 10 : 60;
	double parts = row_s / len_s;

	return parts < 1 ? 1 : parts > 240 ? 240 : (unsigned)parts;
}

/* The value a cell stands for; the last one knows the row's true maximum. */
static int64_t cell_ns(const struct snapshot_row *row, unsigned i)
{
	int64_t high = slot_highest_ns(row->cell[i].slot);

	if (row->max_ns && (i + 1 == row->cells || high > row->max_ns))
		return row->max_ns;
	return high;
}

static void add_row(struct history *h, const struct snapshot *s, const struct snapshot_row *row)
{
	unsigned parts = parts_of(s, row->t_s, row->len_s);

	for (unsigned p = 0; p < parts; p++) {
		int64_t t = at_ns(row->t_s + row->len_s * p / parts);

		history_advance(h, t);
		for (unsigned i = 0; i < row->cells; i++) {
			uint64_t n = row->cell[i].count;
			uint64_t share = n * (p + 1) / parts - n * p / parts;

			if (share)
				history_add_n(h, t, cell_ns(row, i), share);
		}
		if (row->flags)
			history_flag(h, t, row->flags);
	}
	history_lost(h, at_ns(row->t_s), row->missed, row->interrupted);
}

/* The cells of rows are coarse: a run that is all within the span of "now" is
 * known better from its series. */
static bool all_is_now(const struct model *m)
{
	return m->now_ns - m->zero_ns <= NOW_NS;
}

static void fill_now(struct model *m, struct group *g, const struct snapshot_row *row)
{
	if (all_is_now(m) || at_ns(row->t_s) < m->now_ns - NOW_NS)
		return;
	for (unsigned i = 0; i < row->cells; i++)
		hist_record_n(g->now, cell_ns(row, i), row->cell[i].count);
}

static void fill_rows(struct model *m, const struct snapshot *s)
{
	for (unsigned i = 0; i < s->nr_rows; i++) {
		const struct snapshot_row *row = &s->rows[i];
		int index = model_group(m, s->group_name[row->group]);

		if (index < 0)
			continue;
		struct group *g = &m->groups[index];

		add_row(g->history, s, row);
		if (row->flags & HISTORY_NOT_RT)
			g->want_rt = true;
		fill_now(m, g, row);
	}
	for (unsigned i = 0; all_is_now(m) && i < m->nr_groups; i++)
		hist_add(m->groups[i].now, m->groups[i].run);
	for (unsigned i = 0; i < m->nr_groups; i++)
		history_advance(m->groups[i].history, m->now_ns);
}

/* ---- loads --------------------------------------------------------------- */

static int load_index_of(const struct model *m, const char *name)
{
	for (unsigned i = 0; i < m->nr_loads; i++)
		if (!strcmp(m->loads[i].name, name))
			return (int)i;
	return -1;
}

/* What the file does not name, or this program does not know, is the default. */
static void fill_knobs(const struct load *known, const struct snapshot_load *l, long *value)
{
	for (unsigned i = 0; known && known->knobs[i].name; i++) {
		const struct load_knob *k = &known->knobs[i];
		const struct knob knob = { k->name, k->least, k->most, k->choices };

		value[i] = k->value;
		for (unsigned n = 0; n < l->knobs; n++)
			if (!strcmp(l->knob[n].name, k->name))
				knob_parse(&knob, l->knob[n].value, &value[i], NULL);
	}
}

static void fill_view(struct load_view *v, const struct snapshot_load *l)
{
	const struct load *known = load_by_name(l->name);

	snprintf(v->name, sizeof(v->name), "%.*s", (int)sizeof(v->name) - 1, l->name);
	snprintf(v->unit, sizeof(v->unit), "%s", l->unit);
	snprintf(v->rate_unit, sizeof(v->rate_unit), "%s", l->rate_unit);
	v->load = known;
	v->key = known ? known->key : 0;
	v->figure = known ? known->figure : LOAD_OPS;
	v->workers = l->workers;
	fill_knobs(known, l, v->knob);
	memcpy(v->cpus, l->cpus, sizeof(v->cpus));
	v->start_ns = v->asked_ns = at_ns(l->start_s);
	v->stop_ns = l->stop_s < 0 ? 0 : at_ns(l->stop_s);
	v->state = l->stop_s < 0 ? LOAD_RUN : !strcmp(l->end, "failed") ? LOAD_FAILED : LOAD_OFF;
	v->done = l->done;
	v->rate = v->rate_mean = l->rate;
	v->cpu_pct = l->cpu_pct;
	v->max_op_ns = l->max_op_ns;
	v->passes = l->passes;
	snprintf(v->why, sizeof(v->why), "%s", l->why);
	v->runs++;
}

static void fill_run(struct model *m, unsigned index, const struct snapshot_load *l)
{
	if (m->nr_runs == MODEL_RUNS)
		return;
	struct load_run *r = &m->runs[m->nr_runs];

	r->number = m->nr_runs++;
	r->load = index;
	r->workers = l->workers;
	fill_knobs(load_by_name(l->name), l, r->knob);
	memcpy(r->cpus, l->cpus, sizeof(r->cpus));
	r->start_ns = at_ns(l->start_s);
	r->stop_ns = l->stop_s < 0 ? 0 : at_ns(l->stop_s);
	r->done = l->done;
	r->rate = l->rate;
	r->cpu_pct = l->cpu_pct;
	r->max_op_ns = l->max_op_ns;
	r->passes = l->passes;
	r->seed = l->seed;
	snprintf(r->end, sizeof(r->end), "%s", l->end);
	snprintf(r->why, sizeof(r->why), "%s", l->why);
}

static void fill_loads(struct model *m, const struct snapshot *s, unsigned room)
{
	m->nr_loads = 0;
	for (unsigned i = 0; i < s->nr_loads; i++) {
		int index = load_index_of(m, s->loads[i].name);

		if (index < 0 && m->nr_loads < room)
			index = (int)m->nr_loads++;
		if (index < 0)
			continue;
		fill_view(&m->loads[index], &s->loads[i]);
		fill_run(m, (unsigned)index, &s->loads[i]);
	}
	for (unsigned i = 0; i < s->nr_load_rows; i++) {
		const struct snapshot_load_row *row = &s->load_rows[i];
		int index = load_index_of(m, row->name);

		if (index < 0)
			continue;
		double per_s =
			m->loads[index].figure == LOAD_OPS_PER_MIN ? row->rate / 60 : row->rate;
		unsigned parts = parts_of(s, row->t_s, row->len_s);

		for (unsigned p = 0; p < parts; p++)
			load_history_add(m->load_history[index],
					 at_ns(row->t_s + row->len_s * p / parts),
					 per_s * row->len_s / parts, true);
	}
}

/* ---- marks and head ------------------------------------------------------ */

static bool make_spike(const struct model *m, const struct snapshot_spike *from, struct spike *out)
{
	int group = model_group(m, from->probe);
	struct spike one = {
		.t_ns = at_ns(from->t_s), .late_ns = from->late_ns, .cpu = from->cpu,
		.group = group < 0 ? 0 : (unsigned)group, .nr = from->culprits,
		.steal = from->steal, .incomplete = from->incomplete,
	};

	if (group < 0)
		return false;
	for (unsigned i = 0; i < from->culprits; i++) {
		one.culprit[i].pid = from->culprit[i].pid;
		one.culprit[i].ns = from->culprit[i].ns;
		memcpy(one.culprit[i].comm, from->culprit[i].comm, sizeof(one.culprit[i].comm));
	}
	memcpy(one.loads, from->loads, sizeof(one.loads));
	memcpy(one.note, from->note, sizeof(one.note));
	*out = one;
	return true;
}

/* Those by time, and of the worst only the worst. */
static void fill_spikes(struct model *m, const struct snapshot *s)
{
	struct spike one;

	for (unsigned i = 0; i < s->nr_latest; i++)
		if (make_spike(m, &s->latest[i], &one))
			model_spike(m, &one);
	m->nr_spikes = 0;
	for (unsigned i = 0; i < s->nr_spikes && i < MODEL_SPIKES; i++)
		if (make_spike(m, &s->spikes[i], &one))
			model_worst(m, &one);
	for (unsigned i = 0; i < s->nr_blamed; i++)
		blamed_add(m->blamed, &m->nr_blamed, &s->blamed[i]);
	m->spikes_seen = s->spikes_seen;
	m->spikes_incomplete = s->spikes_incomplete;
	m->spikes_unread = s->spikes_unread;
}

static void fill_marks(struct model *m, const struct snapshot *s)
{
	for (unsigned i = 0; i < s->nr_events; i++)
		model_event(m, at_ns(s->events[i].t_s), s->events[i].kind, "%s", s->events[i].text);
	fill_spikes(m, s);
	for (unsigned i = 0; i < s->nr_badges; i++)
		model_badge(m, s->badges[i].name, s->badges[i].level, "%s", s->badges[i].text);
	if (s->note[0])
		model_badge(m, "note", "warn", "%s", s->note);
}

/* A file whose CPUs are summed knows only how many there were. */
static void count_cpus(struct model *m, const struct snapshot *s)
{
	for (unsigned i = 0; i < s->cpus_measured && i < CPUSET_MAX; i++)
		cpuset_add(&m->measured, (int)i);
}

/* A file does not say which of its probes wanted what they did not get: the
 * first that is bound to a CPU, as samplers are. */
static void want_rt(struct model *m, const struct snapshot *s)
{
	bool lacked = snapshot_rt(s) == SNAPSHOT_RT_NOT && !model_has_rt_probe(m);

	for (unsigned i = 0; lacked && i < m->nr_series; i++)
		if (m->series[i].cpu >= 0) {
			m->groups[m->series[i].group].want_rt = true;
			return;
		}
	if (lacked && m->nr_groups)
		m->groups[0].want_rt = true;
}

static double or_zero(double value)
{
	return isnan(value) ? 0 : value;
}

static void fill_head(struct model *m, const struct snapshot *s)
{
	m->replay = true;
	snprintf(m->label, sizeof(m->label), "%s", s->label);
	snprintf(m->program, sizeof(m->program), "%s", s->program);
	snprintf(m->created, sizeof(m->created), "%s", s->created);
	m->deadline_ns = s->deadline_ns;
	m->system = s->system;
	for (unsigned i = 0; i < s->cpus_online && i < CPUSET_MAX; i++)
		cpuset_add(&m->system.online, (int)i);
	memcpy(m->rates.loadavg, s->loadavg, sizeof(m->rates.loadavg));
	m->rates.steal_s = s->steal_s;
	m->tiers.fifo = !strcmp(s->tier_rt, "fifo");
	m->tiers.lock = s->locked ? RT_LOCK_ALL : RT_LOCK_NONE;
	for (int t = TIER_NONE; t <= TIER_NS; t++)
		if (!strcmp(s->tier_cleanup, tier_name((enum tier)t)))
			m->tiers.cleanup = (enum tier)t;
	snprintf(m->tiers.blame, sizeof(m->tiers.blame), "%s", s->tier_blame);
	memcpy(m->tiers.blame_how, s->blame_how, sizeof(m->tiers.blame_how));
	snprintf(m->tiers.cstates, sizeof(m->tiers.cstates), "%s", s->tier_cstates);
	m->self.measured = !isnan(s->self.cpu_pct);
	m->self.cpu_pct = or_zero(s->self.cpu_pct);
	m->self.sampler_cpu_pct = or_zero(s->self.sampler_cpu_pct);
	m->self.helper_cpu_pct = or_zero(s->self.helper_cpu_pct);
	m->self.switches = s->self.switches;
	m->self.switches_per_s = or_zero(s->self.switches_per_s);
	m->self.terminal_bytes_per_s = or_zero(s->self.bytes_per_s_to_terminal);
	m->self.sampler_faults = s->self.minor_faults;
	m->self.rss_kb = s->self.rss_kb;
}

static unsigned distinct_loads(const struct snapshot *s)
{
	unsigned n = 0;

	for (unsigned i = 0; i < s->nr_loads; i++) {
		bool seen = false;

		for (unsigned k = 0; k < i && !seen; k++)
			seen = !strcmp(s->loads[k].name, s->loads[i].name);
		n += !seen;
	}
	return n < NAMES_MAX ? n : NAMES_MAX;
}

static unsigned series_of(const struct snapshot *s, const char *const *names, unsigned groups)
{
	unsigned n = 0;

	for (unsigned i = 0; i < s->nr_series; i++)
		for (unsigned k = 0; k < groups; k++)
			n += !strcmp(s->series[i].probe, names[k]);
	return n;
}

static int fill(struct model *m, const struct snapshot *s, const char *const *names,
		const struct model_spec *spec)
{
	int err = 0;

	fill_head(m, s);
	m->zero_ns = m->reset_ns = ZERO_NS;
	m->now_ns = at_ns(s->duration_s);
	m->nr_series = 0;
	for (unsigned i = 0; i < spec->groups && !err; i++)
		err = fill_group(m, i, names[i], s);
	m->nr_series = spec->series;
	if (err)
		return err;
	if (!cpuset_count(&m->measured))
		count_cpus(m, s);
	want_rt(m, s);
	fill_rows(m, s);
	fill_loads(m, s, spec->loads);
	fill_marks(m, s);
	return 0;
}

struct model *snapshot_model(const struct snapshot *s, struct why *why)
{
	const char *names[NAMES_MAX];
	unsigned probes_seen = dist_probes(s, names, NAMES_MAX);
	unsigned groups = probes_seen < NAMES_MAX ? probes_seen : NAMES_MAX;
	struct model_spec spec = {
		.groups = groups, .series = series_of(s, names, groups), .loads = distinct_loads(s),
		.digits = s->nr_series > 128 ? 2 : 3, .start_ns = ZERO_NS,
	};
	struct model *m = model_new(&spec);

	int err = m ? 0 : -ENOMEM;

	if (!err)
		err = fill(m, s, names, &spec);
	if (!err)
		return m;
	why_set(why, err, "replay: no memory for %u series; close something", s->nr_series);
	model_free(m);
	return NULL;
}
