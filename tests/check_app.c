/*
 * check_app.c - the loop, with a scripted machine around it.
 *
 * Supervisor, collector, samplers, watchdog, saver and snapshot are replaced
 * here (the linker takes these instead of the library's): each notes what it
 * was asked for, so that order and moment can be checked without real threads.
 */
#include <check.h>
#include <errno.h>
#include <limits.h>
#include <locale.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "src/app_internal.h"
#include "src/hotplug.h"
#include "src/recording.h"
#include "src/snapshot_build.h"
#include "src/validity.h"
#include "tests/fake_plugins.h"
#include "tests/faked_root.h"

/* ---- time ---- */

/* It goes on by at most so much from one look at it to the next, which is more
 * than the loop ever sleeps: where this process is kept from running for
 * longer, what was to happen at a frame still comes before the end of the run. */
#define STEP_MOST_NS (25 * NS_PER_MS)

static int64_t read_clock(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return t.tv_sec * NS_PER_S + t.tv_nsec;
}

int64_t clock_now_ns(void)
{
	static int64_t looked_ns, now_ns;
	int64_t real_ns = read_clock(CLOCK_MONOTONIC), passed_ns = real_ns - looked_ns;

	if (!looked_ns)
		now_ns = real_ns;
	else
		now_ns += passed_ns < STEP_MOST_NS ? passed_ns : STEP_MOST_NS;
	looked_ns = real_ns;
	return now_ns;
}

int clock_wait_until(int64_t due_ns)
{
	while (clock_now_ns() < due_ns)
		usleep(1000);
	return 0;
}

int64_t clock_suspended_ns(void) { return 0; }
int64_t clock_wall_ns(void) { return read_clock(CLOCK_REALTIME); }
int64_t clock_wall_offset_ns(void) { return clock_wall_ns() - clock_now_ns(); }
int64_t clock_thread_cpu_ns(void) { return read_clock(CLOCK_THREAD_CPUTIME_ID); }
int64_t clock_process_cpu_ns(void) { return read_clock(CLOCK_PROCESS_CPUTIME_ID); }

/* ---- what happened, in order ---- */

struct note { char what[40]; unsigned arg; int64_t t_ns; };
static struct note notes[512];
static unsigned nr_notes;

static void note(const char *what, unsigned arg)
{
	if (nr_notes == sizeof(notes) / sizeof(notes[0]))
		return;
	snprintf(notes[nr_notes].what, sizeof(notes[0].what), "%s", what);
	notes[nr_notes].arg = arg;
	notes[nr_notes++].t_ns = clock_now_ns();
}

static const struct note *find(const char *what, unsigned nth)
{
	for (unsigned i = 0; i < nr_notes; i++) {
		if (!strcmp(notes[i].what, what) && !nth--)
			return &notes[i];
	}
	return NULL;
}

static unsigned times(const char *what)
{
	unsigned n = 0;

	while (find(what, n))
		n++;
	return n;
}

static void ordered(const char *first, const char *then)
{
	ck_assert_msg(find(first, 0) && find(then, 0), "%s, %s: not both happened", first, then);
	ck_assert_msg(find(first, 0) < find(then, 0), "%s came before %s", then, first);
}

/* ---- the supervisor ---- */

static bool deny_supervisor, stubborn, never_ready;
static int left_behind;
static int sup_fd;
static struct supervisor_event queue[64];
static unsigned queued;

static void tell(enum supervisor_event_kind kind, unsigned load)
{
	uint64_t one = 1;

	queue[queued++] = (struct supervisor_event){ .kind = kind, .load = load };
	ck_assert_int_eq(write(sup_fd, &one, sizeof(one)), sizeof(one));
}

struct supervisor *supervisor_start(const struct supervisor_config *config, struct why *why)
{
	(void)config;
	note("fork", 0);
	if (deny_supervisor) {
		why_set(why, -EAGAIN, "cannot fork; free some processes");
		return NULL;
	}
	sup_fd = eventfd(0, EFD_NONBLOCK);
	tell(SUP_TIER, 0);
	return (struct supervisor *)&sup_fd;
}

int supervisor_fd(const struct supervisor *s) { (void)s; return sup_fd; }
int supervisor_kill_all(struct supervisor *s) { (void)s; return 0; }
void supervisor_ping(struct supervisor *s) { (void)s; note("ping", 0); }
void supervisor_free(struct supervisor *s) { (void)s; }

int supervisor_load_start(struct supervisor *s, unsigned load, unsigned workers,
			  const long knob[LOAD_KNOBS_MAX], struct why *why)
{
	(void)s;
	(void)knob;
	if (workers > 100)
		return why_set(why, -EAGAIN, "too many; use fewer");
	note("load-start", load);
	note("workers", workers);
	tell(SUP_STARTED, load);
	if (!never_ready)
		tell(SUP_RUNNING, load);
	return 0;
}

static bool sup_busy;

int supervisor_load_stop(struct supervisor *s, unsigned load)
{
	(void)s;
	if (sup_busy)
		return -EAGAIN;
	note("load-stop", load);
	if (!stubborn)
		tell(SUP_EXITED, load);
	return 0;
}

int supervisor_tty(struct supervisor *s, const struct termios *saved, const struct termios *raw,
		   bool cooked)
{
	(void)s;
	(void)saved;
	(void)raw;
	note("tty", cooked);
	return 0;
}

int supervisor_probe_start(struct supervisor *s, unsigned probe, int64_t period_ns,
			   const long knob[PROBE_KNOBS_MAX], struct why *why)
{
	(void)s;
	(void)period_ns;
	(void)knob;
	(void)why;
	note("probe-start", probe);
	return 0;
}

int supervisor_probe_stop(struct supervisor *s, unsigned probe)
{
	(void)s;
	note("probe-stop", probe);
	return 0;
}

struct ring *supervisor_probe_ring(struct supervisor *s, unsigned probe, unsigned variant)
{
	(void)probe;
	(void)variant;
	return (struct ring *)s;	/* only handed on */
}

const struct helper_line *supervisor_probe_line(const struct supervisor *s, unsigned probe)
{
	(void)s;
	(void)probe;
	return NULL;
}

bool supervisor_read(struct supervisor *s, struct supervisor_event *out)
{
	uint64_t count;

	(void)s;
	if (!queued)
		return false;
	*out = queue[0];
	memmove(queue, queue + 1, --queued * sizeof(queue[0]));
	if (!queued)
		ck_assert_int_eq(read(sup_fd, &count, sizeof(count)), sizeof(count));
	return true;
}

int supervisor_quit(struct supervisor *s, int grace_ms, int wait_ms, struct why *why)
{
	(void)s;
	(void)wait_ms;
	note("quit", (unsigned)grace_ms);
	if (left_behind)
		why_set(why, -EBUSY, "stuck: pid 4711; kill it by hand");
	return left_behind;
}

int supervisor_wait(struct supervisor *s, int wait_ms)
{
	(void)s;
	(void)wait_ms;
	note("sweep", 0);
	return -EBUSY;
}

/* ---- the collector ---- */

static struct model *model;

struct collector *collector_new(struct model *m, struct counters *counters)
{
	(void)counters;
	model = m;
	return (struct collector *)m;
}

void collector_free(struct collector *c) { (void)c; }
void collector_remove(struct collector *c, unsigned series) { (void)c; note("remove", series); }
void collector_finish(struct collector *c, int64_t now_ns) { (void)c; model->now_ns = now_ns; note("finish", 0); }
void collector_loads_finish(struct collector *c, int64_t now_ns) { (void)c, (void)now_ns; }
int64_t collector_wait_ns(const struct collector *c, int64_t want_ns) { (void)c; return want_ns; }

static unsigned adds_left = UINT_MAX;	/* then there is no memory */

int collector_add(struct collector *c, const struct collector_source *source, struct why *why)
{
	(void)c;
	if (!adds_left)
		return why_set(why, -ENOMEM, "collector: out of memory");
	adds_left--;
	note("add", source->series);
	return 0;
}

void collector_gap(struct collector *c, enum gap_kind kind, int64_t from_ns, int64_t to_ns)
{
	(void)c;
	ck_assert_int_le(from_ns, to_ns);
	note("gap", kind);
}

void collector_tick(struct collector *c, int64_t now_ns)
{
	(void)c;
	model->now_ns = now_ns;
	note("tick", 0);
}

void collector_on_look(struct collector *c, collector_look_fn *fn, void *ctx)
{
	(void)c;
	(void)fn;
	(void)ctx;
}

void collector_on_spike(struct collector *c, collector_spike_fn *fn, void *ctx,
			int64_t fixed_threshold_ns)
{
	(void)c;
	(void)fn;
	(void)ctx;
	note("on-spike", (unsigned)fixed_threshold_ns);
}

void collector_supervisor_event(struct collector *c, const struct supervisor_event *e,
				int64_t now_ns)
{
	struct load_view *v = &model->loads[e->load];

	(void)c;
	if (e->kind == SUP_RUNNING) {
		v->state = LOAD_RUN;
		v->start_ns = now_ns;
	}
	if (e->kind == SUP_EXITED)
		v->state = LOAD_OFF;
	if (e->kind == SUP_REFUSED)
		v->state = LOAD_FAILED;
}

/* ---- samplers and what watches them ---- */

static struct sampler_config started[64];
static unsigned nr_started;
static bool deny_rt, deny_samplers;
static int deny_cpu = -2;	/* -1: not pinned */
static struct sampler_published published;
static int64_t released_ns[64];	/* the start that each was given */
static int64_t count_from_ns;	/* what the last sampler was told */
static int64_t thread_ns;	/* when the last thread was started */

struct sampler *sampler_start(const struct sampler_config *config, struct why *why)
{
	if (deny_samplers || config->cpu == deny_cpu) {
		why_set(why, -EAGAIN, "no thread; raise the limit");
		return NULL;
	}
	note("thread", 0);
	thread_ns = clock_now_ns();
	started[nr_started] = *config;
	return (struct sampler *)&started[nr_started++];
}

void sampler_count_from(struct sampler *s, int64_t from_ns)
{
	(void)s;
	count_from_ns = from_ns;
}

void sampler_release(struct sampler *s, int64_t start_ns)
{
	const struct sampler_config *c = (const struct sampler_config *)s;

	/* Wake-ups lay ahead when they were chosen: after the last thread was
	 * there.  This test may get the CPU later than that. */
	ck_assert_int_gt(start_ns + c->phase_ns, thread_ns + 10 * NS_PER_MS);
	released_ns[c - started] = start_ns;
	note("release", 0);
}

void sampler_ask_stop(struct sampler *s) { (void)s; note("ask-stop", 0); }
int sampler_join(struct sampler *s) { (void)s; return 0; }
int sampler_join_by(struct sampler *s, int64_t until_ns)
{
	(void)s;
	note("join", (unsigned)(until_ns / 1000));
	return 0;
}
void sampler_free(struct sampler *s) { (void)s; }
const struct sampler_config *sampler_config(const struct sampler *s) { return (const void *)s; }
struct ring *sampler_ring(struct sampler *s, unsigned v) { (void)s; (void)v; return NULL; }
const struct sampler_published *sampler_published(const struct sampler *s) { (void)s; return &published; }
int sampler_repin(struct sampler *s)
{
	note("repin", (unsigned)((const struct sampler_config *)(const void *)s)->cpu);
	return 0;
}

static bool deny_lock;
bool sampler_locked(const struct sampler *s) { (void)s; return !deny_lock; }
const char *sampler_note(const struct sampler *s) { (void)s; return ""; }
static pid_t every_tid;		/* 0: numbers that are nobody's */
pid_t sampler_tid(const struct sampler *s) { return every_tid ? every_tid : (pid_t)((const struct sampler_config *)(const void *)s - started) + 100; }

void sampler_granted(const struct sampler *s, struct rt_granted *out)
{
	const struct sampler_config *c = (const void *)s;

	*out = (struct rt_granted){ .policy = c->want_fifo ? SCHED_FIFO : SCHED_OTHER,
				    .priority = c->want_fifo ? c->priority : 0 };
}

static bool deny_watchdog;

struct watchdog *watchdog_start(const struct watchdog_config *config, struct why *why)
{
	if (deny_watchdog) {
		why_set(why, -EAGAIN, "watchdog: no thread; raise ulimit -u");
		return NULL;
	}
	note("watchdog", config->nr_samplers);
	return (struct watchdog *)&nr_started;
}

static unsigned xcpu, demotions;
static pid_t xcpu_tid = 100, xcpu_too;
void watchdog_stop(struct watchdog *w) { (void)w; note("unwatch", 0); }
void watchdog_feed(struct watchdog *w) { (void)w; }
unsigned watchdog_kills(const struct watchdog *w) { (void)w; return 0; }
unsigned watchdog_demotions(const struct watchdog *w, pid_t *tid) { (void)w; *tid = 100; return demotions; }

