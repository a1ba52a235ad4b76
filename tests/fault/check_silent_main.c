/*
 * check_silent_main.c - a program that is stopped must not leave its loads
 * running unseen: 10 s without a ping, and they are stopped.
 *
 * Quick: with a limit of 3 s in its place.  JS_LONG=1: with the one of life.
 */
#include <check.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/supervisor.h"

#define PATIENCE_NS (60 * NS_PER_S)
#define TRIES 5

static struct supervisor_event event;

static int64_t pinged_ns, quiet_ns;	/* the longest time between two pings */

static void ping_it(struct supervisor *s)
{
	int64_t now_ns = clock_now_ns();

	if (pinged_ns && now_ns - pinged_ns > quiet_ns)
		quiet_ns = now_ns - pinged_ns;
	pinged_ns = now_ns;
	supervisor_ping(s);
}

static bool next(struct supervisor *s, int64_t until_ns, bool ping)
{
	while (!supervisor_read(s, &event)) {
		if (clock_now_ns() > until_ns)
			return false;
		if (ping)
			ping_it(s);
		poll(&(struct pollfd){ .fd = supervisor_fd(s), .events = POLLIN }, 1, 500);
	}
	return true;
}

static void start_load(struct supervisor *s)
{
	int index = load_index(load_by_name("fork"));
	long knob[LOAD_KNOBS_MAX] = { 1 };
	struct why why = { 0 };

	pinged_ns = quiet_ns = 0;
	ck_assert_int_eq(supervisor_load_start(s, (unsigned)index, 1, knob, &why), 0);
}

/* Speaks for longer than the limit; false: its load has ended meanwhile. */
static bool is_heard(struct supervisor *s, int64_t limit_ns)
{
	int64_t begun_ns = clock_now_ns();

	while (clock_now_ns() - begun_ns < limit_ns + NS_PER_S)
		if (next(s, clock_now_ns() + NS_PER_S, true) && event.kind == SUP_EXITED)
			return false;
	return true;
}

/* While it speaks nothing happens.  Where the machine keeps it from speaking,
 * which it notes itself, it begins again. */
static void speak(struct supervisor *s, int64_t limit_ns)
{
	start_load(s);
	for (int tries = 0; !is_heard(s, limit_ns); tries++) {
		ck_assert_msg(quiet_ns > limit_ns / 2 && tries < TRIES, "stopped while it spoke: %s",
			      event.text);
		printf("RETRY: kept from speaking for %lld ms\n", (long long)(quiet_ns / NS_PER_MS));
		start_load(s);
	}
}

START_TEST(loads_of_a_silent_program_are_stopped_with_a_reason)
{
	struct counters *counters = counters_new(load_count());
	bool full = getenv("JS_LONG");
	int64_t limit_ns = full ? 10 * NS_PER_S : 3 * NS_PER_S;
	const struct supervisor_config config = { .counters = counters, .tty_fd = -1, .no_probes = true,
						  .silence_ns = full ? 0 : limit_ns };
	struct supervisor *s = supervisor_start(&config, NULL);
	struct why why = { 0 };

	ck_assert_ptr_nonnull(s);
	speak(s, limit_ns);
	do
		ck_assert(next(s, clock_now_ns() + PATIENCE_NS, false));
	while (event.kind != SUP_EXITED);
	ck_assert_int_ge(clock_now_ns() - pinged_ns, limit_ns);
	ck_assert_str_eq(event.text, full ? "stopped: the program was silent for 10 s"
					  : "stopped: the program was silent for 3 s");
	ck_assert_int_eq(event.err, 1);
	ck_assert_int_eq(supervisor_quit(s, 300, 20000, &why), 0);
	supervisor_free(s);
	counters_free(counters);
}
END_TEST

Suite *silent_main_suite(void);

Suite *silent_main_suite(void)
{
	Suite *s = suite_create("silent_main");
	TCase *tc = tcase_create("silence");

	tcase_set_timeout(tc, 240);
	tcase_add_test(tc, loads_of_a_silent_program_are_stopped_with_a_reason);
	suite_add_tcase(s, tc);
	return s;
}
