/* check_list.c - what `list` prints is what the registries hold. */
#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/commands.h"
#include "src/format.h"
#include "src/load.h"
#include "src/probe.h"

static const char *const lists[] = { "probes", "loads", "formats", "keys", "suites", "themes" };
static const char *const titles[] = { "Probes (", "Loads (", "Formats:", "Keys of", "Suites (", "Themes (" };
#define LISTS (sizeof(lists) / sizeof(lists[0]))

static char text[1 << 16];
static struct why why;

/* The exit code; what was printed is in text. */
static int listed(const char *word)
{
	struct options options = { .word = word };
	FILE *told = tmpfile();
	int kept = dup(1);

	ck_assert(told && kept >= 0);
	fflush(stdout);
	dup2(fileno(told), 1);
	int code = cmd_list(&options, &why);

	fflush(stdout);
	dup2(kept, 1);
	close(kept);
	rewind(told);
	text[fread(text, 1, sizeof(text) - 1, told)] = '\0';
	fclose(told);
	return code;
}

/* A line that begins so, after so many columns. */
static bool has_line(const char *name, size_t column)
{
	size_t n = strlen(name);

	for (const char *line = text; *line; line = strchr(line, '\n') + 1)
		if ((size_t)(strchr(line, '\n') - line) > column + n && !strncmp(line + column, name, n) &&
		    line[column + n] == ' ')
			return true;
	return false;
}

START_TEST(every_list_holds_something_and_ends_its_lines)
{
	ck_assert_int_eq(listed(lists[_i]), EXIT_OK);
	ck_assert_uint_gt(strlen(text), 20);
	ck_assert_int_eq(text[strlen(text) - 1], '\n');
	ck_assert_int_ne(strncmp(text, titles[_i], strlen(titles[_i])), 0);	/* alone it needs none */
}
END_TEST

START_TEST(all_of_a_registry_is_listed)
{
	listed("loads");
	for (unsigned i = 0; loads[i]; i++) {
		ck_assert_msg(has_line(loads[i]->name, 2), "no load %s", loads[i]->name);
		for (const struct load_knob *k = loads[i]->knobs; k->name; k++)
			ck_assert_msg(strstr(text, k->help) != NULL, "no help of %s", k->name);
	}
	ck_assert_ptr_nonnull(strstr(text, "cpus=LIST"));
	listed("probes");
	for (unsigned i = 0; probes[i]; i++)
		ck_assert_msg(has_line(probes[i]->name, 0), "no probe %s", probes[i]->name);
	listed("formats");
	for (unsigned i = 0; formats[i]; i++)
		ck_assert_msg(has_line(formats[i]->name, 0), "no format %s", formats[i]->name);
}
END_TEST

/* The longest name and suffix make the columns: none breaks them. */
START_TEST(formats_stand_in_columns)
{
	listed("formats");
	const char *line = text, *first = strstr(text, formats[0]->summary);
	long column = first - text;

	ck_assert_ptr_nonnull(first);
	for (unsigned i = 0; formats[i]; i++, line = strchr(line, '\n') + 1) {
		const char *end = strchr(line, '\n');

		ck_assert_int_eq(end - line, column + (long)strlen(formats[i]->summary));
		ck_assert(!strncmp(line + column, formats[i]->summary, (size_t)(end - line - column)));
		ck_assert_int_eq(line[column - 1], ' ');
		ck_assert_int_eq(line[column - 7], ' ');
		ck_assert_int_eq(strncmp(line + column - 6, "write", 5) == 0, formats[i]->write != NULL);
	}
}
END_TEST

START_TEST(without_a_word_all_lists_have_their_titles)
{
	ck_assert_int_eq(listed(NULL), EXIT_OK);
	for (size_t i = 0; i < LISTS; i++)
		ck_assert_msg(strstr(text, titles[i]) != NULL, "no title %s", titles[i]);
}
END_TEST

START_TEST(an_unknown_list_names_the_known_ones)
{
	ck_assert_int_eq(listed("colours"), EXIT_USAGE);
	ck_assert_str_eq(text, "");
	for (size_t i = 0; i < LISTS; i++)
		ck_assert_ptr_nonnull(strstr(why.text, lists[i]));
}
END_TEST

Suite *list_suite(void);

Suite *list_suite(void)
{
	Suite *s = suite_create("list");
	TCase *tc = tcase_create("list");

	tcase_add_loop_test(tc, every_list_holds_something_and_ends_its_lines, 0, (int)LISTS);
	tcase_add_test(tc, all_of_a_registry_is_listed);
	tcase_add_test(tc, formats_stand_in_columns);
	tcase_add_test(tc, without_a_word_all_lists_have_their_titles);
	tcase_add_test(tc, an_unknown_list_names_the_known_ones);
	suite_add_tcase(s, tc);
	return s;
}
