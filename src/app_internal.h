/*
 * app_internal.h - struct app, shared by app*.c alone.
 *
 * app.c turns the loop, app_start.c sets everything up, app_stop.c takes it
 * down, app_do.c obeys orders, app_signals.c reads signals, app_probes.c knows
 * which probes there are, app_measure.c turns them on and off, app_samplers.c
 * and app_helpers.c do what that means.  Main thread only.
 */
#ifndef JS_APP_INTERNAL_H
#define JS_APP_INTERNAL_H

#include <poll.h>
#include <signal.h>
#include <termios.h>

#include "src/app.h"
#include "src/spawn.h"
#include "src/clock.h"
#include "src/blame.h"
#include "src/rivals.h"
#include "src/collector.h"
#include "src/counters.h"
#include "src/cstates.h"
#include "src/rt.h"
#include "src/sampler.h"
#include "src/snapshot.h"
#include "src/supervisor.h"
#include "src/watchdog.h"

#define APP_TICK_LIVE_NS (250 * NS_PER_MS)
#define APP_TICK_RECORD_NS NS_PER_S
#define APP_LOAD_LIMIT_NS (600 * NS_PER_S)	/* of a load started by key */
#define APP_GRACE_MS 300			/* TERM to KILL */
#define APP_SWEEP_MS 5000			/* for scratch that is being deleted */
#define APP_QUIT_MS 1000			/* main waits no longer for anything */
#define APP_STOP_NS (1500 * NS_PER_MS)		/* loads that stop before a quit */

struct app_probe {		/* a probe of the registry and what runs for it */
	const struct probe *probe;
	unsigned index;			/* in probes[] */
	const struct option_probe *option;	/* NULL: its defaults */
	unsigned group, groups;		/* its groups in the model, one a variant */
	struct cpuset cpus;		/* PROBE_PER_CPU: one sampler on each */
	unsigned series;		/* the first; variant by variant */
	unsigned first_sampler, nr_samplers;	/* in app.samplers; 0: helper */
	bool on;
	bool dead;			/* on, but its helper has ended by itself */
	uint64_t done, errors;		/* PROBE_ONESHOT: samples and failures, */
	double sum_ns;			/* and the sum of the samples, when asked */
};

struct app_load {		/* what the model does not say about a load */
	bool restart;			/* start it again once it is off */
	struct order again;		/* ... like this */
	int64_t limit_ns;		/* of the current run; INT64_MAX: none */
	const struct cpuset *cpus;	/* where it runs; NULL: anywhere */
};

enum app_phase { APP_STARTING, APP_RUNNING, APP_STOPPING, APP_DONE };

struct app {
	struct options *o;
	const struct frontend *front;
	void *self;			/* the front end's */
	bool front_open;

	struct model *m;
	struct counters *counters;
	struct supervisor *sup;
	struct collector *collector;	/* NULL: a replay */
	struct blame *blame;		/* NULL: a replay */
	struct rivals *rivals;
	int64_t fill_ns;		/* when CPUs that came get their samplers; 0: none came */
	struct cpuset moved;		/* CPUs that came or went, */
	int64_t settled_ns;		/* not long before this */
	unsigned pin_turn;		/* the sampler whose affinity is asked for next */
	struct watchdog *watchdog;
	struct saver *saver;
	struct recording *recording;	/* -o FILE.jsr; NULL */
	bool record_told;		/* why it was not written to its end has been said */
	struct spawn *child;		/* record -- COMMAND */
	struct cstates *cstates;
	struct rt_rights rights;

	struct app_probe *probes;
	unsigned nr_probes;
	struct sampler **samplers;	/* NULL where one is off */
	pid_t *demoted;			/* beside them: whose loss of real time has been told; 0: nobody's */
	bool *released;			/* those that may sample */
	unsigned nr_samplers;
	struct sampler **watched;	/* the ones that run, for the watchdog */
	struct app_load *loads;

	int tty_fd;			/* -1: no terminal */
	int saver_fd, signal_fd;

