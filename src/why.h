/*
 * why.h - why a call failed, in words for the person at the terminal.
 *
 * A function that can be refused returns 0 or -errno and, on failure, fills a
 * struct why the caller owns.  Text reads "what: why; what to do" without the
 * program's name; main.c prints "jitterscope: " before it.
 *
 * Any thread, any process: no shared state.
 */
#ifndef JS_WHY_H
#define JS_WHY_H

struct why {
	int err;		/* -errno, as returned */
	char text[320];
};

/* Fills *why (which may be NULL) and returns err, so that callers can
 * `return why_set(why, -EINVAL, "...")`.  err is a negative errno. */
int why_set(struct why *why, int err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
