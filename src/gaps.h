/*
 * gaps.h - spans of time in which a late sample is no latency: stops,
 * suspends, clock steps, hotplug.
 *
 * The newest GAPS_ROOM are kept; that is enough, since a sample is judged a
 * period after it was taken.  Main thread only.
 */
#ifndef JS_GAPS_H
#define JS_GAPS_H

#include <stdbool.h>
#include <stdint.h>

#define GAPS_ROOM 64

struct gaps {
	struct { int64_t from_ns, to_ns; } gap[GAPS_ROOM];
	unsigned nr;		/* ever; the newest is (nr - 1) % GAPS_ROOM */
	int64_t newest_ns;	/* where the last of them ends; 0: none */
};

void gaps_add(struct gaps *g, int64_t from_ns, int64_t to_ns);

bool gaps_meet_any(const struct gaps *g, int64_t from_ns, int64_t to_ns);
/* Does [from, to] touch a gap?  Nearly always the first look says no. */
static inline bool gaps_meet(const struct gaps *g, int64_t from_ns, int64_t to_ns)
{
	return from_ns <= g->newest_ns && gaps_meet_any(g, from_ns, to_ns);
}

/*
 * Watches the two offsets that tell a suspend and a step of the wall clock.
 * A reading is compared with the one before; differences below 5 ms are the
 * noise of reading two clocks one after the other.
 */
struct clock_source {		/* clock.h's, or scripted */
	int64_t (*suspended_ns)(void *ctx);
	int64_t (*wall_offset_ns)(void *ctx);
	void *ctx;
};
struct clock_watch {
	struct clock_source source;
	bool begun;
	int64_t suspended_ns, wall_offset_ns;
};
struct clock_news {		/* 0: nothing happened */
	int64_t suspended_ns;	/* so long was the machine suspended */
	int64_t step_ns;	/* so far was the wall clock moved */
};
void clock_watch_init(struct clock_watch *w, const struct clock_source *source);	/* NULL: clock.h */
struct clock_news clock_watch_look(struct clock_watch *w);

#endif
