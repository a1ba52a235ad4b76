/*
 * check_mutations.c - P12: every change of one byte of each data file and of
 * each format's own output.  A reader may refuse; what it accepts adds up; it
 * never crashes, takes no second and no 64 MB.
 *
 * Quick: the beginning of each file, all values of every 64th byte, some that
 * mean something to a reader of each other.  JS_LONG=1: all values of all bytes.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "src/format.h"
#include "src/snapshot_build.h"
#include "tests/fake_snapshot.h"
#include "tests/loop_assert.h"

/* A loop test's share of the bytes: each runs in a process of its own. */
#define PARTS 4
#define SAMPLE_BYTES 1500
#define OTHER_BYTES 300		/* of what has no reader */
#define MEMORY_KB (64 * 1024)
#define SECOND_NS 1000000000

static const char *const data_files[] = { "bonnie.txt", "dbench-lowlat.txt", "dbench-preempt.txt", "dbench-stock.txt",
	"histogram-lowlat.txt", "histogram-stock.txt", "lmbench.txt" };
#define DATA_FILES (sizeof(data_files) / sizeof(data_files[0]))
/* Notes and tables that no reader knows. */
static const char *const other_files[] = { "contest.tsv", "dbench-kernels.tsv", "tcp-sweep.md", "unixbench.tsv",
	"churn-v1.txt", "churn-v4.txt", "README.md" };
#define OTHER_FILES (sizeof(other_files) / sizeof(other_files[0]))

static bool in_full(void)
{
	const char *full = getenv("JS_LONG");

	return full && !strcmp(full, "1");
}

/* Of this process, so that a busy machine does not count. */
static int64_t cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (int64_t)t.tv_sec * SECOND_NS + t.tv_nsec;
}

static const struct format *reader_of(const char *bytes, size_t n)
{
	const struct format *best = NULL;
	int most = 0;

	for (const struct format *const *f = formats; *f; f++) {
		int score = (*f)->sniff ? (*f)->sniff(bytes, n, "FILE") : 0;

		if (score > most) {
			most = score;
			best = *f;
		}
	}
	return best;
}

/* The CPU time it took. */
static int64_t read_one(const struct format *f, const char *bytes, size_t n)
{
	struct why why = { 0 };
	int64_t began_ns = cpu_ns();
	struct snapshot *s = fake_read(f, bytes, n, &why);

	if (!s) {
		loop_assert_msg(why.err < 0 && why.text[0], "%s refused without a word", f->name);
		loop_assert(!strchr(why.text, '\n'));
	}
	if (s && snapshot_check(s, &why) == 0)
		for (unsigned i = 0; i < s->nr_series; i++)
			loop_assert(counts_hold(&s->series[i].counts));
	snapshot_free(s);
	return cpu_ns() - began_ns;
}

/* A host that takes the CPU may do so on our account; not each time. */
static void one_change(const struct format *f, const char *bytes, size_t n)
{
	int64_t took_ns = read_one(f, bytes, n);

	for (int tries = 0; tries < 2 && took_ns >= SECOND_NS; tries++)
		took_ns = read_one(f, bytes, n);
	loop_assert(took_ns < SECOND_NS);
}

/* As a file is read: by whom it looks like now, and by its own reader too. */
static void as_a_file(const struct format *own, const char *bytes, size_t n)
{
	const struct format *f = reader_of(bytes, n);

	if (f)
		one_change(f, bytes, n);
	if (own && own != f)
		one_change(own, bytes, n);
}

static unsigned long change_one(const struct format *f, char *bytes, size_t n, size_t at)
{
	char was = bytes[at];

	for (int c = 0; c < 256; c++) {
		bytes[at] = (char)c;
		as_a_file(f, bytes, n);
	}
	bytes[at] = was;
	return 256;
}

/* Every third of these, beginning elsewhere at the next byte. */
static unsigned long change_a_little(const struct format *f, char *bytes, size_t n, size_t at)
{
	static const unsigned char telling[] = { 0, '\n', '\t', ' ', '"', ',', '-', '.', '0', '9', '[', '}', 0x80, 0xff };
	char was = bytes[at];
	unsigned long changes = 0;

	for (size_t c = at / PARTS % 3; c < sizeof(telling); c += 3, changes++) {
		bytes[at] = (char)telling[c];
		as_a_file(f, bytes, n);
	}
	bytes[at] = was;
	return changes;
}

static unsigned long change_all(const struct format *f, char *bytes, size_t n, unsigned part)
{
	unsigned long changes = 0;

	for (size_t i = part; i < n; i += PARTS)
		changes += in_full() || i / PARTS % 64 == 0 ? change_one(f, bytes, n, i)
							   : change_a_little(f, bytes, n, i);
	return changes;
}

/* Quick: only so much of a file, which is then all there is of it. */
static size_t at_most(size_t bytes, size_t n)
{
	return n < bytes || in_full() ? n : bytes;
}

