/*
 * check_config.c - what stays from one start to the next: every setting, what
 * overrides it, and mistakes told with their line.
 */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/config.h"
#include "tests/fake_plugins.h"
#include "ui/view.h"

static char folder[] = "/tmp/jitterscope-config-XXXXXX";
static char path[64];
static struct options o;
static struct why why;

static void set_up(void)
{
	strcpy(folder + sizeof(folder) - 7, "XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/config", folder);
}

static void tear_down(void)
{
	unlink(path);
	rmdir(folder);
}

static void write_file(const char *text)
{
	FILE *f = fopen(path, "w");

	ck_assert_ptr_nonnull(f);
	ck_assert_int_ge(fputs(text, f), 0);
	fclose(f);
}

/* As main() does it; words are blank-separated. */
static int start(const char *text, const char *line)
{
	static char buf[256];
	static char *argv[16];
	char *save = NULL;
	int argc = 0;

	write_file(text);
	why = (struct why){ 0, "" };
	snprintf(buf, sizeof(buf), "jitterscope %s", line);
	for (char *w = strtok_r(buf, " ", &save); w; w = strtok_r(NULL, " ", &save))
		argv[argc++] = w;
	argv[argc] = NULL;
	options_free(&o);
	memset(&o, 0, sizeof(o));
	if (options_begin(&o, argc, argv, &why))
		return why.err;
	if (options_configurable(&o) && config_read(&o, path, &why))
		return why.err;
	return options_finish(&o, argc, argv, &why);
}

static void good(const char *text, const char *line)
{
	ck_assert_msg(start(text, line) == 0, "%s", why.text);
}

START_TEST(every_setting_is_taken)
{
	good("# mine\n"
	     "theme = light\n"
	     "view = waterfall\n"
	     "zoom = 500ms\n"
	     "cells = half\n"
	     "fps = 8\n"
	     "interval = 250us\n"
	     "probes = { pair, \"wakeup,align=1@0\" }\n"
	     "loads = { \"churn:8,mode=fsync\" }\n", "");
	ck_assert_str_eq(o.theme, "light");
	ck_assert_int_eq(o.config_theme_line, 2);
	ck_assert(o.waterfall);
	ck_assert_int_eq(o.zoom_ns, 500 * NS_PER_MS);
	ck_assert_int_eq(o.cells, OPTION_CELLS_HALF);
	ck_assert_int_eq(o.fps, 8);
	ck_assert_int_eq(o.interval_ns, 250 * NS_PER_US);
	ck_assert_uint_eq(o.probes, 2);
	ck_assert_str_eq(o.probe[0].probe->name, "pair");
	ck_assert_int_eq(o.probe[1].knob[0], 1);
	ck_assert(o.schedule.defaults[0].set && !o.schedule.defaults[1].set);
	ck_assert_uint_eq(o.schedule.defaults[0].workers, 8);
	ck_assert_int_eq(o.schedule.defaults[0].knob[0], 1);
	/* It says how a load starts, not that it does. */
	ck_assert_uint_eq(o.schedule.entries, 0);
}
END_TEST

START_TEST(options_go_over_it)
{
	good("theme = light\nfps = 8\ninterval = 250us\nprobes = { pair, wakeup }\n",
	     "--theme mono --fps 2 -i 2ms -P wakeup");
	ck_assert_str_eq(o.theme, "mono");
	ck_assert_int_eq(o.fps, 2);
	ck_assert_int_eq(o.interval_ns, 2 * NS_PER_MS);
	ck_assert_uint_eq(o.probes, 1);
	ck_assert_str_eq(o.probe[0].probe->name, "wakeup");
	good("probes = { pair }\n", "-P wakeup -P pair");
	ck_assert_uint_eq(o.probes, 2);
}
END_TEST

START_TEST(a_load_on_the_command_line_starts_from_its_defaults)
{
	const struct order *order = &o.schedule.entry[0].order;

	good("loads = { \"churn:8,mode=fsync,burst=4,cpus=1\" }\n", "-l churn,burst=2");
	ck_assert_uint_eq(order->workers, 8);
	ck_assert_int_eq(order->knob[0], 1);
	ck_assert_int_eq(order->knob[1], 2);
	ck_assert_ptr_nonnull(order->cpus);
	ck_assert(cpuset_has(order->cpus, 1) && cpuset_count(order->cpus) == 1);
	good("loads = { \"churn:8\" }\n", "-l churn:2 -l fork");
	ck_assert_uint_eq(order->workers, 2);
	ck_assert_uint_eq(o.schedule.entry[1].order.workers, 0);
}
END_TEST

