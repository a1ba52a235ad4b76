/*
 * check_loads_more.c - every load does its work, counts what the kernel
 * counts, refuses with words, and leaves nothing.
 */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/loads/lat.h"
#include "src/loads/tar.h"
#include "src/loads/tree.h"
#include "src/loads/walk.h"
#include "tests/load_harness.h"
#include "tests/skip.h"

#define MIB (UINT64_C(1) << 20)

static struct harness *h;
static struct why why;

static struct harness *load_new(const char *name, unsigned workers)
{
	const struct load *l = load_by_name(name);

	ck_assert_msg(l != NULL, "no load %s", name);
	memset(&why, 0, sizeof(why));
	h = harness_new(l, workers, 11);
	return h;
}

static long *knob(const char *name)
{
	const struct load *l = harness_load(h);

	for (unsigned i = 0; l->knobs[i].name; i++)
		if (!strcmp(l->knobs[i].name, name))
			return &harness_worker(h, 0)->knob[i];
	ck_abort_msg("no knob %s", name);
	return NULL;
}

static void run(uint64_t passes, uint64_t ops)
{
	ck_assert_msg(harness_run(h, passes, ops, &why) == 0, "%s", why.text);
	ck_assert_uint_gt(harness_ops(h), 0);
}

/* The same for loads whose workers do not count themselves. */
static void run_all(uint64_t ops)
{
	harness_sum_lines(h);
	run(0, ops);
}

static void end(void)
{
	ck_assert_uint_eq(harness_left(h), 0);
	harness_free(h);
}

static void refused(int err, const char *say)
{
	ck_assert_int_eq(harness_run(h, 1, 1, &why), err);
	ck_assert_msg(strstr(why.text, say) != NULL, "%s", why.text);
	harness_free(h);
}

static const char *text(void)
{
	static char buf[256];

	for (unsigned i = 0; i < sizeof(buf); i++)
		buf[i] = harness_worker(h, 0)->result->text[i];
	return buf;
}

/* A counter of the kernel: the number after `key` in a file of /proc. */
static uint64_t kernel_count(const char *path, const char *key)
{
	char line[4096];
	FILE *f = fopen(path, "r");
	uint64_t n = 0;

	ck_assert_ptr_nonnull(f);
	while (fgets(line, sizeof(line), f))
		if (!strncmp(line, key, strlen(key)))
			n = strtoull(line + strlen(key), NULL, 10);
	fclose(f);
	return n;
}

/* ---- the table ---- */

START_TEST(every_load_says_what_it_is)
{
	for (unsigned i = 0; loads[i]; i++) {
		const struct load *l = loads[i];

		ck_assert_uint_lt(strlen(l->name), LOAD_NAME_MAX);
		ck_assert_msg(l->summary && l->unit && l->rate_unit && l->run, "%s", l->name);
		ck_assert_msg(l->key >= 'A' && l->key <= 'Z' && l->key != 'J', "%s", l->name);
		ck_assert_ptr_eq(load_by_key(l->key), l);
		ck_assert_uint_ge(l->version, 1);
		ck_assert_uint_ge(load_default_workers(l, 1), 1);
		ck_assert_uint_le(load_default_workers(l, 512), l->max_workers);
		ck_assert_uint_ge(l->tasks_per_worker, 1);
		for (unsigned k = 0; l->knobs[k].name; k++) {
			const struct load_knob *knob = &l->knobs[k];

			ck_assert_msg(knob->least <= knob->value && knob->value <= knob->most,
				      "%s %s", l->name, knob->name);
			for (long c = 0; knob->choices && c <= knob->most; c++)
				ck_assert_ptr_nonnull(knob->choices[c]);
		}
	}
}
END_TEST

/* ---- exec, sh ---- */

START_TEST(exec_starts_as_many_programs_as_it_counts)
{
	uint64_t before = kernel_count("/proc/stat", "processes ");

	load_new("exec", 2);
	*knob("how") = _i;
	run(0, 20);
	ck_assert_uint_ge(kernel_count("/proc/stat", "processes ") - before, harness_ops(h));
	ck_assert_double_gt(harness_figure(h, 0), 1000);
	end();
}
END_TEST

