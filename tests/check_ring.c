/* check_ring.c - every sample is delivered in order or counted, whatever the
 * two sides do. */
#include <check.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "src/hist.h"
#include "src/ring.h"

#define FOREVER INT64_MAX

static uint64_t counts[SLOTS];

static struct ring_spill spill_of(struct ring *r)
{
	struct ring_spill spill;

	ring_spill_read(r, &spill, counts);
	return spill;
}

static const unsigned bad_rooms[] = { 0, 1, 3, 1000, (1u << 20) + 1, 1u << 21 };

START_TEST(rooms_that_are_no_power_of_two_are_refused)
{
	ck_assert_ptr_null(ring_new(bad_rooms[_i]));
	ck_assert_uint_eq(ring_bytes(bad_rooms[_i]), 0);
}
END_TEST

START_TEST(what_goes_in_comes_out_in_order)
{
	struct ring *r = ring_new(16);
	struct ring_entry out[16];
	int64_t next_in = 1, next_out = 1;

	ring_prefault(r);
	srand(1);
	for (int round = 0; round < 2000; round++) {
		for (int n = rand() % 8; n && ring_push(r, next_in, next_in + 7); n--)
			next_in++;
		unsigned got = ring_drain(r, FOREVER, out, (unsigned)rand() % 17);

		for (unsigned i = 0; i < got; i++, next_out++) {
			ck_assert_int_eq(out[i].due_ns, next_out);
			ck_assert_int_eq(out[i].woke_ns, next_out + 7);
		}
		ck_assert_uint_eq(ring_used(r), (unsigned)(next_in - next_out));
	}
	ck_assert_int_gt(next_out, 1000);
	ring_free(r);
}
END_TEST

/* F38: the last place is neither lost nor overrun. */
START_TEST(an_exactly_full_ring_refuses_and_keeps_what_it_has)
{
	const unsigned room = 2u << _i;
	struct ring *r = ring_new(room);
	struct ring_entry out;

	ck_assert_uint_eq(ring_room(r), room);
	for (unsigned i = 1; i <= room; i++)
		ck_assert(ring_push(r, i, i));
	ck_assert(!ring_push(r, 99, 99));
	ck_assert_uint_eq(ring_used(r), room);
	ck_assert(ring_peek(r, &out));
	ck_assert_int_eq(out.due_ns, 1);
	ck_assert_uint_eq(ring_drain(r, FOREVER, &out, 1), 1);
	ck_assert(ring_push(r, 100, 100));
	ck_assert(!ring_push(r, 101, 101));
	ring_free(r);
}
END_TEST

START_TEST(a_marker_and_its_entry_go_in_together_or_not_at_all)
{
	struct ring *r = ring_new(4);
	struct ring_entry out[4];

	ck_assert(ring_push_marked(r, RING_WRONG_CPU, 5, 10, 11));
	ck_assert(ring_push(r, 20, 21));
	ck_assert(!ring_push_marked(r, RING_ERROR, 28, 30, 31));
	ck_assert_uint_eq(ring_drain(r, FOREVER, out, 4), 3);
	ck_assert_int_eq(out[0].due_ns, -RING_WRONG_CPU);
	ck_assert_int_eq(out[0].woke_ns, 5);
	ck_assert_int_eq(out[1].due_ns, 10);
	ring_free(r);
}
END_TEST

START_TEST(a_drain_stops_at_the_first_entry_of_its_time)
{
	struct ring *r = ring_new(8);
	struct ring_entry out[8];

	ring_push(r, 1, 100);
	ring_push_marked(r, RING_WRONG_CPU, 900, 2, 199);
	ring_push(r, 3, 200);
	ring_push(r, 4, 150);
	ck_assert_uint_eq(ring_drain(r, 200, out, 8), 3);
	ck_assert_uint_eq(ring_drain(r, 200, out, 8), 0);
	ck_assert_uint_eq(ring_drain(r, 201, out, 8), 2);
	ck_assert(!ring_peek(r, out));
	ring_free(r);
}
END_TEST

