/*
 * check_churn_loadfile.c - load files: what is read, refused and played.
 */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/loads/churn_loadfile.h"
#include "src/loads/churn_play.h"
#include "src/loads/churn_player.h"
#include "tests/load_harness.h"

extern const struct load load_churn;

#define V4 "tests/data/churn-v4.txt"
#define V1 "tests/data/churn-v1.txt"
#define OK " NT_STATUS_OK\n"

static char path[64];

static void setup(void)
{
	int fd;

	snprintf(path, sizeof(path), "/tmp/js-loadfile-XXXXXX");
	fd = mkstemp(path);
	ck_assert_int_ge(fd, 0);
	close(fd);
}

static void teardown(void)
{
	unlink(path);
}

static char *slurp(const char *name, size_t *size)
{
	FILE *f = fopen(name, "r");
	char *text = malloc(10001);

	*size = fread(text, 1, 10000, f);
	text[*size] = '\0';
	fclose(f);
	return text;
}

static void write_file(const char *text, size_t size)
{
	FILE *f = fopen(path, "w");

	ck_assert_uint_eq(fwrite(text, 1, size, f), size);
	fclose(f);
}

static struct loadfile *parse(const char *text, struct why *why)
{
	write_file(text, strlen(text));
	return loadfile_parse(path, why);
}

static struct loadfile *parse_ok(const char *text)
{
	struct why why = { 0 };
	struct loadfile *file = parse(text, &why);

	ck_assert_msg(file != NULL, "%s", why.text);
	return file;
}

/* ---- what is refused ---- */

static const struct {
	const char *text;
	int line;		/* 0: none is named */
	const char *say;
} refused[] = {
	{ "", 0, "nothing to play" },
	{ "# only\n\n", 0, "nothing to play" },
	{ "Jump 1" OK, 1, "not known" },
	{ "5" OK, 1, "not known" },
	{ "5\n", 1, "not known" },
	{ "Flush 1" OK "Close" OK, 2, "takes 2 words after it, not 1" },
	{ "Close 1\n", 1, "takes 2 words" },
	{ "Mkdir \"a" OK, 1, "quote" },
	{ "Mkdir \"\\a\\..\\b\"" OK, 1, "\"..\"" },
	{ "Mkdir \"..\"" OK, 1, "\"..\"" },
	{ "Mkdir \"a/..\"" OK, 1, "\"..\"" },
	{ "Rename \"a\" \"../b\"" OK, 1, "\"..\"" },
	{ "Mkdir \"a\001b\"" OK, 1, "control character" },
	{ "Close x" OK, 1, "not a number" },
	{ "Close 1x" OK, 1, "not a number" },
	{ "Close -1" OK, 1, "not a number" },
	{ "Close 0x" OK, 1, "not a number" },
	{ "Close 99999999999999999999" OK, 1, "not a number" },
	{ "Close *%0" OK, 1, "division by zero" },
	{ "Close 5/0" OK, 1, "division by zero" },
	{ "Close 5+kid" OK, 1, "not a number" },
	{ "ReadX 1 0 16777217 1" OK, 1, "16 MiB" },
	{ "1e400 Close 1" OK, 1, "seconds" },
	{ "1:5 Close 1" OK, 1, "seconds" },
	{ "LOOP 2\nClose 1" OK, 1, "LOOP without ENDLOOP" },
	{ "LOOP 2\nLOOP 2\n", 2, "LOOP within LOOP" },
	{ "Close 1" OK "ENDLOOP\n", 2, "ENDLOOP without LOOP" },
	{ "REPEAT 3\n", 1, "REPEAT without" },
	{ "REPEAT 3\nREPEAT 3\n", 2, "can not be repeated" },
	{ "REPEAT 3\nLOOP 3\n", 2, "can not be repeated" },
	{ "RANDOMSTRING 16 \"a\"\n", 1, "strings 0 to 15" },
	{ "Mkdir \"a$16\"" OK, 1, "$0 to $15" },
	{ "a b c d e f g h i j k l m\n", 1, "words" },
	{ "SMBmkdir REQUEST path\n", 1, "word 3 is missing" },
	{ "SMBwrite REQUEST handle 1 size 5 offset\n", 1, "word 7 is missing" },
	{ "SMBmkdir REQUEST path \\..\\up\n", 1, "\"..\"" },
	{ "SMBread REQUEST handle 1 size 99999999 offset 0\n", 1, "16 MiB" },
};

