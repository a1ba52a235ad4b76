/*
 * check_mutations.c - P12: every change of one byte of each data file and of
 * each format's own output.  A reader may refuse; what it accepts adds up; it
 * never crashes and never takes long.
 *
 * Quick: all values of every 64th byte, some that mean something to a reader of
 * each other.  JS_LONG=1: all values of all bytes.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/format.h"
#include "src/snapshot_build.h"
#include "tests/fake_snapshot.h"
#include "tests/loop_assert.h"

/* A loop test's share of the bytes: each runs in a process of its own. */
#define PARTS 4
#define SAMPLE_BYTES 1500

static const char *const data_files[] = { "bonnie.txt", "dbench-lowlat.txt", "dbench-preempt.txt", "dbench-stock.txt",
	"histogram-lowlat.txt", "histogram-stock.txt", "lmbench.txt" };
#define DATA_FILES (sizeof(data_files) / sizeof(data_files[0]))

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

static void one_change(const struct format *f, const char *bytes, size_t n)
{
	struct why why = { 0 };
	struct snapshot *s = fake_read(f, bytes, n, &why);

	if (!s) {
		loop_assert_msg(why.err < 0 && why.text[0], "%s refused without a word", f->name);
		loop_assert(!strchr(why.text, '\n'));
	}
	if (s && snapshot_check(s, &why) == 0)
		for (unsigned i = 0; i < s->nr_series; i++)
			loop_assert(counts_hold(&s->series[i].counts));
	snapshot_free(s);
}

static void change_one(const struct format *f, char *bytes, size_t n, size_t at)
{
	char was = bytes[at];

	for (int c = 0; c < 256; c++) {
		bytes[at] = (char)c;
		one_change(f, bytes, n);
	}
	bytes[at] = was;
}

/* Every third of these, beginning elsewhere at the next byte. */
static void change_a_little(const struct format *f, char *bytes, size_t n, size_t at)
{
	static const unsigned char telling[] = { 0, '\n', '\t', ' ', '"', ',', '-', '.', '0', '9', '[', '}', 0x80, 0xff };
	char was = bytes[at];

	for (size_t c = at / PARTS % 3; c < sizeof(telling); c += 3) {
		bytes[at] = (char)telling[c];
		one_change(f, bytes, n);
	}
	bytes[at] = was;
}

static void change_all(const struct format *f, char *bytes, size_t n, unsigned part)
{
	bool full = getenv("JS_LONG");

	for (size_t i = part; i < n; i += PARTS) {
		if (full || i / PARTS % 64 == 0)
			change_one(f, bytes, n, i);
		else
			change_a_little(f, bytes, n, i);
	}
}

START_TEST(p12_data_files)
{
	size_t n;
	char *bytes = fake_data(data_files[_i / PARTS], &n);
	const struct format *f = reader_of(bytes, n);

	ck_assert_ptr_nonnull(f);
	one_change(f, bytes, n);
	change_all(f, bytes, n < SAMPLE_BYTES ? n : SAMPLE_BYTES, (unsigned)_i % PARTS);
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
	return s;
}

static unsigned format_count(void)
{
	unsigned n = 0;

	while (formats[n])
		n++;
	return n;
}

START_TEST(p12_own_files)
{
	const struct format *f = formats[_i / PARTS];
	struct snapshot *s = little();
	size_t n;

	if (f->read && f->write && strcmp(f->name, "lmbench")) {
		char *bytes = fake_write(f, s, &n);

		ck_assert_msg(reader_of(bytes, n) == f, "%s is not known again by its content", f->name);
		one_change(f, bytes, n);
		change_all(f, bytes, n < SAMPLE_BYTES ? n : SAMPLE_BYTES, (unsigned)_i % PARTS);
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

	tcase_set_timeout(tc, 900);
	tcase_add_loop_test(tc, p12_data_files, 0, (int)DATA_FILES * PARTS);
	tcase_add_loop_test(tc, p12_own_files, 0, (int)format_count() * PARTS);
	tcase_add_loop_test(tc, p12_raw_records, 0, PARTS);
	tcase_add_loop_test(tc, every_data_file_has_one_reader, 0, (int)DATA_FILES);
	suite_add_tcase(s, tc);
	return s;
}
