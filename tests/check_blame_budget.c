/*
 * check_blame_budget.c - what looks at spikes may take: over any time the share
 * and what was saved or borrowed, and nothing is saved beyond that.
 */
#include <check.h>

#include "src/blame_budget.h"
#include "src/clock.h"

#define BEGIN (100 * NS_PER_S)
#define SECOND (NS_PER_S * BLAME_CPU_PCT / 100)	/* what a second gives */
#define FULL (BLAME_SAVED_S * SECOND)

/* In as many turns as it takes, which time does not pay for. */
static void spend(struct blame_budget *b, int64_t ns)
{
	blame_budget_spend(b, ns);
	b->turn_ns = 0;
}

static struct blame_budget begun(void)
{
	struct blame_budget b = { 0 };

	blame_budget_turn(&b, BEGIN);
	return b;
}

START_TEST(the_first_turn_has_all_that_can_be_saved)
{
	struct blame_budget b = begun();

	spend(&b, FULL - 1);
	ck_assert(blame_budget_allows(&b, false));
	spend(&b, 1);
	ck_assert(!blame_budget_allows(&b, false));
}
END_TEST

START_TEST(the_worst_borrow_as_much_again)
{
	struct blame_budget b = begun();

	spend(&b, FULL);
	ck_assert(blame_budget_allows(&b, true));
	spend(&b, FULL - 1);
	ck_assert(blame_budget_allows(&b, true));
	ck_assert(!blame_budget_allows(&b, false));
	spend(&b, 1);
	ck_assert(!blame_budget_allows(&b, true));
}
END_TEST

/* What was borrowed is paid back first. */
START_TEST(time_gives_the_share_and_no_more)
{
	struct blame_budget b = begun();

	spend(&b, FULL + SECOND);
	blame_budget_turn(&b, BEGIN + NS_PER_S);
	ck_assert(!blame_budget_allows(&b, false));
	blame_budget_turn(&b, BEGIN + NS_PER_S);	/* the same turn gives nothing */
	ck_assert_int_eq(b.credit_ns, 0);
	blame_budget_turn(&b, BEGIN + NS_PER_S * 5 / 4);
	ck_assert_int_eq(b.credit_ns, SECOND / 4);
}
END_TEST

START_TEST(a_long_rest_saves_no_more_than_that)
{
	static const int64_t rests[] = { BLAME_SAVED_S * NS_PER_S, 3 * NS_PER_S, 86400 * NS_PER_S, INT64_MAX - BEGIN };
	struct blame_budget b = begun();

	spend(&b, SECOND / 2);
	blame_budget_turn(&b, BEGIN + rests[_i]);
	ck_assert_int_eq(b.credit_ns, FULL);
}
END_TEST

START_TEST(time_that_goes_back_takes_nothing)
{
	struct blame_budget b = begun();

	spend(&b, SECOND / 2);
	blame_budget_turn(&b, BEGIN - NS_PER_S);
	ck_assert_int_eq(b.credit_ns, FULL - SECOND / 2);
}
END_TEST

START_TEST(a_turn_has_a_limit_of_its_own)
{
	struct blame_budget b = begun();

	blame_budget_spend(&b, BLAME_TURN_NS - 1);
	ck_assert(blame_budget_allows(&b, false));
	blame_budget_spend(&b, 1);
	ck_assert(!blame_budget_allows(&b, true));
	blame_budget_turn(&b, BEGIN);		/* the same turn */
	ck_assert(!blame_budget_allows(&b, true));
	blame_budget_turn(&b, BEGIN + 1);
	ck_assert(blame_budget_allows(&b, false));
}
END_TEST

/* Ticks of 20 ms with looks of 1.3 ms whenever it is allowed. */
START_TEST(a_flood_stays_within_the_share)
{
	struct blame_budget b = begun();
	const int64_t look_ns = 1300 * NS_PER_US;
	int64_t spent_ns = 0;

	for (int64_t t = 0; t < 10 * NS_PER_S; t += 20 * NS_PER_MS) {
		blame_budget_turn(&b, BEGIN + t);
		while (blame_budget_allows(&b, t % NS_PER_S == 0)) {
			blame_budget_spend(&b, look_ns);
			spent_ns += look_ns;
		}
	}
	ck_assert_int_le(spent_ns, 10 * SECOND + 2 * FULL + look_ns);
	ck_assert_int_ge(spent_ns, 10 * SECOND);
}
END_TEST

Suite *blame_budget_suite(void);
Suite *blame_budget_suite(void)
{
	Suite *s = suite_create("blame_budget");
	TCase *tc = tcase_create("budget");

	tcase_add_test(tc, the_first_turn_has_all_that_can_be_saved);
	tcase_add_test(tc, a_turn_has_a_limit_of_its_own);
	tcase_add_test(tc, the_worst_borrow_as_much_again);
	tcase_add_test(tc, time_gives_the_share_and_no_more);
	tcase_add_loop_test(tc, a_long_rest_saves_no_more_than_that, 0, 4);
	tcase_add_test(tc, time_that_goes_back_takes_nothing);
	tcase_add_test(tc, a_flood_stays_within_the_share);
	suite_add_tcase(s, tc);
	return s;
}
