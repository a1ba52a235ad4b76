/* check_recording_pipe.c - bytes on their way to a file that may be slow, full
 * or gone: whole pieces in order, or a reason. */
#include "src/recording_pipe.h"

#include <check.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define MIB (1u << 20)
#define TRIES 200
#define WAIT_MS 20000

static char dir[64], path[100];

static void enter(void)
{
	snprintf(dir, sizeof(dir), "/tmp/jitterscope-pipe.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/x.jsr", dir);
}

static void leave(void)
{
	unlink(path);
	ck_assert_int_eq(rmdir(dir), 0);
}

static struct recording_pipe *opened(const char *head)
{
	struct why why = { 0 };
	struct recording_pipe *p = recording_pipe_open(path, head, strlen(head), &why);

	ck_assert_msg(p != NULL, "%s", why.text);
	return p;
}

static char *content(size_t *n)
{
	struct stat st;
	FILE *in = fopen(path, "r");

	ck_assert_ptr_nonnull(in);
	ck_assert_int_eq(fstat(fileno(in), &st), 0);
	char *bytes = malloc((size_t)st.st_size + 1);

	*n = fread(bytes, 1, (size_t)st.st_size, in);
	bytes[*n] = '\0';
	fclose(in);
	return bytes;
}

static char *piece(size_t n, char c)
{
	char *bytes = malloc(n);

	memset(bytes, c, n);
	return bytes;
}

START_TEST(the_head_is_there_at_once)
{
	struct recording_pipe *p = opened("head\n");
	size_t n;
	char *bytes = content(&n);

	ck_assert_str_eq(bytes, "head\n");
	free(bytes);
	ck_assert_int_eq(recording_pipe_close(p, WAIT_MS, NULL), 0);
}
END_TEST

/* More than the pipe holds at once waits in memory. */
START_TEST(all_pieces_arrive_in_order)
{
	struct recording_pipe *p = opened("");
	struct why why = { 0 };
	size_t n;

	for (char c = 'a'; c <= 'e'; c++) {
		char *bytes = piece(MIB, c);

		recording_pipe_put(p, bytes, MIB);
		free(bytes);
	}
	ck_assert_int_eq(recording_pipe_error(p, &why), 0);
	ck_assert_int_eq(recording_pipe_close(p, WAIT_MS, &why), 0);
	char *bytes = content(&n);

	ck_assert_uint_eq(n, 5 * MIB);
	for (size_t i = 0; i < n; i += MIB / 4)
		ck_assert_int_eq(bytes[i], 'a' + (char)(i / MIB));
	free(bytes);
}
END_TEST

/* Which of the two is faster is the scheduler's business: until it happens. */
START_TEST(what_the_disk_cannot_take_is_left_out_whole_and_told)
{
	struct recording_pipe *p = opened("");
	struct why why = { 0 };
	char *first = piece(7 * MIB, 'a'), *second = piece(9 * MIB, 'b');
	size_t n, put = 0;
	int err = 0;

	for (int i = 0; i < TRIES && !err; i++, put++) {
		recording_pipe_put(p, first, 7 * MIB);
		recording_pipe_put(p, second, 9 * MIB);
		err = recording_pipe_error(p, &why);
	}
	ck_assert_int_eq(err, -EAGAIN);
	ck_assert_ptr_nonnull(strstr(why.text, "left out"));
	ck_assert_int_eq(recording_pipe_error(p, &why), 0);	/* told once */
	/* The pipe may still be full. */
	err = -EAGAIN;
	for (int i = 0; i < WAIT_MS && err == -EAGAIN; i++, usleep(1000)) {
		recording_pipe_put(p, "end", 3);
		err = recording_pipe_error(p, &why);
	}
	ck_assert_int_eq(err, 0);
	ck_assert_int_eq(recording_pipe_close(p, WAIT_MS, &why), 0);
	char *bytes = content(&n);

	ck_assert_uint_le(n, put * 16 * MIB + 3);
	ck_assert_uint_eq((n - 3) % MIB, 0);		/* no part of a piece */
	ck_assert_str_eq(bytes + n - 3, "end");
	free(bytes);
	free(first);
	free(second);
}
END_TEST

