/* check_load.c - what a worker counts is what its line says. */
#include <check.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/load.h"

static struct load_line line;
static struct load_result result;
static _Atomic uint64_t tick;
static _Atomic bool stop;
static struct load_worker worker;

static void fresh(void)
{
	memset(&line, 0, sizeof(line));
	memset(&result, 0, sizeof(result));
	tick = 0;
	stop = false;
	worker = (struct load_worker){
		.lines = &line, .line = &line, .result = &result, .tick = &tick, .stop = &stop,
	};
}

START_TEST(a_worker_goes_until_stop_is_set)
{
	ck_assert(load_going(&worker));
	stop = true;
	ck_assert(!load_going(&worker));
}
END_TEST

START_TEST(counts_add_up)
{
	for (uint64_t i = 1; i <= 100; i++)
		load_add(&worker, i, 2 * i);
	load_pass(&worker);
	ck_assert_uint_eq(line.ops, 5050);
	ck_assert_uint_eq(line.bytes, 10100);
	ck_assert_uint_eq(line.passes, 1);
}
END_TEST

START_TEST(progress_goes_to_the_slot_and_stops_at_100)
{
	_Atomic int percent = 0;

	load_progress(&worker, 10);
	worker.progress = &percent;
	load_progress(&worker, 40);
	ck_assert_int_eq(percent, 40);
	load_progress(&worker, 4000);
	ck_assert_int_eq(percent, 100);
}
END_TEST

START_TEST(a_call_is_in_flight_between_begin_and_end)
{
	int64_t begun_ns = load_begin(&worker);

	ck_assert_int_gt(begun_ns, 0);
	ck_assert_int_eq(line.in_flight_ns, begun_ns);
	load_end(&worker, begun_ns);
	ck_assert_int_eq(line.in_flight_ns, 0);
}
END_TEST

static uint64_t latency_ns(void)
{
	return line.max_latency & ((UINT64_C(1) << 40) - 1);
}

START_TEST(the_longest_call_of_a_tick_stays_until_the_next_tick)
{
	int64_t now_ns = clock_now_ns();

	tick = 7;
	load_end(&worker, now_ns - 5 * NS_PER_S);
	load_end(&worker, now_ns - 2 * NS_PER_S);
	ck_assert_uint_eq(line.max_latency >> 40, 7);
	ck_assert_uint_ge(latency_ns(), 5 * NS_PER_S);
	tick = 8;
	load_end(&worker, clock_now_ns() + 3600 * NS_PER_S);
	ck_assert_uint_eq(line.max_latency >> 40, 8);
	ck_assert_uint_eq(latency_ns(), 0);
}
END_TEST

START_TEST(ticks_and_times_too_large_for_the_word_do_not_mix)
{
	tick = (UINT64_C(1) << 24) + 3;
	load_end(&worker, clock_now_ns() - 3600 * NS_PER_S);
	ck_assert_uint_eq(line.max_latency >> 40, 3);
	ck_assert_uint_eq(latency_ns(), (UINT64_C(1) << 40) - 1);
}
END_TEST

START_TEST(errors_and_throttles_are_counted_apart)
{
	load_error(&worker, ENOENT);
	load_error(&worker, -EIO);
	ck_assert_int_eq(load_throttle(&worker, EAGAIN), 0);
	ck_assert_uint_eq(line.errors & 0xffffff, 2);
	ck_assert_uint_eq(line.errors >> 24 & 0xffffff, 1);
	ck_assert_uint_eq(line.errors >> 48, EAGAIN);
}
END_TEST

START_TEST(an_error_count_stops_at_its_top)
{
	line.errors = 0xffffff;
	load_error(&worker, EIO);
	ck_assert_uint_eq(line.errors & 0xffffff, 0xffffff);
	ck_assert_uint_eq(line.errors >> 24 & 0xffffff, 0);
}
END_TEST

START_TEST(two_seconds_without_success_are_a_failure)
{
	ck_assert_int_eq(load_throttle(&worker, EAGAIN), 0);
	worker.throttled_since_ns -= 2 * NS_PER_S;
	ck_assert_int_eq(load_throttle(&worker, -EAGAIN), -EAGAIN);
	load_success(&worker);
	ck_assert_int_eq(load_throttle(&worker, EAGAIN), 0);
}
END_TEST