START_TEST(a_script_is_eight_processes)
{
	uint64_t before = kernel_count("/proc/stat", "processes ");

	load_new("sh", 3);
	run(0, 10);
	ck_assert_uint_ge(kernel_count("/proc/stat", "processes ") - before, 8 * harness_ops(h));
	ck_assert_uint_eq(harness_errors(h), 0);
	/* A loop is a script by every worker. */
	ck_assert_uint_ge(harness_passes(h) * 3 + 6, harness_ops(h));	/* a loop begun, a loop not counted */
	ck_assert_uint_le(harness_passes(h) * 3, harness_ops(h));
	ck_assert_msg(!strncmp(text(), "/bin/sh is ", 11), "%s", text());
	/* The text is the seed's and stays for the next script. */
	ck_assert_uint_eq(harness_left(h), 1);
	harness_free(h);
}
END_TEST

START_TEST(plain_shells_need_no_text)
{
	load_new("sh", 2);
	*knob("mode") = 1;
	run(0, 10);
	end();
}
END_TEST

START_TEST(a_hundred_failing_scripts_end_the_load)
{
	load_new("sh", 1);
	harness_break(h, "words");
	ck_assert_int_eq(harness_run(h, 0, 1000000, &why), -EIO);
	ck_assert_msg(strstr(why.text, "100 scripts in a row failed") != NULL, "%s", why.text);
	harness_free(h);
}
END_TEST

/* ---- process ---- */

static const unsigned rings[] = { 1, 2, 3, 8, 16, 20 };

START_TEST(a_ring_hops_and_stops)
{
	unsigned n = rings[_i], chunks = n < 8 ? 1 : n / 8;
	uint64_t laps;

	load_new("process", n);
	*knob("chunk") = 100;
	run(0, 50);
	laps = harness_ops(h) / (n * chunks);
	ck_assert_uint_eq(harness_bytes(h), 100 * harness_ops(h));
	ck_assert_uint_ge(harness_passes(h) + 2, laps);
	ck_assert_uint_le(harness_passes(h), laps + 2);
	end();
}
END_TEST

/* ---- write, read ---- */

START_TEST(write_moves_whole_files)
{
	load_new("write", 2);
	*knob("size") = 2;
	*knob("fill") = _i;
	run(3, 0);
	ck_assert_uint_ge(harness_bytes(h), 2 * MIB * harness_passes(h));
	ck_assert_uint_lt(harness_bytes(h), 2 * MIB * (harness_passes(h) + 2));
	ck_assert_str_eq(text(), _i ? "" : "zero fill");
	end();
}
END_TEST

START_TEST(write_goes_to_the_second_folder_when_told)
{
	char dir[] = "/tmp/js-other-XXXXXX";

	ck_assert_ptr_nonnull(mkdtemp(dir));
	load_new("write", 1);
	*knob("size") = 1;
	*knob("other") = 1;
	harness_worker(h, 0)->scratch2_fd = open(dir, O_RDONLY | O_DIRECTORY);
	close(harness_worker(h, 0)->scratch_fd);	/* nothing can be made there */
	harness_worker(h, 0)->scratch_fd = -1;
	run(1, 0);
	ck_assert_int_eq(rmdir(dir), 0);		/* and nothing is left here */
	harness_free(h);
}
END_TEST

START_TEST(write_without_a_second_folder_is_refused)
{
	load_new("write", 1);
	*knob("other") = 1;
	refused(-EINVAL, "give --scratch twice");
}
END_TEST

START_TEST(a_file_beyond_the_budget_is_refused)
{
	load_new(_i ? "read" : "write", 2);
	*knob("size") = 100;
	harness_worker(h, 0)->disk_budget_bytes = 150 * MIB;
	refused(-ENOSPC, "budget 157 MB");
}
END_TEST

START_TEST(without_a_size_the_budget_is_shared_out)
{
	load_new(_i ? "read" : "write", 2);
	harness_worker(h, 0)->disk_budget_bytes = 6 * MIB;
	run(1, 0);
	ck_assert_uint_ge(harness_bytes(h), 6 * MIB);
	ck_assert_uint_lt(harness_bytes(h), 3 * MIB * (harness_passes(h) + 2));
	end();
}
END_TEST

START_TEST(read_moves_whole_files_and_says_where_from)
{
	uint64_t bytes;

	load_new("read", 1);
	*knob("size") = 4;
	run(2, 0);
	bytes = harness_bytes(h);
	ck_assert_uint_ge(bytes, 4 * MIB * harness_passes(h));
	ck_assert_str_eq(text(), harness_figure(h, 0) < (double)bytes / 2 ? "cached" : "");
	end();
}
END_TEST

