/* check_watchdog.c - its judgement with scripted time, and real threads. */
#include <check.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "src/clock.h"
#include "src/watchdog.h"
#include "tests/skip.h"

#define TURN_NS (NS_PER_S / 4)

static struct watchdog_state state;
static int64_t now_ns, fed_ns;

static void start(void)
{
	memset(&state, 0, sizeof(state));
	now_ns = fed_ns = 1000 * NS_PER_S;
	ck_assert_uint_eq(watchdog_judge(&state, now_ns, fed_ns, true), WATCHDOG_NOTHING);
}

static unsigned turn(int64_t ns, bool main_is_rt)
{
	now_ns += ns;
	return watchdog_judge(&state, now_ns, fed_ns, main_is_rt);
}

/* Lets turns pass until it acts; returns the time that took, or -1 after 60 s. */
static int64_t silence_until(unsigned act, bool main_is_rt)
{
	for (int64_t silent = TURN_NS; silent <= 60 * NS_PER_S; silent += TURN_NS) {
		if (turn(TURN_NS, main_is_rt) & act)
			return silent;
	}
	return -1;
}

static const struct { bool rt; int64_t limit_ns; } mains[] = {
	{ true, 2 * NS_PER_S }, { false, 5 * NS_PER_S },
};

START_TEST(a_silent_main_costs_the_loads_and_then_real_time)
{
	start();
	ck_assert_int_eq(silence_until(WATCHDOG_KILL_LOADS, mains[_i].rt), mains[_i].limit_ns);
	ck_assert_int_eq(silence_until(WATCHDOG_DEMOTE_ALL, mains[_i].rt), mains[_i].limit_ns);
}
END_TEST

START_TEST(each_act_happens_once_per_silence)
{
	start();
	silence_until(WATCHDOG_DEMOTE_ALL, true);
	ck_assert_int_eq(silence_until(WATCHDOG_KILL_LOADS | WATCHDOG_DEMOTE_ALL, true), -1);
	fed_ns = now_ns + 1;
	ck_assert_uint_eq(turn(TURN_NS, true), WATCHDOG_NOTHING);
	ck_assert_int_eq(silence_until(WATCHDOG_KILL_LOADS, true), 2 * NS_PER_S);
}
END_TEST

START_TEST(a_main_that_feeds_is_left_alone)
{
	start();
	for (int i = 0; i < 1000; i++) {
		if (i % 7 == 0)		/* every 1.75 s */
			fed_ns = now_ns + 1;
		ck_assert_uint_eq(turn(TURN_NS, true), WATCHDOG_NOTHING);
	}
}
END_TEST

/* F34, P19: 30 s stopped, or asleep: nobody was silent in that time. */
START_TEST(a_gap_starts_afresh)
{
	start();
	for (int i = 0; i < 7; i++)
		ck_assert_uint_eq(turn(TURN_NS, true), WATCHDOG_NOTHING);
	ck_assert_uint_eq(turn(30 * NS_PER_S, true), WATCHDOG_NOTHING);
	ck_assert_int_eq(silence_until(WATCHDOG_KILL_LOADS, true), 2 * NS_PER_S);
}
END_TEST

START_TEST(gaps_alone_never_lead_to_an_act)
{
	start();
	for (int i = 0; i < 100; i++)
		ck_assert_uint_eq(turn(NS_PER_S + 1 + i * NS_PER_MS, true), WATCHDOG_NOTHING);
}
END_TEST

START_TEST(a_clock_that_goes_back_is_a_gap)
{
	start();
	ck_assert_uint_eq(turn(-10 * NS_PER_S, true), WATCHDOG_NOTHING);
	fed_ns = 0;
	ck_assert_int_eq(silence_until(WATCHDOG_KILL_LOADS, true), 2 * NS_PER_S);
}
END_TEST

/* ---- real threads -------------------------------------------------------- */

static _Atomic bool let_go;

