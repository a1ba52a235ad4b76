/*
 * kernel_shell.c - N copies of a shell script at once; a loop is over when all
 * have ended.
 *
 * Each sorts a text of 8 KB, dumps the result in octal and sorts that by
 * number, looks for a word and counts what it found, and removes its files.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/suites/kernel.h"
#include "src/suites/loop.h"

#define COPIES_MAX 96
#define TEXT_BYTES 8192
#define TEXT "words"

/* $0 is the copy's number. */
static const char script[] =
	"sort <" TEXT " >sorted.$0 && "
	"od sorted.$0 | sort -n -k 1 >octal.$0 && "
	"grep the sorted.$0 | tee found.$0 | wc >count.$0 && "
	"rm sorted.$0 octal.$0 found.$0 count.$0";

static char *const environment[] = { (char *)"PATH=/usr/bin:/bin", (char *)"LC_ALL=C", NULL };

/* Lines of a few words, the one that is looked for among them; returns bytes. */
static unsigned make_text(struct kernel_run *r, char text[TEXT_BYTES])
{
	static const char *const words[] = { "a", "kernel", "is", "late", "and", "who", "waits",
					     "hears", "of", "it", "soon", "enough", "the" };
	struct load_rng rng;
	unsigned used = 0, nr = 0;

	load_rng_seed(&rng, r->w->seed);
	while (used + 10 < TEXT_BYTES) {
		const char *word = words[load_rng_below(&rng, sizeof(words) / sizeof(words[0]))];

		used += (unsigned)snprintf(text + used, TEXT_BYTES - used, "%s%c", word,
					   ++nr % 7 ? ' ' : '\n');
	}
	text[used - 1] = '\n';
	return used;
}

static int write_text(struct kernel_run *r)
{
	char text[TEXT_BYTES];
	int fd = openat(r->w->scratch_fd, TEXT, O_WRONLY | O_CREAT | O_TRUNC, 0600), err;

	if (fd < 0)
		return -errno;
	err = loop_write(fd, text, make_text(r, text));
	return close(fd) && !err ? -errno : err;
}

static _Noreturn void be_copy(unsigned number)
{
	char word[12];
	char *argv[] = { (char *)"/bin/sh", (char *)"-c", (char *)script, word, NULL };

	snprintf(word, sizeof(word), "%u", number);
	signal(SIGPIPE, SIG_DFL);
	execve(argv[0], argv, environment);
	_exit(127);
}

/* All started are reaped, whatever happens. */
static int await_copies(const pid_t *pid, unsigned n)
{
	int err = 0, status;

	for (unsigned i = 0; i < n; i++) {
		while (waitpid(pid[i], &status, 0) < 0 && errno == EINTR)
			;
		if (status)
			err = -ECHILD;
	}
	return err;
}

static int one_loop(void *ctx)
{
	const struct kernel_run *r = ctx;
	unsigned copies = (unsigned)r->arg[0], n = 0;
	pid_t pid[COPIES_MAX];
	int err = 0;

	for (; n < copies && n < COPIES_MAX; n++) {
		pid[n] = load_child(r->w);
		if (pid[n] == 0)
			be_copy(n);
		if (pid[n] < 0) {
			err = -errno;
			break;
		}
	}
	int ended = await_copies(pid, n);

	return err ? err : ended;
}

static int run_scripts(struct kernel_run *r)
{
	int err = fchdir(r->w->scratch_fd) ? -errno : write_text(r);

	if (!err)
		err = kernel_rates(r, one_loop, r, 1, 60);
	return err ? kernel_failed(r, err, "/bin/sh, sort, od, grep, tee, wc, rm") : 0;
}

const struct kernel kernels_shell[] = {
	{ "throughput", "Shell Scripts 1", "loops/min", true, run_scripts, { 1 } },
	{ "throughput", "Shell Scripts 8", "loops/min", true, run_scripts, { 8 } },
	{ "throughput", "Shell Scripts 16", "loops/min", true, run_scripts, { 16 } },
	{ "throughput", "Shell Scripts 32", "loops/min", true, run_scripts, { 32 } },
	{ "throughput", "Shell Scripts 64", "loops/min", true, run_scripts, { 64 } },
	{ "throughput", "Shell Scripts 96", "loops/min", true, run_scripts, { 96 } },
	{ NULL, NULL, NULL, false, NULL, { 0 } },
};
