/* check_sampler.c - the sampler's loop in a scripted world, and real threads. */
#include <check.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/clock.h"
#include "src/cpuset.h"
#include "src/sampler.h"
#include "tests/scripted.h"
#include "tests/skip.h"

#define PERIOD_NS 1000
#define FOREVER INT64_MAX
#define PATIENCE_NS (20 * NS_PER_S)	/* only a failure takes that long */

extern const struct probe probe_wakeup_fifo, probe_wakeup_other;

/* ---- a scripted loop ----------------------------------------------------- */

static struct scripted world;
static struct probe_env env;
static struct sampler_published published;
static struct ring *ring;
static _Atomic bool stop;
static _Atomic int64_t demoted_ns;
static _Alignas(64) unsigned char state[256];
static int64_t from_ns;

static int run_probe(const struct probe *probe, unsigned waits, unsigned warmup, unsigned room)
{
	struct sampler_run run = {
		.probe = probe,
		.state = state,
		.env = &env,
		.rings = &ring,
		.published = &published,
		.stop = &stop,
		.cpu_now = scripted_cpu,
		.demoted_ns = &demoted_ns,
		.warmup = warmup,
		.from_ns = from_ns,
	};

	stop = false;
	memset(&published, 0, sizeof(published));
	world.stop = &stop;
	world.stop_after = waits;
	ring = ring_new(room);
	if (probe->open)
		ck_assert_int_eq(probe->open(state, &env, NULL), 0);
	return sampler_loop(&run);
}

static int run_loop(unsigned waits, unsigned warmup, unsigned room)
{
	return run_probe(&probe_wakeup_fifo, waits, warmup, room);
}

struct tally {
	uint64_t entries, samples, missed, interrupted, errors, demoted, repinned;
	struct ring_spill spill;
};

/* What the collector makes of a ring, in its simplest form. */
static struct tally drain(struct ring *r, int64_t period_ns)
{
	static struct ring_entry out[1 << 16];
	uint64_t counts[SLOTS];
	struct tally t = { 0 };
	unsigned got = ring_drain(r, FOREVER, out, 1 << 16);
	int64_t mark = 0;
	uint64_t more = 0;

	t.entries = got;
	for (unsigned i = 0; i < got; i++) {
		if (out[i].due_ns < 0) {
			t.demoted += out[i].due_ns == -RING_DEMOTED;
			t.repinned += out[i].due_ns == -RING_REPINNED;
			mark = out[i].due_ns;
			if (mark == -RING_MISSED)
				more = (uint64_t)out[i].woke_ns;
			continue;
		}
		uint64_t missed = more +
			(uint64_t)probe_missed(out[i].due_ns, out[i].woke_ns, period_ns);

		t.errors += mark == -RING_ERROR;
		if (mark == -RING_WRONG_CPU || mark == -RING_ERROR)
			t.interrupted += 1 + missed;
		else
			t.samples++, t.missed += missed;
		mark = 0;
		more = 0;
	}
	ring_spill_read(r, &t.spill, counts);
	return t;
}

/* Every due time since the first recorded one is on one side or the other. */
static void check_sum(const struct tally *t, const struct sampler_published *p, int64_t period_ns)
{
	int64_t due = (p->next_due_ns - p->first_due_ns) / period_ns;

	ck_assert_int_eq((p->next_due_ns - p->first_due_ns) % period_ns, 0);
	ck_assert_uint_eq(t->samples + t->missed + t->interrupted + t->spill.periods,
			  (uint64_t)due);
	ck_assert_uint_eq(t->spill.count + t->spill.missed + t->spill.interrupted,
			  t->spill.periods);
}

START_TEST(warm_up_is_not_recorded)
{
	world = (struct scripted){ 0 };
	scripted_env(&world, &env, PERIOD_NS);
	ck_assert_int_eq(run_loop(110, 100, 64), 0);
	struct tally t = drain(ring, PERIOD_NS);

	ck_assert_uint_eq(t.samples, 10);
	ck_assert_int_eq(published.first_due_ns, 101 * PERIOD_NS);
	ck_assert_uint_eq(published.samples, 10);
	ck_assert_int_eq(published.state, SAMPLER_ENDED);
	check_sum(&t, &published, PERIOD_NS);
	ring_free(ring);
}
END_TEST

