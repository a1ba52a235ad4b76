/*
 * load.h - the contract between a load (src/loads/NAME.c) and what runs it.
 *
 * A load is N forked worker processes below a nanny (pid 1 of its own pid
 * namespace in tier ns).  A worker counts in its own line of shared memory;
 * all counters only grow.  It must touch nothing but that line and its scratch
 * folder.  Everything here runs in worker or nanny processes unless it says
 * "main".
 *
 * Adding a load: one file and one X(name) line in src/loads/registry.c.
 */
#ifndef JS_LOAD_H
#define JS_LOAD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "src/clock.h"
#include "src/why.h"

#define LOAD_NAME_MAX 16
#define LOAD_KNOBS_MAX 8
#define LOAD_LINES 256		/* processes that count, per load */
#define LOAD_FIGURES 96		/* room of the result block: tcp has 90 */

enum load_flag {
	LOAD_SCRATCH = 1,	/* needs a scratch folder, unless disk_bytes() is 0 */
	LOAD_ASKS = 2,		/* can hurt: the live screen asks [y/N] first */
	LOAD_LADDER = 4,	/* the load of the ladder */
	LOAD_CONTEST = 8,	/* a row of contest */
	LOAD_FOREGROUND = 16,	/* contest's foreground job */
	LOAD_FINITE = 32,	/* ends by itself when its work is done */
	LOAD_EXECS = 64,	/* runs programs of the system's directories, or our own */
	LOAD_READS_ALL = 128,	/* walks the whole file system */
};

/* What the figure is made of. */
enum load_figure {
	LOAD_BYTES,		/* rate = bytes/s, shown in MB/s (1e6) */
	LOAD_OPS,		/* rate = operations/s */
	LOAD_OPS_PER_MIN,
};

struct load_knob {		/* a bounded integer, or a named choice */
	const char *name, *help;
	long least, value, most;	/* value: the default */
	const char *const *choices;	/* NULL: a number; else names of 0..most */
};

enum load_line_state { LOAD_LINE_EMPTY, LOAD_LINE_READY, LOAD_LINE_RUN, LOAD_LINE_DONE, LOAD_LINE_FAILED };

/* 64 bytes, one writer: the process that counts in it.  Relaxed stores. */
struct load_line {
	_Alignas(64) _Atomic uint64_t ops;
	_Atomic uint64_t bytes;
	_Atomic uint64_t passes;
	_Atomic uint64_t cpu_ns;	/* self + reaped children */
	_Atomic int64_t in_flight_ns;	/* start of the call in flight; 0: none */
	_Atomic uint64_t max_latency;	/* tick << 40 | ns; a new tick restarts it */
	_Atomic uint64_t errors;	/* last errno << 48 | throttled << 24 | count */
	_Atomic uint64_t state;		/* enum load_line_state | progress percent << 8 | exit errno << 16 */
};

/* For loads with many figures (tcp, bonnie, bandwidth, compile); seqlock. */
struct load_result {
	_Atomic uint32_t sequence;	/* odd while it is written */
	_Atomic uint32_t figures;
	_Atomic double figure[LOAD_FIGURES];	/* meaning: load->figure_names */
	_Atomic char text[256];		/* a line to print when it stops, may be empty */
};

/* What a worker (or prepare) is given. */
struct load_worker {
	unsigned index, workers;
	uint64_t seed;			/* mix(seed, load, index): nothing depends on time or pid */
	long knob[LOAD_KNOBS_MAX];
	int scratch_fd;			/* a directory of this load's own, or -1 */
	int scratch2_fd;		/* a second one on another --scratch, or -1 */
	uint64_t disk_budget_bytes;	/* this load's share */
	uint64_t memory_budget_bytes;
	unsigned task_budget, fd_budget;
	unsigned ncpu;
	const void *file;		/* the parsed loadfile=, read-only memory; NULL */
	struct load_line *lines;	/* [LOAD_LINES]; own: lines[index] */
	struct load_line *line;		/* own line */
	struct load_result *result;
	const _Atomic uint64_t *tick;	/* main's 4 Hz counter, for max_latency */
	const _Atomic bool *stop;	/* set when TERM came */
	void *shared;			/* load->shared_bytes of zeroed memory common to its workers */
	_Atomic int *progress;		/* slot's percent; NULL: nobody looks */
	/* Private to load.c; starts zeroed. */
	int64_t throttled_since_ns;	/* 0: the last call went well */
	int64_t cpu_read_ns;		/* when cpu_ns was refreshed */
};

