/*
 * app_stop.c - the way out: loads first, then the terminal, then the files.
 */
#include <stdio.h>
#include <sys/wait.h>
#include <stdlib.h>

#include "src/app_internal.h"
#include "src/complain.h"

/* The samplers have ended; what follows may take the disk's time, so main
 * becomes an ordinary thread. */
static void step_down(void)
{
	struct rt_granted granted;

	rt_become_other(&granted);
}

/* The first quit stops the loads and waits for them; the second skips that,
 * the third does not even write. */
void app_quit(struct app *app)
{
	app->quits++;
	if (app->phase < APP_STOPPING) {
		app->phase = APP_STOPPING;
		app->stop_by_ns = clock_now_ns() + APP_STOP_NS;
		if (app->collector)
			collector_tick(app->collector, clock_now_ns());
		app_loads_stop(app);	/* what follows may wait for threads */
		if (app->collector) {
			app_probes_stop(app);
			collector_finish(app->collector, clock_now_ns());
		}
	}
	if (app->quits > 1 || !app_loads_busy(app))
		app->phase = APP_DONE;
}

static void close_front(struct app *app)
{
	if (app->front_open)
		app->front->close(app->self);
	app->front_open = false;
}

static void end_supervisor(struct app *app)
{
	struct why why = { 0, "" };
	int left;

	if (!app->sup || app->supervisor_ended)
		return;
	app->supervisor_ended = true;
	left = supervisor_quit(app->sup, app->quits > 1 ? 0 : APP_GRACE_MS, APP_QUIT_MS, &why);
	if (left)
		complain("%s", why.text);
	if (left <= 0 && app->collector)
		collector_loads_finish(app->collector, clock_now_ns());
	app_loads_judge(app);
	if (left > 0)
		app_exit_code(app, EXIT_FAILED);
	else if (left && app->quits < 2)
		supervisor_wait(app->sup, APP_SWEEP_MS);
}

static void end_child(struct app *app)
{
	char text[80];
	int status;

	if (!app->child)
		return;
	spawn_end(app->child, APP_QUIT_MS);
	if (!spawn_ended(app->child, &status))
		return;
	if (!status)
		return;		/* success needs no line that looks like an error */
	app_exit_code(app, EXIT_FAILED);
	complain("%s: %s%s", app->o->run[0], spawn_status_text(status, text, sizeof(text)),
		 WIFSIGNALED(status) && app->ran_out ? "; it was still running at the end of -D" : "");
}

static void finish_saves(struct app *app)
{
	if (!app->saver)
		return;
	if (saver_wait(app->saver, 10 * APP_QUIT_MS)) {
		complain("a snapshot is not saved: the disk took over 10 s; save it elsewhere");
		app_exit_code(app, EXIT_FAILED);
	}
	app_save_results(app);
	if (app->saves_failed)
		app_exit_code(app, EXIT_FAILED);
}

void app_finish(struct app *app)
{
	close_front(app);
	app_judge(app);		/* speaks: the screen must be gone */
	end_child(app);
	end_supervisor(app);
	step_down();
	if (!app_record_close(app) && app->quits < 3 && !app->drop_output)
		app_write_output(app);
	finish_saves(app);
	app_summary(app);
}

static void free_samplers(struct app *app)
{
	for (unsigned i = 0; app->samplers && i < app->nr_samplers; i++) {
		if (app->samplers[i])
			sampler_free(app->samplers[i]);
	}
	free(app->samplers);
	free(app->watched);
	free(app->demoted);
	free(app->released);
}

void app_free(struct app *app)
{
	if (!app)
		return;
	close_front(app);
	app_probes_stop(app);
	end_supervisor(app);
	app_record_close(app);
	collector_free(app->collector);
	blame_free(app->blame);
	rivals_free(app->rivals);
	free_samplers(app);
	saver_free(app->saver);
	supervisor_free(app->sup);
	spawn_free(app->child);
	cstates_free(app->cstates);
	counters_free(app->counters);
	model_free(app->m);
	free(app->probes);
	free(app->loads);
	free(app->screen);
	free(app);
}
