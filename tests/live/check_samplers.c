/*
 * check_samplers.c - every probe that runs on a sampler thread, all at once,
 * for real: it measures, nothing fails, the kernel says what it is, and no page
 * faults.  Nothing here says how fast the machine must be.
 */
#include <check.h>
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/clock.h"
#include "src/cpuset.h"
#include "src/sampler.h"
#include "tests/skip.h"

#define MAX 256
#define RUN_US 1400000		/* at least */
#define SETTLE_US 300000
#define SETTLED 3		/* samples: each page of the loop was met */
#define MEASURED 10
#define ROOM (1 << 16)		/* a minute of samples */
#define PATIENCE_NS (20 * NS_PER_S)
#define POLICY_DEADLINE 6

extern const struct probe probe_wakeup_deadline;

struct live {
	struct sampler *sampler;
	uint64_t faults;
};

static struct live all[MAX];
static unsigned nr;
static struct rt_rights rights;

static void start(const struct probe *p, int cpu)
{
	struct sampler_config config = {
		.probe = p, .cpu = cpu, .priority = 80, .want_fifo = rights.fifo,
		.ring_room = ROOM, .warmup = 2,
	};
	struct why why = { 0 };

	for (unsigned i = 0; i < PROBE_KNOBS_MAX && p->knobs[i].name; i++)
		config.knob[i] = p->knobs[i].value;
	config.period_ns = probe_period_ns(p, config.knob, NS_PER_MS);
	struct sampler *s = nr < MAX ? sampler_start(&config, &why) : NULL;

	if (s)
		all[nr++].sampler = s;
	else	/* reserved runtime needs rights that are not everywhere */
		ck_assert_msg(!(p->flags & PROBE_PER_CPU) && why.err, "%s: %s", p->name, why.text);
}

static void start_all(void)
{
	struct cpuset allowed;

	ck_assert_int_eq(cpuset_allowed(&allowed, NULL), 0);
	for (const struct probe *const *p = probes; *p; p++) {
		if ((*p)->flags & (PROBE_HELPER | PROBE_ONESHOT))
			continue;
		if (!((*p)->flags & PROBE_PER_CPU)) {
			start(*p, -1);
			continue;
		}
		cpuset_each(cpu, &allowed)
			start(*p, cpu);
	}
}

static uint64_t faults_of(struct sampler *s)
{
	uint64_t minor, major;

	sampler_faults(s, &minor, &major);
	ck_assert_int_gt(sampler_cpu_ns(s), 0);
	return minor + major;
}

/* Until it has so many samples: a busy machine may keep it waiting. */
static void await_samples(struct sampler *s, uint64_t wanted)
{
	const struct sampler_published *p = sampler_published(s);
	int64_t until_ns = clock_now_ns() + PATIENCE_NS;

	while (p->samples < wanted && clock_now_ns() < until_ns)
		usleep(1000);
	ck_assert_msg(p->samples >= wanted, "%s: %u samples, wanted %u", sampler_config(s)->probe->name,
		      (unsigned)p->samples, (unsigned)wanted);
}

static void check_policy(struct sampler *s)
{
	struct rt_granted at_start, now;
	const struct probe *p = sampler_config(s)->probe;

	sampler_granted(s, &at_start);
	ck_assert_int_eq(rt_read_back(sampler_tid(s), &now), 0);
	ck_assert_msg(now.policy == at_start.policy && now.priority == at_start.priority,
		      "%s: granted %s %d, found %s %d", p->name, rt_policy_name(at_start.policy),
		      at_start.priority, rt_policy_name(now.policy), now.priority);
	if (p->flags & PROBE_RT)
		ck_assert_int_eq(now.policy, rights.fifo ? SCHED_FIFO : SCHED_OTHER);
	else
		ck_assert(now.policy == SCHED_OTHER || now.policy == POLICY_DEADLINE);
}

