/*
 * check_keeper.c - the process that starts kernels: one at a time, stopped when
 * told, and nothing left when main is gone.
 */
#include <check.h>
#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/clock.h"
#include "src/suites/keeper.h"

static char folder[40];
static struct options o;
static struct keeper *keeper;
static struct own_job job;
static struct why why;

static void setup(void)
{
	memset(&o, 0, sizeof(o));
	strcpy(folder, "/var/tmp/jstest-keeper-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	o.scratch[0] = folder;
	o.scratches = 1;
	keeper = keeper_start(&o, &why);
	ck_assert_msg(keeper != NULL, "%s", why.text);
	job = keeper_job(keeper);
}

static unsigned entries(const char *path)
{
	DIR *d = opendir(path);
	unsigned n = 0;

	for (struct dirent *e; d && (e = readdir(d));)
		n += e->d_name[0] != '.';
	if (d)
		closedir(d);
	return n;
}

static void teardown(void)
{
	keeper_end(keeper);
	ck_assert_uint_eq(entries(folder), 0);
	ck_assert_int_eq(rmdir(folder), 0);
	ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
}

static unsigned kernel_called(const char *table, const char *name)
{
	const struct kernel *k;

	for (unsigned i = 0; (k = kernel_nth(i)); i++) {
		if (!strcmp(k->table, table) && !strcmp(k->name, name))
			return i;
	}
	ck_abort_msg("no kernel %s", name);
	return 0;
}

static void start(const char *table, const char *name, int64_t length_ns)
{
	struct step step = { .kernel = kernel_called(table, name), .hold_ns = length_ns };

	ck_assert_msg(job.start(job.ctx, &step, &why) == 0, "%s", why.text);
}

/* What look() says in the end. */
static int await(struct step_result *r)
{
	struct pollfd p = { .fd = job.fd(job.ctx), .events = POLLIN };
	int ended;

	memset(r, 0, sizeof(*r));
	while (!(ended = job.look(job.ctx, r, &why))) {
		ck_assert_int_eq(poll(&p, 1, 30000), 1);
		job.hear(job.ctx);
	}
	return ended;
}

START_TEST(kernels_run_one_after_the_other)
{
	static const char *const names[] = { "null call", "stat", "fork proc" };
	struct step_result r;

	for (unsigned i = 0; i < 3; i++) {
		start("processor", names[i], 5 * NS_PER_MS);
		ck_assert(job.busy(job.ctx));
		ck_assert_msg(await(&r) == 1, "%s: %s", names[i], why.text);
		ck_assert(!job.busy(job.ctx));
		ck_assert_uint_ge(r.figures, KERNEL_MORE);
		ck_assert_double_gt(r.figure[KERNEL_MAX], 0);
	}
}
END_TEST

START_TEST(what_the_suite_says_goes_before_the_entry)
{
	struct step step = { .kernel = kernel_called("tcp", "round trip"), .hold_ns = NS_PER_S,
			     .arg = { 128, 25 } };
	struct step_result r;

	ck_assert_int_eq(job.start(job.ctx, &step, &why), 0);
	ck_assert_int_eq(await(&r), 1);
	ck_assert_double_eq(r.figure[KERNEL_N], 25);
}
END_TEST

START_TEST(a_kernel_that_fails_says_why)
{
	struct step step = { .kernel = kernel_called("tcp", "round trip"), .hold_ns = NS_PER_S,
			     .arg = { 1 << 30, 1 } };
	struct step_result r;

	ck_assert_int_eq(job.start(job.ctx, &step, &why), 0);
	ck_assert_int_lt(await(&r), 0);
	ck_assert_ptr_nonnull(strstr(why.text, "TCP"));
	start("processor", "null call", NS_PER_MS);	/* and the next one runs */
	ck_assert_int_eq(await(&r), 1);
}
END_TEST

START_TEST(a_kernel_is_stopped_at_once)
{
	struct step_result r;

	start("comm_bw", "Mmap reread", 3600 * NS_PER_S);
	usleep(100000);
	job.stop(job.ctx);
	ck_assert_int_lt(await(&r), 0);
	ck_assert(!job.busy(job.ctx));
	start("processor", "null call", NS_PER_MS);
	ck_assert_int_eq(await(&r), 1);
}
END_TEST

START_TEST(the_end_comes_in_the_middle_of_a_kernel)
{
	start("comm_bw", "File reread", 3600 * NS_PER_S);
	usleep(100000);		/* teardown ends the keeper and counts what is left */
}
END_TEST

/* The keeper's pid: our only child. */
static pid_t child_of_ours(void)
{
	char path[80];
	int pid = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/self/task/%d/children", (int)getpid());
	f = fopen(path, "r");
	if (!f)
		return 0;
	if (fscanf(f, "%d", &pid) != 1)
		pid = 0;
	fclose(f);
	return pid;
}

START_TEST(a_keeper_that_dies_is_noticed_and_takes_its_kernel_along)
{
	pid_t pid = child_of_ours();
	struct step_result r;
	struct step step = { .hold_ns = NS_PER_MS };

	if (pid <= 1)
		return;		/* no such file on this kernel */
	start("processor", "null call", 3600 * NS_PER_S);
	usleep(100000);
	kill(pid, SIGKILL);
	ck_assert_int_eq(await(&r), -EPIPE);
	ck_assert_ptr_nonnull(strstr(why.text, "died"));
	ck_assert_int_eq(job.fd(job.ctx), -1);
	ck_assert_int_lt(job.start(job.ctx, &step, &why), 0);
	/* Its scratch is left to the sweep of the next start. */
	char command[80];

	snprintf(command, sizeof(command), "rm -rf %s/jitterscope-*", folder);
	ck_assert_int_eq(system(command), 0);
}
END_TEST

Suite *keeper_suite(void);
Suite *keeper_suite(void)
{
	Suite *s = suite_create("keeper");
	TCase *tc = tcase_create("keeper");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, kernels_run_one_after_the_other);
	tcase_add_test(tc, what_the_suite_says_goes_before_the_entry);
	tcase_add_test(tc, a_kernel_that_fails_says_why);
	tcase_add_test(tc, a_kernel_is_stopped_at_once);
	tcase_add_test(tc, the_end_comes_in_the_middle_of_a_kernel);
	tcase_add_test(tc, a_keeper_that_dies_is_noticed_and_takes_its_kernel_along);
	suite_add_tcase(s, tc);
	return s;
}
