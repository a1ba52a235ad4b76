/*
 * check_kill.c - P1 and P2: whoever dies by kill -9, and whenever, nothing of
 * the loads survives 2 s, and no scratch survives the next start.
 *
 * JS_LONG=1 takes the full number of moments.
 */
#include <check.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/load.h"
#include "tests/prog.h"

enum victim { MAIN, SUPERVISOR, BOTH };
static const char *const victim_name[] = { "main", "supervisor", "both" };

/* The supervisor is main's only child. */
static pid_t supervisor_of(pid_t main_pid)
{
	char path[80];
	int pid = 0;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)main_pid, (int)main_pid);
	FILE *f = fopen(path, "r");

	if (f) {
		if (fscanf(f, "%d", &pid) != 1)
			pid = 0;
		fclose(f);
	}
	return pid;
}

static void sweep_by_next_start(const char *scratch)
{
	struct prog next;
	const char *argv[] = { "", "record", "-D", "200ms", "--scratch", scratch, "--json", NULL };

	prog_run(&next, 20000, argv);
	ck_assert_msg(next.exit_code == 0, "next start: exit %d: %s", next.exit_code, next.err);
	prog_free(&next);
}

static int64_t kill_once(enum victim victim, unsigned moment_us)
{
	struct prog p;
	const char *argv[] = { "", "record", "-D", "20s", "-l", "churn:2", "-l", "fork:2", "--json", NULL };
	int64_t took_ns = 0;

	prog_start(&p, argv);
	usleep(moment_us);
	if (moment_us > 300000)		/* main and supervisor: what is counted is there */
		ck_assert_uint_ge(prog_left(&p, 0, NULL), 2);
	pid_t supervisor = supervisor_of(p.pid);

	if (victim != SUPERVISOR)
		kill(p.pid, SIGKILL);
	if (victim != MAIN && supervisor > 1)
		kill(supervisor, SIGKILL);
	if (victim == SUPERVISOR) {
		usleep(300000);
		kill(p.pid, SIGTERM);	/* main goes on measuring: it must still obey */
	}
	unsigned left = prog_left(&p, 4000, &took_ns);

	ck_assert_msg(left == 0, "%u processes left %d ms after kill -9 of %s at %u us", left, 4000, victim_name[victim], moment_us);
	prog_end(&p, 3000);
	if (victim != MAIN)
		sweep_by_next_start(p.scratch);
	ck_assert_msg(prog_scratch_left(&p) == 0, "scratch left after kill -9 of %s at %u us", victim_name[victim], moment_us);
	prog_free(&p);
	return took_ns;
}

START_TEST(nothing_survives_kill_9)
{
	unsigned moments = getenv("JS_LONG") ? 20 : 4;
	unsigned seed = 12345 + (unsigned)_i;
	int64_t slowest_ns = 0;

	for (unsigned k = 0; k < moments; k++) {
		int64_t took = kill_once((enum victim)_i, 10000 + (unsigned)rand_r(&seed) % 1500000);

		if (took > slowest_ns)
			slowest_ns = took;
	}
	printf("P%d kill-%s %u moments, 0 left, slowest %lld ms ok\n", _i == MAIN ? 1 : 2, victim_name[_i], moments,
	       (long long)(slowest_ns / 1000000));
}
END_TEST

/* ---- every load of the registry ---- */

struct tally { unsigned runs; int64_t slowest_ns; };

static void kill_load(const char *name, enum victim victim, unsigned moment_us, struct tally *tally)
{
	struct prog p;
	const char *argv[] = { "", "record", "-D", "20s", "-l", name, "--json", NULL };
	int64_t took_ns = 0;

	prog_start(&p, argv);
	usleep(moment_us);
	if (moment_us > 300000)		/* main and supervisor: what is counted is there */
		ck_assert_uint_ge(prog_left(&p, 0, NULL), 2);
	pid_t supervisor = supervisor_of(p.pid);

	if (victim != SUPERVISOR)
		kill(p.pid, SIGKILL);
	if (victim != MAIN && supervisor > 1)
		kill(supervisor, SIGKILL);
	if (victim == SUPERVISOR) {
		usleep(100000);
		kill(p.pid, SIGTERM);
	}
	unsigned left = prog_left(&p, 4000, &took_ns);

	ck_assert_msg(left == 0, "%s: %u processes left after kill -9 of %s at %u us", name, left, victim_name[victim], moment_us);
	prog_end(&p, 3000);
	if (victim != MAIN)
		sweep_by_next_start(p.scratch);
	ck_assert_msg(prog_scratch_left(&p) == 0, "%s: scratch left after kill -9 of %s at %u us", name, victim_name[victim], moment_us);
	prog_free(&p);
	tally->runs++;
	if (took_ns > tally->slowest_ns)
		tally->slowest_ns = took_ns;
}

/* Quick: each load once, the victims in turn.  JS_LONG: all three, 20 moments. */
START_TEST(no_load_survives_kill_9)
{
	const char *name = loads[_i]->name;
	unsigned moments = getenv("JS_LONG") ? 20 : 1;
	unsigned seed = 4711 + (unsigned)_i;

	for (int victim = MAIN; victim <= BOTH; victim++) {
		struct tally tally = { 0, 0 };

		if (moments == 1 && victim != _i % 3)
			continue;
		for (unsigned k = 0; k < moments; k++)
			kill_load(name, (enum victim)victim, 100000 + (unsigned)rand_r(&seed) % 500000, &tally);
		printf("P1 %-10s %-10s %2u kills, 0 processes, 0 files, slowest %lld ms\n", name, victim_name[victim], tally.runs,
		       (long long)(tally.slowest_ns / 1000000));
		fflush(stdout);
	}
}
END_TEST

Suite *kill_suite(void);

Suite *kill_suite(void)
{
	Suite *s = suite_create("kill");
	TCase *c = tcase_create("-9");

	tcase_set_timeout(c, 400);
	tcase_add_loop_test(c, nothing_survives_kill_9, MAIN, BOTH + 1);
	suite_add_tcase(s, c);
	c = tcase_create("loads");
	tcase_set_timeout(c, 600);
	tcase_add_loop_test(c, no_load_survives_kill_9, 0, (int)load_count());
	suite_add_tcase(s, c);
	return s;
}
