/*
 * check_loads_more.c - every load does its work, counts what the kernel
 * counts, refuses with words, and leaves nothing.
 */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/load_harness.h"

#define MIB (UINT64_C(1) << 20)

static struct harness *h;
static struct why why;

static struct harness *load_new(const char *name, unsigned workers)
{
	const struct load *l = load_by_name(name);

	ck_assert_msg(l != NULL, "no load %s", name);
	memset(&why, 0, sizeof(why));
	h = harness_new(l, workers, 11);
	return h;
}

static long *knob(const char *name)
{
	const struct load *l = harness_load(h);

	for (unsigned i = 0; l->knobs[i].name; i++)
		if (!strcmp(l->knobs[i].name, name))
			return &harness_worker(h, 0)->knob[i];
	ck_abort_msg("no knob %s", name);
	return NULL;
}

static void run(uint64_t passes, uint64_t ops)
{
	ck_assert_msg(harness_run(h, passes, ops, &why) == 0, "%s", why.text);
	ck_assert_uint_gt(harness_ops(h), 0);
}

static void end(void)
{
	ck_assert_uint_eq(harness_left(h), 0);
	harness_free(h);
}

static void refused(int err, const char *say)
{
	ck_assert_int_eq(harness_run(h, 1, 1, &why), err);
	ck_assert_msg(strstr(why.text, say) != NULL, "%s", why.text);
	harness_free(h);
}

static const char *text(void)
{
	static char buf[256];

	for (unsigned i = 0; i < sizeof(buf); i++)
		buf[i] = harness_worker(h, 0)->result->text[i];
	return buf;
}

/* A counter of the kernel: the number after `key` in a file of /proc. */
static uint64_t kernel_count(const char *path, const char *key)
{
	char line[4096];
	FILE *f = fopen(path, "r");
	uint64_t n = 0;

	ck_assert_ptr_nonnull(f);
	while (fgets(line, sizeof(line), f))
		if (!strncmp(line, key, strlen(key)))
			n = strtoull(line + strlen(key), NULL, 10);
	fclose(f);
	return n;
}

/* ---- the table ---- */

START_TEST(every_load_says_what_it_is)
{
	for (unsigned i = 0; loads[i]; i++) {
		const struct load *l = loads[i];

		ck_assert_uint_lt(strlen(l->name), LOAD_NAME_MAX);
		ck_assert_msg(l->summary && l->unit && l->rate_unit && l->run, "%s", l->name);
		ck_assert_msg(l->key >= 'A' && l->key <= 'Z' && l->key != 'J', "%s", l->name);
		ck_assert_ptr_eq(load_by_key(l->key), l);
		ck_assert_uint_ge(l->version, 1);
		ck_assert_uint_ge(load_default_workers(l, 1), 1);
		ck_assert_uint_le(load_default_workers(l, 512), l->max_workers);
		ck_assert_uint_ge(l->tasks_per_worker, 1);
		for (unsigned k = 0; l->knobs[k].name; k++) {
			const struct load_knob *knob = &l->knobs[k];

			ck_assert_msg(knob->least <= knob->value && knob->value <= knob->most,
				      "%s %s", l->name, knob->name);
			for (long c = 0; knob->choices && c <= knob->most; c++)
				ck_assert_ptr_nonnull(knob->choices[c]);
		}
	}
}
END_TEST

/* ---- exec, sh ---- */

START_TEST(exec_starts_as_many_programs_as_it_counts)
{
	uint64_t before = kernel_count("/proc/stat", "processes ");

	load_new("exec", 2);
	*knob("how") = _i;
	run(0, 20);
	ck_assert_uint_ge(kernel_count("/proc/stat", "processes ") - before, harness_ops(h));
	ck_assert_double_gt(harness_figure(h, 0), 1000);
	end();
}
END_TEST

START_TEST(a_script_is_eight_processes)
{
	uint64_t before = kernel_count("/proc/stat", "processes ");

	load_new("sh", 3);
	run(0, 10);
	ck_assert_uint_ge(kernel_count("/proc/stat", "processes ") - before, 8 * harness_ops(h));
	ck_assert_uint_eq(harness_errors(h), 0);
	/* A loop is a script by every worker. */
	ck_assert_uint_ge(harness_passes(h) * 3 + 3, harness_ops(h));
	ck_assert_uint_le(harness_passes(h) * 3, harness_ops(h));
	ck_assert_msg(!strncmp(text(), "/bin/sh is ", 11), "%s", text());
	/* The text is the seed's and stays for the next script. */
	ck_assert_uint_eq(harness_left(h), 1);
	harness_free(h);
}
END_TEST

START_TEST(plain_shells_need_no_text)
{
	load_new("sh", 2);
	*knob("mode") = 1;
	run(0, 10);
	end();
}
END_TEST