/* ---- cpu ---- */

START_TEST(cpu_counts_loops_and_says_what_one_cpu_does)
{
	load_new("cpu", 2);
	run(0, 5);
	ck_assert_double_gt(harness_figure(h, 0), 1);
	ck_assert_double_ge(harness_figure(h, 1), 0);
	end();
}
END_TEST

/* ---- context ---- */

START_TEST(groups_talk_in_every_line_and_end)
{
	uint64_t before = kernel_count("/proc/stat", "ctxt ");

	load_new("context", 2);
	*knob("pipe") = _i;
	harness_look_at(h, 40);		/* 20 receivers in each group */
	run(0, 50);
	ck_assert_uint_gt(kernel_count("/proc/stat", "ctxt ") - before, 100);
	/* A receiver that is killed may have counted its message and not yet its bytes. */
	ck_assert_uint_eq(harness_bytes(h) % 100, 0);
	ck_assert_uint_le(harness_ops(h) - harness_bytes(h) / 100, 40);
	ck_assert_uint_eq(harness_worker(h, 0)->lines[40].ops, 0);
	end();
}
END_TEST

/* ---- tcp, udp ---- */

START_TEST(a_sweep_measures_all_sizes)
{
	unsigned sum = 0;

	load_new("tcp", 1);
	run(1, 0);
	for (unsigned i = 0; i < 15; i++) {
		double mean = harness_figure(h, 6 * i), p50 = harness_figure(h, 6 * i + 1);
		double p99 = harness_figure(h, 6 * i + 2), max = harness_figure(h, 6 * i + 3);

		ck_assert_double_gt(mean, 0);
		ck_assert_double_le(p50, p99);
		ck_assert_double_le(p99, max);
		ck_assert_double_le(mean, max);
		ck_assert_double_gt(harness_figure(h, 6 * i + 5), 0);
		sum += harness_figure(h, 6 * i + 4) > 0;
	}
	ck_assert_uint_eq(sum, 15);
	ck_assert_msg(!strncmp(text(), "round trip, mean: 4 B ", 22), "%s", text());
	end();
}
END_TEST

START_TEST(a_stream_goes_one_way)
{
	load_new("tcp", 2);
	*knob("mode") = 1;
	*knob("nodelay") = 0;
	run(0, 100);
	ck_assert_uint_eq(harness_bytes(h), 65536 * harness_ops(h));
	end();
}
END_TEST

/* Loopback connections in TIME_WAIT (state 06). */
static uint64_t waiting_sockets(void)
{
	char line[300], state[8];
	uint64_t n = 0;
	FILE *f = fopen("/proc/net/tcp", "r");

	while (f && fgets(line, sizeof(line), f))
		n += sscanf(line, " %*d: 0100007F:%*x 0100007F:%*x %7s", state) == 1 &&
		     !strcmp(state, "06");
	if (f)
		fclose(f);
	return n;
}

/* A network of our own, where nobody else leaves anything.  False: no right to one. */
static bool own_network(void)
{
	struct ifreq lo = { .ifr_name = "lo", .ifr_flags = IFF_UP };
	int fd;
	bool up;

	if (unshare(CLONE_NEWNET) && unshare(CLONE_NEWUSER | CLONE_NEWNET))
		return false;
	fd = socket(AF_INET, SOCK_DGRAM, 0);
	up = !ioctl(fd, SIOCSIFFLAGS, &lo);
	close(fd);
	return up;
}

START_TEST(tcp_leaves_no_socket_waiting)
{
	if (!own_network()) {
		SKIP("may not make a network of its own");
		return;
	}
	load_new("tcp", 1);
	run(0, 20);
	ck_assert_uint_eq(waiting_sockets(), 0);
	end();
}
END_TEST

/* "Udp: " stands before the names and before the numbers. */
static uint64_t datagrams_in(void)
{
	return kernel_count("/proc/net/snmp", "Udp: ");
}

START_TEST(udp_counts_what_arrived)
{
	uint64_t before = datagrams_in(), arrived;

	load_new("udp", 2);
	run_all(30000);
	arrived = datagrams_in() - before;
	ck_assert_uint_ge(arrived, harness_ops(h));
	ck_assert_double_ge(harness_figure(h, 0), harness_figure(h, 1));
	ck_assert_double_ge(harness_figure(h, 2), 0);
	ck_assert_double_le(harness_figure(h, 2), 100);
	end();
}
END_TEST

