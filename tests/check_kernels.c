/*
 * check_kernels.c - every kernel measures something, and what it publishes
 * holds together.  Nothing here says how fast the machine must be.
 */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/clock.h"
#include "src/counters.h"
#include "src/suites/kernel.h"
#include "src/suites/kernel_tcp.h"
#include "src/suites/loop.h"

/* Beside a cache of 260 MB buffers have 1 GB, and filling them takes all the time. */
#define MEMORY_BYTES (64 << 20)

static char folder[] = "/var/tmp/jstest-kernel-XXXXXX";
static struct counters *counters;
static _Atomic bool stop;
static struct load_worker worker;
static struct kernel_run run;
static struct why why;

static void setup(void)
{
	ck_assert_ptr_nonnull(mkdtemp(folder));
	counters = counters_new(1);
	ck_assert_ptr_nonnull(counters);
	stop = false;
	memset(&why, 0, sizeof(why));
	worker = (struct load_worker){ .workers = 1, .seed = 7, .stop = &stop, .scratch2_fd = -1,
				       .scratch_fd = open(folder, O_RDONLY | O_DIRECTORY),
				       .lines = counters->slot[0].lines,
				       .line = counters->slot[0].lines,
				       .result = &counters->slot[0].result };
	run = (struct kernel_run){ .w = &worker, .why = &why, .length_ns = 5 * NS_PER_MS,
				   .memory_bytes = MEMORY_BYTES };
}

static void teardown(void)
{
	char command[80];

	snprintf(command, sizeof(command), "rm -rf %s", folder);
	ck_assert_int_eq(system(command), 0);
	counters_free(counters);
}

static unsigned published(double figure[LOAD_FIGURES])
{
	char text[256];

	return counters_result(&counters->slot[0], figure, text);
}

static bool needs_our_program(const struct kernel *k)
{
	return !strcmp(k->name, "Execl");
}

START_TEST(each_kernel_finds_figures_that_hold_together)
{
	const struct kernel *k = kernel_nth((unsigned)_i);
	double figure[LOAD_FIGURES];

	if (needs_our_program(k))
		return;		/* tests/live runs it */
	memcpy(run.arg, k->arg, sizeof(run.arg));
	if (!strcmp(k->name, KERNEL_TCP_SOAKED))
		run.arg[2] = 1000000;
	/* Its cost, which is taken off, may be measured in a moment worse than all of
	 * its samples: once, not three times. */
	for (int tries = 0; tries < 3; tries++) {
		ck_assert_msg(k->run(&run) == 0, "%s %s: %s", k->table, k->name, why.text);
		ck_assert_uint_ge(published(figure), KERNEL_MORE);
		if (figure[KERNEL_MAX] > 0)
			break;
	}
	ck_assert_msg(figure[KERNEL_N] >= 1, "%s: n %g", k->name, figure[KERNEL_N]);
	for (unsigned i = 0; i < KERNEL_MORE; i++)
		ck_assert_msg(isfinite(figure[i]), "%s: figure %u", k->name, i);
	if (k->rate) {
		ck_assert_double_gt(figure[KERNEL_WORST], 0);
		ck_assert_double_le(figure[KERNEL_WORST], figure[KERNEL_MEDIAN]);
		ck_assert_double_le(figure[KERNEL_MEDIAN], figure[KERNEL_BEST]);
	} else if (strcmp(k->table, "tcp") || !strcmp(k->name, KERNEL_TCP_TRIP)) {
		ck_assert_double_ge(figure[KERNEL_LEAST], 0);
		ck_assert_double_le(figure[KERNEL_MEDIAN], figure[KERNEL_P99]);
		ck_assert_double_le(figure[KERNEL_P99], figure[KERNEL_MAX]);
		ck_assert_double_gt(figure[KERNEL_MAX], 0);
	}
	/* Partners are gone. */
	ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
	ck_assert_int_eq(errno, ECHILD);
}
END_TEST

START_TEST(a_kernel_that_is_told_to_stop_ends_soon)
{
	const struct kernel *k = kernel_nth((unsigned)_i);

	if (needs_our_program(k) || !strcmp(k->name, KERNEL_TCP_UNITS))
		return;
	memcpy(run.arg, k->arg, sizeof(run.arg));
	run.arg[2] = run.arg[2] ? run.arg[2] : 1000000;
	run.length_ns = 3600 * NS_PER_S;
	stop = true;
	k->run(&run);		/* the time of this test is the limit */
}
END_TEST

