/*
 * model.h - everything the screen, the report and the snapshot show.
 *
 * The main thread owns it and is the only one that reads or writes it.  The
 * collector fills it from a live machine; a replay fills it from a file; the
 * panels only read it.  Memory is made at start (model_new()), or for what is
 * off when it is first wanted (model_prepare_...()); until then it shows the
 * model's one empty histogram and history.
 *
 * Times are CLOCK_MONOTONIC ns; zero_ns is the end of warm-up, from which
 * seconds in files and schedules count.
 */
#ifndef JS_MODEL_H
#define JS_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "src/blamed.h"
#include "src/hist.h"
#include "src/history.h"
#include "src/load.h"
#include "src/probe.h"
#include "src/rt.h"
#include "src/supervisor.h"
#include "src/sysinfo.h"

struct counts {			/* due == count + missed + interrupted, exactly */
	uint64_t due, count, missed, interrupted;
	uint64_t early, over, unplaced, errors;	/* inside the above */
};

struct series {			/* one probe (variant) on one CPU */
	unsigned group;
	int cpu;		/* -1: not pinned */
	bool isolated, offline, silent;	/* silent: no report for 2 s */
	int64_t offline_ns;	/* when it was noticed that its CPU went */
	bool idle_unrecorded;	/* perf tells no end of idle on its CPU: see blame_idle.h */
	unsigned strayed;	/* seconds in which it was not pinned to its CPU, which was there */
	unsigned strayed_lately;	/* of these, in the latest row of such looks */
	int64_t strayed_ns;	/* the latest look */
	char policy[20];	/* as read back: "SCHED_FIFO" */
	int priority, nice;
	long slack_ns;
	int64_t interval_ns;
	int64_t phase_ns;	/* of a sampler's due times in the interval; -1: has none */
	struct counts counts;	/* since time zero; never reset */
	int last_errno;
	int64_t in_flight_ns;	/* how long the unfinished wait or call is late; 0: in time */
	struct hist *total;	/* since time zero */
	struct history *history;	/* this CPU alone (short); NULL: only the group's */
	int64_t column_max_ns;	/* max of the latest second */
	unsigned throttled;	/* stalls of 30..60 ms, each a second after the one before */
	int64_t counter[PROBE_COUNTERS_MAX];	/* the probe's own, named by its table */
	int64_t run_counter[PROBE_COUNTERS_MAX];	/* as they were at the last reset */
	int64_t undo_counter[PROBE_COUNTERS_MAX];	/* run_counter of the run kept in undo */
	char error[128];	/* "" or why it does not report */
};

struct group {			/* a probe (variant), all its CPUs: what is plotted */
	char name[PROBE_NAME_MAX + 8];	/* "wakeup-fifo", "create-0k" */
	char summary[80];
	const struct probe *probe;	/* NULL in a replay */
	unsigned variant;
	bool on;
	bool want_rt, have_rt;	/* have_rt: every series SCHED_FIFO */
	unsigned first, nr;	/* its series in model.series[] */
	struct hist *now;	/* last 10 s */
	struct hist *run;	/* since the last reset */
	struct hist *undo;	/* the run before the reset, for 5 s */
	struct hist *baseline;	/* count 0: none */
	int64_t baseline_missed;	/* -1: not known */
	struct counts run_start;	/* counts (summed) at the last reset */
	struct counts undo_start;	/* run_start of the run kept in undo */
	struct history *history;	/* CPUs summed */
	char error[128];
};

enum load_state { LOAD_OFF, LOAD_STARTING, LOAD_RUN, LOAD_STOPPING, LOAD_FAILED };

#define LOAD_TREND 32
#define LOAD_CPUS_MAX 64	/* a longer list ends in "..." */
struct load_view {		/* a load of the registry and its current or last run */
	char name[LOAD_NAME_MAX], unit[12], rate_unit[16];
	char key;
	enum load_figure figure;
	const struct load *load;	/* NULL in a replay of an unknown one */
	enum load_state state;
	unsigned workers;	/* wanted, or of the current run */
	unsigned run_workers;	/* of the run that was started last; 0: as workers */
	long knob[LOAD_KNOBS_MAX];
	char cpus[LOAD_CPUS_MAX];	/* it is kept on these; "": anywhere */
	int progress_pct;
	int64_t asked_ns, start_ns, stop_ns;	/* start: RUN began; stop 0: running */
	int64_t ends_ns;	/* time limit; 0: none */
	uint64_t ops, bytes, passes, cpu_ns, errors, throttled;
	double done;		/* in `unit` (MB or ops) since RUN */
	double rate;		/* in rate_unit, last interval; < 0: none yet */
	double rate_mean;	/* cumulative since RUN */
	double cpu_pct;		/* 100 = one CPU */
	int64_t max_op_ns;
	bool no_progress;	/* 2 s of RUN without work */
	double trend[LOAD_TREND];	/* rates of the last seconds, newest last; < 0: none */
	char why[320];		/* FAILED: reason; OFF: "" or the stop line */
	unsigned runs;		/* how often it ran */
};