/* Never sleeps; ends when told to or after 30 s. */
static int spin_sample(void *at, struct probe_sample *out)
{
	int64_t until_ns = clock_now_ns() + 30 * NS_PER_S;

	(void)at;
	while (!atomic_load_explicit(&let_go, memory_order_relaxed) && clock_now_ns() < until_ns)
		;
	*out = (struct probe_sample){ .due_ns = clock_now_ns(), .woke_ns = clock_now_ns() };
	usleep(1000);
	return 0;
}

static const struct probe spinning = { .name = "spin", .flags = PROBE_RT, .sample = spin_sample };

static bool have_fifo(const char *test)
{
	struct rt_rights rights;

	rt_prepare(50, &rights);
	return rights.fifo || skip_test(test, rights.why.text);
}

static int64_t away_ns;		/* the longest that this thread was kept from looking */

static bool wait_for_other(pid_t tid)
{
	int64_t looked_ns = clock_now_ns();
	struct rt_granted now;

	away_ns = 0;
	for (int i = 0; i < 1000; i++) {
		if (rt_read_back(tid, &now) == 0 && now.policy == SCHED_OTHER)
			return true;
		usleep(20000);
		if (clock_now_ns() - looked_ns > away_ns)
			away_ns = clock_now_ns() - looked_ns;
		looked_ns = clock_now_ns();
	}
	return false;
}

/* F31, P5: by the kernel's limit, or with that out of the way by the watchdog. */
START_TEST(a_sampler_that_never_sleeps_is_demoted)
{
	struct rlimit limit;
	struct sampler_config config = {
		.probe = &spinning, .cpu = -1, .period_ns = NS_PER_MS, .priority = 50,
		.want_fifo = true, .ring_room = 64,
	};
	struct sampler *s = have_fifo(__func__) ? sampler_start(&config, NULL) : NULL;
	struct watchdog_config dog = { .samplers = &s, .nr_samplers = 1, .priority = 51 };
	pid_t by_watchdog = 0, by_kernel = 0;

	if (!s)
		return;
	if (_i == 1) {
		getrlimit(RLIMIT_RTTIME, &limit);
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_RTTIME, &limit);
	}
	struct watchdog *w = watchdog_start(&dog, NULL);

	ck_assert_ptr_nonnull(w);
	sampler_release(s, clock_now_ns());
	bool demoted = wait_for_other(sampler_tid(s));

	atomic_store(&let_go, true);
	ck_assert(demoted);
	/* An ordinary thread now: on a busy machine it counts a little later. */
	unsigned demotions = 0;
	int64_t end_ns = clock_now_ns() + 20 * NS_PER_S;

	while (!demotions && clock_now_ns() < end_ns) {
		demotions = watchdog_demotions(w, &by_watchdog) + rt_xcpu_count(&by_kernel);
		clock_wait_until(clock_now_ns() + NS_PER_MS);
	}
	ck_assert_uint_ge(demotions, 1);
	ck_assert(by_watchdog == sampler_tid(s) || by_kernel == sampler_tid(s));
	watchdog_stop(w);
	sampler_free(s);
}
END_TEST

/* Half of the time, in pieces that no limit minds. */
static int work_sample(void *at, struct probe_sample *out)
{
	int64_t due_ns = clock_now_ns(), until_ns = due_ns + 5 * NS_PER_MS;

	(void)at;
	while (clock_now_ns() < until_ns)
		;
	usleep(5000);
	*out = (struct probe_sample){ .due_ns = due_ns, .woke_ns = clock_now_ns() };
	return 0;
}

START_TEST(what_a_sampler_used_before_the_watchdog_came_is_forgiven)
{
	static const struct probe working = { .name = "work", .flags = PROBE_RT, .sample = work_sample };
	struct sampler_config config = {
		.probe = &working, .cpu = -1, .period_ns = 10 * NS_PER_MS, .priority = 50,
		.want_fifo = true, .ring_room = 64,
	};
	struct sampler *s = have_fifo(__func__) ? sampler_start(&config, NULL) : NULL;
	struct watchdog_config dog = { .samplers = &s, .nr_samplers = 1, .priority = 51 };
	struct rt_granted now;
	pid_t tid;

	if (!s)
		return;
	sampler_release(s, clock_now_ns());
	while (sampler_cpu_ns(s) < 400 * NS_PER_MS)
		usleep(20000);
	struct watchdog *w = watchdog_start(&dog, NULL);

	ck_assert_ptr_nonnull(w);
	usleep(700000);		/* two of its turns */
	ck_assert_uint_eq(watchdog_demotions(w, &tid), 0);
	ck_assert_int_eq(rt_read_back(sampler_tid(s), &now), 0);
	ck_assert_int_eq(now.policy, SCHED_FIFO);
	watchdog_stop(w);
	sampler_free(s);
}
END_TEST

