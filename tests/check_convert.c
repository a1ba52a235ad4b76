/* check_convert.c - show and convert: what they print, and what they say when
 * they cannot. */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/commands.h"
#include "src/format.h"
#include "src/snapshot.h"

static char stock[] = "tests/data/histogram-stock.txt", lowlat[] = "tests/data/histogram-lowlat.txt";
static char absent[] = "absent.txt";
static struct options options;
static struct why why;

/* With standard output in that file; the exit code. */
static int printed(int (*command)(struct options *, struct why *), const char *path)
{
	int kept = dup(1), to = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	ck_assert(kept >= 0 && to >= 0);
	fflush(stdout);
	dup2(to, 1);
	close(to);
	int code = command(&options, &why);

	fflush(stdout);
	clearerr(stdout);
	dup2(kept, 1);
	close(kept);
	return code;
}

static const char *content(const char *path)
{
	static char text[1 << 16];
	FILE *in = fopen(path, "r");

	ck_assert_ptr_nonnull(in);
	text[fread(text, 1, sizeof(text) - 1, in)] = '\0';
	fclose(in);
	return text;
}

static void files(unsigned n, char *a, char *b)
{
	options = (struct options){ .files = n };
	options.file[0] = a;
	options.file[1] = b;
	memset(&why, 0, sizeof(why));
}

static char out[] = "/tmp/js-convert.XXXXXX";

static void enter(void)
{
	close(mkstemp(out));
}

static void leave(void)
{
	unlink(out);
}

START_TEST(each_of_several_files_is_named)
{
	files(2, stock, lowlat);
	ck_assert_int_eq(printed(cmd_show, out), EXIT_OK);
	const char *text = content(out);

	ck_assert_ptr_nonnull(strstr(text, "==> tests/data/histogram-stock.txt\n"));
	ck_assert_ptr_nonnull(strstr(text, "\n\n==> tests/data/histogram-lowlat.txt\n"));
	ck_assert_ptr_nonnull(strstr(text, "8472599"));
	files(1, stock, NULL);
	ck_assert_int_eq(printed(cmd_show, out), EXIT_OK);
	ck_assert_ptr_null(strstr(content(out), "==>"));
}
END_TEST

/* The one that cannot be read comes after those that can. */
START_TEST(a_file_that_is_not_there_ends_it)
{
	files(2, stock, absent);
	ck_assert_int_eq(printed(cmd_show, out), EXIT_FAILED);
	ck_assert_ptr_nonnull(strstr(content(out), "8472599"));
	ck_assert_ptr_nonnull(strstr(why.text, "absent.txt"));
	files(1, absent, NULL);
	options.format = "json";
	ck_assert_int_eq(printed(cmd_convert, out), EXIT_FAILED);
	ck_assert_str_eq(content(out), "");
}
END_TEST

START_TEST(a_realfeel_file_comes_back_as_it_was)
{
	char was[4096];

	snprintf(was, sizeof(was), "%s", content(lowlat));
	files(1, lowlat, NULL);
	options.format = "realfeel";
	ck_assert_int_eq(printed(cmd_convert, out), EXIT_OK);
	ck_assert_str_eq(content(out), was);
	files(1, lowlat, NULL);
	options.format = "realfeel";
	options.output = out;
	ck_assert_int_eq(printed(cmd_convert, "/dev/null"), EXIT_OK);
	ck_assert_str_eq(content(out), was);
	ck_assert_int_eq(printed(cmd_show, "/dev/null"), EXIT_OK);
}
END_TEST

static const struct { const char *format, *output; unsigned files; bool json; const char *says; } refusals[] = {
	{ NULL, NULL, 1, false, "into what?" }, { "colour", NULL, 1, false, "no format for 'colour'" },
	{ NULL, "x.colour", 1, false, "no format for 'x.colour'" },
	{ "jitterdebugger", NULL, 1, false, "can only be read" }, { "json", NULL, 2, false, "one file at a time" },
	{ NULL, NULL, 0, true, "one file at a time" },
};

START_TEST(what_cannot_be_asked_for_is_a_usage_error)
{
	files(refusals[_i].files, stock, lowlat);
	options.format = refusals[_i].format;
	options.output = refusals[_i].output;
	options.json = refusals[_i].json;
	ck_assert_int_eq(printed(cmd_convert, out), EXIT_USAGE);
	ck_assert_msg(strstr(why.text, refusals[_i].says) != NULL, "%s", why.text);
	ck_assert_ptr_nonnull(strstr(why.text, "; "));
}
END_TEST

START_TEST(show_needs_a_file)
{
	files(0, NULL, NULL);
	ck_assert_int_eq(printed(cmd_show, out), EXIT_USAGE);
	ck_assert_ptr_nonnull(strstr(why.text, "no file"));
}
END_TEST

START_TEST(a_full_standard_output_is_an_error)
{
	files(1, stock, NULL);
	ck_assert_int_eq(printed(cmd_show, "/dev/full"), EXIT_FAILED);
	ck_assert_ptr_nonnull(strstr(why.text, "standard output"));
	files(1, stock, NULL);
	options.json = true;
	ck_assert_int_eq(printed(cmd_convert, "/dev/full"), EXIT_FAILED);
	ck_assert_ptr_nonnull(strstr(why.text, "No space left"));
}
END_TEST

Suite *convert_suite(void);

Suite *convert_suite(void)
{
	Suite *s = suite_create("convert");
	TCase *tc = tcase_create("convert");

	tcase_set_timeout(tc, 60);
	tcase_add_checked_fixture(tc, enter, leave);
	tcase_add_test(tc, each_of_several_files_is_named);
	tcase_add_test(tc, a_file_that_is_not_there_ends_it);
	tcase_add_test(tc, a_realfeel_file_comes_back_as_it_was);
	tcase_add_loop_test(tc, what_cannot_be_asked_for_is_a_usage_error, 0,
			    (int)(sizeof(refusals) / sizeof(refusals[0])));
	tcase_add_test(tc, show_needs_a_file);
	tcase_add_test(tc, a_full_standard_output_is_an_error);
	suite_add_tcase(s, tc);
	return s;
}
