/* check_schedule.c - loads with times become orders in time's order. */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "src/clock.h"
#include "src/schedule.h"
#include "tests/fake_plugins.h"

static struct schedule s;
static struct why why;

static void setup(void)
{
	memset(&s, 0, sizeof(s));
	why.text[0] = '\0';
}

static void takes_load(const char *text)
{
	ck_assert_msg(schedule_load(&s, text, &why) == 0, "%s: %s", text, why.text);
}

static void takes_text(const char *text)
{
	ck_assert_msg(schedule_text(&s, text, &why) == 0, "%s: %s", text, why.text);
}

START_TEST(a_bare_name_starts_at_time_zero_without_end)
{
	takes_load("fork");
	ck_assert_uint_eq(s.entries, 1);
	ck_assert_int_eq(s.entry[0].at_ns, 0);
	ck_assert_int_eq(s.entry[0].order.what, CMD_LOAD_START);
	ck_assert_uint_eq(s.entry[0].order.arg, 1);
	ck_assert_uint_eq(s.entry[0].order.workers, 0);
	ck_assert(s.entry[0].order.limit_ns == INT64_MAX);
	ck_assert_ptr_null(s.entry[0].order.cpus);
}
END_TEST

START_TEST(workers_knobs_start_and_length_are_read)
{
	takes_load("churn:8,mode=fsync,burst=3@2s+10s");
	ck_assert_uint_eq(s.entries, 2);
	ck_assert_int_eq(s.entry[0].at_ns, 2 * NS_PER_S);
	ck_assert_uint_eq(s.entry[0].order.workers, 8);
	ck_assert_int_eq(s.entry[0].order.knob[0], 1);
	ck_assert_int_eq(s.entry[0].order.knob[1], 3);
	ck_assert_int_eq(s.entry[1].at_ns, 12 * NS_PER_S);
	ck_assert_int_eq(s.entry[1].order.what, CMD_LOAD_STOP);
	ck_assert_uint_eq(s.entry[1].order.arg, 0);
}
END_TEST

START_TEST(knobs_not_named_keep_their_defaults)
{
	takes_load("churn,burst=9");
	ck_assert(s.entry[0].order.has_knobs);
	ck_assert_int_eq(s.entry[0].order.knob[0], 0);
	ck_assert_int_eq(s.entry[0].order.knob[1], 9);
}
END_TEST

START_TEST(a_cpu_list_keeps_its_commas)
{
	takes_load("churn:4,cpus=0-1,3,burst=2@1s");
	const struct order *o = &s.entry[0].order;

	ck_assert_ptr_nonnull(o->cpus);
	ck_assert_int_eq(cpuset_count(o->cpus), 3);
	ck_assert(cpuset_has(o->cpus, 3) && !cpuset_has(o->cpus, 2));
	ck_assert_int_eq(o->knob[1], 2);
}
END_TEST

START_TEST(a_loadfile_is_parsed_and_kept_by_load)
{
	takes_load("churn,loadfile=a@b.txt");
	ck_assert_ptr_nonnull(s.load_file[0]);
	ck_assert_str_eq(s.load_file_path[0], "a@b.txt");
	ck_assert_int_eq(s.entry[0].at_ns, 0);
	takes_load("churn,loadfile=a@b.txt@3s");
	ck_assert_int_eq(s.entry[1].at_ns, 3 * NS_PER_S);
	ck_assert_int_eq(schedule_load(&s, "churn,loadfile=other", &why), -EINVAL);
}
END_TEST

/* What is wrong is named, not the number of workers. */
START_TEST(a_time_or_no_number_after_the_colon_is_said)
{
	ck_assert_int_eq(schedule_text(&s, "500ms fork:2@1s", &why), -EINVAL);
	ck_assert_ptr_nonnull(strstr(why.text, "no time can be given here; leave out @1s"));
	ck_assert_int_eq(schedule_load(&s, "fork:", &why), -EINVAL);
	ck_assert_ptr_nonnull(strstr(why.text, "no number of workers"));
}
END_TEST

START_TEST(stages_follow_each_other)
{
	takes_text("10s idle; 20s churn:8; 20s fork:4 churn:2 ;");
	ck_assert_int_eq(s.end_ns, 50 * NS_PER_S);
	ck_assert_uint_eq(s.entries, 6);
	ck_assert_int_eq(s.entry[0].at_ns, 10 * NS_PER_S);
	ck_assert_int_eq(s.entry[0].order.what, CMD_LOAD_START);
	ck_assert_int_eq(s.entry[1].at_ns, 30 * NS_PER_S);
	ck_assert_int_eq(s.entry[1].order.what, CMD_LOAD_STOP);
	ck_assert_uint_eq(s.entry[2].order.arg, 1);
	ck_assert_uint_eq(s.entry[3].order.arg, 0);
	ck_assert_uint_eq(s.entry[3].order.workers, 2);
	ck_assert_int_eq(s.entry[5].at_ns, 50 * NS_PER_S);
}
END_TEST

START_TEST(at_one_moment_a_stop_goes_before_a_start)
{
	takes_load("fork@5s");
	takes_load("churn@0s+5s");
	ck_assert_uint_eq(s.entries, 3);
	ck_assert_int_eq(s.entry[1].order.what, CMD_LOAD_STOP);
	ck_assert_int_eq(s.entry[2].order.what, CMD_LOAD_START);
}
END_TEST

