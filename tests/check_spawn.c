/* check_spawn.c - the command of `record -- COMMAND` and how its end is told. */
#include <check.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "src/spawn.h"

static struct spawn *begun(const char *const *argv)
{
	struct why why = { 0, "" };
	struct spawn *c = spawn_hold((char **)argv, false, &why);

	ck_assert_msg(c != NULL, "%s", why.text);
	ck_assert_msg(spawn_go(c, &why) == 0, "%s", why.text);
	return c;
}

static void wait_end(struct spawn *c, int *status)
{
	struct pollfd p = { .fd = spawn_fd(c), .events = POLLIN };

	ck_assert_int_ge(p.fd, 0);
	ck_assert_int_eq(poll(&p, 1, 60000), 1);
	for (int i = 0; i < 1000 && !spawn_ended(c, status); i++)
		poll(NULL, 0, 5);
	ck_assert(spawn_ended(c, status));
}

START_TEST(the_status_of_a_command_is_its_own)
{
	int status;
	struct spawn *c = begun((const char *const[]){ "sh", "-c", "exit 3", NULL });

	wait_end(c, &status);
	ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 3);
	ck_assert_int_eq(spawn_fd(c), -1);
	spawn_free(c);
}
END_TEST

START_TEST(an_end_that_nobody_kept_is_an_end_without_success)
{
	int status = 0;

	signal(SIGCHLD, SIG_IGN);
	struct spawn *c = begun((const char *const[]){ "true", NULL });

	wait_end(c, &status);
	ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 255);
	spawn_free(c);
}
END_TEST

START_TEST(what_cannot_be_run_is_told)
{
	struct why why = { 0, "" };
	char *none[] = { (char *)"nosuchcommandhere", NULL }, *folder[] = { (char *)"/", NULL };

	ck_assert_ptr_null(spawn_hold(none, false, &why));
	ck_assert_int_eq(why.err, -ENOENT);
	struct spawn *c = spawn_hold(folder, false, &why);

	ck_assert_ptr_nonnull(c);
	ck_assert_int_eq(spawn_go(c, &why), -EACCES);
	spawn_free(c);
}
END_TEST

Suite *spawn_suite(void);
Suite *spawn_suite(void)
{
	Suite *s = suite_create("spawn");
	TCase *tc = tcase_create("command");

	tcase_add_test(tc, the_status_of_a_command_is_its_own);
	tcase_add_test(tc, an_end_that_nobody_kept_is_an_end_without_success);
	tcase_add_test(tc, what_cannot_be_run_is_told);
	suite_add_tcase(s, tc);
	return s;
}