START_TEST(bad_lines_are_refused_with_their_number)
{
	char where[100];
	struct why why = { 0 };

	ck_assert_ptr_null(parse(refused[_i].text, &why));
	ck_assert_int_lt(why.err, 0);
	ck_assert_msg(strstr(why.text, refused[_i].say) != NULL, "%s", why.text);
	snprintf(where, sizeof(where), "%s:%d: ", path, refused[_i].line);
	if (refused[_i].line)
		ck_assert_msg(!strncmp(why.text, where, strlen(where)), "%s", why.text);
	ck_assert_msg(strchr(why.text, ';') != NULL, "no remedy: %s", why.text);
}
END_TEST

START_TEST(a_name_may_hold_two_dots_that_do_not_climb)
{
	struct loadfile *file = parse_ok("Mkdir \"a..b\\..c\\d..\\...\"" OK);

	ck_assert_str_eq(file->names + file->steps[0].name, "a..b/..c/d../...");
	loadfile_free(file);
}
END_TEST

static void expect_refusal(const char *say)
{
	struct why why = { 0 };

	ck_assert_ptr_null(loadfile_parse(path, &why));
	ck_assert_msg(strstr(why.text, say) != NULL, "%s", why.text);
}

START_TEST(files_that_are_no_text_are_refused)
{
	write_file("\x1f\x8b\x08 zipped", 10);
	expect_refusal("gzip");
	write_file("Close 1\0 NT_STATUS_OK\n", 21);
	expect_refusal("NUL");
	unlink(path);
	expect_refusal("No such file");
	ck_assert_int_eq(mkfifo(path, 0600), 0);
	expect_refusal("not a regular file");
	unlink(path);
	ck_assert_int_eq(mkdir(path, 0700), 0);
	expect_refusal("not a regular file");
	rmdir(path);
	ck_assert_int_eq(symlink("/dev/zero", path), 0);
	expect_refusal("not a regular file");
}
END_TEST

START_TEST(a_file_of_more_than_64_mib_is_refused_unread)
{
	ck_assert_int_eq(truncate(path, (64 << 20) + 1), 0);
	expect_refusal("64 MiB");
}
END_TEST

static char *repeated(const char *text, unsigned times)
{
	size_t n = strlen(text);
	char *all = malloc(n * times + 1), *at = all;

	while (times--)
		at = (char *)memcpy(at, text, n) + n;
	*at = '\0';
	return all;
}

START_TEST(a_million_lines_pass_and_one_more_does_not)
{
	char *lines = repeated("#\n", LOADFILE_LINES_MAX - 1), say[40];
	char *all = malloc(strlen(lines) + 100);

	sprintf(all, "%sClose 1" OK, lines);
	loadfile_free(parse_ok(all));
	strcat(all, "#\n");
	write_file(all, strlen(all));
	snprintf(say, sizeof(say), ":%d: more than", LOADFILE_LINES_MAX + 1);
	expect_refusal(say);
	free(lines);
	free(all);
}
END_TEST

START_TEST(a_line_of_1023_bytes_passes_and_one_of_1024_does_not)
{
	char line[1100];

	snprintf(line, sizeof(line), "Close 1 NT_STATUS_OK%*s\n", 1003, "");
	loadfile_free(parse_ok(line));
	snprintf(line, sizeof(line), "Close 1 NT_STATUS_OK%*s\n", 1004, "");
	write_file(line, strlen(line));
	expect_refusal(":1: longer than 1023 bytes");
}
END_TEST

/* ---- what is read ---- */

