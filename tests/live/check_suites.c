/*
 * check_suites.c - `jitterscope run` for real, each suite shortened to
 * seconds.  Nothing here says how fast the machine must be.
 */
#include <check.h>
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/prog.h"

#define RUN(...) (const char *const[]){ "", "run", __VA_ARGS__, NULL }

static json_t *figures_of(const json_t *root)
{
	json_t *figures = json_object_get(root, "figures");

	ck_assert_uint_gt(json_array_size(figures), 0);
	return figures;
}

static const char *text(const json_t *o, const char *key)
{
	const char *v = json_string_value(json_object_get(o, key));

	return v ? v : "";
}

/* The value of a cell; NAN: there, but not measured; fails when it is missing. */
static double figure(const json_t *root, const char *table, const char *row, const char *name)
{
	json_t *one;
	size_t i;

	json_array_foreach(figures_of(root), i, one) {
		if (strcmp(text(one, "table"), table) || strcmp(text(one, "row"), row) ||
		    strcmp(text(one, "name"), name))
			continue;
		return json_is_number(json_object_get(one, "value"))
			? json_number_value(json_object_get(one, "value")) : 0.0 / 0.0;
	}
	ck_abort_msg("no figure %s, %s, %s", table, row, name);
	return 0;
}

static void positive(const json_t *root, const char *table, const char *row, const char *name)
{
	double value = figure(root, table, row, name);

	ck_assert_msg(value > 0, "%s, %s, %s is %g", table, row, name, value);
}

/* Removes the files of a folder, then the folder. */
static int remove_files(const char *dir)
{
	struct dirent *e;
	DIR *d = opendir(dir);

	while (d && (e = readdir(d)))
		unlinkat(dirfd(d), e->d_name, 0);
	if (d)
		closedir(d);
	return rmdir(dir);
}

/* A clean-up may outlive the program where the machine is busy. */
static void left_nothing(struct prog *p)
{
	ck_assert_uint_eq(prog_left(p, 10000, NULL), 0);
	ck_assert_uint_eq(prog_scratch_left(p), 0);
}

static void says(const struct prog *p, const char *what)
{
	ck_assert_msg(strstr(p->out, what) != NULL, "no \"%s\" in:\n%s%s", what, p->out, p->err);
}

/* ---- ladder ---- */

START_TEST(ladder_climbs_and_says_so_in_json)
{
	struct prog p;

	prog_run(&p, 120000, RUN("ladder", "--steps", "1,2", "--length", "300ms", "--json"));
	ck_assert_msg(p.exit_code == 0, "exit %d: %s", p.exit_code, p.err);
	json_t *root = prog_json(&p);

	prog_check_sums(root);
	positive(root, "ladder", "1.1", "throughput");
	positive(root, "ladder", "2.3", "throughput");
	positive(root, "ladder", "2.3", "passes");
	positive(root, "ladder", "2.1", "wakeup-fifo max");
	positive(root, "ladder", "2.1", "wakeup-other p50");
	left_nothing(&p);
	json_decref(root);
	prog_free(&p);
}
END_TEST

static unsigned lines_with(const char *text, const char *what)
{
	unsigned n = 0;

	for (const char *p = text; (p = strstr(p, what)); p++)
		n++;
	return n;
}

/* Waits until something stands below the scratch folder: a load is at work. */
static void await_scratch(const struct prog *p)
{
	for (int i = 0; i < 6000 && !prog_scratch_left(p); i++)
		usleep(10000);
	ck_assert_uint_gt(prog_scratch_left(p), 0);
}

/* Waits for the file of a step: the step is done. */
static void await_file(const char *path)
{
	for (int i = 0; i < 12000 && access(path, F_OK); i++)
		usleep(10000);
	ck_assert_msg(!access(path, F_OK), "no %s", path);
}

START_TEST(ladder_interrupted_keeps_its_rows_and_leaves_nothing)
{
	char dir[] = "/tmp/jstest-suites-XXXXXX", path[80], first[80];
	struct prog p;

	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/l.json", dir);
	snprintf(first, sizeof(first), "%s/l-1.1.json", dir);
	prog_start(&p, RUN("ladder", "--steps", "1,2,4", "--length", "500ms", "-o", path));
	await_file(first);
	kill(p.pid, SIGINT);
	prog_end(&p, 60000);
	ck_assert_msg(p.exit_code == 0, "exit %d: %s", p.exit_code, p.err);
	says(&p, "1.1 ");
	says(&p, "\nskipped: interrupted\n");
	ck_assert_uint_ge(lines_with(p.out, "Throughput "), 1);
	left_nothing(&p);
	prog_free(&p);
	ck_assert_int_eq(access(path, F_OK), 0);
	ck_assert_int_eq(remove_files(dir), 0);
}
END_TEST

