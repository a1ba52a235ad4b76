/* check_sysinfo.c - what machine this is, from faked files. */
#include <check.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "src/sysinfo.h"
#include "tests/faked_root.h"

#define CLOCKSOURCE "/sys/devices/system/clocksource/clocksource0/current_clocksource"

static struct sysinfo s;

static void set_up(void)
{
	faked_root_make();
}

static void tear_down(void)
{
	faked_root_gone();
}

START_TEST(without_any_file_all_is_unknown)
{
	sysinfo_read(&s);
	ck_assert_str_ne(s.host, "");
	ck_assert_str_ne(s.kernel, "");
	ck_assert_str_eq(s.clocksource, "unknown");
	ck_assert_str_eq(s.governor, "unknown");
	ck_assert_str_eq(s.virtualization, "");
	ck_assert_int_eq(s.hz, 0);
	ck_assert_int_eq(s.autogroup, -1);
	ck_assert_int_eq(s.mem_total_kb, 0);
	ck_assert_int_gt(cpuset_count(&s.allowed), 0);
	ck_assert_int_eq(cpuset_count(&s.online), cpuset_count(&s.allowed));
}
END_TEST

START_TEST(files_that_are_there_are_read)
{
	struct utsname u;
	char config[200];

	uname(&u);
	snprintf(config, sizeof(config), "/boot/config-%s", u.release);
	faked_root_file(config, "# CONFIG_HZ=1\nCONFIG_HZ_250=y\nCONFIG_HZ=250\n");
	faked_root_file(CLOCKSOURCE, "tsc\n");
	faked_root_file("/proc/cmdline", "quiet \033[2J isolcpus=2\n");
	faked_root_file("/proc/meminfo", "MemTotal:       16384 kB\nMemFree: 1 kB\n");
	faked_root_file("/proc/sys/kernel/sched_autogroup_enabled", "1\n");
	faked_root_file("/sys/devices/system/cpu/online", "0-3,8\n");
	faked_root_file("/sys/devices/system/cpu/possible", "0-15\n");
	faked_root_file("/sys/devices/system/cpu/isolated", "2\n");
	faked_root_file("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
	faked_root_file("/proc/cpuinfo",
			"processor\t: 0\nmodel name\t: Fast\tOne\nflags\t: fpu tsc\n");
	sysinfo_read(&s);
	ck_assert_int_eq(s.hz, 250);
	ck_assert_str_eq(s.clocksource, "tsc");
	ck_assert_str_eq(s.cmdline, "quiet ?[2J isolcpus=2");
	ck_assert_int_eq(s.mem_total_kb, 16384);
	ck_assert_int_eq(s.autogroup, 1);
	ck_assert_int_eq(cpuset_count(&s.online), 5);
	ck_assert(cpuset_has(&s.online, 8));
	ck_assert_int_eq(cpuset_count(&s.possible), 16);
	ck_assert(cpuset_has(&s.isolated, 2));
	ck_assert_str_eq(s.governor, "powersave");
	ck_assert_str_eq(s.cpu_model, "Fast?One");
	ck_assert_str_eq(s.virtualization, "");
}
END_TEST

START_TEST(different_governors_are_mixed)
{
	faked_root_file("/sys/devices/system/cpu/online", "0-1\n");
	faked_root_file("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n");
	faked_root_file("/sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "powersave\n");
	sysinfo_read(&s);
	ck_assert_str_eq(s.governor, "mixed");
}
END_TEST

static const struct { const char *path, *text, *want; } modes[] = {
	{ "/sys/kernel/realtime", "1\n", "rt" },
	{ "/sys/kernel/debug/sched/preempt", "none voluntary (full) lazy\n", "full" },
	{ "/sys/kernel/debug/sched/preempt", "(none) voluntary full\n", "none" },
	{ "/sys/kernel/debug/sched/preempt", "none (voluntary) full\n", "voluntary" },
	{ "/proc/cmdline", "ro preempt=voluntary quiet\n", "voluntary" },
	{ "/proc/cmdline", "preempt=lazy\n", "lazy" },
};

START_TEST(the_preemption_mode_is_what_the_kernel_says)
{
	faked_root_file(modes[_i].path, modes[_i].text);
	sysinfo_read(&s);
	ck_assert_str_eq(s.preempt, modes[_i].want);
}
END_TEST

START_TEST(a_broken_mode_file_is_no_mode)
{
	static const char *const bad[] = {"", "(", "none (unclosed", "()",
					  "x (aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa)"};

	for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		faked_root_file("/sys/kernel/debug/sched/preempt", bad[i]);
		sysinfo_read(&s);
		ck_assert_str_ne(s.preempt, "");
		ck_assert_ptr_null(strchr(s.preempt, 'x'));
	}
}
END_TEST

static const struct { const char *flags, *product, *vendor, *want; } machines[] = {
	{ "fpu hypervisor", "KVM", "Red Hat", "kvm" },
	{ "fpu hypervisor", "Virtual Machine", "Microsoft Corporation", "hyperv" },
	{ "fpu", "Surface Laptop", "Microsoft Corporation", "" },
	{ "fpu hypervisor", "Thing", "Someone", "vm" },
	{ "fpu", "VMware Virtual Platform", "VMware, Inc.", "vmware" },
	{ "fpu hypervisors", "Thing", "Someone", "" },
	{ "", "VirtualBox", "innotek GmbH", "virtualbox" },
};

START_TEST(a_virtual_machine_is_known_by_flag_and_maker)
{
	char cpuinfo[200];

	snprintf(cpuinfo, sizeof(cpuinfo), "processor\t: 0\nflags\t\t: %s\n", machines[_i].flags);
	faked_root_file("/proc/cpuinfo", cpuinfo);
	faked_root_file("/sys/class/dmi/id/product_name", machines[_i].product);
	faked_root_file("/sys/class/dmi/id/sys_vendor", machines[_i].vendor);
	sysinfo_read(&s);
	ck_assert_str_eq(s.virtualization, machines[_i].want);
}
END_TEST

START_TEST(a_container_says_so)
{
	faked_root_file("/run/.containerenv", "");
	sysinfo_read(&s);
	ck_assert_str_eq(s.virtualization, "container");
	faked_root_file("/proc/cpuinfo", "flags : hypervisor\n");
	sysinfo_read(&s);
	ck_assert_str_eq(s.virtualization, "vm+container");
}
END_TEST

/* F41: the kernel may drop the TSC. */
START_TEST(a_change_of_clocksource_is_told_once)
{
	faked_root_file(CLOCKSOURCE, "tsc\n");
	sysinfo_read(&s);
	ck_assert(!sysinfo_clocksource_changed(&s));
	faked_root_file(CLOCKSOURCE, "hpet\n");
	ck_assert(sysinfo_clocksource_changed(&s));
	ck_assert_str_eq(s.clocksource, "hpet");
	ck_assert(!sysinfo_clocksource_changed(&s));
	faked_root_remove(CLOCKSOURCE);
	ck_assert(!sysinfo_clocksource_changed(&s));
	ck_assert_str_eq(s.clocksource, "hpet");
}
END_TEST

START_TEST(the_real_machine_can_be_read)
{
	faked_root_gone();
	sysinfo_read(&s);
	ck_assert_int_gt(s.mem_total_kb, 0);
	ck_assert_int_gt(cpuset_count(&s.online), 0);
	ck_assert_str_ne(s.preempt, "");
	faked_root_make();
}
END_TEST

Suite *sysinfo_suite(void);
Suite *sysinfo_suite(void)
{
	Suite *suite = suite_create("sysinfo");
	TCase *tc = tcase_create("sysinfo");

	tcase_add_checked_fixture(tc, set_up, tear_down);
	tcase_add_test(tc, without_any_file_all_is_unknown);
	tcase_add_test(tc, files_that_are_there_are_read);
	tcase_add_test(tc, different_governors_are_mixed);
	tcase_add_loop_test(tc, the_preemption_mode_is_what_the_kernel_says, 0,
			    sizeof(modes) / sizeof(modes[0]));
	tcase_add_test(tc, a_broken_mode_file_is_no_mode);
	tcase_add_loop_test(tc, a_virtual_machine_is_known_by_flag_and_maker, 0,
			    sizeof(machines) / sizeof(machines[0]));
	tcase_add_test(tc, a_container_says_so);
	tcase_add_test(tc, a_change_of_clocksource_is_told_once);
	tcase_add_test(tc, the_real_machine_can_be_read);
	suite_add_tcase(suite, tc);
	return suite;
}
