/* check_validity.c - each reason to doubt the numbers has its badge, and goes
 * away with its cause. */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "src/validity.h"

static struct model *m;
static struct rt_rights rights;

static void set_up(void)
{
	const struct model_spec spec = { .groups = 2, .series = 4, .digits = 3, .start_ns = 1 };

	m = model_new(&spec);
	model_zero(m, 1);
	for (unsigned g = 0; g < 2; g++) {
		m->groups[g] = (struct group){.on = true,
					      .first = 2 * g,
					      .nr = 2,
					      .now = m->groups[g].now,
					      .run = m->groups[g].run,
					      .undo = m->groups[g].undo,
					      .baseline = m->groups[g].baseline,
					      .history = m->groups[g].history};
		snprintf(m->groups[g].name, sizeof(m->groups[g].name),
			 g ? "wakeup-other" : "wakeup-fifo");
	}
	m->groups[0].want_rt = true;
	for (unsigned i = 0; i < 4; i++) {
		m->series[i].group = i / 2;
		m->series[i].cpu = (int)i % 2;
		cpuset_add(&m->measured, (int)i % 2);
		snprintf(m->series[i].policy, sizeof(m->series[i].policy),
			 i < 2 ? "SCHED_FIFO" : "SCHED_OTHER");
	}
	snprintf(m->system.clocksource, sizeof(m->system.clocksource), "tsc");
	snprintf(m->system.governor, sizeof(m->system.governor), "performance");
	rights = (struct rt_rights){ .fifo = true, .priority = 80, .lock = RT_LOCK_ALL };
}

static void tear_down(void)
{
	model_free(m);
}

static const struct badge *badge(const char *name)
{
	for (unsigned i = 0; i < m->nr_badges; i++)
		if (!strcmp(m->badges[i].name, name))
			return &m->badges[i];
	return NULL;
}

static void look(void)
{
	validity_start(m, &rights);
	validity_tick(m, 2);
}

START_TEST(a_good_machine_has_no_badge)
{
	look();
	ck_assert_uint_eq(m->nr_badges, 0);
}
END_TEST

START_TEST(not_real_time_says_how_many_and_why)
{
	snprintf(m->series[1].policy, sizeof(m->series[1].policy), "SCHED_OTHER");
	rights.fifo = false;
	snprintf(rights.why.text, sizeof(rights.why.text), "RLIMIT_RTPRIO is 0; raise rtprio");
	look();
	const struct badge *b = badge("not-rt");

	ck_assert_ptr_nonnull(b);
	ck_assert_str_eq(b->level, "bad");
	ck_assert_ptr_nonnull(strstr(b->text, "1 of 2"));
	ck_assert_ptr_nonnull(strstr(b->text, "raise rtprio"));
}
END_TEST

START_TEST(real_time_lost_later_is_said_too)
{
	look();
	ck_assert_ptr_null(badge("not-rt"));
	snprintf(m->series[0].policy, sizeof(m->series[0].policy), "SCHED_OTHER");
	validity_tick(m, 3);
	ck_assert_ptr_nonnull(badge("not-rt"));
}
END_TEST

/* F39: a host that took CPU time is no fault of the kernel. */
START_TEST(steal_stays_marked_for_the_run)
{
	m->rates.steal_pct = 12.5;
	m->rates.steal_s = 0.7;
	look();
	ck_assert_ptr_nonnull(strstr(badge("steal")->text, "12.5"));
	m->rates.steal_pct = 0;
	validity_tick(m, 3);
	ck_assert_ptr_nonnull(strstr(badge("steal")->text, "0.7"));
}
END_TEST