START_TEST(cpu_time_grows_and_is_asked_for_seldom)
{
	load_cpu(&worker);
	uint64_t first = line.cpu_ns;
	int64_t read_ns = worker.cpu_read_ns;

	ck_assert_uint_gt(first, 0);
	load_cpu(&worker);
	if (worker.cpu_read_ns == read_ns)
		ck_assert_uint_eq(line.cpu_ns, first);
	worker.cpu_read_ns -= NS_PER_S;
	load_cpu(&worker);
	ck_assert_uint_ge(line.cpu_ns, first);
	ck_assert_int_gt(worker.cpu_read_ns, read_ns);
}
END_TEST

/* F16: though its parent is gone before it asks. */
START_TEST(a_child_dies_with_the_worker_that_forked_it)
{
	int alive[2], status;
	char byte;

	ck_assert_int_eq(pipe(alive), 0);
	pid_t mother = fork();

	if (mother == 0) {
		if (load_child(&worker) == 0)
			for (;;)
				pause();
		kill(getpid(), SIGKILL);
	}
	close(alive[1]);
	ck_assert_int_eq(waitpid(mother, &status, 0), mother);
	/* The grandchild holds the other end for as long as it lives. */
	ck_assert_int_eq(read(alive[0], &byte, 1), 0);
	close(alive[0]);
}
END_TEST

START_TEST(published_figures_and_text_are_cut_to_their_room)
{
	double figures[LOAD_FIGURES + 9] = { 1.5, 2.5 };
	char text[400];

	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	load_publish(&worker, figures, LOAD_FIGURES + 9, text);
	ck_assert_uint_eq(result.sequence, 2);
	ck_assert_uint_eq(result.figures, LOAD_FIGURES);
	ck_assert_double_eq(result.figure[1], 2.5);
	ck_assert_int_eq(result.text[254], 'x');
	ck_assert_int_eq(result.text[255], '\0');
	load_publish(&worker, figures, 1, NULL);
	ck_assert_uint_eq(result.sequence, 4);
	ck_assert_int_eq(result.text[0], 'x');
}
END_TEST

/* ---- random numbers ---- */

START_TEST(the_same_seed_gives_the_same_numbers)
{
	struct load_rng a, b, c;

	load_rng_seed(&a, 42);
	load_rng_seed(&b, 42);
	load_rng_seed(&c, 43);
	unsigned same = 0;

	for (int i = 0; i < 100; i++) {
		uint64_t x = load_rng_next(&a);

		ck_assert_uint_eq(x, load_rng_next(&b));
		same += x == load_rng_next(&c);
	}
	ck_assert_uint_eq(same, 0);
}
END_TEST

START_TEST(the_generator_is_the_published_one)
{
	/* First outputs of xoshiro256** from state 1, 2, 3, 4. */
	struct load_rng r = { { 1, 2, 3, 4 } };

	ck_assert_uint_eq(load_rng_next(&r), 11520);
	ck_assert_uint_eq(load_rng_next(&r), 0);
	ck_assert_uint_eq(load_rng_next(&r), 1509978240);
}
END_TEST

START_TEST(below_stays_below_and_reaches_everything)
{
	struct load_rng r;
	unsigned seen[7] = { 0 };

	load_rng_seed(&r, 1);
	ck_assert_uint_eq(load_rng_below(&r, 0), 0);
	ck_assert_uint_eq(load_rng_below(&r, 1), 0);
	for (int i = 0; i < 7000; i++) {
		uint64_t x = load_rng_below(&r, 7);

		ck_assert_uint_lt(x, 7);
		seen[x]++;
	}
	for (int i = 0; i < 7; i++) {
		ck_assert_uint_gt(seen[i], 800);
		ck_assert_uint_lt(seen[i], 1200);
	}
}
END_TEST

START_TEST(fill_writes_every_byte_and_no_more)
{
	struct load_rng r;
	unsigned char buf[32], ones[32] = { 0 };

	load_rng_seed(&r, 5);
	for (int turn = 0; turn < 64; turn++) {
		memset(buf, 0, sizeof(buf));
		load_rng_fill(&r, buf, 29);
		for (int i = 0; i < 32; i++)
			ones[i] |= buf[i];
	}
	for (int i = 0; i < 29; i++)
		ck_assert_uint_eq(ones[i], 0xff);
	for (int i = 29; i < 32; i++)
		ck_assert_uint_eq(ones[i], 0);
}
END_TEST

START_TEST(mixing_tells_load_and_worker_apart)
{
	ck_assert_uint_eq(load_mix(1, 2, 3), load_mix(1, 2, 3));
	ck_assert_uint_ne(load_mix(1, 2, 3), load_mix(1, 3, 2));
	ck_assert_uint_ne(load_mix(1, 2, 3), load_mix(2, 2, 3));
	ck_assert_uint_ne(load_mix(1, 2, 3), load_mix(1, 2, 4));
}
END_TEST

