/* registry.c - the probes, in the order in which they are listed. */
#include <stddef.h>

#include "src/probe.h"

#define PROBES(X) \
	X(wakeup_fifo) \
	X(wakeup_other) \
	X(wakeup_deadline) \
	X(timerfd) \
	X(rtc) \
	X(audio) \
	X(audio_fifo) \
	X(stall) \
	X(fork) \
	X(exec) \
	X(sh) \
	X(create) \
	X(delete) \
	X(fsync) \
	X(mmap) \
	X(fault) \
	X(pipe) \
	X(unix) \
	X(udp) \
	X(tcp) \
	X(connect) \
	X(signal) \
	X(syscall) \
	X(ctxsw) \
	X(futex) \
	X(terminal)

#define DECLARE(name) extern const struct probe probe_##name;
PROBES(DECLARE)

#define ENTRY(name) &probe_##name,
const struct probe *const probes[] = {
	PROBES(ENTRY)
	NULL,
};
