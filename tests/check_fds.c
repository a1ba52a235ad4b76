/* check_fds.c - descriptors 0, 1 and 2 that were closed. */
#include <check.h>
#include <fcntl.h>
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

Suite *fds_suite(void);
Suite *fds_suite(void)
{
	Suite *s = suite_create("fds");
	TCase *tc = tcase_create("standard");

	tcase_add_test(tc, closed_ones_are_filled_and_stay_unusable);
	tcase_add_test(tc, open_ones_stay_as_they_are);
	suite_add_tcase(s, tc);
	return s;
}