/* What a probe counts is of the samples that count, and of no other. */
static int counting_sample(void *unused, struct probe_sample *out)
{
	int err;

	(void)unused;
	out->due_ns = env.first_due_ns;
	err = env.wait_until(env.ctx, out->due_ns);
	out->woke_ns = env.now_ns(env.ctx);
	env.first_due_ns += (1 + probe_missed(out->due_ns, out->woke_ns, PERIOD_NS)) * PERIOD_NS;
	probe_counter_add(&env, 0, 1);
	probe_counter_most(&env, 1, out->woke_ns - out->due_ns);
	return -err;
}

static const struct probe counting = { .name = "counting", .sample = counting_sample };

/* Due times 1000, 2000 ...; the third is late by 2.5 periods, and warm-up. */
static const struct { int64_t from_ns, first_ns; } froms[] = {
	{ 0, 6000 }, { 6000, 6000 }, { 6001, 7000 }, { 20000, 20000 }, { 20999, 21000 },
};

START_TEST(samples_and_counters_begin_at_one_time)
{
	world = (struct scripted){ .late_ns = { 5, 5, 2500 }, .nr_late = 3 };
	scripted_env(&world, &env, PERIOD_NS);
	env.counters = published.counters;
	from_ns = froms[_i].from_ns;
	ck_assert_int_eq(run_probe(&counting, 40, 3, 64), 0);
	ck_assert_int_eq(published.first_due_ns, froms[_i].first_ns);
	ck_assert_uint_eq(published.counters[0], published.samples);
	ck_assert_int_eq(published.counters[1], 0);
	from_ns = 0;
	ring_free(ring);
}
END_TEST

START_TEST(a_stop_during_warm_up_records_nothing)
{
	world = (struct scripted){ 0 };
	scripted_env(&world, &env, PERIOD_NS);
	ck_assert_int_eq(run_loop(50, 100, 64), 0);
	ck_assert_uint_eq(ring_used(ring), 0);
	ck_assert_int_eq(published.first_due_ns, 0);
	ring_free(ring);
}
END_TEST

START_TEST(the_sum_holds_for_random_delays_and_any_ring)
{
	world = (struct scripted){ .nr_late = SCRIPTED_MAX };
	srand((unsigned)_i);
	for (int i = 0; i < SCRIPTED_MAX; i++)
		world.late_ns[i] = rand() % 3 ? rand() % 50 : rand() % (20 * PERIOD_NS) - 10;
	scripted_env(&world, &env, PERIOD_NS);
	ck_assert_int_eq(run_loop(SCRIPTED_MAX, 0, 2u << (_i % 7)), 0);
	struct tally t = drain(ring, PERIOD_NS);

	check_sum(&t, &published, PERIOD_NS);
	ck_assert_uint_eq(t.samples + t.spill.count, SCRIPTED_MAX);
	ring_free(ring);
}
END_TEST

/* F37: 10.5 periods are one sample and 10 missed. */
START_TEST(a_long_stall_is_one_sample_and_the_next_are_as_before)
{
	world = (struct scripted){ .late_ns = { 3, 10500, 3, 3 }, .nr_late = 4 };
	scripted_env(&world, &env, PERIOD_NS);
	ck_assert_int_eq(run_loop(104, 0, 256), 0);
	struct ring_entry out[256];
	unsigned got = ring_drain(ring, FOREVER, out, 256);

	ck_assert_uint_eq(got, 104);
	ck_assert_int_eq(probe_missed(out[1].due_ns, out[1].woke_ns, PERIOD_NS), 10);
	for (unsigned i = 2; i < got; i++)
		ck_assert_int_le(out[i].woke_ns - out[i].due_ns, 3);
	ring_free(ring);
}
END_TEST

START_TEST(another_cpu_makes_it_interrupted)
{
	world = (struct scripted){ .cpu = 2, .late_ns = { 3400 }, .nr_late = 1 };
	scripted_env(&world, &env, PERIOD_NS);
	env.cpu = 1;
	ck_assert_int_eq(run_loop(3, 0, 64), 0);
	struct tally t = drain(ring, PERIOD_NS);

	ck_assert_uint_eq(t.samples, 0);
	ck_assert_uint_eq(t.interrupted, 3 + 3);
	check_sum(&t, &published, PERIOD_NS);
	ck_assert_int_eq(published.cpu, 2);
	ring_free(ring);
}
END_TEST