/* Samples and errors of one ring. */
static void check_ring(struct sampler *s, unsigned variant)
{
	static struct ring_entry out[ROOM];
	uint64_t counts[SLOTS], samples = 0;
	struct ring_spill spill;
	const struct probe *p = sampler_config(s)->probe;
	struct ring *ring = sampler_ring(s, variant);
	unsigned got = ring_drain(ring, INT64_MAX, out, ROOM);
	int64_t last_due_ns = 0;

	for (unsigned i = 0; i < got; i++) {
		ck_assert_msg(out[i].due_ns != -RING_ERROR, "%s: errno %d", p->name,
			      (int)out[i].woke_ns);
		if (out[i].due_ns < 0)
			continue;
		samples++;
		ck_assert_int_gt(out[i].due_ns, last_due_ns);
		last_due_ns = out[i].due_ns;
	}
	ring_spill_read(ring, &spill, counts);
	ck_assert_msg(samples > 0, "%s: no sample", p->name);
	ck_assert_uint_eq(spill.periods, 0);
}

static void check_ended(struct live *l)
{
	const struct sampler_published *p = sampler_published(l->sampler);

	ck_assert_msg(sampler_join(l->sampler) == 0, "%s does not end",
		      sampler_config(l->sampler)->probe->name);
	ck_assert_int_eq(p->state, SAMPLER_ENDED);
	ck_assert_int_eq(p->error, 0);
	for (unsigned v = 0; v < sampler_variants(l->sampler); v++)
		check_ring(l->sampler, v);
	sampler_free(l->sampler);
}

/* P8: without a page fault. */
START_TEST(every_sampler_probe_measures)
{
	rt_prepare(80, &rights);
	start_all();
	int64_t begin_ns = clock_now_ns() + 5 * NS_PER_MS;

	for (unsigned i = 0; i < nr; i++) {
		check_policy(all[i].sampler);
		sampler_release(all[i].sampler, begin_ns);
	}
	usleep(SETTLE_US);
	for (unsigned i = 0; i < nr; i++)
		await_samples(all[i].sampler, SETTLED);
	for (unsigned i = 0; i < nr; i++)
		all[i].faults = faults_of(all[i].sampler);
	usleep(RUN_US);
	for (unsigned i = 0; i < nr; i++)
		await_samples(all[i].sampler, MEASURED);
	for (unsigned i = 0; i < nr; i++) {
#if !defined(JS_ASAN) && !defined(JS_TSAN) && !defined(JS_COVERAGE)
		ck_assert_msg(faults_of(all[i].sampler) == all[i].faults, "%s: page faults",
			      sampler_config(all[i].sampler)->probe->name);
#endif
		check_policy(all[i].sampler);
		sampler_ask_stop(all[i].sampler);
	}
	for (unsigned i = 0; i < nr; i++)
		check_ended(&all[i]);
}
END_TEST

/* Uses up far more than its reserved runtime. */
static int greedy_sample(void *state, struct probe_sample *out)
{
	int err = probe_wakeup_deadline.sample(state, out);
	int64_t until_ns = out->woke_ns + 20 * NS_PER_MS;	/* some ticks long */

	while (!err && clock_now_ns() < until_ns)
		;
	return err;
}

/* The kernel's signal about it is the one that demotes others. */
START_TEST(who_overruns_reserved_runtime_is_counted_and_stays)
{
	struct probe greedy = probe_wakeup_deadline;
	struct sampler_config config = {
		.probe = &greedy, .cpu = -1, .period_ns = NS_PER_MS, .ring_room = 1024,
	};
	struct why why = { 0 };
	struct rt_granted now;
	pid_t tid;

	greedy.sample = greedy_sample;
	struct sampler *s = sampler_start(&config, &why);

	if (!s) {
		SKIP(why.text);
		return;
	}
	sampler_release(s, clock_now_ns());
	for (int i = 0; i < 1000 && sampler_published(s)->counters[0] == 0; i++)
		usleep(20000);
	ck_assert_int_eq(rt_read_back(sampler_tid(s), &now), 0);
	ck_assert_int_eq(now.policy, POLICY_DEADLINE);
	ck_assert_int_gt(sampler_published(s)->counters[0], 0);
	ck_assert_uint_eq(rt_xcpu_count(&tid), 0);
	sampler_free(s);
}
END_TEST

Suite *samplers_suite(void);
Suite *samplers_suite(void)
{
	Suite *s = suite_create("samplers");
	TCase *tc = tcase_create("live");

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, every_sampler_probe_measures);
	tcase_add_test(tc, who_overruns_reserved_runtime_is_counted_and_stays);
	suite_add_tcase(s, tc);
	return s;
}
