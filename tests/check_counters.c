/* check_counters.c - whatever workers write, main reads sane totals. */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/counters.h"

static struct counters *c;
static struct counters_last last;
static struct load_totals totals;

static void fresh(void)
{
	c = counters_new(2);
	ck_assert_ptr_nonnull(c);
	memset(&last, 0, sizeof(last));
}

static void done(void)
{
	counters_free(c);
}

static const struct load_totals *read_slot(unsigned slot, int64_t now_ns)
{
	counters_read(c, slot, now_ns, &last, &totals);
	return &totals;
}

START_TEST(a_slot_sums_its_lines_and_no_other_slot)
{
	for (unsigned i = 0; i < LOAD_LINES; i++) {
		c->slot[0].lines[i].ops = 1;
		c->slot[0].lines[i].bytes = 2;
		c->slot[0].lines[i].passes = 3;
		c->slot[0].lines[i].cpu_ns = 4;
	}
	c->slot[1].lines[0].ops = 1000;
	read_slot(0, 1);
	ck_assert_uint_eq(totals.ops, LOAD_LINES);
	ck_assert_uint_eq(totals.bytes, 2 * LOAD_LINES);
	ck_assert_uint_eq(totals.passes, 3 * LOAD_LINES);
	ck_assert_uint_eq(totals.cpu_ns, 4 * LOAD_LINES);
	ck_assert_uint_eq(totals.backwards, 0);
}
END_TEST

