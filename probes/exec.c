/*
 * exec.c - how long does it take to run a tiny program?
 *
 * From before the fork until wait has returned; the program has an empty
 * environment and /dev/null on 0, 1 and 2.  Its libraries are a large part of
 * the time, so the note names program and size.
 */
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "probes/op.h"
#include "src/probe.h"

enum { KNOB_TARGET };
enum { TARGET_TRUE, TARGET_SELF };

static const char *const targets[] = { [TARGET_TRUE] = "true", [TARGET_SELF] = "self", NULL };

struct exec {
	struct op op;
	char path[PATH_MAX];
	char *argv[3];
};

/* Our own program by its name on disk: the link of /proc would be resolved
 * within what is timed. */
static int find_target(struct exec *e, long target, struct why *why)
{
	static char noop[] = "--noop";
	ssize_t n;

	e->argv[0] = e->path;
	e->argv[1] = e->argv[2] = NULL;
	if (target == TARGET_TRUE) {
		memcpy(e->path, "/bin/true", sizeof("/bin/true"));
		return 0;
	}
	n = readlink("/proc/self/exe", e->path, sizeof(e->path) - 1);
	if (n < 0)
		return why_set(why, -errno, "exec: /proc/self/exe: %s; give target=true",
			       strerror(errno));
	e->path[n] = '\0';
	e->argv[1] = noop;
	return 0;
}

static int exec_open(void *state, const struct probe_env *env, struct why *why)
{
	struct exec *e = state;
	int err = find_target(e, env->knob[KNOB_TARGET], why);
	struct stat st;

	if (err)
		return err;
	if (access(e->path, X_OK) || stat(e->path, &st))
		return why_set(why, -errno, "exec: %s: %s", e->path, strerror(errno));
	op_open(&e->op, env, 1);
	return why_set(why, 0, "exec: runs %.200s, %lld kB", e->path, (long long)st.st_size / 1000);
}

static int exec_once(void *state)
{
	struct exec *e = state;

	return op_run(e->argv);
}

static int exec_sample(void *state, struct probe_sample *out)
{
	struct exec *e = state;
	int err = op_wait(&e->op, out);

	if (err)
		return err;
	op_time(&e->op, out, exec_once, e);
	return 0;
}

const struct probe probe_exec = {
	.name = "exec",
	.summary = "fork, run a tiny program, and reap it",
	.flags = PROBE_HELPER | PROBE_LIGHT | PROBE_EXECS,
	.period_ns = 500 * NS_PER_MS,
	.knobs = {
		[KNOB_TARGET] = { .name = "target", .help = "which program",
				  .least = 0, .value = TARGET_TRUE, .most = TARGET_SELF,
				  .choices = targets },
		PROBE_PERIOD_KNOB(500),
	},
	.state_size = sizeof(struct exec),
	.open = exec_open,
	.sample = exec_sample,
};
