/* check_terminfo.c - TERM is judged before a screen is made for it. */
#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ui/terminfo.h"

Suite *terminfo_suite(void);

static int judge(const char *name, struct why *why)
{
	memset(why, 0, sizeof(*why));
	if (name)
		setenv("TERM", name, 1);
	else
		unsetenv("TERM");
	return terminfo_check(STDOUT_FILENO, why);
}

START_TEST(terminals_that_draw)
{
	static const char *const names[] = { "xterm", "xterm-256color", "linux", "vt100", "screen" };
	struct why why;

	ck_assert_int_eq(judge(names[_i], &why), 0);
	ck_assert_int_eq(why.err, 0);
}
END_TEST

START_TEST(terminals_that_do_not)
{
	static const struct { const char *name, *word; } cases[] = {
		{ NULL, "not set" }, { "", "not set" }, { "no-such-terminal", "not known" },
		{ "dumb", "cannot move" }, { "../../etc/passwd", "not known" },
	};
	struct why why;

	ck_assert_int_eq(judge(cases[_i].name, &why), -EINVAL);
	ck_assert_int_eq(why.err, -EINVAL);
	ck_assert_ptr_nonnull(strstr(why.text, cases[_i].word));
	ck_assert_ptr_nonnull(strstr(why.text, "; "));	/* the remedy */
}
END_TEST

/* It leaves nothing behind: asked often, no memory grows (seen under ASan). */
START_TEST(asked_again_and_again)
{
	struct why why;

	for (int i = 0; i < 100; i++) {
		ck_assert_int_eq(judge("xterm", &why), 0);
		ck_assert_int_eq(judge("no-such-terminal", &why), -EINVAL);
	}
}
END_TEST

Suite *terminfo_suite(void)
{
	Suite *s = suite_create("terminfo");
	TCase *t = tcase_create("check");

	tcase_add_loop_test(t, terminals_that_draw, 0, 5);
	tcase_add_loop_test(t, terminals_that_do_not, 0, 5);
	tcase_add_test(t, asked_again_and_again);
	suite_add_tcase(s, t);
	return s;
}