void rt_prepare(int wanted, struct rt_rights *out)
{
	*out = (struct rt_rights){ .fifo = !deny_rt, .priority = deny_rt ? 0 : wanted,
				   .cpus_limit = -1, .lock = RT_LOCK_SAMPLERS };
}

int rt_read_back(pid_t tid, struct rt_granted *out)
{
	bool lost = (xcpu || demotions) && (tid == xcpu_tid || tid == xcpu_too);

	*out = (struct rt_granted){ .policy = lost ? SCHED_OTHER : SCHED_FIFO };
	return 0;
}

int rt_become_fifo(int p, struct rt_granted *g, struct why *why) { (void)p; (void)g; (void)why; return 0; }
int rt_become_other(struct rt_granted *g) { (void)g; return 0; }
bool rt_has_capability(int capability, bool effective) { (void)capability; (void)effective; return false; }
int rt_best_nice(void) { return 0; }
void rt_install_xcpu(void) { }
void rt_restore_rttime(void) { note("restore-rttime", 0); }
unsigned rt_xcpu_count(pid_t *tid) { *tid = xcpu_tid; return xcpu; }
const char *rt_policy_name(int policy) { return policy == SCHED_FIFO ? "SCHED_FIFO" : "SCHED_OTHER"; }
void validity_start(struct model *m, const struct rt_rights *r) { (void)m; (void)r; }
void validity_tick(struct model *m, int64_t now_ns) { (void)m; (void)now_ns; note("validity", 0); }

void sysinfo_read(struct sysinfo *out)
{
	memset(out, 0, sizeof(*out));
	out->mem_total_kb = 1 << 20;
	snprintf(out->kernel, sizeof(out->kernel), "0.0-here");
	cpuset_add(&out->allowed, 0);
	cpuset_add(&out->allowed, 1);
	cpuset_clear(&out->online);
	hotplug_online(&out->online);	/* of a faked root, if there is one */
}

/* ---- files ---- */

static bool disk_full;
static char saved_suffixes[32];
struct snapshot *snapshot_take(const struct model *m, char *const *argv, struct why *why)
{
	(void)m;
	(void)argv;
	(void)why;
	return snapshot_new();
}

static bool own_numbers;	/* the writer left the user's locale for its own */

static int on_write(struct why *why)
{
	note("write", 0);
	own_numbers = uselocale((locale_t)0) != LC_GLOBAL_LOCALE;
	return disk_full ? why_set(why, -ENOSPC, "disk full; free some space") : 0;
}

static const char *baseline_of;		/* a file of this probe is there */

struct snapshot *snapshot_read(const char *path, struct why *why)
{
	if (baseline_of) {
		struct snapshot *s = snapshot_new();
		struct hist *h = hist_new(3);

		snprintf(s->system.kernel, sizeof(s->system.kernel), "0.0-other");
		s->cpus_measured = 63;
		hist_record_n(h, 1000, 3);
		snapshot_series_from_hist(snapshot_add_series(s, baseline_of, 0), h);
		hist_free(h);
		return s;
	}
	why_set(why, -ENOENT, "%s: no such file; name one that exists", path);
	return NULL;
}

struct saver *saver_new(int event_fd) { (void)event_fd; return (struct saver *)saved_suffixes; }
void saver_free(struct saver *s) { (void)s; }
void saver_tidy(struct saver *s, const char *output) { (void)s; (void)output; }
static bool slow_disk;
int saver_wait(struct saver *s, int wait_ms) { (void)s; (void)wait_ms; return slow_disk ? -ETIMEDOUT : 0; }
static struct saver_result saved[2];
static unsigned saved_sets;		/* not yet asked for */

int saver_result(struct saver *s, struct saver_result *out)
{
	(void)s;
	if (!saved_sets)
		return 0;
	*out = saved[--saved_sets];
	return 1;
}

static bool save_refused;
static unsigned saves_under_way;

unsigned saver_threads(const struct saver *s) { (void)s; return saves_under_way; }

int saver_save(struct saver *s, struct snapshot *snap, const char *stem, const char *suffixes,
	       struct why *why)
{
	(void)s;
	(void)stem;
	snprintf(saved_suffixes, sizeof(saved_suffixes), "%s", suffixes);
	note("save", 0);
	snapshot_free(snap);
	if (save_refused)
		return why_set(why, -EAGAIN, "four sets are being written; wait");
	return 0;
}

struct recording *recording_open(const char *path, const struct model *m, char *const *argv,
				 struct why *why)
{
	(void)path;
	(void)m;
	(void)argv;
	(void)why;
	note("recording-open", 0);
	return (struct recording *)saved_suffixes;
}

int recording_tick(struct recording *r, const struct model *m, struct why *why)
{
	(void)r;
	(void)m;
	note("recording-tick", 0);
	if (!disk_full || times("recording-tick") > 1)
		return 0;
	return why_set(why, -ENOSPC, "x.jsr: the disk is full");
}

int recording_close(struct recording *r, const struct model *m, int wait_ms, struct why *why)
{
	(void)r;
	(void)m;
	(void)wait_ms;
	note("recording-close", 0);
	return disk_full ? why_set(why, -ENOSPC, "x.jsr: the disk is full") : 0;
}

/* ---- a front end that can be told what to do at each frame ---- */

static struct app *shown;
static void (*at_frame)(struct app *app, unsigned frame);
static unsigned frames;
static bool screen;

static int front_open(struct app *app, void **self, struct why *why)
{
	(void)why;
	shown = app;
	*self = app;
	note("open", 0);
	return 0;
}

static int64_t next_frame_after_ns = 20 * NS_PER_MS;	/* INT64_MAX: never */

static int64_t front_frame(void *self, int64_t now_ns)
{
	(void)now_ns;
	note("frame", frames);
	if (at_frame)
		at_frame(self, frames);
	frames++;
	return next_frame_after_ns;
}

static void front_resize(void *self) { (void)self; note("resize", 0); }
static void front_answer(void *self) { fprintf(stderr, "%s\n", ((struct app *)self)->m->status); }
static void front_close(void *self) { (void)self; note("close", 0); }
static void front_interrupt(void *self)
{
	const struct order quit = { .what = CMD_QUIT };

	app_do(self, &quit);
}

static struct frontend front = { .open = front_open, .frame = front_frame, .close = front_close,
				 .interrupt = front_interrupt };

static struct options o;

/* Words are blank-separated; '_' is a blank inside one. */
static struct app *begin(const char *line)
{
	static char buf[256];
	static char *argv[32];
	struct why why = { 0, "" };
	char *save = NULL;
	int argc = 0;

	snprintf(buf, sizeof(buf), "jitterscope %s", line);
	for (char *w = strtok_r(buf, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
		argv[argc++] = w;
		for (; *w; w++)
			*w = *w == '_' ? ' ' : *w;	/* a word with blanks */
	}
	options_free(&o);	/* of the run before */
	ck_assert_msg(options_parse(&o, argc, argv, &why) == 0, "%s", why.text);
	front.resize = screen ? front_resize : NULL;
	fake_on_write = on_write;
	struct app *app = app_new(&o, &front, &why);

	ck_assert_msg(app != NULL, "%s", why.text);
	ck_assert_msg(app_start(app, &why) == 0, "%s", why.text);
	ck_assert_msg(!why.err, "told twice: %s", why.text);
	return app;
}

static int run(const char *line)
{
	struct app *app;
	int code;

	frames = 0;
	app = begin(line);
	code = app_run(app);

	app_free(app);
	return code;
}

#define LIVE "-o /dev/null -f json -i 1ms -P wakeup@0 "
#define RECORD "record -o /dev/null -f json -i 1ms -P wakeup@0 "

/* ---- tests ---- */

START_TEST(everything_starts_in_the_order_that_keeps_it_safe)
{
	ck_assert_int_eq(run(RECORD "-D 30ms"), EXIT_OK);
	ordered("fork", "thread");
	ordered("thread", "watchdog");
	/* What it guards against begins here; before, main may wait for a disk. */
	ordered("frame", "watchdog");
	ordered("watchdog", "release");
	ordered("release", "finish");
	ordered("join", "finish");
	ordered("finish", "close");
	ordered("close", "quit");
	ordered("quit", "write");
	ck_assert_uint_eq(times("write"), 1);
}
END_TEST

START_TEST(a_run_lasts_its_duration_from_the_end_of_warm_up)
{
	ck_assert_int_eq(run(RECORD "-D 200ms"), EXIT_OK);
	int64_t ran_ns = find("finish", 0)->t_ns - find("release", 0)->t_ns;

	/* 100 wake-ups of 1 ms, then the duration. */
	ck_assert_int_ge(ran_ns, 300 * NS_PER_MS);
}
END_TEST

START_TEST(a_schedule_is_kept_and_never_early)
{
	run(RECORD "-D 300ms -l fork@50ms+100ms -l churn@100ms");
	const struct note *zero = find("release", 0);
	int64_t from_ns = zero->t_ns + 100 * NS_PER_MS;

	ck_assert_uint_eq(times("load-start"), 2);
	ck_assert_uint_eq(find("load-start", 0)->arg, 1);
	ck_assert_int_ge(find("load-start", 0)->t_ns, from_ns + 50 * NS_PER_MS);
	ck_assert_uint_eq(find("load-start", 1)->arg, 0);
	ck_assert_int_ge(find("load-start", 1)->t_ns, from_ns + 100 * NS_PER_MS);
	ck_assert_uint_eq(find("load-stop", 0)->arg, 1);
	ck_assert_int_ge(find("load-stop", 0)->t_ns, from_ns + 150 * NS_PER_MS);
	/* The other one is stopped by the end of the run, before anything is waited for. */
	ck_assert(find("load-stop", 1) < find("join", 0));
	ck_assert_uint_eq(find("load-stop", 1)->arg, 0);
	ordered("finish", "write");
}
END_TEST

START_TEST(a_schedule_without_duration_ends_a_record)
{
	ck_assert_int_eq(run(RECORD "-s 20ms_idle;30ms_fork:2"), EXIT_OK);
	ck_assert_uint_eq(find("workers", 0)->arg, 2);
	ck_assert_uint_eq(times("load-stop"), 1);
	ck_assert_int_ge(find("finish", 0)->t_ns, find("release", 0)->t_ns + 150 * NS_PER_MS);
}
END_TEST

static void raise_at_second(struct app *app, unsigned n)
{
	(void)app;
	if (n == 2)
		kill(getpid(), SIGINT);
}

START_TEST(an_interrupt_ends_a_record_and_writes_it)
{
	at_frame = raise_at_second;
	ck_assert_int_eq(run(RECORD), EXIT_OK);
	ck_assert_uint_eq(times("write"), 1);
}
END_TEST

static void terminate(struct app *app, unsigned n)
{
	(void)app;
	if (n == 2)
		kill(getpid(), SIGTERM);
}

/* F08: one TERM is enough. */
START_TEST(a_termination_ends_a_record_and_writes_it)
{
	at_frame = terminate;
	ck_assert_int_eq(run(RECORD), EXIT_OK);
	ck_assert_uint_eq(times("write"), 1);
}
END_TEST

static void interrupt_and_drop(struct app *app, unsigned n)
{
	(void)n;
	if (n == 2) {
		kill(getpid(), SIGINT);
		app_drop_output(app);
	}
}

START_TEST(a_dropped_record_is_not_written)
{
	at_frame = interrupt_and_drop;
	run(RECORD);
	ck_assert_uint_eq(times("write"), 0);
	ck_assert_uint_eq(times("quit"), 1);
}
END_TEST

static void usr1_then_term(struct app *app, unsigned n)
{
	(void)app;
	if (n == 2)
		kill(getpid(), SIGUSR1);
	if (n == 5)
		kill(getpid(), SIGTERM);
}

START_TEST(usr1_saves_a_set_and_goes_on)
{
	at_frame = usr1_then_term;
	ck_assert_int_eq(run(RECORD), EXIT_OK);
	ck_assert_uint_eq(times("save"), 1);
	ck_assert_str_eq(saved_suffixes, "json svg txt");
	ordered("save", "finish");
}
END_TEST

START_TEST(ignored_signals_still_end_a_record_started_by_a_script)
{
	signal(SIGINT, SIG_IGN);
	at_frame = raise_at_second;
	ck_assert_int_eq(run(RECORD "-D 10s"), EXIT_OK);
	ck_assert_uint_eq(times("write"), 1);
}
END_TEST

START_TEST(the_worst_exit_code_wins)
{
	static const struct { int first, then, want; } rows[] = {
		{ 0, 4, 4 }, { 4, 3, 3 }, { 3, 4, 3 }, { 4, 1, 1 }, { 1, 4, 1 }, { 1, 3, 1 },
		{ 3, 0, 3 },
	};
	struct app app = { .exit_code = 0 };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		app.exit_code = EXIT_OK;
		app_exit_code(&app, rows[i].first);
		app_exit_code(&app, rows[i].then);
		ck_assert_int_eq(app.exit_code, rows[i].want);
	}
}
END_TEST

