/*
 * meet.h - a place in shared memory where all workers of a load wait for each
 * other, and which a stop opens.
 */
#ifndef JS_LOADS_MEET_H
#define JS_LOADS_MEET_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "src/load.h"

struct meet {			/* zeroed memory will do */
	_Atomic uint32_t arrived, turn;
};

/* Sleeps until w->workers have come.  False: told to stop meanwhile. */
bool meet_all(struct meet *m, const struct load_worker *w);

#endif