/* Sanitizers need memory of their own. */
static void little_memory(const char *name, unsigned part, unsigned long changes)
{
	struct rusage used;

	getrusage(RUSAGE_SELF, &used);
#if !defined(JS_ASAN) && !defined(JS_TSAN)
	ck_assert_int_le(used.ru_maxrss, MEMORY_KB);
#endif
	if (in_full())
		printf("P12 %s, part %u of %u: %lu changes, 0 crashes, %ld MB\n", name, part + 1, PARTS, changes,
		       used.ru_maxrss / 1024);
}

/* P12: every change of one byte. */
START_TEST(p12_data_files)
{
	size_t n;
	char *bytes = fake_data(data_files[_i / PARTS], &n);
	const struct format *f = reader_of(bytes, n);

	ck_assert_ptr_nonnull(f);
	one_change(f, bytes, n);
	little_memory(data_files[_i / PARTS], (unsigned)_i % PARTS,
		      change_all(f, bytes, at_most(SAMPLE_BYTES, n), (unsigned)_i % PARTS));
	free(bytes);
}
END_TEST

START_TEST(p12_files_nobody_reads)
{
	size_t n;
	char *bytes = fake_data(other_files[_i / PARTS], &n);

	little_memory(other_files[_i / PARTS], (unsigned)_i % PARTS,
		      change_all(NULL, bytes, at_most(OTHER_BYTES, n), (unsigned)_i % PARTS));
	free(bytes);
}
END_TEST

/* A little of everything, so that each format's file stays short. */
static struct snapshot *little(void)
{
	static const int64_t ns[] = { -1, 900, 1500, 1500, 99999, 5000000, 7200000000000 };
	struct snapshot *s = snapshot_new();

	fake_series(s, "wakeup-fifo", 0, ns, 7);
	fake_series(s, "wakeup-fifo", 1, ns, 5);
	s->duration_s = 2;
	s->row_s = 1;
	struct snapshot_row *row = snapshot_add_row(s, "wakeup-fifo");

	row->len_s = 1;
	snapshot_add_cell(row, 40, 3);
	snapshot_add_event(s, 1, "mark", "m");
	struct snapshot_load *l = snapshot_add_load(s, "churn");

	l->rate = 12.5;
	snprintf(l->rate_unit, sizeof(l->rate_unit), "MB/s");
	snapshot_add_figure(s, "no_load", "k", "runs", "")->value = 1;
	snapshot_add_figure(s, "no_load", "k", "Time", "s")->value = 79;
	snapshot_add_figure(s, "bonnie", "k", "MB", "MB")->value = 100;
	snapshot_add_figure(s, "mem_lat", "k", "Main mem", "ns")->value = 110;
	return s;
}

static unsigned format_count(void)
{
	unsigned n = 0;

	while (formats[n])
		n++;
	return n;
}

/* P12: every change of one byte. */
START_TEST(p12_own_files)
{
	const struct format *f = formats[_i / PARTS];
	struct snapshot *s = little();
	size_t n;

	if (f->read && f->write) {
		char *bytes = fake_write(f, s, &n);

		ck_assert_msg(reader_of(bytes, n) == f, "%s is not known again by its content", f->name);
		one_change(f, bytes, n);
		little_memory(f->name, (unsigned)_i % PARTS,
			      change_all(f, bytes, at_most(SAMPLE_BYTES, n), (unsigned)_i % PARTS));
		for (size_t cut = (size_t)_i % PARTS; cut < n; cut += PARTS)
			one_change(f, bytes, cut);
		free(bytes);
	}
	snapshot_free(s);
}
END_TEST

START_TEST(p12_raw_records)
{
	char raw[28 * 3] = { 0 };

	for (int i = 0; i < 3; i++)
		raw[28 * i + 4] = (char)i;
	change_all(format_by_name("jitterdebugger-raw"), raw, sizeof(raw), (unsigned)_i);
}
END_TEST

/* No reader takes another's file for its own: exactly one is the surest. */
START_TEST(every_data_file_has_one_reader)
{
	size_t n;
	char *bytes = fake_data(data_files[_i], &n);
	int most = 0, twice = 0;

	for (const struct format *const *f = formats; *f; f++) {
		int score = (*f)->sniff ? (*f)->sniff(bytes, n, "FILE") : 0;

		twice = score > most ? 0 : twice + (score && score == most);
		most = score > most ? score : most;
	}
	ck_assert_int_gt(most, 0);
	ck_assert_int_eq(twice, 0);
	free(bytes);
}
END_TEST

Suite *mutations_suite(void);

Suite *mutations_suite(void)
{
	Suite *s = suite_create("mutations");
	TCase *tc = tcase_create("mutations");

	tcase_set_timeout(tc, in_full() ? 0 : 900);
	tcase_add_loop_test(tc, p12_data_files, 0, (int)DATA_FILES * PARTS);
	tcase_add_loop_test(tc, p12_files_nobody_reads, 0, (int)OTHER_FILES * PARTS);
	tcase_add_loop_test(tc, p12_own_files, 0, (int)format_count() * PARTS);
	tcase_add_loop_test(tc, p12_raw_records, 0, PARTS);
	tcase_add_loop_test(tc, every_data_file_has_one_reader, 0, (int)DATA_FILES);
	suite_add_tcase(s, tc);
	return s;
}
