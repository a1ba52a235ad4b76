/*
 * result.h - where the result of a run goes: -o FILE or standard output, in
 * the format of -f or of the file's suffix.  Ordinary thread.
 */
#ifndef JS_RESULT_H
#define JS_RESULT_H

#include "src/format.h"
#include "src/options.h"

#define RESULT_FORMAT "text"	/* of record and suites, unless told */

/* -f, else by the suffix of -o, else `otherwise`; NULL with why (-EINVAL). */
const struct format *result_format(const struct options *o, const char *otherwise,
				   struct why *why);
/* Before anything is measured: can a run's result go there?  Tries the format
 * with one sample and the folder with a file that is removed again. 0 or
 * -errno with why (-EINVAL: the format cannot hold a run).  tables: a format
 * that can hold this one's tables all the same; NULL: none. */
int result_check(const struct options *o, const char *otherwise, const char *tables,
		 struct why *why);
/* Does a live screen leave one?  It was given a place or a format for it. */
bool result_wanted(const struct options *o);
/* Does the result grow in FILE while the run goes on? */
bool result_grows(const struct options *o);
/* 0 or -errno with why. */
int result_write(const struct options *o, const struct format *f, const struct snapshot *s,
		 struct why *why);
/* Has all that was printed arrived?  0, or -errno with why, once: nothing of it
 * is left for the next who asks. */
int result_flush(struct why *why);
/* To standard output, and flushed. */
int result_print(const struct format *f, const struct snapshot *s, struct why *why);

#endif