START_TEST(a_loadfile_of_the_command_line_takes_the_place_of_the_default_one)
{
	good("loads = { \"churn,loadfile=usual\" }\n", "-l churn,loadfile=other");
	ck_assert_str_eq(o.schedule.load_file_path[0], "other");
	good("loads = { \"churn,loadfile=usual\" }\n", "-l churn");
	ck_assert_str_eq(o.schedule.load_file_path[0], "usual");
	/* Two on the command line still contradict each other. */
	ck_assert_int_eq(start("loads = { \"churn,loadfile=usual\" }\n",
			       "-l churn,loadfile=other -l churn,loadfile=third"), -EINVAL);
}
END_TEST

static const struct { const char *text, *line, *says; } mistakes[] = {
	{ "theme = light\nbogus = 1\n", ":2:", "bogus" },
	{ "\n\ninterval = 5ns\n", ":3:", "interval: 5ns: out of range" },
	{ "fps = many\n", ":1:", "fps" },
	{ "fps = 61\n", ":1:", "1..60" },
	{ "view = sideways\n", ":1:", "map waterfall" },
	{ "zoom = 3s\n", ":1:", "250ms" },
	{ "cells = round\n", ":1:", "one of auto full half ascii" },
	{ "probes = { pair,\n bogus }\n", ":2:", "no such probe; one of wakeup pair" },
	{ "probes = { pair, pair }\n", ":1:", "twice" },
	{ "loads = { \"churn:200\" }\n", ":1:", "1..128" },
	{ "loads = { \"churn,mode=no\" }\n", ":1:", "mode" },
	{ "loads = { \"churn@2s\" }\n", ":1:", "no such load" },
	{ "# mine\n// too\n/* and\n this */ fps = x\n", ":4:", "fps" },
	{ "theme = light # mine\nfps = 'x#y'\n", ":2:", "x#y" },
	{ "theme = a//b\nfps = \"//\\\"#\"\n", ":2:", "//" },
	{ "theme = \n", ":2:", "" },
	{ "theme light\n", ":1:", "" },
	{ "probes = { pair\n", "", "" },
	{ "theme = 0123456789012345678901234567890123456789\n", ":1:", "list themes" },
	{ "th\033[31meme = x\n", ":1:", "th?[31meme" },
};

START_TEST(a_mistake_is_told_with_file_and_line)
{
	ck_assert_int_eq(start(mistakes[_i].text, ""), -EINVAL);
	ck_assert_msg(!strncmp(why.text, path, strlen(path)), "%s", why.text);
	ck_assert_msg(strstr(why.text, mistakes[_i].line) != NULL, "%s: %s", mistakes[_i].line, why.text);
	ck_assert_msg(strstr(why.text, mistakes[_i].says) != NULL, "%s: %s", mistakes[_i].says, why.text);
	ck_assert_msg(strstr(why.text, "; ") != NULL, "no remedy: %s", why.text);
	ck_assert_ptr_null(strchr(why.text, '\033'));
}
END_TEST

START_TEST(the_first_mistake_is_the_one_that_is_told)
{
	ck_assert_int_eq(start("fps = 99\nbogus = 1\n", ""), -EINVAL);
	ck_assert_ptr_nonnull(strstr(why.text, ":1:"));
}
END_TEST