static _Atomic unsigned kills;

static void count_kill(void *ctx)
{
	(void)ctx;
	kills++;
}

START_TEST(a_main_that_hangs_loses_its_loads)
{
	struct watchdog_config dog = { .main_is_rt = true, .kill_loads = count_kill };
	struct watchdog *w = watchdog_start(&dog, NULL);

	ck_assert_ptr_nonnull(w);
	watchdog_feed(w);
	/* It counts what it has done a little later. */
	for (int i = 0; i < 1000 && watchdog_kills(w) == 0; i++)
		usleep(20000);
	ck_assert_uint_eq(kills, 1);
	ck_assert_uint_eq(watchdog_kills(w), 1);
	watchdog_stop(w);
}
END_TEST

START_TEST(a_main_that_hangs_for_long_costs_real_time)
{
	extern const struct probe probe_wakeup_fifo;
	struct sampler_config config = {
		.probe = &probe_wakeup_fifo, .cpu = -1, .period_ns = 10 * NS_PER_MS,
		.priority = 50, .want_fifo = true, .ring_room = 64,
	};
	struct sampler *s = have_fifo(__func__) ? sampler_start(&config, NULL) : NULL;
	struct watchdog_config dog = {
		.samplers = &s, .nr_samplers = 1, .priority = 51, .main_is_rt = true,
	};
	pid_t tid = 0;

	if (!s)
		return;
	struct watchdog *w = watchdog_start(&dog, NULL);

	ck_assert_ptr_nonnull(w);
	sampler_release(s, clock_now_ns());
	ck_assert(wait_for_other(sampler_tid(s)));
	/* After a gap of its own it begins anew, and so does its first act. */
	ck_assert_uint_ge(watchdog_kills(w), 1);
	if (away_ns < NS_PER_S / 2)
		ck_assert_uint_eq(watchdog_kills(w), 1);
	watchdog_stop(w);
	ck_assert_uint_eq(rt_xcpu_count(&tid), 0);
	sampler_free(s);
}
END_TEST

START_TEST(a_stop_is_immediate)
{
	struct watchdog_config dog = { .priority = 0 };
	struct watchdog *w = watchdog_start(&dog, NULL);

	ck_assert_ptr_nonnull(w);
	watchdog_stop(w);
	watchdog_stop(NULL);
}
END_TEST

Suite *watchdog_suite(void);
Suite *watchdog_suite(void)
{
	Suite *s = suite_create("watchdog");
	TCase *judge = tcase_create("judge");
	TCase *real = tcase_create("real threads");

	tcase_add_loop_test(judge, a_silent_main_costs_the_loads_and_then_real_time, 0, 2);
	tcase_add_test(judge, each_act_happens_once_per_silence);
	tcase_add_test(judge, a_main_that_feeds_is_left_alone);
	tcase_add_test(judge, a_gap_starts_afresh);
	tcase_add_test(judge, gaps_alone_never_lead_to_an_act);
	tcase_add_test(judge, a_clock_that_goes_back_is_a_gap);
	suite_add_tcase(s, judge);
	tcase_set_timeout(real, 60);
	tcase_add_loop_test(real, a_sampler_that_never_sleeps_is_demoted, 0, 2);
	tcase_add_test(real, what_a_sampler_used_before_the_watchdog_came_is_forgiven);
	tcase_add_test(real, a_main_that_hangs_loses_its_loads);
	tcase_add_test(real, a_main_that_hangs_for_long_costs_real_time);
	tcase_add_test(real, a_stop_is_immediate);
	suite_add_tcase(s, real);
	return s;
}