START_TEST(a_child_process_counts_in_the_same_memory)
{
	pid_t pid = fork();

	if (pid == 0) {
		c->slot[1].lines[9].ops = 77;
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	ck_assert_uint_eq(read_slot(1, 1)->ops, 77);
}
END_TEST

START_TEST(a_counter_that_runs_backwards_is_refused_and_its_last_value_stands)
{
	c->slot[0].lines[3].ops = 10;
	ck_assert_uint_eq(read_slot(0, 1)->ops, 10);
	c->slot[0].lines[3].ops = 9;
	ck_assert_uint_eq(read_slot(0, 1)->ops, 10);
	ck_assert_uint_eq(totals.backwards, 1);
	c->slot[0].lines[3].ops = 11;
	ck_assert_uint_eq(read_slot(0, 1)->ops, 11);
	ck_assert_uint_eq(totals.backwards, 0);
}
END_TEST

START_TEST(sums_of_absurd_counters_do_not_wrap)
{
	c->slot[0].lines[0].bytes = UINT64_MAX;
	c->slot[0].lines[1].bytes = UINT64_MAX;
	ck_assert(read_slot(0, 1)->bytes == UINT64_MAX);
}
END_TEST

static const struct { int64_t since_ns, want_ns; } flights[] = {
	{ 0, 0 }, { -5, 0 }, { INT64_MIN, 0 }, { 1000, 0 }, { 1001, 0 }, { INT64_MAX, 0 },
	{ 900, 100 }, { 1, 999 },
};

START_TEST(a_call_in_flight_counts_only_when_it_began_before_now)
{
	c->slot[0].lines[0].in_flight_ns = flights[_i].since_ns;
	ck_assert_int_eq(read_slot(0, 1000)->max_latency_ns, flights[_i].want_ns);
}
END_TEST

static const struct { uint64_t line_tick, tick; int64_t want_ns; } ticks[] = {
	{ 5, 5, 700 }, { 4, 5, 700 }, { 3, 5, 0 }, { 6, 5, 0 },
	{ 0xffffff, UINT64_C(0x1000000), 700 }, { 0, UINT64_C(0x1000000), 700 },
};

START_TEST(a_finished_call_is_of_this_tick_or_the_one_before)
{
	c->tick = ticks[_i].tick;
	c->slot[0].lines[0].max_latency = ticks[_i].line_tick << 40 | 700;
	ck_assert_int_eq(read_slot(0, 1000)->max_latency_ns, ticks[_i].want_ns);
}
END_TEST

START_TEST(errors_and_states_are_told_apart)
{
	struct load_line *l = c->slot[0].lines;

	l[0].errors = UINT64_C(11) << 48 | UINT64_C(5) << 24 | 3;
	l[1].errors = 4;
	l[0].state = LOAD_LINE_READY;
	l[1].state = LOAD_LINE_RUN;
	l[2].state = LOAD_LINE_RUN | 50 << 8;
	l[3].state = LOAD_LINE_DONE;
	l[4].state = LOAD_LINE_FAILED | 28 << 16;
	l[5].state = 200;
	read_slot(0, 1);
	ck_assert_uint_eq(totals.errors, 7);
	ck_assert_uint_eq(totals.throttled, 5);
	ck_assert_int_eq(totals.last_errno, 11);
	ck_assert_uint_eq(totals.ready, 1);
	ck_assert_uint_eq(totals.running, 2);
	ck_assert_uint_eq(totals.done, 1);
	ck_assert_uint_eq(totals.failed, 1);
}
END_TEST

START_TEST(clearing_keeps_the_cpus_and_nothing_else)
{
	struct slot *s = &c->slot[0];

	s->cpus.bits[0] = 3;
	s->lines[LOAD_LINES - 1].ops = 1;
	s->result.figures = 5;
	s->progress = 50;
	s->failed = -5;
	strcpy(s->why, "reason");
	counters_clear(s);
	ck_assert_uint_eq(s->cpus.bits[0], 3);
	ck_assert_uint_eq(s->lines[LOAD_LINES - 1].ops, 0);
	ck_assert_uint_eq(s->result.figures, 0);
	ck_assert_int_eq(s->progress, 0);
	ck_assert_int_eq(s->failed, 0);
	ck_assert_str_eq(s->why, "");
}
END_TEST

/* ---- the result block ---- */

static double figure[LOAD_FIGURES];
static char text[256];

START_TEST(a_published_result_is_read_back)
{
	struct load_worker w = { .result = &c->slot[0].result };
	const double figures[] = { 1.25, NAN, 3 };

	load_publish(&w, figures, 3, "seeks \033[2J done");
	ck_assert_uint_eq(counters_result(&c->slot[0], figure, text), 3);
	ck_assert_double_eq(figure[0], 1.25);
	ck_assert_double_eq(figure[1], 0);
	ck_assert_double_eq(figure[2], 3);
	ck_assert_str_eq(text, "seeks ?[2J done");
}
END_TEST

START_TEST(a_result_whose_writer_died_in_the_middle_is_not_read)
{
	c->slot[0].result.sequence = 5;
	c->slot[0].result.figures = 3;
	ck_assert_uint_eq(counters_result(&c->slot[0], figure, text), 0);
	ck_assert_str_eq(text, "");
}
END_TEST

START_TEST(an_absurd_number_of_figures_is_clamped_and_text_always_ends)
{
	struct load_result *r = &c->slot[0].result;

	r->figures = UINT32_MAX;
	for (unsigned i = 0; i < 256; i++)
		r->text[i] = 'y';
	ck_assert_uint_eq(counters_result(&c->slot[0], figure, text), LOAD_FIGURES);
	ck_assert_uint_le(strlen(text), 255);
}
END_TEST

/* Each publication holds one number in all figures; a copy that mixes two
 * publications is what the sequence number must prevent. */
static _Noreturn void publish_for_ever(struct load_result *r)
{
	struct load_worker w = { .result = r };
	double same[16];

	for (double n = 0;; n++) {
		for (unsigned i = 0; i < 16; i++)
			same[i] = n;
		load_publish(&w, same, 16, NULL);
	}
}

START_TEST(copies_never_mix_two_publications)
{
	pid_t pid = fork();
	unsigned good = 0;

	if (pid == 0)
		publish_for_ever(&c->slot[0].result);
	/* A writer that is not running in mid-publication refuses every copy:
	 * give it, and the machine, time. */
	int64_t end_ns = clock_now_ns() + 20 * NS_PER_S;

	for (unsigned turn = 0; turn < 2000 || (!good && clock_now_ns() < end_ns); turn++) {
		if (counters_result(&c->slot[0], figure, text) != 16)
			continue;
		good++;
		for (unsigned i = 1; i < 16; i++)
			ck_assert_double_eq(figure[i], figure[0]);
	}
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	ck_assert_uint_gt(good, 0);
}
END_TEST

START_TEST(freeing_does_not_trust_the_shared_part)
{
	c->slots = UINT32_MAX;
	/* done() frees it; a wrong size would take other maps along. */
	char *other = malloc(1 << 20);

	ck_assert_ptr_nonnull(other);
	counters_free(c);
	c = NULL;
	memset(other, 1, 1 << 20);
	free(other);
}
END_TEST

Suite *counters_suite(void);

Suite *counters_suite(void)
{
	Suite *s = suite_create("counters");
	TCase *lines = tcase_create("lines"), *block = tcase_create("result");

	tcase_add_checked_fixture(lines, fresh, done);
	tcase_add_test(lines, a_slot_sums_its_lines_and_no_other_slot);
	tcase_add_test(lines, a_child_process_counts_in_the_same_memory);
	tcase_add_test(lines, a_counter_that_runs_backwards_is_refused_and_its_last_value_stands);
	tcase_add_test(lines, sums_of_absurd_counters_do_not_wrap);
	tcase_add_loop_test(lines, a_call_in_flight_counts_only_when_it_began_before_now, 0,
			    sizeof(flights) / sizeof(flights[0]));
	tcase_add_loop_test(lines, a_finished_call_is_of_this_tick_or_the_one_before, 0,
			    sizeof(ticks) / sizeof(ticks[0]));
	tcase_add_test(lines, errors_and_states_are_told_apart);
	tcase_add_test(lines, clearing_keeps_the_cpus_and_nothing_else);
	tcase_add_test(lines, freeing_does_not_trust_the_shared_part);
	suite_add_tcase(s, lines);
	tcase_add_checked_fixture(block, fresh, done);
	tcase_add_test(block, a_published_result_is_read_back);
	tcase_add_test(block, a_result_whose_writer_died_in_the_middle_is_not_read);
	tcase_add_test(block, an_absurd_number_of_figures_is_clamped_and_text_always_ends);
	tcase_add_test(block, copies_never_mix_two_publications);
	suite_add_tcase(s, block);
	return s;
}