START_TEST(a_spilled_sample_is_in_the_totals)
{
	struct ring *r = ring_new(2);

	ring_spill(r, 1500, 1, false);
	ring_spill(r, 5000, 4, false);
	ring_spill(r, 7000, 8, true);
	ring_spill_error(r, 2);
	ring_spill(r, -5, 1, false);
	ring_spill(r, HIST_HIGHEST_NS + 1, 1, false);
	struct ring_spill s = spill_of(r);

	ck_assert_uint_eq(s.count, 4);
	ck_assert_uint_eq(s.missed, 3);
	ck_assert_uint_eq(s.interrupted, 10);
	ck_assert_uint_eq(s.errors, 1);
	ck_assert_uint_eq(s.early, 1);
	ck_assert_uint_eq(s.over, 1);
	ck_assert_int_eq(s.max_ns, HIST_HIGHEST_NS + 1);
	ck_assert_uint_eq(s.periods, s.count + s.missed + s.interrupted);
	ck_assert_uint_eq(counts[slot_of(1500)], 1);
	ck_assert_uint_eq(counts[slot_of(7000)], 0);
	ck_assert_uint_eq(counts[0], 1);
	ring_free(r);
}
END_TEST

/* ---- two threads --------------------------------------------------------- */

static struct ring *shared;
static _Atomic bool done;

#define SENT 200000

/* Values rise by one, so that the receiver sees every loss. */
static void *produce(void *arg)
{
	(void)arg;
	for (int64_t i = 1; i <= SENT; i++) {
		if (!ring_push(shared, i, 2 * i))
			ring_spill(shared, i, i % 5 ? 1 + (uint64_t)i % 3 : 1, i % 5 == 0);
	}
	atomic_store(&done, true);
	return NULL;
}

static void check_sums(const struct ring_spill *s)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < SLOTS; i++)
		sum += counts[i];
	ck_assert_uint_eq(sum, s->count);
	ck_assert_uint_eq(s->periods, s->count + s->missed + s->interrupted);
}

START_TEST(nothing_is_lost_between_two_threads)
{
	struct ring_entry out[64];
	int64_t last = 0;
	uint64_t delivered = 0;
	pthread_t producer;

	shared = ring_new(64);
	pthread_create(&producer, NULL, produce, NULL);
	for (bool last_turn = false; ; last_turn = atomic_load(&done)) {
		unsigned got;

		while ((got = ring_drain(shared, FOREVER, out, 64)) > 0) {
			for (unsigned i = 0; i < got; i++) {
				ck_assert_int_gt(out[i].due_ns, last);
				ck_assert_int_eq(out[i].woke_ns, 2 * out[i].due_ns);
				last = out[i].due_ns;
			}
			delivered += got;
		}
		struct ring_spill s = spill_of(shared);

		check_sums(&s);
		if (last_turn)
			break;
	}
	pthread_join(producer, NULL);
	struct ring_spill s = spill_of(shared);

	check_sums(&s);
	ck_assert_uint_eq(delivered + s.count + s.interrupted, SENT);
	ck_assert_uint_gt(delivered, 0);
	ring_free(shared);
}
END_TEST

static void *spill_only(void *arg)
{
	(void)arg;
	for (int64_t i = 0; !atomic_load_explicit(&done, memory_order_relaxed); i++)
		ring_spill(shared, i & 0xfffff, 1 + (uint64_t)i % 4, i % 7 == 0);
	return NULL;
}

/* F38, P7: no copy mixes two moments. */
START_TEST(every_copy_adds_up_while_the_writer_runs)
{
	pthread_t producer;
	uint64_t last = 0;

	shared = ring_new(2);
	pthread_create(&producer, NULL, spill_only, NULL);
	for (int i = 0; i < 20000; i++) {
		struct ring_spill s = spill_of(shared);

		check_sums(&s);
		ck_assert_uint_ge(s.periods, last);
		last = s.periods;
	}
	atomic_store(&done, true);
	pthread_join(producer, NULL);
	ck_assert_uint_gt(spill_of(shared).periods, 0);
	ring_free(shared);
}
END_TEST

/* ---- memory that is not ours --------------------------------------------- */

START_TEST(garbage_in_shared_memory_harms_nobody)
{
	const unsigned room = 16;
	const size_t bytes = ring_bytes(room);
	unsigned char *memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
	struct ring_entry out[64];

	memset(memory, 0, bytes);
	struct ring *reader = ring_init(memory, room);

	ck_assert_ptr_nonnull(reader);
	srand((unsigned)_i);
	for (int round = 0; round < 50; round++) {
		for (size_t i = 0; i < bytes; i++)
			memory[i] = (unsigned char)rand();
		ck_assert_uint_le(ring_used(reader), room);
		ck_assert_uint_le(ring_drain(reader, FOREVER, out, 64), room);
		struct ring_spill s = spill_of(reader);

		check_sums(&s);
		ck_assert_uint_eq(s.periods, 0);
	}
	ring_free(reader);
	free(memory);
}
END_TEST