/* The thread frees what it holds when the disk answers at last. */
START_TEST(a_disk_that_does_not_answer_keeps_nobody)
{
	struct why why = { 0 };
	char *bytes = piece(7 * MIB, 'a');
	int err = 0;

	for (int i = 0; i < TRIES && !err; i++) {
		unlink(path);
		struct recording_pipe *p = opened("");

		recording_pipe_put(p, bytes, 7 * MIB);
		err = recording_pipe_close(p, 0, &why);
	}
	ck_assert_int_eq(err, -ETIMEDOUT);
	ck_assert_ptr_nonnull(strstr(why.text, "may lack its end"));
	free(bytes);
	usleep(100000);
}
END_TEST

START_TEST(a_file_that_cannot_grow_says_so_and_swallows_the_rest)
{
	struct rlimit limit = { .rlim_cur = 1000, .rlim_max = RLIM_INFINITY };
	struct recording_pipe *p = opened("head\n");
	struct why why = { 0 };
	char *bytes = piece(MIB, 'a');
	int err = 0;

	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &limit);	/* no assertion before it is lifted */
	for (int i = 0; i < 8; i++)
		recording_pipe_put(p, bytes, MIB);
	for (int i = 0; i < WAIT_MS && !err; i++, usleep(1000)) {
		recording_pipe_pump(p);
		err = recording_pipe_error(p, &why);
	}
	int end = recording_pipe_close(p, WAIT_MS, NULL);

	limit.rlim_cur = RLIM_INFINITY;
	setrlimit(RLIMIT_FSIZE, &limit);
	ck_assert_int_eq(err, -EFBIG);
	ck_assert_int_eq(end, -EFBIG);		/* for ever */
	ck_assert_ptr_nonnull(strstr(why.text, "ulimit -f"));
	free(bytes);
}
END_TEST

START_TEST(what_is_in_the_way_is_named_and_left)
{
	struct why why = { 0 };

	ck_assert_int_eq(symlink("/dev/null", path), 0);
	ck_assert_ptr_null(recording_pipe_open(path, "", 0, &why));
	ck_assert_int_eq(why.err, -EEXIST);
	ck_assert_int_eq(unlink(path), 0);	/* still there */
	ck_assert_ptr_null(recording_pipe_open("/proc/self/x.jsr", "", 0, &why));
	ck_assert(why.err < 0 && strstr(why.text, "/proc/self/x.jsr"));
}
END_TEST

/* No descriptors left: the pipe, then what is opened after it. */
START_TEST(without_descriptors_nothing_is_left)
{
	struct rlimit limit = { 0 };
	struct why why = { 0 };
	int next = dup(0), refused = 0;

	close(next);
	getrlimit(RLIMIT_NOFILE, &limit);
	rlim_t was = limit.rlim_cur;

	for (int more = 0; more < 4; more++) {
		limit.rlim_cur = (rlim_t)(next + more);
		setrlimit(RLIMIT_NOFILE, &limit);
		struct recording_pipe *p = recording_pipe_open(path, "", 0, &why);

		refused += !p && why.err == -EMFILE;
		if (p)
			recording_pipe_close(p, WAIT_MS, NULL);
	}
	limit.rlim_cur = was;
	setrlimit(RLIMIT_NOFILE, &limit);
	ck_assert_int_eq(refused, 4);
	ck_assert_int_eq(access(path, F_OK), -1);
	int now = dup(0);

	ck_assert_int_eq(now, next);		/* and none is lost */
	close(now);
}
END_TEST

Suite *recording_pipe_suite(void);

Suite *recording_pipe_suite(void)
{
	Suite *s = suite_create("recording_pipe");
	TCase *tc = tcase_create("recording_pipe");

	tcase_set_timeout(tc, 120);
	tcase_add_checked_fixture(tc, enter, leave);
	tcase_add_test(tc, the_head_is_there_at_once);
	tcase_add_test(tc, all_pieces_arrive_in_order);
	tcase_add_test(tc, what_the_disk_cannot_take_is_left_out_whole_and_told);
	tcase_add_test(tc, a_disk_that_does_not_answer_keeps_nobody);
	tcase_add_test(tc, a_file_that_cannot_grow_says_so_and_swallows_the_rest);
	tcase_add_test(tc, what_is_in_the_way_is_named_and_left);
	tcase_add_test(tc, without_descriptors_nothing_is_left);
	suite_add_tcase(s, tc);
	return s;
}
