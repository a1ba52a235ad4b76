/* check_op.c - operation probes pace and time themselves by a scripted clock. */
#include <check.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "probes/op.h"

#define PERIOD_NS (100 * NS_PER_MS)

/* A world in which sleeping and working only move the hands of the clock. */
static struct world {
	int64_t now_ns, takes_ns, late_ns;
	int error, wait_error;
	unsigned operations, variant;
	int64_t in_flight_seen_ns;
} world;
static _Atomic int64_t in_flight_ns;

static int64_t now(void *ctx)
{
	(void)ctx;
	return world.now_ns;
}

static int wait_until(void *ctx, int64_t due_ns)
{
	(void)ctx;
	if (world.now_ns < due_ns)
		world.now_ns = due_ns + world.late_ns;
	return world.wait_error;
}

static int operation(void *ctx, unsigned variant)
{
	(void)ctx;
	world.operations++;
	world.variant = variant;
	world.in_flight_seen_ns = in_flight_ns;
	world.now_ns += world.takes_ns;
	return world.error;
}

static struct probe_env env;
static struct op op;
static struct probe_sample out;

static void fresh(void)
{
	world = (struct world){ .now_ns = NS_PER_S, .takes_ns = 5 * NS_PER_MS };
	env = (struct probe_env){
		.now_ns = now, .wait_until = wait_until, .operation = operation,
		.period_ns = PERIOD_NS, .seed = 7, .cpu = -1, .scratch_fd = -1,
		.in_flight_ns = &in_flight_ns,
	};
	out = (struct probe_sample){ 0 };
	op_open(&op, &env, 1);
}

static int once(void)
{
	out = (struct probe_sample){ 0 };
	int err = op_wait(&op, &out);

	if (!err)
		op_time(&op, &out, NULL, NULL);
	return err;
}

START_TEST(an_operation_is_timed_from_begin_to_end)
{
	ck_assert_int_eq(once(), 0);
	ck_assert_int_eq(out.woke_ns - out.due_ns, 5 * NS_PER_MS);
	ck_assert_int_eq(out.error, 0);
	ck_assert_uint_eq(out.missed, 0);
	ck_assert_int_eq(world.in_flight_seen_ns, out.due_ns);
	ck_assert_int_eq(in_flight_ns, 0);
}
END_TEST

START_TEST(waking_late_is_not_part_of_the_value)
{
	world.late_ns = 30 * NS_PER_MS;
	ck_assert_int_eq(once(), 0);
	ck_assert_int_eq(out.woke_ns - out.due_ns, 5 * NS_PER_MS);
}
END_TEST

START_TEST(periods_vary_by_a_fifth_and_average_out)
{
	int64_t last_ns = 0, shortest_ns = INT64_MAX, longest_ns = 0, first_ns = 0;

	for (int i = 0; i < 1001; i++) {
		ck_assert_int_eq(once(), 0);
		if (last_ns) {
			int64_t period_ns = out.due_ns - last_ns;

			ck_assert_int_ge(period_ns, PERIOD_NS * 8 / 10);
			ck_assert_int_le(period_ns, PERIOD_NS * 12 / 10);
			shortest_ns = period_ns < shortest_ns ? period_ns : shortest_ns;
			longest_ns = period_ns > longest_ns ? period_ns : longest_ns;
		} else {
			first_ns = out.due_ns;
		}
		last_ns = out.due_ns;
	}
	ck_assert_int_lt(shortest_ns, PERIOD_NS * 85 / 100);
	ck_assert_int_gt(longest_ns, PERIOD_NS * 115 / 100);
	ck_assert_int_gt((last_ns - first_ns) / 1000, PERIOD_NS * 98 / 100);
	ck_assert_int_lt((last_ns - first_ns) / 1000, PERIOD_NS * 102 / 100);
}
END_TEST

START_TEST(the_same_seed_gives_the_same_times)
{
	int64_t times_ns[20];

	for (int i = 0; i < 20; i++) {
		once();
		times_ns[i] = out.due_ns;
	}
	fresh();
	for (int i = 0; i < 20; i++) {
		once();
		ck_assert_int_eq(out.due_ns, times_ns[i]);
	}
}
END_TEST

START_TEST(due_times_that_pass_meanwhile_are_missed_and_not_caught_up)
{
	once();
	world.takes_ns = PERIOD_NS * 35 / 10;
	once();
	ck_assert_uint_eq(out.missed, 0);
	int64_t end_ns = world.now_ns;

	world.takes_ns = NS_PER_MS;
	once();
	/* 3.5 periods on: 2.3 to 2.7 after the first missed due time. */
	ck_assert_uint_eq(out.missed, 3);
	ck_assert_int_gt(out.due_ns, end_ns);
	once();
	ck_assert_uint_eq(out.missed, 0);
	ck_assert_int_ge(out.due_ns - end_ns, PERIOD_NS * 8 / 10);
}
END_TEST

START_TEST(a_long_sleep_of_the_machine_is_skipped_at_once)
{
	once();
	world.now_ns += 3600 * NS_PER_S;
	once();
	ck_assert_uint_ge(out.missed, 35990);
	ck_assert_uint_le(out.missed, 36001);
}
END_TEST

START_TEST(a_failed_operation_has_its_errno)
{
	world.error = ENOSPC;
	ck_assert_int_eq(once(), 0);
	ck_assert_int_eq(out.error, ENOSPC);
	ck_assert_int_eq(in_flight_ns, 0);
}
END_TEST

START_TEST(a_wait_that_is_cut_short_ends_the_probe)
{
	world.wait_error = EINTR;
	ck_assert_int_eq(once(), -EINTR);
	ck_assert_uint_eq(world.operations, 0);
}
END_TEST

