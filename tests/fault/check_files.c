/*
 * check_files.c - P10: a file is old or new, never half: the program is killed
 * at, or refused, every single system call of a save.  What a killed save left
 * is gone after the next start.
 */
#include <check.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/snapshot.h"
#include "tests/prog.h"
#include "tests/stepper.h"

#define OLD "old\n"
#define CALLS_MOST 1000
#define MARK ".jitterscope-"

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

static int convert(const char *out, const char *said, struct step *s)
{
	const char *const argv[] = { program, "convert", seed, "-t", "json", "-o", out, NULL };

	return step_run(argv, said, s);
}

static const char *content(const char *name)
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

static void old_or_new(const struct step *s)
{
	const char *text = content("out.json");

	ck_assert_msg(!strcmp(text, OLD) || is_new(text), "call %u (%ld): half a file: %.60s...",
		      s->at, s->hit, text);
}

static unsigned left_over(void)
{
	DIR *d = opendir(".");
	unsigned n = 0;

	ck_assert_ptr_nonnull(d);
	for (struct dirent *e; (e = readdir(d));)
		n += strstr(e->d_name, MARK) != NULL;
	closedir(d);
	return n;
}

/* P10: old or new, never half. */
START_TEST(p10_killed_at_every_call)
{
	struct step s = { .at = 0 }, plain = { .at = 0 };
	unsigned kept = 0;
	int status;

	if (!step_can("p10_killed_at_every_call"))
		return;
	do {
		s.at++;
		put_old();
		status = convert("out.json", "said", &s);
		old_or_new(&s);
		kept += left_over();
		ck_assert_uint_le(left_over(), 1);
		ck_assert_int_eq(convert("other.json", "said", &plain), 0);
		ck_assert_msg(!left_over(), "killed at call %u (%ld): its file is still there", s.at, s.hit);
	} while (WIFSIGNALED(status) && s.at < CALLS_MOST);
	ck_assert_msg(status == 0, "%s", content("said"));
	ck_assert(is_new(content("out.json")));
	ck_assert_uint_gt(kept, 0);
	printf("P10 killed at each of %u calls: 0 half files, 0 left after the next start\n", s.seen);
}
END_TEST

static const int errors[] = { ENOSPC, EIO, EROFS, EDQUOT };

/* Was standard error the one thing that was refused? */
static bool speechless(const struct step *s)
{
	return s->for_ever && s->hit == SYS_write;
}

/* Refused once, and for ever from then on: the old file stays or the new one is
 * whole, nothing else is left, one line says why, and the exit is 1. */
static bool refused(struct step *s)
{
	put_old();
	int status = convert("out.json", "said", s);

	old_or_new(s);
	if (s->hit < 0)
		return false;
	ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) <= 1, "call %u (%ld), error %d: status %x\n%s",
		      s->at, s->hit, s->error, (unsigned)status, content("said"));
	if (s->hit != SYS_unlinkat)
		ck_assert_msg(!left_over(), "call %u (%ld), error %d: something is left", s->at, s->hit, s->error);
	if (!status)
		ck_assert(is_new(content("out.json")));
	else if (!speechless(s))
		ck_assert_msg(!strncmp(content("said"), "jitterscope: ", 13) && strchr(content("said"), '\n'),
			      "call %u (%ld), error %d: no word", s->at, s->hit, s->error);
	return true;
}

/* P10: each error, once and for ever. */
START_TEST(p10_refused_at_every_call)
{
	struct step s = { .error = errors[_i / 2], .for_ever = _i % 2, .from_directory = true };

	if (!step_can("p10_refused_at_every_call"))
		return;
	for (s.at = 1; s.at < CALLS_MOST && refused(&s); s.at++)
		;
	ck_assert_uint_gt(s.at, 10);
	ck_assert_uint_lt(s.at, CALLS_MOST);
	printf("P10 refused with %s %s at each of %u calls: 0 half files\n", strerror(errors[_i / 2]),
	       _i % 2 ? "for ever" : "once", s.at - 1);
}
END_TEST

/* The reason is the disk's own. */
START_TEST(p10_the_reason_is_named)
{
	static const struct { const char *call; long nr; int error; const char *why; } rows[] = {
		{ "openat", SYS_openat, EROFS, "read-only" }, { "write", SYS_write, ENOSPC, "full" },
		{ "write", SYS_write, EDQUOT, "quota" }, { "fsync", SYS_fsync, EIO, "Input/output" },
		{ "renameat", SYS_renameat, EROFS, "read-only" },
	};
	struct step s = { .error = rows[_i].error, .from_directory = true };

	if (!step_can("p10_the_reason_is_named"))
		return;
	do
		s.at++;
	while (refused(&s) && s.hit != rows[_i].nr);
	ck_assert_msg(s.hit == rows[_i].nr, "no %s in a save", rows[_i].call);
	ck_assert_msg(strstr(content("said"), rows[_i].why) && strstr(content("said"), "out.json"), "%s", content("said"));
	ck_assert_str_eq(content("out.json"), OLD);
}
END_TEST

