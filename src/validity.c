/*
 * validity.c - see validity.h.
 *
 * Each check looks at one thing and sets or drops the badge of its name.  The
 * text says what was seen, then what to do.
 */
#include "src/validity.h"

#include <stdio.h>
#include <string.h>

#include "src/blame_idle.h"

#define SLACK_MOST_NS 1000	/* the samplers asked for 1 ns */
#define BUSY_PCT 20		/* of its CPU, for a sampler: the interval is too short */
#define OWN_COST_PCT 5		/* of one CPU, for all but the samplers */
#define STEAL_PCT 0.1
#define IDLE_EXIT_MOST_NS 10000	/* a state that takes longer to leave is seen in idle figures */
#define THROTTLED_LEAST 2

/* ---- samplers ------------------------------------------------------------ */

static bool on(const struct model *m, const struct series *s)
{
	return m->groups[s->group].on;
}

static void not_rt(struct model *m, const char *why)
{
	unsigned wanted = 0, without = 0;

	for (unsigned i = 0; i < m->nr_series; i++) {
		const struct series *s = &m->series[i];

		if (!on(m, s) || s->offline || !m->groups[s->group].want_rt)
			continue;	/* of a CPU that is off nothing is known yet */
		wanted++;
		without += strcmp(s->policy, "SCHED_FIFO") && strcmp(s->policy, "SCHED_DEADLINE");
	}
	if (!without) {
		model_badge_drop(m, "not-rt");
		return;
	}
	if (why && why[0])
		model_badge(m, "not-rt", "bad",
			    "NOT REALTIME: %u of %u samplers without SCHED_FIFO: %s", without,
			    wanted, why);
	else
		model_badge(m, "not-rt", "bad",
			    "NOT REALTIME: %u of %u samplers without SCHED_FIFO; "
			    "run `jitterscope doctor`",
			    without, wanted);
}

/* Real time, but more tasks are above the samplers than was wanted. */
static void low_priority(struct model *m, const struct rt_rights *rights)
{
	if (rights->fifo && rights->why.text[0])
		model_badge(m, "low-priority", "warn", "samplers have SCHED_FIFO %d, less than "
			    "wanted: %s", rights->priority, rights->why.text);
}

static void slack(struct model *m)
{
	for (unsigned i = 0; i < m->nr_series; i++) {
		const struct series *s = &m->series[i];

		if (!on(m, s) || s->slack_ns <= SLACK_MOST_NS || !strcmp(s->policy, "SCHED_FIFO"))
			continue;
		model_badge(m, "slack", "warn",
			    "timer slack of %s is %ld us (limit 1), medians are that much too "
			    "high; the kernel refused PR_SET_TIMERSLACK: run without a sandbox",
			    m->groups[s->group].name, s->slack_ns / 1000);
		return;
	}
	model_badge_drop(m, "slack");
}

static void unplaced(struct model *m)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < m->nr_series; i++)
		n += m->series[i].counts.unplaced;
	if (n)
		model_badge(m, "unplaced", "warn",
			    "%llu samples came while a ring was full: in every "
			    "total, but not on the map; use a longer interval",
			    (unsigned long long)n);
	else
		model_badge_drop(m, "unplaced");
}

static void offline(struct model *m)
{
	char list[128];
	struct cpuset away;

	cpuset_clear(&away);
	for (unsigned i = 0; i < m->nr_series; i++)
		if (on(m, &m->series[i]) && m->series[i].offline && m->series[i].cpu >= 0)
			cpuset_add(&away, m->series[i].cpu);
	if (!cpuset_count(&away)) {
		model_badge_drop(m, "wrong-cpu");
		return;
	}
	cpuset_brief(&away, list, sizeof(list));
	model_badge(m, "wrong-cpu", "warn",
		    "cpu %s offline: what ran elsewhere for it counts as "
		    "interrupted; it is measured again when it is back",
		    list);
}

/* The kernel was asked each second where its samplers may run. */
static void unpinned(struct model *m)
{
	unsigned n = 0, seconds = 0;
	int cpu = -1;

	for (unsigned i = 0; i < m->nr_series; i++) {
		const struct series *s = &m->series[i];

		if (!on(m, s) || !s->strayed)
			continue;
		n++;
		if (s->strayed > seconds) {
			seconds = s->strayed;
			cpu = s->cpu;
		}
	}
	if (n)
		model_badge(m, "unpinned", "warn",
			    "%u samplers were not pinned to their CPU (cpu %d: %u s), though it is "
			    "there: something else sets affinities (taskset, cpuset, irqbalance); "
			    "they are pinned again each second", n, cpu, seconds);
	else
		model_badge_drop(m, "unpinned");
}