/* A producer killed inside ring_spill() leaves the sequence odd. */
START_TEST(a_change_that_never_ends_shows_the_copy_before_it)
{
	const unsigned room = 2;
	const size_t bytes = (ring_bytes(room) + 63) / 64 * 64;
	unsigned char *memory = aligned_alloc(64, bytes), *before = malloc(bytes);

	memset(memory, 0, bytes);
	struct ring *reader = ring_init(memory, room), *writer = ring_init(memory, room);

	ring_spill(writer, 100, 3, false);
	ck_assert_uint_eq(spill_of(reader).periods, 3);
	memcpy(before, memory, bytes);
	ring_spill(writer, 100, 5, false);
	/* The sequence is the word that went from 2 to 4: make it odd. */
	for (size_t i = 0; i < bytes; i += 8) {
		uint64_t *now = (uint64_t *)(memory + i), was = *(uint64_t *)(before + i);

		if (was == 2 && *now == 4)
			*now = 3;
	}
	ck_assert_uint_eq(spill_of(reader).periods, 3);
	ring_free(reader);
	ring_free(writer);
	free(before);
	free(memory);
}
END_TEST

/* Killed after the period and the sample were counted, before the slot was. */
START_TEST(the_next_producer_ends_the_change_of_one_that_was_killed)
{
	const size_t bytes = (ring_bytes(2) + 63) / 64 * 64;
	unsigned char *memory = aligned_alloc(64, bytes), *before = malloc(bytes);

	memset(memory, 0, bytes);
	struct ring *reader = ring_init(memory, 2), *dead = ring_init(memory, 2);

	ring_spill(dead, 100, 3, false);
	ck_assert_uint_eq(spill_of(reader).periods, 3);
	memcpy(before, memory, bytes);
	ring_spill(dead, 100, 3, false);
	/* sequence, count, missed, interrupted, errors, periods; then early,
	 * over, max and the slots, which the dead one has not reached. */
	uint64_t *now = (uint64_t *)(memory + 128), *was = (uint64_t *)(before + 128);

	ck_assert_uint_eq(now[0], 4);
	now[0] = 3;
	memcpy(now + 6, was + 6, bytes - 128 - 6 * sizeof(*was));
	ck_assert_uint_eq(spill_of(reader).periods, 3);
	ring_free(dead);
	struct ring *next = ring_init(memory, 2);

	ring_mend(next);
	ck_assert_uint_eq(spill_of(reader).count, 1);
	ck_assert_uint_eq(spill_of(reader).missed, 4);
	ring_spill(next, 100, 3, false);
	ring_mend(next);	/* whole: nothing to do */
	struct ring_spill s = spill_of(reader);

	check_sums(&s);
	ck_assert_uint_eq(s.count, 2);
	ck_assert_uint_eq(s.missed, 6);
	ring_free(reader);
	ring_free(next);
	free(before);
	free(memory);
}
END_TEST

Suite *ring_suite(void);
Suite *ring_suite(void)
{
	Suite *s = suite_create("ring");
	TCase *one = tcase_create("one thread");
	TCase *two = tcase_create("two threads");
	TCase *hostile = tcase_create("hostile memory");

	tcase_add_loop_test(one, rooms_that_are_no_power_of_two_are_refused, 0,
			    sizeof(bad_rooms) / sizeof(bad_rooms[0]));
	tcase_add_test(one, what_goes_in_comes_out_in_order);
	tcase_add_loop_test(one, an_exactly_full_ring_refuses_and_keeps_what_it_has, 0, 5);
	tcase_add_test(one, a_marker_and_its_entry_go_in_together_or_not_at_all);
	tcase_add_test(one, a_drain_stops_at_the_first_entry_of_its_time);
	tcase_add_test(one, a_spilled_sample_is_in_the_totals);
	suite_add_tcase(s, one);
	tcase_set_timeout(two, 60);
	tcase_add_test(two, nothing_is_lost_between_two_threads);
	tcase_add_test(two, every_copy_adds_up_while_the_writer_runs);
	suite_add_tcase(s, two);
	tcase_add_loop_test(hostile, garbage_in_shared_memory_harms_nobody, 0, 5);
	tcase_add_test(hostile, a_change_that_never_ends_shows_the_copy_before_it);
	tcase_add_test(hostile, the_next_producer_ends_the_change_of_one_that_was_killed);
	suite_add_tcase(s, hostile);
	return s;
}
