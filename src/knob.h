/*
 * knob.h - a setting of a load or probe as text: a bounded number or one of
 * some names.  Pure, any thread.
 */
#ifndef JS_KNOB_H
#define JS_KNOB_H

#include <stddef.h>

#include "src/why.h"

struct knob {
	const char *name;
	long least, most;
	const char *const *choices;	/* NULL: a number; else names of 0..most */
};

/* 0, or -EINVAL with the range or the names that are known. */
int knob_parse(const struct knob *knob, const char *text, long *value, struct why *why);
/* "8" or "fsync"; snprintf-like cut.  Returns buf. */
const char *knob_text(const struct knob *knob, long value, char *buf, size_t size);
/* "least..most" or "a|b|c".  Returns buf. */
const char *knob_range(const struct knob *knob, char *buf, size_t size);

/* Adds `between` and `more` to what is in buf; cut at size - 1. */
void text_append(char *buf, size_t size, const char *between, const char *more);

#endif
