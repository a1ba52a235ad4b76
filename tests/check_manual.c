/*
 * check_manual.c - the manual, the completions and the README say what the
 * program does: each option, command and key, and nothing else.
 *
 * Runs in the top folder, as make does.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/option_table.h"
#include "src/probe.h"
#include "src/suite.h"
#include "ui/keys.h"
#include "ui/panels.h"

static char *slurp(const char *path)
{
	static char text[256 * 1024];
	FILE *f = fopen(path, "re");

	ck_assert_msg(f != NULL, "%s: cannot be read; run in the top folder", path);
	size_t n = fread(text, 1, sizeof(text) - 1, f);

	fclose(f);
	text[n] = '\0';
	return text;
}

#define MANUAL "man/jitterscope.1"
#define COMPLETION "src/share/jitterscope.bash"
#define README "README.md"

static const struct option_row *row_named(const char *name, size_t n)
{
	for (const struct option_row *row = option_rows; row->name; row++) {
		if (strlen(row->name) == n && !strncmp(row->name, name, n))
			return row;
	}
	return NULL;
}

START_TEST(each_option_has_an_entry_in_the_manual)
{
	const char *manual = slurp(MANUAL);
	char entry[64];

	for (const struct option_row *row = option_rows; row->name; row++) {
		if (row->letter)
			snprintf(entry, sizeof(entry), "\n.It Fl %c , Fl -%s", row->letter, row->name);
		else
			snprintf(entry, sizeof(entry), "\n.It Fl -%s", row->name);
		const char *at = strstr(manual, entry);

		ck_assert_msg(at != NULL, "no entry `%s'", entry + 1);
		ck_assert_msg(strchr(" \n", at[strlen(entry)]), "%s: a longer name", entry + 1);
	}
}
END_TEST

START_TEST(each_option_of_the_manual_exists)
{
	const char *manual = slurp(MANUAL);
	unsigned n = 0;

	for (const char *at = manual; (at = strstr(at, "Fl -")); at += 4) {
		size_t length = strcspn(at + 4, " \n");

		if (at[4] == ' ')	/* the two dashes of a command */
			continue;
		ck_assert_msg(row_named(at + 4, length), "no option --%.*s", (int)length, at + 4);
		n++;
	}
	ck_assert_uint_gt(n, 20);
}
END_TEST

START_TEST(each_letter_of_the_manual_exists)
{
	const char *manual = slurp(MANUAL);

	for (const char *at = manual; (at = strstr(at, "Fl ")); at += 3) {
		bool known = at[3] == '-';

		for (const struct option_row *row = option_rows; row->name; row++)
			known |= row->letter && row->letter == at[3];
		ck_assert_msg(known, "no option -%c", at[3]);
	}
}
END_TEST

START_TEST(each_command_is_in_the_manual)
{
	const char *manual = slurp(MANUAL);
	char entry[48];

	for (const struct subcommand_row *row = subcommand_rows; row->summary; row++) {
		snprintf(entry, sizeof(entry), ".Cm %s\n", row->name ? row->name : "record");
		ck_assert_msg(strstr(manual, entry), "no %s", entry);
	}
}
END_TEST

START_TEST(each_probe_and_suite_is_in_the_manual)
{
	const char *manual = slurp(MANUAL);
	char entry[48];

	for (unsigned i = 0; probes[i]; i++) {
		snprintf(entry, sizeof(entry), "\n.It Cm %s\n", probes[i]->name);
		ck_assert_msg(strstr(manual, entry), "no entry of the probe %s", probes[i]->name);
	}
	for (unsigned i = 0; suites[i]; i++) {
		snprintf(entry, sizeof(entry), "\n.It Cm %s\n", suites[i]->name);
		ck_assert_msg(strstr(manual, entry), "no entry of the suite %s", suites[i]->name);
	}
}
END_TEST

/* Each that leaves more files than the one of -o says so. */
START_TEST(suites_with_files_of_their_steps_say_so)
{
	static const char *const suite[] = { "ladder", "contest" };
	const char *manual = slurp(MANUAL);
	char entry[48];

	for (unsigned i = 0; i < 2; i++) {
		snprintf(entry, sizeof(entry), "\n.It Cm %s\n", suite[i]);
		const char *at = strstr(manual, entry);
		const char *end = at ? strstr(at + 1, "\n.It Cm ") : NULL;
		const char *told = at ? strstr(at, "each step is a snapshot of its own") : NULL;

		ck_assert_msg(end && told && told < end, "%s", suite[i]);
	}
}
END_TEST