/* The latencies are right; who made them is in doubt. */
static void blame_idle(struct model *m)
{
	char list[128];
	struct cpuset cpus;

	cpuset_clear(&cpus);
	for (unsigned i = 0; i < m->nr_series; i++)
		if (on(m, &m->series[i]) && m->series[i].idle_unrecorded)
			cpuset_add(&cpus, m->series[i].cpu);
	if (!cpuset_count(&cpus)) {
		model_badge_drop(m, "blame-idle");
		return;
	}
	cpuset_brief(&cpus, list, sizeof(list));
	model_badge(m, "blame-idle", "warn",
		    "cpu %s: perf records no end of idle (%d seen without, limit %d), as on Linux "
		    "6.18 after a CPU was offline: culprits there are unknown, or charged with the "
		    "idle time; latencies are right; reboot, or measure other CPUs with -c",
		    list, BLAME_IDLE_LEAST, BLAME_IDLE_LEAST - 1);
}

/* Tasks of other programs that the samplers wait for, whatever they do. */
static void rivals(struct model *m)
{
	const struct rival_view *r = &m->rivals;
	char class[24];

	if (!r->nr) {
		model_badge_drop(m, "rt-above");
		return;
	}
	if (r->priority >= 100)
		snprintf(class, sizeof(class), "SCHED_DEADLINE");
	else
		snprintf(class, sizeof(class), "priority %d", r->priority);
	model_badge(m, "rt-above", "warn",
		    "%u real-time task%s above the samplers, %s (pid %d, %s) the highest: the "
		    "samplers wait for them; stop them, or measure above them with -p", r->nr,
		    r->nr == 1 ? " is" : "s are", r->comm, r->pid, class);
}

static void silent(struct model *m)
{
	unsigned n = 0;

	for (unsigned i = 0; i < m->nr_series; i++)
		n += on(m, &m->series[i]) && m->series[i].silent;
	if (n)
		model_badge(m, "silent", "bad", "%u samplers have not reported for 2 s: the CPU is "
			    "held by something of higher priority; see `in flight`", n);
	else
		model_badge_drop(m, "silent");
}

static void throttling(struct model *m)
{
	unsigned most = 0;

	for (unsigned i = 0; i < m->nr_series; i++)
		if (m->series[i].throttled > most)
			most = m->series[i].throttled;
	if (most < THROTTLED_LEAST) {
		model_badge_drop(m, "throttling");
		return;
	}
	model_badge(m, "throttling", "warn",
		    "RT throttling or fair server? %u stalls of 30..60 ms a second apart "
		    "(limit 1); look for a busy real-time task (kernel.sched_rt_runtime_us)",
		    most);
}

static void interrupted(struct model *m)
{
	for (unsigned i = m->nr_events; i-- > 0;) {
		const struct event *e = &m->events[i];

		if (strcmp(e->kind, "gap") && strcmp(e->kind, "interrupted"))
			continue;
		model_badge(m, "suspend", "info",
			    "%s during the run: late samples of that time count as "
			    "interrupted",
			    e->text);
		return;
	}
}

/* ---- the machine --------------------------------------------------------- */

static void steal(struct model *m)
{
	if (m->rates.steal_pct > STEAL_PCT)
		model_badge(m, "steal", "warn",
			    "the hypervisor took %.1f %% of a CPU in the latest second (limit "
			    "0.1), %.2f s in all; measure on hardware or on a host not shared",
			    m->rates.steal_pct, m->rates.steal_s);
	else if (m->rates.steal_s > 0)
		model_badge(m, "steal", "warn",
			    "the hypervisor took %.2f s of CPU time during the run; "
			    "marked where it is drawn",
			    m->rates.steal_s);
}

static void virtual_machine(struct model *m)
{
	if (m->system.virtualization[0])
		model_badge(m, "vm", "info", "runs in %s: the host's delays are in these numbers; "
			    "compare only with the same machine", m->system.virtualization);
}

static void cstates(struct model *m)
{
	if (!strcmp(m->tiers.cstates, "held"))
		model_badge(m, "cstates", "info",
			    "CPUs are held out of deep idle: better than this machine "
			    "is without; press z to let go");
	else if (m->system.idle_exit_ns > IDLE_EXIT_MOST_NS)
		model_badge(m, "cstates", "info",
			    "idle CPUs may sleep in %s, %lld us to leave (limit 10): an idle "
			    "machine wakes later than a loaded one; key z or --hold-cstates",
			    m->system.idle_state, (long long)(m->system.idle_exit_ns / 1000));
	else
		model_badge_drop(m, "cstates");
}

static void governor(struct model *m)
{
	const char *g = m->system.governor;

	if (!strcmp(g, "powersave") || !strcmp(g, "ondemand") || !strcmp(g, "conservative") ||
	    !strcmp(g, "schedutil") || !strcmp(g, "mixed"))
		model_badge(m, "governor", "info",
			    "CPU frequency follows load (%s): an idle machine wakes "
			    "slower; `cpupower frequency-set -g performance`",
			    g);
}

