/*
 * doctor.h - one question about this machine and user: what was found, and at
 * most one remedy.  The first cause that fits wins.
 *
 * doctor_checks.c and doctor_kernel.c hold the questions, doctor_trial.c measures
 * for a moment, doctor.c asks and prints.  Main thread, before any other exists: some
 * questions are tried for real.
 */
#ifndef JS_DOCTOR_H
#define JS_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/rt.h"
#include "src/sysinfo.h"
#include "src/why.h"

enum doctor_level { DOCTOR_OK, DOCTOR_NOTE, DOCTOR_BAD };

struct finding {
	enum doctor_level level;
	int err;		/* positive errno of what was refused; 0: nothing */
	char found[320];
	char fix[320];		/* "": nothing to do */
};

struct doctor_check {
	const char *name;
	bool decides;		/* real time cannot be had when it is BAD */
	void (*look)(struct finding *f);
};

extern const struct doctor_check doctor_checks[];	/* ends with name NULL */

void finding_set(struct finding *f, enum doctor_level level, const char *fix, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
/* A refusal: its text up to the last "; " is what was found, the rest the fix. */
void finding_why(struct finding *f, enum doctor_level level, const struct why *why);

/* What to do so that the kernel tells its preemption; "": it does, or cannot. */
void doctor_preempt_fix(const struct sysinfo *m, char *buf, size_t size);

struct doctor_trial {		/* a sampler that ran for a moment */
	bool ran;
	struct why why;		/* why not, or without real time */
	struct rt_granted granted;
	bool locked;
	unsigned wakes;
	int64_t cpu_ns;		/* of a wake-up */
	int64_t p50_ns, max_ns;
};

void doctor_trial_run(const struct rt_rights *rights, int cpu, struct doctor_trial *out);

#endif
