/*
 * runner.c - main() of every Check suite.
 */
#include <check.h>
#include <stdlib.h>

/* NAME_suite() of check_NAME.c, by this name through the linker. */
Suite *the_suite(void);

int main(void)
{
	SRunner *runner = srunner_create(the_suite());

	/* What the person who runs the tests has configured is no part of them. */
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);

	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
