/*
 * command.h - what a key, a schedule entry or a signal asks the instrument to
 * do.  They all meet in app_do(), so record and the live screen act alike.
 */
#ifndef JS_COMMAND_H
#define JS_COMMAND_H

#include <stdbool.h>
#include <stdint.h>

#include "src/cpuset.h"
#include "src/load.h"

enum command {
	CMD_NONE,
	CMD_QUIT,		/* stop loads, end; again: skip the grace; third: at once */
	CMD_LOAD_START,		/* arg: load index; workers and knobs */
	CMD_LOAD_STOP,
	CMD_LOAD_TOGGLE,
	CMD_LOAD_WORKERS,	/* arg: load index; workers: new number */
	CMD_LOADS_STOP,		/* all */
	CMD_SNAPSHOT,		/* text: suffixes, NULL for "json svg txt" */
	CMD_MARK,		/* text */
	CMD_RESET,		/* again within 5 s: take it back */
	CMD_BASELINE,
	CMD_BASELINE_DROP,
	CMD_PROBE_TOGGLE,	/* arg: index of a group of the model; its probe goes on or off */
	CMD_HOLD_CSTATES,	/* toggle */
	CMD_DEADLINE,		/* value_ns */
	CMD_SUSPEND,		/* ^Z */
};

struct order {
	enum command what;
	unsigned arg;
	unsigned workers;	/* 0: as it is */
	bool has_knobs;
	long knob[LOAD_KNOBS_MAX];
	int64_t value_ns;
	int64_t limit_ns;	/* load start: ends after this; 0: the default limit; INT64_MAX: none */
	const struct cpuset *cpus;	/* load start: only there; NULL: anywhere */
	const char *text;
};

#endif
