/*
 * registry.c - every load, in the order in which it is listed.
 *
 * Adding one: its file and its X line.
 */
#include "src/load.h"

#define LOADS(X) \
	X(churn) \
	X(fork) \
	X(exec) \
	X(sh) \
	X(process) \
	X(write) \
	X(read) \
	X(cpu_spin) \
	X(context) \
	X(tcp) \
	X(udp) \
	X(fault) \
	X(mlock) \
	X(mem) \
	X(list) \
	X(bandwidth) \
	X(ctar) \
	X(xtar) \
	X(bonnie) \
	X(compile)

#define X(name) extern const struct load load_##name;
LOADS(X)
#undef X

#define X(name) &load_##name,
const struct load *const loads[] = { LOADS(X) NULL };
#undef X
