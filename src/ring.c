/* ring.c - see ring.h. */
#include "src/ring.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "src/hist.h"

#define ROOM_LEAST 2u
#define ROOM_MOST (1u << 20)
#define COPY_TRIES 1000

/*
 * head and tail only grow and wrap at 2^64; the slot is the index under the
 * mask, head - tail the number of entries.  Producer and consumer write to
 * cache lines of their own.
 */
struct ring_block {
	_Alignas(64) _Atomic uint64_t head;	/* written by the producer */
	_Alignas(64) _Atomic uint64_t tail;	/* written by the consumer */
	_Alignas(64) _Atomic uint64_t sequence;	/* odd: the spill is being changed */
	_Atomic uint64_t count, missed, interrupted, errors;
	_Atomic uint64_t periods, early, over;
	_Atomic int64_t max_ns;
	_Atomic uint64_t counts[SLOTS];
	_Alignas(64) struct ring_entry entries[];
};

struct ring_copy {
	struct ring_spill totals;
	uint64_t counts[SLOTS];
};

struct ring {
	/* Both sides, never written after the set-up. */
	struct ring_block *block;
	uint64_t mask;
	size_t bytes;
	bool own_block;
	/* The producer's. */
	_Alignas(64) uint64_t head;	/* block->head, which nobody else writes */
	uint64_t tail_seen;		/* block->tail as last looked up */
	/* The consumer's. */
	_Alignas(64) uint64_t tail;
	uint64_t last_sequence;		/* of `last` */
	struct ring_copy last;		/* the last good copy of the spill */
};

/* ---- life ---------------------------------------------------------------- */

static bool room_ok(unsigned room)
{
	return room >= ROOM_LEAST && room <= ROOM_MOST && (room & (room - 1)) == 0;
}

size_t ring_bytes(unsigned room)
{
	if (!room_ok(room))
		return 0;
	return sizeof(struct ring_block) + (size_t)room * sizeof(struct ring_entry);
}

struct ring *ring_init(void *memory, unsigned room)
{
	if (!room_ok(room))
		return NULL;
	struct ring *r = aligned_alloc(_Alignof(struct ring), sizeof(*r));

	if (!r)
		return NULL;
	memset(r, 0, sizeof(*r));
	r->block = memory;
	r->mask = room - 1;
	r->bytes = ring_bytes(room);
	r->head = atomic_load_explicit(&r->block->head, memory_order_acquire);
	r->tail = atomic_load_explicit(&r->block->tail, memory_order_acquire);
	r->tail_seen = r->tail;
	return r;
}

/* Mapped, so that the pages are untouched: whoever prefaults them first, on
 * its own CPU, gets them from its own memory node. */