	enum app_phase phase;
	unsigned quits;			/* how often quit was asked for */
	int64_t stop_by_ns;		/* APP_STOPPING: leave the loop then */
	int64_t grid_ns;		/* the start of all samplers: phases count from it */
	int64_t zero_ns;		/* planned end of warm-up; 0: not released */
	bool zero_reached;
	int64_t end_ns;			/* of the run; INT64_MAX: until told */
	bool ran_out;			/* ended by its own length, not by a person */
	int64_t tick_ns, last_tick_ns, next_tick_ns, next_frame_ns, next_second_ns;
	int64_t last_turn_ns;		/* a stop from outside happened after it */
	int64_t reset_ns;		/* the last reset that can be taken back; 0: none */
	uint64_t wrote_bytes;		/* since the last second */
	unsigned xcpu_seen, demotions_seen, kills_seen;
	bool supervisor_lost, supervisor_ended;
	bool was_rt;			/* every FIFO sampler had real time, so far */
	int64_t broke_ns;		/* --break happened; 0: no */
	unsigned broke_group;		/* of whom */
	bool bell;			/* --bell: to be rung */
	int64_t bell_ns;		/* when it was rung last */
	bool drew;			/* the front end has drawn in this turn */
	bool slowed, main_rt, main_demoted;	/* main_rt: real time was granted */
	unsigned slow_frames;		/* in a row */
	int tracing_fd;			/* tracing_on, for --break; < 0: none */
	struct why tracing_why;		/* why not */
	unsigned saves_failed;
	char saved[512];		/* the snapshot that was saved last; "" none */
	bool written;			/* the output is, and well */
	bool drop_output;
	bool terminal_gone;
	char *screen;			/* .ans text */
	int exit_code;
};

/* app_start.c */
void app_raise_main(struct app *app);

/* app_signals.c */
int app_signals_open(struct app *app, struct why *why);
void app_signals_read(struct app *app);
void app_suspend(struct app *app);
/* The loop is over: from here INT, TERM, QUIT and HUP end the program. */
void app_signals_release(struct app *app);

/* app_check.c: -EINVAL for what could never start, before anything is forked. */
int app_check(const struct options *o, struct why *why);

/* app_probes.c */
int app_probes_choose(struct app *app, struct why *why);
unsigned app_probes_groups(const struct app *app, unsigned *series);
void app_probes_describe(struct app *app);	/* groups and series of the model */
bool app_cpu_online(const struct app *app, int cpu);	/* -1 is */
/* Its CPUs that are online are among those that are measured. */
void app_probe_measures(struct app *app, const struct app_probe *p);
/* All CPUs the chosen probes may ever be on. */
void app_probes_cpus(const struct app *app, struct cpuset *out);
bool app_probe_pinned(const struct app_probe *p);
/* Samplers of a probe: one a CPU, or one that is not pinned; helpers have 1. */
unsigned app_probe_places(const struct app_probe *p);
/* As chosen, or the probe's own, then in *defaults. */
const long *app_probe_knobs(const struct app_probe *p, long defaults[PROBE_KNOBS_MAX]);
int64_t app_probe_period_ns(const struct app *app, const struct app_probe *p);

struct series *app_series(struct app *app, const struct app_probe *p, unsigned variant,
			  unsigned place);
/* Why a place reports nothing, into its series and their groups. */
void app_probe_error(struct app *app, const struct app_probe *p, unsigned place,
		     const char *text);
/* One that was asked for (-P) and does not measure: a record has failed. */
void app_probe_failed(struct app *app, const struct app_probe *p);
/* Why one cannot be had becomes the status; one that stood there and was not told
 * yet is told first. */
void app_probe_status(struct app *app, const char *why);
/* One that was asked for and cannot be had, or has ended: a screen goes on without
 * it, and says so as long as it does; a record is not what was wanted. */
void app_probe_lacks(struct app *app, const struct app_probe *p, const char *why);
/* Memory for what a place will measure. */
int app_probe_prepare(struct app *app, const struct app_probe *p, unsigned place,
		      struct why *why);

/* app_measure.c */
int app_probes_start(struct app *app, struct why *why);
void app_probes_release(struct app *app, int64_t now_ns);
void app_probes_stop(struct app *app);
/* Samplers for CPUs that have come online. */
void app_probes_fill(struct app *app);
/* On when it is off or its helper is dead, else off; all groups of the probe. */
int app_probe_toggle(struct app *app, unsigned group, struct why *why);
void app_probe_off(struct app *app, struct app_probe *p);

/* app_samplers.c */
int app_samplers_start(struct app *app, const struct app_probe *p, struct why *why);
/* For CPUs that had none; false: there were no such. */
bool app_samplers_fill(struct app *app, const struct app_probe *p);
/* Lets those begin that have not begun yet, with a wake-up of their own phase
 * that is not before start_ns. */
