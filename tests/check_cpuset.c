/* check_cpuset.c - sets of CPUs with holes, as text and in the kernel. */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "src/cpuset.h"

static const struct { const char *text; int err, count; const char *again; } lists[] = {
	{ "0", 0, 1, "0" },
	{ "0-3", 0, 4, "0-3" },
	{ "0-3,8,10-11", 0, 7, "0-3,8,10-11" },
	{ "1,1", 0, 1, "1" },
	{ "3,1,2", 0, 3, "1-3" },
	{ "0-3\n", 0, 4, "0-3" },
	{ "007", 0, 1, "7" },
	{ "4095", 0, 1, "4095" },
	{ "0-4095", 0, 4096, "0-4095" },
	{ "0,2,4,6,8,10,12,14,16-19", 0, 12, "0,2,4,6,8,10,12,14,16-19" },
	{ "63-64,127-128", 0, 4, "63-64,127-128" },
	{ "", -EINVAL, 0, "" },
	{ "\n", -EINVAL, 0, "" },
	{ "3-1", -EINVAL, 0, "" },
	{ "4096", -EINVAL, 0, "" },
	{ "0-4096", -EINVAL, 0, "" },
	{ "99999999999999999999", -EINVAL, 0, "" },
	{ "-1", -EINVAL, 0, "" },
	{ "1,", -EINVAL, 0, "" },
	{ ",1", -EINVAL, 0, "" },
	{ "1-", -EINVAL, 0, "" },
	{ "1--2", -EINVAL, 0, "" },
	{ "1 2", -EINVAL, 0, "" },
	{ "0-3\n4", -EINVAL, 0, "" },
	{ "+1", -EINVAL, 0, "" },
	{ "0x1", -EINVAL, 0, "" },
	{ "all", -EINVAL, 0, "" },
};

START_TEST(lists_and_ranges)
{
	struct cpuset set;
	struct why why = { 0 };
	char text[64];

	ck_assert_int_eq(cpuset_parse(&set, lists[_i].text, false, &why), lists[_i].err);
	ck_assert_int_eq(cpuset_count(&set), lists[_i].count);
	ck_assert_uint_eq(cpuset_text(&set, text, sizeof(text)), strlen(lists[_i].again));
	ck_assert_str_eq(text, lists[_i].again);
	ck_assert_int_eq(why.err, lists[_i].err);
}
END_TEST

START_TEST(an_empty_list_is_accepted_where_it_makes_sense)
{
	struct cpuset set;

	ck_assert_int_eq(cpuset_parse(&set, "", true, NULL), 0);
	ck_assert_int_eq(cpuset_parse(&set, "\n", true, NULL), 0);
	ck_assert_int_eq(cpuset_count(&set), 0);
	ck_assert_int_eq(cpuset_next(&set, -1), -1);
}
END_TEST

/* F43, P17: ids have holes: the set is walked. */
START_TEST(a_walk_visits_each_member_once_in_order)
{
	struct cpuset set, seen;
	int last = -1, visits = 0;

	cpuset_clear(&set);
	cpuset_clear(&seen);
	for (int cpu = 0; cpu < CPUSET_MAX; cpu += 1 + cpu % 97)
		cpuset_add(&set, cpu);
	cpuset_add(&set, CPUSET_MAX - 1);
	cpuset_each(cpu, &set) {
		ck_assert_int_gt(cpu, last);
		ck_assert(cpuset_has(&set, cpu));
		cpuset_add(&seen, cpu);
		last = cpu;
		visits++;
	}
	ck_assert_int_eq(visits, cpuset_count(&set));
	ck_assert_mem_eq(&seen, &set, sizeof(set));
}
END_TEST

START_TEST(random_sets_survive_being_written_and_read)
{
	static char text[CPUSET_MAX * 5];
	struct cpuset set, again;

	srand((unsigned)_i);
	cpuset_clear(&set);
	for (int i = rand() % 3000; i >= 0; i--)
		cpuset_add(&set, rand() % CPUSET_MAX);
	ck_assert_uint_lt(cpuset_text(&set, text, sizeof(text)), sizeof(text));
	ck_assert_int_eq(cpuset_parse(&again, text, false, NULL), 0);
	ck_assert_mem_eq(&again, &set, sizeof(set));
}
END_TEST

