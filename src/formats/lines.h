/*
 * lines.h - text files line by line, with the limits and the complaints that
 * all readers share: no NUL, at most FORMAT_LINE_MAX bytes, CR LF is fine.
 */
#ifndef JS_FORMATS_LINES_H
#define JS_FORMATS_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "src/why.h"

struct lines {
	const char *name;	/* as complaints begin */
	struct why *why;
	const char *at, *end;	/* bytes in memory, or ... */
	FILE *in;		/* ... a file */
	char *text;		/* the line, NUL-ended, without its end */
	size_t length, room;
	long line;		/* 1 is the first */
	bool whole;		/* this line had its LF */
	int err;
};

/* bytes NULL: the file `name` is opened. 0 or -errno with why. */
int lines_open(struct lines *l, const char *bytes, size_t n, const char *name, struct why *why);
void lines_close(struct lines *l);
/* false: the end, or l->err. */
bool lines_next(struct lines *l);
/* "NAME:LINE: why; what to do"; returns (and keeps) -EINVAL. */
int lines_refuse(struct lines *l, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
int lines_no_memory(struct lines *l);

/* ---- words of a line; *p moves on only when something was taken ---- */

bool take_blanks(const char **p);			/* any number, at least one */
bool take_word(const char **p, const char *word);	/* exactly these bytes */
/* Decimal digits up to most; false: none, or more than that. */
bool take_number(const char **p, uint64_t most, uint64_t *value);
/* digits[.digits][e[+-]digits], nothing else; finite and >= 0. */
bool take_real(const char **p, double *value);

/* ---- for sniffing ---- */

/* The first line that is neither empty nor begins with '#', cut at size. */
const char *first_line(const char *bytes, size_t n, char *buf, size_t size);
bool has_text(const char *bytes, size_t n, const char *text);

#endif
