/*
 * check_truth.c - ground truth: a delay injected into a system call appears
 * once, at its size, in the right series, and nowhere else.
 *
 * strace delays the return of the n-th clock_nanosleep of each thread.  Only a
 * lower bound is asserted: what lies above the delay is the machine's.
 */
#include <check.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/prog.h"

#define DELAY_NS INT64_C(300000000)

/* Samples of the series at or above the delay, and the largest. */
static json_int_t hits(const json_t *series, json_int_t *most)
{
	json_t *pair;
	json_int_t n = 0;
	size_t k;

	json_array_foreach(json_object_get(series, "histogram"), k, pair)
		if (json_integer_value(json_array_get(pair, 0)) >= DELAY_NS)
			n += json_integer_value(json_array_get(pair, 1));
	*most = json_integer_value(json_object_get(series, "max_ns"));
	return n;
}

START_TEST(an_injected_delay_appears_once_per_thread_at_its_size)
{
	struct prog p;
	const char *argv[] = { "strace", "-f", "--seccomp-bpf", "-o", "/dev/null", "-e", "trace=clock_nanosleep", "-e",
			       "inject=clock_nanosleep:delay_exit=300000:when=400", prog_path(), "record", "-D", "1s",
			       "--json", "--no-loads", NULL };

	if (!prog_have("strace", "an_injected_delay"))
		return;
	prog_run(&p, 60000, argv);
	ck_assert_msg(p.exit_code == 0, "exit %d: %s", p.exit_code, p.err);
	json_t *root = prog_json(&p), *one;
	size_t i;

	prog_check_sums(root);
	json_array_foreach(json_object_get(root, "series"), i, one) {
		json_int_t most, n = hits(one, &most);
		json_int_t missed = json_integer_value(json_object_get(one, "missed"));

		ck_assert_msg(n == 1, "series %zu: %lld samples of %lld ns or more, wanted 1", i, (long long)n, (long long)DELAY_NS);
		ck_assert_int_ge(most, DELAY_NS);
		/* At 1 kHz a 300 ms delay skips 300 due times. */
		ck_assert_msg(missed >= most / 1000000, "series %zu: %lld missed for a delay of %lld ns", i, (long long)missed, (long long)most);
	}
	json_decref(root);
	prog_free(&p);
}
END_TEST

/* Waits until its samplers are there, and warm. */
static void await_samplers(pid_t pid)
{
	char path[64];
	struct stat st = { 0 };

	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	/* A link for each thread, and two. */
	for (int i = 0; i < 2000 && (stat(path, &st) || st.st_nlink < 2 + 3); i++)
		usleep(5000);
	ck_assert_uint_ge(st.st_nlink, 2 + 3);
	usleep(500000);
}

START_TEST(a_stop_is_interrupted_and_never_latency)
{
	struct prog p;
	const char *argv[] = { "", "record", "-D", "2s", "--json", "--no-loads", NULL };

	prog_start(&p, argv);
	await_samplers(p.pid);
	kill(p.pid, SIGSTOP);
	usleep(1000000);
	kill(p.pid, SIGCONT);
	prog_end(&p, 20000);
	ck_assert_msg(p.exit_code == 0, "exit %d: %s", p.exit_code, p.err);
	json_t *root = prog_json(&p), *one;
	size_t i;

	prog_check_sums(root);
	json_array_foreach(json_object_get(root, "series"), i, one) {
		json_int_t most = json_integer_value(json_object_get(one, "max_ns"));

		ck_assert_msg(most < 900000000, "series %zu shows the stop as %lld ns of latency", i, (long long)most);
		ck_assert_msg(json_integer_value(json_object_get(one, "interrupted")) >= 900, "series %zu: the stop is not counted", i);
	}
	json_decref(root);
	prog_free(&p);
}
END_TEST

Suite *truth_suite(void);

Suite *truth_suite(void)
{
	Suite *s = suite_create("truth");
	TCase *c = tcase_create("injected");

	tcase_set_timeout(c, 90);
	tcase_add_test(c, an_injected_delay_appears_once_per_thread_at_its_size);
	tcase_add_test(c, a_stop_is_interrupted_and_never_latency);
	suite_add_tcase(s, c);
	return s;
}
