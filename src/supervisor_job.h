/*
 * supervisor_job.h - the life of one load as the supervisor sees it.
 *
 * idle -> preparing -> running -> stopping -> cleaning -> idle.  A job is
 * known by its slot and its nanny's pidfd, never by a remembered number.
 * Supervisor process; nothing here waits.
 */
#ifndef JS_SUPERVISOR_JOB_H
#define JS_SUPERVISOR_JOB_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "src/confine.h"
#include "src/counters.h"
#include "src/load.h"
#include "src/scratch.h"
#include "src/supervisor.h"
#include "src/wire.h"

#define JOBS_MAX 64
#define JOB_GRACE_MS 300
#define JOB_PREPARE_NS (120 * NS_PER_S)

enum job_state { JOB_IDLE, JOB_PREPARING, JOB_RUNNING, JOB_STOPPING, JOB_CLEANING };

struct job {
	enum job_state state;
	pid_t pid;		/* the nanny; 0: reaped */
	int pidfd, control;	/* -1: none */
	pid_t cleaner;		/* who deletes its scratch; 0: nobody */
	enum tier tier;
	int64_t deadline_ns;	/* preparing, stopping: KILL then; 0: none */
	bool asked;		/* it ends because we said so */
	bool scratch;		/* it has folders of its own */
	uint64_t disk_bytes, memory_bytes;	/* granted */
	unsigned tasks;
	uint64_t oom_kills;	/* of the kernel, before the start */
	int code, signal;	/* how the nanny ended */
	bool oom;
};

/* What all jobs share. */
struct job_world {
	struct counters *counters;
	struct scratch scratch[SCRATCH_DIRS_MAX];
	struct why scratch_why;	/* why scratch[0] has no parent */
	const void *const *load_file;
	uint64_t seed;
	unsigned ncpu;
	bool drop;		/* identity of loads */
	uid_t uid;
	gid_t gid;
	bool no_namespaces;	/* clone refused once: do not ask again */
	bool closing;		/* the whole scratch goes soon: no cleaners */
	struct job job[JOBS_MAX];
	void (*say)(void *ctx, const struct wire *record);
	void *ctx;
};

/* Refused (-errno with why) or preparing; then STARTED has been said. */
int job_start(struct job_world *w, unsigned id, unsigned workers,
	      const int32_t knob[WIRE_ARGS], struct why *why);
/* TERM now, KILL after the grace.  An idle job says EXITED at once. */
void job_stop(struct job_world *w, unsigned id, int grace_ms);
/* As job_stop(), with a reason that becomes the load's failure. */
void job_break(struct job_world *w, unsigned id, const struct why *why);
void job_kill(struct job_world *w, unsigned id);
/* Its control socket is readable. */
void job_heard(struct job_world *w, unsigned id);
/* A child of the supervisor has ended; false: it belongs to no job. */
bool job_reaped(struct job_world *w, pid_t pid, int status);
/* Deadlines. */
void job_tick(struct job_world *w, int64_t now_ns);
/* When job_tick() is wanted next; INT64_MAX: never. */
int64_t job_next_ns(const struct job_world *w);
unsigned jobs_busy(const struct job_world *w);
/* Room on disk and in memory, at 4 Hz; breaks the loads that pass a floor. */
void jobs_check_floors(struct job_world *w);
/* The best tier there is, as known so far; and what clone() said of it: true
 * when the next lower one is worth a try. */
void job_choose_tier(const struct job_world *w, enum tier *tier, struct confine *confine);
bool job_refused_tier(struct job_world *w, pid_t clone_result);
/* Deletes folders of that name.  Gigabytes take seconds, and the supervisor
 * has a terminal to guard: a child does it, whose pid is returned.  It holds
 * nothing but the folders, no end of a channel that somebody waits to see
 * closed.  0: no fork, done here.  Left-overs are named in why (shared). */
pid_t job_clean(struct job_world *w, const char *name, char why[320]);
/* Pids that a kill of strays must spare. */
unsigned jobs_pids(const struct job_world *w, pid_t out[2 * JOBS_MAX]);

#endif