START_TEST(another_cpu_and_a_full_ring_still_add_up)
{
	world = (struct scripted){ .cpu = 2, .late_ns = { 0, 3400 }, .nr_late = 2 };
	scripted_env(&world, &env, PERIOD_NS);
	env.cpu = 1;
	ck_assert_int_eq(run_loop(5, 0, 2), 0);
	struct tally t = drain(ring, PERIOD_NS);

	ck_assert_uint_eq(t.interrupted, 1);
	ck_assert_uint_eq(t.spill.interrupted, 4 + 3);
	check_sum(&t, &published, PERIOD_NS);
	ring_free(ring);
}
END_TEST

static int calls;

/* Goes away for two samples and comes back. */
static int there_and_back(void *ctx)
{
	(void)ctx;
	calls++;
	return calls == 2 || calls == 3 ? 7 : 1;
}

START_TEST(coming_back_is_marked_once)
{
	struct sampler_run run = {
		.probe = &probe_wakeup_fifo, .state = state, .env = &env, .rings = &ring,
		.published = &published, .stop = &stop, .cpu_now = there_and_back,
	};

	world = (struct scripted){ .stop = &stop, .stop_after = 6 };
	scripted_env(&world, &env, PERIOD_NS);
	env.cpu = 1;
	stop = false;
	calls = 0;
	ring = ring_new(64);
	probe_wakeup_fifo.open(state, &env, NULL);
	ck_assert_int_eq(sampler_loop(&run), 0);
	struct tally t = drain(ring, PERIOD_NS);

	ck_assert_uint_eq(t.interrupted, 2);
	ck_assert_uint_eq(t.samples, 4);
	ck_assert_uint_eq(t.repinned, 1);
	check_sum(&t, &published, PERIOD_NS);
	ring_free(ring);
}
END_TEST

START_TEST(a_demotion_is_marked_once)
{
	world = (struct scripted){ 0 };
	scripted_env(&world, &env, PERIOD_NS);
	demoted_ns = 555;
	ck_assert_int_eq(run_loop(5, 0, 64), 0);
	struct tally t = drain(ring, PERIOD_NS);

	ck_assert_uint_eq(t.demoted, 1);
	ck_assert_uint_eq(t.samples, 5);
	ck_assert_int_eq(demoted_ns, 0);
	ring_free(ring);
}
END_TEST

/* A probe whose every third operation fails. */
static int failing_sample(void *at, struct probe_sample *out)
{
	const struct probe *wakeup = &probe_wakeup_fifo;
	int err = wakeup->sample(at, out);

	if (out->due_ns / PERIOD_NS % 3 == 0)
		out->error = ENOSPC;
	return err;
}

START_TEST(a_failed_operation_is_an_error_and_interrupted)
{
	struct probe failing = probe_wakeup_fifo;

	failing.sample = failing_sample;
	world = (struct scripted){ 0 };
	scripted_env(&world, &env, PERIOD_NS);
	ck_assert_int_eq(run_probe(&failing, 9, 0, _i ? 64 : 4), 0);
	struct tally t = drain(ring, PERIOD_NS);

	ck_assert_uint_eq(t.errors + t.spill.errors, 3);
	ck_assert_uint_eq(t.interrupted + t.spill.interrupted, 3);
	ck_assert_uint_eq(t.samples + t.spill.count, 6);
	check_sum(&t, &published, PERIOD_NS);
	ring_free(ring);
}
END_TEST

/* Skips two more periods than it was late, every other time. */
static int skipping_sample(void *at, struct probe_sample *out)
{
	static unsigned n;
	static int64_t due_ns;

	(void)at;
	due_ns = due_ns ? due_ns : env.first_due_ns;
	env.wait_until(env.ctx, due_ns);
	*out = (struct probe_sample){
		.due_ns = due_ns, .woke_ns = env.now_ns(env.ctx), .missed = n++ % 2 ? 2 : 0,
	};
	probe_counter_add(&env, 1, 1);
	due_ns += (1 + out->missed + probe_missed(due_ns, out->woke_ns, PERIOD_NS)) * PERIOD_NS;
	return 0;
}