START_TEST(line_ends_comments_and_marks_do_not_matter)
{
	static const char *const same[] = {
		"Close 1 NT_STATUS_OK", ("\xef\xbb\xbf" "Close 1 NT_STATUS_OK\r\n"),
		"\t Close\t1  NT_STATUS_OK \n", "# x\n\nClose 1 0x00000000\n", "Close 0x1 SUCCESS",
		"Close 1 7 8 NT_STATUS_OK\n",
	};
	struct loadfile *file = parse_ok(same[_i]);

	ck_assert_uint_eq(file->count, 1);
	ck_assert_uint_eq(file->steps[0].op, STEP_CLOSE);
	ck_assert_uint_eq(file->steps[0].number[0], 1);
	ck_assert_uint_eq(file->steps[0].expect, EXPECT_SUCCESS);
	ck_assert_int_eq(file->steps[0].due_ns, -1);
	loadfile_free(file);
}
END_TEST

static const struct { const char *status; enum loadfile_expect want; } statuses[] = {
	{ "NT_STATUS_OK", EXPECT_SUCCESS }, { "SUCCESS", EXPECT_SUCCESS }, { "*", EXPECT_EITHER },
	{ "0x0", EXPECT_SUCCESS }, { "0x00000000", EXPECT_SUCCESS },
	{ "0xC0000034", EXPECT_FAILURE }, { "NT_STATUS_NO_SUCH_FILE", EXPECT_FAILURE },
	{ "0x", EXPECT_FAILURE },
};

START_TEST(a_status_says_what_must_happen)
{
	char text[100];
	struct loadfile *file;

	snprintf(text, sizeof(text), "Close 1 %s\n", statuses[_i].status);
	file = parse_ok(text);
	ck_assert_uint_eq(file->steps[0].expect, statuses[_i].want);
	loadfile_free(file);
}
END_TEST

static const struct { const char *text; uint64_t want; } numbers[] = {
	{ "0", 0 }, { "0x10", 16 }, { "18446744073709551615", UINT64_MAX }, { "7+5", 12 },
	{ "+5", 105 }, { "+0x10", 116 }, { "100/64", 64 }, { "100%64", 36 },
	{ "1000%300/64+3", 67 }, { "+child", 103 }, { "10+child", 13 }, { "0+num_children", 8 },
	{ "*%1", 0 }, { "*%1+9", 9 }, { "010", 10 },
};

START_TEST(numbers_are_worked_out_from_left_to_right)
{
	struct load_rng rng;
	struct loadfile *file;
	char text[100];

	load_rng_seed(&rng, 1);
	snprintf(text, sizeof(text), "Close %s" OK, numbers[_i].text);
	file = parse_ok(text);
	ck_assert_uint_eq(loadfile_number(file, file->steps, 0, 100, 3, 8, &rng),
			  numbers[_i].want);
	loadfile_free(file);
}
END_TEST

START_TEST(random_numbers_stay_in_their_range_and_differ)
{
	struct loadfile *file = parse_ok("Close *%1000/10" OK);
	uint64_t first, n;
	bool differ = false;
	struct load_rng rng;

	load_rng_seed(&rng, 1);
	first = loadfile_number(file, file->steps, 0, 0, 0, 1, &rng);
	for (unsigned i = 0; i < 100; i++) {
		n = loadfile_number(file, file->steps, 0, 0, 0, 1, &rng);
		ck_assert_uint_lt(n, 1000);
		ck_assert_uint_eq(n % 10, 0);
		differ |= n != first;
	}
	ck_assert(differ);
	loadfile_free(file);
}
END_TEST

START_TEST(names_lie_below_the_client_and_carry_its_number)
{
	struct loadfile *file = parse_ok("Mkdir \"\\clients\\client1\\CLIENT10\\\"" OK
					 "Mkdir \"\\\"" OK);
	const char *name = file->names + file->steps[0].name;

	ck_assert_str_eq(name, "clients/client\001/CLIENT10");
	ck_assert_str_eq(file->names + file->steps[1].name, ".");
	loadfile_free(file);
}
END_TEST

