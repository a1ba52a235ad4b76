/* check_complain.c - one line on standard error, whatever it is made of. */
#include <check.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "src/complain.h"

static char said[4096];

static void hear(const char *words)
{
	int ends[2], kept = dup(2);
	ssize_t n;

	ck_assert_int_eq(pipe(ends), 0);
	dup2(ends[1], 2);
	close(ends[1]);
	complain("%s: %s", words, "no such file");
	fflush(stderr);
	dup2(kept, 2);
	close(kept);
	n = read(ends[0], said, sizeof(said) - 1);
	said[n > 0 ? n : 0] = '\0';
	close(ends[0]);
}

START_TEST(it_is_a_line_that_says_whose_it_is)
{
	hear("x.json");
	ck_assert_str_eq(said, "jitterscope: x.json: no such file\n");
}
END_TEST

START_TEST(names_do_not_speak_to_the_terminal)
{
	hear("a\033[31m\nb\xe2\x80\xae");
	ck_assert_str_eq(said, "jitterscope: a?[31m?b?: no such file\n");
}
END_TEST

START_TEST(what_is_too_long_is_cut_and_still_a_line)
{
	char words[3000];

	memset(words, 'x', sizeof(words));
	words[sizeof(words) - 1] = '\0';
	hear(words);
	ck_assert_uint_gt(strlen(said), 500);
	ck_assert_ptr_eq(strchr(said, '\n'), said + strlen(said) - 1);
}
END_TEST

Suite *complain_suite(void);

Suite *complain_suite(void)
{
	Suite *s = suite_create("complain");
	TCase *c = tcase_create("line");

	tcase_add_test(c, it_is_a_line_that_says_whose_it_is);
	tcase_add_test(c, names_do_not_speak_to_the_terminal);
	tcase_add_test(c, what_is_too_long_is_cut_and_still_a_line);
	suite_add_tcase(s, c);
	return s;
}