START_TEST(missing_real_time_fails_only_where_it_is_required)
{
	deny_rt = true;
	ck_assert_int_eq(run(RECORD "-D 20ms"), EXIT_OK);
	ck_assert_int_eq(run(RECORD "-D 20ms --require-rt"), EXIT_NOT_RT);
	deny_rt = false;
	ck_assert_int_eq(run(RECORD "-D 20ms --require-rt"), EXIT_OK);
}
END_TEST

static void demote(struct app *app, unsigned n)
{
	(void)app;
	if (n == 2)
		xcpu = 1;
}

START_TEST(real_time_that_was_taken_away_counts_as_missing)
{
	at_frame = demote;
	ck_assert_int_eq(run(RECORD "-D 1200ms --require-rt"), EXIT_NOT_RT);
	ck_assert_uint_eq(times("restore-rttime"), 1);
}
END_TEST

static void late(struct app *app, unsigned n)
{
	if (n == 1)
		hist_record(app_model(app)->series[0].total, 700 * NS_PER_US);
}

START_TEST(a_limit_that_was_passed_is_exit_4)
{
	at_frame = late;
	ck_assert_int_eq(run(RECORD "-D 60ms --fail-above 600us"), EXIT_LIMIT);
	ck_assert_int_eq(run(RECORD "-D 60ms --fail-above 800us"), EXIT_OK);
}
END_TEST

static void still_waits(struct app *app, unsigned n)
{
	if (n == 1) {
		hist_record_n(app_model(app)->series[0].total, 100 * NS_PER_US, 1000);
		app_model(app)->series[0].in_flight_ns = 700 * NS_PER_US;
	}
}

START_TEST(a_wait_that_has_not_ended_passes_no_limit)
{
	at_frame = still_waits;
	ck_assert_int_eq(run(RECORD "-D 60ms --fail-above 600us"), EXIT_LIMIT);
	ck_assert_int_eq(run(RECORD "-D 60ms --fail-above 600us@99"), EXIT_OK);
	ck_assert_int_eq(run(RECORD "-D 60ms --fail-above 800us"), EXIT_OK);
}
END_TEST

START_TEST(what_was_not_measured_passes_no_limit)
{
	ck_assert_int_eq(run(RECORD "-D 20ms --fail-above 1s"), EXIT_FAILED);
	ck_assert_int_eq(run(RECORD "-D 20ms"), EXIT_OK);
}
END_TEST

static unsigned judged_samples;

static void some_samples(struct app *app, unsigned n)
{
	if (n == 1)
		hist_record_n(app_model(app)->series[0].total, 700 * NS_PER_US, judged_samples);
}

/* Neither passed nor kept: there is no such figure. */
static const struct { unsigned samples; const char *limit; int code; } carried[] = {
	{ 999, "600us@99", EXIT_FAILED }, { 1000, "600us@99", EXIT_LIMIT },
	{ 999, "1s@99", EXIT_FAILED }, { 1000, "1s@99", EXIT_OK },
	{ 1000, "1s@99.9999", EXIT_FAILED }, { 1, "1s", EXIT_OK }, { 1, "1s@100", EXIT_OK },
};

START_TEST(a_percentile_that_too_few_samples_carry_passes_no_limit)
{
	char line[160];

	at_frame = some_samples;
	judged_samples = carried[_i].samples;
	snprintf(line, sizeof(line), RECORD "-D 60ms --fail-above %s", carried[_i].limit);
	ck_assert_int_eq(run(line), carried[_i].code);
}
END_TEST

#define BOTH "record -o /dev/null -f json -i 1ms -P wakeup -c 0-1 -D 20ms "

START_TEST(a_cpu_without_its_sampler_fails_a_record_and_has_no_real_time)
{
	deny_cpu = 1;
	struct app *app = begin(BOTH);

	ck_assert(!app->m->groups[0].have_rt && app->m->groups[0].on);
	ck_assert(app->m->status_bad);
	ck_assert_str_eq(app->m->status, "no thread; raise the limit");
	app_free(app);
	ck_assert_int_eq(run(BOTH), EXIT_FAILED);
	deny_cpu = -2;
	ck_assert_int_eq(run(BOTH "--require-rt"), EXIT_OK);
}
END_TEST

static void fail_sampler(struct app *app, unsigned n)
{
	(void)app;
	if (n == 1)
		atomic_store(&published.state, SAMPLER_FAILED);
}

START_TEST(a_sampler_that_fails_on_the_way_fails_a_record)
{
	at_frame = fail_sampler;
	ck_assert_int_eq(run(RECORD "-D 1200ms --require-rt"), EXIT_FAILED);
}
END_TEST

static void kill_helper(struct app *app, unsigned n)
{
	(void)app;
	if (n == 2) {
		tell(SUP_PROBE_EXITED, 2);
		queue[queued - 1].signal = 9;
	}
}

START_TEST(a_helper_that_was_asked_for_and_died_fails_a_record)
{
	at_frame = kill_helper;
	ck_assert_int_eq(run(RECORD "-D 200ms -P call"), EXIT_FAILED);
	ck_assert_uint_eq(times("write"), 1);
}
END_TEST

START_TEST(a_helper_that_died_is_beside_the_figures)
{
	struct app *app = begin(RECORD "-D 200ms -P call");

	at_frame = kill_helper;
	frames = 0;
	ck_assert_int_eq(app_run(app), EXIT_FAILED);
	const struct badge *b = NULL;

	for (unsigned i = 0; i < app->m->nr_badges; i++)
		if (!strcmp(app->m->badges[i].name, "no-call"))
			b = &app->m->badges[i];
	ck_assert_ptr_nonnull(b);
	ck_assert_str_eq(b->level, "warn");
	ck_assert_str_eq(b->text, "call: helper died (signal 9)");
	app_free(app);
}
END_TEST

START_TEST(a_result_that_cannot_be_written_is_exit_1)
{
	disk_full = true;
	ck_assert_int_eq(run(RECORD "-D 20ms"), EXIT_FAILED);
}
END_TEST

START_TEST(numbers_of_a_result_do_not_follow_the_users_locale)
{
	static const char *const targets[] = { "/dev/null", "-" };
	char line[80];

	for (unsigned i = 0; i < 2; i++) {
		own_numbers = false;
		snprintf(line, sizeof(line), "record -f json -i 1ms -P wakeup@0 -D 20ms -o %s", targets[i]);
		ck_assert_int_eq(run(line), EXIT_OK);
		ck_assert_msg(own_numbers, "-o %s", targets[i]);
	}
}
END_TEST

START_TEST(a_recording_is_fed_while_the_run_goes_on_and_closed_once)
{
	ck_assert_int_eq(run("record -i 1ms -P wakeup@0 -D 1200ms -o some.jsr"), EXIT_OK);
	ordered("tick", "recording-tick");
	ordered("finish", "recording-close");
	ck_assert_uint_eq(times("recording-open"), 1);
	ck_assert_uint_eq(times("recording-close"), 1);
	ck_assert_uint_eq(times("write"), 0);
}
END_TEST

/* How often a run says this on standard error; its exit code. */
static unsigned said(const char *line, const char *words, int *code)
{
	FILE *told = tmpfile();
	int kept = dup(2);
	char text[2000] = "";
	unsigned n = 0;

	ck_assert(told && kept >= 0);
	dup2(fileno(told), 2);
	*code = run(line);
	dup2(kept, 2);
	close(kept);
	rewind(told);
	text[fread(text, 1, sizeof(text) - 1, told)] = '\0';
	fclose(told);
	for (const char *at = text; (at = strstr(at, words)); at++)
		n++;
	return n;
}

/* An operation has no CPU of its own. */
START_TEST(a_limit_is_said_to_be_passed_where_it_was)
{
	int code;

	at_frame = late;
	ck_assert_uint_eq(said("record -o /dev/null -f json -i 1ms -P call -D 60ms "
			       "--fail-above 600us", "call has max 700us", &code), 1);
	ck_assert_int_eq(code, EXIT_LIMIT);
	ck_assert_uint_eq(said(RECORD "-D 60ms --fail-above 600us", " cpu0 has max 700us", &code), 1);
	ck_assert_uint_eq(said(RECORD "-D 60ms --fail-above 699999ns",
			       "--fail-above 699999ns: wakeup cpu0 has max 700000ns", &code), 1);
	ck_assert_uint_eq(said(RECORD "-D 60ms --fail-above 600us@99.99999",
			       " too few samples for p99.99999;", &code), 1);
	ck_assert_int_eq(code, EXIT_FAILED);
}
END_TEST

START_TEST(a_summary_says_what_was_measured_and_where_it_is)
{
	struct app *app = begin(RECORD);
	char text[200];

	app->m->reset_ns = NS_PER_S;
	app->m->now_ns = 13 * NS_PER_S;
	app_summary_text(app->m, "", text, sizeof(text));
	ck_assert_str_eq(text, "00:00:12  no sample");
	hist_record_n(app->m->groups[0].run, 123456, 999);
	app_summary_text(app->m, "", text, sizeof(text));
	ck_assert_str_eq(text, "00:00:12  wakeup: 999 samples, p99 ~, max 123us");
	hist_record_n(app->m->groups[0].run, 123456, 1);
	app_summary_text(app->m, "x.json", text, sizeof(text));
	ck_assert_str_eq(text, "00:00:12  wakeup: 1.0k samples, p99 123us, max 123us; saved x.json");
	app_summary_text(app->m, "x\033[31m.json", text, sizeof(text));
	ck_assert_ptr_null(strchr(text, '\033'));
	app_free(app);
}
END_TEST

/* Standard error is a file here, and so never a person. */
START_TEST(a_summary_is_for_a_person_only)
{
	int code;

	ck_assert_uint_eq(said("record -i 1ms -P wakeup@0 -D 20ms -o /dev/null -f json",
			       "sample", &code), 0);
	ck_assert_int_eq(code, EXIT_OK);
}
END_TEST

/* At once where that is seen, else when there is no screen any more. */
START_TEST(a_recording_that_fails_is_told_of_once)
{
	int code;

	disk_full = true;
	front.answer = _i ? front_answer : NULL;
	ck_assert_uint_eq(said("record -i 1ms -P wakeup@0 -D 1200ms -o some.jsr", "the disk is full", &code), 1);
	ck_assert_int_eq(code, EXIT_FAILED);
	ck_assert_uint_gt(times("recording-tick"), 0);
}
END_TEST

/* What stands in the status when the front opens is told by the front, which here
 * says nothing. */
START_TEST(a_sampler_that_cannot_start_is_not_told_of_before_the_front_does)
{
	int code;

	deny_cpu = -1;
	front.answer = front_answer;
	ck_assert_uint_eq(said(RECORD "-D 20ms -P pair", "no thread", &code), 0);
	ck_assert_int_eq(code, EXIT_FAILED);
}
END_TEST

START_TEST(what_became_of_a_save_is_told)
{
	struct app *app = begin(RECORD);

	saved[1] = (struct saver_result){ .path = "a.json" };
	saved[0] = (struct saver_result){ .err = -ENOSPC, .text = "b.json: the disk is full" };
	saved_sets = 2;
	app_save_results(app);
	ck_assert_uint_eq(saved_sets, 0);
	ck_assert_str_eq(app->m->status, "not saved: b.json: the disk is full");
	ck_assert(app->m->status_bad);
	ck_assert_uint_eq(app->saves_failed, 1);
	saved_sets = 1;
	saved[0] = (struct saver_result){ .path = "c.json" };
	app_save_results(app);
	ck_assert_str_eq(app->m->status, "saved c.json");
	save_refused = true;
	app_save(app, NULL);
	ck_assert_str_eq(app->m->status, "not saved: four sets are being written; wait");
	ck_assert_uint_eq(app->saves_failed, 2);
	app_free(app);
}
END_TEST

START_TEST(saves_that_pile_up_are_refused_until_the_disk_is_done)
{
	struct app *app = begin(RECORD);

	for (unsigned i = 0; i < 100; i++) {
		app_save(app, NULL);
		saves_under_way = times("save");	/* not one ends */
	}
	ck_assert_uint_ge(saves_under_way, 2);
	ck_assert_uint_le(saves_under_way, 8);
	ck_assert_uint_eq(app->saves_failed, 0);	/* said: the run is no failure */
	ck_assert_ptr_nonnull(strstr(app->m->status, "not saved: the disk still writes"));
	ck_assert(app->m->status_bad);
	saves_under_way = 0;
	app_save(app, NULL);
	ck_assert_str_eq(app->m->status, "saving");
	app_free(app);
}
END_TEST

