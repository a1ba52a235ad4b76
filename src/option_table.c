/* option_table.c - see option_table.h. */
#include "src/option_table.h"

#include "src/clock.h"
#include "src/rt.h"

#define BIT(sub) (1u << (sub))
#define MEASURE (BIT(SUB_LIVE) | BIT(SUB_RECORD))
#define SERIES (MEASURE | BIT(SUB_RUN))
#define SCREEN (BIT(SUB_LIVE) | BIT(SUB_REPLAY))
#define EVERY (~0u)

#define INTERVAL_LEAST (100 * NS_PER_US)
#define HOUR (3600 * NS_PER_S)
#define FIELD(member) offsetof(struct options, member)

const struct option_row option_rows[] = {
	{ 'i', "interval", "TIME", false, SERIES, OPTION_TIME, FIELD(interval_ns),
	  INTERVAL_LEAST, NS_PER_S, NULL, "period of the samplers, 100us..1s (1ms)" },
	{ 'p', "priority", "N", false, SERIES, OPTION_INT, FIELD(priority),
	  1, RT_PRIORITY_MAX, NULL, "SCHED_FIFO priority of the samplers, 1..97 (80)" },
	{ 'c', "cpus", "LIST", false, SERIES, OPTION_CALL, 0, 0, 0, option_set_cpus,
	  "CPUs to measure, such as 0-3,8 (the allowed ones)" },
	{ 'P', "probe", "NAME[,KNOB=VALUE...][@CPUS]", false, SERIES, OPTION_CALL, 0, 0, 0,
	  option_set_probe, "measure with this probe, repeatable (list probes)" },
	{ 'l', "load", "NAME[:WORKERS][,KNOB=VALUE...][@START[+LENGTH]]", false, SERIES,
	  OPTION_CALL, 0, 0, 0, option_set_load, "run this load, repeatable (list loads)" },
	{ 's', "schedule", "TEXT", false, MEASURE, OPTION_CALL, 0, 0, 0, option_set_schedule,
	  "loads one after the other: \"10s idle; 20s churn:8\"" },
	{ 'D', "duration", "TIME", false, MEASURE, OPTION_TIME, FIELD(duration_ns),
	  10 * NS_PER_MS, SCHEDULE_MOST_NS, NULL, "end after this time, 10ms..8760h (none)" },
	{ 'b', "baseline", "FILE", false, SCREEN, OPTION_TEXT, FIELD(baseline), 0, 0, NULL,
	  "compare with this snapshot on the screen" },
	{ 'L', "label", "TEXT", false, SERIES, OPTION_TEXT, FIELD(label), 0, 0, NULL,
	  "a note kept in snapshots" },
	{ 'o', "output", "FILE", false, SERIES | BIT(SUB_PLOT) | BIT(SUB_CONVERT), OPTION_TEXT,
	  FIELD(output), 0, 0, NULL, "write to FILE; its suffix chooses the format" },
	{ 'f', "format", "NAME", false, SERIES, OPTION_CALL, 0, 0, 0, option_set_format,
	  "format of the output (list formats)" },
	{ 't', "to", "FORMAT", false, BIT(SUB_CONVERT), OPTION_CALL, 0, 0, 0, option_set_format,
	  "format (list formats); else OUT's suffix chooses" },
	{ 0, "json", NULL, false, SERIES | BIT(SUB_COMPARE) | BIT(SUB_CONVERT) | BIT(SUB_DOCTOR),
	  OPTION_CALL, 0, 0, 0, option_set_json, "as JSON" },
	{ 0, "fail-above", "TIME[@PCT]", false, MEASURE, OPTION_CALL, 0, 0, 0,
	  option_set_fail_above, "exit 4 when the maximum (or percentile) is above" },
	{ 0, "fail-ratio", "R[@PCT]", false, BIT(SUB_COMPARE), OPTION_CALL, 0, 0, 0,
	  option_set_fail_ratio, "exit 4 when worse than BASE by this factor" },
	{ 0, "deadline", "TIME|FRAMES@RATE", false, MEASURE, OPTION_CALL, 0, 0, 0,
	  option_set_deadline, "count what is later: 5ms or frames, 256@48000" },
	{ 0, "spike", "TIME", false, MEASURE, OPTION_TIME, FIELD(spike_ns), 1, HOUR, NULL,
	  "a spike, 1ns..1h (10 times p99, at least 100us)" },
	{ 0, "break", "TIME", false, MEASURE, OPTION_TIME, FIELD(break_ns), 1, HOUR, NULL,
	  "above, 1ns..1h: freeze view, stop kernel tracing" },
	{ 0, "bell", NULL, false, MEASURE, OPTION_FLAG, FIELD(bell), 0, 0, NULL,
	  "ring the terminal's bell at a spike" },
	{ 0, "require-rt", NULL, false, SERIES, OPTION_FLAG, FIELD(require_rt), 0, 0, NULL,
	  "exit 3 when not every FIFO sampler was real-time" },
	{ 0, "hold-cstates", "TIME", true, SERIES, OPTION_CALL, 0, 0, 0, option_set_hold_cstates,
	  "hold off idle states slower than this (0us)" },
	{ 0, "no-loads", NULL, false, SERIES, OPTION_FLAG, FIELD(no_loads), 0, 0, NULL,
	  "no second process: no loads, no terminal guardian" },
	{ 0, "no-blame", NULL, false, SERIES, OPTION_FLAG, FIELD(no_blame), 0, 0, NULL,
	  "do not look for who held the CPU" },
	{ 0, "scratch", "DIR", false, SERIES, OPTION_CALL, 0, 0, 0, option_set_scratch,
	  "where loads write ($TMPDIR or /var/tmp)" },
	{ 0, "seed", "N", false, SERIES, OPTION_CALL, 0, 0, 0, option_set_seed,
	  "seed of everything random (1)" },
	{ 0, "align", NULL, false, SERIES, OPTION_FLAG, FIELD(align), 0, 0, NULL,
	  "wake the samplers of all CPUs at the same time" },
	{ 0, "fps", "N", false, SCREEN, OPTION_INT, FIELD(fps), 1, 60, NULL,
	  "frames a second, 1..60 (4)" },
	{ 0, "theme", "NAME", false, SCREEN, OPTION_TEXT, FIELD(theme), 0, 0, NULL,
	  "colours (list themes)" },
	{ 0, "ascii", NULL, false, SCREEN, OPTION_FLAG, FIELD(ascii), 0, 0, NULL,
	  "draw with ASCII characters only" },
	{ 0, "mouse", NULL, false, SCREEN, OPTION_FLAG, FIELD(mouse), 0, 0, NULL,
	  "click to select, wheel to zoom" },
	{ 0, "no-config", NULL, false, MEASURE | BIT(SUB_REPLAY), OPTION_FLAG, FIELD(no_config), 0, 0, NULL,
	  "do not read the configuration file" },
	{ 0, "steps", "LIST", false, BIT(SUB_RUN), OPTION_TEXT, FIELD(steps), 0, 0, NULL,
	  "only these steps of the suite" },
	{ 0, "length", "TIME", false, BIT(SUB_RUN), OPTION_TIME, FIELD(length_ns),
	  10 * NS_PER_MS, 24 * HOUR, NULL, "length of each step, 10ms..24h" },
	{ 'h', "help", NULL, false, EVERY, OPTION_FLAG, 0, 0, 0, NULL, "show this help" },
	{ 'V', "version", NULL, false, EVERY, OPTION_FLAG, 0, 0, 0, NULL, "show the version" },
	{ 0, NULL, NULL, false, 0, OPTION_FLAG, 0, 0, 0, NULL, NULL },
};