/* ---- fault, mlock, mem ---- */

/* A sanitizer's notes on memory fault too, once: twice the size under tsan. */
#if defined(__SANITIZE_THREAD__)
#define NOTES_PAGES(pages) (2 * (pages))
#elif defined(__SANITIZE_ADDRESS__)
#define NOTES_PAGES(pages) ((pages) / 8)
#else
#define NOTES_PAGES(pages) 0
#endif

START_TEST(a_sweep_of_anonymous_memory_is_a_fault_a_page)
{
	uint64_t pages = 64 * MIB / (uint64_t)sysconf(_SC_PAGESIZE), passes;

	load_new("fault", 1);
	run(3, 0);
	passes = harness_passes(h);
	ck_assert_uint_ge(harness_ops(h), passes * pages);
	ck_assert_uint_le(harness_ops(h), (passes + 1) * pages + pages / 100 + NOTES_PAGES(pages));
	end();
}
END_TEST

START_TEST(a_mapped_file_faults_too)
{
	load_new("fault", 1);
	*knob("mode") = 1;
	run(2, 100);
	end();
}
END_TEST

START_TEST(a_file_to_be_mapped_needs_its_budget)
{
	load_new("fault", 2);
	*knob("mode") = 1;
	harness_worker(h, 0)->disk_budget_bytes = 100 * MIB;
	refused(-ENOSPC, "needs 135 MB");
}
END_TEST

static void limit_locked(rlim_t bytes)
{
	struct rlimit limit = { bytes, bytes };

	ck_assert_int_eq(setrlimit(RLIMIT_MEMLOCK, &limit), 0);
}

START_TEST(mlock_locks_as_many_fragments_as_it_may)
{
	long page = sysconf(_SC_PAGESIZE);

	limit_locked((rlim_t)(1000 * page));
	load_new("mlock", 1);
	*knob("mode") = _i;
	run(2, 0);
	ck_assert_uint_eq(harness_bytes(h), harness_ops(h) * 952 * (uint64_t)page);
	if (_i == 0)
		ck_assert_double_eq(harness_figure(h, 0), 952);
	end();
}
END_TEST

START_TEST(mlock_without_room_is_refused)
{
	limit_locked((rlim_t)(140 * sysconf(_SC_PAGESIZE)));
	load_new("mlock", 1);
	refused(-EPERM, "room for 92 fragments, 100 needed; raise RLIMIT_MEMLOCK");
}
END_TEST

/* 64 KiB were the default for long: less than what is left to others. */
START_TEST(mlock_without_room_takes_nothing)
{
	const struct load *mlock_load = load_by_name("mlock");

	limit_locked((rlim_t)(16 * sysconf(_SC_PAGESIZE)));
	ck_assert_uint_eq(mlock_load->memory_bytes(2, &(long){ 0 }, UINT64_C(1) << 30), 0);
	load_new("mlock", 1);
	refused(-EPERM, "room for 0 fragments, 100 needed; raise RLIMIT_MEMLOCK");
}
END_TEST

/* `allowed` is half of what there is for us. */
START_TEST(mem_takes_no_more_than_its_group_has)
{
	static const struct { long percent; uint64_t allowed, want; } rows[] = {
		{ 50, 10000000, 10000000 }, { 25, 10000000, 5000000 }, { 100, 10000000, 20000000 },
	};
	const struct load *mem = load_by_name("mem");

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		ck_assert_uint_eq(mem->memory_bytes(1, &rows[i].percent, rows[i].allowed), rows[i].want);
	ck_assert_uint_gt(mem->memory_bytes(1, &(long){ 110 }, 10000000), 20000000);
	/* Nothing is known of a group: the machine is the limit. */
	ck_assert_uint_lt(mem->memory_bytes(1, &(long){ 100 }, UINT64_MAX / 2), UINT64_C(1) << 50);
}
END_TEST

/* Others hold all that loads may have: nothing is left, not everything. */
START_TEST(mem_that_was_granted_nothing_is_refused)
{
	load_new("mem", 1);
	harness_worker(h, 0)->memory_budget_bytes = 0;
	refused(-ENOMEM, "0 MB of memory are left for it");
}
END_TEST

