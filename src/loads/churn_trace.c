/* churn_trace.c - see churn_trace.h. */
#include "src/loads/churn_trace.h"

#include <stdlib.h>
#include <string.h>

#include "src/load.h"
#include "src/loads/churn_mix.h"

#define KIB 1024u
#define LARGE (160 * KIB)	/* of these at most LARGE_MOST stay alive */
#define LARGE_MOST 7
#define SPAN_LEAST (24 * KIB)	/* writes to an existing file stay within this or its size */
#define CLIENT_BASE_BYTES UINT64_C(6000000)	/* a client without its fillers */
#define NO_NAME 255

static const unsigned dir_names[CHURN_DIRS] = { 34, 18, 12, 12, 12, 10, 9, 5, 3 };

static const struct size_cards first_files[] = {
	{ 576 * KIB, 6 }, { 128 * KIB, 8 }, { 64 * KIB, 10 }, { 0, 16 },
};

/* How far the writes of a new file reach; of 100. */
static const struct size_cards new_spans[] = {
	{ 24 * KIB, 60 }, { 80 * KIB, 10 }, { 128 * KIB, 15 }, { 256 * KIB, 9 }, { 576 * KIB, 6 },
};

#define EVENTS_MAX 12000
#define CARDS_MAX 23000
#define KINDS_MAX 8

struct shoe {			/* a deck, shuffled */
	unsigned count, next;
	uint8_t card[CARDS_MAX];	/* index into the size cards */
};

enum phase { PHASE_MKDIR, PHASE_FILL, PHASE_DEAL, PHASE_DRAIN, PHASE_RMDIR, PHASE_END };

struct churn_plan {
	const struct mix *mix;
	struct load_rng rng;
	unsigned fillers;
	enum phase phase;
	unsigned step;			/* within the phase */
	unsigned events;
	unsigned played[KINDS_MAX];	/* visits of each kind in this pass */
	uint32_t size[CHURN_ALL_NAMES];
	/* The first `alive` of order[] are alive; where[] is its inverse. */
	unsigned alive;
	uint8_t order[CHURN_NAMES], where[CHURN_NAMES];
	uint8_t event[EVENTS_MAX];	/* kind, or kind_count + single */
	struct shoe shoe[DECKS];
};

/* ---- names ---- */

unsigned churn_name_dir(unsigned name)
{
	unsigned dir = 0;

	if (name >= CHURN_NAMES)
		return (name - CHURN_NAMES) % CHURN_FILLER_DIRS;
	while (name >= dir_names[dir])
		name -= dir_names[dir++];
	return dir;
}

unsigned churn_first_name(unsigned i)
{
	return i * 37 % CHURN_NAMES;	/* no common divisor: spread over the folders */
}

uint32_t churn_first_size(unsigned i)
{
	unsigned row = 0;

	while (i >= first_files[row].count)
		i -= first_files[row++].count;
	return first_files[row].size;
}

static void swap_places(struct churn_plan *p, unsigned a, unsigned b)
{
	uint8_t name = p->order[a];

	p->order[a] = p->order[b];
	p->order[b] = name;
	p->where[p->order[a]] = (uint8_t)a;
	p->where[p->order[b]] = (uint8_t)b;
}

static void raise_name(struct churn_plan *p, unsigned name)
{
	swap_places(p, p->where[name], p->alive++);
	p->size[name] = 0;
}

static void bury_name(struct churn_plan *p, unsigned name)
{
	swap_places(p, p->where[name], --p->alive);
	p->size[name] = 0;
}

static unsigned any_alive(struct churn_plan *p)
{
	return p->order[load_rng_below(&p->rng, p->alive)];
}

static unsigned any_dead(struct churn_plan *p)
{
	return p->order[p->alive + load_rng_below(&p->rng, CHURN_NAMES - p->alive)];
}

