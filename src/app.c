/*
 * app.c - see app.h: the one loop.
 */
#include "src/app.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "src/app_internal.h"
#include "src/validity.h"

enum source { FROM_SIGNALS, FROM_INPUT, FROM_OUTPUT, FROM_SUPERVISOR, FROM_SAVER, FROM_CHILD,
	      SOURCES };

/* ---- what front ends ask for ---- */

const struct options *app_options(const struct app *app)
{
	return app->o;
}

const struct frontend *app_frontend(const struct app *app)
{
	return app->front;
}

struct model *app_model(struct app *app)
{
	return app->m;
}

void app_screen_text(struct app *app, const char *text)
{
	free(app->screen);
	app->screen = text ? strdup(text) : NULL;
}

void app_terminal(struct app *app, int fd, const struct termios *saved,
		  const struct termios *raw, bool cooked)
{
	app->tty_fd = fd;
	if (app->sup && !app->supervisor_lost)
		supervisor_tty(app->sup, saved, raw, cooked);
}

void app_terminal_gone(struct app *app)
{
	app->terminal_gone = true;
	if (app->phase < APP_STOPPING)	/* it is told by a signal and by the descriptor */
		app_quit(app);
}

void app_wrote(struct app *app, uint64_t bytes, uint64_t skipped_frames)
{
	app->drew = true;
	app->wrote_bytes += bytes;
	app->m->self.skipped_frames += skipped_frames;
}

/* 1 before 3 before 4. */
static int weight(int code)
{
	static const int weights[] = { [EXIT_OK] = 0, [EXIT_LIMIT] = 1, [EXIT_NOT_RT] = 2,
				       [EXIT_USAGE] = 3, [EXIT_FAILED] = 4 };

	return code >= 0 && code <= EXIT_LIMIT ? weights[code] : weights[EXIT_FAILED];
}

void app_exit_code(struct app *app, int code)
{
	if (weight(code) > weight(app->exit_code))
		app->exit_code = code;
}

void app_drop_output(struct app *app)
{
	app->drop_output = true;
}

int64_t app_broke_ns(const struct app *app)
{
	return app->broke_ns;
}

unsigned app_broke_group(const struct app *app)
{
	return app->broke_group;
}

bool app_bell(struct app *app)
{
	int64_t now_ns = clock_now_ns();

	if (!app->bell || now_ns - app->bell_ns < NS_PER_S)
		return false;
	app->bell = false;
	app->bell_ns = now_ns;
	return true;
}

bool app_ending(const struct app *app)
{
	return app->phase >= APP_STOPPING;
}

const struct counters *app_counters(const struct app *app)
{
	return app->counters;
}

/* ---- waiting ---- */

static int64_t earlier(int64_t a_ns, int64_t b_ns)
{
	return a_ns < b_ns ? a_ns : b_ns;
}

static int64_t schedule_due_ns(const struct app *app)
{
	int64_t when_ns = schedule_when(&app->o->schedule);

	return app->zero_ns && when_ns != INT64_MAX ? app->zero_ns + when_ns : INT64_MAX;
}

static int64_t next_turn_ns(const struct app *app)
{
	int64_t due_ns = earlier(app->next_frame_ns, app->next_second_ns);

	if (app->phase == APP_STOPPING)
		return earlier(due_ns, app->stop_by_ns);
	if (app->collector)
		due_ns = earlier(due_ns, app->next_tick_ns);
	due_ns = earlier(due_ns, schedule_due_ns(app));
	due_ns = earlier(due_ns, app_loads_when(app));
	if (!app->m->zero_ns && app->zero_ns)
		due_ns = earlier(due_ns, app->zero_ns);
	return earlier(due_ns, app->end_ns);
}

static void fill_fds(const struct app *app, struct pollfd fds[SOURCES])
{
	const struct frontend *f = app->front;
	bool sup = app->sup && !app->supervisor_lost;

	for (unsigned i = 0; i < SOURCES; i++)
		fds[i] = (struct pollfd){ .fd = -1, .events = POLLIN };
	fds[FROM_SIGNALS].fd = app->signal_fd;
	fds[FROM_INPUT].fd = f->input_fd ? f->input_fd(app->self) : -1;
	fds[FROM_OUTPUT].fd = f->output_fd ? f->output_fd(app->self) : -1;
	fds[FROM_OUTPUT].events = POLLOUT;
	fds[FROM_SUPERVISOR].fd = sup ? supervisor_fd(app->sup) : -1;
	fds[FROM_SAVER].fd = app->saver_fd;
	fds[FROM_CHILD].fd = app->child ? spawn_fd(app->child) : -1;
}

static void wait_turn(const struct app *app, struct pollfd fds[SOURCES])
{
	int64_t wait_ns = next_turn_ns(app) - clock_now_ns();
	struct timespec timeout = { 0, 0 };

	fill_fds(app, fds);
	if (wait_ns > 0) {
		timeout.tv_sec = wait_ns / NS_PER_S;
		timeout.tv_nsec = wait_ns % NS_PER_S;
	}
	if (ppoll(fds, SOURCES, &timeout, NULL) < 0) {
		for (unsigned i = 0; i < SOURCES; i++)
			fds[i].revents = 0;
	}
}

/* ---- what came ---- */

static void saver_spoke(struct app *app)
{
	uint64_t count;

	if (read(app->saver_fd, &count, sizeof(count)) > 0)
		app_save_results(app);
}

static void child_spoke(struct app *app)
{
	int status;

	if (spawn_ended(app->child, &status) && app->phase < APP_STOPPING)
		app_quit(app);
}

