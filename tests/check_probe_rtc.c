/* check_probe_rtc.c - intervals between interrupts, from a scripted device and
 * from the timer that stands in for it. */
#include <check.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "tests/scripted.h"

#define IDEAL_NS 488281

extern const struct probe probe_rtc;

static struct scripted world;
static struct probe_env env;
static _Alignas(64) unsigned char state[256];

static int64_t tick;		/* the next interrupt */
static int64_t late_ns;		/* of the next read */
static int error;

/* The device interrupts on its own grid; who was late returns at once. */
static int read_interrupt(void *ctx, unsigned variant)
{
	(void)ctx;
	(void)variant;
	while (tick * IDEAL_NS <= world.now_ns)
		tick++;
	world.now_ns = tick * IDEAL_NS + late_ns;
	late_ns = 0;
	return error;
}

static void open_probe(bool device)
{
	world = (struct scripted){ .now_ns = 100 };
	tick = 0;
	scripted_env(&world, &env, IDEAL_NS);
	if (device)
		env.operation = read_interrupt;
	ck_assert_int_eq(probe_rtc.open(state, &env, NULL), 0);
}

static struct probe_sample sample(void)
{
	struct probe_sample s = { 0 };

	ck_assert_int_eq(probe_rtc.sample(state, &s), 0);
	return s;
}

static int64_t value(void)
{
	struct probe_sample s = sample();

	return s.woke_ns - s.due_ns;
}

START_TEST(a_late_read_is_followed_by_an_early_one)
{
	open_probe(true);
	ck_assert_int_eq(value(), 0);
	late_ns = 1000;
	ck_assert_int_eq(value(), 1000);
	ck_assert_int_eq(value(), -1000);
	ck_assert_int_eq(value(), 0);
}
END_TEST

START_TEST(interrupts_that_came_while_late_are_missed)
{
	open_probe(true);
	value();
	late_ns = 4 * IDEAL_NS + 200000;
	struct probe_sample s = sample();

	ck_assert_int_eq(s.woke_ns - s.due_ns, 4 * IDEAL_NS + 200000);
	ck_assert_int_eq(probe_missed(s.due_ns, s.woke_ns, IDEAL_NS), 4);
	ck_assert_int_lt(value(), 0);
	ck_assert_int_eq(value(), 0);
}
END_TEST

START_TEST(values_add_up_to_the_time_that_passed)
{
	int64_t sum = 0, n = 1000;

	open_probe(true);
	value();
	int64_t start_ns = world.now_ns;

	for (int i = 0; i < n; i++) {
		late_ns = i * 7919 % 300000;
		sum += value() + IDEAL_NS;
	}
	ck_assert_int_eq(sum, world.now_ns - start_ns);
}
END_TEST

START_TEST(an_error_of_the_device_ends_the_probe)
{
	struct probe_sample s = { 0 };

	open_probe(true);
	error = -EIO;
	ck_assert_int_eq(probe_rtc.sample(state, &s), -EIO);
}
END_TEST

/* F28: an optional device may be missing. */
START_TEST(without_a_device_a_timer_stands_in_and_says_so)
{
	struct why note = { 0 };

	if (access("/dev/rtc0", F_OK) == 0)
		return;		/* the machine has one */
	world = (struct scripted){ .late_ns = { 0, 300, 300000000 }, .nr_late = 3 };
	scripted_env(&world, &env, IDEAL_NS);
	ck_assert_int_eq(probe_rtc.open(state, &env, &note), 0);
	ck_assert_ptr_nonnull(strstr(note.text, "emulated"));
	ck_assert_int_eq(value(), 300);
	ck_assert_int_eq(value(), 300000000 - 300);
	ck_assert_int_lt(value(), 0);
	ck_assert_int_eq(value(), 0);
	probe_rtc.close(state);
}
END_TEST

Suite *probe_rtc_suite(void);
Suite *probe_rtc_suite(void)
{
	Suite *s = suite_create("probe_rtc");
	TCase *tc = tcase_create("rtc");

	tcase_add_test(tc, a_late_read_is_followed_by_an_early_one);
	tcase_add_test(tc, interrupts_that_came_while_late_are_missed);
	tcase_add_test(tc, values_add_up_to_the_time_that_passed);
	tcase_add_test(tc, an_error_of_the_device_ends_the_probe);
	tcase_add_test(tc, without_a_device_a_timer_stands_in_and_says_so);
	suite_add_tcase(s, tc);
	return s;
}
