/* check_spawn.c - the command of `record -- COMMAND` and how its end is told. */
#include <check.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

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

static char script[] = "/tmp/js-spawn-XXXXXX";

static void make_script(const char *text, mode_t mode)
{
	int fd = mkstemp(script);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	ck_assert_int_eq(fchmod(fd, mode), 0);
	close(fd);
}

static void refused(const char *name, int err, const char *says)
{
	struct why why = { 0, "" };
	char *argv[] = { (char *)name, NULL };

	ck_assert_ptr_null(spawn_hold(argv, false, &why));
	ck_assert_int_eq(why.err, err);
	ck_assert_msg(strstr(why.text, says) && strchr(why.text, ';'), "%s", why.text);
}

START_TEST(what_cannot_be_run_is_told_before_it_begins)
{
	refused("nosuchcommandhere", -ENOENT, "check its name and PATH");
	refused("/nosuch/command", -ENOENT, "no such command");
	refused("/", -EISDIR, "directory");
	refused("/etc/passwd", -EACCES, "not executable");
	make_script("#! /nosuch/shell -e\n", 0755);
	refused(script, -ENOPKG, "/nosuch/shell");
	unlink(script);
}
END_TEST

static void found(const char *name)
{
	struct why why = { 0, "" };
	char *argv[] = { (char *)name, NULL };

	signal(SIGTERM, SIG_DFL);	/* the handler of the test library ends the group */
	struct spawn *c = spawn_hold(argv, false, &why);

	ck_assert_msg(c != NULL, "%s", why.text);
	spawn_free(c);
}

/* A first line as long as the kernel reads, longer than that, and without a name. */
START_TEST(a_first_line_of_any_length_is_left_to_exec)
{
	char text[400];

	snprintf(text, sizeof(text), "#!%*s/bin/sh\n", 180, "");
	make_script(text, 0755);
	found(script);
	unlink(script);
	memcpy(script + strlen(script) - 6, "XXXXXX", 6);
	snprintf(text, sizeof(text), "#!/%0300d\n", 0);
	make_script(text, 0755);
	found(script);
	unlink(script);
	memcpy(script + strlen(script) - 6, "XXXXXX", 6);
	make_script("#!\n", 0755);
	found(script);
	unlink(script);
}
END_TEST

/* As execvp() looks: on where an interpreter lacks, "" is where we are. */
START_TEST(the_path_is_walked_as_exec_walks_it)
{
	char dir[] = "/tmp/js-spawn-XXXXXX";

	ck_assert_ptr_nonnull(mkdtemp(dir));
	ck_assert_int_eq(chdir(dir), 0);
	ck_assert_int_eq(mkdir("bad", 0755), 0);
	ck_assert_int_eq(mkdir("good", 0755), 0);
	ck_assert_int_eq(system("printf '#!/nosuch/py\\n' >bad/one; printf '#!/bin/sh\\n' >good/one;"
				" cp good/one here; chmod +x bad/one good/one here"), 0);
	setenv("PATH", "bad:good", 1);
	found("one");
	setenv("PATH", "bad:", 1);
	found("here");
	setenv("PATH", ":bad", 1);
	found("here");
	refused("one", -ENOPKG, "/nosuch/py");
	setenv("PATH", "/bin:/usr/bin", 1);
	ck_assert_int_eq(system("rm -r bad good here"), 0);
	ck_assert_int_eq(rmdir(dir), 0);
}
END_TEST

START_TEST(what_has_gone_meanwhile_is_told_when_it_is_to_begin)
{
	struct why why = { 0, "" };
	char *argv[] = { script, NULL };

	make_script("#!/bin/sh\n", 0755);
	struct spawn *c = spawn_hold(argv, false, &why);

	ck_assert_msg(c != NULL, "%s", why.text);
	unlink(script);
	ck_assert_int_eq(spawn_go(c, &why), -ENOENT);
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
	tcase_add_test(tc, what_cannot_be_run_is_told_before_it_begins);
	tcase_add_test(tc, a_first_line_of_any_length_is_left_to_exec);
	tcase_add_test(tc, the_path_is_walked_as_exec_walks_it);
	tcase_add_test(tc, what_has_gone_meanwhile_is_told_when_it_is_to_begin);
	suite_add_tcase(s, tc);
	return s;
}
