/*
 * app_record.c - `-o FILE.jsr`: the run is written down while it goes on,
 * instead of once at its end.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "src/app_internal.h"
#include "src/complain.h"
#include "src/recording.h"
#include "src/result.h"

#define WAIT_MS 5000	/* for the disk, at the end */

int app_record_open(struct app *app, struct why *why)
{
	if (!result_grows(app->o))
		return 0;
	app->recording = recording_open(app->o->output, app->m, app->o->argv, why);
	return app->recording ? 0 : why->err;
}

void app_record_tick(struct app *app)
{
	struct why why = { 0, "" };
	int err = app->recording ? recording_tick(app->recording, app->m, &why) : 0;

	if (!err)
		return;
	app->saves_failed++;
	app->record_told = err != -EAGAIN && app->front->answer;
	model_status(app->m, true, "not recorded: %s", why.text);
	app_answer(app);
}

bool app_record_close(struct app *app)
{
	struct why why = { 0, "" };

	if (!app->recording)
		return false;
	if (recording_close(app->recording, app->m, WAIT_MS, &why)) {
		if (!app->record_told)
			complain("%s", why.text);
		app_exit_code(app, EXIT_FAILED);
	} else {
		app->written = true;
	}
	app->recording = NULL;
	return true;
}
