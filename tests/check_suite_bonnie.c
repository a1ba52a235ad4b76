/* check_suite_bonnie.c - the table of bonnie, against the published rows of 2001. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/suite_catch.h"

extern const struct suite suite_bonnie;

static struct options o;

static void run_with(void (*fn)(const struct suite_plan *plan))
{
	struct why why = { 0, "" };

	caught = fn;
	ck_assert_msg(suite_bonnie.run(&o, &why) == EXIT_OK, "%s", why.text);
}

static void setup(void)
{
	memset(&o, 0, sizeof(o));
	o.label = "here";
}

static unsigned figure_index(const struct suite_plan *plan, const char *name)
{
	const struct load *l = loads[plan->steps[0].job.arg];

	for (unsigned i = 0; l->figure_names[i]; i++) {
		if (!strcmp(l->figure_names[i], name))
			return i;
	}
	ck_abort_msg("the load publishes no %s", name);
	return 0;
}

static const char *const names[] = { "size_mib", "putc_kps", "putc_cpu", "write_kps", "write_cpu",
				     "rewrite_kps", "rewrite_cpu", "getc_kps", "getc_cpu",
				     "read_kps", "read_cpu", "seeks_s", "seeks_cpu" };
static const char *const times[] = {
	"putc_s", "write_s", "rewrite_s", "getc_s", "read_s", "seek_s"
};

/* A run with those figures; each phase took took_s. */
static void measured(const struct suite_plan *plan, const double value[13], double took_s,
		     struct step_result *r)
{
	*r = (struct step_result){ .outcome = STEP_DONE, .figures = LOAD_FIGURES };
	for (unsigned i = 0; i < 13; i++)
		r->figure[figure_index(plan, names[i])] = value[i];
	for (unsigned i = 0; i < 6; i++)
		r->figure[figure_index(plan, times[i])] = took_s;
}

static char rows[2][160];

static void read_rows(void)
{
	FILE *f = fopen("tests/data/bonnie.txt", "r");
	char line[160];
	unsigned n = 0;

	ck_assert_ptr_nonnull(f);
	while (n < 2 && fgets(line, sizeof(line), f)) {
		if (strspn(line, " ") >= 8 && line[strspn(line, " ")] == '1')
			memcpy(rows[n++], line, sizeof(line));
	}
	fclose(f);
	ck_assert_uint_eq(n, 2);
}

static const char *wanted_row;

static void print_row(const struct suite_plan *plan)
{
	struct step_result r;
	struct snapshot *s = snapshot_new();
	double value[13];
	const char *p = wanted_row;
	char *text, *end;

	for (unsigned i = 0; i < 13; i++) {
		value[i] = strtod(p, &end) + (i % 2 && i < 11 ? 0.7 : 0);	/* K/s are cut, not rounded */
		p = end;
	}
	measured(plan, value, 9, &r);
	text = printed_tables(plan, &r, s);
	const char *row = strstr(text, "\nhere    ");

	ck_assert_msg(row != NULL, "no row in:\n%s", text);
	ck_assert_ptr_null(strstr(text, "+++++"));
	ck_assert_int_eq(strncmp(row + 9, wanted_row + 8, strlen(wanted_row + 8)), 0);
	free(text);
	snapshot_free(s);
}

START_TEST(the_rows_of_2001_come_out_again)
{
	read_rows();
	wanted_row = rows[_i];
	run_with(print_row);
}
END_TEST

static void print_short(const struct suite_plan *plan)
{
	struct step_result r;
	struct snapshot *s = snapshot_new();
	double value[13] = { 16, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5 };
	char *text;

	measured(plan, value, 0.49, &r);
	r.figure[figure_index(plan, "seek_s")] = 0;	/* never got there */
	r.outcome = STEP_CUT;
	snprintf(r.why, sizeof(r.why), "interrupted");
	snprintf(r.text, sizeof(r.text), "row cached");
	text = printed_tables(plan, &r, s);
	ck_assert_ptr_nonnull(strstr(text, "  16 +++++  +++ +++++  +++"));
	ck_assert_ptr_nonnull(strstr(text, "\ncut: interrupted\n"));
	/* Why, and what helps: 16 MiB took 0.49 s. */
	ck_assert_ptr_nonnull(strstr(text, "\n+++++: done in less than half a second"));
	ck_assert_ptr_nonnull(strstr(text, "(5 of 6)"));
	ck_assert_ptr_nonnull(strstr(text, "-l bonnie,size=64\n"));
	ck_assert_ptr_nonnull(strstr(text, "cache"));
	/* In the file the figure of a short phase is kept, that of no phase is not. */
	ck_assert_double_eq(suite_find(s, "bonnie", "here", "block in")->value, 5);
	ck_assert(isnan(suite_find(s, "bonnie", "here", "seeks")->value));
	free(text);
	snapshot_free(s);
}

START_TEST(phases_too_short_to_tell_are_marked)
{
	run_with(print_short);
}
END_TEST

static void look_at_knob(const struct suite_plan *plan)
{
	ck_assert_int_eq(plan->steps[0].job.knob[0], 512);
	ck_assert_int_eq(plan->steps[0].most_ns, 0);
}

START_TEST(l_sets_the_size)
{
	ck_assert_int_eq(schedule_load(&o.schedule, "bonnie,size=512", NULL), 0);
	run_with(look_at_knob);
}
END_TEST

Suite *suite_bonnie_suite(void);
Suite *suite_bonnie_suite(void)
{
	Suite *s = suite_create("suite_bonnie");
	TCase *tc = tcase_create("bonnie");

	tcase_add_checked_fixture(tc, setup, NULL);
	tcase_add_loop_test(tc, the_rows_of_2001_come_out_again, 0, 2);
	tcase_add_test(tc, phases_too_short_to_tell_are_marked);
	tcase_add_test(tc, l_sets_the_size);
	suite_add_tcase(s, tc);
	return s;
}
