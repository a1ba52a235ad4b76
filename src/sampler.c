/* sampler.c - a sampler's set-up, and what main asks of it; see sampler.h. */
#include "src/sampler.h"

#include <errno.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/capability.h>
#include <time.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "src/budget.h"
#include "src/clock.h"
#include "src/cpuset.h"

#define START_TIMEOUT_NS (5 * NS_PER_S)
#define JOIN_TIMEOUT_NS NS_PER_S
#define TRY_NS (20 * NS_PER_MS)
#define LINE_BYTES 64

enum thread_state { THREAD_NONE, THREAD_RUNS, THREAD_JOINED, THREAD_LEFT };

struct sampler {
	/* Main writes, the thread reads. */
	struct sampler_config config;
	_Atomic bool stop;
	sem_t go;
	int64_t from_ns;		/* before `go` is posted */
	enum thread_state thread_state;	/* main's alone */
	pthread_t thread;
	/* The thread writes before it posts `ready`, main reads after. */
	sem_t ready;
	pid_t tid;
	struct rt_granted granted;
	struct why why, note;
	bool locked;
	sem_t ended;			/* its last words */
	/* Made by main before the thread. */
	unsigned variants;
	struct ring *rings[PROBE_VARIANTS_MAX];
	void *state;
	struct probe_env env;
	void *altstack;
	/* Whoever demotes writes, the thread clears. */
	_Alignas(LINE_BYTES) _Atomic int64_t demoted_ns;
	_Atomic int64_t overruns;
	_Alignas(LINE_BYTES) struct sampler_published published;
};

/* ---- the thread ---------------------------------------------------------- */

static int pin(struct sampler *s, struct why *why)
{
	struct cpuset one;

	if (s->config.cpu < 0)
		return 0;
	cpuset_clear(&one);
	cpuset_add(&one, s->config.cpu);
	return cpuset_pin(s->tid, &one, why);
}

/* A sampler that may not have real time goes on without, as fast as it may,
 * and what was granted says so. */
static void take_policy(struct sampler *s)
{
	if (!(s->config.probe->flags & PROBE_RT)) {
		rt_become_other(&s->granted);
		return;
	}
	if (s->config.want_fifo && rt_become_fifo(s->config.priority, &s->granted, &s->why) == 0)
		return;
	rt_become_other(&s->granted);
	rt_best_nice();
}

static size_t state_bytes(const struct probe *probe)
{
	return (probe->state_size / LINE_BYTES + 1) * LINE_BYTES;
}

/* After pinning: whoever touches a page first gets it from its own node. */
static void take_memory(struct sampler *s)
{
	bool locked = rt_prefault_stack() == 0;

	for (unsigned i = 0; i < s->variants; i++) {
		ring_prefault(s->rings[i]);
		locked = ring_lock(s->rings[i]) == 0 && locked;
	}
	locked = rt_lock_range(s->state, state_bytes(s->config.probe)) == 0 && locked;
	locked = rt_lock_range(s, sizeof(*s)) == 0 && locked;
	locked = rt_lock_range(s->altstack, RT_ALTSTACK_BYTES) == 0 && locked;
	s->locked = locked;
}

static int call_open(void *arg)
{
	struct sampler *s = arg;

	return s->config.probe->open(s->state, &s->env, &s->note);
}

static int open_probe(struct sampler *s)
{
	int err = s->config.probe->open ? call_open(s) : 0;

	if (err == -EPERM)
		err = rt_with_capability(CAP_SYS_NICE, call_open, s);
	if (err)
		s->why = s->note;
	return err;
}

/* On a machine that crawls, touching its memory may take all that a real-time
 * thread may use without sleeping. */
static void note_demotion(struct sampler *s)
{
	if (atomic_load_explicit(&s->demoted_ns, memory_order_relaxed) && !s->why.err)
		why_set(&s->why, -EAGAIN, "real time: granted, and taken away before the first "
			"sample: setting up took too long; take load off the machine");
}

static int set_up(struct sampler *s)
{
	s->tid = gettid();
	prctl(PR_SET_NAME, s->config.probe->name);	/* top, ps and strace name it */
	rt_use_altstack(s->altstack);
	rt_note_xcpu(&s->demoted_ns, &s->overruns);
	int err = pin(s, &s->why);

	if (err)
		return err;
	take_policy(s);
	take_memory(s);
	err = open_probe(s);
	/* Once more: a probe may take a policy of its own. */
	rt_read_back(0, &s->granted);
	note_demotion(s);
	return err;
}

static void run_loop(struct sampler *s)
{
	struct sampler_run run = {
		.probe = s->config.probe,
		.state = s->state,
		.env = &s->env,
		.rings = s->rings,
		.published = &s->published,
		.stop = &s->stop,
		.cpu_now = sampler_real_cpu,
		.demoted_ns = &s->demoted_ns,
		.warmup = s->config.warmup,
	};

	while (sem_wait(&s->go))
		;
	run.from_ns = s->from_ns;	/* known since the release */
	sampler_loop(&run);
}

