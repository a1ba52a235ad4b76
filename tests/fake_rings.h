/*
 * fake_rings.h - the rings of blame, replaced: the linker takes these functions
 * instead of the library's.  Each ring notes how often it was opened, may refuse,
 * and holds what a test has put into its fake_perf.  One suite, one ring.
 */
#ifndef JS_TESTS_FAKE_RINGS_H
#define JS_TESTS_FAKE_RINGS_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "src/blame_rings.h"
#include "tests/fake_perf.h"

static struct fake_rings {
	unsigned opened, names_opened, closed, watched;
	int refuse;			/* -errno of the next that are opened */
	bool tracepoints;		/* those of fake_perf_layout can be had */
	struct blame_pause pause;	/* that a ring had, once it is paused to be read */
	struct fake_perf *perf;		/* what all rings hold; NULL: nothing */
} fake_rings;

int blame_layout_read(struct trace_layout *out, struct why *why)
{
	memset(out, 0, sizeof(*out));
	if (!fake_rings.tracepoints)
		return why_set(why, -EACCES, "not here; use another level");
	*out = fake_perf_layout;
	return 0;
}

int blame_ring_open(struct blame_ring *r, int cpu, const struct trace_layout *layout,
		    size_t data_bytes, struct why *why)
{
	(void)layout;
	(void)data_bytes;
	(void)why;
	*r = (struct blame_ring){ .cpu = cpu, .fd = -1 };
	if (fake_rings.refuse)
		return fake_rings.refuse;
	fake_rings.opened++;
	r->fd = 1000;
	return 0;
}

int blame_ring_open_names(struct blame_ring *r, int cpu, size_t data_bytes)
{
	(void)data_bytes;
	*r = (struct blame_ring){ .cpu = cpu, .fd = 2000 };
	fake_rings.names_opened++;
	return 0;
}

void blame_ring_close(struct blame_ring *r)
{
	fake_rings.closed += r->fd >= 0;
	r->fd = -1;
}

void blame_ring_watch(struct blame_ring *r, int tid)
{
	r->watched[0] = tid;
	fake_rings.watched++;
}

void blame_ring_pause(struct blame_ring *r) { r->pause[0] = fake_rings.pause; }
void blame_ring_resume(struct blame_ring *r) { (void)r; }

struct perf_ring_bytes blame_ring_bytes(const struct blame_ring *r, bool running)
{
	static const uint8_t nothing[64];
	const struct fake_perf *p = fake_rings.perf;

	(void)r;
	if (!p)
		return (struct perf_ring_bytes){ .data = nothing, .size = sizeof(nothing) };
	return (struct perf_ring_bytes){ .data = p->data, .size = p->size, .head = p->head,
					 .most = running ? p->size / 4 * 3 : 0 };
}

bool blame_ring_intact(const struct blame_ring *r, const struct perf_ring_bytes *bytes)
{
	(void)r;
	(void)bytes;
	return true;
}

uint64_t blame_ring_head(const struct blame_ring *r)
{
	(void)r;
	return fake_rings.perf ? fake_rings.perf->head : 0;
}

bool blame_rights_raise(void) { return false; }
void blame_rights_drop(bool raised) { (void)raised; }

#endif