/* One of the living with at least so many bytes; NO_NAME: none has. */
static unsigned any_sized(struct churn_plan *p, uint32_t least)
{
	uint8_t fit[CHURN_NAMES];
	unsigned n = 0;

	for (unsigned i = 0; i < p->alive; i++)
		if (p->size[p->order[i]] >= least)
			fit[n++] = p->order[i];
	return n ? fit[load_rng_below(&p->rng, n)] : NO_NAME;
}

static unsigned count_large(const struct churn_plan *p)
{
	unsigned n = 0;

	for (unsigned i = 0; i < p->alive; i++)
		n += p->size[p->order[i]] > LARGE;
	return n;
}

/* Whom to unlink: a large one while there are too many, else a small one. */
static unsigned any_victim(struct churn_plan *p)
{
	if (count_large(p) > LARGE_MOST)
		return any_sized(p, LARGE + 1);

	unsigned best = any_alive(p);

	for (unsigned tries = 0; tries < 2; tries++) {
		unsigned other = any_alive(p);

		if (p->size[other] < p->size[best])
			best = other;
	}
	return best;
}

/* ---- decks ---- */

static void shuffle(struct churn_plan *p, uint8_t *card, unsigned count)
{
	for (unsigned i = count; i > 1; i--) {
		unsigned j = (unsigned)load_rng_below(&p->rng, i);
		uint8_t held = card[i - 1];

		card[i - 1] = card[j];
		card[j] = held;
	}
}

static void shoe_fill(struct churn_plan *p, enum deck deck)
{
	const struct size_cards *cards = p->mix->decks[deck];
	struct shoe *shoe = &p->shoe[deck];

	shoe->count = shoe->next = 0;
	for (unsigned i = 0; cards && cards[i].count; i++) {
		memset(shoe->card + shoe->count, (int)i, cards[i].count);
		shoe->count += cards[i].count;
	}
	shuffle(p, shoe->card, shoe->count);
}

static uint32_t shoe_peek(const struct churn_plan *p, enum deck deck, unsigned ahead)
{
	const struct shoe *shoe = &p->shoe[deck];

	return p->mix->decks[deck][shoe->card[shoe->next + ahead]].size;
}

static uint32_t shoe_deal(struct churn_plan *p, enum deck deck)
{
	uint32_t size = shoe_peek(p, deck, 0);

	p->shoe[deck].next++;
	return size;
}

static void add_events(struct churn_plan *p, unsigned event, unsigned count)
{
	memset(p->event + p->events, (int)event, count);
	p->events += count;
}

static void deal_pass(struct churn_plan *p)
{
	const struct mix *mix = p->mix;

	p->events = 0;
	for (unsigned i = 0; i < mix->kind_count; i++)
		add_events(p, i, mix->kinds[i].visits);
	for (unsigned i = 0; mix->singles[i].count; i++)
		add_events(p, mix->kind_count + i, mix->singles[i].count);
	shuffle(p, p->event, p->events);
	for (unsigned i = 0; i < DECKS; i++)
		shoe_fill(p, i);
	memset(p->played, 0, sizeof(p->played));
}

/* ---- a visit ---- */

struct visit {			/* one being written down */
	struct churn_plan *p;
	struct churn_call *out;
	unsigned n;
	unsigned name, sequential;
	uint32_t span;		/* writes end before this when they fit */
	uint32_t position;	/* of the handle */
};

static struct churn_call *emit(struct visit *v, enum churn_op op)
{
	struct churn_call *call = &v->out[v->n++];

	*call = (struct churn_call){ .op = (uint8_t)op, .name = (uint8_t)v->name };
	return call;
}

/* Share of visit number k when `total` is dealt out to `visits`. */
static unsigned share(unsigned total, unsigned visits, unsigned k)
{
	return total * (k + 1) / visits - total * k / visits;
}

/* Behind the last one, or a 4 K boundary; always within limit if size fits. */
static uint32_t place(struct visit *v, uint32_t size, uint32_t limit)
{
	uint32_t pages;

	if (load_rng_below(&v->p->rng, 6) < v->sequential)
		return v->position + size <= limit ? v->position : 0;
	if (size >= limit)
		return 0;
	pages = (limit - size) / 4096 + 1;
	return 4096 * (uint32_t)load_rng_below(&v->p->rng, pages);
}

