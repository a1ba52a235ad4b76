/*
 * check_probes.c - every probe for real, through the whole program: it counts,
 * nothing fails, sums hold, the policy was read back, and no sampler faults.
 * Nothing here says how fast the machine must be.
 *
 * Quick: all in one program, operations every 100 ms.  JS_LONG=1: each at its
 * own period, for 50 s.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/probe.h"
#include "tests/prog.h"

#define OPERATIONS 20
#define ARGS_MAX 96
#define QUICK_PERIOD ",period=100"

/* What one program measures: some probes, operations at a period of ours. */
struct lot {
	const char *length;
	int64_t least_ns, below_ns;	/* their own periods */
	const char *knob;
};

static const struct lot quick[] = { { "6s", 0, INT64_MAX, QUICK_PERIOD } };
/* Two side by side, so that the budget of the many does not stretch the
 * periods of the slow. */
static const struct lot full[] = { { "24s", 0, NS_PER_S, "" }, { "50s", NS_PER_S, INT64_MAX, "" } };

#define LOTS_MAX 2

/* Where the machine gave a probe too little time, the lot runs again for longer. */
static const char *const longer[] = { "24s", "60s" };
#define LONGER (sizeof(longer) / sizeof(longer[0]))

/* Needs rights or a device that are not everywhere. */
static bool may_fail(const char *name)
{
	return !strcmp(name, "wakeup-deadline");
}

/* Nor are all CPUs ours everywhere, which it needs as well: then who asks for it
 * gets a failure. */
static bool refused;

static void ask_for_it(void)
{
	struct prog p;

	prog_run(&p, 20000, (const char *const[]){ "", "record", "-P", "wakeup-deadline", "-D", "50ms", "--json", NULL });
	refused = p.exit_code == 1 && strstr(p.err, "wakeup-deadline: needs ");
	if (refused)
		printf("SKIP wakeup-deadline: %s", p.err);
	prog_free(&p);
}

static bool in_lot(const struct probe *p, const struct lot *lot)
{
	return p->period_ns >= lot->least_ns && p->period_ns < lot->below_ns &&
	       !(refused && may_fail(p->name));
}

/* An operation that comes again. */
static bool has_period(const struct probe *p)
{
	return (p->flags & (PROBE_HELPER | PROBE_ONESHOT)) == PROBE_HELPER;
}

static void start(struct prog *p, const struct lot *lot)
{
	const char *argv[ARGS_MAX] = { "", "record", "-D", lot->length, "--json" };
	char text[ARGS_MAX][PROBE_NAME_MAX + sizeof(QUICK_PERIOD)];
	unsigned n = 5;

	for (unsigned i = 0; probes[i]; i++) {
		if (!in_lot(probes[i], lot))
			continue;
		ck_assert_uint_lt(n + 3, ARGS_MAX);
		snprintf(text[i], sizeof(text[i]), "%s%s", probes[i]->name,
			 has_period(probes[i]) ? lot->knob : "");
		argv[n++] = "-P";
		argv[n++] = text[i];
	}
	prog_start(p, argv);
}

static json_int_t number(const json_t *object, const char *key)
{
	return json_integer_value(json_object_get(object, key));
}

/* false: nothing is wrong, but there are too few samples (said). */
static bool check_series(const json_t *root, const struct probe *p, const char *name)
{
	unsigned found = 0, variants = 1;
	bool enough = true;
	json_t *one;
	size_t i;

	while (p->variants && p->variants[variants])
		variants++;
	json_array_foreach(json_object_get(root, "series"), i, one) {
		if (strcmp(json_string_value(json_object_get(one, "probe")), name))
			continue;
		found++;
		const char *policy = json_string_value(json_object_get(one, "policy"));

		if (may_fail(name) && !number(one, "count"))
			continue;
		json_int_t least = p->flags & PROBE_ONESHOT ? 1 : OPERATIONS / variants;

		if (number(one, "count") < least) {
			printf("%s: only %lld of %lld\n", name, (long long)number(one, "count"),
			       (long long)least);
			enough = false;
		}
		ck_assert_msg(number(one, "errors") == 0, "%s: %lld errors", name,
			      (long long)number(one, "errors"));
		ck_assert_msg(policy && !strncmp(policy, "SCHED_", 6), "%s: policy '%s'", name,
			      policy ? policy : "");
		if (p->flags & PROBE_HELPER)
			ck_assert_str_eq(policy, "SCHED_OTHER");
	}
	ck_assert_msg(found > 0, "%s: no series", name);
	return enough;
}

static bool check_lot(struct prog *p, const struct lot *lot)
{
	bool enough = true;

	prog_end(p, 120000);
	ck_assert_msg(p->exit_code == 0, "exit %d: %s", p->exit_code, p->err);
	json_t *root = prog_json(p);

	prog_check_sums(root);
#if !defined(JS_ASAN) && !defined(JS_TSAN)	/* their own memory is touched late */
	ck_assert_int_eq(number(json_object_get(root, "self"), "minor_faults"), 0);
#endif
	for (unsigned i = 0; probes[i]; i++) {
		if (!in_lot(probes[i], lot))
			continue;
		if (!probes[i]->variants)
			enough &= check_series(root, probes[i], probes[i]->name);
		for (unsigned v = 0; probes[i]->variants && probes[i]->variants[v]; v++)
			enough &= check_series(root, probes[i], probes[i]->variants[v]);
	}
	ck_assert_uint_eq(prog_left(p, 20000, NULL), 0);
	ck_assert_uint_eq(prog_scratch_left(p), 0);
	json_decref(root);
	prog_free(p);
	return enough;
}

static bool check_longer(const struct lot *lot, const char *length)
{
	struct lot again = *lot;
	struct prog p;

	printf("RETRY for %s: too few samples\n", length);
	again.length = length;
	start(&p, &again);
	return check_lot(&p, &again);
}

START_TEST(every_probe_measures)
{
	const struct lot *lots = getenv("JS_LONG") ? full : quick;
	unsigned nr = getenv("JS_LONG") ? sizeof(full) / sizeof(full[0]) : sizeof(quick) / sizeof(quick[0]);
	bool enough[LOTS_MAX];
	struct prog p[LOTS_MAX];

	ask_for_it();
	for (unsigned i = 0; i < nr; i++)
		start(&p[i], &lots[i]);
	for (unsigned i = 0; i < nr; i++)
		enough[i] = check_lot(&p[i], &lots[i]);
	for (unsigned i = 0; i < nr; i++) {
		for (unsigned k = 0; k < LONGER && !enough[i]; k++)
			enough[i] = check_longer(&lots[i], longer[k]);
		ck_assert_msg(enough[i], "too few samples in %s", longer[LONGER - 1]);
	}
}
END_TEST

Suite *probes_suite(void);
Suite *probes_suite(void)
{
	Suite *s = suite_create("probes");
	TCase *tc = tcase_create("live");

	tcase_set_timeout(tc, 400);
	tcase_add_test(tc, every_probe_measures);
	suite_add_tcase(s, tc);
	return s;
}