START_TEST(periods_a_probe_says_it_missed_are_in_the_sum)
{
	struct probe skipping = { .name = "skip", .sample = skipping_sample };

	world = (struct scripted){ .late_ns = { 0, 3400, 10, 1999 }, .nr_late = 4, .cpu = _i & 1 };
	scripted_env(&world, &env, PERIOD_NS);
	env.cpu = 0;
	ck_assert_int_eq(run_probe(&skipping, 10, 0, _i & 2 ? 4 : 64), 0);
	struct tally t = drain(ring, PERIOD_NS);

	check_sum(&t, &published, PERIOD_NS);
	ck_assert_uint_eq(t.missed + t.interrupted + t.samples + t.spill.periods, 10 + 5 * 2 + 3 + 1);
	ring_free(ring);
}
END_TEST

START_TEST(counters_begin_at_nothing_when_the_warm_up_ends)
{
	struct probe skipping = { .name = "skip", .sample = skipping_sample };

	world = (struct scripted){ 0 };
	scripted_env(&world, &env, PERIOD_NS);
	env.counters = published.counters;
	ck_assert_int_eq(run_probe(&skipping, 30, 20, 64), 0);
	ck_assert_int_eq(published.counters[1], 10);
	ck_assert_int_eq(published.counters[0], 0);
	ring_free(ring);
}
END_TEST

START_TEST(a_probe_that_cannot_go_on_says_so)
{
	world = (struct scripted){ .wait_err = EINVAL };
	scripted_env(&world, &env, PERIOD_NS);
	ck_assert_int_eq(run_loop(100, 0, 64), -EINVAL);
	ck_assert_int_eq(published.state, SAMPLER_FAILED);
	ck_assert_int_eq(published.error, -EINVAL);
	ring_free(ring);
}
END_TEST

/* Catches up with a burst, as a probe must not. */
static int bursting_sample(void *at, struct probe_sample *out)
{
	static int64_t due;

	(void)at;
	due += PERIOD_NS;
	env.wait_until(env.ctx, due);
	*out = (struct probe_sample){ .due_ns = due, .woke_ns = env.now_ns(env.ctx) };
	return 0;
}

START_TEST(samples_without_sleep_are_counted_by_the_spin_guard)
{
	struct probe bursting = { .name = "burst", .sample = bursting_sample };

	world = (struct scripted){ .late_ns = { 100 * PERIOD_NS }, .nr_late = 1 };
	scripted_env(&world, &env, PERIOD_NS);
	ck_assert_int_eq(run_probe(&bursting, 51, 0, 64), 0);
	ck_assert_uint_eq(published.busy_periods, 50);
	ring_free(ring);
	ck_assert_int_eq(run_probe(&probe_wakeup_fifo, 200, 0, 64), 0);
	ck_assert_uint_eq(published.busy_periods, 0);
	ring_free(ring);
}
END_TEST

/* ---- real threads: no threshold, only sums ------------------------------- */

static struct sampler_config config_for(const struct probe *probe, int cpu)
{
	return (struct sampler_config){
		.probe = probe, .cpu = cpu, .period_ns = NS_PER_MS, .phase_ns = 1000,
		.priority = 80, .want_fifo = true, .ring_room = 4096,
		.warmup = SAMPLER_WARMUP,
	};
}

static bool may_have_fifo(const char *test)
{
	struct rt_rights rights;

	rt_prepare(80, &rights);
	return rights.fifo || skip_test(test, rights.why.text);	/* but for real time */
}

static void check_policy(struct sampler *s, bool fifo)
{
	bool rt = sampler_config(s)->probe->flags & PROBE_RT;
	struct rt_granted granted, now;

	sampler_granted(s, &granted);
	ck_assert_int_eq(rt_read_back(sampler_tid(s), &now), 0);
	ck_assert_int_eq(granted.policy, now.policy);
	ck_assert_int_eq(granted.priority, now.priority);
	ck_assert(granted.reset_on_fork);
	if (!rt) {
		ck_assert_int_eq(granted.policy, SCHED_OTHER);
		ck_assert_int_eq(granted.slack_ns, 1);
	} else if (fifo) {
		ck_assert_int_eq(granted.policy, SCHED_FIFO);
		ck_assert_int_eq(granted.priority, 80);
	}
}

#define LIVE_MAX 64