struct load_run {		/* a finished or running load: the load row and the snapshot */
	uint64_t number;	/* of all that there were: 0, 1, ...; its own for good */
	unsigned load;
	unsigned workers;
	long knob[LOAD_KNOBS_MAX];
	char cpus[LOAD_CPUS_MAX];
	int64_t start_ns, stop_ns;	/* stop 0: running */
	double done, rate, cpu_pct;
	int64_t max_op_ns;
	uint64_t passes, seed;
	char end[12];		/* "" "stopped" "failed" "finished" */
	char why[320];
};

struct event {			/* a moment with a word: map marks, snapshot events */
	int64_t t_ns;
	uint64_t nth;		/* so many were told before it; one told late has an earlier t_ns */
	char kind[16];		/* load-start load-stop load-fail mark reset interrupted clock hotplug rt baseline gap */
	char text[80];
};

#define SPIKE_CULPRITS 6
struct spike {
	int64_t t_ns, late_ns;	/* t: woke */
	unsigned group;
	int cpu;
	unsigned nr;
	struct { int pid; char comm[20]; int64_t ns; } culprit[SPIKE_CULPRITS];
	char loads[64];		/* names of the loads that ran, blank-separated */
	bool steal, incomplete;
	char note[64];
};

struct rival_view {		/* real-time tasks of others above our samplers */
	unsigned nr;
	int pid, priority;	/* the highest; 100: SCHED_DEADLINE */
	char comm[16];
};

struct badge {
	char name[24];		/* "not-rt" "steal" "vm" ... */
	char level[8];		/* "info" "warn" "bad" */
	char text[400];		/* what was seen, and the remedy, with the path of a program */
};

struct tiers {
	bool fifo;
	enum tier cleanup;
	char blame[16];		/* tracepoints switch proc none */
	char blame_how[320];	/* what it tells, and the way to the next level */
	enum rt_lock lock;
	char cstates[10];	/* held free unknown */
};

#define MODEL_EVENTS 4096
#define MODEL_RUNS 1024
#define MODEL_SPIKES 100
#define MODEL_LATEST 1000
#define MODEL_BADGES 24

struct load_history;		/* per load: work done by time; load_history.c */

struct model {
	bool replay;
	char label[80];
	uint64_t seed;		/* of loads and phases */
	char program[16];	/* version */
	char created[32];	/* of a replayed file; else "" */
	struct sysinfo system;
	struct sysrates rates;
	struct self_usage self;
	struct tiers tiers;
	struct rival_view rivals;
	struct cpuset measured;

	int64_t start_ns, zero_ns, now_ns;	/* zero 0: warming up */
	int64_t zero_at_ns;	/* when it is to be, known in advance; 0: the first sample says */
	int64_t reset_ns;	/* time of the last reset, else zero */
	int64_t undo_reset_ns;	/* reset_ns of the run kept in undo */
	struct group *groups;	unsigned nr_groups;
	struct series *series;	unsigned nr_series;
	struct load_view *loads;	unsigned nr_loads;
	struct load_history **load_history;	/* [nr_loads] */

	struct event *events;	unsigned nr_events;	/* oldest first; the oldest fall out */
	uint64_t lost_events;
	struct load_run *runs;	unsigned nr_runs;	/* by number */
	uint64_t lost_runs;	/* the oldest that had ended, dropped for newer ones */
	struct spike *spikes;	unsigned nr_spikes;	/* worst first, since the last reset */
	struct spike *undo_spikes;	unsigned nr_undo_spikes;
	struct spike *latest;	uint64_t latest_seen;	/* model_latest() reads them */
	uint64_t latest_before, undo_latest_before;	/* of these, before the last reset */
	/* Who held the CPUs since the last reset: first over all spikes, then by loads. */
	struct blamed *blamed;	unsigned nr_blamed;
	struct blamed *undo_blamed;	unsigned nr_undo_blamed;
	/* Since the reset, as the tables. */
	uint64_t spikes_seen, spikes_incomplete, spikes_unread;	/* blame: walked; part unknown; not looked at */
	uint64_t undo_seen, undo_incomplete, undo_unread;
	struct badge badges[MODEL_BADGES];	unsigned nr_badges;
	int64_t deadline_ns;	/* 0: none */
	struct {		/* which baseline it is; "": not known */
		char name[64];		/* "other.json" "run to 00:01:02" */
		char facts[200];	/* its host, kernel and CPUs, and when it was made */
		char differs[100];	/* from here: "kernel, CPUs measured"; "": in nothing known */
	} baseline;

