/*
 * check_blame_live.c - a real hog of known name above a real sampler: it must
 * come first, have the largest share, and the sums must be exact.  Nothing
 * here says how fast the machine must be.
 */
#include <check.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>

#include "tests/onlooker.h"
#include "tests/skip.h"

#define HOG "js-test-hog"
#define HOG_NS (20 * NS_PER_MS)
#define TRIES 10

static struct onlooker onlooker;
static struct spike found;
static unsigned nr_found;

static bool on_spike(void *ctx, unsigned series, int64_t due_ns, struct spike *s)
{
	(void)ctx;
	blame_spike(onlooker.b, onlooker.m, series, due_ns, s);
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
	cpuset_add(&cpus, onlooker.cpu);
	prctl(PR_SET_NAME, HOG);
	*(bool *)arg = !cpuset_pin(0, &cpus, NULL) && fifo(60);
	for (int64_t end = clock_now_ns() + HOG_NS; clock_now_ns() < end;)
		;
	return NULL;
}

/* One hog, and the spike that it made; false: it was refused, or somebody else
 * made one too (the host may take the CPU at any time). */
static bool hog_once(void)
{
	pthread_t thread;
	bool real_time = false;

	onlooker_tick_for(&onlooker, 100 * NS_PER_MS);
	nr_found = 0;
	ck_assert_int_eq(pthread_create(&thread, NULL, hog, &real_time), 0);
	pthread_join(thread, NULL);
	onlooker_tick_for(&onlooker, 100 * NS_PER_MS);
	return real_time && nr_found == 1 && !found.incomplete;
}

static void check_sum(const struct spike *s)
{
	int64_t sum = 0;

	for (unsigned i = 0; i < s->nr; i++)
		sum += s->culprit[i].ns;
	ck_assert_int_eq(sum, s->late_ns);
}

/* Of all spikes of the run: it is there with what this one was charged to it.
 * Whether others took more in all is the machine's business. */
static void check_table(const struct blamed *table)
{
	int64_t last_ns = INT64_MAX, hog_ns = 0;

	for (unsigned i = 0; i < table->parts; i++) {
		ck_assert_int_le(table->part[i].ns, last_ns);
		last_ns = table->part[i].ns;
		if (!strcmp(table->part[i].comm, HOG))
			hog_ns = table->part[i].ns;
	}
	ck_assert_int_ge(hog_ns, found.culprit[0].ns);
}

static void the_hog_comes_first(enum blame_level level)
{
	const struct onlooker_plan plan = {
		.level = level, .priority = 50, .spike_ns = 5 * NS_PER_MS, .spike = on_spike,
	};
	const struct model *m;
	bool seen = false;

	if (!onlooker_start(&onlooker, &plan)) {
		char how[400];

		SKIP(blame_how(onlooker.b, how, sizeof(how)));
		onlooker_stop(&onlooker);
		return;
	}
	m = onlooker.m;
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
	check_table(&m->blamed[0]);
	onlooker_stop(&onlooker);
}

START_TEST(with_switches_alone)
{
	the_hog_comes_first(BLAME_LEVEL_SWITCH);
}
END_TEST

START_TEST(with_tracepoints)
{
	onlooker_mount_tracefs();
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
