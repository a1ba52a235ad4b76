/* check_doctor_kernel.c - the way to the preemption of a kernel that hides it. */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "src/doctor.h"
#include "tests/faked_root.h"

#define DYNAMIC "#1 SMP PREEMPT_DYNAMIC Debian"

static const struct {
	const char *preempt, *version;
	int hz;
	const char *there, *fix;	/* file; "": nothing to do */
} rows[] = {
	{ "full", DYNAMIC, 250, NULL, "" },
	{ "unknown", DYNAMIC, 250, NULL, "mount -t debugfs" },
	{ "unknown", DYNAMIC, 250, "/sys/kernel/debug/sched/verbose", "" },
	{ "unknown", "#1 SMP", 0, NULL, "/boot/config-6.1.0" },
	{ "unknown", "#1 SMP", 250, NULL, "" },	/* its configuration was read */
};

START_TEST(an_unknown_preemption_has_a_remedy_where_there_is_one)
{
	struct sysinfo m = { .kernel = "6.1.0", .hz = rows[_i].hz };
	char fix[160];

	snprintf(m.preempt, sizeof(m.preempt), "%s", rows[_i].preempt);
	snprintf(m.version, sizeof(m.version), "%s", rows[_i].version);
	faked_root_make();
	if (rows[_i].there)
		faked_root_file(rows[_i].there, "\n");
	doctor_preempt_fix(&m, fix, sizeof(fix));
	faked_root_gone();
	ck_assert_msg(strstr(fix, rows[_i].fix) != NULL, "%s", fix);
	ck_assert_int_eq(fix[0] != '\0', rows[_i].fix[0] != '\0');
}
END_TEST

Suite *doctor_kernel_suite(void);

Suite *doctor_kernel_suite(void)
{
	Suite *s = suite_create("doctor_kernel");
	TCase *tc = tcase_create("doctor_kernel");

	tcase_add_loop_test(tc, an_unknown_preemption_has_a_remedy_where_there_is_one, 0,
			    (int)(sizeof(rows) / sizeof(rows[0])));
	suite_add_tcase(s, tc);
	return s;
}