static const struct { const char *text; size_t size; const char *want; } briefs[] = {
	{ "0-3,8,10-11", 12, "0-3,8,10-11" }, { "0-3,8,10-11", 11, "0-3,8,..." },
	{ "0-3,18,20-21", 12, "0-3,18,..." }, { "0-3,18,20-21", 11, "0-3,..." },
	{ "", 8, "" }, { "1000-2000,2002", 9, "..." }, { "7", 2, "7" },
};

/* Half a number would be the number of another CPU. */
START_TEST(brief_text_ends_between_two_parts)
{
	struct cpuset set;
	char text[32];

	ck_assert_int_eq(cpuset_parse(&set, briefs[_i].text, true, NULL), 0);
	ck_assert_str_eq(cpuset_brief(&set, text, briefs[_i].size), briefs[_i].want);
}
END_TEST

START_TEST(text_is_cut_at_the_buffer_and_says_the_length_wanted)
{
	struct cpuset set;
	char text[6];

	cpuset_parse(&set, "0-3,8,10-11", false, NULL);
	ck_assert_uint_eq(cpuset_text(&set, text, sizeof(text)), 11);
	ck_assert_str_eq(text, "0-3,8");
	ck_assert_uint_eq(cpuset_text(&set, NULL, 0), 11);
}
END_TEST

/* F45: no number indexes before it is judged. */
START_TEST(numbers_out_of_range_are_ignored)
{
	struct cpuset set;

	cpuset_clear(&set);
	cpuset_add(&set, -1);
	cpuset_add(&set, CPUSET_MAX);
	cpuset_remove(&set, -1);
	cpuset_remove(&set, CPUSET_MAX);
	ck_assert_int_eq(cpuset_count(&set), 0);
	ck_assert(!cpuset_has(&set, -1));
	ck_assert(!cpuset_has(&set, CPUSET_MAX));
	cpuset_add(&set, 5);
	cpuset_remove(&set, 5);
	ck_assert_int_eq(cpuset_count(&set), 0);
}
END_TEST

START_TEST(the_allowed_mask_is_the_kernels)
{
	struct cpuset set;
	cpu_set_t kernel;

	ck_assert_int_eq(cpuset_allowed(&set, NULL), 0);
	ck_assert_int_eq(sched_getaffinity(0, sizeof(kernel), &kernel), 0);
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		ck_assert_int_eq(cpuset_has(&set, cpu), !!CPU_ISSET(cpu, &kernel));
}
END_TEST

START_TEST(a_thread_can_be_pinned_to_each_allowed_cpu)
{
	struct cpuset allowed, one, now;

	ck_assert_int_eq(cpuset_allowed(&allowed, NULL), 0);
	cpuset_each(cpu, &allowed) {
		cpuset_clear(&one);
		cpuset_add(&one, cpu);
		ck_assert_int_eq(cpuset_pin(0, &one, NULL), 0);
		ck_assert_int_eq(cpuset_allowed(&now, NULL), 0);
		ck_assert_mem_eq(&now, &one, sizeof(now));
		ck_assert_int_eq(sched_getcpu(), cpu);
	}
}
END_TEST

/* F42: what is left out is told. */
START_TEST(a_cpu_that_is_not_there_is_refused_by_name)
{
	struct cpuset set;
	struct why why = { 0 };

	cpuset_clear(&set);
	cpuset_add(&set, CPUSET_MAX - 1);
	ck_assert_int_lt(cpuset_pin(0, &set, &why), 0);
	ck_assert_ptr_nonnull(strstr(why.text, "4095"));
	ck_assert_ptr_nonnull(strstr(why.text, "--cpus"));
}
END_TEST

/* The kernel silently takes the part of a mask that exists. */
START_TEST(a_mask_granted_in_part_is_refused)
{
	struct cpuset set;

	cpuset_clear(&set);
	cpuset_add(&set, 0);
	cpuset_add(&set, CPUSET_MAX - 1);
	ck_assert_int_lt(cpuset_pin(0, &set, NULL), 0);
}
END_TEST

/* A kernel with more CPUs than this machine: it refuses a buffer that is too
 * small for its mask, and its CPU numbers have holes. */
static int faked_bits;

