/*
 * futex.c - how long until a sleeper runs after it was woken?
 *
 * A partner waits a moment, so that we are asleep, stamps the time and wakes
 * us; the value is from its stamp to our first look at the clock.
 */
#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probes/op.h"

#define FALL_ASLEEP_NS NS_PER_MS
#define LOOK_S 1		/* how often a sleeper looks whether its partner lives */

struct shared {
	_Atomic uint32_t asked, answered;	/* turns; who waits, waits on one */
	_Atomic int64_t stamp_ns;
};

struct futex {
	struct op op;
	struct shared *shared;
	pid_t partner;
};

/* 0, or a positive errno: EAGAIN when the word was another already. */
static int sleep_on(_Atomic uint32_t *word, uint32_t value)
{
	const struct timespec most = { .tv_sec = LOOK_S };

	return syscall(SYS_futex, word, FUTEX_WAIT, value, &most, NULL, 0) ? errno : 0;
}

static void wake(_Atomic uint32_t *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static _Noreturn void partner(const struct probe_env *env, struct shared *s)
{
	for (uint32_t turn = 1;; turn++) {
		while (atomic_load(&s->asked) != turn)
			sleep_on(&s->asked, turn - 1);
		env->wait_until(env->ctx, env->now_ns(env->ctx) + FALL_ASLEEP_NS);
		atomic_store(&s->stamp_ns, env->now_ns(env->ctx));
		atomic_store(&s->answered, turn);
		wake(&s->answered);
	}
}

static int futex_open(void *state, const struct probe_env *env, struct why *why)
{
	struct futex *f = state;

	op_open(&f->op, env, 1);
	f->shared = mmap(NULL, sizeof(*f->shared), PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (f->shared == MAP_FAILED)
		return why_set(why, -errno, "futex: mmap: %s", strerror(errno));
	f->partner = op_partner(env);
	if (f->partner == 0)
		partner(env, f->shared);
	if (f->partner > 0)
		return 0;
	munmap(f->shared, sizeof(*f->shared));
	return why_set(why, f->partner, "futex: partner: %s", strerror(-f->partner));
}

static bool partner_lives(const struct futex *f)
{
	siginfo_t info = { 0 };

	return !waitid(P_PID, (id_t)f->partner, &info, WEXITED | WNOHANG | WNOWAIT) &&
	       info.si_pid == 0;
}

static bool stopping(const struct probe_env *env)
{
	return env->stopping && env->stopping(env->ctx);
}

/* Asks to be woken and sleeps; EAGAIN: it came before we slept. */
static int one_turn(struct futex *f)
{
	struct shared *s = f->shared;
	uint32_t turn = atomic_load(&s->asked) + 1;
	int err;

	atomic_store(&s->asked, turn);
	wake(&s->asked);
	do {
		err = sleep_on(&s->answered, turn - 1);
		if (err == ETIMEDOUT && !partner_lives(f))
			return EPIPE;
		if (err == EINTR && stopping(f->op.env))
			return EINTR;
	} while (err == EINTR || err == ETIMEDOUT || atomic_load(&s->answered) != turn);
	return err;
}

/* Not to have slept is no answer to the question: once more. */
static int futex_once(void *state)
{
	int err, tries = 5;

	do
		err = one_turn(state);
	while (err == EAGAIN && --tries);
	return err;
}

static int futex_sample(void *state, struct probe_sample *out)
{
	struct futex *f = state;
	int err = op_wait(&f->op, out);

	if (err)
		return err;
	op_time(&f->op, out, futex_once, f);
	if (out->error == EPIPE)
		return -EPIPE;
	if (!out->error && !f->op.env->operation)
		out->due_ns = atomic_load(&f->shared->stamp_ns);
	return 0;
}

static void futex_close(void *state)
{
	struct futex *f = state;

	op_end_partners(f->op.env);
	munmap(f->shared, sizeof(*f->shared));
}

const struct probe probe_futex = {
	.name = "futex",
	.summary = "from a partner's wake call until the sleeper runs",
	.flags = PROBE_HELPER,
	.period_ns = 50 * NS_PER_MS,
	.knobs = { PROBE_PERIOD_KNOB(50) },
	.state_size = sizeof(struct futex),
	.open = futex_open,
	.sample = futex_sample,
	.close = futex_close,
};
