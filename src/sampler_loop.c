/*
 * sampler_loop.c - the life of a sampler thread; see sampler.h.
 *
 * Everything here runs in real time: sleep, read the clock and the CPU, put 16
 * bytes into the ring.  The sleep is the only system call.
 *
 * A thread that slept for a millisecond finds the caches cold: what a sample
 * costs beside the sleep is the lines and pages it touches.  So what runs for
 * each is marked hot, which lets the linker lay it side by side.
 */
#include <errno.h>
#include <sched.h>
#include <time.h>
#if __has_include(<sys/rseq.h>)
#include <sys/rseq.h>
#endif

#include "src/clock.h"
#include "src/sampler.h"

/* What the loop remembers from one sample to the next. */
struct place {
	int64_t last_woke_ns;
	uint64_t samples, busy;
	bool away;		/* the last sample was on another CPU */
};

/* ---- the real world ------------------------------------------------------ */

/* Spelled out, as every call between the kernel and the clock is late itself. */
__attribute__((hot)) static int64_t real_now(void *ctx)
{
	struct timespec now;

	(void)ctx;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * NS_PER_S + now.tv_nsec;
}

__attribute__((hot)) static int real_wait(void *ctx, int64_t due_ns)
{
	const _Atomic bool *stop = ctx;
	const struct timespec due = {
		.tv_sec = due_ns / NS_PER_S,
		.tv_nsec = due_ns % NS_PER_S,
	};
	int err;

	do
		err = clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL);
	while (err == EINTR && !atomic_load_explicit(stop, memory_order_relaxed));
	return err;
}

__attribute__((hot)) static bool real_stopping(void *ctx)
{
	return atomic_load_explicit((const _Atomic bool *)ctx, memory_order_relaxed);
}

/*
 * The kernel writes the CPU into each thread's own memory when it resumes it
 * (restartable sequences, Linux 4.18), where a C library from 2.35 on says so.
 */
#if defined(RSEQ_SIG) && __has_builtin(__builtin_thread_pointer)
static inline int kernels_word(void)
{
	const char *thread = __builtin_thread_pointer();
	const volatile struct rseq *r = (const void *)(thread + __rseq_offset);

	return __rseq_size ? (int)r->cpu_id : -1;
}
#else
static inline int kernels_word(void)
{
	return -1;
}
#endif

__attribute__((hot)) int sampler_real_cpu(void *ctx)
{
	int cpu = kernels_word();

	(void)ctx;
	return cpu >= 0 ? cpu : sched_getcpu();
}

void sampler_real_env(struct probe_env *env, const _Atomic bool *stop)
{
	env->now_ns = real_now;
	env->wait_until = real_wait;
	env->stopping = real_stopping;
	env->ctx = (void *)stop;
}

/* ---- one sample ---------------------------------------------------------- */

/* Words with one writer: a plain store is enough. */
#define PUBLISH(word, value) atomic_store_explicit(&(word), (value), memory_order_relaxed)

static inline bool stopping(const struct sampler_run *run)
{
	return atomic_load_explicit(run->stop, memory_order_relaxed);
}

/* Periods an entry stands for. */
static inline uint64_t periods_of(const struct probe_sample *out, int64_t period_ns)
{
	return 1 + out->missed + (uint64_t)probe_missed(out->due_ns, out->woke_ns, period_ns);
}

/* An entry that needs a marker before it.  One that needs two goes to the
 * spill, where nothing is lost either. */
static bool push_with_marker(struct ring *ring, const struct probe_sample *out, bool away)
{
	if (out->missed && (out->error || away))
		return false;
	if (out->error)
		return ring_push_marked(ring, RING_ERROR, out->error, out->due_ns, out->woke_ns);
	if (away)
		return ring_push_marked(ring, RING_WRONG_CPU, out->woke_ns, out->due_ns,
					out->woke_ns);
	return ring_push_marked(ring, RING_MISSED, out->missed, out->due_ns, out->woke_ns);
}

static inline void file(struct ring *ring, const struct probe_sample *out, int64_t period_ns,
			bool away)
{
	bool plain = !out->error && !away && !out->missed;

	if (plain ? ring_push(ring, out->due_ns, out->woke_ns)
		  : push_with_marker(ring, out, away))
		return;
	if (out->error)
		ring_spill_error(ring, periods_of(out, period_ns));
	else
		ring_spill(ring, out->woke_ns - out->due_ns, periods_of(out, period_ns), away);
}