/* One cause each: how it is set, and what its badge is called. */
static void cause_vm(void) { snprintf(m->system.virtualization, 8, "kvm"); }
static void cause_throttling(void) { m->series[0].throttled = 3; }
static void cause_cstates(void) { snprintf(m->tiers.cstates, 8, "held"); }
static void cause_governor(void) { snprintf(m->system.governor, 10, "powersave"); }
static void cause_clock(void) { snprintf(m->system.clocksource, 8, "hpet"); }
static void cause_clock_change(void) { model_event(m, 5, "clock", "clocksource tsc -> hpet"); }
static void cause_slack(void) { m->series[3].slack_ns = 50000; }
static void cause_unplaced(void) { m->series[2].counts.unplaced = 9; }
static void cause_offline(void) { m->series[1].offline = true; }
static void cause_silent(void) { m->series[1].silent = true; }
static void cause_faults(void) { m->self.sampler_faults = 2; }
static void cause_suspend(void) { model_event(m, 5, "gap", "machine suspended"); }
static void cause_interval(void) { m->self.sampler_cpu_pct = 50; }
static void cause_idle(void)
{
	snprintf(m->system.idle_state, sizeof(m->system.idle_state), "C6");
	m->system.idle_exit_ns = 133000;
}
static void cause_blame_idle(void) { m->series[1].idle_unrecorded = true; }
static void cause_stray(void) { m->series[1].strayed = 2; }
static void cause_rival(void)
{
	m->rivals = (struct rival_view){ .nr = 1, .pid = 77, .priority = 99, .comm = "hog" };
}
static void cause_cost(void) { m->self.cpu_pct = 9; }
static void cause_lock(void) { rights.lock = RT_LOCK_NONE; }
static void cause_low(void)
{
	rights.priority = 50;
	snprintf(rights.why.text, sizeof(rights.why.text), "real time: the rtprio limit is 50, "
		 "wanted 80; raise rtprio in /etc/security/limits.d and log in again");
}
static void cause_rt_group(void)
{
	rights.fifo = false;
	snprintf(rights.why.text, sizeof(rights.why.text),
		 "cgroup /x has cpu.rt_runtime_us 0; move");
}

static const struct { void (*cause)(void); const char *badge; } causes[] = {
	{ cause_vm, "vm" }, { cause_throttling, "throttling" }, { cause_cstates, "cstates" },
	{ cause_governor, "governor" }, { cause_clock, "clocksource" },
	{ cause_clock_change, "clocksource" }, { cause_slack, "slack" },
	{ cause_unplaced, "unplaced" }, { cause_offline, "wrong-cpu" }, { cause_silent, "silent" },
	{ cause_faults, "sampler-faults" }, { cause_suspend, "suspend" },
	{ cause_interval, "interval" }, { cause_cost, "own-cost" }, { cause_lock, "not-locked" },
	{ cause_rt_group, "rt-group" }, { cause_idle, "cstates" }, { cause_stray, "unpinned" },
	{ cause_rival, "rt-above" }, { cause_blame_idle, "blame-idle" },
	{ cause_low, "low-priority" },
};

START_TEST(each_cause_has_its_badge)
{
	causes[_i].cause();
	look();
	ck_assert_uint_eq(m->nr_badges, 1);
	ck_assert_str_eq(m->badges[0].name, causes[_i].badge);
	ck_assert_uint_gt(strlen(m->badges[0].text), 20);
	/* The remedy is behind what was seen: nothing was cut off. */
	ck_assert_uint_lt(strlen(m->badges[0].text), sizeof(m->badges[0].text) - 1);
}
END_TEST

START_TEST(what_is_over_loses_its_badge)
{
	cause_offline();
	cause_silent();
	cause_cstates();
	cause_interval();
	cause_rival();
	look();
	ck_assert_uint_eq(m->nr_badges, 5);
	m->rivals.nr = 0;
	m->series[1].offline = m->series[1].silent = false;
	m->tiers.cstates[0] = '\0';
	m->self.sampler_cpu_pct = 4;
	validity_tick(m, 3);
	ck_assert_uint_eq(m->nr_badges, 0);
}
END_TEST

/* What a probe works on purpose is no cost of a short interval. */
START_TEST(work_that_was_asked_for_is_no_short_interval)
{
	m->self.sampler_cpu_pct = 54;
	m->self.sampler_work_pct = 50;
	look();
	ck_assert_uint_eq(m->nr_badges, 0);
}
END_TEST

START_TEST(probes_that_are_off_do_not_count)
{
	snprintf(m->series[0].policy, sizeof(m->series[0].policy), "SCHED_OTHER");
	cause_slack();
	m->groups[0].on = m->groups[1].on = false;
	look();
	ck_assert_uint_eq(m->nr_badges, 0);
}
END_TEST

Suite *validity_suite(void);
Suite *validity_suite(void)
{
	Suite *s = suite_create("validity");
	TCase *tc = tcase_create("badges");

	tcase_add_checked_fixture(tc, set_up, tear_down);
	tcase_add_test(tc, a_good_machine_has_no_badge);
	tcase_add_test(tc, not_real_time_says_how_many_and_why);
	tcase_add_test(tc, real_time_lost_later_is_said_too);
	tcase_add_test(tc, steal_stays_marked_for_the_run);
	tcase_add_loop_test(tc, each_cause_has_its_badge, 0, sizeof(causes) / sizeof(causes[0]));
	tcase_add_test(tc, what_is_over_loses_its_badge);
	tcase_add_test(tc, work_that_was_asked_for_is_no_short_interval);
	tcase_add_test(tc, probes_that_are_off_do_not_count);
	suite_add_tcase(s, tc);
	return s;
}
