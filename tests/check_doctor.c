/* check_doctor.c - what `doctor` prints and answers, over questions of ours. */
#include <check.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/commands.h"
#include "src/doctor.h"

/* ---- the questions ---- */

static enum doctor_level deciding, other;

static void look_rights(struct finding *f)
{
	const struct why why = { -1, "rights: refused; because of that; ask for them" };

	if (deciding == DOCTOR_OK)
		finding_set(f, DOCTOR_OK, NULL, "granted");
	else
		finding_why(f, deciding, &why);
}

static void look_other(struct finding *f)
{
	finding_set(f, other, other == DOCTOR_OK ? NULL : "do this", "a \"quoted\" fact");
}

const struct doctor_check doctor_checks[] = {
	{ "rights", true, look_rights }, { "other", false, look_other }, { NULL, false, NULL },
};

/* ---- running it ---- */

static char text[8192];
static struct options o;

static int ask(enum doctor_level first, enum doctor_level second, bool as_json)
{
	FILE *out = tmpfile();
	int kept = dup(1), code;
	struct why why = { 0, "" };

	deciding = first;
	other = second;
	memset(&o, 0, sizeof(o));
	o.json = as_json;
	ck_assert_ptr_nonnull(out);
	fflush(stdout);
	dup2(fileno(out), 1);
	code = cmd_doctor(&o, &why);
	fflush(stdout);
	dup2(kept, 1);
	close(kept);
	rewind(out);
	text[fread(text, 1, sizeof(text) - 1, out)] = '\0';
	fclose(out);
	return code;
}

START_TEST(only_what_decides_decides)
{
	static const struct { enum doctor_level first, second; int code; } rows[] = {
		{ DOCTOR_OK, DOCTOR_OK, EXIT_OK }, { DOCTOR_NOTE, DOCTOR_OK, EXIT_OK },
		{ DOCTOR_OK, DOCTOR_BAD, EXIT_OK }, { DOCTOR_BAD, DOCTOR_OK, EXIT_FAILED },
	};

	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		ck_assert_int_eq(ask(rows[i].first, rows[i].second, false), rows[i].code);
		ck_assert_int_eq(ask(rows[i].first, rows[i].second, true), rows[i].code);
	}
}
END_TEST

START_TEST(a_row_has_what_was_found_and_one_remedy_below)
{
	ask(DOCTOR_BAD, DOCTOR_OK, false);
	ck_assert_msg(strstr(text, "rights        BAD   rights: refused; because of that [errno 1]\n"
			     "                    -> ask for them\n"), "%s", text);
	ck_assert_msg(strstr(text, "other         ok    a \"quoted\" fact\n"), "%s", text);
	ck_assert_msg(strstr(text, "\nNo real-time measuring here"), "%s", text);
	ask(DOCTOR_OK, DOCTOR_NOTE, false);
	ck_assert_msg(strstr(text, "note  a \"quoted\" fact\n                    -> do this\n"), "%s",
		      text);
	ck_assert_msg(strstr(text, "\nReal-time measuring works here."), "%s", text);
}
END_TEST

static const char *field(json_t *rows, size_t i, const char *name)
{
	return json_string_value(json_object_get(json_array_get(rows, i), name));
}

START_TEST(the_same_as_json)
{
	ask(DOCTOR_BAD, DOCTOR_OK, true);
	json_t *root = json_loads(text, 0, NULL), *rows = json_object_get(root, "rows");

	ck_assert_msg(root != NULL, "%s", text);
	ck_assert_str_eq(json_string_value(json_object_get(root, "format")), "jitterscope-doctor");
	ck_assert_int_eq(json_integer_value(json_object_get(root, "version")), 1);
	ck_assert(json_is_false(json_object_get(root, "realtime")));
	ck_assert_uint_eq(json_array_size(rows), 2);
	ck_assert_str_eq(field(rows, 0, "name"), "rights");
	ck_assert_str_eq(field(rows, 0, "level"), "bad");
	ck_assert_str_eq(field(rows, 0, "found"), "rights: refused; because of that");
	ck_assert_str_eq(field(rows, 0, "fix"), "ask for them");
	ck_assert_int_eq(json_integer_value(json_object_get(json_array_get(rows, 0), "errno")), 1);
	ck_assert_str_eq(field(rows, 1, "level"), "ok");
	ck_assert_ptr_null(json_object_get(json_array_get(rows, 1), "fix"));
	ck_assert_ptr_null(json_object_get(json_array_get(rows, 1), "errno"));
	json_decref(root);
}
END_TEST

Suite *doctor_suite(void);
Suite *doctor_suite(void)
{
	Suite *s = suite_create("doctor");
	TCase *tc = tcase_create("rows");

	tcase_add_test(tc, only_what_decides_decides);
	tcase_add_test(tc, a_row_has_what_was_found_and_one_remedy_below);
	tcase_add_test(tc, the_same_as_json);
	suite_add_tcase(s, tc);
	return s;
}
