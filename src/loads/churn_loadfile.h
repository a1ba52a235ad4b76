/*
 * churn_loadfile.h - a user's dbench load file, as a program for clients.
 *
 * Parsed by main before anything is forked; the program then lies in read-only
 * memory that every client shares.  Formats 2 to 5 (NTCreateX ..) and format 1
 * (SMBopenX REQUEST ..).  The text is hostile: its size, lines, numbers and
 * names are checked here, and a name can not leave the client's folder.
 */
#ifndef JS_LOADS_CHURN_LOADFILE_H
#define JS_LOADS_CHURN_LOADFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/load.h"
#include "src/why.h"

#define LOADFILE_BYTES_MAX (UINT64_C(64) << 20)
#define LOADFILE_LINES_MAX 1000000
#define LOADFILE_LINE_MAX 1023		/* bytes, without the line feed */
#define LOADFILE_NUMBERS 4
#define LOADFILE_IO_MAX (UINT32_C(16) << 20)	/* the longest read or write */
#define LOADFILE_STRINGS 16		/* $0 .. $15 */

enum loadfile_op {
	/* formats 2 to 5 */
	STEP_OPEN, STEP_CLOSE, STEP_FLUSH, STEP_READ, STEP_WRITE, STEP_UNLINK, STEP_MKDIR,
	STEP_RMDIR, STEP_DELTREE, STEP_RENAME, STEP_QUERY_PATH, STEP_QUERY_FILE, STEP_QUERY_FS,
	STEP_SET_FILE, STEP_FIND, STEP_LOCK, STEP_UNLOCK,
	STEP_REPEAT, STEP_LOOP, STEP_ENDLOOP, STEP_SLEEP, STEP_SET_POINT, STEP_WAIT_POINT,
	STEP_PATTERN, STEP_STRING,
	/* format 1 */
	STEP_OLD_OPEN, STEP_OLD_CREATE, STEP_OLD_RENAME, STEP_OLD_UNLINK, STEP_OLD_STAT,
	STEP_OLD_MKDIR, STEP_OLD_RMDIR, STEP_OLD_READ, STEP_OLD_WRITE,
	STEPS
};

enum loadfile_expect { EXPECT_EITHER, EXPECT_SUCCESS, EXPECT_FAILURE };

/* Bytes below ' ' in a stored name stand for something else. */
enum { NAME_CLIENT = 1, NAME_STRING = 2 };	/* NAME_STRING + i: $i */

enum term_kind { TERM_END, TERM_LITERAL, TERM_RANDOM, TERM_PREVIOUS, TERM_MODULO, TERM_ROUND,
		 TERM_ADD, TERM_CHILD, TERM_CHILDREN };

struct loadfile_term {		/* of a number that is not plain; from left to right */
	enum term_kind kind;
	uint64_t value;
};

struct loadfile_step {
	uint8_t op, expect;
	uint8_t dynamic;	/* bit i: number[i] is an index into terms[] */
	uint32_t line;
	uint32_t name, name2;	/* offsets into names[]; 0: none */
	int64_t due_ns;		/* of the pass; -1: at once */
	uint64_t number[LOADFILE_NUMBERS];
};

struct loadfile {
	size_t map_bytes;
	unsigned format;	/* 1, or 2 for 2 to 5 */
	uint32_t count, io_max;	/* steps; the longest read or write */
	const struct loadfile_step *steps;
	const struct loadfile_term *terms;
	const char *names;
};

/* NULL with why: "FILE:LINE: what is wrong; what to do". */
struct loadfile *loadfile_parse(const char *path, struct why *why);
void loadfile_free(struct loadfile *file);

/* previous: the same number of the line before. */
uint64_t loadfile_number(const struct loadfile *file, const struct loadfile_step *step,
			 unsigned i, uint64_t previous, unsigned client, unsigned clients,
			 struct load_rng *rng);

/* Does a path have a part ".."? */
bool loadfile_climbs(const char *path);

#endif
