/*
 * stepper.h - follows a program from one system call to the next, to kill it
 * at any of them or to have the kernel refuse that one.
 *
 * strace counts per thread and per name, which never visits every call; this
 * does.  Calls are counted at their entry: what is killed at call n has done
 * n - 1 of them.
 */
#ifndef JS_TESTS_STEPPER_H
#define JS_TESTS_STEPPER_H

#include <stdbool.h>
#include <sys/types.h>

struct step {
	unsigned at;		/* the call that is hit, from 1; 0: none */
	int error;		/* 0: the program is killed there; else errno of the call */
	bool for_ever;		/* every later call of the same name, too */
	bool from_directory;	/* count from the first opening of a directory on */

	/* What came of it. */
	unsigned seen;		/* calls counted */
	long hit;		/* the number of the call that was hit; -1: none */
};

/* May this be done here?  Prints "SKIP test: why" when not. */
bool step_can(const char *test);

/* Runs argv with standard output and error in the file `said`.  Its wait status. */
int step_run(const char *const argv[], const char *said, struct step *s);

/* Attaches to the main thread of a child of ours; threads it makes from now on
 * can be followed. */
void step_attach(pid_t pid);
/* Sends signal to pid and follows the next thread that it makes until that has
 * ended (0) or the process has (its wait status). */
int step_signal(pid_t pid, int signal, struct step *s);
/* Sends signal and waits for the end of the process: its wait status. */
int step_end(pid_t pid, int signal);

/* Calls by which the C library (or a sanitizer) lives; it gives up where one
 * is refused, so they are not. */
bool step_is_thread(long nr);

#endif
