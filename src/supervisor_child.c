/* supervisor_child.c - see supervisor_child.h. */
#include "src/supervisor_child.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "src/clock.h"
#include "src/confine.h"
#include "src/cpuset.h"
#include "src/fds.h"
#include "src/guardian.h"
#include "src/kin.h"
#include "src/supervisor_helpers.h"
#include "src/supervisor_job.h"
#include "src/tier.h"
#include "src/wire.h"

#ifdef JS_COVERAGE
void __gcov_dump(void);
#endif

#define OUT_ROOM 512		/* records main has not taken yet */
#define OUT_REPLIES 256		/* of which this many are kept for replies */
#define TURN_NS (250 * NS_PER_MS)
#define SILENCE_NS (10 * NS_PER_S)
#define ASLEEP_NS (2 * NS_PER_S)	/* a turn that late: it was us who slept */
#define LAST_WORDS "jitterscope: ended unexpectedly; loads stopped, terminal restored"

enum place { FROM_MAIN, MAIN_ENDED, SIGNALS, FIRST_JOB, FIRST_HELPER = FIRST_JOB + JOBS_MAX,
	     PLACES = FIRST_HELPER + HELPERS_MAX };

struct child {
	int fd, main_pidfd, signal_fd;
	struct guardian guardian;
	struct termios saved;		/* of WIRE_TTY_SAVED, until RAW comes */
	struct job_world world;
	struct helpers helpers;
	struct wire out[OUT_ROOM];
	unsigned out_first, out_count;
	uint32_t sequence;
	unsigned ignored;		/* records that made no sense */
	int64_t ping_ns, turn_ns, checked_ns;
	int64_t silence_ns;		/* the most that is borne */
	pid_t sweeper;
	bool quitting, main_dead;
	bool childless;			/* nobody is left to wait for */
};

/* ---- records to main ---- */

static void flush_out(struct child *c)
{
	while (c->out_count) {
		int err = wire_send(c->fd, &c->out[c->out_first]);

		if (err == -EAGAIN)
			return;
		c->out_first = (c->out_first + 1) % OUT_ROOM;
		c->out_count--;
	}
}

/* News of a state may be lost, a reply never: the back of the queue is kept
 * for replies, of which there is one for each record main sent. */
static void say(void *ctx, const struct wire *record)
{
	struct child *c = ctx;
	unsigned room = record->kind == WIRE_STATE ? OUT_ROOM - OUT_REPLIES : OUT_ROOM;

	if (c->main_dead || c->out_count >= room)
		return;
	struct wire *r = &c->out[(c->out_first + c->out_count++) % OUT_ROOM];

	*r = *record;
	r->version = WIRE_VERSION;
	r->sequence = ++c->sequence;
	flush_out(c);
}

/* ---- orders of main ---- */

static void stop_all(struct child *c, int grace_ms)
{
	for (unsigned id = 0; id < JOBS_MAX; id++)
		if (c->world.job[id].state != JOB_IDLE)
			job_stop(&c->world, id, grace_ms);
}

static void on_start(struct child *c, const struct wire *r)
{
	struct why why = { 0 };
	struct wire refused = { .kind = WIRE_REFUSED, .id = r->id };
	int err;

	if (r->id >= load_count() || r->number < 0 || c->quitting) {
		c->ignored++;
		return;
	}
	err = job_start(&c->world, r->id, (unsigned)r->number, r->arg, &why);
	if (!err)
		return;
	struct slot *slot = &c->world.counters->slot[r->id];

	/* A load that runs keeps its own words. */
	if (c->world.job[r->id].state == JOB_IDLE) {
		memcpy(slot->why, why.text, sizeof(slot->why));
		atomic_store_explicit(&slot->failed, err, memory_order_release);
	}
	refused.number = err;
	say(c, &refused);
}

static void on_stop(struct child *c, const struct wire *r)
{
	if (r->id < load_count())
		job_stop(&c->world, r->id, JOB_GRACE_MS);
	else
		c->ignored++;
}

static void on_kill_all(struct child *c, const struct wire *r)
{
	(void)r;
	stop_all(c, JOB_GRACE_MS);
}

static void on_quit(struct child *c, const struct wire *r)
{
	int grace_ms = r->number < 0 ? 0 : r->number > 5000 ? 5000 : r->number;

	c->quitting = true;
	stop_all(c, grace_ms);
}

static void on_tty_saved(struct child *c, const struct wire *r)
{
	wire_get_termios(r, &c->saved);
}

static void on_tty_raw(struct child *c, const struct wire *r)
{
	struct termios raw;

	wire_get_termios(r, &raw);
	guardian_arm(&c->guardian, &c->saved, &raw);
}

