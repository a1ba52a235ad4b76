/*
 * exec.c - programs that start and end at once.
 *
 * Each turn forks, execs a fixed program with an empty environment and waits
 * for it.  What the target is linked with dominates: /bin/true takes half of
 * what our own binary does, so target, its size and how are told.
 */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "src/load.h"
#include "src/loads/failure.h"
#include "src/loads/program.h"

enum { KNOB_HOW, KNOB_TARGET };
enum { HOW_FORK, HOW_VFORK };
enum { TARGET_TRUE, TARGET_SELF };

static const char *const hows[] = { "fork", "vfork", NULL };
static const char *const targets[] = { "true", "self", NULL };
static const char *const paths[] = { "/bin/true", "/proc/self/exe" };
static const char *const figure_names[] = { "target_bytes", NULL };

static int exec_prepare(struct load_worker *w, struct why *why)
{
	const char *path = paths[w->knob[KNOB_TARGET]];
	int err = program_check(path, why);
	struct stat st;
	double bytes;

	if (err)
		return err;
	if (stat(path, &st))
		return failure(why, -errno, "stat");
	bytes = (double)st.st_size;
	load_publish(w, &bytes, 1, NULL);
	return 0;
}

static int exec_once(struct load_worker *w, const struct program *p, struct why *why)
{
	int status, err = program_run(w, p, &status, why);

	if (err || status < 0)
		return err;
	if (status)
		return why_set(why, -ENOEXEC, "%s: exit status %d, not 0", p->path, status);
	load_success(w);
	load_add(w, 1, 0);
	return 0;
}

static int exec_run(struct load_worker *w, struct why *why)
{
	char *const true_argv[] = { "true", NULL };
	char *const self_argv[] = { "jitterscope", "--noop", NULL };
	char *const no_env[] = { NULL };
	struct program p = {
		.path = paths[w->knob[KNOB_TARGET]],
		.argv = w->knob[KNOB_TARGET] == TARGET_SELF ? self_argv : true_argv,
		.envp = no_env,
		.by_vfork = w->knob[KNOB_HOW] == HOW_VFORK,
	};
	int err = program_quiet(why);

	while (!err && load_going(w)) {
		err = exec_once(w, &p, why);
		load_cpu(w);
	}
	return err;
}

const struct load load_exec = {
	.name = "exec",
	.key = 'E',
	.summary = "programs that start and end at once",
	.unit = "execs",
	.rate_unit = "execs/s",
	.figure = LOAD_OPS,
	.flags = LOAD_EXECS,
	.version = 1,
	.default_per_cpu = 1,
	.max_workers = 128,
	.knobs = {
		[KNOB_HOW] = { .name = "how", .help = "how the process is made",
			       .least = HOW_FORK, .value = HOW_FORK, .most = HOW_VFORK,
			       .choices = hows },
		[KNOB_TARGET] = { .name = "target", .help = "/bin/true, or this program itself",
				  .least = TARGET_TRUE, .value = TARGET_TRUE, .most = TARGET_SELF,
				  .choices = targets },
	},
	.figure_names = figure_names,
	.tasks_per_worker = 2,
	.fds_per_worker = 1,
	.prepare = exec_prepare,
	.run = exec_run,
};