START_TEST(processes_left_behind_are_exit_1)
{
	left_behind = 1;
	ck_assert_int_eq(run(RECORD "-D 20ms"), EXIT_FAILED);
}
END_TEST

START_TEST(scratch_that_is_still_being_deleted_is_waited_for_and_no_failure)
{
	left_behind = -EBUSY;
	ck_assert_int_eq(run(RECORD "-D 20ms"), 0);
	ck_assert_uint_eq(times("sweep"), 1);
	ck_assert_uint_eq(times("write"), 1);
}
END_TEST

/* F20: nobody waits for it beyond the bound. */
START_TEST(a_load_that_does_not_end_does_not_hold_the_run)
{
	int64_t begun_ns = clock_now_ns();

	stubborn = true;
	run(RECORD "-D 50ms -l fork");
	ck_assert_uint_eq(times("quit"), 1);
	/* Warm-up, the run, at most APP_STOP_NS. */
	ck_assert_int_ge(clock_now_ns() - begun_ns, APP_STOP_NS);
	ck_assert_uint_eq(times("write"), 1);
}
END_TEST

static void order(struct app *app, enum command what, unsigned load, unsigned workers)
{
	const struct order given = { .what = what, .arg = load, .workers = workers };

	app_do(app, &given);
}

START_TEST(without_a_supervisor_a_load_key_says_why)
{
	deny_supervisor = true;
	struct app *app = begin(RECORD);

	order(app, CMD_LOAD_TOGGLE, 0, 0);
	ck_assert(app->m->status_bad);
	ck_assert_ptr_nonnull(strstr(app->m->status, "cannot fork"));
	ck_assert_int_eq(app->m->loads[0].state, LOAD_OFF);
	app_free(app);
}
END_TEST

START_TEST(a_load_that_is_no_load_is_refused)
{
	struct app *app = begin(RECORD);

	order(app, CMD_LOAD_START, 2, 0);
	ck_assert(app->m->status_bad);
	ck_assert_uint_eq(times("load-start"), 0);
	app_free(app);
}
END_TEST

START_TEST(other_workers_stop_a_load_and_start_it_anew)
{
	struct app *app = begin(RECORD);

	order(app, CMD_LOAD_START, 0, 4);
	app_loads_events(app);
	ck_assert_int_eq(app->m->loads[0].state, LOAD_RUN);
	order(app, CMD_LOAD_WORKERS, 0, 8);
	ck_assert_uint_eq(times("load-stop"), 1);
	ck_assert_uint_eq(app->m->loads[0].run_workers, 4);
	app_loads_events(app);
	ck_assert_uint_eq(app->m->loads[0].run_workers, 8);
	ck_assert_uint_eq(times("load-start"), 2);
	ck_assert_uint_eq(find("workers", 1)->arg, 8);
	ck_assert_int_eq(app->m->loads[0].state, LOAD_RUN);
	app_free(app);
}
END_TEST

static bool placed(const struct app *app, int first, const char *text)
{
	return cpuset_next(&app->counters->slot[0].cpus, -1) == first &&
	       !strcmp(app->m->loads[0].cpus, text);
}

/* The CPUs of a load are a setting like its knobs. */
START_TEST(a_load_stays_on_its_cpus_until_it_is_told_otherwise)
{
	struct app *app = begin(RECORD);
	struct cpuset one;
	struct order given = { .what = CMD_LOAD_START, .arg = 0, .workers = 4, .has_knobs = true, .cpus = &one };

	ck_assert_int_eq(cpuset_parse(&one, "1", false, NULL), 0);
	app_do(app, &given);
	app_loads_events(app);
	ck_assert(placed(app, 1, "1"));
	order(app, CMD_LOAD_WORKERS, 0, 8);
	app_loads_events(app);
	ck_assert_uint_eq(times("load-start"), 2);
	ck_assert(placed(app, 1, "1"));
	order(app, CMD_LOADS_STOP, 0, 0);
	app_loads_events(app);
	order(app, CMD_LOAD_START, 0, 0);
	app_loads_events(app);
	ck_assert(placed(app, 1, "1"));
	given.cpus = NULL;
	app_do(app, &given);
	app_loads_events(app);
	ck_assert(placed(app, -1, ""));
	app_free(app);
}
END_TEST

/* 63 columns are there, for 64 single CPUs. */
START_TEST(a_list_of_cpus_that_is_too_long_ends_between_two)
{
	struct app *app = begin(RECORD);
	struct cpuset odd;
	struct order given = { .what = CMD_LOAD_START, .arg = 0, .has_knobs = true, .cpus = &odd };
	const char *said = app->m->loads[0].cpus;

	cpuset_clear(&odd);
	for (int cpu = 1; cpu < 128; cpu += 2)
		cpuset_add(&odd, cpu);
	app_do(app, &given);
	ck_assert_int_eq(strncmp(said, "1,3,5,", 6), 0);
	const char *end = strstr(said, ",...");

	ck_assert(end && !end[4] && strlen(said) > 50);
	while (end[-1] != ',')
		end--;
	ck_assert_int_eq(atoi(end) % 2, 1);
	app_free(app);
}
END_TEST

START_TEST(stop_all_takes_back_a_start_that_waits)
{
	struct app *app = begin(RECORD);

	order(app, CMD_LOAD_START, 0, 4);
	app_loads_events(app);
	order(app, CMD_LOAD_WORKERS, 0, 8);
	order(app, CMD_LOADS_STOP, 0, 0);
	app_loads_events(app);
	ck_assert_uint_eq(times("load-start"), 1);
	ck_assert_int_eq(app->m->loads[0].state, LOAD_OFF);
	app_free(app);
}
END_TEST

START_TEST(a_load_started_by_key_has_a_time_limit_one_of_the_schedule_has_not)
{
	struct app *app = begin(RECORD);
	struct order given = { .what = CMD_LOAD_START, .arg = 0 };

	app_do(app, &given);
	app_loads_events(app);
	ck_assert_int_gt(app->m->loads[0].ends_ns, clock_now_ns());
	app_loads_tick(app, app->m->loads[0].ends_ns - 1);
	ck_assert_uint_eq(times("load-stop"), 0);
	/* A supervisor that does not take it is asked again. */
	sup_busy = true;
	app_loads_tick(app, app->m->loads[0].ends_ns);
	ck_assert_uint_eq(times("load-stop"), 0);
	sup_busy = false;
	app_loads_tick(app, app->m->loads[0].ends_ns);
	ck_assert_uint_eq(times("load-stop"), 1);
	given = (struct order){ .what = CMD_LOAD_START, .arg = 1, .limit_ns = INT64_MAX };
	app_do(app, &given);
	app_loads_events(app);
	ck_assert_int_eq(app->m->loads[1].ends_ns, 0);
	app_free(app);
}
END_TEST

/* F22: what was measured is written. */
START_TEST(a_refused_load_fails_a_record_and_costs_no_data)
{
	ck_assert_int_eq(run(RECORD "-D 50ms -l churn:101"), EXIT_FAILED);
	ck_assert_uint_eq(times("write"), 1);
}
END_TEST

/* A main thread that was away over the whole run. */
static void stall_past_the_end(struct app *app, unsigned n)
{
	(void)n;
	while (app->zero_ns && clock_now_ns() < app->end_ns)
		usleep(5000);
}

START_TEST(an_order_within_the_run_is_carried_out_however_late_the_turn)
{
	at_frame = stall_past_the_end;
	ck_assert_int_eq(run(RECORD "-D 50ms -l churn:101"), EXIT_FAILED);
	ck_assert_int_eq(run(RECORD "-D 50ms -l churn:2@49ms"), 0);
	ck_assert_uint_eq(times("load-start"), 1);
	ck_assert_uint_eq(times("load-stop"), 1);
}
END_TEST

START_TEST(a_load_the_run_was_too_short_for_fails_a_record)
{
	never_ready = true;
	ck_assert_int_eq(run(RECORD "-D 50ms -l churn:2"), EXIT_FAILED);
	ck_assert_uint_eq(times("load-stop"), 1);
}
END_TEST

static const struct { const char *why; enum load_state state; const char *says, *status; } idle_runs[] = {
	{ "", LOAD_OFF, "it did no work", "it did no work" },
	{ "it was not ready yet", LOAD_OFF, "before it was ready", "before it was ready" },
	{ "it was not ready yet", LOAD_FAILED, "before it was ready", "told" },
};

/* F19: a run without work has failed, which is told once. */
START_TEST(a_run_that_did_nothing_has_failed_and_says_why_once)
{
	struct app *app = begin(RECORD);
	struct load_run *r = &app->m->runs[0];

	app->ran_out = true;
	app->m->nr_runs = 1;
	*r = (struct load_run){ .workers = 1, .start_ns = 5, .stop_ns = 5, .end = "stopped" };
	snprintf(r->why, sizeof(r->why), "%s", idle_runs[_i].why);
	app->m->loads[0].state = idle_runs[_i].state;
	model_status(app->m, true, "told");
	app_loads_judge(app);
	ck_assert_str_eq(r->end, "failed");
	ck_assert_ptr_nonnull(strstr(r->why, idle_runs[_i].says));
	ck_assert_ptr_nonnull(strstr(app->m->status, idle_runs[_i].status));
	ck_assert_int_eq(app->m->loads[0].state, LOAD_FAILED);
	app_free(app);
}
END_TEST

/* With a screen: before the end a person did, and knows it. */
START_TEST(what_a_person_stopped_in_time_has_not_failed)
{
	screen = true;
	struct app *app = begin("-i 1ms -P wakeup@0 -D 1h");
	struct load_run *r = app->m->runs;
	int64_t end_ns = app->zero_ns + 3600 * NS_PER_S;

	ck_assert_int_eq(app->end_ns, end_ns);
	app->ran_out = true;
	for (unsigned i = 0; i < 2; i++) {
		r[i] = (struct load_run){ .load = i, .start_ns = 5, .stop_ns = end_ns - 1 + i,
					  .end = "stopped", .why = "it was not ready yet" };
		app->m->loads[i].asked_ns = 5;
		app->m->loads[i].stop_ns = r[i].stop_ns;
	}
	app->m->nr_runs = 2;
	app_loads_judge(app);
	ck_assert_str_eq(r[0].end, "stopped");
	ck_assert_str_eq(r[0].why, "it was not ready yet");
	ck_assert_int_eq(app->m->loads[0].state, LOAD_OFF);
	ck_assert_str_eq(r[1].end, "failed");
	ck_assert_int_eq(app->m->loads[1].state, LOAD_FAILED);
	app_free(app);
}
END_TEST

/* There is a supervisor by then, and no model yet. */
START_TEST(a_start_that_finds_no_descriptor_says_so)
{
	char *argv[] = { "jitterscope", "record", "-P", "wakeup@0", NULL };
	struct rlimit was, tight;
	struct why why = { 0, "" };

	ck_assert_int_eq(options_parse(&o, 4, argv, &why), 0);
	front.resize = NULL;
	struct app *app = app_new(&o, &front, &why);

	ck_assert_ptr_nonnull(app);
	getrlimit(RLIMIT_NOFILE, &was);
	int free_fd = dup(0);

	ck_assert_int_ge(free_fd, 0);
	close(free_fd);		/* the supervisor's; the next is too high */
	tight = (struct rlimit){ (rlim_t)free_fd + 1, was.rlim_max };
	setrlimit(RLIMIT_NOFILE, &tight);
	int err = app_start(app, &why);

	setrlimit(RLIMIT_NOFILE, &was);
	ck_assert_int_eq(err, -EMFILE);
	ck_assert(app->sup && !app->m);
	app_free(app);
}
END_TEST

static void lose_supervisor(struct app *app, unsigned n)
{
	(void)app;
	if (n == 2)
		tell(SUP_LOST, 0);
}

START_TEST(measuring_goes_on_without_the_supervisor)
{
	at_frame = lose_supervisor;
	ck_assert_int_eq(run(RECORD "-D 200ms"), EXIT_FAILED);
	ck_assert_uint_eq(times("write"), 1);
}
END_TEST

START_TEST(reset_twice_takes_it_back)
{
	struct app *app = begin(RECORD);

	model_zero(app->m, clock_now_ns());
	hist_record(app->m->groups[0].run, 1000);
	order(app, CMD_RESET, 0, 0);
	ck_assert_uint_eq(app->m->groups[0].run->count, 0);
	hist_record(app->m->groups[0].run, 2000);
	order(app, CMD_RESET, 0, 0);
	ck_assert_uint_eq(app->m->groups[0].run->count, 2);
	order(app, CMD_RESET, 0, 0);
	ck_assert_uint_eq(app->m->groups[0].run->count, 0);
	app_free(app);
}
END_TEST