static unsigned start_everywhere(struct sampler *all[LIVE_MAX])
{
	const struct probe *const kinds[] = { &probe_wakeup_fifo, &probe_wakeup_other };
	struct cpuset allowed;
	unsigned n = 0;

	ck_assert_int_eq(cpuset_allowed(&allowed, NULL), 0);
	cpuset_each(cpu, &allowed) {
		for (int k = 0; k < 2 && n < LIVE_MAX; k++) {
			struct sampler_config config = config_for(kinds[k], cpu);
			struct why why = { 0 };

			all[n] = sampler_start(&config, &why);
			ck_assert_msg(all[n] != NULL, "%s", why.text);
			n++;
		}
	}
	return n;
}

/* Until it has so many samples more, which on a busy machine takes a while. */
static void await_samples(struct sampler *s, uint64_t more)
{
	const struct sampler_published *p = sampler_published(s);
	uint64_t wanted = p->samples + more;
	int64_t until_ns = clock_now_ns() + PATIENCE_NS;

	while (p->samples < wanted && clock_now_ns() < until_ns)
		usleep(1000);
	ck_assert_uint_ge(p->samples, wanted);
}

START_TEST(real_threads_on_every_cpu_account_for_every_period)
{
	struct sampler *all[LIVE_MAX];
	bool fifo = may_have_fifo(__func__);
	unsigned n = start_everywhere(all);
	uint64_t faults[LIVE_MAX], major, minor;

	int64_t start = clock_now_ns() + 5 * NS_PER_MS;

	for (unsigned i = 0; i < n; i++) {
		check_policy(all[i], fifo);
		sampler_release(all[i], start);
	}
	for (unsigned i = 0; i < n; i++)
		await_samples(all[i], 50);
	for (unsigned i = 0; i < n; i++)
		sampler_faults(all[i], &faults[i], &major);
	for (unsigned i = 0; i < n; i++)
		await_samples(all[i], 300);
	for (unsigned i = 0; i < n; i++) {
		sampler_faults(all[i], &minor, &major);
#if !defined(JS_ASAN) && !defined(JS_TSAN)
		ck_assert_uint_eq(minor, faults[i]);
		ck_assert_uint_eq(major, 0);
#endif
		ck_assert_int_gt(sampler_cpu_ns(all[i]), 0);
		sampler_ask_stop(all[i]);
	}
	for (unsigned i = 0; i < n; i++) {
		ck_assert_int_eq(sampler_join(all[i]), 0);
		const struct sampler_published *p = sampler_published(all[i]);
		struct tally t = drain(sampler_ring(all[i], 0), NS_PER_MS);

		check_sum(&t, p, NS_PER_MS);
		ck_assert_int_eq(p->state, SAMPLER_ENDED);
		ck_assert_int_eq(p->cpu, sampler_config(all[i])->cpu);
		ck_assert_int_ge(p->first_due_ns, start + SAMPLER_WARMUP * NS_PER_MS);
		ck_assert_uint_gt(t.samples, 0);
		ck_assert_uint_eq(t.interrupted, 0);
		sampler_free(all[i]);
	}
}
END_TEST

/* It waits for its release since long before it is told from when. */
START_TEST(a_thread_counts_from_when_it_was_told_at_its_release)
{
	struct sampler_config config = config_for(&probe_wakeup_other, -1);

	config.warmup = 0;
	struct sampler *s = sampler_start(&config, NULL);

	ck_assert_ptr_nonnull(s);
	usleep(1000);
	int64_t now_ns = clock_now_ns(), from_ns_told = now_ns + 50 * NS_PER_MS;

	sampler_count_from(s, from_ns_told);
	sampler_release(s, now_ns);
	await_samples(s, 1);
	ck_assert_int_ge(sampler_published(s)->first_due_ns, from_ns_told);
	sampler_free(s);
}
END_TEST

START_TEST(a_stop_does_not_wait_for_a_long_period)
{
	struct sampler_config config = config_for(&probe_wakeup_other, -1);

	config.period_ns = 60 * NS_PER_S;
	config.warmup = 0;
	struct sampler *s = sampler_start(&config, NULL);

	ck_assert_ptr_nonnull(s);
	sampler_release(s, clock_now_ns() + 3600 * NS_PER_S);
	usleep(20000);
	sampler_ask_stop(s);
	ck_assert_int_eq(sampler_join(s), 0);
	ck_assert_int_eq(sampler_published(s)->state, SAMPLER_ENDED);
	ck_assert_uint_eq(ring_used(sampler_ring(s, 0)), 0);
	sampler_free(s);
}
END_TEST

