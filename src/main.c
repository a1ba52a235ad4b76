/* main.c - from words to a command, and from its answer to an exit code. */
#include <limits.h>
#include <locale.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "src/again.h"
#include "src/app.h"
#include "src/commands.h"
#include "src/complain.h"
#include "src/config.h"
#include "src/fds.h"
#include "src/result.h"

#define HELP_BYTES 16384

static struct options options;	/* large: the schedule */

static int show_help(struct options *o, struct why *why)
{
	static char text[HELP_BYTES];

	(void)why;
	fputs(options_help(o->help_for, text, sizeof(text)), stdout);
	return EXIT_OK;
}

static int show_version(struct options *o, struct why *why)
{
	(void)o;
	(void)why;
	puts("jitterscope " JS_VERSION);
	return EXIT_OK;
}

static int (*const commands[])(struct options *o, struct why *why) = {
	[SUB_LIVE] = cmd_live, [SUB_RECORD] = cmd_record, [SUB_REPLAY] = cmd_replay,
	[SUB_SHOW] = cmd_show, [SUB_COMPARE] = cmd_compare, [SUB_PLOT] = cmd_plot,
	[SUB_CONVERT] = cmd_convert, [SUB_RUN] = cmd_run, [SUB_LIST] = cmd_list,
	[SUB_DOCTOR] = cmd_doctor, [SUB_HELP] = show_help, [SUB_VERSION] = show_version,
};

/* What went to standard output must have arrived. */
static int close_stdout(int code)
{
	struct why why = { 0, "" };

	if (!result_flush(&why))
		return code;
	complain("%s", why.text);
	return code == EXIT_OK ? EXIT_FAILED : code;
}

static int parse(int argc, char **argv, struct why *why)
{
	char path[PATH_MAX];
	int err = options_begin(&options, argc, argv, why);

	if (!err && options_configurable(&options))
		err = config_read(&options, config_path(path, sizeof(path)), why);
	if (!err)
		err = options_finish(&options, argc, argv, why);
	/* Even where there will be no screen: a mistake is told when it is made. */
	if (!err && options.theme)
		err = ui_check_theme(&options, why);
	return err;
}

int main(int argc, char **argv)
{
	struct why why = { 0, "" };
	int code;

	/* What the exec load starts to measure exec itself: nothing more. */
	if (argc == 2 && !strcmp(argv[1], "--noop"))
		return EXIT_OK;
	if (again_asked(argc, argv))
		again_run(argv);
	/* Ignored, as some parents leave it, no end of a child could be waited for. */
	signal(SIGCHLD, SIG_DFL);
	fds_fill_standard();
	/* A fixed threshold: histograms stay maps of untouched zero pages.  Left
	 * alone it grows with the first large free(), and calloc() would then
	 * clear, and so touch, megabytes that are hardly used. */
	mallopt(M_MMAP_THRESHOLD, 24 * 1024);
	setlocale(LC_CTYPE, "");	/* numbers stay in the C locale */
	if (parse(argc, argv, &why)) {
		complain("%s", why.text);
		options_free(&options);
		return EXIT_USAGE;
	}
	code = commands[options.sub](&options, &why);
	if (why.err < 0)
		complain("%s", why.text);
	options_free(&options);
	return close_stdout(code);
}