static void say_ready(struct sampler *s, int err)
{
	atomic_store_explicit(&s->published.error, err, memory_order_relaxed);
	/* release: what the set-up found is there when the state says so */
	atomic_store_explicit(&s->published.state, err ? SAMPLER_FAILED : SAMPLER_READY,
			      memory_order_release);
	sem_post(&s->ready);
}

static void *sampler_thread(void *arg)
{
	struct sampler *s = arg;
	int err = set_up(s);

	say_ready(s, err);
	if (!err) {
		run_loop(s);
		if (s->config.probe->close)
			s->config.probe->close(s->state);
	}
	rt_note_xcpu(NULL, NULL);
	rt_use_altstack(NULL);
	sem_post(&s->ended);
	return NULL;
}

/* ---- life, as main sees it ----------------------------------------------- */

static unsigned count_variants(const struct probe *probe)
{
	unsigned n = 0;

	while (probe->variants && probe->variants[n] && n < PROBE_VARIANTS_MAX)
		n++;
	return n ? n : 1;
}

static void *zeroed_lines(size_t bytes)
{
	void *memory = aligned_alloc(LINE_BYTES, bytes);

	return memory ? memset(memory, 0, bytes) : NULL;
}

static void fill_env(struct sampler *s)
{
	const struct sampler_config *c = &s->config;

	s->env = (struct probe_env){
		.period_ns = c->period_ns, .cpu = c->cpu, .scratch_fd = -1,
	};
	s->env.counters = s->published.counters;
	s->env.overruns = &s->overruns;
	s->env.awaited_ns = &s->published.next_due_ns;
	memcpy(s->env.knob, c->knob, sizeof(s->env.knob));
	sampler_real_env(&s->env, &s->stop);
}

static struct sampler *make(const struct sampler_config *config)
{
	struct sampler *s = zeroed_lines(sizeof(*s));

	if (!s)
		return NULL;
	s->config = *config;
	sem_init(&s->go, 0, 0);
	sem_init(&s->ready, 0, 0);
	sem_init(&s->ended, 0, 0);
	atomic_store_explicit(&s->published.cpu, -1, memory_order_relaxed);
	s->variants = count_variants(config->probe);
	s->state = zeroed_lines(state_bytes(config->probe));
	s->altstack = zeroed_lines(RT_ALTSTACK_BYTES);
	bool complete = s->state && s->altstack;

	for (unsigned i = 0; i < s->variants; i++) {
		s->rings[i] = ring_new(config->ring_room);
		complete = complete && s->rings[i];
	}
	if (!complete) {
		sampler_free(s);
		return NULL;
	}
	fill_env(s);
	return s;
}

/* 0, or -ETIMEDOUT. */
static int wait_for(sem_t *sem, int64_t timeout_ns)
{
	int64_t until_ns = clock_now_ns() + timeout_ns;
	const struct timespec until = {
		.tv_sec = until_ns / NS_PER_S,
		.tv_nsec = until_ns % NS_PER_S,
	};
	int err;

	do
		err = sem_clockwait(sem, CLOCK_MONOTONIC, &until) ? errno : 0;
	while (err == EINTR);
	return -err;
}

static int start_thread(struct sampler *s, struct why *why)
{
	const char *name = s->config.probe->name;
	char remedy[80];

	rt_install_xcpu();
	int err = rt_thread_start(&s->thread, sampler_thread, s);

	if (err)
		return why_set(why, err, "%s: cannot start a thread: %s; %s", name, strerror(-err),
			       budget_tasks_remedy("", remedy, sizeof(remedy)));
	s->thread_state = THREAD_RUNS;
	err = wait_for(&s->ready, START_TIMEOUT_NS);
	if (err) {
		s->thread_state = THREAD_LEFT;
		sampler_ask_stop(s);
		return s->config.cpu < 0
			? why_set(why, err, "%s: no CPU gave it time for 5 s; take load off the "
				  "machine", name)
			: why_set(why, err, "%s: CPU %d gave it no time for 5 s; free that CPU",
				  name, s->config.cpu);
	}
	/* acquire: pairs with say_ready() */
	if (atomic_load_explicit(&s->published.state, memory_order_acquire) != SAMPLER_FAILED)
		return 0;
	if (why)
		*why = s->why;
	return atomic_load_explicit(&s->published.error, memory_order_relaxed);
}

struct sampler *sampler_start(const struct sampler_config *config, struct why *why)
{
	struct sampler *s = make(config);