static void emit_read(struct visit *v, enum deck deck)
{
	uint32_t size = shoe_deal(v->p, deck), *length = &v->p->size[v->name];
	struct churn_call *call;

	if (*length < size) {
		emit(v, CHURN_GROW)->size = size;
		*length = size;
	}
	call = emit(v, CHURN_READ);
	call->size = size;
	call->offset = place(v, size, *length);
	v->position = call->offset + size;
}

static void emit_write(struct visit *v, enum deck deck)
{
	struct churn_call *call = emit(v, CHURN_WRITE);
	uint32_t *length = &v->p->size[v->name];

	call->size = shoe_deal(v->p, deck);
	/* A single byte mostly announces how long the file is going to be. */
	if (call->size == 1 && load_rng_below(&v->p->rng, 3) < 2 && *length < 512 * KIB) {
		call->offset = ((*length + 4096) | 65535) - 1;
		v->position = 0;
	} else {
		call->offset = place(v, call->size, v->span);
		v->position = call->offset + call->size;
	}
	if (*length < call->offset + call->size)
		*length = call->offset + call->size;
}

/* Reads and writes in random order; a new file is written before it is read. */
static void emit_io(struct visit *v, const struct kind *kind, unsigned reads, unsigned writes)
{
	while (reads + writes) {
		bool write = kind->new ? writes > 0
			: load_rng_below(&v->p->rng, reads + writes) < writes;

		if (write) {
			emit_write(v, kind->write_deck);
			writes--;
		} else {
			emit_read(v, kind->read_deck);
			reads--;
		}
	}
}

static void emit_times(struct visit *v, enum churn_op op, unsigned count)
{
	while (count--)
		emit(v, op);
}

static uint32_t any_span(struct churn_plan *p)
{
	unsigned r = (unsigned)load_rng_below(&p->rng, 100), row = 0;

	while (r >= new_spans[row].count)
		r -= new_spans[row++].count;
	return new_spans[row].size;
}

/* A file whose bytes suffice for what will be read; the largest if none does. */
static unsigned pick_readable(struct churn_plan *p, const struct kind *kind, unsigned reads)
{
	uint32_t least = 0;
	unsigned name;

	for (unsigned i = 0; i < reads; i++)
		if (least < shoe_peek(p, kind->read_deck, i))
			least = shoe_peek(p, kind->read_deck, i);
	if (kind->read_deck == DECK_READ_BIG)
		least *= reads;		/* read from end to end */
	for (;;) {
		name = any_sized(p, least);
		if (name != NO_NAME)
			return name;
		least /= 2;
	}
}

static unsigned pick(struct churn_plan *p, const struct kind *kind, unsigned reads,
		     unsigned writes)
{
	if (kind->new)
		return any_dead(p);
	if (reads)
		return pick_readable(p, kind, reads);
	/* Three of four writes go where data already is: half of all files die empty. */
	if (writes && load_rng_below(&p->rng, 4)) {
		unsigned name = any_sized(p, 1);

		if (name != NO_NAME)
			return name;
	}
	return any_alive(p);
}

static uint32_t span_of(struct churn_plan *p, const struct kind *kind, unsigned name)
{
	if (kind->write_deck == DECK_WRITE_LARGE)
		return 576 * KIB;
	if (kind->new)
		return any_span(p);
	return p->size[name] > SPAN_LEAST ? p->size[name] : SPAN_LEAST;
}

