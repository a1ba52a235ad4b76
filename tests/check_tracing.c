/*
 * check_tracing.c - the kernel's trace is stopped by one write, and where it
 * cannot be, the reason and what to do are told.
 */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "src/procfile.h"
#include "src/tracing.h"
#include "tests/faked_root.h"

static const char *const places[] = { "/sys/kernel/tracing/tracing_on",
				      "/sys/kernel/debug/tracing/tracing_on" };

START_TEST(it_is_stopped_wherever_it_is_mounted)
{
	struct why why = { 0 };
	char text[8];

	faked_root_file(places[_i], "1");
	int fd = tracing_open(&why);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(tracing_stop(fd, &why), 0);
	close(fd);
	ck_assert_int_gt(procfile_read(places[_i], text, sizeof(text)), 0);
	ck_assert_str_eq(text, "0");
}
END_TEST

START_TEST(what_is_not_mounted_says_how_to)
{
	struct why why = { 0 };

	ck_assert_int_eq(tracing_open(&why), -ENOENT);
	ck_assert_str_eq(why.text, "/sys/kernel/tracing: not mounted; "
			 "sudo mount -t tracefs none /sys/kernel/tracing");
}
END_TEST

/* A folder in its place: opening it to write fails for root, too. */
START_TEST(any_other_refusal_has_its_reason)
{
	struct why why = { 0 };

	faked_root_file("/sys/kernel/tracing/tracing_on/x", "");
	ck_assert_int_eq(tracing_open(&why), -EISDIR);
	ck_assert_ptr_nonnull(strstr(why.text, "Is a directory"));
	ck_assert_ptr_nonnull(strstr(why.text, "; "));
	faked_root_remove("/sys/kernel/tracing/tracing_on/x");
}
END_TEST

START_TEST(a_write_that_fails_has_one_too)
{
	struct why why = { 0 };
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

	ck_assert_int_eq(tracing_stop(fd, &why), -EBADF);
	ck_assert_ptr_nonnull(strstr(why.text, "/sys/kernel/tracing: "));
	close(fd);
}
END_TEST

Suite *tracing_suite(void);
Suite *tracing_suite(void)
{
	Suite *s = suite_create("tracing");
	TCase *tc = tcase_create("tracing");

	tcase_add_checked_fixture(tc, faked_root_make, faked_root_gone);
	tcase_add_loop_test(tc, it_is_stopped_wherever_it_is_mounted, 0, 2);
	tcase_add_test(tc, what_is_not_mounted_says_how_to);
	tcase_add_test(tc, any_other_refusal_has_its_reason);
	tcase_add_test(tc, a_write_that_fails_has_one_too);
	suite_add_tcase(s, tc);
	return s;
}
