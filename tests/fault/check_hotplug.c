/*
 * check_hotplug.c - P17: a CPU leaves and comes back under a live run, and no
 * sample is told under a wrong CPU.
 *
 * It takes a CPU away from the whole machine for a second, so it runs only
 * when JS_HOTPLUG is set.  A process of its own puts the CPU back, whatever
 * becomes of the test.
 */
#include <check.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/prog.h"
#include "tests/pty.h"
#include "tests/restore.h"

#define CPU 1
#define SWITCH "/sys/devices/system/cpu/cpu1/online"
#define AWAY_MS 1200

static struct restore online;

static bool set_online(bool on)
{
	return restore_write(&online, on ? "1" : "0");
}

static bool wanted(const char *test)
{
	if (!getenv("JS_HOTPLUG"))
		printf("SKIP %s: takes a CPU from the whole machine; set JS_HOTPLUG=1\n", test);
	else if (access(SWITCH, W_OK))
		printf("SKIP %s: %s cannot be written to\n", test, SWITCH);
	else
		return true;
	return false;
}

static json_int_t whole(const json_t *o, const char *key)
{
	return json_integer_value(json_object_get(o, key));
}

static bool told(const json_t *root, const char *text)
{
	size_t i;
	json_t *e;

	json_array_foreach(json_object_get(root, "events"), i, e) {
		if (!strcmp(json_string_value(json_object_get(e, "text")), text))
			return true;
	}
	return false;
}

static const char *const probes_of_a_cpu[] = { "wakeup-fifo", "wakeup-other" };

/* Away for so long, none of it was a sample; before and after there were. */
static void check_series(const json_t *root, const char *how)
{
	for (int i = 0; i < 2; i++) {
		json_t *s = prog_series(root, probes_of_a_cpu[i], CPU);

		ck_assert_int_ge(whole(s, "interrupted"), AWAY_MS * 9 / 10);
		ck_assert_int_gt(whole(s, "count"), 0);
		ck_assert_int_le(whole(s, "count"), whole(s, "due") - AWAY_MS * 9 / 10);
		printf("P17 %s %s interrupted %lld of %lld due 0 wrong ok\n", how,
		       probes_of_a_cpu[i], (long long)whole(s, "interrupted"),
		       (long long)whole(s, "due"));
	}
}

static void check_events(const json_t *root)
{
	ck_assert(told(root, "cpu 1 went offline") && told(root, "cpu 1 came online"));
	ck_assert(told(root, "cpu 1 is measured again"));
}

/* F44, P17: a CPU goes and comes. */
START_TEST(no_sample_is_told_under_a_wrong_cpu)
{
	const char *argv[] = { "", "record", "-D", "6s", "--json", NULL };
	struct prog p;

	if (!wanted("hotplug"))
		return;
	ck_assert(restore_begin(&online, SWITCH));
	prog_start(&p, argv);
	usleep(2000000);
	ck_assert_msg(set_online(false), "cpu %d cannot be taken away", CPU);
	usleep(AWAY_MS * 1000);
	ck_assert(set_online(true));
	prog_end(&p, 30000);
	restore_end(&online);
	json_t *root = prog_json(&p);

	ck_assert_msg(p.exit_code == 0, "exit %d: %s", p.exit_code, p.err);
	prog_check_sums(root);
	check_events(root);
	check_series(root, "record");
	json_decref(root);
	prog_free(&p);
}
END_TEST

/* ---- on the screen ------------------------------------------------------- */

static void wait_for(struct pty *p, const char *text)
{
	if (!pty_wait_text(p, text, 15000)) {
		set_online(true);
		ck_abort_msg("no \"%s\" on the screen:\n%s", text, pty_screen(p));
	}
}

/* Each sampler of the program with its CPU: it was pinned again. */
static void check_pins(pid_t pid)
{
	char command[400];

	snprintf(command, sizeof(command), "for t in /proc/%d/task/*; do case $(cat $t/comm) in "
		 "wakeup-*) grep -q '^Cpus_allowed_list:[[:space:]]*[0-9]*$' $t/status || exit 1; "
		 "esac; done", (int)pid);
	ck_assert_msg(system(command) == 0, "a sampler may run anywhere");
}

