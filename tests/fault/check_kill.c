/*
 * check_kill.c - P1 and P2: whoever dies by kill -9, and whenever, nothing of
 * the loads survives 2 s, and no scratch survives the next start.
 *
 * Quick: 21 kills.  JS_LONG=1: the full number of moments, each load alone;
 * with JS_ONLY=NAME that load alone of them.
 */
#include <check.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/load.h"
#include "tests/prog.h"

#define LOADS_MAX 3		/* in one program */

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
	const char *argv[] = { "", "record", "-D", "50ms", "--scratch", scratch, "--json", NULL };

	prog_run(&next, 60000, argv);
	ck_assert_msg(next.exit_code == 0, "next start: exit %d: %s", next.exit_code, next.err);
	prog_free(&next);
}

/* Main and supervisor: what is counted is there, on a busy machine a little later. */
static void await_both(const struct prog *p)
{
	for (int i = 0; i < 3000 && prog_left(p, 0, NULL) < 2; i++)
		usleep(10000);
	ck_assert_uint_ge(prog_left(p, 0, NULL), 2);
}

static void kill_victim(const struct prog *p, enum victim victim, unsigned moment_us)
{
	if (moment_us > 300000)
		await_both(p);
	pid_t supervisor = supervisor_of(p->pid);

	if (victim != SUPERVISOR)
		kill(p->pid, SIGKILL);
	if (victim != MAIN && supervisor > 1)
		kill(supervisor, SIGKILL);
	if (victim == SUPERVISOR) {
		usleep(100000);
		kill(p->pid, SIGTERM);	/* main goes on measuring: it must still obey */
	}
}

/* A program with these loads (at most LOADS_MAX) dies; returns how long the
 * last of them lived on. */
static int64_t kill_loads(const char *const *names, unsigned nr, enum victim victim, unsigned moment_us)
{
	const char *argv[6 + 2 * LOADS_MAX] = { "", "record", "-D", "20s", "--json" };
	int64_t took_ns = 0;
	struct prog p;

	for (unsigned i = 0; i < nr; i++) {
		argv[5 + 2 * i] = "-l";
		argv[6 + 2 * i] = names[i];
	}
	prog_start(&p, argv);
	usleep(moment_us);
	kill_victim(&p, victim, moment_us);
	unsigned left = prog_left(&p, 4000, &took_ns);

	ck_assert_msg(left == 0, "%s...: %u processes left after kill -9 of %s at %u us", names[0], left,
		      victim_name[victim], moment_us);
	prog_end(&p, 20000);
	if (victim != MAIN)
		sweep_by_next_start(p.scratch);
	ck_assert_msg(prog_scratch_left(&p) == 0, "%s...: scratch left after kill -9 of %s at %u us",
		      names[0], victim_name[victim], moment_us);
	prog_free(&p);
	return took_ns;
}

/* F15, P1, P2: whenever it comes. */
START_TEST(nothing_survives_kill_9)
{
	bool full = getenv("JS_LONG");
	unsigned moments = full ? 20 : _i == MAIN ? 6 : 4, latest_us = full ? 1500000 : 500000;
	unsigned seed = 12345 + (unsigned)_i;
	static const char *const names[] = { "churn:2", "fork:2" };
	int64_t slowest_ns = 0;

	for (unsigned k = 0; k < moments; k++) {
		int64_t took = kill_loads(names, 2, (enum victim)_i, 10000 + (unsigned)rand_r(&seed) % latest_us);

		if (took > slowest_ns)
			slowest_ns = took;
	}
	printf("P%d kill-%s %u moments, 0 left, slowest %lld ms ok\n", _i == MAIN ? 1 : 2, victim_name[_i], moments,
	       (long long)(slowest_ns / 1000000));
}
END_TEST

/* ---- every load of the registry ---- */

static void kill_often(const char *const *names, unsigned nr, enum victim victim, unsigned *seed)
{
	unsigned moments = getenv("JS_LONG") ? 20 : 1;
	int64_t slowest_ns = 0;

	for (unsigned k = 0; k < moments; k++) {
		int64_t took_ns = kill_loads(names, nr, victim, 100000 + (unsigned)rand_r(seed) % 500000);

		if (took_ns > slowest_ns)
			slowest_ns = took_ns;
	}
	printf("P1 %-10s %2u loads from %-10s %2u kills, 0 processes, 0 files, slowest %lld ms\n",
	       victim_name[victim], nr, names[0], moments, (long long)(slowest_ns / 1000000));
	fflush(stdout);
}

/* F15, P1: quick: three loads at a time, once, the victims in turn.  JS_LONG: each load
 * alone, all victims, 20 moments. */
START_TEST(no_load_survives_kill_9)
{
	bool full = getenv("JS_LONG");
	const char *names[LOADS_MAX], *only = full ? getenv("JS_ONLY") : NULL;
	unsigned seed = 4711 + (unsigned)_i, nr = 0;

	if (!full && _i % LOADS_MAX)
		return;		/* with the one before */
	if (only && strcmp(only, loads[_i]->name))
		return;
	for (; nr < (full ? 1 : LOADS_MAX) && loads[_i + (int)nr]; nr++)
		names[nr] = loads[_i + (int)nr]->name;
	for (int victim = MAIN; victim <= BOTH; victim++) {
		if (full || victim == _i / LOADS_MAX % 3)
			kill_often(names, nr, (enum victim)victim, &seed);
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
