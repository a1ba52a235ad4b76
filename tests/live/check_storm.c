/*
 * check_storm.c - sixteen forkers beside blame at its full level: the shares of
 * every spike sum to its lateness, what a ring had lost is said on the spike,
 * and main stays within its share of a CPU, which others hardly change.
 * JS_LONG=1: 20 s instead of 3.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/clock.h"
#include "tests/prog.h"
#include "tests/skip.h"

#define MAIN_MOST_PCT 5.0
#ifdef __SANITIZE_THREAD__	/* each access to memory is a call */
#define INSTRUMENTED true
#else
#define INSTRUMENTED false
#endif

static const char *word(const json_t *o, const char *key)
{
	const char *value = json_string_value(json_object_get(o, key));

	return value ? value : "";
}

static json_int_t whole(const json_t *o, const char *key)
{
	return json_integer_value(json_object_get(o, key));
}

/* A reason for what is missing: paused, short, broken, not looked at, a CPU on
 * which the kernel tells no end of idle. */
static bool says_why(const json_t *spike)
{
	static const char *const reasons[] = {
		"ring too short", "paused", "no record", "broken", "not looked at", "records lost",
		"not recorded here",
	};

	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++)
		if (strstr(word(spike, "note"), reasons[i]))
			return true;
	return false;
}

struct storm { unsigned spikes, whole, incomplete, unread; };

static void check_spike(const json_t *spike, struct storm *st)
{
	json_t *culprit;
	json_int_t sum = 0;
	size_t i;

	json_array_foreach(json_object_get(spike, "culprits"), i, culprit)
		sum += whole(culprit, "ns");
	st->spikes++;
	if (!i) {
		st->unread++;
		ck_assert_msg(says_why(spike), "nobody, and no reason: %s", word(spike, "note"));
		return;
	}
	ck_assert_int_eq(sum, whole(spike, "late_ns"));
	if (!json_is_true(json_object_get(spike, "incomplete"))) {
		st->whole++;
		return;
	}
	st->incomplete++;
	ck_assert_msg(says_why(spike), "incomplete, and no reason: %s", word(spike, "note"));
}

/* All its tables sum, in time and in spikes. */
static void check_tables(const json_t *root)
{
	json_t *table, *part;
	size_t i, k;

	json_array_foreach(json_object_get(json_object_get(root, "blame"), "tables"), i, table) {
		json_int_t ns = 0, spikes = 0;
		char line[400] = "";

		json_array_foreach(json_object_get(table, "parts"), k, part) {
			size_t used = strlen(line);

			ns += whole(part, "ns");
			spikes += whole(part, "spikes");
			snprintf(line + used, sizeof(line) - used, " %s %.1f %%", word(part, "comm"),
				 100.0 * (double)whole(part, "ns") / (double)whole(table, "ns"));
		}
		ck_assert_int_eq(ns, whole(table, "ns"));
		ck_assert_int_eq(spikes, whole(table, "spikes"));
		printf("storm, %s:%s\n", word(table, "loads"), line);
	}
}

/* Of the main thread, which has the number of its process. */
static double main_cpu_s(pid_t pid)
{
	long long ns = 0;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/task/%d/schedstat", (int)pid, (int)pid);
	FILE *f = fopen(path, "re");

	if (f && fscanf(f, "%lld", &ns) != 1)
		ns = 0;
	if (f)
		fclose(f);
	return (double)ns / 1e9;
}

static double main_pct(pid_t pid, unsigned seconds)
{
	usleep(1000000);	/* it has begun, and the load too */
	double cpu_s = main_cpu_s(pid);
	int64_t begun_ns = clock_now_ns();

	usleep((seconds - 1) * 1000000 - 300000);
	return 100 * (main_cpu_s(pid) - cpu_s) / ((double)(clock_now_ns() - begun_ns) / 1e9);
}

START_TEST(what_a_storm_of_forks_takes_from_the_rings_is_said)
{
	unsigned seconds = getenv("JS_LONG") ? 20 : 3;
	char length[16];
	const char *argv[] = { "unshare", "-m", "sh", "-c",
			       "mount -t tracefs none /sys/kernel/tracing 2>/dev/null; exec \"$@\"",
			       "sh", prog_path(), "record", "-P", "wakeup-fifo", "-l", "fork:16@0s",
			       "--spike", "500us", "-D", length, "--json", NULL };
	struct storm st = { 0 };
	struct prog p;
	json_t *one;
	size_t i;

	if (!SKIP_UNLESS_ROOT())
		return;
	snprintf(length, sizeof(length), "%us", seconds);
	prog_start(&p, argv);
	double pct = main_pct(p.pid, seconds);

	prog_end(&p, 60000);
	ck_assert_msg(p.exit_code == 0, "exit %d: %s", p.exit_code, p.err);
	json_t *root = prog_json(&p);

	prog_check_sums(root);
	json_array_foreach(json_object_get(root, "latest_spikes"), i, one)
		check_spike(one, &st);
	check_tables(root);
	printf("storm, blame %s: %u spikes, %u whole, %u incomplete and say why, %u not looked at "
	       "and say why; main thread %.1f %% of a CPU (limit %g)\n",
	       word(json_object_get(root, "tiers"), "blame"), st.spikes, st.whole, st.incomplete,
	       st.unread, pct, MAIN_MOST_PCT);
	if (!st.spikes)
		SKIP("no wake-up was late enough to ask about");
	if (!INSTRUMENTED)
		ck_assert_double_le(pct, MAIN_MOST_PCT);
	json_decref(root);
	prog_free(&p);
}
END_TEST

Suite *storm_suite(void);
Suite *storm_suite(void)
{
	Suite *s = suite_create("storm");
	TCase *tc = tcase_create("sixteen forkers");

	tcase_set_timeout(tc, 120);
	tcase_add_test(tc, what_a_storm_of_forks_takes_from_the_rings_is_said);
	suite_add_tcase(s, tc);
	return s;
}
