#include "tests/fake_model.h"

#include <stdio.h>
#include <string.h>

#include "src/clock.h"

#define START_NS (1000 * NS_PER_S)

const char *const fake_names[FAKE_KINDS] = {
	"idle", "churn", "storm", "trouble", "plain", "cpus", "warming", "nothing", "shared",
	"crowd",
};

/* ---- a seeded stream ---- */

struct stream { uint64_t s; };

static uint64_t draw(struct stream *r)
{
	r->s ^= r->s << 13;
	r->s ^= r->s >> 7;
	r->s ^= r->s << 17;
	return r->s * 0x2545f4914f6cdd1du;
}

static unsigned below(struct stream *r, unsigned n)
{
	return (unsigned)((draw(r) >> 32) * n >> 32);
}

/*
 * How late wake-ups are: a body of 2^(0..bits) times base, bell-shaped in
 * octaves, and in some of 1024 cases a tail where each octave is half as
 * likely as the one before.  Whole numbers only: equal on every machine.
 */
struct mood { int64_t base_ns; unsigned bits, tail; int64_t tail_ns; unsigned octaves; };

static const struct mood quiet = { 1900, 2, 4, 9000, 5 }, churning = { 1500, 4, 50, 40000, 6 },
	storming = { 2000, 6, 160, 80000, 7 };
static const struct mood quiet_other = { 26000, 2, 10, 120000, 5 },
	churning_other = { 24000, 4, 120, 400000, 7 },
	storming_other = { 40000, 6, 300, 1800000, 7 };

static int64_t octave_up(struct stream *r, int64_t ns, unsigned octaves)
{
	return (ns << octaves) / 1024 * (1024 + below(r, 1024));
}

static int64_t lateness(struct stream *r, const struct mood *m)
{
	if (below(r, 1024) < m->tail) {
		unsigned up = (unsigned)__builtin_ctzll(draw(r) >> 20 | 1u << m->octaves);

		return octave_up(r, m->tail_ns, up);
	}
	return octave_up(r, m->base_ns,
			 (unsigned)__builtin_popcountll(draw(r) >> 20 & ((1u << m->bits) - 1)));
}

/* ---- what happens when ---- */

struct act { double from_s, to_s; int load; };	/* load: 0 churn, 1 fork */

struct story {
	int cpus, hz;
	double seconds;
	unsigned groups;
	struct act act[4];
	unsigned acts;
	bool plain, trouble;
};

static const struct story stories[FAKE_KINDS] = {
	[FAKE_IDLE] = { 4, 1000, 73, 2 },
	[FAKE_CHURN] = { 4, 1000, 101, 2, { { 40, 1e9, 0 } }, 1 },
	[FAKE_STORM] = { 8, 1000, 432, 4, { { 344, 381, 0 }, { 399, 1e9, 1 } }, 2 },
	[FAKE_TROUBLE] = { 4, 1000, 150, 3, { { 60, 90, 0 }, { 80, 1e9, 1 } }, 2, false, true },
	[FAKE_PLAIN] = { 2, 1000, 60, 2, { { 0 } }, 0, true },
	[FAKE_CPUS] = { 96, 100, 40, 2 },
	[FAKE_WARMING] = { 4, 1000, 0, 2 },
	[FAKE_SHARED] = { 2, 100, 100, 2, { { 34, 1e9, 0 }, { 40, 1e9, 1 }, { 70, 75, 2 } }, 3 },
	[FAKE_CROWD] = { 2, 100, 100, 2 },
};

