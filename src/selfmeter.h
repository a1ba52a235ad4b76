/*
 * selfmeter.h - what the instrument itself costs: CPU of main, samplers and
 * helpers, page faults of the samplers, memory, bytes to the terminal.
 * Main thread only; read once a second.
 */
#ifndef JS_SELFMETER_H
#define JS_SELFMETER_H

#include <stdint.h>

#include "src/sampler.h"
#include "src/supervisor.h"
#include "src/sysinfo.h"

struct selfmeter;

struct selfmeter *selfmeter_new(void);	/* NULL: no memory */
void selfmeter_free(struct selfmeter *s);
/* Each sampler and helper once, however many series it has; -ENOMEM. */
int selfmeter_add_sampler(struct selfmeter *s, const struct sampler *sampler);
int selfmeter_add_helper(struct selfmeter *s, const struct helper_line *line);
void selfmeter_remove(struct selfmeter *s, const void *sampler_or_line);
/* Fills all but what the terminal writer counts (app_wrote()). */
void selfmeter_read(struct selfmeter *s, int64_t now_ns, struct self_usage *out);
/* The busiest sampler of the last second, percent of one CPU. */
double selfmeter_busiest_pct(const struct selfmeter *s);

#endif
