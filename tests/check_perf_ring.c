/*
 * check_perf_ring.c - a backward ring, newest record first: not yet full,
 * wrapped, cut, and full of garbage.
 */
#include <check.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "src/perf_ring.h"
#include "tests/fake_perf.h"

#define SIZE 4096

static struct fake_perf f;
static struct trace_event got[4096];
static unsigned nr, stop_after;

static void set_up(void)
{
	fake_perf_make(&f, SIZE);
	nr = 0;
	stop_after = 4096;
}

static void tear_down(void)
{
	fake_perf_free(&f);
}

static bool take(void *ctx, const struct trace_event *e)
{
	ck_assert_ptr_eq(ctx, &f);
	got[nr++] = *e;
	return nr < stop_after;
}

static enum perf_ring_end walk(void)
{
	return perf_ring_walk(&(struct perf_ring_bytes){ f.data, f.size, f.head, 0 }, &fake_perf_layout, take, &f);
}

START_TEST(an_empty_ring_has_no_record)
{
	ck_assert_int_eq(walk(), PERF_RING_OLDEST);
	ck_assert_uint_eq(nr, 0);
}
END_TEST

START_TEST(records_come_newest_first)
{
	for (int i = 1; i <= 10; i++)
		fake_perf_in(&f, i * 100, i);
	ck_assert_int_eq(walk(), PERF_RING_OLDEST);
	ck_assert_uint_eq(nr, 10);
	for (int i = 0; i < 10; i++) {
		ck_assert_int_eq(got[i].kind, TRACE_IN);
		ck_assert_int_eq(got[i].tid, 10 - i);
		ck_assert_int_eq(got[i].t_ns, 100 * (10 - i));
	}
}
END_TEST

START_TEST(a_ring_that_is_exactly_full_is_whole)
{
	for (int i = 1; i <= SIZE / 64; i++)
		fake_perf_fork(&f, i, i, 7);	/* 48 bytes */
	for (int i = 1; i <= 2 * SIZE / 64; i++)
		fake_perf_raw(&f, &(struct perf_event_header){ PERF_RECORD_UNTHROTTLE, 0, 8 }, 8);
	ck_assert_uint_eq(0 - f.head, SIZE);
	ck_assert_int_eq(walk(), PERF_RING_OLDEST);
	ck_assert_uint_eq(nr, SIZE / 64);
	ck_assert_int_eq(got[nr - 1].tid, 1);
}
END_TEST

/* Records of many sizes, so that one lies across the end and one is cut. */
START_TEST(a_ring_that_wrapped_ends_at_the_cut_record)
{
	int last = 0;

	for (int i = 1; i <= 1000; i++) {
		if (i % 3 == 0)
			fake_perf_comm(&f, i, i, "a rather long n");
		else if (i % 3 == 1)
			fake_perf_in(&f, i, i);
		else
			fake_perf_fork(&f, i, i, 7);
		last = i;
	}
	ck_assert_int_eq(walk(), PERF_RING_OLDEST);
	ck_assert_uint_gt(nr, 60);
	for (unsigned i = 0; i < nr; i++)
		ck_assert_int_eq(got[i].tid, last - (int)i);
}
END_TEST

START_TEST(the_callback_may_stop)
{
	for (int i = 1; i <= 10; i++)
		fake_perf_in(&f, i, i);
	stop_after = 3;
	ck_assert_int_eq(walk(), PERF_RING_STOPPED);
	ck_assert_uint_eq(nr, 3);
}
END_TEST