/* Marks of what happened to the thread itself; a mark that finds the ring full
 * is not worth a sample's place. */
static inline void note_changes(struct sampler_run *run, struct ring *ring, struct place *place,
				bool away, int64_t woke_ns)
{
	if (place->away && !away)
		ring_push(ring, -RING_REPINNED, woke_ns);
	place->away = away;
	if (!run->demoted_ns)
		return;
	int64_t demoted_ns = atomic_load_explicit(run->demoted_ns, memory_order_relaxed);

	if (demoted_ns && ring_push(ring, -RING_DEMOTED, demoted_ns))
		PUBLISH(*run->demoted_ns, 0);
}

/* A due time that was past when the last sample ended needed no sleep. */
static inline void guard_spin(struct sampler_published *p, struct place *place,
			      const struct probe_sample *out)
{
	if (out->due_ns <= place->last_woke_ns)
		PUBLISH(p->busy_periods, ++place->busy);
	else if (place->busy)
		PUBLISH(p->busy_periods, place->busy = 0);
	place->last_woke_ns = out->woke_ns;
}

static inline void tell(struct sampler_run *run, const struct probe_sample *out, int cpu)
{
	struct sampler_published *p = run->published;
	int64_t period_ns = run->env->period_ns;

	PUBLISH(p->beat_ns, out->woke_ns);
	PUBLISH(p->next_due_ns,
		out->due_ns + (int64_t)periods_of(out, period_ns) * period_ns);
	PUBLISH(p->cpu, cpu);
}

/* ---- the loop ------------------------------------------------------------ */

static int64_t next_due_ns(const struct sampler_run *run)
{
	return atomic_load_explicit(&run->published->next_due_ns, memory_order_relaxed);
}

/* Wake-ups that are not recorded: caches and branch predictors settle, and
 * slower samplers beside this one come to the end of theirs. */
static int warm_up(struct sampler_run *run, struct place *place)
{
	struct probe_sample out;

	PUBLISH(run->published->next_due_ns, run->env->first_due_ns);
	PUBLISH(run->published->state, SAMPLER_WARMING);
	for (unsigned i = 0; i < run->warmup || next_due_ns(run) < run->from_ns; i++) {
		if (stopping(run))
			return 0;
		out = (struct probe_sample){ 0 };
		int err = run->probe->sample(run->state, &out);

		if (err)
			return err;
		guard_spin(run->published, place, &out);
		tell(run, &out, run->cpu_now(run->env->ctx));
	}
	return 0;
}

static int one_sample(struct sampler_run *run, struct place *place)
{
	struct probe_sample out = { 0 };
	int err = run->probe->sample(run->state, &out);

	if (err)
		return err;
	int cpu = run->cpu_now(run->env->ctx);
	bool away = run->env->cpu >= 0 && cpu != run->env->cpu;
	struct ring *ring = run->rings[out.variant];

	note_changes(run, ring, place, away, out.woke_ns);
	/* release: who sees it sees the counters of now, not of the warm-up */
	if (place->samples == 0)
		atomic_store_explicit(&run->published->first_due_ns, out.due_ns,
				      memory_order_release);
	file(ring, &out, run->env->period_ns, away);
	guard_spin(run->published, place, &out);
	tell(run, &out, cpu);
	PUBLISH(run->published->samples, ++place->samples);
	return 0;
}

static int until_stopped(struct sampler_run *run, struct place *place)
{
	int err = 0;

	while (!err && !stopping(run))
		err = one_sample(run, place);
	return err;
}

__attribute__((hot)) int sampler_loop(struct sampler_run *run)
{
	struct place place = { 0 };
	int err = warm_up(run, &place);

	if (!err) {
		for (unsigned i = 0; i < PROBE_COUNTERS_MAX; i++)
			PUBLISH(run->published->counters[i], 0);
		PUBLISH(run->published->state, SAMPLER_RUNNING);
		err = until_stopped(run, &place);
	}
	/* A probe whose wait was cut short to stop it has not failed. */
	if (stopping(run))
		err = 0;
	PUBLISH(run->published->error, err);
	PUBLISH(run->published->state, err ? SAMPLER_FAILED : SAMPLER_ENDED);
	return err;
}