START_TEST(a_key_after_quit_leaves_what_was_measured)
{
	struct app *app = begin("record -o /dev/null -f json -P wakeup@0 -P pair");

	order(app, CMD_PROBE_TOGGLE, 1, 0);
	model_zero(app->m, clock_now_ns());
	hist_record(app->m->groups[0].run, 1000);
	unsigned threads = times("thread");

	app_quit(app);
	order(app, CMD_PROBE_TOGGLE, 1, 0);
	order(app, CMD_PROBE_TOGGLE, 0, 0);
	order(app, CMD_RESET, 0, 0);
	ck_assert_uint_eq(times("thread"), threads);
	ck_assert(app->m->groups[0].on && !app->m->groups[1].on);
	ck_assert_uint_eq(app->m->groups[0].run->count, 1);
	ck_assert_str_eq(app->m->status, "too late: the run is ending");
	app_free(app);
}
END_TEST

START_TEST(a_probe_goes_off_and_on)
{
	struct app *app = begin("record -o /dev/null -f json -P wakeup@0 -P pair");

	ck_assert_str_eq(app->m->groups[1].name, "pair-0k");
	ck_assert_str_eq(app->m->groups[2].name, "pair-10k");
	order(app, CMD_PROBE_TOGGLE, 1, 0);
	ck_assert(!app->m->groups[1].on && !app->m->groups[2].on && app->m->groups[0].on);
	ck_assert_uint_eq(times("remove"), 2);
	order(app, CMD_PROBE_TOGGLE, 2, 0);
	ck_assert(app->m->groups[1].on && app->m->groups[2].on);
	ck_assert_uint_eq(times("thread"), 3);
	app_free(app);
}
END_TEST

static unsigned group_named(const struct app *app, const char *name)
{
	int group = model_group(app->m, name);

	ck_assert_msg(group >= 0, "no group %s", name);
	return (unsigned)group;
}

START_TEST(every_probe_of_the_registry_can_be_turned_on_later)
{
	struct app *app = begin("record -o /dev/null -f json -P call,size=8 -P wakeup@0");
	unsigned pair = group_named(app, "pair-0k");

	ck_assert_str_eq(app->m->groups[0].name, "call");
	ck_assert_str_eq(app->m->groups[1].name, "wakeup");
	ck_assert_uint_eq(app->m->nr_groups, 5);
	ck_assert(app->m->groups[0].on && app->m->groups[1].on && !app->m->groups[pair].on);
	/* What is off has no memory of its own. */
	ck_assert(!model_prepared(app->m, &app->m->groups[pair]));
	ck_assert(model_prepared(app->m, &app->m->groups[0]));
	order(app, CMD_PROBE_TOGGLE, pair, 0);
	ck_assert(app->m->groups[pair].on && app->m->groups[pair + 1].on);
	ck_assert(model_prepared(app->m, &app->m->groups[pair]));
	ck_assert_uint_eq(times("thread"), 2);
	ck_assert_uint_eq(times("add"), 4);
	order(app, CMD_PROBE_TOGGLE, pair + 1, 0);
	ck_assert(!app->m->groups[pair].on && app->m->groups[1].on);
	order(app, CMD_PROBE_TOGGLE, 99, 0);
	ck_assert(app->m->status_bad);
	app_free(app);
}
END_TEST

START_TEST(a_helper_probe_goes_on_off_and_on)
{
	struct app *app = begin(RECORD);
	unsigned call = group_named(app, "call");

	order(app, CMD_PROBE_TOGGLE, call, 0);
	ck_assert_uint_eq(times("probe-start"), 1);
	ck_assert_uint_eq(find("probe-start", 0)->arg, 2);
	order(app, CMD_PROBE_TOGGLE, call, 0);
	ck_assert_uint_eq(times("probe-stop"), 1);
	order(app, CMD_PROBE_TOGGLE, call, 0);
	tell(SUP_PROBE_STARTED, 2);
	app_loads_events(app);
	ck_assert(app->m->groups[call].on);
	ck_assert_str_eq(app->m->groups[call].error, "");
	app_free(app);
}
END_TEST

/* Without memory for its samples its process ends again. */
START_TEST(a_helper_that_cannot_be_collected_is_stopped)
{
	struct app *app = begin(RECORD);
	unsigned call = group_named(app, "call");

	adds_left = 0;
	order(app, CMD_PROBE_TOGGLE, call, 0);
	ck_assert(!app->m->groups[call].on && app->m->status_bad);
	ck_assert_uint_eq(times("probe-stop"), 1);
	ck_assert_uint_eq(times("remove"), 1);
	adds_left = UINT_MAX;
	order(app, CMD_PROBE_TOGGLE, call, 0);
	ck_assert(app->m->groups[call].on);
	app_free(app);
}
END_TEST

START_TEST(a_stop_that_was_not_heard_is_told)
{
	struct app *app = begin(RECORD);

	order(app, CMD_LOAD_START, 0, 1);
	app_loads_events(app);
	sup_busy = true;
	order(app, CMD_LOAD_STOP, 0, 0);
	ck_assert(app->m->status_bad && strstr(app->m->status, "busy"));
	ck_assert_int_eq(app->m->loads[0].state, LOAD_RUN);
	sup_busy = false;
	app_free(app);
}
END_TEST

START_TEST(a_run_without_its_watchdog_says_so)
{
	deny_watchdog = true;
	struct app *app = begin(RECORD);

	ck_assert_uint_eq(app->m->nr_badges, 1);
	ck_assert_str_eq(app->m->badges[0].name, "no-watchdog");
	deny_watchdog = false;
	app_watchdog_start(app);
	ck_assert_uint_eq(app->m->nr_badges, 0);
	app_free(app);
}
END_TEST

static void die(unsigned probe, int signal, int err)
{
	tell(SUP_PROBE_EXITED, probe);
	queue[queued - 1].signal = signal;
	queue[queued - 1].err = err;
}

START_TEST(a_helper_that_died_says_so_and_starts_again_when_selected)
{
	static const struct { int signal, err; const char *text; } deaths[] = {
		{ 9, 0, "signal 9" }, { 0, 1, "helper ended" },
	};
	struct app *app = begin(RECORD);
	unsigned call = group_named(app, "call");
	struct group *g = &app->m->groups[call];

	order(app, CMD_PROBE_TOGGLE, call, 0);
	for (unsigned i = 0; i < 2; i++) {
		tell(SUP_PROBE_STARTED, 2);
		hist_record(app->m->series[g->first].total, 1000);
		die(2, deaths[i].signal, deaths[i].err);
		app_loads_events(app);
		ck_assert(g->on && app->m->status_bad);
		ck_assert_ptr_nonnull(strstr(g->error, deaths[i].text));
		ck_assert_uint_eq(times("remove"), i + 1);
		order(app, CMD_PROBE_TOGGLE, call, 0);
		ck_assert(g->on);
		ck_assert_str_eq(g->error, "");
		ck_assert_uint_eq(times("probe-start"), i + 2);
		ck_assert_uint_eq(app->m->series[g->first].total->count, i + 1);
	}
	app_free(app);
}
END_TEST

START_TEST(helpers_die_with_the_supervisor)
{
	struct app *app = begin(RECORD);
	unsigned call = group_named(app, "call");

	order(app, CMD_PROBE_TOGGLE, call, 0);
	tell(SUP_LOST, 0);
	snprintf(queue[queued - 1].text, sizeof(queue[0].text), "stopped: supervisor died");
	app_loads_events(app);
	ck_assert_str_ne(app->m->groups[call].error, "");
	order(app, CMD_PROBE_TOGGLE, call, 0);
	ck_assert(app->m->status_bad);
	ck_assert_uint_eq(times("probe-start"), 1);
	app_free(app);
}
END_TEST

/* As the collector would: one sample more. */
static void take_shot(struct app *app, struct group *g, int64_t took_ns)
{
	struct series *s = &app->m->series[g->first];

	s->counts.due++;
	if (took_ns) {
		s->counts.count++;
		hist_record(s->total, took_ns);
	} else {
		s->counts.interrupted++;
		s->counts.errors++;
		s->last_errno = ENOENT;
	}
}

START_TEST(a_shot_is_taken_once_and_told)
{
	struct app *app = begin(RECORD);
	unsigned shot = group_named(app, "shot");
	struct group *g = &app->m->groups[shot];

	order(app, CMD_PROBE_TOGGLE, shot, 0);
	app_probes_tick(app);
	ck_assert(g->on);
	take_shot(app, g, 25 * NS_PER_MS);
	app_probes_tick(app);
	ck_assert(!g->on);
	ck_assert_uint_eq(times("probe-stop"), 1);
	ck_assert_str_eq(app->m->status, "shot: 25.0ms");
	/* The second one is told by its own value, a failure by its reason. */
	order(app, CMD_PROBE_TOGGLE, shot, 0);
	ck_assert(g->on);
	take_shot(app, g, 40 * NS_PER_MS);
	app_probes_tick(app);
	ck_assert_str_eq(app->m->status, "shot: 40.0ms");
	order(app, CMD_PROBE_TOGGLE, shot, 0);
	take_shot(app, g, 0);
	app_probes_tick(app);
	ck_assert(!g->on && app->m->status_bad);
	ck_assert_ptr_nonnull(strstr(app->m->status, "No such file"));
	app_free(app);
}
END_TEST

START_TEST(a_shot_whose_process_ends_at_once_counts_too)
{
	struct app *app = begin(RECORD);
	unsigned shot = group_named(app, "shot");

	order(app, CMD_PROBE_TOGGLE, shot, 0);
	tell(SUP_PROBE_STARTED, 3);
	take_shot(app, &app->m->groups[shot], 7 * NS_PER_MS);
	die(3, 0, 0);
	app_loads_events(app);
	ck_assert(!app->m->groups[shot].on);
	ck_assert_str_eq(app->m->status, "shot: 7.00ms");
	app_free(app);
}
END_TEST

/* What is shown begins anew; what was asked for does not. */
START_TEST(a_shot_outlives_a_reset_and_its_undo)
{
	struct app *app = begin(RECORD);
	unsigned shot = group_named(app, "shot");
	struct group *g = &app->m->groups[shot];
	static const enum command before[][2] = {
		{ CMD_RESET, CMD_MARK }, { CMD_RESET, CMD_RESET }, { CMD_MARK, CMD_RESET },
	};

	for (unsigned i = 0; i < 3; i++) {
		order(app, CMD_PROBE_TOGGLE, shot, 0);
		order(app, before[i][0], 0, 0);
		app_probes_tick(app);
		ck_assert(g->on);
		order(app, before[i][1], 0, 0);
		take_shot(app, g, (i + 1) * NS_PER_MS);
		app_probes_tick(app);
		ck_assert(!g->on && !app->m->status_bad);
		ck_assert_str_eq(app->m->status, i == 0 ? "shot: 1.00ms" : i == 1 ? "shot: 2.00ms"
				 : "shot: 3.00ms");
		app->reset_ns = 0;
	}
	app_free(app);
}
END_TEST

START_TEST(a_shot_that_was_interrupted_says_so_and_not_an_old_error)
{
	struct app *app = begin(RECORD);
	unsigned shot = group_named(app, "shot");
	struct group *g = &app->m->groups[shot];

	order(app, CMD_PROBE_TOGGLE, shot, 0);
	take_shot(app, g, 0);
	app_probes_tick(app);
	ck_assert_ptr_nonnull(strstr(app->m->status, "No such file"));
	order(app, CMD_PROBE_TOGGLE, shot, 0);
	app->m->series[g->first].counts.due++;
	app->m->series[g->first].counts.interrupted++;
	app_probes_tick(app);
	ck_assert(!g->on);
	ck_assert_str_eq(app->m->status, "shot: no sample: interrupted meanwhile; ask again");
	app_free(app);
}
END_TEST

/* A record ticks once a second: the mark is not of the last tick. */
START_TEST(a_shot_is_marked_when_it_is_known)
{
	struct app *app = begin(RECORD);
	unsigned shot = group_named(app, "shot");

	order(app, CMD_PROBE_TOGGLE, shot, 0);
	app->m->now_ns -= NS_PER_S;
	int64_t before_ns = clock_now_ns();

	take_shot(app, &app->m->groups[shot], NS_PER_MS);
	app_probes_tick(app);
	ck_assert_int_ge(app->m->events[app->m->nr_events - 1].t_ns, before_ns);
	app_free(app);
}
END_TEST

START_TEST(a_shot_of_the_command_line_is_asked_for_when_time_zero_is_known)
{
	struct app *app = begin("record -o /dev/null -f json -i 1ms -P wakeup -P shot -P call");

	ck_assert_uint_eq(times("probe-start"), 2);
	ck_assert_uint_eq(find("probe-start", 0)->arg, 2);
	ordered("probe-start", "release");
	ck_assert_uint_eq(find("probe-start", 1)->arg, 3);
	ck_assert(find("release", 0) < find("probe-start", 1));
	ck_assert(app->m->groups[group_named(app, "shot")].on);
	app_free(app);
	app = begin("record -o /dev/null -f json -i 1ms -P shot");
	ck_assert_uint_eq(times("probe-start"), 3);
	app_free(app);
}
END_TEST

