/*
 * check_blame_live.c - a real hog of known name above a real sampler: it must
 * come first, have the largest share, and the sums must be exact.  Nothing
 * here says how fast the machine must be.
 */
#include <check.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "src/blame.h"
#include "src/collector.h"

#define HOG "js-test-hog"
#define HOG_NS (20 * NS_PER_MS)
#define TRIES 10

static int the_cpu;
static struct model *m;
static struct collector *c;
static struct blame *b;
static struct sampler *sampler;
static struct spike found;
static unsigned nr_found;

static bool on_spike(void *ctx, unsigned series, int64_t due_ns, struct spike *s)
{
	(void)ctx;
	blame_spike(b, m, series, due_ns, s);
	if (s->late_ns > HOG_NS / 2) {
		found = *s;
		nr_found++;
	}
	return true;
}

static bool fifo(int priority)
{
	struct sched_param p = { .sched_priority = priority };

	return !pthread_setschedparam(pthread_self(), SCHED_FIFO, &p);
}

/* Names itself, wherever it was born, spins, is gone. */
static void *hog(void *arg)
{
	struct cpuset cpus;

	cpuset_clear(&cpus);
	cpuset_add(&cpus, the_cpu);
	prctl(PR_SET_NAME, HOG);
	*(bool *)arg = !cpuset_pin(0, &cpus, NULL) && fifo(60);
	for (int64_t end = clock_now_ns() + HOG_NS; clock_now_ns() < end;)
		;
	return NULL;
}

static const struct probe *rt_probe(void)
{
	for (unsigned i = 0; probes[i]; i++)
		if ((probes[i]->flags & PROBE_RT) && (probes[i]->flags & PROBE_DEFAULT))
			return probes[i];
	return NULL;
}

static bool start_sampler(void)
{
	struct sampler_config config = {.probe = rt_probe(),
					.cpu = the_cpu,
					.period_ns = NS_PER_MS,
					.priority = 50,
					.want_fifo = true,
					.ring_room = 1 << 14,
					.warmup = 10};
	struct collector_source source = { .series = 0 };
	struct rt_granted granted;
	struct why why;

	sampler = sampler_start(&config, &why);
	ck_assert_msg(sampler != NULL, "%s", why.text);
	sampler_granted(sampler, &granted);
	source.ring = sampler_ring(sampler, 0);
	source.published = sampler_published(sampler);
	source.sampler = sampler;
	ck_assert_int_eq(collector_add(c, &source, &why), 0);
	blame_watch(b, 0, the_cpu, sampler_tid(sampler));
	sampler_release(sampler, clock_now_ns() + NS_PER_MS);
	return granted.policy == SCHED_FIFO;
}

static bool start(enum blame_level level)
{
	const struct model_spec spec = {
		.groups = 1, .series = 1, .digits = 3, .start_ns = clock_now_ns()};
	struct cpuset allowed;

	cpuset_allowed(&allowed, NULL);
	the_cpu = cpuset_next(&allowed, -1);
	m = model_new(&spec);
	m->groups[0].on = true;
	m->groups[0].nr = 1;
	m->groups[0].probe = rt_probe();
	m->series[0].cpu = the_cpu;
	m->series[0].interval_ns = NS_PER_MS;
	c = collector_new(m, NULL);
	b = blame_new(&allowed, level);	/* its name may be told on any */
	collector_on_spike(c, on_spike, NULL, 5 * NS_PER_MS);
	return start_sampler() && blame_level(b) == level;
}

static void stop(void)
{
	collector_finish(c, clock_now_ns());
	ck_assert(counts_hold(&m->series[0].counts));
	sampler_ask_stop(sampler);
	sampler_join(sampler);
	collector_free(c);
	sampler_free(sampler);
	blame_free(b);
	model_free(m);
}

static void tick_for(int64_t span_ns)
{
	for (int64_t end = clock_now_ns() + span_ns; clock_now_ns() < end;) {
		usleep(10000);
		collector_tick(c, clock_now_ns());
	}
}

/* One hog, and the spike that it made; false: it was refused, or somebody else
 * made one too (the host may take the CPU at any time). */
static bool hog_once(void)
{
	pthread_t thread;
	bool real_time = false;

	nr_found = 0;
	tick_for(100 * NS_PER_MS);
	nr_found = 0;
	ck_assert_int_eq(pthread_create(&thread, NULL, hog, &real_time), 0);
	pthread_join(thread, NULL);
	tick_for(100 * NS_PER_MS);
	return real_time && nr_found == 1 && !found.incomplete;
}

static void check_sum(const struct spike *s)
{
	int64_t sum = 0;

	for (unsigned i = 0; i < s->nr; i++)
		sum += s->culprit[i].ns;
	ck_assert_int_eq(sum, s->late_ns);
}

static void the_hog_comes_first(enum blame_level level)
{
	bool seen = false;

	if (!start(level)) {
		char how[400];

		printf("SKIP %s: %s\n", blame_level_name(level), blame_how(b, how, sizeof(how)));
		stop();
		return;
	}
	for (int i = 0; i < TRIES && !seen; i++) {
		if (!hog_once())
			continue;
		seen = true;
		check_sum(&found);
		printf("%s: %lld us:", blame_level_name(level), (long long)found.late_ns / 1000);
		for (unsigned k = 0; k < found.nr; k++)
			printf(" %s %lld", found.culprit[k].comm,
			       (long long)found.culprit[k].ns / 1000);
		printf(" [%s]\n", found.note);
	}
	ck_assert(seen);
	ck_assert_str_eq(found.culprit[0].comm, HOG);
	ck_assert_int_gt(found.culprit[0].ns, found.late_ns / 2);
	ck_assert_uint_eq(m->nr_blamed, 2);	/* all, and without a load */
	ck_assert_str_eq(m->blamed[0].part[0].comm, HOG);
	stop();
}

START_TEST(with_switches_alone)
{
	the_hog_comes_first(BLAME_LEVEL_SWITCH);
}
END_TEST

/* Where nobody has mounted it: for this test's process alone. */
static void mount_tracefs(void)
{
	if (!access("/sys/kernel/tracing/events", R_OK) || unshare(CLONE_NEWNS))
		return;
	if (mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("none", "/sys/kernel/tracing", "tracefs", 0, NULL))
		printf("tracefs: %s\n", strerror(errno));
}

START_TEST(with_tracepoints)
{
	mount_tracefs();
	the_hog_comes_first(BLAME_LEVEL_TRACEPOINTS);
}
END_TEST

Suite *blame_live_suite(void);
Suite *blame_live_suite(void)
{
	Suite *s = suite_create("blame_live");
	TCase *tc = tcase_create("hog");

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, with_switches_alone);
	tcase_add_test(tc, with_tracepoints);
	suite_add_tcase(s, tc);
	return s;
}
