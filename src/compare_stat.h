/*
 * compare_stat.h - is one distribution of latencies longer than another, or
 * is it chance?
 *
 * Latency comes in bursts, so single samples are not independent.  How far
 * each percentile may be off is found by drawing blocks of time of a run, with
 * replacement, again and again (bootstrap); by cutting it into blocks of other
 * lengths too, how much more whole runs differ than their seconds tell.  The
 * range of the ratios of five percentiles is so wide that 19 times of 20 it
 * holds all of them.  Where a file has no timeline its samples are drawn one
 * by one, the range is too narrow, and the verdict not `sure`.  A run that is
 * known to be too short for blocks has no verdict at all.  Same input, same
 * answer.  Any thread.
 */
#ifndef JS_COMPARE_STAT_H
#define JS_COMPARE_STAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/dist.h"
#include "src/slots.h"
#include "src/snapshot.h"

#define COMPARE_BLOCKS_LEAST 8	/* fewer blocks of time tell nothing */
#define COMPARE_SLACK 0.05	/* smaller differences are not called */

enum verdict {
	VERDICT_UNKNOWN,
	VERDICT_SHORT,		/* a run of less than COMPARE_BLOCKS_LEAST seconds */
	VERDICT_SAME,
	VERDICT_BETTER,
	VERDICT_WORSE
};
const char *verdict_text(enum verdict v);	/* "no difference shown" ... */

struct compare_value {		/* one percentile of both */
	double percent;
	int64_t base_ns, file_ns;
	bool known;		/* enough samples on both sides, base above 0 */
	double ratio;		/* file / base */
	bool has_range;
	double low, high;
	enum verdict verdict;
};

struct compare {
	struct compare_value value[DIST_PERCENTS];	/* as dist_percents[] */
	unsigned base_blocks, file_blocks;	/* finest cut; 0: no timeline, or too short */
	enum verdict verdict;	/* of all: worst tail first */
	bool sure;		/* both were cut into blocks */
};

/* 0 or -ENOMEM.  */
int compare_make(struct compare *c, const struct snapshot *base, const struct dist *base_dist,
		 const struct snapshot *file, const struct dist *file_dist);

/* A ratio in three digits, at most 8 columns up to 99999999; "-": none.  The C
 * locale's numbers are the caller's business.  Returns buf. */
const char *compare_ratio_text(char *buf, size_t size, double ratio);

/* A percentile inside coarse slots, by linear steps in the slot that holds it. */
double compare_slots_percentile(const double counts[SLOTS], double percent);

#endif
