/* check_budget.c - what loads may take, from faked machines. */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/budget.h"

#define GIB (UINT64_C(1) << 30)
#define TIB (UINT64_C(1) << 40)

/* ---- disk ---- */

static struct statvfs disk(uint64_t bytes, uint64_t free_bytes, uint64_t files, uint64_t free_files)
{
	return (struct statvfs){
		.f_frsize = 4096, .f_blocks = bytes / 4096, .f_bavail = free_bytes / 4096,
		.f_files = files, .f_favail = free_files,
	};
}

static const struct { uint64_t free_bytes, want; } disks[] = {
	{ 0, 0 }, { 10 * GIB, GIB }, { 20 * GIB, 2 * GIB }, { TIB, 2 * GIB },
};

START_TEST(disk_is_a_tenth_of_what_is_free_up_to_2_gib)
{
	struct statvfs fs = disk(TIB, disks[_i].free_bytes, 0, 0);

	ck_assert_uint_eq(budget_disk_bytes(&fs), disks[_i].want);
}
END_TEST

static const struct {
	uint64_t bytes, free_bytes, files, free_files;
	int want;
	const char *text;
} floors[] = {
	{ 10 * GIB, GIB, 1000, 1000, 0, NULL },
	{ 0, 0, 0, 0, -ENOTSUP, "its file system tells no size" },	/* /proc, /sys */
	{ 10 * GIB, 0, 1000, 1000, -ENOSPC, "disk full, stopped: 0 MB free" },
	{ 10 * GIB, GIB - 4096, 1000, 1000, -ENOSPC, "disk full, stopped: 1073 MB free" },
	{ 100 * GIB, 5 * GIB, 1000, 1000, 0, NULL },
	{ 100 * GIB, 5 * GIB - 4096, 1000, 1000, -ENOSPC, "disk full" },
	{ 100 * GIB, 50 * GIB, 1000, 50, 0, NULL },
	{ 100 * GIB, 50 * GIB, 1000, 49, -ENOSPC, "no inodes left, stopped: 49 of 1000" },
	{ 100 * GIB, 50 * GIB, 8, 0, -ENOSPC, "no inodes left" },
	{ 100 * GIB, 50 * GIB, 0, 0, 0, NULL },	/* a file system without a table of them */
	{ 16384, 16384, 8, 8, -ENOSPC, "disk full" },
};

START_TEST(a_floor_has_the_right_word)
{
	struct statvfs fs = disk(floors[_i].bytes, floors[_i].free_bytes, floors[_i].files,
				 floors[_i].free_files);
	struct why why = { 0 };

	ck_assert_int_eq(budget_disk_floor(&fs, &why), floors[_i].want);
	if (floors[_i].text)
		ck_assert_msg(!strncmp(why.text, floors[_i].text, strlen(floors[_i].text)), "%s",
			      why.text);
}
END_TEST

/* ---- files of a faked machine ---- */

static char root[] = "/tmp/js-check-XXXXXX";

static void put(const char *path, const char *text)
{
	char full[256], *slash;

	snprintf(full, sizeof(full), "%s%s", root, path);
	for (slash = full + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(full, 0700);
		*slash = '/';
	}
	FILE *f = fopen(full, "w");

	ck_assert_ptr_nonnull(f);
	fputs(text, f);
	fclose(f);
}

static void machine(void)
{
	struct rlimit none = { RLIM_INFINITY, RLIM_INFINITY };

	ck_assert_ptr_nonnull(mkdtemp(root));
	if (!geteuid())
		setrlimit(RLIMIT_NPROC, &none);
}

static void clear(void)
{
	char command[64];

	snprintf(command, sizeof(command), "rm -rf %s", root);
	ck_assert_int_eq(system(command), 0);
}

#define MEMINFO "MemTotal:       1000000 kB\nMemFree:          10 kB\nMemAvailable:    400000 kB\n"

START_TEST(memory_is_half_of_what_is_available)
{
	put("/proc/meminfo", MEMINFO);
	ck_assert_uint_eq(budget_memory_bytes(root), 200000 * 1024);
}
END_TEST

START_TEST(unknown_memory_limits_nothing)
{
	ck_assert(budget_memory_bytes(root) == UINT64_MAX);
	ck_assert_int_eq(budget_memory_floor(root, NULL), 0);
	put("/proc/meminfo", "MemTotal: plenty\n");
	ck_assert(budget_memory_bytes(root) == UINT64_MAX);
}
END_TEST

START_TEST(a_group_of_version_2_limits_memory)
{
	put("/proc/meminfo", MEMINFO);
	put("/proc/self/cgroup", "0::/a/b\n");
	put("/sys/fs/cgroup/a/b/memory.max", "max\n");
	put("/sys/fs/cgroup/a/memory.max", "100000000\n");
	put("/sys/fs/cgroup/a/memory.current", "60000000\n");
	ck_assert_uint_eq(budget_memory_bytes(root), 20000000);
	put("/sys/fs/cgroup/a/memory.current", "160000000\n");
	ck_assert_uint_eq(budget_memory_bytes(root), 0);
}
END_TEST

START_TEST(a_group_of_version_1_limits_memory)
{
	put("/proc/meminfo", MEMINFO);
	put("/proc/self/cgroup", "5:cpu:/x\n4:memory:/c\n0::/\n");
	put("/sys/fs/cgroup/memory/c/memory.limit_in_bytes", "64000000\n");
	put("/sys/fs/cgroup/memory/c/memory.usage_in_bytes", "4000000\n");
	ck_assert_uint_eq(budget_memory_bytes(root), 30000000);
}
END_TEST

