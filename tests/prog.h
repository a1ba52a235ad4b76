/*
 * prog.h - runs the built program (or a tool) for a test: its output, exit,
 * and whatever it may have left behind.
 *
 * Every run carries a token of its own in the environment, so that processes
 * left over can be found and counted without guessing by name.
 */
#ifndef JS_TESTS_PROG_H
#define JS_TESTS_PROG_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct prog {
	pid_t pid;
	int out_fd, err_fd;	/* read ends */
	char token[40];
	char scratch[64];	/* TMPDIR of the run, made by prog_start() */
	char *out, *err;	/* after prog_end() */
	size_t out_bytes;
	int exit_code;		/* -1: signalled */
	int signal;
	int64_t ran_ns, cpu_ns;	/* cpu: of the whole tree that was reaped */
};

/* The release (or asan, ...) binary of this build. */
const char *prog_path(void);
/* Is the tool installed? Prints "SKIP test: no TOOL" when not. */
bool prog_have(const char *tool, const char *test);

/* Starts argv (NULL-ended; argv[0] "" is our program) with stdin /dev/null. */
void prog_start(struct prog *p, const char *const *argv);
/* Waits at most timeout_ms (then KILLs: fails the test) and collects. */
void prog_end(struct prog *p, int timeout_ms);
/* Both. */
void prog_run(struct prog *p, int timeout_ms, const char *const *argv);
/* Waits until nothing of the run is alive; returns how many are after wait_ms,
 * in which time without a CPU for us does not count. */
unsigned prog_left(const struct prog *p, int wait_ms, int64_t *last_ns);
/* Did strace, which ran it, end by a fault of its own? */
bool prog_strace_gave_up(const struct prog *p);
/* Entries below the run's scratch folder. */
unsigned prog_scratch_left(const struct prog *p);
/* Kills what is left (by pid, by token) and frees. */
void prog_free(struct prog *p);

/* Standard output as JSON; fails the test when it is not. */
json_t *prog_json(const struct prog *p);
/* The sum rule of every series; fails the test naming the first that breaks it. */
void prog_check_sums(const json_t *snapshot);
json_t *prog_series(const json_t *snapshot, const char *probe, int cpu);	/* NULL: none */

#endif
