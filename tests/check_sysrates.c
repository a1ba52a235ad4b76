/* check_sysrates.c - rates per second from faked counters, unknown as < 0. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/clock.h"
#include "src/sysinfo.h"
#include "tests/faked_root.h"

#define T0 (50 * NS_PER_S)

static struct sysrates r;
static struct sysrates_last *last;
static struct cpuset stolen;

static void fake_stat(unsigned long user, unsigned long steal0, unsigned long steal9,
		      unsigned long events)
{
	char text[600];

	snprintf(text, sizeof(text),
		 "cpu  %lu 0 0 1000 50 0 0 %lu 0 0\n"
		 "cpu0 %lu 0 0 500 25 0 0 %lu 0 0\ncpu9 0 0 0 500 25 0 0 %lu 0 0\n"
		 "intr %lu 1 2 3\nctxt %lu\nbtime 1\nprocesses %lu\nprocs_running 3\nprocs_blocked "
		 "1\n"
		 "softirq %lu 7 7\n",
		 user, steal0 + steal9, user, steal0, steal9, events, 2 * events, events / 10,
		 3 * events);
	faked_root_file("/proc/stat", text);
}

static void set_up(void)
{
	faked_root_make();
	memset(&r, 0, sizeof(r));
	cpuset_clear(&stolen);
	last = NULL;
}

static void tear_down(void)
{
	sysrates_free(last);
	faked_root_gone();
}

START_TEST(no_files_no_numbers)
{
	last = sysrates_new();
	for (int i = 0; i < 2; i++) {
		sysrates_read(last, T0 + i, true, &r, &stolen);
		ck_assert_double_lt(r.forks, 0);
		ck_assert_double_lt(r.steal_pct, 0);
		ck_assert_double_lt(r.disk_read_bytes, 0);
		ck_assert_double_lt(r.net_tx_bytes, 0);
		ck_assert_double_lt(r.loadavg[2], 0);
		ck_assert_double_lt(r.psi_io, 0);
		ck_assert_double_lt(r.mem_available_kb, 0);
		ck_assert_double_lt(r.run_queue, 0);
	}
	ck_assert_int_eq(cpuset_count(&stolen), 0);
}
END_TEST

START_TEST(rates_are_differences_over_real_time)
{
	double hz = (double)sysconf(_SC_CLK_TCK);

	fake_stat(100, 5, 7, 1000);
	last = sysrates_new();
	sysrates_read(last, T0, true, &r, &stolen);
	ck_assert_double_lt(r.switches, 0);
	ck_assert_double_eq(r.run_queue, 3);
	fake_stat(100 + (unsigned long)hz, 5, 7, 3000);
	sysrates_read(last, T0 + 2 * NS_PER_S, true, &r, &stolen);
	ck_assert_double_eq_tol(r.interrupts, 1000, 1e-6);
	ck_assert_double_eq_tol(r.switches, 2000, 1e-6);
	ck_assert_double_eq_tol(r.softirqs, 3000, 1e-6);
	ck_assert_double_eq_tol(r.forks, 100, 1e-6);
	ck_assert_double_eq_tol(r.cpu_busy_pct, 50, 1e-6);
	ck_assert_double_eq_tol(r.steal_pct, 0, 1e-9);
	ck_assert_int_eq(cpuset_count(&stolen), 0);
}
END_TEST

START_TEST(steal_names_its_cpus)
{
	double hz = (double)sysconf(_SC_CLK_TCK);

	fake_stat(100, 1000, 7, 1000);
	last = sysrates_new();
	sysrates_read(last, T0, true, &r, &stolen);
	ck_assert_int_eq(cpuset_count(&stolen), 0);
	ck_assert_double_eq_tol(r.steal_s, 0, 1e-9);
	fake_stat(100, 1000, 7 + (unsigned long)hz / 2, 1000);
	sysrates_read(last, T0 + NS_PER_S, false, &r, &stolen);
	ck_assert(cpuset_has(&stolen, 9));
	ck_assert_int_eq(cpuset_count(&stolen), 1);
	ck_assert_double_eq_tol(r.steal_pct, 50, 1e-6);
	ck_assert_double_eq_tol(r.steal_s, 0.5, 1e-6);
}
END_TEST

START_TEST(counters_that_ran_backwards_are_unknown)
{
	fake_stat(100, 5, 7, 1000);
	last = sysrates_new();
	sysrates_read(last, T0, true, &r, NULL);
	fake_stat(90, 5, 7, 900);
	sysrates_read(last, T0 + NS_PER_S, true, &r, NULL);
	ck_assert_double_lt(r.switches, 0);
	ck_assert_double_lt(r.cpu_busy_pct, 0);
}
END_TEST

static void fake_io(unsigned sectors, unsigned bytes)
{
	char text[1000];

	snprintf(text, sizeof(text), "   7 0 loop0 1 0 %u 0 1 0 %u 0 0 0 0\n"
		 " 254 0 vda 1 0 %u 0 1 0 %u 0 0 0 0\n 254 1 vda1 1 0 %u 0 1 0 %u 0 0 0 0\n"
		 " 259 0 nvme0n1 1 0 %u 0 1 0 0 0 0 0 0\n 259 1 nvme0n1p1 1 0 %u 0 1 0 0 0 0 0 0\n"
		 "   8 0 sda 0 0 0 0 0 0 0 0 0 0\n   65 160 sdaa 0 0 0 0 0 0 %u 0 0 0\n"
		 " 253 0 dm-0 1 0 %u 0 1 0 %u 0 0 0 0\n garbage\n\n",
		 sectors, sectors, sectors, 2 * sectors, sectors, sectors, sectors, sectors,
		 sectors, sectors, sectors);
	faked_root_file("/proc/diskstats", text);
	snprintf(text, sizeof(text),
		 "Inter-|   Receive\n face |bytes packets\n"
		 "    lo: %u 1 0 0 0 0 0 0 %u 1 0 0 0 0 0 0\n  eth0: %u 1 0 0 0 0 0 0 %u 1 0 0 0 0 "
		 "0 0\n"
		 "wlan0:%u 1 0 0 0 0 0 0 0 1 0 0 0 0 0 0\n",
		 bytes, bytes, bytes, 3 * bytes, bytes);
	faked_root_file("/proc/net/dev", text);
}

START_TEST(each_disk_and_interface_counts_once)
{
	fake_io(1000, 5000);
	last = sysrates_new();
	sysrates_read(last, T0, true, &r, NULL);
	fake_io(1100, 6000);
	sysrates_read(last, T0 + NS_PER_S, true, &r, NULL);
	ck_assert_double_eq_tol(r.disk_read_bytes, 200 * 512, 1e-6);
	ck_assert_double_eq_tol(r.disk_write_bytes, 300 * 512, 1e-6);
	ck_assert_double_eq_tol(r.net_rx_bytes, 2000, 1e-6);
	ck_assert_double_eq_tol(r.net_tx_bytes, 3000, 1e-6);
}
END_TEST

START_TEST(levels_are_read_as_they_stand)
{
	faked_root_file("/proc/loadavg", "0.52 1.05 12.34 2/345 6789\n");
	faked_root_file("/proc/pressure/cpu", "some avg10=3.21 avg60=0.00 avg300=0.00 total=5\n");
	faked_root_file("/proc/pressure/memory", "some avg10=100.00 avg60=1\nfull avg10=2.00\n");
	faked_root_file("/proc/meminfo", "MemTotal: 100 kB\nMemAvailable:    4242 kB\n");
	last = sysrates_new();
	sysrates_read(last, T0, true, &r, NULL);
	ck_assert_double_eq_tol(r.loadavg[0], 0.52, 1e-9);
	ck_assert_double_eq_tol(r.loadavg[2], 12.34, 1e-9);
	ck_assert_double_eq_tol(r.psi_cpu, 3.21, 1e-9);
	ck_assert_double_lt(r.psi_io, 0);
	ck_assert_double_eq_tol(r.psi_mem, 100, 1e-9);
	ck_assert_double_eq(r.mem_available_kb, 4242);
}
END_TEST

START_TEST(a_file_larger_than_the_buffer_is_read_whole)
{
	size_t size = 300000, used;
	char *text = malloc(size);

	used = (size_t)sprintf(text, "cpu 1 0 0 0 0 0 0 0\nintr 5");
	while (used < size - 100)
		used += (size_t)sprintf(text + used, " 0");
	sprintf(text + used, "\nctxt 1\nprocs_running 77\n");
	faked_root_file("/proc/stat", text);
	last = sysrates_new();
	sysrates_read(last, T0, true, &r, NULL);
	ck_assert_double_eq(r.run_queue, 77);
	free(text);
}
END_TEST

START_TEST(garbage_does_no_harm)
{
	static const char *const texts[] = {"",
					    "\n",
					    "cpu",
					    "cpu99999999999999999999 1 2 3",
					    "intr",
					    "cpu4095 1 2\ncpu4096 1 2 3 4 5 6 7 8",
					    "ctxt 99999999999999999999999999999999\n"};

	for (unsigned i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		faked_root_file("/proc/stat", texts[i]);
		faked_root_file("/proc/diskstats", texts[i]);
		faked_root_file("/proc/net/dev", texts[i]);
		faked_root_file("/proc/pressure/io", texts[i]);
		sysrates_free(last);
		last = sysrates_new();
		sysrates_read(last, T0, true, &r, &stolen);
		sysrates_read(last, T0 + 1, true, &r, &stolen);
	}
}
END_TEST

Suite *sysrates_suite(void);
Suite *sysrates_suite(void)
{
	Suite *s = suite_create("sysrates");
	TCase *tc = tcase_create("sysrates");

	tcase_add_checked_fixture(tc, set_up, tear_down);
	tcase_add_test(tc, no_files_no_numbers);
	tcase_add_test(tc, rates_are_differences_over_real_time);
	tcase_add_test(tc, steal_names_its_cpus);
	tcase_add_test(tc, counters_that_ran_backwards_are_unknown);
	tcase_add_test(tc, each_disk_and_interface_counts_once);
	tcase_add_test(tc, levels_are_read_as_they_stand);
	tcase_add_test(tc, a_file_larger_than_the_buffer_is_read_whole);
	tcase_add_test(tc, garbage_does_no_harm);
	suite_add_tcase(s, tc);
	return s;
}