static const char *const load_table[][4] = {	/* key, name, unit, rate unit */
	{ "D", "churn", "MB", "MB/s" }, { "F", "fork", "forks", "forks/s" },
	{ "E", "exec", "execs", "execs/s" },
	{ "S", "sh", "loops", "loops/min" }, { "P", "process", "hops", "hops/s" },
	{ "C", "ctar", "MB", "MB/s" },
	{ "X", "xtar", "files", "files/s" }, { "W", "write", "MB", "MB/s" },
	{ "R", "read", "MB", "MB/s" },
	{ "L", "list", "entries", "entries/s" }, { "M", "mem", "MB", "MB/s" },
	{ "B", "bandwidth", "MB", "MB/s" },
	{ "H", "context", "msgs", "msgs/s" }, { "T", "tcp", "sweeps", "sweeps/s" },
	{ "U", "cpu", "loops", "loops/s" },
	{ "K", "compile", "jobs", "jobs/s" }, { "I", "bonnie", "KB", "KB/s" },
	{ "G", "fault", "faults", "faults/s" },
	{ "N", "mlock", "MB", "MB/s" }, { "Y", "udp", "pkts", "pkt/s" },
};
#define LOADS_N (sizeof(load_table) / sizeof(load_table[0]))

static const struct act *act_at(const struct story *s, double t)
{
	for (unsigned i = s->acts; i-- > 0;)
		if (t >= s->act[i].from_s && t < s->act[i].to_s)
			return &s->act[i];
	return NULL;
}

static const struct mood *mood_at(const struct story *s, bool fifo, double t)
{
	const struct act *a = act_at(s, t);

	if (fifo)
		return !a ? &quiet : a->load ? &storming : &churning;
	return !a ? &quiet_other : a->load ? &storming_other : &churning_other;
}

/* ---- machine, groups, series ---- */

static void set_machine(struct model *m, const struct story *s)
{
	struct sysinfo *y = &m->system;

	*y = (struct sysinfo){
		.host = "rt-box", .kernel = "6.12.8-rt", .preempt = "rt", .hz = 1000,
		.clocksource = "tsc",
		.cpu_model = "AMD Ryzen 7 5700G", .governor = "performance",
		.mem_total_kb = 32 << 20, .autogroup = 1,
	};
	for (int cpu = 0; cpu < s->cpus; cpu++) {
		cpuset_add(&y->online, cpu);
		cpuset_add(&m->measured, cpu);
	}
	if (s->cpus >= 8) {
		cpuset_add(&y->isolated, 2);
		cpuset_add(&y->isolated, 3);
	}
	m->tiers = (struct tiers){ .fifo = true, .cleanup = TIER_NS, .blame = "switch",
		.lock = RT_LOCK_ALL,
				   .cstates = "free" };
	m->self = (struct self_usage){ .cpu_pct = 0.4, .rss_kb = 9000,
		.terminal_bytes_per_s = 1740 };
	m->rates = (struct sysrates){ .disk_read_bytes = 2.1e6, .disk_write_bytes = 83e6,
		.net_rx_bytes = 5200,
		.net_tx_bytes = 3100, .forks = 9800, .switches = 48200, .interrupts = 19100,
		.softirqs = 4400,
		.run_queue = 7, .blocked = 1, .loadavg = { 4.11, 1.9, 0.8 }, .psi_cpu = 31.5,
		.psi_io = 2.4, .psi_mem = 0,
		.mem_available_kb = 24e6, .cpu_busy_pct = 612, .steal_pct = 0 };
}

static void set_series(struct model *m, const struct story *s, unsigned group, unsigned first)
{
	struct group *g = &m->groups[group];
	bool pinned = group < 2;

	g->first = first;
	g->nr = pinned ? (unsigned)s->cpus : 1;
	for (unsigned i = 0; i < g->nr; i++) {
		struct series *one = &m->series[first + i];
		bool fifo = group == 0 && !s->plain;

		one->group = group;
		one->cpu = pinned ? (int)i : -1;
		one->isolated = pinned && cpuset_has(&m->system.isolated, (int)i);
		snprintf(one->policy, sizeof(one->policy), "%s",
			 fifo ? "SCHED_FIFO" : "SCHED_OTHER");
		one->priority = fifo ? 80 : 0;
		one->interval_ns = NS_PER_S / (pinned ? s->hz : 100);
	}
}