	unsigned digits;	/* of per-CPU totals */
	struct hist *empty, *empty_total;	/* of groups and series that are not prepared */
	struct history *empty_history;

	char status[200];	/* last message */
	bool status_bad;
	int64_t status_ns;
	char supervisor_why[200];	/* "" or why there are no loads */
};

struct model_spec {
	unsigned groups, series, loads;
	unsigned digits;	/* of per-CPU totals: 3, or 2 above 64 CPUs (then maxima only by time) */
	int64_t start_ns;
	bool lazy;		/* groups and series have no memory of their own yet */
};

/* Groups, series and loads zeroed but for their histograms and histories.
 * NULL: no memory. */
struct model *model_new(const struct model_spec *spec);
/* Memory of its own for a group, for a series (its group must be set, and gets
 * its own too).  Again: nothing happens.  0 or -ENOMEM: it stays as it was. */
int model_prepare_group(struct model *m, unsigned group);
int model_prepare_series(struct model *m, unsigned series);
bool model_prepared(const struct model *m, const struct group *g);
bool model_series_prepared(const struct model *m, const struct series *s);
void model_free(struct model *m);

/* Kept in order of time; foreign text is cleaned. */
void model_event(struct model *m, int64_t t_ns, const char *kind, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
void model_status(struct model *m, bool bad, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
unsigned model_run_workers(const struct load_view *v);	/* of the run that is on, or was last */
void model_worst(struct model *m, const struct spike *s);	/* keeps it if it is one of them */
void model_spike(struct model *m, const struct spike *s);	/* keeps the worst and the latest */
/* Those of the run, the number-th seen since the start of the program; NULL:
 * before the last reset, or no longer kept. */
const struct spike *model_latest(const struct model *m, uint64_t number);
unsigned model_latest_count(const struct model *m);	/* the newest is latest_seen - 1 */
/* The parts of one spike, whose sum is its lateness. */
void model_blamed(struct model *m, const struct spike *s, const struct blamed *parts);
void model_badge(struct model *m, const char *name, const char *level, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));	/* replaces one of that name */
void model_badge_drop(struct model *m, const char *name);

/* Warm-up ends: zero_ns and the run begin, histories (still empty) count from it. */
void model_zero(struct model *m, int64_t zero_ns);

/* Sums over a group's series. */
struct counts model_counts(const struct model *m, const struct group *g);
uint64_t model_run_missed(const struct model *m, const struct group *g);	/* since the reset */
bool counts_hold(const struct counts *c);	/* the sum rule */
/* The group's exact total over CPUs since time zero; caller frees. NULL: no memory. */
struct hist *model_total(const struct model *m, const struct group *g);
int64_t model_in_flight(const struct model *m, const struct group *g);	/* worst of its series */
/* Is, or was, one on that is to run in real time? */
bool model_has_rt_probe(const struct model *m);
int model_group(const struct model *m, const char *name);	/* index or -1 */

void model_reset(struct model *m, int64_t now_ns);	/* new run; old kept in undo */
bool model_reset_undo(struct model *m, int64_t now_ns);	/* false: over 5 s ago */
void model_baseline_set(struct model *m);	/* run becomes baseline, and says so */
void model_baseline_drop(struct model *m);

/* Load rows: work done by time, same tiers as history (250 ms, 1 s, 10 s, 60 s). */
struct load_history *load_history_new(int64_t zero_ns);
void load_history_restart(struct load_history *h, int64_t zero_ns);
void load_history_free(struct load_history *h);
void load_history_add(struct load_history *h, int64_t t_ns, double done, bool running);
/* Work done in the rows that begin in [from,to) (or in the row that holds from_ns,
 * when the span is finer) in units, and whether it ran at any moment of it. */
bool load_history_span(const struct load_history *h, int64_t from_ns, int64_t to_ns, double *done);

#endif
