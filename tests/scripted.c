/* scripted.c - see scripted.h. */
#include "tests/scripted.h"

static int64_t scripted_now(void *ctx)
{
	struct scripted *s = ctx;
	int64_t now_ns = s->now_ns;

	s->now_ns += s->step_ns;
	return now_ns;
}

static int scripted_wait(void *ctx, int64_t due_ns)
{
	struct scripted *s = ctx;
	int64_t late_ns = s->waits < s->nr_late ? s->late_ns[s->waits] : 0;

	s->waited_for[s->waits % SCRIPTED_MAX] = due_ns;
	s->waits++;
	if (due_ns + late_ns > s->now_ns)
		s->now_ns = due_ns + late_ns;
	s->now_ns += s->jump_ns;
	s->jump_ns = 0;
	if (s->stop && s->waits >= s->stop_after)
		*s->stop = true;
	return s->wait_err;
}

void scripted_env(struct scripted *s, struct probe_env *env, int64_t period_ns)
{
	*env = (struct probe_env){
		.now_ns = scripted_now,
		.wait_until = scripted_wait,
		.ctx = s,
		.period_ns = period_ns,
		.first_due_ns = s->now_ns + period_ns,
		.cpu = -1,
		.scratch_fd = -1,
	};
}

int scripted_cpu(void *ctx)
{
	return ((struct scripted *)ctx)->cpu;
}
