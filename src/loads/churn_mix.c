/* churn_mix.c - see churn_mix.h. */
#include "src/loads/churn_mix.h"

/* ---- the trace of dbench 1.x: 42,792 calls, 132,000,000 bytes ---- */

static const struct kind seed_kinds[] = {
	{ .visits = 1562 },
	{ .visits = 605, .new = true },
	{ .visits = 513, .reads = 3097, .sequential = 2 },
	{ .visits = 463, .writes = 3126, .write_deck = DECK_WRITE, .sequential = 2 },
	{ .visits = 301, .writes = 17624, .write_deck = DECK_WRITE, .sequential = 2, .new = true },
	{ .visits = 120, .reads = 1440, .writes = 2041, .write_deck = DECK_WRITE, .sequential = 2 },
	{ .visits = 32, .reads = 32, .writes = 176, .write_deck = DECK_WRITE, .sequential = 2,
	  .new = true },
	{ .visits = 3, .reads = 129, .sequential = 2, .new = true },
};

static const struct single seed_singles[] = {
	{ CHURN_STAT, 0, 6393 }, { CHURN_UNLINK, 0, 941 }, { CHURN_RENAME, 0, 195 }, { 0 },
};

/* 320 more of 65,475 bytes go into the fillers. */
static const struct size_cards seed_writes[] = {
	{ 65475, 400 }, { 16384, 387 }, { 8192, 329 }, { 4096, 7760 }, { 2048, 2350 },
	{ 512, 2190 }, { 64, 2300 }, { 39, 1 }, { 15, 2243 }, { 4, 5007 }, { 0 },
};

static const struct size_cards seed_reads[] = {
	{ 65534, 336 }, { 16384, 230 }, { 8192, 166 }, { 4096, 2340 }, { 2048, 420 },
	{ 512, 500 }, { 128, 380 }, { 16, 326 }, { 0 },
};

/* ---- the mix of dbench 4: 3,548 calls, 19.21 MB ---- */

static const struct kind fsync_kinds[] = {
	{ .visits = 16, .reads = 129, .read_deck = DECK_READ_BIG, .sequential = 6 },
	{ .visits = 151, .reads = 629, .fstats = 12, .sequential = 3 },
	{ .visits = 57, .reads = 205, .writes = 136, .flushes = 34, .fstats = 4, .times = 28,
	  .locks = 2, .write_deck = DECK_WRITE, .sequential = 2 },
	{ .visits = 85, .new = true },
	{ .visits = 84, .fstats = 10, .times = 10 },
	/* Created and written in sequence: 39 visits, of which 4 make a file of
	 * 576 K, since the reads of big files need some to live on. */
	{ .visits = 4, .writes = 36, .flushes = 1, .fstats = 5, .times = 2,
	  .write_deck = DECK_WRITE_LARGE, .sequential = 6, .new = true },
	{ .visits = 35, .writes = 89, .flushes = 8, .fstats = 38, .times = 10,
	  .write_deck = DECK_WRITE, .sequential = 6, .new = true },
	{ .visits = 19, .writes = 41, .fstats = 28, .write_deck = DECK_WRITE_SMALL,
	  .sequential = 2 },
};

static const struct single fsync_singles[] = {
	{ CHURN_STAT, 0, 368 }, { CHURN_STAT, CHURN_ABSENT, 189 },
	{ CHURN_OPEN, CHURN_ABSENT, 163 },
	{ CHURN_SEARCH, 0, 104 }, { CHURN_SEARCH, CHURN_ABSENT, 111 },
	{ CHURN_UNLINK, 0, 124 }, { CHURN_STATVFS, 0, 102 }, { CHURN_RENAME, 0, 26 }, { 0 },
};

static const struct size_cards fsync_reads[] = {
	{ 32768, 3 }, { 16384, 19 }, { 8192, 39 }, { 4096, 658 }, { 2048, 46 }, { 1024, 17 },
	{ 512, 18 }, { 256, 9 }, { 16, 25 }, { 0 },
};

static const struct size_cards fsync_reads_big[] = { { 61440, 129 }, { 0 } };

static const struct size_cards fsync_writes[] = {
	{ 65536, 68 }, { 24576, 12 }, { 12288, 16 }, { 8192, 10 }, { 4096, 68 }, { 2048, 14 },
	{ 512, 6 }, { 64, 5 }, { 1, 26 }, { 0 },
};

static const struct size_cards fsync_writes_large[] = { { 65536, 36 }, { 0 } };

static const struct size_cards fsync_writes_small[] = { { 4096, 9 }, { 1, 32 }, { 0 } };

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const struct mix seed_mix = {
	.kinds = seed_kinds, .kind_count = COUNT(seed_kinds), .singles = seed_singles,
	.decks = { [DECK_READ] = seed_reads, [DECK_WRITE] = seed_writes },
	.calls = 42792, .bytes = 132000000, .fills = true,
};

static const struct mix fsync_mix = {
	.kinds = fsync_kinds, .kind_count = COUNT(fsync_kinds), .singles = fsync_singles,
	.decks = { [DECK_READ] = fsync_reads, [DECK_READ_BIG] = fsync_reads_big,
		   [DECK_WRITE] = fsync_writes, [DECK_WRITE_LARGE] = fsync_writes_large,
		   [DECK_WRITE_SMALL] = fsync_writes_small },
	.calls = 3548, .bytes = 7736698 + 11473552,
};

const struct mix *const churn_mixes[CHURN_MODES] = {
	[CHURN_SEED] = &seed_mix, [CHURN_FSYNC] = &fsync_mix, [CHURN_SYNC] = &fsync_mix,
};
