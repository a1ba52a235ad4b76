/*
 * runner.c - main() of every Check suite.
 */
#include <check.h>
#include <stdlib.h>

/* NAME_suite() of check_NAME.c, by this name through the linker. */
Suite *the_suite(void);

/* A limit is there for what hangs, not for what a busy machine does slowly:
 * Check's own is 4 s.  Suites give that of a machine that has time for them; a
 * tenth of a CPU must do.  Read when a suite makes its cases. */
static void set_time_limits(void)
{
	setenv("CK_DEFAULT_TIMEOUT", "60", 0);
#if defined(JS_ASAN) || defined(JS_TSAN) || defined(JS_COVERAGE)
	setenv("CK_TIMEOUT_MULTIPLIER", "8", 0);
#else
	setenv("CK_TIMEOUT_MULTIPLIER", "4", 0);
#endif
}

int main(void)
{
	set_time_limits();
	SRunner *runner = srunner_create(the_suite());

	/* What the person who runs the tests has configured is no part of them. */
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);

	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
