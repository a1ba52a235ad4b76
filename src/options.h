/*
 * options.h - the command line as data.  Parsing is pure but for reading
 * loadfiles; it never prints and never exits.
 */
#ifndef JS_OPTIONS_H
#define JS_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "src/cpuset.h"
#include "src/probe.h"
#include "src/schedule.h"
#include "src/why.h"

#define OPTIONS_PROBES_MAX 64
#define OPTIONS_FILES_MAX 64

enum exit_code { EXIT_OK = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_NOT_RT = 3, EXIT_LIMIT = 4 };

enum subcommand { SUB_LIVE, SUB_RECORD, SUB_REPLAY, SUB_SHOW, SUB_COMPARE, SUB_PLOT,
		  SUB_CONVERT, SUB_RUN, SUB_LIST, SUB_DOCTOR, SUB_HELP, SUB_VERSION };

enum option_cells { OPTION_CELLS_AUTO, OPTION_CELLS_BLANKS, OPTION_CELLS_HALF, OPTION_CELLS_ASCII };

struct option_probe {		/* -P NAME[,KNOB=VALUE...][@CPUS] */
	const struct probe *probe;
	long knob[PROBE_KNOBS_MAX];
	bool has_cpus;
	struct cpuset cpus;
};

struct options {
	enum subcommand sub;
	enum subcommand help_for;	/* SUB_HELP: whose help */
	int64_t interval_ns, duration_ns;	/* duration 0: until told */
	int priority;
	bool has_cpus;
	struct cpuset cpus;
	struct option_probe probe[OPTIONS_PROBES_MAX];
	unsigned probes;		/* 0: the defaults */
	struct schedule schedule;	/* -l and -s */
	const char *baseline, *label, *output, *format;	/* format: -f, -t or --json */
	int64_t fail_above_ns;	double fail_above_pct;	/* ns 0: none; pct 100: the maximum */
	double fail_ratio, fail_ratio_pct;
	int64_t deadline_ns, spike_ns, break_ns;
	bool bell, require_rt, align, no_loads, no_blame, ascii, mouse, json;
	bool hold_cstates;	int64_t hold_cstates_ns;
	const char *scratch[2];	unsigned scratches;
	uint64_t seed;
	int fps;			/* 0: default 4 */
	const char *theme;
	/* Only from the configuration file: */
	bool waterfall;			/* the view to begin with */
	int64_t zoom_ns;		/* of a column; 0: as it comes */
	enum option_cells cells;
	char config_theme[40];		/* theme points here when it is from there, */
	int config_theme_line;		/* in that line */
	bool config_probes;		/* so are the probes: the first -P replaces them */
	bool no_config;
	const char *steps;	int64_t length_ns;	/* suites */
	bool no_samplers;	/* a suite measures by itself: no probe but those of -P */
	const char *word;		/* list WHAT, run SUITE */
	const char *file[OPTIONS_FILES_MAX];	unsigned files;
	char **argv;			/* as given */
	char **run;			/* record -- COMMAND...; NULL */
	char **words;			/* what run points into; options_free() */
};

/*
 * struct options is large (schedule): keep it static or on the heap.  Begin
 * finds the command and fills in what is so without options (on zeroed memory:
 * clearing it here would touch each page of a schedule that is mostly not
 * there); what a file sets comes between; finish reads the options.  0, or -EINVAL with why (main exits
 * EXIT_USAGE).
 */
int options_begin(struct options *o, int argc, char **argv, struct why *why);
bool options_configurable(const struct options *o);	/* has this command a file, and is it wanted? */
int options_finish(struct options *o, int argc, char **argv, struct why *why);
/* One option by its long name, as --name=value; the value must stay. */
int options_set(struct options *o, const char *name, const char *value, struct why *why);
/* Clear, begin and finish. */
int options_parse(struct options *o, int argc, char **argv, struct why *why);
/* Of one that options_begin() has seen; it may begin again. */
void options_free(struct options *o);
/* Help text of a subcommand, from the same table that parses. */
const char *options_help(enum subcommand sub, char *buf, unsigned long size);

#endif