static void on_tty_cooked(struct child *c, const struct wire *r)
{
	(void)r;
	guardian_disarm(&c->guardian);
}

static void on_hello(struct child *c, const struct wire *r)
{
	(void)r;
	c->ping_ns = clock_now_ns();
}

static void on_ping(struct child *c, const struct wire *r)
{
	struct wire pong = { .kind = WIRE_PONG, .wide = r->wide };

	c->ping_ns = clock_now_ns();
	say(c, &pong);
}

static bool is_helper(struct child *c, unsigned probe)
{
	return helper_memory_of(c->helpers.memory, probe) != NULL;
}

static void on_probe_start(struct child *c, const struct wire *r)
{
	if (is_helper(c, r->id) && !c->quitting)
		helpers_start(&c->helpers, r);
	else
		c->ignored++;
}

static void on_probe_stop(struct child *c, const struct wire *r)
{
	if (is_helper(c, r->id))
		helpers_stop(&c->helpers, r->id);
	else
		c->ignored++;
}

static const struct {
	enum wire_kind kind;
	void (*act)(struct child *c, const struct wire *r);
} orders[] = {
	{ WIRE_HELLO, on_hello },
	{ WIRE_START, on_start },
	{ WIRE_STOP, on_stop },
	{ WIRE_KILLALL, on_kill_all },
	{ WIRE_QUIT, on_quit },
	{ WIRE_TTY_SAVED, on_tty_saved },
	{ WIRE_TTY_RAW, on_tty_raw },
	{ WIRE_TTY_COOKED, on_tty_cooked },
	{ WIRE_PING, on_ping },
	{ WIRE_PROBE_START, on_probe_start },
	{ WIRE_PROBE_STOP, on_probe_stop },
};

static void obey(struct child *c, const struct wire *r)
{
	for (unsigned i = 0; i < sizeof(orders) / sizeof(orders[0]); i++)
		if (orders[i].kind == r->kind) {
			orders[i].act(c, r);
			return;
		}
	c->ignored++;
}

/* Loads first, then the terminal, then everything that takes time. */
static void main_is_dead(struct child *c)
{
	if (c->main_dead)
		return;
	c->main_dead = c->quitting = c->world.closing = true;
	stop_all(c, 0);
	helpers_stop_all(&c->helpers, true);
	guardian_restore(&c->guardian, LAST_WORDS);
}

static bool read_orders(struct child *c)
{
	struct wire r;
	int got;

	while ((got = wire_receive(c->fd, &r)) != 0) {
		if (got == -EPIPE)
			return false;
		if (got == 1)
			obey(c, &r);
		else
			c->ignored++;
	}
	return true;
}

/* What main said last may be how its terminal was: read on, but start nothing. */
static void main_has_died(struct child *c)
{
	c->quitting = true;
	read_orders(c);
	main_is_dead(c);
}

/* ---- children ---- */

static unsigned own_children(const struct child *c, pid_t *out)
{
	unsigned n = jobs_pids(&c->world, out);

	n += helpers_pids(&c->helpers, out + n);
	if (c->sweeper)
		out[n++] = c->sweeper;
	return n;
}

/* Without namespaces, what a dead nanny left behind becomes our child, one
 * generation after the other: hence at each death. */
static void kill_strays(struct child *c)
{
	pid_t spare[2 * JOBS_MAX + 2 * HELPERS_MAX + 1];

	if (c->world.no_namespaces)
		kin_kill_children(spare, own_children(c, spare));
}

static void take_signals(struct child *c)
{
	struct signalfd_siginfo info;

	while (read(c->signal_fd, &info, sizeof(info)) == (ssize_t)sizeof(info))
		if (info.ssi_signo == SIGTERM)
			c->quitting = true;
}

static void reap(struct child *c)
{
	int status;
	pid_t pid;

	take_signals(c);
	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		if (pid == c->sweeper)
			c->sweeper = 0;
		else {
			kill_strays(c);
			if (!job_reaped(&c->world, pid, status))
				helpers_reaped(&c->helpers, pid, status);
		}
	}
	c->childless = pid < 0;
}

/* ---- the loop ---- */

/* Main may be stopped or hung; its loads must not run on unseen. */
static void check_silence(struct child *c, int64_t now_ns)
{
	struct why silent;

	if (now_ns - c->turn_ns > ASLEEP_NS)
		c->ping_ns = now_ns;
	c->turn_ns = now_ns;
	if (now_ns - c->ping_ns < c->silence_ns)
		return;
	why_set(&silent, -ETIMEDOUT, "stopped: the program was silent for %g s",
		(double)c->silence_ns / NS_PER_S);
	for (unsigned id = 0; id < JOBS_MAX; id++)
		job_break(&c->world, id, &silent);
}

