/*
 * schedule.h - `-l NAME[:N][,K=V...][@START[+LENGTH]]` and `-s "10s idle; 20s
 * churn:8"` become a list of orders with times.  Parsing is pure; times count
 * from time zero.  Main thread.
 */
#ifndef JS_SCHEDULE_H
#define JS_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

#include "src/clock.h"
#include "src/command.h"
#include "src/why.h"

#define SCHEDULE_MAX 1024
/* Of a run and of what is to happen in it: a year.  A limit for slips of the
 * finger; without a duration a run has none. */
#define SCHEDULE_MOST "8760h"
#define SCHEDULE_MOST_NS (8760 * 3600 * NS_PER_S)
#define SCHEDULE_CPUS 64

struct schedule_entry {
	int64_t at_ns;		/* from time zero */
	struct order order;
	bool done;
};

struct load_default {		/* how a load starts when nothing else is said */
	bool set, file;		/* file: its loadfile is a default too */
	unsigned workers;	/* 0: the load's own */
	long knob[LOAD_KNOBS_MAX];
	const struct cpuset *cpus;	/* NULL: anywhere */
};

struct schedule {
	struct schedule_entry entry[SCHEDULE_MAX];	/* ascending by at_ns */
	unsigned entries;
	int64_t end_ns;		/* of the -s text; 0: none */
	const void *load_file[64];	/* parsed loadfile= by load index */
	char load_file_path[64][256];
	struct load_default defaults[64];	/* by load index */
	struct cpuset cpus[SCHEDULE_CPUS];	/* of cpus= knobs; orders point here */
	unsigned nr_cpus;
};

/*
 * One load as written after -l.  Unknown names list the known ones.  Two knobs
 * belong to every load: cpus=LIST (a comma before a digit stays in the list)
 * and, where the load can play one, loadfile=FILE.  The schedule must stay
 * where it is: orders point into it.
 */
int schedule_load(struct schedule *s, const char *text, struct why *why);
/* "NAME[:N][,K=V...]": how that load starts from now on, by key or by -l. */
int schedule_default(struct schedule *s, const char *text, struct why *why);
/* "TIME idle; TIME LOAD...; ..." one after the other; sets end_ns. */
int schedule_text(struct schedule *s, const char *text, struct why *why);
/* The next order due at t_ns (from zero), marks it done; NULL: none. */
const struct order *schedule_next(struct schedule *s, int64_t t_ns);
/* When the next entry is due; INT64_MAX: none. */
int64_t schedule_when(const struct schedule *s);

#endif