static void set_groups(struct model *m, const struct story *s)
{
	static const char *const names[] = { "wakeup-fifo", "wakeup-other", "fsync", "fork" };
	unsigned first = 0;

	for (unsigned i = 0; i < m->nr_groups; i++) {
		struct group *g = &m->groups[i];

		snprintf(g->name, sizeof(g->name), "%s", names[i]);
		g->on = true;
		g->want_rt = i == 0;
		g->have_rt = i == 0 && !s->plain;
		set_series(m, s, i, first);
		first += g->nr;
	}
}

/* ---- samples ---- */

static void sample(struct model *m, struct group *g, struct series *s, int64_t t, int64_t late,
		   bool recent)
{
	hist_record(g->run, late);
	if (recent)
		hist_record(g->now, late);
	hist_record(s->total, late);
	history_add(g->history, t, late);
	history_add(s->history, t, late);
	s->counts.count++;
	s->counts.due++;
	if (t >= m->now_ns - NS_PER_S && late > s->column_max_ns)
		s->column_max_ns = late;
}

static void missed(struct group *g, struct series *s, int64_t t, uint64_t n)
{
	history_lost(g->history, t, n, 0);
	history_lost(s->history, t, n, 0);
	history_flag(g->history, t, HISTORY_MISSED);
	s->counts.missed += n;
	s->counts.due += n;
}

static void series_fill(struct model *m, const struct story *st, struct group *g, struct series *s,
			struct stream *r, int64_t from, int64_t to)
{
	bool fifo = g->want_rt && g->have_rt;
	int heat = s->cpu == 5 ? 12 : s->isolated ? 5 : 8;	/* eighths */

	for (int64_t t = from; t < to; t += s->interval_ns) {
		int64_t late = lateness(r, mood_at(st, fifo, (double)(t - m->zero_ns) / NS_PER_S)) *
			       heat / 8;

		if (s->isolated && late > 40000)
			late = 40000;
		sample(m, g, s, t, late, t >= m->now_ns - 10 * NS_PER_S);
		if (late > s->interval_ns)
			missed(g, s, t, (uint64_t)(late / s->interval_ns));
	}
}

/* What is wrong with the samples of a second of the story. */
static unsigned flags_at(const struct story *st, double t)
{
	if (st->plain)
		return HISTORY_NOT_RT;
	if (!st->trouble)
		return 0;
	return t >= 70 && t < 74     ? HISTORY_STOPPED
	       : t >= 110 && t < 135 ? HISTORY_STEAL
	       : t >= 140	     ? HISTORY_NOT_RT
				     : 0;
}

static void fill(struct model *m, const struct story *st)
{
	struct stream r = { 0x9e3779b97f4a7c15u };
	/* Long stories are only told in full where a screen looks. */
	int64_t from = st->seconds > 240 ? m->now_ns - 240 * NS_PER_S : m->zero_ns;

	for (int64_t t = from; t < m->now_ns; t += NS_PER_S) {
		for (unsigned g = 0; g < m->nr_groups; g++) {
			struct group *group = &m->groups[g];

			for (unsigned i = 0; i < group->nr; i++)
				series_fill(m, st, group, &m->series[group->first + i], &r, t,
					    t + NS_PER_S);
			for (int64_t q = t; g == 0 && q < t + NS_PER_S; q += NS_PER_S / 4)
				history_flag(group->history, q,
					     flags_at(st, (double)(t - m->zero_ns) / NS_PER_S));
			history_advance(group->history, t + NS_PER_S);
			for (unsigned i = 0; i < group->nr; i++)
				history_advance(m->series[group->first + i].history, t + NS_PER_S);
		}
	}
}

/* ---- loads ---- */

static void set_loads(struct model *m)
{
	for (unsigned i = 0; i < m->nr_loads; i++) {
		struct load_view *l = &m->loads[i];

		l->key = load_table[i][0][0];
		snprintf(l->name, sizeof(l->name), "%s", load_table[i][1]);
		snprintf(l->unit, sizeof(l->unit), "%s", load_table[i][2]);
		snprintf(l->rate_unit, sizeof(l->rate_unit), "%s", load_table[i][3]);
		l->figure = !strcmp(l->unit, "MB") ? LOAD_BYTES : LOAD_OPS;
		l->workers = i ? 4 : 8;
		l->rate = l->rate_mean = -1;
		for (unsigned k = 0; k < LOAD_TREND; k++)
			l->trend[k] = -1;
	}
}