int sched_getaffinity(pid_t tid, size_t bytes, cpu_set_t *mask)
{
	unsigned char *at = (unsigned char *)mask;

	memset(mask, 0, bytes);
	if (!faked_bits)
		return (int)syscall(SYS_sched_getaffinity, tid, bytes, mask) < 0 ? -1 : 0;
	if (bytes * 8 < (size_t)faked_bits) {
		errno = EINVAL;
		return -1;
	}
	for (int cpu = 0; cpu < faked_bits; cpu += 3)
		at[cpu / 8] |= (unsigned char)(1 << cpu % 8);
	return 0;
}

static const int kernels[] = { 2, 64, 1024, 1536, 4096, 8192, 1 << 20 };

/* F43, P17: the kernel may have more bits than asked for. */
START_TEST(the_mask_of_a_larger_machine_fits)
{
	struct cpuset set;
	int bits = kernels[_i], most = bits < CPUSET_MAX ? bits : CPUSET_MAX;

	faked_bits = bits;
	ck_assert_int_eq(cpuset_allowed(&set, NULL), 0);
	ck_assert_int_eq(cpuset_count(&set), (most + 2) / 3);
	cpuset_each(cpu, &set)
		ck_assert_int_eq(cpu % 3, 0);
}
END_TEST

START_TEST(a_kernel_that_never_answers_is_an_error)
{
	struct cpuset set;
	struct why why = { 0 };

	faked_bits = 1 << 28;
	ck_assert_int_eq(cpuset_allowed(&set, &why), -EINVAL);
	ck_assert_ptr_nonnull(strstr(why.text, "--cpus"));
}
END_TEST

static const struct { const char *content; int err, count; } files[] = {
	{ "0-3\n", 0, 4 }, { "\n", 0, 0 }, { "", 0, 0 }, { "garbage\n", -EINVAL, 0 },
};

START_TEST(kernel_list_files)
{
	char path[] = "/tmp/check_cpuset.XXXXXX";
	struct cpuset set;
	int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, files[_i].content, strlen(files[_i].content)),
			 (ssize_t)strlen(files[_i].content));
	close(fd);
	int err = cpuset_read_file(&set, path, NULL);

	unlink(path);
	ck_assert_int_eq(err, files[_i].err);
	ck_assert_int_eq(cpuset_count(&set), files[_i].count);
}
END_TEST

START_TEST(a_missing_file_says_so)
{
	struct cpuset set;
	struct why why;

	ck_assert_int_eq(cpuset_read_file(&set, "/nonexistent/online", &why), -ENOENT);
	ck_assert_ptr_nonnull(strstr(why.text, "/nonexistent/online"));
}
END_TEST

Suite *cpuset_suite(void);
Suite *cpuset_suite(void)
{
	Suite *s = suite_create("cpuset");
	TCase *text = tcase_create("text");
	TCase *kernel = tcase_create("kernel");

	tcase_add_loop_test(text, brief_text_ends_between_two_parts, 0,
			    sizeof(briefs) / sizeof(briefs[0]));
	tcase_add_loop_test(text, lists_and_ranges, 0, sizeof(lists) / sizeof(lists[0]));
	tcase_add_test(text, an_empty_list_is_accepted_where_it_makes_sense);
	tcase_add_test(text, a_walk_visits_each_member_once_in_order);
	tcase_add_loop_test(text, random_sets_survive_being_written_and_read, 0, 20);
	tcase_add_test(text, text_is_cut_at_the_buffer_and_says_the_length_wanted);
	tcase_add_test(text, numbers_out_of_range_are_ignored);
	suite_add_tcase(s, text);
	tcase_add_test(kernel, the_allowed_mask_is_the_kernels);
	tcase_add_loop_test(kernel, the_mask_of_a_larger_machine_fits, 0,
			    sizeof(kernels) / sizeof(kernels[0]));
	tcase_add_test(kernel, a_kernel_that_never_answers_is_an_error);
	tcase_add_test(kernel, a_thread_can_be_pinned_to_each_allowed_cpu);
	tcase_add_test(kernel, a_cpu_that_is_not_there_is_refused_by_name);
	tcase_add_test(kernel, a_mask_granted_in_part_is_refused);
	tcase_add_loop_test(kernel, kernel_list_files, 0, sizeof(files) / sizeof(files[0]));
	tcase_add_test(kernel, a_missing_file_says_so);
	suite_add_tcase(s, kernel);
	return s;
}
