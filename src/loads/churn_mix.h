/*
 * churn_mix.h - the cards a churn pass is dealt from.
 *
 * Tables only: what they amount to is checked card by card in the tests.
 */
#ifndef JS_LOADS_CHURN_MIX_H
#define JS_LOADS_CHURN_MIX_H

#include <stdbool.h>
#include <stdint.h>

#include "src/loads/churn_trace.h"

enum deck { DECK_READ, DECK_READ_BIG, DECK_WRITE, DECK_WRITE_LARGE, DECK_WRITE_SMALL, DECKS };

struct size_cards {
	uint32_t size;
	unsigned count;
};

/* A kind of visit: totals over all visits of a pass, dealt out evenly. */
struct kind {
	unsigned visits, reads, writes, flushes, fstats, times, locks;
	enum deck read_deck, write_deck;
	unsigned sequential;	/* of 6 reads or writes, this many follow the one before */
	bool new;
};

/* A call between visits. */
struct single {
	enum churn_op op;
	unsigned flags, count;
};

struct mix {
	const struct kind *kinds;
	const struct single *singles;	/* ends with count 0 */
	const struct size_cards *decks[DECKS];	/* each ends with count 0 */
	unsigned kind_count, calls;
	uint64_t bytes;
	bool fills;		/* fillers are written and deleted within each pass */
};

extern const struct mix *const churn_mixes[CHURN_MODES];

#endif