START_TEST(a_hundred_failing_scripts_end_the_load)
{
	load_new("sh", 1);
	harness_break(h, "words");
	ck_assert_int_eq(harness_run(h, 0, 1000000, &why), -EIO);
	ck_assert_msg(strstr(why.text, "100 scripts in a row failed") != NULL, "%s", why.text);
	harness_free(h);
}
END_TEST

/* ---- process ---- */

static const unsigned rings[] = { 1, 2, 3, 8, 16, 20 };

START_TEST(a_ring_hops_and_stops)
{
	unsigned n = rings[_i], chunks = n < 8 ? 1 : n / 8;
	uint64_t laps;

	load_new("process", n);
	*knob("chunk") = 100;
	run(0, 50);
	laps = harness_ops(h) / (n * chunks);
	ck_assert_uint_eq(harness_bytes(h), 100 * harness_ops(h));
	ck_assert_uint_ge(harness_passes(h) + 2, laps);
	ck_assert_uint_le(harness_passes(h), laps + 2);
	end();
}
END_TEST

/* ---- write, read ---- */

START_TEST(write_moves_whole_files)
{
	load_new("write", 2);
	*knob("size") = 2;
	*knob("fill") = _i;
	run(3, 0);
	ck_assert_uint_ge(harness_bytes(h), 2 * MIB * harness_passes(h));
	ck_assert_uint_lt(harness_bytes(h), 2 * MIB * (harness_passes(h) + 2));
	ck_assert_str_eq(text(), _i ? "" : "zero fill");
	end();
}
END_TEST

START_TEST(write_goes_to_the_second_folder_when_told)
{
	char dir[] = "/tmp/js-other-XXXXXX";

	ck_assert_ptr_nonnull(mkdtemp(dir));
	load_new("write", 1);
	*knob("size") = 1;
	*knob("other") = 1;
	harness_worker(h, 0)->scratch2_fd = open(dir, O_RDONLY | O_DIRECTORY);
	close(harness_worker(h, 0)->scratch_fd);	/* nothing can be made there */
	harness_worker(h, 0)->scratch_fd = -1;
	run(1, 0);
	ck_assert_int_eq(rmdir(dir), 0);		/* and nothing is left here */
	harness_free(h);
}
END_TEST

START_TEST(write_without_a_second_folder_is_refused)
{
	load_new("write", 1);
	*knob("other") = 1;
	refused(-EINVAL, "give --scratch twice");
}
END_TEST

START_TEST(a_file_beyond_the_budget_is_refused)
{
	load_new(_i ? "read" : "write", 2);
	*knob("size") = 100;
	harness_worker(h, 0)->disk_budget_bytes = 150 * MIB;
	refused(-ENOSPC, "budget 157 MB");
}
END_TEST

START_TEST(without_a_size_the_budget_is_shared_out)
{
	load_new(_i ? "read" : "write", 2);
	harness_worker(h, 0)->disk_budget_bytes = 6 * MIB;
	run(1, 0);
	ck_assert_uint_ge(harness_bytes(h), 6 * MIB);
	ck_assert_uint_lt(harness_bytes(h), 3 * MIB * (harness_passes(h) + 2));
	end();
}
END_TEST

START_TEST(read_moves_whole_files_and_says_where_from)
{
	uint64_t bytes;

	load_new("read", 1);
	*knob("size") = 4;
	run(2, 0);
	bytes = harness_bytes(h);
	ck_assert_uint_ge(bytes, 4 * MIB * harness_passes(h));
	ck_assert_str_eq(text(), harness_figure(h, 0) < (double)bytes / 2 ? "cached" : "");
	end();
}
END_TEST

/* ---- cpu ---- */

START_TEST(cpu_counts_loops_and_says_what_one_cpu_does)
{
	load_new("cpu", 2);
	run(0, 5);
	ck_assert_double_gt(harness_figure(h, 0), 1);
	end();
}
END_TEST

#define ADD(name, n) tcase_add_loop_test(tc, name, 0, n)

Suite *loads_more_suite(void);
Suite *loads_more_suite(void)
{
	Suite *s = suite_create("loads_more");
	TCase *tc = tcase_create("loads");

	tcase_set_timeout(tc, 60);
	ADD(every_load_says_what_it_is, 1);
	ADD(exec_starts_as_many_programs_as_it_counts, 2);
	ADD(a_script_is_eight_processes, 1);
	ADD(plain_shells_need_no_text, 1);
	ADD(a_hundred_failing_scripts_end_the_load, 1);
	ADD(a_ring_hops_and_stops, 6);
	ADD(write_moves_whole_files, 2);
	ADD(write_goes_to_the_second_folder_when_told, 1);
	ADD(write_without_a_second_folder_is_refused, 1);
	ADD(a_file_beyond_the_budget_is_refused, 2);
	ADD(without_a_size_the_budget_is_shared_out, 2);
	ADD(read_moves_whole_files_and_says_where_from, 1);
	ADD(cpu_counts_loops_and_says_what_one_cpu_does, 1);
	suite_add_tcase(s, tc);
	return s;
}