static void serve(struct app *app, const struct pollfd fds[SOURCES])
{
	if (fds[FROM_SIGNALS].revents)
		app_signals_read(app);
	if (fds[FROM_INPUT].revents)
		app->front->input(app->self, fds[FROM_INPUT].revents);
	if (fds[FROM_OUTPUT].revents & ~POLLOUT)
		app->front->input(app->self, fds[FROM_OUTPUT].revents);
	if (fds[FROM_SUPERVISOR].revents)
		app_loads_events(app);
	if (fds[FROM_SAVER].revents)
		saver_spoke(app);
	if (fds[FROM_CHILD].revents)
		child_spoke(app);
	for (unsigned i = 0; i < SOURCES; i++) {
		if (fds[i].revents)
			app->next_frame_ns = 0;
	}
}

/* ---- what is due ---- */

static void start_child(struct app *app)
{
	struct why why = { 0, "" };

	if (!app->child || !spawn_go(app->child, &why))
		return;
	model_status(app->m, true, "%s", why.text);
	app_exit_code(app, EXIT_FAILED);
	app_quit(app);
}

static void pass_zero(struct app *app, int64_t now_ns)
{
	if (app->zero_reached || !app->zero_ns || now_ns < app->zero_ns)
		return;
	app->zero_reached = true;
	if (!app->m->zero_ns)
		model_zero(app->m, app->zero_ns);
	start_child(app);
}

static void run_schedule(struct app *app, int64_t now_ns)
{
	const struct order *order;

	if (!app->zero_ns || now_ns < app->zero_ns)
		return;
	while ((order = schedule_next(&app->o->schedule, now_ns - app->zero_ns)))
		app_do(app, order);
}

static void tick(struct app *app, int64_t now_ns)
{
	app_hotplug(app, now_ns);
	collector_tick(app->collector, now_ns);
	app->last_tick_ns = now_ns;
	app->next_tick_ns = now_ns + earlier(collector_wait_ns(app->collector,
							       app_tick_latest(app->tick_ns)),
					     blame_wait_ns(app->blame, now_ns));
	app_watch(app);
	app_probes_tick(app);
	app_record_tick(app);
}

void app_refresh(struct app *app)
{
	if (app->collector && app->phase < APP_STOPPING)
		tick(app, clock_now_ns());
}

static bool tick_due(const struct app *app, int64_t now_ns)
{
	if (!app->collector || app->phase >= APP_STOPPING)
		return false;
	return now_ns >= app->next_tick_ns ||
	       (now_ns >= app->next_frame_ns &&
		app_tick_joins(now_ns - app->last_tick_ns, app->tick_ns));
}

/* What is above the lowest of them is above some; 0: none is real-time. */
static int lowest_fifo(const struct model *m)
{
	int lowest = 0;

	for (unsigned i = 0; i < m->nr_series; i++) {
		const struct series *s = &m->series[i];

		if (m->groups[s->group].on && !strcmp(s->policy, "SCHED_FIFO") &&
		    (!lowest || s->priority < lowest))
			lowest = s->priority;
	}
	return lowest;
}

/* A little early with a tick, rather than on time with a waking of its own. */
static bool second_due(const struct app *app, int64_t now_ns)
{
	int64_t early_ns = app->last_tick_ns == now_ns ? app->tick_ns / 4 : 0;

	return now_ns >= app->next_second_ns - early_ns;
}

static void note_terminal_rate(struct app *app, int64_t span_ns)
{
	app->m->self.terminal_bytes_per_s =
		(double)app->wrote_bytes * (double)NS_PER_S / (double)span_ns;
	app->wrote_bytes = 0;
}

static void each_second(struct app *app, int64_t now_ns)
{
	if (!second_due(app, now_ns))
		return;
	note_terminal_rate(app, NS_PER_S + now_ns - app->next_second_ns);
	app->next_second_ns = now_ns + NS_PER_S;
	app_save_results(app);	/* its wake-up may have been lost */
	if (app->sup && !app->supervisor_lost)
		supervisor_ping(app->sup);
	if (app->collector && app->phase < APP_STOPPING) {
		app_check_pins(app, now_ns);
		if (app->rivals)
			rivals_look(app->rivals, lowest_fifo(app->m), &app->m->rivals);
		blame_second(app->blame, app->m, now_ns);
		validity_tick(app->m, now_ns);
	}
}

static void frame(struct app *app, int64_t now_ns)
{
	if (now_ns >= app->next_frame_ns)
		app->next_frame_ns = app_after(now_ns, app_frame(app, now_ns));
}

/* Before the end is looked at: a turn that comes late still does what was
 * asked for within the run, so that nothing is dropped without a word. */
static void due_orders(struct app *app, int64_t now_ns)
{
	pass_zero(app, now_ns);
	run_schedule(app, now_ns < app->end_ns ? now_ns : app->end_ns - 1);
	app_loads_tick(app, now_ns);
}

static void turn(struct app *app)
{
	int64_t now_ns = clock_now_ns();

	app->last_turn_ns = now_ns;
	if (app->watchdog)
		watchdog_feed(app->watchdog);
	if (app->phase == APP_RUNNING)
		due_orders(app, now_ns);
	if (app->phase == APP_RUNNING && now_ns >= app->end_ns) {
		app->ran_out = true;
		app_quit(app);
	}
	if (tick_due(app, now_ns))
		tick(app, now_ns);
	each_second(app, now_ns);
	frame(app, now_ns);
	if (app->phase == APP_STOPPING && (!app_loads_busy(app) || now_ns >= app->stop_by_ns))
		app->phase = APP_DONE;
}

int app_run(struct app *app)
{
	struct pollfd fds[SOURCES];

	while (app->phase != APP_DONE) {
		wait_turn(app, fds);
		serve(app, fds);
		turn(app);
	}
	app_finish(app);
	return app->exit_code;
}
