/* check_fds.c - descriptors 0, 1 and 2 that were closed, and how many there may be. */
#include <check.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/fds.h"

/* What fails has its own exit code: there is nothing left to write to. */
static int closed_three(void)
{
	char byte;

	for (int fd = 0; fd < 3; fd++)
		close(fd);
	fds_fill_standard();
	if (open("/dev/null", O_RDWR) < 3)
		return 1;
	if (read(0, &byte, 1) >= 0 || write(1, "x", 1) >= 0 || write(2, "x", 1) >= 0)
		return 2;
	return fds_can_print() ? 3 : 0;
}

static int nothing_closed(void)
{
	int before = fcntl(1, F_GETFL);

	fds_fill_standard();
	return fcntl(1, F_GETFL) != before || !fds_can_print();
}

static int in_a_child(int (*what)(void))
{
	int status;
	pid_t pid = fork();

	if (pid == 0)
		_exit(what());
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

START_TEST(closed_ones_are_filled_and_stay_unusable)
{
	ck_assert_int_eq(in_a_child(closed_three), 0);
}
END_TEST

START_TEST(open_ones_stay_as_they_are)
{
	ck_assert_int_eq(in_a_child(nothing_closed), 0);
}
END_TEST

START_TEST(the_soft_limit_goes_up_to_the_hard_one)
{
	struct rlimit l;

	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &(struct rlimit){ 100, 300 }), 0);
	ck_assert_uint_eq(fds_room().limit, 100);
	fds_raise_limit();
	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &l), 0);
	ck_assert_uint_eq(l.rlim_cur, 300);
	ck_assert_uint_eq(l.rlim_max, 300);
	ck_assert_uint_eq(fds_room().limit, 300);
}
END_TEST

START_TEST(open_descriptors_are_counted)
{
	unsigned before = fds_room().open;
	int fd = open("/dev/null", O_RDONLY);

	ck_assert_uint_ge(before, 3);
	ck_assert_uint_eq(fds_room().open, before + 1);
	close(fd);
	ck_assert_uint_eq(fds_room().open, before);
}
END_TEST

Suite *fds_suite(void);
Suite *fds_suite(void)
{
	Suite *s = suite_create("fds");
	TCase *tc = tcase_create("standard");

	tcase_add_test(tc, closed_ones_are_filled_and_stay_unusable);
	tcase_add_test(tc, open_ones_stay_as_they_are);
	suite_add_tcase(s, tc);
	tc = tcase_create("limit");
	tcase_add_test(tc, the_soft_limit_goes_up_to_the_hard_one);
	tcase_add_test(tc, open_descriptors_are_counted);
	suite_add_tcase(s, tc);
	return s;
}
