/*
 * app_save.c - snapshots on the way and the result at the end.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "src/app_internal.h"
#include "src/complain.h"
#include "src/result.h"

#define SET "json svg txt"
#define SAVES_MOST 4		/* under way at once */
#define SET_WITH_SCREEN "json svg txt ans"

/* Hours of history take 50 ms to copy: no real time for that, which would hold
 * up everybody else and count against RLIMIT_RTTIME. */
static struct snapshot *take_as_other(struct app *app, struct why *why)
{
	int nice = getpriority(PRIO_PROCESS, 0);
	struct rt_granted granted;
	struct snapshot *s;

	rt_become_other(&granted);
	rt_best_nice();
	s = snapshot_take(app->m, app->o->argv, why);
	setpriority(PRIO_PROCESS, 0, nice);
	app_raise_main(app);
	return s;
}

static struct snapshot *take(struct app *app, struct why *why)
{
	struct snapshot *s = app->main_rt && !app->main_demoted && app->phase < APP_DONE
		? take_as_other(app, why) : snapshot_take(app->m, app->o->argv, why);

	if (s && app->screen)
		s->screen = strdup(app->screen);
	return s;
}

/* Who sent a signal has no screen; who quit at once has none any more. */
void app_answer(struct app *app)
{
	if (!app->front_open)
		complain("%s", app->m->status);
	else if (app->front->answer)
		app->front->answer(app->self);
}

/* A key that repeats while the disk is slow: each set is a thread and a copy of
 * everything.  Looked at before the copy is made. */
static struct snapshot *take_to_save(struct app *app, struct why *why)
{
	if (saver_threads(app->saver) < SAVES_MOST)
		return take(app, why);
	why_set(why, -EBUSY, "the disk still writes the last ones; wait for it");
	return NULL;
}

void app_save(struct app *app, const char *suffixes)
{
	struct why why = { 0, "" };
	struct snapshot *s = app->saver ? take_to_save(app, &why) : NULL;

	if (!suffixes)
		suffixes = app->screen ? SET_WITH_SCREEN : SET;
	if (!app->saver) {
		model_status(app->m, true, "nothing to save: a recording is a file already");
	} else if (!s || saver_save(app->saver, s, NULL, suffixes, &why)) {
		app->saves_failed += why.err != -EBUSY;	/* said, and the others are written */
		model_status(app->m, true, "not saved: %s", why.text);
		app_answer(app);
	} else {
		model_status(app->m, false, "saving");
	}
	free(app->screen);
	app->screen = NULL;
}

void app_save_results(struct app *app)
{
	struct saver_result result;

	while (app->saver && saver_result(app->saver, &result)) {
		if (result.err) {
			app->saves_failed++;
			model_status(app->m, true, "not saved: %s", result.text);
		} else {
			model_status(app->m, false, "saved %s", result.path);
			snprintf(app->saved, sizeof(app->saved), "%s", result.path);
		}
		app_answer(app);
	}
}

static int write_result(struct app *app, struct why *why)
{
	const struct format *f = result_format(app->o, RESULT_FORMAT, why);
	struct snapshot *s = f ? take(app, why) : NULL;
	int err;

	if (!s)
		return why->err;
	err = result_write(app->o, f, s, why);
	snapshot_free(s);
	return err;
}

/* A pipe without a reader; a regular file is better written to its end. */
static bool may_hang(const struct options *o)
{
	struct stat st;

	if (!o->output || !strcmp(o->output, "-"))
		return true;
	return !stat(o->output, &st) && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

void app_write_output(struct app *app)
{
	struct why why = { 0, "" };

	if (app->m->replay || (app->front->resize && !result_wanted(app->o)))
		return;
	if (may_hang(app->o))
		app_signals_release(app);
	app->written = !write_result(app, &why);
	if (app->written)
		return;
	complain("%s", why.text);
	app_exit_code(app, EXIT_FAILED);
}
