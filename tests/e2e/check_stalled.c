/*
 * check_stalled.c - a record whose terminal is held by ^S goes on measuring:
 * its progress line may wait, the main thread may not.
 */
#include <check.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/clock.h"
#include "tests/prog.h"
#include "tests/pty.h"

START_TEST(a_held_terminal_does_not_hold_up_a_record)
{
	char file[] = "/tmp/js-stalled-XXXXXX.json";
	int fd = mkstemps(file, 5), status;
	struct pty *p = pty_open(80, 24);

	ck_assert_int_ge(fd, 0);
	close(fd);
	pty_spawn(p, (const char *const[]){ prog_path(), "record", "-D", "8s", "-l", "fork:1", "-o", file, NULL },
		  (const char *const[]){ "TERM=xterm-256color", NULL });
	ck_assert(pty_wait_text(p, "p99", 20000));
	pty_send(p, "\x13");
	/* Over the 4 s after which the watchdog would demote the samplers. */
	for (int64_t end_ns = clock_now_ns() + 6 * NS_PER_S; clock_now_ns() < end_ns;)
		pty_pump(p, 100);
	pty_send(p, "\x11");
	ck_assert(pty_wait_exit(p, 30000, &status));
	json_t *root = json_load_file(file, 0, NULL), *one;
	size_t i;

	ck_assert_ptr_nonnull(root);
	prog_check_sums(root);
	json_array_foreach(json_object_get(root, "loads"), i, one)
		ck_assert_str_eq(json_string_value(json_object_get(one, "end")), "stopped");
	json_array_foreach(json_object_get(root, "events"), i, one)
		ck_assert_str_ne(json_string_value(json_object_get(one, "kind")), "rt");
	ck_assert_int_eq(status, 0);
	json_decref(root);
	unlink(file);
	pty_free(p);
}
END_TEST

/* Its last word is for a person, who may have held the terminal to read. */
START_TEST(a_held_terminal_does_not_hold_up_the_end_of_a_record)
{
	char file[] = "/tmp/js-stalled-XXXXXX.json";
	int fd = mkstemps(file, 5), status;
	struct pty *p = pty_open(80, 24);
	pid_t pid;

	ck_assert_int_ge(fd, 0);
	close(fd);
	pid = pty_spawn(p, (const char *const[]){ prog_path(), "record", "-D", "1m", "--no-loads", "-o",
						  file, NULL },
			(const char *const[]){ "TERM=xterm-256color", NULL });
	ck_assert(pty_wait_text(p, "p99", 5000));
	pty_send(p, "\x13");
	pty_pump(p, 300);
	ck_assert_int_eq(kill(pid, SIGTERM), 0);
	ck_assert(pty_wait_exit(p, 15000, &status));
	ck_assert_int_eq(status, 0);
	unlink(file);
	pty_free(p);
}
END_TEST

Suite *stalled_suite(void);

Suite *stalled_suite(void)
{
	Suite *s = suite_create("stalled");
	TCase *c = tcase_create("record");

	tcase_set_timeout(c, 120);
	tcase_add_test(c, a_held_terminal_does_not_hold_up_a_record);
	tcase_add_test(c, a_held_terminal_does_not_hold_up_the_end_of_a_record);
	suite_add_tcase(s, c);
	return s;
}
