/*
 * app_start.c - set-up, in the order that RELIABILITY asks for: fork while
 * there is one thread, then signals, rights, memory, threads, terminal.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/app_internal.h"
#include "src/fds.h"
#include "src/result.h"
#include "src/text.h"
#include "src/validity.h"

#define MAIN_PRIORITY 1
#define TIER_WAIT_MS 100
#define DIGITS_FEW_CPUS 3
#define DIGITS_MANY_CPUS 2
#define MANY_CPUS 64

struct app *app_new(struct options *o, const struct frontend *f, struct why *why)
{
	struct app *app = calloc(1, sizeof(*app));

	if (!app) {
		why_set(why, -ENOMEM, "no memory; close something");
		return NULL;
	}
	app->o = o;
	app->front = f;
	app->tty_fd = app->saver_fd = app->signal_fd = app->tracing_fd = -1;
	app->end_ns = INT64_MAX;
	app->was_rt = true;
	if ((f->check && f->check(o, why)) || app_check(o, why) ||
	    (f->resize && result_wanted(o) && result_check(o, RESULT_FORMAT, NULL, why))) {
		app_free(app);
		return NULL;
	}
	return app;
}

/* The guardian needs the terminal while it can still inherit it. */
static int open_tty(const struct app *app)
{
	const int flags = O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK;

	if (!app->front->resize)
		return -1;
	int fd = open("/dev/tty", flags);

	/* Without a controlling terminal: the one the screen will be on. */
	for (int std = 0; fd < 0 && std <= 2; std++) {
		char path[64];

		if (ttyname_r(std, path, sizeof(path)) == 0)
			fd = open(path, flags);
	}
	return fd;
}

/* --scratch that cannot be written to is a usage error, not a later surprise. */
static int check_scratch(const struct options *o, struct why *why)
{
	for (unsigned i = 0; i < o->scratches; i++) {
		struct stat st;

		if (stat(o->scratch[i], &st) || !S_ISDIR(st.st_mode))
			return why_set(why, -EINVAL, "--scratch %s: not a folder; name one that "
				       "exists", o->scratch[i]);
		if (access(o->scratch[i], W_OK | X_OK))
			return why_set(why, -EINVAL, "--scratch %s: %s; name one that can be "
				       "written to", o->scratch[i], strerror(errno));
	}
	return 0;
}

static void start_supervisor(struct app *app, struct why *why)
{
	const struct options *o = app->o;
	struct supervisor_config config = { .counters = app->counters, .seed = o->seed,
					    .tty_fd = app->tty_fd };

	for (unsigned i = 0; i < o->scratches; i++)
		config.scratch[i] = o->scratch[i];
	memcpy(config.load_file, o->schedule.load_file, sizeof(config.load_file));
	if (o->no_loads)
		why_set(why, -ESRCH, "loads are off; start without --no-loads");
	else
		app->sup = supervisor_start(&config, why);
}

static int fork_helpers(struct app *app, struct why *loads_why, struct why *why)
{
	const struct options *o = app->o;

	app->counters = counters_new(load_count());
	if (!app->counters)
		return why_set(why, -ENOMEM, "no shared memory for loads; close something");
	app->tty_fd = open_tty(app);
	start_supervisor(app, loads_why);
	if (!o->run)
		return 0;
	app->child = spawn_hold(o->run, !o->output, why);
	return app->child ? 0 : why->err;
}

static unsigned digits_for(const struct app *app)
{
	for (unsigned i = 0; i < app->nr_probes; i++) {
		if (cpuset_count(&app->probes[i].cpus) > MANY_CPUS)
			return DIGITS_MANY_CPUS;
	}
	return DIGITS_FEW_CPUS;
}

static int make_model(struct app *app, const struct why *loads_why, struct why *why)
{
	struct model_spec spec = { .loads = load_count(), .lazy = true,
				   .start_ns = clock_now_ns() };
	const struct options *o = app->o;

	if (app_probes_choose(app, why))
		return why->err;
	spec.groups = app_probes_groups(app, &spec.series);
	spec.digits = digits_for(app);
	app->m = model_new(&spec);
	app->loads = calloc(load_count() + 1, sizeof(*app->loads));
	if (!app->m || !app->loads)
		return why_set(why, -ENOMEM, "no memory for %u series; measure fewer CPUs",
			       spec.series);
	app->m->start_ns = spec.start_ns;
	app->m->deadline_ns = o->deadline_ns;
	app->m->seed = o->seed;
	snprintf(app->m->program, sizeof(app->m->program), "%s", JS_VERSION);
	if (o->label)
		text_clean(app->m->label, sizeof(app->m->label), o->label, strlen(o->label),
			   sizeof(app->m->label));
	if (!app->sup)
		snprintf(app->m->supervisor_why, sizeof(app->m->supervisor_why), "%.199s",
			 loads_why->text);
	sysinfo_read(&app->m->system);
	app_probes_describe(app);
	app_loads_describe(app);
	return 0;
}

static void fill_tiers(struct app *app)
{
	struct tiers *t = &app->m->tiers;

	t->fifo = app->rights.fifo;
	t->lock = app->rights.lock;
	snprintf(t->blame, sizeof(t->blame), "%s", blame_level_name(blame_level(app->blame)));
	blame_how(app->blame, t->blame_how, sizeof(t->blame_how));
	snprintf(t->cstates, sizeof(t->cstates), "%s", app->cstates ? "held" : "free");
}

static void hold_cstates(struct app *app)
{
	struct why why = { 0, "" };

	if (!app->o->hold_cstates)
		return;
	app->cstates = cstates_hold(app->o->hold_cstates_ns, &why);
	if (!app->cstates)
		model_status(app->m, true, "%s", why.text);
}

