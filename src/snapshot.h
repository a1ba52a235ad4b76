/*
 * snapshot.h - one instant of the model as plain data that owns itself.
 *
 * snapshot_take() copies the model in one piece and checks the sum rule; from
 * then on the snapshot needs nothing else, so an ordinary thread may write it
 * while measuring goes on.  Readers of files build the same struct.  Every
 * format of src/formats/ writes or reads this and nothing else.
 *
 * Field by field it is the JSON of jitterscope-snapshot(5).
 */
#ifndef JS_SNAPSHOT_H
#define JS_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/hist.h"
#include "src/model.h"
#include "src/why.h"

#define SNAPSHOT_VERSION 1
#define SNAPSHOT_FIGURES_MAX 20000	/* of tables in a file */
#define SNAPSHOT_PROBES_MAX 256	/* names: of series, and on a timeline */
#define SNAPSHOT_LOADS_MAX 256	/* names; each may have run any number of times */
/* Lists in a file; what the program makes is far below. */
#define SNAPSHOT_SERIES_MAX 65536
#define SNAPSHOT_RUNS_MAX 16384
#define SNAPSHOT_EVENTS_MAX 32768
#define SNAPSHOT_BADGES_MAX 64
#define SNAPSHOT_WORDS_MAX (1 << 20)	/* of a command: more than exec takes */
#define SNAPSHOT_COUNT_MAX ((UINT64_C(1) << 53) - 1)

struct pair {			/* value_ns: the slot's highest equivalent value */
	int64_t value_ns;
	uint64_t count;
};

struct snapshot_counter {	/* "longest_skip_ns": a time says so in its name */
	char name[32];
	int64_t value;
};

struct snapshot_series {
	char probe[40];
	int cpu;
	char policy[20];	/* "" unknown */
	int priority;
	int64_t interval_ns;
	int64_t phase_ns;	/* of its due times in the interval, from the start; -1 unknown */
	struct counts counts;
	int64_t in_flight_ns;
	struct snapshot_counter counter[PROBE_COUNTERS_MAX];	/* the probe's own */
	unsigned counters;
	int64_t min_ns, max_ns;
	double mean_ns;		/* NaN: a file did not say */
	struct pair *histogram;	/* ascending, non-empty */
	size_t pairs;
	int64_t bin_ns; /* 0: our slots; else the width of imported bins (a value is a bin's last
			   ns) */
};

struct snapshot_load {
	char name[24], unit[12], rate_unit[16], end[12], why[320];
	unsigned workers;
	double start_s, stop_s;	/* stop < 0: was running */
	double done, rate, cpu_pct;
	int64_t max_op_ns;
	uint64_t passes, seed;
	unsigned mix_version;
	struct { char name[16]; char value[24]; } knob[LOAD_KNOBS_MAX];
	unsigned knobs;
	char cpus[LOAD_CPUS_MAX];	/* "": anywhere */
};

struct snapshot_event { double t_s; char kind[16], text[80]; };

struct snapshot_spike {
	double t_s;
	char probe[40];
	int cpu;
	int64_t late_ns;
	struct { int pid; char comm[20]; int64_t ns; } culprit[SPIKE_CULPRITS];
	unsigned culprits;
	char loads[64], note[64];
	bool steal, incomplete;
};

struct snapshot_cell { uint16_t slot; uint32_t count; };
struct snapshot_row {		/* one group in one span */
	double t_s, len_s;
	unsigned group;		/* index into snapshot.group_name */
	uint64_t missed, interrupted;
	int64_t max_ns;
	unsigned flags;		/* enum history_flag */
	struct snapshot_cell *cell;
	unsigned cells;
};
struct snapshot_load_row { double t_s, len_s; char name[24]; double rate; };

struct snapshot_figure {	/* a cell of a table: suites and foreign files */
	char table[40];		/* "processor", a load of contest; "" only one table */
	char row[64];		/* kernel, machine or step */
	char name[40], unit[16];	/* the column */
	double value;		/* NaN: not measured */
	char text[16];		/* as it is to be printed; "": made from value */
};

