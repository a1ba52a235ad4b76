/* check_text_report.c - the report of `show`. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/format.h"
#include "src/snapshot_build.h"
#include "src/text.h"
#include "src/text_width.h"
#include "tests/fake_snapshot.h"

extern const struct format format_text;

static void every_line_fits(const char *text)
{
	while (*text) {
		size_t n = strcspn(text, "\n");
		unsigned columns = 0;
		char line[512];

		ck_assert_msg(text[n] == '\n', "no line end at the end");
		ck_assert_uint_lt(n, sizeof(line));
		columns = text_clean(line, sizeof(line), text, n, 500);
		ck_assert_msg(columns <= 78, "%u columns: %.*s", columns, (int)n, text);
		ck_assert_msg(strlen(line) == n && !memcmp(line, text, n), "unclean: %.*s", (int)n, text);
		ck_assert_msg(!n || text[n - 1] != ' ', "trailing blank: %.*s", (int)n, text);
		text += n + 1;
	}
}

static char *report(const struct snapshot *s)
{
	size_t n;
	char *text = fake_write(&format_text, s, &n);

	ck_assert_uint_eq(strlen(text), n);
	every_line_fits(text);
	return text;
}

static void has(const char *text, const char *what)
{
	ck_assert_msg(strstr(text, what) != NULL, "no '%s' in:\n%s", what, text);
}

START_TEST(it_says_who_how_and_what)
{
	struct snapshot *s = fake_snapshot(1);
	char *text = report(s);

	has(text, "kobold");
	has(text, "6.1.0-13-amd64");
	has(text, "in real time (SCHED_FIFO)");
	has(text, "warn      the hypervisor took");
	has(text, "wakeup-fifo");
	has(text, "p99.9");
	has(text, "churn x8");
	has(text, "    mode=fsync cpus=0,2-3\n");
	has(text, "kworker/1:1 8.00ms");
	has(text, ">= 1ms");
	free(text);
	snapshot_free(s);
}
END_TEST

START_TEST(many_megabytes_are_gigabytes)
{
	struct snapshot *s = fake_snapshot(1);
	char *text;

	s->loads[0].rate = 1400;
	s->loads[0].done = 53000;
	text = report(s);
	has(text, " 1.4 GB/s");
	has(text, " 53 GB ");
	ck_assert_ptr_null(strstr(text, "k MB"));
	free(text);
	snapshot_free(s);
}
END_TEST

START_TEST(what_was_later_than_the_deadline_is_counted)
{
	static const int64_t ns[] = { 1000, 2000, 3000, 5000000 };
	struct snapshot *s = snapshot_new();

	fake_series(s, "call", -1, ns, 4);
	char *text = report(s);

	ck_assert_ptr_null(strstr(text, "DEADLINE"));
	free(text);
	s->deadline_ns = 300000;
	text = report(s);
	has(text, "DEADLINE                     samples    later than 300us\n"
		  "call                               4             1 (25%)\n");
	free(text);
	snapshot_free(s);
}
END_TEST

START_TEST(not_real_time_is_said_in_capitals)
{
	struct snapshot *s = fake_snapshot(1);

	snprintf(s->tier_rt, sizeof(s->tier_rt), "other");
	char *text = report(s);

	has(text, "NOT IN REAL TIME");
	free(text);
	snapshot_free(s);
}
END_TEST

/* 999 samples carry p90 and p99 is not carried by 900. */
START_TEST(what_a_short_run_did_not_measure_is_not_0)
{
	struct snapshot *s = fake_snapshot(1);

	s->self.cpu_pct = 0.2;
	s->self.rss_kb = 9000;
	char *text = report(s);

	has(text, "own cost  0.2% of one CPU");
	free(text);
	s->self.helper_cpu_pct = NAN;
	text = report(s);
	has(text, "own cost  0.2% of one CPU, samplers 0.0%, probes -, 0 switches/s");
	free(text);
	s->self.cpu_pct = s->self.sampler_cpu_pct = s->self.switches_per_s = NAN;
	s->self.bytes_per_s_to_terminal = NAN;
	text = report(s);
	has(text, "own cost  - (not measured");
	has(text, "- B/s to the terminal");
	free(text);
	s->self.cpu_pct = s->self.sampler_cpu_pct = s->self.switches_per_s = 0;
	text = report(s);
	has(text, "own cost  - (not measured");
	free(text);
	snapshot_free(s);
}
END_TEST

START_TEST(memory_is_partly_locked_as_on_the_screen)
{
	struct snapshot *s = fake_snapshot(1);

	s->locked = false;
	s->nr_badges = 0;
	char *text = report(s);

	has(text, "memory not locked");
	free(text);
	snapshot_add_badge(s, "partly-locked", "info", "memory lock: ...");
	text = report(s);
	has(text, "memory partly locked");
	free(text);
	snapshot_free(s);
}
END_TEST