START_TEST(a_tenth_of_memory_is_kept)
{
	struct why why = { 0 };

	put("/proc/meminfo", "MemTotal: 1000000 kB\nMemAvailable: 100000 kB\n");
	ck_assert_int_eq(budget_memory_floor(root, &why), 0);
	put("/proc/meminfo", "MemTotal: 1000000 kB\nMemAvailable: 99999 kB\n");
	ck_assert_int_eq(budget_memory_floor(root, &why), -ENOMEM);
	ck_assert(!strncmp(why.text, "memory floor, stopped", 21));
}
END_TEST

START_TEST(kills_for_memory_are_counted)
{
	ck_assert_uint_eq(budget_oom_kills(root), 0);
	put("/proc/vmstat", "nr_free 5\noom_kill_other 9\noom_kill 3\nlast 1\n");
	ck_assert_uint_eq(budget_oom_kills(root), 3);
}
END_TEST

static const struct {
	const char *path, *text;
	unsigned room;
	const char *limit;
} tasks[] = {
	{ "/proc/nothing", "", BUDGET_TASKS_MAX, "the cap of 512" },
	{ "/sys/fs/cgroup/pids/p/pids.max", "140\n", 25, "pids.max 140" },
	{ "/sys/fs/cgroup/pids/p/pids.max", "max\n", BUDGET_TASKS_MAX, "the cap of 512" },
	{ "/sys/fs/cgroup/pids/p/pids.max", "40\n", 0, "pids.max 40" },
	{ "/proc/sys/kernel/threads-max", "1100\n", 250, "threads-max 1100" },
	{ "/proc/sys/kernel/pid_max", "500\n", 100, "pid_max 500" },
};

START_TEST(tasks_are_a_quarter_of_the_tightest_room)
{
	struct budget_tasks out;

	put("/proc/loadavg", "0.50 0.40 0.30 2/100 12345\n");
	put("/proc/self/cgroup", "8:pids:/p\n");
	put("/sys/fs/cgroup/pids/p/pids.current", "40\n");
	put(tasks[_i].path, tasks[_i].text);
	budget_tasks(root, &out);
	ck_assert_uint_eq(out.room, tasks[_i].room);
	ck_assert_str_eq(out.limit, tasks[_i].limit);
}
END_TEST

START_TEST(the_limit_that_is_reached_is_the_one_to_raise)
{
	char text[80];

	put("/proc/loadavg", "0.50 0.40 0.30 2/100 12345\n");
	put("/proc/self/cgroup", "8:pids:/p\n");
	put("/sys/fs/cgroup/pids/p/pids.current", "4\n");
	put("/sys/fs/cgroup/pids/p/pids.max", "4\n");
	ck_assert_str_eq(budget_tasks_remedy(root, text, sizeof(text)), "raise pids.max 4");
	put("/sys/fs/cgroup/pids/p/pids.max", "4000\n");
	ck_assert_str_eq(budget_tasks_remedy(root, text, sizeof(text)), "raise ulimit -u");
}
END_TEST

START_TEST(a_limit_of_the_user_counts)
{
	struct rlimit some = { 300, 300 };
	struct budget_tasks out;

	put("/proc/loadavg", "0.50 0.40 0.30 2/100 12345\n");
	setrlimit(RLIMIT_NPROC, &some);
	budget_tasks(root, &out);
	ck_assert_uint_eq(out.room, 50);
	ck_assert_str_eq(out.limit, "RLIMIT_NPROC 300");
}
END_TEST

START_TEST(descriptors_are_a_quarter)
{
	struct rlimit some = { 400, 400 };

	setrlimit(RLIMIT_NOFILE, &some);
	ck_assert_uint_eq(budget_fds(), 100);
}
END_TEST

Suite *budget_suite(void);

Suite *budget_suite(void)
{
	Suite *s = suite_create("budget");
	TCase *space = tcase_create("disk"), *rest = tcase_create("machine");

	tcase_add_loop_test(space, disk_is_a_tenth_of_what_is_free_up_to_2_gib, 0,
			    sizeof(disks) / sizeof(disks[0]));
	tcase_add_loop_test(space, a_floor_has_the_right_word, 0,
			    sizeof(floors) / sizeof(floors[0]));
	suite_add_tcase(s, space);
	tcase_add_checked_fixture(rest, machine, clear);
	tcase_add_test(rest, memory_is_half_of_what_is_available);
	tcase_add_test(rest, unknown_memory_limits_nothing);
	tcase_add_test(rest, a_group_of_version_2_limits_memory);
	tcase_add_test(rest, a_group_of_version_1_limits_memory);
	tcase_add_test(rest, a_tenth_of_memory_is_kept);
	tcase_add_test(rest, kills_for_memory_are_counted);
	tcase_add_loop_test(rest, tasks_are_a_quarter_of_the_tightest_room, 0,
			    sizeof(tasks) / sizeof(tasks[0]));
	tcase_add_test(rest, a_limit_of_the_user_counts);
	tcase_add_test(rest, the_limit_that_is_reached_is_the_one_to_raise);
	tcase_add_test(rest, descriptors_are_a_quarter);
	suite_add_tcase(s, rest);
	return s;
}