/* One unit a second cannot have been all that soakers do alone: seen as soon as
 * they did more, which a busy machine may not let them in one short run. */
#define SOAKS_MOST 50
START_TEST(a_load_below_nothing_is_calibrated_again)
{
	double figure[LOAD_FIGURES];

	for (unsigned i = 0; kernel_nth(i); i++) {
		const struct kernel *k = kernel_nth(i);

		if (strcmp(k->name, KERNEL_TCP_SOAKED))
			continue;
		run.arg[0] = 4;
		run.arg[1] = 1000000;
		run.arg[2] = 1;
		run.length_ns = 50 * NS_PER_MS;
		figure[KERNEL_TCP_ALONE] = 1;
		for (int n = 0; n < SOAKS_MOST && figure[KERNEL_TCP_ALONE] <= 1; n++) {
			ck_assert_int_eq(k->run(&run), 0);
			ck_assert_uint_eq(published(figure), KERNEL_TCP_ALONE + 1);
		}
		/* Some thousand percent is noise; without it there were millions. */
		ck_assert_double_gt(figure[KERNEL_TCP_ALONE], 100);
		ck_assert_double_gt(figure[KERNEL_MEDIAN], -100000);
	}
}
END_TEST

/* ---- how they measure ---- */

static int64_t step_ns;

static int op_of_a_length(void *ctx)
{
	int64_t until_ns = clock_now_ns() + step_ns;

	++*(unsigned *)ctx;
	while (clock_now_ns() < until_ns)
		;
	return 0;
}

START_TEST(a_time_is_at_least_what_the_operation_takes)
{
	double figure[LOAD_FIGURES];
	unsigned calls = 0;

	step_ns = 50 * NS_PER_US;
	run.length_ns = 20 * NS_PER_MS;
	ck_assert_int_eq(kernel_time_us(&run, op_of_a_length, &calls, 4), 0);
	published(figure);
	ck_assert_double_ge(figure[KERNEL_LEAST], 50);
	ck_assert_double_ge(figure[KERNEL_MEDIAN], figure[KERNEL_LEAST]);
	/* One batch of four went before, to warm up. */
	ck_assert_double_eq(figure[KERNEL_N] * 4 + 4, calls);
}
END_TEST

START_TEST(what_costs_more_than_it_takes_is_zero)
{
	struct hist *h = hist_new(3);
	double figure[LOAD_FIGURES];

	hist_record(h, 1000);
	hist_record(h, 9000);
	kernel_times(&run, h, 10, 200, NS_PER_US);
	published(figure);
	ck_assert_double_eq(figure[KERNEL_MEDIAN], 0);
	ck_assert_double_eq_tol(figure[KERNEL_MAX], 0.7, 0.001);
	ck_assert_double_le(figure[KERNEL_P99], figure[KERNEL_MAX]);
	hist_free(h);
}
END_TEST

static int failing(void *ctx)
{
	return ++*(unsigned *)ctx > 3 ? -ENOSPC : 0;
}

START_TEST(an_error_of_the_operation_ends_the_kernel)
{
	unsigned calls = 0;

	ck_assert_int_eq(kernel_time_us(&run, failing, &calls, 1), -ENOSPC);
	ck_assert_uint_eq(calls, 4);
	calls = 0;
	ck_assert_int_eq(kernel_rates(&run, failing, &calls, 1, 1), -ENOSPC);
	ck_assert_uint_eq(calls, 4);
	kernel_failed(&run, -ENOSPC, "blocks");
	ck_assert_ptr_nonnull(strstr(why.text, "blocks: "));
	ck_assert_int_eq(why.err, -ENOSPC);
}
END_TEST

START_TEST(the_median_of_rates_is_theirs)
{
	double odd[] = { 5, 1, 9 }, even[] = { 4, 1, 2, 3 }, figure[LOAD_FIGURES];

	kernel_publish_rates(&run, odd, 3);
	published(figure);
	ck_assert_double_eq(figure[KERNEL_MEDIAN], 5);
	ck_assert_double_eq(figure[KERNEL_WORST], 1);
	ck_assert_double_eq(figure[KERNEL_BEST], 9);
	kernel_publish_rates(&run, even, 4);
	published(figure);
	ck_assert_double_eq(figure[KERNEL_MEDIAN], 2.5);
	ck_assert_double_eq(figure[KERNEL_MEAN], 2.5);
}
END_TEST

