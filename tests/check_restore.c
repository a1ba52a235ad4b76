/*
 * check_restore.c - a setting is put back whatever becomes of who changed it,
 * and of two who change it each finds what was there before both.
 */
#include <check.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/restore.h"

static char path[] = "/tmp/js-restore-XXXXXX";
static struct restore r;

static void set_up(void)
{
	int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, "2\n", 2), 2);
	close(fd);
}

static void tear_down(void)
{
	unlink(path);
}

/* A plain file keeps what is behind the new text; a setting does not. */
static char setting(void)
{
	char text[8] = "";
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	ck_assert_int_gt(read(fd, text, sizeof(text) - 1), 0);
	close(fd);
	return text[0];
}

START_TEST(it_is_as_it_was_after_the_end)
{
	ck_assert(restore_begin(&r, path));
	ck_assert(restore_write(&r, "3"));
	ck_assert_int_eq(setting(), '3');
	restore_end(&r);
	ck_assert_int_eq(setting(), '2');
}
END_TEST

START_TEST(it_is_put_back_for_one_that_is_killed)
{
	pid_t pid = fork();

	if (pid == 0) {
		if (restore_begin(&r, path) && restore_write(&r, "3"))
			kill(getpid(), SIGKILL);
		_exit(1);
	}
	int status;

	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFSIGNALED(status));
	/* Who comes next waits for that. */
	ck_assert(restore_begin(&r, path));
	ck_assert_int_eq(setting(), '2');
	restore_end(&r);
}
END_TEST

START_TEST(what_cannot_be_read_or_written_is_left)
{
	ck_assert(!restore_begin(&r, "/nonexistent/setting"));
	ck_assert(!restore_begin(&r, "/proc/self/mem"));	/* nothing lies at its beginning */
}
END_TEST

Suite *restore_suite(void);
Suite *restore_suite(void)
{
	Suite *s = suite_create("restore");
	TCase *tc = tcase_create("setting");

	tcase_add_checked_fixture(tc, set_up, tear_down);
	tcase_add_test(tc, it_is_as_it_was_after_the_end);
	tcase_add_test(tc, it_is_put_back_for_one_that_is_killed);
	tcase_add_test(tc, what_cannot_be_read_or_written_is_left);
	suite_add_tcase(s, tc);
	return s;
}
