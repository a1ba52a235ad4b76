/*
 * sh.c - how long does the shell take to do nothing?
 *
 * As exec, with `/bin/sh -c :`.  Shells differ by a factor of three, so the
 * note says which one /bin/sh is.
 */
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "probes/op.h"
#include "src/probe.h"

#define SHELL "/bin/sh"

struct sh {
	struct op op;
};

static int sh_open(void *state, const struct probe_env *env, struct why *why)
{
	struct sh *s = state;
	char target[PATH_MAX];
	ssize_t n = readlink(SHELL, target, sizeof(target) - 1);

	if (access(SHELL, X_OK))
		return why_set(why, -errno, "sh: " SHELL ": %s", strerror(errno));
	target[n > 0 ? n : 0] = '\0';
	op_open(&s->op, env, 1);
	return why_set(why, 0, "sh: " SHELL " is %.200s", n > 0 ? target : "no link");
}

static int sh_once(void *state)
{
	static char shell[] = SHELL, option[] = "-c", nothing[] = ":";
	char *const argv[] = { shell, option, nothing, NULL };

	(void)state;
	return op_run(argv);
}

static int sh_sample(void *state, struct probe_sample *out)
{
	struct sh *s = state;
	int err = op_wait(&s->op, out);

	if (err)
		return err;
	op_time(&s->op, out, sh_once, NULL);
	return 0;
}

const struct probe probe_sh = {
	.name = "sh",
	.summary = "run the shell with an empty command",
	.flags = PROBE_HELPER | PROBE_LIGHT | PROBE_EXECS,
	.period_ns = NS_PER_S,
	.knobs = { PROBE_PERIOD_KNOB(1000) },
	.state_size = sizeof(struct sh),
	.open = sh_open,
	.sample = sh_sample,
};