#if !defined(JS_ASAN) && !defined(JS_TSAN)	/* they report a fault themselves */
START_TEST(the_program_can_not_be_written_to)
{
	struct loadfile *file = parse_ok("Close 1" OK);

	unlink(path);		/* nobody comes back to do it */
	((struct loadfile_step *)file->steps)->op = 0;
}
END_TEST
#endif

START_TEST(format_1_is_told_by_its_first_word)
{
	struct why why = { 0 };
	struct loadfile *file = loadfile_parse(V1, &why);
	static const enum loadfile_op want[] = {
		STEP_OLD_MKDIR, STEP_OLD_CREATE, STEP_OLD_OPEN, STEP_OLD_WRITE, STEP_OLD_WRITE,
		STEP_OLD_READ, STEP_OLD_READ, STEP_CLOSE, STEP_OLD_STAT, STEP_OLD_OPEN, STEP_CLOSE,
		STEP_OLD_RENAME, STEP_OLD_UNLINK, STEP_OLD_UNLINK, STEP_OLD_RMDIR,
	};

	ck_assert_msg(file != NULL, "%s", why.text);
	ck_assert_uint_eq(file->format, 1);
	ck_assert_uint_eq(file->count, sizeof(want) / sizeof(want[0]));
	for (unsigned i = 0; i < file->count; i++)
		ck_assert_uint_eq(file->steps[i].op, want[i]);
	ck_assert_str_eq(file->names + file->steps[2].name, "CLIENTS/LETTER.DOC");
	/* handle, size, offset: in this order whatever the line's own */
	ck_assert_uint_eq(file->steps[4].number[1], 8000);
	ck_assert_uint_eq(file->steps[4].number[2], 4096);
	loadfile_free(file);
}
END_TEST

/* ---- what is played ---- */

static struct harness *play(struct loadfile *file, unsigned clients, uint64_t passes,
			    struct why *why)
{
	struct harness *h = harness_new(&load_churn, clients, 3);

	harness_worker(h, 0)->file = file;
	ck_assert_msg(harness_run(h, passes, 0, why) == 0, "%s", why->text);
	return h;
}

START_TEST(a_whole_file_plays_without_one_mismatch)
{
	static const struct { const char *path; unsigned ops; uint64_t bytes; } files[] = {
		{ V4, 31, 1 + 65536 + 4096 + 61440 + 8192 },
		{ V1, 15, 4096 + 8000 + 4096 + 12096 },
	};
	struct why why = { 0 };
	struct loadfile *file = loadfile_parse(files[_i].path, &why);
	struct harness *h;

	ck_assert_msg(file != NULL, "%s", why.text);
	h = play(file, 2, 3, &why);
	ck_assert_uint_eq(harness_errors(h), 0);
	ck_assert_uint_ge(harness_ops(h), harness_passes(h) * files[_i].ops);
	ck_assert_uint_lt(harness_ops(h), (harness_passes(h) + 2) * files[_i].ops);
	ck_assert_uint_ge(harness_bytes(h), harness_passes(h) * files[_i].bytes);
	ck_assert_uint_le(harness_bytes(h), (harness_passes(h) + 2) * files[_i].bytes);
	ck_assert_uint_eq(harness_left(h), 0);
	harness_free(h);
	loadfile_free(file);
}
END_TEST

/* One pass by one client in this process; the folder is left for a look. */
struct single {
	struct harness *h;
	struct player *p;
	struct loadfile *file;
	struct load_worker *w;
};

static struct single single_new(const char *text)
{
	struct single s = { .file = parse_ok(text) };
	struct why why = { 0 };

	s.h = harness_new(&load_churn, 1, 3);
	s.w = harness_worker(s.h, 0);
	s.w->file = s.file;
	ck_assert_int_eq(churn_play_make(&files_real, s.w->scratch_fd, 0, &why), 0);
	s.p = player_open(s.w, &files_real, CHURN_FSYNC, &why);
	ck_assert_msg(s.p != NULL, "%s", why.text);
	return s;
}

