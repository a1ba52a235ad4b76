/* helper_memory.c - see helper_memory.h. */
#include "src/helper_memory.h"

#include <stdlib.h>
#include <sys/mman.h>

#define LINE_BYTES 64

struct helper_memory {
	void *map;
	size_t bytes;
	_Atomic unsigned *stretch;
	struct helper_shared *shared[HELPERS_MAX];
	struct ring *ring[HELPERS_MAX][PROBE_VARIANTS_MAX];	/* main's handles */
	void *block[HELPERS_MAX][PROBE_VARIANTS_MAX];
};

unsigned probe_count(void)
{
	unsigned n = 0;

	while (probes[n])
		n++;
	return n;
}

unsigned probe_variants(const struct probe *p)
{
	unsigned n = 0;

	while (p->variants && n < PROBE_VARIANTS_MAX && p->variants[n])
		n++;
	return n ? n : 1;
}

static bool is_helper(unsigned probe)
{
	return probe < HELPERS_MAX && probes[probe]->flags & PROBE_HELPER;
}

static size_t whole_lines(size_t bytes)
{
	return (bytes + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES;
}

static size_t probe_bytes(unsigned probe)
{
	return whole_lines(sizeof(struct helper_shared)) +
	       probe_variants(probes[probe]) * whole_lines(ring_bytes(HELPER_RING_ROOM));
}

static void lay_out(struct helper_memory *m, unsigned probe, char **at)
{
	m->shared[probe] = (struct helper_shared *)*at;
	*at += whole_lines(sizeof(struct helper_shared));
	for (unsigned v = 0; v < probe_variants(probes[probe]); v++) {
		m->block[probe][v] = *at;
		*at += whole_lines(ring_bytes(HELPER_RING_ROOM));
	}
}

struct helper_memory *helper_memory_new(void)
{
	struct helper_memory *m = calloc(1, sizeof(*m));
	char *at;

	if (!m)
		return NULL;
	m->bytes = LINE_BYTES;
	for (unsigned i = 0; probes[i]; i++)
		if (is_helper(i))
			m->bytes += probe_bytes(i);
	m->map = mmap(NULL, m->bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (m->map == MAP_FAILED) {
		free(m);
		return NULL;
	}
	m->stretch = m->map;
	at = (char *)m->map + LINE_BYTES;
	for (unsigned i = 0; probes[i]; i++)
		if (is_helper(i))
			lay_out(m, i, &at);
	return m;
}

void helper_memory_free(struct helper_memory *m)
{
	if (!m)
		return;
	for (unsigned i = 0; i < HELPERS_MAX; i++)
		for (unsigned v = 0; v < PROBE_VARIANTS_MAX; v++)
			ring_free(m->ring[i][v]);
	munmap(m->map, m->bytes);
	free(m);
}

struct helper_shared *helper_memory_of(struct helper_memory *m, unsigned probe)
{
	return m && probe < HELPERS_MAX ? m->shared[probe] : NULL;
}

/* Made when it is asked for: a probe that never runs costs no page. */
struct ring *helper_memory_ring(struct helper_memory *m, unsigned probe, unsigned variant)
{
	if (!m || probe >= HELPERS_MAX || variant >= PROBE_VARIANTS_MAX ||
	    !m->block[probe][variant])
		return NULL;
	if (!m->ring[probe][variant])
		m->ring[probe][variant] = ring_init(m->block[probe][variant], HELPER_RING_ROOM);
	return m->ring[probe][variant];
}

struct ring *helper_memory_attach(struct helper_memory *m, unsigned probe, unsigned variant)
{
	struct ring *r = ring_init(m->block[probe][variant], HELPER_RING_ROOM);

	if (r)
		ring_mend(r);	/* the last one may have been killed at any moment */
	return r;
}

_Atomic unsigned *helper_memory_stretch(struct helper_memory *m)
{
	return m->stretch;
}