/* As the sources name them where they set one. */
START_TEST(each_badge_is_in_the_manual)
{
	FILE *names = popen("grep -oh 'model_badge([^,]*, \"[a-z-]*\"' src/*.c | "
			    "sed 's/.*\"\\(.*\\)\"/\\1/' | sort -u", "r");
	char name[48], manual[64];
	const char *at = strstr(slurp(MANUAL), "\n.Sh DIAGNOSTICS");
	unsigned n = 0;

	for (; names && fscanf(names, "%47s", name) == 1; n++) {
		snprintf(manual, sizeof(manual), "!%s", name);
		ck_assert_msg(strstr(at, manual) != NULL, "no badge %s", manual);
	}
	ck_assert(names && !pclose(names));
	ck_assert_uint_gt(n, 20);
}
END_TEST

/* A word that mdoc takes for a delimiter would lose the blank beside it. */
static const char *plain_words(const char *keys, char *buf, size_t size)
{
	size_t n = 0;

	for (const char *at = keys; *at && n + 3 < size; at++) {
		if (strchr(",.[]", *at) && (at == keys || at[-1] == ' '))
			n += (size_t)snprintf(buf + n, size - n, "\\&");
		buf[n++] = *at;
	}
	buf[n] = '\0';
	return buf;
}

START_TEST(the_manual_lists_the_keys_of_the_table_in_its_order)
{
	const char *at = strstr(slurp(MANUAL), "\n.Sh KEYS");
	char entry[128], keys[32];

	ck_assert_ptr_nonnull(at);
	for (const struct key_binding *k = key_bindings; k->keys; k++) {
		snprintf(entry, sizeof(entry), "\n.It %s\n%s\n",
			 plain_words(k->keys, keys, sizeof(keys)), k->does);
		const char *found = strstr(at, entry);

		ck_assert_msg(found != NULL, "no entry%s", entry);
		ck_assert_msg(!strstr(at + 1, "\n.Sh") || found < strstr(at + 1, "\n.Sh"),
			      "%s is elsewhere", entry);
		at = found + 1;
	}
	const char *end = strstr(at, "\n.El");

	ck_assert_msg(!strstr(at + 1, "\n.It") || strstr(at + 1, "\n.It") > end,
		      "the manual has keys that the table has not");
}
END_TEST

/* What the completion must offer for a command. */
static void offered(const struct subcommand_row *sub, char *buf, size_t size)
{
	size_t used = (size_t)snprintf(buf, size, "\t%s) echo \"", sub->name ? sub->name : "live");

	for (const struct option_row *row = option_rows; row->name; row++) {
		if (!(row->subs & 1u << sub->sub))
			continue;
		if (row->letter)
			used += (size_t)snprintf(buf + used, size - used, "-%c ", row->letter);
		used += (size_t)snprintf(buf + used, size - used, "--%s ", row->name);
	}
	snprintf(buf + used - 1, size - used + 1, "\" ;;\n");
}

START_TEST(each_sign_of_the_help_is_in_the_manual)
{
	const char *at = strstr(slurp(MANUAL), "\n.Sh SIGNS");
	char entry[160];

	for (const struct help_sign *s = help_signs; s->sign; s++) {
		snprintf(entry, sizeof(entry), "%s\n%s\n", s->plain, s->means);
		ck_assert_msg(at && (at = strstr(at, entry)), "no `%s'", entry);
	}
}
END_TEST

START_TEST(the_completion_offers_the_options_of_each_command)
{
	const char *completion = slurp(COMPLETION);
	char line[1024];

	for (const struct subcommand_row *sub = subcommand_rows; sub->summary; sub++) {
		offered(sub, line, sizeof(line));
		ck_assert_msg(strstr(completion, line), "%s must have the line\n%s", COMPLETION, line);
	}
}
END_TEST

/* A stand-in for the program lists what there is; each word on a line of its own. */
static const struct { const char *words, *listed, *offered; } completed[] = {
	{ "record -f", "one .one read  write text\\nto-write .w  write text\\nto-read  read  text (read)",
	  "one to-write" },
	{ "convert -t", "foreign  read  to be read\\nown .own  write text", "own" },
	{ "record -l", "D churn  clients; 1..128 workers\\n    mode=seed (seed)  mix\\n  bonnie a file",
	  "churn bonnie" },
	{ "-P", "wakeup-fifo  wake\\n    period=1..2 (1)  ms\\nfork  fork", "wakeup-fifo fork" },
	{ "replay --theme", "default\\nlight", "default light" },
	{ "--probe =", "wakeup-fifo  wake\\nfork  fork", "wakeup-fifo fork" },
	{ "run --steps", "ladder  1, 2, 4\\ntcp  trips", "" },
	{ "run", "ladder  1, 2, 4\\ntcp  trips", "ladder tcp" },
};

