/*
 * nanny.h - the process at the top of one load: prepares, forks the workers,
 * lets them begin together, reaps, and takes everything along when it ends.
 *
 * In tier ns it is pid 1 of its own pid namespace: when it ends, for whatever
 * reason, the kernel ends all below it.  In tier subreaper its workers ask for
 * a death signal, and what is left then becomes the supervisor's to kill.  It
 * is forked by the supervisor only.
 */
#ifndef JS_NANNY_H
#define JS_NANNY_H

#include <stdint.h>
#include <sys/types.h>

#include "src/confine.h"
#include "src/counters.h"
#include "src/load.h"
#include "src/nanny_clone.h"
#include "src/supervisor.h"

enum nanny_exit {
	NANNY_OK = 0,		/* stopped as asked, or a finite load's work done */
	NANNY_FAILED = 1,	/* the slot's why says what */
	NANNY_ORPHAN = 2,	/* no go came */
	NANNY_SIGNAL = 128,	/* + the signal that killed a worker; why says which */
};

struct nanny_order {
	const struct load *load;
	unsigned id;		/* load index: part of the seed */
	struct slot *slot;
	const _Atomic uint64_t *tick;
	unsigned workers;
	long knob[LOAD_KNOBS_MAX];
	uint64_t seed;
	const void *file;
	unsigned ncpu;
	uint64_t disk_bytes, memory_bytes;	/* granted */
	unsigned tasks, fds;
	struct confine confine;	/* scratch[] are the folders */
	int control;		/* the nanny's end */
	enum tier tier;
};

/* Clones a nanny in the given tier.  The supervisor gets its pid (or -errno)
 * and pidfd; the nanny never returns. */
pid_t nanny_start(const struct nanny_order *order, int *pidfd);

#endif