START_TEST(turning_a_probe_on_gives_no_real_time_back)
{
	struct app *app = begin(RECORD);

	ck_assert(app->m->groups[0].have_rt);
	demotions = 1;
	order(app, CMD_PROBE_TOGGLE, group_named(app, "pair-0k"), 0);
	ck_assert(!app->m->groups[0].have_rt);
	demotions = 0;
	app_free(app);
}
END_TEST

START_TEST(a_probe_that_was_asked_for_and_cannot_be_had_fails_a_record)
{
	ck_assert_int_eq(run(RECORD "-D 20ms -P call --no-loads"), EXIT_FAILED);
	ck_assert_uint_eq(times("write"), 1);
}
END_TEST

static const struct badge *badge_named(const struct app *app, const char *name)
{
	for (unsigned i = 0; i < app->m->nr_badges; i++)
		if (!strcmp(app->m->badges[i].name, name))
			return &app->m->badges[i];
	return NULL;
}

/* The line that says why is soon gone. */
START_TEST(a_probe_that_was_asked_for_and_cannot_be_had_leaves_a_badge)
{
	struct app *app = begin(RECORD "-P call --no-loads");
	const struct badge *b = badge_named(app, "no-call");

	ck_assert_ptr_nonnull(b);
	ck_assert_str_eq(b->level, "warn");
	ck_assert_ptr_nonnull(strstr(b->text, "call"));
	ck_assert(!app->m->groups[group_named(app, "call")].on);
	app_free(app);
	app = begin(RECORD "-P call");
	ck_assert_ptr_null(badge_named(app, "no-call"));
	app_free(app);
}
END_TEST

START_TEST(samplers_that_cannot_start_end_the_program_with_why)
{
	struct why why = { 0, "" };
	char *argv[] = { (char *)"jitterscope", (char *)"record" };

	deny_samplers = true;
	ck_assert_int_eq(options_parse(&o, 2, argv, &why), 0);
	struct app *app = app_new(&o, &front, &why);

	ck_assert_int_lt(app_start(app, &why), 0);
	ck_assert_ptr_nonnull(strstr(why.text, "no thread"));
	app_free(app);
}
END_TEST

START_TEST(a_cpu_that_is_not_there_is_refused_by_number)
{
	struct why why = { 0, "" };
	char *argv[] = { (char *)"jitterscope", (char *)"record", (char *)"-c", (char *)"4095" };

	ck_assert_int_eq(options_parse(&o, 4, argv, &why), 0);
	ck_assert_ptr_null(app_new(&o, &front, &why));
	ck_assert_int_eq(why.err, -EINVAL);
	ck_assert_ptr_nonnull(strstr(why.text, "4095"));
}
END_TEST

START_TEST(all_samplers_count_from_time_zero)
{
	struct app *app = begin(RECORD);

	ck_assert_int_gt(count_from_ns, 0);
	ck_assert_int_eq(count_from_ns, app->m->zero_at_ns);
	app_free(app);
}
END_TEST

START_TEST(phases_differ_by_cpu_and_follow_the_seed)
{
	struct app *app = begin("record -o /dev/null -f json -i 1ms -P wakeup --seed 7");
	int64_t first = started[0].phase_ns;

	for (unsigned i = 0; i < nr_started; i++)
		ck_assert(started[i].phase_ns >= 0 && started[i].phase_ns < NS_PER_MS);
	app_free(app);
	nr_started = 0;
	app_free(begin("record -o /dev/null -f json -i 1ms -P wakeup --seed 7"));
	ck_assert_int_eq(started[0].phase_ns, first);
	nr_started = 0;
	app_free(begin("record -o /dev/null -f json -i 1ms -P wakeup --seed 8"));
	ck_assert_int_ne(started[0].phase_ns, first);
}
END_TEST

START_TEST(phases_of_a_probe_are_one_when_aligned)
{
	struct app *app = begin("record -o /dev/null -f json -i 1ms -P wakeup --align");

	ck_assert_uint_ge(nr_started, 2);
	for (unsigned i = 0; i < nr_started; i++) {
		ck_assert_int_eq(started[i].phase_ns, started[0].phase_ns);
		ck_assert_int_eq(app->m->series[i].phase_ns, started[i].phase_ns);
	}
	app_free(app);
	nr_started = 0;
	app = begin("record -o /dev/null -f json -i 1ms -P wakeup");
	ck_assert_int_ne(started[0].phase_ns, started[1].phase_ns);
	app_free(app);
}
END_TEST

START_TEST(rings_keep_thirty_seconds_where_memory_allows)
{
	unsigned room = app_ring_room(NS_PER_MS, 4, 16 << 20);

	ck_assert_uint_ge(room, 30000);
	ck_assert_uint_eq(room & (room - 1), 0);
	ck_assert_uint_ge(app_ring_room(100 * NS_PER_US, 4, 16 << 20), 300000);
	/* Many CPUs: the sum stays bounded and a ring never vanishes. */
	for (unsigned rings = 1; rings <= 8192; rings *= 2) {
		room = app_ring_room(100 * NS_PER_US, rings, 4 << 20);
		ck_assert_uint_ge(room, 1024);
		if (room > 1024)
			ck_assert_uint_le((uint64_t)room * rings * 16, UINT64_C(256) << 20);
	}
	ck_assert_uint_le(app_ring_room(1, 1, INT64_MAX / 2048), 1u << 20);
}
END_TEST

START_TEST(warm_up_is_a_hundred_wakes_but_not_over_a_second)
{
	ck_assert_uint_eq(app_warmup(NS_PER_MS), 100);
	ck_assert_uint_eq(app_warmup(100 * NS_PER_US), 100);
	ck_assert_uint_eq(app_warmup(NS_PER_S), 1);
	ck_assert_uint_eq(app_warmup(100 * NS_PER_MS), 10);
}
END_TEST

START_TEST(a_break_is_told_apart_from_a_spike)
{
	struct app *app = begin(RECORD "--spike 5ms --break 2ms");

	ck_assert_int_eq(app_spike_threshold(&o), 2 * NS_PER_MS);
	struct spike spike = { .t_ns = 5000, .late_ns = NS_PER_MS };

	ck_assert(!app_spike(app, 0, 0, &spike));
	ck_assert_int_eq(app_broke_ns(app), 0);
	spike.late_ns = 3 * NS_PER_MS;
	ck_assert(!app_spike(app, 0, 0, &spike));
	ck_assert_int_eq(app_broke_ns(app), 5000);
	spike = (struct spike){ .t_ns = 9000, .late_ns = 6 * NS_PER_MS };
	ck_assert(app_spike(app, 0, 0, &spike));
	ck_assert_int_eq(app_broke_ns(app), 5000);
	/* Whose it was is told, on the line and in the mark. */
	ck_assert_uint_eq(app_broke_group(app), app->m->series[0].group);
	ck_assert_ptr_nonnull(strstr(app->m->status, "break: wakeup cpu0 was 3.00ms late"));
	ck_assert_str_eq(app->m->events[app->m->nr_events - 1].text, "break: wakeup cpu0 3.00ms");
	app_free(app);
}
END_TEST

static bool can_slow;
static bool slower(void *self)
{
	(void)self;
	note("slower", 0);
	return can_slow;
}

static void pace(struct app *app, unsigned frames_drawn, int64_t took_ns)
{
	while (frames_drawn--)
		app_paced(app, took_ns, true);
}

/* Wakings in ten seconds: frames on the clock's grid, ticks so far off it. */
static unsigned wakings(int64_t period_ns, int64_t off_ns)
{
	int64_t tick_ns = off_ns, frame_ns = period_ns, last_ns = off_ns - period_ns, now_ns = 0;
	unsigned n = 0;

	for (; now_ns < 10 * NS_PER_S; n++) {
		now_ns = (tick_ns < frame_ns ? tick_ns : frame_ns) + 50 * NS_PER_US;
		if (now_ns >= tick_ns ||
		    (now_ns >= frame_ns && app_tick_joins(now_ns - last_ns, period_ns))) {
			last_ns = now_ns;
			tick_ns = now_ns + app_tick_latest(period_ns);
		}
		if (now_ns >= frame_ns)
			frame_ns = (now_ns / period_ns + 1) * period_ns;
	}
	return n;
}

START_TEST(ticks_and_frames_of_one_period_share_their_wakings)
{
	const int64_t period_ns = 250 * NS_PER_MS;

	for (int64_t off_ns = 0; off_ns < period_ns; off_ns += NS_PER_MS)
		ck_assert_uint_le(wakings(period_ns, off_ns), 45);
}
END_TEST

START_TEST(slow_frames_get_fewer_and_then_main_steps_down)
{
	static const int64_t slow = 21 * NS_PER_MS, quick = 20 * NS_PER_MS;

	screen = true;
	can_slow = true;
	front.slower = slower;
	struct app *app = begin("-i 1ms -P wakeup@0");

	pace(app, 9, slow);
	pace(app, 1, quick);
	pace(app, 9, slow);
	ck_assert_uint_eq(times("slower"), 0);
	/* Turns in which nothing was drawn are no frames. */
	app_paced(app, 0, false);
	pace(app, 1, slow);
	ck_assert_uint_eq(times("slower"), 1);
	ck_assert(app->m->status_bad && !app->main_demoted);
	pace(app, 10, slow);
	ck_assert(app->main_demoted);
	ck_assert_ptr_nonnull(strstr(app->m->status, "gave up real time"));
	ck_assert_uint_eq(times("unwatch"), 1);
	ck_assert_uint_eq(times("watchdog"), 2);
	pace(app, 30, slow);
	ck_assert_uint_eq(times("unwatch"), 1);
	app_free(app);
	front.slower = NULL;
}
END_TEST

START_TEST(a_lock_that_holds_no_sampler_is_no_lock)
{
	struct app *app = begin(RECORD);

	ck_assert_int_eq(app->m->tiers.lock, RT_LOCK_SAMPLERS);
	app_free(app);
	deny_lock = true;
	app = begin(RECORD);
	ck_assert_int_eq(app->m->tiers.lock, RT_LOCK_NONE);
	ck_assert_ptr_nonnull(strstr(app->rights.lock_why.text, "memlock"));
	app_free(app);
	deny_lock = false;
}
END_TEST

START_TEST(without_real_time_there_is_nothing_to_give_up)
{
	deny_rt = true;
	struct app *app = begin(RECORD);

	pace(app, 40, NS_PER_S);
	ck_assert(!app->main_demoted);
	app_free(app);
}
END_TEST

static void run_away(struct app *app, unsigned n)
{
	(void)app;
	if (n == 2) {
		xcpu_tid = getpid();
		xcpu = 1;
	}
}

START_TEST(a_main_that_ran_on_is_no_sampler_that_lost_real_time)
{
	at_frame = run_away;
	ck_assert_int_eq(run(RECORD "-D 1200ms --require-rt"), EXIT_OK);
	ck_assert_uint_eq(times("restore-rttime"), 1);
}
END_TEST

static struct series *series_of(struct app *app, int cpu)
{
	for (unsigned i = 0; i < app->m->nr_series; i++) {
		if (app->m->series[i].cpu == cpu)
			return &app->m->series[i];
	}
	ck_abort_msg("no series for cpu %d", cpu);
	return NULL;
}

START_TEST(each_of_several_that_lost_real_time_is_told)
{
	struct app *app = begin("record -o /dev/null -f json -i 1ms -P wakeup -c 0-1");

	xcpu = 2;
	xcpu_too = 101;
	app_watch(app);
	ck_assert_str_eq(series_of(app, 0)->policy, "SCHED_OTHER");
	ck_assert_str_eq(series_of(app, 1)->policy, "SCHED_OTHER");
	unsigned events = app->m->nr_events;

	/* Once each. */
	xcpu = 3;
	app_watch(app);
	ck_assert_uint_eq(app->m->nr_events, events);
	app_free(app);
}
END_TEST

/* F29: it is told of also where the ring has said so before. */
START_TEST(one_whose_series_says_so_already_is_told_too)
{
	struct app *app = begin("record -o /dev/null -f json -i 1ms -P wakeup -c 0-1");

	snprintf(series_of(app, 0)->policy, sizeof(series_of(app, 0)->policy), "SCHED_OTHER");
	xcpu = 1;
	app_watch(app);
	ck_assert_uint_eq(app->m->nr_events, 1);
	ck_assert_str_eq(app->m->events[0].kind, "rt");
	ck_assert(!app->was_rt);
	app_free(app);
}
END_TEST

