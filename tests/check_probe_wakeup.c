/* check_probe_wakeup.c - the wakeup probes in a scripted world. */
#include <check.h>
#include <errno.h>
#include <string.h>

#include "src/probe.h"
#include "tests/scripted.h"

#define PERIOD_NS 1000

extern const struct probe probe_wakeup_fifo, probe_wakeup_other;

static struct scripted world;
static struct probe_env env;
static _Alignas(64) unsigned char state[256];

static void open_probe(int64_t period_ns)
{
	scripted_env(&world, &env, period_ns);
	ck_assert_uint_le(probe_wakeup_fifo.state_size, sizeof(state));
	ck_assert_int_eq(probe_wakeup_fifo.open(state, &env, NULL), 0);
}

static struct probe_sample sample(void)
{
	struct probe_sample out = { 0 };

	ck_assert_int_eq(probe_wakeup_fifo.sample(state, &out), 0);
	return out;
}

START_TEST(a_sample_is_the_distance_from_its_due_time)
{
	world = (struct scripted){ .late_ns = { 37 }, .nr_late = 1 };
	open_probe(PERIOD_NS);
	struct probe_sample s = sample();

	ck_assert_int_eq(s.due_ns, 1000);
	ck_assert_int_eq(s.woke_ns, 1037);
	ck_assert_int_eq(s.error, 0);
	ck_assert_uint_eq(s.missed, 0);
}
END_TEST

static const struct { int64_t late, next_due; } skips[] = {
	{ 0, 2000 }, { 999, 2000 }, { 1000, 3000 }, { 1001, 3000 }, { 3400, 5000 },
	{ 10500, 12000 }, { -5, 2000 },
	{ INT64_C(3000000000000), 1000 + INT64_C(3000000000000) + 1000 },
};

START_TEST(due_times_that_passed_are_skipped)
{
	world = (struct scripted){ .late_ns = { skips[_i].late }, .nr_late = 1 };
	open_probe(PERIOD_NS);
	struct probe_sample s = sample();

	ck_assert_int_eq(s.woke_ns - s.due_ns, skips[_i].late);
	sample();
	ck_assert_int_eq(world.waited_for[1], skips[_i].next_due);
	ck_assert_int_gt(world.waited_for[1], s.woke_ns);
}
END_TEST

/* Every period is a sample or missed, and no wait is for a time in the past. */
START_TEST(a_machine_that_is_too_slow_gets_no_burst)
{
	int64_t missed = 0;

	world = (struct scripted){ 0 };
	open_probe(NS_PER_MS);
	int64_t first = env.first_due_ns, last = 0;

	for (int i = 0; i < 100; i++) {
		world.jump_ns = 1400000;
		struct probe_sample s = sample();

		ck_assert_int_gt(s.due_ns, last);
		ck_assert_int_ge(s.woke_ns, s.due_ns);
		missed += probe_missed(s.due_ns, s.woke_ns, NS_PER_MS);
		last = s.woke_ns;
	}
	ck_assert_int_eq(missed, 100);
	sample();
	ck_assert_int_eq(world.waited_for[100 % SCRIPTED_MAX], first + (100 + missed) * NS_PER_MS);
}
END_TEST

START_TEST(an_error_of_the_wait_ends_the_probe)
{
	struct probe_sample out = { 0 };

	world = (struct scripted){ .wait_err = EINVAL };
	open_probe(PERIOD_NS);
	ck_assert_int_eq(probe_wakeup_fifo.sample(state, &out), -EINVAL);
}
END_TEST

START_TEST(a_period_of_nothing_is_refused)
{
	struct why why = { 0 };

	scripted_env(&world, &env, 0);
	ck_assert_int_eq(probe_wakeup_fifo.open(state, &env, &why), -EINVAL);
	ck_assert_ptr_nonnull(strstr(why.text, "period"));
}
END_TEST

static const struct probe *by_name(const char *name)
{
	for (const struct probe *const *p = probes; *p; p++) {
		if (strcmp((*p)->name, name) == 0)
			return *p;
	}
	return NULL;
}

START_TEST(both_are_registered_and_differ_in_policy_alone)
{
	const struct probe *fifo = by_name("wakeup-fifo"), *other = by_name("wakeup-other");

	ck_assert_ptr_eq(fifo, &probe_wakeup_fifo);
	ck_assert_ptr_eq(other, &probe_wakeup_other);
	ck_assert_uint_eq(fifo->flags & ~other->flags, PROBE_RT);
	ck_assert_uint_eq(other->flags & ~fifo->flags, 0);
	ck_assert(fifo->sample == other->sample);
}
END_TEST

/* What its knobs say; 0: no such knob. */
static int64_t default_period_ns(const struct probe *p)
{
	for (const struct probe_knob *k = p->knobs; k->name; k++) {
		if (!strcmp(k->name, "period"))
			return k->value * NS_PER_MS;
	}
	return 0;
}

START_TEST(every_registered_probe_is_complete)
{
	for (const struct probe *const *p = probes; *p; p++) {
		ck_assert_uint_lt(strlen((*p)->name), PROBE_NAME_MAX);
		ck_assert_ptr_eq(by_name((*p)->name), *p);
		ck_assert_uint_gt(strlen((*p)->summary), 0);
		ck_assert_ptr_nonnull((*p)->sample);
		for (const struct probe_knob *k = (*p)->knobs; k->name; k++) {
			ck_assert_int_le(k->least, k->value);
			ck_assert_int_le(k->value, k->most);
		}
		if (((*p)->flags & (PROBE_HELPER | PROBE_ONESHOT)) == PROBE_HELPER)
			ck_assert_int_eq(default_period_ns(*p), (*p)->period_ns);
	}
}
END_TEST

Suite *probe_wakeup_suite(void);
Suite *probe_wakeup_suite(void)
{
	Suite *s = suite_create("probe_wakeup");
	TCase *tc = tcase_create("wakeup");

	tcase_add_test(tc, a_sample_is_the_distance_from_its_due_time);
	tcase_add_loop_test(tc, due_times_that_passed_are_skipped, 0,
			    sizeof(skips) / sizeof(skips[0]));
	tcase_add_test(tc, a_machine_that_is_too_slow_gets_no_burst);
	tcase_add_test(tc, an_error_of_the_wait_ends_the_probe);
	tcase_add_test(tc, a_period_of_nothing_is_refused);
	tcase_add_test(tc, both_are_registered_and_differ_in_policy_alone);
	tcase_add_test(tc, every_registered_probe_is_complete);
	suite_add_tcase(s, tc);
	return s;
}