START_TEST(a_remedy_with_the_path_of_a_program_is_whole)
{
	static const char *const why = "NOT REALTIME: 2 of 4 samplers without SCHED_FIFO: real time: "
		"no right to it (no CAP_SYS_NICE, rtprio limit 0); "
		"sudo setcap cap_sys_nice,cap_ipc_lock,cap_perfmon=p "
		"/home/somebody/src/measuring/latency/build/release/the-program";
	struct snapshot *s = fake_snapshot(1);

	s->nr_badges = 0;
	snapshot_add_badge(s, "not-rt", "bad", why);
	char *text = report(s);

	has(text, "/home/somebody/src/measuring/latency/build/release/the-program\n");
	free(text);
	snapshot_free(s);
}
END_TEST

/* Their units are in the values. */
START_TEST(counters_have_no_unit_in_their_names)
{
	struct snapshot *s = fake_snapshot(1);
	struct snapshot_series *one = &s->series[0];

	one->counters = 2;
	snprintf(one->counter[0].name, sizeof(one->counter[0].name), "longest_skip_ns");
	one->counter[0].value = 2500000;
	snprintf(one->counter[1].name, sizeof(one->counter[1].name), "skips");
	one->counter[1].value = 3;
	char *text = report(s);

	has(text, "longest_skip ");
	has(text, "2.50ms");
	ck_assert_ptr_null(strstr(text, "skip_ns"));
	free(text);
	snapshot_free(s);
}
END_TEST

static void count(struct snapshot_series *one, const char *name, int64_t value)
{
	struct snapshot_counter *c = &one->counter[one->counters++];

	snprintf(c->name, sizeof(c->name), "%s", name);
	c->value = value;
}

/* A file need not have all of a probe's counters, nor in our order. */
START_TEST(a_share_is_of_the_counter_of_that_name)
{
	struct snapshot *s = fake_snapshot(1);
	struct snapshot_series *one = &s->series[0];

	snprintf(one->probe, sizeof(one->probe), "audio");
	one->counters = 0;
	count(one, "CPU_got_ns", 3000000);
	count(one, "CPU_wanted_ns", 8000000);
	count(one, "of_another_time", 50);
	count(one, "skips", 7);
	char *text = report(s);

	has(text, "37.5 %");
	has(text, "8.00ms");
	ck_assert_ptr_null(strstr(text, "700.0 %"));
	ck_assert_ptr_null(strstr(text, "14.0 %"));
	free(text);
	snapshot_free(s);
}
END_TEST

START_TEST(nothing_is_later_than_the_longest_deadline)
{
	struct snapshot *s = fake_snapshot(1);

	s->deadline_ns = INT64_MAX;
	char *text = report(s);

	char *late = strstr(text, "later than 292y"), *end = late ? strstr(late, "\n\n") : NULL;

	ck_assert_ptr_nonnull(end);
	*end = '\0';
	has(late, " 0 (0%)");
	ck_assert_ptr_null(strstr(late, "(100%)"));
	free(text);
	snapshot_free(s);
}
END_TEST

START_TEST(percentiles_without_enough_samples_are_dashes)
{
	struct snapshot *s = snapshot_new();
	int64_t ns[900];

	for (int i = 0; i < 900; i++)
		ns[i] = 5000;
	fake_series(s, "stall", 0, ns, 900);
	char *text = report(s);

	has(text, "900 5.00us 5.00us 5.00us      -      -      - 5.00us");
	free(text);
	snapshot_free(s);
}
END_TEST

START_TEST(f47_empty_and_large_parts_fit)
{
	struct snapshot *s = snapshot_new();
	char *text = report(s);

	free(text);
	for (int cpu = 0; cpu < 40; cpu++) {
		int64_t ns = (int64_t)1 << cpu;

		fake_series(s, "a-probe-with-a-very-long-name-of-39-chars", cpu, &ns, 1);
	}
	fake_series(s, "empty", 4095, NULL, 0);
	struct snapshot_series *big = fake_series(s, "big", 4095, NULL, 0);

	snapshot_add_pair(big, 3999, SNAPSHOT_COUNT_MAX / 2);
	big->counts.due = big->counts.count = SNAPSHOT_COUNT_MAX / 2;
	big->max_ns = 3999;
	for (int i = 0; i < 60; i++)
		snapshot_add_event(s, 1e8, "load-fail", "\xe4\xb8\xad\xe6\x96\x87 \xe4\xb8\xad\xe6\x96\x87 a text "
				   "that goes on and on and on and on and on");
	struct snapshot_load *l = snapshot_add_load(s, "an-awfully-long-load-na");

	l->workers = 4294967295u;
	l->done = l->rate = 1e300;
	l->cpu_pct = 409600;
	memset(l->why, 'x', sizeof(l->why) - 1);
	text = report(s);
	has(text, "and 24 more CPUs");
	has(text, "and 40 more");
	free(text);
	snapshot_free(s);
}
END_TEST

