/* check_probe_stall.c - glitches and freezes in a scripted world. */
#include <check.h>

#include "tests/scripted.h"

#define TURN_NS (10 * NS_PER_MS)

extern const struct probe probe_stall;

enum { GLITCHES, FREEZES, LONGEST };

static struct scripted world;
static struct probe_env env;
static _Alignas(64) unsigned char state[256];
static _Atomic int64_t counters[PROBE_COUNTERS_MAX];

static void open_probe(void)
{
	scripted_env(&world, &env, TURN_NS);
	env.counters = counters;
	ck_assert_int_eq(probe_stall.open(state, &env, NULL), 0);
}

static int64_t turn(void)
{
	struct probe_sample s = { 0 };

	ck_assert_int_eq(probe_stall.sample(state, &s), 0);
	return s.woke_ns - s.due_ns;
}

static const struct { int64_t gap_ms, glitches, freezes; } gaps[] = {
	{ 10, 0, 0 }, { 99, 0, 0 }, { 100, 0, 0 }, { 101, 1, 0 }, { 999, 1, 0 }, { 1000, 0, 1 },
	{ 20000, 0, 1 },
};

START_TEST(a_gap_is_nothing_a_glitch_or_a_freeze)
{
	int64_t late_ns = (gaps[_i].gap_ms - 10) * NS_PER_MS;

	world = (struct scripted){ .late_ns = { 0, late_ns }, .nr_late = 2 };
	open_probe();
	ck_assert_int_eq(turn(), 0);
	ck_assert_int_eq(turn(), late_ns);
	ck_assert_int_eq(turn(), 0);
	ck_assert_int_eq(counters[GLITCHES], gaps[_i].glitches);
	ck_assert_int_eq(counters[FREEZES], gaps[_i].freezes);
	ck_assert_int_eq(counters[LONGEST], gaps[_i].gap_ms * NS_PER_MS);
}
END_TEST

START_TEST(the_longest_gap_stays)
{
	world = (struct scripted){
		.late_ns = { 0, 200 * NS_PER_MS, 3 * NS_PER_S, 150 * NS_PER_MS }, .nr_late = 4,
	};
	open_probe();
	for (int i = 0; i < 10; i++)
		turn();
	ck_assert_int_eq(counters[GLITCHES], 2);
	ck_assert_int_eq(counters[FREEZES], 1);
	ck_assert_int_eq(counters[LONGEST], 3 * NS_PER_S + TURN_NS);
}
END_TEST

/* A sleep begins where the last turn ended. */
START_TEST(it_never_catches_up)
{
	world = (struct scripted){ .late_ns = { 5, 1234567890, 7 }, .nr_late = 3 };
	open_probe();
	for (int i = 0; i < 20; i++) {
		int64_t before_ns = world.now_ns;

		turn();
		ck_assert_int_ge(world.waited_for[i], before_ns + TURN_NS);
	}
}
END_TEST

START_TEST(nobody_has_to_look_at_the_counters)
{
	world = (struct scripted){ .late_ns = { 0, NS_PER_S }, .nr_late = 2 };
	open_probe();
	env.counters = NULL;
	turn();
	ck_assert_int_eq(turn(), NS_PER_S);
}
END_TEST

Suite *probe_stall_suite(void);
Suite *probe_stall_suite(void)
{
	Suite *s = suite_create("probe_stall");
	TCase *tc = tcase_create("stall");

	tcase_add_loop_test(tc, a_gap_is_nothing_a_glitch_or_a_freeze, 0,
			    sizeof(gaps) / sizeof(gaps[0]));
	tcase_add_test(tc, the_longest_gap_stays);
	tcase_add_test(tc, it_never_catches_up);
	tcase_add_test(tc, nobody_has_to_look_at_the_counters);
	suite_add_tcase(s, tc);
	return s;
}
