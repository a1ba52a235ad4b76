/* check_probe_timerfd.c - expiries that pile up, in a scripted kernel. */
#include <check.h>
#include <errno.h>

#include "tests/scripted.h"

#define PERIOD_NS 1000

extern const struct probe probe_timerfd;

static struct scripted world;
static struct probe_env env;
static _Alignas(64) unsigned char state[256];

/* The kernel's side of a periodic timer. */
static struct {
	int64_t expiries_read;
	int64_t late_ns;	/* the next read returns so late */
	int64_t after_ns;	/* the clock moves on after the count was taken */
	int again;		/* so many reads say -EAGAIN or 0 first */
	int error;
	unsigned reads;
} kernel;

static int read_timer(void *ctx, unsigned variant)
{
	int64_t next_ns = env.first_due_ns + kernel.expiries_read * PERIOD_NS;

	(void)ctx;
	(void)variant;
	kernel.reads++;
	if (kernel.error)
		return kernel.error;
	if (kernel.again)
		return --kernel.again % 2 ? -EAGAIN : 0;
	if (world.now_ns < next_ns + kernel.late_ns)
		world.now_ns = next_ns + kernel.late_ns;
	int64_t expired = (world.now_ns - env.first_due_ns) / PERIOD_NS + 1;
	int64_t n = expired - kernel.expiries_read;

	kernel.expiries_read = expired;
	world.now_ns += kernel.after_ns;
	kernel.late_ns = kernel.after_ns = 0;
	return (int)n;
}

static void open_probe(void)
{
	world = (struct scripted){ .now_ns = 5000 };
	kernel.expiries_read = 0;
	scripted_env(&world, &env, PERIOD_NS);
	env.operation = read_timer;
	ck_assert_int_eq(probe_timerfd.open(state, &env, NULL), 0);
}

static struct probe_sample sample(void)
{
	struct probe_sample s = { 0 };

	ck_assert_int_eq(probe_timerfd.sample(state, &s), 0);
	return s;
}

START_TEST(a_sample_is_the_distance_from_the_expiry)
{
	open_probe();
	kernel.late_ns = 37;
	struct probe_sample s = sample();

	ck_assert_int_eq(s.due_ns, env.first_due_ns);
	ck_assert_int_eq(s.woke_ns - s.due_ns, 37);
	s = sample();
	ck_assert_int_eq(s.due_ns, env.first_due_ns + PERIOD_NS);
	ck_assert_int_eq(s.woke_ns, s.due_ns);
}
END_TEST

START_TEST(of_several_expiries_the_first_counts)
{
	open_probe();
	sample();
	kernel.late_ns = 4400;
	struct probe_sample s = sample();

	ck_assert_int_eq(s.due_ns, env.first_due_ns + PERIOD_NS);
	ck_assert_int_eq(s.woke_ns - s.due_ns, 4400);
	ck_assert_int_eq(probe_missed(s.due_ns, s.woke_ns, PERIOD_NS), 4);
	s = sample();
	ck_assert_int_eq(s.due_ns, env.first_due_ns + 6 * PERIOD_NS);
	ck_assert_int_eq(s.woke_ns, s.due_ns);
}
END_TEST

/* The trap: the count was taken before the delay, so the next read returns at
 * once with expiries that the last sample has counted as missed. */
START_TEST(expiries_queued_behind_a_delay_are_no_second_late_sample)
{
	open_probe();
	sample();
	kernel.after_ns = 5300;
	struct probe_sample s = sample();

	ck_assert_int_eq(s.woke_ns - s.due_ns, 5300);
	ck_assert_int_eq(probe_missed(s.due_ns, s.woke_ns, PERIOD_NS), 5);
	unsigned reads = kernel.reads;

	s = sample();
	ck_assert_int_eq(s.woke_ns, s.due_ns);
	ck_assert_int_eq(s.due_ns, env.first_due_ns + 7 * PERIOD_NS);
	ck_assert_uint_eq(kernel.reads - reads, 2);
}
END_TEST

START_TEST(every_expiry_is_a_sample_or_missed)
{
	int64_t periods = 0;

	open_probe();
	for (int i = 0; i < 500; i++) {
		kernel.late_ns = i % 7 == 0 ? i * 131 % 9000 : i % 50;
		kernel.after_ns = i % 11 == 0 ? i * 177 % 7000 : 0;
		struct probe_sample s = sample();

		ck_assert_int_eq(s.due_ns, env.first_due_ns + periods * PERIOD_NS);
		ck_assert_int_ge(s.woke_ns, s.due_ns);
		periods += 1 + probe_missed(s.due_ns, s.woke_ns, PERIOD_NS);
	}
}
END_TEST

START_TEST(no_expiry_is_no_sample)
{
	open_probe();
	kernel.again = 5;
	struct probe_sample s = sample();

	ck_assert_int_eq(s.due_ns, env.first_due_ns);
	ck_assert_uint_eq(kernel.reads, 6);
}
END_TEST

static bool stopping;

static bool is_stopping(void *ctx)
{
	(void)ctx;
	kernel.error = 0;
	return stopping;
}

START_TEST(a_signal_ends_the_read_only_when_it_is_to_end)
{
	struct probe_sample s = { 0 };

	stopping = _i;
	open_probe();
	env.stopping = is_stopping;
	kernel.error = -EINTR;
	ck_assert_int_eq(probe_timerfd.sample(state, &s), stopping ? -EINTR : 0);
}
END_TEST

START_TEST(another_error_ends_the_probe)
{
	struct probe_sample s = { 0 };

	open_probe();
	kernel.error = -EBADF;
	ck_assert_int_eq(probe_timerfd.sample(state, &s), -EBADF);
}
END_TEST

Suite *probe_timerfd_suite(void);
Suite *probe_timerfd_suite(void)
{
	Suite *s = suite_create("probe_timerfd");
	TCase *tc = tcase_create("timerfd");

	tcase_add_test(tc, a_sample_is_the_distance_from_the_expiry);
	tcase_add_test(tc, of_several_expiries_the_first_counts);
	tcase_add_test(tc, expiries_queued_behind_a_delay_are_no_second_late_sample);
	tcase_add_test(tc, every_expiry_is_a_sample_or_missed);
	tcase_add_test(tc, no_expiry_is_no_sample);
	tcase_add_loop_test(tc, a_signal_ends_the_read_only_when_it_is_to_end, 0, 2);
	tcase_add_test(tc, another_error_ends_the_probe);
	suite_add_tcase(s, tc);
	return s;
}
