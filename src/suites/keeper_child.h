/*
 * keeper_child.h - the keeper's own process, and what it and main say to one
 * another.
 */
#ifndef JS_KEEPER_CHILD_H
#define JS_KEEPER_CHILD_H

#include <sys/types.h>

#include "src/confine.h"
#include "src/counters.h"
#include "src/load.h"
#include "src/scratch.h"
#include "src/supervisor.h"

/* What a kernel is told, in the place of a load's knobs. */
enum { KNOB_KERNEL, KNOB_LENGTH_US, KNOB_ARG };

enum word { WORD_RUN, WORD_STOP, WORD_ENDED };

struct message {		/* both ways, one packet */
	enum word word;
	int status;		/* ENDED: 0, or -errno; the slot says why */
	long knob[LOAD_KNOBS_MAX];
};

struct keeping {		/* of the keeper's process */
	int channel;
	struct counters *counters;	/* one slot, shared with main */
	struct scratch scratch;
	struct confine confine;
	uint64_t seed;
	enum tier tier;
	pid_t pid;		/* the kernel's nanny; 0: none */
	int pidfd, control;
};

/* After the fork: until main has gone. */
_Noreturn void keeper_child(struct keeping *k);

#endif
