/* blame_budget.c - see blame_budget.h. */
#include "src/blame_budget.h"

#include "src/clock.h"

#define SAVED_MOST_NS (BLAME_SAVED_S * NS_PER_S * BLAME_CPU_PCT / 100)

void blame_budget_turn(struct blame_budget *b, int64_t now_ns)
{
	int64_t since_ns = now_ns - b->now_ns, room_ns = SAVED_MOST_NS - b->credit_ns;

	if (since_ns)
		b->turn_ns = 0;
	if (!b->now_ns)
		b->credit_ns = SAVED_MOST_NS;
	else if (since_ns > room_ns * 100 / BLAME_CPU_PCT)
		b->credit_ns = SAVED_MOST_NS;
	else if (since_ns > 0)
		b->credit_ns += since_ns * BLAME_CPU_PCT / 100;
	b->now_ns = now_ns;
}

bool blame_budget_allows(const struct blame_budget *b, bool worst)
{
	return b->turn_ns < BLAME_TURN_NS && b->credit_ns > (worst ? -SAVED_MOST_NS : 0);
}

void blame_budget_spend(struct blame_budget *b, int64_t cpu_ns)
{
	b->credit_ns -= cpu_ns;
	b->turn_ns += cpu_ns;
}