START_TEST(ladder_interrupted_twice_prints_nothing)
{
	struct prog p;

	prog_start(&p, RUN("ladder", "--steps", "2", "--length", "20s"));
	await_scratch(&p);
	kill(p.pid, SIGINT);
	usleep(1000);
	kill(p.pid, SIGINT);
	prog_end(&p, 60000);
	if (p.exit_code)	/* both may have come as one */
		ck_assert_str_eq(p.out, "");
	left_nothing(&p);
	prog_free(&p);
}
END_TEST

START_TEST(ladder_writes_a_file_and_one_for_each_step)
{
	static const char *const names[] = { "l.json", "l-1.1.json", "l-1.2.json", "l-1.3.json" };
	char dir[] = "/tmp/jstest-suites-XXXXXX", path[80];
	struct prog p;

	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/l.json", dir);
	prog_run(&p, 60000, RUN("ladder", "--steps", "1", "--length", "200ms", "-o", path));
	ck_assert_msg(p.exit_code == 0, "exit %d: %s", p.exit_code, p.err);
	says(&p, "Throughput ");
	prog_free(&p);
	for (unsigned i = 0; i < 4; i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, names[i]);
		prog_run(&p, 60000, (const char *const[]){ "", "convert", path, "-t", "json", NULL });
		ck_assert_msg(p.exit_code == 0, "%s: exit %d: %s", names[i], p.exit_code, p.err);
		json_t *root = prog_json(&p);

		prog_check_sums(root);
		json_decref(root);
		prog_free(&p);
	}
	ck_assert_int_eq(remove_files(dir), 0);
}
END_TEST

/* ---- contest ---- */

START_TEST(contest_of_three_loads_ends_in_its_table)
{
	char dir[] = "/tmp/jstest-suites-XXXXXX", path[80];
	struct prog p;

	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/c.json", dir);
	prog_run(&p, 400000, RUN("contest", "--length", "500ms", "-L", "here", "-o", path, "--steps",
				 "no_load,process_load,io_other,list_load"));
	ck_assert_msg(p.exit_code == 0, "exit %d: %s", p.exit_code, p.err);
	says(&p, "no_load:\nKernel [runs]\tTime\tCPU%\tLoads\tLCPU%\tRatio\nhere        1\t");
	says(&p, "\t0.0\t0.0\t1.00\n");
	says(&p, "process_load:\n");
	says(&p, "list_load:\n");
	says(&p, "\nskipped: needs a second --scratch");
	left_nothing(&p);
	prog_free(&p);
	prog_run(&p, 60000, (const char *const[]){ "", "convert", path, "-t", "json", NULL });
	json_t *root = prog_json(&p);

	prog_check_sums(root);
	ck_assert_double_eq(figure(root, "no_load", "here", "Ratio"), 1);
	positive(root, "process_load", "here", "Loads");
	positive(root, "process_load", "here", "LCPU%");
	positive(root, "list_load", "here", "CPU%");
	json_decref(root);
	prog_free(&p);
	ck_assert_int_eq(remove_files(dir), 0);
}
END_TEST

START_TEST(contest_interrupted_keeps_the_rows_that_are_whole)
{
	char dir[] = "/tmp/jstest-suites-XXXXXX", path[80], first[80];
	struct prog p;

	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/c.json", dir);
	snprintf(first, sizeof(first), "%s/c-no_load.json", dir);
	prog_start(&p, RUN("contest", "--length", "300ms", "--steps", "no_load,read_load", "-o", path));
	await_file(first);
	kill(p.pid, SIGINT);
	prog_end(&p, 60000);
	ck_assert_msg(p.exit_code == 0, "exit %d: %s", p.exit_code, p.err);
	says(&p, "no_load:\n");
	says(&p, "interrupted");
	left_nothing(&p);
	prog_free(&p);
	ck_assert_int_eq(remove_files(dir), 0);
}
END_TEST

/* ---- bonnie ---- */

START_TEST(bonnie_goes_through_its_phases)
{
	struct prog p;

	prog_run(&p, 120000, RUN("bonnie", "-l", "bonnie,size=16", "-L", "here", "--json"));
	ck_assert_msg(p.exit_code == 0, "exit %d: %s", p.exit_code, p.err);
	json_t *root = prog_json(&p);

	positive(root, "bonnie", "here", "per char out");
	positive(root, "bonnie", "here", "rewrite");
	positive(root, "bonnie", "here", "seeks");
	ck_assert_double_eq(figure(root, "bonnie", "here", "MB"), 16);
	left_nothing(&p);
	json_decref(root);
	prog_free(&p);
}
END_TEST

