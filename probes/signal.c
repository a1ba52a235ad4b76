/*
 * signal.c - how long until a signal to ourselves is handled?
 *
 * From before tgkill() until the first line of the handler; a sigaction()
 * alone; and a tgkill() of signal 0, the cost of the call without a signal,
 * for those who want to subtract it as lmbench did.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "probes/op.h"

#define OURS SIGUSR1

enum { SIGNAL_HANDLED, SIGNAL_INSTALLED, SIGNAL_NONE, SIGNALS };

static const char *const variants[] = {
	[SIGNAL_HANDLED] = "signal", [SIGNAL_INSTALLED] = "signal-inst",
	[SIGNAL_NONE] = "signal-null", NULL,
};

struct signal {
	struct op op;
	unsigned kind;
	pid_t pid, tid;
	volatile int64_t handled_ns;
};

/* A handler has no other way to it. */
static struct signal *_Atomic signalled;

static void on_signal(int number)
{
	struct signal *s = signalled;

	(void)number;
	if (s)
		s->handled_ns = s->op.env->now_ns(s->op.env->ctx);
}

static int install(void)
{
	const struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };

	return sigaction(OURS, &action, NULL) ? errno : 0;
}

static int signal_open(void *state, const struct probe_env *env, struct why *why)
{
	struct signal *s = state;
	int err;

	*s = (struct signal){ .pid = getpid(), .tid = (pid_t)syscall(SYS_gettid) };
	op_open(&s->op, env, SIGNALS);
	signalled = s;
	err = install();
	return err ? why_set(why, -err, "signal: sigaction: %s", strerror(err)) : 0;
}

static int send_self(const struct signal *s, int number)
{
	return syscall(SYS_tgkill, s->pid, s->tid, number) ? errno : 0;
}

static int signal_once(void *state)
{
	struct signal *s = state;

	if (s->kind == SIGNAL_INSTALLED)
		return install();
	return send_self(s, s->kind == SIGNAL_HANDLED ? OURS : 0);
}

static int signal_sample(void *state, struct probe_sample *out)
{
	struct signal *s = state;
	int err = op_wait(&s->op, out);

	if (err)
		return err;
	s->kind = out->variant;
	s->handled_ns = 0;
	op_time(&s->op, out, signal_once, s);
	if (s->handled_ns)
		op_value(out, s->handled_ns - out->due_ns);
	return 0;
}

static void signal_close(void *state)
{
	(void)state;
	signal(OURS, SIG_DFL);
	signalled = NULL;
}

const struct probe probe_signal = {
	.name = "signal",
	.summary = "a signal to ourselves until its handler; sigaction alone",
	.flags = PROBE_HELPER | PROBE_LIGHT,
	.period_ns = 50 * NS_PER_MS,
	.knobs = { PROBE_PERIOD_KNOB(50) },
	.variants = variants,
	.state_size = sizeof(struct signal),
	.open = signal_open,
	.sample = signal_sample,
	.close = signal_close,
};