START_TEST(every_kind_is_told_apart)
{
	static const enum trace_kind want[] = {
		TRACE_LOST, TRACE_SOFTIRQ_OUT, TRACE_SOFTIRQ_IN, TRACE_IRQ_OUT, TRACE_IRQ_IN,
		TRACE_WAKING, TRACE_IN, TRACE_FORK, TRACE_COMM, TRACE_EXIT, TRACE_IN,
	};

	fake_perf_in(&f, 1, 11);
	fake_perf_exit(&f, 2, 12);
	fake_perf_comm(&f, 3, 13, "hog");
	fake_perf_fork(&f, 4, 14, 15);
	fake_perf_switch(&f, 5, 16, 17, "sixteen-letters!");
	fake_perf_waking(&f, 6, 18);
	fake_perf_irq(&f, 7, 24, "virtio0");
	fake_perf_irq(&f, 8, 24, NULL);
	fake_perf_softirq(&f, 9, 3, 1);
	fake_perf_softirq(&f, 10, 3, 0);
	fake_perf_lost(&f, 11);
	walk();
	ck_assert_uint_eq(nr, 11);
	for (unsigned i = 0; i < nr; i++) {
		ck_assert_int_eq(got[i].kind, want[i]);
		ck_assert_int_eq(got[i].t_ns, 11 - (int)i);
	}
	ck_assert_int_eq(got[8].tid, 13);
	ck_assert_str_eq(got[8].comm, "hog");
	ck_assert_int_eq(got[7].tid, 14);
	ck_assert_int_eq(got[7].other, 15);
	ck_assert_int_eq(got[6].tid, 17);
	ck_assert_int_eq(got[6].other, 16);
	ck_assert_str_eq(got[6].comm, "sixteen-letters");
	ck_assert_int_eq(got[5].tid, 18);
	ck_assert_int_eq(got[4].other, 24);
	ck_assert_str_eq(got[4].comm, "virtio0");
	ck_assert_int_eq(got[2].other, 3);
}
END_TEST

START_TEST(without_a_layout_samples_are_tasks_that_stop)
{
	fake_perf_out(&f, 1, 11);
	fake_perf_comm(&f, 2, 12, "hog");
	fake_perf_out(&f, 3, -1);
	ck_assert_int_eq(perf_ring_walk(&(struct perf_ring_bytes){ f.data, f.size, f.head, 0 }, NULL, take, &f), PERF_RING_OLDEST);
	ck_assert_uint_eq(nr, 3);
	ck_assert_int_eq(got[0].kind, TRACE_OUT);
	ck_assert_int_eq(got[0].tid, -1);
	ck_assert_int_eq(got[0].t_ns, 3);
	ck_assert_str_eq(got[1].comm, "hog");
	ck_assert_int_eq(got[2].kind, TRACE_OUT);
	ck_assert_int_eq(got[2].tid, 11);
}
END_TEST

static const struct perf_event_header bad[] = {
	{ PERF_RECORD_SAMPLE, 0, 0 },
	{ PERF_RECORD_SAMPLE, 0, 7 },
	{ PERF_RECORD_SAMPLE, 0, 33 },
	{ PERF_RECORD_SAMPLE, 0, 65528 },
	{ 4711, 0, 32 },
	{ 0, 0, 0 },
};

START_TEST(a_record_that_cannot_be_one_ends_the_walk)
{
	uint8_t record[32] = { 0 };

	fake_perf_in(&f, 1, 11);
	memcpy(record, &bad[_i], sizeof(bad[_i]));
	fake_perf_raw(&f, record, sizeof(record));
	fake_perf_in(&f, 2, 12);
	ck_assert_int_eq(walk(), PERF_RING_BROKEN);
	ck_assert_uint_eq(nr, 1);
	ck_assert_int_eq(got[0].tid, 12);
}
END_TEST

START_TEST(short_records_and_wild_offsets_do_no_harm)
{
	struct perf_event_header h = { PERF_RECORD_SAMPLE, 0, 8 };
	struct trace_layout wild = fake_perf_layout;

	for (uint32_t type = 0; type < 24; type++) {
		h.type = type;
		fake_perf_raw(&f, &h, sizeof(h));
	}
	wild.irq_in.offset[1] = UINT32_MAX;
	wild.sched_switch.offset[1] = 65000;
	fake_perf_irq(&f, 7, 24, "virtio0");
	fake_perf_switch(&f, 8, 1, 2, "x");
	perf_ring_walk(&(struct perf_ring_bytes){ f.data, f.size, f.head, 0 }, &wild, take, &f);
	ck_assert_uint_ge(nr, 2);
	ck_assert_str_eq(got[0].comm, "");
}
END_TEST

