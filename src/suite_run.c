/*
 * suite_run.c - a suite as a front end of the one loop: it turns the script,
 * shows progress, and afterwards prints the tables and writes the files.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/app.h"
#include "src/complain.h"
#include "src/numeric.h"
#include "src/progress.h"
#include "src/result.h"
#include "src/suite.h"
#include "src/text.h"

#define FORMAT_DEFAULT "json"
#define SHOW_NS NS_PER_S
#define WARMING_NS (50 * NS_PER_MS)
#define SAVE_WAIT_MS 10000

struct run {
	struct frontend front;	/* first: the loop hands out only this */
	const struct suite_plan *plan;
	struct options *o;
	struct app *app;
	struct script *script;
	struct script_watch watch;
	struct progress line;
	struct snapshot *before;	/* of the step that is measured */
	struct saver *saver;		/* of step files; NULL: none are wanted */
	struct why unsaved;		/* the first step that has no file; err 0: none */
	unsigned interrupts;
	bool dropped;
};

/* ---- a file per step ----------------------------------------------------- */

/* Told after the run: a terminal that is held must not hold up main. */
static void not_saved(struct run *r, const struct why *why)
{
	if (!r->unsaved.err)
		r->unsaved = *why;
}

static struct snapshot *take(struct run *r)
{
	struct why why = { 0, "" };
	struct snapshot *s = snapshot_take(app_model(r->app), r->o->argv, &why);

	if (!s)
		not_saved(r, &why);
	return s;
}

static void step_begins(void *ctx, unsigned step)
{
	struct run *r = ctx;

	(void)step;
	snapshot_free(r->before);
	r->before = r->saver ? take(r) : NULL;
}

/* FILE.json -> FILE-STEP */
static void step_stem(const struct run *r, unsigned step, char *buf, size_t size)
{
	const char *path = r->o->output, *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
	size_t n = dot && (!slash || dot > slash) ? (size_t)(dot - path) : strlen(path);
	size_t end;

	snprintf(buf, size, "%.*s-", (int)n, path);
	end = strlen(buf);
	snprintf(buf + end, size - end, "%s", r->plan->steps[step].name);
	for (char *p = buf + end; *p; p++) {
		if (*p == '/' || *p == ' ')
			*p = '_';
	}
}

static void step_ends(void *ctx, unsigned step)
{
	struct run *r = ctx;
	struct order mark = { .what = CMD_MARK };
	struct why why = { 0, "" };
	char text[80], stem[400];
	struct snapshot *s;

	snprintf(text, sizeof(text), "%s %s", r->plan->name, r->plan->steps[step].name);
	mark.text = text;
	app_do(r->app, &mark);
	if (!r->before)
		return;
	s = take(r);
	if (s) {
		snapshot_since(s, r->before);
		snprintf(s->label, sizeof(s->label), "%s", text);
		step_stem(r, step, stem, sizeof(stem));
		if (saver_save(r->saver, s, stem, "json", &why))
			not_saved(r, &why);
	}
	snapshot_free(r->before);
	r->before = NULL;
}

/* Says which step files there are not; an error is told, and fails the run. */
static int close_saver(struct run *r)
{
	struct saver_result result;
	int failed = r->unsaved.err;

	if (!r->saver)
		return 0;
	if (failed)
		complain("not saved: %s", r->unsaved.text);
	if (saver_wait(r->saver, SAVE_WAIT_MS)) {
		complain("not saved: the disk took over 10 s for a step's file; save elsewhere");
		failed = -ETIMEDOUT;
	}
	while (saver_result(r->saver, &result)) {
		if (!result.err)
			continue;
		complain("not saved: %s", result.text);
		failed = result.err;
	}
	saver_free(r->saver);
	r->saver = NULL;
	return failed;
}

/* ---- the front end ------------------------------------------------------- */

static int run_open(struct app *app, void **self, struct why *why)
{
	struct run *r = (struct run *)app_frontend(app);

	*self = r;
	r->app = app;
	r->watch = (struct script_watch){ .ctx = r, .begins = step_begins, .ends = step_ends };
	r->script = script_new(app, r->plan->steps, r->plan->nr, r->plan->own, &r->watch);
	if (!r->script)
		return why_set(why, -ENOMEM, "no memory; close something");
	if (r->plan->step_files && r->o->output && strcmp(r->o->output, "-"))
		r->saver = saver_new(-1);
	progress_open(&r->line);
	return script_choose(r->script, r->o->steps, why);
}

/* Loads come and go all the time: only what went wrong is worth a line. */
static void say_trouble(struct run *r)
{
	if (app_model(r->app)->status_bad)
		progress_status(&r->line, app_model(r->app));
}

static void show(struct run *r, int64_t now_ns)
{
	char step[120], left[24], line[200];

	say_trouble(r);
	if (!r->line.tty)
		return;
	script_progress(r->script, now_ns, step, sizeof(step));
	snprintf(line, sizeof(line), "%s %3d %%  left %s  %s", r->plan->name,
		 script_percent(r->script, now_ns),
		 text_span(left, sizeof(left), script_left_ns(r->script, now_ns)), step);
	progress_show(&r->line, line);
}