START_TEST(all_samplers_have_one_deadline_to_end)
{
	run("record -o /dev/null -f json -i 1ms -P wakeup -P call -c 0-1 -D 20ms");
	ck_assert(find("join", 1) < find("finish", 0));
	ck_assert_uint_eq(find("join", 0)->arg, find("join", 1)->arg);
	/* All are asked before the first is waited for. */
	ck_assert(find("ask-stop", 1) < find("join", 0));
}
END_TEST

START_TEST(a_snapshot_that_is_stuck_fails_the_run)
{
	slow_disk = true;
	ck_assert_int_eq(run(RECORD "-D 20ms"), EXIT_FAILED);
}
END_TEST

static void hang_up(struct app *app, unsigned n)
{
	(void)app;
	if (n == 20) {
		kill(getpid(), SIGHUP);
		kill(getpid(), SIGCONT);
	}
	if (n == 21)
		app_terminal_gone(app);
}

START_TEST(a_hang_up_is_one_quit_and_no_stop)
{
	int64_t begun_ns = clock_now_ns();

	signal(SIGHUP, SIG_DFL);	/* also where the tests were started with nohup */
	stubborn = true;
	at_frame = hang_up;
	run(RECORD "-D 10s -l fork");
	for (unsigned i = 0; i < times("gap"); i++)	/* a CPU that went leaves one, too */
		ck_assert_uint_ne(find("gap", i)->arg, GAP_STOP);
	/* Its load had the time to end. */
	ck_assert_int_ge(clock_now_ns() - begun_ns, APP_STOP_NS);
	ck_assert_int_eq(find("quit", 0)->arg, APP_GRACE_MS);
	ck_assert_uint_eq(times("write"), 1);
}
END_TEST

static void gone_at_once(struct app *app, unsigned n)
{
	if (n)
		return;
	next_frame_after_ns = INT64_MAX;
	app_terminal_gone(app);
}

START_TEST(a_terminal_gone_with_the_first_frame_ends_the_run)
{
	screen = true;
	at_frame = gone_at_once;
	struct app *app = begin("-i 1ms -P wakeup@0");

	ck_assert(app_ending(app));
	ck_assert_int_eq(app->next_frame_ns, INT64_MAX);
	ck_assert_uint_eq(times("release"), 0);		/* its samplers have ended */
	app_run(app);
	ck_assert_uint_eq(times("close"), 1);
	app_free(app);
}
END_TEST

START_TEST(a_terminal_gone_with_the_first_frame_ends_a_replay)
{
	const struct model_spec spec = { .groups = 1, .series = 1, .digits = 3,
					 .start_ns = clock_now_ns() };
	struct model *m = model_new(&spec);
	struct why why = { 0, "" };

	ck_assert_ptr_nonnull(m);
	m->replay = true;
	screen = true;
	at_frame = gone_at_once;
	front.resize = front_resize;
	memset(&o, 0, sizeof(o));
	struct app *app = app_new(&o, &front, &why);

	ck_assert_int_eq(app_replay(app, m, &why), 0);
	ck_assert(app_ending(app));
	app_run(app);
	app_free(app);
}
END_TEST

static void hang_up_once(struct app *app, unsigned n)
{
	(void)app;
	if (n == 2)
		kill(getpid(), SIGHUP);
}

START_TEST(a_hang_up_that_was_ignored_at_the_start_stays_so)
{
	int64_t begun_ns = clock_now_ns();

	signal(SIGHUP, SIG_IGN);
	at_frame = hang_up_once;
	ck_assert_int_eq(run(RECORD "-D 300ms"), EXIT_OK);
	ck_assert_int_ge(clock_now_ns() - begun_ns, 300 * NS_PER_MS);
	ck_assert_uint_eq(times("write"), 1);
}
END_TEST

START_TEST(a_baseline_is_read_before_anything_samples)
{
	struct why why = { 0, "" };
	char *argv[] = { (char *)"jitterscope", (char *)"--baseline", (char *)"/nonexistent.json" };

	ck_assert_int_eq(options_parse(&o, 3, argv, &why), 0);
	struct app *app = app_new(&o, &front, &why);

	ck_assert_int_lt(app_start(app, &why), 0);
	ck_assert_uint_eq(times("thread"), 0);
	app_free(app);
}
END_TEST

START_TEST(a_baseline_from_a_file_belongs_to_its_series)
{
	baseline_of = "wakeup";
	struct app *app = begin(LIVE "--baseline some.json");

	ck_assert_uint_eq(app->m->groups[0].baseline->count, 3);
	ck_assert_str_eq(app->m->baseline.name, "some.json");
	ck_assert_ptr_nonnull(strstr(app->m->baseline.facts, "0.0-other, 63 CPUs"));
	ck_assert_ptr_nonnull(strstr(app->m->baseline.differs, "kernel, CPUs measured"));
	app_free(app);
	baseline_of = "another";
	app = begin(LIVE "--baseline some.json");
	ck_assert_uint_eq(app->m->groups[0].baseline->count, 0);
	ck_assert_str_eq(app->m->status, "some.json: holds no series measured here");
	app_free(app);
}
END_TEST

START_TEST(a_break_without_a_trace_says_why_and_what_to_do)
{
	static const char *const files[] = { NULL, "/sys/kernel/tracing/tracing_on" };
	static const char *const says[] = {
		"runs on: /sys/kernel/tracing: not mounted; sudo mount -t tracefs none "
		"/sys/kernel/tracing", "kernel tracing stopped" };

	for (int i = 0; i < 2; i++) {
		faked_root_make();
		if (files[i])
			faked_root_file(files[i], "1");
		struct app *app = begin(RECORD "--break 5ms");
		struct spike spike = { .t_ns = 5000, .late_ns = 6 * NS_PER_MS };

		app_spike(app, 0, 0, &spike);
		ck_assert_ptr_nonnull(strstr(app->m->status, says[i]));
		app_free(app);
		faked_root_gone();
	}
}
END_TEST

START_TEST(a_bell_rings_for_spikes_that_are_kept_once_a_second)
{
	struct app *app = begin(RECORD "--spike 5ms --bell");
	struct spike spike = { .t_ns = 5000, .late_ns = NS_PER_MS };

	app_spike(app, 0, 0, &spike);
	ck_assert(!app_bell(app));
	spike.late_ns = 6 * NS_PER_MS;
	app_spike(app, 0, 0, &spike);
	ck_assert(app_bell(app));
	app_spike(app, 0, 0, &spike);
	ck_assert(!app_bell(app));
	app->bell_ns -= NS_PER_S;
	ck_assert(app_bell(app));
	app_free(app);
	app = begin(RECORD "--spike 5ms");
	app_spike(app, 0, 0, &spike);
	ck_assert(!app_bell(app));
	app_free(app);
}
END_TEST

/* ---- CPUs that come and go, below a faked root ---- */

#define ONLINE "/sys/devices/system/cpu/online"

static bool cpus_are_faked;

/* The linker takes this one: every thread may run on the first two, wherever
 * the tests may. */
int sched_getaffinity(pid_t tid, size_t bytes, cpu_set_t *mask)
{
	memset(mask, 0, bytes);
	if (!cpus_are_faked)
		return syscall(SYS_sched_getaffinity, tid, bytes, mask) < 0 ? -1 : 0;
	CPU_SET_S(0, bytes, mask);
	CPU_SET_S(1, bytes, mask);
	return 0;
}

static void real_cpus(void)
{
	cpus_are_faked = false;
	faked_root_gone();
}

static void fake_cpus(const char *online, const char *present)
{
	char status[64];

	cpus_are_faked = true;
	faked_root_make();
	faked_root_file(ONLINE, online);
	faked_root_file("/sys/devices/system/cpu/present", present);
	snprintf(status, sizeof(status), "Name:\tx\nCpus_allowed_list:\t%s\n", present);
	faked_root_file("/proc/self/status", status);
}

START_TEST(a_cpu_that_leaves_is_marked_and_brought_back)
{
	fake_cpus("0-1\n", "0-1\n");
	struct app *app = begin("record -o /dev/null -f json -i 1ms -P wakeup -c 0-1");

	app_hotplug(app, clock_now_ns());
	ck_assert_uint_eq(times("gap"), 0);
	faked_root_file(ONLINE, "0\n");
	app_hotplug(app, clock_now_ns());
	ck_assert_uint_eq(times("gap"), 1);
	ck_assert_uint_eq(find("gap", 0)->arg, GAP_HOTPLUG);
	ck_assert(series_of(app, 1)->offline && !series_of(app, 0)->offline);
	ck_assert_str_eq(app->m->events[app->m->nr_events - 1].text, "cpu 1 went offline");
	faked_root_file(ONLINE, "0-1\n");
	app_hotplug(app, clock_now_ns());
	ck_assert_uint_eq(times("gap"), 2);
	ck_assert_uint_eq(times("repin"), 1);
	ck_assert_uint_eq(find("repin", 0)->arg, 1);
	/* Its first sample from there says that it is back, not the kernel. */
	ck_assert(series_of(app, 1)->offline);
	ck_assert_uint_eq(times("thread"), 2);
	app_free(app);
	real_cpus();
}
END_TEST

START_TEST(a_cpu_that_was_off_at_the_start_is_measured_when_it_comes)
{
	fake_cpus("0-1\n", "0-2\n");
	struct app *app = begin("record -o /dev/null -f json -i 1ms -P wakeup");

	ck_assert_uint_eq(times("thread"), 2);
	ck_assert_uint_eq(times("release"), 2);
	ck_assert(series_of(app, 2)->offline);
	ck_assert(!model_series_prepared(app->m, series_of(app, 2)));
	ck_assert(!cpuset_has(&app->m->measured, 2));
	faked_root_file(ONLINE, "0-2\n");
	app_hotplug(app, clock_now_ns());
	ck_assert_uint_eq(times("thread"), 2);	/* nobody can be pinned to it yet */
	app_hotplug(app, clock_now_ns() + NS_PER_S);
	ck_assert_uint_eq(times("thread"), 3);
	ck_assert_int_eq(started[2].cpu, 2);
	/* The others began long ago. */
	ck_assert_uint_eq(times("release"), 3);
	ck_assert_uint_eq(times("add"), 3);
	ck_assert(!series_of(app, 2)->offline && cpuset_has(&app->m->measured, 2));
	ck_assert_str_eq(series_of(app, 2)->policy, "SCHED_FIFO");
	ck_assert_uint_eq(find("watchdog", times("watchdog") - 1)->arg, 3);
	/* Once more: it has its sampler. */
	faked_root_file(ONLINE, "0-1\n");
	app_hotplug(app, clock_now_ns());
	faked_root_file(ONLINE, "0-2\n");
	app_hotplug(app, clock_now_ns());
	app_hotplug(app, clock_now_ns() + NS_PER_S);
	ck_assert_uint_eq(times("thread"), 3);
	ck_assert_uint_eq(times("repin"), 1);
	app_free(app);
	real_cpus();
}
END_TEST

/* One phase for all is one time for all: of those that come late as well. */
START_TEST(who_comes_late_wakes_with_the_others)
{
	fake_cpus("0-1\n", "0-2\n");
	struct app *app = begin("record -o /dev/null -f json -i 250ms -P wakeup --align");

	ck_assert_int_eq(released_ns[1], released_ns[0]);
	faked_root_file(ONLINE, "0-2\n");
	app_hotplug(app, clock_now_ns());
	clock_wait_until(clock_now_ns() + 3 * NS_PER_MS);
	app_hotplug(app, clock_now_ns() + NS_PER_S);
	ck_assert_int_eq(started[2].cpu, 2);
	ck_assert_int_eq(started[2].phase_ns, started[0].phase_ns);
	ck_assert_int_eq((released_ns[2] - released_ns[0]) % (250 * NS_PER_MS), 0);
	app_free(app);
	real_cpus();
}
END_TEST

START_TEST(cpus_that_were_not_asked_for_may_come_and_go)
{
	fake_cpus("0-1\n", "0-3\n");
	struct app *app = begin("record -o /dev/null -f json -i 1ms -P wakeup -c 0");

	faked_root_file(ONLINE, "0,3\n");
	app_hotplug(app, clock_now_ns());
	ck_assert_uint_eq(times("thread"), 1);
	ck_assert(!series_of(app, 0)->offline);
	ck_assert(cpuset_has(&app->m->system.online, 3) && !cpuset_has(&app->m->system.online, 1));
	/* A kernel that does not say changes nothing. */
	faked_root_remove(ONLINE);
	app_hotplug(app, clock_now_ns());
	ck_assert_uint_eq(times("gap"), 1);
	app_free(app);
	real_cpus();
}
END_TEST

