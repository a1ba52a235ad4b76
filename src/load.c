/* load.c - see load.h: what workers count with, and the registry's look-ups. */
#include "src/load.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define TICK_SHIFT 40
#define LATENCY_MASK ((UINT64_C(1) << TICK_SHIFT) - 1)
#define COUNT_BITS 24
#define COUNT_MASK ((UINT64_C(1) << COUNT_BITS) - 1)
#define ERRNO_SHIFT 48
#define THROTTLE_SLEEP_NS (10 * NS_PER_MS)
#define THROTTLE_LIMIT_NS (2 * NS_PER_S)
#define CPU_REFRESH_NS (20 * NS_PER_MS)

/* Only the owner writes a line, so a load and a store are enough. */
static void grow(_Atomic uint64_t *word, uint64_t by)
{
	uint64_t old = atomic_load_explicit(word, memory_order_relaxed);

	atomic_store_explicit(word, old + by, memory_order_relaxed);
}

bool load_going(const struct load_worker *w)
{
	return !atomic_load_explicit(w->stop, memory_order_relaxed);
}

void load_add(struct load_worker *w, uint64_t ops, uint64_t bytes)
{
	if (ops)
		grow(&w->line->ops, ops);
	if (bytes)
		grow(&w->line->bytes, bytes);
}

void load_pass(struct load_worker *w)
{
	grow(&w->line->passes, 1);
}

void load_progress(struct load_worker *w, unsigned percent)
{
	if (percent > 100)
		percent = 100;
	if (w->progress)
		atomic_store_explicit(w->progress, (int)percent, memory_order_relaxed);
}

int64_t load_begin(struct load_worker *w)
{
	int64_t now_ns = clock_now_ns();

	atomic_store_explicit(&w->line->in_flight_ns, now_ns, memory_order_relaxed);
	return now_ns;
}

static void note_latency(struct load_worker *w, uint64_t ns)
{
	uint64_t tick = w->tick ? atomic_load_explicit(w->tick, memory_order_relaxed) : 0;
	uint64_t word = (tick & COUNT_MASK) << TICK_SHIFT;
	uint64_t old = atomic_load_explicit(&w->line->max_latency, memory_order_relaxed);

	if (ns > LATENCY_MASK)
		ns = LATENCY_MASK;
	if ((old & ~LATENCY_MASK) == word && (old & LATENCY_MASK) >= ns)
		return;
	atomic_store_explicit(&w->line->max_latency, word | ns, memory_order_relaxed);
}

void load_end(struct load_worker *w, int64_t begun_ns)
{
	int64_t took_ns = clock_now_ns() - begun_ns;

	/* The finished call is filed before it stops being in flight: a
	 * reader may see it twice, never not at all. */
	note_latency(w, took_ns > 0 ? (uint64_t)took_ns : 0);
	atomic_store_explicit(&w->line->in_flight_ns, 0, memory_order_release);
}

/* Both counts stop at their top; errno 0 keeps the last one. */
static void note_error(struct load_worker *w, int err, uint64_t count, uint64_t throttled)
{
	uint64_t old = atomic_load_explicit(&w->line->errors, memory_order_relaxed);
	uint64_t counted = (old & COUNT_MASK) + count;
	uint64_t slowed = (old >> COUNT_BITS & COUNT_MASK) + throttled;
	uint64_t last = err ? (uint64_t)err & 0xffff : old >> ERRNO_SHIFT;

	if (counted > COUNT_MASK)
		counted = COUNT_MASK;
	if (slowed > COUNT_MASK)
		slowed = COUNT_MASK;
	atomic_store_explicit(&w->line->errors,
			      last << ERRNO_SHIFT | slowed << COUNT_BITS | counted,
			      memory_order_relaxed);
}

void load_error(struct load_worker *w, int err)
{
	note_error(w, err < 0 ? -err : err, 1, 0);
}

int load_throttle(struct load_worker *w, int err)
{
	int64_t now_ns = clock_now_ns();

	if (err < 0)
		err = -err;
	note_error(w, err, 0, 1);
	if (!w->throttled_since_ns)
		w->throttled_since_ns = now_ns;
	else if (now_ns - w->throttled_since_ns >= THROTTLE_LIMIT_NS)
		return -err;
	clock_wait_until(now_ns + THROTTLE_SLEEP_NS);
	return 0;
}

void load_success(struct load_worker *w)
{
	w->throttled_since_ns = 0;
}

static uint64_t usage_ns(const struct rusage *r)
{
	return (uint64_t)(r->ru_utime.tv_sec + r->ru_stime.tv_sec) * NS_PER_S +
	       (uint64_t)(r->ru_utime.tv_usec + r->ru_stime.tv_usec) * NS_PER_US;
}