static void look_around(struct child *c)
{
	int64_t now_ns = clock_now_ns();

	job_tick(&c->world, now_ns);
	helpers_tick(&c->helpers, now_ns);
	if (!jobs_busy(&c->world)) {
		c->turn_ns = now_ns;
		c->ping_ns = now_ns;
		return;
	}
	check_silence(c, now_ns);
	if (now_ns - c->checked_ns < TURN_NS)
		return;
	c->checked_ns = now_ns;
	jobs_check_floors(&c->world);
}

static int timeout_ms(const struct child *c)
{
	int64_t now_ns = clock_now_ns(), next_ns = job_next_ns(&c->world);
	int64_t helper_ns = helpers_next_ns(&c->helpers);

	if (helper_ns < next_ns)
		next_ns = helper_ns;
	if ((jobs_busy(&c->world) || c->quitting) && next_ns > now_ns + TURN_NS)
		next_ns = now_ns + TURN_NS;
	if (next_ns == INT64_MAX)
		return -1;
	return next_ns <= now_ns ? 0 : (int)((next_ns - now_ns) / NS_PER_MS + 1);
}

/*
 * Who is waited for.  Only open descriptors go in: poll() refuses more places
 * than RLIMIT_NOFILE allows, used or not, and a supervisor that cannot wait
 * would neither hear orders nor see main die.
 */
struct waits {
	struct pollfd fds[PLACES];
	unsigned place[PLACES];		/* what each of fds[] is */
	unsigned n;
};

static void add(struct waits *w, unsigned place, int fd, int events)
{
	if (fd < 0)
		return;
	w->place[w->n] = place;
	w->fds[w->n++] = (struct pollfd){ .fd = fd, .events = (short)events };
}

static void add_all(struct waits *w, const struct child *c)
{
	w->n = 0;
	add(w, FROM_MAIN, c->main_dead ? -1 : c->fd, POLLIN | (c->out_count ? POLLOUT : 0));
	add(w, MAIN_ENDED, c->main_dead ? -1 : c->main_pidfd, POLLIN);
	add(w, SIGNALS, c->signal_fd, POLLIN);
	for (unsigned i = 0; i < JOBS_MAX; i++)
		add(w, FIRST_JOB + i, c->world.job[i].control, POLLIN);
	for (unsigned i = 0; i < HELPERS_MAX; i++)
		add(w, FIRST_HELPER + i, c->helpers.job[i].control, POLLIN);
}

static int came(const struct waits *w, unsigned place)
{
	for (unsigned i = 0; i < w->n; i++)
		if (w->place[i] == place)
			return w->fds[i].revents;
	return 0;
}

/* A descriptor may have been closed, and its number given away, meanwhile. */
static void hear_children(struct child *c, const struct waits *w)
{
	for (unsigned k = 0; k < w->n; k++) {
		unsigned i = w->place[k];

		if (!w->fds[k].revents || i < FIRST_JOB)
			continue;
		if (i < FIRST_HELPER && c->world.job[i - FIRST_JOB].control == w->fds[k].fd)
			job_heard(&c->world, i - FIRST_JOB);
		else if (i >= FIRST_HELPER && c->helpers.job[i - FIRST_HELPER].control == w->fds[k].fd)
			helpers_heard(&c->helpers, i - FIRST_HELPER);
	}
}

/* Waiting itself failed (no memory): look at everything, a little later. */
static void look_at_all(struct waits *w)
{
	const struct timespec nap = { .tv_nsec = 10 * NS_PER_MS };

	nanosleep(&nap, NULL);
	for (unsigned i = 0; i < w->n; i++) {
		w->fds[i].revents = 0;
		if (poll(&w->fds[i], 1, 0) < 0)
			w->fds[i].revents = 0;
	}
}

/* Waits, then deals with main, signals and nannies in this order. */
static void turn(struct child *c)
{
	struct waits w;

	add_all(&w, c);
	if (poll(w.fds, w.n, timeout_ms(c)) < 0) {
		if (errno == EINTR)
			return;
		look_at_all(&w);
	}
	int main_came = came(&w, FROM_MAIN);

	if (came(&w, MAIN_ENDED) || (main_came & ~POLLOUT && !read_orders(c)))
		main_has_died(c);
	if (main_came & POLLOUT)
		flush_out(c);
	if (came(&w, SIGNALS))
		reap(c);
	hear_children(c, &w);
}

/* ---- beginning and end ---- */