START_TEST(mem_touches_and_copies_its_share)
{
	uint64_t each;

	load_new("mem", 2);
	*knob("percent") = 1;
	run(1, 0);
	each = (uint64_t)(harness_figure(h, 0) * 1e6);
	ck_assert_uint_ge(each, MIB);
	/* A round touches every block and copies every one. */
	ck_assert_uint_ge(harness_bytes(h), 2 * 2 * each);
	ck_assert_uint_eq(harness_bytes(h), MIB * harness_ops(h));
	end();
}
END_TEST

/* ---- list ---- */

static void make(const char *command)
{
	char line[400];

	snprintf(line, sizeof(line), command, harness_scratch(h), harness_scratch(h));
	ck_assert_int_eq(system(line), 0);
}

START_TEST(a_walk_sees_what_find_sees)
{
	struct walk walk;
	unsigned found;
	FILE *f;
	char line[200];

	load_new("list", 1);
	make("mkdir -p %s/a/b/c/d/e && cd %s && ln -s / up && ln -s .. a/b/dots && "
	     "for i in 1 2 3 4 5 6 7 8 9; do echo >a/b/c/$i; mkdir $i; done && mkfifo pipe");
	snprintf(line, sizeof(line), "find %s -xdev | wc -l", harness_scratch(h));
	f = popen(line, "r");
	ck_assert_int_eq(fscanf(f, "%u", &found), 1);
	pclose(f);
	ck_assert_int_eq(walk_tree(harness_worker(h, 0), harness_scratch(h), &walk), 0);
	ck_assert_uint_eq(walk.entries, found);
	ck_assert_uint_eq(harness_ops(h), found);
	ck_assert_uint_eq(walk.denied, 0);
	harness_free(h);
}
END_TEST

START_TEST(a_walk_of_the_machine_begins)
{
	load_new("list", 2);
	run(0, 1000);
	end();
}
END_TEST

START_TEST(a_missing_root_is_an_error)
{
	struct walk walk;

	load_new("list", 1);
	ck_assert_int_eq(walk_tree(harness_worker(h, 0), "/nowhere", &walk), -ENOENT);
	end();
}
END_TEST

/* ---- bandwidth ---- */

START_TEST(every_kind_of_bandwidth_is_a_figure)
{
	load_new("bandwidth", 1);
	*knob("variant") = _i;
	run(1, 0);
	ck_assert_uint_eq(harness_bytes(h), MIB * harness_ops(h));
	for (unsigned i = 0; i < 3; i++)
		ck_assert_double_gt(harness_figure(h, i), 1);
	end();
}
END_TEST

/* ---- what they are made of ---- */

START_TEST(percentiles_lie_within_a_slot)
{
	struct lat *l = calloc(1, sizeof(*l));

	for (int64_t ns = 1; ns <= 1000000; ns++)
		lat_record(l, ns);
	ck_assert_double_eq_tol(lat_mean_us(l), 500.0005, 1e-6);
	ck_assert_double_eq(lat_max_us(l), 1000);
	for (unsigned p = 1; p <= 100; p++) {
		ck_assert_double_ge(lat_percentile_us(l, p), p * 10.0);
		ck_assert_double_le(lat_percentile_us(l, p), p * 10.0 * 1.033);
	}
	lat_record(l, -5);
	lat_record(l, INT64_MAX);
	ck_assert_uint_eq(l->count, 1000002);
	free(l);
}
END_TEST

/* ---- ctar, xtar ---- */

START_TEST(a_tree_has_its_size_and_is_the_seeds)
{
	static const uint64_t sizes[] = { 20000000, 200000000 };
	struct tree a, b;
	uint64_t sum = 0;

	tree_plan(&a, sizes[_i], 5);
	for (unsigned i = 0; i < TREE_FILES; i++) {
		sum += a.size[i];
		ck_assert_uint_gt(a.size[i], 0);
	}
	ck_assert_uint_eq(sum, sizes[_i]);
	tree_plan(&b, sizes[_i], 5);
	ck_assert_mem_eq(a.size, b.size, sizeof(a.size));
	tree_plan(&b, sizes[_i], 6);
	ck_assert_mem_ne(a.size, b.size, sizeof(a.size));
}
END_TEST