	if (!s) {
		why_set(why, -ENOMEM, "%s: no memory for its ring; close something",
			config->probe->name);
		return NULL;
	}
	if (start_thread(s, why)) {
		sampler_free(s);
		return NULL;
	}
	return s;
}

void sampler_count_from(struct sampler *s, int64_t from_ns)
{
	s->from_ns = from_ns;
}

void sampler_release(struct sampler *s, int64_t start_ns)
{
	s->env.first_due_ns = start_ns + s->config.phase_ns;
	sem_post(&s->go);
}

void sampler_ask_stop(struct sampler *s)
{
	atomic_store_explicit(&s->stop, true, memory_order_relaxed);
	sem_post(&s->go);	/* it may never have been released */
}

static int joined(struct sampler *s)
{
	pthread_join(s->thread, NULL);
	s->thread_state = THREAD_JOINED;
	return 0;
}

/* Wakes it from a sleep of up to a period.  A signal that comes just before
 * the sleep begins is lost on it, hence the repetition. */
int sampler_join_by(struct sampler *s, int64_t until_ns)
{
	if (s->thread_state == THREAD_JOINED || s->thread_state == THREAD_NONE)
		return 0;
	/* One that ended after its deadline is not waited for twice, but taken. */
	if (s->thread_state == THREAD_LEFT)
		return sem_trywait(&s->ended) ? -ETIMEDOUT : joined(s);
	for (int64_t left_ns = 1; left_ns > 0;) {
		left_ns = until_ns - clock_now_ns();
		rt_interrupt(s->thread);
		if (wait_for(&s->ended, left_ns > TRY_NS ? TRY_NS : NS_PER_MS) == 0)
			return joined(s);
	}
	s->thread_state = THREAD_LEFT;
	return -ETIMEDOUT;
}

int sampler_join(struct sampler *s)
{
	return sampler_join_by(s, clock_now_ns() + JOIN_TIMEOUT_NS);
}

void sampler_free(struct sampler *s)
{
	if (!s)
		return;
	if (s->thread_state == THREAD_RUNS)
		sampler_ask_stop(s);
	if (sampler_join(s))
		return;
	for (unsigned i = 0; i < s->variants; i++)
		ring_free(s->rings[i]);
	sem_destroy(&s->go);
	sem_destroy(&s->ready);
	sem_destroy(&s->ended);
	free(s->state);
	free(s->altstack);
	free(s);
}

/* ---- what main asks ------------------------------------------------------ */

const struct sampler_config *sampler_config(const struct sampler *s)
{
	return &s->config;
}

struct ring *sampler_ring(struct sampler *s, unsigned variant)
{
	return variant < s->variants ? s->rings[variant] : NULL;
}

unsigned sampler_variants(const struct sampler *s)
{
	return s->variants;
}

const struct sampler_published *sampler_published(const struct sampler *s)
{
	return &s->published;
}

void sampler_granted(const struct sampler *s, struct rt_granted *out)
{
	*out = s->granted;
}

pid_t sampler_tid(const struct sampler *s)
{
	return s->tid;
}

struct why sampler_why(const struct sampler *s)
{
	return s->why;
}

const char *sampler_note(const struct sampler *s)
{
	return s->note.text;
}

bool sampler_locked(const struct sampler *s)
{
	return s->locked;
}

/* The kernel's number of a thread's CPU clock: its tid, inverted, and "CPU
 * time by the scheduler, one thread".  pthread_getcpuclockid() gives the same,
 * but needs a thread that is not joined yet. */
static clockid_t cpu_clock_of(pid_t tid)
{
	return (clockid_t)(~(unsigned)tid << 3 | 6);
}

int64_t sampler_cpu_ns(const struct sampler *s)
{
	struct timespec t;

	if (clock_gettime(cpu_clock_of(s->tid), &t))
		return 0;
	return (int64_t)t.tv_sec * NS_PER_S + t.tv_nsec;
}

/* Fields 10 and 12 of stat, counted from behind the name, which may hold
 * anything. */
void sampler_faults(const struct sampler *s, uint64_t *minor, uint64_t *major)
{
	char path[64], line[512];
	unsigned long long min = 0, maj = 0;

	*minor = *major = 0;
	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", s->tid);
	FILE *f = fopen(path, "re");

	if (!f)
		return;
	char *rest = fgets(line, sizeof(line), f) ? strrchr(line, ')') : NULL;

	if (rest && sscanf(rest, ") %*c %*d %*d %*d %*d %*d %*u %llu %*u %llu", &min, &maj) == 2) {
		*minor = min;
		*major = maj;
	}
	fclose(f);
}

int sampler_repin(struct sampler *s)
{
	return pin(s, NULL);
}

int sampler_demote(struct sampler *s)
{
	int err = rt_demote(s->tid);

	if (!err)
		atomic_store_explicit(&s->demoted_ns, clock_now_ns(), memory_order_relaxed);
	return err;
}
