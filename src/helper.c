/* helper.c - see helper.h: the process around the loop. */
#include "src/helper.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "src/budget.h"
#include "src/clock.h"
#include "src/nanny.h"
#include "src/sampler.h"

struct helper {
	struct probe_env env;
	struct helper_run run;
	struct helper_shared *shared;
	pid_t partner[PROBE_PARTNERS_MAX];
	uint64_t cpu_before_ns;		/* of earlier processes of this probe */
	void *state;
};

/* What TERM sets; a handler has no other way to it. */
static _Atomic bool stop;

static void on_term(int signal)
{
	(void)signal;
	stop = true;
}

/* ---- the world of the probe ---- */

static int64_t now(void *ctx)
{
	(void)ctx;
	return clock_now_ns();
}

/* TERM that comes just before the sleep is noticed at its end or by the KILL
 * that follows. */
static int wait_until(void *ctx, int64_t due_ns)
{
	const struct timespec due = { .tv_sec = due_ns / NS_PER_S, .tv_nsec = due_ns % NS_PER_S };
	int err;

	(void)ctx;
	do
		err = stop ? EINTR : clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL);
	while (err == EINTR && !stop);
	return err;
}

static bool is_stopping(void *ctx)
{
	(void)ctx;
	return stop;
}

/* ---- what it costs ---- */

static uint64_t usage_ns(int who)
{
	struct rusage r;

	if (getrusage(who, &r))
		return 0;
	return (uint64_t)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) * NS_PER_S +
	       (uint64_t)(r.ru_utime.tv_usec + r.ru_stime.tv_usec) * NS_PER_US;
}

static uint64_t partner_ns(pid_t pid)
{
	struct timespec t;
	clockid_t clock;

	if (pid < 2 || clock_getcpuclockid(pid, &clock) || clock_gettime(clock, &t))
		return 0;
	return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_nsec;
}

static uint64_t cpu_ns(const struct helper_run *run)
{
	const struct helper *h = run->env->ctx;
	uint64_t sum = h->cpu_before_ns + usage_ns(RUSAGE_SELF) + usage_ns(RUSAGE_CHILDREN);

	for (unsigned i = 0; i < PROBE_PARTNERS_MAX; i++)
		sum += partner_ns(h->partner[i]);
	return sum;
}

/* ---- life ---- */

static _Noreturn void fail(struct helper_shared *shared, const struct why *why)
{
	snprintf(shared->why, sizeof(shared->why), "%s",
		 budget_is_full(why->err) ? BUDGET_DISK_FULL : why->text);
	atomic_store(&shared->line.state, SAMPLER_FAILED);
	_exit(NANNY_FAILED);
}

static void set_up(struct helper *h, const struct helper_order *o)
{
	struct helper_line *line = &h->shared->line;

	h->env = (struct probe_env){
		.now_ns = now, .wait_until = wait_until, .stopping = is_stopping, .ctx = h,
		.period_ns = o->period_ns, .cpu = -1, .seed = o->seed,
		.scratch_fd = o->confine.scratch[0], .in_flight_ns = &line->in_flight_ns,
		.in_flight_variant = &line->in_flight_variant,
		.partners = h->partner,
	};
	memcpy(h->env.knob, o->knob, sizeof(o->knob));
	h->run = (struct helper_run){
		.probe = o->probe, .env = &h->env,
		.variants = probe_variants(o->probe), .line = line, .stop = &stop,
		.stretch = helper_memory_stretch(o->memory), .period_ns = o->period_ns,
		.cpu_ns = cpu_ns,
	};
	h->cpu_before_ns = atomic_load(&line->cpu_ns);
	atomic_store(&line->in_flight_ns, 0);
	atomic_store(&line->first_due_ns, 0);
	atomic_store(&line->state, SAMPLER_STARTING);
}

/* Read back, as for everybody who measures. */
static void publish_policy(struct helper_line *line)
{
	struct sched_param param = { 0 };
	int policy = sched_getscheduler(0) & ~SCHED_RESET_ON_FORK;

	sched_getparam(0, &param);
	atomic_store(&line->policy, policy);
	atomic_store(&line->priority, param.sched_priority);
}

/* Rings go on where an earlier process of this probe left them. */
static void attach_rings(struct helper *h, const struct helper_order *o)
{
	struct why why;

	for (unsigned v = 0; v < h->run.variants; v++) {
		h->run.ring[v] = helper_memory_attach(o->memory, o->id, v);
		if (!h->run.ring[v]) {
			why_set(&why, -ENOMEM, "%s: no memory for its ring", o->probe->name);
			fail(h->shared, &why);
		}
	}
}

static void open_probe(struct helper *h, const struct helper_order *o)
{
	struct why why = { 0 };
	int err = -ENOMEM;

	h->state = calloc(1, o->probe->state_size ? o->probe->state_size : 1);
	h->run.state = h->state;
	if (h->state)
		err = o->probe->open(h->state, &h->env, &why);
	if (!err) {
		snprintf(h->shared->why, sizeof(h->shared->why), "%s", why.text);
		atomic_store(&h->shared->line.state, SAMPLER_READY);
		return;
	}
	if (!why.text[0])
		why_set(&why, err, "%s: %s", o->probe->name, strerror(-err));
	fail(h->shared, &why);
}

static void listen_to_term(void)
{
	struct sigaction term = { .sa_handler = on_term };

	sigaction(SIGTERM, &term, NULL);
}

static _Noreturn void helper_main(const struct helper_order *o)
{
	static struct helper h;
	struct why why = { 0 };
	char runs = NANNY_RUNS;
	int err;

	h.shared = helper_memory_of(o->memory, o->id);
	h.shared->why[0] = '\0';
	if (o->tier == TIER_SUBREAPER)
		prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	if (confine_self(&o->confine, &why))
		fail(h.shared, &why);
	if (!nanny_wait_for_go(o->control))
		_exit(NANNY_ORPHAN);
	listen_to_term();
	set_up(&h, o);
	publish_policy(&h.shared->line);
	attach_rings(&h, o);
	open_probe(&h, o);
	if (write(o->control, &runs, 1) != 1)
		_exit(NANNY_ORPHAN);
	err = helper_loop(&h.run);
	if (o->probe->close)
		o->probe->close(h.state);
	if (err) {
		why_set(&why, err, "%s: %s", o->probe->name, strerror(-err));
		fail(h.shared, &why);
	}
	_exit(NANNY_OK);
}

pid_t helper_start(const struct helper_order *order, int *pidfd)
{
	pid_t pid = nanny_clone(order->tier, order->confine.userns, pidfd);

	if (pid == 0)
		helper_main(order);
	return pid;
}