START_TEST(random_bytes_do_no_harm)
{
	srand(_i);
	for (uint64_t i = 0; i < f.size; i++)
		f.data[i] = (uint8_t)(rand() % 5 ? 0 : rand() % 40);
	/* Some sizes that look right, so that the walk gets somewhere. */
	for (int i = 0; i < 200; i++) {
		struct perf_event_header h = { (uint32_t)(rand() % 16), (uint16_t)rand(),
					       (uint16_t)(8 * (rand() % 20)) };

		memcpy(f.data + 8 * (rand() % (SIZE / 8 - 1)), &h, sizeof(h));
	}
	f.head = 0 - (uint64_t)(8 * (rand() % 2000));
	stop_after = 4000;
	walk();
	ck_assert_uint_le(nr, SIZE / 8);
}
END_TEST

START_TEST(a_size_that_is_no_power_of_two_is_refused)
{
	fake_perf_in(&f, 1, 1);
	ck_assert_int_eq(perf_ring_walk(&(struct perf_ring_bytes){ f.data, 4095, f.head, 0 }, NULL, take, &f), PERF_RING_BROKEN);
	ck_assert_int_eq(perf_ring_walk(&(struct perf_ring_bytes){ f.data, 0, f.head, 0 }, NULL, take, &f), PERF_RING_BROKEN);
}
END_TEST

START_TEST(format_files_tell_id_and_offsets)
{
	static const char text[] = "name: sched_switch\nID: 372\nformat:\n"
		"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
		"\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
		"\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
		"\tfield:__data_loc char[] name;\toffset:12;\tsize:4;\tsigned:0;\n\n"
		"print fmt: \"prev_comm=%s\"\n";

	ck_assert_uint_eq(trace_format_id(text), 372);
	ck_assert_int_eq(trace_format_offset(text, "prev_comm"), 8);
	ck_assert_int_eq(trace_format_offset(text, "prev_pid"), 24);
	ck_assert_int_eq(trace_format_offset(text, "name"), 12);
	ck_assert_int_eq(trace_format_offset(text, "pid"), -1);
	ck_assert_int_eq(trace_format_offset("field:", "x"), -1);
	ck_assert_int_eq(trace_format_offset("field:;", "x"), -1);
	ck_assert_uint_eq(trace_format_id("nothing"), 0);
}
END_TEST

Suite *perf_ring_suite(void);
Suite *perf_ring_suite(void)
{
	Suite *s = suite_create("perf_ring");
	TCase *tc = tcase_create("ring");

	tcase_add_checked_fixture(tc, set_up, tear_down);
	tcase_add_test(tc, an_empty_ring_has_no_record);
	tcase_add_test(tc, records_come_newest_first);
	tcase_add_test(tc, a_ring_that_is_exactly_full_is_whole);
	tcase_add_test(tc, a_ring_that_wrapped_ends_at_the_cut_record);
	tcase_add_test(tc, the_callback_may_stop);
	tcase_add_test(tc, every_kind_is_told_apart);
	tcase_add_test(tc, without_a_layout_samples_are_tasks_that_stop);
	tcase_add_loop_test(tc, a_record_that_cannot_be_one_ends_the_walk, 0,
			    sizeof(bad) / sizeof(bad[0]));
	tcase_add_test(tc, short_records_and_wild_offsets_do_no_harm);
	tcase_add_loop_test(tc, random_bytes_do_no_harm, 0, 50);
	tcase_add_test(tc, a_size_that_is_no_power_of_two_is_refused);
	tcase_add_test(tc, format_files_tell_id_and_offsets);
	suite_add_tcase(s, tc);
	return s;
}