static json_t *saved(const char *folder)
{
	char pattern[128];
	glob_t found;

	snprintf(pattern, sizeof(pattern), "%s/jitterscope-*.json", folder);
	ck_assert_int_eq(glob(pattern, 0, NULL, &found), 0);
	json_t *root = json_load_file(found.gl_pathv[0], 0, NULL);

	globfree(&found);
	ck_assert_ptr_nonnull(root);
	return root;
}

/* F44: a row without its CPU is offline. */
START_TEST(a_live_screen_marks_it_and_goes_on)
{
	static const char *const env[] = { "TERM=xterm-256color", "LC_ALL=C.UTF-8", "-NO_COLOR", NULL };
	char program[4096];
	const char *argv[] = { realpath(prog_path(), program), NULL };
	char folder[] = "/var/tmp/jstest-hotplug-XXXXXX", command[80];
	struct pty *p;
	int status = -1;

	if (!wanted("hotplug live"))
		return;
	ck_assert_ptr_nonnull(mkdtemp(folder));
	p = pty_open(160, 45);
	pty_directory(p, folder);
	ck_assert(restore_begin(&online, SWITCH));
	pty_spawn(p, argv, env);
	wait_for(p, "LIVE");
	pty_pump(p, 1500);
	ck_assert_msg(set_online(false), "cpu %d cannot be taken away", CPU);
	wait_for(p, "cpu 1 went offline");
	wait_for(p, "!wrong-cpu");
	pty_pump(p, AWAY_MS - 200);
	ck_assert(set_online(true));
	wait_for(p, "cpu 1 came online");
	ck_assert(pty_wait_no_text(p, "!wrong-cpu", 5000));
	pty_pump(p, 1500);
	check_pins(pty_pid(p));
	pty_send(p, "s");
	wait_for(p, "saved");
	pty_send(p, "q");
	ck_assert(pty_wait_exit(p, 20000, &status));
	ck_assert_int_eq(status, 0);
	restore_end(&online);
	json_t *root = saved(folder);

	prog_check_sums(root);
	check_events(root);
	check_series(root, "screen");
	json_decref(root);
	pty_free(p);
	snprintf(command, sizeof(command), "rm -r %s", folder);
	ck_assert_int_eq(system(command), 0);
}
END_TEST

START_TEST(a_cpu_that_comes_late_is_measured)
{
	const char *argv[] = { "", "record", "-D", "5s", "--json", NULL };
	struct prog p;

	if (!wanted("hotplug late"))
		return;
	ck_assert(restore_begin(&online, SWITCH));
	ck_assert(set_online(false));
	prog_start(&p, argv);
	usleep(2000000);
	ck_assert(set_online(true));
	prog_end(&p, 30000);
	restore_end(&online);
	json_t *root = prog_json(&p);

	ck_assert_msg(p.exit_code == 0, "exit %d: %s", p.exit_code, p.err);
	prog_check_sums(root);
	for (int i = 0; i < 2; i++) {
		json_t *s = prog_series(root, probes_of_a_cpu[i], CPU);

		ck_assert_msg(s != NULL, "no %s on cpu %d", probes_of_a_cpu[i], CPU);
		ck_assert_msg(whole(s, "count") > 0, "%s: %s", probes_of_a_cpu[i],
			      json_dumps(json_object_get(root, "events"), 0));
	}
	json_decref(root);
	prog_free(&p);
}
END_TEST

Suite *hotplug_suite(void);
Suite *hotplug_suite(void)
{
	Suite *s = suite_create("hotplug");
	TCase *tc = tcase_create("live");

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, no_sample_is_told_under_a_wrong_cpu);
	tcase_add_test(tc, a_live_screen_marks_it_and_goes_on);
	tcase_add_test(tc, a_cpu_that_comes_late_is_measured);
	suite_add_tcase(s, tc);
	return s;
}
