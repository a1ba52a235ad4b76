/*
 * audio.c - would music have skipped?
 *
 * An ideal clock drains a buffer.  The thread wakes each period, works for a
 * part of it, and fills the buffer up.  If the buffer ran empty before, that
 * is one skip, as long as the time it was empty; what was lost is not made up.
 * So the thread has the buffer's length less one period to spare.
 *
 * The sample is the lateness of the wake-up.  audio runs as an ordinary
 * thread, audio-fifo as a real-time one: side by side they show what that buys.
 */
#include <errno.h>

#include "probes/sleeper.h"

#define BUFFER_LEAST_MS 20
#define PERIODS_BUFFERED 4
/* A longer step between two looks at the clock is not our work: somebody else
 * had the CPU.  Where a look takes as long itself, twice that. */
#define STEP_MOST_NS (2 * NS_PER_US)
#define LOOKS 16
/* Real time is taken away from a thread that does not sleep for 100 ms. */
#define STRETCH_MOST_NS (80 * NS_PER_MS)

enum { KNOB_PERIOD, KNOB_BUFFER, KNOB_WORK };
enum { SKIPS, LONGEST, DEADLINES, MET, WORK_DUE, WORK_DONE };

struct audio {
	struct sleeper sleeper;
	int64_t buffer_ns, work_ns, step_most_ns;
	int64_t empty_ns;	/* when the buffer runs empty; 0: not filled yet */
};

/* The quickest of several looks at the clock. */
static int64_t look_ns(const struct probe_env *env)
{
	int64_t last_ns = env->now_ns(env->ctx), best_ns = INT64_MAX;

	for (int i = 0; i < LOOKS; i++) {
		int64_t now_ns = env->now_ns(env->ctx);

		best_ns = now_ns - last_ns < best_ns ? now_ns - last_ns : best_ns;
		last_ns = now_ns;
	}
	return best_ns;
}

static int audio_open(void *state, const struct probe_env *env, struct why *why)
{
	struct audio *a = state;
	long buffer_ms = env->knob[KNOB_BUFFER];

	if (env->period_ns <= 0)
		return why_set(why, -EINVAL, "audio: the period must be above 0; use period=50");
	*a = (struct audio){
		.sleeper = { .env = env },
		.buffer_ns = buffer_ms ? buffer_ms * NS_PER_MS : PERIODS_BUFFERED * env->period_ns,
		.work_ns = env->period_ns * env->knob[KNOB_WORK] / 100,
	};
	if (a->buffer_ns < BUFFER_LEAST_MS * NS_PER_MS || a->buffer_ns <= env->period_ns)
		return why_set(why, -EINVAL, "audio: buffer below 20 ms or a period; "
			       "raise buffer or lower period");
	a->step_most_ns = 2 * look_ns(env);
	if (a->step_most_ns < STEP_MOST_NS)
		a->step_most_ns = STEP_MOST_NS;
	return 0;
}

static int audio_fifo_open(void *state, const struct probe_env *env, struct why *why)
{
	const struct audio *a = state;
	int err = audio_open(state, env, why);

	if (err || a->work_ns <= STRETCH_MOST_NS)
		return err;
	return why_set(why, -EINVAL, "audio-fifo: %lld ms of work at a stretch would cost it real "
		       "time; 80 ms at most: lower work or period",
		       (long long)(a->work_ns / NS_PER_MS));
}

/* Uses work_ns of the CPU, beginning at start_ns; returns when it was done.
 * Whoever looks meanwhile must not take it for a wait that is late. */
static int64_t work(const struct audio *a, int64_t start_ns)
{
	const struct probe_env *env = a->sleeper.env;
	int64_t last_ns = start_ns;

	if (env->awaited_ns)
		atomic_store_explicit(env->awaited_ns, 0, memory_order_relaxed);
	for (int64_t done_ns = 0; done_ns < a->work_ns;) {
		int64_t now_ns = env->now_ns(env->ctx);
		int64_t step_ns = now_ns - last_ns;

		done_ns += step_ns < a->step_most_ns ? step_ns : a->step_most_ns;
		last_ns = now_ns;
	}
	return last_ns;
}

static void fill(struct audio *a, int64_t now_ns)
{
	const struct probe_env *env = a->sleeper.env;

	if (a->empty_ns && now_ns > a->empty_ns) {
		probe_counter_add(env, SKIPS, 1);
		probe_counter_most(env, LONGEST, now_ns - a->empty_ns);
	}
	a->empty_ns = now_ns + a->buffer_ns;
}

static void keep_book(const struct audio *a, int64_t due_ns, int64_t done_ns)
{
	const struct probe_env *env = a->sleeper.env;
	int64_t periods = 1 + probe_missed(due_ns, done_ns, env->period_ns);

	probe_counter_add(env, DEADLINES, periods);
	probe_counter_add(env, MET, done_ns <= due_ns + env->period_ns);
	probe_counter_add(env, WORK_DUE, periods * a->work_ns);
	probe_counter_add(env, WORK_DONE, a->work_ns);
}

static int audio_sample(void *state, struct probe_sample *out)
{
	struct audio *a = state;
	int err = sleeper_sample(&a->sleeper, out);

	if (err)
		return err;
	int64_t period_ns = a->sleeper.env->period_ns;
	int64_t done_ns = work(a, out->woke_ns);

	/* Periods that the work itself overran are missed like any others. */
	out->missed = (unsigned)(probe_missed(out->due_ns, done_ns, period_ns) -
				 probe_missed(out->due_ns, out->woke_ns, period_ns));
	sleeper_skip(&a->sleeper, out->due_ns, done_ns);
	fill(a, done_ns);
	keep_book(a, out->due_ns, done_ns);
	return 0;
}

#define AUDIO_KNOBS { \
	[KNOB_PERIOD] = { "period", "ms between two wake-ups", 5, 50, 500, NULL }, \
	[KNOB_BUFFER] = { "buffer", "ms of sound in the buffer; 0: four periods", 0, 0, 3000, NULL }, \
	[KNOB_WORK] = { "work", "percent of a period to work for", 0, 1, 50, NULL }, \
}

#define AUDIO_COUNTERS { \
	[SKIPS] = { .name = "skips", .is_event = true }, \
	[LONGEST] = { .name = "longest skip", .is_time = true, .is_most = true }, \
	[DEADLINES] = { .name = "deadlines" }, \
	[MET] = { .name = "deadlines met", .share_of = "deadlines" }, \
	[WORK_DUE] = { .name = "CPU wanted", .is_time = true }, \
	[WORK_DONE] = { .name = "CPU got", .is_time = true, .share_of = "CPU wanted" }, \
}

const struct probe probe_audio = {
	.name = "audio",
	.summary = "sound from an ordinary thread: lateness, and skips",
	.flags = PROBE_WORKS,
	.period_ns = 50 * NS_PER_MS,
	.knobs = AUDIO_KNOBS,
	.counters = AUDIO_COUNTERS,
	.state_size = sizeof(struct audio),
	.open = audio_open,
	.sample = audio_sample,
};

const struct probe probe_audio_fifo = {
	.name = "audio-fifo",
	.summary = "sound from a real-time thread: lateness, and skips",
	.flags = PROBE_RT | PROBE_WORKS,
	.period_ns = 50 * NS_PER_MS,
	.knobs = AUDIO_KNOBS,
	.counters = AUDIO_COUNTERS,
	.state_size = sizeof(struct audio),
	.open = audio_fifo_open,
	.sample = audio_sample,
};