static double rate_of(unsigned load, struct stream *r)
{
	return load ? 7800 + below(r, 4000) : below(r, 16) ? 480 + below(r, 490) : 0;
}

static void play_load(struct model *m, const struct act *a, struct stream *r)
{
	struct load_view *l = &m->loads[a->load];
	struct load_run *run = &m->runs[m->nr_runs++];
	int64_t from = m->zero_ns + (int64_t)(a->from_s * 1e9),
		to = m->zero_ns + (int64_t)(a->to_s * 1e9);
	bool over = a->to_s < 1e8;
	unsigned n = 0;

	*run = (struct load_run){ .number = m->nr_runs - 1, .load = (unsigned)a->load,
				  .workers = l->workers, .start_ns = from,
				  .stop_ns = over ? to : 0, .rate = a->load ? 9800 : 812 };
	snprintf(run->end, sizeof(run->end), "%s", over ? "stopped" : "");
	l->runs++;
	l->start_ns = from;
	l->stop_ns = run->stop_ns;
	l->state = over ? LOAD_OFF : LOAD_RUN;
	l->rate = l->rate_mean = run->rate;
	l->cpu_pct = over ? 0 : 391;
	for (int64_t t = from; t < (over ? to : m->now_ns); t += NS_PER_S / 4, n++) {
		double rate = rate_of((unsigned)a->load, r);

		load_history_add(m->load_history[a->load], t, rate / 4, true);
		if (n % 4 == 0) {
			memmove(l->trend, l->trend + 1, sizeof(l->trend) - sizeof(l->trend[0]));
			l->trend[LOAD_TREND - 1] = rate;
		}
	}
}

/* ---- the rest of each story ---- */

static void set_blame(struct model *m, const struct spike *s)
{
	struct blamed parts = { .ns = 0 };

	blamed_part(&parts, s->culprit[0].comm[0] == 'f' ? "fork workers" : "kworker",
		    s->culprit[0].ns);
	blamed_part(&parts, "bash", s->culprit[1].ns);
	blamed_part(&parts, BLAMED_UNKNOWN, s->late_ns - s->culprit[0].ns - s->culprit[1].ns);
	model_blamed(m, s, &parts);
}

/* The latest are those that come last. */
static void set_spikes(struct model *m, const struct story *s)
{
	snprintf(m->tiers.blame_how, sizeof(m->tiers.blame_how), "%s: tasks, interrupts inside their "
		 "shares; not tracepoints: /sys/kernel/tracing: not mounted; mount -t tracefs none "
		 "/sys/kernel/tracing", m->tiers.blame);
	for (unsigned i = 14; s->acts && i-- > 0;) {
		struct spike p = { .t_ns = m->now_ns - (1 + 2 * (int64_t)i) * NS_PER_S,
			.cpu = i % 3 ? 5 : 1, .nr = 2,
				   .late_ns = 89000000 / (10 + 3 * (int64_t)i) };

		snprintf(p.culprit[0].comm, sizeof(p.culprit[0].comm), "%s",
			 i % 2 ? "fork:2" : "kworker/5:1");
		p.culprit[0].pid = 812 + (int)i * 77;
		p.culprit[0].ns = p.late_ns * 93 / 100;
		snprintf(p.culprit[1].comm, sizeof(p.culprit[1].comm), "bash");
		p.culprit[1].pid = 4711;
		p.culprit[1].ns = p.late_ns * 5 / 100;
		snprintf(p.loads, sizeof(p.loads), "fork");
		model_spike(m, &p);
		set_blame(m, &p);
	}
}

static void set_baseline(struct model *m)
{
	struct stream r = { 77 };

	for (unsigned g = 0; g < m->nr_groups && g < 2; g++)
		for (unsigned i = 0; i < 300000; i++)
			hist_record(m->groups[g].baseline, lateness(&r, g ? &quiet_other : &quiet));
	for (unsigned g = 0; g < 2; g++)
		m->groups[g].baseline_missed = 207 + 5 * g;
	snprintf(m->baseline.name, sizeof(m->baseline.name), "run to 00:01:00");
	model_event(m, m->zero_ns + 60 * NS_PER_S, "baseline", "baseline set");
}

