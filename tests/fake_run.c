/* fake_run.c - see fake_run.h. */
#include "tests/fake_run.h"

#include <check.h>
#include <stdio.h>

struct model *fake_run_new(void)
{
	static const char *const names[] = { "wakeup-fifo", "wakeup-other" };
	struct model_spec spec = { .groups = 2, .series = 4, .loads = 1, .digits = 3, .start_ns = NS_PER_S };
	struct model *m = model_new(&spec);

	ck_assert_ptr_nonnull(m);
	model_zero(m, FAKE_ZERO_NS);
	m->now_ns = FAKE_ZERO_NS;
	for (unsigned g = 0; g < 2; g++) {
		snprintf(m->groups[g].name, sizeof(m->groups[g].name), "%s", names[g]);
		m->groups[g].on = true;
		m->groups[g].first = g * 2;
		m->groups[g].nr = 2;
	}
	for (unsigned i = 0; i < 4; i++) {
		m->series[i].group = i / 2;
		m->series[i].cpu = (int)(i % 2);
		m->series[i].interval_ns = 10 * NS_PER_MS;
		snprintf(m->series[i].policy, sizeof(m->series[i].policy),
			 i < 2 ? "SCHED_FIFO" : "SCHED_OTHER");
	}
	return m;
}

void fake_run_sample(struct model *m, unsigned series, int64_t t_ns, int64_t late_ns)
{
	struct series *s = &m->series[series];

	hist_record(s->total, late_ns);
	history_add(m->groups[s->group].history, FAKE_ZERO_NS + t_ns, late_ns);
	s->counts.due++;
	s->counts.count++;
}

void fake_run_until(struct model *m, int64_t t_ns)
{
	for (; m->now_ns < FAKE_ZERO_NS + t_ns; m->now_ns += 10 * NS_PER_MS) {
		int64_t t = m->now_ns - FAKE_ZERO_NS;

		for (unsigned i = 0; i < 4; i++) {
			/* A body of a few us, and a tail like 1/x. */
			int64_t r = (t / 10000 * 7919 + i * 104729) % 9973 + 1;

			fake_run_sample(m, i, t, 3000 + r % 2500 + i / 2 * 40000 + 300000 / r * (r < 60));
		}
		for (unsigned g = 0; g < 2; g++)
			history_advance(m->groups[g].history, m->now_ns);
	}
}