START_TEST(orders_come_once_and_never_early)
{
	takes_load("fork@5s+1s");
	takes_load("churn@2s");
	ck_assert_ptr_null(schedule_next(&s, 2 * NS_PER_S - 1));
	ck_assert_int_eq(schedule_when(&s), 2 * NS_PER_S);
	ck_assert_uint_eq(schedule_next(&s, 2 * NS_PER_S)->arg, 0);
	ck_assert_ptr_null(schedule_next(&s, 2 * NS_PER_S));
	ck_assert_int_eq(schedule_next(&s, 60 * NS_PER_S)->what, CMD_LOAD_START);
	ck_assert_int_eq(schedule_next(&s, 60 * NS_PER_S)->what, CMD_LOAD_STOP);
	ck_assert_ptr_null(schedule_next(&s, INT64_MAX));
	ck_assert(schedule_when(&s) == INT64_MAX);
}
END_TEST

START_TEST(entries_ascend_whatever_the_order_of_the_words)
{
	char text[32];

	for (unsigned i = 0; i < 200; i++) {
		snprintf(text, sizeof(text), "fork@%us+%us", (i * 7919) % 100, 1 + i % 5);
		takes_load(text);
	}
	for (unsigned i = 1; i < s.entries; i++)
		ck_assert_int_le(s.entry[i - 1].at_ns, s.entry[i].at_ns);
}
END_TEST

START_TEST(a_full_schedule_refuses_more)
{
	int err = 0;

	for (unsigned i = 0; i <= SCHEDULE_MAX && !err; i++)
		err = schedule_load(&s, "fork", &why);
	ck_assert_int_eq(err, -EINVAL);
	ck_assert_uint_eq(s.entries, SCHEDULE_MAX);
}
END_TEST

static const struct { bool stages; const char *text, *names; } refusals[] = {
	{ false, "", "churn fork" }, { false, "bogus", "churn fork" }, { false, "churn:0", "1..128" },
	{ false, "churn:129", "1..128" }, { false, "churn:", "1..128" }, { false, "churn:x", "1..128" },
	{ false, "fork:99999999999999999999", "1..8" }, { false, "churn,mode=none", "seed|fsync|sync" },
	{ false, "churn,burst=65", "1..64" }, { false, "churn,burst", "KNOB=VALUE" },
	{ false, "churn,fork", "repeat -l: -l fork" },
	{ false, "churn,no=1", "no such knob" }, { false, "churn@", "write it like" }, { false, "churn@x", "x" },
	{ false, "churn@-1s", "-1s" }, { false, "churn@1s+", "" }, { false, "churn@1s+0s", "0s" },
	{ false, "churn@1s+1s+1s", "1s+1s" }, { false, "churn@8761h", "8760h" }, { false, "churn@300000000h", "8760h" },
	{ false, "churn@1s+300000000h", "8760h" },
	{ false, "fork,loadfile=x", "fork" }, { false, "churn,loadfile=missing", "no such file" },
	{ false, "churn,cpus=x", "x" }, { false, "churn,cpus=", "" },
	{ true, "", "idle" }, { true, " ; ", "idle" }, { true, "idle", "idle" }, { true, "10s", "idle" },
	{ true, "10s bogus", "churn fork" }, { true, "0s idle", "0s" }, { true, "10s idle churn:999", "1..128" },
	{ true, "8760h idle; 1s fork", "8760h" },
	{ true, "300000000h idle", "8760h" }, { true, "10 idle", "10" },
};

START_TEST(refusals_name_the_word_and_the_remedy)
{
	int err = refusals[_i].stages ? schedule_text(&s, refusals[_i].text, &why)
				      : schedule_load(&s, refusals[_i].text, &why);

	ck_assert_int_eq(err, -EINVAL);
	ck_assert_msg(strstr(why.text, refusals[_i].names), "%s: %s", refusals[_i].text, why.text);
	ck_assert_msg(strchr(why.text, ';'), "no remedy: %s", why.text);
}
END_TEST

Suite *schedule_suite(void);
Suite *schedule_suite(void)
{
	Suite *suite = suite_create("schedule");
	TCase *tc = tcase_create("parse");

	tcase_add_checked_fixture(tc, setup, NULL);
	tcase_add_test(tc, a_bare_name_starts_at_time_zero_without_end);
	tcase_add_test(tc, workers_knobs_start_and_length_are_read);
	tcase_add_test(tc, knobs_not_named_keep_their_defaults);
	tcase_add_test(tc, a_cpu_list_keeps_its_commas);
	tcase_add_test(tc, a_loadfile_is_parsed_and_kept_by_load);
	tcase_add_test(tc, a_time_or_no_number_after_the_colon_is_said);
	tcase_add_test(tc, stages_follow_each_other);
	tcase_add_test(tc, at_one_moment_a_stop_goes_before_a_start);
	tcase_add_test(tc, orders_come_once_and_never_early);
	tcase_add_test(tc, entries_ascend_whatever_the_order_of_the_words);
	tcase_add_test(tc, a_full_schedule_refuses_more);
	tcase_add_loop_test(tc, refusals_name_the_word_and_the_remedy, 0,
			    sizeof(refusals) / sizeof(refusals[0]));
	suite_add_tcase(suite, tc);
	return suite;
}
