/*
 * check_toggle.c - probes turned on and off by key in a real terminal, one
 * shot, and a start from a configuration file: the counts stay exact.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/clock.h"
#include "src/cpuset.h"
#include "src/probe.h"
#include "tests/prog.h"
#include "tests/pty.h"

#define PATIENCE_MS 20000
#define FOCUS_BYTES 200

static char folder[] = "/var/tmp/jitterscope-toggle-XXXXXX";
static char config[96], output[96];

static void set_up(void)
{
	char sub[80];
	FILE *f;

	strcpy(folder + sizeof(folder) - 7, "XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(sub, sizeof(sub), "%s/jitterscope", folder);
	snprintf(config, sizeof(config), "%s/config", sub);
	snprintf(output, sizeof(output), "%s/out.json", folder);
	ck_assert_int_eq(mkdir(sub, 0700), 0);
	f = fopen(config, "w");
	ck_assert_ptr_nonnull(f);
	fputs("# for a test\nprobes = { \"wakeup-fifo\" }\nzoom = 500ms\n", f);
	fclose(f);
}

static void tear_down(void)
{
	char sub[80];

	snprintf(sub, sizeof(sub), "%s/jitterscope", folder);
	unlink(config);
	unlink(output);
	rmdir(sub);
	rmdir(folder);
}

static struct pty *start(void)
{
	const char *argv[] = { prog_path(), "-o", output, NULL };
	char home[96];
	const char *env[] = { "TERM=xterm-256color", "LC_ALL=C.UTF-8", "-NO_COLOR", home, NULL };
	struct pty *p = pty_open(120, 44);

	snprintf(home, sizeof(home), "XDG_CONFIG_HOME=%s", folder);
	pty_spawn(p, argv, env);
	ck_assert_msg(pty_wait_text(p, "LIVE", PATIENCE_MS), "not live:\n%s", pty_screen(p));
	return p;
}

static void wait_for(struct pty *p, const char *regex)
{
	ck_assert_msg(pty_wait_regex(p, regex, PATIENCE_MS), "no /%s/:\n%s", regex, pty_screen(p));
}

/* What the last line says of the panel that has the focus; "": nothing. */
static void read_focus(struct pty *p, char focus[FOCUS_BYTES])
{
	char *screen = pty_screen(p), *end = strstr(screen, "; e shows it alone"), *at = end;

	while (at && at > screen && at[-1] != '\n')
		at--;
	snprintf(focus, FOCUS_BYTES, "%.*s", at ? (int)(end - at) : 0, at ? at : "");
	free(screen);
}

/* To the next panel; each says something else of itself. */
static void next_panel(struct pty *p, char focus[FOCUS_BYTES])
{
	char before[FOCUS_BYTES];
	int64_t until_ns = clock_now_ns() + PATIENCE_MS * NS_PER_MS;

	memcpy(before, focus, FOCUS_BYTES);
	pty_send(p, "\t");
	do {
		ck_assert_msg(clock_now_ns() < until_ns, "Tab does nothing:\n%s", pty_screen(p));
		pty_pump(p, 20);
		read_focus(p, focus);
	} while (!focus[0] || !strcmp(focus, before));
}

/* Tab by Tab to the probes, and their list. */
static void open_list(struct pty *p)
{
	char focus[FOCUS_BYTES] = "";

	for (int i = 0; i < 16 && !strstr(focus, "Probes"); i++)
		next_panel(p, focus);
	pty_send(p, "\r");
	wait_for(p, "PROBES.*Enter on/off");
}

static void go_down_to(struct pty *p, const char *name)
{
	for (unsigned i = 0; probes[i] && strcmp(probes[i]->name, name); i++)
		pty_send(p, "j");
}

static json_t *result(void)
{
	json_t *root = json_load_file(output, 0, NULL);

	ck_assert_msg(root != NULL, "%s: not written or no JSON", output);
	prog_check_sums(root);
	return root;
}

static json_int_t count_of(const json_t *root, const char *probe, int cpu)
{
	json_t *s = prog_series(root, probe, cpu);

	ck_assert_msg(s != NULL, "no series of %s", probe);
	return json_integer_value(json_object_get(s, "count"));
}

/* A probe goes on for a while, off and on again; a shot; what came of it. */
static json_t *toggled(unsigned on_ms)
{
	struct pty *p = start();
	int status = -1;

	wait_for(p, "500ms/col");
	open_list(p);
	wait_for(p, "off +wakeup-other");
	go_down_to(p, "pipe");
	for (int i = 0; i < 2; i++) {
		pty_send(p, "\r");
		wait_for(p, "on +pipe +a byte");
		usleep(on_ms * 1000);
		pty_send(p, "\r");
		wait_for(p, "off +pipe +a byte");
	}
	pty_send(p, "\033");
	ck_assert(pty_wait_no_text(p, "Enter on/off", PATIENCE_MS));
	pty_send(p, "o");
	wait_for(p, "terminal: [0-9.]+(us|ms|s)");
	pty_send(p, "q");
	ck_assert(pty_wait_exit(p, PATIENCE_MS, &status));
	ck_assert_int_eq(status, 0);
	pty_free(p);
	return result();
}

START_TEST(any_probe_goes_on_and_off_and_keeps_its_counts)
{
	struct cpuset allowed;
	unsigned on_ms = 1500;
	json_t *root = toggled(on_ms);

	ck_assert_int_eq(cpuset_allowed(&allowed, NULL), 0);
	int cpu = cpuset_next(&allowed, -1);

	/* On a busy machine it may not have had its turn yet. */
	while (!count_of(root, "pipe", -1) && on_ms < 20000) {
		json_decref(root);
		unlink(output);
		on_ms *= 4;
		printf("RETRY with the probe on for %u ms\n", on_ms);
		root = toggled(on_ms);
	}
	ck_assert_int_gt(count_of(root, "wakeup-fifo", cpu), 0);
	ck_assert_int_gt(count_of(root, "pipe", -1), 0);
	ck_assert_int_eq(count_of(root, "terminal", -1), 1);
	ck_assert_ptr_null(prog_series(root, "wakeup-other", cpu));
	json_decref(root);
}
END_TEST

START_TEST(a_mistake_in_the_configuration_ends_it_with_its_line)
{
	FILE *f = fopen(config, "a");
	int status = -1;
	char home[96];
	const char *argv[] = { prog_path(), NULL };
	const char *env[] = { "TERM=xterm-256color", home, NULL };
	struct pty *p = pty_open(120, 10);

	ck_assert_ptr_nonnull(f);
	fputs("bogus = 1\n", f);
	fclose(f);
	snprintf(home, sizeof(home), "XDG_CONFIG_HOME=%s", folder);
	pty_spawn(p, argv, env);
	ck_assert(pty_wait_exit(p, PATIENCE_MS, &status));
	ck_assert_int_eq(status >> 8, 2);
	ck_assert_msg(pty_wait_text(p, "config:4:", 0), "%s", pty_screen(p));
	pty_free(p);
}
END_TEST

Suite *toggle_suite(void);
Suite *toggle_suite(void)
{
	Suite *s = suite_create("toggle");
	TCase *tc = tcase_create("screen");

	tcase_add_checked_fixture(tc, set_up, tear_down);
	tcase_set_timeout(tc, 300);
	tcase_add_test(tc, any_probe_goes_on_and_off_and_keeps_its_counts);
	tcase_add_test(tc, a_mistake_in_the_configuration_ends_it_with_its_line);
	suite_add_tcase(s, tc);
	return s;
}