const struct subcommand_row subcommand_rows[] = {
	{ SUB_LIVE, NULL, "", 0, 0, "the live screen" },
	{ SUB_RECORD, "record", "[-- COMMAND...]", 0, 0,
	  "measure without a screen, for a time or while COMMAND runs" },
	{ SUB_REPLAY, "replay", "FILE", 1, 1, "the live screen over a recording" },
	{ SUB_SHOW, "show", "FILE...", 1, OPTIONS_FILES_MAX, "summary and histogram as text" },
	{ SUB_COMPARE, "compare", "BASE FILE...", 2, OPTIONS_FILES_MAX,
	  "side by side with ratio and verdict" },
	{ SUB_PLOT, "plot", "FILE... -o OUT", 1, OPTIONS_FILES_MAX,
	  "a picture: .svg, .png or .gp; several files overlay" },
	{ SUB_CONVERT, "convert", "FILE [-t FORMAT] [-o OUT]", 1, 1,
	  "another format; reads foreign files too" },
	{ SUB_RUN, "run", "SUITE", 1, 1, "a scripted series that ends in a table (list suites)" },
	{ SUB_LIST, "list", "[probes|loads|formats|keys|suites|themes]", 0, 1,
	  "what there is to choose from" },
	{ SUB_DOCTOR, "doctor", "", 0, 0, "can this machine and user measure in real time?" },
	{ SUB_HELP, "help", "[COMMAND]", 0, 1, "show help" },
	{ SUB_VERSION, "version", "", 0, 0, "show the version" },
	{ SUB_LIVE, NULL, NULL, 0, 0, NULL },
};

const struct subcommand_row *subcommand_row(enum subcommand sub)
{
	const struct subcommand_row *row = subcommand_rows;

	while (row->summary && row->sub != sub)
		row++;
	return row;
}