static bool slow_clock(const char *name)
{
	static const char *const slow[] = {
		"hpet", "acpi_pm", "jiffies", "pit", "refined-jiffies"
	};

	for (size_t i = 0; i < sizeof(slow) / sizeof(slow[0]); i++)
		if (!strcmp(name, slow[i]))
			return true;
	return false;
}

static void clocksource(struct model *m)
{
	const struct event *changed = NULL;

	for (unsigned i = 0; i < m->nr_events; i++)
		if (!strcmp(m->events[i].kind, "clock") &&
		    !strncmp(m->events[i].text, "clocksource", 11))
			changed = &m->events[i];
	if (changed)
		model_badge(m, "clocksource", "warn",
			    "%s during the run: numbers before and after differ; "
			    "start again",
			    changed->text);
	else if (slow_clock(m->system.clocksource))
		model_badge(m, "clocksource", "warn",
			    "reading the clock (%s) takes about a microsecond; "
			    "boot with clocksource=tsc if the processor allows",
			    m->system.clocksource);
}

static void rt_group(struct model *m, const struct rt_rights *rights)
{
	const char *why = rights->why.text;

	if (!rights->fifo && (strstr(why, "cgroup") || strstr(why, "rt_runtime") ||
			      strstr(why, "rt_group")))
		model_badge(m, "rt-group", "bad", "%s", why);
}

/* ---- the instrument ------------------------------------------------------ */

static void sampler_faults(struct model *m)
{
	if (m->self.sampler_faults)
		model_badge(m, "sampler-faults", "warn",
			    "samplers took %llu page faults (limit 0): some delays are our own; allow "
			    "locked memory (ulimit -l, or the setcap line of doctor)",
			    (unsigned long long)m->self.sampler_faults);
	else
		model_badge_drop(m, "sampler-faults");
}

/* Those whose cost is that of measuring. */
static unsigned nr_samplers(const struct model *m)
{
	unsigned n = 0;

	for (unsigned i = 0; i < m->nr_series; i++)
		n += on(m, &m->series[i]) &&
			!(m->groups[m->series[i].group].probe &&
			  m->groups[m->series[i].group].probe->flags &
				  (PROBE_HELPER | PROBE_WORKS));
	return n;
}

static void interval(struct model *m)
{
	unsigned cpus = (unsigned)cpuset_count(&m->measured), n = nr_samplers(m);
	double pct = m->self.sampler_cpu_pct - m->self.sampler_work_pct;
	double each = n ? pct / (cpus && cpus < n ? cpus : n) : 0;

	if (each > BUSY_PCT)
		model_badge(m, "interval", "warn",
			    "samplers use %.0f %% of each CPU (limit 20): the interval is too "
			    "short for this machine; use a longer -i",
			    each);
	else
		model_badge_drop(m, "interval");
}

static void own_cost(struct model *m)
{
	double pct = m->self.cpu_pct + m->self.helper_cpu_pct;

	if (pct > OWN_COST_PCT)
		model_badge(m, "own-cost", "warn",
			    "the instrument itself uses %.1f %% of a CPU besides "
			    "its samplers (limit 5); fewer frames (key ,) or fewer probes",
			    pct);
	else
		model_badge_drop(m, "own-cost");
}

/* ---- when ---------------------------------------------------------------- */

void validity_start(struct model *m, const struct rt_rights *rights)
{
	not_rt(m, rights->fifo ? NULL : rights->why.text);
	rt_group(m, rights);
	low_priority(m, rights);
	slack(m);
	virtual_machine(m);
	cstates(m);
	governor(m);
	clocksource(m);
	if (rights->lock == RT_LOCK_SAMPLERS)
		model_badge(m, "partly-locked", "info", "%s", rights->lock_why.text);
	if (rights->lock == RT_LOCK_NONE)
		model_badge(m, "not-locked", "warn",
			    "memory is not locked, a sampler may wait for a page: %s",
			    rights->lock_why.text);
}

/* Whether a sampler has real time was said with its reason at the start; it
 * is looked at again, since a sampler may lose it later. */
static void still_rt(struct model *m)
{
	for (unsigned i = 0; i < m->nr_badges; i++)
		if (!strcmp(m->badges[i].name, "not-rt"))
			return;
	not_rt(m, "taken away during the run: a sampler spun, see the events");
}

void validity_tick(struct model *m, int64_t now_ns)
{
	(void)now_ns;
	if (m->zero_ns)
		still_rt(m);
	unplaced(m);
	offline(m);
	unpinned(m);
	blame_idle(m);
	rivals(m);
	silent(m);
	throttling(m);
	interrupted(m);
	steal(m);
	cstates(m);
	clocksource(m);
	sampler_faults(m);
	interval(m);
	own_cost(m);
}
