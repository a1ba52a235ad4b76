/*
 * suite_catch.h - what a suite hands to suite_run(), caught: no instrument
 * starts.  Include it in one .c of a test; the linker then takes this one.
 */
#ifndef JS_TESTS_SUITE_CATCH_H
#define JS_TESTS_SUITE_CATCH_H

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "src/suite.h"

/* Called while the suite's tables are there. */
static void (*caught)(const struct suite_plan *plan);

int suite_run(struct options *o, const struct suite_plan *plan, struct why *why)
{
	(void)o;
	(void)why;
	caught(plan);
	return EXIT_OK;
}

__attribute__((unused))
static int step_named(const struct suite_plan *plan, const char *name)
{
	for (unsigned i = 0; i < plan->nr; i++) {
		if (!strcmp(plan->steps[i].name, name))
			return (int)i;
	}
	return -1;
}

/* The tables as text; free() it. */
__attribute__((unused))
static char *printed_tables(const struct suite_plan *plan, const struct step_result *r,
			    struct snapshot *s)
{
	struct why why = { 0, "" };
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	ck_assert_int_eq(plan->figures(plan->ctx, r, s), 0);
	ck_assert_msg(plan->print(plan->ctx, out, s, &why) == 0, "%s", why.text);
	fclose(out);
	return text;
}

#endif