/* Takes what room there is, but for so many bytes. */
static void fill_up(const char *name, off_t but)
{
	static const char block[4096];
	int fd = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	off_t used = 0;
	ssize_t n;

	ck_assert_int_ge(fd, 0);
	while ((n = write(fd, block, sizeof(block))) > 0)
		used += n;
	ck_assert_int_eq(errno, ENOSPC);
	ck_assert_int_eq(ftruncate(fd, used - but), 0);
	close(fd);
}

static unsigned times_said(const char *text, const char *word)
{
	unsigned n = 0;

	for (; (text = strstr(text, word)); text += strlen(word))
		n++;
	return n;
}

/* A disk that is full at the start of a recording, and one that fills up. */
START_TEST(p10_a_recording_that_finds_no_room_is_told_of_once)
{
	const char *const argv[] = { program, "record", "-D", "2500ms", "--no-loads", "-o", "tiny/x.jsr", NULL };
	struct prog p;

	mkdir("tiny", 0755);
	if (mount("none", "tiny", "tmpfs", 0, "size=64k")) {
		printf("SKIP p10_a_recording_that_finds_no_room_is_told_of_once: %s\n", strerror(errno));
		return;
	}
	fill_up("tiny/rest", _i ? 4096 : 0);
	prog_run(&p, 20000, argv);
	bool there = !access("tiny/x.jsr", F_OK);
	struct snapshot *s = there ? snapshot_read("tiny/x.jsr", NULL) : NULL;

	umount2("tiny", MNT_DETACH);	/* before anything can fail */
	ck_assert_int_eq(p.exit_code, 1);
	ck_assert_msg(times_said(p.err, "x.jsr") == 1 && strstr(p.err, "full"), "%s", p.err);
	ck_assert_int_eq(there, _i);
	ck_assert(!there || s);
	snapshot_free(s);
	prog_free(&p);
}
END_TEST

/* Each that cannot write says so beside its figures: to who waits, in the report
 * and in the file. */
START_TEST(p10_a_file_probe_without_room_is_told_of_everywhere)
{
	static const char *const names[] = { "create", "delete", "fsync", "mmap" };
	const char *argv[] = { program, "record", "-D", "500ms", "-P", "create", "-P", "delete", "-P", "fsync",
			       "-P", "mmap", "--scratch", "tiny", NULL, NULL };
	struct prog report, file;

	mkdir("tiny", 0755);
	if (mount("none", "tiny", "tmpfs", 0, "size=64k,mode=1777")) {
		printf("SKIP p10_a_file_probe_without_room_is_told_of_everywhere: %s\n", strerror(errno));
		return;
	}
	prog_run(&report, 20000, argv);
	argv[14] = "--json";
	prog_run(&file, 20000, argv);
	umount2("tiny", MNT_DETACH);	/* before anything can fail */
	ck_assert_int_eq(report.exit_code, 1);
	ck_assert_int_eq(file.exit_code, 1);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char said[32], badge[32], warn[48];

		snprintf(said, sizeof(said), "%s: disk full", names[i]);
		snprintf(warn, sizeof(warn), "warn      %s: disk full", names[i]);
		snprintf(badge, sizeof(badge), "\"no-%s\"", names[i]);
		ck_assert_msg(times_said(report.err, said) == 1, "%s: %s", said, report.err);
		ck_assert_msg(times_said(report.out, warn) == 1, "%s: %s", warn, report.out);
		ck_assert_msg(times_said(file.err, said) == 1, "%s: %s", said, file.err);
		ck_assert_msg(times_said(file.out, badge) == 1, "%s: %s", badge, file.out);
	}
	prog_free(&report);
	prog_free(&file);
}
END_TEST

Suite *files_suite(void);

Suite *files_suite(void)
{
	Suite *s = suite_create("files");
	TCase *tc = tcase_create("files");

	tcase_set_timeout(tc, 240);
	tcase_add_checked_fixture(tc, enter, leave);
	tcase_add_test(tc, p10_killed_at_every_call);
	tcase_add_loop_test(tc, p10_refused_at_every_call, 0, 2 * (int)(sizeof(errors) / sizeof(errors[0])));
	tcase_add_loop_test(tc, p10_the_reason_is_named, 0, 5);
	tcase_add_loop_test(tc, p10_a_recording_that_finds_no_room_is_told_of_once, 0, 2);
	tcase_add_test(tc, p10_a_file_probe_without_room_is_told_of_everywhere);
	suite_add_tcase(s, tc);
	return s;
}