static void set_trouble(struct model *m)
{
	int64_t t = m->now_ns;
	struct load_view *bad = &m->loads[13];

	bad->state = LOAD_FAILED;
	bad->runs = 1;
	snprintf(bad->why, sizeof(bad->why),
		 "tcp: cannot listen on 127.0.0.1: Address already in use; stop the other one");
	m->series[2].offline = true;
	m->series[3].silent = true;
	m->series[1].in_flight_ns = 2400 * (NS_PER_S / 1000);
	snprintf(m->system.host, sizeof(m->system.host), "%s", "Größe-日本語-host");
	snprintf(m->groups[2].error, sizeof(m->groups[2].error),
		 "fsync: no scratch folder; give --scratch DIR");
	model_badge(m, "steal", "warn",
		    "the hypervisor took 1.2 s; latency holds its pauses; measure on the host");
	model_badge(m, "vm", "info", "kvm guest: figures hold the host's scheduling");
	model_badge(m, "throttled", "bad",
		    "real-time throttling: sched_rt_runtime_us took 50 ms of a second");
	model_event(m, t - 40 * NS_PER_S, "mark", "before the update");
	model_event(m, t - 21 * NS_PER_S, "reset", "new run");
	model_event(m, t - 20 * NS_PER_S, "hotplug", "cpu2 offline");
	model_status(m, true, "cannot save: /root: Permission denied; give -o FILE");
}

static void set_plain(struct model *m)
{
	m->tiers = (struct tiers){ .cleanup = TIER_SUBREAPER, .blame = "none", .lock = RT_LOCK_NONE,
		.cstates = "unknown" };
	model_badge(m, "not-rt", "bad",
		    "measured as SCHED_OTHER: RLIMIT_RTPRIO is 0; see jitterscope doctor");
	snprintf(m->supervisor_why, sizeof(m->supervisor_why), "--no-loads was given");
}

static struct model *empty_model(enum fake_kind kind, const struct story *s)
{
	struct model_spec spec = { .groups = s->groups, .loads = s->groups ? LOADS_N : 0,
		.start_ns = START_NS,
				   .digits = s->cpus > 64 ? 2 : 3 };

	spec.series = s->groups ? (unsigned)s->cpus * 2 + (s->groups > 2 ? s->groups - 2 : 0) : 0;
	struct model *m = model_new(&spec);

	if (!m || kind == FAKE_NOTHING)
		return m;
	if (kind != FAKE_WARMING)
		m->zero_ns = m->reset_ns = START_NS;
	m->now_ns = START_NS + (int64_t)(s->seconds * 1e9);
	return m;
}

struct model *fake_model(enum fake_kind kind)
{
	const struct story *s = &stories[kind];
	struct stream r = { 42 };
	struct model *m = empty_model(kind, s);

	if (!m || kind == FAKE_NOTHING)
		return m;
	set_machine(m, s);
	set_groups(m, s);
	set_loads(m);
	if (kind != FAKE_WARMING)
		fill(m, s);
	for (unsigned i = 0; i < s->acts; i++)
		play_load(m, &s->act[i], &r);
	for (unsigned i = 0; kind == FAKE_CROWD && i < LOADS_N; i++)
		play_load(m, &(struct act){ 60 + 0.4 * i, 1e9, (int)i }, &r);
	set_spikes(m, s);
	if (kind == FAKE_STORM)
		set_baseline(m);
	if (s->trouble)
		set_trouble(m);
	if (s->plain)
		set_plain(m);
	if (kind == FAKE_CPUS)
		m->series[77].offline = true;
	return m;
}

void fake_view(struct view *v, const struct model *m, const char *theme)
{
	view_init(v);
	v->theme = theme_adapt(theme_find(theme), 256, true);
	v->now_ns = m->now_ns;
}