START_TEST(completion_offers_what_can_be_given)
{
	char line[1000];

	snprintf(line, sizeof(line), "bash -c '. " COMPLETION "; jitterscope() { printf \"%s\\n\"; }; "
		 "COMP_WORDS=(jitterscope %s \"\"); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); "
		 "_jitterscope; test \"${COMPREPLY[*]}\" = \"%s\" || { echo \"${COMPREPLY[*]}\"; exit 1; }'",
		 completed[_i].listed, completed[_i].words, completed[_i].offered);
	ck_assert_msg(system(line) == 0, "%s", line);
}
END_TEST

/* The last word is being written, in a folder that has `a dir' and `a file.json'. */
static const struct { const char *words, *offered; } written[] = {
	{ "show a", "a dir|a file.json|as names of files|" },
	{ "record -o a", "a dir|a file.json|as names of files|" },
	{ "record --scratch a", "a dir|as names of files|" },
	{ "record -D 1s -- _jitterscope_opt", "_jitterscope_options|" },
	{ "record -- cat a", "a dir|a file.json|as names of files|" },
	{ "record --probe = w", "wakeup-fifo|" }, { "record --probe=w", "--probe=wakeup-fifo|" },
	{ "record --probe =", "fork|wakeup-fifo|" },
	{ "record -D 1", "" }, { "record --no-l", "--no-loads|" }, { "rec", "record|" },
};

START_TEST(completion_completes_names_and_commands)
{
	char line[1600];

	snprintf(line, sizeof(line), "bash -c '. " COMPLETION "; jitterscope() { printf \"wakeup-fifo  x\\nfork  x\\n\"; }; "
		 "compopt() { files=\"as names of files|\"; }; d=$(mktemp -d) && cd \"$d\" && mkdir \"a dir\" && "
		 "touch \"a file.json\"; COMP_WORDS=(jitterscope %s); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _jitterscope; "
		 "got=$(for w in \"${COMPREPLY[@]}\"; do printf \"%%s|\" \"$w\"; done | tr \"|\" \"\\n\" | sort -u | tr \"\\n\" \"|\"); "
		 "rm -r \"$d\"; test \"$got$files\" = \"%s\" || { echo \"$got$files\"; exit 1; }'",
		 written[_i].words, written[_i].offered);
	ck_assert_msg(system(line) == 0, "%s", line);
}
END_TEST

START_TEST(the_readme_lists_the_keys)
{
	const char *readme = slurp(README);
	char row[128];

	for (const struct key_binding *k = key_bindings; k->keys; k++) {
		snprintf(row, sizeof(row), "\n| `%s` | %s |", k->keys, k->does);
		ck_assert_msg(strstr(readme, row), "README.md has no row%s", row);
	}
}
END_TEST

Suite *manual_suite(void);
Suite *manual_suite(void)
{
	Suite *s = suite_create("manual");
	TCase *tc = tcase_create("equal");

	tcase_add_test(tc, each_option_has_an_entry_in_the_manual);
	tcase_add_test(tc, each_option_of_the_manual_exists);
	tcase_add_test(tc, each_letter_of_the_manual_exists);
	tcase_add_test(tc, each_command_is_in_the_manual);
	tcase_add_test(tc, each_probe_and_suite_is_in_the_manual);
	tcase_add_test(tc, suites_with_files_of_their_steps_say_so);
	tcase_add_test(tc, each_badge_is_in_the_manual);
	tcase_add_test(tc, the_manual_lists_the_keys_of_the_table_in_its_order);
	tcase_add_test(tc, each_sign_of_the_help_is_in_the_manual);
	tcase_add_test(tc, the_completion_offers_the_options_of_each_command);
	tcase_add_loop_test(tc, completion_offers_what_can_be_given, 0,
			    (int)(sizeof(completed) / sizeof(completed[0])));
	tcase_add_loop_test(tc, completion_completes_names_and_commands, 0, sizeof(written) / sizeof(written[0]));
	tcase_add_test(tc, the_readme_lists_the_keys);
	suite_add_tcase(s, tc);
	return s;
}
