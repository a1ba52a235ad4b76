/*
 * machine.h - what a load has to know of the machine it runs on.
 *
 * Worker or nanny.  Read anew at each call.
 */
#ifndef JS_LOADS_MACHINE_H
#define JS_LOADS_MACHINE_H

#include <stdint.h>

/* A number of /proc/meminfo in bytes, by its name with the colon; 0: not there. */
uint64_t machine_memory(const char *name);
/* The first number of a file; `otherwise` when there is none. */
long machine_number(const char *path, long otherwise);
/* Switches between tasks since the machine started. */
uint64_t machine_switches(void);
/* The largest cache of CPU 0; 0: unknown. */
uint64_t machine_cache_bytes(void);

#endif