static void small_tree(void)
{
	struct tree t;

	tree_plan(&t, 3000000, 9);
	ck_assert_int_eq(tree_make(&t, harness_worker(h, 0), harness_worker(h, 0)->scratch_fd,
				   "tree"), 0);
}

static struct tar_counts archive(void)
{
	struct load_worker *w = harness_worker(h, 0);
	struct tar_counts counts;

	ck_assert_int_eq(tar_create(w, w->scratch_fd, "tree", "a.tar", &counts), 0);
	return counts;
}

START_TEST(tar_finds_no_difference)
{
	struct tar_counts counts;
	struct stat st;

	load_new("ctar", 1);
	small_tree();
	counts = archive();
	ck_assert_uint_eq(counts.files, TREE_FILES);
	ck_assert_uint_eq(counts.bytes, 3000000);
	ck_assert_uint_eq(harness_bytes(h), 3000000);
	ck_assert_int_eq(fstatat(harness_worker(h, 0)->scratch_fd, "a.tar", &st, 0), 0);
	ck_assert_int_eq(st.st_size % 10240, 0);
	make("tar -df %s/a.tar -C %s/tree");
	harness_free(h);
}
END_TEST

START_TEST(what_is_extracted_equals_the_tree)
{
	struct load_worker *w;
	struct tar_counts counts;

	load_new("xtar", 1);
	w = harness_worker(h, 0);
	small_tree();
	archive();
	ck_assert_int_eq(tar_extract(w, w->scratch_fd, "a.tar", "out", &counts), 0);
	ck_assert_uint_eq(counts.files, TREE_FILES);
	ck_assert_uint_eq(counts.bytes, 3000000);
	make("diff -r %s/tree %s/out");
	/* times and modes too */
	make("cd %s && [ -z \"$(find out -type f -newer a.tar)\" ] && "
	     "[ -z \"$(find %s/out -type f ! -perm 644)\" ]");
	/* and tar takes what we wrote for its own */
	make("cd %s && mkdir by-tar && tar -xf a.tar -C %s/by-tar");
	make("diff -r %s/by-tar %s/out");
	harness_free(h);
}
END_TEST

START_TEST(a_broken_archive_is_refused)
{
	static const struct { off_t at; const char *bytes; } harm[] = {
		{ 0, "../x" }, { 0, "/etc" }, { 156, "2" }, { 512 + 3, "zzz" }, { 148, "000000" },
	};
	struct load_worker *w;
	struct tar_counts counts;
	int fd;

	load_new("xtar", 1);
	w = harness_worker(h, 0);
	small_tree();
	archive();
	fd = openat(w->scratch_fd, "a.tar", O_WRONLY);
	ck_assert_int_gt(pwrite(fd, harm[_i].bytes, strlen(harm[_i].bytes), harm[_i].at), 0);
	close(fd);
	ck_assert_int_eq(tar_extract(w, w->scratch_fd, "a.tar", "out", &counts), -EBADMSG);
	harness_free(h);
}
END_TEST

START_TEST(archivers_work_and_tidy_up)
{
	load_new(_i ? "xtar" : "ctar", 1);
	run(1, 1);
	ck_assert_uint_ge(harness_ops(h), TREE_FILES * harness_passes(h));
	ck_assert_uint_ge(harness_bytes(h), 20000000 * harness_passes(h));
	end();
}
END_TEST

START_TEST(archivers_need_their_budget)
{
	load_new(_i ? "xtar" : "ctar", 2);
	harness_worker(h, 0)->disk_budget_bytes = 80000000;
	refused(-ENOSPC, "needs 84 MB of disk, budget 80 MB");
}
END_TEST

/* ---- bonnie, compile ---- */

START_TEST(bonnie_ends_with_a_row_and_exact_seeks)
{
	uint64_t file = 16 * MIB, seeks = 8192 * UINT64_C(8192);

	load_new("bonnie", 1);
	*knob("size") = 16;
	harness_finish(h);
	run(1, 0);
	ck_assert_double_eq(harness_figure(h, 0), 16);
	ck_assert_double_eq(harness_figure(h, 19), 8192);
	for (unsigned i = 1; i < 19; i++)
		ck_assert_double_ge(harness_figure(h, i), 0);
	/* once written by byte, by chunk, rewritten (both ways), read twice */
	ck_assert_uint_eq(harness_bytes(h), 6 * file + seeks);
	ck_assert_msg(!strncmp(text(), "           16 ", 14), "%s", text());
	ck_assert_msg(strstr(text(), "cached") != NULL, "%s", text());
	end();
}
END_TEST