/* ---- kernels ---- */

START_TEST(latencies_fill_all_tables_idle_and_under_a_load)
{
	static const struct { const char *table, *name; } cells[] = {
		{ "processor", "null call" }, { "processor", "sh proc" }, { "ctxsw", "16p/64K" },
		{ "comm_lat", "2p/0K" }, { "comm_lat", "TCP conn" }, { "file_vm", "10K Delete" },
		{ "file_vm", "Page Fault" }, { "mem_lat", "Main mem" },
	};
	struct prog p;

	prog_run(&p, 300000, RUN("latencies", "--length", "10ms", "-l", "cpu:1", "--json"));
	ck_assert_msg(p.exit_code == 0, "exit %d: %s", p.exit_code, p.err);
	json_t *root = prog_json(&p);

	for (unsigned i = 0; i < sizeof(cells) / sizeof(cells[0]); i++) {
		positive(root, cells[i].table, "idle max", cells[i].name);
		positive(root, cells[i].table, "cpu x1 max", cells[i].name);
	}
	positive(root, "processor", "idle", "null call");
	/* So few carry no p99. */
	ck_assert(!(figure(root, "processor", "cpu x1 p99", "fork proc") > 0));
	left_nothing(&p);
	json_decref(root);
	prog_free(&p);
}
END_TEST

START_TEST(latencies_print_lmbench_like_tables)
{
	struct prog p;

	prog_run(&p, 120000, RUN("latencies", "--length", "10ms", "--steps", "processor,Pipe"));
	ck_assert_msg(p.exit_code == 0, "exit %d: %s", p.exit_code, p.err);
	says(&p, "lmbench-like figures");
	says(&p, "null call");
	says(&p, "\nidle p99 ");
	ck_assert_ptr_null(strstr(p.out, "Context switching"));
	left_nothing(&p);
	prog_free(&p);
}
END_TEST

START_TEST(throughput_counts_loops_of_every_kind)
{
	static const char *const rows[] = { "Execl", "Process Creation", "Shell Scripts 8",
					    "File Copy 256", "Pipe-based Context Switching" };
	struct prog p;

	prog_run(&p, 300000, RUN("throughput", "--length", "50ms", "--json", "--steps",
				 "Execl,Process Creation,Shell Scripts 8,File Copy 256,"
				 "Pipe-based Context Switching,TCP,Mem read,L1 $"));
	ck_assert_msg(p.exit_code == 0, "exit %d: %s", p.exit_code, p.err);
	json_t *root = prog_json(&p);

	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		positive(root, "throughput", "idle worst", rows[i]);
	positive(root, "comm_bw", "idle", "TCP");
	positive(root, "comm_bw", "idle best", "Mem read");
	positive(root, "mem_lat", "idle", "L1 $");
	left_nothing(&p);
	json_decref(root);
	prog_free(&p);
}
END_TEST

START_TEST(tcp_sweeps_sizes_and_sees_the_load)
{
	struct prog p;

	prog_run(&p, 120000, RUN("tcp", "--length", "50ms", "--json", "--steps", "4,65536"));
	ck_assert_msg(p.exit_code == 0, "exit %d: %s", p.exit_code, p.err);
	json_t *root = prog_json(&p);

	positive(root, "tcp", "4", "mean");
	positive(root, "tcp", "65536", "median");
	/* 1000 carry it. */
	ck_assert_int_eq(figure(root, "tcp", "65536", "p99") > 0,
			 figure(root, "tcp", "65536", "n") >= 1000);
	positive(root, "tcp", "4", "CPU");
	ck_assert_double_le(figure(root, "tcp", "4", "load"), 100);
	left_nothing(&p);
	json_decref(root);
	prog_free(&p);
}
END_TEST

START_TEST(tcp_sends_as_many_messages_as_it_says)
{
	struct prog p;

	prog_run(&p, 120000, RUN("tcp", "--json", "--steps", "4"));
	ck_assert_msg(p.exit_code == 0, "exit %d: %s", p.exit_code, p.err);
	json_t *root = prog_json(&p);

	ck_assert_double_eq(figure(root, "tcp", "4", "n"), 10000);
	json_decref(root);
	prog_free(&p);
}
END_TEST