static struct single single_play(const char *text)
{
	struct single s = single_new(text);
	struct why why = { 0 };

	ck_assert_msg(player_pass(s.p, &why) == 0, "%s", why.text);
	return s;
}

static void single_end(struct single *s)
{
	player_close(s->p);
	ck_assert_uint_eq(harness_left(s->h), 0);
	harness_free(s->h);
	loadfile_free(s->file);
}

static const struct { const char *text; unsigned ops, errors; uint64_t bytes; } programs[] = {
	{ "REPEAT 5\nQUERY_FS_INFORMATION 1" OK, 5, 0, 0 },
	{ "LOOP 3\nQUERY_FS_INFORMATION 1" OK "Mkdir \"a\"" OK "ENDLOOP\nMkdir \"b\"" OK, 7, 0, 0 },
	{ "LOOP 0\nQUERY_FS_INFORMATION 1" OK "ENDLOOP\nMkdir \"b\"" OK, 1, 0, 0 },
	{ "LOOP 2\nREPEAT 2\nMkdir \"b\"" OK "ENDLOOP\n", 4, 0, 0 },
	/* the bare +n walks through the file */
	{ "NTCreateX \"f\" 0 2 1" OK "WriteX 1 0 1000 1000" OK "REPEAT 9\nWriteX 1 +1000 1000 1000" OK
	  "ReadX 1 9000 1000 1000" OK "QUERY_FILE_INFORMATION 1 1" OK "Close 1" OK, 14, 0, 11000 },
	{ "Close 5 *\nClose 5 NT_STATUS_FAILS\nClose 5" OK, 3, 1, 0 },
	{ "ReadX 9 0 100 100" OK, 1, 1, 0 },
	{ "Mkdir \"A\"" OK "QUERY_PATH_INFORMATION \"a\" 1" OK "Rmdir \"a\"" OK, 3, 0, 0 },
	{ "Mkdir \"A\"" OK "NTCreateX \"a\" 0 1 1" OK "NTCreateX \"a\" 1 1 2" OK, 3, 0, 0 },
	{ "NTCreateX \"new\" 1 1 1 NT_STATUS_FAILS\n", 1, 0, 0 },
	{ "NTCreateX \"x\" 0 2 1" OK "FIND_FIRST \"?\" 1 9 1" OK "FIND_FIRST \"<Y\" 1 9 0 0xC1\n"
	  "FIND_FIRST \"*.*\" 1 9 0 *\n", 4, 0, 0 },
	{ "Deltree \"none\"" OK "Deltree \"\\\"" OK, 2, 0, 0 },
	{ "RANDOMSTRING 1 \"f[ab]x\"\nMkdir \"$1\"" OK "Rmdir \"$1\"" OK, 2, 0, 0 },
	{ "RANDOMSTRING 1 \".\"\nMkdir \"$1$1/up\" NT_STATUS_FAILS\n", 1, 0, 0 },
	{ "Mkdir \"$3/etc\" NT_STATUS_FAILS\n", 1, 0, 0 },
	{ "RANDOMSTRING 2 \"/etc\"\nMkdir \"$2\"" OK "Rmdir \"_etc\"" OK, 2, 0, 0 },
	{ "WRITEPATTERN \"xyz\"\nSLEEP 1\nSETSP 4\nWAITSP 0 4\nWAITSP 9 1\nMkdir \"a\"" OK, 1, 0, 0 },
	{ "NTCreateX \"f\" 0 2 1" OK "NTCreateX \"f\" 0 1 1" OK "Close 1" OK
	  "Close 1 NT_FAILS\n", 4, 0, 0 },
};

START_TEST(programs_do_as_many_calls_as_they_say)
{
	struct single s = single_play(programs[_i].text);

	ck_assert_uint_eq(harness_ops(s.h), programs[_i].ops);
	ck_assert_uint_eq(harness_errors(s.h), programs[_i].errors);
	ck_assert_uint_eq(harness_bytes(s.h), programs[_i].bytes);
	ck_assert_uint_eq(harness_passes(s.h), 1);
	single_end(&s);
}
END_TEST