START_TEST(one_that_was_never_released_can_be_freed)
{
	struct sampler_config config = config_for(&probe_wakeup_fifo, -1);
	struct sampler *s = sampler_start(&config, NULL);

	ck_assert_ptr_nonnull(s);
	ck_assert_int_eq(sampler_published(s)->state, SAMPLER_READY);
	sampler_free(s);
}
END_TEST

static atomic_bool held;

static void hold(void *at)
{
	while (atomic_load(&held))
		usleep(1000);
	(void)at;
}

/* What it holds is given back when it ends after all. */
START_TEST(one_that_ends_after_its_deadline_is_joined_later)
{
	struct probe holding = probe_wakeup_other;
	struct sampler_config config = config_for(&holding, -1);

	holding.close = hold;
	atomic_store(&held, true);
	struct sampler *s = sampler_start(&config, NULL);

	ck_assert_ptr_nonnull(s);
	sampler_ask_stop(s);
	ck_assert_int_eq(sampler_join_by(s, clock_now_ns() + 20 * NS_PER_MS), -ETIMEDOUT);
	ck_assert_int_eq(sampler_join(s), -ETIMEDOUT);
	atomic_store(&held, false);
	for (int i = 0; i < 3000 && sampler_join(s); i++)
		usleep(10000);
	ck_assert_int_eq(sampler_join(s), 0);
	sampler_free(s);
}
END_TEST

/* F36: the same deadline after each EINTR. */
START_TEST(a_storm_of_signals_changes_nothing)
{
	struct sampler_config config = config_for(&probe_wakeup_other, -1);

	config.warmup = 0;
	config.period_ns = 10 * NS_PER_MS;
	struct sampler *s = sampler_start(&config, NULL);

	ck_assert_ptr_nonnull(s);
	sampler_release(s, clock_now_ns());
	int64_t until_ns = clock_now_ns() + PATIENCE_NS;

	for (int i = 0; i < 300 || (sampler_published(s)->samples <= 5 && clock_now_ns() < until_ns); i++) {
		tgkill(getpid(), sampler_tid(s), SIGXCPU);
		usleep(1000);
	}
	sampler_ask_stop(s);
	ck_assert_int_eq(sampler_join(s), 0);
	struct tally t = drain(sampler_ring(s, 0), config.period_ns);

	check_sum(&t, sampler_published(s), config.period_ns);
	ck_assert_uint_gt(t.samples, 5);
	ck_assert_uint_eq(t.demoted, 0);
	sampler_free(s);
}
END_TEST

static int refuse(void *at, const struct probe_env *e, struct why *why)
{
	(void)at;
	(void)e;
	return why_set(why, -ENODEV, "refuse: no device; buy one");
}

START_TEST(a_probe_that_cannot_open_is_refused_with_its_reason)
{
	struct probe refusing = probe_wakeup_other;
	struct sampler_config config = config_for(&refusing, -1);
	struct why why = { 0 };

	refusing.open = refuse;
	ck_assert_ptr_null(sampler_start(&config, &why));
	ck_assert_int_eq(why.err, -ENODEV);
	ck_assert_str_eq(why.text, "refuse: no device; buy one");
}
END_TEST

static int with_note(void *at, const struct probe_env *e, struct why *why)
{
	why_set(why, 0, "note: a timer stands in");
	return probe_wakeup_other.open(at, e, NULL);
}

START_TEST(a_note_of_a_probe_is_kept)
{
	struct probe noting = probe_wakeup_other;
	struct sampler_config config = config_for(&noting, -1);

	noting.open = with_note;
	struct sampler *s = sampler_start(&config, NULL);

	ck_assert_ptr_nonnull(s);
	ck_assert_str_eq(sampler_note(s), "note: a timer stands in");
	sampler_free(s);
}
END_TEST

START_TEST(a_cpu_that_is_not_there_is_refused)
{
	struct sampler_config config = config_for(&probe_wakeup_other, CPUSET_MAX - 1);
	struct why why = { 0 };

	ck_assert_ptr_null(sampler_start(&config, &why));
	ck_assert_ptr_nonnull(strstr(why.text, "4095"));
}
END_TEST