struct snapshot {
	char program[16], created[32], label[80];
	double duration_s;
	int64_t deadline_ns;	/* what is later is counted as late; 0: none */
	char **command;	unsigned nr_command;
	struct sysinfo system;
	unsigned cpus_online, cpus_measured;
	double loadavg[3], steal_s;
	char tier_rt[8], tier_cleanup[12], tier_blame[16], tier_cstates[10];
	char blame_how[320];		/* what blame tells, and the way to its next level */
	bool locked;
	struct badge *badges;		unsigned nr_badges;
	struct snapshot_series *series;	unsigned nr_series;
	struct snapshot_load *loads;	unsigned nr_loads;
	struct snapshot_event *events;	unsigned nr_events;
	double row_s;			/* 0: no timeline */
	char (*group_name)[40];		unsigned nr_groups;
	struct snapshot_row *rows;	unsigned nr_rows;	/* by time, then group */
	struct snapshot_load_row *load_rows;	unsigned nr_load_rows;
	struct snapshot_spike *spikes;	unsigned nr_spikes;	/* the worst, first */
	struct snapshot_spike *latest;	unsigned nr_latest;	/* of the run, by time */
	struct blamed *blamed;	unsigned nr_blamed;	/* over all spikes, then by loads */
	uint64_t spikes_seen, spikes_incomplete, spikes_unread;	/* as in the model */
	struct snapshot_figure *figures;	unsigned nr_figures;
	struct {			/* NaN: not measured */
		double cpu_pct, sampler_cpu_pct, helper_cpu_pct, switches_per_s;
		double bytes_per_s_to_terminal;
		uint64_t minor_faults, switches;
		int64_t rss_kb;
	} self;
	char source[24];		/* format it was read from; "" live */
	char note[320];			/* reader's warnings: "" none */
	char *screen;			/* .ans text of the live screen; NULL */
};

struct snapshot *snapshot_new(void);		/* empty, zeroed */
void snapshot_free(struct snapshot *s);
/* Copy of this instant.  -EIO with why when the sum rule does not hold. */
struct snapshot *snapshot_take(const struct model *m, char *const *argv, struct why *why);
/* Leaves in s what came after `before`, an earlier snapshot of the same run. */
void snapshot_since(struct snapshot *s, const struct snapshot *before);
/* Checks what a reader built: sums, ranges, limits.  0 or -EINVAL. */
int snapshot_check(const struct snapshot *s, struct why *why);
/* A snapshot or a recording, which hold the same; else of a foreign format. */
bool snapshot_is_ours(const struct snapshot *s);
/* All series of a probe added up into a new histogram; NULL: none or no memory. */
struct hist *snapshot_hist(const struct snapshot *s, const char *probe);
struct hist *snapshot_series_hist(const struct snapshot_series *s);
/* As it was said; else of the histogram, every sample at the end of its bin. */
double snapshot_series_mean(const struct snapshot_series *s);
/* The last run of each load, in the order in which they first ran; how many. */
unsigned snapshot_loads(const struct snapshot *s,
			const struct snapshot_load *last[SNAPSHOT_LOADS_MAX]);
/* What may be computed with; NaN where it was not measured, or where its text
 * is a word in its place ("+++++": too short to time). */
double snapshot_figure_value(const struct snapshot_figure *f);
/* A model a replay can show. */
struct model *snapshot_model(const struct snapshot *s, struct why *why);

/*
 * Saving: an ordinary thread per set.  stem NULL: the default name
 * jitterscope-<UTC>-<host>-<loads> in the current directory, else in
 * $XDG_DATA_HOME/jitterscope/snapshots; a name that exists gets -2.
 */
struct saver;
struct saver *saver_new(int event_fd);	/* event_fd: written (8 bytes) when one ends; -1 */
/* Takes ownership of snap.  suffixes: "json svg txt ans" blank-separated. */
int saver_save(struct saver *s, struct snapshot *snap, const char *stem, const char *suffixes,
	       struct why *why);
/* The oldest finished one: 1, *path or *why filled; 0: none. */
struct saver_result { int err; char path[512]; char text[320]; };
int saver_result(struct saver *s, struct saver_result *out);
/* A thread removes what killed runs left where files would be saved, and beside
 * output (NULL: none). */
void saver_tidy(struct saver *s, const char *output);
bool saver_busy(const struct saver *s);
/* Threads at work: one a set that is not written yet, one that still tidies up.
 * Whoever saves on a key or a signal bounds them. */
unsigned saver_threads(const struct saver *s);
int saver_wait(struct saver *s, int wait_ms);
void saver_free(struct saver *s);
/* One file, in the calling thread: temp file beside it, fsync, rename, 0600. */
struct format;
int snapshot_write(const struct snapshot *snap, const struct format *f, const char *path,
		   struct why *why);
/* Reads any known format, by content; "-" is stdin. */
struct snapshot *snapshot_read(const char *path, struct why *why);

#endif