/* The samplers are said to be this thread, which is not pinned. */
START_TEST(a_sampler_that_strays_is_counted_unless_its_cpu_was_away)
{
	const char *args = "record -o /dev/null -f json -i 1ms -P wakeup -c 1";
	int64_t t = clock_now_ns();

	fake_cpus("0-1\n", "0-1\n");
	struct app *app = begin(args);

	every_tid = getpid();
	app_check_pins(app, t);
	ck_assert_uint_eq(series_of(app, 1)->strayed, 1);
	ck_assert_uint_eq(times("repin"), 1);
	/* It goes, and is unpinned before that can be seen. */
	t += 4 * NS_PER_S;
	app_check_pins(app, t);
	ck_assert_uint_eq(series_of(app, 1)->strayed, 2);
	/* It has gone, and the loop does not know yet; then it does. */
	faked_root_file(ONLINE, "0\n");
	app_check_pins(app, t + NS_PER_S);
	app_hotplug(app, t + NS_PER_S);
	ck_assert_uint_eq(series_of(app, 1)->strayed, 1);
	app_check_pins(app, t + 2 * NS_PER_S);
	/* It is back, and cannot be pinned to at once. */
	faked_root_file(ONLINE, "0-1\n");
	app_hotplug(app, t + 3 * NS_PER_S);
	app_check_pins(app, t + 4 * NS_PER_S);
	app_check_pins(app, t + 5 * NS_PER_S);
	ck_assert_uint_eq(series_of(app, 1)->strayed, 1);
	ck_assert_uint_ge(times("repin"), 4);
	app_check_pins(app, t + 7 * NS_PER_S);
	ck_assert_uint_eq(series_of(app, 1)->strayed, 2);
	every_tid = 0;
	app_free(app);
	real_cpus();
}
END_TEST

/* 33 samplers are looked at in two seconds: each look stands for both. */
START_TEST(where_not_all_are_looked_at_each_second_a_look_is_more)
{
	struct sampler *many[33], **own;
	unsigned nr;

	fake_cpus("0-1\n", "0-1\n");
	struct app *app = begin("record -o /dev/null -f json -i 1ms -P wakeup -c 1");

	own = app->samplers;
	nr = app->nr_samplers;
	for (int i = 0; i < 33; i++)
		many[i] = own[0];
	app->samplers = many;
	app->nr_samplers = 33;
	every_tid = getpid();
	app_check_pins(app, clock_now_ns());
	ck_assert_uint_eq(series_of(app, 1)->strayed, 32 * 2);
	every_tid = 0;
	app->samplers = own;
	app->nr_samplers = nr;
	app_free(app);
	real_cpus();
}
END_TEST

static void winch_then_term(struct app *app, unsigned n)
{
	(void)app;
	if (n == 2)
		kill(getpid(), SIGWINCH);
	if (n == 4)
		kill(getpid(), SIGTERM);
}

START_TEST(a_screen_hears_of_its_size_and_writes_nothing_unasked)
{
	screen = true;
	at_frame = winch_then_term;
	ck_assert_int_eq(run("-i 1ms -P wakeup@0"), EXIT_OK);
	ck_assert_uint_ge(times("resize"), 1);
	ck_assert_uint_eq(times("write"), 0);
}
END_TEST

START_TEST(a_screen_with_a_format_leaves_its_result)
{
	screen = true;
	at_frame = winch_then_term;
	ck_assert_int_eq(run("-i 1ms -P wakeup@0 -f json"), EXIT_OK);
	/* Once to try the format, before; once on the screen that was given back. */
	ck_assert_uint_eq(times("write"), 2);
	ck_assert(find("write", 0) < find("close", 0) && find("close", 0) < find("write", 1));
}
END_TEST

START_TEST(a_stop_from_outside_is_a_gap)
{
	struct app *app = begin(RECORD);

	kill(getpid(), SIGCONT);
	app_signals_read(app);
	ck_assert_uint_eq(times("gap"), 1);
	ck_assert_uint_eq(find("gap", 0)->arg, GAP_STOP);
	app_free(app);
}
END_TEST

static void add_tests(TCase *tc)
{
	tcase_add_test(tc, everything_starts_in_the_order_that_keeps_it_safe);
	tcase_add_test(tc, a_run_lasts_its_duration_from_the_end_of_warm_up);
	tcase_add_test(tc, a_schedule_is_kept_and_never_early);
	tcase_add_test(tc, a_schedule_without_duration_ends_a_record);
	tcase_add_test(tc, an_interrupt_ends_a_record_and_writes_it);
	tcase_add_test(tc, a_termination_ends_a_record_and_writes_it);
	tcase_add_test(tc, a_dropped_record_is_not_written);
	tcase_add_test(tc, usr1_saves_a_set_and_goes_on);
	tcase_add_test(tc, ignored_signals_still_end_a_record_started_by_a_script);
	tcase_add_test(tc, the_worst_exit_code_wins);
	tcase_add_test(tc, missing_real_time_fails_only_where_it_is_required);
	tcase_add_test(tc, real_time_that_was_taken_away_counts_as_missing);
	tcase_add_test(tc, a_limit_that_was_passed_is_exit_4);
	tcase_add_test(tc, a_wait_that_has_not_ended_passes_no_limit);
	tcase_add_test(tc, what_was_not_measured_passes_no_limit);
	tcase_add_loop_test(tc, a_percentile_that_too_few_samples_carry_passes_no_limit, 0,
			    sizeof(carried) / sizeof(carried[0]));
	tcase_add_test(tc, a_cpu_without_its_sampler_fails_a_record_and_has_no_real_time);
	tcase_add_test(tc, a_sampler_that_fails_on_the_way_fails_a_record);
	tcase_add_test(tc, a_helper_that_was_asked_for_and_died_fails_a_record);
	tcase_add_test(tc, a_helper_that_died_is_beside_the_figures);
	tcase_add_test(tc, a_result_that_cannot_be_written_is_exit_1);
	tcase_add_test(tc, numbers_of_a_result_do_not_follow_the_users_locale);
	tcase_add_test(tc, a_recording_is_fed_while_the_run_goes_on_and_closed_once);
	tcase_add_test(tc, a_limit_is_said_to_be_passed_where_it_was);
	tcase_add_test(tc, a_summary_says_what_was_measured_and_where_it_is);
	tcase_add_test(tc, a_summary_is_for_a_person_only);
	tcase_add_loop_test(tc, a_recording_that_fails_is_told_of_once, 0, 2);
	tcase_add_test(tc, a_sampler_that_cannot_start_is_not_told_of_before_the_front_does);
	tcase_add_test(tc, what_became_of_a_save_is_told);
	tcase_add_test(tc, saves_that_pile_up_are_refused_until_the_disk_is_done);
	tcase_add_test(tc, processes_left_behind_are_exit_1);
	tcase_add_test(tc, scratch_that_is_still_being_deleted_is_waited_for_and_no_failure);
	tcase_add_test(tc, a_load_that_does_not_end_does_not_hold_the_run);
	tcase_add_test(tc, without_a_supervisor_a_load_key_says_why);
	tcase_add_test(tc, a_load_that_is_no_load_is_refused);
	tcase_add_test(tc, other_workers_stop_a_load_and_start_it_anew);
	tcase_add_test(tc, a_load_stays_on_its_cpus_until_it_is_told_otherwise);
	tcase_add_test(tc, a_list_of_cpus_that_is_too_long_ends_between_two);
	tcase_add_test(tc, stop_all_takes_back_a_start_that_waits);
	tcase_add_test(tc, a_load_started_by_key_has_a_time_limit_one_of_the_schedule_has_not);
	tcase_add_test(tc, a_refused_load_fails_a_record_and_costs_no_data);
	tcase_add_test(tc, an_order_within_the_run_is_carried_out_however_late_the_turn);
	tcase_add_test(tc, a_load_the_run_was_too_short_for_fails_a_record);
	tcase_add_loop_test(tc, a_run_that_did_nothing_has_failed_and_says_why_once, 0,
			    (int)(sizeof(idle_runs) / sizeof(idle_runs[0])));
	tcase_add_test(tc, what_a_person_stopped_in_time_has_not_failed);
	tcase_add_test(tc, a_start_that_finds_no_descriptor_says_so);
	tcase_add_test(tc, measuring_goes_on_without_the_supervisor);
	tcase_add_test(tc, reset_twice_takes_it_back);
	tcase_add_test(tc, a_key_after_quit_leaves_what_was_measured);
	tcase_add_test(tc, a_probe_goes_off_and_on);
	tcase_add_test(tc, every_probe_of_the_registry_can_be_turned_on_later);
	tcase_add_test(tc, a_helper_probe_goes_on_off_and_on);
	tcase_add_test(tc, a_helper_that_cannot_be_collected_is_stopped);
	tcase_add_test(tc, a_stop_that_was_not_heard_is_told);
	tcase_add_test(tc, a_run_without_its_watchdog_says_so);
	tcase_add_test(tc, a_helper_that_died_says_so_and_starts_again_when_selected);
	tcase_add_test(tc, helpers_die_with_the_supervisor);
	tcase_add_test(tc, a_shot_is_taken_once_and_told);
	tcase_add_test(tc, a_shot_whose_process_ends_at_once_counts_too);
	tcase_add_test(tc, a_shot_outlives_a_reset_and_its_undo);
	tcase_add_test(tc, a_shot_that_was_interrupted_says_so_and_not_an_old_error);
	tcase_add_test(tc, a_shot_is_marked_when_it_is_known);
	tcase_add_test(tc, a_shot_of_the_command_line_is_asked_for_when_time_zero_is_known);
	tcase_add_test(tc, turning_a_probe_on_gives_no_real_time_back);
	tcase_add_test(tc, a_probe_that_was_asked_for_and_cannot_be_had_fails_a_record);
	tcase_add_test(tc, a_probe_that_was_asked_for_and_cannot_be_had_leaves_a_badge);
	tcase_add_test(tc, samplers_that_cannot_start_end_the_program_with_why);
	tcase_add_test(tc, a_cpu_that_is_not_there_is_refused_by_number);
	tcase_add_test(tc, all_samplers_count_from_time_zero);
	tcase_add_test(tc, phases_differ_by_cpu_and_follow_the_seed);
	tcase_add_test(tc, phases_of_a_probe_are_one_when_aligned);
	tcase_add_test(tc, rings_keep_thirty_seconds_where_memory_allows);
	tcase_add_test(tc, warm_up_is_a_hundred_wakes_but_not_over_a_second);
	tcase_add_test(tc, a_break_is_told_apart_from_a_spike);
	tcase_add_test(tc, ticks_and_frames_of_one_period_share_their_wakings);
	tcase_add_test(tc, slow_frames_get_fewer_and_then_main_steps_down);
	tcase_add_test(tc, a_lock_that_holds_no_sampler_is_no_lock);
	tcase_add_test(tc, without_real_time_there_is_nothing_to_give_up);
	tcase_add_test(tc, a_main_that_ran_on_is_no_sampler_that_lost_real_time);
	tcase_add_test(tc, each_of_several_that_lost_real_time_is_told);
	tcase_add_test(tc, one_whose_series_says_so_already_is_told_too);
	tcase_add_test(tc, all_samplers_have_one_deadline_to_end);
	tcase_add_test(tc, a_snapshot_that_is_stuck_fails_the_run);
	tcase_add_test(tc, a_hang_up_is_one_quit_and_no_stop);
	tcase_add_test(tc, a_terminal_gone_with_the_first_frame_ends_the_run);
	tcase_add_test(tc, a_terminal_gone_with_the_first_frame_ends_a_replay);
	tcase_add_test(tc, a_hang_up_that_was_ignored_at_the_start_stays_so);
	tcase_add_test(tc, a_baseline_is_read_before_anything_samples);
	tcase_add_test(tc, a_baseline_from_a_file_belongs_to_its_series);
	tcase_add_test(tc, a_break_without_a_trace_says_why_and_what_to_do);
	tcase_add_test(tc, a_bell_rings_for_spikes_that_are_kept_once_a_second);
	tcase_add_test(tc, a_cpu_that_leaves_is_marked_and_brought_back);
	tcase_add_test(tc, a_cpu_that_was_off_at_the_start_is_measured_when_it_comes);
	tcase_add_test(tc, who_comes_late_wakes_with_the_others);
	tcase_add_test(tc, cpus_that_were_not_asked_for_may_come_and_go);
	tcase_add_test(tc, a_sampler_that_strays_is_counted_unless_its_cpu_was_away);
	tcase_add_test(tc, where_not_all_are_looked_at_each_second_a_look_is_more);
	tcase_add_test(tc, a_screen_hears_of_its_size_and_writes_nothing_unasked);
	tcase_add_test(tc, a_screen_with_a_format_leaves_its_result);
	tcase_add_test(tc, a_stop_from_outside_is_a_gap);
}

Suite *app_suite(void);
Suite *app_suite(void)
{
	Suite *s = suite_create("app");
	TCase *tc = tcase_create("loop");

	tcase_set_timeout(tc, 30);
	add_tests(tc);
	suite_add_tcase(s, tc);
	return s;
}
