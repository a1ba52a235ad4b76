/* watchdog.c - see watchdog.h. */
#include "src/watchdog.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "src/clock.h"

#define TURN_MS 250
/* More than this between two turns: we were stopped, or starved ourselves. */
#define GAP_NS NS_PER_S
#define SILENT_RT_NS (2 * NS_PER_S)
#define SILENT_OTHER_NS (5 * NS_PER_S)
#define BUSY_PERIODS 10
#define BUSY_NS (100 * NS_PER_MS)

struct watchdog {
	struct watchdog_config config;
	pthread_t thread;
	int stop_fd;
	int64_t *cpu_ns;	/* [nr_samplers] CPU time at the last turn */
	int64_t last_turn_ns;
	_Alignas(64) _Atomic int64_t fed_ns;	/* main writes */
	_Alignas(64) _Atomic unsigned demotions;	/* the watchdog writes from here on */
	_Atomic unsigned kills;
	_Atomic pid_t last_tid;
};

/* ---- the judgement ------------------------------------------------------- */

unsigned watchdog_judge(struct watchdog_state *state, int64_t now_ns, int64_t fed_ns,
			bool main_is_rt)
{
	int64_t limit_ns = main_is_rt ? SILENT_RT_NS : SILENT_OTHER_NS;
	int64_t turn_ns = now_ns - state->last_turn_ns;
	bool fed = fed_ns > state->last_turn_ns;
	unsigned act = WATCHDOG_NOTHING;

	state->last_turn_ns = now_ns;
	if (fed || turn_ns > GAP_NS || turn_ns < 0) {
		*state = (struct watchdog_state){ .last_turn_ns = now_ns };
		return act;
	}
	state->silent_ns += turn_ns;
	if (state->silent_ns >= limit_ns && !state->killed) {
		state->killed = true;
		act |= WATCHDOG_KILL_LOADS;
	}
	if (state->silent_ns >= 2 * limit_ns && !state->demoted) {
		state->demoted = true;
		act |= WATCHDOG_DEMOTE_ALL;
	}
	return act;
}

/* Did it run for ten periods and 100 ms without sleeping?  Either it says so,
 * or it used up most of the time since the last turn (not all: the kernel's
 * throttling and a host may take a part). */
static bool spins(const struct sampler *s, int64_t turn_ns, int64_t used_ns)
{
	int64_t period_ns = sampler_config(s)->period_ns;
	const struct sampler_published *p = sampler_published(s);
	uint64_t busy = atomic_load_explicit(&p->busy_periods, memory_order_relaxed);

	if (busy >= BUSY_PERIODS && (int64_t)busy >= BUSY_NS / period_ns)
		return true;
	return turn_ns >= BUSY_NS && turn_ns >= BUSY_PERIODS * period_ns &&
		used_ns >= turn_ns - turn_ns / 4;
}

/* ---- the thread ---------------------------------------------------------- */

static void count(_Atomic unsigned *word)
{
	/* release: last_tid is there when the count says so */
	atomic_store_explicit(word, atomic_load_explicit(word, memory_order_relaxed) + 1,
			      memory_order_release);
}

static void demote(struct watchdog *w, struct sampler *s)
{
	struct rt_granted now;
	pid_t tid = sampler_tid(s);

	if (rt_read_back(tid, &now) || now.priority == 0 || sampler_demote(s))
		return;
	atomic_store_explicit(&w->last_tid, tid, memory_order_relaxed);
	count(&w->demotions);
}

static void look_after_samplers(struct watchdog *w, int64_t now_ns)
{
	int64_t turn_ns = now_ns - w->last_turn_ns;

	w->last_turn_ns = now_ns;
	for (unsigned i = 0; i < w->config.nr_samplers; i++) {
		struct sampler *s = w->config.samplers[i];
		int64_t cpu_ns = sampler_cpu_ns(s), used_ns = cpu_ns - w->cpu_ns[i];

		w->cpu_ns[i] = cpu_ns;
		if (turn_ns <= GAP_NS && spins(s, turn_ns, used_ns))
			demote(w, s);
	}
}

static void act_on(struct watchdog *w, unsigned act)
{
	if (act & WATCHDOG_KILL_LOADS) {
		if (w->config.kill_loads)
			w->config.kill_loads(w->config.ctx);
		count(&w->kills);
	}
	for (unsigned i = 0; act & WATCHDOG_DEMOTE_ALL && i < w->config.nr_samplers; i++)
		demote(w, w->config.samplers[i]);
}

static void take_policy(const struct watchdog *w)
{
	struct rt_granted granted;

	if (w->config.priority <= 0 ||
	    rt_become_fifo(w->config.priority, &granted, NULL))
		rt_become_other(&granted);
	rt_prefault_stack();
}

static void *watchdog_thread(void *arg)
{
	struct watchdog *w = arg;
	struct watchdog_state state = { 0 };
	struct pollfd stop = { .fd = w->stop_fd, .events = POLLIN };

	take_policy(w);
	/* What they used before is not of the first turn: probes come and go,
	 * and with each the watchdog begins anew. */
	for (unsigned i = 0; i < w->config.nr_samplers; i++)
		w->cpu_ns[i] = sampler_cpu_ns(w->config.samplers[i]);
	w->last_turn_ns = clock_now_ns();
	while (poll(&stop, 1, TURN_MS) <= 0) {
		int64_t now_ns = clock_now_ns();
		int64_t fed_ns = atomic_load_explicit(&w->fed_ns, memory_order_relaxed);

		act_on(w, watchdog_judge(&state, now_ns, fed_ns, w->config.main_is_rt));
		look_after_samplers(w, now_ns);
	}
	return NULL;
}

/* ---- life ---------------------------------------------------------------- */

static void release(struct watchdog *w)
{
	if (w->stop_fd >= 0)
		close(w->stop_fd);
	free(w->cpu_ns);
	free(w);
}

struct watchdog *watchdog_start(const struct watchdog_config *config, struct why *why)
{
	struct watchdog *w = aligned_alloc(64, sizeof(*w));

	if (!w) {
		why_set(why, -ENOMEM, "watchdog: no memory; close something");
		return NULL;
	}
	memset(w, 0, sizeof(*w));
	w->config = *config;
	w->cpu_ns = calloc(config->nr_samplers + 1, sizeof(*w->cpu_ns));
	w->stop_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	int err = !w->cpu_ns ? -ENOMEM : w->stop_fd < 0 ? -errno : 0;

	if (!err) {
		rt_install_xcpu();
		err = rt_thread_start(&w->thread, watchdog_thread, w);
	}
	if (err) {
		why_set(why, err, "watchdog: %s; raise ulimit -u or ulimit -n", strerror(-err));
		release(w);
		return NULL;
	}
	return w;
}

void watchdog_stop(struct watchdog *w)
{
	const uint64_t one = 1;

	if (!w)
		return;
	while (write(w->stop_fd, &one, sizeof(one)) < 0 && errno == EINTR)
		;
	pthread_join(w->thread, NULL);
	release(w);
}

void watchdog_feed(struct watchdog *w)
{
	atomic_store_explicit(&w->fed_ns, clock_now_ns(), memory_order_relaxed);
}

unsigned watchdog_demotions(const struct watchdog *w, pid_t *last_tid)
{
	/* acquire: pairs with count() */
	unsigned demotions = atomic_load_explicit(&w->demotions, memory_order_acquire);

	*last_tid = atomic_load_explicit(&w->last_tid, memory_order_relaxed);
	return demotions;
}

unsigned watchdog_kills(const struct watchdog *w)
{
	return atomic_load_explicit(&w->kills, memory_order_relaxed);
}
