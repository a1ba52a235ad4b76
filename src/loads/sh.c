/*
 * sh.c - shell scripts, N at a time.
 *
 * A script sorts a text of words, dumps and sorts it again, greps, tees and
 * counts: 8 processes.  When all N have ended the next N begin; that is one
 * loop.  Mode plain runs only the shell.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "src/load.h"
#include "src/loads/failure.h"
#include "src/loads/files.h"
#include "src/loads/meet.h"
#include "src/loads/program.h"

enum { KNOB_MODE };
enum { MODE_SCRIPT, MODE_PLAIN };

#define TEXT_BYTES 8500
#define COMMON_WORD "latency"	/* one line in 8 */
#define FAILURES_MOST 100	/* in a row */
#define SCRIPT_TASKS 8

/* The last ':' keeps the shell from becoming rm, which would save a process. */
static const char script[] =
	"sort words >a.$1 && od a.$1 | sort -n >b.$1 && "
	"grep " COMMON_WORD " a.$1 | tee c.$1 | wc >d.$1 && rm a.$1 b.$1 c.$1 d.$1 && :";

static const char *const modes[] = { "script", "plain", NULL };
static const char *const tools[] = { "sort", "od", "grep", "tee", "wc", "rm", NULL };

struct sh_shared {
	struct meet meet;
	_Atomic unsigned failures;	/* in a row, of all workers */
};

/* ---- before the start ---- */

static int check_tool(const char *name, struct why *why)
{
	char path[64];

	snprintf(path, sizeof(path), "/usr/bin/%s", name);
	if (!access(path, X_OK))
		return 0;
	snprintf(path, sizeof(path), "/bin/%s", name);
	return program_check(path, why);
}

static int check_tools(long mode, struct why *why)
{
	int err = program_check("/bin/sh", why);

	for (unsigned i = 0; !err && mode == MODE_SCRIPT && tools[i]; i++)
		err = check_tool(tools[i], why);
	return err;
}

/* Lines of one word each, made of the seed. */
static void make_text(char *text, uint64_t seed)
{
	struct load_rng rng;
	size_t at = 0;

	load_rng_seed(&rng, seed);
	while (at < TEXT_BYTES) {
		char word[16] = COMMON_WORD;

		if (load_rng_below(&rng, 8))
			for (unsigned i = 0, n = 3 + (unsigned)load_rng_below(&rng, 8); i <= n; i++)
				word[i] = i < n ? (char)('a' + load_rng_below(&rng, 26)) : '\0';
		for (const char *c = word; *c && at < TEXT_BYTES - 1; c++)
			text[at++] = *c;
		text[at++] = '\n';
	}
}

static int write_text(const struct load_worker *w, struct why *why)
{
	char text[TEXT_BYTES + 16];
	int fd, err;

	make_text(text, w->seed);
	fd = openat(w->scratch_fd, "words", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0)
		return failure(why, -errno, "open");
	err = files_write_all(&files_real, fd, text, TEXT_BYTES);
	close(fd);
	return err ? failure(why, err, "write") : 0;
}

static void say_shell(struct load_worker *w)
{
	char target[64] = "", text[100];
	ssize_t n = readlink("/bin/sh", target, sizeof(target) - 1);

	if (n <= 0)
		return;
	snprintf(text, sizeof(text), "/bin/sh is %s", target);
	load_publish(w, NULL, 0, text);
}

static int sh_prepare(struct load_worker *w, struct why *why)
{
	int err = check_tools(w->knob[KNOB_MODE], why);

	say_shell(w);
	return err || w->knob[KNOB_MODE] == MODE_PLAIN ? err : write_text(w, why);
}

/* ---- scripts ---- */

/* A script that fails is an error; a hundred without one success end the load. */
static int judge(struct load_worker *w, struct sh_shared *shared, int status, struct why *why)
{
	if (!status) {
		atomic_store(&shared->failures, 0);
		load_success(w);
		load_add(w, 1, 0);
		return 0;
	}
	load_error(w, EIO);
	if (atomic_fetch_add(&shared->failures, 1) + 1 < FAILURES_MOST)
		return 0;
	return why_set(why, -EIO, "/bin/sh: %d scripts in a row failed, the last with status %d",
		       FAILURES_MOST, status);
}

static int run_script(struct load_worker *w, const struct program *p, struct why *why)
{
	int status, err = program_run(w, p, &status, why);

	return err || status < 0 ? err : judge(w, w->shared, status, why);
}

static int sh_run(struct load_worker *w, struct why *why)
{
	struct sh_shared *shared = w->shared;
	char number[16];
	char *const script_argv[] = { "sh", "-c", (char *)script, "sh", number, NULL };
	char *const plain_argv[] = { "sh", "-c", ":", NULL };
	char *const env[] = { "PATH=/usr/bin:/bin", "LC_ALL=C", NULL };
	struct program p = {
		.path = "/bin/sh",
		.argv = w->knob[KNOB_MODE] == MODE_SCRIPT ? script_argv : plain_argv,
		.envp = env,
	};
	int err = program_quiet(why);

	snprintf(number, sizeof(number), "%u", w->index);
	if (!err && w->scratch_fd >= 0 && fchdir(w->scratch_fd))
		err = failure(why, -errno, "fchdir");
	while (!err && load_going(w)) {
		err = run_script(w, &p, why);
		load_cpu(w);
		if (!err && meet_all(&shared->meet, w) && w->index == 0)
			load_pass(w);
	}
	return err;
}

static uint64_t sh_disk(unsigned workers, const long *knob)
{
	(void)knob;
	return workers * UINT64_C(65536);
}

const struct load load_sh = {
	.name = "sh",
	.key = 'S',
	.summary = "shell scripts that sort, grep and count, N at a time",
	.unit = "scripts",
	.rate_unit = "scripts/min",
	.pass_name = "loops",
	.figure = LOAD_OPS_PER_MIN,
	.flags = LOAD_SCRATCH | LOAD_EXECS,
	.version = 1,
	.default_plus = 1,
	.max_workers = 64,
	.knobs = {
		[KNOB_MODE] = { .name = "mode", .help = "script: 8 processes each; plain: sh -c :",
				.least = MODE_SCRIPT, .value = MODE_SCRIPT, .most = MODE_PLAIN,
				.choices = modes },
	},
	.shared_bytes = sizeof(struct sh_shared),
	.disk_bytes = sh_disk,
	.tasks_per_worker = SCRIPT_TASKS,
	.fds_per_worker = 4,
	.prepare = sh_prepare,
	.run = sh_run,
};
