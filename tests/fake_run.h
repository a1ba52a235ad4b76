/*
 * fake_run.h - a model as the collector would fill it: two groups of two CPUs,
 * one load, samples every 10 ms.  Time zero is FAKE_ZERO_NS.
 */
#ifndef JS_TESTS_FAKE_RUN_H
#define JS_TESTS_FAKE_RUN_H

#include "src/clock.h"
#include "src/model.h"

#define FAKE_ZERO_NS (5 * NS_PER_S)

struct model *fake_run_new(void);
/* One sample of a series at t (from 0), everywhere it belongs. */
void fake_run_sample(struct model *m, unsigned series, int64_t t_ns, int64_t late_ns);
/* Goes on from m->now_ns to t (from 0); period 10 ms, lateness by a formula. */
void fake_run_until(struct model *m, int64_t t_ns);

#endif
