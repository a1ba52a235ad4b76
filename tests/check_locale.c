/*
 * check_locale.c - where a decimal point is a comma every file has the same
 * bytes, and every file is read the same.
 *
 * The locale is made for the test; without localedef or its sources, skipped.
 */
#include <check.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/format.h"
#include "tests/fake_snapshot.h"
#include "tests/prog.h"

#define COMMA "LOCPATH=%s LC_ALL=de_DE.UTF-8"

static char dir[64], top[200], program[300];
static bool comma;

static int sh(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

static int sh(const char *fmt, ...)
{
	char command[2000];
	va_list args;

	va_start(args, fmt);
	vsnprintf(command, sizeof(command), fmt, args);
	va_end(args);
	return system(command);
}

/* The program that reads numbers as the locale says proves that it is one. */
static bool make_locale(void)
{
	return !sh("localedef -i de_DE -f UTF-8 %s/de_DE.utf8 >/dev/null 2>&1", dir) &&
	       !sh("test \"$(" COMMA " /usr/bin/printf %%.1f 1,5 2>/dev/null)\" = 1,5", dir);
}

static void write_snapshot(void)
{
	char path[100];
	struct snapshot *s = fake_snapshot(1);

	snprintf(path, sizeof(path), "%s/run.json", dir);
	ck_assert_int_eq(snapshot_write(s, format_by_name("json"), path, NULL), 0);
	snapshot_free(s);
}

static void enter(void)
{
	ck_assert_ptr_nonnull(getcwd(top, sizeof(top)));
	snprintf(program, sizeof(program), "%s%s%s", prog_path()[0] == '/' ? "" : top,
		 prog_path()[0] == '/' ? "" : "/", prog_path());
	snprintf(dir, sizeof(dir), "/tmp/jitterscope-locale.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	comma = make_locale();
	write_snapshot();
}

static void leave(void)
{
	ck_assert_int_eq(sh("rm -r %s", dir), 0);
}

/* The same command in both locales; what it leaves in OUT and says is the same. */
static void same(const char *what, const char *arguments)
{
	ck_assert_msg(!sh("cd %s && rm -f OUT; LC_ALL=C '%s' %s >c.said 2>&1; touch OUT; mv OUT c.out", dir, program,
			  arguments), "%s", what);
	ck_assert_msg(!sh("cd %s && " COMMA " '%s' %s >d.said 2>&1; touch OUT; mv OUT d.out", dir, dir, program,
			  arguments), "%s", what);
	ck_assert_msg(!sh("cd %s && cmp c.said d.said && cmp c.out d.out && test -s c.said -o -s c.out", dir),
		      "%s is not the same where 1.5 is written 1,5", what);
}

static bool can(const char *test)
{
	if (!comma)
		printf("SKIP %s: no localedef, or no de_DE among its sources\n", test);
	return comma;
}

START_TEST(every_format_has_the_same_bytes)
{
	if (!can("every_format_has_the_same_bytes"))
		return;
	for (const struct format *const *f = formats; *f; f++) {
		char arguments[300];

		if (!(*f)->write)
			continue;
		snprintf(arguments, sizeof(arguments), "convert run.json -t %s -o OUT", (*f)->name);
		same((*f)->name, arguments);
		snprintf(arguments, sizeof(arguments), "convert '%s/tests/data/histogram-stock.txt' -t %s -o OUT", top,
			 (*f)->name);
		same((*f)->name, arguments);
	}
}
END_TEST

/* What was written is read back, by way of a file of each format. */
START_TEST(every_format_is_read_the_same)
{
	if (!can("every_format_is_read_the_same"))
		return;
	for (const struct format *const *f = formats; *f; f++) {
		char arguments[300];

		if (!(*f)->write || !(*f)->read ||
		    sh("cd %s && '%s' convert run.json -t %s -o IN 2>/dev/null", dir, program, (*f)->name))
			continue;
		snprintf(arguments, sizeof(arguments), "convert IN -t json -o OUT");
		same((*f)->name, arguments);
		ck_assert_int_eq(sh("rm %s/IN", dir), 0);
	}
}
END_TEST

static const char *const commands[] = {
	"show run.json", "compare run.json run.json", "compare --json run.json run.json",
	"compare --fail-ratio 1.5@99.9 run.json run.json",
};

START_TEST(reports_are_the_same)
{
	char plot[300];

	if (!can("reports_are_the_same"))
		return;
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		same(commands[i], commands[i]);
	same("plot .svg", "plot run.json -o x.svg; mv x.svg OUT");
	snprintf(plot, sizeof(plot), "plot run.json '%s/tests/data/histogram-stock.txt' -o x.gp; mv x.gp OUT", top);
	same("plot .gp", plot);
}
END_TEST

Suite *locale_suite(void);

Suite *locale_suite(void)
{
	Suite *s = suite_create("locale");
	TCase *tc = tcase_create("locale");

	tcase_set_timeout(tc, 120);
	tcase_add_unchecked_fixture(tc, enter, leave);	/* a locale takes seconds */
	tcase_add_test(tc, every_format_has_the_same_bytes);
	tcase_add_test(tc, every_format_is_read_the_same);
	tcase_add_test(tc, reports_are_the_same);
	suite_add_tcase(s, tc);
	return s;
}
