/* onlooker.c - see onlooker.h. */
#include "tests/onlooker.h"

#include <check.h>
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

#include "src/sampler.h"

#define TICK_US 10000

static const struct probe *rt_probe(void)
{
	for (unsigned i = 0; probes[i]; i++)
		if ((probes[i]->flags & PROBE_RT) && (probes[i]->flags & PROBE_DEFAULT))
			return probes[i];
	return NULL;
}

static struct model *make_model(int cpu)
{
	const struct model_spec spec = {
		.groups = 1, .series = 1, .digits = 3, .start_ns = clock_now_ns()};
	struct model *m = model_new(&spec);

	m->groups[0].on = true;
	m->groups[0].nr = 1;
	m->groups[0].probe = rt_probe();
	m->series[0].cpu = cpu;
	m->series[0].interval_ns = NS_PER_MS;
	return m;
}

static bool start_sampler(struct onlooker *o, int priority)
{
	struct sampler_config config = {.probe = rt_probe(), .cpu = o->cpu,
					.period_ns = NS_PER_MS, .priority = priority,
					.want_fifo = true, .ring_room = 1 << 14, .warmup = 10};
	struct collector_source source = { .series = 0 };
	struct rt_granted granted;
	struct why why;

	o->sampler = sampler_start(&config, &why);
	ck_assert_msg(o->sampler != NULL, "%s", why.text);
	sampler_granted(o->sampler, &granted);
	source.ring = sampler_ring(o->sampler, 0);
	source.published = sampler_published(o->sampler);
	source.sampler = o->sampler;
	ck_assert_int_eq(collector_add(o->c, &source, &why), 0);
	blame_watch(o->b, 0, o->cpu, sampler_tid(o->sampler));
	sampler_release(o->sampler, clock_now_ns() + NS_PER_MS);
	return granted.policy == SCHED_FIFO;
}

bool onlooker_start(struct onlooker *o, const struct onlooker_plan *plan)
{
	struct cpuset allowed;

	cpuset_allowed(&allowed, NULL);
	o->cpu = cpuset_next(&allowed, -1);
	o->m = make_model(o->cpu);
	o->c = collector_new(o->m, NULL);
	o->b = blame_new(&allowed, plan->level);
	collector_on_spike(o->c, plan->spike, plan->ctx, plan->spike_ns);
	return start_sampler(o, plan->priority) && blame_level(o->b) == plan->level;
}

void onlooker_stop(struct onlooker *o)
{
	collector_finish(o->c, clock_now_ns());
	ck_assert(counts_hold(&o->m->series[0].counts));
	sampler_ask_stop(o->sampler);
	sampler_join(o->sampler);
	collector_free(o->c);
	sampler_free(o->sampler);
	blame_free(o->b);
	model_free(o->m);
}

void onlooker_tick_for(struct onlooker *o, int64_t span_ns)
{
	for (int64_t end = clock_now_ns() + span_ns; clock_now_ns() < end;) {
		usleep(TICK_US);
		collector_tick(o->c, clock_now_ns());
	}
}

void onlooker_mount_tracefs(void)
{
	if (!access("/sys/kernel/tracing/events", R_OK) || unshare(CLONE_NEWNS))
		return;
	if (mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("none", "/sys/kernel/tracing", "tracefs", 0, NULL))
		printf("tracefs: %s\n", strerror(errno));
}