struct load {
	const char *name;
	char key;			/* 'A'..'Z' but J; 0: none */
	const char *summary;
	const char *unit;		/* of ops or bytes: "MB" "forks" */
	const char *rate_unit;		/* "MB/s" "forks/s" */
	const char *pass_name;		/* what one pass is; NULL: none */
	enum load_figure figure;
	unsigned flags;
	unsigned version;		/* raised whenever its mix changes */
	unsigned default_per_cpu, default_plus;	/* N = per_cpu * ncpu + plus */
	unsigned max_workers;
	struct load_knob knobs[LOAD_KNOBS_MAX + 1];	/* ends with name NULL */
	const char *const *figure_names;	/* of the result block, NULL-ended; NULL */
	size_t shared_bytes;
	/*
	 * Needs, for the caps that are checked before it starts.  Disk: what
	 * it would like; what it is granted stands in disk_budget_bytes, may
	 * be less, and prepare() refuses when that is too little.  Memory,
	 * tasks and descriptors: what it takes; too much is refused.
	 */
	uint64_t (*disk_bytes)(unsigned workers, const long *knob);	/* NULL: 0 */
	uint64_t (*memory_bytes)(unsigned workers, const long *knob, uint64_t available);
	unsigned tasks_per_worker;	/* alive at once, the worker included */
	unsigned (*tasks)(unsigned workers, const long *knob);	/* when knobs matter; NULL */
	unsigned fds_per_worker;	/* open at once in its process */
	/* Main, before the supervisor is forked: parses loadfile=FILE. */
	void *(*parse_file)(const char *path, struct why *why);
	/* Nanny, once, not counted; progress by load_progress().  May be NULL. */
	int (*prepare)(struct load_worker *w, struct why *why);
	/* Worker: until load_going() is false.  0, or -errno with why. */
	int (*run)(struct load_worker *w, struct why *why);
	/* Main, pure: the line printed at stop, from totals.  May be NULL. */
	void (*stop_line)(char *buf, size_t size, unsigned workers, const long *knob,
			  uint64_t ops, uint64_t bytes, uint64_t passes, int64_t ran_ns);
};

/* NULL-ended; defined by src/loads/registry.c in the order of its X lines. */
extern const struct load *const loads[];

/* ---- for workers ---- */
bool load_going(const struct load_worker *w);
void load_add(struct load_worker *w, uint64_t ops, uint64_t bytes);
void load_pass(struct load_worker *w);
void load_progress(struct load_worker *w, unsigned percent);	/* while preparing */
/* Around a call whose latency counts: begin returns the start time. */
int64_t load_begin(struct load_worker *w);
void load_end(struct load_worker *w, int64_t begun_ns);
void load_error(struct load_worker *w, int err);	/* counted, last errno kept */
/* EAGAIN, EMFILE, ENFILE: sleeps 10 ms, counts "throttled"; -err after 2 s
 * without one success (load_success() restarts the 2 s). */
int load_throttle(struct load_worker *w, int err);
void load_success(struct load_worker *w);
/* Refreshes cpu_ns.  Call at least every 50 ms; cheap enough for every turn
 * of a loop, since it asks the kernel once in 20 ms. */
void load_cpu(struct load_worker *w);
/* fork() of a worker's child (load_fork is the load of that name): PDEATHSIG and its re-check inside; 0 in the child. */
pid_t load_child(struct load_worker *w);
/* Publishes n figures and a text line (NULL: keep). */
void load_publish(struct load_worker *w, const double *figures, unsigned n, const char *text);

/* A small, fast, seeded generator (splitmix64 to seed, xoshiro256** by
 * Blackman and Vigna, public domain). */
struct load_rng { uint64_t s[4]; };
void load_rng_seed(struct load_rng *r, uint64_t seed);
uint64_t load_rng_next(struct load_rng *r);
uint64_t load_rng_below(struct load_rng *r, uint64_t n);	/* 0..n-1, unbiased */
void load_rng_fill(struct load_rng *r, void *buf, size_t bytes);
uint64_t load_mix(uint64_t seed, uint64_t a, uint64_t b);

/* ---- for main ---- */
const struct load *load_by_name(const char *name);
const struct load *load_by_key(char key);
int load_index(const struct load *l);	/* position in loads[], -1 */
unsigned load_count(void);
unsigned load_default_workers(const struct load *l, unsigned ncpu);
/* One that writes nothing as it is set needs no folder, nor room on a disk. */
bool load_needs_scratch(const struct load *l, unsigned workers, const long *knob);

#endif