static int start_measuring(struct app *app, struct why *why)
{
	app->collector = collector_new(app->m, app->counters);
	if (!app->collector)
		return why_set(why, -ENOMEM, "no memory for the collector; close something");
	collector_on_spike(app->collector, app_spike, app, app_spike_threshold(app->o));
	collector_on_look(app->collector, app_look, app);
	return app_probes_start(app, why);
}

/* A limit that is not 0 may still hold no sampler. */
static void read_back_locks(struct app *app)
{
	bool locked = true;

	for (unsigned i = 0; i < app->nr_samplers; i++)
		locked &= !app->samplers[i] || sampler_locked(app->samplers[i]);
	if (locked || app->rights.lock != RT_LOCK_SAMPLERS)
		return;
	app->rights.lock = app->m->tiers.lock = RT_LOCK_NONE;
	why_set(&app->rights.lock_why, -ENOMEM, "memory lock: the memlock limit does not hold "
		"the samplers; use the setcap line of `jitterscope doctor`, or raise memlock in "
		"/etc/security/limits.d");
}

/* The supervisor has tried the clean-up tier meanwhile.  What is written down
 * from the start wants to know; a screen shows it as soon as it is there. */
static void hear_tier(struct app *app)
{
	struct pollfd p = { .fd = app->sup ? supervisor_fd(app->sup) : -1, .events = POLLIN };

	if (app->sup && (!app->front->resize || result_wanted(app->o)))
		poll(&p, 1, TIER_WAIT_MS);
	app_loads_events(app);
}

/* Main waits for keys and signals above every load, but below every sampler. */
void app_raise_main(struct app *app)
{
	struct rt_granted granted;

	app->main_rt = app->rights.fifo && !rt_become_fifo(MAIN_PRIORITY, &granted, NULL);
	if (!app->main_rt)
		rt_best_nice();
}

static int open_front(struct app *app, struct why *why)
{
	int64_t now_ns;

	if (app->front->open && app->front->open(app, &app->self, why))
		return why->err ? why->err : -EIO;
	app->front_open = true;
	now_ns = clock_now_ns();
	app->next_frame_ns = app_after(now_ns, app->front->frame(app->self, now_ns));
	return 0;
}

static int start_savers(struct app *app, struct why *why)
{
	app->saver_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	app->saver = saver_new(app->saver_fd);
	if (!app->saver)
		return why_set(why, -ENOMEM, "no memory for saving; close something");
	saver_tidy(app->saver, app->o->output);
	return 0;
}

static void plan_end(struct app *app)
{
	const struct options *o = app->o;
	bool screen = app->front->resize;

	if (o->duration_ns)
		app->end_ns = app->zero_ns + o->duration_ns;
	else if (o->schedule.end_ns && !screen && !o->run)
		app->end_ns = app->zero_ns + o->schedule.end_ns;
}

static void begin(struct app *app)
{
	int64_t now_ns;

	/* Not before: a slow disk or terminal is no sampler that spins, and none
	 * samples yet. */
	app_watchdog_start(app);
	now_ns = clock_now_ns();
	app_probes_release(app, now_ns);
	plan_end(app);
	app->tick_ns = app->front->resize ? APP_TICK_LIVE_NS : APP_TICK_RECORD_NS;
	app->last_tick_ns = app->last_turn_ns = now_ns;
	app->next_tick_ns = now_ns + app->tick_ns;
	app->next_second_ns = now_ns + NS_PER_S;
	app->phase = APP_RUNNING;
}

int app_start(struct app *app, struct why *why)
{
	struct why loads_why = { 0, "" };
	struct cpuset cpus;

	if (check_scratch(app->o, why) || fork_helpers(app, &loads_why, why) ||
	    app_signals_open(app, why))
		return why->err;
	fds_raise_limit();	/* all that must not inherit it are forked */
	rt_prepare(app->o->priority, &app->rights);
	rt_install_xcpu();
	if (make_model(app, &loads_why, why))
		return why->err;
	app_probes_cpus(app, &cpus);
	app->blame = blame_new(&cpus,
			       app->o->no_blame ? BLAME_LEVEL_NONE : BLAME_LEVEL_TRACEPOINTS);
	app->rivals = rivals_new();
	if (!app->blame)
		return why_set(why, -ENOMEM, "no memory for blame; try --no-blame");
	hold_cstates(app);
	fill_tiers(app);
	app_tracing_open(app);
	/* Files before real time: a disk may take seconds. */
	if (app_baseline(app, why) || start_measuring(app, why) || start_savers(app, why))
		return why->err;
	read_back_locks(app);
	hear_tier(app);
	if (app_record_open(app, why))
		return why->err;
	validity_start(app->m, &app->rights);
	app_raise_main(app);
	if (open_front(app, why))
		return why->err;
	if (!app_ending(app))	/* the terminal may be gone with the first frame */
		begin(app);
	return 0;
}

/* The screen over a file: the guardian watches the terminal, nothing measures. */
int app_replay(struct app *app, struct model *m, struct why *why)
{
	struct why loads_why = { 0, "" };

	app->m = m;
	app->loads = calloc(m->nr_loads + 1, sizeof(*app->loads));
	if (!app->loads)
		return why_set(why, -ENOMEM, "no memory; close something");
	if (fork_helpers(app, &loads_why, why) || app_signals_open(app, why))
		return why->err;
	if (app_baseline(app, why) || open_front(app, why))
		return why->err;
	app->next_second_ns = clock_now_ns() + NS_PER_S;
	if (!app_ending(app))
		app->phase = APP_RUNNING;
	return 0;
}