/* The screen shows it while the load runs: not only where passes are long. */
START_TEST(cpu_time_is_told_in_short_passes_and_in_long_repeats)
{
	static const char *const texts[] = {
		"REPEAT 100\nQUERY_FS_INFORMATION 1" OK, "QUERY_FS_INFORMATION 1" OK,
	};
	struct single s = single_new(texts[_i]);
	struct why why = { 0 };

	for (unsigned i = 0; i < 100; i++)
		ck_assert_msg(player_pass(s.p, &why) == 0, "%s", why.text);
	ck_assert_uint_gt(atomic_load(&s.w->line->cpu_ns), 0);
	single_end(&s);
}
END_TEST

/* ---- by operation ---------------------------------------------------------- */

enum counted { READS, WRITES, FLUSHES, RENAMES, LOCKS, TIMES, STATVFS, COUNTED };
static unsigned calls[COUNTED];

static ssize_t counted_read(void *self, int fd, void *buf, size_t size, off_t offset)
{
	calls[READS]++;
	return files_real.read_at(self, fd, buf, size, offset);
}

static ssize_t counted_write(void *self, int fd, const void *buf, size_t size, off_t offset)
{
	calls[WRITES]++;
	return files_real.write_at(self, fd, buf, size, offset);
}

static int counted_flush(void *self, int fd)
{
	calls[FLUSHES]++;
	return files_real.flush(self, fd);
}

static int counted_rename(void *self, int dir, const char *from, const char *to)
{
	calls[RENAMES]++;
	return files_real.rename(self, dir, from, to);
}

static int counted_lock(void *self, int fd, off_t offset, off_t size, bool on)
{
	calls[LOCKS]++;
	return files_real.lock(self, fd, offset, size, on);
}

static int counted_times(void *self, int fd, const struct timespec times[2])
{
	calls[TIMES]++;
	return files_real.set_times(self, fd, times);
}

static int counted_statvfs(void *self, int fd)
{
	calls[STATVFS]++;
	return files_real.statvfs(self, fd);
}