/* F46, P13: no field lets a byte through that a terminal would obey. */
/* Wherever the line ends: "check_absurd 16" and "% (1)" are one. */
START_TEST(a_culprit_stays_with_its_figure)
{
	struct snapshot *s = snapshot_new();
	struct blamed b = { .loads = BLAMED_ALL, .ns = 1000, .spikes = 10, .parts = 5 };

	for (unsigned i = 0; i < b.parts; i++) {
		b.part[i] = (struct taken){ .ns = 160, .spikes = 2 };
		memset(b.part[i].comm, 'a' + (int)i, 4 + ((unsigned)_i + i) % 12);
	}
	ck_assert_int_eq(snapshot_add_blamed(s, &b), 0);
	struct snapshot_spike *k = snapshot_add_spike(s);

	k->culprits = 4;
	for (unsigned i = 0; i < k->culprits; i++) {
		k->culprit[i].ns = 1000000;
		memset(k->culprit[i].comm, 'k' + (int)i, 4 + ((unsigned)_i + i) % 12);
	}
	char *text = report(s);
	const char *at = strstr(text, "\nCULPRITS");

	ck_assert(at && strstr(text, " 16 % (2)") && strstr(text, "kkkk 1.00ms"));
	for (at = strchr(at + 1, '\n') + 1; *at == ' '; at = strchr(at, '\n') + 1)
		ck_assert_msg(at[6] != '%' && at[6] != '(' && (at[6] < '0' || at[6] > '9'), "%s", text);
	at = strstr(text, "\nSPIKES");
	for (at = strchr(at + 1, '\n') + 1; *at == ' '; at = strchr(at, '\n') + 1)
		ck_assert_msg(at[41] < '0' || at[41] > '9', "%s", text);
	free(text);
	snapshot_free(s);
}
END_TEST

START_TEST(f46_hostile_names_do_not_drive_the_terminal)
{
	static const char evil[] = "\x1b]52;c;x\a\x9b" "2J\xc2\x9d\xe2\x80\xae\r\n\b\t\x7f";
	struct snapshot *s = fake_snapshot(1);

	/* Past every cleaner, as a bug would bring them in. */
	memcpy(s->label, evil, sizeof(evil));
	memcpy(s->system.host, evil, sizeof(evil));
	memcpy(s->badges[0].text, evil, sizeof(evil));
	memcpy(s->events[0].text, evil, sizeof(evil));
	memcpy(s->spikes[0].culprit[0].comm, "\x1b]52;c\a", 8);
	memcpy(s->loads[0].why, evil, sizeof(evil));
	free(report(s));
	snapshot_free(s);
}
END_TEST

START_TEST(bars_grow_with_the_samples_and_every_sample_is_counted)
{
	struct snapshot *s = snapshot_new();
	int64_t ns[111];

	for (int i = 0; i < 111; i++)
		ns[i] = i < 100 ? 1500 : i < 110 ? 15000 : 150000;
	fake_series(s, "stall", 0, ns, 111);
	char *text = report(s);
	const char *rows[] = { "1.00us .. 2.00us          100", "10.0us .. 20.0us           10",
			       " 100us .. 200us             1" };
	size_t before = 100;

	for (int i = 0; i < 3; i++) {
		const char *row = strstr(text, rows[i]);

		ck_assert_msg(row != NULL, "no '%s' in:\n%s", rows[i], text);
		size_t bar = strspn(strchr(row, '#'), "#");

		ck_assert_uint_ge(bar, 1);
		ck_assert_uint_lt(bar, before);
		before = bar;
	}
	free(text);
	snapshot_free(s);
}
END_TEST

/* One page, one way: shares above the histogram are in percent as in it. */
START_TEST(shares_are_in_percent)
{
	struct why why = { 0 };
	struct snapshot *s = snapshot_read("tests/data/histogram-stock.txt", &why);
	char *text = report(s);

	has(text, " 1717 (0.0203%) ");
	free(text);
	snapshot_free(s);
}
END_TEST

Suite *text_report_suite(void);

Suite *text_report_suite(void)
{
	Suite *s = suite_create("text_report");
	TCase *tc = tcase_create("text_report");

	tcase_add_test(tc, it_says_who_how_and_what);
	tcase_add_test(tc, many_megabytes_are_gigabytes);
	tcase_add_test(tc, what_was_later_than_the_deadline_is_counted);
	tcase_add_test(tc, not_real_time_is_said_in_capitals);
	tcase_add_test(tc, what_a_short_run_did_not_measure_is_not_0);
	tcase_add_test(tc, memory_is_partly_locked_as_on_the_screen);
	tcase_add_test(tc, a_remedy_with_the_path_of_a_program_is_whole);
	tcase_add_test(tc, counters_have_no_unit_in_their_names);
	tcase_add_test(tc, nothing_is_later_than_the_longest_deadline);
	tcase_add_test(tc, a_share_is_of_the_counter_of_that_name);
	tcase_add_test(tc, percentiles_without_enough_samples_are_dashes);
	tcase_add_test(tc, f47_empty_and_large_parts_fit);
	tcase_add_loop_test(tc, a_culprit_stays_with_its_figure, 0, 12);
	tcase_add_test(tc, f46_hostile_names_do_not_drive_the_terminal);
	tcase_add_test(tc, shares_are_in_percent);
	tcase_add_test(tc, bars_grow_with_the_samples_and_every_sample_is_counted);
	suite_add_tcase(s, tc);
	return s;
}
