/*
 * churn_trace.h - which file calls a churn client makes, as decks of cards.
 *
 * A pass is dealt from decks: exact numbers of visits, other calls and sizes,
 * shuffled by the client's generator.  So the mix of every pass is exact and
 * only its order is random.  The plan knows the size of each file, so no read
 * it deals is short.  Pure: no system call; one process.
 */
#ifndef JS_LOADS_CHURN_TRACE_H
#define JS_LOADS_CHURN_TRACE_H

#include <stdbool.h>
#include <stdint.h>

enum churn_mode { CHURN_SEED, CHURN_FSYNC, CHURN_SYNC, CHURN_MODES };

enum churn_op {
	CHURN_WRITE, CHURN_READ, CHURN_OPEN, CHURN_CLOSE, CHURN_STAT, CHURN_UNLINK, CHURN_RENAME,
	CHURN_MKDIR, CHURN_RMDIR,
	/* only in the fsync and sync mix */
	CHURN_FLUSH, CHURN_FSTAT, CHURN_TIMES, CHURN_SEARCH, CHURN_STATVFS, CHURN_LOCK, CHURN_UNLOCK,
	/* not a call of the mix: makes a file long enough to be read */
	CHURN_GROW,
	CHURN_OPS
};

enum churn_flag {
	CHURN_NEW = 1,		/* OPEN: create, empty */
	CHURN_ABSENT = 2,	/* the name does not exist: the call must fail */
	CHURN_FILLER = 4,	/* WRITE into a filler: never counted as part of a span */
};

#define CHURN_DIRS 9		/* folders that live as long as the client */
#define CHURN_NAMES 115		/* names in them */
#define CHURN_FILLERS 20
#define CHURN_FILLER_DIRS 10	/* made and removed within a pass of the seed mix */
#define CHURN_ALL_NAMES (CHURN_NAMES + CHURN_FILLERS)
#define CHURN_FIRST_FILES 40	/* alive before the first pass */
#define CHURN_LEAST_ALIVE 20
#define CHURN_MOST_ALIVE 65
#define CHURN_FILLER_WRITE 65475
#define CHURN_FILLER_WRITES 16
#define CHURN_IO_MAX 65536	/* the longest single read or write */
#define CHURN_CALLS_MAX 128	/* the longest visit */

struct churn_call {
	uint8_t op, flags;
	uint8_t name, name2;	/* MKDIR, RMDIR: number of the filler folder */
	uint32_t size;
	uint32_t offset;
};

struct churn_plan;

/* fillers: 0..CHURN_FILLERS that fit on the disk.  NULL: no memory. */
struct churn_plan *churn_plan_new(enum churn_mode mode, uint64_t seed, unsigned fillers);
void churn_plan_free(struct churn_plan *p);

/* The calls of the next visit or of the next call between visits; how many
 * there are.  0: the pass has ended, the next call begins another one. */
unsigned churn_plan_next(struct churn_plan *p, struct churn_call out[CHURN_CALLS_MAX]);

/* Bytes of a file as the plan knows it. */
uint32_t churn_plan_size(const struct churn_plan *p, unsigned name);
unsigned churn_plan_alive(const struct churn_plan *p);

/* What is alive before the first pass: i < CHURN_FIRST_FILES. */
unsigned churn_first_name(unsigned i);
uint32_t churn_first_size(unsigned i);

/* The folder a name lies in: 0..CHURN_DIRS-1, or for fillers 0..CHURN_FILLER_DIRS-1. */
unsigned churn_name_dir(unsigned name);

/* What one pass of a mix amounts to. */
unsigned churn_pass_calls(enum churn_mode mode);
uint64_t churn_pass_bytes(enum churn_mode mode);

/* Fillers that fit when a client may use so many bytes. */
unsigned churn_fillers(uint64_t client_bytes);

#endif