START_TEST(a_demoted_sampler_goes_on_and_says_so)
{
	struct sampler_config config = config_for(&probe_wakeup_fifo, -1);
	struct rt_granted now;

	config.warmup = 0;
	struct sampler *s = sampler_start(&config, NULL);

	ck_assert_ptr_nonnull(s);
	sampler_release(s, clock_now_ns());
	await_samples(s, 10);
	ck_assert_int_eq(sampler_demote(s), 0);
	await_samples(s, 2);	/* the first of them may have been under way */
	ck_assert_int_eq(rt_read_back(sampler_tid(s), &now), 0);
	ck_assert_int_eq(now.policy, SCHED_OTHER);
	sampler_ask_stop(s);
	ck_assert_int_eq(sampler_join(s), 0);
	struct tally t = drain(sampler_ring(s, 0), config.period_ns);

	ck_assert_uint_eq(t.demoted, 1);
	check_sum(&t, sampler_published(s), config.period_ns);
	sampler_free(s);
}
END_TEST

/* Until the kernel has had enough of it. */
static int be_slow(void *at, const struct probe_env *e, struct why *why)
{
	struct rt_granted now;

	for (int64_t end = clock_now_ns() + PATIENCE_NS; clock_now_ns() < end;)
		if (rt_read_back(0, &now) || now.policy == SCHED_OTHER)
			break;
	return probe_wakeup_fifo.open(at, e, why);
}

START_TEST(one_that_is_demoted_before_it_begins_has_a_reason)
{
	struct probe slow = probe_wakeup_fifo;
	struct sampler_config config = config_for(&slow, -1);
	struct rt_granted granted;

	if (!may_have_fifo(__func__))
		return;
	slow.open = be_slow;
	struct sampler *s = sampler_start(&config, NULL);

	ck_assert_ptr_nonnull(s);
	sampler_granted(s, &granted);
	ck_assert_int_eq(granted.policy, SCHED_OTHER);
	ck_assert_ptr_nonnull(strstr(sampler_why(s).text, "taken away before the first sample"));
	sampler_free(s);
}
END_TEST

Suite *sampler_suite(void);
Suite *sampler_suite(void)
{
	Suite *s = suite_create("sampler");
	TCase *loop = tcase_create("loop");
	TCase *real = tcase_create("real threads");

	tcase_add_test(loop, warm_up_is_not_recorded);
	tcase_add_loop_test(loop, samples_and_counters_begin_at_one_time, 0,
			    sizeof(froms) / sizeof(froms[0]));
	tcase_add_test(loop, a_stop_during_warm_up_records_nothing);
	tcase_add_loop_test(loop, the_sum_holds_for_random_delays_and_any_ring, 0, 21);
	tcase_add_test(loop, a_long_stall_is_one_sample_and_the_next_are_as_before);
	tcase_add_test(loop, another_cpu_makes_it_interrupted);
	tcase_add_test(loop, another_cpu_and_a_full_ring_still_add_up);
	tcase_add_test(loop, coming_back_is_marked_once);
	tcase_add_test(loop, a_demotion_is_marked_once);
	tcase_add_loop_test(loop, a_failed_operation_is_an_error_and_interrupted, 0, 2);
	tcase_add_loop_test(loop, periods_a_probe_says_it_missed_are_in_the_sum, 0, 4);
	tcase_add_test(loop, counters_begin_at_nothing_when_the_warm_up_ends);
	tcase_add_test(loop, a_probe_that_cannot_go_on_says_so);
	tcase_add_test(loop, samples_without_sleep_are_counted_by_the_spin_guard);
	suite_add_tcase(s, loop);
	tcase_set_timeout(real, 120);
	tcase_add_test(real, real_threads_on_every_cpu_account_for_every_period);
	tcase_add_test(real, a_thread_counts_from_when_it_was_told_at_its_release);
	tcase_add_test(real, a_stop_does_not_wait_for_a_long_period);
	tcase_add_test(real, one_that_was_never_released_can_be_freed);
	tcase_add_test(real, one_that_ends_after_its_deadline_is_joined_later);
	tcase_add_test(real, a_storm_of_signals_changes_nothing);
	tcase_add_test(real, a_probe_that_cannot_open_is_refused_with_its_reason);
	tcase_add_test(real, a_note_of_a_probe_is_kept);
	tcase_add_test(real, a_cpu_that_is_not_there_is_refused);
	tcase_add_test(real, one_that_is_demoted_before_it_begins_has_a_reason);
	tcase_add_test(real, a_demoted_sampler_goes_on_and_says_so);
	suite_add_tcase(s, real);
	return s;
}