START_TEST(variants_take_turns)
{
	op_open(&op, &env, 3);
	for (unsigned i = 0; i < 9; i++) {
		once();
		ck_assert_uint_eq(out.variant, i % 3);
		ck_assert_uint_eq(world.variant, i % 3);
	}
}
END_TEST

START_TEST(a_computed_value_replaces_the_time)
{
	once();
	int64_t due_ns = out.due_ns;

	op_value(&out, -40);
	ck_assert_int_eq(out.due_ns, due_ns);
	ck_assert_int_eq(out.woke_ns, due_ns - 40);
}
END_TEST

START_TEST(a_longer_period_holds_from_the_next_wait)
{
	once();
	int64_t last_ns = out.due_ns;

	env.period_ns = 4 * PERIOD_NS;
	once();
	ck_assert_int_ge(out.due_ns - last_ns, 4 * PERIOD_NS * 8 / 10);
}
END_TEST

/* ---- children, for real ---- */

START_TEST(children_are_reaped_and_judged)
{
	pid_t pid = op_fork();

	if (pid == 0)
		_exit(0);
	ck_assert_int_gt(pid, 0);
	ck_assert_int_eq(op_wait_child(pid), 0);
	ck_assert_int_eq(op_wait_child(pid), ECHILD);
	pid = op_fork();
	if (pid == 0)
		_exit(3);
	ck_assert_int_eq(op_wait_child(pid), EIO);
}
END_TEST

START_TEST(programs_are_run_and_judged)
{
	char yes[] = "/bin/true", no[] = "/bin/false", nothing[] = "/no/such/program";

	ck_assert_int_eq(op_run((char *[]){ yes, NULL }), 0);
	ck_assert_int_eq(op_run((char *[]){ no, NULL }), EIO);
	ck_assert_int_eq(op_run((char *[]){ nothing, NULL }), EIO);
}
END_TEST

START_TEST(partners_are_known_and_ended)
{
	pid_t partner[PROBE_PARTNERS_MAX] = { 0 };

	env.partners = partner;
	for (int i = 0; i < 2; i++)
		if (op_partner(&env) == 0)
			for (;;)
				pause();
	ck_assert_int_gt(partner[0], 1);
	ck_assert_int_gt(partner[1], 1);
	op_end_partners(&env);
	ck_assert_int_eq(partner[0], 0);
	ck_assert_int_eq(op_wait_child(-1), ECHILD);
}
END_TEST

/* ---- the first probes, by script and for real ---- */

static const char *const names[] = { "fork", "exec", "sh" };

static const struct probe *named(const char *name)
{
	for (unsigned i = 0; probes[i]; i++)
		if (!strcmp(probes[i]->name, name))
			return probes[i];
	return NULL;
}

START_TEST(the_scripted_operation_gives_its_time_once)
{
	const struct probe *p = named(names[_i]);
	_Alignas(16) char state[8192];
	struct why why = { 0 };

	ck_assert_ptr_nonnull(p);
	ck_assert_uint_le(p->state_size, sizeof(state));
	ck_assert_int_eq(p->open(state, &env, &why), 0);
	ck_assert_int_eq(p->sample(state, &out), 0);
	ck_assert_int_eq(out.woke_ns - out.due_ns, 5 * NS_PER_MS);
	ck_assert_uint_eq(world.operations, 1);
	world.error = EAGAIN;
	ck_assert_int_eq(p->sample(state, &out), 0);
	ck_assert_int_eq(out.error, EAGAIN);
}
END_TEST

START_TEST(the_real_operation_works)
{
	const struct probe *p = named(names[_i]);
	_Alignas(16) char state[8192];
	struct why why = { 0 };

	env.operation = NULL;
	ck_assert_int_eq(p->open(state, &env, &why), 0);
	for (int i = 0; i < 20; i++) {
		ck_assert_int_eq(p->sample(state, &out), 0);
		ck_assert_int_eq(out.error, 0);
	}
}
END_TEST

Suite *op_suite(void);

Suite *op_suite(void)
{
	Suite *s = suite_create("op");
	TCase *pace = tcase_create("pace"), *children = tcase_create("children");
	TCase *first = tcase_create("probes");

	tcase_add_checked_fixture(pace, fresh, NULL);
	tcase_add_test(pace, an_operation_is_timed_from_begin_to_end);
	tcase_add_test(pace, waking_late_is_not_part_of_the_value);
	tcase_add_test(pace, periods_vary_by_a_fifth_and_average_out);
	tcase_add_test(pace, the_same_seed_gives_the_same_times);
	tcase_add_test(pace, due_times_that_pass_meanwhile_are_missed_and_not_caught_up);
	tcase_add_test(pace, a_long_sleep_of_the_machine_is_skipped_at_once);
	tcase_add_test(pace, a_failed_operation_has_its_errno);
	tcase_add_test(pace, a_wait_that_is_cut_short_ends_the_probe);
	tcase_add_test(pace, variants_take_turns);
	tcase_add_test(pace, a_computed_value_replaces_the_time);
	tcase_add_test(pace, a_longer_period_holds_from_the_next_wait);
	suite_add_tcase(s, pace);
	tcase_add_checked_fixture(children, fresh, NULL);
	tcase_add_test(children, children_are_reaped_and_judged);
	tcase_add_test(children, programs_are_run_and_judged);
	tcase_add_test(children, partners_are_known_and_ended);
	suite_add_tcase(s, children);
	tcase_add_checked_fixture(first, fresh, NULL);
	tcase_add_loop_test(first, the_scripted_operation_gives_its_time_once, 0, 3);
	tcase_add_loop_test(first, the_real_operation_works, 0, 3);
	suite_add_tcase(s, first);
	return s;
}
