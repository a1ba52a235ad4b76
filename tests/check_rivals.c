/*
 * check_rivals.c - a real-time task of another program above the samplers is
 * found, with its threads, and gone when it is.
 */
#include <check.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/rivals.h"
#include "tests/skip.h"

#define ROUNDS 800		/* of 24 processes: more than there are */
#define PRIORITY 97
#define ABOVE 96		/* hardly anybody else is */

/* The linker takes this one: who is looked at, and how many at once.  Numbers
 * wrap while others fork, so there is a place for each (PID_MAX_LIMIT). */
static unsigned looks;
static bool is_looked_for[4 << 20];

int sched_getscheduler(pid_t tid)
{
	looks++;
	is_looked_for[tid] = true;
	return (int)syscall(SYS_sched_getscheduler, tid);
}

static void *wait_above(void *ready)
{
	const struct sched_param p = { .sched_priority = PRIORITY };
	char done = !sched_setscheduler(0, SCHED_FIFO, &p);

	prctl(PR_SET_NAME, "js-rival");
	if (write(*(int *)ready, &done, 1) != 1)
		_exit(1);
	pause();
	return NULL;
}

/* A process whose main thread or another one is above. */
static pid_t start_rival(bool by_thread, bool *done)
{
	int fd[2];
	char byte = 0;

	ck_assert_int_eq(pipe(fd), 0);
	pid_t pid = fork();

	if (!pid) {
		pthread_t thread;

		if (by_thread)
			pthread_create(&thread, NULL, wait_above, &fd[1]);
		else
			wait_above(&fd[1]);
		pause();
	}
	ck_assert_int_eq(read(fd[0], &byte, 1), 1);
	close(fd[0]);
	close(fd[1]);
	*done = byte;
	return pid;
}

static bool find(struct rivals *r, struct rival_view *v, bool wanted)
{
	bool found = !wanted;

	for (int i = 0; i < ROUNDS && found != wanted; i++) {
		rivals_look(r, ABOVE, v);
		found = v->nr && !strcmp(v->comm, "js-rival");
	}
	return found;
}

START_TEST(a_task_above_is_found_and_forgotten)
{
	struct rivals *r = rivals_new();
	struct rival_view v = { .nr = 0 };
	bool done;

	if (!SKIP_UNLESS_ROOT())
		return;
	pid_t pid = start_rival(_i, &done);

	if (done) {
		ck_assert(find(r, &v, true));
		ck_assert_int_eq(v.priority, PRIORITY);
		ck_assert(_i ? v.pid != pid : v.pid == pid);
	} else {
		SKIP("no real-time priority can be had");
	}
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	ck_assert(!done || !find(r, &v, false));
	rivals_free(r);
}
END_TEST

START_TEST(samplers_without_real_time_have_nobody_above)
{
	struct rivals *r = rivals_new();
	struct rival_view v = { .nr = 3 };

	rivals_look(r, 0, &v);
	ck_assert_uint_eq(v.nr, 0);
	rivals_free(r);
}
END_TEST

#define THREADS 300

static void *just_wait(void *tids)
{
	int tid = (int)syscall(SYS_gettid);

	if (write(*(int *)tids, &tid, sizeof(tid)) != sizeof(tid))
		_exit(1);
	pause();
	return NULL;
}

static pid_t start_many(int tid[THREADS])
{
	int fd[2];

	ck_assert_int_eq(pipe(fd), 0);
	pid_t pid = fork();

	for (int i = 0; !pid && i < THREADS; i++) {
		pthread_attr_t attr;
		pthread_t thread;

		pthread_attr_init(&attr);
		pthread_attr_setstacksize(&attr, 64 << 10);
		if (pthread_create(&thread, &attr, just_wait, &fd[1]))
			_exit(1);
	}
	if (!pid)
		for (;;)
			pause();
	close(fd[1]);
	for (int i = 0; i < THREADS; i++)
		ck_assert_int_eq(read(fd[0], &tid[i], sizeof(tid[i])), sizeof(tid[i]));
	close(fd[0]);
	return pid;
}

/* However many threads a process has, few are looked at in one go, and all in the end. */
START_TEST(threads_are_looked_at_in_turns)
{
	struct rivals *r = rivals_new();
	struct rival_view v = { .nr = 0 };
	int tid[THREADS];
	pid_t pid = start_many(tid);
	unsigned most = 0, found = 0;

	for (int i = 0; i < ROUNDS; i++) {
		looks = 0;
		rivals_look(r, ABOVE, &v);
		most = looks > most ? looks : most;
	}
	for (int i = 0; i < THREADS; i++)
		found += is_looked_for[tid[i]];
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	ck_assert_uint_le(most, 24);
	ck_assert_uint_eq(found, THREADS);
	rivals_free(r);
}
END_TEST

Suite *rivals_suite(void);
Suite *rivals_suite(void)
{
	Suite *s = suite_create("rivals");
	TCase *tc = tcase_create("above");

	tcase_add_loop_test(tc, a_task_above_is_found_and_forgotten, 0, 2);
	tcase_add_test(tc, samplers_without_real_time_have_nobody_above);
	tcase_add_test(tc, threads_are_looked_at_in_turns);
	suite_add_tcase(s, tc);
	return s;
}
