/*
 * doctor.h - one question about this machine and user: what was found, and
 * exactly one remedy.  The first cause that fits wins.
 *
 * doctor_checks.c holds the questions, doctor.c asks and prints.  Main thread,
 * before any other exists: some questions are tried for real.
 */
#ifndef JS_DOCTOR_H
#define JS_DOCTOR_H

#include <stdbool.h>

#include "src/why.h"

enum doctor_level { DOCTOR_OK, DOCTOR_NOTE, DOCTOR_BAD };

struct finding {
	enum doctor_level level;
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

#endif
