/* gaps.c - see gaps.h. */
#include "src/gaps.h"

#include <stdlib.h>

#include "src/clock.h"

#define NOISE_NS (5 * NS_PER_MS)
#define LOOKS 3

void gaps_add(struct gaps *g, int64_t from_ns, int64_t to_ns)
{
	unsigned at = g->nr++ % GAPS_ROOM;

	g->gap[at].from_ns = from_ns;
	g->gap[at].to_ns = to_ns;
	if (to_ns > g->newest_ns)
		g->newest_ns = to_ns;
}

bool gaps_meet_any(const struct gaps *g, int64_t from_ns, int64_t to_ns)
{
	unsigned kept = g->nr < GAPS_ROOM ? g->nr : GAPS_ROOM;

	for (unsigned i = 0; i < kept; i++)
		if (from_ns <= g->gap[i].to_ns && to_ns >= g->gap[i].from_ns)
			return true;
	return false;
}

static int64_t real_suspended(void *ctx)
{
	(void)ctx;
	return clock_suspended_ns();
}

static int64_t real_wall_offset(void *ctx)
{
	(void)ctx;
	return clock_wall_offset_ns();
}

void clock_watch_init(struct clock_watch *w, const struct clock_source *source)
{
	static const struct clock_source real = {
		.suspended_ns = real_suspended,
		.wall_offset_ns = real_wall_offset,
	};

	*w = (struct clock_watch){ .source = source ? *source : real };
}

/*
 * How far has this offset moved?  A thread that was preempted between the two
 * reads sees a jump that is gone at the next look; a real one stays.
 */
static int64_t moved(const struct clock_watch *w, int64_t (*read)(void *ctx), int64_t before)
{
	int64_t least = read(w->source.ctx) - before;

	for (int i = 1; i < LOOKS && llabs(least) >= NOISE_NS; i++) {
		int64_t again = read(w->source.ctx) - before;

		if (llabs(again) < llabs(least))
			least = again;
	}
	return llabs(least) >= NOISE_NS ? least : 0;
}

struct clock_news clock_watch_look(struct clock_watch *w)
{
	struct clock_news news = { 0 };

	if (!w->begun) {
		w->begun = true;
		w->suspended_ns = w->source.suspended_ns(w->source.ctx);
		w->wall_offset_ns = w->source.wall_offset_ns(w->source.ctx);
		return news;
	}
	news.suspended_ns = moved(w, w->source.suspended_ns, w->suspended_ns);
	w->suspended_ns += news.suspended_ns;
	/* Time asleep passes on the wall as well: that is no step. */
	w->wall_offset_ns += news.suspended_ns;
	news.step_ns = moved(w, w->source.wall_offset_ns, w->wall_offset_ns);
	w->wall_offset_ns += news.step_ns;
	return news;
}