/* ---- the registry ---- */

START_TEST(every_load_is_found_by_name_key_and_place)
{
	ck_assert_uint_gt(load_count(), 0);
	for (unsigned i = 0; loads[i]; i++) {
		ck_assert_ptr_eq(load_by_name(loads[i]->name), loads[i]);
		ck_assert_int_eq(load_index(loads[i]), (int)i);
		if (loads[i]->key)
			ck_assert_ptr_eq(load_by_key(loads[i]->key), loads[i]);
	}
	ck_assert_ptr_null(load_by_name("no such load"));
	ck_assert_ptr_null(load_by_key(0));
	ck_assert_int_eq(load_index(NULL), -1);
}
END_TEST

static void knobs_hold(const struct load *l)
{
	unsigned n = 0;

	for (const struct load_knob *k = l->knobs; k->name; k++, n++) {
		ck_assert_int_le(k->least, k->value);
		ck_assert_int_le(k->value, k->most);
		for (long i = 0; k->choices && i <= k->most; i++)
			ck_assert_ptr_nonnull(k->choices[i]);
	}
	ck_assert_uint_le(n, LOAD_KNOBS_MAX);
}

START_TEST(every_load_keeps_the_contract)
{
	for (unsigned i = 0; loads[i]; i++) {
		const struct load *l = loads[i];

		ck_assert_uint_lt(strlen(l->name), LOAD_NAME_MAX);
		ck_assert(!l->key || (l->key >= 'A' && l->key <= 'Z' && l->key != 'J'));
		ck_assert_ptr_nonnull(l->summary);
		ck_assert_ptr_nonnull(l->unit);
		ck_assert_ptr_nonnull(l->rate_unit);
		ck_assert_ptr_nonnull(l->run);
		ck_assert_uint_ge(l->version, 1);
		ck_assert_uint_ge(l->max_workers, 1);
		ck_assert_uint_ge(load_default_workers(l, 1), 1);
		ck_assert_uint_le(load_default_workers(l, 4096), l->max_workers);
		knobs_hold(l);
	}
}
END_TEST

START_TEST(default_workers_follow_the_cpus)
{
	struct load l = { .default_per_cpu = 2, .default_plus = 1, .max_workers = 8 };

	ck_assert_uint_eq(load_default_workers(&l, 2), 5);
	ck_assert_uint_eq(load_default_workers(&l, 100), 8);
	l.default_per_cpu = l.default_plus = 0;
	ck_assert_uint_eq(load_default_workers(&l, 2), 1);
}
END_TEST

static void add_worker_tests(Suite *s)
{
	TCase *tc = tcase_create("worker");

	tcase_add_checked_fixture(tc, fresh, NULL);
	tcase_add_test(tc, a_worker_goes_until_stop_is_set);
	tcase_add_test(tc, counts_add_up);
	tcase_add_test(tc, progress_goes_to_the_slot_and_stops_at_100);
	tcase_add_test(tc, a_call_is_in_flight_between_begin_and_end);
	tcase_add_test(tc, the_longest_call_of_a_tick_stays_until_the_next_tick);
	tcase_add_test(tc, ticks_and_times_too_large_for_the_word_do_not_mix);
	tcase_add_test(tc, errors_and_throttles_are_counted_apart);
	tcase_add_test(tc, an_error_count_stops_at_its_top);
	tcase_add_test(tc, two_seconds_without_success_are_a_failure);
	tcase_add_test(tc, cpu_time_grows_and_is_asked_for_seldom);
	tcase_add_test(tc, a_child_dies_with_the_worker_that_forked_it);
	tcase_add_test(tc, published_figures_and_text_are_cut_to_their_room);
	suite_add_tcase(s, tc);
}

Suite *load_suite(void);

Suite *load_suite(void)
{
	Suite *s = suite_create("load");
	TCase *rng = tcase_create("random numbers"), *registry = tcase_create("registry");

	add_worker_tests(s);
	tcase_add_test(rng, the_same_seed_gives_the_same_numbers);
	tcase_add_test(rng, the_generator_is_the_published_one);
	tcase_add_test(rng, below_stays_below_and_reaches_everything);
	tcase_add_test(rng, fill_writes_every_byte_and_no_more);
	tcase_add_test(rng, mixing_tells_load_and_worker_apart);
	suite_add_tcase(s, rng);
	tcase_add_test(registry, every_load_is_found_by_name_key_and_place);
	tcase_add_test(registry, every_load_keeps_the_contract);
	tcase_add_test(registry, default_workers_follow_the_cpus);
	suite_add_tcase(s, registry);
	return s;
}