START_TEST(a_rate_counts_whole_operations_by_their_worth)
{
	double figure[LOAD_FIGURES];
	unsigned calls = 0;

	step_ns = NS_PER_MS;
	run.length_ns = 200 * NS_PER_MS;
	ck_assert_int_eq(kernel_rates(&run, op_of_a_length, &calls, 10, 60), 0);
	published(figure);
	/* At most a thousand a second, ten apiece, by the minute. */
	ck_assert_double_gt(figure[KERNEL_BEST], 0);
	ck_assert_double_le(figure[KERNEL_BEST], 600000);
}
END_TEST

/* ---- the tables ---- */

START_TEST(every_kernel_has_a_place_of_its_own)
{
	unsigned n = kernel_count();

	ck_assert_uint_gt(n, 50);
	ck_assert_ptr_null(kernel_nth(n));
	for (unsigned i = 0; i < n; i++) {
		const struct kernel *k = kernel_nth(i);

		ck_assert_uint_lt(strlen(k->name), 40);
		ck_assert_uint_lt(strlen(k->unit), 16);
		for (unsigned j = 0; j < i; j++)
			ck_assert_msg(strcmp(k->name, kernel_nth(j)->name) ||
				      strcmp(k->table, kernel_nth(j)->table), "%s twice", k->name);
	}
}
END_TEST

/* All columns of the seed but those that nothing here measures. */
START_TEST(every_column_of_the_old_tables_is_there)
{
	static const char *const not_ours[] = { "RPC/UDP", "RPC/TCP", "Mhz" };
	FILE *f = fopen("tests/data/lmbench.txt", "r");
	char line[200], table[40], kernel[40], column[40];

	ck_assert_ptr_nonnull(f);
	ck_assert_ptr_nonnull(fgets(line, sizeof(line), f));
	while (fgets(line, sizeof(line), f)) {
		bool found = false;

		ck_assert_int_eq(sscanf(line, "%39[^\t]\t%39[^\t]\t%39[^\t]", table, kernel, column), 3);
		for (unsigned i = 0; i < 3; i++)
			found |= !strcmp(column, not_ours[i]);
		found |= !strcmp(table, "comm_lat") && !strcmp(column, "2p/0K");	/* a copy */
		for (unsigned i = 0; kernel_nth(i) && !found; i++)
			found = !strcmp(kernel_nth(i)->table, table) && !strcmp(kernel_nth(i)->name, column);
		ck_assert_msg(found, "no kernel for %s, %s", table, column);
	}
	fclose(f);
}
END_TEST

/* ---- sockets ---- */

START_TEST(both_ends_of_a_pair_talk)
{
	int fd[2];
	char buf[4] = "";

	ck_assert_int_eq(loop_pair(_i ? SOCK_STREAM : SOCK_DGRAM, fd), 0);
	ck_assert_int_eq(loop_write(fd[0], "abc", 4), 0);
	ck_assert_int_eq(loop_read(fd[1], buf, 4), 0);
	ck_assert_str_eq(buf, "abc");
	loop_reset(fd[0]);
	if (_i)
		ck_assert_int_lt(loop_read(fd[1], buf, 1), 0);
	close(fd[1]);
}
END_TEST

Suite *kernels_suite(void);
Suite *kernels_suite(void)
{
	Suite *s = suite_create("kernels");
	TCase *tc = tcase_create("kernels");
	int n = (int)kernel_count();

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, each_kernel_finds_figures_that_hold_together, 0, n);
	tcase_add_loop_test(tc, a_kernel_that_is_told_to_stop_ends_soon, 0, n);
	tcase_add_test(tc, a_load_below_nothing_is_calibrated_again);
	tcase_add_test(tc, a_time_is_at_least_what_the_operation_takes);
	tcase_add_test(tc, what_costs_more_than_it_takes_is_zero);
	tcase_add_test(tc, an_error_of_the_operation_ends_the_kernel);
	tcase_add_test(tc, the_median_of_rates_is_theirs);
	tcase_add_test(tc, a_rate_counts_whole_operations_by_their_worth);
	tcase_add_test(tc, every_kernel_has_a_place_of_its_own);
	tcase_add_test(tc, every_column_of_the_old_tables_is_there);
	tcase_add_loop_test(tc, both_ends_of_a_pair_talk, 0, 2);
	suite_add_tcase(s, tc);
	return s;
}
