/*
 * churn_build.h - the program a load file becomes, while it is being parsed.
 *
 * Shared by the parsers of the two families of formats.  Main thread.
 */
#ifndef JS_LOADS_CHURN_BUILD_H
#define JS_LOADS_CHURN_BUILD_H

#include <stdbool.h>
#include <stdint.h>

#include "src/loads/churn_loadfile.h"

#define BUILD_WORDS 12
#define BUILD_RECENT 65536

struct word {
	char *text;
	bool quoted;
};

struct build {
	const char *path;	/* for messages */
	struct why *why;
	uint32_t line;

	struct loadfile_step *steps;
	struct loadfile_term *terms;
	char *names;
	uint32_t count, room;
	uint32_t term_count, term_room;
	uint32_t name_bytes, name_room;
	uint32_t recent[BUILD_RECENT];	/* names by hash: most occur again and again */
	uint32_t io_max;

	uint32_t loop_line;	/* of a LOOP that is open; 0: none */
	bool repeats;		/* the line before was REPEAT */
	char old_name[LOADFILE_LINE_MAX + 1];	/* format 1: of the request */
	bool old_pending;
};

/* Why a line is refused; returns -EINVAL. */
int build_refuse(struct build *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* A new step of this line; NULL with why: no memory. */
struct loadfile_step *build_step(struct build *b, enum loadfile_op op,
				 enum loadfile_expect expect);
/* Stores text as it stands. */
int build_text(struct build *b, const char *text, uint32_t *offset);
/* Stores a path: / for \, no leading or trailing one, no "..", client marks. */
int build_name(struct build *b, char *text, uint32_t *offset);
/* A number, plain or made of terms, as number i of the step. */
int build_number(struct build *b, struct loadfile_step *step, unsigned i, const char *text);
/* Notes how long reads and writes get. */
int build_io(struct build *b, const struct loadfile_step *step, unsigned i);

/* One line of either family.  0 or -errno with why. */
int build_line(struct build *b, struct word *words, unsigned count);
int build_old_line(struct build *b, struct word *words, unsigned count);

#endif
