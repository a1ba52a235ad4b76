/* supervisor_internal.h - main's end, as supervisor.c and supervisor_probe.c
 * share it. */
#ifndef JS_SUPERVISOR_INTERNAL_H
#define JS_SUPERVISOR_INTERNAL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "src/helper_memory.h"
#include "src/supervisor.h"
#include "src/supervisor_job.h"
#include "src/wire.h"

struct supervisor {
	int fd, pidfd;		/* -1: none */
	pid_t pid;
	_Atomic bool alive;	/* the watchdog looks too: fd stays open until the end */
	bool lost_told, reaped;
	struct counters *counters;
	struct helper_memory *helpers;	/* NULL: no operation probes */
	_Atomic uint32_t sequence;	/* the watchdog sends too */
	unsigned ignored;
	enum tier tier[JOBS_MAX];
	int32_t started[HELPERS_MAX];	/* how often; events say which start is meant */
	bool adopts;		/* orphans of loads become ours when it dies */
	int64_t lost_ns;
};

/* Sends it; 0, -EAGAIN, -EPIPE. */
int supervisor_order(struct supervisor *s, struct wire *r, enum wire_kind kind);
/* That result in words. */
int supervisor_explain(int err, struct why *why);

#endif