struct ring *ring_new(unsigned room)
{
	if (!room_ok(room))
		return NULL;
	void *block = mmap(NULL, ring_bytes(room), PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (block == MAP_FAILED)
		return NULL;
	struct ring *r = ring_init(block, room);

	if (!r) {
		munmap(block, ring_bytes(room));
		return NULL;
	}
	r->own_block = true;
	return r;
}

void ring_free(struct ring *r)
{
	if (!r)
		return;
	if (r->own_block)
		munmap(r->block, r->bytes);
	free(r);
}

void ring_prefault(struct ring *r)
{
	const size_t page_bytes = 4096;
	volatile char *at = (volatile char *)r->block;

	/* In one call, where the kernel (5.14) knows it: no exception a page. */
	if (r->own_block && madvise(r->block, r->bytes, MADV_POPULATE_WRITE) == 0)
		return;
	for (size_t i = 0; i < r->bytes; i += page_bytes)
		at[i] = at[i];
	at[r->bytes - 1] = at[r->bytes - 1];
}

int ring_lock(struct ring *r)
{
	return mlock(r, sizeof(*r)) || mlock(r->block, r->bytes) ? -errno : 0;
}

/* ---- producer ------------------------------------------------------------ */

/* Is there room for n more?  Looks at the consumer's line only when its last
 * known place leaves none. */
static inline bool has_room(struct ring *r, unsigned n)
{
	if (r->head + n - r->tail_seen <= r->mask + 1)
		return true;
	/* acquire: the consumer has read an entry before we write over it */
	r->tail_seen = atomic_load_explicit(&r->block->tail, memory_order_acquire);
	return r->head + n - r->tail_seen <= r->mask + 1;
}

static inline void place(struct ring *r, int64_t due_ns, int64_t woke_ns)
{
	r->block->entries[r->head++ & r->mask] =
		(struct ring_entry){ .due_ns = due_ns, .woke_ns = woke_ns };
}

static inline void publish(struct ring *r)
{
	/* release: the entries below head are written before head says so */
	atomic_store_explicit(&r->block->head, r->head, memory_order_release);
}

/* For each sample; hot: see sampler_loop.c. */
__attribute__((hot)) bool ring_push(struct ring *r, int64_t due_ns, int64_t woke_ns)
{
	if (!has_room(r, 1))
		return false;
	place(r, due_ns, woke_ns);
	publish(r);
	return true;
}

bool ring_push_marked(struct ring *r, enum ring_mark mark, int64_t mark_woke_ns,
		      int64_t due_ns, int64_t woke_ns)
{
	if (!has_room(r, 2))
		return false;
	place(r, -(int64_t)mark, mark_woke_ns);
	place(r, due_ns, woke_ns);
	publish(r);
	return true;
}

/*
 * The spill has one writer, so plain adds on atomics do.  The sequence is odd
 * while it changes.  Every store inside is a release and every load of the
 * reader an acquire: a reader that sees one new value also sees the odd
 * sequence before it and throws its copy away.
 */
static inline void grow(_Atomic uint64_t *word, uint64_t n)
{
	/* release: ordered after the odd sequence */
	atomic_store_explicit(word, atomic_load_explicit(word, memory_order_relaxed) + n,
			      memory_order_release);
}

static void spill_begin(struct ring_block *b)
{
	uint64_t sequence = atomic_load_explicit(&b->sequence, memory_order_relaxed);

	atomic_store_explicit(&b->sequence, sequence + 1, memory_order_relaxed);
}

static void spill_end(struct ring_block *b)
{
	uint64_t sequence = atomic_load_explicit(&b->sequence, memory_order_relaxed);

	/* release: all changes are there before the sequence is even again */
	atomic_store_explicit(&b->sequence, sequence + 1, memory_order_release);
}

static void spill_value(struct ring_block *b, int64_t value_ns)
{
	grow(&b->count, 1);
	grow(&b->counts[slot_of(value_ns)], 1);
	if (value_ns < 0)
		grow(&b->early, 1);
	if (value_ns > HIST_HIGHEST_NS)
		grow(&b->over, 1);
	if (value_ns > atomic_load_explicit(&b->max_ns, memory_order_relaxed))
		/* release: as in grow() */
		atomic_store_explicit(&b->max_ns, value_ns, memory_order_release);
}

void ring_spill(struct ring *r, int64_t value_ns, uint64_t periods, bool interrupted)
{
	struct ring_block *b = r->block;

	spill_begin(b);
	grow(&b->periods, periods);
	if (interrupted) {
		grow(&b->interrupted, periods);
	} else {
		spill_value(b, value_ns);
		grow(&b->missed, periods - 1);
	}
	spill_end(b);
}

void ring_spill_error(struct ring *r, uint64_t periods)
{
	struct ring_block *b = r->block;

	spill_begin(b);
	grow(&b->periods, periods);
	grow(&b->interrupted, periods);
	grow(&b->errors, 1);
	spill_end(b);
}

/* Samples are those in the slots, and periods what the parts add up to: none
 * gets smaller than in a good copy that a reader has, and the sums hold. */
void ring_mend(struct ring *r)
{
	struct ring_block *b = r->block;
	uint64_t count = 0;

	/* relaxed: who wrote it has ended, and we are the only writer now */
	if (!(atomic_load_explicit(&b->sequence, memory_order_relaxed) & 1))
		return;
	for (unsigned i = 0; i < SLOTS; i++)
		count += atomic_load_explicit(&b->counts[i], memory_order_relaxed);
	atomic_store_explicit(&b->count, count, memory_order_relaxed);
	count += atomic_load_explicit(&b->missed, memory_order_relaxed);
	count += atomic_load_explicit(&b->interrupted, memory_order_relaxed);
	atomic_store_explicit(&b->periods, count, memory_order_relaxed);
	spill_end(b);
}

/* ---- consumer ------------------------------------------------------------ */

unsigned ring_used(const struct ring *r)
{
	/* acquire: what lies below head is readable */
	uint64_t head = atomic_load_explicit(&r->block->head, memory_order_acquire);
	uint64_t used = head - r->tail;

	/* A helper gone mad may have written any head. */
	return (unsigned)(used <= r->mask + 1 ? used : r->mask + 1);
}

unsigned ring_room(const struct ring *r)
{
	return (unsigned)(r->mask + 1);
}

bool ring_peek(const struct ring *r, struct ring_entry *out)
{
	if (ring_used(r) == 0)
		return false;
	*out = r->block->entries[r->tail & r->mask];
	return true;
}

unsigned ring_drain(struct ring *r, int64_t until_ns, struct ring_entry *out, unsigned room)
{
	unsigned used = ring_used(r), taken = 0;

	while (taken < used && taken < room) {
		struct ring_entry entry = r->block->entries[r->tail & r->mask];

		if (entry.due_ns > 0 && entry.woke_ns >= until_ns && until_ns != INT64_MAX)
			break;
		out[taken++] = entry;
		r->tail++;
	}
	/* release: the copies are made before the producer may write there */
	atomic_store_explicit(&r->block->tail, r->tail, memory_order_release);
	return taken;
}

static inline uint64_t take(const _Atomic uint64_t *word)
{
	/* acquire: ordered before the second look at the sequence */
	return atomic_load_explicit(word, memory_order_acquire);
}

static void copy_spill(const struct ring_block *b, struct ring_copy *out)
{
	out->totals = (struct ring_spill){
		.count = take(&b->count),
		.missed = take(&b->missed),
		.interrupted = take(&b->interrupted),
		.errors = take(&b->errors),
		.periods = take(&b->periods),
		.early = take(&b->early),
		.over = take(&b->over),
		.max_ns = atomic_load_explicit(&b->max_ns, memory_order_acquire),
	};
	for (unsigned i = 0; i < SLOTS; i++)
		out->counts[i] = take(&b->counts[i]);
}

/* Do the sums hold, none of them beyond what one ring may have seen? */
static bool adds_up(const struct ring_copy *now)
{
	const struct ring_spill *n = &now->totals;
	uint64_t sum = 0;

	for (unsigned i = 0; i < SLOTS; i++) {
		if (now->counts[i] > RING_TOTAL_MAX - sum)
			return false;
		sum += now->counts[i];
	}
	return sum == n->count && n->missed <= RING_TOTAL_MAX &&
		n->interrupted <= RING_TOTAL_MAX &&
		n->periods == n->count + n->missed + n->interrupted;
}

static bool grew_by(uint64_t now, uint64_t last, uint64_t most)
{
	return now >= last && now - last <= most;
}

/* Nothing ran backwards since `last`, and what is a part of something grew no
 * more than that: who counts only what came since must not see it exceeded. */
static bool follows(const struct ring_copy *now, const struct ring_copy *last)
{
	const struct ring_spill *n = &now->totals, *l = &last->totals;

	for (unsigned i = 0; i < SLOTS; i++)
		if (now->counts[i] < last->counts[i])
			return false;
	return n->missed >= l->missed && n->interrupted >= l->interrupted &&
		n->max_ns >= l->max_ns && grew_by(n->early, l->early, n->count - l->count) &&
		grew_by(n->over, l->over, n->count - l->count) &&
		grew_by(n->errors, l->errors, n->interrupted - l->interrupted);
}

static void refresh_copy(struct ring *r)
{
	const struct ring_block *b = r->block;
	struct ring_copy now;

	/* Bounded: a producer that was stopped or died inside a change leaves
	 * the sequence odd for long. */
	for (int i = 0; i < COPY_TRIES; i++) {
		/* acquire: the copy begins after this look */
		uint64_t before = atomic_load_explicit(&b->sequence, memory_order_acquire);

		if (before == r->last_sequence)
			return;
		if (before & 1)
			continue;
		copy_spill(b, &now);
		if (atomic_load_explicit(&b->sequence, memory_order_relaxed) != before)
			continue;
		r->last_sequence = before;
		if (adds_up(&now) && follows(&now, &r->last))
			r->last = now;
		return;
	}
}

void ring_spill_read(struct ring *r, struct ring_spill *out, uint64_t counts[SLOTS])
{
	refresh_copy(r);
	*out = r->last.totals;
	memcpy(counts, r->last.counts, sizeof(r->last.counts));
}