static int64_t run_frame(void *self, int64_t now_ns)
{
	static const struct order quit = { .what = CMD_QUIT };
	struct run *r = self;
	int64_t wait_ns = WARMING_NS;

	if (app_ending(r->app)) {
		script_cut(r->script, now_ns);
	} else if (app_model(r->app)->zero_ns) {
		wait_ns = script_turn(r->script, now_ns);
		if (!wait_ns)
			app_do(r->app, &quit);
	}
	show(r, now_ns);
	return wait_ns > 0 && wait_ns < SHOW_NS ? wait_ns : SHOW_NS;
}

/* ^C: the first keeps what is done so far, the second drops it. */
static void run_interrupt(void *self)
{
	static const struct order quit = { .what = CMD_QUIT };
	struct run *r = self;

	if (!r->interrupts++)
		script_cut(r->script, clock_now_ns());
	else
		r->dropped = true;
	app_do(r->app, &quit);
}

static int run_input_fd(void *self)
{
	const struct own_job *own = ((struct run *)self)->plan->own;

	return own ? own->fd(own->ctx) : -1;
}

/* News of an own job: the next frame acts on it. */
static void run_input(void *self, short revents)
{
	struct run *r = self;

	(void)revents;
	r->plan->own->hear(r->plan->own->ctx);
}

static void run_close(void *self)
{
	struct run *r = self;

	say_trouble(r);
	progress_wipe(&r->line);
}

/* ---- afterwards ---------------------------------------------------------- */

static int print_tables(const struct suite_plan *plan, const struct snapshot *s,
			struct why *why)
{
	struct numeric n = numeric_begin();
	int err = plan->print(plan->ctx, stdout, s, why);

	numeric_end(n);
	return err;
}

/* -o FILE: the tables go to standard output all the same. */
static int write_results(struct run *r, const struct snapshot *s, struct why *why)
{
	const struct format *f = result_format(r->o, FORMAT_DEFAULT, why);
	bool to_file = r->o->output && strcmp(r->o->output, "-");
	int err = 0;

	if (!f)
		return why->err;
	if (result_grows(r->o))		/* it is written already */
		return print_tables(r->plan, s, why);
	if (to_file || (!r->o->format && !r->o->output))
		err = print_tables(r->plan, s, why);
	if (!err && (to_file || r->o->format || r->o->output))
		err = result_write(r->o, f, s, why);
	return err;
}

static int conclude(struct run *r, struct why *why)
{
	struct snapshot *s = snapshot_take(app_model(r->app), r->o->argv, why);
	int err;

	if (!s)
		return why->err;
	err = r->plan->figures(r->plan->ctx, script_results(r->script), s)
		? why_set(why, -ENOMEM, "no memory for the tables; close something")
		: write_results(r, s, why);
	snapshot_free(s);
	return err;
}

/* A step that failed fails the run; one that was refused or cut does not,
 * unless there is no other. */
static bool any_failed(const struct run *r)
{
	const struct step_result *result = script_results(r->script);
	bool failed = false, any = false;

	for (unsigned i = 0; i < r->plan->nr; i++) {
		any |= result[i].outcome == STEP_DONE || result[i].outcome == STEP_CUT;
		if (result[i].outcome != STEP_FAILED)
			continue;
		complain("%s %s: %s", r->plan->name, r->plan->steps[i].name, result[i].why);
		failed = true;
	}
	return failed || !any;
}

static int play(struct run *r, struct why *why)
{
	int code = app_run(r->app);

	script_close(r->script, clock_now_ns());
	if (close_saver(r) && code == EXIT_OK)
		code = EXIT_FAILED;
	if (r->dropped)
		return EXIT_FAILED;
	if (any_failed(r) && code == EXIT_OK)
		code = EXIT_FAILED;
	if (conclude(r, why))
		code = EXIT_FAILED;
	return code;
}

static int exit_for(const struct why *why)
{
	return why->err == -EINVAL ? EXIT_USAGE : EXIT_FAILED;
}

static const struct frontend front_end = {
	.open = run_open,
	.input_fd = run_input_fd,
	.input = run_input,
	.frame = run_frame,
	.interrupt = run_interrupt,
	.close = run_close,
	.own_verdict = true,
};

int suite_run(struct options *o, const struct suite_plan *plan, struct why *why)
{
	struct run r = { .front = front_end, .plan = plan, .o = o };
	struct app *app;
	int code;

	if (o->no_loads && plan->own) {
		why_set(why, -EINVAL, "--no-loads: %s is about processes of its own; leave it out",
			plan->name);
		return EXIT_USAGE;
	}
	if (result_check(o, FORMAT_DEFAULT, plan->tables, why) || !(app = app_new(o, &r.front, why)))
		return exit_for(why);
	o->no_samplers = plan->no_samplers;
	app_drop_output(app);	/* the tables are made here */
	code = app_start(app, why) ? exit_for(why) : play(&r, why);
	app_free(app);
	script_free(r.script);
	snapshot_free(r.before);
	saver_free(r.saver);
	return code;
}
