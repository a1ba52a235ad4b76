/*
 * app_pace.c - main is above every ordinary thread so that keys are heard; so
 * it must not become a load itself.
 *
 * Ten frames in a row that take over 20 ms of CPU: fewer frames.  Ten more:
 * main becomes an ordinary thread.
 */
#include <time.h>
#include <unistd.h>

#include "src/app_internal.h"

#define FRAME_MOST_NS (20 * NS_PER_MS)
#define SLOW_IN_A_ROW 10

static int64_t cpu_ns(void)
{
	struct timespec t;

	if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t))
		return 0;
	return t.tv_sec * NS_PER_S + t.tv_nsec;
}

void app_main_demoted(struct app *app, const char *why)
{
	bool watched = app->watchdog;

	app->main_demoted = true;
	model_event(app->m, clock_now_ns(), "rt", "main: real time taken (%s)", why);
	model_status(app->m, true, "%s: the main thread gave up real time; keys may lag under load",
		     why);
	app_watchdog_stop(app);		/* it is more patient with an ordinary main */
	if (watched)
		app_watchdog_start(app);
}

static void demote_main(struct app *app)
{
	struct rt_granted granted;

	if (app->main_demoted || !app->rights.fifo)
		return;
	rt_become_other(&granted);
	rt_best_nice();
	app_main_demoted(app, "frames take over 20 ms");
}

void app_paced(struct app *app, int64_t took_ns, bool drawn)
{
	if (took_ns <= FRAME_MOST_NS) {
		app->slow_frames = drawn ? 0 : app->slow_frames;
		return;
	}
	if (++app->slow_frames < SLOW_IN_A_ROW)
		return;
	app->slow_frames = 0;
	if (app->slowed || !app->front->slower || !app->front->slower(app->self))
		demote_main(app);
	else
		model_status(app->m, true, "frames take over 20 ms of CPU: fewer of them now");
	app->slowed = true;
}

/* One waking for both. */
bool app_tick_joins(int64_t since_ns, int64_t tick_ns)
{
	return since_ns >= tick_ns / 2;
}

/* A tick by itself is a little late, so that one that came just before a frame
 * is after it a few periods on, and from then on goes along. */
int64_t app_tick_latest(int64_t tick_ns)
{
	return tick_ns + tick_ns / 8;
}

int64_t app_after(int64_t now_ns, int64_t wait_ns)
{
	return wait_ns < INT64_MAX - now_ns ? now_ns + wait_ns : INT64_MAX;
}

int64_t app_frame(struct app *app, int64_t now_ns)
{
	int64_t began_ns = cpu_ns(), wait_ns;

	app->drew = !app->front->resize;	/* a line now and then is a frame, too */
	wait_ns = app->front->frame(app->self, now_ns);
	app_paced(app, cpu_ns() - began_ns, app->drew);
	return wait_ns;
}
