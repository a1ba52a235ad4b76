/*
 * check_snapshot_rt.c - real time is said of what was measured: rights that no
 * probe used are none.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/format.h"
#include "src/snapshot_build.h"
#include "src/snapshot_parts.h"
#include "src/snapshot_rt.h"
#include "tests/fake_snapshot.h"

static const struct {
	const char *policy[3];	/* of its series */
	const char *tier;
	bool badge;
	enum snapshot_rt want;
	const char *report, *picture;
} cases[] = {
	{ { "SCHED_FIFO", "SCHED_OTHER" }, "fifo", false, SNAPSHOT_RT_ALL,
	  "measured  in real time (SCHED_FIFO)", ">real time " },
	{ { "SCHED_DEADLINE" }, "fifo", false, SNAPSHOT_RT_ALL,
	  "measured  in real time (SCHED_DEADLINE)", ">real time " },
	{ { "SCHED_OTHER", "SCHED_OTHER" }, "fifo", false, SNAPSHOT_RT_NONE,
	  "measured  no real-time probe", ">no real-time probe " },
	{ { "SCHED_OTHER" }, "other", false, SNAPSHOT_RT_NONE, "measured  no real-time probe",
	  ">no real-time probe " },
	{ { NULL }, "fifo", false, SNAPSHOT_RT_NONE, "measured  no real-time probe",
	  ">no real-time probe " },
	{ { "SCHED_FIFO", "SCHED_OTHER" }, "fifo", true, SNAPSHOT_RT_PARTLY,
	  "measured  PARTLY IN REAL TIME", ">PARTLY REAL TIME " },
	{ { "SCHED_OTHER" }, "other", true, SNAPSHOT_RT_NOT, "measured  NOT IN REAL TIME",
	  ">NOT REAL TIME " },
	{ { "SCHED_FIFO" }, "other", false, SNAPSHOT_RT_NOT, "measured  NOT IN REAL TIME",
	  ">NOT REAL TIME " },
	{ { "" }, "fifo", false, SNAPSHOT_RT_ALL, "measured  in real time (SCHED_FIFO)",
	  ">real time " },
	{ { "" }, "other", false, SNAPSHOT_RT_NOT, "measured  NOT IN REAL TIME",
	  ">NOT REAL TIME " },
};

static struct snapshot *make(int i)
{
	static const int64_t ns[] = { 1000, 2000 };
	struct snapshot *s = snapshot_new();

	snprintf(s->tier_rt, sizeof(s->tier_rt), "%s", cases[i].tier);
	snprintf(s->system.kernel, sizeof(s->system.kernel), "6.1");
	s->cpus_online = 2;
	for (unsigned k = 0; k < 3 && cases[i].policy[k]; k++) {
		char name[8];

		snprintf(name, sizeof(name), "p%u", k);
		struct snapshot_series *one = fake_series(s, name, -1, ns, 2);

		snprintf(one->policy, sizeof(one->policy), "%s", cases[i].policy[k]);
	}
	if (cases[i].badge)
		snapshot_add_badge(s, "not-rt", "bad", "why");
	return s;
}

static void has(const struct snapshot *s, const char *format, const char *text)
{
	size_t n;
	char *bytes = fake_write(format_by_name(format), s, &n);

	ck_assert_msg(strstr(bytes, text) != NULL, "%s lacks \"%s\":\n%s", format, text, bytes);
	free(bytes);
}

START_TEST(every_paper_says_the_same_of_it)
{
	struct snapshot *s = make(_i);

	ck_assert_int_eq(snapshot_rt(s), cases[_i].want);
	has(s, "text", cases[_i].report);
	has(s, "svg", cases[_i].picture);
	has(s, "prometheus", cases[_i].want == SNAPSHOT_RT_ALL ? "jitterscope_real_time 1"
							       : "jitterscope_real_time 0");
	snapshot_free(s);
}
END_TEST

/* Round the model, as a replay goes. */
START_TEST(a_replay_keeps_it)
{
	struct snapshot *s = make(_i), *again = snapshot_new();
	struct why why;
	struct model *m = snapshot_model(s, &why);

	ck_assert_ptr_nonnull(m);
	bool real_time = cases[_i].want == SNAPSHOT_RT_ALL || cases[_i].want == SNAPSHOT_RT_PARTLY;

	if (s->series && s->series[0].policy[0]) {
		ck_assert_int_eq(model_has_rt_probe(m), cases[_i].want != SNAPSHOT_RT_NONE);
		snapshot_take_head(again, m);
		ck_assert_str_eq(again->tier_rt, real_time ? "fifo" : "other");
	}
	model_free(m);
	snapshot_free(again);
	snapshot_free(s);
}
END_TEST

START_TEST(no_cpu_of_its_own_is_not_none_measured)
{
	static const struct { unsigned measured, online; const char *want; } cpus[] = {
		{ 0, 2, "2 CPUs" }, { 0, 1, "1 CPU" }, { 1, 2, "1 of 2 CPUs measured" },
		{ 2, 2, "2 of 2 CPUs measured" },
	};
	struct snapshot *s = snapshot_new();
	char text[48];

	for (unsigned i = 0; i < sizeof(cpus) / sizeof(cpus[0]); i++) {
		s->cpus_measured = cpus[i].measured;
		s->cpus_online = cpus[i].online;
		ck_assert_str_eq(snapshot_cpus_text(s, text, sizeof(text)), cpus[i].want);
	}
	snapshot_free(s);
}
END_TEST

Suite *snapshot_rt_suite(void);
Suite *snapshot_rt_suite(void)
{
	Suite *s = suite_create("snapshot_rt");
	TCase *tc = tcase_create("real time");
	int n = (int)(sizeof(cases) / sizeof(cases[0]));

	tcase_add_loop_test(tc, every_paper_says_the_same_of_it, 0, n);
	tcase_add_loop_test(tc, a_replay_keeps_it, 0, n);
	tcase_add_test(tc, no_cpu_of_its_own_is_not_none_measured);
	suite_add_tcase(s, tc);
	return s;
}
