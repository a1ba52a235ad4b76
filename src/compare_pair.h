/*
 * compare_pair.h - two snapshots laid side by side: which series, loads and
 * figures belong together, and what of the machines differs.  Any thread.
 */
#ifndef JS_COMPARE_PAIR_H
#define JS_COMPARE_PAIR_H

#include "src/compare_stat.h"
#include "src/dist.h"
#include "src/snapshot.h"

struct compare_fact { const char *name; char base[130], file[130]; };	/* "": unknown */
#define COMPARE_FACTS_MAX 20
/* Fills in only what differs; returns how many. */
unsigned compare_facts(const struct snapshot *base, const struct snapshot *file,
		       struct compare_fact facts[COMPARE_FACTS_MAX]);

struct compare_series { struct dist base, file; struct compare compare; };
struct compare_load {
	char name[40];		/* "churn x8" */
	const char *step;	/* of a suite; "": of none */
	const struct snapshot_load *base, *file;	/* NULL: only the other ran it */
	double ratio;		/* of rates; NaN */
	const char *remark;	/* a constant, or knobs */
	char knobs[64];		/* "other knobs: mode"; "" the same */
};
struct compare_figure { const struct snapshot_figure *base, *file; bool by_row; };

struct compare_pair {
	const struct snapshot *base, *file;
	struct compare_series *series;	unsigned nr_series;
	struct compare_load *load;	unsigned nr_loads;
	struct compare_figure *figure;	unsigned nr_figures;
	const char **only_base;	unsigned nr_only_base;	/* probes of one file alone */
	const char **only_file;	unsigned nr_only_file;
	struct compare_run *base_run, *file_run;	/* of their loads */
};

/* 0 or -ENOMEM; free in any case. */
int compare_pair_make(struct compare_pair *p, const struct snapshot *base,
		      const struct snapshot *file);
void compare_pair_free(struct compare_pair *p);

#endif
