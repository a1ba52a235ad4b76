/*
 * filter.h - what the / key asks for: "cpu:5 >1ms", for spikes and CPUs.
 * Pure, any thread.
 */
#ifndef JS_FILTER_H
#define JS_FILTER_H

#include <stdbool.h>
#include <stdint.h>

#include "src/cpuset.h"
#include "src/why.h"

struct filter {
	bool has_cpus;
	struct cpuset cpus;
	int64_t above_ns;	/* 0: any */
};

/* Words in any order: cpu:LIST, >TIME.  "" lets everything pass.  0, or
 * -EINVAL with the reason; then *f is what was understood so far. */
int filter_check(struct filter *f, const char *text, struct why *why);
void filter_parse(struct filter *f, const char *text);	/* the same, without a reason */
bool filter_passes(const struct filter *f, int cpu, int64_t ns);

#endif