/* Lines of the file that begin with this word. */
static unsigned lines_of(const char *text, const char *word)
{
	unsigned n = 0;

	for (const char *line = text; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
		n += !strncmp(line, word, strlen(word)) && line[strlen(word)] == ' ';
	return n;
}

START_TEST(a_pass_makes_each_call_as_often_as_the_file_has_it)
{
	static const char *const words[COUNTED][2] = {
		[READS] = { "ReadX" }, [WRITES] = { "WriteX" }, [FLUSHES] = { "Flush" },
		[RENAMES] = { "Rename" }, [LOCKS] = { "LockX", "UnlockX" },
		[TIMES] = { "SET_FILE_INFORMATION" }, [STATVFS] = { "QUERY_FS_INFORMATION" },
	};
	struct files counted = files_real;
	size_t size;
	char *text = slurp(V4, &size);
	struct single s = single_new(text);
	struct why why = { 0 };

	counted.read_at = counted_read;
	counted.write_at = counted_write;
	counted.flush = counted_flush;
	counted.rename = counted_rename;
	counted.lock = counted_lock;
	counted.set_times = counted_times;
	counted.statvfs = counted_statvfs;
	s.p->f = &counted;
	for (unsigned pass = 1; pass <= 3; pass++) {
		ck_assert_msg(player_pass(s.p, &why) == 0, "%s", why.text);
		for (unsigned i = 0; i < COUNTED; i++) {
			unsigned in_file = lines_of(text, words[i][0]) +
					   (words[i][1] ? lines_of(text, words[i][1]) : 0);

			ck_assert_uint_gt(in_file, 0);
			ck_assert_msg(calls[i] == pass * in_file, "%s: %u calls in %u passes, %u lines",
				      words[i][0], calls[i], pass, in_file);
		}
	}
	s.p->f = &files_real;
	single_end(&s);
	free(text);
}
END_TEST

START_TEST(names_of_a_client_carry_its_index_on_the_disk)
{
	struct single s = single_play("Mkdir \"\\client1\"" OK);

	ck_assert_int_eq(faccessat(s.w->scratch_fd, "c000/client0", F_OK, 0), 0);
	single_end(&s);
}
END_TEST

START_TEST(a_pattern_is_what_gets_written)
{
	struct single s = single_play("WRITEPATTERN \"ab\"\nNTCreateX \"f\" 0 2 1" OK
				      "WriteX 1 0 5 5" OK);
	int fd = openat(s.w->scratch_fd, "c000/f", O_RDONLY);
	char buf[8] = "";

	ck_assert_int_eq(read(fd, buf, sizeof(buf)), 5);
	ck_assert_str_eq(buf, "ababa");
	close(fd);
	single_end(&s);
}
END_TEST

START_TEST(the_first_mismatch_is_published_with_its_line)
{
	struct single s = single_play("\nMkdir \"a\" NT_STATUS_FAILS\nRmdir \"b\"" OK);
	char text[64] = "";

	for (unsigned i = 0; i < sizeof(text) - 1; i++)
		text[i] = s.w->result->text[i];
	ck_assert_str_eq(text, "loadfile line 2: succeeded, but must fail");
	ck_assert_uint_eq(harness_errors(s.h), 2);
	single_end(&s);
}
END_TEST

START_TEST(two_hundred_handles_and_no_more)
{
	struct single s = single_play("LOOP 200\nNTCreateX \"f\" 0 2 +1" OK "ENDLOOP\n"
				      "NTCreateX \"f\" 0 2 9999 NT_STATUS_TOO_MANY\n");

	ck_assert_uint_eq(harness_ops(s.h), 201);
	ck_assert_uint_eq(harness_errors(s.h), 0);
	single_end(&s);
}
END_TEST

START_TEST(a_due_time_is_waited_for)
{
	int64_t begun_ns = clock_now_ns();
	struct single s = single_play("0.03 Mkdir \"a\"" OK);

	ck_assert_int_ge(clock_now_ns() - begun_ns, 30 * NS_PER_MS);
	single_end(&s);
}
END_TEST

START_TEST(being_late_for_a_due_time_is_latency)
{
	struct single s = single_play("SLEEP 40000\n0.01 Mkdir \"a\"" OK);

	ck_assert_uint_ge(s.w->line->max_latency & ((UINT64_C(1) << 40) - 1),
			  (uint64_t)(29 * NS_PER_MS));
	single_end(&s);
}
END_TEST

START_TEST(clients_wait_for_each_other)
{
	struct loadfile *file = parse_ok("SETSP 1\nWAITSP 0 1\nWAITSP 1 1\nMkdir \"a\"" OK);
	struct why why = { 0 };
	struct harness *h = play(file, 2, 2, &why);

	ck_assert_uint_eq(harness_errors(h), 0);
	harness_free(h);
	loadfile_free(file);
}
END_TEST

START_TEST(a_disk_that_is_full_ends_the_play)
{
	struct single s = single_new("SMBopenX REQUEST a b path F\n"
				     "SMBopenX REPLY h 1 size 999999999999\n");
	struct why why = { 0 };

	ck_assert_int_eq(player_pass(s.p, &why), -EFBIG);
	ck_assert_str_eq(why.text, "disk full, stopped");
	single_end(&s);
}
END_TEST

/* ---- hostile text ---- */

/* A program that came out of broken text is played too: nothing may leave the
 * folder, and nothing may stay in it. */
static void survive(const char *text, size_t size, bool played)
{
	struct why why = { 0 };
	struct loadfile *file;

	write_file(text, size);
	file = loadfile_parse(path, &why);
	if (!file)
		ck_assert_uint_gt(strlen(why.text), 10);
	if (file && played && !memmem(text, size, "SLEEP", 5)) {
		struct single s = { .file = file };

		s.h = harness_new(&load_churn, 1, 3);
		s.w = harness_worker(s.h, 0);
		s.w->file = file;
		ck_assert_int_eq(churn_play_make(&files_real, s.w->scratch_fd, 0, &why), 0);
		s.p = player_open(s.w, &files_real, CHURN_SEED, &why);
		player_pass(s.p, &why);
		ck_assert_int_ne(faccessat(s.w->scratch_fd, "c000", F_OK, 0), -1);
		single_end(&s);
		return;
	}
	loadfile_free(file);
}

START_TEST(every_byte_changed_is_survived)
{
	static const char changes[] = { 0, '"', '*', '9', '/', '\n', (char)0xff, '.', '$' };
	size_t size;
	char *text = slurp(_i ? V1 : V4, &size);

	for (size_t at = 0; at < size; at++) {
		char held = text[at];

		text[at] = changes[at % sizeof(changes)];
		survive(text, size, at % 16 == 0);
		text[at] = held;
	}
	for (size_t cut = 1; cut < size; cut += 7)
		survive(text, cut, cut % 5 == 0);
	free(text);
}
END_TEST

Suite *churn_loadfile_suite(void);
Suite *churn_loadfile_suite(void)
{
	Suite *s = suite_create("churn_loadfile");
	TCase *tc = tcase_create("parse"), *play_case = tcase_create("play");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, bad_lines_are_refused_with_their_number, 0,
			    sizeof(refused) / sizeof(refused[0]));
	tcase_add_test(tc, a_name_may_hold_two_dots_that_do_not_climb);
	tcase_add_test(tc, files_that_are_no_text_are_refused);
	tcase_add_test(tc, a_file_of_more_than_64_mib_is_refused_unread);
	tcase_add_test(tc, a_million_lines_pass_and_one_more_does_not);
	tcase_add_test(tc, a_line_of_1023_bytes_passes_and_one_of_1024_does_not);
	tcase_add_loop_test(tc, line_ends_comments_and_marks_do_not_matter, 0, 6);
	tcase_add_loop_test(tc, a_status_says_what_must_happen, 0,
			    sizeof(statuses) / sizeof(statuses[0]));
	tcase_add_loop_test(tc, numbers_are_worked_out_from_left_to_right, 0,
			    sizeof(numbers) / sizeof(numbers[0]));
	tcase_add_test(tc, random_numbers_stay_in_their_range_and_differ);
	tcase_add_test(tc, names_lie_below_the_client_and_carry_its_number);
#if !defined(JS_ASAN) && !defined(JS_TSAN)
	tcase_add_test_raise_signal(tc, the_program_can_not_be_written_to, 11);
#endif
	tcase_add_test(tc, format_1_is_told_by_its_first_word);
	tcase_add_loop_test(tc, every_byte_changed_is_survived, 0, 2);
	suite_add_tcase(s, tc);
	tcase_add_checked_fixture(play_case, setup, teardown);
	tcase_set_timeout(play_case, 60);
	tcase_add_loop_test(play_case, a_whole_file_plays_without_one_mismatch, 0, 2);
	tcase_add_loop_test(play_case, cpu_time_is_told_in_short_passes_and_in_long_repeats, 0, 2);
	tcase_add_loop_test(play_case, programs_do_as_many_calls_as_they_say, 0,
			    sizeof(programs) / sizeof(programs[0]));
	tcase_add_test(play_case, a_pass_makes_each_call_as_often_as_the_file_has_it);
	tcase_add_test(play_case, names_of_a_client_carry_its_index_on_the_disk);
	tcase_add_test(play_case, a_pattern_is_what_gets_written);
	tcase_add_test(play_case, the_first_mismatch_is_published_with_its_line);
	tcase_add_test(play_case, two_hundred_handles_and_no_more);
	tcase_add_test(play_case, a_due_time_is_waited_for);
	tcase_add_test(play_case, being_late_for_a_due_time_is_latency);
	tcase_add_test(play_case, clients_wait_for_each_other);
	tcase_add_test(play_case, a_disk_that_is_full_ends_the_play);
	suite_add_tcase(s, play_case);
	return s;
}