START_TEST(it_is_not_read_where_it_is_not_wanted)
{
	static const char *const lines[] = { "--no-config", "record --no-config", "show file", "doctor",
					     "list probes" };

	for (unsigned i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		good("bogus = 1\n", lines[i]);
	ck_assert_int_eq(start("bogus = 1\n", "record"), -EINVAL);
	ck_assert_int_eq(start("bogus = 1\n", "replay file"), -EINVAL);
	/* Behind the dashes it is a word of a command. */
	ck_assert_int_eq(start("bogus = 1\n", "record -- echo --no-config"), -EINVAL);
}
END_TEST

START_TEST(no_file_is_no_mistake_and_a_folder_is_one)
{
	char name[96];

	ck_assert_int_eq(config_read(&o, "/nowhere/at/all", &why), 0);
	snprintf(name, sizeof(name), "%s/config/below", folder);
	write_file("");
	ck_assert_int_eq(config_read(&o, name, &why), 0);
	ck_assert_int_eq(config_read(&o, folder, &why), -EINVAL);
	ck_assert_ptr_nonnull(strstr(why.text, "plain file"));
	snprintf(name, sizeof(name), "%s/pipe", folder);
	ck_assert_int_eq(mkfifo(name, 0600), 0);
	ck_assert_int_eq(config_read(&o, name, &why), -EINVAL);
	unlink(name);
	ck_assert_int_eq(truncate(path, 70000), 0);
	ck_assert_int_eq(config_read(&o, path, &why), -EINVAL);
}
END_TEST

/* As somebody else, in a process of its own: who is nobody cannot tidy up. */
static int read_by_nobody(void)
{
	int status;
	pid_t pid = fork();

	if (pid == 0)
		_exit(setresuid(65534, 65534, 65534) ? 99 : -config_read(&o, path, &why));
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? -WEXITSTATUS(status) : -99;
}

START_TEST(the_home_of_another_user_is_no_mistake)
{
	write_file("bogus = 1\n");
	if (geteuid() == 0) {
		ck_assert_int_eq(read_by_nobody(), 0);
		ck_assert(chmod(folder, 0711) == 0 && chmod(path, 0) == 0);
		ck_assert_int_eq(read_by_nobody(), -EINVAL);
		return;
	}
	ck_assert_int_eq(chmod(path, 0), 0);
	ck_assert_int_eq(config_read(&o, path, &why), -EINVAL);
	ck_assert_ptr_nonnull(strstr(why.text, "--no-config"));
}
END_TEST

START_TEST(it_is_looked_for_where_settings_live)
{
	char buf[256];

	setenv("HOME", "/home/me", 1);
	setenv("XDG_CONFIG_HOME", "/etc/mine", 1);
	ck_assert_str_eq(config_path(buf, sizeof(buf)), "/etc/mine/jitterscope/config");
	setenv("XDG_CONFIG_HOME", "relative", 1);	/* the standard says: ignore it */
	ck_assert_str_eq(config_path(buf, sizeof(buf)), "/home/me/.config/jitterscope/config");
	unsetenv("XDG_CONFIG_HOME");
	unsetenv("HOME");
	ck_assert_str_eq(config_path(buf, sizeof(buf)), "");
}
END_TEST

START_TEST(it_is_never_written)
{
	struct stat before, after;

	good("fps = 8\n", "");
	ck_assert_int_eq(stat(path, &before), 0);
	ck_assert_int_eq(config_read(&o, path, &why), 0);
	ck_assert_int_eq(stat(path, &after), 0);
	ck_assert(before.st_mtim.tv_nsec == after.st_mtim.tv_nsec && before.st_size == after.st_size);
}
END_TEST

START_TEST(every_zoom_of_the_screen_can_be_chosen)
{
	char text[64];

	for (unsigned i = 0; view_zooms[i]; i++) {
		if (view_zooms[i] % NS_PER_S)
			snprintf(text, sizeof(text), "zoom = %dms\n", (int)(view_zooms[i] / NS_PER_MS));
		else
			snprintf(text, sizeof(text), "zoom = %ds\n", (int)(view_zooms[i] / NS_PER_S));
		good(text, "");
		ck_assert_int_eq(o.zoom_ns, view_zooms[i]);
	}
}
END_TEST

/* The list of the manual is the list of the parser. */
START_TEST(the_manual_names_each_setting)
{
	static char text[128 * 1024];
	FILE *f = fopen("man/jitterscope.1", "re");
	char value[64];
	unsigned n = 0;

	ck_assert_ptr_nonnull(f);
	text[fread(text, 1, sizeof(text) - 1, f)] = '\0';
	fclose(f);
	char *at = strstr(text, "\n.Sh CONFIGURATION"), *end = at ? strstr(at, "\n.El") : NULL;

	ck_assert(at && end);
	*end = '\0';
	while ((at = strstr(at + 1, "\n.It Ic "))) {
		snprintf(value, sizeof(value), "%.*s = \"?\"\n", (int)strcspn(at + 8, "\n"), at + 8);
		start(value, "");
		ck_assert_msg(!strstr(why.text, "no such option"), "%s", why.text);
		n++;
	}
	ck_assert_uint_eq(n, 8);
}
END_TEST

Suite *config_suite(void);
Suite *config_suite(void)
{
	Suite *s = suite_create("config");
	TCase *tc = tcase_create("file");

	tcase_add_checked_fixture(tc, set_up, tear_down);
	tcase_add_test(tc, every_setting_is_taken);
	tcase_add_test(tc, options_go_over_it);
	tcase_add_test(tc, a_load_on_the_command_line_starts_from_its_defaults);
	tcase_add_test(tc, a_loadfile_of_the_command_line_takes_the_place_of_the_default_one);
	tcase_add_loop_test(tc, a_mistake_is_told_with_file_and_line, 0,
			    sizeof(mistakes) / sizeof(mistakes[0]));
	tcase_add_test(tc, the_first_mistake_is_the_one_that_is_told);
	tcase_add_test(tc, it_is_not_read_where_it_is_not_wanted);
	tcase_add_test(tc, no_file_is_no_mistake_and_a_folder_is_one);
	tcase_add_test(tc, the_home_of_another_user_is_no_mistake);
	tcase_add_test(tc, it_is_looked_for_where_settings_live);
	tcase_add_test(tc, it_is_never_written);
	tcase_add_test(tc, every_zoom_of_the_screen_can_be_chosen);
	tcase_add_test(tc, the_manual_names_each_setting);
	suite_add_tcase(s, tc);
	return s;
}