START_TEST(kernels_interrupted_keep_what_is_done)
{
	bool some = false;

	/* Nothing outside says that a figure is there: give it more and more time. */
	for (unsigned wait_ms = 500; !some && wait_ms < 20000; wait_ms *= 2) {
		struct prog p;

		prog_start(&p, RUN("latencies", "--length", "100ms"));
		await_scratch(&p);
		usleep(wait_ms * 1000);
		kill(p.pid, SIGINT);
		prog_end(&p, 60000);
		ck_assert_msg(p.exit_code == 0, "exit %d: %s", p.exit_code, p.err);
		says(&p, "interrupted");
		left_nothing(&p);
		some = strstr(p.out, "null call");
		prog_free(&p);
	}
	ck_assert(some);
}
END_TEST

/* Nobody cleans up behind a program that is killed but the keeper. */
START_TEST(kernels_end_with_a_program_that_is_killed)
{
	static const char *const names[] = { "Shell Scripts 16", "TCP", "Mem write", "File Write 4096" };
	struct prog p;

	prog_start(&p, RUN("throughput", "--length", "60s", "--steps", names[_i]));
	await_scratch(&p);
	usleep(300000);
	kill(p.pid, SIGKILL);
	prog_end(&p, 60000);
	ck_assert_int_eq(p.signal, SIGKILL);
	left_nothing(&p);
	prog_free(&p);
}
END_TEST

static const struct { const char *argv[8]; int exit_code; const char *says; } bad[] = {
	{ { "", "run", "nosuch" }, 2, "ladder" },
	{ { "", "run" }, 2, "SUITE" },
	{ { "", "run", "ladder", "--steps", "3" }, 2, "1, 2, 4" },
	{ { "", "run", "ladder", "-l", "fork" }, 2, "fork" },
	{ { "", "run", "ladder", "-l", "churn@2s" }, 2, "time" },
	{ { "", "run", "ladder", "--no-loads", "--steps", "1" }, 1, "loads are off" },
	{ { "", "run", "tcp", "--no-loads" }, 2, "--no-loads: tcp" },
	{ { "", "run", "latencies", "--no-loads" }, 2, "--no-loads: latencies" },
	{ { "", "run", "ladder", "-o", "x.nosuch", "--steps", "1" }, 2, "suffix" },
	{ { "", "run", "latencies", "--steps", "nosuch" }, 2, "processor" },
	{ { "", "run", "tcp", "-l", "nosuch" }, 2, "nosuch" },
};

START_TEST(what_cannot_be_run_is_refused_with_one_line)
{
	struct prog p;

	prog_run(&p, 60000, bad[_i].argv);
	ck_assert_int_eq(p.exit_code, bad[_i].exit_code);
	ck_assert_msg(strstr(p.err, bad[_i].says) != NULL, "no \"%s\" in: %s", bad[_i].says, p.err);
	prog_free(&p);
}
END_TEST

Suite *suites_suite(void);
Suite *suites_suite(void)
{
	Suite *s = suite_create("suites");
	TCase *tc = tcase_create("ladder");

	tcase_set_timeout(tc, 180);
	tcase_add_test(tc, ladder_climbs_and_says_so_in_json);
	tcase_add_test(tc, ladder_interrupted_keeps_its_rows_and_leaves_nothing);
	tcase_add_test(tc, ladder_interrupted_twice_prints_nothing);
	tcase_add_test(tc, ladder_writes_a_file_and_one_for_each_step);
	tcase_add_loop_test(tc, what_cannot_be_run_is_refused_with_one_line, 0,
			    sizeof(bad) / sizeof(bad[0]));
	suite_add_tcase(s, tc);
	tc = tcase_create("contest");
	tcase_set_timeout(tc, 600);
	tcase_add_test(tc, contest_of_three_loads_ends_in_its_table);
	tcase_add_test(tc, contest_interrupted_keeps_the_rows_that_are_whole);
	suite_add_tcase(s, tc);
	tc = tcase_create("bonnie");
	tcase_set_timeout(tc, 180);
	tcase_add_test(tc, bonnie_goes_through_its_phases);
	suite_add_tcase(s, tc);
	tc = tcase_create("kernels");
	tcase_set_timeout(tc, 400);
	tcase_add_test(tc, latencies_fill_all_tables_idle_and_under_a_load);
	tcase_add_test(tc, latencies_print_lmbench_like_tables);
	tcase_add_test(tc, throughput_counts_loops_of_every_kind);
	tcase_add_test(tc, tcp_sweeps_sizes_and_sees_the_load);
	tcase_add_test(tc, tcp_sends_as_many_messages_as_it_says);
	tcase_add_test(tc, kernels_interrupted_keep_what_is_done);
	tcase_add_loop_test(tc, kernels_end_with_a_program_that_is_killed, 0, 4);
	suite_add_tcase(s, tc);
	return s;
}