START_TEST(a_job_is_the_same_work_each_time)
{
	uint64_t bytes[2];

	for (unsigned i = 0; i < 2; i++) {
		load_new("compile", 1 + i);
		*knob("units") = 4;
		*knob("cacherun") = i;
		harness_finish(h);
		run_all(4);
		ck_assert_uint_eq(harness_ops(h), 4);
		ck_assert_uint_eq(harness_passes(h), 1);
		ck_assert_double_gt(harness_figure(h, 0), 0);
		ck_assert_double_gt(harness_figure(h, 1), 0);
		ck_assert_double_eq(harness_figure(h, 2), 4);
		bytes[i] = (uint64_t)harness_figure(h, 3);
		ck_assert_uint_gt(bytes[i], 8 * MIB + 2 * 4 * 40960);
		end();
	}
	ck_assert_uint_eq(bytes[0], bytes[1]);
}
END_TEST

START_TEST(bonnie_and_compile_need_their_budget)
{
	load_new(_i ? "compile" : "bonnie", 1);
	harness_worker(h, 0)->disk_budget_bytes = 16 * MIB;
	refused(-ENOSPC, "budget 16 MB; use ");
}
END_TEST

#define ADD(name, n) tcase_add_loop_test(tc, name, 0, n)

Suite *loads_more_suite(void);
Suite *loads_more_suite(void)
{
	Suite *s = suite_create("loads_more");
	TCase *tc = tcase_create("loads");

	tcase_set_timeout(tc, 60);
	ADD(every_load_says_what_it_is, 1);
	ADD(exec_starts_as_many_programs_as_it_counts, 2);
	ADD(a_script_is_eight_processes, 1);
	ADD(plain_shells_need_no_text, 1);
	ADD(a_hundred_failing_scripts_end_the_load, 1);
	ADD(a_ring_hops_and_stops, 6);
	ADD(write_moves_whole_files, 2);
	ADD(write_goes_to_the_second_folder_when_told, 1);
	ADD(write_without_a_second_folder_is_refused, 1);
	ADD(a_file_beyond_the_budget_is_refused, 2);
	ADD(without_a_size_the_budget_is_shared_out, 2);
	ADD(read_moves_whole_files_and_says_where_from, 1);
	ADD(cpu_counts_loops_and_says_what_one_cpu_does, 1);
	ADD(groups_talk_in_every_line_and_end, 2);
	ADD(a_sweep_measures_all_sizes, 1);
	ADD(a_stream_goes_one_way, 1);
	ADD(tcp_leaves_no_socket_waiting, 1);
	ADD(udp_counts_what_arrived, 1);
	ADD(a_sweep_of_anonymous_memory_is_a_fault_a_page, 1);
	ADD(a_mapped_file_faults_too, 1);
	ADD(a_file_to_be_mapped_needs_its_budget, 1);
	ADD(mlock_locks_as_many_fragments_as_it_may, 2);
	ADD(mlock_without_room_is_refused, 1);
	ADD(mlock_without_room_takes_nothing, 1);
	ADD(mem_takes_no_more_than_its_group_has, 1);
	ADD(mem_that_was_granted_nothing_is_refused, 1);
	ADD(mem_touches_and_copies_its_share, 1);
	ADD(a_walk_sees_what_find_sees, 1);
	ADD(a_walk_of_the_machine_begins, 1);
	ADD(a_missing_root_is_an_error, 1);
	ADD(every_kind_of_bandwidth_is_a_figure, 2);
	ADD(percentiles_lie_within_a_slot, 1);
	ADD(a_tree_has_its_size_and_is_the_seeds, 2);
	ADD(tar_finds_no_difference, 1);
	ADD(what_is_extracted_equals_the_tree, 1);
	ADD(a_broken_archive_is_refused, 5);
	ADD(archivers_work_and_tidy_up, 2);
	ADD(archivers_need_their_budget, 2);
	ADD(bonnie_ends_with_a_row_and_exact_seeks, 1);
	ADD(a_job_is_the_same_work_each_time, 1);
	ADD(bonnie_and_compile_need_their_budget, 2);
	suite_add_tcase(s, tc);
	return s;
}
