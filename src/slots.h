/*
 * slots.h - the coarse latency scale of the map: 8 slots an octave.
 *
 * slot = v for v < 16 ns; above, 8 equal slots between powers of two.
 * SLOTS covers 0 .. 2^42 ns (over 1 h); larger values land in the last slot.
 * Pure, any thread.
 */
#ifndef JS_SLOTS_H
#define JS_SLOTS_H

#include <stdint.h>

#define SLOTS_PER_OCTAVE 8
#define SLOTS 320

static inline unsigned slot_of(int64_t ns)
{
	if (ns < 0)
		ns = 0;
	unsigned top = 63u - (unsigned)__builtin_clzll((unsigned long long)ns | 15u);
	unsigned b = top - 3;
	unsigned slot = b * 8 + (unsigned)(ns >> b);

	return slot < SLOTS ? slot : SLOTS - 1;
}

static inline int64_t slot_lowest_ns(unsigned slot)
{
	if (slot < 16)
		return slot;
	unsigned b = slot / 8 - 1;

	return (int64_t)(slot - b * 8) << b;
}

static inline int64_t slot_highest_ns(unsigned slot)
{
	return slot_lowest_ns(slot + 1) - 1;
}

#endif