static unsigned plan_visit(struct churn_plan *p, unsigned number, struct churn_call *out)
{
	const struct kind *kind = &p->mix->kinds[number];
	unsigned k = p->played[number]++, n = kind->visits;
	unsigned reads = share(kind->reads, n, k), writes = share(kind->writes, n, k);
	unsigned locks = share(kind->locks, n, k);
	struct visit v = { .p = p, .out = out, .sequential = kind->sequential };

	v.name = pick(p, kind, reads, writes);
	if (kind->new)
		raise_name(p, v.name);
	v.span = span_of(p, kind, v.name);
	emit(&v, CHURN_OPEN)->flags = kind->new ? CHURN_NEW : 0;
	emit_times(&v, CHURN_LOCK, locks);
	emit_times(&v, CHURN_FSTAT, share(kind->fstats, n, k));
	emit_io(&v, kind, reads, writes);
	emit_times(&v, CHURN_FLUSH, share(kind->flushes, n, k));
	emit_times(&v, CHURN_TIMES, share(kind->times, n, k));
	emit_times(&v, CHURN_UNLOCK, locks);
	emit(&v, CHURN_CLOSE);
	return v.n;
}

/* ---- calls between visits ---- */

static unsigned plan_rename(struct churn_plan *p, struct churn_call *call)
{
	unsigned from = any_alive(p), to = any_dead(p);
	uint32_t size = p->size[from];

	call->name = (uint8_t)from;
	call->name2 = (uint8_t)to;
	bury_name(p, from);
	raise_name(p, to);
	p->size[to] = size;
	return 1;
}

static unsigned plan_single(struct churn_plan *p, unsigned number, struct churn_call *out)
{
	const struct single *single = &p->mix->singles[number];

	*out = (struct churn_call){ .op = (uint8_t)single->op, .flags = (uint8_t)single->flags };
	if (single->op == CHURN_RENAME)
		return plan_rename(p, out);
	if (single->op == CHURN_UNLINK) {
		out->name = (uint8_t)any_victim(p);
		bury_name(p, out->name);
		return 1;
	}
	out->name = (uint8_t)(single->flags & CHURN_ABSENT ? any_dead(p) : any_alive(p));
	return 1;
}

/* ---- the order of a pass ---- */

static bool creates(const struct churn_plan *p, unsigned event)
{
	return event < p->mix->kind_count && p->mix->kinds[event].new;
}

static bool unlinks(const struct churn_plan *p, unsigned event)
{
	return event >= p->mix->kind_count &&
	       p->mix->singles[event - p->mix->kind_count].op == CHURN_UNLINK;
}

/*
 * Keeps 20 to 65 names alive: a card that would leave that range changes
 * places with the next one of the other kind.  There is one, since a pass
 * creates as many files as it unlinks and begins in the middle of the range.
 */
static unsigned next_event(struct churn_plan *p)
{
	uint8_t *now = &p->event[p->step], *later = now, held = *now;
	bool full = p->alive >= CHURN_MOST_ALIVE && creates(p, held);
	bool low = p->alive <= CHURN_LEAST_ALIVE && unlinks(p, held);

	p->step++;
	if (!full && !low)
		return held;
	while (full ? !unlinks(p, *later) : !creates(p, *later))
		later++;
	*now = *later;
	*later = held;
	return *now;
}

static unsigned plan_event(struct churn_plan *p, struct churn_call *out)
{
	unsigned event = next_event(p);

	if (event < p->mix->kind_count)
		return plan_visit(p, event, out);
	return plan_single(p, event - p->mix->kind_count, out);
}

/* Fillers that do not fit are made again in the place of earlier ones. */
static unsigned filler_name(const struct churn_plan *p, unsigned number)
{
	return CHURN_NAMES + number % (p->fillers ? p->fillers : 1);
}

static unsigned plan_filler(struct churn_plan *p, struct churn_call *out)
{
	struct visit v = { .p = p, .out = out, .name = filler_name(p, p->step) };
	struct churn_call *call;

	if (p->step >= p->fillers && p->step > 0)
		emit(&v, CHURN_UNLINK);
	emit(&v, CHURN_OPEN)->flags = CHURN_NEW;
	for (unsigned i = 0; i < CHURN_FILLER_WRITES; i++) {
		call = emit(&v, CHURN_WRITE);
		call->flags = CHURN_FILLER;
		call->size = CHURN_FILLER_WRITE;
		call->offset = p->fillers ? i * CHURN_FILLER_WRITE : 0;
	}
	emit(&v, CHURN_CLOSE);
	p->step++;
	return v.n;
}