/* Ordinary scheduling at the best nice value; no signal but CHLD and TERM
 * means anything here. */
static void become_supervisor(struct child *c)
{
	struct sched_param none = { 0 };
	sigset_t all;

	prctl(PR_SET_NAME, "js-supervisor", 0, 0, 0);
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	setsid();
	sched_setscheduler(0, SCHED_OTHER, &none);
	setpriority(PRIO_PROCESS, 0, -20);
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	for (int i = 1; i < NSIG; i++)
		signal(i, SIG_DFL);
	sigemptyset(&all);
	sigaddset(&all, SIGCHLD);
	sigaddset(&all, SIGTERM);
	c->signal_fd = signalfd(-1, &all, SFD_CLOEXEC | SFD_NONBLOCK);
}

static unsigned allowed_cpus(void)
{
	struct cpuset allowed;
	int n = cpuset_allowed(&allowed, NULL) ? 1 : cpuset_count(&allowed);

	return n > 0 ? (unsigned)n : 1;
}

static void make_world(struct child *c, const struct supervisor_child_config *config)
{
	struct job_world *w = &c->world;

	w->counters = config->config->counters;
	w->load_file = config->config->load_file;
	w->seed = config->config->seed;
	w->ncpu = allowed_cpus();
	w->scratch_why = config->scratch_why;
	w->say = say;
	w->ctx = c;
	confine_identity(&w->drop, &w->uid, &w->gid);
	for (unsigned i = 0; i < SCRATCH_DIRS_MAX; i++)
		scratch_init(&w->scratch[i], config->parent_fd[i], w->uid, w->gid);
	for (unsigned i = 0; i < JOBS_MAX; i++)
		w->job[i] = (struct job){ .pidfd = -1, .control = -1 };
}

/* Main shows the tier from the start, not from the first load on. */
static void try_tier(struct child *c)
{
	struct wire tier = { .kind = WIRE_TIER, .number = TIER_NS };
	int err = tier_try_namespace();

	if (err == -EAGAIN || err == -ENOMEM)
		return;		/* the first load will know */
	c->world.no_namespaces = err != 0;
	if (err)
		tier.number = TIER_SUBREAPER;
	say(c, &tier);
}

/* Left-overs of runs whose owner was killed.  A child does it, for there may
 * be gigabytes. */
static void start_sweep(struct child *c)
{
	c->sweeper = fork();
	if (c->sweeper < 0)
		c->sweeper = 0;
	if (c->sweeper)
		return;
	scratch_keep_only(c->world.scratch, SCRATCH_DIRS_MAX);
	for (unsigned i = 0; i < SCRATCH_DIRS_MAX; i++)
		if (c->world.scratch[i].parent_fd >= 0)
			scratch_sweep(c->world.scratch[i].parent_fd, c->world.uid);
	_exit(0);
}

static void let_go_of_main(const struct supervisor_child_config *config)
{
	const int keep[] = {
		config->fd, config->main_pidfd, config->config->tty_fd,
		config->parent_fd[0], config->parent_fd[1],
	};

	fds_keep(keep, sizeof(keep) / sizeof(keep[0]));
}

static bool finished(const struct child *c)
{
	return c->quitting && !jobs_busy(&c->world) && !helpers_busy(&c->helpers) && c->childless;
}

/* Told to go (a TERM, too, from whomever): nothing may be left. */
static void leave_nobody(struct child *c)
{
	stop_all(c, JOB_GRACE_MS);
	helpers_stop_all(&c->helpers, false);
	kill_strays(c);
	reap(c);
}

_Noreturn void supervisor_child_main(const struct supervisor_child_config *config)
{
	static struct child c;

	let_go_of_main(config);
	become_supervisor(&c);
	c.fd = config->fd;
	c.main_pidfd = config->main_pidfd;
	c.silence_ns = config->config->silence_ns ? config->config->silence_ns : SILENCE_NS;
	c.ping_ns = c.turn_ns = clock_now_ns();
	guardian_init(&c.guardian, config->config->tty_fd);
	make_world(&c, config);
	try_tier(&c);
	helpers_init(&c.helpers, &c.world, config->helpers);
	start_sweep(&c);
	while (!finished(&c)) {
		turn(&c);
		look_around(&c);
		if (c.quitting)
			leave_nobody(&c);
	}
	for (unsigned i = 0; i < SCRATCH_DIRS_MAX; i++)
		scratch_destroy(&c.world.scratch[i], NULL);
	flush_out(&c);
#ifdef JS_COVERAGE
	__gcov_dump();		/* _exit() would lose what this process ran */
#endif
	_exit(0);
}
