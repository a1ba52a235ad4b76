/* op.c - see op.h. */
#include "probes/op.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define FIFTHS 5

void op_open(struct op *op, const struct probe_env *env, unsigned variants)
{
	*op = (struct op){ .env = env, .random = env->seed, .variants = variants ? variants : 1 };
}

/* splitmix64 (public domain): enough for offsets. */
static uint64_t next_random(struct op *op)
{
	uint64_t z = (op->random += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

uint64_t op_below(struct op *op, uint64_t n)
{
	return n ? next_random(op) % n : 0;
}

/* 0.8 to 1.2 periods. */
static int64_t next_period_ns(struct op *op)
{
	int64_t period_ns = op->env->period_ns, fifth_ns = period_ns / FIFTHS;

	return period_ns - fifth_ns + (int64_t)op_below(op, 2 * (uint64_t)fifth_ns + 1);
}

int op_wait(struct op *op, struct probe_sample *out)
{
	const struct probe_env *env = op->env;
	int64_t now_ns = env->now_ns(env->ctx);
	int64_t due_ns = (op->due_ns ? op->due_ns : now_ns) + next_period_ns(op);
	int err;

	if (due_ns <= now_ns) {
		int64_t missed = (now_ns - due_ns) / env->period_ns + 1;

		out->missed = missed < UINT32_MAX ? (unsigned)missed : UINT32_MAX;
		due_ns += missed * env->period_ns;
	}
	op->due_ns = due_ns;
	out->variant = op->turn;
	op->turn = (op->turn + 1) % op->variants;
	err = env->wait_until(env->ctx, due_ns);
	return -err;
}

static void set_in_flight(const struct probe_env *env, unsigned variant, int64_t since_ns)
{
	if (env->in_flight_variant)
		atomic_store_explicit(env->in_flight_variant, variant, memory_order_relaxed);
	if (env->in_flight_ns)
		atomic_store_explicit(env->in_flight_ns, since_ns, memory_order_relaxed);
}

void op_time(const struct op *op, struct probe_sample *out, op_fn *operation, void *state)
{
	const struct probe_env *env = op->env;

	out->due_ns = env->now_ns(env->ctx);
	set_in_flight(env, out->variant, out->due_ns);
	out->error = env->operation ? env->operation(env->ctx, out->variant) : operation(state);
	out->woke_ns = env->now_ns(env->ctx);
	set_in_flight(env, out->variant, 0);
}

void op_failed(const struct op *op, struct probe_sample *out, int error)
{
	out->due_ns = out->woke_ns = op->env->now_ns(op->env->ctx);
	out->error = error;
}

void op_value(struct probe_sample *out, int64_t value_ns)
{
	out->woke_ns = out->due_ns + value_ns;
}

void op_mean(const struct op *op, struct probe_sample *out, unsigned n)
{
	if (!op->env->operation && n)
		op_value(out, (out->woke_ns - out->due_ns) / (int64_t)n);
}

/* ---- children ---- */

pid_t op_fork(void)
{
	pid_t pid = _Fork();

	return pid < 0 ? -errno : pid;
}

int op_wait_child(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return errno;
	return status ? EIO : 0;
}

int op_run(char *const argv[])
{
	char *const nothing[] = { NULL };
	pid_t pid = op_fork();

	if (pid < 0)
		return -pid;
	if (pid == 0) {
		execve(argv[0], argv, nothing);
		_exit(127);
	}
	return op_wait_child(pid);
}

/* ---- partners ---- */

static pid_t *free_place(const struct probe_env *env)
{
	for (unsigned i = 0; env->partners && i < PROBE_PARTNERS_MAX; i++)
		if (!env->partners[i])
			return &env->partners[i];
	return NULL;
}

pid_t op_partner(const struct probe_env *env)
{
	pid_t *place = free_place(env), self = getpid(), pid = op_fork();

	if (pid > 0 && place)
		*place = pid;
	if (pid)
		return pid;
	signal(SIGTERM, SIG_DFL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != self)
		_exit(1);
	return 0;
}

/* They are our own children and not yet reaped: the numbers are theirs. */
void op_end_partners(const struct probe_env *env)
{
	for (unsigned i = 0; env->partners && i < PROBE_PARTNERS_MAX; i++) {
		if (env->partners[i] < 2)
			continue;
		kill(env->partners[i], SIGKILL);
		op_wait_child(env->partners[i]);
		env->partners[i] = 0;
	}
}