void load_cpu(struct load_worker *w)
{
	int64_t now_ns = clock_now_ns();
	struct rusage self, children;

	if (w->cpu_read_ns && now_ns - w->cpu_read_ns < CPU_REFRESH_NS)
		return;
	w->cpu_read_ns = now_ns;
	getrusage(RUSAGE_SELF, &self);
	getrusage(RUSAGE_CHILDREN, &children);
	atomic_store_explicit(&w->line->cpu_ns, usage_ns(&self) + usage_ns(&children),
			      memory_order_relaxed);
}

pid_t load_child(struct load_worker *w)
{
	pid_t parent = getpid();
	pid_t pid = fork();

	(void)w;
	if (pid)
		return pid;
	/* A parent that died before the request would be missed, hence the
	 * second look.  Both pids are of one pid namespace, where it holds. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	return 0;
}

static void publish_text(struct load_result *r, const char *text)
{
	size_t room = sizeof(r->text) - 1, i = 0;

	for (; i < room && text[i]; i++)
		atomic_store_explicit(&r->text[i], text[i], memory_order_relaxed);
	atomic_store_explicit(&r->text[i], '\0', memory_order_relaxed);
}

void load_publish(struct load_worker *w, const double *figures, unsigned n, const char *text)
{
	struct load_result *r = w->result;
	uint32_t sequence = atomic_load_explicit(&r->sequence, memory_order_relaxed) | 1;

	if (n > LOAD_FIGURES)
		n = LOAD_FIGURES;
	/* Odd first, even last: a reader that saw the same even number at
	 * both ends saw nothing in between change. */
	atomic_store_explicit(&r->sequence, sequence, memory_order_relaxed);
	atomic_thread_fence(memory_order_release);
	for (unsigned i = 0; i < n; i++)
		atomic_store_explicit(&r->figure[i], figures[i], memory_order_relaxed);
	atomic_store_explicit(&r->figures, n, memory_order_relaxed);
	if (text)
		publish_text(r, text);
	atomic_store_explicit(&r->sequence, sequence + 1, memory_order_release);
}

/* ---- random numbers ---- */

static uint64_t splitmix(uint64_t *state)
{
	uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static uint64_t rotate(uint64_t x, int by)
{
	return (x << by) | (x >> (64 - by));
}

void load_rng_seed(struct load_rng *r, uint64_t seed)
{
	for (unsigned i = 0; i < 4; i++)
		r->s[i] = splitmix(&seed);
}

uint64_t load_rng_next(struct load_rng *r)
{
	uint64_t *s = r->s;
	uint64_t result = rotate(s[1] * 5, 7) * 9;
	uint64_t t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rotate(s[3], 45);
	return result;
}

uint64_t load_rng_below(struct load_rng *r, uint64_t n)
{
	if (n < 2)
		return 0;
	/* Numbers under (2^64 mod n) would make some results likelier. */
	uint64_t unfair = -n % n, x;

	do
		x = load_rng_next(r);
	while (x < unfair);
	return x % n;
}

void load_rng_fill(struct load_rng *r, void *buf, size_t bytes)
{
	unsigned char *out = buf;

	while (bytes) {
		uint64_t x = load_rng_next(r);
		size_t part = bytes < sizeof(x) ? bytes : sizeof(x);

		memcpy(out, &x, part);
		out += part;
		bytes -= part;
	}
}

uint64_t load_mix(uint64_t seed, uint64_t a, uint64_t b)
{
	uint64_t state = seed;

	state = splitmix(&state) ^ a;
	state = splitmix(&state) ^ b;
	return splitmix(&state);
}

/* ---- look-ups ---- */

const struct load *load_by_name(const char *name)
{
	for (unsigned i = 0; loads[i]; i++)
		if (!strcmp(loads[i]->name, name))
			return loads[i];
	return NULL;
}

const struct load *load_by_key(char key)
{
	for (unsigned i = 0; key && loads[i]; i++)
		if (loads[i]->key == key)
			return loads[i];
	return NULL;
}

int load_index(const struct load *l)
{
	for (unsigned i = 0; loads[i]; i++)
		if (loads[i] == l)
			return (int)i;
	return -1;
}

unsigned load_count(void)
{
	unsigned n = 0;

	while (loads[n])
		n++;
	return n;
}

unsigned load_default_workers(const struct load *l, unsigned ncpu)
{
	unsigned n = l->default_per_cpu * ncpu + l->default_plus;

	if (n > l->max_workers)
		n = l->max_workers;
	return n ? n : 1;
}

bool load_needs_scratch(const struct load *l, unsigned workers, const long *knob)
{
	if (!(l->flags & LOAD_SCRATCH))
		return false;
	return !l->disk_bytes || l->disk_bytes(workers, knob);
}