void app_samplers_release(struct app *app, const struct app_probe *p, int64_t start_ns);
void app_samplers_ask(struct app *app, const struct app_probe *p);
void app_samplers_join(struct app *app, const struct app_probe *p, int64_t until_ns);
void app_samplers_stop(struct app *app, const struct app_probe *p);	/* both */
void app_samplers_free(struct app *app, const struct app_probe *p);
/* Those that have ended by themselves, into the verdict. */
void app_samplers_look(struct app *app, const struct app_probe *p);
/* What was granted, into the model. */
void app_samplers_read_back(struct app *app, const struct app_probe *p);
void app_watchdog_start(struct app *app);
void app_watchdog_stop(struct app *app);
/* Ring entries for 30 s of a period, within the share of one of `rings`. */
unsigned app_ring_room(int64_t period_ns, unsigned rings, int64_t mem_total_kb);
/* Wake-ups that are not recorded: SAMPLER_WARMUP, but not longer than a second. */
unsigned app_warmup(int64_t period_ns);

/* app_helpers.c */
int app_helper_start(struct app *app, struct app_probe *p, struct why *why);
void app_helper_stop(struct app *app, struct app_probe *p);
void app_helper_detach(struct app *app, const struct app_probe *p);
void app_probe_event(struct app *app, const struct supervisor_event *e);
void app_probes_tick(struct app *app);		/* shots that are done, failures */

/* app_loads.c */
void app_loads_describe(struct app *app);
void app_load_start(struct app *app, const struct order *order);
void app_load_stop(struct app *app, unsigned load, bool quiet);
void app_load_workers(struct app *app, unsigned load, unsigned workers);
bool app_loads_stop(struct app *app);		/* all; false: none ran */
void app_loads_events(struct app *app);		/* what the supervisor says */
void app_loads_judge(struct app *app);		/* when all are over: which did no work */
void app_loads_tick(struct app *app, int64_t now_ns);	/* time limits */
int64_t app_loads_when(const struct app *app);	/* the next limit; INT64_MAX */
bool app_loads_busy(const struct app *app);

/* app_hotplug.c */
void app_hotplug(struct app *app, int64_t now_ns);	/* before the rings are drained */
void app_check_pins(struct app *app, int64_t now_ns);	/* once a second */

/* app_pace.c */
int64_t app_frame(struct app *app, int64_t now_ns);	/* as frontend.frame(), guarded */
int64_t app_after(int64_t now_ns, int64_t wait_ns);	/* INT64_MAX: never */
/* Ticks of a period of tick_ns go along with frames: whether one does that comes
 * since_ns after the last tick, and after how long a tick comes by itself. */
bool app_tick_joins(int64_t since_ns, int64_t tick_ns);
int64_t app_tick_latest(int64_t tick_ns);
void app_paced(struct app *app, int64_t took_ns, bool drawn);	/* a frame took that much CPU */
void app_main_demoted(struct app *app, const char *why);	/* it has happened */

/* app_stop.c */
void app_quit(struct app *app);			/* CMD_QUIT, however often */
void app_finish(struct app *app);		/* everything down, results written */

/* app_save.c */
void app_save(struct app *app, const char *suffixes);
void app_save_results(struct app *app);		/* what a saver thread has finished */
void app_answer(struct app *app);		/* the status, to who may see no screen */
void app_write_output(struct app *app);		/* -o, -f or stdout, at the end */

/* app_baseline.c */
int app_baseline(struct app *app, struct why *why);

/* app_record.c */
int app_record_open(struct app *app, struct why *why);	/* 0, also when there is nothing to record */
void app_record_tick(struct app *app);
bool app_record_close(struct app *app);		/* true: the output is that recording */

/* app_summary.c */
void app_summary(const struct app *app);	/* the last word, to a person at a terminal */
/* saved: a file, or "". */
void app_summary_text(const struct model *m, const char *saved, char *buf, size_t size);

/* app_judge.c */
void app_judge(struct app *app);		/* exit code from the limits asked for */
void app_watch(struct app *app);		/* demotions, kills by the watchdog */
bool app_spike(void *ctx, unsigned series, int64_t due_ns, struct spike *spike);
void app_look(void *ctx, unsigned series, int64_t due_ns, struct spike *spike);
int64_t app_spike_threshold(const struct options *o);
void app_tracing_open(struct app *app);

#endif
