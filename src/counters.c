/* counters.c - see counters.h. */
#include "src/counters.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "src/text.h"

#define LATENCY_BITS 40
#define LATENCY_MASK ((UINT64_C(1) << LATENCY_BITS) - 1)
#define TICK_MASK ((UINT64_C(1) << 24) - 1)
#define RESULT_TRIES 8

/*
 * One private page lies before the shared ones and holds the size of the
 * mapping, which a worker that has gone mad must not be able to change.
 */
static size_t page_bytes(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

struct counters *counters_new(unsigned slots)
{
	size_t page = page_bytes();
	size_t bytes = sizeof(struct counters) + slots * sizeof(struct slot);
	size_t total = page + (bytes + page - 1) / page * page;
	char *map = mmap(NULL, total, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct counters *c;

	if (map == MAP_FAILED)
		return NULL;
	c = mmap(map + page, total - page, PROT_READ | PROT_WRITE,
		 MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	if (c == MAP_FAILED) {
		munmap(map, total);
		return NULL;
	}
	memcpy(map, &total, sizeof(total));
	c->slots = slots;
	return c;
}

void counters_free(struct counters *c)
{
	size_t total;
	char *map;

	if (!c)
		return;
	map = (char *)c - page_bytes();
	memcpy(&total, map, sizeof(total));
	munmap(map, total);
}

static void clear_line(struct load_line *l)
{
	atomic_store_explicit(&l->ops, 0, memory_order_relaxed);
	atomic_store_explicit(&l->bytes, 0, memory_order_relaxed);
	atomic_store_explicit(&l->passes, 0, memory_order_relaxed);
	atomic_store_explicit(&l->cpu_ns, 0, memory_order_relaxed);
	atomic_store_explicit(&l->in_flight_ns, 0, memory_order_relaxed);
	atomic_store_explicit(&l->max_latency, 0, memory_order_relaxed);
	atomic_store_explicit(&l->errors, 0, memory_order_relaxed);
	atomic_store_explicit(&l->state, LOAD_LINE_EMPTY, memory_order_relaxed);
}

void counters_clear(struct slot *s)
{
	for (unsigned i = 0; i < LOAD_LINES; i++)
		clear_line(&s->lines[i]);
	atomic_store(&s->result.sequence, 0);
	atomic_store(&s->result.figures, 0);
	atomic_store(&s->result.text[0], '\0');
	atomic_store(&s->ended_ns, 0);
	atomic_store(&s->progress, 0);
	atomic_store(&s->failed, 0);
	s->why[0] = '\0';
}

static void add_clamped(uint64_t *sum, uint64_t value)
{
	if (__builtin_add_overflow(*sum, value, sum))
		*sum = UINT64_MAX;
}

/* Takes a counter of a line into the sum; false when it ran backwards, in
 * which case the last good value stands. */
static bool take(const _Atomic uint64_t *word, uint64_t *last, uint64_t *sum)
{
	uint64_t value = atomic_load_explicit(word, memory_order_relaxed);
	bool forwards = value >= *last;

	if (forwards)
		*last = value;
	add_clamped(sum, *last);
	return forwards;
}

/* The longest call of this tick or the one before: main reads and raises the
 * tick in two steps, and a call that ends in between must be seen too. */
static int64_t finished_ns(const struct load_line *l, uint64_t tick)
{
	uint64_t word = atomic_load_explicit(&l->max_latency, memory_order_relaxed);
	uint64_t age = (tick - (word >> LATENCY_BITS)) & TICK_MASK;

	return age <= 1 ? (int64_t)(word & LATENCY_MASK) : 0;
}

static int64_t in_flight_ns(const struct load_line *l, int64_t now_ns)
{
	int64_t since_ns = atomic_load_explicit(&l->in_flight_ns, memory_order_acquire);

	if (since_ns <= 0 || since_ns >= now_ns)
		return 0;
	if (now_ns - since_ns > (int64_t)LATENCY_MASK)
		return (int64_t)LATENCY_MASK;
	return now_ns - since_ns;
}

static void take_errors(const struct load_line *l, struct load_totals *out)
{
	uint64_t word = atomic_load_explicit(&l->errors, memory_order_relaxed);

	out->errors += word & TICK_MASK;
	out->throttled += word >> 24 & TICK_MASK;
	if (word >> 48)
		out->last_errno = (int)(word >> 48);
}

static void take_state(const struct load_line *l, struct load_totals *out)
{
	switch (atomic_load_explicit(&l->state, memory_order_acquire) & 0xff) {
	case LOAD_LINE_READY:
		out->ready++;
		break;
	case LOAD_LINE_RUN:
		out->running++;
		break;
	case LOAD_LINE_DONE:
		out->done++;
		break;
	case LOAD_LINE_FAILED:
		out->failed++;
		break;
	}
}

void counters_read(const struct counters *c, unsigned slot, int64_t now_ns,
		   struct counters_last *last, struct load_totals *out)
{
	const struct slot *s = &c->slot[slot];
	uint64_t tick = atomic_load_explicit(&c->tick, memory_order_relaxed);

	memset(out, 0, sizeof(*out));
	for (unsigned i = 0; i < LOAD_LINES; i++) {
		const struct load_line *l = &s->lines[i];
		/* In flight first: a call that ends meanwhile is then found
		 * among the finished. */
		int64_t open_ns = in_flight_ns(l, now_ns);
		int64_t done_ns = finished_ns(l, tick);
		int64_t most_ns = open_ns > done_ns ? open_ns : done_ns;
		bool good = take(&l->ops, &last->ops[i], &out->ops);

		good &= take(&l->bytes, &last->bytes[i], &out->bytes);
		good &= take(&l->passes, &last->passes[i], &out->passes);
		good &= take(&l->cpu_ns, &last->cpu_ns[i], &out->cpu_ns);
		out->backwards += !good;
		if (most_ns > out->max_latency_ns)
			out->max_latency_ns = most_ns;
		take_errors(l, out);
		take_state(l, out);
	}
}

static unsigned copy_result(const struct load_result *r, double figure[LOAD_FIGURES], char text[256])
{
	unsigned n = atomic_load_explicit(&r->figures, memory_order_relaxed);

	if (n > LOAD_FIGURES)
		n = LOAD_FIGURES;
	for (unsigned i = 0; i < n; i++)
		figure[i] = atomic_load_explicit(&r->figure[i], memory_order_relaxed);
	for (unsigned i = 0; i < 256; i++)
		text[i] = atomic_load_explicit(&r->text[i], memory_order_relaxed);
	text[255] = '\0';
	return n;
}

static void clean_result(double *figure, unsigned n, char text[256])
{
	char raw[256];

	for (unsigned i = 0; i < n; i++)
		if (!isfinite(figure[i]))
			figure[i] = 0;
	memcpy(raw, text, sizeof(raw));
	text_clean(text, 256, raw, strlen(raw), 255);
}

unsigned counters_result(const struct slot *s, double figure[LOAD_FIGURES], char text[256])
{
	const struct load_result *r = &s->result;

	for (unsigned i = 0; i < RESULT_TRIES; i++) {
		uint32_t before = atomic_load_explicit(&r->sequence, memory_order_acquire);
		unsigned n = copy_result(r, figure, text);

		atomic_thread_fence(memory_order_acquire);
		if (before & 1 ||
		    before != atomic_load_explicit(&r->sequence, memory_order_relaxed))
			continue;
		clean_result(figure, n, text);
		return n;
	}
	text[0] = '\0';
	return 0;
}
