/* check_probe_deadline.c - refusals with a remedy, and overruns. */
#include <check.h>
#include <errno.h>
#include <string.h>

#include "tests/scripted.h"

extern const struct probe probe_wakeup_deadline;

static struct scripted world;
static struct probe_env env;
static _Alignas(64) unsigned char state[256];
static _Atomic int64_t counters[PROBE_COUNTERS_MAX], overruns;
static int answer;

static int reserve(void *ctx, unsigned variant)
{
	(void)ctx;
	(void)variant;
	return answer;
}

static int open_probe(int64_t period_ns, struct why *why)
{
	scripted_env(&world, &env, period_ns);
	env.operation = reserve;
	env.counters = counters;
	env.overruns = &overruns;
	return probe_wakeup_deadline.open(state, &env, why);
}

static const struct { int err; const char *remedy; } refusals[] = {
	{ -EPERM, "CAP_SYS_NICE" }, { -EBUSY, "stop other" }, { -EINVAL, "1ms" },
	{ -ENOSYS, "wakeup-fifo" },
};

START_TEST(a_refusal_names_its_remedy)
{
	struct why why = { 0 };

	answer = refusals[_i].err;
	ck_assert_int_eq(open_probe(NS_PER_MS, &why), refusals[_i].err);
	ck_assert_int_eq(why.err, refusals[_i].err);
	ck_assert_msg(strstr(strchr(why.text, ';') ? why.text : "", refusals[_i].remedy) != NULL,
		      "%s", why.text);
}
END_TEST

START_TEST(a_period_of_nothing_is_refused)
{
	ck_assert_int_eq(open_probe(0, NULL), -EINVAL);
}
END_TEST

START_TEST(it_measures_as_the_others_do)
{
	struct probe_sample s = { 0 };

	world = (struct scripted){ .late_ns = { 3400000 }, .nr_late = 1 };
	ck_assert_int_eq(open_probe(NS_PER_MS, NULL), 0);
	ck_assert_int_eq(probe_wakeup_deadline.sample(state, &s), 0);
	ck_assert_int_eq(s.woke_ns - s.due_ns, 3400000);
	probe_wakeup_deadline.sample(state, &s);
	ck_assert_int_eq(s.due_ns, env.first_due_ns + 4 * NS_PER_MS);
}
END_TEST

START_TEST(overruns_are_counted_once)
{
	struct probe_sample s = { 0 };

	world = (struct scripted){ 0 };
	ck_assert_int_eq(open_probe(NS_PER_MS, NULL), 0);
	for (int i = 0; i < 10; i++) {
		if (i % 4 == 0)
			overruns += 2;
		probe_wakeup_deadline.sample(state, &s);
	}
	ck_assert_int_eq(counters[0], 6);
}
END_TEST

Suite *probe_deadline_suite(void);
Suite *probe_deadline_suite(void)
{
	Suite *s = suite_create("probe_deadline");
	TCase *tc = tcase_create("deadline");

	tcase_add_loop_test(tc, a_refusal_names_its_remedy, 0,
			    sizeof(refusals) / sizeof(refusals[0]));
	tcase_add_test(tc, a_period_of_nothing_is_refused);
	tcase_add_test(tc, it_measures_as_the_others_do);
	tcase_add_test(tc, overruns_are_counted_once);
	suite_add_tcase(s, tc);
	return s;
}