static unsigned plan_folder(struct churn_plan *p, enum churn_op op, struct churn_call *out)
{
	*out = (struct churn_call){ .op = (uint8_t)op, .name = (uint8_t)p->step++ };
	return 1;
}

static unsigned plan_drain(struct churn_plan *p, struct churn_call *out)
{
	*out = (struct churn_call){ .op = CHURN_UNLINK,
				    .name = (uint8_t)filler_name(p, p->step++) };
	return 1;
}

static unsigned phase_length(const struct churn_plan *p)
{
	switch (p->phase) {
	case PHASE_MKDIR:
	case PHASE_RMDIR:
		return p->mix->fills ? CHURN_FILLER_DIRS : 0;
	case PHASE_FILL:
		return p->mix->fills ? CHURN_FILLERS : 0;
	case PHASE_DRAIN:
		if (!p->mix->fills)
			return 0;
		return p->fillers ? p->fillers : 1;
	case PHASE_DEAL:
		return p->events;
	case PHASE_END:
		break;
	}
	return 0;
}

static unsigned plan_phase(struct churn_plan *p, struct churn_call *out)
{
	switch (p->phase) {
	case PHASE_MKDIR:
		return plan_folder(p, CHURN_MKDIR, out);
	case PHASE_FILL:
		return plan_filler(p, out);
	case PHASE_DEAL:
		return plan_event(p, out);
	case PHASE_DRAIN:
		return plan_drain(p, out);
	case PHASE_RMDIR:
		return plan_folder(p, CHURN_RMDIR, out);
	case PHASE_END:
		break;
	}
	return 0;
}

unsigned churn_plan_next(struct churn_plan *p, struct churn_call out[CHURN_CALLS_MAX])
{
	while (p->phase < PHASE_END && p->step >= phase_length(p)) {
		p->phase++;
		p->step = 0;
	}
	if (p->phase < PHASE_END)
		return plan_phase(p, out);
	p->phase = PHASE_MKDIR;
	p->step = 0;
	deal_pass(p);
	return 0;
}

/* ---- the plan ---- */

struct churn_plan *churn_plan_new(enum churn_mode mode, uint64_t seed, unsigned fillers)
{
	struct churn_plan *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->mix = churn_mixes[mode];
	p->fillers = fillers < CHURN_FILLERS ? fillers : CHURN_FILLERS;
	load_rng_seed(&p->rng, seed);
	for (unsigned i = 0; i < CHURN_NAMES; i++)
		p->order[i] = p->where[i] = (uint8_t)i;
	for (unsigned i = 0; i < CHURN_FIRST_FILES; i++) {
		raise_name(p, churn_first_name(i));
		p->size[churn_first_name(i)] = churn_first_size(i);
	}
	deal_pass(p);
	return p;
}

void churn_plan_free(struct churn_plan *p)
{
	free(p);
}

uint32_t churn_plan_size(const struct churn_plan *p, unsigned name)
{
	return p->size[name];
}

unsigned churn_plan_alive(const struct churn_plan *p)
{
	return p->alive;
}

unsigned churn_pass_calls(enum churn_mode mode)
{
	return churn_mixes[mode]->calls;
}

uint64_t churn_pass_bytes(enum churn_mode mode)
{
	return churn_mixes[mode]->bytes;
}

unsigned churn_fillers(uint64_t client_bytes)
{
	uint64_t fit;

	if (client_bytes < CLIENT_BASE_BYTES)
		return 0;
	fit = (client_bytes - CLIENT_BASE_BYTES) / (1024 * KIB);
	return fit < CHURN_FILLERS ? (unsigned)fit : CHURN_FILLERS;
}
