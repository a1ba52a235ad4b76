/*
 * check_files.c - P10: a file is old or new, never half: killed at, or refused
 * by, every system call that makes it.  strace injects; without it, skipped.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/prog.h"

#define OLD "old\n"
#define CALLS_MOST 400

static char dir[64], program[300], seed[300];

static void enter(void)
{
	char top[200];

	ck_assert_ptr_nonnull(getcwd(top, sizeof(top)));
	snprintf(program, sizeof(program), "%s%s%s", prog_path()[0] == '/' ? "" : top,
		 prog_path()[0] == '/' ? "" : "/", prog_path());
	snprintf(seed, sizeof(seed), "%s/tests/data/histogram-lowlat.txt", top);
	snprintf(dir, sizeof(dir), "/tmp/jitterscope-files.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	ck_assert_int_eq(chdir(dir), 0);
}

static void leave(void)
{
	char command[100];

	ck_assert_int_eq(chdir("/"), 0);
	snprintf(command, sizeof(command), "rm -r %s", dir);
	ck_assert_int_eq(system(command), 0);
}

/* Runs the conversion with something injected; its wait status. */
static int run(const char *inject)
{
	char command[1200];

	snprintf(command, sizeof(command), "exec strace -f -qq -o trace -e trace=all -e inject=%s "
		 "'%s' convert '%s' -t json -o out.json >said 2>&1", inject, program, seed);
	return system(command);
}

static char *content(const char *name)
{
	static char text[100000];
	FILE *in = fopen(name, "r");

	text[0] = '\0';
	if (in) {
		text[fread(text, 1, sizeof(text) - 1, in)] = '\0';
		fclose(in);
	}
	return text;
}

static void put_old(void)
{
	FILE *out = fopen("out.json", "w");

	fputs(OLD, out);
	fclose(out);
}

static bool is_new(const char *text)
{
	size_t n = strlen(text);

	return !strncmp(text, "{\n  \"format\": \"jitterscope-snapshot\"", 36) && n > 2 &&
	       !strcmp(text + n - 2, "}\n");
}

static void old_or_new(const char *inject)
{
	const char *text = content("out.json");

	ck_assert_msg(!strcmp(text, OLD) || is_new(text), "%s: half a file: %.60s...", inject, text);
}

static const char *const calls[] = { "write", "fsync", "renameat", "openat", "close", "getrandom" };

/* Killed at the kth call of each name, until the run goes through. */
START_TEST(p10_killed_at_every_call)
{
	unsigned k = 1;
	int status = -1;

	if (!prog_have("strace", "p10_killed_at_every_call"))
		return;
	for (; k < CALLS_MOST && status; k++) {
		char inject[80];

		snprintf(inject, sizeof(inject), "%s:signal=SIGKILL:when=%u", calls[_i], k);
		put_old();
		status = run(inject);
		old_or_new(inject);
	}
	ck_assert_msg(status == 0, "%s: never went through: %s", calls[_i], content("said"));
	ck_assert(is_new(content("out.json")));
	printf("P10 killed at %s 1..%u: no half file\n", calls[_i], k - 1);
}
END_TEST

static const struct { const char *call, *error; } refusals[] = {
	{ "write", "ENOSPC" }, { "write", "EIO" }, { "write", "EDQUOT" }, { "write", "EFBIG" },
	{ "fsync", "EIO" }, { "fsync", "ENOSPC" }, { "renameat", "EROFS" }, { "renameat", "EDQUOT" },
	{ "renameat", "ENOSPC" },
};

/* Refused once, and for ever, from the kth call on: the old file stays, nothing
 * else does, one line says why, and the exit is 1. */
START_TEST(p10_refused_at_every_call)
{
	const char *call = refusals[_i].call, *error = refusals[_i].error;
	int status = -1;

	if (!prog_have("strace", "p10_refused_at_every_call"))
		return;
	for (unsigned k = 1; k < CALLS_MOST && status; k++) {
		for (int for_ever = 0; for_ever < 2; for_ever++) {
			char inject[80];

			snprintf(inject, sizeof(inject), "%s:error=%s:when=%u%s", call, error, k,
				 for_ever ? "+" : "");
			put_old();
			status = run(inject);
			old_or_new(inject);
			ck_assert_msg(WIFEXITED(status), "%s: died", inject);
			ck_assert_msg(WEXITSTATUS(status) <= 1, "%s: exit %d", inject,
				      WEXITSTATUS(status));
			if (status && !is_new(content("out.json")))
				ck_assert_int_eq(system("test $(ls -A | wc -l) = 3"), 0);
			if (status && strcmp(call, "write"))
				ck_assert_ptr_nonnull(strstr(content("said"), "jitterscope: out.json: "));
		}
	}
	ck_assert_msg(status == 0, "%s %s: never went through", call, error);
}
END_TEST

Suite *files_suite(void);

Suite *files_suite(void)
{
	Suite *s = suite_create("files");
	TCase *tc = tcase_create("files");

	tcase_set_timeout(tc, 240);
	tcase_add_checked_fixture(tc, enter, leave);
	tcase_add_loop_test(tc, p10_killed_at_every_call, 0, (int)(sizeof(calls) / sizeof(calls[0])));
	tcase_add_loop_test(tc, p10_refused_at_every_call, 0,
			    (int)(sizeof(refusals) / sizeof(refusals[0])));
	suite_add_tcase(s, tc);
	return s;
}
