/*
 * supervisor.h - the helper process that starts, stops and survives loads,
 * and guards the terminal.
 *
 * It is forked first of all, while the program is small and has one thread.
 * The channel is a SOCK_SEQPACKET pair of 64-byte records; supervisor_child.c
 * is the other end.  Main never blocks on it.  Main thread only, but for
 * supervisor_kill_all(), which the watchdog may call too.
 */
#ifndef JS_SUPERVISOR_H
#define JS_SUPERVISOR_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <termios.h>

#include "src/counters.h"
#include "src/load.h"
#include "src/probe.h"
#include "src/ring.h"

enum tier { TIER_NONE, TIER_SUBREAPER, TIER_NS };
const char *tier_name(enum tier t);	/* "none" "subreaper" "ns" */

#define SCRATCH_DIRS_MAX 2

struct supervisor_config {
	struct counters *counters;
	const char *scratch[SCRATCH_DIRS_MAX];	/* --scratch; NULL: TMPDIR, else /var/tmp */
	uint64_t seed;
	const void *load_file[64];		/* by load index: parsed loadfiles */
	int tty_fd;				/* -1: no terminal to guard */
	int64_t silence_ns;			/* main without a ping for so long loses its loads; 0: 10 s */
	bool no_probes;
};

struct supervisor;

/* Forks.  NULL with why: measuring works without, load keys say why. */
struct supervisor *supervisor_start(const struct supervisor_config *config, struct why *why);
int supervisor_fd(const struct supervisor *s);	/* for ppoll: readable = supervisor_read(); -1 when it died */
bool supervisor_alive(const struct supervisor *s);
pid_t supervisor_pid(const struct supervisor *s);

int supervisor_load_start(struct supervisor *s, unsigned load, unsigned workers,
			  const long knob[LOAD_KNOBS_MAX], struct why *why);
int supervisor_load_stop(struct supervisor *s, unsigned load);
int supervisor_kill_all(struct supervisor *s);
/* Every second: a main that is stopped for silence_ns loses its loads.  Also after
 * SUP_LOST: orphans that reach main are ended here. */
void supervisor_ping(struct supervisor *s);

/* The terminal as the guardian must restore it.  Before main changes it:
 * saved (cooked) and raw termios; cooked = true when main has given it back. */
int supervisor_tty(struct supervisor *s, const struct termios *saved,
		   const struct termios *raw, bool cooked);

/* Operation probes: the supervisor forks a small process for them. rings and
 * line are in shared memory made by main before the first fork. */
struct helper_line {		/* written by the helper process only */
	_Alignas(64) _Atomic int64_t in_flight_ns;
	_Atomic uint64_t calls, errors, cpu_ns;
	_Atomic int last_errno;
	_Atomic int state;	/* enum sampler_state */
	_Atomic int64_t first_due_ns, period_ns;
	_Atomic int policy, priority;
	_Atomic unsigned in_flight_variant;
};
int supervisor_probe_start(struct supervisor *s, unsigned probe, int64_t period_ns,
			   const long knob[PROBE_KNOBS_MAX], struct why *why);
int supervisor_probe_stop(struct supervisor *s, unsigned probe);
/* Shared memory of a helper probe; NULL when it is not PROBE_HELPER. */
struct ring *supervisor_probe_ring(struct supervisor *s, unsigned probe, unsigned variant);
const struct helper_line *supervisor_probe_line(const struct supervisor *s, unsigned probe);

/* A probe that is stopped and started again has no events of its earlier process. */
enum supervisor_event_kind { SUP_STARTED, SUP_RUNNING, SUP_STATE, SUP_EXITED, SUP_REFUSED, SUP_PONG, SUP_LOST,
			     SUP_PROBE_STARTED, SUP_PROBE_EXITED,
			     SUP_TIER };	/* once, at the start: the tier loads can have */
struct supervisor_event {
	enum supervisor_event_kind kind;
	unsigned load;			/* or probe index */
	enum tier tier;
	int err;			/* REFUSED: errno; EXITED: exit code */
	int signal;			/* EXITED: the signal, or 0 */
	bool oom;
	pid_t pid;
	char text[320];			/* reason in words, cleaned, without the name */
};
/* Next event without waiting; false: none. SUP_LOST once when it died. */
bool supervisor_read(struct supervisor *s, struct supervisor_event *out);

/* Stops everything: TERM, grace_ms, KILL; waits at most wait_ms.  Returns the
 * number of processes of loads left (their pids are in *why's text), 0 when
 * clean, -EBUSY when no process is left but scratch is still being deleted. */
int supervisor_quit(struct supervisor *s, int grace_ms, int wait_ms, struct why *why);
/* After that: waits for its end. 0, or -EBUSY after wait_ms; it goes on alone. */
int supervisor_wait(struct supervisor *s, int wait_ms);
void supervisor_free(struct supervisor *s);

#endif
