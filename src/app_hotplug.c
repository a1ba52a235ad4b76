/*
 * app_hotplug.c - CPUs that come and go while it measures.
 *
 * The kernel moves a pinned thread silently and leaves it where it is; what it
 * measures there is interrupted (sampler_loop.c marks it), and here it is
 * brought back.  A CPU of the list that was off at the start gets its samplers
 * when it comes.
 */
#include "src/app_internal.h"
#include "src/hotplug.h"

#define PINS_AT_ONCE 32
#define ACTIVE_NS (200 * NS_PER_MS)	/* a CPU is online before it can be pinned to */
#define SETTLE_NS (3 * NS_PER_S)	/* the kernel unpins what is pinned to a CPU that goes */

static bool has_sampler(const struct app *app, const struct series *s)
{
	for (unsigned i = 0; i < app->nr_samplers; i++) {
		const struct sampler_config *c = app->samplers[i] ? sampler_config(app->samplers[i])
								  : NULL;

		if (c && c->cpu == s->cpu && c->probe == app->m->groups[s->group].probe)
			return true;
	}
	return false;
}

/* It is unpinned before it is told that its CPU goes: that was no stray. */
static void forgive(struct series *s, int64_t now_ns)
{
	if (now_ns - s->strayed_ns < SETTLE_NS)
		s->strayed -= s->strayed_lately;
	s->strayed_lately = 0;
}

/* A series with a sampler is back with its first sample from there. */
static void note(struct app *app, int cpu, bool gone, int64_t now_ns)
{
	int64_t seen_ns = clock_now_ns();	/* later than now_ns: it was there then */

	for (unsigned i = 0; i < app->m->nr_series; i++) {
		struct series *s = &app->m->series[i];

		if (s->cpu != cpu || (!gone && has_sampler(app, s)))
			continue;
		s->offline = gone;
		if (!gone)
			continue;
		s->offline_ns = seen_ns;
		forgive(s, now_ns);
	}
	model_event(app->m, seen_ns, "hotplug", gone ? "cpu %d went offline"
		    : "cpu %d came online", cpu);
	model_status(app->m, gone, gone ? "cpu %d went offline" : "cpu %d came online", cpu);
}

static void bring_back(struct app *app, int cpu)
{
	for (unsigned i = 0; i < app->nr_samplers; i++) {
		struct sampler *s = app->samplers[i];

		if (s && sampler_config(s)->cpu == cpu)
			sampler_repin(s);
	}
}

static bool differs(const struct cpuset *a, const struct cpuset *b)
{
	cpuset_each(cpu, a) {
		if (!cpuset_has(b, cpu))
			return true;
	}
	return cpuset_count(a) != cpuset_count(b);
}

static void note_move(struct app *app, int cpu, int64_t now_ns)
{
	if (now_ns >= app->settled_ns)
		cpuset_clear(&app->moved);
	cpuset_add(&app->moved, cpu);
	app->settled_ns = now_ns + SETTLE_NS;
}

/* For a while, and not only since the latest turn. */
static bool was_there(const struct app *app, int cpu, int64_t now_ns)
{
	bool moved = now_ns < app->settled_ns && cpuset_has(&app->moved, cpu);
	struct cpuset online;

	return !moved && !hotplug_online(&online) && cpuset_has(&online, cpu);
}

static void note_stray(struct app *app, const struct sampler *sampler, unsigned seconds,
		       int64_t now_ns)
{
	const struct sampler_config *c = sampler_config(sampler);

	for (unsigned i = 0; i < app->m->nr_series; i++) {
		struct series *s = &app->m->series[i];

		if (s->cpu != c->cpu || app->m->groups[s->group].probe != c->probe)
			continue;
		if (now_ns - s->strayed_ns > SETTLE_NS)
			s->strayed_lately = 0;
		s->strayed += seconds;
		s->strayed_lately += seconds;
		s->strayed_ns = now_ns;
	}
}

static bool is_pinned(const struct sampler *s, int cpu)
{
	struct cpuset may;

	return cpuset_of_thread(sampler_tid(s), &may) ||
		(cpuset_has(&may, cpu) && cpuset_count(&may) == 1);
}

/* A pinned sampler whose CPU is there may run there alone; else it is brought
 * back.  Some each second: a look stands for the seconds until the next one. */
void app_check_pins(struct app *app, int64_t now_ns)
{
	unsigned n = app->nr_samplers < PINS_AT_ONCE ? app->nr_samplers : PINS_AT_ONCE;

	for (unsigned i = 0; i < n; i++) {
		struct sampler *s = app->samplers[app->pin_turn++ % app->nr_samplers];
		int cpu = s ? sampler_config(s)->cpu : -1;

		if (cpu < 0 || !cpuset_has(&app->m->system.online, cpu) || is_pinned(s, cpu))
			continue;
		if (was_there(app, cpu, now_ns))
			note_stray(app, s, (app->nr_samplers + n - 1) / n, now_ns);
		sampler_repin(s);
	}
}

void app_hotplug(struct app *app, int64_t now_ns)
{
	struct cpuset online, *known = &app->m->system.online;

	if (app->fill_ns && now_ns >= app->fill_ns) {
		app->fill_ns = 0;
		app_probes_fill(app);
	}
	if (hotplug_online(&online) || !cpuset_count(&online) || !differs(&online, known))
		return;
	collector_gap(app->collector, GAP_HOTPLUG, app->last_tick_ns, now_ns);
	cpuset_each(cpu, known) {
		if (!cpuset_has(&online, cpu)) {
			note(app, cpu, true, now_ns);
			note_move(app, cpu, now_ns);
		}
	}
	cpuset_each(cpu, &online) {
		if (!cpuset_has(known, cpu)) {
			note(app, cpu, false, now_ns);
			note_move(app, cpu, now_ns);
			bring_back(app, cpu);
		}
	}
	*known = online;
	app->fill_ns = now_ns + ACTIVE_NS;
}
